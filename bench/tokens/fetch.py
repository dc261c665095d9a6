#!/usr/bin/env python3
"""fetch.py FOLDER: the servers of servers.json, pinned, fetched by npm into FOLDER (install scripts are not run), each
started once and asked for its tools, which go to FOLDER/catalogue.json as the server said them. A server that cannot be
started is named there with its reason, and the exit status is 1. What is there already is not fetched again.
FOLDER/mcp.json is a client's configuration of them all."""
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
START_S = 90  # of one server, on a busy machine
QUIET = {"PLAYWRIGHT_MCP_HEADLESS": "1", "CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS": "1", "MCP_LOG_LEVEL": "error"}


def package_name(package):
    """`@a/b` of `@a/b@1.0`."""
    return package[:package.rindex("@")]


def install(folder, packages):
    """One npm install of what is not there in its version."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}\n')
    wanted = []
    for package in packages:
        name, version = package_name(package), package[package.rindex("@") + 1:]
        there = folder / "node_modules" / name / "package.json"
        if not there.exists() or json.loads(there.read_text())["version"] != version:
            wanted.append(package)
    if wanted:
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--save-exact", "--ignore-scripts", "--silent",
                        *wanted], cwd=folder, check=True)


def program(folder, package):
    """The path of the package's program: the one of its name, else the first."""
    home = folder / "node_modules" / package_name(package)
    said = json.loads((home / "package.json").read_text())["bin"]
    if isinstance(said, dict):
        short = package_name(package).split("/")[-1]
        said = said.get(short) or said[next(iter(said))]
    return str((home / said).resolve())


def entry(folder, server):
    """The server's entry in a client's configuration."""
    sandbox = folder / "sandbox"
    sandbox.mkdir(exist_ok=True)
    args = [arg.replace("${FOLDER}", str(sandbox)) for arg in server.get("args", [])]
    return {"command": "node", "args": [program(folder, server["package"]), *args], "env": server.get("env", {})}


class Server:
    """A server as a child, over its standard input and output; one question after the other."""

    def __init__(self, said, home):
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), **QUIET, **said.get("env", {})}
        self.child = subprocess.Popen([said["command"], *said["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, env=environment, cwd=home)
        self.lines, self.last = queue.Queue(), 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method, params, wait_s=START_S):
        self.last += 1
        self.write({"id": self.last, "method": method, "params": params})
        until = time.monotonic() + wait_s
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"no answer to {method} in {wait_s} s") from None
            if line is None:
                raise RuntimeError(f"the server ended before it answered {method}")
            try:
                answer = json.loads(line)
            except ValueError:
                continue  # some print to standard output what is no message
            if answer.get("id") == self.last and "method" not in answer:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "id" in answer and "method" in answer:
                self.write({"id": answer["id"], **self.answer_to(answer)})

    def answer_to(self, _question):
        """What the server asks its client."""
        return {"error": {"code": -32601, "message": "not offered"}}

    def close(self):
        self.child.stdin.close()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def tools_of(said, home):
    """What the server offers, as it says it."""
    server = Server(said, home)
    try:
        begun = server.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                          "clientInfo": {"name": "bench", "version": "1"}})
        server.write({"method": "notifications/initialized"})
        tools, cursor = [], None
        while True:
            page = server.ask("tools/list", {"cursor": cursor} if cursor else {})
            tools += page["tools"]
            cursor = page.get("nextCursor")
            if not cursor:
                return begun.get("serverInfo", {}), begun.get("instructions"), tools
    finally:
        server.close()


def catalogue(folder):
    """Fetch, start, ask; the catalogue as it was written."""
    said = json.loads((HERE / "servers.json").read_text())
    install(folder, [said["tokenizer"], *(server["package"] for server in said["servers"].values())])
    entries = {name: entry(folder, server) for name, server in said["servers"].items()}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": entries}, indent=2) + "\n")
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    result = {"servers": {}, "failed": {}}
    for name, server in entries.items():
        try:
            info, instructions, tools = tools_of(server, home)
            result["servers"][name] = {"info": info, "instructions": instructions, "tools": tools}
        except (RuntimeError, OSError) as why:
            result["failed"][name] = str(why)
    (folder / "catalogue.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n")
    return result


if __name__ == "__main__":
    what = catalogue(pathlib.Path(sys.argv[1]).resolve())
    for name, server in what["servers"].items():
        print(f"{name}: {len(server['tools'])} tools")
    for name, why in what["failed"].items():
        print(f"{name}: cannot be started: {why}")
    sys.exit(1 if what["failed"] else 0)

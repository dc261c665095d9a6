"""What the bridge (`manglecp mcp DOMAIN`) shows of an imported domain: each step is a call of `intent`, a miss is followed
by one more that opens the servers of what is missing. What the model reads is the text of the answers; what it writes, the calls' arguments."""
import json
import pathlib
import re
import shutil
import subprocess
import time

import fetch
import schema
import signature

INTENT = "use"
WARM_S = 120
HERE = pathlib.Path(__file__).resolve().parent
CALL = re.compile(r"^( {0,2})([\w.\-]+)\(")  # of a tool in full at the margin, of one as a line behind two blanks


def import_domain(program, catalogue_file, servers, folder, python=None):
    """`manglecp import mcp` of the servers, replayed; what it printed. `python`: has a model of embeddings."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    config = folder.parent / (folder.name + ".mcp.json")
    config.write_text(json.dumps({"mcpServers": {
        name: {"command": "python3", "args": [str(HERE / "replay.py"), str(catalogue_file), name]} for name in servers}}))
    done = subprocess.run([str(program), "import", "mcp", str(config), "--into", str(folder),
                           *(["--embed", str(python)] if python else [])], capture_output=True, text=True, check=False)
    if done.returncode or python and "by words, and by what texts mean" not in done.stdout:
        raise RuntimeError(f"import mcp: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def add_author(folder, author):
    """What an author adds to the domain: the files of `author` over the empty ones."""
    for file in sorted(author.rglob("*")):
        if file.is_file():
            target = folder / file.relative_to(author)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)


def names_of(folder):
    """{name of the macro-tool: server/tool}, by the facts that the import wrote."""
    text = (folder / "facts/import.mg").read_text(encoding="utf-8")
    return {tool: f"{server}/{name}" for tool, server, name in
            re.findall(r'^imported\("([^"]*)", "([^"]*)", "([^"]*)"\)\.', text, re.M)}


def facts_for(facts):
    """The facts of a task in the words that every imported domain takes: what is at hand, and in what state it is."""
    has, state, other = [], [], {}
    for fact in facts:
        args = fact["a"]
        if fact["p"] == "session_mode" and args == ["read_only"]:
            other["read_only"] = []
            continue
        if len(args) > 1:
            state.append([fact["p"], args[0], args[-1]])
        else:
            has.append([fact["p"], args[0]])
    return {**({"has": has} if has else {}), **({"state": state} if state else {}), **other}


class Shown:
    """One text, read as a model reads it."""

    def __init__(self, text, names, tools):
        self.text, self.tools = text, []
        for line in text.split("\n"):
            found = CALL.match(line)
            if not found or found.group(2) not in names:
                continue
            tool = names[found.group(2)]
            self.tools.append({"tool": tool, "tier": "ranked" if found.group(1) else "proved",
                               "callable": is_callable(line.strip(), tools.get(tool))})


def is_callable(line, tool):
    """A call that is made from the line alone is valid by the tool's whole schema."""
    try:
        _, required, _ = signature.call(line)
    except signature.Unreadable:
        return False
    return tool is not None and not schema.problems(required, tool.get("inputSchema") or {})


class Bridge:
    def __init__(self, program, folder, tools):
        self.names, self.tools, self.failures, self.by_words = names_of(folder), tools, 0, 0
        self.server = fetch.Server({"command": str(program), "args": ["mcp", str(folder), "--log", "error"],
                                    "env": {}}, folder)
        begun = self.server.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                               "clientInfo": {"name": "bench", "version": "1"}})
        self.server.write({"method": "notifications/initialized"})
        surface = self.server.ask("tools/list", {})["tools"]
        self.fixed = begun.get("instructions", "") + "\n" + "\n".join(json.dumps(
            {"name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"]},
            ensure_ascii=False, separators=(",", ":")) for tool in surface)

    def call(self, tool, arguments):
        """(what the model reads, what it writes)"""
        answer = self.server.ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in answer["content"] if part["type"] == "text")
        if answer.get("isError"):
            if not text.startswith(("error derivation", "work: ")) or "derivation_limit" not in text:
                raise RuntimeError(f"{tool} {json.dumps(arguments)}: {text}")
            self.failures += 1  # it offers nothing, and is counted
        self.by_words += "by words alone" in text  # the model of embeddings was late
        self.structured = answer.get("structuredContent") or {}
        return text, json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))

    def warm(self):
        """A model that is read takes its time; what is measured is what comes after."""
        for _ in range(WARM_S):
            before = self.by_words
            self.call("intent", {"intent": INTENT, "params": {"goal": "get warm"}})
            if self.by_words == before:
                break
            time.sleep(1)
        self.by_words = 0

    def close(self):
        self.server.close()


class Work:
    """One conversation with the bridge."""

    def __init__(self, bridge):
        self.bridge, self.handle, self.said = bridge, None, []

    def intent(self, params, facts, forget=()):
        """An imported domain has one intent; what was said and what is meant are its parameters."""
        arguments = {"intent": INTENT}
        if self.handle:
            arguments["work"] = self.handle
        if forget:
            arguments["forget"] = forget
        if facts:
            arguments["facts"] = facts
        arguments["params"] = params
        text, written = self.bridge.call("intent", arguments)
        self.handle = self.handle or self.bridge.structured.get("work")
        shown = Shown(text, self.bridge.names, self.bridge.tools)
        return {"text": shown.text, "written": written, "tools": shown.tools}

    def step(self, step):
        """The rounds of a step, each {text, written, tools}. Facts that hold no more are taken back by the call that says what does."""
        forget = ()
        params = {"goal": step["intent"], "wants": step["intent"].split()[0]}
        if step["request"]:
            params = {"request": step["request"], **params}
        if any(fact not in step["facts"] for fact in self.said):
            forget, self.said = ["has", "state", "read_only"], []
        new = [fact for fact in step["facts"] if fact not in self.said]
        self.said = list(step["facts"])
        rounds = [self.intent(params, facts_for(new), forget)]
        servers = self.missing(step, rounds)
        if servers:
            rounds.append(self.intent({"open_server": servers if len(servers) > 1 else servers[0]}, {}))
        return rounds

    def missing(self, step, rounds):
        """The servers that somebody opens who knows which tools are missing: of each the first that would do."""
        able = {said["tool"] for part in rounds for said in part["tools"] if said["callable"]}
        opened = []
        for group in step["needed"]:
            servers = [tool.split("/")[0] for tool in group]
            if not any(tool in able for tool in group) and not any(name in opened for name in servers):
                opened.append(servers[0])
        return opened

"""A client of each server, over HTTP (one connection that stays open) or standard streams: `look_and_call` and `call`.

What an answer says is checked each time. The processor time of a server is that of its process and all below it, from the
kernel's clocks, to the nanosecond.
"""
import http.client
import json
import pathlib
import re
import socket
import subprocess
import time

import many_tools

START_S = 30
VERSION = "2025-06-18"
ENDED = "it ended, or does not answer"


class Wrong(Exception):
    """A server that does not start, or an answer that is not what was asked for."""


def cpu_ns(pid):
    own = time.clock_gettime_ns(~pid << 3 | 2)
    below = (child for task in pathlib.Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split())
    return own + sum(cpu_ns(int(child)) for child in below)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Streams:
    """A message a line."""

    def __init__(self, command):
        self.child = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def anew(self):
        pass

    def tell(self, text):
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, text, mark, path):
        del path
        self.tell(text)
        while True:
            line = self.child.stdout.readline()
            if not line:
                raise Wrong(ENDED)
            if b'"error"' in line:
                raise Wrong(f"it answered {line[:300]!r}")
            if mark in line:
                return line

    def end(self):
        self.child.stdin.close()
        self.child.kill()
        self.child.wait()


class Http:
    """A message a request."""

    def __init__(self, command, port):
        self.child = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        until = time.monotonic() + START_S
        while True:
            try:
                self.anew()
                break
            except OSError as why:
                if time.monotonic() > until:
                    self.end()
                    raise Wrong(ENDED) from why
                time.sleep(0.05)

    def anew(self):
        """Another connection: servers close one that has been idle for some seconds."""
        self.connection.close()
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, text, mark, path):
        self.connection.request("POST", path, text, self.headers)
        answer = self.connection.getresponse()
        session = answer.getheader("Mcp-Session-Id")
        if session:
            self.headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": VERSION}
        said = answer.read()
        if mark not in said:
            raise Wrong(f"status {answer.status}: {said[:200]!r}")
        return said

    def tell(self, text):
        self.ask(text, b"", "/mcp")

    def end(self):
        self.connection.close()
        self.child.kill()
        self.child.wait()


def opened(command, over_http):
    """`command` of the port, or of None."""
    if not over_http:
        return Streams(command(None))
    port = free_port()
    return Http(command(port), port)


class Peer:
    """tools/list and tools/call."""

    def __init__(self, peer, tools, over_http):
        self.tools, self.number = tools, 0
        self.link = opened(lambda port: (*peer.command, tools, *([port] if port else [])), over_http)
        self.rpc("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
        self.link.tell('{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def rpc(self, method, params):
        self.number += 1
        return self.link.ask(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}, separators=(",", ":")),
                             b'"result":', "/mcp")

    def call(self, n):
        part, depth = n % self.tools, n % 10
        said = self.rpc("tools/call", {"name": f"tool_{part:04}", "arguments": {"place": f"place {n}", "depth": depth}})
        if f"part {part} at place {n}, {depth} deep".encode() not in said:
            raise Wrong(f"a call: {said[:200]!r}")

    def look_and_call(self, n):
        said = self.rpc("tools/list", {})
        if said.count(b'"inputSchema"') != self.tools:
            raise Wrong(f"a list: {said[:200]!r}")
        self.call(n)


class Ours:
    """intent and invoke. Variants of the facts take turns; their times are those of the beginning of a block."""

    def __init__(self, program, domain, tools, facts, over_http):
        self.tools, self.facts = tools, facts
        way = (lambda port: ["--listen", f"127.0.0.1:{port}", "--open-demo"] if port else ["--stdio"])
        plugins = program.parents[1] / "bench-plugins"
        self.link = opened(lambda port: [program, "serve", domain, "--log-access", "none", "--plugins", plugins, *way(port)], over_http)
        self.until = time.monotonic() + START_S
        self.refresh()

    def refresh(self):
        self.texts = [many_tools.intent(self.tools, self.facts, v) for v in range(8)]
        while True:  # it boots for a moment
            try:
                self.chosen = self.intent(0)
                return
            except (Wrong, OSError) as why:
                if time.monotonic() > self.until:
                    self.link.end()
                    raise Wrong(ENDED) from why
                time.sleep(0.05)

    def intent(self, n):
        said = self.link.ask(self.texts[n % 8], b'"intent_response"', "/manglecp/evaluate")
        ids = re.findall(rb'"macro_id":"([^"]+)"', said)
        if len(ids) != many_tools.TOPICS * many_tools.TOPIC_TOOLS:
            raise Wrong(f"an intent: {said[:300]!r}")
        return ids[n % len(ids)].decode(), re.findall(rb'"name":"tool_(\d+)"', said)[n % len(ids)]

    def call(self, n, chosen=None):
        macro, part = chosen or self.chosen
        depth = n % 10
        said = self.link.ask(json.dumps({"type": "invoke_request", "id": f"i{n}", "manglecp": "2026-02-draft", "payload": {
            "macro_id": macro, "args": {"place": f"place {n}", "depth": depth}}}, separators=(",", ":")),
            b'"invoke_response"', "/manglecp/invoke")
        if f"part {int(part)} at place {n}, {depth} deep".encode() not in said:
            raise Wrong(f"an invocation: {said[:300]!r}")

    def look_and_call(self, n):
        self.call(n, self.intent(n))

"""An MCP client of our own, small and strict: one server as a child, one message a line, every revision.
What the server asks is answered by `answers`, a list of elicitation results, one a question."""
import hashlib
import json
import os
import queue
import subprocess
import threading
import time

R1, R2, R3, R4, R5 = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
WAIT_S = int(os.environ.get("MCP_WAIT_S", 120))  # of one answer: a busy machine is no fault


class Failed(Exception):
    """A JSON-RPC error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Client:
    def __init__(self, command, revision, elicits=False, answers=(), stderr=None):
        self.revision, self.elicits, self.answers = revision, elicits, list(answers)
        self.started = time.monotonic()
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=stderr or subprocess.DEVNULL, bufsize=0)
        self.lines = queue.Queue()
        self.next_id = 0  # the first id is 0, as that of SDK clients (X-RPC-2)
        self.asked, self.notes, self.answered = [], [], {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    @property
    def modern(self):
        return self.revision == R5

    def capabilities(self):
        return {"elicitation": {}} if self.elicits else {}

    # ---- messages

    def write(self, text):
        self.child.stdin.write(text.encode() + b"\n")

    def send(self, method, params=None, request=True, progress=None, level=None):
        message = {"jsonrpc": "2.0", "method": method}
        params = dict(params or {})
        meta = {}
        if self.modern and request:
            meta = {PREFIX + "protocolVersion": R5, PREFIX + "clientCapabilities": self.capabilities(),
                    PREFIX + "clientInfo": {"name": "test", "version": "1"}}
        if progress is not None:
            meta["progressToken"] = progress
        if level:
            meta[PREFIX + "logLevel"] = level
        if meta:
            params["_meta"] = meta
        if request:
            message["id"] = self.next_id
            self.next_id += 1
        if params:
            message["params"] = params
        self.write(json.dumps(message))
        return message.get("id")

    def _take(self, until):
        line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
        if line is None:
            raise EOFError("the server has ended")
        assert line.endswith(b"\n") and b"\r" not in line, line
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", message
        if "method" in message and "id" in message:
            assert not self.modern, "a server of r5 sends no request"
            self._reply(message)
        elif "method" in message:
            self.notes.append(message)
        else:
            assert message["id"] not in self.answered, "answered twice"
            self.answered[message["id"]] = message

    def _reply(self, message):
        self.asked.append(message["params"])
        if not self.answers:
            return  # a person who does not answer
        result = self.answers.pop(0)
        self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))

    def wait(self, ident, seconds=WAIT_S):
        until = time.monotonic() + seconds
        while ident not in self.answered:
            self._take(until)
        message = self.answered.pop(ident)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def wait_question(self, seconds=WAIT_S):
        until = time.monotonic() + seconds
        while not self.asked:
            self._take(until)

    def request(self, method, params=None, **more):
        result = self.wait(self.send(method, params, **more))
        while self.modern and result.get("resultType") == "input_required":
            questions = result["inputRequests"]
            self.asked += [q["params"] for q in questions.values()]
            if not self.answers:
                return result
            params = dict(params, inputResponses={k: self.answers.pop(0) for k in questions})
            params["requestState"] = result["requestState"]
            result = self.wait(self.send(method, params, **more))
        return result

    # ---- a conversation

    def open(self):
        if self.modern:
            return self.request("server/discover")
        result = self.request("initialize", {"protocolVersion": self.revision,
                                             "capabilities": self.capabilities(),
                                             "clientInfo": {"name": "test", "version": "1"}})
        self.send("notifications/initialized", request=False)
        return result

    def call(self, name, more=None, **arguments):
        return self.request("tools/call", {"name": name, "arguments": arguments}, **(more or {}))

    def close(self, seconds=WAIT_S):
        self.child.stdin.close()
        return self.child.wait(seconds)

    def kill(self):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()


def text_of(result):
    assert all(block["type"] == "text" for block in result["content"])
    return "\n".join(block["text"] for block in result["content"])


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, name, good, got=None):
        self.count += 1
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}", flush=True)
        if not good:
            self.failed += 1
            for line in (got if isinstance(got, str) else json.dumps(got, indent=1, default=str)).splitlines()[:60]:
                print("#", line, flush=True)

    def case(self, name, run):
        """`run` returns nothing (or something that is false), or what is wrong."""
        try:
            wrong = run()
        except Exception as e:  # whatever it is: the case has failed
            wrong = f"{type(e).__name__}: {e}"
        self.check(name, not wrong, wrong)

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}", flush=True)

    def end(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed else 0


def programs():
    build = os.environ["BUILD_DIR"]
    return ["--plugins", f"{build}/test-plugins", "--toolhost", f"{build}/bin/toolhost"]


def program():
    return os.environ["BUILD_DIR"] + "/bin/manglecp"


def fixture(*options):
    """The command that serves the fixture of the black-box tests: it loads for each conversation."""
    return [program(), "mcp", "tests/domains/fixture", *programs(), *options]


class Server:
    """One server of the fixture for many conversations, which reach it at its address."""

    TOKEN, KEY = "a-token-for-this-test", "a2V5LWZvci10aGlzLXRlc3Q"

    def __init__(self, folder):
        self.journal = os.path.join(folder, "journal")
        open(self.journal, "w").close()
        auth = os.path.join(folder, "auth")
        with open(auth, "w") as f:
            digest = hashlib.sha256(self.TOKEN.encode()).hexdigest()
            f.write(f"sha256:{digest} ann intent:*,why_not confirm_key={self.KEY}\n")
        os.chmod(auth, 0o600)
        self.child = subprocess.Popen(
            [program(), "serve", "tests/domains/fixture", *programs(), "--set", f"journal={self.journal}",
             "--listen", "127.0.0.1:0", "--auth", auth], stderr=subprocess.PIPE)
        for line in self.child.stderr:
            if b"listening on " in line:
                self.address = line.decode().split("listening on ")[1].split()[0].rstrip("/")
                break
        threading.Thread(target=lambda: self.child.stderr.read(), daemon=True).start()

    def command(self, *options):
        return [program(), "mcp", self.address, "--websocket", "--token", self.TOKEN, "--confirm-key", self.KEY,
                "--ready-timeout-ms", "100000", *options]

    def lines(self):
        with open(self.journal) as f:
            return f.read().splitlines()

    def stop(self):
        self.child.terminate()
        self.child.wait()

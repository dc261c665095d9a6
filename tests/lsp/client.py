"""A small client of the Language Server Protocol for the tests: JSON-RPC with Content-Length framing
over the pipes of a child process. Positions are found by a mark in the text: `|` stands where the
cursor is."""
import json
import os
import pathlib
import selectors
import subprocess
import time


class Closed(Exception):
    """The server ended its output."""


class Client:
    def __init__(self, *command, timeout=30):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timeout = timeout
        self.buffer = b""
        self.waiting = []  # messages that nobody has asked for yet
        self.number = 0
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    # ---- bytes

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def fill(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0 or not self.selector.select(left):
            raise TimeoutError(f"no answer within {self.timeout} s")
        data = os.read(self.process.stdout.fileno(), 65536)
        if not data:
            raise Closed
        self.buffer += data

    def read(self):
        """The next message of the server."""
        deadline = time.monotonic() + self.timeout
        while b"\r\n\r\n" not in self.buffer:
            self.fill(deadline)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        name, length = head.decode("ascii").split(": ")
        assert name == "Content-Length", head
        while len(self.buffer) < int(length):
            self.fill(deadline)
        body, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        message = json.loads(body.decode("utf-8", "strict"))
        assert message["jsonrpc"] == "2.0", message
        return message

    def wait(self, wanted):
        """The first message that `wanted` accepts; others are kept."""
        for i, message in enumerate(self.waiting):
            if wanted(message):
                return self.waiting.pop(i)
        while True:
            message = self.read()
            if wanted(message):
                return message
            self.waiting.append(message)

    # ---- messages

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, **params):
        """Send a request; its id."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number):
        return self.wait(lambda m: m.get("id") == number and "method" not in m)

    def request(self, method, **params):
        answer = self.answer(self.ask(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def refused(self, method, **params):
        answer = self.answer(self.ask(method, **params))
        assert "result" not in answer, answer
        return answer["error"]

    def initialize(self, root=None, encodings=None, options=None, snippets=False):
        capabilities = {"textDocument": {"completion": {
            "completionItem": {"snippetSupport": snippets}}}}
        if encodings:
            capabilities["general"] = {"positionEncodings": encodings}
        result = self.request("initialize", processId=None, capabilities=capabilities,
                              rootUri=uri(root) if root else None,
                              initializationOptions=options or {})
        self.notify("initialized")
        return result["capabilities"]

    def leave(self):
        """shutdown and exit; the exit status."""
        assert self.request("shutdown") is None
        self.notify("exit")
        return self.end()

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        status = self.process.wait(self.timeout)
        self.selector.close()
        self.process.stdout.close()
        return status

    # ---- documents

    def open(self, where, text, version=1):
        self.notify("textDocument/didOpen", textDocument={
            "uri": where, "languageId": "mangle", "version": version, "text": text})

    def change(self, where, version, *changes):
        """Each change: a whole text, or ((line, character), (line, character), text)."""
        events = [{"text": c} if isinstance(c, str) else {
            "range": {"start": position(*c[0]), "end": position(*c[1])}, "text": c[2]}
            for c in changes]
        self.notify("textDocument/didChange", textDocument={"uri": where, "version": version},
                    contentChanges=events)

    def findings(self, where, version=None):
        """The diagnostics published for the document (of that version)."""
        message = self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                            and m["params"]["uri"] == where
                            and (version is None or m["params"].get("version") == version))
        return message["params"]["diagnostics"]


def uri(path):
    return pathlib.Path(path).absolute().as_uri()


def position(line, character):
    return {"line": line, "character": character}


def units(text, encoding="utf-16"):
    """How many characters of the protocol a text has."""
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return len(text.encode(encoding if size == 1 else encoding + "-le")) // size


def place(text, mark, offset=0, encoding="utf-16"):
    """The position of the first `mark` in the text, `offset` characters further on."""
    at = text.index(mark) + offset
    line = text.count("\n", 0, at)
    return position(line, units(text[text.rfind("\n", 0, at) + 1:at], encoding))


def slice_of(text, span, encoding="utf-16"):
    """The text of a range."""
    lines = text.split("\n")

    def index(p):
        line, n = lines[p["line"]], 0
        for i in range(len(line) + 1):
            if units(line[:i], encoding) == p["character"]:
                n = i
                break
        else:
            raise AssertionError(f"no such position: {p}")
        return sum(len(x) + 1 for x in lines[:p["line"]]) + n

    return text[index(span["start"]):index(span["end"])]


def apply(text, edits, encoding="utf-16"):
    """A text after edits, the last first."""
    def key(edit):
        return (edit["range"]["start"]["line"], edit["range"]["start"]["character"])

    for edit in sorted(edits, key=key, reverse=True):
        lines = text.split("\n")

        def index(p):
            line = lines[p["line"]]
            n = next(i for i in range(len(line) + 1) if units(line[:i], encoding) == p["character"])
            return sum(len(x) + 1 for x in lines[:p["line"]]) + n

        text = (text[:index(edit["range"]["start"])] + edit["newText"]
                + text[index(edit["range"]["end"]):])
    return text

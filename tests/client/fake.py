"""Scripted servers for the client's role: they say what a test tells them to, and keep what arrives.

A test is a function of a test file; its name says what is true, a comment names the requirement. `run`
calls each and prints TAP. MANGLECP_PROGRAM is the program that plays the client; else that of BUILD_DIR.

    HttpServer   raw sockets, so that a connection can be closed at any moment
    stdio        a function of the test file, run as a child of the client: `serve=NAME`"""
import calendar
import collections
import copy
import inspect
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
PROGRAM = os.environ.get("MANGLECP_PROGRAM", str(BUILD / "bin/manglecp"))
VERSION = "2026-02-draft"
WELL_KNOWN = "/.well-known/manglecp/manifest.json"
PATIENCE = 60  # seconds that any run of the program may take


class Failure(AssertionError):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def equal(got, wanted, what="value"):
    expect(got == wanted, f"{what}: got {got!r}, expected {wanted!r}")


# ---- messages -----------------------------------------------------------------------------------

MANIFEST = {
    "server_name": "fake", "server_version": "1.0.0",
    "protocol": {"manglecp": VERSION, "supported_versions": [VERSION], "conformance_level": 2},
    "status": "ready", "domain": {"id": "fake", "description": "A server that a test wrote"},
    "endpoints": {"intent_eval": "/evaluate", "macro_invoke": "/invoke"},
    "intents": [{"name": "work", "description": "Do it", "optional_facts": ["noted", "seen"]},
                {"name": "need", "description": "Needs facts", "required_facts": ["noted"]}],
    "facts_profile": {"time_formats": ["rfc3339"], "schema_uri": None, "predicates": [
        {"predicate": "noted", "arity": 2, "arg_types": ["string", "number"], "arg_names": ["what", "n"],
         "description": "Something that was noted", "direction": "input"},
        {"predicate": "seen", "arity": 1, "arg_types": ["any"], "temporal": True},
        {"predicate": "other", "arity": 1, "arg_types": ["string"]},
        {"predicate": "told", "arity": 1, "direction": "output"}]},
    "capabilities": {"temporal": True, "named_args": True, "external_predicates": []},
    "limits": {"max_message_bytes": 16777216, "max_facts_per_request": 1000, "max_derived_facts": 1000},
    "auth": {"required": False, "schemes": []}, "extensions": {"x-idempotency-only": True},
}

TOOL = {
    "macro_id": "mark-000000000001", "name": "mark", "disclosure_level": "full",
    "description": "Marks a label.",
    "input_schema": {"type": "object", "additionalProperties": False, "required": ["label"],
                     "properties": {"label": {"type": "string"}, "count": {"type": "integer", "default": 1}}},
    "safety": {"requires_user_confirmation": False, "side_effects": ["none"], "reversible": True},
}

RESULT = {"result": {"done": True}, "state_delta": {"assert": [], "retract": []},
          "observability": {"summary": "It is done.", "events": []}}


def envelope(kind, payload, id=None, **more):
    return {"type": kind, "id": id, "manglecp": VERSION, "payload": payload, **more}


def manifest(**changes):
    """The manifest's message; a change by the name of a member, `a__b` for one inside."""
    payload = copy.deepcopy(MANIFEST)
    for name, value in changes.items():
        *path, last = name.split("__")
        inside = payload
        for step in path:
            inside = inside[step]
        inside[last] = value
    return envelope("manifest", payload)


def tool(**changes):
    out = copy.deepcopy(TOOL)
    for name, value in changes.items():
        *path, last = name.split("__")
        inside = out
        for step in path:
            inside = inside[step]
        inside[last] = value
    return out


def condensed(t):
    return {k: t[k] for k in ("macro_id", "name", "description")} | {"disclosure_level": "condensed"}


def tools(*list_of, **more):
    return {"eval_time_used": "2026-01-01T00:00:00Z", "macro_tools": list(list_of), **more}


def error(code, recoverable=True, **more):
    return {"code": code, "message": f"This is {code} of a test.", "recoverable": recoverable, **more}


STATUS = {"server_not_ready": 503, "rate_limited": 429, "macro_not_found": 404, "macro_expired": 410,
          "confirmation_required": 403, "confirmation_invalid": 403, "execution_failed": 500,
          "auth_required": 401, "auth_invalid": 401, "auth_insufficient": 403, "internal_error": 500}


def seconds_of(text):
    """an RFC 3339 time in UTC, in seconds since 1970"""
    whole, _, fraction = text.rstrip("Z").partition(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{fraction or 0}")


# ---- over HTTP ------------------------------------------------------------------------------------

Request = collections.namedtuple("Request", "method path headers body connection number at")
CLOSE = object()   # the request was read: close without a word
SILENT = object()  # and say nothing


class Raw(bytes):
    """bytes to send as they are"""


class HttpServer:
    """Answers by path. An answer is a payload, a Raw, CLOSE, SILENT, a (status, envelope) or a function of
    the request that gives one; a list is used up in order, its last one for all that follows."""

    def __init__(self, **answers):
        self.answers = {"manifest": manifest(), "evaluate": tools(TOOL), "invoke": RESULT}
        self.answers.update(answers)
        self.log = []
        self.connections = 0
        self.lock = threading.Lock()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.open = True
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Nobody can connect any more; what is connected stays."""
        if self.open:
            self.open = False
            self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()

    def accept(self):
        while self.open:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
                number = self.connections
            threading.Thread(target=self.serve, args=(connection, number), daemon=True).start()

    def serve(self, connection, number):
        with connection:
            connection.settimeout(PATIENCE)
            stream = connection.makefile("rb")
            while True:
                try:
                    request = self.read(stream, number)
                    if not request or not self.reply(connection, request):
                        return
                except OSError:
                    return

    def read(self, stream, connection):
        line = stream.readline().decode().split()
        if len(line) != 3:
            return None
        headers = {}
        while (header := stream.readline().decode().strip()):
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        raw = stream.read(int(headers.get("content-length", 0)))
        body = json.loads(raw) if raw else None
        with self.lock:
            request = Request(line[0], line[1], headers, body, connection, len(self.log), time.monotonic())
            self.log.append(request)
        return request

    def next_answer(self, request):
        endpoints = {WELL_KNOWN: "manifest", "/evaluate": "evaluate", "/invoke": "invoke"}
        kind = endpoints.get(request.path, request.path)
        with self.lock:
            answer = self.answers.get(kind, (404, envelope("error", error("x-not_found"))))
            if isinstance(answer, list):
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return answer(request) if inspect.isfunction(answer) else answer

    def reply(self, connection, request):
        answer = self.next_answer(request)
        if answer is CLOSE:
            return False
        if answer is SILENT:
            time.sleep(PATIENCE)
            return False
        if isinstance(answer, Raw):
            connection.sendall(answer)
            return True
        status = 200
        if isinstance(answer, tuple):
            status, answer = answer
        elif "type" not in answer:
            id = request.body["id"]
            if "code" in answer:
                status = STATUS.get(answer["code"], 400)
                answer = envelope("error", answer, id)
            else:
                kind = request.body["type"].replace("_request", "_response")
                extensions = {"extensions": answer["extensions"]} if "extensions" in answer else {}
                payload = {k: v for k, v in answer.items() if k != "extensions"}
                answer = envelope(kind, payload, id, **extensions)
        body = json.dumps(answer, ensure_ascii=False).encode()
        connection.sendall(http(status, body))
        return True

    def of(self, path):
        with self.lock:
            return [r for r in self.log if r.path == path]

    @property
    def intents(self):
        return self.of("/evaluate")

    @property
    def invocations(self):
        return self.of("/invoke")


def http(status, body, *headers):
    lines = [f"HTTP/1.1 {status} Because", "Content-Type: application/json", f"Content-Length: {len(body)}",
             *headers]
    return Raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


# ---- over standard streams --------------------------------------------------------------------------

class Stdio:
    """The server's side of a child: what arrives is kept in a file, a JSON object a line."""

    def __init__(self, log):
        self.log = open(log, "a", buffering=1)

    def send(self, message):
        sys.stdout.write(json.dumps(message, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def read(self):
        """the next message, or None at the end"""
        line = sys.stdin.readline()
        if not line:
            return None
        message = json.loads(line)
        self.log.write(json.dumps({"at": time.monotonic(), "message": message}) + "\n")
        return message

    def listen(self, seconds):
        """Is there silence for so long? What breaks it is kept as such."""
        if select.select([sys.stdin], [], [], seconds)[0]:
            self.log.write(json.dumps({"at": time.monotonic(), "message": {"type": "too early"}}) + "\n")

    def answer(self, request, payload):
        kind = "error" if "code" in payload else request["type"].replace("_request", "_response")
        if request["type"] == "authenticate" and kind != "error":
            kind = "authenticate_response"
        self.send(envelope(kind, payload, request["id"]))

    def default(self):
        """Answer what comes until the end."""
        while (request := self.read()):
            self.answer(request, default_answer(request))


def default_answer(request):
    if request["type"] == "authenticate":
        return {"status": "authenticated", "identity": "a", "permissions": []}
    return tools(TOOL) if request["type"] == "intent_request" else RESULT


# ---- the client -------------------------------------------------------------------------------------

Ran = collections.namedtuple("Ran", "status out err seconds")


def manglecp(*words, env=(), input=None, timeout=PATIENCE, cwd=None):
    environment = {**os.environ, **dict(env)}
    if "MANGLECP_TOKEN" not in dict(env):
        environment.pop("MANGLECP_TOKEN", None)
    started = time.monotonic()
    try:
        done = subprocess.run([PROGRAM, *map(str, words)], env=environment, input=input, timeout=timeout,
                              capture_output=True, text=True, errors="surrogateescape", cwd=cwd,
                              **({} if input is not None else {"stdin": subprocess.DEVNULL}))
    except subprocess.TimeoutExpired as e:
        raise Failure(f"manglecp {' '.join(map(str, words))}: no end after {timeout} s; "
                      f"it said {(e.stdout or b'').decode()[-500:]!r} {(e.stderr or b'').decode()[-500:]!r}")
    err = "\n".join(l for l in done.stderr.split("\n") if "running as user id 0" not in l)
    return Ran(done.returncode, done.stdout, err, time.monotonic() - started)


def ended(ran, status, out="", err=""):
    """How a run ended, and parts of what it said."""
    report = f"status {ran.status}, expected {status}\n{ran.out[-1500:]}\n! {ran.err[-1500:]}"
    expect(ran.status == status, report)
    for part in [out] if isinstance(out, str) else out:
        expect(part in ran.out, f"standard output lacks {part!r}\n{report}")
    for part in [err] if isinstance(err, str) else err:
        expect(part in ran.err, f"standard error lacks {part!r}\n{report}")


class Child:
    """`with Child(function) as child`: child.words end the command line, child.got is what arrived."""

    def __init__(self, serve):
        self.folder = tempfile.mkdtemp(prefix="fake.")
        self.log = os.path.join(self.folder, "log")
        file = pathlib.Path(inspect.getfile(serve)).resolve()
        self.words = ["--", sys.executable, str(file), "--serve", serve.__name__, self.log]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def entries(self):
        if not os.path.exists(self.log):
            return []
        return [json.loads(line) for line in open(self.log)]

    @property
    def got(self):
        return [e["message"] for e in self.entries]

    @property
    def types(self):
        return [m["type"] for m in self.got]


def run(namespace):
    """Every function of the namespace that begins with test_; or one server, in a child."""
    if len(sys.argv) == 4 and sys.argv[1] == "--serve":
        namespace[sys.argv[2]](Stdio(sys.argv[3]))
        return 0
    if not os.access(PROGRAM, os.X_OK):
        print("1..0 # SKIP manglecp is not built")
        return 0
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    found = [(n, f) for n, f in namespace.items() if n.startswith("test_") and only in n]
    failed = 0
    print(f"1..{len(found)}")
    for number, (name, function) in enumerate(found, 1):
        folder = tempfile.mkdtemp(prefix="fake.")
        before = os.getcwd()
        try:
            os.chdir(folder)
            function()
            print(f"ok {number} - {name[5:].replace('_', ' ')}", flush=True)
        except Exception as e:
            failed += 1
            text = str(e) if isinstance(e, Failure) else traceback.format_exc()
            print(f"not ok {number} - {name[5:].replace('_', ' ')}")
            print("\n".join("# " + line for line in text.splitlines()), flush=True)
        finally:
            os.chdir(before)
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0

"""Drives the programs from outside, with raw bytes and a time limit on everything.

Whatever a server says is judged here, in every test: the envelope (P-ENV-1, P-ENV-8), the shape of
errors, their recoverable flag and HTTP status (P-ERR-1, P-ERR-2, P-ERR-3, P-ERR-4), the shape of tools
and results. A test then only says what is special about it.

A test file is a list of functions; `run` calls each as one test and prints TAP. A function's name says
what is true, its comment or docstring names the requirement."""
import base64
import datetime
import hashlib
import hmac
import itertools
import json
import os
import pathlib
import pty
import re
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
FIXTURE = ROOT / "tests/domains/fixture"
VERSION = "2026-02-draft"


def sanitized():
    cache = BUILD / "CMakeCache.txt"
    return cache.exists() and re.search(r"^MGI_SANITIZE:\w+=.+", cache.read_text(), re.M) is not None


SANITIZED = sanitized()
PATIENCE = 60 if SANITIZED else 20  # seconds that any answer may take
CHILD_ENV = {**os.environ, "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"} if SANITIZED else dict(os.environ)
CHILD_ENV.pop("MANGLECP_TOKEN", None)

# code: (HTTP status, recoverable), protocol.md part 4
CODES = {
    "unsupported_version": (400, True), "malformed_message": (400, False),
    "message_too_large": (413, True), "invalid_type": (400, False), "auth_required": (401, True),
    "auth_invalid": (401, True), "auth_insufficient": (403, False), "invalid_facts": (400, True),
    "unknown_predicate": (400, True), "arity_mismatch": (400, True), "type_mismatch": (400, True),
    "reserved_predicate": (400, False), "too_many_facts": (400, True),
    "evaluation_timeout": (408, True), "derivation_limit_exceeded": (413, True),
    "interval_limit_exceeded": (413, True), "invalid_temporal_pattern": (400, False),
    "evaluation_failed": (500, False), "macro_not_found": (404, True), "macro_expired": (410, True),
    "schema_validation_failed": (400, True), "confirmation_required": (403, True),
    "confirmation_invalid": (403, True), "execution_failed": (500, False),
    "server_not_ready": (503, True), "rate_limited": (429, True), "internal_error": (500, False),
    "cancelled": (499, False), "x-not_found": (404, False), "x-method_not_allowed": (405, False),
    "x-origin_not_allowed": (403, False), "x-request_timeout": (408, True),
    "x-expectation_failed": (417, False), "x-head_too_large": (431, False),
    "x-http_version": (505, False), "x-upgrade_required": (426, False),
}
ISSUES = set("""invalid_predicate_name unknown_predicate reserved_predicate arity_mismatch type_mismatch
    args_and_named_args args_missing named_args_unsupported unknown_named_arg missing_named_arg
    integer_out_of_range number_out_of_range bad_typed_value non_ground_argument
    invalid_temporal_annotation inverted_interval invalid_time unsupported_time_format
    temporal_not_accepted direction_violation invalid_category invalid_source
    invalid_fact_shape""".split())
EFFECTS = set("""none filesystem network database browser process payments authentication
    destructive""".split())
LEVELS = {
    "full": {"macro_id", "name", "disclosure_level", "description", "input_schema", "output_schema",
             "context_injection", "safety", "validity", "metadata"},
    "condensed": {"macro_id", "name", "disclosure_level", "description", "metadata"},
    "minimal": {"macro_id", "name", "disclosure_level"},
}


class Failure(AssertionError):
    pass


class Skip(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def equal(got, wanted, what="value"):
    if got != wanted:
        raise Failure(f"{what}: got {shown(got)}, expected {shown(wanted)}")


def shown(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 600 else text[:400] + f"… ({len(text)} characters)"


# ---- JSON, strictly ------------------------------------------------------------------------

def no_twins(pairs):
    names = [name for name, _ in pairs]
    expect(len(names) == len(set(names)), f"a member is there twice: {names}")
    return dict(pairs)


def no_constant(name):
    raise Failure(f"{name} is no JSON")


def decode(raw):
    expect(not raw.startswith(b"\xef\xbb\xbf"), "a byte order mark was sent")  # P-ENV-14
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=no_twins, parse_constant=no_constant)
    except ValueError as e:
        raise Failure(f"not JSON ({e}): {shown(raw)}")


def encode(message):
    return message if isinstance(message, bytes) else json.dumps(message).encode()


# ---- what must be true of every message ----------------------------------------------------

def check_error(payload):
    for member, kind in (("code", str), ("message", str), ("recoverable", bool)):
        expect(isinstance(payload.get(member), kind), f"error without {member}: {shown(payload)}")
    code = payload["code"]
    expect(code in CODES or code.startswith("x-"), f"unknown code {code}")  # P-ERR-4
    if code in CODES:
        equal(payload["recoverable"], CODES[code][1], f"recoverable of {code}")
    expect(" " in payload["message"], f"not a telling message: {payload['message']}")  # P-ERR-5
    expect(isinstance(payload.get("details", {}), dict), "details is no object")
    wait = payload.get("retry_after_ms")
    expect(wait is None or isinstance(wait, int) and wait >= 0, "retry_after_ms is no whole number")
    details = payload.get("details", {})
    for violation in details.get("violations", []):
        if "fact_index" not in violation:
            expect(isinstance(violation.get("path"), str), f"violation without place: {violation}")
            continue
        expect(violation["issue"] in ISSUES, f"unknown issue: {violation}")  # P-ERR-7
        expect(isinstance(violation["predicate"], str), f"violation: {violation}")
        expect(isinstance(violation["message"], str), f"violation: {violation}")
    for fault in details.get("schema_errors", []):  # P-ERR-8
        for member in ("path", "message", "keyword"):
            expect(isinstance(fault.get(member), str), f"schema error: {fault}")
    if code in ("evaluation_timeout", "derivation_limit_exceeded", "interval_limit_exceeded"):
        budget = details.get("budget", {})  # P-ERR-9
        units = {"evaluation_timeout": "milliseconds", "derivation_limit_exceeded": "derived_facts",
                 "interval_limit_exceeded": "intervals_per_atom"}
        expect(isinstance(budget.get("limit"), (int, float)), f"budget: {shown(details)}")
        expect(isinstance(budget.get("consumed"), (int, float)), f"budget: {shown(details)}")
        equal(budget.get("unit"), units[code], "unit of the budget")
        equal(details.get("partial_results_available"), False, "partial results")
        expect(isinstance(details.get("suggestion"), str), "no suggestion")


def check_tool(tool):
    level = tool.get("disclosure_level")
    expect(level in LEVELS, f"disclosure level {level}")  # P-DISC-LVL-1
    extra = set(tool) - LEVELS[level]
    expect(not extra, f"a {level} tool has {sorted(extra)}")  # P-DISC-LVL-3, P-DISC-LVL-4
    expect(re.fullmatch(r"[a-z0-9._-]{1,128}", tool["macro_id"]), f"macro_id {tool['macro_id']}")
    expect(0 < len(tool["name"]) <= 64, f"name {tool['name']}")  # P-TOOL-4, P-TOOL-5
    if level != "minimal":
        expect(isinstance(tool.get("description"), str), "no description")
    if level == "condensed":  # P-DISC-LVL-3, D-37
        expect(not re.search(r"[\r\n]", tool["description"]), "a condensed description of two lines")
        expect(len(tool["description"]) <= 121, "a condensed description is too long")
    if "metadata" in tool:  # P-TOOL-19
        score = tool["metadata"].get("score", 0)
        expect(isinstance(score, (int, float)) and 0 <= score <= 100, f"score {score}")
    if level != "full":
        return
    expect(isinstance(tool["input_schema"], dict), "no input_schema")  # P-DISC-LVL-2
    safety = tool["safety"]
    expect(isinstance(safety["requires_user_confirmation"], bool), "safety")  # P-TOOL-10
    effects = safety["side_effects"]
    expect(effects and isinstance(effects, list), f"side effects {effects}")  # P-TOOL-11
    for effect in effects:  # P-TOOL-12
        expect(effect in EFFECTS or effect.startswith("x-"), f"side effect {effect}")
    expect("none" not in effects or len(effects) == 1, f"none does not stand alone: {effects}")
    for member in ("reversible", "idempotent"):  # P-TOOL-14
        expect(isinstance(safety.get(member, False), bool), f"{member} is no boolean")
    check_context(tool.get("context_injection", {}))


def check_context(context):
    for skill in context.get("skills", []):
        equal("content" in skill, skill["inline"], "content beside inline")  # P-SKILL-7
        expect(skill["inline"] or isinstance(skill.get("description"), str), "a bare skill reference")
    resources = context.get("context_resources", [])
    for resource in resources:
        expect(isinstance(resource["uri"], str), "a resource without uri")  # P-CTX-2
        expect(resource.get("relevance"), "a resource without relevance")  # P-CTX-6
        expect(0 <= resource.get("priority", 0) <= 100, "priority")  # P-CTX-4
    order = [(-r.get("priority", 0), r["uri"]) for r in resources]
    equal(order, sorted(order), "order of resources")  # D-30


def check_intent_response(payload):
    tools = payload["macro_tools"]
    expect(isinstance(tools, list), "macro_tools is no array")  # P-EVAL-12
    rfc3339_utc(payload["eval_time_used"])  # P-TIME-15
    duration = payload.get("eval_duration_ms", 0)
    expect(isinstance(duration, int) and duration >= 0, "eval_duration_ms")  # P-EVAL-13
    ids = [tool["macro_id"] for tool in tools]
    expect(len(ids) == len(set(ids)), f"an id is there twice: {ids}")  # P-TOOL-1
    for tool in tools:
        check_tool(tool)
    scored = [t for t in tools if "score" in t.get("metadata", {})]
    order = [(-t["metadata"]["score"], t["name"], t["macro_id"]) for t in scored]
    equal(order, sorted(order), "order of tools")  # D-30
    skills = payload.get("required_skills", [])
    for skill in skills:  # P-SKILL-1
        for member in ("skill_id", "name", "description", "content"):
            expect(isinstance(skill[member], str), f"skill without {member}")
    skill_ids = [s["skill_id"] for s in skills]
    equal(skill_ids, sorted(set(skill_ids)), "order of skills")  # D-30
    known = set(skill_ids)
    for tool in tools:
        for skill in tool.get("context_injection", {}).get("skills", []):
            expect(skill["inline"] or skill["skill_id"] in known,  # D-66
                   f"unresolved skill {skill['skill_id']}")


def check_invoke_response(payload):
    expect(isinstance(payload["result"], dict), "result is no object")  # P-INV-8
    check_delta(payload.get("state_delta", {}))
    observed = payload.get("observability", {})
    incomplete = any(w["code"] == "effects_incomplete" for w in observed.get("warnings", []))
    equal(payload.get("effects_complete", True), not incomplete, "effects_complete beside the warnings")
    expect(observed.get("summary"), "no summary")  # P-OBS-8
    check_events(observed)
    following = payload.get("next", {})
    for suggested in following.get("suggested_intents", []):
        expect(suggested["name"], "a suggestion without a name")  # P-NEXT-2
        expect(suggested.get("description"), "a suggestion without description")  # P-NEXT-4
        expect(isinstance(suggested.get("params", {}), dict), "params is no object")


def check_delta(delta):
    expect(isinstance(delta, dict), "the delta is no object")  # P-DELTA-1
    for member in ("assert", "retract"):
        expect(isinstance(delta.get(member, []), list), f"{member} is no array")
    for fact in delta.get("assert", []):
        expect(fact["category"] in ("server", "session", "derived"), f"category: {fact}")  # P-DELTA-2
        expect(isinstance(fact.get("source", {}).get("source_type"), str), f"source: {fact}")  # P-PROV-5
        expect(not fact["pred"].startswith("_manglecp_"), f"reserved: {fact}")  # P-FACT-4
    for pattern in delta.get("retract", []):
        expect(isinstance(pattern["args"], list), f"retract: {pattern}")


def check_events(observed):
    for event in observed.get("events", []):  # P-OBS-11, P-OBS-12
        expect(isinstance(event["action"], str), f"event: {event}")
        expect(event["status"] in ("success", "failure", "skipped"), f"event: {event}")
        expect(isinstance(event.get("duration_ms", 0), int), f"event: {event}")
        expect(isinstance(event.get("detail", ""), str), f"event: {event}")


def check_progress(payload):
    expect(payload["status"] in ("started", "running", "finalizing"), f"{payload}")  # P-PROG-7
    percent = payload.get("percent")
    expect(percent is None or 0 <= percent <= 100, f"percent {percent}")  # P-PROG-8
    expect(isinstance(payload.get("detail", ""), (str, type(None))), "detail")


CHECKS = {"error": check_error, "intent_response": check_intent_response,
          "invoke_response": check_invoke_response, "progress": check_progress}


EXTENSIONS = {"invoke_response": {"x-idempotent-replay", "x-dry-run"}, "error": {"x-idempotent-replay"},
              "intent_response": {"x-why-not"}}


def check_extensions(message):
    extensions = message.get("extensions")
    if extensions is None:
        return
    equal(len(extensions), 1, f"number of extensions {extensions}")
    expect(set(extensions) <= EXTENSIONS.get(message["type"], set()), f"extensions {set(extensions)}")
    equal(extensions.get("x-idempotent-replay", True), True, "x-idempotent-replay")


def check_message(message):
    expect(isinstance(message, dict), f"no object: {shown(message)}")
    equal(set(message) - {"extensions"}, {"type", "id", "manglecp", "payload"}, "members of the envelope")  # P-ENV-1
    check_extensions(message)
    equal(message["manglecp"], VERSION, "version")  # P-ENV-8
    expect(isinstance(message["payload"], dict), "payload is no object")
    expect(message["id"] is None or isinstance(message["id"], str), f"id {message['id']}")
    if message["type"] in CHECKS:
        CHECKS[message["type"]](message["payload"])
    return message


def rfc3339_utc(text):
    expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", text), f"time {text}")
    return text


# ---- messages ------------------------------------------------------------------------------

counter = itertools.count(1)


def request(kind, payload, id=None, **members):
    return {"type": kind, "id": id or f"t-{next(counter)}", "manglecp": VERSION, "payload": payload,
            **members}


def intent(name, facts=(), id=None, params=None, **payload):
    body = {"intent": {"name": name, **({"params": params} if params is not None else {})},
            "facts": list(facts), **payload}
    return request("intent_request", body, id)


def invoke(tool, args=None, id=None, **payload):
    macro_id = tool["macro_id"] if isinstance(tool, dict) else tool
    return request("invoke_request", {"macro_id": macro_id, "args": args or {}, **payload}, id)


def moment(seconds=0):
    """So many seconds from now, as a message says it."""
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%SZ")


def fact(pred, *args, **members):
    return {"pred": pred, "args": list(args), **members}


BASIC = fact("fx_basic", "tag", 1, True, "x")


def good(id=None):
    """A request that any caller may make and that is answered at once."""
    return intent("fx.echo", [BASIC], id)


def busy_size(ask, seconds):
    """What intent.params.size makes fx.slow evaluate for about so long on this machine."""
    spent = []
    for _ in range(3):
        begun = time.monotonic()
        ask(intent("fx.slow", params={"size": 60}))
        spent.append(max(time.monotonic() - begun, 0.002))
    return min(999, int(60 * (seconds / min(spent)) ** (1 / 3)))


def code_of(message):
    return message["payload"]["code"] if message["type"] == "error" else None


def names(message):
    expect(message["type"] == "intent_response", f"not an intent_response: {shown(message)}")
    return [tool["name"] for tool in message["payload"]["macro_tools"]]


def tool_of(message, name=None):
    tools = message["payload"].get("macro_tools", [])
    for tool in tools:
        if name in (None, tool["name"]):
            return tool
    raise Failure(f"no tool {name} in {shown(message)}")


def refused(message, code, **details):
    equal(code_of(message), code, f"code of {shown(message)}")
    for name, value in details.items():
        equal(message["payload"].get("details", {}).get(name), value, f"details.{name}")
    return message["payload"]


# ---- programs ------------------------------------------------------------------------------

def command(domain, *options):
    return [str(BUILD / "bin/manglecp"), "serve", str(domain), "--toolhost", str(BUILD / "bin/toolhost"),
            "--plugins", str(BUILD / "test-plugins"), *options]


class Program:
    """A server process. Its standard error is kept; at the end it must have ended well."""

    def __init__(self, argv, env=None, **streams):
        self.errors = []
        self.listening = threading.Event()
        self.process = subprocess.Popen(argv, env={**CHILD_ENV, **(env or {})},
                                        stderr=subprocess.PIPE, **streams)
        self.reader = threading.Thread(target=self.read_errors, daemon=True)
        self.reader.start()
        programs.append(self)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))
            if "listening on" in self.errors[-1]:
                self.listening.set()
        self.listening.set()

    def log(self):
        return "".join(self.errors)

    def wait(self, status=0):
        try:
            got = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"the server did not end\n{self.log()}")
        self.reader.join(PATIENCE)
        equal(got, status, f"exit status, with on standard error:\n{self.log()}\n")

    def resident_kib(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1))

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


programs = []


class Session:
    """`manglecp serve --stdio`, line by line."""

    def __init__(self, *options, domain=FIXTURE, env=None, greet=True, stdout=subprocess.PIPE, log="info"):
        """`log`: None leaves the level to the server."""
        level = ["--log", log] if log and "--log" not in options else []
        self.program = Program(command(domain, "--stdio", *level, *options), env, stdin=subprocess.PIPE,
                               stdout=stdout)
        self.stdin, self.stdout = self.program.process.stdin, self.program.process.stdout
        self.kept = b""
        self.late = {}
        self.first = self.manifest = None
        if greet:
            self.first = self.receive()
            equal(self.first["type"], "manifest", "first message")  # P-STDIO-4
            self.manifest = self.until_status("ready", "degraded", now=self.first)

    def write(self, raw):
        self.stdin.write(raw)
        self.stdin.flush()

    def send(self, *messages):
        self.write(b"".join(encode(m) + b"\n" for m in messages))

    def line(self, patience=None):
        """One line of output, or None at its end."""
        deadline = time.monotonic() + (patience or PATIENCE)
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdout, selectors.EVENT_READ)
            while b"\n" not in self.kept:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise Failure(f"no answer in time\n{self.program.log()}")
                chunk = os.read(self.stdout.fileno(), 1 << 16)
                if not chunk:
                    expect(not self.kept, f"output ends within a line: {shown(self.kept)}")
                    return None
                self.kept += chunk
        line, self.kept = self.kept.split(b"\n", 1)
        return line

    def receive(self, patience=None):
        line = self.line(patience)
        expect(line is not None, f"the server ended\n{self.program.log()}")
        return check_message(decode(line))

    def until_status(self, *wanted, now=None):
        """Read manifests until one has one of these statuses; the newest replaces all (P-MAN-31)."""
        manifest = now or self.receive()
        while manifest["payload"]["status"] not in wanted:
            manifest = self.receive()
            equal(manifest["type"], "manifest", f"message while {wanted} is waited for")
        self.manifest = manifest
        return manifest

    def quiet(self, seconds=0.3):
        """True if nothing comes."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdout, selectors.EVENT_READ)
            return not self.kept and not selector.select(seconds)

    def ask(self, message, progress=None):
        """The terminal message of one request; progress messages are collected."""
        self.send(message)
        while True:
            answer = self.receive()
            if answer["type"] == "manifest":  # P-MAN-30
                self.manifest = answer
                continue
            if answer["type"] != "progress":
                break
            if progress is not None:
                progress.append(answer)
        wanted = message["id"] if isinstance(message, dict) else answer["id"]
        equal(answer["id"], wanted, f"id of {shown(answer)}")  # P-ENV-3
        return answer

    def end(self, status=0):
        self.stdin.close()
        rest = []
        while (line := self.line()) is not None:
            rest.append(check_message(decode(line)))
        self.program.wait(status)
        return rest


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def message(self):
        expect(self.headers.get("content-type", "").startswith("application/json"),
               f"content type {self.headers.get('content-type')}")  # P-HTTP-8
        message = check_message(decode(self.body))  # P-HTTP-9
        if message["type"] == "error" and message["payload"]["code"] in CODES:
            equal(self.status, CODES[message["payload"]["code"]][0],  # P-ERR-3
                  f"status with {message['payload']['code']}")
        else:
            equal(message["type"] == "error", self.status != 200, "error beside status 200")  # P-HTTP-10
        return message


class Connection:
    """One TCP connection to an HTTP server; it speaks bytes."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if getattr(server, "tls", None):
            self.socket = server.tls.wrap_socket(self.socket, server_hostname="localhost")
        self.kept = b""

    def close(self):
        self.socket.close()

    def send(self, raw):
        self.socket.sendall(raw)

    def fill(self):
        try:
            chunk = self.socket.recv(1 << 16)
        except socket.timeout:
            raise Failure(f"no answer in time; so far {shown(self.kept)}\n{self.server.program.log()}")
        except ConnectionResetError:
            chunk = b""
        self.kept += chunk
        return bool(chunk)

    def closed(self):
        """True if the server ends the connection without another byte."""
        return not self.kept and not self.fill()

    def response(self, head=False):
        while b"\r\n\r\n" not in self.kept:
            expect(self.fill(), f"the connection ended within a head: {shown(self.kept)}")
        head_text, self.kept = self.kept.split(b"\r\n\r\n", 1)
        lines = head_text.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        expect(lines[0].startswith("HTTP/1.1 "), lines[0])
        headers = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            expect(name.strip().lower() not in headers, f"{name} is there twice")
            headers[name.strip().lower()] = value.strip()
        length = 0 if head or status in (100, 204, 304) else int(headers.get("content-length", 0))
        while len(self.kept) < length:
            expect(self.fill(), "the connection ended within a body")
        body, self.kept = self.kept[:length], self.kept[length:]
        return Response(status, headers, body)

    def head(self, method, path, length=None, **headers):
        defaults = {"Host": f"127.0.0.1:{self.server.port}"}
        if method == "POST":
            defaults["Content-Type"] = "application/json"
            defaults["Accept"] = "application/json"
        if self.token:
            defaults["Authorization"] = f"Bearer {self.token}"
        if length is not None:
            defaults["Content-Length"] = str(length)
        defaults.update({name.replace("_", "-"): value for name, value in headers.items()})
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in defaults.items() if value is not None]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def get(self, path, method="GET", **headers):
        self.send(self.head(method, path, **headers))
        return self.response(head=method == "HEAD")

    def post(self, message, path=None, **headers):
        """POST to the endpoint that the message's type calls for."""
        body = encode(message)
        if path is None:
            kind = message.get("type") if isinstance(message, dict) else None
            path = self.server.invoke_path if kind == "invoke_request" else self.server.intent_path
        self.send(self.head("POST", path, len(body), **headers) + body)
        return self.response()

    def ask(self, message, progress=None):
        answer = self.post(message).message
        equal(answer["id"], message["id"], f"id of {shown(answer)}")  # P-ENV-3
        return answer


class Listener:
    """`manglecp serve --listen` on a free port. `tls`: an ssl.SSLContext for clients of one that speaks
    TLS."""
    MANIFEST = "/.well-known/manglecp/manifest.json"

    def __init__(self, *options, domain=FIXTURE, env=None, tls=None, ready=True):
        self.tls = tls
        self.program = Program(command(domain, "--listen", "127.0.0.1:0", *options), env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        expect(self.program.listening.wait(PATIENCE), "the server does not start")
        found = re.search(r"listening on https?://127\.0\.0\.1:(\d+)", self.program.log())
        expect(found, f"the server does not listen:\n{self.program.log()}")
        self.port = int(found.group(1))
        self.manifest = self.until_status("ready", "degraded") if ready else self.read_manifest()
        endpoints = self.manifest["payload"]["endpoints"]
        self.intent_path, self.invoke_path = endpoints["intent_eval"], endpoints["macro_invoke"]

    def connect(self, token=None):
        return Connection(self, token)

    def read_manifest(self):
        return self.connect().get(self.MANIFEST).message

    def until_status(self, *wanted, patience=PATIENCE):
        """Poll the manifest, as clients do (P-READY-5)."""
        deadline = time.monotonic() + patience
        while (manifest := self.read_manifest())["payload"]["status"] not in wanted:
            expect(time.monotonic() < deadline,
                   f"never {wanted}: {manifest['payload']['status']}\n{self.program.log()}")
            time.sleep(0.02)
        return manifest

    def stop(self):
        self.program.process.send_signal(signal.SIGTERM)
        self.program.wait()
        equal(self.program.process.stdout.read(), b"", "output of a listener")


# ---- tokens --------------------------------------------------------------------------------

def at_terminal(answer, *words, env=None):
    """The program at a terminal, whose user answers every question so: status, and what was shown. `answer`
    may be a function, which is called at each question."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(str(BUILD / "bin/manglecp"), ["manglecp", *words], {**CHILD_ENV, "NO_COLOR": "1", **(env or {})})
    said, typed, deadline = b"", 0, time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                said += os.read(terminal, 65536)
            except OSError:
                break
        while said.count(b"[y/N]") > typed:
            typed += 1
            os.write(terminal, (answer() if callable(answer) else answer).encode() + b"\n")
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode(errors="replace").replace("\r\n", "\n")


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


CONFIRM_KEY = b"a key of the confirming program!"


def token_line(token, identity, permissions, **settings):
    digest = hashlib.sha256(token.encode()).hexdigest()
    words = [f"sha256:{digest}", identity, permissions]
    return " ".join(words + [f"{k}={v}" for k, v in settings.items()])


def token_file(*lines):
    path = pathlib.Path(scratch()) / "tokens"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


folders = []


def scratch():
    folders.append(tempfile.mkdtemp(prefix="manglecp-test-"))
    return folders[-1]


def fixture_with(files):
    """A copy of the fixture that has these files, too: path -> text."""
    folder = pathlib.Path(scratch()) / "domain"
    shutil.copytree(FIXTURE, folder)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def journal():
    """A file for the actions with effects, and the options that make them use it."""
    path = pathlib.Path(scratch()) / "journal"
    path.touch()
    return path, ["--set", f"journal={path}"]


# ---- running -------------------------------------------------------------------------------

def words(function):
    return function.__name__.removeprefix("test_").replace("_", " ")


shared = {}


def session(*options):
    """A session that tests share, as long as they pass; what they send must not disturb others."""
    if options not in shared:
        shared[options] = Session(*options)
        programs.remove(shared[options].program)
    return shared[options]


def end_shared():
    for held in shared.values():
        try:
            equal(held.end(), [], "answers that nobody asked for")
        finally:
            held.program.kill()


def clean_up():
    for program in programs:
        program.kill()
    programs.clear()
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    folders.clear()


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def ok(self, name):
        self.count += 1
        print(f"ok {self.count} - {name}", flush=True)

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}", flush=True)

    def not_ok(self, name, why):
        self.count += 1
        self.failed += 1
        print(f"not ok {self.count} - {name}", flush=True)
        for line in why.rstrip().splitlines():
            print(f"# {line}", flush=True)

    def attempt(self, name, function):
        try:
            function()
        except Skip as e:
            self.skip(name, str(e))
        except Exception as e:  # a test that breaks is a test that fails
            text = str(e) if isinstance(e, Failure) else traceback.format_exc()
            line = traceback.extract_tb(e.__traceback__)
            places = [f"{pathlib.Path(f.filename).name}:{f.lineno}" for f in line[1:]]
            self.not_ok(name, " < ".join(reversed(places)) + "\n" + text)
            for held in shared.values():
                held.program.kill()
            shared.clear()
        else:
            self.ok(name)

    def finish(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def run(namespace):
    """All functions named test_… of a test file, or those whose names contain a word given."""
    tap = Tap()
    for name, function in list(namespace.items()):
        if name.startswith("test_") and all(w in name for w in sys.argv[1:]):
            tap.attempt(words(function), function)
            clean_up()
    if shared:
        tap.attempt("the shared servers end well", end_shared)
    tap.finish()

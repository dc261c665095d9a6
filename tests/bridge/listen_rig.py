"""`manglecp mcp TARGET --listen`: a bridge with credentials and certificates, and callers that say every byte themselves."""
import datetime
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import time

from mcp_client import PREFIX, R4, R5, WAIT_S, programs, program

ACCEPT = "application/json, text/event-stream"


def digest(token, kind="sha256"):
    return f"{kind}:{hashlib.sha256(token.encode()).hexdigest()}"


def in_seconds(seconds):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def until(what, seconds=WAIT_S):
    """What `what` says as soon as it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if got := what():
            return got
        time.sleep(0.02)
    raise TimeoutError("it did not come to be")


class Authority:
    """Certificates of a folder; NAME.pem and NAME.key."""

    def __init__(self, folder):
        self.folder = folder
        self.run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
                 "-out", "ca.pem", "-subj", "/CN=ca", "-days", "30")

    def run(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def issue(self, name):
        with open(self.path("ext"), "w") as f:
            f.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key",
                 "-out", f"{name}.csr", "-subj", f"/CN={name}")
        self.run("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                 "-out", f"{name}.pem", "-days", "30", "-extfile", "ext")
        os.chmod(self.path(f"{name}.key"), 0o600)

    def fingerprint(self, name):
        with open(self.path(f"{name}.pem")) as f:
            return hashlib.sha256(ssl.PEM_cert_to_DER_cert(f.read())).hexdigest()

    def context(self, shown=None):
        context = ssl.create_default_context(cafile=self.path("ca.pem"))
        if shown:
            context.load_cert_chain(self.path(f"{shown}.pem"), self.path(f"{shown}.key"))
        return context


class Bridge:
    """One that listens at a port of its own; `credentials` are the lines of the file of --auth."""

    def __init__(self, folder, *options, credentials=None, target="tests/domains/fixture", fixture=True):
        self.auth = os.path.join(folder, "auth")
        words = [program(), "mcp", target, *(programs() if fixture else []), "--listen", "127.0.0.1:0", *options]
        if credentials is not None:
            self.trust(*credentials)
            words += ["--auth", self.auth]
        self.child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said, self.port = [], None
        threading.Thread(target=self._listen, daemon=True).start()
        until(lambda: self.port or self.child.poll() is not None)

    def _listen(self):
        for line in self.child.stderr:
            self.said.append(line.decode())
            if found := re.search(r"listening on https?://[^/]+:(\d+)/mcp", self.said[-1]):
                self.port = int(found.group(1))

    def log(self):
        return "".join(self.said)

    def trust(self, *lines):
        with open(self.auth, "w") as f:
            f.write("\n".join(lines) + "\n")
        os.chmod(self.auth, 0o600)

    def hang_up(self):
        self.child.send_signal(signal.SIGHUP)

    def connections(self):
        """How many it has open, of whoever calls."""
        with open("/proc/net/tcp") as f:
            rows = [line.split()[1:4] for line in f][1:]
        ends = [state for local, _, state in rows if int(local.split(":")[1], 16) == self.port]
        return sum(state in ("01", "08") for state in ends)  # established; closed by the other side alone

    def stop(self):
        """Its exit status; what it said of itself must not be a sanitizer's report."""
        self.child.terminate()
        return self.child.wait(WAIT_S)

    def kill(self):
        self.child.poll() is None and self.child.kill()
        self.child.wait()


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.stream = response.headers.get_content_type() == "text/event-stream"
        self.text = response.read().decode()

    def messages(self):
        texts = re.findall(r"^data: ?(.+)$", self.text, re.M) if self.stream else [self.text] if self.text else []
        return [json.loads(t) for t in texts]

    def result(self):
        for m in self.messages():
            if "result" in m or "error" in m:
                return m.get("result") or m["error"]
        return None

    def __repr__(self):
        return f"{self.status} {self.text[:400]}"


class Caller:
    """Whoever calls with one credential, in one revision; `session` of a legacy one."""

    def __init__(self, bridge, revision=R4, tls=None, **credential):
        self.bridge, self.revision, self.tls, self.session, self.last = bridge, revision, tls, None, 0
        self.fields = {}
        if "token" in credential:
            self.fields["Authorization"] = "Bearer " + credential["token"]
        if "key" in credential:
            self.fields["X-MangleCP-API-Key"] = credential["key"]

    def connect(self):
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.bridge.port, timeout=WAIT_S, context=self.tls)
        return http.client.HTTPConnection("127.0.0.1", self.bridge.port, timeout=WAIT_S)

    def message(self, method, params=None, progress=None):
        self.last += 1
        params, meta = dict(params or {}), {}
        if self.revision == R5:
            meta = {PREFIX + "protocolVersion": R5, PREFIX + "clientCapabilities": {},
                    PREFIX + "clientInfo": {"name": "test", "version": "1"}}
        if progress is not None:
            meta["progressToken"] = progress
        if meta:
            params["_meta"] = meta
        return {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}

    def headers(self, message=None, **more):
        fields = {"Accept": ACCEPT, **self.fields}
        if message is not None:
            fields["Content-Type"] = "application/json"
        if self.revision == R5 and message:
            fields |= {"MCP-Protocol-Version": R5, "Mcp-Method": message["method"]}
            if name := message["params"].get("name"):
                fields["Mcp-Name"] = name
        elif self.session:
            fields |= {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": self.revision}
        fields |= {k.replace("_", "-"): v for k, v in more.items()}
        return {k: v for k, v in fields.items() if v is not None}

    def begin(self, verb="POST", message=None, path="/mcp", **more):
        """The connection of a request that was sent."""
        c = self.connect()
        c.request(verb, path, json.dumps(message).encode() if message else None, self.headers(message, **more))
        return c

    def ask(self, method, params=None, progress=None, **more):
        return Answer(self.begin("POST", self.message(method, params, progress), **more).getresponse())

    def open(self):
        """The answer of the handshake. 2026-07-28 has none."""
        if self.revision == R5:
            return self.ask("server/discover")
        answer = self.ask("initialize", {"protocolVersion": self.revision, "capabilities": {},
                                         "clientInfo": {"name": "test", "version": "1"}})
        self.session = answer.headers.get("Mcp-Session-Id")
        if self.session:
            self.begin("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"}).getresponse().read()
        return answer

    def call(self, called, **arguments):
        return self.ask("tools/call", {"name": called, "arguments": arguments})

    def work(self, intent="fx.mark", **more):
        """The handle of new work."""
        return self.call("intent", intent=intent, **more).result()["structuredContent"]["work"]

    def runs(self, step_ms=60000):
        """The connection of a call that has begun to run, whose stream says progress; and its stream."""
        work = self.work("fx.slow", params={"size": 1})
        message = self.message("tools/call", {"name": "run", "arguments": {
            "tool": "fx_slow", "args": {"step_ms": step_ms}, "work": work}}, progress="p")
        c = self.begin("POST", message)
        stream = c.getresponse()
        for line in stream:
            if b"notifications/progress" in line:
                return c, stream
        raise EOFError("there was no progress")

    def listens(self, what="tools"):
        """A stream on which changes are told."""
        if self.revision == R5:
            c = self.begin("POST", self.message("subscriptions/listen", {"notifications": {what + "ListChanged": True}}))
        else:
            c = self.begin("GET", Accept="text/event-stream")
        return c, c.getresponse()

    def says(self, raw):
        """A socket to which these bytes were written."""
        s = socket.create_connection(("127.0.0.1", self.bridge.port), WAIT_S)
        s.sendall(raw)
        return s


def rest_of(stream):
    """What comes until the stream ends; the second: as it should."""
    try:
        return stream.read().decode(), True
    except (http.client.IncompleteRead, ConnectionError) as e:
        return getattr(e, "partial", b"").decode(), False

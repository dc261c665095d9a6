"""A scripted HTTP server that speaks bytes: what a handler returns is sent as it is, or it misbehaves itself."""

import http
import json
import re
import socket
import threading
import time

from both import *

MANIFEST_PATH = "/.well-known/manglecp/manifest.json"


class Request:
    def __init__(self, head, body, connection):
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path, _ = lines[0].split(" ")
        self.headers = {n.lower(): v.strip() for n, v in (line.split(":", 1) for line in lines[1:])}
        self.body, self.connection, self.when = body, connection, time.monotonic()
        self.message = json.loads(body) if body else None


def response(message, status=None, **headers):
    """The bytes of a whole answer; the status follows from the message."""
    codes = {
        "rate_limited": 429,
        "server_not_ready": 503,
        "auth_required": 401,
        "auth_invalid": 401,
        "macro_not_found": 404,
        "macro_expired": 410,
        "confirmation_required": 403,
        "confirmation_invalid": 403,
        "execution_failed": 500,
        "internal_error": 500,
    }
    if status is None:
        status = codes.get(message["payload"].get("code"), 400) if message["type"] == "error" else 200
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    given = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **{n.replace("_", "-"): v for n, v in headers.items()},
    }
    lines = [f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}"] + [f"{n}: {v}" for n, v in given.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class Raw:
    """An answer that does what it likes: called with the socket and the request."""

    def __init__(self, act):
        self.act = act


class FakeHttp:
    """`manifests`: what the GETs bring, a list as in Script; a dict is sent as a message, bytes as they are.
    `script`: answers the POSTs; what it returns likewise, None for no answer at all. CLOSE ends the
    connection; so does a Raw that returns it."""

    CLOSE = object()

    def __init__(self, script=None, manifests=None, tls=None):
        self.script = script or Script()
        self.manifests = list(manifests or [manifest()])
        self.requests, self.connections, self.open = [], 0, []
        self.tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.lock = threading.Lock()
        self.gone = threading.Event()  # a client dropped a connection
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes accept(), which would keep it listening
        self.listener.close()
        for s in self.open:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)
            s.close()

    def accept(self):
        while True:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
                number = self.connections
            threading.Thread(target=self.serve, args=(s, number), daemon=True).start()

    def serve(self, s, number):
        try:
            if self.tls:
                s = self.tls.wrap_socket(s, server_side=True)
            self.open.append(s)
            kept = b""
            while True:
                while b"\r\n\r\n" not in kept:
                    more = s.recv(65536)
                    if not more:
                        self.gone.set()
                        return
                    kept += more
                head, kept = kept.split(b"\r\n\r\n", 1)
                length = int((re.search(rb"(?i)content-length: *(\d+)", head) or [0, 0])[1])
                while len(kept) < length:
                    kept += s.recv(65536)
                body, kept = kept[:length], kept[length:]
                request = Request(head, body, number)
                with self.lock:
                    self.requests.append(request)
                if self.answer(s, request) is self.CLOSE:
                    return
        except OSError:
            self.gone.set()
        finally:
            s.close()

    def answer(self, s, request):
        if request.method == "GET":
            with self.lock:
                wanted = self.manifests.pop(0) if len(self.manifests) > 1 else self.manifests[0]
        else:
            wanted = self.script(request.message)
        if isinstance(wanted, Raw):
            return wanted.act(s, request)
        if wanted is None or wanted is self.CLOSE:
            return wanted
        s.sendall(wanted if isinstance(wanted, bytes) else response(wanted))
        return None

    def gets(self):
        return [r for r in self.requests if r.method == "GET"]

    def posts(self):
        return [r for r in self.requests if r.method == "POST"]

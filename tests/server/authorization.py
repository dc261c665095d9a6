"""A scripted authorization server, with a scripted server for which it gives tokens, and the browser of a
person who says yes at once.

    AuthorizationServer   metadata, registration, /authorize, /token, /introspect, /keys; beside them the
                          server: a manifest, an endpoint that answers 401, metadata of the resource
    Login                 one run of `manglecp login`, up to the address that it shows"""
import base64
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import select
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

from blackbox import BUILD, CHILD_ENV, Failure, PATIENCE, base64url, encode, expect, scratch
from issuer import CLIENT, Key

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "client"))
import fake  # noqa: E402: its manifest

SCOPE = "intent:* operator"


class Reply:
    """What a handler sends; `slow`: seconds before it."""

    def __init__(self, status=200, body=b"", slow=0, **headers):
        self.status, self.slow = status, slow
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def secret():
    return base64url(os.urandom(24))


class AuthorizationServer:
    """`answers`: path -> a Reply, or a function of the request that gives one, instead of what is right.
    `tls`: an authority (tls.py) that vouches for it."""

    def __init__(self, path="", key=None, lasts=600, tls=None):
        self.key, self.lasts, self.answers = key, lasts, {}
        self.asked, self.forms, self.refreshes = [], [], []
        self.codes, self.tokens, self.refresh_tokens, self.clients = {}, {}, {}, {"known": None}
        self.resource_of_token, self.redirected, self.slow = None, None, 0
        self.lock = threading.Lock()
        script = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply(b"")

            def do_POST(self):
                self.reply(self.rfile.read(int(self.headers["content-length"])))

            def reply(self, body):
                reply = script.answer(self.path, body, self.headers)
                time.sleep(reply.slow)
                try:
                    self.send_response(reply.status)
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(reply.body)))
                    self.end_headers()
                    self.wfile.write(reply.body)
                except OSError:
                    pass

            def log_message(self, *words):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):  # of a client that has heard enough
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        if tls:
            tls.issue("issuer")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls.path("issuer.pem"), tls.path("issuer.key"))
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.origin = self.origin.replace("http:", "https:")
        self.issuer = self.origin + path
        self.target = self.origin
        self.resource = self.origin + "/server"
        self.metadata = {
            "issuer": self.issuer, "authorization_endpoint": self.origin + "/authorize",
            "token_endpoint": self.origin + "/token", "registration_endpoint": self.origin + "/register",
            "code_challenge_methods_supported": ["plain", "S256"],
            "authorization_response_iss_parameter_supported": True}
        self.places = ["/.well-known/oauth-authorization-server" + path]
        self.resource_metadata = {"resource": self.resource, "authorization_servers": [self.issuer]}
        self.challenge = f'Bearer resource_metadata="{self.origin}/metadata", scope="{SCOPE}"'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    # ---- what is right

    def answer(self, path, body, headers):
        path, _, query = path.partition("?")
        with self.lock:
            self.asked.append(path)
        if path in self.answers:
            given = self.answers[path]
            return given(body) if callable(given) else given
        if path in self.places:
            return Reply(body=self.metadata)
        handler = {"/authorize": lambda: self.authorize(dict(urllib.parse.parse_qsl(query))),
                   "/token": lambda: self.token(dict(urllib.parse.parse_qsl(body.decode()))),
                   "/register": lambda: self.register(json.loads(body or b"{}")),
                   "/introspect": lambda: self.introspect(dict(urllib.parse.parse_qsl(body.decode())), headers),
                   "/keys": lambda: Reply(body={"keys": [self.key.jwk()]}),
                   fake.WELL_KNOWN: lambda: Reply(body=self.manifest()),
                   "/server/evaluate": lambda: Reply(401, WWW_Authenticate=self.challenge),
                   "/metadata": lambda: Reply(body=self.resource_metadata)}.get(path)
        return handler() if handler else Reply(404)

    def manifest(self):
        return fake.manifest(auth={"required": True, "schemes": ["bearer", "oauth2"],
                                   "token_url": self.origin + "/token"},
                             endpoints={"intent_eval": "/server/evaluate", "macro_invoke": "/server/invoke"})

    def register(self, said):
        self.clients["made"] = said
        return Reply(201, {"client_id": "made", "token_endpoint_auth_method": "none", **said})

    def authorize(self, said):
        self.forms.append(said)
        expect(said["response_type"] == "code" and said["code_challenge_method"] == "S256", f"{said}")
        expect(said["client_id"] in self.clients, f"client {said['client_id']}")
        code = secret()
        self.codes[code] = said
        back = {"code": code, "state": said["state"], "iss": self.issuer}
        back = self.redirected(back) if self.redirected else back
        mark = "&" if "?" in said["redirect_uri"] else "?"
        return Reply(302, Location=said["redirect_uri"] + mark + urllib.parse.urlencode(back, doseq=True))

    def token(self, said):
        with self.lock:
            self.forms.append(said)
            expired = said["grant_type"] == "refresh_token"
            if expired:
                self.refreshes.append(said)
                held = self.refresh_tokens.pop(said["refresh_token"], None)  # each has one use
            else:
                held = self.codes.pop(said["code"], None)
        if expired and held and held["client_id"] == said["client_id"] and held["resource"] == said["resource"]:
            return self.grant(held)
        verifier = said.get("code_verifier", "").encode()
        if held and not expired and said["redirect_uri"] == held["redirect_uri"] and \
                said["resource"] == held["resource"] and 43 <= len(verifier) <= 128 and \
                base64url(hashlib.sha256(verifier).digest()) == held["code_challenge"]:
            return self.grant(held)
        return Reply(400, {"error": "invalid_grant", "error_description": "it is over"})

    def grant(self, held):
        refresh = secret()
        if self.key:
            access = self.key.token(iss=self.issuer, aud=held["resource"], jti=secret(),
                                    exp=int(time.time()) + self.lasts, scope=held.get("scope", SCOPE))
        else:
            access = secret()
        with self.lock:
            self.refresh_tokens[refresh] = held
            self.tokens[access] = {"active": True, "aud": held["resource"], "sub": "ann",
                                   "scope": held.get("scope", SCOPE)}
        return Reply(body={"access_token": access, "token_type": "bearer", "refresh_token": refresh,
                           "expires_in": self.lasts}, slow=self.slow, Cache_Control="no-store")

    def introspect(self, said, headers):
        expect(headers["authorization"] == "Basic " + base64.b64encode(CLIENT.encode()).decode(), "a stranger asks")
        return Reply(body=self.tokens.get(said["token"], {"active": False}))


# ---- the program ------------------------------------------------------------------------------------

def environment(home):
    """Nobody is at its proxy: what stays on this machine, and may do so without TLS, is not to go there."""
    proxy = {name: "http://127.0.0.1:1" for name in ("http_proxy", "https_proxy", "all_proxy")}
    env = {k: v for k, v in CHILD_ENV.items() if not k.lower().endswith("_proxy")}
    return {**env, **proxy, "XDG_CONFIG_HOME": str(home), "NO_COLOR": "1"}


def manglecp(home, *words, token=None):
    """Run it to its end."""
    env = environment(home) | ({"MANGLECP_TOKEN": token} if token else {})
    return subprocess.run([str(BUILD / "bin/manglecp"), *words], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE)


def ended(ran, status, *texts):
    said = ran.stdout + ran.stderr
    if ran.returncode != status or not all(text in said for text in texts):
        raise Failure(f"status {ran.returncode} instead of {status}, or nothing of {texts} in\n{said}")
    expect("Sanitizer" not in said, said)
    return ran


def visit(url, method="GET"):
    """One request of a browser: status, headers, page."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https":  # whom a browser believes is its own business
        connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=PATIENCE,
                                                 context=ssl._create_unverified_context())
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    connection.request(method, parts.path + ("?" + parts.query if parts.query else ""))
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    return response.status, response.headers, page


class Login:
    def __init__(self, home, target, *words):
        self.process = subprocess.Popen([str(BUILD / "bin/manglecp"), "login", target, *words],
                                        env=environment(home), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said = ""

    def address(self):
        """The one that it shows; None if it ended without one."""
        deadline = time.monotonic() + PATIENCE
        while not any(line.startswith("  http") and line.endswith("\n") for line in self.said.splitlines(True)):
            expect(time.monotonic() < deadline, f"no address: {self.said}")
            if select.select([self.process.stderr], [], [], 0.2)[0]:
                chunk = os.read(self.process.stderr.fileno(), 65536)
                if not chunk:
                    return None
                self.said += chunk.decode()
        return next(line.strip() for line in self.said.splitlines() if line.startswith("  http"))

    def back(self):
        """Where the issuer sends the browser."""
        url = self.address()
        expect(url, f"no address: {self.said}")
        status, headers, _ = visit(url)
        expect(status == 302, f"the issuer answers {status}")
        return headers["Location"]

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess([], self.process.returncode, out.decode(), self.said + err.decode())


def log_in(home, target, *words):
    """All of it. A program that shows no address ends by itself."""
    login = Login(home, target, *words)
    if login.address():
        visit(login.back())
    return login.end()


def stored(home):
    path = pathlib.Path(home) / "manglecp/credentials.json"
    return json.loads(path.read_text())["logins"] if path.exists() else []


def new_home():
    return pathlib.Path(scratch()) / "config"

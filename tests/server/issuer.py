"""A scripted issuer of access tokens: keys made by openssl, tokens of any content, and a server for its key
set and for questions about opaque tokens, which can be slow, wrong or silent."""
import base64
import http.server
import json
import pathlib
import subprocess
import threading
import time
import urllib.parse

from blackbox import BUILD, FIXTURE, Listener, base64url, scratch

AUDIENCE = "https://tools.example/manglecp"
NAME = "https://issuer.example"
CLIENT = "manglecp:a secret of the server"
CURVES = {"RS256": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "ES256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
          "EdDSA": ["ED25519"]}


def openssl(*words, say=b""):
    return subprocess.run(["openssl", *words], input=say, check=True, capture_output=True, timeout=60).stdout


def raw_ecdsa(der):
    """Both numbers of a DER signature, 32 bytes each."""
    numbers, at = [], 2
    for _ in range(2):
        size = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + size], "big").to_bytes(32, "big"))
        at += 2 + size
    return b"".join(numbers)


class Key:
    def __init__(self, alg="ES256", kid=None):
        self.alg, self.kid = alg, kid or alg
        self.path = pathlib.Path(scratch()) / "key.pem"
        openssl("genpkey", "-algorithm", *CURVES[alg], "-out", str(self.path))

    def jwk(self):
        der = openssl("pkey", "-in", str(self.path), "-pubout", "-outform", "DER")
        known = {"kid": self.kid, "use": "sig", "alg": self.alg}
        if self.alg == "RS256":
            modulus = openssl("rsa", "-in", str(self.path), "-modulus", "-noout").decode().split("=")[1].strip()
            return {**known, "kty": "RSA", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB"}
        if self.alg == "ES256":
            return {**known, "kty": "EC", "crv": "P-256", "x": base64url(der[-64:-32]), "y": base64url(der[-32:])}
        return {**known, "kty": "OKP", "crv": "Ed25519", "x": base64url(der[-32:])}

    def sign(self, text):
        if self.alg == "EdDSA":
            file = pathlib.Path(scratch()) / "text"
            file.write_bytes(text)
            return openssl("pkeyutl", "-sign", "-inkey", str(self.path), "-rawin", "-in", str(file))
        signature = openssl("dgst", "-sha256", "-sign", str(self.path), say=text)
        return raw_ecdsa(signature) if self.alg == "ES256" else signature

    def token(self, header=None, **claims):
        """A good token, but for what is said. A claim that is None is left out."""
        said = {"iss": NAME, "aud": AUDIENCE, "sub": "ann", "exp": int(time.time()) + 600,
                "scope": "intent:* operator", "client_id": "agent", **claims}
        said = {name: value for name, value in said.items() if value is not None}
        head = {"alg": self.alg, "kid": self.kid, "typ": "at+jwt", **(header or {})}
        text = f"{base64url(json.dumps(head).encode())}.{base64url(json.dumps(said).encode())}"
        return f"{text}.{base64url(self.sign(text.encode()))}"


class Issuer:
    """Serves /keys and /introspect. `silent`: connections are taken and never answered."""

    def __init__(self, *keys):
        self.keys, self.silent, self.status, self.max_age = list(keys), False, 200, None
        self.body, self.opaque, self.asked = None, {}, []
        self.awake = threading.Event()
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                issuer.asked.append(self.path)
                self.reply(issuer.body or json.dumps({"keys": [k.jwk() for k in issuer.keys]}))

            def do_POST(self):
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                issuer.asked.append(self.path)
                expected = "Basic " + base64.b64encode(CLIENT.encode()).decode()
                if self.headers.get("authorization") != expected:
                    self.send_error(401)
                    return
                self.reply(json.dumps(issuer.opaque.get(form["token"][0], {"active": False})))

            def reply(self, body):
                if issuer.silent:
                    issuer.awake.wait(60)
                    return
                self.send_response(issuer.status)
                if issuer.max_age is not None:
                    self.send_header("Cache-Control", f"public, max-age={issuer.max_age}")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.awake.set()
        self.server.shutdown()
        self.server.server_close()

    def config(self, **settings):
        """The options of a server that takes its tokens."""
        said = {"issuer": NAME, "resource": AUDIENCE, "token_url": f"{self.url}/token", **settings}
        path = pathlib.Path(scratch()) / "serve.yaml"
        path.write_text("oauth:\n" + "".join(f"  {k}: {json.dumps(v)}\n" for k, v in said.items()))
        return ["--config", str(path)]

    def listener(self, *options, ready=True, env=None, domain=FIXTURE, **settings):
        return Listener(*self.config(**({"keys_url": f"{self.url}/keys"} if not settings else settings)), *options,
                        ready=ready, env=env, domain=domain)


def client_file():
    path = pathlib.Path(scratch()) / "client"
    path.write_text(CLIENT + "\n")
    path.chmod(0o600)
    return str(path)

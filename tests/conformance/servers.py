"""Servers for the suite: each transport, started as docs/conformance.md tells, and judged by `manglecp conformance`."""
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

TRANSPORTS = ("stdio", "http", "websocket")
ALL = ("stdio", "http", "https", "websocket", "websocket+tls")
PATIENCE = 60
KEY = base64.urlsafe_b64encode(b"a key of the confirming program!").rstrip(b"=").decode()
TOKENS = {"token": "of-all", "other-token": "of-another", "limited-token": "of-one-intent", "expired-token": "of-yesterday",
          "automated-token": "of-a-program"}
SETTINGS = {"token": f"ann intent:* confirm_key={KEY}", "other-token": "bob intent:*",
            "limited-token": "cat intent:fx.echo", "expired-token": "dan intent:* expires=2020-01-01T00:00:00Z",
            "automated-token": "eve intent:* trust=automated auto_confirm=filesystem"}
ORIGIN = "https://pages.example"


def options():
    """What the suite is told of the tokens."""
    return [word for name, token in TOKENS.items() for word in (f"--{name}", token)] + ["--confirm-key", KEY, "--origin", ORIGIN]


def prepare(build, folder):
    """The domain and the tokens in `folder`; what `serve` is told."""
    subprocess.run([str(build / "bin/manglecp"), "conformance", "--with-domain", str(folder / "domain")], check=True,
                   env=clean({}))
    lines = [f"sha256:{hashlib.sha256(token.encode()).hexdigest()} {SETTINGS[name]}" for name, token in TOKENS.items()]
    (folder / "tokens").write_text("\n".join(lines) + "\n")
    return [str(build / "bin/manglecp"), "serve", str(folder / "domain"), "--toolhost", str(build / "bin/toolhost"),
            "--plugins", str(build / "plugins"), "--auth", str(folder / "tokens")]


def clean(more):
    env = {**os.environ, "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0", **more}  # sanitizers want address space
    if "MANGLECP_TOKEN" not in more:
        env.pop("MANGLECP_TOKEN", None)
    return env


def certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"), "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                   check=True, capture_output=True)
    return ["--tls-certificate", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")]


def listen(argv, env, log):
    """The process, and the address that it listens at; None: it does not."""
    process = subprocess.Popen([*argv, "--listen", "127.0.0.1:0"], env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=log.open("wb"))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"listening on (https?://[\d.:]+)", log.read_text(errors="replace"))
        if found:
            return process, found.group(1)
        time.sleep(0.02)
    process.kill()
    return process, None


def judge(build, transport, words, env={}):
    """The suite's report over one transport; a text: why there is none."""
    build = pathlib.Path(build)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="manglecp-conformance-"))
    process = None
    try:
        argv = prepare(build, folder)
        suite = [str(build / "bin/manglecp"), "conformance", "--report", "json", "--quiet", *options(), *words]
        if transport == "stdio":
            own = str(folder / "domain")
            suite += ["--", *("{}" if word == own else word for word in argv), "--stdio"]
        else:
            argv += ["--cors-origin", ORIGIN]
            tls = transport in ("https", "websocket+tls")
            argv += certificate(folder) if tls else []
            process, at = listen(argv, clean(env), folder / "log")
            if not at:
                return "the server does not start: " + (folder / "log").read_text(errors="replace")[-600:]
            at = at.replace("127.0.0.1", "localhost") if tls else at
            if transport.startswith("websocket"):
                at = at.replace("http", "ws", 1) + "/manglecp/ws"
            suite += [at, *(["--ca", str(folder / "cert.pem")] if tls else [])]
        done = subprocess.run(suite, env=clean(env), capture_output=True, text=True, timeout=600)
        if not done.stdout.startswith("{"):
            return f"no report ({done.returncode}): {done.stderr[-600:]}"
        return json.loads(done.stdout)
    finally:
        if process:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def judge_client(build, *client, over="stdio"):
    """The suite's report of a client; a text: why there is none."""
    done = subprocess.run([str(pathlib.Path(build) / "bin/manglecp"), "conformance", "--client", "--over", over,
                           "--report", "json", "--quiet", "--", *client], env=clean({"MANGLECP_TOKEN": "scene"}), capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout) if done.stdout.startswith("{") else f"no report ({done.returncode}): {done.stderr[-600:]}"


def judge_own_client(build, over):
    program = str(pathlib.Path(build).resolve() / "bin/manglecp")
    return judge_client(build, program, "walk", "--steps", "3", "--intent", "scene.start",
                        *(["--"] if over == "stdio" else []), "{}", over=over)

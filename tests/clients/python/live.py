"""The live server, as the conversation and the README's example need it: started, restarted, stopped."""

import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(ROOT / "tests/server")]

from blackbox import (  # noqa: E402  what every black-box test starts servers with
    BUILD,
    CHILD_ENV,
    PATIENCE,
    SANITIZED,
    Failure,
    Program,
    Session,
    Skip,
    Tap,
    base64url,
    clean_up,
    decode,
    equal,
    expect,
    fixture_with,
    request,
    scratch,
    shown,
    token_file,
    token_line,
)

PLUGINS = {"test": "test-plugins", "product": "plugins"}
LISTENING = re.compile(r"listening on (https?://[0-9.:]+)")


def command(server, *more):
    return [
        str(BUILD / "bin/manglecp"),
        "serve",
        str(ROOT / server["domain"]),
        "--toolhost",
        str(BUILD / "bin/toolhost"),
        "--plugins",
        str(BUILD / PLUGINS[server["plugins"]]),
        "--log",
        "warn",
        *server.get("options", []),
        *more,
    ]


def clean(lines):
    """The standard error without what only a test that runs as root sees, and without the greeting."""
    return [l for l in lines if "running as user id 0" not in l and "listening on" not in l]


class Listening:
    """`manglecp serve --listen`; the same port again after restart()."""

    def __init__(self, server, *more):
        self.arguments = command(server, *more)
        self.start("127.0.0.1:0")

    def start(self, address):
        # the address is said on a line of level info
        argv = [a if a != "warn" else "info" for a in self.arguments]
        self.program = Program([*argv, "--listen", address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        expect(self.program.listening.wait(PATIENCE), "the server does not start")
        found = LISTENING.search(self.program.log())
        expect(found, f"the server does not listen:\n{self.program.log()}")
        self.url = found.group(1)
        self.await_ready()

    def await_ready(self):
        """The conversation counts what is sent, so it begins when the server is ready."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with urllib.request.urlopen(self.url + "/.well-known/manglecp/manifest.json", timeout=PATIENCE) as answer:
                if json.load(answer)["payload"]["status"] == "ready":
                    return
            time.sleep(0.02)
        raise AssertionError("the server does not become ready")

    def restart(self):
        self.program.kill()
        self.start(self.url.split("//")[1])

    def stop(self):
        self.program.process.send_signal(signal.SIGTERM)
        self.program.wait()

"""A server that keeps no promise but its manifest: bad_server.py HOW MANIFEST [COMMAND...]

It begins with the line in the file MANIFEST, which a good server said, so that what fails is not the greeting. HOW is a
row of WAYS; or `twice`, and every answer of COMMAND, a good server, is passed on two times."""
import json
import os
import subprocess
import sys
import time

VERSION = "2026-02-draft"
out = sys.stdout.buffer


def put(data):
    out.write(data)
    out.flush()


def message(kind, of, payload):
    return json.dumps({"type": kind, "id": of, "manglecp": VERSION, "payload": payload}, ensure_ascii=False).encode() + b"\n"


def asked(line):
    try:
        m = json.loads(line)
        return m if isinstance(m, dict) else {}
    except (ValueError, RecursionError):
        return {}


def flood(line):
    progress = message("progress", asked(line).get("id"), {"status": "running"}) * 1000
    while True:
        put(progress)


def huge(line):
    while True:
        put(b"x" * 1_000_000)


def deep(line):
    put(b"[" * 2_000_000 + b"\n")


def close_somewhere(line):
    answer = message("intent_response", asked(line).get("id"), {"macro_tools": [], "eval_time_used": "2026-07-04T12:00:00Z"})
    put(answer[: os.getpid() % len(answer)])
    sys.exit(0)


WAYS = {
    "nothing": lambda line: None,
    "hangs": lambda line: time.sleep(3600),
    "flood": flood,
    "huge": huge,
    "deep": deep,
    "garbage": lambda line: put(b"\x1b]0;owned\x07\x00<&\"|`\r\n"),
    "bad-text": lambda line: put(message("error", "x", {"code": "c", "message": "\x7f", "recoverable": False}).replace(b"\x7f", b"\xff\xc0")),
    "ends": lambda line: sys.exit(3),
    "somewhere": close_somewhere,
}


def main():
    how, greeting, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    good = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) if command else None
    try:
        while good and b'"booting"' in good.stdout.readline():
            pass
        with open(greeting, "rb") as file:
            put(file.read())
        for line in sys.stdin.buffer:
            if not good:
                WAYS[how](line)
                continue
            good.stdin.write(line)
            good.stdin.flush()
            if line.strip():
                put(good.stdout.readline() * 2)
    except BrokenPipeError:
        sys.stdout = None
    finally:
        if good:
            good.kill()


main()

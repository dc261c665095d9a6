"""A host program without the library, and without manners: `--list`, `--serve`, and per request what the input says.

What a line of the protocol can be wrong in is here; what a process can do to others is hostile_program.py's."""
import ctypes
import errno
import json
import os
import pathlib
import signal
import socket
import sys
import time

AIDS = ["AID.H.PLAY.v1", "AID.H.ECHO.v1"]
TEXT = {"type": "object", "properties": {"what": {"type": "string"}, "argument": {"type": "string"}}}


def listed():
    tool = {"description": "d", "version": 1, "tier": 0, "side_effects": ["none"], "tags": [], "deterministic": False,
            "idempotent": False, "reversible": False, "input_schema": TEXT}
    return {"ok": True, "tools": [{"aid": aid, "name": aid.split(".")[2].lower(), **tool} for aid in AIDS]}


def write(data):
    while data:
        data = data[os.write(1, data):]


def answer(request, output, **more):
    message = {"ok": True, "status": "OK", "output_json": json.dumps(output), "error": "", "request_id": request["request_id"]}
    return (json.dumps({**message, **more}) + "\n").encode()


def forever():
    while True:
        time.sleep(3600)


def attempt(do):
    """What came of it: "done", what was read, or the name of the error."""
    try:
        return do() or "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))


def trace(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def hop():
    """Chains of processes, each of which starts the next one and ends."""
    until = time.monotonic() + 20
    for _ in range(4):
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            os.setsid()
            while time.monotonic() < until:
                if os.fork() > 0:
                    os._exit(0)
            os._exit(0)
    return "started"


def detach():
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            for fd in range(64):
                try:
                    os.close(fd)
                except OSError:
                    pass
            forever()
        os._exit(0)
    os.wait()
    return "started"


def memory():
    blocks = []
    while True:
        blocks.append(b"x" * (64 << 20))


def leak():
    kept = []
    try:
        while True:
            kept.append(os.dup(1))
    except OSError as error:
        held.extend(kept)
        return errno.errorcode[error.errno]


held = []  # for the life of the program


def ignore():
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    forever()


def spin():
    while True:
        pass


def flood(fd, piece):
    while True:
        os.write(fd, piece)


def close_all():
    for fd in (0, 1):
        os.close(fd)
    forever()


def late(request):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(1.5)
    write(answer(request, {}))


def drip(request):
    whole = answer(request, {})
    for i in range(len(whole)):
        write(whole[i:i + 1])
        time.sleep(0.2)


DO = {  # processes and files: the output says what came of it
    "fine": lambda a: "fine",
    "read": lambda path: attempt(lambda: pathlib.Path(path).read_text(errors="replace")),
    "trace": lambda pid: attempt(lambda: trace(int(pid))),
    "signal": lambda pid: attempt(lambda: os.kill(int(pid), signal.SIGTERM)),
    "socket": lambda a: attempt(lambda: socket.socket(socket.AF_INET).close()),
    "hop": lambda a: hop(), "detach": lambda a: detach(), "leak": lambda a: leak(), "memory": lambda a: memory(),
    "segv": lambda a: ctypes.string_at(0), "abort": lambda a: os.abort(), "exit": lambda a: os._exit(0),
    "loop": lambda a: forever(), "spin": lambda a: spin(), "ignore": lambda a: ignore(),
    "stop": lambda a: os.kill(os.getpid(), signal.SIGSTOP), "close": lambda a: close_all(),
    "flood_out": lambda a: flood(1, b"x" * 65536), "flood_lines": lambda a: flood(1, b'{"event":"x"}\n' * 5000),
    "flood_err": lambda a: flood(2, b"line\n" * 13000),
}
SAY = {  # lines: written as they are
    "no_newline": lambda r: (write(answer(r, {})[:-1]), os._exit(0)),
    "half_line": lambda r: (write(answer(r, {})[:40]), os._exit(0)),
    "bad_json": lambda r: write(b'{"ok":true,\n'),
    "bad_output": lambda r: write(answer(r, {}, output_json='{"a":')),
    "bad_utf8": lambda r: write(answer(r, {}).replace(b'"error": ""', b'"error": "\xff"')),
    "nul": lambda r: write(answer(r, {}).replace(b'"error": ""', b'"error": "\0"')),
    "nul_output": lambda r: write(answer(r, {}, output_json='{"a":"\0"}')),
    "double": lambda r: write(answer(r, {}) * 2),
    "foreign": lambda r: write(answer({"request_id": "another"}, {})),
    "late": late, "drip": drip,
}


def serve():
    for line in sys.stdin.buffer:
        request = json.loads(line)
        inputs = request.get("inputs") or {}
        what = inputs.get("what", "fine")
        if request["aid"].endswith("ECHO.v1"):
            write(answer(request, inputs))
        elif what in SAY:
            SAY[what](request)
        else:
            write(answer(request, {"came": DO[what](inputs.get("argument", ""))}))


if sys.argv[1] == "--list":
    print(json.dumps(listed()))
else:
    serve()

"""A program of actions that misbehaves on request: {"do": what}, on the bare wire, without any library."""

import json
import os
import signal
import subprocess
import sys
import time

TOOLS = [
    {"aid": "AID.ROGUE.DO.v1", "name": "do", "side_effects": ["none"], "input_schema": {"type": "object"}},
    {"aid": "AID.ROGUE.ECHO.v1", "name": "echo", "side_effects": ["none"], "deterministic": True, "idempotent": True,
     "tags": ["a", "b"], "description": "Says é.", "timeout_ms": 60000, "tier": 1},
]


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(request, output="{}", **more):
    made = {"ok": True, "status": "OK", "output_json": output, "error": "", "request_id": request["request_id"]}
    return json.dumps({**made, **more}) + "\n"


def fds():
    found = []
    for fd in range(256):
        try:
            os.fstat(fd)
            found.append(fd)
        except OSError:
            pass
    return found


def do(what, request):
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "abort":
        os.abort()
    elif what == "exit":
        os._exit(0)
    elif what == "traceback":
        raise ValueError("what went wrong")
    elif what == "escapes":
        sys.stderr.write("\x1b]0;pwned\x07 \u202eevil\n")
        sys.stderr.flush()
        os._exit(5)
    elif what == "half":
        say('{"ok":true,')
        os._exit(0)
    elif what == "loop":
        while True:
            pass
    elif what == "deaf":
        for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(n, signal.SIG_IGN)
        while True:
            time.sleep(1)
    elif what == "polite":
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            say(answer(request, ok=False, status="TOOL_ERROR", error="stopped"))
    elif what == "late success":
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            say(answer(request, '{"late":true}'))
    elif what == "fork":
        if os.fork() == 0:
            time.sleep(600)
        say(answer(request))
    elif what == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        time.sleep(60)
    elif what == "holds output":
        subprocess.Popen(["sleep", "600"])
        os._exit(4)
    elif what == "flood":
        while True:
            sys.stdout.write("x" * 4096)
    elif what == "lines":
        while True:
            say('{"event":"progress","percent":1}\n' * 100)
    elif what == "errors":
        sys.stderr.write("e" * 3_000_000 + "\n")
        say(answer(request))
    elif what == "no newline":
        say(answer(request).rstrip("\n"))
        time.sleep(60)
    elif what == "text":
        say("hello\n")
    elif what == "array":
        say("[1]\n")
    elif what == "utf8":
        sys.stdout.buffer.write(answer(request, "X").encode().replace(b"X", b'"\\xff"'.decode("unicode_escape").encode("latin-1")))
        sys.stdout.flush()
    elif what == "nul":
        say('{"ok":true\x00}\n')
    elif what == "closes output":
        os.close(1)
        time.sleep(60)
    elif what == "closes input":
        os.close(0)
        say(answer(request))
        time.sleep(60)
    elif what == "foreign":
        say(answer(request, request_id="another"))
    elif what == "no id":
        say(answer(request, request_id=None))
    elif what == "twice":
        say(answer(request) * 2)
    elif what == "goes on":
        say(answer(request) + "and")
    elif what == "late":
        say(answer(request))
        time.sleep(0.05)
        say(answer(request))
    elif what == "status":
        say(answer(request, status="SPLENDID"))
    elif what == "contradiction":
        say(answer(request, ok=False))
    elif what == "output":
        say(answer(request, "{nonsense"))
    elif what == "no output":
        say(json.dumps({"ok": True, "status": "OK", "request_id": request["request_id"]}) + "\n")
    elif what == "number":
        say(answer(request, 7))
    elif what == "slot":
        say(answer(request, ds_state={"delta": True, "slots": {"9": {}}}))
    elif what == "artifact":
        say(answer(request, ds_state={"delta": True, "slots": {"1": {"type": "a:b", "content_json": "{}"}}}))
    elif what == "state":
        say(answer(request, ds_state=5))
    elif what == "put":
        put = {"type": "t", "provenance": "p", "content_json": '{"n":1}'}
        say(answer(request, ds_state={"delta": True, "slots": {"3": put}, "removed_slots": [5]}))
    elif what == "full":
        say(answer(request, ds_state={"slots": {"4": {"type": "f", "content_json": "1"}}}))
    elif what == "refuses":
        say(json.dumps({"ok": False, "error": "not today", "request_id": request["request_id"]}) + "\n")
    elif what == "pick":
        say(answer(request, '{"partial":1}', ok=False, status="INVALID_PICK", error="the wrong one"))
    elif what == "progress":
        for n in (0, 50, 100):
            say(json.dumps({"event": "progress", "percent": n, "detail": f"at {n}"}) + "\n")
        say('{"event":"unknown"}\n')
        say(answer(request))
    elif what == "look":
        seen = {"fds": fds(), "env": dict(os.environ), "cwd": os.getcwd(), "pid": os.getpid(), "sid": os.getsid(0),
                "pgid": os.getpgid(0), "request": request, "argv": sys.argv}
        say(answer(request, json.dumps(seen)))
    elif what == "memory":
        held = []
        while True:
            held.append(bytearray(1 << 24))
    elif what == "forkbomb":
        while True:
            try:
                os.fork()
            except OSError:
                time.sleep(0.01)
    elif what == "descriptors":
        kept = []
        try:
            while True:
                kept.append(os.open("/dev/null", os.O_RDONLY))
        except OSError as e:
            say(answer(request, json.dumps({"opened": len(kept), "why": e.errno})))
    else:
        say(answer(request, ok=False, status="TOOL_ERROR", error=f"what is {what}?"))


def main():
    if sys.argv[-1] == "--list":
        how = os.environ.get("LIST", "")
        if how == "hang":
            time.sleep(600)
        if how == "fail":
            sys.exit("there is no such module")
        if how == "text":
            print("hello")
        elif how == "bad":
            bad = [{"aid": 5, "side_effects": "none", "tier": 9}, 7, {"aid": "AID.X.v1", "name": "n\0", "tags": [1]}]
            print(json.dumps({"ok": True, "tools": bad}))
        elif how == "refused":
            print('{"ok":false,"error":"no licence"}')
        elif how == "aid":
            print(json.dumps({"ok": True, "tools": [{**TOOLS[0], "aid": "do"}]}))
        elif how == "flood":
            while True:
                print("x" * 65536)
        else:
            print(json.dumps({"ok": True, "tools": TOOLS}))
        return
    while True:
        try:
            line = sys.stdin.readline()
            if not line:
                break
            request = json.loads(line)
            inputs = request["inputs"]
            if request["aid"] == "AID.ROGUE.ECHO.v1":
                say(answer(request, json.dumps(inputs)))
            else:
                do(inputs["do"], request)
        except KeyboardInterrupt:
            pass


main()

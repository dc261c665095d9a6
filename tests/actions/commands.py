#!/usr/bin/env python3
"""Hostile programs as actions: each ends in one clear error (or a plain answer), the next call works, and nothing
of it is left running.

  tests/actions/commands.py BUILD_DIR [off|on [TEXT]]      on: confined, as far as the kernel can; the tests with TEXT in
                                                           their name alone

Speaks to the real toolhost with the real plugin; the settings are as the server writes them. TAP. [T-ISO-5, T-LIM-2,
T-LIM-6, T-ABI-24]"""
import atexit
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
HOSTILE = str(pathlib.Path(__file__).resolve().with_name("hostile_program.py"))
MARK = f"COMMANDS_TEST={os.getpid()}"
CONFINE = sys.argv[2] if len(sys.argv) > 2 else "off"
ONLY = sys.argv[3] if len(sys.argv) > 3 else ""
ASAN = os.environ.get("MACHINA_TOOLHOST_RLIMIT_AS_MB") == "0"
count = 0


def verdict(name, why):
    global count
    count += 1
    print(f"{'not ok' if why else 'ok'} {count} - {name}" + "".join(f"\n# {line}" for line in (why or "").split("\n") if why))
    sys.stdout.flush()


def arg(name, option=False):
    return {"arg": name, **({"option": True} if option else {})}


def command(name, run, **more):
    """run: words of the compiled form; a text is a literal."""
    words = [[w] if isinstance(w, str) else [w] if "arg" in w else w for w in run]
    return {"aid": f"AID.T.{name.upper()}.v1", "name": name, "description": name, "program": run[0], "run": words,
            "input_schema": {"type": "object"}, "defaults": {}, "output": {"kind": "text"}, "exit": [],
            "side_effects": ["none"], "tags": [], "flags": [], "may": ["file_read"], "env": dict([MARK.split("=")]), **more}


def folder_of_its_own():
    """Until the end of all tests."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Host:
    def __init__(self, actions, settings=None, env=None, caps=("shell", "file_read")):
        self.home = folder_of_its_own()
        document = pathlib.Path(self.home, "provider.json")
        document.write_text(json.dumps({"name": "t", "confine": CONFINE, "caps": list(caps),
                                        "settings": settings or {"folder": self.home, "confine": CONFINE, "actions": actions}}))
        self.log = open(pathlib.Path(self.home, "log"), "w+")
        self.process = subprocess.Popen(
            [BUILD / "bin/toolhost", "--serve", BUILD / "plugins/command.so", "--config", document], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env={**os.environ, **(env or {})})

    def send(self, name, timeout_ms=10000, **inputs):
        self.process.stdin.write(json.dumps({"aid": f"AID.T.{name.upper()}.v1", "inputs": inputs, "request_id": "r",
                                             "timeout_ms": timeout_ms}) + "\n")
        self.process.stdin.flush()

    def answer(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                return {"ok": False, "error": "the host has ended"}
            message = json.loads(line)
            if "event" not in message:
                return message

    def call(self, name, timeout_ms=10000, **inputs):
        self.send(name, timeout_ms, **inputs)
        return self.answer()

    def worker(self):
        """The worker's process id."""
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                if f"\nPPid:\t{self.process.pid}\n" in status.read_text():
                    return int(status.parent.name)
            except OSError:
                pass
        return None

    def end(self):
        self.process.stdin.close()
        return self.process.wait(20)


def left():
    """Processes of programs of ours."""
    found = []
    for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if MARK.encode() in environ.read_bytes().split(b"\0"):
                found.append(environ.parent.name)
        except OSError:
            pass
    return found


def output(answer):
    return json.loads(answer.get("output_json", "{}")) if answer.get("ok") else answer.get("error")


def hostile(name, what=None, **more):
    return command(name, [sys.executable, HOSTILE, what or name], **more)


# What whoever asked is told where nobody knows what the program did (T-RSP-10); of others nothing.
CODES = {"abort": "crash", "segv": "crash", "flood_out": "too_large", "one_line": "too_large", "bad_json": "bad_output",
         "half_json": "bad_output", "bad_utf8": "bad_output", "nul": "bad_output", "fail_words": "tool_error"}
# name, timeout, what the answer is: a regular expression of the error or of the output; then more of the command
ROWS = [
    ("abort", 10000, r"was ended by signal 6 \(SIGABRT\)", {}),
    ("segv", 10000, r"was ended by signal 11 \(SIGSEGV\)", {}),
    ("loop", 300, r"tool timed out after 300 ms", {}),
    ("spin", 300, r"tool timed out after 300 ms", {}),
    ("ignore_term", 300, r"tool timed out after 300 ms", {}),
    ("stop_itself", 300, r"tool timed out after 300 ms", {}),
    ("close", 300, r"tool timed out after 300 ms", {}),
    ("bomb", 2500, r"tool timed out|ended with exit code", {}),
    ("orphans", 10000, r"no session\\ndone", {}),
    ("escape", 10000, r"'held'", {}),
    ("sleep_child", 10000, r"'started'", {}),
    ("flood_out", 10000, r"printed more than 100000 bytes$", {"max_output": 100000}),
    ("one_line", 10000, r"printed more than 1048576 bytes$", {}),
    ("flood_err", 1000, r"tool timed out|printed more than", {}),
    ("no_newline", 10000, r"'no end'", {}),
    ("bad_json", 10000, r"line 2 of its output is not JSON: ", {"output": {"kind": "jsonl"}}),
    ("half_json", 10000, r"its output is not JSON: line 1: ", {"output": {"kind": "json"}}),
    ("deep_json", 10000, r"its output is not JSON: line 1: ", {"output": {"kind": "json"}}),
    ("bad_utf8", 10000, r"its output is not UTF-8 in line 2$", {}),
    ("nul", 10000, r"its output has a NUL in line 3$", {"output": {"kind": "lines"}}),
    ("fail_words", 10000, r"ended with exit code 3: the \\x1b\[31mlast\\x1b\[0m words$|ended with exit code 3: the \\u\{1b\}", {}),
]
ENDING = 6  # seconds to end what it started: some thousand processes, on a busy machine
ECHO = command("echo", ["/bin/echo", "alive"])


def test_hostile():
    host = Host([ECHO] + [hostile(row[0], **row[3]) for row in ROWS])
    for name, timeout, want, _ in ROWS:
        begun = time.monotonic()
        answer = host.call(name, timeout)
        took = time.monotonic() - begun
        got = str(output(answer))
        why = None if re.search(want, got) else f"answered {got}"
        if not why and CODES.get(name, answer.get("code")) != answer.get("code"):
            why = f"its code is {answer.get('code')}"
        if not why and took > timeout / 1000 + ENDING:
            why = f"took {took:.1f} s"
        if not why and left():
            why = f"left running: {left()}"
        if not why and (alive := output(host.call("echo"))) != {"text": "alive"}:
            why = f"then the next call answered {alive}"
        verdict(f"{name}: one answer, and the next call works", why)
    verdict("the host ends in order", None if host.end() == 0 else "it did not")


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}")


def test_group():
    """What the program starts cannot leave the group that ends with the call, nor learn how the worker makes one."""
    host = Host([ECHO, hostile("escape"), hostile("orphans"), command("peek", [sys.executable, HOSTILE, "peek"]),
                 command("peek_and_trace", [sys.executable, HOSTILE, "peek", "trace"])])
    for name, want in [("escape", {"text": "held"}), ("orphans", {"text": "no session\ndone"})]:
        got = output(host.call(name))
        verdict(f"nothing leaves the group: {name}", None if got == want and not left() else f"{got}, left {left()}")
    name = "the key to the group cannot be read in the worker's memory"
    if CONFINE == "on":
        got, want = output(host.call("peek")), "EACCES EACCES" if has_landlock() else ".* (EACCES|EPERM)"
    elif os.getuid() == 0:
        skip(name, "root that is not confined can read any memory")
        got = want = None
    else:
        got, want = output(host.call("peek_and_trace")), "done done EACCES EPERM"
    if want:
        verdict(name, None if isinstance(got, dict) and re.fullmatch(want, got["text"].strip()) else str(got))
    verdict("and the next call works", None if output(host.call("echo")) == {"text": "alive"} else "no")
    host.end()


def test_limits():
    """Memory: the worker's limit holds for what it starts."""
    if ASAN:
        print(f"ok {count + 1} - memory # SKIP a sanitizer needs the address space")
        globals()["count"] += 1
        return
    host = Host([ECHO, hostile("memory")], env={"MACHINA_TOOLHOST_RLIMIT_AS_MB": "512"})
    got = str(output(host.call("memory")))
    verdict("a program that wants all memory gets what there is for it",
            None if "ended with exit code 1: MemoryError" in got and not left() else got)
    host.end()


def test_surroundings():
    host = Host([hostile("show"), ECHO])
    got = output(host.call("show"))
    lines = got["text"].split("\n") if isinstance(got, dict) else [str(got)] * 6
    verdict("it has three descriptors", None if lines[0] == "[0, 1, 2]" else lines[0])
    names = set(json.loads(lines[1].replace("'", '"'))) - {"LC_CTYPE"}
    verdict("its environment is its own", None if names <= {"COMMANDS_TEST", "HOME", "LANG", "PATH", "TMPDIR"} else str(names))
    verdict("its folder is the domain's", None if lines[2] == os.path.realpath(host.home) else lines[2])
    verdict("it writes no core file", None if lines[4] == "0" else lines[4])
    host.end()


def test_arguments():
    words = [sys.executable, HOSTILE, "show"]
    host = Host([
        command("free", words + [arg("x")]),
        command("forced", words + [arg("x", True)]),
        command("part", words + [["--file=", arg("x")]]),
        command("behind", words + ["--", arg("x")]),
        command("two", words + [[arg("x"), arg("y")]]),
        command("number", words + [arg("n")], defaults={"n": 7}),
    ])

    def words_of(name, **inputs):
        got = output(host.call(name, **inputs))
        return got["text"].split("\n")[5] if isinstance(got, dict) else got

    for value in ["; touch /tmp/x", "$(id)", "`id`", "a b\tc\nd", "'\"\\", "*", "{x}", "{{x}}", "{settings.x}", "%s%n", "",
                  "é\u202e"]:
        verdict(f"{value!r} is one word, as it is",
                None if words_of("free", x=value) == repr([value]) else str(words_of("free", x=value)))
    refused = 'the argument "x" begins with \'-\''
    for value in ["--upload-pack=touch /tmp/x", "-", "-x"]:
        verdict(f"{value!r} is no option by accident", None if words_of("free", x=value).startswith(refused) else "it went through")
        verdict(f"{value!r} may be one where it is said", None if words_of("forced", x=value) == repr([value]) else "refused")
        verdict(f"{value!r} behind -- is none", None if words_of("behind", x=value) == repr(["--", value]) else "refused")
        verdict(f"{value!r} in a word is none", None if words_of("part", x=value) == repr(["--file=" + value]) else "refused")
    verdict("an empty value does not hide one", None if words_of("two", x="", y="-x").startswith('the argument "y" begins') else "it did")
    verdict("a missing argument is told", None if words_of("free") == 'the argument "x" is missing' else str(words_of("free")))
    verdict("a NUL is refused", None if "holds a NUL" in words_of("free", x="a\0b") else "it is not")
    verdict("a list is no word", None if words_of("free", x=["a"]) == 'the argument "x" must be one value' else "it is")
    verdict("a default stands in, null is none", None if words_of("number", n=None) == repr(["7"]) == words_of("number") else "it does not")
    verdict("a number is spelled as it came", None if words_of("number", n=1.50) == repr(["1.5"]) else str(words_of("number", n=1.5)))
    verdict("what is too long for the kernel is told", None if "too long" in words_of("free", x="x" * 200000) else "it is not")
    host.end()


def test_lists_and_conditions():
    words = [sys.executable, HOSTILE, "show"]
    more = command("more", words)
    more["run"] += [{"if": "v", "then": [["-v"]]}, {"if": "p", "then": [["--"], [arg("p")]]},
                    {"each": "xs", "parts": ["-x", arg("xs")]}, {"each": "ys", "parts": [arg("ys")]}]
    host = Host([more])

    def words_of(**inputs):
        got = output(host.call("more", **inputs))
        return got["text"].split("\n")[5] if isinstance(got, dict) else got

    for inputs, want in [({}, []), ({"v": True}, ["-v"]), ({"v": False}, []), ({"p": "-a"}, ["--", "-a"]),
                         ({"xs": ["a", "b c"]}, ["-xa", "-xb c"]), ({"ys": []}, [])]:
        verdict(f"{inputs} is {want}", None if words_of(**inputs) == repr(want) else str(words_of(**inputs)))
    verdict("an element is no option by accident", None if "begins with '-'" in words_of(ys=["a", "-b"]) else "it is")
    verdict("a list that is none is told", None if words_of(xs="a") == 'the argument "xs" must be a list' else "it is not")
    verdict("too many words are refused", None if "too many" in words_of(ys=["a"] * 5000) else "they are not")
    host.end()


def test_input():
    cat = {"side_effects": ["none"]}
    host = Host([command("text", ["/bin/cat"], stdin={"text": ["<", arg("x"), ">"]}, **cat),
                 command("json", ["/bin/cat"], stdin={"json": True}, output={"kind": "json"}, defaults={"d": 1}),
                 command("some", ["/bin/cat"], stdin={"json": ["a"]}, output={"kind": "json"}),
                 command("none", ["/bin/cat"]),
                 command("deaf", ["/bin/true"], stdin={"text": [arg("x")]})])
    big = "0123456789abcdef" * 50000
    verdict("text reaches it, whatever it begins with", None if output(host.call("text", x="-\n")) == {"text": "<-\n>"} else "it does not")
    got = output(host.call("text", x=big))
    verdict("much of it, written and read at once", None if got == {"text": f"<{big}>"} else str(got)[:200])
    verdict("all arguments as JSON, with defaults", None if output(host.call("json", a=[1], b="x")) == {"a": [1], "b": "x", "d": 1} else "no")
    verdict("or some of them", None if output(host.call("some", a=[1], b="x")) == {"a": [1]} else "no")
    verdict("without, it ends at once", None if output(host.call("none")) == {"text": ""} else "no")
    got = output(host.call("deaf", x=big))
    verdict("a program that does not read it is fine", None if got == {"text": ""} else str(got))
    host.end()


def prints(name, text, **more):
    return command(name, ["/bin/cat"], stdin={"text": [text]}, **more)


def test_outputs():
    rows = [
        ("text", {"kind": "text"}, "a\nb\r\n", {"text": "a\nb"}),
        ("lines", {"kind": "lines"}, "a\n\nb", {"lines": ["a", "", "b"]}),
        ("no_lines", {"kind": "lines"}, "", {"lines": []}),
        ("json", {"kind": "json"}, '{"b":1.50,"a":[]}\n', {"b": 1.5, "a": []}),
        ("value", {"kind": "json"}, "[1]", {"value": [1]}),
        ("jsonl", {"kind": "jsonl"}, '{"a":1}\n\n2\r\n', {"items": [{"a": 1}, 2]}),
        ("csv", {"kind": "csv"}, 'a,b\n1,"x\ny"\n', {"rows": [{"a": "1", "b": "x\ny"}]}),
        ("no_csv", {"kind": "csv"}, "", {"rows": []}),
        ("uneven", {"kind": "csv"}, "a,b\n1,2\n3\n", "cat line 3 of its output has 1 fields, of 2"),
        ("twice", {"kind": "csv"}, "a,a\n1,2\n", 'cat two columns are called "a"'),
        ("quote", {"kind": "csv"}, 'a\n"x\n', "cat line 2 of its output is not CSV: "),
        ("first", {"kind": "regex", "regex": r"(?<n>\d+) (?<w>\w+)|(?<z>z)", "all": False}, "x\n12 ab 3 c", {"n": "12", "w": "ab"}),
        ("all", {"kind": "regex", "regex": r"^(?<k>\w)=(?<v>.*)$", "all": True}, "a=1\nb=\n", {"matches": [{"k": "a", "v": "1"}, {"k": "b", "v": ""}]}),
        ("empty", {"kind": "regex", "regex": r"(?<e>x*)", "all": True}, "éx", {"matches": [{"e": ""}, {"e": "x"}, {"e": ""}]}),
        ("unmatched", {"kind": "regex", "regex": "(?<n>q)", "all": False}, "x", "cat its output does not match the regular expression"),
        ("slow", {"kind": "regex", "regex": "(?<n>(x+x+)+)[0-9]", "all": False}, "x" * 5000, "cat its output is too much for the regular expression"),
        ("none", {"kind": "none"}, "what\0ever", {}),
    ]
    rows = [row for row in rows if "\0" not in row[2]]
    host = Host([prints(name, text, output=kind) for name, kind, text, _ in rows])
    for name, _, text, want in rows:
        got = output(host.call(name))
        good = got == want or (isinstance(want, str) and str(got).startswith(want))
        verdict(f"output {name}", None if good else f"{got}, not {want}")
    host.end()


def test_endings():
    def ends(name, code, *endings):
        return command(name, ["/bin/sh", "-c", f"echo words >&2; exit {code}"], exit=list(endings))

    one = {"from": 1, "to": 1}
    host = Host([ends("plain", 7), ends("ok", 1, {**one, "ok": True}), ends("instead", 1, {**one, "ok": True, "output": {"lines": []}}),
                 ends("text", 1, {**one, "error": "it is not there"}), ends("pick", 1, {**one, "status": "invalid_pick"}),
                 ends("breaker", 1, {**one, "status": "breaker", "error": "down"}),
                 ends("range", 9, {"from": 5, "to": 9, "error": "in range"}),
                 ends("other", 9, one, {"from": 1, "to": 255, "other": True, "error": "another"}),
                 ends("zero", 0, {"from": 0, "to": 0, "error": "nothing is a failure"})])
    for name, want in [("plain", "sh ended with exit code 7: words"), ("ok", {"text": ""}), ("instead", {"lines": []}),
                       ("text", "it is not there"), ("pick", "sh ended with exit code 1: words"), ("breaker", "down"),
                       ("range", "in range"), ("other", "another"), ("zero", "nothing is a failure")]:
        answer = host.call(name)
        verdict(f"exit code: {name}", None if output(answer) == want else str(answer))
    verdict("the status is told", None if host.call("pick")["status"] == "INVALID_PICK"
            and host.call("breaker")["status"] == "BREAKER_TRIP" else "no")
    host.end()


def test_starting():
    home = folder_of_its_own()
    script, plain = pathlib.Path(home, "script"), pathlib.Path(home, "plain")
    script.write_text("echo no interpreter\n")
    plain.write_text("x")
    script.chmod(0o755)
    host = Host([command("script", [str(script)]), command("plain", [str(plain)]), command("gone", ["/nonexistent/x"]),
                 command("folder", ["/bin/pwd"], folder=["sub"]), command("any", ["/bin/pwd"], folder=[arg("f")]), ECHO])
    os.mkdir(os.path.join(host.home, "sub"))
    for name, want in [("script", "script cannot be started: it is no program and has no #! line"),
                       ("plain", "plain cannot be started: Permission denied"),
                       ("gone", "x cannot be started: No such file or directory"),
                       ("folder", {"text": os.path.realpath(os.path.join(host.home, "sub"))})]:
        got = output(host.call(name))
        verdict(f"starting: {name}", None if got == want else str(got))
    got = output(host.call("any", f="/nonexistent"))
    verdict("a folder that is not there is told", None if got == "pwd cannot enter its folder: No such file or directory" else str(got))
    verdict("and the next call works", None if output(host.call("echo")) == {"text": "alive"} else "no")
    host.end()


def test_cancel():
    for name in ("polite", "ignore_term"):
        host = Host([hostile("polite"), hostile("ignore_term"), ECHO])
        host.send(name, 30000)
        time.sleep(0.5)
        begun = time.monotonic()
        host.process.send_signal(2)
        answer = host.answer()
        why = None if answer.get("error") == "tool cancelled" and time.monotonic() - begun < 1 else str(answer)
        verdict(f"{name}: cancelled", why or (f"left {left()}" if left() else None))
        host.process.kill()
        host.process.wait()
    host = Host([hostile("ignore_term"), hostile("orphans")])
    host.send("ignore_term", 30000)
    while not left():
        time.sleep(0.01)
    os.kill(host.worker(), 9)
    answer = host.answer()
    until = time.monotonic() + 3
    while left() and time.monotonic() < until:
        time.sleep(0.01)
    verdict("a worker that is killed takes its program along", None if "SIGKILL" in str(answer) and not left() else f"{answer} {left()}")
    host.send("ignore_term", 30000)
    while not left():
        time.sleep(0.01)
    host.process.kill()
    until = time.monotonic() + 3
    while left() and time.monotonic() < until:
        time.sleep(0.01)
    verdict("and a host that is killed", None if not left() else str(left()))


def has_landlock():
    """of a version that knows sockets of addresses is not asked: files are looked at"""
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1) > 0


def test_rights():
    """One worker, several commands: each may what it says, not what the others say. [T-ISO-8, T-ISO-12]"""
    global count
    if CONFINE == "off" or not has_landlock():
        print(f"ok {count + 1} - rights # SKIP nothing is confined")
        count += 1
        return
    folder = folder_of_its_own()
    told, other, made = (os.path.join(folder, name) for name in ("told", "other", "made"))
    for path in (told, other):
        pathlib.Path(path).write_text("words")
    connect = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
    touch = ["/usr/bin/touch", arg("f")]
    host = Host([command("none", ["/bin/cat", arg("f")], may=[]),
                 command("all", ["/bin/cat", arg("f")], may=["file_read"]),
                 command("one", ["/bin/cat", arg("f")], may=[], read=[told]),
                 command("touch", touch, may=[]), command("touch_all", touch, may=["file_read", "file_write"]),
                 command("socket", ["/usr/bin/python3", "-c", connect], may=[]),
                 command("net", ["/usr/bin/python3", "-c", connect], may=["network"])],
                caps=["shell", "file_read", "file_write", "network"])
    for name, path, good in [("none", told, False), ("all", told, True), ("one", told, True), ("one", other, False),
                             ("touch", made, False), ("touch_all", made, True), ("socket", "", False), ("net", "", True)]:
        answer = host.call(name, f=path)
        refused = "ermission" in str(answer.get("error"))
        verdict(f"{name} {os.path.basename(path)}: {'fine' if good else 'refused'}",
                None if (answer["ok"] if good else refused) else str(answer))
    host.end()
    socket = ["/usr/bin/python3", "-c", connect]
    for names, mays in [("one command", [[]]), ("several", [[], ["file_read"]])]:
        host = Host([command(f"socket{i}", socket, may=may) for i, may in enumerate(mays)], caps=["shell", "file_read", "network"])
        got = [str(output(host.call(f"socket{i}"))) for i in range(len(mays))]
        verdict(f"a worker that was given more than its commands may: {names}",
                None if all("ermission" in text or "not permitted" in text for text in got) else str(got))
        host.end()


def test_progress():
    host = Host([command("tells", [sys.executable, HOSTILE, "progress"], progress=True,
                         exit=[{"from": 0, "to": 0, "status": "error"}])])
    host.send("tells")
    events = []
    while "ok" not in (message := json.loads(host.process.stdout.readline())):
        events.append((message.get("percent"), message.get("detail")))
    verdict("lines of progress are no error text", None if message["error"].endswith("exit code 0: progress x") else str(message))
    verdict("and are passed on, if they are well-formed", None if events in ([], [(10, "ten"), (90, "ninety")]) else str(events))
    host.end()


def test_many():
    """No growth: descriptors, memory, processes."""
    calls = int(os.environ.get("COMMANDS_TEST_CALLS", "300"))
    host = Host([ECHO])
    for _ in range(50):
        host.call("echo")
    worker = host.worker()

    def size():
        text = pathlib.Path(f"/proc/{worker}/status").read_text()
        try:
            descriptors = len(os.listdir(f"/proc/{worker}/fd"))
        except PermissionError:  # an ordinary user does not see them: it is not dumpable
            descriptors = 0
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)), descriptors

    before = size()
    wrong = sum(output(host.call("echo")) != {"text": "alive"} for _ in range(calls))
    after = size() if host.worker() == worker else (0, 0)
    slack = 4096 if ASAN else 256
    why = None if not wrong and after[1] == before[1] and after[0] <= before[0] + slack and not left() else \
        f"{wrong} wrong, KiB and descriptors {before} then {after}, left {left()}"
    verdict(f"{calls} calls by one worker, which does not grow", why)
    host.end()


def test_settings():
    def refusal(settings):
        host = Host(None, settings)
        answer = host.process.stdout.readline()
        host.process.stdin.close()
        host.process.wait(20)
        host.log.seek(0)
        return answer.replace('\\"', '"') + host.log.read()

    for settings, want in [({}, '"folder" (absolute) and "actions" (1 to 1024) are expected'),
                           ({"folder": "x", "actions": [ECHO]}, '"folder" (absolute)'),
                           ({"folder": "/", "actions": [{**ECHO, "program": "echo"}]}, "program of AID.T.ECHO.v1"),
                           ({"folder": "/", "actions": [{**ECHO, "run": []}]}, "run of AID.T.ECHO.v1"),
                           ({"folder": "/", "actions": [{**ECHO, "output": {"kind": "xml"}}]}, "output of AID.T.ECHO.v1"),
                           ({"folder": "/", "actions": [{**ECHO, "max_output": 1 << 30}]}, "a limit of AID.T.ECHO.v1"),
                           ({"folder": "/", "actions": [{**ECHO, "output": {"kind": "regex", "regex": "("}}]}, "regex of AID.T.ECHO.v1")]:
        got = refusal(settings)
        verdict(f"bad settings: {want}", None if want in got else got)


for test in [value for name, value in list(globals().items()) if name.startswith("test_") and ONLY in name]:
    test()
print(f"1..{count}")

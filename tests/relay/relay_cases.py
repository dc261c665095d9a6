"""The relay: programs as actions of the real toolhost, and programs that do what they must not. After each of them
there is one clear error, the next call works, and nothing is left running."""

import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "server"))

from blackbox import BUILD, ROOT, SANITIZED, Failure, Skip, equal, expect, run, shown

RELAY = str(BUILD / "plugins/relay.so")
TOOLHOST = str(BUILD / "bin/toolhost")
ROGUE = ROOT / "tests/relay/rogue.py"
ACTIONS = ROOT / "tests/clients/python/host_program.py"
DO, ECHO = "AID.ROGUE.DO.v1", "AID.ROGUE.ECHO.v1"
PATIENCE = 30


def document(folder, settings, **more):
    path = pathlib.Path(folder) / "provider.json"
    path.write_text(json.dumps({"settings": settings, **more}))
    return str(path)


def settings_of(program=ROGUE, folder="/tmp", **more):
    return {"run": [sys.executable, "-B", str(program)], "folder": str(folder), **more}


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("MACHINA_")}
    if SANITIZED:
        env["MACHINA_TOOLHOST_RLIMIT_AS_MB"] = "0"
    # what the sanitizer says of a worker must be heard; it is killed at times, which leaks nothing
    return {**env, **more}


class Host:
    """`toolhost --serve relay.so --config FILE`."""

    def __init__(self, settings=None, env=None, **provider):
        self.folder = tempfile.TemporaryDirectory()
        config = document(self.folder.name, settings or settings_of(), **provider)
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [TOOLHOST, "--serve", RELAY, "--config", config],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment(**(env or {})),
            bufsize=0,
        )
        self.buffer, self.count = b"", 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        begun = time.monotonic()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the host does not end") from None
        self.process.stdout.close()
        said = self.said()
        self.errors.close()
        self.folder.cleanup()
        if kind is None:
            equal(status, 0, f"how the host ended: {said[-2000:]}")
            expect("AddressSanitizer" not in said and "runtime error" not in said, said[-4000:])
            expect(time.monotonic() - begun < 10, "it takes long to end")

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def send(self, aid, inputs, **more):
        self.count += 1
        asked = {"aid": aid, "inputs": inputs, "request_id": f"r{self.count}", **more}
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")

    def line(self, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while b"\n" not in self.buffer:
            ready = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]
            expect(ready, f"no answer within {patience} s; the host said: {self.said()[-2000:]}")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            expect(data, f"the output ended; the host said: {self.said()[-2000:]}")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def call(self, aid, inputs, **more):
        self.send(aid, inputs, **more)
        answer = self.line()
        equal(answer.get("request_id"), f"r{self.count}", "request_id")
        return answer

    def do(self, what, **more):
        return self.call(DO, {"do": what}, **more)

    def alive(self):
        answer = self.call(ECHO, {"k": ["v", 1.5, None]})
        equal((answer.get("ok"), answer.get("output_json")), (True, '{"k": ["v", 1.5, null]}'), shown(answer))

    def descendants(self):
        """Ids of all below the host, whichever group they are in."""
        children = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                text = path.read_text()
                fields = text[text.rindex(")") + 2 :].split()
                if fields[0] != "Z":
                    children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        found, rest = [], [self.process.pid]
        while rest:
            below = children.get(rest.pop(), [])
            found += below
            rest += below
        return found


def fails(answer, *parts, status="TOOL_ERROR"):
    equal((answer.get("ok"), answer.get("status")), (False, status), shown(answer))
    for part in parts:
        expect(part in answer["error"], f"{part!r} is not in {answer['error']!r}")
    return answer


def listed(settings, env=None, **provider):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [TOOLHOST, "--list", RELAY, "--config", document(folder, settings, **provider)],
            env=environment(**(env or {})),
            capture_output=True,
            text=True,
            timeout=60,
        )


# ---- what works ----------------------------------------------------------------------------


def test_the_programs_list_is_the_plugins():
    done = listed(settings_of())
    equal(done.returncode, 0, done.stdout + done.stderr)
    tools = {tool["aid"]: tool for tool in json.loads(done.stdout)["tools"]}
    equal(set(tools), {DO, ECHO}, "tools")
    echo = tools[ECHO]
    equal((echo["name"], echo["description"], echo["tags"]), ("echo", "Says é.", ["a", "b"]), "echo")
    equal((echo["deterministic"], echo["idempotent"], echo["reversible"]), (True, True, False), "echo")
    equal((echo["timeout_ms"], echo["tier"], echo["input_schema"]), (60000, 1, None), "echo")
    equal(tools[DO]["input_schema"], {"type": "object"}, "schema")


def test_a_list_that_is_given_is_not_asked_for():
    tools = [{"aid": "AID.GIVEN.v1", "name": "given", "side_effects": ["none"]}]
    done = listed({"run": ["/no/such/program"], "folder": "/tmp", "tools": tools})
    equal((done.returncode, [t["aid"] for t in json.loads(done.stdout)["tools"]]), (0, ["AID.GIVEN.v1"]), done.stderr)


def test_a_call_goes_to_the_program_and_back():
    with Host() as h:
        h.alive()
        answer = h.call(ECHO, {"é": "\u2028\U0001f600", "n": 12345678901234567890})
        equal(json.loads(answer["output_json"]), {"é": "\u2028\U0001f600", "n": 12345678901234567890}, "values")
        h.process.stdin.write(b'{"aid":"AID.ROGUE.ECHO.v1","input_json":"{\\"a\\"\\r\\n:\\n 1}"}\n')
        equal(h.line()["output_json"], '{"a": 1}', "line breaks between values")
        fails(h.do("pick"), "the wrong one", status="INVALID_PICK")
        fails(h.do("refuses"), "not today")
        equal(h.do("no output")["output_json"], "{}", "no output")


def test_the_program_stays_for_the_next_calls():
    with Host() as h:
        pids = {json.loads(h.do("look")["output_json"])["pid"] for _ in range(50)}
        equal(len(pids), 1, "programs")


def test_a_program_sees_what_it_is_given_and_nothing_else():
    env = {"SECRET_TOKEN": "s3cret", "MACHINA_API_TOKEN": "s3cret", "MACHINA_ROOT": "/tmp"}
    with tempfile.TemporaryDirectory() as folder:
        # the pipes of the tests are not to be found in it: descriptors are ours alone
        kept = os.open("/dev/null", os.O_RDONLY)
        os.set_inheritable(kept, True)
        given = settings_of(folder=folder, env={"GIVEN": "a=b", "HOME": "/given"})
        with Host(given, env) as h:
            seen = json.loads(h.do("look", timeout_ms=5000)["output_json"])
        os.close(kept)
        equal(seen["fds"], [0, 1, 2], "descriptors")
        equal((seen["env"]["GIVEN"], seen["env"]["HOME"], "PATH" in seen["env"]), ("a=b", "/given", True), "environment")
        expect("s3cret" not in json.dumps(seen["env"]), f"it sees a secret: {seen['env']}")
        equal(os.path.realpath(seen["cwd"]), os.path.realpath(folder), "working directory")
        equal(seen["pid"] == seen["sid"] == seen["pgid"], True, "a session of its own")
        equal(seen["argv"][-1], "--serve", "argv")
        request = seen["request"]
        expect(request["request_id"].startswith("r1#"), shown(request))
        expect(0 < request["timeout_ms"] <= 5000 and request["progress"] is True, shown(request))
        equal("ds_state" in request, False, "there is no state")


def test_a_program_is_found_as_its_name_says():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mine"
        path.write_text(f"#!/bin/sh\nexec {sys.executable} -B {ROGUE} \"$@\"\n")
        path.chmod(0o755)
        for run_words, where in ((["./mine"], folder), ([str(path)], "/"), (["mine"], "/")):
            env = {"PATH": f"{folder}:{os.environ['PATH']}"}
            with Host({"run": run_words, "folder": where}, env) as h:
                h.alive()


def test_state_goes_along_and_comes_back():
    slot = {"type": "x", "provenance": "y", "content_json": '{"v":"é"}'}
    with Host() as h:
        answer = h.do("look", ds_state={"slots": {"2": slot, "5": slot}})
        sent = json.loads(answer["output_json"])["request"]["ds_state"]
        equal(sent, {"slots": {k: {**slot, "size_bytes": 10} for k in "25"}}, "what it is sent")
        answer = h.do("put")
        put = {"type": "t", "provenance": "p", "content_json": '{"n":1}', "size_bytes": 7}
        equal(answer["ds_state"], {"delta": True, "slots": {"3": put}, "removed_slots": [5]}, "a delta")
        answer = h.do("full")
        equal((list(answer["ds_state"]["slots"]), answer["ds_state"]["removed_slots"]), (["4"], [2, 3]), "the full form")
        for what in ("slot", "artifact", "state"):
            equal(fails(h.do(what), "not usable")["ds_state"], {"delta": True, "slots": {}, "removed_slots": []}, what)
        h.alive()


def test_standard_error_is_passed_on_within_limits():
    with Host() as h:
        equal(h.do("errors")["ok"], True, "a flood on standard error")
        h.alive()
        said = h.said()
        expect(1000 < said.count("e" * 100) * 100 < 200_000 and "more were dropped" in said, f"{len(said)} bytes")


# ---- what must not be, and what becomes of it ------------------------------------------------


def hostile(what, *parts, limit_s=3.0, **more):
    with Host() as h:
        h.alive()
        begun = time.monotonic()
        answer = h.do(what, **more)
        spent = time.monotonic() - begun
        fails(answer, *parts)
        expect(spent < limit_s * (4 if SANITIZED else 1), f"{what} took {spent:.2f} s")
        equal(answer["ds_state"], {"delta": True, "slots": {}, "removed_slots": []}, "state")
        h.alive()
        expect(len(h.descendants()) <= 2, f"{what} left something running: {h.descendants()}")
        left = h.descendants()
    for pid in left:
        expect(not pathlib.Path(f"/proc/{pid}").exists(), f"{what}: {pid} outlives the host")


def test_what_is_lost_is_not_called_a_failure():
    """Whoever asked must not believe that nothing was done (T-RSP-10)."""
    rows = [("crash", "crash"), ("exit", "crash"), ("traceback", "crash"), ("closes output", "crash"), ("flood", "too_large"),
            ("text", "bad_output"), ("foreign", "bad_output"), ("twice", "bad_output"), ("state", "bad_output")]
    for what, code in rows:
        with Host() as h:
            equal(h.do(what)["code"], code, what)
    with python_host() as h:
        equal(h.call("AID.HOST_PROGRAM.BLOB.v1", {"count": 2_000_000})["code"], "too_large", "its library says so")
        equal(h.call("AID.HOST_PROGRAM.RAISES.v1", {"what": "action"})["code"], "tool_error", "an exception is the action's word")


def test_a_program_that_crashes():
    hostile("crash", "in the middle of a call", "signal 11")
    hostile("abort", "in the middle of a call", "signal 6")


def test_a_program_that_ends():
    hostile("exit", "in the middle of a call", "exit code 0")
    hostile("half", "in the middle of a call", "exit code 0")
    hostile("traceback", "in the middle of a call", "exit code 1: ValueError: what went wrong")
    hostile("holds output", "in the middle of a call", "exit code 4")
    hostile("escapes", "in the middle of a call", r"exit code 5: \u{1b}]0;pwned\u{7} \u{202e}evil")


def test_a_program_that_loops():
    hostile("loop", "timed out after 500 ms", timeout_ms=500)


def test_a_program_that_ignores_signals():
    hostile("deaf", "timed out after 500 ms", timeout_ms=500)


def test_a_program_that_stops_when_it_is_told_to():
    with Host() as h:
        first = json.loads(h.do("look")["output_json"])["pid"]
        fails(h.do("polite", timeout_ms=300), "timed out after 300 ms")
        equal(json.loads(h.do("look")["output_json"])["pid"], first, "it is kept")
        answer = h.do("late success", timeout_ms=300)
        equal((answer["ok"], answer["output_json"]), (True, '{"late":true}'), "T-LIM-5")
        equal(json.loads(h.do("look")["output_json"])["pid"], first, "it is kept")


def test_a_cancelled_call_stops_its_program():
    with Host() as h:
        h.alive()
        below = h.descendants()
        h.send(DO, {"do": "deaf"})
        time.sleep(0.5)
        h.process.terminate()
        fails(h.line(), "tool cancelled")
        h.process.wait(PATIENCE)
        for pid in below:
            expect(not pathlib.Path(f"/proc/{pid}").exists(), f"{pid} is left")


def test_processes_that_a_program_leaves_behind():
    with Host() as h:
        equal(h.do("fork")["ok"], True, "a child in its group")
        h.do("exit")
        h.alive()
        expect(len(h.descendants()) <= 2, f"left: {h.descendants()}")
    with Host() as h:
        fails(h.do("daemon", timeout_ms=500), "timed out")
        daemons = h.descendants()
    for pid in daemons:
        expect(not pathlib.Path(f"/proc/{pid}").exists(), f"{pid} outlives the host")


def test_a_program_that_floods():
    hostile("flood", "longer than 1048576 bytes")
    hostile("lines", "timed out after 500 ms", timeout_ms=500)


def test_a_program_that_ends_no_line():
    hostile("no newline", "timed out after 500 ms", timeout_ms=500)


def test_lines_that_are_none():
    hostile("text", "not usable", "no JSON")
    hostile("array", "not an object")
    hostile("utf8", "not usable", "no JSON")
    hostile("nul", "not usable", "no JSON")


def test_closed_pipes():
    hostile("closes output", "it closed its output")
    with Host() as h:
        equal(h.do("closes input")["ok"], True, "it answers all the same")
        fails(h.call(ECHO, {}), "the program closed its input")
        h.alive()


def test_answers_that_are_none_of_ours():
    hostile("foreign", "the answer to another request")
    hostile("no id", "does not repeat the request_id")
    hostile("status", "its status is none of")
    hostile("contradiction", "its ok contradicts its status")
    hostile("number", "output_json is not a text")
    hostile("output", "tool returned invalid JSON output")


def test_answers_that_come_twice_or_late():
    hostile("twice", "answered twice")
    hostile("goes on", "goes on after its answer")
    with Host() as h:
        equal(h.do("late")["ok"], True, "the first answer")
        time.sleep(0.3)
        h.alive()
        expect("said what nobody asked for" in h.said(), h.said()[-1000:])


def test_a_program_that_eats_memory():
    if SANITIZED:
        raise Skip("the limit of memory is off under the sanitizer")
    hostile("memory", "in the middle of a call", limit_s=20)


def test_a_program_that_opens_all_it_can():
    with Host() as h:
        got = json.loads(h.do("descriptors")["output_json"])
        expect(got["opened"] < 64 and got["why"] == 24, shown(got))
        h.do("exit")
        h.alive()


def test_a_program_that_is_killed_from_outside():
    with Host() as h:
        pid = json.loads(h.do("look")["output_json"])["pid"]
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        h.alive()
        h.send(DO, {"do": "deaf"})
        time.sleep(0.4)
        below = [p for p in h.descendants() if b"--serve" in pathlib.Path(f"/proc/{p}/cmdline").read_bytes()]
        for p in below:
            os.kill(p, signal.SIGKILL)
        fails(h.line(), "signal 9")
        h.alive()


def test_a_host_that_is_killed_takes_its_program_along():
    h = Host()
    h.alive()
    below = h.descendants()
    h.process.kill()
    h.process.wait()
    deadline = time.monotonic() + 5
    while any(pathlib.Path(f"/proc/{pid}").exists() for pid in below):
        expect(time.monotonic() < deadline, f"left: {below}")
        time.sleep(0.05)
    h.process.stdin.close()
    h.process.stdout.close()


def test_ten_thousand_calls_leave_nothing_behind():
    calls = 1000 if SANITIZED else 10_000
    with Host() as h:
        h.alive()
        worker, program = h.descendants()
        def measures():
            return [len(os.listdir(f"/proc/{p}/fd")) for p in (h.process.pid, worker, program)]
        before, times = measures(), []
        for n in range(calls):
            begun = time.perf_counter()
            answer = h.call(ECHO, {"n": n})
            times.append(time.perf_counter() - begun)
            equal(answer["output_json"], f'{{"n": {n}}}', "output")
        equal((h.descendants(), measures()), ([worker, program], before), "processes and descriptors")
        print(f"# a warm call takes {sorted(times)[calls // 2] * 1e6:.0f} µs at the median, through toolhost and relay")


# ---- settings and lists ------------------------------------------------------------------------


def test_settings_that_are_wrong_are_told_at_once():
    for settings, *parts in (
        ({}, "run: must be a list of texts", "folder: must be a text"),
        ({"run": [], "folder": "rel"}, "run: names no program", "folder: must be an absolute path"),
        ({"run": ["a", 5], "folder": "/tmp", "env": [], "tools": {}}, "run: must be a text", "env: must be", "tools: must be"),
        ({"run": ["a\0b"], "folder": "/tmp", "env": {"A=B": "x", "C": 5}}, "run: holds a NUL", "env: has a name", "env: must be"),
    ):
        done = listed(settings)
        said = json.loads(done.stdout)["error"]
        expect(done.returncode == 3 and all(p in said for p in parts), f"{said}, wanted {parts}")


def test_programs_that_cannot_be_listed_say_why():
    for settings, env, *parts in (
        ({"run": ["no-such-program"], "folder": "/tmp"}, {}, "there is no program no-such-program in PATH"),
        ({"run": ["/no/such"], "folder": "/tmp"}, {}, "/no/such cannot be started: No such file"),
        ({"run": ["/etc/passwd"], "folder": "/tmp"}, {}, "cannot be started: Permission denied"),
        (settings_of(folder="/no/such/folder"), {}, "cannot be started: No such file"),
        (settings_of(env={"LIST": "fail"}), {}, "--list failed: exit code 1: there is no such module"),
        (settings_of(env={"LIST": "text"}), {}, "--list printed something else than the list"),
        ({"run": ["true"], "folder": "/tmp"}, {}, "--list printed nothing: does the program end with serve()?"),
        ({"run": ["sh", "-c", "echo 'Error [X]: no module'; echo '    at line 3' >&2; echo 'Error: it' >&2; echo v20 >&2; exit 1"],
          "folder": "/tmp"}, {}, "exit code 1: Error: it"),
        (settings_of(env={"LIST": "refused"}), {}, "the list: no licence"),
        (settings_of(env={"LIST": "flood"}), {}, "more than 4194304 bytes"),
        (settings_of(env={"LIST": "aid"}), {}, "plugin registered a bad tool: do"),
        (settings_of(env={"LIST": "bad"}), {}, "tool 0: aid: must be a text; name: must be a text; ",
         "side_effects: must be a list", "tier: is out of its range", "tool 1: an entry: must be an object", "tool 2: name: holds a NUL", "tags: must be"),
    ):
        done = listed(settings, env)
        said = json.loads(done.stdout)["error"]
        expect(done.returncode == 3, f"{done.returncode}: {said}")
        missing = [p for p in parts if p not in said]
        expect(not missing, f"{said}\nlacks {missing}")


def test_a_list_that_does_not_come_is_given_up():
    begun = time.monotonic()
    done = listed(settings_of(env={"LIST": "hang"}))
    said = json.loads(done.stdout)["error"]
    expect(done.returncode == 3 and "--list did not end within 8000 ms" in said, said)
    expect(time.monotonic() - begun < 14, "it takes longer than init may")


# ---- with manglecp.actions -----------------------------------------------------------------------


def python_host():
    # What the library says of bad inputs is seen if the host does not look at them first.
    return Host(settings_of(ACTIONS, env={"PYTHONPATH": str(ROOT / "clients/python/src")}), {"MACHINA_TOOLHOST_VALIDATE": "0"})


def test_actions_in_python_are_called_through_it():
    with python_host() as h:
        answer = h.call("AID.HOST_PROGRAM.EVERYTHING.v1", {"text": "é", "count": 3})
        equal(json.loads(answer["output_json"])["ratio"], 0.5, shown(answer))
        fails(h.call("AID.HOST_PROGRAM.EVERYTHING.v1", {"text": 5}), "/text: must be a string", "/count: is missing")
        fails(h.call("AID.HOST_PROGRAM.RAISES.v1", {"what": "key"}), "KeyError")
        expect("Traceback" in h.said(), "the traceback is in the log")
        facts = h.call("AID.HOST_PROGRAM.LEARNS.v1", {"n": 1})["ds_state"]["slots"]["7"]
        equal(facts["type"], "manglecp.state_delta", "T-MCP-24")
        for name in ("AID.HOST_PROGRAM.SLEEPS.v1", "AID.HOST.WAITS.v3"):
            fails(h.call(name, {"seconds": 60}, timeout_ms=300), "timed out after 300 ms")
        answer = h.call("AID.HOST_PROGRAM.POLLS.v1", {"seconds": 60}, timeout_ms=300)
        equal(answer["output_json"], '{"result":"cancelled"}', "one that asks answers in time")
        equal(h.call("AID.HOST_PROGRAM.COUNTS.v1", {"to": 5})["ok"], True, "progress")
        fails(h.call("AID.HOST_PROGRAM.BLOB.v1", {"count": 2_000_000}), "too large")
        equal(h.call("AID.HOST_PROGRAM.PRINTS.v1", {})["ok"], True, "what it prints")


def test_actions_in_javascript_are_called_through_it():
    node = shutil.which("node")
    if not node or int(subprocess.check_output([node, "-p", "process.versions.node.split('.')[0]"])) < 20:
        raise Skip("Node 20 or later is not installed")
    program = ROOT / "clients/typescript/test/actions_program.mjs"
    with Host({"run": [node, str(program)], "folder": "/tmp"}, {"MACHINA_TOOLHOST_VALIDATE": "0"}) as h:
        answer = h.call("AID.ACTIONS_PROGRAM.ADD.v1", {"a": 2})
        equal(answer.get("output_json"), '{"sum":3}', shown(answer))
        fails(h.call("AID.ACTIONS_PROGRAM.ADD.v1", {"a": "x"}), "/a: must be integer")
        equal(h.call("AID.ACTIONS_PROGRAM.PRINTS.v1", {})["ok"], True, "what it prints")
        equal(h.call("AID.ACTIONS_PROGRAM.COUNTS.v1", {"to": 5})["ok"], True, "progress")
        fails(h.call("AID.ACTIONS_PROGRAM.SLEEPS.v1", {"ms": 60000}, timeout_ms=300), "timed out after 300 ms")
        fails(h.call("AID.ACTIONS_PROGRAM.DEAF.v1", {"ms": 60000}, timeout_ms=300), "timed out after 300 ms")
        fails(h.call("AID.ACTIONS_PROGRAM.THROWS_LATE.v1", {}), "in the middle of a call", "exit code 1")
        facts = h.call("AID.ACTIONS_PROGRAM.LEARNS.v1", {"n": 1})["ds_state"]["slots"]["7"]
        equal(facts["type"], "manglecp.state_delta", "T-MCP-24")
        times = []
        for _ in range(1000):
            begun = time.perf_counter()
            expect(h.call("AID.ACTIONS_PROGRAM.ADD.v1", {"a": 1})["ok"], "a call")
            times.append(time.perf_counter() - begun)
        print(f"# a warm call of a JavaScript action takes {sorted(times)[500] * 1e6:.0f} µs at the median, all included")


def test_a_warm_call_of_python_is_measured():
    with python_host() as h:
        times = []
        for _ in range(2000):
            begun = time.perf_counter()
            expect(h.call("AID.HOST_PROGRAM.NOTHING.v1", {})["ok"], "a call")
            times.append(time.perf_counter() - begun)
        print(f"# a warm call of a Python action takes {sorted(times)[1000] * 1e6:.0f} µs at the median, all included")


run(globals())

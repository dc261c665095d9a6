"""machina_dispatch against the real toolhost, and against programs that take its place and misbehave.

Test cases C-141 to C-157 of toolhost.md chapter 12 and what they refer to. What has a `mode` runs in both modes, and
the same cause has the same type in both (T-DISP-5, C-157)."""

import contextlib
import inspect
import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from both import ROOT, takes

from blackbox import BUILD, SANITIZED, Failure, Skip, Tap, equal, expect, shown, words

import machina_dispatch
from machina_dispatch import (
    call_toolhost,
    input_sha256,
    open_session,
    run_machina_toolhost,
    shut_down,
)

OK = str(BUILD / "test-plugins/ok.so")
HOSTILE = str(BUILD / "test-plugins/hostile.so")
TOOLHOST = str(BUILD / "bin/toolhost")
ECHO, COUNT, FAIL, SLEEP, SPAWN = (
    f"AID.TEST.{n}.v1" for n in ("ECHO", "COUNT", "FAIL", "SLEEP", "SPAWN")
)
NOT_HERE = "AID.NOPE.v1"
EMPTY_STATE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Warnings(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


warnings = Warnings()
logging.getLogger("machina_dispatch").addHandler(warnings)
logging.getLogger("machina_dispatch").propagate = False


@contextlib.contextmanager
def environment(mode="oneshot", program=TOOLHOST, plugins=OK, **more):
    """The variables of the dispatch, and nothing left of them or of its sessions afterwards."""
    before = dict(os.environ)
    for name in list(os.environ):
        if name.startswith("MACHINA_"):
            del os.environ[name]
    if SANITIZED:
        os.environ["MACHINA_TOOLHOST_RLIMIT_AS_MB"] = "0"
    os.environ.update(
        MACHINA_TOOLHOST_BIN=str(program),
        MACHINA_TOOLHOST_PLUGINS=str(plugins),
        MACHINA_TOOLHOST_MODE=mode,
        **more,
    )
    warnings.lines.clear()
    try:
        yield
    finally:
        shut_down()
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as path:
        yield pathlib.Path(path)


@contextlib.contextmanager
def stub(text, language="sh", **settings):
    """A program that takes the place of the toolhost; it says in `started` that it was started."""
    with folder() as f:
        program = f / "stub"
        head = (
            f'#!/bin/sh\nread line\necho x >>"{f}/started"\n'
            if language == "sh"
            else f"#!{sys.executable}\n"
        )
        program.write_text(head + text)
        program.chmod(0o755)
        with environment(program=program, **settings):
            yield f / "started"


def is_error(got, kind, *parts):
    """A structured error of the seed: exactly these members, and `parts` in its detail (T-DISP-1, T-DISP-3)."""
    expect(isinstance(got, dict), f"no error but {shown(got)}")
    members = {"error", "aid", "type", "detail"} | (
        {"status"} if got.get("type") == "tool_error" else set()
    )
    expect(set(got) - {"code"} == members, f"members {sorted(got)}")
    equal((got["error"], got["type"]), (True, kind), got["detail"])
    for part in parts:
        expect(part in got["detail"], f"{part!r} is not in {got['detail']!r}")
    expect(len(got["detail"].encode()) <= 4096, "the detail is too long")
    return got


def alive(name):
    """Process ids of programs whose command line holds `name`."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if name.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def sessions():
    """Process ids of the toolhosts that serve us; those of other programs are none of our business."""
    children = (
        pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    )
    return [
        int(pid)
        for pid in children
        if b"--serve" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def gone(name, patience=2.0):
    deadline = time.monotonic() + patience
    while alive(name):
        expect(time.monotonic() < deadline, f"still running: {alive(name)}")
        time.sleep(0.02)


# ---- what works ----------------------------------------------------------------------------


def test_a_tool_returns_its_output_as_text(mode):
    with environment(mode):
        equal(run_machina_toolhost(ECHO, {"k": "v"}), '{"k":"v"}', "C-141, T-DISP-1")
        equal(
            run_machina_toolhost(ECHO, {"é": [1, 1.5, None, True]}),
            '{"é":[1,1.5,null,true]}',
            "values",
        )
        equal(run_machina_toolhost(ECHO, {}), "{}", "no input")


def test_nothing_of_an_earlier_call_is_visible(mode):
    with environment(mode, MACHINA_TOOLHOST_POOL_SIZE="1"):  # C-156, T-DISP-24, T-STATE-14
        run_machina_toolhost(ECHO, {"first": 1})
        answer = call_toolhost({"aid": FAIL, "inputs": {}, "request_id": "r"})
        equal(
            answer["ds_digest"],
            EMPTY_STATE,
            "the state after a tool that failed on an empty one",
        )
        answer = call_toolhost(
            {"aid": FAIL, "request_id": "r2", "ds_state": {"delta": True, "slots": {}}}
        )
        equal(answer["ds_digest"], EMPTY_STATE, "a delta is applied to an empty state")


def test_the_lower_call_returns_the_answer_unchanged(mode):
    with environment(mode):  # T-DISP-22, T-DISP-23
        answer = call_toolhost(
            {"aid": ECHO, "input_json": '{"n": 1.50}', "request_id": "mine"}
        )
        equal(
            (answer["ok"], answer["status"], answer["output_json"]),
            (True, "OK", '{"n": 1.50}'),
            "answer",
        )
        equal((answer["error"], answer["request_id"]), ("", "mine"), "answer")
        refused = call_toolhost({"aid": NOT_HERE, "request_id": "r"})
        equal(
            (refused["ok"], refused["error"]),
            (False, f"tool not found: {NOT_HERE}"),
            "refusal",
        )
        failed = call_toolhost({"aid": FAIL})
        equal(
            (failed["ok"], failed["status"], failed["error"]),
            (False, "TOOL_ERROR", "boom"),
            "result",
        )
        is_error(call_toolhost({"inputs": {}}), "exception", "TypeError: ")
        is_error(call_toolhost(7), "exception", "TypeError: ")


def test_state_of_two_megabytes_travels_through_one_process():
    slot = {"type": "t", "content_json": '"' + "x" * 900_000 + '"'}
    with environment():  # T-RSP-7: a conforming host never meets the limit of T-DISP-11
        answer = call_toolhost(
            {
                "aid": SLEEP,
                "inputs": {"ms": 0},
                "ds_state": {"slots": {"0": slot, "1": slot}},
            }
        )
        equal(
            (answer.get("ok"), sorted(answer.get("ds_state", {}).get("slots", {}))),
            (True, ["0", "1"]),
            "state",
        )


# ---- what goes wrong, by type --------------------------------------------------------------


def test_a_missing_toolhost_is_not_found(mode):
    with folder() as f:
        (f / "file").write_text("no program")
        for program in (
            "/no/such/program",
            "no-such-program-in-path",
            str(f / "file"),
            str(f),
        ):
            with environment(mode, program=program):
                got = is_error(
                    run_machina_toolhost(ECHO, {"a": 1}),
                    "not_found",
                    "toolhost not found: ",
                    program,
                )
                equal(got["aid"], ECHO, "C-142")


def test_a_toolhost_is_looked_up_in_the_path(mode):
    with environment(
        mode, program="toolhost", PATH=f"{BUILD / 'bin'}:{os.environ['PATH']}"
    ):
        equal(run_machina_toolhost(ECHO, {}), "{}", "T-DISP-25")


def test_a_program_that_sleeps_is_timed_out_and_gone(mode):
    with folder() as f:
        name = f"sleep 61.{os.getpid()}"
        with stub(
            f"{name} &\n{name}\n", mode=mode, MACHINA_TOOLHOST_TIMEOUT="1"
        ), takes(0.9, 1.5):
            got = run_machina_toolhost(ECHO, {})  # C-143, T-DISP-10
        is_error(got, "timeout", "toolhost timed out (1s)")
        gone(name.replace(" ", "\0"), 0.5)


def test_a_program_that_ignores_sigterm_is_killed(mode):
    text = f"trap '' TERM\nwhile :; do sleep 0.05; done # {os.getpid()}\n"
    with stub(text, mode=mode, MACHINA_TOOLHOST_TIMEOUT="0.5") as started, takes(
        0.4, 1.1
    ):
        is_error(
            run_machina_toolhost(ECHO, {}), "timeout", "(0.5s)"
        )  # T-DISP-10: 500 ms after the timeout
        gone(str(started.parent), 0.5)


def test_a_tool_that_sleeps_is_timed_out_by_its_host(mode):
    with environment(mode, MACHINA_TOOLHOST_TIMEOUT="3"):
        run_machina_toolhost(ECHO, {})  # what takes long is the start
        with takes(
            2.5, 5
        ):  # C-144, T-DISP-9: the host's limit is 2.7 s, so it explains itself
            is_error(
                run_machina_toolhost(SLEEP, {"ms": 60000, "poll": True}),
                "timeout",
                "tool timed out after 2700 ms",
            )
        equal(run_machina_toolhost(ECHO, {}), "{}", "the next call")


def test_an_exit_code_is_a_crash_with_what_was_said(mode):
    with stub("echo 'cannot do that' >&2\nexit 3\n", mode=mode):
        is_error(run_machina_toolhost(ECHO, {}), "crash", "cannot do that")  # C-145
    with stub("exit 7\n", mode=mode):
        is_error(run_machina_toolhost(ECHO, {}), "crash", "exit code 7")  # C-241
    with stub(
        'echo \'{"ok":false,"error":"plugin init failed: no licence"}\'\nexit 3\n',
        mode=mode,
    ):
        is_error(
            run_machina_toolhost(ECHO, {}), "crash", "plugin init failed: no licence"
        )


def test_death_by_signal_is_a_crash(mode):
    with stub("kill -9 $$\n", mode=mode):
        is_error(run_machina_toolhost(ECHO, {}), "crash", "signal 9")  # C-146


def test_a_tool_that_crashes_is_a_crash(mode):
    with environment(mode, plugins=HOSTILE):
        is_error(
            run_machina_toolhost("AID.HOSTILE.SEGV.v1", {}), "crash", "signal 11"
        )  # C-147
        is_error(
            run_machina_toolhost("AID.HOSTILE.EXIT.v1", {}),
            "crash",
            "tool exited: code 0",
        )
        equal(run_machina_toolhost(ECHO, {}), "{}", "the next call")


def test_what_is_not_one_json_object_is_a_parse_error(mode):
    whole = '{"ok":true,"status":"OK","output_json":"{}","error":"","ds_state":{}}'
    for text, says in (
        ("echo hello\n", "malformed JSON: "),
        ("exit 0\n", "empty output"),
        ("echo\n", "empty output"),
        (f"echo '{whole}{whole}'\n", "malformed JSON: "),
        ("printf '\\377\\n'\n", "malformed JSON: "),
        ("printf '{\"ok\":true,'\n", "malformed JSON: "),
        ("echo '[1]'\n", "malformed JSON: "),
        ("echo '{\"ok\":1}'\n", "malformed JSON: "),
        ("printf '{\"ok\":true}\\000\\n'\n", "malformed JSON: "),
        ('echo \'{"ok":true,"ok":false,"error":"x"}\'\n', "malformed JSON: "),
    ):
        with stub(text, mode=mode):
            is_error(
                run_machina_toolhost(ECHO, {}), "parse_error", says
            )  # C-148, T-DISP-13


def test_a_flood_is_cut_at_a_megabyte(mode):
    cut = "output truncated at 1048576 bytes"
    text = """while :; do echo -n xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n"""
    big = f"import sys; sys.stdin.readline(); print('{{\"ok\":true,\"x\":\"' + 'y' * 2_000_000 + '\"}}')\n"
    with stub(big, language="python", mode=mode):
        is_error(
            run_machina_toolhost(ECHO, {}), "parse_error", cut
        )  # C-149, T-DISP-11, T-DISP-15
    with stub(text, mode=mode) as started:
        is_error(run_machina_toolhost(ECHO, {}), "parse_error", cut)
        gone(str(started.parent), 0.5)


def test_a_flood_on_standard_error_is_no_hindrance(mode):
    text = "import sys; sys.stdin.readline(); sys.stderr.write('e' * 5_000_000); sys.stderr.flush(); sys.exit(9)\n"
    with stub(text, language="python", mode=mode):
        got = is_error(run_machina_toolhost(ECHO, {}), "crash", "eeee")  # T-DISP-12
        equal(len(got["detail"]), 4096, "T-DISP-2")


def test_a_megabyte_is_taken_and_a_large_one_is_warned_of(mode):
    # the output is a JSON text inside of a JSON text, whose two quotes are escaped
    with environment(mode):
        got = run_machina_toolhost(
            "AID.TEST.BLOB.v1", {"char": "x", "count": 1_000_000}
        )
        if isinstance(got, dict):  # other names for its arguments
            raise Failure(shown(got))
        equal(len(got), 1_000_002, "output")
        expect(
            any("an output of 1000" in line for line in warnings.lines),
            f"T-DISP-12: {warnings.lines}",
        )


def test_what_json_cannot_express_is_an_exception_and_starts_nothing(mode):
    circle = {}
    circle["circle"] = circle
    with stub("exit 0\n", mode=mode) as started:
        for inputs in (
            {"a": object()},
            {"a": float("nan")},
            {"a": "\ud800"},
            circle,
            {1: 2, (1,): 3},
        ):
            is_error(
                run_machina_toolhost(ECHO, inputs), "exception", "Error: "
            )  # C-150
        for inputs in ([], "x", None, 5):
            is_error(
                run_machina_toolhost(ECHO, inputs),
                "exception",
                "TypeError: inputs must be a dictionary",
            )
        for aid in (None, 7, b"x"):
            is_error(run_machina_toolhost(aid, {}), "exception", "TypeError: ")
        is_error(
            run_machina_toolhost("AID.\0.v1", {}),
            *(("exception", "ValueError") if mode == "oneshot" else ("parse_error",)),
        )
        expect(mode != "oneshot" or not started.exists(), "something was started")


def test_a_process_that_cannot_be_started_is_an_exception(mode):
    with folder() as f:
        program = f / "broken"
        program.write_text("#!/no/such/interpreter\n")
        program.chmod(0o755)
        with environment(mode, program=program):
            is_error(run_machina_toolhost(ECHO, {}), "exception", "FileNotFoundError")


def test_a_tool_that_fails_is_a_tool_error(mode):
    with environment(mode):
        got = is_error(
            run_machina_toolhost(FAIL, {}), "tool_error", "boom"
        )  # C-151, T-DISP-4
        equal(got["status"], "TOOL_ERROR", "status")
    with environment(mode, plugins=HOSTILE):
        is_error(
            run_machina_toolhost("AID.HOSTILE.BADJSON.v1", {}),
            "tool_error",
            "tool returned invalid JSON output",
        )
        is_error(
            run_machina_toolhost("AID.HOSTILE.OUT_2MB.v1", {}),
            "tool_error",
            "tool output too large",
        )


def test_statuses_that_a_tool_returns_are_passed_on(mode):
    with environment(mode):
        for number, status in (
            (1, "INVALID_PICK"),
            (2, "TOOL_ERROR"),
            (3, "BREAKER_TRIP"),
        ):
            got = is_error(
                run_machina_toolhost("AID.TEST.STATUS.v1", {"status": number}),
                "tool_error",
            )
            equal(got["status"], status, "status")


def test_an_aid_that_nobody_offers(mode):
    with environment(mode, plugins=f"{OK}:{HOSTILE}"):  # C-152, T-DISP-7
        is_error(
            run_machina_toolhost(NOT_HERE, {}),
            "not_found",
            f"no plugin offers {NOT_HERE}",
        )
        equal(
            run_machina_toolhost(ECHO, {"a": 1}), '{"a":1}', "the first that offers it"
        )
        is_error(run_machina_toolhost("AID.HOSTILE.SEGV.v1", {}), "crash", "signal 11")
    with environment(mode):
        is_error(
            run_machina_toolhost(NOT_HERE, {}), "crash", f"tool not found: {NOT_HERE}"
        )
    with environment(mode, plugins=""):
        is_error(
            run_machina_toolhost(ECHO, {}),
            "not_found",
            "no plugin offers",
            "MACHINA_TOOLHOST_PLUGINS",
        )


def test_plugins_are_found_in_folders_and_bad_ones_are_skipped(mode):
    with folder() as f:
        (f / "b.so").symlink_to(OK)
        (f / "a.so").write_text("not a library")
        (f / "c.txt").write_text("not looked at")
        with environment(mode, plugins=f):
            equal(run_machina_toolhost(ECHO, {}), "{}", "T-DISP-7")
            expect(
                any("a.so is skipped" in line for line in warnings.lines),
                f"{warnings.lines}",
            )
            count = len(warnings.lines)
            equal(run_machina_toolhost(ECHO, {}), "{}", "again")
            equal(len(warnings.lines), count, "warnings")
            (f / "a.so").unlink()
            (f / "a.so").symlink_to(HOSTILE)  # another size and time: listed anew
            is_error(
                run_machina_toolhost("AID.HOSTILE.SEGV.v1", {}), "crash", "signal 11"
            )


def test_a_plugin_that_is_not_there_is_a_crash_that_says_so(mode):
    with environment(mode, plugins="/no/such/plugin.so"):
        is_error(
            run_machina_toolhost(ECHO, {}),
            "crash",
            "plugin not found: /no/such/plugin.so",
        )


def test_a_lease_that_is_missing_is_a_crash_and_no_token_is_told(mode):
    with environment(mode, MACHINA_LEASE_ENFORCE="1"):
        is_error(
            run_machina_toolhost(SPAWN, {}), "crash", "lease_required"
        )  # exit 4 in both modes
    token = "lease_0123456789abcdef0123456789abcdef"
    with stub(f"echo 'spent {token}' >&2\nexit 3\n", mode=mode):
        got = is_error(run_machina_toolhost(ECHO, {}), "crash", "spent")
        expect(token not in got["detail"], "T-DISP-2: a token is told")


# ---- the environment -----------------------------------------------------------------------


def test_bad_values_are_warned_of_once_and_the_defaults_hold():
    with environment(
        "sometimes", MACHINA_TOOLHOST_TIMEOUT="abc", MACHINA_TOOLHOST_POOL_SIZE="-1"
    ):
        settings = machina_dispatch._settings.read()  # C-153, T-DISP-25
        equal(
            (settings.timeout_s, settings.persistent, settings.pool_size),
            (30.0, False, 2),
            "settings",
        )
        machina_dispatch._settings.read()
        equal(len(warnings.lines), 3, f"{warnings.lines}")
        equal(run_machina_toolhost(ECHO, {}), "{}", "it works all the same")
    for bad in ("0", "-3", "nan", "inf", "1e999"):
        with environment(MACHINA_TOOLHOST_TIMEOUT=bad):
            equal(machina_dispatch._settings.read().timeout_s, 30.0, bad)
    with environment():
        equal(machina_dispatch._settings.read().timeout_s, 30.0, "unset")
    for text, seconds, limit in (
        ("1", 1.0, 900),
        ("0.25", 0.25, 225),
        ("60", 60.0, 59_500),
    ):
        with environment(MACHINA_TOOLHOST_TIMEOUT=text):  # T-DISP-9
            settings = machina_dispatch._settings.read()
            equal((settings.timeout_s, settings.host_limit_ms), (seconds, limit), text)


def test_the_working_directory_is_the_root(mode):
    with folder() as f:
        (f / "mine.so").symlink_to(OK)
        answer = """p=$(pwd); printf '{"ok":false,"error":"%s"}\\n' "$p"; exit 3\n"""
        with stub(answer, mode=mode, MACHINA_ROOT=str(f)):
            is_error(run_machina_toolhost(ECHO, {}), "crash", str(f))
        with environment(mode, plugins="mine.so", MACHINA_ROOT=str(f)):
            equal(run_machina_toolhost(ECHO, {}), "{}", "a plugin named relative to it")


def test_variables_count_at_the_next_call(mode):
    with environment(mode, program="/no/such/program"):
        is_error(run_machina_toolhost(ECHO, {}), "not_found")
        os.environ["MACHINA_TOOLHOST_BIN"] = TOOLHOST  # T-DISP-6
        equal(run_machina_toolhost(ECHO, {}), "{}", "afterwards")
        os.environ["MACHINA_LEASE_ENFORCE"] = (
            "1"  # read by the host at its start: another session
        )
        is_error(run_machina_toolhost(SPAWN, {}), "crash", "lease_required")


def test_the_request_on_standard_input_is_the_seeds():
    with stub(
        'printf "%s" "$line" >"$0.line"; printf "%s|" "$@" "$MACHINA_TOOLHOST_TIMEOUT_MS" >"$0.args"\n'
    ) as s:
        run_machina_toolhost(ECHO, {"key": "value"})
        got = (s.parent / "stub.line").read_text()
        equal(
            got,
            '{"aid":"AID.TEST.ECHO.v1","inputs":{"key":"value"}}',
            "C-238, T-DISP-8",
        )
        equal(
            (s.parent / "stub.args").read_text(),
            f"--run|{OK}|{ECHO}|29500|",
            "T-DISP-9",
        )


def test_a_host_gets_a_session_and_a_group_of_its_own(mode):
    text = """ps -o pid= -o pgid= -o sid= -p $$ >&2; exit 3\n"""
    with stub(text, mode=mode):
        pid, group, session = is_error(run_machina_toolhost(ECHO, {}), "crash")[
            "detail"
        ].split()
        expect(pid == group == session, f"T-DISP-9: {pid} {group} {session}")


# ---- sessions ------------------------------------------------------------------------------

COUNTING = """
import json, os, sys
with open(sys.argv[0] + ".started", "a") as f: f.write("x")
for line in iter(sys.stdin.readline, ""):
    if not line.strip(): break
    q = json.loads(line)
    i = q.get("inputs", {})
    with open(sys.argv[0] + ".ran", "a") as f: f.write("x")
    if i.get("die"): os.kill(os.getpid(), 9)
    if i.get("quit"): os._exit(0)
    a = {"ok": True, "status": "OK", "output_json": json.dumps({"pid": os.getpid()}), "error": "", "ds_state": {}}
    a["request_id"] = "other" if i.get("foreign") else q.get("request_id")
    os.write(1, (json.dumps(a) + "\\n").encode() * (2 if i.get("twice") else 1))  # in one piece: both are there at once
    if i.get("late"):
        import time
        while not os.path.exists(i["late"]): time.sleep(0.01)
        print("late", flush=True)
        os.unlink(i["late"])
"""


@contextlib.contextmanager
def counting(**settings):
    with stub(COUNTING, language="python", mode="persistent", **settings) as started:
        path = started.parent / "stub"
        yield lambda what: (
            len(path.with_name(f"stub.{what}").read_text())
            if path.with_name(f"stub.{what}").exists()
            else 0
        )


def test_a_session_is_used_again_and_ends_in_order():
    with counting() as count:
        pids = {run_machina_toolhost(ECHO, {"n": n}) for n in range(20)}
        equal((len(pids), count("started"), count("ran")), (1, 1, 20), "T-DISP-14")
        with takes(0, 0.5):
            shut_down()
        equal(
            run_machina_toolhost(ECHO, {}) in pids,
            False,
            "after shut_down() there is another",
        )


def test_a_session_that_does_not_end_is_told_to_and_then_killed():
    """T-DISP-16: an empty line and the end of the input, 1500 ms, SIGTERM, 500 ms, SIGKILL."""
    for deaf, least, most in ((False, 1.4, 1.9), (True, 1.9, 2.5)):
        text = COUNTING.replace("strip(): break", 'strip(): open(sys.argv[0] + ".asked", "w").close(); break')
        ending = "import signal\n" + ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if deaf else "")
        hang = "\nimport time\ntime.sleep(60)\n"
        with stub(ending + text + hang, language="python", mode="persistent") as started:
            expect(isinstance(run_machina_toolhost(ECHO, {}), str), "it runs")
            with takes(least, most):
                shut_down()
            expect((started.parent / "stub.asked").exists(), "it was not told by an empty line")
            gone(str(started.parent), 0.5)


def test_each_session_is_started_with_a_control_channel():
    text = """case "$*" in *--control-fd*) fd=${4}; test -S /proc/self/fd/$fd && echo "a socket" >&2;; esac; exit 3\n"""
    with stub(text, mode="persistent"):
        is_error(run_machina_toolhost(ECHO, {}), "crash", "a socket")  # T-DISP-14


def test_a_session_that_ends_between_calls_costs_nothing():
    with counting() as count:
        first = json.loads(run_machina_toolhost(ECHO, {}))["pid"]
        os.kill(first, signal.SIGKILL)
        time.sleep(0.1)
        second = json.loads(run_machina_toolhost(ECHO, {}))["pid"]  # C-154, T-DISP-15
        expect(first != second, "the same process")
        os.kill(second, signal.SIGKILL)
        time.sleep(0.1)
        expect(
            isinstance(run_machina_toolhost(ECHO, {}), str),
            "once more, seen before it is written to",
        )
        equal((count("started"), count("ran")), (3, 3), "starts and executions")
    with environment("persistent"):
        equal(run_machina_toolhost(ECHO, {}), "{}", "the real one")
        for pid in sessions():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        equal(run_machina_toolhost(ECHO, {}), "{}", "and again")


def test_a_call_that_was_sent_is_not_sent_again():
    with counting() as count:  # C-155, T-DISP-18
        is_error(run_machina_toolhost(COUNT, {"die": True}), "crash", "signal 9")
        equal(count("ran"), 1, "executions")
        is_error(
            run_machina_toolhost(COUNT, {"quit": True}), "parse_error", "empty output"
        )
        equal(count("ran"), 2, "executions")
        expect(isinstance(run_machina_toolhost(ECHO, {}), str), "the next call")


def test_a_harmless_call_may_be_sent_again():
    listing = {
        "ok": True,
        "tools": [
            {"aid": ECHO, "idempotent": True, "tier": 0},
            {"aid": COUNT, "idempotent": True, "tier": 1},
        ],
    }
    text = f"""
import sys, os, json
if sys.argv[1] == "--list":
    print({json.dumps(listing)!r}); sys.exit(0)
line = json.loads(sys.stdin.readline())
with open(sys.argv[0] + ".ran", "a") as f: f.write("x")
if os.path.getsize(sys.argv[0] + ".ran") == 2: os.kill(os.getpid(), 9)
for _ in range(2):
    print(json.dumps(dict(ok=True, status="OK", output_json="{{}}", error="", request_id=line["request_id"])), flush=True)
    line = json.loads(sys.stdin.readline())
    with open(sys.argv[0] + ".ran", "a") as f: f.write("x")
    os.kill(os.getpid(), 9)
"""
    for aid, again in ((ECHO, True), (COUNT, False)):
        with stub(text, language="python", mode="persistent") as started:
            equal(run_machina_toolhost(aid, {}), "{}", "the first")
            got = run_machina_toolhost(aid, {})  # dies of it
            ran = (started.parent / "stub.ran").stat().st_size
            if again:
                equal((got, ran), ("{}", 3), "T-DISP-18: idempotent and of tier 0")
            else:
                is_error(got, "crash", "signal 9")
                equal(ran, 2, "T-DISP-18: not of tier 0")


def test_answers_to_nobody_are_not_taken():
    with counting(MACHINA_TOOLHOST_POOL_SIZE="1") as count:
        is_error(
            run_machina_toolhost(ECHO, {"foreign": True}),
            "parse_error",
            "another request",
        )  # T-DISP-21
        is_error(run_machina_toolhost(ECHO, {"twice": True}), "parse_error", "two answers")
        with tempfile.TemporaryDirectory() as folder:
            go = pathlib.Path(folder, "go")
            expect(
                isinstance(run_machina_toolhost(ECHO, {"late": str(go)}), str),
                "the call before the late line",
            )
            go.touch()
            until = time.monotonic() + 10
            while go.exists() and time.monotonic() < until:
                time.sleep(0.01)
            expect(not go.exists(), "the late line is said")
        expect(isinstance(run_machina_toolhost(ECHO, {}), str), "the call after it")
        expect(count("started") >= 3, "a session that talks out of turn is kept")


def test_three_failures_to_start_make_calls_oneshot():
    text = f"""
import sys, os
with open(sys.argv[0] + sys.argv[1], "a") as f: f.write("x")
if sys.argv[1] == "--serve":
    sys.stdin.readline()  # what was not taken would be sent again
    sys.exit(3)
print('{{"ok":true,"status":"OK","output_json":"{{}}","error":"","ds_state":{{}}}}')
"""
    with stub(text, language="python", mode="persistent") as started:
        for _ in range(3):
            is_error(run_machina_toolhost(ECHO, {}), "crash", "exit code 3")
        for _ in range(2):
            equal(run_machina_toolhost(ECHO, {}), "{}", "T-DISP-17")
        sizes = [
            (started.parent / f"stub--{w}").stat().st_size for w in ("serve", "run")
        ]
        equal(sizes, [3, 2], "starts")
        pool = next(iter(machina_dispatch._call._pools.values()))
        pool._retry_at = time.monotonic()  # half a minute later
        is_error(run_machina_toolhost(ECHO, {}), "crash", "exit code 3")


def test_no_more_calls_run_at_once_than_the_pool_has_sessions():
    with environment("persistent", MACHINA_TOOLHOST_POOL_SIZE="3"):
        run_machina_toolhost(ECHO, {})
        begun = time.monotonic()
        got = in_threads(9, lambda n: run_machina_toolhost(SLEEP, {"ms": 300}))
        spent = time.monotonic() - begun
        expect(all(isinstance(g, str) for g in got), shown(got))
        expect(
            0.85 < spent < 4,
            f"nine calls of 0.3 s by three sessions took {spent:.2f} s",
        )  # T-DISP-14
        with environment(
            "persistent", MACHINA_TOOLHOST_POOL_SIZE="1", MACHINA_TOOLHOST_TIMEOUT="3"
        ):
            got = in_threads(3, lambda n: run_machina_toolhost(SLEEP, {"ms": 1600}))
            kinds = sorted(g["type"] if isinstance(g, dict) else "ok" for g in got)
            equal(kinds[0], "ok", shown(got))
            equal(kinds[-1], "timeout", "who waits for a session too long is told so")


def in_threads(count, function):
    got = [None] * count

    def one(n):
        got[n] = function(n)

    threads = [threading.Thread(target=one, args=(n,)) for n in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return got


def test_one_key_is_one_execution():
    with folder() as f:
        counter = f / "count"
        more = dict(
            MACHINA_TEST_COUNT=str(counter),
            MACHINA_TOOLHOST_PASS_ENV="MACHINA_TEST_COUNT",
        )
        with environment("persistent", **more):
            request = {"aid": COUNT, "inputs": {}, "idempotency_key": "k"}
            got = in_threads(8, lambda n: call_toolhost(request))
            outputs = {g.get("output_json") for g in got}
            equal(
                (outputs, counter.stat().st_size),
                ({'{"n":1}'}, 1),
                f"C-097, T-DISP-20, T-IDEMP-17: {shown(got)}",
            )
            equal(
                sum(1 for g in got if not g.get("idempotent_hit")),
                1,
                "executions that are none of a hit",
            )
            slow = {"aid": SLEEP, "inputs": {"ms": 500}, "idempotency_key": "s"}
            other = {**slow, "inputs": {"ms": 501}}
            got = in_threads(
                2,
                lambda n: (time.sleep(n * 0.2), call_toolhost(other if n else slow))[1],
            )
            equal(got[0]["status"], "OK", "the first")
            conflict = is_error(got[1], "tool_error", "reused with different input")
            equal(conflict["code"], "key_conflict", "the other input")


def test_a_thousand_calls_leave_nothing_behind(mode):
    calls = 40 if mode == "oneshot" else 1000
    with environment(mode):
        run_machina_toolhost(ECHO, {})
        before = len(os.listdir("/proc/self/fd"))
        got = in_threads(
            4,
            lambda n: [
                run_machina_toolhost(ECHO, {"n": [n, i]}) for i in range(calls // 4)
            ],
        )
        for n, answers in enumerate(got):
            equal(answers, [f'{{"n":[{n},{i}]}}' for i in range(calls // 4)], "outputs")
        after = len(os.listdir("/proc/self/fd"))
        expect(after <= before + 8, f"{before} descriptors, then {after}")
    equal(len(os.listdir("/proc/self/fd")) <= before, True, "descriptors after the end")


def test_a_child_of_fork_has_sessions_of_its_own():
    with environment("persistent", MACHINA_TOOLHOST_POOL_SIZE="1"):
        run_machina_toolhost(ECHO, {})
        child = os.fork()
        if child == 0:
            good = all(
                run_machina_toolhost(ECHO, {"c": i}) == f'{{"c":{i}}}'
                for i in range(20)
            )
            shut_down()
            os._exit(0 if good else 1)
        got = [run_machina_toolhost(ECHO, {"p": i}) for i in range(20)]
        _, status = os.waitpid(child, 0)
        equal((got, status), ([f'{{"p":{i}}}' for i in range(20)], 0), "both")


def test_a_program_ends_its_sessions_when_it_ends():
    program = (
        "from machina_dispatch import run_machina_toolhost as r\n"
        f"print(r({ECHO!r}, {{'a': 1}}))\nimport os; os.environ['X'] = 'y'\n"
    )
    with environment("persistent", MACHINA_TEST_MARK=str(os.getpid())):
        env = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python/src")}
        ran = subprocess.run(
            [sys.executable, "-B", "-c", program],
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
        )
        equal((ran.stdout, ran.returncode), ('{"a":1}\n', 0), ran.stderr)


# ---- a session of one's own ------------------------------------------------------------------


def test_a_held_session_keeps_its_state():
    with environment():
        caller, issuer = open_session(OK)
        with caller, issuer:
            equal(caller.run(ECHO, {"a": 1}), '{"a":1}', "output")
            answer = caller.call({"aid": "AID.TEST.STATUS.v1", "inputs": {"status": 0}})
            digest = answer["ds_digest"]
            expect(digest != EMPTY_STATE, "T-DISP-24: slot 6 is still there")
            good = {"delta": True, "base": digest, "slots": {}}
            equal(caller.call({"aid": FAIL, "ds_state": good})["error"], "boom", "base")
            refused = caller.call(
                {"aid": FAIL, "ds_state": {**good, "base": EMPTY_STATE}}
            )
            equal(
                (refused["error"], refused["code"]),
                ("ds_state base mismatch", "state_base_mismatch"),
                "base",
            )


def test_who_calls_cannot_issue_and_who_issues_can():
    with environment(MACHINA_LEASE_ENFORCE="1"):
        caller, issuer = open_session(OK)  # T-DISP-19
        with caller, issuer:
            is_error(caller.run(SPAWN, {}), "crash", "lease_required")
            refused = caller.call({"aid": "_lease.issue", "tool_aid": SPAWN})
            equal(
                refused["error"], "lease_issue_denied", "the caller issues for itself"
            )
            is_error(
                caller.run("_lease.issue", {}),
                "tool_error",
                "lease_issue_denied: in-band issuing disabled",
            )
            lease = issuer.issue(SPAWN, {"a": 1}, issuer="confirmation")
            expect(lease["ok"], shown(lease))
            got = is_error(
                caller.run(SPAWN, {"a": 2}, lease=lease["token_id"]),
                "tool_error",
                "input mismatch",
            )
            equal(got["code"], "lease_rejected", "code")
            equal(
                caller.run(SPAWN, {"a": 1}, lease=lease["token_id"]),
                "{}",
                "the lease's own inputs",
            )
            is_error(
                caller.run(SPAWN, {"a": 1}, lease=lease["token_id"]),
                "tool_error",
                "already consumed",
            )
            equal(issuer.gc()["consumed"], 1, "leases")
            reachable = everything_below(caller)
            expect(
                not any(type(x).__name__ in ("socket", "Issuer") for x in reachable),
                "a caller holds the channel",
            )
            if sys.platform.startswith("linux"):
                import ctypes

                equal(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), 0, "T-LEASE-20: dumpable")
        equal(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), 1, "dumpable again")


def everything_below(thing):
    """What attributes lead to."""
    seen, rest = {}, [thing]
    while rest:
        x = rest.pop()
        if id(x) in seen:
            continue
        seen[id(x)] = x
        if isinstance(x, (list, tuple, set)):
            rest += list(x)
        elif isinstance(x, dict):
            rest += list(x.values())
        elif (
            hasattr(x, "__dict__")
            and not inspect.ismodule(x)
            and not inspect.isclass(x)
        ):
            rest += list(vars(x).values())
    return list(seen.values())


def test_a_session_that_ended_says_so_and_never_hangs():
    with environment():
        caller, issuer = open_session(OK)
        with caller, issuer:
            equal(caller.run(ECHO, {}), "{}", "before")
            for pid in sessions():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)
            is_error(caller.run(ECHO, {}), "crash")
            is_error(caller.run(ECHO, {}), "crash", "the session ended")
            try:
                issuer.gc()
                raise Failure("a closed channel answers")
            except ConnectionError:
                pass
    with environment(program="/no/such"):
        try:
            open_session(OK)
            raise Failure("a session without a program")
        except FileNotFoundError:
            pass


def test_input_digests_are_those_of_the_reference():
    known = "51705a2c9eb3e7e410a58f696a770c3ac3885a0cf43eb7fc88f5e47c11d4d30d"
    equal(input_sha256('{ "b" : 1, "a":[true,null] }'), known, "T-INP-6, C-206")
    equal(input_sha256({"b": 1, "a": [True, None]}), known, "T-INP-6")
    expect(
        input_sha256('{"a":1.0}') != input_sha256('{"a":1}'),
        "numbers keep their spelling",
    )
    equal(
        input_sha256('{"\\u00e9":"\\/\\u0001"}'),
        input_sha256({"é": "/\x01"}),
        "strings are unescaped",
    )
    for bad in ("[1]", "{", '{"a":1,"a":1}', "{} x"):
        try:
            input_sha256(bad)
            raise Failure(f"{bad} has a digest")
        except ValueError:
            pass


def run_both(namespace):
    tap = Tap()
    for name, function in list(namespace.items()):
        if not name.startswith("test_") or not all(w in name for w in sys.argv[1:]):
            continue
        modes = (
            ("oneshot", "persistent")
            if "mode" in inspect.signature(function).parameters
            else (None,)
        )
        for mode in modes:
            title = words(function) + (f" ({mode})" if mode else "")
            tap.attempt(title, lambda: function(mode) if mode else function())
    tap.finish()


run_both(globals())

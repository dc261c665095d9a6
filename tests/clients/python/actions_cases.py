"""manglecp.actions: what a function says of itself, and the program that runs it, spoken to line by line."""

import dataclasses
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

from both import ROOT, run

from blackbox import Failure, equal, expect, shown

from manglecp import actions
from manglecp.actions import _action

PROGRAM = ROOT / "tests/clients/python/host_program.py"
ENV = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "clients/python/src"),
    "PYTHONDONTWRITEBYTECODE": "1",
}
NO_CHANGE = {"delta": True, "slots": {}, "removed_slots": []}


def aid(name, version=1):
    return f"AID.HOST_PROGRAM.{name.upper()}.v{version}"


class Host:
    """The program, serving."""

    def __init__(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=ENV,
            bufsize=0,
        )
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()

    def send(self, data):
        self.process.stdin.write(data)

    def line(self, patience=20):
        deadline = time.monotonic() + patience
        while b"\n" not in self.buffer:
            ready = select.select(
                [self.process.stdout], [], [], max(0, deadline - time.monotonic())
            )[0]
            expect(ready, f"no answer within {patience} s")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            expect(data, "the output ended")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def call(self, name, inputs=None, **more):
        asked = {
            "aid": name if name.startswith("AID.") else aid(name),
            "inputs": inputs or {},
            **more,
        }
        self.send(json.dumps(asked).encode() + b"\n")
        return self.line()


def output(answer):
    expect(
        answer["ok"] and answer["status"] == "OK" and answer["error"] == "",
        shown(answer),
    )
    return json.loads(answer["output_json"])


def fails(answer, error, status="TOOL_ERROR"):
    equal(
        (answer["ok"], answer["status"], answer["output_json"]),
        (False, status, "{}"),
        shown(answer),
    )
    expect(error in answer["error"], f"{error!r} is not in {answer['error']!r}")
    equal(answer["ds_state"], NO_CHANGE, "a failure changes nothing")


def ran(*words, data=b"", **more):
    return subprocess.run(
        [sys.executable, str(PROGRAM), *words],
        input=data,
        env=ENV,
        capture_output=True,
        timeout=60,
        **more,
    )


# ---- what a function says of itself ------------------------------------------------------------


def entries():
    listed = json.loads(ran("--list").stdout)
    expect(listed["ok"], shown(listed))
    return {entry["name"]: entry for entry in listed["tools"]}


def test_the_list_is_the_toolhosts():
    done = ran("--list")
    equal(
        (done.returncode, done.stdout.count(b"\n"), done.stderr), (0, 1, b""), "T-CLI-9"
    )
    tools = json.loads(done.stdout)["tools"]
    aids = [tool["aid"] for tool in tools]
    equal(aids, sorted(aids), "T-CLI-31")
    wanted = {
        "aid",
        "name",
        "deterministic",
        "tags",
        "side_effects",
        "replay_inputs",
        "description",
        "idempotent",
        "reversible",
        "timeout_ms",
        "input_schema",
        "output_schema",
    }
    for tool in tools:
        equal(set(tool) - {"tier"}, wanted, "T-CLI-29, T-CLI-30")


def test_schemas_come_from_annotations_and_docstrings():
    e = entries()["everything"]
    equal(e["description"], "Say what came, in two lines.", "description")
    equal(
        (e["deterministic"], e["idempotent"], e["reversible"], e["tags"]),
        (True, True, False, ["test"]),
        "flags",
    )
    properties = e["input_schema"]["properties"]
    equal(e["input_schema"]["required"], ["text", "count"], "required")
    equal(e["input_schema"]["additionalProperties"], False, "others")
    point_schema = {
        "type": "object",
        "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        "required": ["x"],
        "additionalProperties": False,
    }
    for name, schema in {
        "text": {"type": "string", "description": "some text, which goes on"},
        "count": {
            "type": "integer",
            "description": "how many",
            "minimum": 0,
            "maximum": 9,
        },
        "ratio": {"type": "number", "description": "a share", "default": 0.5},
        "flag": {"type": "boolean", "default": False},
        "names": {
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]
        },
        "table": {
            "anyOf": [
                {"type": "object", "additionalProperties": {"type": "integer"}},
                {"type": "null"},
            ]
        },
        "mode": {"enum": ["fast", "slow", 3], "default": "fast"},
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "point": {"anyOf": [point_schema, {"type": "null"}]},
        "either": {"type": ["integer", "string", "null"]},
        "whatever": {},
    }.items():
        equal(properties[name], schema, name)
    order = properties["order"]["anyOf"][0]
    equal(
        (set(order["properties"]), order.get("required")),
        ({"id", "lines"}, None),
        "a TypedDict",
    )
    equal(entries()["point"]["output_schema"], point_schema, "what a dataclass returns")
    wrapped = {
        "type": "object",
        "properties": {"result": {"type": "integer"}},
        "required": ["result"],
    }
    equal(
        entries()["counts"]["output_schema"],
        wrapped,
        "what is no object is its member `result`",
    )
    told = entries()["told"]
    equal(
        (told["timeout_ms"], told["tier"], told["reversible"], told["aid"]),
        (1500, 1, True, aid("told", 2)),
        "told",
    )
    equal(told["description"], "Told.", "description")
    equal(
        set(entries()["keeps"]["input_schema"]["properties"]),
        {"slot", "value", "drop", "fail"},
        "the state is none",
    )


def test_what_cannot_be_an_action_says_why_when_it_is_defined():
    define = actions.action

    def refused(*parts, **settings):
        def decorate(function):
            before = dict(_action.ACTIONS)
            try:
                define(**{"side_effects": "none", **settings})(function)
            except (TypeError, ValueError) as wrong:
                for part in parts:
                    expect(part in str(wrong), f"{part!r} is not in {wrong}")
                equal(_action.ACTIONS, before, "it is none")
                return
            raise Failure(f"{function.__name__} is an action")

        return decorate

    @refused("*args")
    def several(*args): ...

    @refused("bytes", "f_bytes(data)")
    def f_bytes(data: bytes): ...

    @refused("dict[str, ...]")
    def f_keys(table: "dict[int, str]"): ...

    @refused("cannot be read", "NoSuchType")
    def f_unknown(x: "NoSuchType"): ...

    @refused("say what it does", side_effects=())
    def f_effects(): ...

    @refused("not both", side_effects=["none", "network_io"])
    def f_both(): ...

    @refused("words like", side_effects=["Filesystem Read"])
    def f_words(): ...

    @refused("is no AID", aid="count")
    def f_aid(): ...

    @refused("is no AID", aid="AID.X.v1\n")
    def f_line(): ...

    @refused("is none", "pattern")
    def f_pattern(x: "actions._types.typing.Annotated[str, {'pattern': '('}]"): ...

    @refused("minimum cannot be 'x'")
    def f_limit(x: "actions._types.typing.Annotated[int, {'minimum': 'x'}]"): ...

    @refused("f_syntax", "cannot be read")
    def f_syntax(x: "1 +"): ...

    @refused("cannot be read")
    def f_attribute(x: "json.NoSuchType"): ...

    @refused("f_nan", "none of JSON")
    def f_nan(x: float = float("nan")): ...

    @refused("f_half", "none of JSON")
    def f_half(x: str = "\ud800"): ...

    @dataclasses.dataclass
    class Made:
        x: int
        seed: dataclasses.InitVar[int]

    def f_made(x): ...

    f_made.__annotations__["x"] = Made
    refused("f_made(x).seed", "no field of")(f_made)

    @refused("f_yields", "cannot yield")
    def f_yields():
        yield 1

    @refused("f_later", "cannot yield")
    async def f_later():
        yield 1

    for thing in (functools.partial(print, 1), len, Made(1, 2), "".join):
        try:
            define(side_effects="none")(thing)
            raise Failure(f"{thing} is an action")
        except TypeError as wrong:
            expect("is a function, made by def" in str(wrong), str(wrong))

    class Shop:
        @refused("a function, not a method")
        def buy(self, what: str): ...

    try:
        define(print)
        raise Failure("without parentheses it is none")
    except TypeError as wrong:
        expect("side_effects" in str(wrong), str(wrong))

    define(side_effects="none", aid="AID.TWICE.v1")(lambda: 1)

    @refused("already", aid="AID.TWICE.v1")
    def f_twice(): ...

    try:
        define()(f_twice)
        raise Failure("side effects need not be said")
    except TypeError:
        pass


def test_a_decorated_function_is_the_function_that_it_was():
    @actions.action(side_effects="none")
    def doubled(x: int) -> int:
        """Doubles."""
        return 2 * x

    equal(
        (doubled(4), doubled.__name__, doubled.action.entry["description"]),
        (8, "doubled", "Doubles."),
        "function",
    )


# ---- values ------------------------------------------------------------------------------------


def test_values_become_what_the_annotations_say():
    with Host() as h:
        got = output(h.call("everything", {"text": "t", "count": 3}))
        equal(
            (got["ratio"], got["colour"], got["mode"]), (0.5, "red", "fast"), "defaults"
        )
        given = {
            "text": "é\u2028\U0001f600",
            "count": 9,
            "ratio": 2,
            "flag": True,
            "names": ["a"],
            "table": {"k": 1},
            "mode": 3,
            "colour": "blue",
            "point": {"x": 1},
            "order": {"id": 1, "lines": [{"x": 1, "y": 2}]},
            "either": "s",
            "whatever": [None, {}],
        }
        got = output(h.call("everything", given))
        equal(got, {**given, "ratio": 2.0, "point": {"x": 1.0, "y": 0.0}}, "everything")
        equal(output(h.call("point", {"x": 1})), {"x": 1.0, "y": 0.0}, "a dataclass")
        equal(output(h.call("nothing")), {}, "None")
        for what, wanted in (
            ("none", {}),
            ("list", {"result": [1, [2, 3]]}),
            ("object", {"a": 1}),
            ("int", {"result": 5}),
            ("point", {"x": 1, "y": 2}),
        ):
            equal(output(h.call("returns", {"what": what})), wanted, what)
        fails(h.call("returns", {"what": "nan"}), "ValueError")
        fails(h.call("returns", {"what": "set"}), "TypeError: JSON has no set")
        fails(h.call("returns", {"what": "half"}), "UnicodeEncodeError")


def test_all_that_is_wrong_with_arguments_is_said_at_once():
    with Host() as h:
        bad = {
            "text": 5,
            "count": 10,
            "ratio": "x",
            "flag": 1,
            "names": ["a", 2],
            "table": {"k": "v"},
            "mode": "medium",
            "colour": "green",
            "point": {"y": 1, "z": 2},
            "either": 1.5,
            "txet": 1,
        }
        answer = h.call("everything", bad)
        for part in (
            "/text: must be a string, not 5",
            "/count: must be at most 9, not 10",
            '/ratio: must be a number, not "x"',
            "/flag: must be true or false, not 1",
            "/names/1: must be a string, not 2",
            '/table/k: must be an integer, not "v"',
            '/mode: must be one of "fast", "slow", 3, not "medium"',
            '/colour: must be one of "red", "blue", not "green"',
            "/point/x: is missing",
            "/point/z: is not known",
            "/either: fits none",
            "/txet: is not known; did you mean text?",
        ):
            fails(answer, part)
        fails(h.call("everything", {}), "/text: is missing; /count: is missing")
        fails(
            h.call("everything", {"text": "", "count": True}),
            "/count: must be an integer, not true",
        )


def test_values_that_check_themselves_are_wrong_arguments_too():
    with Host() as h:
        fails(h.call("checks", {"span": {"least": 2, "most": 1}}), "/span: ValueError: it ends before it begins")
        equal(output(h.call("checks", {"span": {"least": 1, "most": 2}})), {"result": "Span(least=1, most=2) None None"})


def test_a_limit_is_for_values_of_its_kind():
    with Host() as h:
        equal(output(h.call("checks", {"count": None, "any": None})), {"result": "None None None"})
        for value in ("a", [5], {"k": 1}, 1, 1.5, True):
            equal(output(h.call("checks", {"any": value})), {"result": f"None None {value}"})
        for value, part in ((0, "at least 1"), ("ab", "at most 1"), ("b", "match ^a"), ([1, 2], "no more items than 1")):
            fails(h.call("checks", {"any": value}), part)
        fails(h.call("checks", {"count": 0}), "/count: must be at least 1")


# ---- the wire ----------------------------------------------------------------------------------


def test_requests_that_are_none_are_refused_and_the_next_one_runs():
    good = json.dumps({"aid": aid("nothing"), "request_id": "g"}).encode()
    with Host() as h:
        for line, error in (
            (b"nonsense", "invalid JSON"),
            (b"   ", "invalid JSON"),
            (b"[]", "request must be a JSON object"),
            (b"{}", "missing aid"),
            (b'{"aid":7}', "missing aid"),
            (b'{"aid":"AID.NOPE.v1"}', "tool not found: AID.NOPE.v1"),
            (b'{"aid":"x","aid":"y"}', "invalid JSON"),
            (b'{"aid":"\xff"}', "invalid JSON"),
            (b'{"aid":"a"}\x00', "invalid JSON"),
            (b"\xef\xbb\xbf" + good, "invalid JSON"),
            (b"[" * 100_000, "invalid JSON"),
            (good[:-1] + b',"inputs":[]}', "invalid inputs"),
            (good[:-1] + b',"input_json":"{"}', "invalid input_json"),
            (good[:-1] + b',"input_json":{}}', "invalid input_json"),
            (good[:-1] + b',"input_json":"{}","inputs":{"a":1}}', "conflicting"),
            (good[:-1] + b',"timeout_ms":"5"}', "invalid timeout_ms"),
            (
                good[:-1] + b',"ds_state":{"slots":{"9":{}}}}',
                "invalid ds_state: slot 9",
            ),
        ):
            h.send(line + b"\n")
            got = h.line()
            expect(
                got["ok"] is False and "status" not in got and error in got["error"],
                f"{line[:60]}: {shown(got)}",
            )
        h.send(b'{"aid":"' + b"x" * 11_000_000 + b'"}\n')
        equal(
            h.line(), {"ok": False, "error": "request exceeds 10MB limit"}, "T-CLI-17"
        )
        h.send(good + b"\n")
        equal(h.line()["request_id"], "g", "the next one")


def test_lines_in_any_pieces_are_answered_in_order():
    with Host() as h:
        lines = b"".join(
            json.dumps(
                {"aid": aid("counts"), "inputs": {"to": n}, "request_id": str(n)}
            ).encode()
            + b"\n"
            for n in range(300)
        )
        for at in range(0, len(lines), 1777):
            h.send(lines[at : at + 1777])
        equal(
            [h.line()["request_id"] for _ in range(300)],
            [str(n) for n in range(300)],
            "order",
        )
        h.send(json.dumps({"aid": aid("nothing")}).encode())  # no line end
        h.process.stdin.close()
        equal(output(h.line()), {}, "T-CLI-16")
        equal(h.process.wait(10), 0, "the end")
    with Host() as h:
        h.send(b"\r\n")
        equal(h.process.wait(10), 0, "T-CLI-14")


def test_what_an_action_prints_does_not_reach_the_protocol():
    with Host() as h:
        equal(output(h.call("prints")), {"result": "''"}, "its input is empty")
        equal(output(h.call("nothing")), {}, "the next one")
        h.errors.seek(0)
        said = h.errors.read()
        for text in (b'"output_json"', b"raw", b"from a child"):
            expect(text in said, f"{text} is not on standard error")


def test_outputs_are_bounded():
    with Host() as h:
        equal(
            len(output(h.call("blob", {"count": 1_000_000}))["result"]),
            1_000_000,
            "a megabyte",
        )
        fails(
            h.call("blob", {"count": 2_000_000}),
            "tool output too large: 2000013 bytes (limit 1048576)",
        )
        fails(
            h.call("blob", {"count": 400_000, "char": '"'}, request_id="r"),
            "response too large: ",
        )
        fails(h.call("blob", {"count": 1_048_500}), "response too large: ")


def test_errors_come_by_exception():
    with Host() as h:
        fails(h.call("raises", {"what": "action"}), "no such order")
        fails(h.call("raises", {"what": "pick"}), "wrong one", "INVALID_PICK")
        fails(h.call("raises", {"what": "key"}), "KeyError: 'key'")
        fails(
            h.call("raises", {"what": "exit"}),
            "the action ended the program: SystemExit: 3",
        )
        answer = h.call("raises", {"what": "long"}, request_id="r")
        expect(
            len(answer["error"].encode()) <= 4096 and answer["code"] == "tool_error",
            shown(answer),
        )
        fails(h.call("raises", {"what": "empty"}), "tool failed without a message")
        answer = h.call("raises", {"what": "cause"}, request_id="r")
        equal(answer["error"], "ValueError: it is s3cr3t", "the error")
        trace = answer["trace"]
        expect("ValueError at\n" in trace and "caused by KeyError at\n" in trace, trace)
        expect(trace.count(", in raises\n") == 2 and "/_program.py" not in trace, trace)
        expect("s3cr3t" not in trace, "what was said is in the trace")
        answer = h.call("raises", {"what": "deep"}, request_id="r")
        expect(len(answer["trace"].encode()) <= 4000 and "deep" in answer["trace"], shown(answer))
        expect("trace" not in h.call("raises", {"what": "action"}, request_id="r"), "an ActionError has none")
        fails(h.call("raises", {"what": "base"}), "BaseException: of no kind")
        fails(h.call("raises", {"what": "mute"}), "Mute: it cannot say what is wrong")
        fails(h.call("raises", {"what": "odd"}), "tool failed without a message")
        for answer in (h.call("raises", {"what": "cancelled"}, request_id="r"), h.call("cancels_itself", request_id="r")):
            fails(answer, "CancelledError")
            equal(answer["code"], "tool_error", "nobody cancelled it")
        fails(h.call("raises", {"what": "closed"}), "ValueError: without a word")
        equal(output(h.call("nothing")), {}, "the next one")


def test_progress_is_told_to_who_asks():
    with Host() as h:
        h.send(
            json.dumps(
                {
                    "aid": aid("counts"),
                    "inputs": {"to": 4},
                    "request_id": "p",
                    "progress": True,
                }
            ).encode()
            + b"\n"
        )
        events = [h.line() for _ in range(5)]
        equal(
            [e.get("percent") for e in events], [0.0, 25.0, 50.0, 75.0, None], "percent"
        )
        for e in events:
            expect(
                e["event"] == "progress"
                and e["request_id"] == "p"
                and len(e["detail"].encode()) <= 200,
                shown(e),
            )
        equal(output(h.line()), {"result": 4}, "the answer")
        equal(output(h.call("counts", {"to": 4})), {"result": 4}, "nobody asked")
        h.send(
            json.dumps(
                {"aid": aid("leaves_a_thread"), "request_id": "t", "progress": True}
            ).encode()
            + b"\n"
        )
        equal(output(h.line()), {"result": "left"}, "an action that leaves a thread")
        time.sleep(0.05)
        equal(output(h.call("nothing")), {}, "nothing is told of it afterwards")
        h.send(
            json.dumps(
                {
                    "aid": aid("polls"),
                    "inputs": {"seconds": 0.3},
                    "request_id": "n",
                    "progress": True,
                }
            ).encode()
            + b"\n"
        )
        equal(
            output(h.line()),
            {"result": "slept"},
            "nor in a call that follows and wants to be told",
        )
        h.send(
            json.dumps(
                {"aid": aid("threads_tell"), "request_id": "o", "progress": True}
            ).encode()
            + b"\n"
        )
        events = [h.line() for _ in range(2)]
        equal(
            [(e.get("detail"), e["request_id"]) for e in events],
            [("a thread", "o"), ("of the pool", "o")],
            "threads of the call itself tell",
        )
        equal(output(h.line()), {}, "their call")


def test_sigint_cancels_the_running_call():
    with Host() as h:
        equal(output(h.call("nothing")), {}, "it runs")
        os.kill(h.process.pid, signal.SIGINT)
        equal(output(h.call("nothing")), {}, "between calls it does nothing")
        for name in ("sleeps", "AID.HOST.WAITS.v3"):
            h.send(
                json.dumps(
                    {
                        "aid": name if "." in name else aid(name),
                        "inputs": {"seconds": 60},
                        "request_id": "c",
                    }
                ).encode()
                + b"\n"
            )
            time.sleep(0.3)
            begun = time.monotonic()
            os.kill(h.process.pid, signal.SIGINT)
            answer = h.line()
            fails(answer, "cancelled")
            equal(answer["code"], "cancelled", name)
            expect(time.monotonic() - begun < 1, "it takes long")
            equal(output(h.call("nothing")), {}, "the next one")
        for name in ("polls", "polls_async"):
            h.send(
                json.dumps({"aid": aid(name), "inputs": {"seconds": 60}}).encode()
                + b"\n"
            )
            time.sleep(0.3)
            os.kill(h.process.pid, signal.SIGINT)
            equal(output(h.line()), {"result": "cancelled"}, "one that asks")
        equal(
            output(h.call("AID.HOST.WAITS.v3", {"seconds": 0})),
            {"result": "slept"},
            "async",
        )


def test_sigterm_ends_the_program():
    with Host() as h:
        equal(output(h.call("nothing")), {}, "it runs")
        h.process.terminate()
        equal(h.process.wait(10), 0, "between calls")
    with Host() as h:
        equal(output(h.call("nothing")), {}, "it runs")
        h.send(
            json.dumps({"aid": aid("sleeps"), "inputs": {"seconds": 60}}).encode()
            + b"\n"
        )
        time.sleep(0.5)
        h.process.terminate()
        fails(h.line(), "cancelled")
        equal(h.process.wait(10), 0, "in a call")


def test_state_comes_as_a_mapping_and_goes_as_a_delta():
    with Host() as h:
        answer = h.call("keeps", {"slot": 2, "value": {"n": 1}})
        equal(output(answer), {}, "no state came")
        put = {
            "type": "test",
            "provenance": "host",
            "content_json": '{"n":1}',
            "size_bytes": 7,
        }
        equal(
            answer["ds_state"],
            {"delta": True, "slots": {"2": put}, "removed_slots": []},
            "delta",
        )
        answer = h.call(
            "keeps", {"slot": 2, "drop": True}, ds_state={"slots": {"2": put}}
        )
        equal(output(answer), {"2": {"n": 1}}, "what came")
        equal(
            answer["ds_state"],
            {"delta": True, "slots": {}, "removed_slots": [2]},
            "delta",
        )
        equal(output(h.call("keeps")), {}, "nothing stays in the program")
        fails(h.call("keeps", {"slot": 2, "value": 1, "fail": True}), "after writing")
        fails(h.call("keeps", {"slot": 8, "value": 1}), "the slots are 0 to 7")
        fails(h.call("keeps", {"slot": 0, "drop": True}), "KeyError")
        fails(
            h.call("keeps", {"slot": 0, "value": "x" * 1_100_000}),
            "more than the 1048576",
        )


def test_facts_are_left_in_the_artifact_that_servers_take():
    with Host() as h:
        slots = h.call("learns", {"n": 3})["ds_state"]["slots"]
        equal(set(slots), {"7"}, "slot")
        equal(slots["7"]["type"], "manglecp.state_delta", "T-MCP-24")
        equal(
            json.loads(slots["7"]["content_json"]),
            {
                "assert": [
                    {"category": "session", "pred": "seen", "args": [3]},
                    {"category": "derived", "pred": "more", "args": [3]},
                ],
                "retract": [{"pred": "seen", "args": [None]}],
            },
            "content",
        )
    for bad in (
        {"pred": "p"},
        {"args": []},
        {"pred": "p", "args": [], "named_args": {}},
        {"pred": "p", "args": [], "category": "mine"},
    ):
        try:
            actions.change_facts([bad])
            raise Failure(f"{bad} is a fact")
        except ValueError as wrong:
            expect("asserts[0] is no fact" in str(wrong), str(wrong))


def test_the_call_is_known_to_the_action():
    with Host() as h:
        answer = h.call(aid("told", 2), {}, request_id="r.1", timeout_ms=500)
        equal(output(answer), {"request_id": "r.1", "remaining": True}, "call")
        equal(
            output(h.call(aid("told", 2))),
            {"request_id": "", "remaining": False},
            "call",
        )


# ---- --run -------------------------------------------------------------------------------------


def test_run_is_the_toolhosts():
    done = ran("--run", aid("counts"), data=b'{"inputs":{"to":2}}')
    equal(
        (done.returncode, output(json.loads(done.stdout))),
        (0, {"result": 2}),
        "T-CLI-10",
    )
    equal(ran("--run", aid("counts"), "--arg", "to=3").returncode, 0, "arguments")
    done = ran("--run", aid("everything"), "--arg", "text=no JSON", "--arg", "count=2")
    equal(output(json.loads(done.stdout))["text"], "no JSON", "a text")
    for words, data, code, error in (
        (["AID.NOPE.v1"], b"", 4, "tool not found"),
        ([aid("counts")], b"", 5, "invalid JSON"),
        ([aid("counts")], b'{"aid":"AID.OTHER.v1"}', 5, "aid mismatch"),
        ([aid("raises")], b'{"inputs":{"what":"action"}}', 0, "no such order"),
    ):
        done = ran("--run", *words, data=data)
        equal(
            (done.returncode, error in json.loads(done.stdout)["error"]),
            (code, True),
            shown(done.stdout),
        )
    equal(ran().returncode, 2, "T-CLI-2")
    equal(ran("--what").returncode, 2, "usage")
    expect(b"usage:" in ran().stderr, "usage")
    expect(
        b"from a child" in ran("--run", aid("prints"), data=b"{}").stderr,
        "what it prints",
    )


def test_a_warm_call_is_fast():
    with Host() as h:
        data = (
            json.dumps(
                {"aid": aid("nothing"), "inputs": {}, "request_id": "x"}
            ).encode()
            + b"\n"
        )
        times = []
        for _ in range(3000):
            begun = time.perf_counter()
            h.send(data)
            h.line()
            times.append(time.perf_counter() - begun)
        median = sorted(times)[1500] * 1e6
        print(
            f"# a warm call takes {median:.0f} µs at the median, its caller in Python included"
        )
        expect(median < 2000, f"{median} µs")


run(globals())

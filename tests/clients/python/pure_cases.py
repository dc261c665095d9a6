"""The parts of the Python client that need no server: values, times, facts, schemas, codecs."""

import datetime
import random

from both import *

from manglecp import _blocking, _framing, _http, _json, _regex, _request, _time, schema
from manglecp.types import Attempt, ContextResource, Evaluation, Manifest, Tool

F = manglecp.fact
SUITES = [pathlib.Path("/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/draft2020-12")]


def refuses(kind, function, *args, **settings):
    try:
        got = function(*args, **settings)
    except kind as e:
        return e
    raise Failure(f"{args} gave {got!r}, expected {kind.__name__}")


# ---- JSON ------------------------------------------------------------------------------------


def test_json_is_read_strictly():
    for text in (
        b'{"a":1,"a":2}',
        b"NaN",
        b"-Infinity",
        b"[1,]",
        b"{'a':1}",
        b"01",
        b"+1",
        b".5",
        b'"\xff"',
        b'"\\ud83d"',
        b"\xef\xbb\xbf1",
        b"1 2",
        b"",
        b"[" * 100_000,
        b"9" * 5000,
        b'{"a":{"b":1,"b":1}}',
        b'["\\udc00x"]',
    ):
        refuses(ValueError, _json.decode, text)
    many = ",".join(f'"k{i}":1' for i in range(300_000))
    with takes(0, 10):
        refuses(ValueError, _json.decode, f'{{{many},"z":1,"z":2}}'.encode())
    equal(_json.decode(b'{"a":[1,1.0,true,null,"\\ud83d\\ude00"]}'), {"a": [1, 1.0, True, None, "😀"]}, "value")


def test_json_is_written_exactly():
    for value in (float("nan"), float("inf"), "\ud800", {1: 2} and {"a": object()}, {"a": {1, 2}}):
        refuses(ValueError, _json.encode, value)
    circle = []
    circle.append(circle)
    refuses(ValueError, _json.encode, circle)
    equal(_json.encode({"a": "é\u2028\x00", "n": 1.0}), '{"a":"é\u2028\\u0000","n":1.0}'.encode(), "text")


def test_wire_values_are_told_apart():
    apart = [1, 1.0, "1", True, None, [1], {"k": 1}, 0, False, "", [], {}, [1.0], {"k": 1.0}, "true"]
    keys = [_json.identity(v) for v in apart]
    equal(len(set(keys)), len(apart), "identities")  # P-FACT-20
    for a, b in (
        (0.0, -0.0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ((1, 2), [1, 2]),  # P-FACT-21
        (7, {"_type": "int64", "value": "7"}),
    ):  # D-11
        equal(_json.identity(a), _json.identity(b), f"{a} beside {b}")
    expect(_json.identity([1, 2]) != _json.identity([2, 1]), "lists have an order")
    for odd in ("07", "+7", "7.0", "9223372036854775808", "", "-0", "٣", " 7", "1_0"):
        expect(not _json.is_int64_wrapper({"_type": "int64", "value": odd}), f"{odd} is a canonical int64")


def test_large_integers_are_wrapped():
    for n, wrapped in ((2**53 - 1, False), (-(2**53) + 1, False), (2**53, True), (-(2**63), True)):
        value = F("p", [n])["args"][0][0]
        equal(value, {"_type": "int64", "value": str(n)} if wrapped else n, "value")  # P-FACT-18, P-FACT-19


# ---- times -----------------------------------------------------------------------------------


def test_times_are_read_as_the_protocol_has_them():
    for text, nanos in (
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00.5z", 500_000_000),
        ("1970-01-01T05:30:00+05:30", 0),
        ("1969-12-31T23:59:59.999999999-00:00", -1),
        ("1970-01-01T00:00:00.1234567899Z", 123_456_789),
        ("2016-12-31T23:59:60Z", 1483228800 * 10**9),
        ("2017-01-01T00:59:60+01:00", 1483228800 * 10**9),
    ):
        equal(_time.parse(text), nanos, text)
    for text in (
        "2026-02-30T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "yesterday",
        "",
        "2026-01-01 00:00:00Z",
        "9999-01-01T00:00:00Z",
        "1600-01-01T00:00:00Z",
        "2026-06-01T12:30:60Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00.Z",
        "２026-01-01T00:00:00Z",
    ):
        refuses(ValueError, _time.parse, text)


def test_times_survive_a_round_trip():
    draw = random.Random(5)
    for _ in range(500):
        nanos = draw.randrange(-(2**63), 2**63)
        equal(_time.parse(_time.text_of(nanos)), nanos, _time.text_of(nanos))
    moment = datetime.datetime(2026, 7, 4, 8, 0, 0, 250, datetime.timezone(datetime.timedelta(hours=2)))
    equal(_time.wire_time(moment), "2026-07-04T06:00:00.00025Z", "time")
    refuses(ValueError, _time.wire_time, datetime.datetime(2026, 7, 4))


# ---- facts -----------------------------------------------------------------------------------


def preds(facts):
    return [(f["pred"], f["args"]) for f in facts]


def test_a_fact_is_written_as_the_wire_wants_it():
    equal(
        F("p", 1, ("a", 2.0), at="now", source="x-me"),
        {"pred": "p", "args": [1, ["a", 2.0]], "t": {"at": "now"}, "source": {"source_type": "x-me"}},
        "fact",
    )
    equal(F("p", start="2026-07-04T06:00:00Z")["t"], {"start": "2026-07-04T06:00:00Z", "end": "_"}, "t")
    equal(F("p", named={"a": 1}), {"pred": "p", "named_args": {"a": 1}}, "fact")
    refuses(ValueError, F, "p", 1, named={"a": 1})
    refuses(ValueError, F, "p", at="now", end="now")


def test_no_fact_is_known_twice():
    known = manglecp.WorkingFacts()
    equal(known.add(F("p", 1), F("p", 1), F("p", 1.0), F("p", True), F("p", "1")), 4, "new")  # D-48
    equal(
        known.add(F("p", 1, source="x-a"), {"pred": "p", "args": [1], "category": "server"}), 0, "new"
    )  # P-PROV-7
    equal(
        known.add(
            {"pred": "p", "args": [1], "t": None}, {"pred": "p", "args": [1], "t": {"start": "_", "end": "_"}}
        ),
        0,
        "always is always",
    )  # D-22
    point = "2026-07-04T06:00:00Z"
    equal(
        known.add(
            F("p", 1, at=point), F("p", 1, start=point, end=point), F("p", 1, at="2026-07-04T08:00:00+02:00")
        ),
        1,
        "a point is an interval",
    )  # P-TIME-10
    equal(known.add(F("p", 1, at="now"), F("p", 1, at="now"), F("p", 1, start="now")), 2, "symbols")
    expect(F("p", 1) in known and F("p", 2) not in known, "contains")


def test_a_signed_fact_takes_the_place_of_an_equal_one():
    def signed(tag):
        return {**F("p", 1), "source": {"source_type": "server", "signature": tag}}

    known = manglecp.WorkingFacts([F("p", 1), F("q")])
    equal(known.add(signed("v1.a")), 0, "how many are new")
    equal(list(known), [signed("v1.a"), F("q")], "facts")
    known.add(F("p", 1))  # what is unsigned takes no place
    known.apply(manglecp.StateDelta((signed("v1.b"), signed("v1.c")), (F("q"),)))
    equal(list(known), [signed("v1.c")], "facts: the newest signature counts longest")
    merged = manglecp.facts.merged
    for one, other in ((F("p", 1), signed("v1.a")), (signed("v1.a"), F("p", 1))):
        equal(merged([one], [other], lambda _: None), [signed("v1.a")], "facts of a request")


def test_named_arguments_are_the_same_fact():
    known = manglecp.WorkingFacts([F("p", named={"b": 2, "a": 1}), F("p", 1, 2)])
    equal(len(known), 2, "before anybody knows the order")
    known.use_names(lambda pred: ("a", "b"))
    equal(len(known), 1, "facts")  # P-FACT-12
    equal(known.add(F("p", named={"a": 1, "b": 2})), 0, "new")
    equal(known.retract({"pred": "p", "args": [1, None]}), 1, "retracted")


def test_what_is_retracted_matches_exactly():
    near = [F("p", "a", 1), F("p", "a", 1.0), F("p", "a", 2), F("p", "b", 1), F("p", "a"), F("q", "a", 1)]
    known = manglecp.WorkingFacts(near)
    equal(known.retract({"pred": "p", "args": ["a", 1]}), 1, "retracted")  # P-DELTA-4
    equal(preds(known), preds(near[1:]), "left")
    known = manglecp.WorkingFacts(near)
    equal(known.retract({"pred": "p", "args": ["a", None]}), 3, "retracted")  # P-DELTA-5
    equal(preds(known), preds(near[3:]), "left")
    known = manglecp.WorkingFacts([F("p", [1]), F("p", {"k": 1})])
    equal(
        known.retract({"pred": "p", "args": [[None]]}, {"pred": "p", "args": [{"k": None}]}), 0, "inside values"
    )  # D-48
    at = "2026-07-04T06:00:00Z"
    known = manglecp.WorkingFacts([F("p", 1), F("p", 1, at=at), F("p", 1, start=at)])
    equal(known.retract(F("p", 1, start=at, end=at)), 1, "with a time only that interval")
    equal(known.retract({"pred": "p", "args": [1], "source": {"x": 1}}), 2, "without a time any")
    equal(known.retract({"pred": "p", "args": [1]}, {"pred": "p"}, {}), 0, "nothing is no error")


def test_a_delta_retracts_before_it_asserts():
    known = manglecp.WorkingFacts([F("p", "a", 1), F("p", "b", 1)])
    delta = manglecp.StateDelta.read(
        {
            "assert": [{"pred": "p", "args": ["a", 2], "category": "server"}, {"bad": 1}, 7],
            "retract": [{"pred": "p", "args": ["a", None]}, None],
        }
    )
    applied = known.apply(delta)
    equal((applied.retracted, applied.asserted, applied.complete), (1, 1, True), "applied")  # P-DELTA-6
    equal(list(known), [F("p", "b", 1), F("p", "a", 2)], "left")
    equal(manglecp.StateDelta.read([F("p", 1)]).asserts, (F("p", 1),), "a bare array")  # D-47
    expect(not manglecp.StateDelta.read("nonsense"), "nonsense is an empty delta")


def test_facts_that_are_nested_without_end_are_no_facts():
    deep = value = []
    for _ in range(100_000):
        value.append([])
        value = value[0]
    refuses(manglecp.InvalidRequest, manglecp.WorkingFacts().add, {"pred": "p", "args": deep})
    equal(
        manglecp.StateDelta.read({"assert": [{"pred": "p", "args": deep}, F("p", 1)]}).asserts,
        (F("p", 1),),
        "asserts",
    )
    equal(schema.check({"enum": [1]}, deep), [], "the schema leaves it open")
    deep.clear()


def test_facts_are_added_all_or_none_and_bounded():
    known = manglecp.WorkingFacts(limit=3)
    e = refuses(manglecp.InvalidRequest, known.add, F("p", 1), {"pred": 1}, "x")
    equal([f.where for f in e.faults], ["/facts/1", "/facts/2"], "faults")
    refuses(manglecp.InvalidRequest, known.add, *[F("p", n) for n in range(4)])
    equal(len(known), 0, "facts")
    known.add(*[F("p", n) for n in range(3)])
    equal(known.add(F("p", 0)), 0, "what is known needs no room")
    mine = {"pred": "p", "args": [["x"]]}
    known = manglecp.WorkingFacts([mine])
    mine["args"][0].append("changed later")
    equal(list(known), [F("p", ["x"])], "facts")


def test_a_fault_names_what_was_meant():
    m = Manifest.read(manifest()["payload"])
    faults = _request.check_intent(m, "needi", {}, False) + _request.check_facts(m, [F("sekret", 1), F("out", 1)])
    equal(
        [(f.where, f.issue) for f in faults],
        [
            ("/intent/name", "unknown_intent"),
            ("/facts/0", "unknown_predicate"),
            ("/facts/1", "direction_violation"),
        ],
        "faults",
    )
    expect("needy" in faults[0].message and "secret" in faults[1].message, f"{faults}")
    faults = _request.check_settings(
        {"max_tools_returned": 0, "max_compute_ms": 0, "max_facts_created": 1.5, "max_tokens_budget": None},
        {"disclosure_preference": "verbose", "include_proof_hints": "yes"},
    )
    equal(
        [f.where for f in faults],
        [
            "/constraints/max_facts_created",
            "/constraints/max_compute_ms",
            "/options/include_proof_hints",
            "/options/disclosure_preference",
        ],
        "faults",
    )  # D-27


# ---- schemas ---------------------------------------------------------------------------------


def official():
    folder = next((s for s in SUITES if s.is_dir()), None)
    if not folder:
        raise Skip("libtest-json-schema-acceptance-perl is not installed")
    for path in sorted([*folder.glob("*.json"), *folder.glob("optional/*.json")]):
        for group in json.loads(path.read_text()):
            for case in group["tests"]:
                yield path.stem, f"{path.stem}: {group['description']}: {case['description']}", group[
                    "schema"
                ], case


# The files of the keywords that every implementation here enforces (protocol.md 2.12), and three more.
ENFORCED = set("""type enum const properties required additionalProperties propertyNames minProperties maxProperties
    items prefixItems minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
    minLength maxLength pattern allOf anyOf oneOf not if-then-else boolean_schema ref patternProperties contains
    minContains maxContains dependentRequired dependentSchemas infinite-loop-detection""".split())
LEFT_OPEN = ("float division = inf", "annotations are still collected inside a 'not'")


def refers_abroad(wanted):
    """Local references are resolved here; what has a base of its own is the server's business."""
    text = json.dumps(wanted)
    return "$id" in text or "$anchor" in text or "unevaluated" in text or '"$ref": "http' in text


def test_nothing_valid_is_refused():
    count = 0
    for _, name, wanted, case in official():
        if case["valid"]:
            count += 1
            equal(schema.check(wanted, case["data"]), [], name)
    expect(count > 600, f"only {count} cases")


def test_what_official_cases_call_invalid_is_found():
    judged = [
        (name, wanted, case)
        for file, name, wanted, case in official()
        if not case["valid"] and file in ENFORCED and not refers_abroad(wanted)
    ]
    missed = [name for name, wanted, case in judged if not schema.check(wanted, case["data"])]
    equal([name for name in missed if not any(words in name for words in LEFT_OPEN)], [], "missed")
    expect(len(judged) > 300, f"only {len(judged)} cases")


def test_faults_have_their_place_and_keyword():
    wanted = {
        "type": "object",
        "required": ["a/b"],
        "additionalProperties": False,
        "properties": {
            "list": {"type": "array", "items": {"$ref": "#/$defs/small"}},
            "one": {"oneOf": [{"type": "string"}, {"minimum": 5}]},
            "a/b": {},
        },
        "$defs": {"small": {"type": "integer", "maximum": 3, "multipleOf": 0.1}},
    }
    faults = schema.check(wanted, {"list": [1, "x", 9], "one": 3, "x~y": 1}, "/args")
    equal(
        sorted((f.where, f.issue) for f in faults),
        [
            ("/args", "required"),
            ("/args/list/1", "type"),
            ("/args/list/2", "maximum"),
            ("/args/one", "oneOf"),
            ("/args/x~0y", "additionalProperties"),
        ],
        "faults",
    )


def test_what_is_not_known_is_not_refused():
    for wanted in (
        {"novelty": 1},
        {"not": {"novelty": 1}},
        {"oneOf": [{"novelty": 1}, {"novelty": 2}]},
        {"if": {"novelty": 1}, "then": False, "else": False},
        {"$ref": "https://elsewhere.example/x"},
        {"type": "quaternion"},
        {"minimum": "much"},
        {"pattern": "(?<=a)b"},
        {"properties": 7},
        {"enum": 7},
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"},
        {"allOf": [7]},
        7,
        None,
        {"$ref": "#"},
        {"$ref": "#/$defs/none"},
        {"items": [False]},
        {"pattern": 7},
        {"type": ["string", "x"]},
        {"$dynamicRef": "#x"},
        {"additionalProperties": False, "patternProperties": {"(?i)x": {}}} and True,
    ):
        equal(schema.check(wanted, 5), [], f"{wanted}")
    equal(
        schema.check({"additionalProperties": False, "patternProperties": {"(?i)x": {}}}, {"x": 1}),
        [],
        "open patterns",
    )


def test_schemas_that_go_in_circles_have_an_end():
    deep = value = {}
    for _ in range(5000):
        value["a"] = {}
        value = value["a"]
    with takes(0, 5):
        schema.check({"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}, 1)
        schema.check({"properties": {"a": {"$ref": "#"}}}, deep)
        schema.check({"$defs": {"x": {"allOf": [{"$ref": "#/$defs/x"}] * 3}}, "$ref": "#/$defs/x"}, 1)


def test_expressions_that_could_run_for_long_are_left_to_the_server():
    for pattern in (
        "(a+)+$",
        "(a|aa)+$",
        "(a*)*b",
        "((a+)b?)+$",
        "(.*)*x",
        "a*a*a*a*b",
        "(?:a{1,9}){1,9}x",
        "\\1(a)",
        "(?<n>a)",
        "a++",
        "\\p{L}",
        "a{,3}",
        "x" * 5000,
        "(",
        ")",
        "]",
        "[]",
        "[^]",
        "\\u{1F600}",
        "(?i)a",
        "[\\S]",
        "\\cA",
        "*",
        "a**",
        "\\ud800",
        "a{2,1}",
        "^(a?){30}a{30}$",
        "^" + "a?" * 30 + "a" * 30 + "$",
        "^" + "(a|a)" * 30 + "$",
        "^(?:a|a){30}$",
        "(a|ab)(a|b)(b|c)|" * 30 + "(a+){20}b",
        "^(a+){20}$",
        "(?:(?:\\b){9999}){9999}",
    ):
        equal(_regex.matcher(pattern), None, pattern)
    with takes(0, 5):
        for pattern in ("a*a*a*b", "^(?:[a-z]+)-(?:[a-z]+)$", ".*.*x", "\\s+\\S+$"):
            for length in (59, 199, 1999, 100_000):
                m = _regex.matcher(pattern)
                expect(m is not None, pattern)
                m("a" * length)
        slow = "^" + "(a|a)" * 14 + ".*.*b$"
        equal(schema.check({"pattern": slow}, "a" * 5000), [], "an expression on a long text")
        equal(schema.check({"not": {"pattern": "x*x*y"}}, "z" * 10_000), [], "what is left open, negated")
        many = {f"^a*a*a*c{i}$": {"type": "null"} for i in range(50_000)}
        equal(schema.check({"patternProperties": many}, {"a" * 60: 1}), [], "many expressions")
        long = {"patternProperties": {"x*x*x*y": {"type": "null"}}, "additionalProperties": False}
        equal(schema.check(long, {"z" * 1000: 1}), [], "a name that is too long for its expression")


def test_schemas_that_multiply_have_an_end():
    with takes(0, 10):
        for keyword in ("allOf", "anyOf", "oneOf"):
            parts = {f"d{i}": {keyword: [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)}
            for last in (True, False):
                bomb = {"$ref": "#/$defs/d0", "$defs": {**parts, "d40": last}}
                equal(schema.check(bomb, "x"), [], f"{keyword} of {last}")
        choices = [f"choice {i}" for i in range(1000)]
        equal(schema.check({"allOf": [{"enum": choices}] * 1000}, "x"), [], "choices")
        large = {"$defs": {"c": {"const": [[0] * 9000]}}, "allOf": [{"$ref": "#/$defs/c"}] * 9000}
        equal(schema.check(large, "x"), [], "a large constant")
        equal(len(schema.check({"items": {"enum": ["a", "b"]}}, ["x"] * 500)), 100, "faults of a plain schema")


def test_expressions_mean_what_they_mean_in_the_schema():
    for pattern, text, wanted in (
        ("^a$", "a\n", False),
        ("^.$", "\u2028", False),
        ("\\s", "\u00a0", True),
        ("\\S", "\u00a0", False),
        ("^[\\s-]+$", "\ufeff- ", True),
        ("\\d", "٣", False),
        ("\\w", "é", False),
        ("^[^x]$", "😀", True),
        ("^\\u0041\\x42$", "AB", True),
        ("a{2}", "aa", True),
        ("^(?!no)\\w+$", "node", False),
        ("a/b", "a/b", True),
        ("^[a\\]b]+$", "]", True),
        ("\\.", "x", False),
        ("^(ab|cd)?$", "cd", True),
    ):
        m = _regex.matcher(pattern)
        expect(m is not None, f"{pattern} is not judged")
        equal(m(text), wanted, f"{pattern} on {text!r}")


# ---- codecs ----------------------------------------------------------------------------------

RESPONSES = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: x\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
    b"HTTP/1.0 200\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
]


def test_a_response_is_the_same_in_any_pieces():
    for raw in RESPONSES:
        whole = _http.ResponseReader(100)
        whole.feed(raw)
        expect(whole.done and whole.reusable, f"{raw!r} is not whole")
        pieces = _http.ResponseReader(100)
        for i in range(len(raw)):
            expect(not pieces.done, "done too early")
            pieces.feed(raw[i : i + 1])
        equal(
            (pieces.status, pieces.headers, pieces.body, pieces.done, pieces.reusable),
            (whole.status, whole.headers, whole.body, True, True),
            "response",
        )
        for cut in range(len(raw)):
            r = _http.ResponseReader(100)
            r.feed(raw[:cut])
            expect(not r.end(), f"cut at {cut} it counts as whole")


def test_responses_that_could_be_read_in_two_ways_are_refused():
    for raw in (
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n folded: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nName : x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"HTTP/1.1 101 Switching\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 11,
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 101 + b"\r\n",
        b"H" * 70_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\n",
        b"HTTP/1.1 099 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"T: x\r\n" * 200,
    ):
        refuses(manglecp.ProtocolError, _http.ResponseReader(100).feed, raw)


def test_headers_of_caching_are_read():
    for text, age in (
        ("max-age=60", 60),
        ("no-cache", 0),
        ("public, max-age=5, max-age=9", 5),
        ("", 300),
        ("max-age=x", 300),
        ("NO-STORE", 0),
    ):
        equal(_http.max_age_s({"cache-control": text}, 300), age, text)
    equal([_http.retry_after_s(v) for v in ("7", None, "soon", "Wed, 21 Oct")], [7.0, None, None, None], "seconds")


def test_lines_are_the_same_in_any_pieces():
    raw = b'{"a":1}\r\n\n  \n{"b":2}\n'
    whole, pieces = _framing.LineFraming(20), _framing.LineFraming(20)
    wanted = whole.receive(raw)
    equal(wanted, [b'{"a":1}\r', b'{"b":2}'], "lines")
    equal([m for i in range(len(raw)) for m in pieces.receive(raw[i : i + 1])], wanted, "lines")
    for long in (b"x" * 22, b"x" * 22 + b"\n"):
        refuses(manglecp.ProtocolError, _framing.LineFraming(20).receive, long)
    equal(_framing.LineFraming(20).receive(b"x" * 20 + b"\n"), [b"x" * 20], "a line of the limit")


# ---- consent and texts -------------------------------------------------------------------------


def test_a_challenge_is_signed_as_others_sign_it():
    token = manglecp.confirm.sign("v1.1795346485629.db8d2999.kqB5", b"a key of the confirming program!")
    equal(token, "v1.1795346485629.db8d2999.kqB5.Rf1FXFX3MbqSfOhXhDtsHdGA_oxi_xnvYk7GqvSTgNg", "token")
    equal(manglecp.Options(confirm_key="YSBrZXk").key_bytes(), b"a key", "key")
    refuses(ValueError, manglecp.Options(confirm_key="not base64!").key_bytes)
    expect("a key" not in repr(manglecp.Options(confirm_key=b"a key", token="t0ken")), "a secret is in the repr")
    expect("t0ken" not in repr(manglecp.Options(token="t0ken")), "a secret is in the repr")


def test_what_a_server_says_cannot_draw_on_the_terminal():
    q = manglecp.Question(
        "rm\x1b[2K", "Harmless.\u202egnihton\u200b\r", ("destructive",), False, {"a": "x\ny"}, "id"
    )
    text = str(q)
    liar = manglecp.Question("t", "d\n  effects: none; it can be undone", ("payments",), False, {}, "id")
    equal(len(str(liar).splitlines()), 2, "lines")
    expect(not any(c in text for c in "\x1b\u202e\u200b\r"), repr(text))
    expect("\\u001b[2K" in text and "cannot be undone" in text and 'a = "x\\ny"' in text, repr(text))
    e = manglecp.Refused({"code": "x-y", "message": "no\x1b[31m", "recoverable": False})
    expect("\x1b" not in str(e), str(e))


def test_tools_and_resources_read_as_the_protocol_says():
    equal(
        [ContextResource(u).url for u in ("notes/a.md", "s3://b/c", "/x:y", "urn:a")],
        ["file://notes/a.md", "s3://b/c", "file:///x:y", "urn:a"],
        "addresses",
    )  # P-CTX-3
    t = Tool.read(
        tool(
            validity={"expires_at": "2026-07-04T06:00:00Z"},
            safety={"requires_user_confirmation": False, "side_effects": ["none"]},
        )
    )
    nanos = _time.parse("2026-07-04T06:00:00Z")
    equal([t.expired(nanos - 1), t.expired(nanos)], [False, True], "expired")  # D-41
    equal(t.safety.side_effects, (), "none is no effect")  # D-39
    e = Evaluation.read(
        {
            "macro_tools": [
                tool(
                    context_injection={
                        "skills": [
                            {"skill_id": "a", "inline": True, "content": "A"},
                            {"skill_id": "b", "inline": False},
                        ]
                    }
                )
            ],
            "eval_time_used": "x",
            "required_skills": [{"skill_id": "b", "content": "B"}],
        }
    )
    equal([e.skill_text(s) for s in "abc"], ["A", "B", None], "texts")  # D-66
    refuses(KeyError, e.tool, "other")
    attempt = Attempt(t, {"n": 1}, "k")
    equal(Attempt.from_json(attempt.as_json()).key, "k", "key")


def test_a_connection_that_breaks_while_it_is_written_to_can_be_ended():
    class Broken(_blocking._Stream):
        def write(self, data):
            raise ConnectionResetError("broken")

        def release(self):
            pass

    s = Broken()
    s.out += b"x"
    try:
        s.flush()
        raise Failure("no error")
    except OSError:  # whose traceback holds what was being written
        s.abort()
    expect(s.closed and not s.out, "it is not ended")


def test_the_version_is_the_packages():
    text = (ROOT / "clients/python/pyproject.toml").read_text()
    expect('attr = "manglecp._version.__version__"' in text, "the version is said twice")
    expect((ROOT / "clients/python/src/manglecp/py.typed").exists(), "py.typed is missing")
    equal((ROOT / "clients/python/LICENSE").read_bytes(), (ROOT / "LICENSE").read_bytes(), "licence")


run(globals())

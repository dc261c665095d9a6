"""Every row of part 6 of docs/reference/protocol.md, over stdio and over HTTP: the code that the input
draws, what stands in the envelope's id, the HTTP status, and that the next good message is served."""
import dataclasses
import datetime
import time

from blackbox import *

BOTH, STDIO, HTTP = {"stdio", "http"}, {"stdio"}, {"http"}
ECHO = "echo"
TOKEN, OTHER = "token-of-the-table", "token-of-somebody-else"


@dataclasses.dataclass
class Row:
    number: int
    what: str
    message: object                # dict or bytes; its id is what ECHO means
    code: str = "malformed_message"  # None: no error
    id: str = None                 # None or ECHO
    over: set = dataclasses.field(default_factory=lambda: BOTH)
    reason: str = None             # details.reason, or a set of those allowed
    issue: str = None              # of the first violation
    answers: int = 1               # stdio: how many answers it draws
    headers: dict = dataclasses.field(default_factory=dict)
    path: str = None               # HTTP: where it is sent
    check: object = None           # a function of the answer


rows = []


def row(number, what, message, code="malformed_message", id=None, **more):
    rows.append(Row(number, what, message, code, id, **more))


def text(message, **swaps):
    """The message's JSON with some text exchanged, to write what no writer would."""
    raw = encode(message)
    for old, new in swaps.items():
        expect(old.encode() in raw, f"{old} is not in {raw}")
        raw = raw.replace(old.encode(), new if isinstance(new, bytes) else new.encode())
    return raw


def with_argument(raw):
    return text(intent("fx.echo", [fact("fx_basic", "tag", 1, True, "PLACE")]), **{'"PLACE"': raw})


def without(message, member):
    return {k: v for k, v in message.items() if k != member}


def changed(**members):
    return {**good(), **members}


def payload(**members):
    message = good()
    message["payload"].update(members)
    return message


def with_fact(entry, name="fx.echo"):
    return intent(name, [BASIC, entry])


def event(t):
    return with_fact({**fact("fx_event", "door", "open"), "t": t})


def constraints(**members):
    return payload(constraints=members)


# ---- text level ----------------------------------------------------------------------------

row(1, "a message cut short", b'{"type":"intent_request",', reason="json")
row(2, "an empty body", b"", over=HTTP)
row(3, "a byte order mark", b"\xef\xbb\xbf" + encode(good()), reason="bom")
row(4, "a lone 0xFF in a string", with_argument(b'"\xff"'), reason="utf8")
row(6, "an overlong form in a string", with_argument(b'"\xc0\xaf"'), reason="utf8")
row(7, "an escaped lone surrogate", with_argument(b'"\\ud83d"'), reason="utf8")
row(8, "a raw control character", with_argument(b'"\x01"'), reason="json")
row(9, "UTF-16", json.dumps(good()).encode("utf-16-le"), reason={"utf8", "json"})
row(9, "UTF-16 with its byte order mark", json.dumps(good()).encode("utf-16"),
    reason={"utf8", "json", "bom"})
row(10, "a trailing comma", with_argument(b"[1,]"), reason="json")
row(10, "a comment", with_argument(b"1/*one*/"), reason="json")
row(10, "single quotes", with_argument(b"'x'"), reason="json")
for spelling in ("NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1."):
    row(11, f"{spelling} as a number", with_argument(spelling.encode()), reason="json")
row(12, "a second value behind a good message", encode(good()) + b" {}", reason="json")
row(13, "two id members", text(good(), **{'{"type"': '{"id": "twice", "type"'}),
    reason="duplicate_key")
row(14, "two pred members, the second reserved",
    text(good(), **{'{"pred": "fx_basic"': '{"pred": "fx_basic", "pred": "_manglecp_intent"'}),
    reason="duplicate_key")
row(15, "500 nested arrays in an argument", with_argument(b"[" * 500 + b"]" * 500), reason="depth")
row(16, "a million opening brackets", b"[" * 1000000, reason="depth")
row(17, "one byte more than the limit", encode(good()).ljust(16777217), "message_too_large",
    check=lambda a: equal(a["payload"]["details"]["max_message_bytes"], 16777216, "limit"))

# ---- envelope ------------------------------------------------------------------------------

row(19, "an array of two good requests", encode([good(), good()]), reason="envelope")
for value in ("text", 7, True, None):
    row(20, f"{value!r} as the whole message", encode(value), reason="envelope")
row(21, "no id", without(good(), "id"))
row(21, "id null", changed(id=None))
row(22, "an empty id", changed(id=""))
row(23, "a number as id", changed(id=42))
row(23, "an object as id", changed(id={}))
row(25, "no type", without(good(), "type"), id=ECHO)
row(25, "a type that is no string", changed(type=7), id=ECHO)
row(26, "list_tools", changed(type="list_tools"), "invalid_type", ECHO)
row(26, "a type in other letters", changed(type="Intent_Request"), "invalid_type", ECHO)  # P-ENV-11
for kind in ("intent_response", "invoke_response", "progress", "error", "manifest",
             "authenticate_response"):
    row(27, f"{kind} from a client", changed(type=kind), "invalid_type", ECHO)
for value in (None, 1):
    row(28, f"manglecp {value!r}", changed(manglecp=value), id=ECHO)
row(28, "no manglecp", without(good(), "manglecp"), id=ECHO)
row(29, "another protocol's version", changed(manglecp="2024-11-05"), "unsupported_version", ECHO,
    check=lambda a: equal(a["payload"]["details"],  # P-ENV-9
                          {"requested_version": "2024-11-05", "supported_versions": [VERSION]}))
row(30, "unknown version and unknown type", changed(manglecp="2024-11-05", type="list_tools"),
    "unsupported_version", ECHO)
row(31, "no payload", without(good(), "payload"), id=ECHO)  # P-ENV-10
for value in (None, [], "x"):
    row(31, f"payload {value!r}", changed(payload=value), id=ECHO)

# ---- transport -----------------------------------------------------------------------------

NULL_OR_ECHO = "null or echo"
row(32, "text/plain", good(), id=NULL_OR_ECHO, over=HTTP, headers={"Content_Type": "text/plain"},
    reason="http")
row(32, "no content type", good(), id=NULL_OR_ECHO, over=HTTP, headers={"Content_Type": None},
    reason="http")
row(33, "charset latin1", good(), id=NULL_OR_ECHO, over=HTTP, reason="http",
    headers={"Content_Type": "application/json; charset=latin1"})
row(34, "Accept: text/html", good(), id=NULL_OR_ECHO, over=HTTP, headers={"Accept": "text/html"},
    reason="http")
row(36, "an unknown path", good(), "x-not_found", over=HTTP, path="/manglecp/nowhere")
row(37, "an invocation at the evaluation endpoint", invoke("x"), "invalid_type", ECHO, over=HTTP,
    path="intent")
row(38, "cancel over HTTP", {**request("cancel", {"request_id": "x"}), "id": None}, "invalid_type",
    ECHO, over=HTTP)
row(38, "cancel with an id over HTTP", request("cancel", {"request_id": "x"}, "c-38"), "invalid_type",
    ECHO, over=HTTP)
row(38, "authenticate over HTTP", request("authenticate", {"scheme": "bearer", "token": "x"}),
    "invalid_type", ECHO, over=HTTP)
row(39, "only the payload", encode(good()["payload"]), over=HTTP)  # P-HTTP-7
row(43, "JSON over four lines", b'{\n"type": "intent_request",\n"id": "x"\n}', over=STDIO, answers=4)

# ---- intent payload ------------------------------------------------------------------------

row(58, "no intent", request("intent_request", {"facts": []}), id=ECHO)
row(58, "a bare string as intent", payload(intent="fx.echo"), id=ECHO)
row(59, "no intent.name", payload(intent={}), id=ECHO)
for value in ("", 7):
    row(59, f"intent.name {value!r}", payload(intent={"name": value}), id=ECHO)
row(60, "params as an array", payload(intent={"name": "fx.echo", "params": []}), id=ECHO)
row(61, "facts as an object", payload(facts={}), id=ECHO)
row(61, "a string among the facts", payload(facts=[BASIC, "fact"]), "invalid_facts", ECHO)
for value in (-1, 0, "5"):
    row(62, f"max_compute_ms {value!r}", constraints(max_compute_ms=value), id=ECHO)
row(62, "max_compute_ms 5e2", text(constraints(max_compute_ms=77777), **{"77777": "5e2"}), id=ECHO)
row(63, "max_tools_returned 1.5", constraints(max_tools_returned=1.5), id=ECHO)
row(64, "disclosure_preference verbose", payload(options={"disclosure_preference": "verbose"}),
    id=ECHO)
row(65, "include_proof_hints yes", payload(options={"include_proof_hints": "yes"}), id=ECHO)
for value in ("_", "tomorrow", True):
    row(66, f"eval_time {value!r}", payload(eval_time=value), id=ECHO)
row(67, "one fact too many", payload(facts=[BASIC] * 10001), "too_many_facts", ECHO,
    check=lambda a: equal(a["payload"]["details"], {"limit": 10000, "actual": 10001}))  # P-BUDGET-10
row(68, "a required fact is missing", intent("fx.echo"), "invalid_facts", ECHO,
    check=lambda a: equal(a["payload"]["details"].get("missing_facts"), ["fx_basic"]))  # P-MAN-17
row(69, "an intent that nobody knows", intent("zz.nothing"), None, ECHO,
    check=lambda a: equal(names(a), []))  # P-EVAL-10

# ---- facts ---------------------------------------------------------------------------------

NAMED = {"tag": "t", "n": 1, "on": True, "x": "x"}
row(70, "args and named_args", with_fact({**BASIC, "named_args": NAMED}), "invalid_facts", ECHO,
    issue="args_and_named_args")  # P-FACT-5
row(71, "neither args nor named_args", with_fact({"pred": "fx_basic"}), "invalid_facts", ECHO,
    issue="args_missing")
row(72, "args as an object", with_fact({"pred": "fx_basic", "args": {}}), "invalid_facts", ECHO)
row(72, "named_args as an array", with_fact({"pred": "fx_basic", "named_args": []}), "invalid_facts",
    ECHO)
row(73, "an unknown name", with_fact({"pred": "fx_basic", "named_args": {**NAMED, "bogus": 1}}),
    "invalid_facts", ECHO, issue="unknown_named_arg")  # P-FACT-14
row(74, "a missing name", with_fact({"pred": "fx_basic", "named_args": without(NAMED, "on")}),
    "invalid_facts", ECHO, issue="missing_named_arg")  # P-FACT-15
row(75, "names for a predicate without names",
    with_fact({"pred": "fx_noname", "named_args": {"a": "x", "b": 1}}), "invalid_facts", ECHO,
    issue="named_args_unsupported")  # P-FACT-13
row(76, "no pred", with_fact({"args": ["x"]}), "invalid_facts", ECHO)
for value in (None, 7):
    row(76, f"pred {value!r}", with_fact({"pred": value, "args": ["x"]}), "invalid_facts", ECHO)
for name in ("Alarm", "1st", "a.b", "a-b", "a b", "", "é"):  # P-FACT-1
    row(77, f"pred {name!r}", with_fact(fact(name, 1)), "invalid_facts", ECHO,
        issue="invalid_predicate_name")
row(78, "a pred of 129 characters", with_fact(fact("p" * 129, 1)), "invalid_facts", ECHO,
    issue="invalid_predicate_name")  # P-FACT-2
row(78, "a pred of 128 characters is a name", with_fact(fact("p" * 128, 1)), "unknown_predicate", ECHO)
row(79, "_private", with_fact(fact("_private", 1)), "invalid_facts", ECHO)
row(80, "a reserved name", with_fact(fact("_manglecp_intent", "x")), "reserved_predicate", ECHO,
    issue="reserved_predicate")  # P-FACT-4
row(81, "an undeclared predicate", with_fact(fact("zz_not_declared", 1)), "unknown_predicate", ECHO,
    issue="unknown_predicate")  # P-FACT-9
for name in ("prohibited", "client_permission", "intent_type", "final_selected"):  # P-EVAL-6
    row(82, f"the server's own {name}", with_fact(fact(name, "fx_echo", "x")), "unknown_predicate",
        ECHO)
row(83, "a predicate that only the server sends", with_fact(fact("fx_out", "x")), "invalid_facts",
    ECHO, issue="direction_violation")  # P-SCHEMA-7
for arguments in ((), ("a",), ("a", 1, True, "x", 5)):
    row(84, f"{len(arguments)} arguments for four", with_fact(fact("fx_basic", *arguments)),
        "arity_mismatch", ECHO, issue="arity_mismatch",
        check=lambda a, n=len(arguments): equal(  # P-FACT-7
            [a["payload"]["details"]["violations"][0].get(k) for k in ("expected_arity", "actual_arity")],
            [4, n]))
row(85, "text for a number", with_fact(fact("fx_basic", "t", "1", True, 1)), "type_mismatch", ECHO,
    issue="type_mismatch", check=lambda a: equal(  # P-FACT-8
        a["payload"]["details"]["violations"][0].get("argument_index"), 1))
row(85, "true for text", with_fact(fact("fx_basic", True, 1, True, 1)), "type_mismatch", ECHO)
row(86, "an arity fault and a reserved name",
    intent("fx.echo", [BASIC, fact("fx_basic", 1), fact("_manglecp_x", 1)]), "invalid_facts", ECHO,
    check=lambda a: equal([v["fact_index"] for v in a["payload"]["details"]["violations"]], [1, 2]))
row(87, "2^53 as a bare number", with_argument(b"9007199254740992"), "invalid_facts", ECHO,
    issue="integer_out_of_range")  # P-FACT-19
row(88, "99999999999999999999", with_argument(b"99999999999999999999"), "invalid_facts", ECHO,
    issue="integer_out_of_range")
row(89, "1e400", with_argument(b"1e400"), "invalid_facts", ECHO, issue="number_out_of_range")
row(90, "1e3 is a float", with_argument(b"1e3"), None, ECHO)
row(91, "a wrapped number that is none", with_argument(b'{"_type":"int64","value":"12x"}'),
    "invalid_facts", ECHO, issue="bad_typed_value")
row(91, "a wrapped number beyond int64",
    with_argument(b'{"_type":"int64","value":"9223372036854775808"}'), "invalid_facts", ECHO)
row(92, "a decimal", with_argument(b'{"_type":"decimal","value":"1.5"}'), "invalid_facts", ECHO,
    issue="bad_typed_value")
row(93, "null as an argument", with_argument(b"null"), "invalid_facts", ECHO,
    issue="non_ground_argument")  # P-FACT-22
row(93, "null within an argument", with_argument(b'{"k":[null]}'), "invalid_facts", ECHO,
    issue="non_ground_argument")
row(93, "a variable", with_argument(b'{"_var":"X"}'), "invalid_facts", ECHO)  # P-FACT-23
row(94, "category permanent", with_fact({**BASIC, "category": "permanent"}), "invalid_facts", ECHO,
    issue="invalid_category")
row(95, "category server", with_fact({**BASIC, "category": "server"}), None, ECHO)
row(96, "an empty source", with_fact({**BASIC, "source": {}}), "invalid_facts", ECHO,
    issue="invalid_source")  # P-PROV-1
row(96, "source_type robot", with_fact({**BASIC, "source": {"source_type": "robot"}}),
    "invalid_facts", ECHO, issue="invalid_source")  # P-PROV-2

# ---- time in facts -------------------------------------------------------------------------

NOON = "2026-07-04T12:00:00Z"
for value in ({}, [], "now"):
    row(97, f"t {value!r}", event(value), "invalid_facts", ECHO, issue="invalid_temporal_annotation")
row(98, "at and start", event({"at": NOON, "start": NOON}), "invalid_facts", ECHO,
    issue="invalid_temporal_annotation")
row(99, "start only", event({"start": NOON}), "invalid_facts", ECHO,
    issue="invalid_temporal_annotation")
row(100, "at _", event({"at": "_"}), "invalid_facts", ECHO)
row(101, "start after end", event({"start": NOON, "end": "2026-07-04T11:59:59Z"}), "invalid_facts",
    ECHO, issue="inverted_interval")
for value in ("2026-02-30T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01", "2026-01-01T00:00:00",
              "yesterday"):  # P-TIME-1
    row(102, f"at {value}", event({"at": value}), "invalid_facts", ECHO, issue="invalid_time")
row(103, "a space instead of T", event({"at": "2026-07-04 12:00:00Z"}), "invalid_facts", ECHO,
    issue="invalid_time")
row(103, "second 60", event({"at": "2026-07-04T12:00:60Z"}), "invalid_facts", ECHO,
    issue="invalid_time")
row(104, "the year 9999", event({"start": NOON, "end": "9999-12-31T23:59:59Z"}), "invalid_facts", ECHO,
    issue="invalid_time")
row(107, "t on a predicate without time", with_fact({**BASIC, "t": {"at": NOON}}), "invalid_facts",
    ECHO, issue="temporal_not_accepted")  # P-SCHEMA-5
row(108, "an operator in t", event({"op": "<-", "window": "5m"}), "invalid_facts", ECHO)  # P-TIME-16
row(108, "a time of true", event({"at": True}), "invalid_facts", ECHO)

# ---- budgets -------------------------------------------------------------------------------

SEEDS = [fact("fx_seed", n) for n in range(20)]
row(109, "more facts than max_facts_created",
    intent("fx.blowup", SEEDS, constraints={"max_facts_created": 10}), "derivation_limit_exceeded",
    ECHO, check=lambda a: equal(  # P-BUDGET-5, P-BUDGET-6
        (a["payload"]["details"]["budget"]["limit"],
         a["payload"]["details"]["budget"]["consumed"] >= 10), (10, True)))
row(110, "more intervals than allowed", intent("fx.recent", [
    {**fact("fx_event", "x", "y"), "t": {"at": f"2026-07-04T12:00:{2 * i:02}Z"}} for i in range(20)],
    constraints={"max_intervals_per_atom": 10}), "interval_limit_exceeded", ECHO)
row(111, "longer than max_compute_ms", intent("fx.slow", constraints={"max_compute_ms": 50}),
    "evaluation_timeout", ECHO)

# ---- invocation and control ----------------------------------------------------------------

for members in ({"args": {}}, {"macro_id": 7, "args": {}}, {"macro_id": "x"},
                {"macro_id": "x", "args": []}):  # P-INV-1
    row(113, f"the payload {members}", request("invoke_request", members), id=ECHO)
row(114, "an invented macro_id", invoke("invented-0123456789ab"), "macro_not_found", ECHO)  # P-INV-2
row(121, "a number as confirmation_token", invoke("x", confirmation_token=7), id=ECHO)
row(125, "cancel without request_id", request("cancel", {}, "c-1"), over=STDIO)
for kind in ("submit_rule", "subscribe"):  # P-MAN-29
    row(127, kind, changed(type=kind), "invalid_type", ECHO)

LATER = {
    5: "needs WebSocket", 18: "needs WebSocket", 41: "needs WebSocket", 42: "needs WebSocket",
    55: "the server loads before it listens: nobody can see it boot",
    105: "this server takes all three time formats", 106: "this server takes all three time formats",
    112: "a domain that recurses dangerously in time does not load, so no intent reaches its rules",
}


# ---- the table over both transports --------------------------------------------------------

def judge(row, answer):
    sent = row.message.get("id") if isinstance(row.message, dict) else sent_id(row.message)
    if row.code is None:
        equal(answer["type"], "intent_response", f"type of {shown(answer)}")
    else:
        equal(code_of(answer), row.code, f"code of {shown(answer)}")
    if row.id == NULL_OR_ECHO:
        expect(answer["id"] in (None, sent), f"id {answer['id']}")
    else:
        equal(answer["id"], sent if row.id == ECHO else None, f"id of {shown(answer)}")
    details = answer["payload"].get("details", {})
    if row.reason:
        allowed = row.reason if isinstance(row.reason, set) else {row.reason}
        expect(details.get("reason") in allowed, f"reason {details.get('reason')}, not {row.reason}")
    if row.issue:
        equal(details["violations"][0]["issue"], row.issue, f"issue in {shown(details)}")
    if row.check:
        row.check(answer)


def sent_id(raw):
    found = re.search(rb'"id": "([^"]*)"', raw)
    return found and found.group(1).decode()


def serves_on(ask):
    equal(names(ask(good())), ["fx_echo"], "the next good message")


def over_stdio(row):
    s = session()
    s.send(row.message)
    for _ in range(row.answers):
        judge(row, s.receive())
    serves_on(s.ask)


listeners = {}


def connection():
    """One kept connection to one server, as long as it may be kept."""
    if "c" not in listeners:
        l = listeners["l"] = Listener("--auth", token_file(
            token_line(TOKEN, "table", "intent:*"), token_line(OTHER, "other", "intent:*")))
        programs.remove(l.program)
        listeners["c"] = l.connect(TOKEN)
    return listeners["c"]


def over_http(row):
    c = connection()
    path = c.server.intent_path if row.path == "intent" else row.path
    try:
        response = c.post(row.message, path, **row.headers)
    except (BrokenPipeError, ConnectionResetError):
        listeners["c"] = listeners["l"].connect(TOKEN)
        raise Failure("the connection was closed before the answer")
    judge(row, response.message)
    if response.headers.get("connection") == "close":
        expect(row.number == 17, "the connection was closed")
        listeners["c"] = listeners["l"].connect(TOKEN)
    serves_on(listeners["c"].ask)


def over(transport, row):
    try:
        (over_stdio if transport == "stdio" else over_http)(row)
    except Failure:
        if transport == "http" and "l" in listeners:
            listeners["c"] = listeners["l"].connect(TOKEN)
        raise


# ---- rows that need more than one message --------------------------------------------------

def special_24():
    s = session()
    size = busy_size(s.ask, 0.5)
    s.send(intent("fx.slow", id="same", params={"size": size}), good("same"))
    first = s.receive()
    refused(first, "malformed_message", reason="duplicate_id")
    equal(first["id"], None, "id")
    second = s.receive()
    equal((second["type"], second["id"]), ("intent_response", "same"), "the first request")
    serves_on(s.ask)


def special_35():
    c = connection()
    response = c.get(c.server.intent_path)
    equal(code_of(response.message), "x-method_not_allowed", "code")
    expect("POST" in response.headers.get("allow", ""), f"Allow: {response.headers.get('allow')}")
    serves_on(c.ask)


def special_40():
    c = connection().server.connect(TOKEN)
    c.send(c.head("POST", c.server.intent_path, 1000) + b'{"type":')
    c.socket.shutdown(socket.SHUT_WR)
    if c.fill():
        refused(c.response().message, "malformed_message")
    expect(c.closed(), "the connection stays open")
    serves_on(connection().ask)


def special_44():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    refused(s.ask(good()), "auth_required")
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    equal(answer["type"], "authenticate_response", "answer to a good token")
    serves_on(s.ask)
    s.end()


def special_45():
    c = connection().server.connect()
    message = good()
    response = c.post(message)
    refused(response.message, "auth_required")
    equal(response.message["id"], message["id"], "id")
    expect(response.headers.get("www-authenticate", "").startswith("Bearer"), "WWW-Authenticate")
    equal(response.headers.get("connection"), None, "Connection")


def special_46():
    response = connection().server.connect().post(b'{"type":')
    refused(response.message, "auth_required")
    equal(response.message["id"], None, "id")


def special_47():
    l = Listener("--auth", token_file(token_line(TOKEN, "old", "intent:*",
                                                 expires="2020-01-01T00:00:00Z")))
    refused(l.connect(TOKEN).ask(good()), "auth_invalid", reason="expired")


def special_48():
    c = connection().server.connect()
    answer = c.post(good(), Authorization="Basic dXNlcjpwYXNz").message
    refused(answer, "auth_invalid", reason="scheme")


def special_49():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    for _ in range(2):
        refused(s.ask(request("authenticate", {"scheme": "bearer", "token": "wrong"})), "auth_invalid")
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    equal(answer["type"], "authenticate_response", "answer to the good token")
    s.end()


def special_50():
    """Closing with 1008 is WebSocket's; a session on stdio has one caller, and goes on."""
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    for _ in range(3):
        refused(s.ask(request("authenticate", {"scheme": "bearer", "token": "wrong"})), "auth_invalid")
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    equal(answer["type"], "authenticate_response", "answer to the good token")
    s.end()


def special_51():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    answer = s.ask(request("authenticate", {"scheme": "kerberos", "token": TOKEN}))
    refused(answer, "auth_invalid", reason="scheme")
    s.end()


def special_52():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    refused(s.ask(request("authenticate", {"scheme": "bearer"})), "malformed_message")
    s.end()


def special_53():
    l = Listener("--auth", token_file(token_line(TOKEN, "narrow", "intent:fx.echo")))
    c = l.connect(TOKEN)
    refused(c.ask(intent("fx.rank")), "auth_insufficient")
    serves_on(c.ask)


def special_54():
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
    s = Session("--auth", token_file(token_line(TOKEN, "brief", "intent:*",
                                                expires=soon.strftime("%Y-%m-%dT%H:%M:%SZ"))))
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    equal(answer["type"], "authenticate_response", "answer while the token is good")
    time.sleep(3.2)
    refused(s.ask(good()), "auth_invalid", reason="expired")
    s.end()


def special_56():
    s = Session()
    s.send(intent("fx.slow", id="running", params={"size": busy_size(s.ask, 1.5)}))
    time.sleep(0.2)
    s.program.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    s.send(good("late"))
    answers = {}
    while (line := s.line()) is not None:
        message = check_message(decode(line))
        answers[message["id"]] = message
    expect("late" in answers, f"no answer to the late request: {shown(answers)}")
    refused(answers["late"], "server_not_ready", status="draining")  # P-READY-10
    equal(answers["running"]["type"], "intent_response", "the running request")  # P-READY-9
    s.program.wait()


def special_57():
    s = Session("--set", "rate.limit=3", "--set", "rate.window=1h")
    for _ in range(3):
        serves_on(s.ask)
    answer = refused(s.ask(good()), "rate_limited")
    expect(answer.get("retry_after_ms", 0) > 0, "no retry_after_ms")
    s.end()


def fx_tool(ask, name, *facts, tool=None, **payload):
    return tool_of(ask(intent(name, facts, **payload)), tool)


def special_115():
    c = connection()
    tool = fx_tool(c.ask, "fx.echo", BASIC)
    refused(c.server.connect(OTHER).ask(invoke(tool, {"label": "x"})), "macro_not_found")
    equal(c.ask(invoke(tool, {"label": "x"}))["type"], "invoke_response", "its owner")


def moment(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%SZ")


def recent(ask, seconds):
    """The tool of fx.recent, for an event and an evaluation so many seconds from now."""
    event = {**fact("fx_event", "door", "open"), "t": {"at": moment(seconds)}}
    return fx_tool(ask, "fx.recent", event, eval_time=moment(seconds + 1))


def special_116():
    refused(session().ask(invoke(recent(session().ask, -3600))), "macro_expired", reason="expired")


def special_117():
    refused(session().ask(invoke(recent(session().ask, 3600))), "macro_expired",
            reason="not_yet_valid")


def special_118():
    tool = fx_tool(session().ask, "fx.echo", BASIC)
    for args in ({}, {"label": 7}, {"label": "x", "more": 1}):  # P-INV-4
        answer = refused(session().ask(invoke(tool, args)), "schema_validation_failed")
        expect(answer["details"]["schema_errors"], "no schema_errors")


def danger(s):
    return fx_tool(s.ask, "fx.danger", tool="fx_danger")


def special_119():
    s = session()
    refused(s.ask(invoke(danger(s), {"target": 7})), "schema_validation_failed")


def special_120():
    s = session()
    tool = danger(s)
    for members in ({}, {"confirmation_token": None}, {"confirmation_token": ""}):  # P-INV-5
        answer = s.ask(invoke(tool, {"target": "x"}, **members))
        refused(answer, "confirmation_required", macro_id=tool["macro_id"],
                side_effects=["destructive"], reversible=False)


def special_122():
    s = session()
    answer = s.ask(invoke(danger(s), {"target": "x"}, confirmation_token="made-up"))
    refused(answer, "confirmation_invalid")


def special_123():
    l = Listener("--auth", token_file(token_line(TOKEN, "person", "intent:*",
                                                 confirm_key=base64url(CONFIRM_KEY))))
    c = l.connect(TOKEN)
    tool = fx_tool(c.ask, "fx.danger", tool="fx_danger")
    asked = refused(c.ask(invoke(tool, {"target": "x"})), "confirmation_required")
    challenge = asked["details"]["challenge"]
    tag = hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest()
    again = invoke(tool, {"target": "x"}, confirmation_token=f"{challenge}.{base64url(tag)}")
    equal(c.ask(again)["type"], "invoke_response", "the first use")
    refused(c.ask({**again, "id": "again"}), "confirmation_invalid", reason="used")


def special_124():
    s = session()
    tool = fx_tool(s.ask, "fx.fail", tool="fx_fail")
    refused(s.ask(invoke(tool)), "execution_failed", reason="tool_error")


def special_126():
    s = session()
    s.send(request("cancel", {"request_id": "never-seen"}))
    expect(s.quiet(), "a cancel for an unknown request was answered")
    serves_on(s.ask)


SPECIAL = {24: "an id that is open", 35: "GET on the evaluation endpoint", 40: "a body cut short",
           44: "an intent before authenticate", 45: "no credentials",
           46: "no credentials and no good body", 47: "an expired token", 48: "Basic",
           49: "a wrong token, twice", 50: "a wrong token, the third time on stdio",
           51: "scheme kerberos", 52: "authenticate without token",
           53: "a token without the permission", 54: "a token that expires meanwhile",
           56: "an intent while draining", 57: "more requests than the rate allows",
           115: "a macro_id of somebody else", 116: "after expires_at", 117: "before not_before",
           118: "arguments that break the schema", 119: "bad arguments and no confirmation",
           120: "no confirmation", 122: "a made-up confirmation", 123: "a confirmation, twice",
           124: "a tool without a result",
           126: "cancel for an unknown request"}


# ---- running the table ----------------------------------------------------------------------

def main():
    tap = Tap()
    seen = set()
    wanted = {int(w) for w in sys.argv[1:]}
    for number in range(1, 128):
        if wanted and number not in wanted:
            continue
        here = [r for r in rows if r.number == number]
        for one in here:
            for transport in sorted(one.over, reverse=True):
                tap.attempt(f"row {number} over {transport}: {one.what}", lambda: over(transport, one))
        if number in SPECIAL:
            tap.attempt(f"row {number}: {SPECIAL[number]}", globals()[f"special_{number}"])
            clean_up_but_tokens()
        elif not here:
            why = LATER.get(number)
            (tap.skip if why else tap.not_ok)(f"row {number}", why or "no test for this row")
        seen.add(number)
    if shared:
        tap.attempt("the stdio server ends well", end_shared)
    if "l" in listeners:
        tap.attempt("the HTTP server ends well", listeners["l"].stop)
    clean_up()
    tap.finish()


def clean_up_but_tokens():
    for program in programs:
        program.kill()
    programs.clear()


main()

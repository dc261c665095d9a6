"""Every row of part 6 of docs/reference/protocol.md over each transport that can carry it: the code that the
input draws, what stands in the envelope's id, the HTTP status, what becomes of the connection, and that the
next good message is served.

Rows that are one message are `row`s; those that need more, or a server of their own, are functions. Both say
`over` which transports, and the last case is that no number is missing."""
import dataclasses

from transports import *
from life import gated

ECHO = "echo"


@dataclasses.dataclass
class Row:
    number: int
    what: str
    message: object                # dict or bytes; its id is what ECHO means
    code: str = "malformed_message"  # None: no error
    id: str = None                 # None or ECHO
    over: tuple = ANY
    reason: str = None             # details.reason, or a set of those allowed
    issue: str = None              # of the first violation
    answers: int = 1               # sessions: how many answers it draws
    closes: int = None             # WebSocket: the code with which the server closes behind it
    frame: bytes = None            # WebSocket: what is sent instead of one text frame
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
row(2, "nothing", b"", over=(HTTP, WS))  # a line of nothing is no message
row(3, "a byte order mark", b"\xef\xbb\xbf" + encode(good()), reason="bom")
row(4, "a lone 0xFF in a string", with_argument(b'"\xff"'), reason="utf8", over=(STDIO, HTTP))
row(5, "a lone 0xFF in a string", with_argument(b'"\xff"'), reason="utf8", over=(WS,), closes=1007)
row(6, "an overlong form in a string", with_argument(b'"\xc0\xaf"'), reason="utf8", closes=1007)
row(7, "an escaped lone surrogate", with_argument(b'"\\ud83d"'), reason="utf8")
row(8, "a raw control character", with_argument(b'"\x01"'), reason="json")
UTF16 = json.dumps(intent("fx.echo", [fact("fx_basic", "é", 1, True, "x")]), ensure_ascii=False)
row(9, "UTF-16", UTF16.encode("utf-16-le"), reason={"utf8", "json"}, closes=1007)
row(9, "UTF-16 with its byte order mark", UTF16.encode("utf-16"), reason={"utf8", "json"}, closes=1007)
row(9, "UTF-16 of ASCII, which is UTF-8 with zeros between", json.dumps(good()).encode("utf-16-le"),
    reason="json")
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
row(18, "a frame that announces more than twice the limit", b"", "message_too_large", over=(WS,),
    frame=frame(TEXT, length=2 * 16777216 + 1), closes=1009,
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
row(32, "text/plain", good(), id=NULL_OR_ECHO, over=(HTTP,), headers={"Content_Type": "text/plain"},
    reason="http")
row(32, "no content type", good(), id=NULL_OR_ECHO, over=(HTTP,), headers={"Content_Type": None},
    reason="http")
row(33, "charset latin1", good(), id=NULL_OR_ECHO, over=(HTTP,), reason="http",
    headers={"Content_Type": "application/json; charset=latin1"})
row(34, "Accept: text/html", good(), id=NULL_OR_ECHO, over=(HTTP,), headers={"Accept": "text/html"},
    reason="http")
row(36, "an unknown path", good(), "x-not_found", over=(HTTP,), path="/manglecp/nowhere")
row(37, "an invocation at the evaluation endpoint", invoke("x"), "invalid_type", ECHO, over=(HTTP,),
    path="intent")
row(38, "cancel over HTTP", {**request("cancel", {"request_id": "x"}), "id": None}, "invalid_type",
    ECHO, over=(HTTP,))
row(38, "cancel with an id over HTTP", request("cancel", {"request_id": "x"}, "c-38"), "invalid_type",
    ECHO, over=(HTTP,))
row(38, "authenticate over HTTP", request("authenticate", {"scheme": "bearer", "token": "x"}),
    "invalid_type", ECHO, over=(HTTP,))
row(39, "only the payload", encode(good()["payload"]))  # P-HTTP-7
row(41, "a binary frame", good(), over=(WS,), reason="framing", frame=frame(BINARY, encode(good())))
for what, raw in (("an unmasked frame", frame(TEXT, encode(good()), masked=False)),
                  ("a reserved opcode", frame(3, encode(good()))),
                  ("a reserved control opcode", frame(11, b"")),
                  ("a reserved bit", frame(TEXT, encode(good()), reserved=4))):
    row(42, what, good(), over=(WS,), answers=0, frame=raw, closes=1002)
row(43, "JSON over four lines", b'{\n"type": "intent_request",\n"id": "x"\n}', over=(STDIO,), answers=4)

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
for name in ("prohibited", "client_permission", "client_trust_level", "intent_type", "final_selected"):  # P-EVAL-6
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
row(85, "a float for an integer", with_fact(fact("fx_basic", "t", 1.0, True, 1)), "type_mismatch", ECHO,
    issue="type_mismatch", check=lambda a: equal(  # P-FACT-8, P-FACT-17
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
    ECHO, issue="temporal_not_accepted")  # P-SCHEMA-5, D-13
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
row(125, "cancel without request_id", request("cancel", {}, "c-1"), over=SESSIONS)
for kind in ("submit_rule", "subscribe"):  # P-MAN-29, D-69
    row(127, kind, changed(type=kind), "invalid_type", ECHO)


# ---- playing a row -------------------------------------------------------------------------

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


def serves_on(client):
    equal(names(client.ask(good())), ["fx_echo"], "the next good message")


OLD, NARROW = "token-of-yesterday", "token-of-one-intent"
TOKENS = [everything(), everything(OTHER, "other"), everything(OLD, "old", expires="2020-01-01T00:00:00Z"),
          token_line(NARROW, "narrow", "intent:fx.echo")]
kept = {}  # "listener", and the client of each network transport


def listener():
    if "listener" not in kept:
        kept["listener"] = start(HTTP, "--ping-interval", "1h", tokens=TOKENS)
        programs.remove(kept["listener"].program)
    return kept["listener"]


def client(transport):
    """One that the rows share, as long as it may be kept."""
    if transport == STDIO:
        return session()
    if transport not in kept:
        kept[transport] = enter(transport, listener())
    return kept[transport]


def visitor(transport, token=None):
    """A client that knows nobody: of the listener, or on a stdio that asks who it is."""
    return enter(transport, start(STDIO, tokens=TOKENS) if transport == STDIO else listener(), token)


def bye(client):
    if isinstance(client, Session):
        client.end()


def post(row):
    c = client(HTTP)
    path = listener().intent_path if row.path == "intent" else row.path
    try:
        response = c.post(row.message, path, **row.headers)
    except (BrokenPipeError, ConnectionResetError):
        raise Failure("the connection was closed before the answer")
    judge(row, response.message)
    if response.headers.get("connection") == "close":
        expect(row.number == 17, "the connection was closed")
        del kept[HTTP]


def say(row, transport):
    s = client(transport)
    if transport == WS and row.frame is not None:
        s.write(row.frame)
    else:
        s.send(row.message)
    for _ in range(row.answers):
        judge(row, s.receive())
    if transport == WS and row.closes:
        s.closes(row.closes)
        del kept[WS]


def play(row, transport):
    post(row) if transport == HTTP else say(row, transport)
    serves_on(client(transport))


# ---- rows that need more than one message, or a server of their own -------------------------

specials = {}


def special(number, what, over=ANY):
    """The function below plays this row; it gets the transport."""
    def keep(function):
        specials.setdefault(number, []).append((what, over, function))
        return function
    return keep


def refused_id(client, message, code, **details):
    """Ask, and be refused under the request's own id, which ask() has looked at."""
    return refused(client.ask(message), code, **details)


@special(24, "an id that is open", SESSIONS)
def twice_open(transport):
    s = client(transport)
    size = busy_size(s.ask, 0.5)
    s.send(intent("fx.slow", id="same", params={"size": size}), good("same"))
    first = s.receive()
    refused(first, "malformed_message", reason="duplicate_id")
    equal(first["id"], None, "id")
    second = s.receive()
    equal((second["type"], second["id"]), ("intent_response", "same"), "the first request")
    serves_on(s)


@special(35, "GET on the evaluation endpoint", (HTTP,))
def wrong_method(transport):
    c = client(transport)
    response = c.get(listener().intent_path)
    equal(code_of(response.message), "x-method_not_allowed", "code")
    expect("POST" in response.headers.get("allow", ""), f"Allow: {response.headers.get('allow')}")
    serves_on(c)


@special(40, "a body cut short", (HTTP,))
def cut_short(transport):
    c = listener().connect(TOKEN)
    c.send(c.head("POST", listener().intent_path, 1000) + b'{"type":')
    c.socket.shutdown(socket.SHUT_WR)
    if c.fill():
        refused(c.response().message, "malformed_message")
    expect(c.closed(), "the connection stays open")
    serves_on(client(transport))


@special(44, "an intent before authenticate", SESSIONS)
def before_login(transport):
    s = visitor(transport)
    for message in (good(), invoke("x")):
        refused_id(s, message, "auth_required")
    equal(login(s)["type"], "authenticate_response", "answer to a good token")
    serves_on(s)
    bye(s)


@special(45, "no credentials", (HTTP,))
def no_credentials(transport):
    c = listener().connect()
    message = good()
    response = c.post(message)
    refused(response.message, "auth_required")
    equal(response.message["id"], message["id"], "id")
    expect(response.headers.get("www-authenticate", "").startswith("Bearer"), "WWW-Authenticate")
    equal(response.headers.get("connection"), None, "Connection")
    c.token = TOKEN
    serves_on(c)


@special(46, "no credentials and no good body", (HTTP,))
def no_credentials_no_body(transport):
    c = listener().connect()
    answer = c.post(b'{"type":').message
    refused(answer, "auth_required")
    equal(answer["id"], None, "id")
    c.token = TOKEN
    serves_on(c)


@special(47, "an expired token")
def expired_token(transport):
    c = visitor(transport, OLD if transport == HTTP else None)
    if transport == HTTP:
        refused_id(c, good(), "auth_invalid", reason="expired")
        c.token = TOKEN
    else:
        refused(login(c, OLD), "auth_invalid", reason="expired")
        login(c)
    serves_on(c)
    if transport == WS:  # or it comes with the upgrade
        refused(Socket(listener(), OLD).response.message, "auth_invalid", reason="expired")
    bye(c)


@special(48, "Basic", (HTTP, WS))
def basic(transport):
    c = listener().connect()
    if transport == WS:
        answer = Socket(listener(), connection=c, Authorization="Basic dXNlcjpwYXNz").response.message
    else:
        answer = c.post(good(), Authorization="Basic dXNlcjpwYXNz").message
    refused(answer, "auth_invalid", reason="scheme")
    c.token = TOKEN
    serves_on(c if transport == HTTP else Socket(listener(), connection=c))


@special(49, "a wrong token, twice", SESSIONS)
def twice_wrong(transport):
    s = visitor(transport)
    for _ in range(2):
        refused(login(s, "wrong"), "auth_invalid")
    equal(login(s)["type"], "authenticate_response", "answer to the good token")
    serves_on(s)
    bye(s)


@special(50, "a wrong token, the third time", SESSIONS)
def thrice_wrong(transport):
    s = visitor(transport)
    for _ in range(3):
        refused(login(s, "wrong"), "auth_invalid")
    if transport == WS:
        s.closes(1008)
        s = visitor(transport)
    login(s)  # on stdio, the same: closing a pipe would end the server for its only caller
    serves_on(s)
    bye(s)


@special(51, "scheme kerberos", SESSIONS)
def kerberos(transport):
    s = visitor(transport)
    refused(login(s, scheme="kerberos"), "auth_invalid", reason="scheme")
    login(s)
    serves_on(s)
    bye(s)


@special(52, "authenticate without token", SESSIONS)
def no_token(transport):
    s = visitor(transport)
    refused_id(s, request("authenticate", {"scheme": "bearer"}), "malformed_message")
    login(s)
    serves_on(s)
    bye(s)


@special(53, "a token without the permission")
def narrow_token(transport):
    c = visitor(transport, NARROW)
    refused_id(c, intent("fx.rank"), "auth_insufficient")
    serves_on(c)
    bye(c)


@special(54, "a token that expires meanwhile")
def expires_meanwhile(transport):
    for seconds in (2, 10, 40):  # the longer ones for a machine that is slow to start the server
        server = start(transport, tokens=[everything(expires=moment(seconds)), everything(OTHER, "other")])
        c = enter(transport, server, TOKEN if transport == HTTP else None)
        if transport == HTTP or login(c)["type"] == "authenticate_response":
            if c.ask(good())["type"] == "intent_response":
                break
        leave(server)
    else:
        raise Skip("the machine is too slow")
    time.sleep(seconds)
    refused_id(c, good(), "auth_invalid", reason="expired")
    if transport == HTTP:
        c.token = OTHER
    else:
        login(c, OTHER)
    serves_on(c)
    leave(server)


def still_heard(s):
    """D-61: authenticate is answered in its own right, and a cancel is none of the requests that wait."""
    s.send(request("cancel", {"request_id": "nothing"}))
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": "wrong"}))
    refused(answer, "auth_invalid")


def refused_for_now(client, message, status):
    answer = refused_id(client, message, "server_not_ready", status=status)
    expect(answer.get("retry_after_ms", 0) > 0, "no retry_after_ms")


@special(55, "an intent, and an invocation, while booting")
def while_booting(transport):
    gate, options = gated()
    server = start(transport, *options, tokens=[], **{"greet" if transport == STDIO else "ready": False})
    c = enter(transport, server, token=None)
    booting = c.receive() if transport == STDIO else server.read_manifest() if transport == HTTP else c.manifest
    equal(booting["payload"]["status"], "booting", "status")
    for message in (good(), invoke("fx-echo-0")):  # P-READY-2, P-HTTP-18
        refused_for_now(c, message, "booting")
    if transport != HTTP:
        still_heard(c)
    gate.touch()
    if transport == HTTP:
        server.until_status("ready")
    else:
        equal(c.receive()["payload"]["status"], "ready", "status")
    serves_on(c)
    leave(server)


@special(56, "an intent while draining")
def while_draining(transport):
    server = start(transport, "--drain-timeout", "1m")
    c = enter(transport, server)
    running = c if transport != HTTP else server.connect(TOKEN)
    slow = invoke(fx_tool(c, "fx.slow", params={"size": 1}), {"step_ms": 700}, id="running")
    if transport == HTTP:
        body = encode(slow)
        running.send(running.head("POST", server.invoke_path, len(body)) + body)
    else:
        running.send(slow)
    time.sleep(0.3)
    server.program.process.send_signal(signal.SIGTERM)
    if transport == HTTP:
        server.until_status("draining")
        for message in (good(), invoke("fx-echo-0")):  # P-READY-10, P-HTTP-18
            refused_for_now(server.connect(TOKEN), message, "draining")
        equal(running.response().message["id"], "running", "the answer that was owed")  # P-READY-9
    else:
        until(c, lambda m: m["type"] == "manifest" and m["payload"]["status"] == "draining")
        for message in (good("late"), invoke("fx-echo-0", id="late")):
            c.send(message)
            refused(until(c, lambda m: m["id"] == "late"), "server_not_ready", status="draining")
        c.send(request("authenticate", {"scheme": "bearer", "token": "wrong"}, "login"))  # D-61
        refused(until(c, lambda m: m["id"] == "login"), "auth_invalid")
        equal(until(c, lambda m: m["id"] == "running" and m["type"] != "progress")["type"], "invoke_response",
              "the running request")
        if transport == WS:
            c.closes(1001)  # D-59
    server.program.wait()


def until(client, wanted):
    """The first message that is wanted, past manifests and progress."""
    while not wanted(message := client.receive()):
        expect(message["type"] in ("manifest", "progress"), f"an answer too early: {shown(message)}")
    return message


@special(57, "more requests than the rate allows")
def too_often(transport):
    server = start(transport, "--set", "rate.limit=3", "--set", "rate.window=1h")
    c = enter(transport, server)
    for _ in range(3):
        serves_on(c)
    answer = refused_id(c, good(), "rate_limited")
    expect(answer.get("retry_after_ms", 0) > 0, "no retry_after_ms")
    leave(server)


RFC3339_ONLY = ["--set", "temporal.epoch_ms=false", "--set", "temporal.epoch_ns=false"]


def unannounced_time(transport, time_of_event):
    server = start(transport, *RFC3339_ONLY)
    equal(server.manifest["payload"]["facts_profile"]["time_formats"], ["rfc3339"], "time_formats")
    c = enter(transport, server)
    details = refused_id(c, event({"at": time_of_event}), "invalid_facts")["details"]
    equal(details["violations"][0]["issue"], "unsupported_time_format", "issue")  # P-TIME-3, P-TIME-4
    refused_id(c, payload(eval_time=time_of_event), "malformed_message")
    equal(c.ask(with_fact({**fact("fx_event", "door", "open"), "t": {"at": NOON}}))["type"], "intent_response",
          "a time that is announced")
    serves_on(c)
    leave(server)


@special(105, "a number as a time where only RFC 3339 is announced")
def number_as_time(transport):
    unannounced_time(transport, 1767225600000)


@special(106, "nanoseconds where they are not announced")
def nanoseconds_as_time(transport):
    unannounced_time(transport, {"nanos": 1})


CIRCLE = """Decl ping(X) temporal. Decl pong(X) temporal.
ping("x")@[now] :- intent_type(_, "run").
ping(X)@[T] :- pong(X)@[T].
pong(X)@[Next] :- ping(X)@[T], Next = fn:time:add(T, fn:duration:parse("1s")).
tool_relevant_to_intent("fx_echo", "run", 1) :- ping(_)@[_].
"""


@special(112, "an intent whose rules recurse dangerously, and the server is set to refuse them")
def dangerous_recursion(transport):  # P-EVAL-7
    folder = pathlib.Path(scratch())
    shutil.copytree(FIXTURE, folder, dirs_exist_ok=True)
    settings = (folder / "domain.yaml").read_text()
    expect("allow_dangerous: true" in settings, "the fixture changed")
    settings = settings.replace("allow_dangerous: true", "strict: true")
    (folder / "domain.yaml").write_text(settings.replace("intents:", "intents:\n  - {name: run, description: Go}"))
    (folder / "rules/domain/90_circle.mg").write_text(CIRCLE)
    server = start(transport, domain=folder)  # such rules are no reason not to start
    c = enter(transport, server)
    for name, predicates in (("run", ["ping", "pong"]), ("fx.runaway", ["tick"])):
        details = refused_id(c, intent(name), "invalid_temporal_pattern")["details"]
        equal(sorted(details["predicates"]), predicates, "predicates")
        expect(details["hazard"], "no hazard")  # P-ERR-10
    serves_on(c)
    leave(server)


def fx_tool(client, name, *facts, tool=None, **payload):
    return tool_of(client.ask(intent(name, facts, **payload)), tool)


@special(115, "a macro_id of somebody else")
def of_somebody_else(transport):
    c = visitor(transport, TOKEN)
    tool = fx_tool(c, "fx.echo", BASIC)
    if transport == STDIO:  # one after the other
        login(c, OTHER)
    refused_id(c if transport == STDIO else visitor(transport, OTHER), invoke(tool, {"label": "x"}),
               "macro_not_found")
    if transport == STDIO:
        login(c)
    equal(c.ask(invoke(tool, {"label": "x"}))["type"], "invoke_response", "its owner")
    bye(c)


def recent(client, seconds):
    """The tool of fx.recent, for an event and an evaluation so many seconds from now."""
    event = {**fact("fx_event", "door", "open"), "t": {"at": moment(seconds)}}
    return fx_tool(client, "fx.recent", event, eval_time=moment(seconds + 1))


@special(116, "after expires_at")
def too_late(transport):
    c = client(transport)
    refused_id(c, invoke(recent(c, -3600)), "macro_expired", reason="expired")
    serves_on(c)


@special(117, "before not_before")
def too_early(transport):
    c = client(transport)
    refused_id(c, invoke(recent(c, 3600)), "macro_expired", reason="not_yet_valid")
    serves_on(c)


@special(118, "arguments that break the schema")
def bad_arguments(transport):
    c = client(transport)
    tool = fx_tool(c, "fx.echo", BASIC)
    for args in ({}, {"label": 7}, {"label": "x", "more": 1}):  # P-INV-4
        answer = refused_id(c, invoke(tool, args), "schema_validation_failed")
        expect(answer["details"]["schema_errors"], "no schema_errors")
    serves_on(c)


def danger(client, name="fx_danger"):
    return fx_tool(client, "fx.danger", tool=name)


@special(119, "bad arguments and no confirmation")
def bad_and_not_confirmed(transport):
    c = client(transport)
    refused_id(c, invoke(danger(c), {"target": 7}), "schema_validation_failed")
    serves_on(c)


@special(120, "no confirmation")
def not_confirmed(transport):
    c = client(transport)
    tool = danger(c)
    for members in ({}, {"confirmation_token": None}, {"confirmation_token": ""}):  # P-INV-5
        refused_id(c, invoke(tool, {"target": "x"}, **members), "confirmation_required",
                   macro_id=tool["macro_id"], side_effects=["destructive"], reversible=False)
    serves_on(c)


def with_confirm_key(transport, *options):
    server = start(transport, *options, tokens=[everything(confirm_key=base64url(CONFIRM_KEY))])
    return server, enter(transport, server)


def consent(client, tool, args):
    """The confirmation token that somebody with the key makes for this."""
    asked = refused_id(client, invoke(tool, args), "confirmation_required")
    challenge = asked["details"]["challenge"]
    tag = hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest()
    return f"{challenge}.{base64url(tag)}"


@special(122, "a confirmation that is too old")
def old_confirmation(transport):
    server, c = with_confirm_key(transport, "--set", "confirmation.ttl=1s")
    tool = danger(c)
    old = consent(c, tool, {"target": "x"})
    time.sleep(2.1)  # whole seconds count
    refused_id(c, invoke(tool, {"target": "x"}, confirmation_token=old), "confirmation_invalid", reason="expired")
    serves_on(c)
    leave(server)


@special(122, "a confirmation that is made up, for something else, or tampered with")
def not_this_confirmation(transport):
    server, c = with_confirm_key(transport)
    tool, twin = danger(c), danger(c, "fx_danger_twin")
    made = consent(c, tool, {"target": "x"})
    for what, args, token in ((tool, {"target": "x"}, "made-up"), (twin, {"target": "x"}, made),
                              (tool, {"target": "y"}, made), (tool, {"target": "x"}, made[:-3] + "AAA"),
                              (tool, {"target": "x"}, "0" + made)):
        refused_id(c, invoke(what, args, confirmation_token=token), "confirmation_invalid")
    equal(c.ask(invoke(tool, {"target": "x"}, confirmation_token=made))["type"], "invoke_response",
          "what it was made for")
    leave(server)


@special(123, "a confirmation, twice")
def twice_confirmed(transport):
    server, c = with_confirm_key(transport)
    tool = danger(c)
    again = invoke(tool, {"target": "x"}, confirmation_token=consent(c, tool, {"target": "x"}))
    equal(c.ask(again)["type"], "invoke_response", "the first use")
    refused_id(c, {**again, "id": "again"}, "confirmation_invalid", reason="used")
    serves_on(c)
    leave(server)


@special(124, "a tool without a result")
def without_result(transport):
    c = client(transport)
    refused_id(c, invoke(fx_tool(c, "fx.fail", tool="fx_fail")), "execution_failed", reason="tool_error")
    serves_on(c)


@special(126, "cancel for an unknown and for a finished request", SESSIONS)
def cancel_nothing(transport):
    s = client(transport)
    serves_on(s)
    s.send(request("cancel", {"request_id": "never-seen"}))
    s.send(good("before"))
    equal(s.receive()["id"], "before", "the answer")
    s.send(request("cancel", {"request_id": "before"}))
    serves_on(s)  # whose answer is the next message


# ---- the whole table ------------------------------------------------------------------------

def over(transport, play_it):
    try:
        play_it()
    except Exception:
        kept.pop(transport, None)  # what stands in it belongs to nobody
        raise


def play_number(tap, number):
    for one in (r for r in rows if r.number == number):
        for transport in one.over:
            tap.attempt(f"row {number} over {transport}: {one.what}",
                        lambda: over(transport, lambda: play(one, transport)))
    for what, transports, function in specials.get(number, []):
        for transport in transports:
            tap.attempt(f"row {number} over {transport}: {what}",
                        lambda: over(transport, lambda: function(transport)))
            kill_own()


def kill_own():
    """The servers of the row before; the shared ones are not in the list."""
    for program in programs:
        program.kill()
    programs.clear()


def numbers_of_the_reference():
    text = (ROOT / "docs/reference/protocol.md").read_text()
    part = text[text.index("\n# 6. Invalid inputs"):]
    return {int(n) for n in re.findall(r"^\| (\d+) \|", part, re.M)}


def every_number_is_played():
    played = {r.number for r in rows} | set(specials)
    equal(sorted(numbers_of_the_reference() ^ played), [], "numbers of the reference, or of this table, alone")


def main():
    tap = Tap()
    wanted = {int(w) for w in sys.argv[1:]} or numbers_of_the_reference()
    for number in sorted(wanted):
        play_number(tap, number)
    tap.attempt("every number of the reference is played", every_number_is_played)
    if shared:
        tap.attempt("the stdio server ends well", end_shared)
    if "listener" in kept:
        tap.attempt("the listener ends well", kept["listener"].stop)
    clean_up()
    tap.finish()


main()

"""Good messages, changed at random: whatever comes in, each line gets one well-formed answer, each HTTP
request an answer or a closed connection, and the server goes on. The seed is fixed; give another one as
the only argument to look further: test_mutations.sh 123."""
import copy
import random

from blackbox import *

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20260704
ROUNDS = 1500
TOKEN = "token-of-the-mutations"
VALUES = [None, True, False, 0, -1, 1, 1.5, 9007199254740991, 9007199254740993, 2 ** 63, "", "x", "now", "_",
          "2026-07-04T12:00:00Z", "/name", "\u0000", "é" * 200, [], {}, [[]], [None], {"": None},
          {"_type": "int64", "value": "5"}, {"_var": "X"}, {"nanos": 5}, {"at": "now"}, "fx.echo", "fx_basic",
          "fx_event", "full", "intent_request", "invoke_request", "authenticate", "cancel", 1e308]


def originals(tool):
    event = fact("fx_event", "door", "open", t={"start": "2026-07-04T11:00:00Z", "end": "_"},
                 source={"source_type": "x-plc", "source_id": "p", "asserted_at": "now"}, category="session")
    return [
        good(),
        intent("fx.skill", [fact("fx_needs_skill", "x"), event], params={"a": [1, {"b": 2}]},
               eval_time="2026-07-04T12:00:00Z",
               constraints={"max_facts_created": 5000, "max_intervals_per_atom": 10, "max_compute_ms": 500,
                            "max_tools_returned": 3, "max_tokens_budget": 500},
               options={"include_proof_hints": True, "disclosure_preference": "adaptive"}),
        intent("fx.rank", [fact("disclosure_upgrade", "x")], options={"include_proof_hints": True}),
        intent("fx.recent", [event, {"pred": "fx_basic", "named_args": {"tag": "t", "n": 1, "on": True,
                                                                        "x": {"k": [1.5, "v"]}}}]),
        invoke(tool, {"label": "x", "count": 2}, eval_time="now", confirmation_token=None),
        request("authenticate", {"scheme": "bearer", "token": "x"}),
    ]


def places(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, path + (key,))


def change_value(draw, message):
    """Exchange, remove or add something somewhere."""
    message = copy.deepcopy(message)
    path = draw.choice([p for p in places(message) if p])
    holder = message
    for key in path[:-1]:
        holder = holder[key]
    action = draw.random()
    if action < 0.6:
        holder[path[-1]] = copy.deepcopy(draw.choice(VALUES))
    elif action < 0.8:
        del holder[path[-1]]
    elif isinstance(holder, dict):
        holder[draw.choice(["t", "args", "named_args", "x-new", "at", "start", "id"])] = draw.choice(VALUES)
    else:
        holder.insert(0, copy.deepcopy(draw.choice(holder + VALUES)))
    return message


def change_bytes(draw, raw):
    raw = bytearray(raw)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(raw))
        action = draw.random()
        if action < 0.4:
            raw[at] = draw.randrange(256)
        elif action < 0.6:
            del raw[at:at + draw.randint(1, 8)]
        elif action < 0.8:
            raw[at:at] = raw[at:at + draw.randint(1, 20)] * draw.randint(1, 3)
        else:
            raw[at:at] = draw.choice([b'"', b"{", b"[", b"\\u0000", b"\\ud800", b"\xff", b"1e999", b",", b"\0"])
        if not raw:
            raw = bytearray(b" x")
    return bytes(raw)


def spoiled(draw, message):
    for _ in range(draw.randint(1, 3)):
        message = change_value(draw, message)
    raw = encode(message)
    return change_bytes(draw, raw) if draw.random() < 0.3 else raw


def lines_of(raw):
    """How many lines the server sees, blank ones aside."""
    return [l for l in raw.split(b"\n") if l.strip(b" \t\r")]


def is_cancel(raw):
    return re.search(rb'"type":\s*"cancel"', raw) is not None


def login(s):
    answer = s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    equal(answer["type"], "authenticate_response", "answer to a good token")


def test_every_spoiled_line_gets_one_answer():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    login(s)
    draw = random.Random(SEED)
    messages = originals(tool_of(s.ask(good())))
    for n in range(ROUNDS):
        raw = spoiled(draw, draw.choice(messages))
        s.send(raw, good(f"after-{n}"))
        wanted = 1 + (0 if is_cancel(raw) else len(lines_of(raw)))
        answers = []
        try:
            while len(answers) < wanted or f"after-{n}" not in answers:
                message = s.receive()
                if message["type"] != "progress":
                    answers.append(message["id"])
            if is_cancel(raw) and not s.quiet(0.05):
                s.receive()
        except Failure as e:
            raise Failure(f"round {n} of seed {SEED}: {answers} for {raw!r}: {e}")
        if b'"authenticate"' in raw:
            login(s)
        expect(is_cancel(raw) or len(answers) == wanted, f"round {n} of seed {SEED}: {answers} for {raw!r}")
    s.end()


def test_spoiled_http_requests_do_not_disturb_others():
    l = Listener("--auth", token_file(token_line(TOKEN, "m", "intent:*")))
    draw = random.Random(SEED + 1)
    steady = l.connect(TOKEN)
    messages = originals(tool_of(steady.ask(good())))
    for n in range(ROUNDS // 3):
        c = l.connect(TOKEN)
        body = spoiled(draw, draw.choice(messages))
        raw = c.head("POST", l.intent_path, len(body)) + body
        if draw.random() < 0.5:
            raw = change_bytes(draw, raw)
        try:
            c.send(raw)
            c.socket.shutdown(socket.SHUT_WR)
            while c.fill():
                pass
            while c.kept:
                c.response()
        except (BrokenPipeError, ConnectionResetError):
            pass
        except Failure as e:
            raise Failure(f"round {n} of seed {SEED + 1}: {raw!r}: {e}")
        c.close()
        if n % 10 == 0:
            equal(names(steady.ask(good())), ["fx_echo"], f"after round {n}")
    l.stop()


sys.argv[1:] = []
run(globals())

"""Every error code of part 4 of docs/reference/protocol.md, and every one of our own, drawn from the running
server: that each has an emitter, with the status and the `recoverable` flag of its row (P-ERR-3). The last
test is that none is left."""
import resource

from life import gated
from transports import *

NARROW, CONFIRMER = "token-of-one-intent", "token-of-somebody-who-confirms"
TOKENS = [everything(), token_line(NARROW, "narrow", "intent:fx.echo"),
          everything("old", "old", expires="2020-01-01T00:00:00Z"),
          everything(CONFIRMER, "person", confirm_key=base64url(CONFIRM_KEY))]
kept, seen = {}, set()


def listener():
    if not kept:
        kept["l"] = start(HTTP, tokens=TOKENS)
        programs.remove(kept["l"].program)
    return kept["l"]


def ask(message, token=TOKEN):
    return listener().connect(token).post(message).message


def of_own(message, *options, **more):
    """The answer of a server that is started for this."""
    l = start(HTTP, *options, **more)
    answer = l.connect(TOKEN).post(message).message
    l.stop()
    return answer


def drawn_by_bytes(raw, *options):
    """... to what is no request."""
    l = start(HTTP, *options) if options else listener()
    c = l.connect()
    c.send(raw.replace(b"HOST", f"127.0.0.1:{l.port}".encode()))
    return c.response().message


def changed(**members):
    return {**good(), **members}


def tool(name, *facts, pick=None, token=TOKEN, **members):
    return tool_of(ask(intent(name, facts, **members), token), pick)


# ---- what needs more than a line

def expired_tool():
    event = {**fact("fx_event", "door", "open"), "t": {"at": "2026-01-01T00:00:00Z"}}
    return ask(invoke(tool("fx.recent", event, eval_time="2026-01-01T00:00:01Z")))


def used_up():
    l = start(HTTP, "--set", "rate.limit=1", "--set", "rate.window=1h")
    c = l.connect(TOKEN)
    c.ask(good())
    return c.post(good()).message


def booting():
    gate, options = gated()
    l = start(HTTP, *options, tokens=[], ready=False)
    answer = l.connect().post(good()).message
    gate.touch()
    return answer


FAULT = """Decl zz_share(N) descr [direction("input")] bound [/number].
"""
FAULTY_RULE = """tool_relevant_to_intent("fx_echo", "fx.rank", S) :-
  intent_type(_, "fx.rank"), zz_share(N), S = fn:div(100, N).
"""


def rules_that_fail():
    """A rule that divides by what the client says."""
    folder = pathlib.Path(scratch())
    shutil.copytree(FIXTURE, folder, dirs_exist_ok=True)
    (folder / "rules/schema/90_fault.mg").write_text(FAULT)
    (folder / "rules/domain/90_fault.mg").write_text(FAULTY_RULE)
    return of_own(intent("fx.rank", [fact("zz_share", 0)]), domain=folder)


def without_memory():
    """A large message, and no room for it: a limit on the process, or on what the sanitizer gives at once."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1:max_allocation_size_mb=6"
    l = start(HTTP, env={"ASAN_OPTIONS": options, "MALLOC_ARENA_MAX": "1"})  # no room set aside for threads
    if not SANITIZED:
        pages = int(pathlib.Path(f"/proc/{l.program.process.pid}/statm").read_text().split()[0])
        room = pages * resource.getpagesize() + (6 << 20)
        resource.prlimit(l.program.process.pid, resource.RLIMIT_AS, (room, room))
    c = l.connect(TOKEN)
    answer = c.post(encode(good()).ljust(16 << 20)).message
    equal(names(l.connect(TOKEN).ask(good())), ["fx_echo"], "tools of the next request")
    return answer


def cancelled():
    """HTTP has hung up by then; so it is a session that is told."""
    s = enter(WS, listener())
    long = invoke(tool_of(s.ask(intent("fx.slow", params={"size": 1}))), {"step_ms": 60000}, id="long")
    s.send(long)
    time.sleep(0.2)
    s.send(request("cancel", {"request_id": "long"}))
    while (m := s.receive())["type"] == "progress":
        pass
    equal(m["id"], "long", "id")
    return m


def half_a_request():
    return drawn_by_bytes(b"POST /manglecp/evaluate HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9\r\n"
                          b"Content-Type: application/json\r\nAuthorization: Bearer " + TOKEN.encode() +
                          b"\r\n\r\n{", "--body-timeout", "300ms")


SEEDS = [fact("fx_seed", n) for n in range(20)]
EVENTS = [{**fact("fx_event", "x", "y"), "t": {"at": f"2026-07-04T12:00:{2 * i:02}Z"}} for i in range(20)]
DRAWN_BY = {
    "unsupported_version": lambda: ask(changed(manglecp="1999-01-draft")),
    "malformed_message": lambda: ask(b"{"),
    "message_too_large": lambda: ask(encode(good()).ljust(16777217)),
    "invalid_type": lambda: ask(changed(type="list_tools")),
    "auth_required": lambda: ask(good(), None),
    "auth_invalid": lambda: ask(good(), "old"),
    "auth_insufficient": lambda: ask(intent("fx.rank"), NARROW),
    "invalid_facts": lambda: ask(intent("fx.echo")),
    "unknown_predicate": lambda: ask(intent("fx.echo", [BASIC, fact("zz_nothing", 1)])),
    "arity_mismatch": lambda: ask(intent("fx.echo", [fact("fx_basic", 1)])),
    "type_mismatch": lambda: ask(intent("fx.echo", [fact("fx_basic", "t", "1", True, 1)])),
    "reserved_predicate": lambda: ask(intent("fx.echo", [BASIC, fact("_manglecp_intent", "x")])),
    "too_many_facts": lambda: ask(intent("fx.echo", [BASIC] * 10001)),
    "evaluation_timeout": lambda: ask(intent("fx.slow", constraints={"max_compute_ms": 50})),
    "derivation_limit_exceeded": lambda: ask(intent("fx.blowup", SEEDS,
                                                    constraints={"max_facts_created": 10})),
    "interval_limit_exceeded": lambda: ask(intent("fx.recent", EVENTS,
                                                  constraints={"max_intervals_per_atom": 10})),
    "invalid_temporal_pattern": lambda: of_own(intent("fx.runaway"), "--set", "temporal.strict=true"),
    "evaluation_failed": rules_that_fail,
    "macro_not_found": lambda: ask(invoke("invented-0123456789ab")),
    "macro_expired": expired_tool,
    "schema_validation_failed": lambda: ask(invoke(tool("fx.echo", BASIC), {"label": 7})),
    "confirmation_required": lambda: ask(invoke(tool("fx.danger", pick="fx_danger"), {"target": "x"})),
    "confirmation_invalid": lambda: ask(invoke(tool("fx.danger", pick="fx_danger"), {"target": "x"},
                                               confirmation_token="made-up")),
    "execution_failed": lambda: ask(invoke(tool("fx.fail", pick="fx_fail"))),
    "server_not_ready": booting,
    "rate_limited": used_up,
    "internal_error": without_memory,
    "cancelled": cancelled,
    "x-not_found": lambda: listener().connect(TOKEN).post(good(), "/manglecp/nowhere").message,
    "x-method_not_allowed": lambda: listener().connect(TOKEN).get("/manglecp/evaluate").message,
    "x-origin_not_allowed": lambda: listener().connect(TOKEN).post(good(), Origin="https://evil.example").message,
    "x-request_timeout": half_a_request,
    "x-expectation_failed": lambda: listener().connect(TOKEN).post(good(), Expect="the-impossible").message,
    "x-head_too_large": lambda: drawn_by_bytes(b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 200000 + b"\r\n\r\n"),
    "x-http_version": lambda: drawn_by_bytes(b"GET / HTTP/2.0\r\nHost: HOST\r\n\r\n"),
    "x-upgrade_required": lambda: listener().connect(TOKEN).get(PATH).message,
}


def draw(code):
    answer = DRAWN_BY[code]()
    refused(answer, code)  # Response.message and check_error() have compared status and flag
    seen.add(code)


def table_of_the_reference():
    """code: (status, recoverable) of part 4."""
    text = (ROOT / "docs/reference/protocol.md").read_text()
    part = text[text.index("\n# 4. Error table"):text.index("\n# 5. Decisions")]
    found = re.findall(r"^\| `([a-z_]+)` \| (\d+) \| (yes|no) \|", part, re.M)
    return {code: (int(status), flag == "yes") for code, status, flag in found}


def own_codes():
    return set(re.findall(r'"(x-[a-z_]+)"', (ROOT / "src/protocol/error.h").read_text()))


def every_code_was_seen():
    table = table_of_the_reference()
    expect(len(table) > 20, f"{len(table)} codes are no table")
    equal({code: CODES.get(code) for code in table}, table, "statuses and flags that the tests hold answers to")
    equal(sorted((set(table) | own_codes()) ^ seen), [], "codes that were not seen, or are not in the tables")


def main():
    tap = Tap()
    for code in DRAWN_BY:
        tap.attempt(code, lambda: draw(code))
        for program in programs:
            program.kill()
        programs.clear()
    tap.attempt("every code was seen", every_code_was_seen)
    if kept:
        tap.attempt("the listener ends well", kept["l"].stop)
    clean_up()
    tap.finish()


main()

"""Policy that depends on time: whatever time a client evaluates at, what runs is what would be offered now."""
from blackbox import *

CLOCK = "2026-07-04T12:00:00Z"
RULES = """
prohibited("fx_echo", "frozen") :- fx_event("freeze", _)@[now].
prohibited("fx_vary", "closed") :- H = fn:time:hour(fn:time:now()), 10 < H, H < 14.
requires_confirmation("fx_mark") :- <-[2h] fx_event("alarm", _).
omits_step("fx_vary", "more") :- fx_event("gone", _)@[now].
"""
FREEZE = {**fact("fx_event", "freeze", "on"), "t": {"start": "2026-07-04T11:00:00Z", "end": "2026-07-04T13:00:00Z"}}
BASIC = fact("fx_basic", "a", 1, True, 1)


def domain():
    return fixture_with({"rules/policy/90_time.mg": RULES})


def frozen(s, *facts, **members):
    return s.ask(intent("fx.echo", [BASIC, *facts], **members))


def runs(s, tool, args=None):
    return code_of(s.ask(invoke(tool, args or {"label": "x"})))


def test_what_a_client_saw_before_a_freeze_does_not_run_during_it():
    s = Session("--clock", CLOCK, domain=domain())
    equal(names(frozen(s, FREEZE)), [], "now it is frozen")
    for other in ("2026-07-04T10:00:00Z", "2026-07-04T10:59:59.999999999Z", "2026-07-04T14:00:00Z"):
        shown_then = tool_of(frozen(s, FREEZE, eval_time=other))  # P-TIME-8: evaluating is allowed
        refused(s.ask(invoke(shown_then, {"label": "x"})), "macro_expired")
    s.end()


def test_what_was_offered_before_a_freeze_ends_with_it():
    store = ["--store-sqlite", str(pathlib.Path(scratch()) / "store.db")]
    folder = domain()
    s = Session("--clock", "2026-07-04T10:59:50Z", *store, domain=folder)
    echo = tool_of(frozen(s, FREEZE))
    equal(runs(s, echo), None, "before")
    s.end()
    s = Session("--clock", "2026-07-04T11:00:00Z", *store, domain=folder)
    refused(s.ask(invoke(echo, {"label": "x"})), "macro_expired")
    s.end()


def test_a_what_if_takes_nothing_from_what_holds():
    s = Session("--clock", CLOCK, domain=domain())
    echo = tool_of(frozen(s))
    for minute in range(12):
        other = tool_of(frozen(s, FREEZE, eval_time=f"2026-07-04T10:{minute:02}:00Z"))
        equal(other["macro_id"], echo["macro_id"], "the same tool")
        equal(runs(s, echo), None, "it runs")
    s.end()


def test_a_what_if_that_holds_now_runs():
    s = Session("--clock", CLOCK, domain=domain())
    equal(runs(s, tool_of(frozen(s, eval_time="2026-07-04T09:00:00Z"))), None, "nothing that reads time speaks of it")
    s.end()


def test_a_rule_on_the_hour_of_the_day_holds_when_a_tool_runs():
    s = Session("--clock", CLOCK, domain=domain())
    equal(names(s.ask(intent("fx.vary"))), [], "closed")
    early = tool_of(s.ask(intent("fx.vary", eval_time="2026-07-04T10:59:00Z")))
    refused(s.ask(invoke(early, {"value": "x"})), "macro_expired")
    s.end()


def test_consent_that_is_due_now_is_not_evaded():
    alarm = {**fact("fx_event", "alarm", "on"), "t": {"at": "2026-07-04T11:30:00Z"}}
    s = Session("--clock", CLOCK, domain=domain())
    due = tool_of(s.ask(intent("fx.mark", [alarm])))
    equal(runs(s, due), "confirmation_required", "now")
    for other in ("2026-07-04T11:00:00Z", "2026-07-04T14:00:00Z"):
        calm = tool_of(s.ask(intent("fx.mark", [alarm], eval_time=other)))
        equal(calm["safety"]["requires_user_confirmation"], False, "then")
        expect(runs(s, calm) in ("confirmation_required", "macro_expired"), f"it ran without consent: {other}")
    s.end()


def test_a_domain_may_narrow_how_far_an_evaluation_time_is_from_the_clock():
    s = Session("--clock", CLOCK, "--set", "limits.eval_time_skew=5m", domain=domain())
    for near in ("2026-07-04T11:55:00Z", "2026-07-04T12:05:00Z", "now"):
        echo = tool_of(frozen(s, eval_time=near))
        equal(code_of(s.ask(invoke(echo, {"label": "x"}, eval_time=near))), None, near)
    for far, said in (("2026-07-04T11:54:59.999999999Z", "5m0.000000001s before"), ("2026-07-04T14:00:00Z", "2h0m0s after")):
        answer = refused(frozen(s, eval_time=far), "malformed_message")
        fault = answer["details"]["violations"][0]
        equal(fault["path"], "/eval_time", "where")
        expect(said in fault["message"] and "at most 5m" in fault["message"], fault["message"])
        refused(s.ask(invoke(echo, {"label": "x"}, eval_time=far)), "malformed_message")
    s.end()


run(globals())

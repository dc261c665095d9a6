"""A request's stages: what is slow delays nobody else, what fails is said, what is cancelled ends, and an
invocation with a key runs once."""
import statistics

from blackbox import *

LIMIT_MS = 5000  # of rules, in the tests that use it up
QUICK = 0.05 * (5 if SANITIZED else 1)  # seconds that nothing on the loop may delay another
REASONS = {"tool_error", "timeout", "unavailable", "bad_output"}  # protocol.md §2.18


def tool(name, *facts, s, pick=None, **members):
    return tool_of(s.ask(intent(name, facts, **members)), pick)


def keyed(message, key):
    return {**message, "extensions": {"x-idempotency-key": key}}


def asked(message, key):
    """What came of it? Never: run it."""
    return {**message, "extensions": {"x-idempotency-key": key, "x-idempotency-only": True}}


def is_replay(message):
    return message.get("extensions", {}).get("x-idempotent-replay", False)


def terminal(s, *ids):
    """The terminal messages of these ids, in whatever order they come."""
    found = {}
    while set(found) != set(ids):
        m = s.receive()
        if m["type"] != "progress":
            expect(m["id"] not in found, f"two terminal messages for {m['id']}")  # P-CONC-10
            found[m["id"]] = m
    return found


def serves(s):
    equal(names(s.ask(good())), ["fx_echo"], "tools of the next request")


def latencies(seconds, ask):
    """How long each of these takes, one after the other, for so long."""
    spent, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        ask()
        spent.append(time.monotonic() - begun)
    return spent


def in_thread(function):
    box = []

    def run_it():
        try:
            box.append(function())
        except (Failure, OSError):
            pass  # join() says that nothing came
    thread = threading.Thread(target=run_it, daemon=True)
    thread.start()

    def join():
        thread.join(PATIENCE)
        expect(box, "no answer came")
        return box[0]
    return join


# ---- slow work delays nobody else -----------------------------------------------------------

def test_a_manifest_is_served_beside_slow_effects_rules():
    """While a costly effects rule runs, others do not notice."""
    l = Listener("--open-demo", "--set", f"limits.max_compute_ms={LIMIT_MS}")
    after = tool("fx.after", s=l.connect())
    begun = time.monotonic()
    slow = in_thread(lambda: l.connect().ask(invoke(after, {"size": 1000})))
    time.sleep(0.3)
    c = l.connect()
    manifests = latencies(1, lambda: c.get(l.MANIFEST))
    small = latencies(1, lambda: names(c.ask(good())))
    in_time = time.monotonic() - begun < LIMIT_MS / 1000
    answer = slow()
    equal(answer["type"], "invoke_response", shown(answer))
    for what, spent in (("manifest", manifests), ("small intent", small)):
        expect(statistics.median(spent) < QUICK and max(spent) < 1,
               f"{what}: {statistics.median(spent) * 1000:.0f} ms, at most {max(spent) * 1000:.0f}")
    expect(in_time, "the machine is too slow for this test")
    expect(time.monotonic() - begun > LIMIT_MS / 1000 - 1, "the rules were not slow")
    l.stop()


def test_small_intents_pass_slow_ones():
    l = Listener("--open-demo", "--set", f"limits.max_compute_ms={2 * LIMIT_MS}")
    for _ in range(8):
        in_thread(lambda: l.connect().post(intent("fx.slow", params={"size": 999})))
    time.sleep(0.3)
    c = l.connect()
    serves(c)
    small = latencies(2, lambda: names(c.ask(good())))
    expect(statistics.median(small) < 2 * QUICK, f"{statistics.median(small) * 1000:.0f} ms")
    l.program.kill()  # they would compute for a minute


# ---- what fails is said ----------------------------------------------------------------------

def test_effects_rules_that_fail_make_the_answer_say_so():
    """An empty delta must not look as if nothing had changed."""
    s = Session()
    after = tool("fx.after", s=s)
    whole = s.ask(invoke(after, {"by": 3}))["payload"]
    equal(whole["state_delta"]["assert"][0]["args"], [4], "delta")
    expect("effects_complete" not in whole, "it is whole")
    broken = s.ask(invoke(after, {"by": 0}))
    equal(broken["type"], "invoke_response", "type")  # the tool did run
    broken = broken["payload"]
    equal(broken["result"], {"by": 0}, "result")
    equal(broken["effects_complete"], False, "effects_complete")
    warning = broken["observability"]["warnings"][0]
    equal(warning["code"], "effects_incomplete", "code")
    expect(warning["message"] and ".mg" not in warning["message"] and "div" not in warning["message"],
           f"{warning}")
    s.end()
    found = re.search(r"rules/effects/10_effects\.mg:(\d+): .*division by zero", s.program.log())
    expect(found, f"no place and reason in the log:\n{s.program.log()}")


def test_effects_rules_that_take_too_long_are_told_as_incomplete():
    s = Session("--set", "limits.max_compute_ms=200")
    answer = s.ask(invoke(tool("fx.after", s=s), {"size": 1000}))
    equal(answer["payload"]["effects_complete"], False, "effects_complete")
    s.end()


def test_reasons_of_failures_are_words_of_the_list():
    """Also where the host of a tool dies."""
    s = session()
    for name, pick in (("fx.fail", None), ("fx.fail", "fx_lies")):
        answer = refused(s.ask(invoke(tool(name, s=s, pick=pick))), "execution_failed")
        expect(answer["details"]["reason"] in REASONS, answer["details"]["reason"])


# ---- cancelling -------------------------------------------------------------------------------

def test_effects_rules_can_be_cancelled():
    s = Session()
    after = tool("fx.after", s=s)
    s.send(invoke(after, {"size": 1000}, id="doomed"))
    while (m := s.receive())["type"] == "progress" and m["payload"]["status"] != "finalizing":
        pass
    equal(m["type"], "progress", "type")
    time.sleep(0.2)
    begun = time.monotonic()
    s.send(request("cancel", {"request_id": "doomed"}))  # P-CONC-5, P-CONC-6
    answer = s.receive()
    expect(time.monotonic() - begun < 2, "the cancel took long")
    equal(answer["id"], "doomed", "id")  # P-CONC-7
    details = refused(answer, "cancelled")["details"]
    equal(details["completed_steps"], ["echo"], "what had happened")  # D-24
    expect(s.quiet(), "something came after the end")
    serves(s)
    s.end()


# ---- a key: once -------------------------------------------------------------------------------

class Writers:
    """A listener whose callers ann and bob may write without asking, and the journal of what was done."""

    def __init__(self):
        robot = {"trust": "automated", "auto_confirm": "filesystem"}
        tokens = token_file(token_line("t-ann", "ann", "intent:*", **robot),
                            token_line("t-bob", "bob", "intent:*", **robot))
        self.path, options = journal()
        self.listener = Listener("--auth", tokens, *options)
        self.write = tool("fx.write", s=self.ann())
        tool("fx.write", s=self.bob())

    def ann(self):
        return self.listener.connect("t-ann")

    def bob(self):
        return self.listener.connect("t-bob")

    def once(self, line, key, who=None):
        return (who or self.ann()).ask(keyed(invoke(self.write, {"line": line}), key))

    def done(self, *lines):
        self.listener.stop()
        equal(self.path.read_text().splitlines(), list(lines), "what was done")


def test_a_key_runs_once_and_is_answered_again():
    w = Writers()
    first = w.once("x", "k1")
    equal((first["type"], is_replay(first)), ("invoke_response", False), "the first")
    for _ in range(3):
        again = w.once("x", "k1")
        equal(again["payload"], first["payload"], "payload")
        expect(is_replay(again) and again["id"] != first["id"], f"{shown(again)}")
    expect(not is_replay(w.once("x", "k2")), "another key")
    w.done("x", "x")


def test_a_key_stands_for_one_request():
    w = Writers()
    w.once("x", "k1")
    refused(w.once("y", "k1"), "malformed_message", reason="idempotency_key")
    escaped = keyed(invoke(w.write, {"line": "x"}), "k1")
    raw = json.dumps(escaped).replace('"line": "x"', ' "line" :"\\u0078"').encode()
    expect(is_replay(w.ann().post(raw, w.listener.invoke_path).message), "the same arguments, written otherwise")
    refused(w.ann().ask(keyed(invoke("other-0123456789ab", {"line": "x"}), "k1")), "malformed_message",
            reason="idempotency_key")
    w.done("x")


def test_a_question_for_an_outcome_runs_nothing():
    w = Writers()
    question = asked(invoke(w.write, {"line": "x"}), "k")
    expect(w.ann().get(w.listener.MANIFEST).message["payload"]["extensions"]["x-idempotency-only"] is True, "announced")
    for _ in range(2):
        error = refused(w.ann().ask(question), "malformed_message", reason="key_unknown")
        equal(error["recoverable"], False, "recoverable")
    expect(not w.path.exists() or not w.path.read_text(), "the question ran it")
    first = w.once("x", "k")
    expect(not is_replay(first), "the question had begun it")
    again = w.ann().ask(question)
    equal((again["payload"], is_replay(again)), (first["payload"], True), "what came of it")
    refused(w.ann().ask(asked(invoke(w.write, {"line": "y"}), "k")), "malformed_message", reason="idempotency_key")
    refused(w.bob().ask(question), "malformed_message", reason="key_unknown")
    alone = {**question, "extensions": {"x-idempotency-only": True}}
    for odd in (alone, {**question, "extensions": {**question["extensions"], "x-idempotency-only": 1}},
                {**question, "extensions": {**question["extensions"], "x-dry-run": True}}):
        details = refused(w.ann().ask(odd), "malformed_message", reason="payload")["details"]
        equal([v["path"] for v in details["violations"]], ["/extensions/x-idempotency-only"], "paths")
    w.done("x")


def test_a_question_for_an_outcome_waits_for_who_runs_it_and_never_takes_its_place():
    s = Session("--set", "actions.processes=1")
    slow = tool("fx.slow", s=s, params={"size": 1})
    s.send(keyed(invoke(slow, {"step_ms": 300}, id="runs"), "k"), asked(invoke(slow, {"step_ms": 300}, id="asks"), "k"))
    answers = terminal(s, "runs", "asks")
    equal(answers["asks"]["payload"], answers["runs"]["payload"], "the outcome")
    equal([is_replay(answers[id]) for id in ("runs", "asks")], [False, True], "who ran")
    for others in (["asks"], ["asks", "second", "third"]):
        key = f"k{len(others)}"
        s.send(invoke(slow, {"step_ms": 600}, id="busy"))
        time.sleep(0.2)
        call = invoke(slow, {"step_ms": 10})
        s.send(*[(asked if id == "asks" else keyed)({**call, "id": id}, key) for id in ("first", *others)])
        time.sleep(0.1)
        s.send(request("cancel", {"request_id": "first"}))
        answers = terminal(s, "busy", "first", *others)
        equal(code_of(answers["first"]), "cancelled", "the first")
        if others == ["asks"]:
            equal(code_of(answers["asks"]), "cancelled", "nobody ran it")
        else:
            equal([is_replay(answers[id]) for id in others], [True, False, True], "who ran")
    s.end()


def test_a_malformed_key_is_told_with_the_other_faults():
    s = session()
    for key in ("", "x" * 129, "a b", 7, None, "ü"):
        details = refused(s.ask(keyed(request("invoke_request", {"macro_id": 7, "args": {}}), key)),
                          "malformed_message", reason="payload")["details"]
        paths = [v["path"] for v in details["violations"]]
        equal(sorted(paths), ["/extensions/x-idempotency-key", "/macro_id"], f"paths for {key!r}")
    serves(s)


def test_a_refusal_leaves_the_key_free():
    w = Writers()
    refused(w.ann().ask(keyed(invoke(w.write, {"line": 7}), "k")), "schema_validation_failed")
    refused(w.ann().ask(keyed(invoke("none-0123456789ab", {"line": "x"}), "k")), "macro_not_found")
    danger = tool("fx.danger", s=w.ann(), pick="fx_danger")
    refused(w.ann().ask(keyed(invoke(danger, {"target": "x"}), "k")), "confirmation_required")
    last = w.once("x", "k")
    equal(last["type"], "invoke_response", shown(last))
    w.done("x")


def test_a_failure_is_kept_with_its_key():
    s = session()
    fail = tool("fx.fail", s=s)
    first = s.ask(keyed(invoke(fail), "failing"))
    again = s.ask(keyed(invoke(fail), "failing"))
    equal((code_of(first), is_replay(first)), ("execution_failed", False), "the first")
    equal((again["payload"], is_replay(again)), (first["payload"], True), "the second")


def test_who_asks_while_it_runs_gets_the_same_answer():
    s = Session()
    slow = tool("fx.slow", s=s, params={"size": 1})
    for key in ("a", "b"):  # the second time the first request of the key has its answer already
        ids = [f"{key}-{n}" for n in range(4)]
        s.send(*[keyed(invoke(slow, {"step_ms": 100}, id=id), key) for id in ids])
        answers = terminal(s, *ids)
        equal([is_replay(answers[id]) for id in ids], [False, True, True, True], "who ran")
        equal(len({json.dumps(m["payload"]) for m in answers.values()}), 1, "answers")
    s.end()


def test_who_waits_for_another_request_can_be_cancelled_alone():
    s = Session()
    slow = tool("fx.slow", s=s, params={"size": 1})
    s.send(keyed(invoke(slow, {"step_ms": 300}, id="runs"), "k"), keyed(invoke(slow, {"step_ms": 300}, id="waits"), "k"))
    time.sleep(0.2)
    s.send(request("cancel", {"request_id": "waits"}))
    answers = terminal(s, "runs", "waits")
    equal((code_of(answers["waits"]), answers["runs"]["type"]), ("cancelled", "invoke_response"), "answers")
    s.end()


def test_who_waits_runs_when_the_one_before_came_to_nothing():
    """Cancelled before anything was asked of an action: that outcome is nobody else's."""
    s = Session("--set", "actions.processes=1")
    slow = tool("fx.slow", s=s, params={"size": 1})
    s.send(invoke(slow, {"step_ms": 600}, id="busy"))
    time.sleep(0.2)
    ids = ["first", "second", "third"]
    s.send(*[keyed(invoke(slow, {"step_ms": 10}, id=id), "k") for id in ids])
    time.sleep(0.1)
    s.send(request("cancel", {"request_id": "first"}))
    answers = terminal(s, "busy", *ids)
    equal(code_of(answers["first"]), "cancelled", "the first")
    equal([answers[id]["type"] for id in ids[1:]], ["invoke_response"] * 2, shown(answers["second"]))
    equal([is_replay(answers[id]) for id in ids[1:]], [False, True], "who ran")
    s.end()


def test_keys_belong_to_their_principal_and_outlive_connections():
    w = Writers()
    first = w.once("x", "k")
    expect(not is_replay(w.once("x", "k", w.bob())), "bob got ann's answer")
    again = w.once("x", "k")
    equal((again["payload"], is_replay(again)), (first["payload"], True), "ann's second")
    w.done("x", "x")


def test_anonymous_callers_have_keys_too():
    l = Listener("--open-demo")
    echo = tool("fx.echo", BASIC, s=l.connect())
    answers = [l.connect().ask(keyed(invoke(echo, {"label": "x"}), "k")) for _ in range(2)]
    equal([is_replay(a) for a in answers], [False, True], "replays")
    l.stop()


def test_a_client_that_lost_its_connection_asks_again():
    w = Writers()
    message = keyed(invoke(w.write, {"line": "x"}), "k")
    for _ in range(5):  # each leaves before the answer
        c = w.ann()
        body = encode(message)
        c.send(c.head("POST", w.listener.invoke_path, len(body)) + body)
        c.close()
    last = w.once("x", "k")
    equal(last["type"], "invoke_response", shown(last))
    w.done("x")


# ---- hosts that are busy ------------------------------------------------------------------------

def test_a_busy_host_is_told_before_anything_happens():
    """Not execution_failed after five seconds, but: come again."""
    l = Listener("--open-demo", "--set", "actions.processes=2", "--set", "actions.wait=300ms")
    slow = tool("fx.slow", s=l.connect(), params={"size": 1})
    running = [in_thread(lambda: l.connect().post(invoke(slow, {"step_ms": 400}))) for _ in range(2)]
    time.sleep(0.3)
    begun = time.monotonic()
    third = l.connect().post(invoke(slow, {"step_ms": 0}))
    expect(0.2 < time.monotonic() - begun < (10 if SANITIZED else 2), "the wait is a setting")
    answer = refused(third.message, "rate_limited")
    equal((third.status, "retry-after" in third.headers), (429, True), "over HTTP")
    expect(answer["retry_after_ms"] > 0, "retry_after_ms")
    for r in running:
        equal(r().status, 200, "those that ran")
    equal(l.connect().post(invoke(slow, {"step_ms": 0})).status, 200, "afterwards")
    l.stop()


def test_one_callers_slow_actions_do_not_starve_another():
    tokens = token_file(token_line("t-ann", "ann", "intent:*"), token_line("t-bob", "bob", "intent:*"))
    l = Listener("--auth", tokens, "--set", "actions.processes=2", "--set", "actions.wait=10s")
    slow = tool("fx.slow", s=l.connect("t-ann"), params={"size": 1})
    tool("fx.slow", s=l.connect("t-bob"), params={"size": 1})
    hung = [in_thread(lambda: l.connect("t-ann").post(invoke(slow, {"step_ms": 1000}))) for _ in range(4)]
    time.sleep(0.5)
    begun = time.monotonic()
    answer = l.connect("t-bob").ask(invoke(slow, {"step_ms": 0}))
    spent = time.monotonic() - begun
    equal(answer["type"], "invoke_response", shown(answer))
    expect(spent < (3 if SANITIZED else 1.5), f"bob waited {spent:.1f} s for ann")
    for h in hung:
        equal(h().status, 200, "ann's")
    l.stop()


# ---- the end -------------------------------------------------------------------------------------

def test_a_draining_server_says_what_it_waits_for():
    l = Listener("--open-demo")
    slow = tool("fx.slow", s=l.connect(), params={"size": 1})
    running = in_thread(lambda: l.connect().post(invoke(slow, {"step_ms": 700})))
    time.sleep(0.3)
    l.program.process.send_signal(signal.SIGTERM)
    equal(running().status, 200, "what ran")  # P-READY-9
    l.program.wait()
    expect(re.search(r"draining: waiting for 1 request, 1 of them running actions", l.program.log()),
           f"nothing is said:\n{l.program.log()}")


run(globals())

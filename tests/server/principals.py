"""What was shown to one is not there for another: tokens of one identity, and callers without one."""
import statistics

from blackbox import *
from websocket import Socket

ADMIN, TWIN, BARE = "token-of-the-admin", "another-token-that-may-the-same", "token-without-permissions"
KEY = base64url(CONFIRM_KEY)


def listener(*options):
    """Three tokens of one identity; the confirmation key is the twin's."""
    return Listener("--auth", token_file(
        token_line(ADMIN, "ann", "intent:*,fx:privileged"),
        token_line(TWIN, "ann", "fx:privileged,intent:*", confirm_key=KEY),
        token_line(BARE, "ann", "-")), *options)


def invoked(c, tool, **members):
    return c.ask({**invoke(tool, {"label": "x"}), **members})


def test_a_token_without_permissions_does_not_run_what_the_admins_was_shown():
    l = listener()
    tool = tool_of(l.connect(ADMIN).ask(good()))
    refused(invoked(l.connect(BARE), tool), "macro_not_found")  # P-CACHE-5, D-42, D-57
    equal(invoked(l.connect(ADMIN), tool)["type"], "invoke_response", "type")
    l.stop()


def test_another_token_that_may_do_the_same_is_the_same():
    l = listener()
    tool = tool_of(l.connect(ADMIN).ask(good()))
    equal(invoked(l.connect(TWIN), tool)["type"], "invoke_response", "type")
    l.stop()


def test_a_confirmation_key_signs_for_its_own_token_alone():
    path, options = journal()
    l = listener(*options)
    admin, twin = l.connect(ADMIN), l.connect(TWIN)
    danger = tool_of(admin.ask(intent("fx.danger")), "fx_danger")

    def signed(c):
        challenge = refused(c.ask(invoke(danger, {"target": "t"})), "confirmation_required")["details"]["challenge"]
        return f"{challenge}.{base64url(hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest())}"

    refused(admin.ask(invoke(danger, {"target": "t"}, confirmation_token=signed(admin))), "confirmation_invalid")
    equal(path.read_text(), "", "what was done")
    done = twin.ask(invoke(danger, {"target": "t"}, confirmation_token=signed(twin)))
    equal(done["type"], "invoke_response", "type")  # P-CONF-2
    l.stop()


def test_an_idempotency_key_gives_no_answer_to_another_principal():
    l = listener()
    admin, bare = l.connect(ADMIN), l.connect(BARE)
    tool = tool_of(admin.ask(good()))
    key = {"extensions": {"x-idempotency-key": "k-1"}}
    equal(invoked(admin, tool, **key)["type"], "invoke_response", "type")
    answer = refused(invoked(bare, tool, **key), "malformed_message", reason="idempotency_key")
    expect("nothing was run" in answer["message"], answer["message"])
    equal(invoked(admin, tool, **key)["extensions"], {"x-idempotent-replay": True}, "extensions")
    l.stop()


def answers_alike(options, turns):
    """Text, size and time of what is another's, another's and over, or forbidden to all, beside what never was."""
    l = listener("--clock", "2026-07-04T12:00:00Z", *options)
    admin, bare = l.connect(ADMIN), l.connect(BARE)
    event = fact("fx_event", "door", "open", t={"at": "2026-07-04T11:50:00Z"})
    live = tool_of(admin.ask(good()))["macro_id"]
    over = tool_of(admin.ask(intent("fx.recent", [event], eval_time="2026-07-04T11:52:00Z")))["macro_id"]
    refused(admin.ask(invoke(over)), "macro_expired")
    pairs = [(live, live[:-4] + "0000"), (over, over[:-4] + "0000"),
             ("fx-hidden-0123456789ab", "fx-nobody-0123456789ab")]
    texts, spent = set(), {name: [] for pair in pairs for name in pair}
    for turn in range(turns):
        for pair in pairs:
            for name in pair if turn % 2 else reversed(pair):
                message = invoke(name, {"label": "x"}, id="an-id")
                begun = time.monotonic()
                answer = bare.post(message)
                spent[name].append(time.monotonic() - begun)
                equal(answer.status, 404, "status")
                texts.add(answer.body.decode().replace(name, "ID"))
    equal(len(texts), 1, f"different answers: {texts}")
    for real, invented in pairs:
        quarters = [statistics.quantiles(spent[name], n=4)[:2] for name in (real, invented)]
        print(f"# {real}, {invented}: " +
              ", ".join(f"{' and '.join(f'{q * 1e6:.0f}' for q in both)} us" for both in zip(*quarters)))
        for both in zip(*quarters):  # the first quarter, the median: a stored one would be read and parsed
            expect(max(both) < 2 * min(both), f"{real}: {quarters}")
    l.stop()


def test_another_principals_tools_cannot_be_told_from_none():
    answers_alike([], 60)
    answers_alike(["--store-sqlite", str(pathlib.Path(scratch()) / "store.db")], 60)


def test_each_anonymous_session_has_its_own_tools():
    l = Listener("--open-demo")
    one, other = Socket(l), Socket(l)
    tool = tool_of(one.ask(good()))
    refused(invoked(other, tool), "macro_not_found")
    refused(invoked(l.connect(), tool), "macro_not_found")
    equal(invoked(one, tool)["type"], "invoke_response", "type")
    l.stop()


def test_anonymous_requests_of_one_place_share_their_tools():
    l = Listener("--open-demo")
    tool = tool_of(l.connect().ask(good()))
    equal(invoked(l.connect(), tool)["type"], "invoke_response", "type")
    l.stop()


def test_who_evaluates_for_another_time_expires_nobodys_tool():
    l = listener("--clock", "2026-07-04T12:00:00Z")
    c = l.connect(ADMIN)

    def recent(at, **members):
        return tool_of(l.connect(TWIN).ask(intent("fx.recent", [fact("fx_event", "door", "open", t={"at": at})], **members)))

    live = recent("2026-07-04T11:58:00Z")
    old = recent("2026-07-04T11:50:00Z", eval_time="2026-07-04T11:52:00Z")
    equal(live["macro_id"], old["macro_id"], "macro_id")
    equal(c.ask(invoke(live))["type"], "invoke_response", "type")
    l.stop()


run(globals())

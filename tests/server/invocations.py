"""Invocations: checks before any action, confirmation, results, what changed, what comes next."""

from blackbox import *

TOKEN, OTHER, ROBOT = "token-of-a-person", "token-of-another", "token-of-a-robot"


def tool(name, *facts, pick=None, s=None, **members):
    return tool_of((s or session()).ask(intent(name, facts, **members)), pick)


def run_tool(which, args=None, s=None, **members):
    answer = (s or session()).ask(invoke(which, args, **members))
    equal(answer["type"], "invoke_response", f"type of {shown(answer)}")
    return answer["payload"]


# ---- checks and results --------------------------------------------------------------------

def test_a_result_is_what_the_schema_promises():
    echo = tool("fx.echo", BASIC)  # all that is needed to run it (P-CTX-10)
    for args, wanted in (({"label": "x"}, {"label": "x", "count": 1}),
                         ({"label": "", "count": -5}, {"label": "", "count": -5}),
                         ({"label": "x", "count": 5.0}, None)):  # P-INV-8, P-INV-9, P-TOOL-9, D-7, D-43
        result = run_tool(echo, args)["result"]
        if wanted:
            equal(result, wanted, "result")
        equal(set(result), set(echo["output_schema"]["required"]), "members")


def test_a_result_that_breaks_its_schema_is_a_failure():
    lies = tool("fx.fail", pick="fx_lies")
    refused(session().ask(invoke(lies)), "execution_failed", reason="bad_output")  # D-50


def test_two_faults_in_the_arguments_are_both_reported():
    echo = tool("fx.echo", BASIC)
    answer = refused(session().ask(invoke(echo, {"label": 7, "count": "x", "more": 1})),
                     "schema_validation_failed")
    faults = answer["details"]["schema_errors"]  # P-ERR-8
    equal({f["keyword"] for f in faults}, {"type", "additionalProperties"}, f"{faults}")
    expect({"/label", "/count"} <= {f["path"] for f in faults}, f"{faults}")


def test_a_rejected_invocation_does_nothing():
    path, options = journal()
    s = Session(*options)
    danger = tool("fx.danger", pick="fx_danger", s=s)
    for message in (invoke(danger, {"target": 7}), invoke(danger, {"target": "x"}),
                    invoke(danger, {"target": "x"}, confirmation_token="made-up"),
                    invoke(danger, {"target": "x"}, eval_time="yesterday"),
                    invoke("invented-0123456789ab", {"target": "x"})):  # P-INV-6
        expect(code_of(s.ask(message)), f"{shown(message)} was accepted")
    s.end()
    equal(path.read_text(), "", "what was done")


def test_a_tool_seen_only_in_part_can_be_run():
    s = session()
    answer = s.ask(intent("fx.echo", [BASIC], options={"disclosure_preference": "minimal"}))
    equal(run_tool(tool_of(answer), {"label": "x"})["result"]["label"], "x", "result")  # D-44
    answer = s.ask(intent("fx.danger", options={"disclosure_preference": "minimal"}))
    refused(s.ask(invoke(tool_of(answer, "fx_danger"), {"target": "x"})), "confirmation_required")  # D-39


def test_values_are_narrowed_by_facts_also_when_invoked():
    narrow = tool("fx.vary", fact("fx_choice", "red"))
    equal(run_tool(narrow, {"value": "red"})["result"], {"value": "red"}, "result")
    refused(session().ask(invoke(narrow, {"value": "blue"})), "schema_validation_failed")
    longer = tool("fx.vary", fact("fx_extra"))
    payload = run_tool(longer, {"value": "any"})
    equal(payload["result"], {"value": "any", "more": True}, "result")  # P-TOOL-21
    equal(len(payload["observability"]["events"]), 2, "events")


def test_bound_values_cannot_be_overridden():
    reflect = tool("fx.reflect", fact("fx_basic", "bound", 1, True, [1, {"k": 2.5}]))
    equal(reflect["input_schema"].get("properties", {}), {}, "properties")
    equal(run_tool(reflect)["result"], {"tag": "bound", "x": [1, {"k": 2.5}]}, "result")
    refused(session().ask(invoke(reflect, {"tag": "other"})), "schema_validation_failed")  # D-43


OPEN_TOOL = """
- tool: zz_open
  summary: Takes whatever it is given.
  description: Takes whatever it is given, and says what that was.
  input_schema: {type: object, required: [who], properties: {who: {type: string}, note: {type: string}}}
  steps:
    - {id: all, action: AID.FX.ECHO.v1, inputs: {all: {from: args}}}
    - {id: one, action: AID.FX.ECHO.v1, inputs: {who: {from: args.who}, bound: {from: bound.who}}}
  result:
    all: {from: steps.all.output.all}
    one: {from: steps.one.output}
"""
OPEN_RULES = """
tool_relevant_to_intent("zz_open", "fx.vary", 95).
param_bound("zz_open", "who", "ann").
delta_assert("fx_seen", [Who], "session") :- invoked("zz_open"), invoke_arg("who", Who).
"""


def test_what_is_bound_stands_above_an_argument_of_its_name_everywhere():
    """Where the schema lets others through: in the whole of the arguments, and in the effects rules."""
    folder = fixture_with({"tools/open.yaml": OPEN_TOOL, "rules/domain/90_open.mg": OPEN_RULES})
    s = Session(domain=folder)
    open_tool = tool("fx.vary", pick="zz_open", s=s)
    equal(set(open_tool["input_schema"]["properties"]), {"note"}, "what is asked for")
    for sent in ({"note": "n"}, {"note": "n", "who": "mallory"}, {"note": "n", "who": {"deep": 1}}):
        payload = run_tool(open_tool, sent, s=s)  # D-43
        equal(payload["result"]["all"], {"note": "n", "who": "ann"}, "the whole of the arguments")
        one = payload["result"]["one"]
        equal((one["who"], one["bound"]), ("ann", "ann"), "one of them")
        told = [f["args"] for f in payload["state_delta"]["assert"] if f["pred"] == "fx_seen"]
        equal(told, [["ann"]], "what the effects rules were told")
    s.end()


def test_values_keep_their_kind_through_facts_and_deltas():
    big = {"_type": "int64", "value": "9223372036854775807"}
    for x, wanted in ((4200, 4200), (1.5, 1.5), (True, True), ("/path", "/path"), ([1, "a"], [1, "a"]),
                      ({"k": 1}, {"k": 1}), (big, big)):  # P-FACT-18, P-FACT-19, D-10
        reflect = tool("fx.reflect", fact("fx_basic", "t", 1, True, x))
        delta = run_tool(reflect)["state_delta"]["assert"]
        equal([(f["pred"], f["args"]) for f in delta], [("fx_seen", [wanted])], "delta")
        equal(type(delta[0]["args"][0]), type(wanted), "kind")


def test_expiry_is_judged_by_the_servers_clock():
    clock = "2026-07-04T12:00:00Z"
    s = Session("--clock", clock)
    happened = {**fact("fx_event", "door", "open"), "t": {"at": "2026-07-04T11:58:00Z"}}
    older = {**happened, "t": {"at": "2026-07-04T11:50:00Z"}}
    expired = tool("fx.recent", older, s=s, eval_time="2026-07-04T11:52:00Z")
    answer = refused(s.ask(invoke(expired)), "macro_expired", reason="expired")
    equal(answer["details"]["macro_id"], expired["macro_id"], "macro_id")
    recent = tool("fx.recent", happened, s=s)
    equal(recent["validity"]["expires_at"], "2026-07-04T12:03:00Z", "expires_at")
    run_tool(recent, s=s)  # P-INV-3, P-CACHE-2
    run_tool(recent, s=s, eval_time="2030-01-01T00:00:00Z")  # never held against the window (D-41)
    tool("fx.recent", older, s=s, eval_time="2026-07-04T11:52:00Z")  # takes nothing of what is live
    run_tool(recent, s=s)
    s.end()


def test_asking_again_renews_a_window():
    s = session()
    def recent(seconds):
        happened = {**fact("fx_event", "door", "open"), "t": {"at": moment(seconds)}}
        return tool("fx.recent", happened, s=s, eval_time=moment(seconds + 1))
    old = recent(-3600)
    refused(s.ask(invoke(old)), "macro_expired")
    equal(recent(-10)["macro_id"], old["macro_id"], "macro_id")  # D-42
    run_tool(old)


def test_a_tool_without_window_can_be_run_after_heavy_traffic():
    s = session()
    echo = tool("fx.echo", BASIC)
    for n in range(300):
        s.ask(intent("fx.vary", [fact("fx_choice", f"value-{n}")]))
    run_tool(echo, {"label": "x"})  # P-CACHE-3


def test_an_id_that_was_never_given_out_is_not_found():
    answer = refused(session().ask(invoke("fx-echo-000000000000", {"label": "x"})), "macro_not_found",
                     macro_id="fx-echo-000000000000")  # P-CACHE-5, D-57
    expect(answer["recoverable"], "not recoverable")


def test_the_evaluation_time_of_an_invocation_is_its_rules_now():
    mark = tool("fx.mark")
    for now in ("2026-07-04T12:00:00Z", "2001-01-01T00:00:00Z"):  # P-INV-7
        delta = run_tool(mark, {"label": "x"}, eval_time=now)["state_delta"]["assert"]
        stamped = [f for f in delta if f["pred"] == "fx_event"]
        equal(stamped[0]["t"], {"start": now, "end": "_"}, "t")  # P-DELTA-3


# ---- confirmation --------------------------------------------------------------------------

def confirming(*options):
    """A server with tokens for a person who can confirm, for somebody else, and for a robot."""
    key = base64url(CONFIRM_KEY)
    lines = [token_line(TOKEN, "person", "intent:*", confirm_key=key),
             token_line(OTHER, "another", "intent:*", confirm_key=key),
             token_line(ROBOT, "robot", "intent:*", trust="automated", auto_confirm="filesystem")]
    return Listener("--auth", token_file(*lines), *options)


def challenge_of(answer):
    return refused(answer, "confirmation_required")["details"]["challenge"]


def sign(challenge, key=CONFIRM_KEY):
    tag = hmac.new(key, challenge.encode(), hashlib.sha256).digest()
    return f"{challenge}.{base64url(tag)}"


def test_what_the_user_has_to_see_comes_with_the_challenge():
    danger = tool("fx.danger", pick="fx_danger")
    details = refused(session().ask(invoke(danger, {"target": "x"})), "confirmation_required")["details"]
    equal(details["side_effects"], ["destructive"], "side_effects")  # P-CONF-3
    equal(details["reversible"], False, "reversible")
    expect("challenge" in details and "expires_at" in details, f"{details}")
    expect("Destroys" in json.dumps(details["show"]), f"{details['show']}")


def test_a_signed_challenge_confirms_one_run():
    path, options = journal()
    l = confirming(*options)
    c = l.connect(TOKEN)
    danger = tool("fx.danger", pick="fx_danger", s=c)
    token = sign(challenge_of(c.ask(invoke(danger, {"target": "the thing"}))))
    payload = run_tool(danger, {"target": "the thing"}, s=c, confirmation_token=token)  # P-CONF-2
    equal(payload["result"], {"destroyed": "the thing"}, "result")
    equal(path.read_text(), "the thing\n", "what was done")
    refused(c.ask(invoke(danger, {"target": "the thing"}, confirmation_token=token)),
            "confirmation_invalid", reason="used")  # P-CONF-4; row 123
    equal(path.read_text(), "the thing\n", "what was done")
    l.stop()


def test_a_confirmation_is_for_this_call_only():
    path, options = journal()
    l = confirming(*options)
    c, d = l.connect(TOKEN), l.connect(OTHER)
    answer = c.ask(intent("fx.danger"))
    danger, twin = tool_of(answer, "fx_danger"), tool_of(answer, "fx_danger_twin")
    tool("fx.danger", s=d)
    challenge = challenge_of(c.ask(invoke(danger, {"target": "x"})))
    token = sign(challenge)
    wrong = {  # P-CONF-1; row 122
        "other arguments": (c, danger, {"target": "y"}, token),
        "another tool": (c, twin, {"target": "x"}, token),
        "another caller": (d, danger, {"target": "x"}, token),
        "another key": (c, danger, {"target": "x"}, sign(challenge, b"not the key of this person!!")),
        "no signature": (c, danger, {"target": "x"}, challenge),
        "half a signature": (c, danger, {"target": "x"}, token[:-1]),
        "a changed signature": (c, danger, {"target": "x"}, token[:-1] + ("A" if token[-1] != "A" else "B")),
        "a changed challenge": (c, danger, {"target": "x"}, sign(challenge[:-1] + "-")),
        "nonsense": (c, danger, {"target": "x"}, "v1.x.y.z"),
    }
    for what, (who, which, args, given) in wrong.items():
        answer = who.ask(invoke(which, args, confirmation_token=given))
        expect(code_of(answer) == "confirmation_invalid", f"{what}: {shown(answer)}")
        expect(answer["payload"]["details"]["reason"] in ("expired", "used", "mismatch", "malformed"),
               f"{what}: {shown(answer)}")
    equal(path.read_text(), "", "what was done")
    run_tool(danger, {"target": "x"}, s=c, confirmation_token=token)  # not spent by rejections (D-46)
    l.stop()


def test_every_changed_character_makes_a_token_useless():
    l = confirming()
    c = l.connect(TOKEN)
    danger = tool("fx.danger", pick="fx_danger", s=c)
    token = sign(challenge_of(c.ask(invoke(danger, {"target": "x"}))))
    for i in range(0, len(token), 3):  # P-CONF-2
        changed = token[:i] + ("0" if token[i] != "0" else "1") + token[i + 1:]
        refused(c.ask(invoke(danger, {"target": "x"}, confirmation_token=changed)), "confirmation_invalid")
    l.stop()


def test_an_old_challenge_is_no_good():
    l = confirming("--set", "confirmation.ttl=1s")
    c = l.connect(TOKEN)
    danger = tool("fx.danger", pick="fx_danger", s=c)
    token = sign(challenge_of(c.ask(invoke(danger, {"target": "x"}))))
    time.sleep(1.2)
    refused(c.ask(invoke(danger, {"target": "x"}, confirmation_token=token)), "confirmation_invalid",
            reason="expired")
    l.stop()


def test_a_token_for_a_tool_that_asks_nobody_is_ignored():
    run_tool(tool("fx.echo", BASIC), {"label": "x"}, confirmation_token="whatever")  # D-45


def test_a_waiver_is_the_operators():
    path, options = journal()
    l = confirming(*options)
    person, robot = l.connect(TOKEN), l.connect(ROBOT)
    asked = tool("fx.write", s=person)
    equal(asked["safety"]["requires_user_confirmation"], True, "for a person")  # P-CONF-6
    refused(person.ask(invoke(asked, {"line": "x"})), "confirmation_required")  # D-68
    waived = tool("fx.write", s=robot)
    equal(waived["safety"]["requires_user_confirmation"], False, "for a robot")  # P-CONF-5
    equal(waived["safety"]["side_effects"], ["filesystem"], "effects")
    run_tool(waived, {"line": "by a robot"}, s=robot)
    equal(path.read_text(), "by a robot\n", "what was written")
    danger = tool("fx.danger", pick="fx_danger", s=robot)
    equal(danger["safety"]["requires_user_confirmation"], True, "danger")  # P-CONF-7
    refused(robot.ask(invoke(danger, {"target": "x"})), "confirmation_required")  # D-68: whatever says true
    l.stop()


SAFETY = {  # steps: (side effects, promises) of each; what follows of the whole
    "only_reads": ([("filesystem_read", "")], ["filesystem", "x-filesystem-read"], True, False, False),
    "reads_and_writes": ([("filesystem_read", ""), ("filesystem_write", "")], ["filesystem"], False, False, True),
    "writes_what_can_be_undone": ([("filesystem_read", ""), ("filesystem_write", "reversible")], ["filesystem"],
                                  True, False, False),
    "writes_and_reaches_out": ([("filesystem_write", ""), ("network_io", "")], ["filesystem", "network"], False, False, True),
    "does_nothing": ([("none", "idempotent"), ("none", "idempotent")], ["none"], True, True, False),
    "does_nothing_once": ([("none", "idempotent"), ("none", "")], ["none"], True, False, False),
    "nothing_and_something": ([("none", "idempotent"), ("database_read", "idempotent")],
                              ["database", "x-database-read"], True, True, False),
    "starts_programs": ([("process_spawn", "reversible")], ["process"], True, False, True),
    "deletes": ([("filesystem_delete", "reversible")], ["destructive", "filesystem"], True, False, True),
    "pays": ([("payments", "reversible idempotent")], ["payments"], True, True, True),
    "logs_in": ([("authentication", "reversible")], ["authentication"], True, False, True),
}


def test_what_a_chain_means_for_safety_follows_from_its_steps():
    actions, tools, rules = [], [], []
    for name, (steps, *_) in SAFETY.items():
        for i, (effect, promises) in enumerate(steps):
            actions.append({"name": f"{name}_{i}", "description": "d", "run": ["/bin/true"],
                            "side_effects": effect if effect == "none" else [effect], **{p: True for p in promises.split()}})
        tools.append({"tool": name, "summary": "s", "description": "d", "input_schema": {"type": "object"},
                      "steps": [{"id": f"s{i}", "action": f"AID.FIXTURE.{name.upper()}_{i}.v1"} for i in range(len(steps))]})
        rules.append(f'tool_relevant_to_intent("{name}", "fx.free", 90) :- intent_type(_, "fx.free").\n')
    domain = (FIXTURE / "domain.yaml").read_text().replace("plugins: [fx]", "plugins: [fx]\n  commands: actions.yaml")
    folder = fixture_with({"domain.yaml": domain, "actions.yaml": json.dumps(actions), "tools/safety.yaml": json.dumps(tools),
                           "rules/domain/80_safety.mg": "".join(rules)})
    s = Session(domain=folder)
    offered = {t["name"]: t["safety"] for t in s.ask(intent("fx.free", [fact("fx_undeclared_but_listed")]))["payload"]["macro_tools"]}
    for name, (_, effects, reversible, idempotent, asks) in SAFETY.items():
        got = offered[name]
        equal(got["side_effects"], effects, name)  # T-MCP-13, C-187
        equal((got["reversible"], got["idempotent"]), (reversible, idempotent), name)  # T-MCP-14
        equal(got["requires_user_confirmation"], asks, name)  # T-MCP-15
    s.end()


# ---- what changed --------------------------------------------------------------------------

def test_a_delta_says_what_to_drop_and_what_to_add():
    payload = run_tool(tool("fx.mark"), {"label": "door", "count": 3})
    delta = payload["state_delta"]
    equal([(f["pred"], f["args"], f["category"]) for f in delta["assert"] if "t" not in f],
          [("fx_note", ["door", 3], "session")], "assert")
    profile = session().manifest["payload"]["facts_profile"]["predicates"]
    for fact_or_pattern in delta["assert"] + delta["retract"]:  # P-MIN-6
        expect(fact_or_pattern["pred"] in {p["predicate"] for p in profile}, f"{fact_or_pattern}")
    patterns = sorted((p["pred"], p["args"]) for p in delta["retract"])
    equal(patterns, [("fx_ban", ["fx_echo"]), ("fx_note", ["door", None])], "retract")  # P-DELTA-4, P-DELTA-5


def test_facts_of_a_delta_are_taken_back_unchanged():
    payload = run_tool(tool("fx.mark"), {"label": "door"})
    facts = payload["state_delta"]["assert"] + payload["next"]["continuation_facts"]
    answer = session().ask(intent("fx.recent", facts))  # P-DELTA-10, P-TIME-17, D-49
    equal(names(answer), ["fx_recent"], "tools")
    bulk = run_tool(tool("fx.bulk"))["state_delta"]["assert"]
    equal(session().ask(intent("fx.recent", bulk))["type"], "intent_response", "type")


def test_a_delta_is_advice_and_the_server_forgets_it():
    run_tool(tool("fx.mark"), {"label": "door"})
    equal(names(session().ask(intent("fx.recent"))), [], "tools")  # P-DELTA-7, P-DELTA-9
    half = run_tool(tool("fx.mark"), {"label": "door"})["state_delta"]["assert"][:1]
    equal(session().ask(intent("fx.recent", half))["type"], "intent_response", "type")  # P-DELTA-8


def test_a_suggestion_can_be_followed_on_another_connection():
    payload = run_tool(tool("fx.mark"), {"label": "door"})
    suggested = payload["next"]["suggested_intents"][0]  # P-NEXT-1
    equal((suggested["name"], suggested["params"]), ("fx.recent", {"label": "door"}), "suggestion")  # P-NEXT-3
    facts = payload["next"]["continuation_facts"]
    equal([(f["pred"], f["args"]) for f in facts], [("fx_event", ["door", "continued"])], "facts")
    other = Session()
    answer = other.ask(intent(suggested["name"], facts, params=suggested["params"]))
    equal(names(answer), ["fx_recent"], "tools")  # P-NEXT-6
    other.end()


def test_a_mass_change_is_told_in_one_fact():
    answer = session().ask(invoke(tool("fx.bulk")))
    expect(len(json.dumps(answer)) < 8192, f"{len(json.dumps(answer))} bytes")  # P-OBS-1
    payload = answer["payload"]
    equal(payload["result"], {"changed": 1000}, "result")
    asserted = payload["state_delta"]["assert"]
    expect(len(asserted) <= 100, f"{len(asserted)} facts")  # P-OBS-2, P-OBS-3
    expect(any(1000 in f["args"] for f in asserted), f"no count in {shown(asserted)}")  # P-OBS-4
    expect(len(payload["observability"]["events"]) <= 20, "events")  # P-OBS-6
    expect("80" in payload["observability"]["summary"], payload["observability"]["summary"])  # D-52


def test_the_number_of_events_is_a_setting():
    s = Session("--set", "observability.max_events=5", "--set", "observability.max_asserts=2000")
    payload = run_tool(tool("fx.bulk", s=s), s=s)
    equal(len(payload["observability"]["events"]), 5, "events")  # P-OBS-6
    items = {f["args"][0] for f in payload["state_delta"]["assert"] if f["pred"] == "fx_item"}
    equal(len(items), 1000, "facts")
    s.end()


def test_events_are_the_actions_of_the_chain():
    payload = run_tool(tool("fx.ten"), {"label": "x"})
    equal([e["action"] for e in payload["observability"]["events"]], ["echo"] * 10, "actions")  # P-OBS-5, P-OBS-10
    equal(payload["result"], {"last": 10}, "result")
    sentences = re.findall(r"[.!?](?:\s|$)", payload["observability"]["summary"])
    expect(1 <= len(sentences) <= 3, payload["observability"]["summary"])  # P-OBS-7


# ---- failure -------------------------------------------------------------------------------

def test_a_failed_chain_tells_how_far_it_came():
    answer = refused(session().ask(invoke(tool("fx.fail", pick="fx_fail"))), "execution_failed",
                     reason="tool_error")
    details = answer["details"]
    check_events(details["observability"])
    statuses = [e["status"] for e in details["observability"]["events"]]
    equal(statuses[:2], ["success", "failure"], "events")  # D-50
    expect("success" not in statuses[2:], f"{statuses}")
    check_delta(details["state_delta"])
    equal([f["args"][0] for f in details["state_delta"]["assert"]], ["item-7000"], "what was done")


def test_a_chain_that_fails_in_part_has_its_result():
    payload = run_tool(tool("fx.fail", pick="fx_partly"))
    equal(payload["result"], {"label": "done"}, "result")
    equal([e["status"] for e in payload["observability"]["events"]],  # P-OBS-11
          ["success", "failure", "skipped"], "events")


def test_secrets_of_the_server_stay_there():
    s = Session("--set", "marker=secret-planted-here", "--log", "debug")
    texts = [json.dumps(s.ask(intent("fx.fail", options={"include_proof_hints": True})))]
    for pick in ("fx_fail", "fx_partly"):
        texts.append(json.dumps(s.ask(invoke(tool("fx.fail", pick=pick, s=s)))))
    s.end()
    for text in texts:  # P-OBS-9
        expect("secret-planted-here" not in text, shown(text))
        expect("it does not work today" not in text, shown(text))  # what the plugin said


def test_the_id_of_an_envelope_is_no_key():
    path, options = journal()
    l = confirming(*options)
    robot = l.connect(ROBOT)
    write = tool("fx.write", s=robot)
    for _ in range(2):
        run_tool(write, {"line": "again"}, s=robot, id="the-same")
    equal(path.read_text(), "again\n" * 2, "what was written")  # T-MCP-20, C-183
    l.stop()


def test_a_lost_connection_cancels_what_runs():
    audit = pathlib.Path(scratch()) / "audit.jsonl"
    l = Listener("--open-demo", env={"MACHINA_TOOLHOST_AUDIT": str(audit)})
    c = l.connect()
    body = encode(invoke(tool("fx.slow", params={"size": 1}, s=c), {"step_ms": 15000}, id="lost"))
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    until(lambda: "worker_started" in audit.read_text(), "no worker")
    time.sleep(0.5)
    begun = time.monotonic()
    c.close()
    until(lambda: any(r["event"] == "tool_error" for r in records(audit)), "it was not cancelled")
    expect(time.monotonic() - begun < 5, f"cancelled after {time.monotonic() - begun} s")
    ended = [r["payload"] for r in records(audit) if r["event"] == "tool_error"]
    equal([(e["code"], e["aid"]) for e in ended], [("cancelled", "AID.FX.SLEEP.v1")], "audit log")  # T-MCP-29, C-192
    l.stop()
    equal([r for r in records(audit) if r["event"] == "tool_ok"], [], "steps that ran")


def test_what_a_killed_host_had_begun_is_not_begun_again():
    done = pathlib.Path(scratch()) / "done"
    action = {"name": "note", "description": "d", "run": ["/bin/sh", "-c", 'echo once >>"$0"; exec sleep 30', str(done)],
              "side_effects": ["filesystem_write"], "reversible": True, "may": ["file_write"]}
    note = {"tool": "note", "summary": "s", "description": "d", "input_schema": {"type": "object"},
            "steps": [{"id": "it", "action": "AID.FIXTURE.NOTE.v1"}]}
    domain = (FIXTURE / "domain.yaml").read_text().replace("plugins: [fx]", "plugins: [fx]\n  commands: actions.yaml")
    folder = fixture_with({"domain.yaml": domain, "actions.yaml": json.dumps([action]), "tools/note.yaml": json.dumps([note]),
                           "rules/domain/80_note.mg": 'tool_relevant_to_intent("note", "fx.free", 90) :- intent_type(_, "fx.free").\n'})
    s = Session(domain=folder)
    answer = s.ask(intent("fx.free", [fact("fx_undeclared_but_listed")]))
    s.send(invoke(tool_of(answer, "note"), id="killed"))
    until(lambda: done.exists() and done.read_text(), f"it does not run: {s.program.log()}")
    for pid in children(s.program.process.pid):
        os.kill(pid, signal.SIGKILL)
    while (m := s.receive())["type"] == "progress":
        pass
    details = refused(m, "execution_failed", reason="tool_error")["details"]
    equal((details["indeterminate"], details["indeterminate_steps"]), (True, ["it"]), "what is known")  # T-MCP-19, C-184
    time.sleep(0.3)
    equal(done.read_text(), "once\n", "what was done")  # T-MCP-21
    s.end()


def until(holds, why):
    begun = time.monotonic()
    while not holds():
        expect(time.monotonic() - begun < PATIENCE, why)
        time.sleep(0.02)


def records(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def test_results_of_many_invocations_do_not_mix():
    s = session()
    echo = tool("fx.echo", BASIC)
    s.send(*[invoke(echo, {"label": f"l-{n}", "count": n}, id=f"n-{n}") for n in range(40)])
    left = {f"n-{n}" for n in range(40)}
    while left:
        m = s.receive()
        if m["type"] == "progress":
            continue
        n = int(m["id"][2:])
        equal(m["payload"]["result"], {"label": f"l-{n}", "count": n}, m["id"])
        left.remove(m["id"])


def children(pid):
    """Not every kernel has /proc/PID/task/PID/children."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if int(text[text.rindex(")") + 2:].split()[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def test_a_killed_plugin_host_costs_one_invocation():
    s = Session()
    slow = tool("fx.slow", params={"size": 1}, s=s)
    s.send(invoke(slow, {"step_ms": 5000}, id="killed"))
    time.sleep(0.4)
    hosts = children(s.program.process.pid)
    expect(hosts, "no host of plugins is running")
    for pid in hosts:
        os.kill(pid, signal.SIGKILL)
    while (m := s.receive())["type"] == "progress":
        pass
    equal(m["id"], "killed", "id")
    refused(m, "execution_failed", reason="tool_error")  # a word of protocol.md §2.18
    run_tool(tool("fx.echo", BASIC, s=s), {"label": "after"}, s=s)
    s.end()
    equal([p for p in hosts if pathlib.Path(f"/proc/{p}").exists()], [], "hosts that are left")


run(globals())

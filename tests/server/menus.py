"""Steps that are menus: a policy in Python picks, rules ask a person, the run waits for the answer."""
import contextlib

from worlds import *

TOOL = """
- tool: zz_menu
  summary: Does what a plan says.
  description: Does what a plan says, one thing after the other.
  input_schema: {type: object, required: [plan], properties: {plan: {type: array}, stop: {type: string, default: ""}}}
  steps:
    - id: next
      menu:
        actions: [AID.GATED.*]
        select: policy
        policy: pick
        fallback: rules
        steps: 12
        invalid: 1
        question: What now?
      inputs: {file: {from: settings.journal}, stop: {from: args.stop}, plan: {from: args.plan}, name: nobody}
  result: {menu: {from: steps.next.output}}
- tool: zz_undo
  summary: Does what a plan says, or nothing.
  description: Does what a plan says, or nothing.
  transaction: true
  input_schema: {type: object, required: [plan], properties: {plan: {type: array}, stop: {type: string, default: ""}}}
  steps:
    - id: next
      menu:
        actions:
          - action: AID.GATED.ACT.v1
            compensate:
              action: AID.GATED.ACT.v1
              with: {file: {from: settings.journal}, stop: "", name: {from: settings.undone}}
        select: policy
        policy: pick
        fallback: rules
      inputs: {file: {from: settings.journal}, stop: {from: args.stop}, plan: {from: args.plan}, name: nobody}
"""
RULES = """
tool_relevant_to_intent("zz_menu", "fx.vary", 96).
tool_relevant_to_intent("zz_undo", "fx.vary", 95).
menu_pick(T, "next", "AID.GATED.ACT.v1", 1) :- choosing(T, "next").
menu_set(T, "next", "AID.GATED.ACT.v1", "name", "asked") :- choosing(T, "next").
menu_ask(T, "next", "AID.GATED.LOOK.v1", "May it look?") :- choosing(T, "next"), menu_turn(2).
"""
# Each word of the plan is what a turn does: a name, ?, or something that a policy should not.
POLICY = """
import json, os, sys, time

question = json.load(open(sys.argv[1]))
plan, meta = question["inputs"]["plan"], question["inputs"]["_meta"]
sids = {entry["aid"]: entry["sid"] for entry in question["menu"]}
word = plan[meta["turn"] - 1] if meta["turn"] <= len(plan) else "."
assert len(meta["calls"]) == meta["turn"] - 1 and question["control_mode"] == "POLICY_ONLY"
if word == ".":
    print("<NOOP><END>")
elif word == "?":
    print("<ASK_SUP><END>")
elif word.startswith("<") or word == "":
    print(word.replace("HUGE", "x" * 70000), end="")
elif word == "killed":
    os.kill(os.getpid(), 9)
elif word == "closes":
    os.close(1)
elif word == "leaves":
    os.fork() or time.sleep(600)
elif word == "crash":
    sys.exit(3)
elif word == "sleep":
    time.sleep(600)
elif word == "flood":
    while True:
        sys.stdout.write("x" * 65536)
else:
    while word == "waits" and not os.path.exists("policies/go"):
        time.sleep(0.01)
    action = "AID.GATED.LOOK.v1" if word.startswith("look") else "AID.GATED.ACT.v1"
    print(f"<PICK><{sids[action]}><INP>{json.dumps({'name': word})}</INP><END>")
"""


class World(Gated):
    def __init__(self, *options, policy="", **more):
        super().__init__({"tools/zz_menu.yaml": TOOL, "rules/domain/95_menu.mg": RULES, "policies/pick.py": POLICY},
                         *options, **more)
        config = self.domain / "domain.yaml"
        config.write_text(config.read_text().replace("settings:\n", "settings:\n  undone: {type: string, default: undone, description: What is said of it}\n", 1)
                          + f"policies:\n  pick: {{run: [python3, policies/pick.py]{policy}}}\n")

    def listen(self, *options):
        line = token_line(TOKEN, "ann", "intent:*", confirm_key=base64url(CONFIRM_KEY))
        other = token_line(OTHER, "bob", "intent:*", confirm_key=base64url(CONFIRM_KEY))
        return Listener("--auth", token_file(line, other), *self.options, *options, domain=self.domain)


def plan(*words, **more):
    return {"plan": list(words), **more}


def menu_of(answer):
    equal(answer["type"], "invoke_response", shown(answer))
    return answer["payload"]["result"]["menu"]


def signed(challenge):
    tag = hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest()
    return f"{challenge}.{base64url(tag)}"


def question_of(answer):
    return refused(answer, "confirmation_required")["details"]


def answer_to(c, tool, args, asked, key=None):
    message = invoke(tool, args, confirmation_token=signed(asked["challenge"]))
    return c.ask(keyed(message, key) if key else message)


# ---- picking -------------------------------------------------------------------------------

def test_a_policy_in_python_picks_what_runs():
    w = World()
    s = w.serve()
    tool = w.tool(s, "zz_menu")
    equal(tool["safety"]["side_effects"], ["filesystem"], "effects of all that may run")
    menu = menu_of(s.ask(invoke(tool, plan("a", "c", "look"))))
    equal([menu[name] for name in ("reason", "status", "steps", "invalid_picks")], ["noop", "OK", 4, 0], "menu")
    equal([(call["aid"], call["output"]["name"]) for call in menu["calls"]],
          [("AID.GATED.ACT.v1", "a"), ("AID.GATED.ACT.v1", "c"), ("AID.GATED.LOOK.v1", "look")], "calls")
    equal(w.did(), ["a", "c"], "what was done")
    run, = w.runs()
    run, = w.runs(run["invocation"])
    picks = [(p["turn"], p.get("by"), p["kind"], p.get("action"), p["raw"]) for p in run["picks"]]
    act, look = "<PICK><SID0001><INP>...</INP><END>", "<PICK><SID0002><INP>...</INP><END>"
    equal([p.get("mode") for p in run["picks"]], ["POLICY_ONLY"] * 4 + [None], "control modes in the journal")
    equal(picks, [(1, "policy", "PICK", "AID.GATED.ACT.v1", act), (2, "policy", "PICK", "AID.GATED.ACT.v1", act),
                  (3, "policy", "PICK", "AID.GATED.LOOK.v1", look), (4, "policy", "NOOP", None, r"<NOOP><END>\n"),
                  (4, None, "END", None, "noop")], "picks in the journal")
    s.end()


ACT = "<PICK><SID0001>"
SAID = {  # and why it does not count
    "": "empty output",
    "<PICK><SID0001><END> I hope so.": "something stands after <END>",
    "<NOOP><END><NOOP><END>": "something stands after <END>",
    "<pick><SID0001><END>": "expected <PICK>",
    "<PICK><SID0000><END>": "SID0000 is not in the menu",
    "<PICK><SID0003><END>": "SID0003 is not in the menu",
    f"{ACT}<INP>{{'name': 1}}</INP><END>": "the patch is not JSON",
    f"{ACT}<INP>[1]</INP><END>": "the patch is not a JSON object",
    f"{ACT}<INP>{{}}</INP><INP>{{}}</INP><END>": "a second patch",
    f"{ACT}<INP64>e30*</INP64><END>": "not a character of Base64",
    f"{ACT}<INP64>e30==</INP64><END>": "the padding does not complete",
    f"{ACT}<INP64>W10=</INP64><END>": "the patch is not a JSON object",
    f"{ACT}<INP64>{base64.b64encode(bytes([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])).decode()}</INP64><END>": "ill-formed UTF-8",
    f'{ACT}<INP>{{"name": "HUGE"}}</INP><END>': "more than 65536 bytes of output",
    "flood": "more than 65536 bytes of output",
    "leaves": "empty output",
    "crash": "exit code 3",
    "killed": "ended by signal 9",
    "closes": "empty output",
}


def test_what_a_policy_may_not_or_cannot_is_answered_for_by_the_fallback():  # T-SEL-1 to T-SEL-6, T-POL-3, T-POL-6
    w = World(policy=", timeout: 30s, failures: 100")
    s = w.serve()
    tool = w.tool(s, "zz_menu")
    for word, why in SAID.items():
        w.done.unlink(missing_ok=True)
        menu = menu_of(s.ask(invoke(tool, plan("a", word, "c"))))
        equal((menu["reason"], w.did()), ("noop", ["a", "asked", "c"]), word)
        run = w.runs()[0]
        pick = w.runs(run["invocation"])[0]["picks"][1]
        expect(pick["by"] == "fallback" and pick["raw"].startswith("[policy_failure] ") and why in pick["raw"], f"{word}: {pick}")
    s.end()


def test_a_policy_that_says_nothing_has_its_time():  # T-POL-3
    w = World(policy=", timeout: 300ms")
    s = w.serve()
    menu_of(s.ask(invoke(w.tool(s, "zz_menu"), plan("sleep", "c"))))
    run, = w.runs()
    run, = w.runs(run["invocation"])
    expect("[policy_failure] no answer within 300 ms" in run["picks"][0]["raw"], f"{run['picks']}")
    s.end()


def test_a_policy_that_fails_is_not_asked_for_a_while():
    w = World(policy=", failures: 2, cooldown: 10m")
    s = w.serve()
    error = refused(s.ask(invoke(w.tool(s, "zz_menu"), plan("crash", "crash", "c", "c"))), "execution_failed",
                    reason="unavailable")
    expect("loop_guard after 4 calls" in error["message"], error["message"])  # the fallback goes round in a circle
    equal(set(w.did()), {"asked"}, "what was done")
    run, = w.runs()
    run, = w.runs(run["invocation"])
    equal([p.get("by") for p in run["picks"]], ["fallback"] * 4 + [None], "who picked")
    expect("policy_failure] switched off" in run["picks"][3]["raw"], f"{run['picks']}")
    s.end()


def test_a_policy_can_do_no_more_than_compute():
    probe = POLICY.replace("if word", """
def attempt(what, function):
    try:
        function()
        return what
    except OSError:
        return ""

def connects():
    import socket
    socket.create_connection(("127.0.0.1", 9)).close()

known = [name for name in os.environ if name not in ("PATH", "HOME", "LANG", "LC_CTYPE", "LC_ALL", "TZ", "TMPDIR", "MACHINA_ROOT")]
done = [attempt("reads", lambda: os.listdir("/root")), attempt("reads_domain", lambda: open("domain.yaml").read()),
        attempt("writes", lambda: open("policies/new", "w")), attempt("writes_tmp", lambda: open("/tmp/manglecp-policy-was-here", "w")), *known]
try:
    connects()
    done.append("connects")
except ConnectionRefusedError:
    done.append("connects")
except OSError:
    pass
plan = ["did" + "+".join(word for word in done if word)]
word = plan[meta["turn"] - 1] if meta["turn"] <= len(plan) else "."
if word""", 1)
    features = subprocess.run([str(BUILD / "bin/toolhost"), "--help"], capture_output=True)  # it is built
    equal(features.returncode, 0, "toolhost")
    for policy, wanted in (("", "did"), (", may: [file_read], read: [.]", "didreads_domain"), (", env: {MINE: x}", "didMINE")):
        w = World(policy=policy)
        (w.domain / "policies/pick.py").write_text(probe)
        s = w.serve(env={"SECRET_OF_THE_SERVER": "sesame"})
        if "this kernel does not confine" in s.program.log():
            raise Skip("this kernel does not confine")
        menu_of(s.ask(invoke(w.tool(s, "zz_menu"), plan("x"))))
        equal(w.did(), [wanted], f"what a policy with {policy} could do")
        s.end()


def outcome_of(answer, run_of, **details):
    """Of a run that failed: what its error says, and how its menu ended in the journal."""
    error = refused(answer, "execution_failed", **details)
    run, = run_of.runs()
    run, = run_of.runs(run["invocation"])
    return error["message"], run["picks"][-1]["raw"], run["outcome"]


def test_a_policy_that_may_not_run_any_more_has_a_budget_of_invalid_picks():  # T-POL-4, T-BUD-1
    w = World()
    s = w.serve()
    tool = w.tool(s, "zz_menu")
    script = w.domain / "policies/pick.py"
    elsewhere = pathlib.Path(scratch()) / "pick.py"
    script.rename(elsewhere)
    script.symlink_to(elsewhere)
    message, end, outcome = outcome_of(s.ask(invoke(tool, plan("a"))), w, reason="unavailable")
    expect("max_invalid_picks after 0 calls" in message, message)
    equal((end, outcome, w.done.exists()), ("max_invalid_picks", "failed", False), "in the journal")
    s.end()


def test_who_asks_without_end_is_stopped():  # T-BUD-2
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_menu"), plan(*["?"] * 12)
    answer, asked = c.ask(invoke(tool, args)), 0
    while answer["payload"]["code"] == "confirmation_required":
        asked += 1
        answer = answer_to(c, tool, args, question_of(answer))
    message, end, _ = outcome_of(answer, w, reason="unavailable")
    expect("loop_guard after 4 calls" in message, message)
    equal((asked, end, w.did()), (4, "loop_guard", ["asked"] * 4), "asked")
    l.stop()


# ---- the header ----------------------------------------------------------------------------

def test_log_journal_and_audit_have_the_run_that_they_are_of():
    for one_id in (False, True):  # T-RUN-1, T-RUN-2, T-RUN-3
        w = World()
        audit = w.folder / "audit"
        fixed = {"MACHINA_DETERMINISTIC_RUN_ID": "1"} if one_id else {}
        s = w.serve(env={"MACHINA_TOOLHOST_AUDIT": str(audit), **fixed}, log="debug")
        menu_of(s.ask(invoke(w.tool(s, "zz_menu"), plan("a", "c", "look"))))
        run, = w.runs()
        equal(run["run_id"], "0" * 31 + "1" if one_id else run["invocation"], "run_id")
        equal((run["spec_version"], run["profile_id"]), ("1.4.2", "A"), "the header in the journal")
        begun = f'invocation {run["invocation"]}: zz_menu for "local", request "{run["request_id"]}", run {run["run_id"]} (1.4.2, A)'
        expect(begun in s.program.log(), s.program.log())  # T-MCP-22
        lines = [line for line in s.program.log().splitlines() if "menu next" in line]
        expect(len(lines) >= 3, f"{lines}")
        for line in lines:
            expect(f"run {run['run_id']}" in line, line)
        s.end()
        of_run = [record for record in map(json.loads, audit.read_text().splitlines()) if "request_id" in record]
        equal({(r["run_id"], r["spec_version"], r["profile_id"]) for r in of_run}, {(run["run_id"], "1.4.2", "A")},
              "the header in the audit")
        equal({record["request_id"] for record in of_run}, {f"{run['invocation']}.0-{i}" for i in range(3)},
              "requests in the audit")


# ---- a person is asked ---------------------------------------------------------------------

def test_what_it_asks_is_answered_and_nothing_runs_twice():
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_menu"), plan("a", "?", "c")
    asked = question_of(c.ask(invoke(tool, args)))
    equal((asked["show"]["question"], asked["show"]["action"], asked["show"]["inputs"]["name"], asked["show"]["step"]),
          ("What now?", "act", "asked", "next"), "what is shown")
    equal(w.did(), ["a"], "what was done")
    d = l.connect(OTHER)
    refused(answer_to(d, w.tool(d, "zz_menu"), args, asked), "confirmation_invalid")  # it is another one's
    refused(c.ask(invoke(tool, args, confirmation_token=asked["challenge"])), "confirmation_invalid")  # nobody agreed
    refused(answer_to(c, tool, plan("b"), asked), "confirmation_invalid")  # not for this
    equal(w.did(), ["a"], "what was done")
    menu = menu_of(answer_to(c, tool, args, asked))
    equal((menu["reason"], w.did()), ("noop", ["a", "asked", "c"]), "then")
    refused(answer_to(c, tool, args, asked), "confirmation_invalid")  # once
    equal(w.did(), ["a", "asked", "c"], "what was done")
    run, = w.runs()
    equal((run["outcome"], run["steps"]), ("ok", 3), "the run in the journal")
    l.stop()


def test_it_may_ask_again_and_again():
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_menu"), plan("?", "look", "?", "c")
    answer = c.ask(invoke(tool, args))
    for wanted in ("What now?", "May it look?", "What now?"):
        asked = question_of(answer)
        equal(asked["show"]["question"], wanted, "what is asked")
        answer = answer_to(c, tool, args, asked)
    equal((menu_of(answer)["reason"], w.did()), ("noop", ["asked", "asked", "c"]), "then")
    equal(len(w.runs()), 1, "runs")
    l.stop()


def test_a_key_stands_for_the_question_until_it_is_answered():
    for second in ("k-1", "k-2", None):
        w = World()
        l = w.listen()
        c = l.connect(TOKEN)
        tool, args = w.tool(c, "zz_menu"), plan("a", "?")
        first = question_of(c.ask(keyed(invoke(tool, args))))
        equal(question_of(c.ask(keyed(invoke(tool, args)))), first, "asked with the key again")
        refused(c.ask(keyed(invoke(tool, plan("b")))), "malformed_message", reason="idempotency_key")
        refused(c.ask(keyed(invoke(tool, args, confirmation_token="sesame"))), "confirmation_invalid")
        equal(w.did(), ["a"], "what was done")
        answer = answer_to(c, tool, args, first, second)
        equal((menu_of(answer)["reason"], w.did()), ("noop", ["a", "asked"]), f"with {second}")
        for key in {"k-1", second or "k-1"}:
            again = c.ask(keyed(invoke(tool, args), key))
            equal((again["extensions"], again["payload"]), ({"x-idempotent-replay": True}, answer["payload"]), key)
        equal(w.did(), ["a", "asked"], "what was done")
        l.stop()


def only(message):
    return {**message, "extensions": {**message["extensions"], "x-idempotency-only": True}}


def test_who_lost_the_answer_is_told_what_is_asked_now():
    w = World()
    l = w.listen()
    c, d = l.connect(TOKEN), l.connect(TOKEN)
    tool, args = w.tool(c, "zz_menu"), plan("?", "b", "?", stop="before:b")
    first = question_of(c.ask(keyed(invoke(tool, args))))
    answer = keyed(invoke(tool, args, confirmation_token=signed(first["challenge"])))
    body = encode(answer)
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    w.reached()
    c.close()  # and the answer is lost
    body = encode(only(answer))
    d.send(d.head("POST", l.invoke_path, len(body)) + body)  # while it runs
    w.go()
    second = question_of(d.response().message)
    expect(second["challenge"] != first["challenge"], f"{second}")
    equal(question_of(d.ask(only(answer))), second, "while it waits")
    refused(d.ask(answer), "confirmation_invalid")  # to begin anew, or to answer the second
    equal(w.did(), ["asked", "b"], "what was done")
    equal((menu_of(answer_to(d, tool, args, second))["reason"], w.did()), ("noop", ["asked", "b", "asked"]), "then")
    l.stop()


def test_who_answers_and_cancels_ends_the_run():
    w = World(policy=", timeout: 60s")
    s = Session("--auth", token_file(everything(confirm_key=base64url(CONFIRM_KEY))), *w.options, domain=w.domain)
    equal(login(s)["type"], "authenticate_response", "answer to the token")
    tool, args = w.tool(s, "zz_menu"), plan("a", "?", "sleep")
    asked = question_of(s.ask(invoke(tool, args)))
    message = invoke(tool, args, confirmation_token=signed(asked["challenge"]))
    s.send(message)
    wait_for("what was agreed to", lambda: w.did() == ["a", "asked"])
    cancelled(s, message)
    refused(answer_to(s, tool, args, asked), "confirmation_invalid")
    run, = w.runs()
    equal((run["outcome"], w.did()), ("cancelled", ["a", "asked"]), "the run in the journal")
    s.end()


def lapses(w, l, c, tool, asked, args):
    wait_for("it lapses", lambda: "nobody has agreed to what it asked" in l.program.log())
    wait_for("it has an end", lambda: w.runs()[0]["outcome"] != "running")
    run, = w.runs()
    equal(run["outcome"], "failed", "the run in the journal")
    equal(w.did(), ["a", "b", "undone", "undone"], "what was done")
    refused(answer_to(c, tool, args, asked), "confirmation_invalid")
    details = refused(c.ask(keyed(invoke(tool, args))), "execution_failed")["details"]
    equal((details["compensated"], details["not_compensated"], details["indeterminate"]), (["next"], [], False),
          "what its key says")
    equal(w.did(), ["a", "b", "undone", "undone"], "what was done")


def test_nobody_agrees_in_time():
    w = World("--set", "confirmation.ttl=1s")
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_undo"), plan("a", "b", "?")
    asked = question_of(c.ask(keyed(invoke(tool, args))))
    lapses(w, l, c, tool, asked, args)
    l.stop()


def test_a_reload_ends_what_waits():
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_undo"), plan("a", "b", "?")
    asked = question_of(c.ask(keyed(invoke(tool, args))))
    l.program.process.send_signal(signal.SIGHUP)
    lapses(w, l, c, tool, asked, args)
    l.stop()


def test_the_end_of_the_server_ends_what_waits():
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_undo"), plan("a", "b", "?")
    question_of(c.ask(keyed(invoke(tool, args))))
    c.close()
    l.stop()
    equal(w.did(), ["a", "b", "undone", "undone"], "what was done")
    run, = w.runs()
    equal(run["outcome"], "failed", "the run in the journal")


def test_a_caller_cannot_have_more_than_a_share_of_those_that_wait():
    w = World()
    l = w.listen()
    c = l.connect(TOKEN)
    tool, args = w.tool(c, "zz_menu"), plan("?")
    questions = [question_of(c.ask(invoke(tool, args))) for _ in range(16)]
    equal(len({q["challenge"] for q in questions}), 16, "challenges")
    error = refused(c.ask(invoke(tool, args)), "execution_failed", reason="unavailable", failed_step=0)
    expect("nobody can be asked what it asks now" in error["message"], f"{error}")
    d = l.connect(OTHER)
    question_of(d.ask(invoke(w.tool(d, "zz_menu"), args)))
    menu_of(answer_to(c, tool, args, questions[3]))
    question_of(c.ask(invoke(tool, args)))
    l.stop()


def test_those_that_wait_hold_no_more_than_so_much_memory():
    w = World()
    l = w.listen()
    c, d = l.connect(TOKEN), l.connect(OTHER)
    tools, args = {who: w.tool(who, "zz_menu") for who in (c, d)}, plan("?", "b", "?", stop="x" * 900000)
    waiting = [(who, question_of(who.ask(invoke(tools[who], args)))) for who in (c, d) for _ in range(16)]
    for i, (who, asked) in enumerate(waiting):  # each holds more than before when it asks again
        answer = answer_to(who, tools[who], args, asked)
        if answer["payload"]["code"] != "confirmation_required":
            break
    message = refused(answer, "execution_failed", reason="unavailable")["message"]
    expect(0 < i < 31 and "nobody can be asked what it asks now" in message, f"{i}: {message}")
    question_of(who.ask(invoke(tools[who], args)))  # what it held is free
    l.stop()


# ---- at a terminal -------------------------------------------------------------------------

def manglecp(*words):
    return subprocess.run([str(BUILD / "bin/manglecp"), *words], env=CHILD_ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE, text=True)


def test_the_client_asks_as_often_as_the_tool_does():
    words = ["invoke", "zz_menu", "--intent", "fx.vary", "--arg", "plan=" + json.dumps(["?", "look", "c"])]
    w = World()
    server = ["--", *command(w.domain, "--stdio", *w.options)]
    status, said = at_terminal("y", *words, *server)
    equal((status, said.count("[y/N]"), w.did()), (0, 2, ["asked", "c"]), said)
    for text in ("What now?", "May it look?", "act", 'name: "asked"'):
        expect(text in said, f"{text}: {said}")
    w.done.unlink()
    status, said = at_terminal("n", *words, *server)
    equal((status, said.count("[y/N]"), w.done.exists()), (1, 1, False), said)
    got = manglecp(*words, *server)
    expect(got.returncode == 1 and "needs the user's consent" in got.stderr and not w.done.exists(), f"{got}")
    got = manglecp(*words, "--yes", *server)
    equal((got.returncode, w.did()), (0, ["asked", "c"]), f"{got}")


def test_a_person_who_approves_elsewhere_is_shown_the_question():
    w = World()
    s = w.serve(env={"XDG_RUNTIME_DIR": str(w.folder)})
    tool, args = w.tool(s, "zz_menu"), plan("a", "?", "c")
    challenge = question_of(s.ask(invoke(tool, args)))["challenge"]
    env = {"XDG_RUNTIME_DIR": str(w.folder)}
    refused(s.ask(invoke(tool, args, confirmation_token=challenge)), "confirmation_invalid")
    status, said = at_terminal("y", "confirm", challenge, env=env)
    equal((status, said.count("[y/N]")), (0, 1), said)
    for text in ("zz_menu", "What now?", "act", 'name: "asked"'):
        expect(text in said, f"{text}: {said}")
    equal(menu_of(s.ask(invoke(tool, args, confirmation_token=challenge)))["reason"], "noop", "reason")
    equal(w.did(), ["a", "asked", "c"], "what was done")
    _, text = at_terminal("", "journal", str(w.journal), w.runs()[0]["invocation"])
    for words in ("PICK SID0001 AID.GATED.ACT.v1  by policy, POLICY_ONLY", "ASK_SUP  by policy", "next over, step 4  "):
        expect(words in text, f"{words}: {text}")
    s.end()


# ---- tokens --------------------------------------------------------------------------------

def test_a_token_answers_one_question_of_one_invocation_once():
    w = World()
    l = w.listen()
    c, d = l.connect(TOKEN), l.connect(TOKEN)
    tool, undo, args = w.tool(c, "zz_menu"), w.tool(c, "zz_undo"), plan("?", "b", "?", stop="before:b")
    first, other = (question_of(c.ask(invoke(tool, args))) for _ in range(2))
    expect(first["challenge"] != other["challenge"], "two invocations, one challenge")
    refused(answer_to(c, undo, args, first), "confirmation_invalid")  # of another tool
    forged = signed(first["challenge"])[:-2]
    refused(c.ask(invoke(tool, args, confirmation_token=forged)), "confirmation_invalid")
    message = invoke(tool, args, confirmation_token=signed(first["challenge"]))
    body = encode(message)
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    w.reached()
    refused(answer_to(d, tool, args, first), "confirmation_invalid")  # while its answer is at work
    w.go()
    second = question_of(c.response().message)
    for asked in (first, other | {"challenge": first["challenge"]}):
        refused(answer_to(d, tool, args, asked), "confirmation_invalid")  # for the next question
    equal(w.did(), ["asked", "b"], "what was done")
    equal(menu_of(answer_to(d, tool, args, second))["reason"], "noop", "the first")
    equal(w.did(), ["asked", "b", "asked"], "what was done")
    equal(question_of(answer_to(d, tool, args, other))["show"]["question"], "What now?", "the other")
    equal(w.did(), ["asked", "b", "asked"] + ["asked", "b"], "what was done")
    l.stop()


# ---- kill -9 -------------------------------------------------------------------------------

def killed(w, args, wait):
    l = w.listen()
    c = l.connect(TOKEN)
    tool = w.tool(c, "zz_menu")
    message = keyed(invoke(tool, args))
    body = encode(message)
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    wait(c)
    l.program.process.send_signal(signal.SIGKILL)
    l.program.process.wait()
    w.go()
    time.sleep(0.05)


def test_killed_within_a_menu_each_pick_is_told():
    for stop, done, store in (("before:b", ["a", "d"], True), ("after:b", ["a", "d", "b"], False)):
        w = World(store=store)
        args = plan("a", "d", "look", "b", "c", stop=stop)
        killed(w, args, lambda c: w.reached())
        run, = w.runs("--open")
        run, = w.runs(run["invocation"])
        equal([(p["turn"], p["kind"], p.get("action")) for p in run["picks"]],
              [(1, "PICK", "AID.GATED.ACT.v1"), (2, "PICK", "AID.GATED.ACT.v1"), (3, "PICK", "AID.GATED.LOOK.v1"),
               (4, "PICK", "AID.GATED.ACT.v1")],
              "picks in the journal")
        for _ in range(2):
            l = w.listen()
            c = l.connect(TOKEN)
            details = refused(c.ask(keyed(invoke(w.tool(c, "zz_menu"), args))), "execution_failed",
                              interrupted=True, indeterminate=True)["details"]
            equal([(p["step"], p["item"], p["action"], p["came_to"]) for p in details["picked"]],
                  [("next", 0, "act", "completed"), ("next", 1, "act", "completed"), ("next", 2, "look", "completed"),
                   ("next", 3, "act", "indeterminate")], "what is told")
            equal(details["indeterminate_steps"], ["next"], "indeterminate_steps")
            l.stop()
        expect(w.did() == done or w.did() == ["a", "d", "b"], f"{w.did()}")  # the host may have gone on


def thinking(w):
    """The processes of its policy."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.readlink(entry / "cwd") == str(w.domain) and b"policies/pick.py" in (entry / "cmdline").read_bytes():
                found.append(entry.name)
    return found


def kill(l):
    l.program.process.send_signal(signal.SIGKILL)
    l.program.process.wait()


def told_after(w, args):
    """What the key of a killed invocation is told, by a new server."""
    l = w.listen()
    c = l.connect(TOKEN)
    details = refused(c.ask(keyed(invoke(w.tool(c, "zz_menu"), args))), "execution_failed", interrupted=True)["details"]
    l.stop()
    return [p["came_to"] for p in details["picked"]], details["indeterminate"]


def test_killed_while_a_policy_thinks_it_is_told_what_ran_and_the_policy_ends():
    w = World(policy=", timeout: 60s")
    args = plan("a", "d", "sleep")
    l = w.listen()
    c = l.connect(TOKEN)
    body = encode(keyed(invoke(w.tool(c, "zz_menu"), args)))
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    wait_for("it thinks of the third", lambda: w.did() == ["a", "d"] and thinking(w))
    wait_for("the ends are written", lambda: [s["outcome"] for s in w.runs(w.runs()[0]["invocation"])[0]["steps"]] == ["ok"] * 2)
    kill(l)
    wait_for("its policy ends", lambda: not thinking(w))
    equal(told_after(w, args), (["completed"] * 2, False), "what is told")
    equal(w.did(), ["a", "d"], "what was done")


def test_killed_before_anything_was_picked_it_may_run():
    w = World(policy=", timeout: 60s")
    args = plan("waits", "c")
    l = w.listen()
    c = l.connect(TOKEN)
    body = encode(keyed(invoke(w.tool(c, "zz_menu"), args)))
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    wait_for("it thinks", lambda: thinking(w))
    kill(l)
    wait_for("its policy ends", lambda: not thinking(w))
    (w.domain / "policies/go").touch()
    l = w.listen()
    c = l.connect(TOKEN)
    equal(menu_of(c.ask(keyed(invoke(w.tool(c, "zz_menu"), args))))["reason"], "noop", "it runs")
    equal(w.did(), ["waits", "c"], "what was done")
    l.stop()


def test_killed_while_it_waits_for_a_person_it_is_told_what_ran():
    for words, questions in ((("a", "d", "?", "c"), 1), (("?", "d", "?"), 2)):
        w = World()
        args = plan(*words)
        l = w.listen()
        c = l.connect(TOKEN)
        tool = w.tool(c, "zz_menu")
        asked = question_of(c.ask(keyed(invoke(tool, args))))
        for _ in range(questions - 1):
            asked = question_of(answer_to(c, tool, args, asked, "k-1"))
        did = w.did()
        equal(len(did), 2, "what was done")
        kill(l)
        l = w.listen()
        c = l.connect(TOKEN)
        refused(answer_to(c, w.tool(c, "zz_menu"), args, asked), "confirmation_invalid")
        l.stop()
        equal(told_after(w, args), (["completed"] * 2, False), "what is told")
        equal(w.did(), did, "what was done")


def test_killed_in_what_was_agreed_to_it_is_not_known_and_asked_for_by_nobody_again():
    for stop in ("before:asked", "after:asked"):
        w = World()
        args = plan("a", "?", "c", stop=stop)
        l = w.listen()
        c = l.connect(TOKEN)
        tool = w.tool(c, "zz_menu")
        asked = question_of(c.ask(keyed(invoke(tool, args))))
        message = keyed(invoke(tool, args, confirmation_token=signed(asked["challenge"])))
        body = encode(message)
        c.send(c.head("POST", l.invoke_path, len(body)) + body)
        w.reached()
        kill(l)
        w.go()
        l = w.listen()
        c = l.connect(TOKEN)
        refused(answer_to(c, w.tool(c, "zz_menu"), args, asked), "confirmation_invalid")
        l.stop()
        equal(told_after(w, args), (["completed", "indeterminate"], True), "what is told")
        expect(w.did() in (["a"], ["a", "asked"]), f"{w.did()}")  # the host may have gone on


# ---- cancelled -----------------------------------------------------------------------------

def cancelled(s, message):
    s.send(request("cancel", {"request_id": message["id"]}))
    answer = s.receive()
    while answer["id"] != message["id"] or answer["type"] == "progress":
        answer = s.receive()
    return refused(answer, "cancelled")


def test_cancelled_while_a_policy_thinks_or_an_action_runs():
    for words, stop in ((("a", "sleep"), ""), (("a", "b", "c"), "before:b")):
        w = World(policy=", timeout: 60s")
        s = w.serve()
        message = invoke(w.tool(s, "zz_menu"), plan(*words, stop=stop))
        s.send(message)
        wait_for("it has begun", lambda: w.did() == ["a"])
        if stop:
            w.reached()
        cancelled(s, message)
        w.go()
        s.end()
        expect(w.did()[:1] == ["a"] and "c" not in w.did(), f"{w.did()}")
        run, = w.runs()
        equal(run["outcome"], "cancelled", "the run in the journal")


run(globals())

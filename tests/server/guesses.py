"""What a caller cannot find out by trying: what the server knows and does not tell does not show in proof hints,
plans or counts, whatever is sent to guess at it."""
from transports import *

PLAIN, AUTHOR = "token-of-a-plain-caller", "token-of-the-author"
HINTS = {"include_proof_hints": True}

RULES = """
Decl zz_guess(N) descr [doc("Any number."), direction("input")] bound [/number].
Decl zz_told(Name, N) descr [doc("A number of somebody's."), direction("input")] bound [/string, /number].
Decl zz_near(Name) descr [doc("Where somebody is."), direction("input")] bound [/string].
Decl zz_cleared(Name) descr [doc("May enter."), direction("both"), privileged()] bound [/string].
"""
DOMAIN = """
zz_pin("door", 4242).
tool_relevant_to_intent("zz_open", "fx.vary", 95) :- zz_pin("door", _).
tool_relevant_to_intent("zz_told", "fx.vary", 94) :- zz_told(Name, N), zz_pin(Name, N).
param_bound("zz_open", "small", N) :- zz_pin("door", N).
tool_relevant_to_intent("zz_locked", "fx.vary", 93).
"""
POLICY = """
zz_bunker("bunker-7").
zz_cleared(Where) :- zz_near(Where), zz_bunker(Where).
prohibited("zz_locked", "only some") :- tool("zz_locked"), !client_permission("zz:locked").
prohibited("zz_locked", "not there") :- zz_near(Where), zz_bunker(Where).
"""
TOOLS = """
- tool: zz_open
  summary: Opens the door.
  description: Opens the door.
  input_schema: {type: object, properties: {small: {type: integer}}}
  steps: [{id: open, action: AID.FX.SLEEP.v1, inputs: INPUTS}]
  result: {done: true}
- tool: zz_told
  summary: Opens the door to who knows.
  description: Opens the door to who knows.
  input_schema: {type: object}
  steps: [{id: open, action: AID.FX.ECHO.v1}]
  result: {done: true}
- tool: zz_locked
  summary: Opens what is locked.
  description: Opens what is locked.
  input_schema: {type: object}
  steps: [{id: open, action: AID.FX.ECHO.v1}]
  result: {done: true}
"""


def listener(inputs="{}"):
    folder = fixture_with({"rules/schema/90_zz.mg": RULES, "rules/domain/90_zz.mg": DOMAIN,
                           "rules/policy/90_zz.mg": POLICY, "tools/zz.yaml": TOOLS.replace("INPUTS", inputs)})
    return Listener("--auth", token_file(token_line(PLAIN, "plain", "intent:*"),
                                         token_line(AUTHOR, "author", "intent:*,why_not")), domain=folder)


def hints(client, *facts):
    return client.ask(intent("fx.vary", list(facts), options=HINTS))["payload"]["proof_hints"]


def test_proofs_show_no_value_that_was_only_guessed():
    """A value stands in a proof if a fact of the caller's own in this proof has it."""
    l = listener()
    c = l.connect(PLAIN)
    for sent in ([], [fact("zz_guess", n) for n in range(4200, 4300)], [fact("zz_told", "roof", 4242)]):
        text = json.dumps(hints(c, *sent)["derivations"])
        expect("zz_pin(_,_)" in text, text)
        expect("4242" not in text and "door" not in text, text)
    trees = json.dumps([d["tree"] for d in hints(c, fact("zz_told", "door", 4242))["derivations"]])
    expect('zz_pin(\\"door\\",4242)' in trees, trees)
    l.stop()


def test_what_policy_joins_with_facts_is_told_to_who_may_ask_for_reasons():
    l = listener()
    plain, author = l.connect(PLAIN), l.connect(AUTHOR)
    unmatched = {(token, where): [u["pred"] for u in hints(c, fact("zz_near", where))["unmatched_facts"]]
                 for token, c in ((PLAIN, plain), (AUTHOR, author)) for where in ("house", "bunker-7")}
    equal(unmatched, {(PLAIN, "house"): ["zz_near"], (PLAIN, "bunker-7"): ["zz_near"],
                      (AUTHOR, "house"): ["zz_near"], (AUTHOR, "bunker-7"): []}, "unmatched facts")
    l.stop()


def test_claims_that_are_refused_do_not_tell_what_they_were_joined_with():
    l = listener()
    told = {}
    for token in (PLAIN, AUTHOR):
        c = l.connect(token)
        for where in ("house", "bunker-7"):
            payload = c.ask(intent("fx.vary", [fact("zz_near", where)], options=HINTS))["payload"]
            told[token, where] = ("warnings" in payload.get("diagnostics", {}), "refused" in payload["proof_hints"])
        own = c.ask(intent("fx.vary", [fact("zz_cleared", "house")], options=HINTS))["payload"]
        equal([r["pred"] for r in own["proof_hints"]["refused"]], ["zz_cleared"], "what it said itself")
    equal(told, {(PLAIN, "house"): (False, False), (PLAIN, "bunker-7"): (False, False),
                 (AUTHOR, "house"): (False, False), (AUTHOR, "bunker-7"): (True, True)}, "what is told")
    l.stop()


def test_a_plan_does_not_say_how_hidden_values_fit():
    for inputs in ("{small: {from: args.small}}", "{small: {from: bound.small}}", "{all: {from: args}}",
                   "{also: [{from: args}], small: 1001}"):
        l = listener(inputs)
        problems = []
        for token in (PLAIN, AUTHOR):
            c = l.connect(token)
            message = invoke(tool_of(c.ask(intent("fx.vary")), "zz_open"))
            message["extensions"] = {"x-dry-run": True}
            problems.append(c.ask(message)["extensions"]["x-dry-run"]["steps"][0].get("problem"))
        equal(problems[0], None, f"what a stranger is told of {inputs}")
        expect("at most 1000" in (problems[1] or ""), f"{inputs}: {problems}")
        l.stop()


run(globals())

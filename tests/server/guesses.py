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


def listener(inputs="{}", options=()):
    folder = fixture_with({"rules/schema/90_zz.mg": RULES, "rules/domain/90_zz.mg": DOMAIN,
                           "rules/policy/90_zz.mg": POLICY, "tools/zz.yaml": TOOLS.replace("INPUTS", inputs)})
    return Listener("--auth", token_file(token_line(PLAIN, "plain", "intent:*"),
                                         token_line(AUTHOR, "author", "intent:*,why_not")), *options, domain=folder)


def hints(client, *facts):
    return client.ask(intent("fx.vary", list(facts), options=HINTS))["payload"]["proof_hints"]


def nodes(tree):
    yield tree
    for child in tree.get("children", []):
        yield from nodes(child)


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


def test_what_an_action_answered_is_the_servers_word():
    """What rules ask of an action is of the request, and yet nothing that the client said."""
    folder = fixture_with({
        "rules/schema/90_zz.mg": """
Decl zz_price(What, Cents) descr [doc("What it costs."), external(), mode('+', '-')] bound [/string, /number].
Decl zz_wanted(What) descr [doc("What is wanted."), direction("input")] bound [/string].
Decl zz_dear(What) descr [doc("Costs much."), direction("both"), privileged()] bound [/string].
""",
        "rules/domain/90_zz.mg": """
tool_relevant_to_intent("fx_echo", "fx.vary", 95) :- zz_wanted(What), zz_price(What, Cents), 100 < Cents.
""",
        "rules/policy/90_zz.mg": """
zz_dear(What) :- zz_wanted(What), zz_price(What, Cents), 100 < Cents.
""",
        "domain.yaml": (FIXTURE / "domain.yaml").read_text() + "\nexternal: {zz_price: {action: AID.FX.ROWS.v1}}\n"})
    l = Listener("--auth", token_file(token_line(PLAIN, "plain", "intent:*"),
                                      token_line(AUTHOR, "author", "intent:*,why_not")), domain=folder)
    own = fact("zz_wanted", "coffee")
    told = {token: hints(l.connect(token), own) for token in (PLAIN, AUTHOR)}
    for token, proof in told.items():
        echo, = (d for d in proof["derivations"] if "zz_price" in json.dumps(d))
        equal([f["pred"] for f in echo["supporting_facts"]], ["zz_wanted"], "what supports it")
        node, = (n for n in nodes(echo["tree"]) if n["fact"].startswith("zz_price"))
        equal((node["fact"], node["type"]), ('zz_price("coffee",_)', "server"), "in the tree")
        expect("777123" not in json.dumps(proof), f"{token}: {proof}")
    expect("refused" not in told[PLAIN], "told what it was joined with")  # its own word alone would be told
    equal([[f["pred"] for f in r["supporting_facts"]] for r in told[AUTHOR]["refused"]], [["zz_wanted"]], "refused")
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


def test_an_id_does_not_confirm_a_guess_at_what_rules_bound():
    """Of hidden values an id is keyed: by who has the key, or by this start. P-TOOL-2, P-TOOL-3, D-38"""
    key = pathlib.Path(scratch()) / "signing"
    key.write_text(base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=") + "\n")
    store = ("--store-sqlite", str(pathlib.Path(scratch()) / "store"))
    ids, last = {}, None
    for options in ((), store, store, ("--signing-keys", str(key)), ("--signing-keys", str(key))):
        l = listener(options=options)
        for token in (PLAIN, AUTHOR):
            c = l.connect(token)
            one, again = (c.ask(intent("fx.vary"))["payload"]["macro_tools"] for _ in range(2))
            equal([t["macro_id"] for t in one], [t["macro_id"] for t in again], "asked twice")
            for tool in one:
                ids.setdefault((token, tool["name"]), []).append(tool["macro_id"])
            if token == PLAIN:
                for known in (last, tool_of(c.ask(intent("fx.vary")), "zz_open")) if last else ():
                    equal(c.ask(invoke(known))["type"], "invoke_response", "what was offered before the restart")
                last = tool_of(c.ask(intent("fx.vary")), "zz_open") if options == store and not last else None
        l.stop()
    free, store_one, store_two, keyed, keyed_again = ids[PLAIN, "zz_open"]
    equal(len({free, store_one, store_two, keyed}), 4, f"different keys: {ids}")
    equal(keyed, keyed_again, "by the same key")
    for (token, tool), all_of_it in ids.items():
        if (token, tool) != (PLAIN, "zz_open"):  # nothing is hidden
            equal(len(set(all_of_it)), 1, f"{token} {tool}")
    expect(ids[AUTHOR, "zz_open"][0] not in ids[PLAIN, "zz_open"], "the id is the digest")


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

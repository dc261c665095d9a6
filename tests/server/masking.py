"""What `masking` of a domain hides is in no log: not in the decision log, nor in the server's own, its metrics or
its health, whatever is asked, and however it goes wrong."""
from decisions import *  # its helpers: run() calls the tests of this file alone

MASKING = """
masking:
  facts:
    fx_basic: {tag: replace, x: hash}
    fx_event: {1: drop}
    fx_noname: {a: replace}
    fx_out: {1: replace}
    fx_note: {Label: replace}
    fx_ban: replace
    fx_choice: replace
    fx_needs_skill: replace
    client_identity: hash
    client_permission: replace
  params: {password: replace, /deep/*/key: drop}
  arguments:
    fx_echo: {label: replace}
    fx_mark: {label: hash}
    fx_danger: {target: replace}
    fx_ten: {label: replace}
    fx_vary: {value: replace}
    fx_write: {line: drop}
  results:
    fx_echo: {label: replace}
    fx_danger: {destroyed: replace}
    fx_write: {written: replace}
    fx_mark: {label: replace}
"""
# Rules that take a masked value into what is said: a reason, and an error of evaluation.
RULES = """
prohibited("fx_echo", Text) :- fx_ban(Why), Text = fn:string:concat("because of ", Why, "; ", Why, " again").
broken(T) :- fx_needs_skill(Why), intent_type(_, "fx.mark"), T = fn:time:parse_rfc3339(Why).
"""


class Secrets:
    """Texts that are nowhere else, each named for its place."""

    def __init__(self):
        self.made = {}

    def __call__(self, place):
        text = f"s{len(self.made):02d}-{os.urandom(9).hex()}"
        self.made[text] = place
        return text

    def leaks(self, text):
        """The places whose secrets stand there, whole or as far as they can be told: 12 characters."""
        return sorted({place for secret, place in self.made.items() if secret[:12] in text})


def masked_fixture():
    folder = copy_of_fixture()
    with open(folder / "domain.yaml", "a") as f:
        f.write(MASKING)
    (folder / "rules/domain/90_masked.mg").write_text(RULES)
    return folder


def ask_for_everything(l, secret, token, confirm_key):
    c = l.connect(token)
    asked = 0

    def ask(message, kind=None):
        nonlocal asked
        asked += 1
        answer = c.ask(message)
        expect(kind is None or code_of(answer) == kind if answer["type"] == "error" else kind in (None, "ok"),
               f"{kind}: {shown(answer)}")
        return answer
    basic = fact("fx_basic", secret("fact"), 1, True, secret("fact of any kind"))
    echo = tool_of(ask(intent("fx.echo", [basic]), "ok"))
    ask(intent("fx.echo", [{"pred": "fx_basic", "named_args": {"tag": secret("named"), "n": 1, "on": True, "x": [secret("in a list"), {"k": secret("in an object")}]}}]), "ok")
    ask(intent("fx.reflect", [basic]), "ok")
    ask(intent("fx.echo", [basic, fact("fx_ban", secret("reason of a rule"))]))
    ask(intent("fx.recent", [fact("fx_event", secret("temporal"), "kind", t={"at": "now"})]), "ok")
    ask(intent("fx.slow", params={"size": 2, "password": secret("parameter"), "deep": [{"key": secret("path")}]}), "ok")
    ask(intent("fx.skill", [fact("fx_needs_skill", secret("context"))], options={"include_proof_hints": True}), "ok")
    # faults of every gate that quote, or could quote, what was sent
    ask(intent("fx.echo", [fact("fx_basic", [secret("type fault")], "no number", True, "x")]))
    ask(intent("fx.echo", [fact("fx_basic", secret("arity fault"))]))
    ask(intent("fx.echo", [fact("fx_basic", {"$type": secret("value fault")}, 1, True, secret("value fault 2"))]))
    ask(intent("fx.echo", [fact("fx_bsaic", secret("unknown predicate"))]))
    ask(intent("fx.echo", [fact("fx_out", secret("direction"))]))
    ask(intent("fx.echo", [{"pred": 5, "args": [secret("no predicate")]}, secret("no fact"), {"pred": "fx_basic", "arg": secret("member")}]))
    ask(intent("fx.echo", [{"pred": "fx_basic", "named_args": {secret("name of an argument"): 1, "tag": secret("beside it")}}]))
    ask(intent("fx.recent", [fact("fx_event", secret("bad time"), "k", t={"at": "nonsense"})]))
    ask(request("intent_request", {"intent": {"name": "fx.echo", "params": [secret("params")]}, "facts": secret("facts")}), "malformed_message")
    ask(request("intent_request", {"intent": {"name": "fx.echo"}, "facts": [], "other": secret("member of the payload")}))
    ask(request("intent_request", {"intent": {"name": "fx.slow", "params": {"password": [None, {"$type": secret("bad parameter")}]}}}))
    # members that no message has, and forms that they do not have
    ask(intent("fx.rank", constraints={secret("name of a limit"): 1, "note": secret("limit"), "max_tools_returned": 2}))
    ask(intent("fx.rank", constraints={"max_tools_returned": secret("text for a limit")}))
    ask(intent("fx.rank", options={"disclosure_preference": secret("preference"), "more": secret("option")}))
    ask(intent("fx.rank", eval_time=secret("eval_time")))
    ask(intent("fx.echo", [{**basic, "prov": secret("prov"), secret("name in a fact"): 1}]))
    ask(intent("fx.echo", [{**basic, "source": {"source_type": "client", "source_id": secret("source"), "signature": secret("signature"), "x": secret("in a source")}}]))
    ask(intent("fx.echo", [{**basic, "category": secret("category"), "t": {"at": secret("t")}}]))
    ask(intent("fx.slow", params={"size": 2, "deep": [[secret("list for an object")]]}))
    ask(intent("fx.mark", [fact("fx_needs_skill", secret("rule that fails"))]))
    ask(intent("fx.blowup", [*[fact("fx_seed", n) for n in range(20)], fact("fx_choice", secret("limit"))], constraints={"max_facts_created": 5}), "derivation_limit_exceeded")
    # invocations
    said = {"label": secret("argument")}
    ask(invoke(echo, said), "ok")
    ask(invoke(echo, {"label": [secret("argument of a wrong type")]}), "schema_validation_failed")
    ask(invoke(echo, {**said, "more": 1}), "schema_validation_failed")
    ask(invoke(echo, {**said, secret("name of an unknown argument"): secret("unknown argument")}), "schema_validation_failed")
    ask(invoke("fx-echo-000000000000", {"label": secret("argument of an unknown tool")}), "macro_not_found")
    ask({**invoke(echo, said), "extensions": {"x-idempotency-key": "k"}}, "ok")
    ask({**invoke(echo, said), "extensions": {"x-idempotency-key": "k"}}, "ok")
    vary = tool_of(ask(intent("fx.vary", [fact("fx_choice", secret("narrowed schema"))])))
    ask(invoke(vary, {"value": secret("not of the narrowed schema")}), "schema_validation_failed")
    mark = tool_of(ask(intent("fx.mark")))
    ask(invoke(mark, {"label": secret("state delta"), "count": 3}), "ok")
    danger = tool_of(ask(intent("fx.danger")), "fx_danger")
    what = {"target": secret("argument that is shown")}
    challenge = refused(ask(invoke(danger, what)), "confirmation_required")["details"]["challenge"]
    secret.made[challenge] = "challenge"
    signed = f"{challenge}.{base64url(hmac.new(confirm_key, challenge.encode(), hashlib.sha256).digest())}"
    ask(invoke(danger, {"target": secret("another argument")}, confirmation_token=signed), "confirmation_invalid")
    ask(invoke(danger, what, confirmation_token=signed), "ok")
    ask(invoke(tool_of(ask(intent("fx.fail")), "fx_fail")), "execution_failed")
    ask(request("invoke_request", {"macro_id": 5, "args": [secret("malformed invocation")], "token": secret("odd member")}), "malformed_message")
    return asked


def test_no_log_holds_what_is_masked():
    secret = Secrets()
    who, key = secret("identity"), b"k" * 16
    permission = secret("permission")
    token = "token-of-the-masked"
    l, path = recorder("--log", "debug", domain=masked_fixture(),
                       tokens=[token_line(token, who, f"intent:*,{permission},operator", confirm_key=base64url(key))])
    secret.made[token] = "token"
    asked = ask_for_everything(l, secret, token, key)
    recorded(path, asked)
    text = path.read_text()
    equal(secret.leaks(text), [], "places whose values are in the decision log")
    c = l.connect(token)
    pages = b"".join(c.get(page).body for page in ("/metrics", "/health", "/ready", l.MANIFEST)).decode()
    equal(secret.leaks(pages), [], "places whose values are in metrics, health or manifest")
    l.stop()
    expect("could not be evaluated" in l.program.log() or "intent \"fx.mark\":" in l.program.log(), l.program.log())
    equal(secret.leaks(l.program.log()), [], "places whose values are in the server's log")
    own = [one for one in lines_of(path) if "principal" in one]
    expect(all(one["principal"]["identity"].startswith("hmac:") for one in own), f"{own[0]['principal']}")
    expect(sum(one["masked"] for one in own) >= 40, "what was hidden is counted")
    expect(any("because of ***; *** again" in line for line in text.splitlines()), "the reason of the rule")


KNOWN = """
fx_pin("door", 424242).
fx_derived(Q) :- fx_pin(_, P), Q = fn:plus(P, 1).
prohibited("fx_vary", T) :- fx_derived(P), T = fn:string:concat("derived ", P).
prohibited("fx_mark", T) :- fx_basic(_, _, _, X), T = fn:string:concat("sent ", X).
broken(T) :- fx_seed(7), fx_pin(_, P), S = fn:string:concat("x", P), T = fn:time:parse_rfc3339(S).
"""


def test_what_the_server_knows_of_masked_predicates_is_not_in_what_rules_say():
    """Nor a number that is printed in another way than it was sent."""
    folder, log = copy_of_fixture(), pathlib.Path(scratch()) / "decisions"
    with open(folder / "domain.yaml", "a") as f:
        f.write("masking: {facts: {fx_pin: replace, fx_derived: replace, fx_basic: {x: replace}}}\n")
    (folder / "rules/policy/90_known.mg").write_text(KNOWN)
    l = Listener("--auth", token_file(token_line("t", "agent", "intent:*")), "--log", "debug", "--decision-log", str(log),
                 domain=folder)
    c = l.connect("t")
    c.ask(intent("fx.vary"))
    for number in ("4111111111111111", "4.111111111111111e15", "41111111111111110e-1"):
        raw = encode(intent("fx.mark", [fact("fx_basic", "a", 1, True, "THE NUMBER")]))
        answer = c.post(raw.replace(b'"THE NUMBER"', number.encode()), l.intent_path).message
        equal(answer["type"], "intent_response", f"{number}: {answer}")
    equal(c.ask(intent("fx.rank", [fact("fx_seed", 7)]))["payload"]["code"], "evaluation_failed", "a rule that fails")
    l.stop()
    for place, text in (("the decision log", log.read_text()), ("the server's log", l.program.log())):
        for secret in ("424242", "424243", "4111111", "4.1111"):
            expect(secret not in text, f"{secret} is in {place}: {text}")
    expect("90_known.mg:6: a rule failed" in l.program.log(), l.program.log())
    told = [p["reason"] for line in log.read_text().splitlines() for p in json.loads(line)["outcome"].get("prohibited", [])]
    equal(told, ["derived ***", *3 * ["sent ***"]], "reasons that are shown without it")


ANSWERED = """
result_member("copy", S) :- invoked("fx_echo"), result(R), :match_entry(R, "label", S).
result_member("label", "gone") :- invoked("fx_echo").
"""


def test_what_rules_make_of_a_masked_result_is_masked():
    """Though the member that is masked has gone, and no argument that is masked said the same."""
    folder, log = copy_of_fixture(), pathlib.Path(scratch()) / "decisions"
    with open(folder / "domain.yaml", "a") as f:
        f.write("masking: {results: {fx_echo: {label: replace}}}\n")
    (folder / "rules/effects/90_answered.mg").write_text(ANSWERED)
    tools = folder / "tools/basic.yaml"
    closed = "    additionalProperties: false\n    required: [label, count]\n"
    expect(closed in tools.read_text(), "the result of fx_echo is open from here on")
    tools.write_text(tools.read_text().replace(closed, "", 1))
    l = Listener("--open-demo", "--decision-log", str(log), domain=folder)
    c = l.connect()
    tool = tool_of(c.ask(good()))
    answer = c.ask(invoke(tool, {"label": "4111111111111111"}))
    equal(answer["payload"]["result"]["copy"], "4111111111111111", "what the client gets")
    equal(answer["payload"]["result"]["label"], "gone", "the rule's own")
    l.stop()
    outcome = [json.loads(line)["outcome"] for line in log.read_text().splitlines()][-1]
    equal((outcome["result"]["label"], outcome["result"]["copy"]), ("***", "***"), "what is in the log")


def test_masked_decisions_are_told_apart_when_they_are_made_again():
    folder = copy_of_fixture()
    with open(folder / "domain.yaml", "a") as f:
        f.write("masking: {facts: {fx_choice: replace}}\n")
    l, path = recorder(domain=folder, tokens=[token_line("t", "ann", "intent:*")])
    c = l.connect("t")
    c.ask(intent("fx.vary", [fact("fx_choice", "secret-choice")]))
    c.ask(intent("fx.rank"))
    l.stop()
    result = subprocess.run([str(BUILD / "bin/manglecp"), "replay", str(path), "--domain", str(folder), "--json", "--plugins",
                             str(BUILD / "test-plugins"), "--toolhost", str(BUILD / "bin/toolhost")], capture_output=True,
                            env=CHILD_ENV, timeout=PATIENCE)
    told = json.loads(result.stdout)
    equal((result.returncode, told["replayed"], told["different"], told["masked"]), (1, 2, 1, 1), "replayed")
    expect(len(told["differences"]) == 1 and "fx.vary: doubtful, values are masked:" in told["differences"][0],
           f"{told['differences']}")


def test_hashes_are_equal_across_starts_by_the_operators_key():
    folder = masked_fixture()
    key = pathlib.Path(scratch()) / "key"
    key.write_text("a key of the operator's\n")
    identities = []
    for options in (["--decision-key", str(key)], ["--decision-key", str(key)], []):
        l, path = recorder(*options, domain=folder, tokens=[token_line("t", "ann", "intent:*")])
        l.connect("t").ask(good())
        identities.append(recorded(path, 1)[0]["principal"]["identity"])
        l.stop()
    equal(identities[0], identities[1], "by one key")
    expect(identities[2] != identities[0], "by a key of the start")
    key.write_text("short\n")
    program = Program(command(folder, "--listen", "127.0.0.1:0", "--open-demo", "--decision-log", "/dev/null",
                              "--decision-key", str(key)), stdin=subprocess.DEVNULL)
    program.wait(2)
    expect("a key has 16 bytes or more" in program.log(), program.log())


def test_check_warns_of_masking_that_masks_nothing():
    folder = copy_of_fixture()
    with open(folder / "domain.yaml", "a") as f:
        f.write("masking:\n  facts: {fx_basci: drop, fx_basic: {tga: drop, 5: drop, tag: drop}}\n"
                "  arguments: {fx_ech: {label: drop}, fx_echo: {lable: drop, label: drop}}\n"
                "  results: {fx_echo: {/cuont: drop}}\n  params: {anything: drop}\n")
    result = subprocess.run([str(BUILD / "bin/manglecp"), "check", str(folder), "--plugins", str(BUILD / "test-plugins"),
                             "--toolhost", str(BUILD / "bin/toolhost"), "--format", "json"], capture_output=True,
                            env=CHILD_ENV, timeout=PATIENCE)
    found = [(f["message"], f["hint"]) for f in json.loads(result.stdout) if f["code"] == "MASKS_NOTHING"]
    arguments = "Arguments have the names of the Decl, or numbers from 1."
    equal(sorted(found), sorted([
        ("there is no predicate fx_basci to mask", "Did you mean fx_basic?"),
        ("fx_basic has no argument tga: every argument of it is masked", arguments),
        ("fx_basic has no argument 5: every argument of it is masked", arguments),
        ("there is no tool fx_ech to mask", "Did you mean fx_echo?"),
        ("tool fx_echo has no argument lable to mask", "Did you mean label?"),
        ("tool fx_echo has no member of its result cuont to mask", "Did you mean count?")]), "warnings")


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

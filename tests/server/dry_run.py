"""Dry runs: an invocation is judged and told, and nothing of it happens."""
from transports import *

WHY = "token-of-one-who-may-ask-why"
PLAN_TOOL = """
- tool: zz_plan
  summary: Does what it is told to, or not.
  description: Does what it is told to, or not.
  estimate: {time: 1500ms, tokens: 300}
  input_schema:
    type: object
    required: [line]
    properties: {line: {type: string}, loud: {type: boolean, default: false}, extra: {type: string}}
  steps:
    - {id: look, action: AID.FX.ECHO.v1, inputs: {line: {from: args.line}}}
    - {id: shout, action: AID.FX.ECHO.v1, inputs: {line: {from: args.line}}, when: {from: args.loud}}
    - {id: after, action: AID.FX.ECHO.v1, inputs: {a: 1}, when: {from: steps.shout.output.line}}
    - {id: write, action: AID.FX.WRITE.v1, when: {from: steps.look.output.line}, timeout: 3s, on_failure: skip,
       inputs: {line: {from: args.line}, journal: {from: settings.journal}}}
    - {id: needs, action: AID.FX.ECHO.v1, inputs: {x: {from: args.extra}}, when: {from: args.loud}}
  result: {line: {from: steps.look.output.line}}
"""
PLAN_RULES = """
tool_relevant_to_intent("zz_plan", "fx.vary", 95).
"""


def over(*transports):
    """The test once for each of them."""
    def decorate(function):
        def all_of_them():
            for transport in transports:
                function(transport)
        all_of_them.__name__ = function.__name__
        return all_of_them
    return decorate


def dry(tool, args=None, **members):
    message = invoke(tool, args, **members)
    message["extensions"] = {"x-dry-run": True}
    return message


def plan_of(client, message):
    answer = client.ask(message)
    equal(answer["type"], "invoke_response", f"type of {shown(answer)}")
    equal(answer["payload"]["result"], {}, "result")
    expect("nothing was run" in answer["payload"]["observability"]["summary"], shown(answer))
    return answer["extensions"]["x-dry-run"]


def steps_of(plan):
    return {step["id"]: step["runs"] for step in plan["steps"]}


def plan_folder():
    return fixture_with({"tools/plan.yaml": PLAN_TOOL, "rules/domain/90_plan.mg": PLAN_RULES})


@over(*ANY)
def test_a_dry_run_does_nothing_and_spends_nothing(transport):
    path, options = journal()
    server = start(transport, *options)
    client = enter(transport, server)
    if transport != HTTP:
        equal(client.manifest["payload"]["extensions"]["x-dry-run"], True, "what the manifest says")
    write = tool_of(client.ask(intent("fx.write")), "fx_write")
    plan = plan_of(client, dry(write, {"line": "a line"}))
    equal(steps_of(plan), {"write": "always"}, "steps")
    equal(plan["side_effects"], write["safety"]["side_effects"], "effects")
    equal(plan["reversible"], write["safety"]["reversible"], "reversible")
    equal(plan["confirmation"]["required"], write["safety"]["requires_user_confirmation"], "consent")
    equal(plan["args"], {"line": "a line"}, "arguments")
    danger = tool_of(client.ask(intent("fx.danger")), "fx_danger")
    plan = plan_of(client, dry(danger, {"target": "it"}))
    confirmation = plan["confirmation"]
    equal((confirmation["required"], confirmation["given"]), (True, False), "consent")
    equal(confirmation["show"]["args"], {"target": "it"}, "what is shown")
    expect("Destroys" in confirmation["show"]["description"], shown(confirmation))
    expect("challenge" not in json.dumps(plan), shown(plan))
    equal(path.read_text(), "", "what was done")
    leave(server)


@over(*ANY)
def test_every_gate_judges_a_dry_run(transport):
    server = start(transport)
    client = enter(transport, server)
    echo = tool_of(client.ask(intent("fx.echo", [BASIC])))
    faults = refused(client.ask(dry(echo, {"label": 7, "count": "x"})), "schema_validation_failed")
    equal({f["path"] for f in faults["details"]["schema_errors"]}, {"/label", "/count"}, "faults")
    refused(client.ask(dry("fx-echo-000000000000", {"label": "x"})), "macro_not_found")
    danger = tool_of(client.ask(intent("fx.danger")), "fx_danger")
    refused(client.ask(dry(danger, {"target": "x"}, confirmation_token="made-up")), "confirmation_invalid")
    for odd in (1, "yes", None, []):  # never taken for a real one, nor for none
        message = dry(echo, {"label": "x"})
        message["extensions"] = {"x-dry-run": odd, "x-idempotency-key": "no key!"}
        details = refused(client.ask(message), "malformed_message")["details"]
        equal({v["path"] for v in details["violations"]}, {"/extensions/x-dry-run", "/extensions/x-idempotency-key"},
              "faults")
    real = dry(echo, {"label": "x"})
    real["extensions"] = {"x-dry-run": False}
    equal(client.ask(real)["payload"]["result"]["label"], "x", "a run")
    leave(server)


def test_a_key_is_left_as_it_was():
    path, options = journal()
    s = Session(*options)
    danger = tool_of(s.ask(intent("fx.echo", [BASIC])))
    message = dry(danger, {"label": "x"})
    message["extensions"]["x-idempotency-key"] = "one-key"
    plan_of(s, message)
    real = invoke(danger, {"label": "other"})  # another request under the same key: it was not taken
    real["extensions"] = {"x-idempotency-key": "one-key"}
    equal(s.ask(real)["payload"]["result"]["label"], "other", "the run")
    message = dry(danger, {"label": "y"})
    message["extensions"]["x-idempotency-key"] = "one-key"
    plan_of(s, message)  # nor is it answered by it
    s.end()


def test_consent_that_was_given_is_not_used_up():
    path, options = journal()
    key = base64url(CONFIRM_KEY)
    l = Listener("--auth", token_file(token_line(TOKEN, "person", "intent:*", confirm_key=key)), *options)
    c = l.connect(TOKEN)
    danger = tool_of(c.ask(intent("fx.danger")), "fx_danger")
    challenge = refused(c.ask(invoke(danger, {"target": "x"})), "confirmation_required")["details"]["challenge"]
    tag = hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest()
    token = f"{challenge}.{base64url(tag)}"
    for _ in range(2):
        plan = plan_of(c, dry(danger, {"target": "x"}, confirmation_token=token))
        equal(plan["confirmation"]["given"], True, "given")
    refused(c.ask(dry(danger, {"target": "y"}, confirmation_token=token)), "confirmation_invalid")
    equal(path.read_text(), "", "what was done")
    equal(c.ask(invoke(danger, {"target": "x"}, confirmation_token=token))["type"], "invoke_response", "the run")
    equal(path.read_text(), "x\n", "what was done")
    l.stop()


def test_a_plan_tells_which_steps_run():
    s = Session(domain=plan_folder())
    tool = tool_of(s.ask(intent("fx.vary")), "zz_plan")
    quiet = plan_of(s, dry(tool, {"line": "a"}))
    equal(steps_of(quiet), {"look": "always", "shout": "never", "after": "never", "write": "depends",
                            "needs": "never"}, "steps")
    equal(quiet["steps"][3]["depends_on"], ["look"], "what the fourth depends on")
    equal((quiet["steps"][3]["timeout_ms"], quiet["steps"][3]["on_failure"]), (3000, "skip"), "the fourth")
    equal(quiet["args"], {"line": "a", "loud": False}, "arguments, with defaults")
    equal((quiet["estimate"]["time_ms"], quiet["estimate"]["tokens"]), (1500, 300), "the author's estimate")
    equal(quiet["estimate"]["at_most_ms"], 23000, "at most")
    loud = plan_of(s, dry(tool, {"line": "a", "loud": True}))
    equal(steps_of(loud), {"look": "always", "shout": "always", "after": "depends", "write": "depends",
                           "needs": "always"}, "steps")
    equal(loud["steps"][4]["problem"], 'there is no argument "extra"', "what is amiss")
    expect("problem" not in plan_of(s, dry(tool, {"line": "a", "loud": True, "extra": "e"}))["steps"][4], "mended")
    s.end()


def test_what_rules_filled_in_is_told_by_name():
    """And by value to who may ask for reasons."""
    l = Listener("--auth", token_file(token_line(TOKEN, "person", "intent:*"), token_line(WHY, "author", "intent:*,why_not")))
    facts = [fact("fx_basic", "bound", 1, True, "x")]
    for token, wanted in ((TOKEN, [{"name": "tag"}, {"name": "x"}]),
                          (WHY, [{"name": "tag", "value": "bound"}, {"name": "x", "value": "x"}])):
        c = l.connect(token)
        reflect = tool_of(c.ask(intent("fx.reflect", facts)))
        equal(plan_of(c, dry(reflect))["bound"], wanted, "bound")
    l.stop()


def manglecp(*words, status=0):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words, "--toolhost", str(BUILD / "bin/toolhost"), "--plugins",
                           str(BUILD / "test-plugins")], env=CHILD_ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE, text=True)
    equal(done.returncode, status, f"exit status of {words}:\n{done.stdout}\n{done.stderr}\n")
    return done


def test_the_command_line_shows_a_plan():
    path, options = journal()
    folder = str(FIXTURE)
    said = manglecp("invoke", folder, "fx_danger", "--intent", "fx.danger", "--arg", "target=it", "--dry-run",
                    *options).stdout
    for words in ("dry run of fx_danger", "nothing was run", "destructive", "the user is asked first", "target=it"):
        expect(words in said, f"{words} is not in {said}")
    answer = manglecp("invoke", folder, "fx_danger", "--intent", "fx.danger", "--arg", "target=it", "--dry-run",
                      "--json", *options).stdout
    equal(json.loads(answer)["extensions"]["x-dry-run"]["tool"], "fx_danger", "tool")
    manglecp("invoke", folder, "fx_danger", "--intent", "fx.danger", "--arg", "target=it", "--dry-run", "--resume", "k",
             status=2)
    equal(path.read_text(), "", "what was done")


run(globals())

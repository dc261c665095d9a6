"""Chains as graphs, in real hosts: steps beside each other, foreach, what undoes what was done."""
from transports import *

LINE = "{line: {from: args.%s}, journal: {from: settings.journal}}"
TOOLS = """
- tool: zz_wide
  summary: Sleeps in four places.
  description: Sleeps in four places.
  input_schema: {type: object, properties: {ms: {type: integer, default: 400}}}
  parallel: 4
  steps:
    - {id: a, needs: [], action: AID.FX.SLEEP.v1, inputs: {ms: {from: args.ms}}}
    - {id: b, needs: [], action: AID.FX.SLEEP.v1, inputs: {ms: {from: args.ms}}}
    - {id: c, needs: [], action: AID.FX.SLEEP.v1, inputs: {ms: {from: args.ms}}}
    - {id: d, needs: [a, b, c], action: AID.FX.ECHO.v1, inputs: {a: {from: steps.a.output.ms}, b: {from: steps.b.output.ms}}}
  result: {both: {from: steps.d.output}}
- tool: zz_each
  summary: Says each.
  description: Says each.
  input_schema: {type: object, properties: {list: {type: array}}}
  steps:
    - {id: say, foreach: {from: args.list}, parallel: 3, action: AID.FX.ECHO.v1, inputs: {line: {from: item.line}, at: {from: index}}}
  result: {all: {from: steps.say.output}}
- tool: zz_undone
  summary: Writes, and takes it back.
  description: Writes, and takes it back.
  transaction: true
  input_schema: {type: object, properties: {lines: {type: array}, ms: {type: integer, default: 0}}}
  steps:
    - id: write
      foreach: {from: args.lines}
      action: AID.FX.WRITE.v1
      inputs: {line: {from: item}, journal: {from: settings.journal}}
      compensate: {action: AID.FX.WRITE.v1, with: {line: {from: steps.write.output.line}, journal: {from: settings.undo}}}
    - {id: sleep, action: AID.FX.SLEEP.v1, inputs: {ms: {from: args.ms}}}
    - {id: fail, action: AID.FX.FAIL.v1}
"""
RULES = "".join(f'tool_relevant_to_intent("{tool}", "fx.vary", {score}).\n'
                for tool, score in (("zz_wide", 95), ("zz_each", 94), ("zz_undone", 93)))


def folder():
    domain = fixture_with({"tools/graphs.yaml": TOOLS, "rules/domain/90_graphs.mg": RULES})
    text = (domain / "domain.yaml").read_text()
    undo = pathlib.Path(scratch()) / "undo"
    undo.touch()
    (domain / "domain.yaml").write_text(text.replace(
        "settings:\n", f"settings:\n  undo: {{type: path, default: {undo}, description: what was taken back}}\n", 1))
    return domain, undo


def test_steps_that_do_not_need_each_other_run_at_once():
    domain, _ = folder()
    s = Session("--set", "actions.processes=4", domain=domain)
    wide = tool_of(s.ask(intent("fx.vary")), "zz_wide")
    s.ask(invoke(wide, {"ms": 1}))  # hosts are started
    begun = time.monotonic()
    answer = s.ask(invoke(wide))
    spent = time.monotonic() - begun
    equal(answer["payload"]["result"], {"both": {"a": 400, "b": 400}}, "result")
    equal([e["status"] for e in answer["payload"]["observability"]["events"]], ["success"] * 4, "events")
    expect(0.4 <= spent < 1.1, f"{spent:.2f} s for three times 0.4 s at once")
    s.end()


def test_a_foreach_answers_in_the_order_of_its_items():
    domain, _ = folder()
    s = Session("--set", "actions.processes=3", domain=domain)
    each = tool_of(s.ask(intent("fx.vary")), "zz_each")
    lines = [{"line": f"line {i}"} for i in range(30)]
    answer = s.ask(invoke(each, {"list": lines}))
    equal(answer["payload"]["result"]["all"], [{"line": f"line {i}", "at": i} for i in range(30)], "result")
    equal(len(answer["payload"]["observability"]["events"]), 1, "events")
    equal(answer["payload"]["observability"]["events"][0]["detail"], "30 of 30", "detail")
    refused(s.ask(invoke(each, {"list": lines * 4})), "execution_failed", reason="tool_error")  # more than max
    s.end()


def consented(c, tool, args):
    challenge = refused(c.ask(invoke(tool, args)), "confirmation_required")["details"]["challenge"]
    tag = hmac.new(CONFIRM_KEY, challenge.encode(), hashlib.sha256).digest()
    return invoke(tool, args, confirmation_token=f"{challenge}.{base64url(tag)}")


def test_what_was_done_is_undone_the_last_first():
    domain, undo = folder()
    path, options = journal()
    line = token_line(TOKEN, "person", "intent:*", confirm_key=base64url(CONFIRM_KEY))
    l = Listener("--auth", token_file(line), *options, domain=domain)
    c = l.connect(TOKEN)
    undone = tool_of(c.ask(intent("fx.vary")), "zz_undone")
    equal(undone["safety"]["side_effects"], ["filesystem"], "effects")
    plan = c.ask(dict(invoke(undone, {"lines": ["a"]}), extensions={"x-dry-run": True}))["extensions"]["x-dry-run"]
    equal((plan["transaction"], plan["steps"][0]["compensation"]["action"]), (True, "write"), "plan")
    failure = refused(c.ask(consented(c, undone, {"lines": ["one", "two", "three"]})), "execution_failed")
    details = failure["details"]
    equal(path.read_text(), "one\ntwo\nthree\n", "what was done")
    equal(undo.read_text(), "three\ntwo\none\n", "what was undone")
    equal((details["compensated"], details["not_compensated"]), (["write"], []), "what is told")
    equal(details["indeterminate"], False, "indeterminate")
    expect(failure["message"].endswith("What had been done is undone."), failure["message"])
    l.stop()


run(globals())

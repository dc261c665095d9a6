"""A domain of as many tools as are wanted, of which a request's facts choose ten, and such facts: for the benchmarks of servers."""
import json
import pathlib
import time

TOPIC_TOOLS, TOPICS = 5, 2  # tools of a topic, and topics that a request names
SCHEMA = """Decl about(Tool, Topic, Score) bound [/string, /string, /number].
Decl wanted(Topic) descr [direction("input")] bound [/string].
Decl event(Id, Topic, N) temporal descr [direction("input")] bound [/string, /string, /number].
Decl reading(Place, N) descr [direction("input")] bound [/string, /number].
"""
RULES = """busy(Topic) :- <-[0s, 5m] event(Id, Topic, N), 90 < N, !calm(Topic).
calm(Topic) :- reading(Topic, N), N < 3.
tool_relevant_to_intent(T, "go", S) :- wanted(Topic), about(T, Topic, S).
macro_tool(T, "condensed") :- wanted(Topic), busy(Topic), about(T, Topic, S), S < 60.
"""
TOOL = """- tool: tool_{0:04}
  summary: Looks into part {0} of what the system says of itself.
  description: Looks into part {0} of what the system says of itself, and tells what it found there.
  input_schema:
    type: object
    required: [place]
    properties:
      place: {{type: string, minLength: 1, description: 'Where to look: a name, or a path'}}
      depth: {{type: integer, minimum: 0, maximum: 9, default: 2, description: How far to go}}
"""
STEPS = """  steps:
    - id: look
      action: AID.BENCH.LOOK.v1
      inputs: {{part: {0}, place: {{from: args.place}}, depth: {{from: args.depth}}}}
  result: {{text: {{from: steps.look.output.text}}}}
"""


def make_domain(folder, tools, runs=False):
    """`runs`: each tool has a step, which the plugin `look` of the benchmark does."""
    files = {"domain.yaml": "server: {name: b, version: 1.0.0}\ndomain: {id: b, description: b}\n"
                            "intents: [{name: go, description: g, open: true}]\n" + ("actions: {plugins: [look]}\n" if runs else ""),
             "rules/schema/s.mg": SCHEMA, "rules/domain/d.mg": RULES,
             "facts/about.mg": "".join(f'about("tool_{i:04}", "topic{i // TOPIC_TOOLS}", {45 + 10 * (i % TOPIC_TOOLS)}).\n'
                                       for i in range(tools)),
             "tools/t.yaml": "".join((TOOL + (STEPS if runs else "")).format(i) for i in range(tools))}
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def one_fact(tools, variant, i):
    topic = f"topic{(variant * TOPICS + i) % (tools // TOPIC_TOOLS)}"
    if i < TOPICS:
        return {"pred": "wanted", "args": [topic]}
    if i % 2:
        return {"pred": "reading", "args": [f"place {variant}-{i}", i % 50]}
    return {"pred": "event", "args": [f"e{variant}-{i}", topic, i % 100],
            "t": {"at": int(time.time() * 1000) - 1000 * i}}


def intent(tools, facts, variant, name="b"):
    """The text of a request; no two variants are equal."""
    return json.dumps({"type": "intent_request", "id": name, "manglecp": "2026-02-draft", "payload": {
        "intent": {"name": "go"}, "facts": [one_fact(tools, variant, i) for i in range(facts)]}}, separators=(",", ":"))

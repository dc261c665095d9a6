"""docs/schemas are schemas of draft 2020-12, and the examples of docs/reference/protocol.md are valid: judged by
python3-jsonschema, a judge that is not ours. tests/protocol/test_judge.c asks ours the same."""
import json
import pathlib
import re
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/schemas"
SCHEMAS = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
# What an example without an envelope is, by a member that only it has.
PARTS = {"macro_id": "intent_response.json#/$defs/tool", "skill_id": "intent_response.json#/$defs/skill",
         "derivations": "intent_response.json#/$defs/proof_hints", "pred": "common.json#/$defs/fact",
         "predicate": "manifest.json#/$defs/predicate_schema"}
count = failed = 0


def tell(name, faults):
    global count, failed
    count += 1
    failed += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {count} - {name}")
    for fault in faults[:20]:
        print(f"#   {fault}")


def validator(ref):
    store = {schema["$id"]: schema for schema in SCHEMAS.values()}
    base = SCHEMAS["common"]["$id"]
    resolver = jsonschema.RefResolver(base, SCHEMAS["common"], store=store)
    return jsonschema.Draft202012Validator({"$ref": ref}, resolver=resolver)


def faults_of(ref, value):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator(ref).iter_errors(value)]


def examples():
    """(line, value) of each JSON block of the reference."""
    text = (ROOT / "docs/reference/protocol.md").read_text()
    for block in re.finditer(r"^```json\n(.*?)^```", text, re.M | re.S):
        yield text.count("\n", 0, block.start()) + 2, json.loads(block.group(1))


def kind_of(value):
    if "type" in value:
        return value["type"] + ".json"
    return next((ref for member, ref in PARTS.items() if member in value), None)


for name, schema in SCHEMAS.items():
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        wrong = [] if schema["$id"].endswith(f"/{name}.json") else [f"$id {schema['$id']}"]
    except jsonschema.SchemaError as e:
        wrong = [str(e)[:300]]
    tell(f"{name}.json is a schema of draft 2020-12", wrong)
judged = {}
for line, value in examples():
    ref = kind_of(value)
    if ref:
        judged[ref] = judged.get(ref, 0) + 1
        tell(f"the example of protocol.md:{line} fits {ref}", faults_of(ref, value))
tell("every part of the messages has an example", [ref for ref in PARTS.values() if ref not in judged])
print(f"1..{count}")
sys.exit(1 if failed else 0)

#!/usr/bin/env python3
"""Random schemas with instances, and what the plain reading of draft 2020-12 says of them.

  tests/protocol/schema_oracle.py SEED COUNT    one line of JSON each: [valid, schema, instance]

The plain reading: a schema gives a verdict and the sets of members and items that it has evaluated, which
are empty where it fails; the dynamic scope is a list. Every schema has the same two resources, with a
$dynamicAnchor "n" in each. What goes in circles, or takes too long, is left out."""
import json
import random
import re
import sys

ROOT, INNER = "http://h/root", "http://h/r"
MAX_DEPTH = 90
MAX_STEPS = 1500
TYPES = {
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
}


class TooMuch(Exception):
    pass


class Reading:
    def __init__(self, schema):
        inner = schema["$defs"]["r"]
        self.roots = {ROOT: schema, INNER: inner}
        self.anchors = {ROOT: {}, INNER: {"w": inner["$defs"]["w"]}}
        self.dynamic = {ROOT: {"n": schema["$defs"]["d"]}, INNER: {"n": inner["$defs"]["n"]}}
        self.steps = 0

    def valid(self, value):
        return self.judge(self.roots[ROOT], value, [ROOT], 0)[0]

    def target(self, key, ref, scope):
        """The schema that `ref` leads to, and the scope there."""
        uri, _, name = ref.partition("#")
        base = "http://h/" + uri if uri else scope[-1]
        if name == "":
            found = self.roots[base]
        elif name.startswith("/$defs/"):
            found = self.roots[base]["$defs"][name.removeprefix("/$defs/")]
        elif key == "$dynamicRef" and name in self.dynamic[base]:
            base = next((b for b in scope if name in self.dynamic[b]), base)
            found = self.dynamic[base][name]
        else:
            found = self.anchors[base].get(name) or self.dynamic[base][name]
        return found, scope if base == scope[-1] else scope + [base]

    def judge(self, schema, value, scope, depth):
        """(valid, evaluated members, evaluated items)"""
        self.steps += 1
        if depth > MAX_DEPTH or self.steps > MAX_STEPS:
            raise TooMuch
        if isinstance(schema, bool):
            return schema, set(), set()
        if "$id" in schema and schema is not self.roots[scope[-1]]:
            scope = scope + [INNER]
        members, items, verdicts = set(), set(), []

        def here(below, inner_scope=None):
            found = self.judge(below, value, inner_scope or scope, depth + 1)
            members.update(found[1])
            items.update(found[2])
            return found[0]

        def child(below, part):
            return self.judge(below, part, scope, depth + 1)[0]

        for key in ("$ref", "$dynamicRef"):
            if key in schema:
                verdicts.append(here(*self.target(key, schema[key], scope)))
        verdicts += [here(below) for below in schema.get("allOf", [])]
        if "anyOf" in schema:
            verdicts.append(any([here(below) for below in schema["anyOf"]]))
        if "oneOf" in schema:
            verdicts.append(sum([here(below) for below in schema["oneOf"]]) == 1)
        if "not" in schema:
            verdicts.append(not self.judge(schema["not"], value, scope, depth + 1)[0])
        if "if" in schema:
            verdicts.append(here(schema.get("then" if here(schema["if"]) else "else", True)))
        if isinstance(value, dict):
            verdicts += self.members(schema, value, members, here, child)
        if isinstance(value, list):
            verdicts += self.items(schema, value, items, child)
        verdicts += self.plain(schema, value)
        if not all(verdicts):
            return False, set(), set()
        return True, members, items

    @staticmethod
    def members(schema, value, members, here, child):
        verdicts = [here(below) for name, below in schema.get("dependentSchemas", {}).items() if name in value]
        known = set()
        for name, below in schema.get("properties", {}).items():
            if name in value:
                known.add(name)
                verdicts.append(child(below, value[name]))
        for pattern, below in schema.get("patternProperties", {}).items():
            for name in filter(re.compile(pattern).search, value):
                known.add(name)
                verdicts.append(child(below, value[name]))
        if "additionalProperties" in schema:
            verdicts += [child(schema["additionalProperties"], value[name]) for name in set(value) - known]
            known = set(value)
        members |= known
        if "propertyNames" in schema:
            verdicts += [child(schema["propertyNames"], name) for name in value]
        verdicts += [name in value for name in schema.get("required", [])]
        if "unevaluatedProperties" in schema:
            verdicts += [child(schema["unevaluatedProperties"], value[name]) for name in set(value) - members]
            members |= set(value)
        return verdicts

    @staticmethod
    def items(schema, value, items, child):
        prefix = schema.get("prefixItems", [])
        verdicts = [child(below, item) for below, item in zip(prefix, value)]
        items |= set(range(min(len(prefix), len(value))))
        if "items" in schema:
            verdicts += [child(schema["items"], item) for item in value[len(prefix) :]]
            items |= set(range(len(value)))
        if "contains" in schema:
            fitting = {i for i, item in enumerate(value) if child(schema["contains"], item)}
            verdicts.append(schema.get("minContains", 1) <= len(fitting) <= schema.get("maxContains", len(value)))
            items |= fitting
        if "unevaluatedItems" in schema:
            verdicts += [child(schema["unevaluatedItems"], item) for i, item in enumerate(value) if i not in items]
            items |= set(range(len(value)))
        return verdicts

    @staticmethod
    def plain(schema, value):
        verdicts = []
        if "pattern" in schema and isinstance(value, str):
            verdicts.append(re.search(schema["pattern"], value) is not None)
        if "const" in schema:
            verdicts.append(TYPES["integer"](value) and value == schema["const"])
        if "minimum" in schema and TYPES["integer"](value):
            verdicts.append(value >= schema["minimum"])
        if "type" in schema:
            wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            verdicts.append(any(TYPES[name](value) for name in wanted))
        return verdicts


class Making:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def leaf(self):
        return self.random.choice([True, True, False, {"type": "integer"}, {"type": "string"}, {"const": 1}, {"minimum": 2}])

    def below(self, depth):
        return self.schema(depth - 1) if depth > 0 else self.leaf()

    def keyword(self, depth):
        r = self.random
        name = r.choice("abc")

        def one():
            return self.below(depth)

        def simple():
            return r.choice([False, True, self.leaf(), one()])

        def several():
            return [one() for _ in range(r.randint(1, 3))]

        made = r.choice(
            [
                lambda: {"properties": {name: one(), r.choice("abc"): self.leaf()}},
                lambda: {"patternProperties": {r.choice(["^a", "b", "c$"]): one()}},
                lambda: {"additionalProperties": simple()},
                lambda: {"propertyNames": {"pattern": r.choice(["^[ab]", "."])}},
                lambda: {"required": [name]},
                lambda: {"dependentSchemas": {name: one()}},
                lambda: {"prefixItems": several()[:2]},
                lambda: {"items": simple()},
                lambda: {"contains": one()},
                lambda: {"contains": one(), "minContains": r.randint(0, 2), "maxContains": r.randint(1, 3)},
                lambda: {"type": r.choice(["object", "array", ["object", "array"]])},
                lambda: {"allOf": several()},
                lambda: {"anyOf": several()},
                lambda: {"oneOf": several()},
                lambda: {"not": simple()},
                lambda: {"if": one(), "then": one(), "else": one()},
                lambda: {"if": one()},
                lambda: {"$ref": r.choice(["#/$defs/p", "#/$defs/p", "r", "r#w", "r#n"])},
                lambda: {"$dynamicRef": r.choice(["#n", "r#n"])},
                lambda: {"unevaluatedProperties": simple()},
                lambda: {"unevaluatedItems": simple()},
                lambda: {"unevaluatedProperties": False},
                lambda: {"unevaluatedItems": False},
            ]
        )
        return made()

    def schema(self, depth):
        made = {}
        for _ in range(self.random.randint(1, 3)):
            made.update(self.keyword(depth))
        return made

    def whole(self):
        inner = self.schema(1) | {"$id": "r", "$defs": {"p": self.leaf()}}
        inner["$defs"]["w"] = self.schema(0) | {"$anchor": "w"}
        inner["$defs"]["n"] = self.schema(0) | {"$dynamicAnchor": "n"}
        outer = self.schema(2) | {"$id": ROOT, "$defs": {"p": self.leaf(), "r": inner}}
        outer["$defs"]["d"] = self.schema(0) | {"$dynamicAnchor": "n"}
        return outer

    def value(self, depth):
        kind = self.random.random()
        if depth == 0 or kind < 0.15:
            return self.random.choice([0, 1, 2, 3, "x", "y", None, True])
        if kind < 0.65:
            names = self.random.sample(["a", "b", "c", "ab", "bc"], self.random.randint(0, 4))
            return {name: self.value(depth - 1) for name in names}
        return [self.value(depth - 1) for _ in range(self.random.randint(0, 4))]


def main():
    making = Making(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        schema, value = making.whole(), making.value(3)
        try:
            print(json.dumps([Reading(schema).valid(value), schema, value]))
        except TooMuch:
            pass


main()

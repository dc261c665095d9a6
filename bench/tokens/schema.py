"""JSON Schema, as far as tools' arguments use it: what is wrong with a value, by the whole schema of a tool."""
import re

TYPES = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}
DEEP = 30


def is_of(value, word):
    if word == "integer":
        return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
    if word == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES.get(word, object))


def at(root, reference):
    """What `#/a/b` names, or None."""
    here = root
    for part in reference.lstrip("#").strip("/").split("/"):
        part = part.replace("~1", "/").replace("~0", "~")
        if part and not (isinstance(here, dict) and part in here):
            return None
        here = here[part] if part else here
    return here


def problems(value, schema, root=None, where="arguments", deep=0):
    """Sentences that say what is wrong; none: the value is valid. What is not understood here is let through."""
    root = schema if root is None else root
    if schema is True or schema is None or deep > DEEP:
        return []
    if schema is False:
        return [f"{where}: nothing is allowed here"]
    found = []
    if "$ref" in schema:
        found += problems(value, at(root, schema["$ref"]), root, where, deep + 1)
    words = schema.get("type")
    words = [words] if isinstance(words, str) else words
    if words and not any(is_of(value, word) for word in words):
        return found + [f"{where}: is not of type {'|'.join(words)}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: is none of the values")
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: is not {schema['const']!r}")
    found += of_parts(value, schema, root, where, deep)
    found += of_choices(value, schema, root, where, deep)
    return found


def of_choices(value, schema, root, where, deep):
    found = []
    for part in schema.get("allOf", []):
        found += problems(value, part, root, where, deep + 1)
    for key in ("anyOf", "oneOf"):
        fits = [not problems(value, part, root, where, deep + 1) for part in schema.get(key, [])]
        if fits and not any(fits):
            found.append(f"{where}: fits nothing of {key}")
        if key == "oneOf" and sum(fits) > 1:
            found.append(f"{where}: fits more than one of oneOf")
    if "not" in schema and not problems(value, schema["not"], root, where, deep + 1):
        found.append(f"{where}: fits what it must not")
    return found


def of_parts(value, schema, root, where, deep):
    if isinstance(value, str):
        return of_string(value, schema, where)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return of_number(value, schema, where)
    found = []
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where}: has {len(value)} items")
        for number, item in enumerate(value):
            found += problems(item, schema.get("items", True), root, f"{where}[{number}]", deep + 1)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            found.append(f"{where}: has {len(value)} members")
        for name, item in value.items():
            patterns = [part for key, part in schema.get("patternProperties", {}).items() if re.search(key, name)]
            if name in known:
                found += problems(item, known[name], root, f"{where}.{name}", deep + 1)
            elif not patterns:
                found += problems(item, schema.get("additionalProperties", True), root, f"{where}.{name}", deep + 1)
            for part in patterns:
                found += problems(item, part, root, f"{where}.{name}", deep + 1)
    return found


def of_string(value, schema, where):
    found = []
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        found.append(f"{where}: has {len(value)} characters")
    if "pattern" in schema:
        try:
            if not re.search(schema["pattern"], value):
                found.append(f"{where}: does not match {schema['pattern']}")
        except re.error:
            pass  # a dialect that Python does not know
    return found


def of_number(value, schema, where):
    found = []
    if "minimum" in schema and value < schema["minimum"] or "maximum" in schema and value > schema["maximum"]:
        found.append(f"{where}: is out of range")
    if isinstance(schema.get("exclusiveMinimum"), (int, float)) and value <= schema["exclusiveMinimum"]:
        found.append(f"{where}: is too small")
    if isinstance(schema.get("exclusiveMaximum"), (int, float)) and value >= schema["exclusiveMaximum"]:
        found.append(f"{where}: is too great")
    return found

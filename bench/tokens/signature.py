"""A tool as one line, and back: the call that somebody makes who has seen the line and nothing else.

    name(path: str, kind?: "a"|"b", at?: int 1..9 = 3, edits: [{old: str, new: str}])  What it is for

`line()` writes the lines of the rivals; `call()` reads those and the program's own, which have the same notation."""
import json
import re

SHORT = {"string": "str", "integer": "int", "number": "num", "boolean": "bool", "object": "object", "array": "list",
         "null": "null"}
BEYOND = ("anyOf", "oneOf", "allOf", "$ref", "not")
CHOICES = 12
DEEP = 5  # of objects and lists that are opened
FORMATS = {"date": "2026-11-24", "date-time": "2026-11-24T10:00:00Z", "uri": "https://example.org/", "url":
           "https://example.org/", "email": "a@example.org", "uuid": "6f1c2b1e-98b2-4b5a-9b51-1f0a4e1d2c3b",
           "ipv4": "192.0.2.1"}


# ---- writing

def type_of(schema, deep=0):
    if not isinstance(schema, dict) or any(word in schema for word in BEYOND):
        return "any"
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if schema.get("enum"):
        shown = [json.dumps(v, ensure_ascii=False) for v in schema["enum"][:CHOICES]]
        more = len(schema["enum"]) - CHOICES
        return "|".join(shown) + (f"|... ({more} more)" if more > 0 else "")
    words = schema.get("type")
    if isinstance(words, list):
        return "|".join(SHORT.get(word, "any") for word in words)
    if words == "array" and isinstance(schema.get("items"), dict) and deep < DEEP:
        return f"[{type_of(schema['items'], deep + 1)}]"
    if words == "object" and schema.get("properties") and deep < DEEP:
        return "{" + fields(schema, deep + 1) + "}"
    low, high = schema.get("minimum"), schema.get("maximum")
    reach = f" {'' if low is None else low}..{'' if high is None else high}" if low is not None or high is not None else ""
    return SHORT.get(words, "any") + reach + (f" {schema['format']}" if "format" in schema else "")


def fields(schema, deep=0):
    required = set(schema.get("required", []))
    known = schema.get("properties", {})
    ordered = [n for n in known if n in required] + [n for n in known if n not in required]
    return ", ".join(f"{name}{'' if name in required else '?'}: {type_of(known[name], deep)}" for name in ordered)


def line(name, tool, about=100):
    """One line: the name, the arguments with their types, and the first `about` characters of what it is for."""
    sentence = re.split(r"(?<=[.!?])\s|\n", (tool.get("description") or "").strip(), maxsplit=1)[0][:about]
    return f"{name}({fields(tool.get('inputSchema') or {})})" + (f"  {sentence}" if sentence else "")


# ---- reading

class Unreadable(Exception):
    """The line is not in this notation."""


class Reader:
    def __init__(self, text):
        self.text, self.here = text, 0

    def peek(self, what):
        return self.text.startswith(what, self.here)

    def take(self, what):
        if not self.peek(what):
            raise Unreadable(f"{what!r} is expected at {self.text[self.here:self.here + 30]!r}")
        self.here += len(what)

    def match(self, pattern):
        found = re.compile(pattern).match(self.text, self.here)
        if found:
            self.here = found.end()
        return found

    def value(self):
        """A JSON value, which may be followed by anything; one that was cut is None."""
        try:
            value, self.here = json.JSONDecoder().raw_decode(self.text, self.here)
            return value
        except ValueError:
            if not self.match(r'"[^"]*"|[^,)\]}|]*'):
                raise Unreadable("a value is expected") from None
            return None

    def name(self):
        if self.peek('"'):
            return self.value()
        found = self.match(r"[^\s:?,(){}\[\]]+")
        if not found:
            raise Unreadable(f"a name is expected at {self.text[self.here:self.here + 30]!r}")
        return found.group()

    def parameters(self, end):
        """(name, required, value) each, until `end`; cut lists end in `...`."""
        found = []
        while not self.peek(end):
            if self.match(r"\.\.\.(?: \(\d+ more\))?"):
                pass
            else:
                name = self.name()
                optional = bool(self.match(r"\?"))
                value = self.type() if self.match(r":\s*") else "x"
                if self.match(r" = "):
                    usual = self.value()
                    value = value if usual is None else usual
                found.append((name, not optional, value))
            if not self.match(r",\s*"):
                break
        self.take(end)
        return found

    def type(self):
        """A value of the type that stands here."""
        value = self.one_type()
        while self.match(r"\|"):
            if not self.match(r"\.\.\. \(\d+ more\)"):
                self.one_type()
        return value

    def one_type(self):
        if self.match(r"\["):
            item = self.type()
            self.take("]")
            return [item]
        if self.match(r"\{"):
            return {name: value for name, required, value in self.parameters("}") if required}
        word = self.match(r"(str|int|num|bool|object|list|null|any|date|datetime|url|path)\b")
        if not word:
            return self.value()
        value = {"int": 1, "num": 1, "bool": True, "object": {}, "list": [], "null": None}.get(word.group(), "x")
        reach = self.match(r" (-?[\d.eE+]+?)?\.\.(-?[\d.eE+]+)?(?=[\s,)\]}|])")
        if reach and isinstance(value, int):
            low, high = reach.group(1), reach.group(2)
            value = json.loads(low) if low else min(1, json.loads(high))
        shape = self.match(r" ([a-z][a-z0-9-]*)(?=[\s,)\]}|])")
        return FORMATS.get(shape.group(1), value) if shape and isinstance(value, str) else value


def call(shown):
    """The name and two sets of arguments, the required ones and all, made from the line `shown` alone."""
    reader = Reader(shown)
    name = reader.name()
    reader.take("(")
    parameters = reader.parameters(")")
    return name, {n: v for n, required, v in parameters if required}, {n: v for n, _, v in parameters}

"""JSON Schema 2020-12, the part that tools use, for checking arguments before they are sent (P-INV-11).

The server judges in the end, so only one mistake would be serious: to refuse what the server would
take. Therefore a check has three outcomes. What fails a known keyword *fails*. What passes all of them
*passes*. And where a keyword, a dialect, a reference or a regular expression is not known here, the
outcome is *open*, and nothing is built on it: `not` of something open is open, not a failure.

A schema comes from a server, so the work is bounded: what a few references to each other can make endless
is given up, and then nothing is known to be wrong.

Numbers compare as numbers (5.0 is an integer, 1 equals 1.0), unlike in facts."""

from __future__ import annotations

import reprlib
from fractions import Fraction
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _json
from ._regex import WORK, Matcher, matcher
from .errors import Fault

MAX_FAULTS = 100
MAX_DEPTH = 100  # of schemas within schemas
MAX_STEPS = 100_000  # schemas, choices and expressions that are looked at in one check

ANNOTATIONS = frozenset(
    "$schema $id $comment $defs $anchor definitions title description default examples deprecated readOnly "
    "writeOnly format contentEncoding contentMediaType contentSchema".split()
)
DIALECTS = ("https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#")


def check(schema: Any, value: Any, where: str = "") -> List[Fault]:
    """Every fault of `value`, its place below `where` as a JSON pointer; [] if nothing is known to be wrong."""
    if isinstance(schema, dict) and schema.get("$schema", DIALECTS[0]) not in DIALECTS:
        return []
    try:
        return _Check(schema).faults(schema, value, where, 0)[0][:MAX_FAULTS]
    except (RecursionError, _TooMuch):
        return []


class _TooMuch(Exception):
    pass


Outcome = Tuple[List[Fault], bool]  # what is wrong; whether anything was left open
PASSED: Outcome = ([], False)
OPEN: Outcome = ([], True)


class _Check:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.resolving: List[Tuple[str, int]] = []
        self.rebased = _has_id_below(root)
        self.steps = 0
        self.matching = float(WORK)  # what is left for expressions
        self.known: Dict[str, Optional[Matcher]] = {}

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise _TooMuch

    def matches(self, pattern: str, text: str) -> Optional[bool]:
        """None if that is open."""
        self.spend(1)
        if pattern not in self.known:
            self.spend(len(pattern))
            self.known[pattern] = matcher(pattern)
        known = self.known[pattern]
        work = known.work(text) if known else 0.0
        if known is None or work > self.matching:
            return None
        self.matching -= work
        return known(text)

    def faults(self, schema: Any, value: Any, where: str, depth: int) -> Outcome:
        if schema is True:
            return PASSED
        if schema is False:
            return [Fault(where, "false", "nothing is allowed here")], False
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            return OPEN
        self.spend(1 + len(schema))
        found: List[Fault] = []
        is_open = False
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS or keyword in _READ_BY_OTHERS:
                continue
            rule = _RULES.get(keyword)
            if rule is None:
                is_open = True
                continue
            try:
                wrong, left_open = rule(_Here(self, schema, argument, value, where, depth))
            except (TypeError, ValueError, AttributeError, ArithmeticError):
                wrong, left_open = OPEN  # the schema itself is not well formed: the server's business
            found += wrong
            is_open = is_open or left_open
        return found, is_open

    def resolve(self, reference: str) -> Any:
        """The schema at a local reference; raises ValueError for any other."""
        if self.rebased or not (reference == "#" or reference.startswith("#/")):
            raise ValueError("not a reference within this schema")
        target = self.root
        for part in reference[2:].split("/") if reference != "#" else []:
            name = _unescaped(part)
            if isinstance(target, list) and name.isdigit():
                target = target[int(name)] if int(name) < len(target) else None
            elif isinstance(target, dict) and name in target:
                target = target[name]
            else:
                raise ValueError("a reference to nothing")
        return target


def _unescaped(part: str) -> str:
    from urllib.parse import unquote

    return unquote(part).replace("~1", "/").replace("~0", "~")


def _has_id_below(root: Any) -> bool:
    """Does a part of the schema have a base of its own, which would change what references mean?"""
    waiting = list(root.values()) if isinstance(root, dict) else []
    seen = 0
    while waiting and seen < 100_000:
        part = waiting.pop()
        seen += 1
        if isinstance(part, dict):
            if isinstance(part.get("$id"), str):
                return True
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return bool(waiting)


class _Here:
    """One keyword at one place: `argument` is what the schema says, `value` what is checked."""

    def __init__(
        self, check: _Check, schema: Dict[str, Any], argument: Any, value: Any, where: str, depth: int
    ):
        self.check, self.schema, self.argument = check, schema, argument
        self.value, self.where, self.depth = value, where, depth

    def of(self, schema: Any, value: Any, step: Optional[object] = None) -> Outcome:
        where = self.where if step is None else f"{self.where}/{pointer(str(step))}"
        return self.check.faults(schema, value, where, self.depth + 1)

    def same(self, schema: Any) -> Outcome:
        return self.of(schema, self.value)

    def wrong(self, keyword: str, message: str, step: Optional[object] = None) -> Outcome:
        where = self.where if step is None else f"{self.where}/{pointer(str(step))}"
        return [Fault(where, keyword, message)], False


def pointer(name: str) -> str:
    """`name` as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _all(outcomes: List[Outcome]) -> Outcome:
    return [fault for wrong, _ in outcomes for fault in wrong], any(left_open for _, left_open in outcomes)


def _fails(outcome: Outcome) -> bool:
    return bool(outcome[0])


def _passes(outcome: Outcome) -> bool:
    return not outcome[0] and not outcome[1]


def _told(value: Any) -> str:
    text = reprlib.repr(value) if isinstance(value, (list, tuple, dict)) else repr(_cut(value))
    return text if len(text) <= 60 else text[:57] + "..."


def _cut(value: Any) -> Any:
    return value[:60] if isinstance(value, str) else value


def _weight(value: Any) -> int:
    """The steps that comparing with this costs."""
    waiting, steps = [value], 0
    while waiting and steps <= MAX_STEPS:
        part = waiting.pop()
        steps += 1 + (len(part) // 100 if isinstance(part, str) else 0)
        if isinstance(part, (dict, list)):
            waiting += part.values() if isinstance(part, dict) else part
    return steps


# ---- any value -----------------------------------------------------------------------------

_KINDS: Dict[str, Callable[[Any], bool]] = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, (list, tuple)),
    "object": lambda v: isinstance(v, dict),
    "number": _json.is_number,
    "integer": lambda v: _json.is_integer(v) or (isinstance(v, float) and v.is_integer()),
}


def _type(here: _Here) -> Outcome:
    kinds = here.argument if isinstance(here.argument, list) else [here.argument]
    if any(_KINDS[kind](here.value) for kind in kinds if kind in _KINDS):
        return PASSED
    if any(kind not in _KINDS for kind in kinds):
        return OPEN
    return here.wrong("type", f"{_told(here.value)} is not of type {' or '.join(kinds)}")


def _key(value: Any) -> Tuple[Any, ...]:
    """Equal for values that JSON Schema calls equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if _json.is_number(value):
        return ("number", Fraction(value))
    if isinstance(value, dict):
        return ("object", tuple(sorted((str(name), _key(item)) for name, item in value.items())))
    if isinstance(value, (list, tuple)):
        return ("array", tuple(_key(item) for item in value))
    raise TypeError(f"{type(value).__name__} is no JSON")


def _enum(here: _Here) -> Outcome:
    here.check.spend(_weight(here.argument))
    if _key(here.value) in [_key(choice) for choice in here.argument]:
        return PASSED
    return here.wrong(
        "enum", f"{_told(here.value)} is none of {', '.join(_told(c) for c in here.argument[:12])}"
    )


def _const(here: _Here) -> Outcome:
    here.check.spend(_weight(here.argument))
    if _key(here.value) == _key(here.argument):
        return PASSED
    return here.wrong("const", f"{_told(here.value)} is not {_told(here.argument)}")


# ---- schemas within schemas ----------------------------------------------------------------


def _ref(here: _Here) -> Outcome:
    target = here.check.resolve(here.argument)
    step = (here.argument, id(here.value))
    if step in here.check.resolving:  # a circle demands nothing new
        return OPEN
    here.check.resolving.append(step)
    try:
        return here.same(target)
    finally:
        here.check.resolving.pop()


def _all_of(here: _Here) -> Outcome:
    return _all([here.same(schema) for schema in here.argument])


def _any_of(here: _Here) -> Outcome:
    outcomes = [here.same(schema) for schema in here.argument]
    if any(_passes(outcome) for outcome in outcomes):
        return PASSED
    if all(_fails(outcome) for outcome in outcomes) and outcomes:
        return here.wrong("anyOf", f"fits none of {len(outcomes)} alternatives; {outcomes[0][0][0].message}")
    return OPEN


def _one_of(here: _Here) -> Outcome:
    outcomes = [here.same(schema) for schema in here.argument]
    passing = sum(_passes(outcome) for outcome in outcomes)
    failing = sum(_fails(outcome) for outcome in outcomes)
    if passing > 1:
        return here.wrong("oneOf", f"fits {passing} alternatives at once")
    if failing == len(outcomes) and outcomes:
        return here.wrong("oneOf", f"fits none of {failing} alternatives; {outcomes[0][0][0].message}")
    return PASSED if passing + failing == len(outcomes) else OPEN


def _not(here: _Here) -> Outcome:
    outcome = here.same(here.argument)
    if _passes(outcome):
        return here.wrong("not", "is what is not allowed here")
    return PASSED if _fails(outcome) else OPEN


def _if(here: _Here) -> Outcome:
    condition = here.same(here.argument)
    if _passes(condition):
        return here.same(here.schema.get("then", True))
    return here.same(here.schema.get("else", True)) if _fails(condition) else OPEN


# ---- objects -------------------------------------------------------------------------------


def _for(kind: type) -> Callable[[Callable[[_Here], Outcome]], Callable[[_Here], Outcome]]:
    """A keyword that only speaks about values of one kind."""

    def limited(rule: Callable[[_Here], Outcome]) -> Callable[[_Here], Outcome]:
        return lambda here: rule(here) if isinstance(here.value, kind) else PASSED

    return limited


@_for(dict)
def _properties(here: _Here) -> Outcome:
    return _all([here.of(s, here.value[name], name) for name, s in here.argument.items() if name in here.value])


@_for(dict)
def _pattern_properties(here: _Here) -> Outcome:
    outcomes: List[Outcome] = []
    for pattern, schema in here.argument.items():
        for name, value in here.value.items():
            match = here.check.matches(pattern, name)
            if match is not False:
                outcomes.append(here.of(schema, value, name) if match else OPEN)
    return _all(outcomes)


@_for(dict)
def _additional_properties(here: _Here) -> Outcome:
    named = here.schema.get("properties", {})
    others: List[str] = []
    for name in here.value:
        if name in named:
            continue
        matches = [here.check.matches(p, name) for p in here.schema.get("patternProperties", {})]
        if not any(matches):
            if None in matches:
                return OPEN
            others.append(name)
    if here.argument is False:
        known = f"; there are {', '.join(sorted(named))}" if named else ""
        return _all([here.wrong("additionalProperties", f"there is no {n!r} here{known}", n) for n in others])
    return _all([here.of(here.argument, here.value[name], name) for name in others])


@_for(dict)
def _property_names(here: _Here) -> Outcome:
    return _all([here.of(here.argument, name, name) for name in here.value])


@_for(dict)
def _required(here: _Here) -> Outcome:
    missing = [name for name in here.argument if name not in here.value]
    return _all([here.wrong("required", f"{name!r} is missing") for name in missing])


@_for(dict)
def _dependent_required(here: _Here) -> Outcome:
    wanted = [(n, other) for n, others in here.argument.items() if n in here.value for other in others]
    missing = [(n, other) for n, other in wanted if other not in here.value]
    return _all([here.wrong("dependentRequired", f"{n!r} needs {other!r}") for n, other in missing])


@_for(dict)
def _dependent_schemas(here: _Here) -> Outcome:
    return _all([here.same(schema) for name, schema in here.argument.items() if name in here.value])


# ---- arrays --------------------------------------------------------------------------------


@_for(list)
def _prefix_items(here: _Here) -> Outcome:
    return _all([here.of(schema, item, i) for i, (schema, item) in enumerate(zip(here.argument, here.value))])


@_for(list)
def _items(here: _Here) -> Outcome:
    if isinstance(here.argument, list):
        return OPEN  # the form of older drafts
    first = len(here.schema.get("prefixItems", []))
    return _all([here.of(here.argument, item, i) for i, item in enumerate(here.value) if i >= first])


@_for(list)
def _contains(here: _Here) -> Outcome:
    outcomes = [here.of(here.argument, item, i) for i, item in enumerate(here.value)]
    passing, open_ones = sum(map(_passes, outcomes)), sum(not _passes(o) and not _fails(o) for o in outcomes)
    least, most = here.schema.get("minContains", 1), here.schema.get("maxContains")
    if passing + open_ones < least:
        return here.wrong("contains", f"{passing} of its items fit, at least {least} should")
    if most is not None and passing > most:
        return here.wrong("maxContains", f"{passing} of its items fit, at most {most} should")
    return OPEN if open_ones else PASSED


@_for(list)
def _unique_items(here: _Here) -> Outcome:
    if here.argument is not True or len(here.value) == len({_key(item) for item in here.value}):
        return PASSED
    return here.wrong("uniqueItems", "an item is there twice")


# ---- sizes and numbers ---------------------------------------------------------------------


def _at_least(keyword: str, kind: Any, size: Callable[[Any], Any], unit: str) -> Callable[[_Here], Outcome]:
    def rule(here: _Here) -> Outcome:
        if (
            not isinstance(here.value, kind)
            or isinstance(here.value, bool)
            or size(here.value) >= here.argument
        ):
            return PASSED
        return here.wrong(keyword, f"{_told(here.value)} is less than {here.argument}{unit}")

    return rule


def _at_most(keyword: str, kind: Any, size: Callable[[Any], Any], unit: str) -> Callable[[_Here], Outcome]:
    def rule(here: _Here) -> Outcome:
        if (
            not isinstance(here.value, kind)
            or isinstance(here.value, bool)
            or size(here.value) <= here.argument
        ):
            return PASSED
        return here.wrong(keyword, f"{_told(here.value)} is more than {here.argument}{unit}")

    return rule


def _itself(value: Any) -> Any:
    return value


def _exclusive_minimum(here: _Here) -> Outcome:
    if not _json.is_number(here.value) or here.value > here.argument:
        return PASSED
    return here.wrong("exclusiveMinimum", f"{here.value} is not more than {here.argument}")


def _exclusive_maximum(here: _Here) -> Outcome:
    if not _json.is_number(here.value) or here.value < here.argument:
        return PASSED
    return here.wrong("exclusiveMaximum", f"{here.value} is not less than {here.argument}")


def _multiple_of(here: _Here) -> Outcome:
    if not _json.is_number(here.value):
        return PASSED
    value, step = Fraction(repr(here.value)), Fraction(repr(here.argument))  # as written, not as rounded
    if (value / step).denominator == 1:
        return PASSED
    if isinstance(here.value, float) and abs(value / step) > 2**53:
        return OPEN  # judges differ there
    return here.wrong("multipleOf", f"{here.value} is no multiple of {here.argument}")


@_for(str)
def _pattern(here: _Here) -> Outcome:
    match = here.check.matches(here.argument, here.value)
    if match is None:
        return OPEN
    return PASSED if match else here.wrong("pattern", f"{_told(here.value)} does not match {here.argument}")


_READ_BY_OTHERS = frozenset(["then", "else", "minContains", "maxContains"])

_RULES: Dict[str, Callable[[_Here], Outcome]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "$ref": _ref,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "propertyNames": _property_names,
    "required": _required,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "minProperties": _at_least("minProperties", dict, len, " members"),
    "maxProperties": _at_most("maxProperties", dict, len, " members"),
    "prefixItems": _prefix_items,
    "items": _items,
    "contains": _contains,
    "minItems": _at_least("minItems", list, len, " items"),
    "maxItems": _at_most("maxItems", list, len, " items"),
    "uniqueItems": _unique_items,
    "minimum": _at_least("minimum", (int, float), _itself, ""),
    "maximum": _at_most("maximum", (int, float), _itself, ""),
    "exclusiveMinimum": _exclusive_minimum,
    "exclusiveMaximum": _exclusive_maximum,
    "multipleOf": _multiple_of,
    "minLength": _at_least("minLength", str, len, " characters"),
    "maxLength": _at_most("maxLength", str, len, " characters"),
    "pattern": _pattern,
}

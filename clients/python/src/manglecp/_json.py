"""JSON as the wire wants it: strict when reading, exact when writing.

The kinds of a value matter to the rules behind the server: 1, 1.0, "1" and true are four different
values (P-FACT-20). Python keeps them apart while reading and writing, but not when comparing, so
`identity` gives a key in which they stay apart."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Set, Tuple

Json = Any
JsonObject = Dict[str, Any]

SAFE_INTEGER = 2**53 - 1  # integers up to here travel as plain numbers (P-FACT-18)
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
MAX_DIGITS = 400  # of one integer; more is no number that anybody meant, and slow to read
MAX_DEPTH = 200  # of what we look through; servers take 64 levels by default (D-6)


def encode(value: Json) -> bytes:
    """UTF-8 text on one line. Raises ValueError for what JSON cannot say: NaN, infinities, lone
    surrogates, names that are not strings, objects of other types, circles."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return text.encode("utf-8")


def decode(data: bytes) -> Json:
    """Reads one JSON text. Raises ValueError with the place, also for what lenient readers take: a name
    twice in an object, NaN, a byte order mark, lone surrogates."""
    try:
        text = data.decode("utf-8")
        value = _READER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\u" in text and _has_lone_surrogate(value):
        raise ValueError("a string holds half a character")
    return value


def _without_twins(pairs: List[Tuple[str, Json]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: Set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"the member {name!r} is there twice")
            seen.add(name)
    return found


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits")
    return int(digits)


_READER = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_no_constant, parse_int=_integer)


def _has_lone_surrogate(value: Json) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def nested_too_deeply(value: Json) -> bool:
    """Deeper than whatever walks through it later could follow."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for part in level
            if isinstance(part, (list, tuple, dict))
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def is_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_int64_wrapper(value: Json) -> bool:
    """{"_type": "int64", "value": "<canonical decimal>"} within int64 (D-11)."""
    if not isinstance(value, dict) or set(value) != {"_type", "value"} or value["_type"] != "int64":
        return False
    digits = value["value"]
    if not isinstance(digits, str) or len(digits) > 20 or not digits.lstrip("-").isascii():
        return False
    try:
        number = int(digits)
    except ValueError:
        return False
    return str(number) == digits and INT64_MIN <= number <= INT64_MAX


def fact_value(value: Json, depth: int = 0) -> Json:
    """The same value as it travels inside a fact: tuples as arrays, integers beyond 2^53 wrapped
    (P-FACT-19). Values that no fact can hold stay as they are; checking names them."""
    if depth > MAX_DEPTH:
        return value
    if is_integer(value) and abs(value) > SAFE_INTEGER and INT64_MIN <= value <= INT64_MAX:
        return {"_type": "int64", "value": str(value)}
    if isinstance(value, (list, tuple)):
        return [fact_value(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {name: fact_value(item, depth + 1) for name, item in value.items()}
    return value


def identity(value: Json) -> Tuple[Any, ...]:
    """A key that is equal for equal wire values only: kinds apart, maps without order, a wrapped
    integer the same as a plain one (D-11, D-48)."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int):
        return ("integer", value)
    if isinstance(value, float):
        return ("float", value + 0.0)  # -0.0 is 0.0
    if isinstance(value, str):
        return ("string", value)
    if is_int64_wrapper(value):
        return ("integer", int(value["value"]))
    if isinstance(value, (list, tuple)):
        return ("list", tuple(identity(item) for item in value))
    if isinstance(value, dict):
        return ("map", tuple(sorted((str(name), identity(item)) for name, item in value.items())))
    return ("other", type(value).__name__, repr(value))

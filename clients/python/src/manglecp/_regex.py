"""Regular expressions of JSON Schema (ECMA-262), as far as they surely mean the same in Python.

What is not sure is not judged: `matcher` returns None, and the server decides. That holds for syntax
that only one of the two knows, and for expressions that could run for very long here, because they
come from a server and Python's engine knows no time limit."""

from __future__ import annotations

import functools
import re
import warnings
from typing import Callable, List, Optional, Tuple

MAX_PATTERN = 1000  # characters
# Longest text to try, by how many variable repetitions the expression has: each of them, and the search
# for a place to begin, may cost a factor of the length.
MAX_SUBJECT = (10_000, 2_000, 200, 60)

_SPACE = "\\t\\n\\x0b\\x0c\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_SAME_ESCAPES = frozenset("dDwWbBtnrfv^$\\.*+?()[]{}|/-")


class _Unsure(Exception):
    pass


@functools.lru_cache(maxsize=256)
def matcher(pattern: str) -> Optional[Callable[[str], bool]]:
    """A function that says whether the expression occurs in a text (P-INV-11); None if that cannot be said
    here. Texts that are too long to try count as matching."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        return None
    try:
        text, repeats = _translated(pattern)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a set that may mean something else one day
            compiled = re.compile(text, re.ASCII)
    except (_Unsure, re.error, OverflowError, Warning, RecursionError):
        return None
    longest = MAX_SUBJECT[repeats]
    return lambda subject: len(subject) > longest or compiled.search(subject) is not None


def _translated(pattern: str) -> Tuple[str, int]:
    """The expression in Python's words, and how many variable repetitions it has. Raises _Unsure."""
    out: List[str] = []
    groups: List[bool] = []  # of each open group: does it hold anything that varies?
    last_varies = False  # is what a quantifier would repeat itself variable?
    repeats = 0
    i = 0
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            escape, i = _escape(pattern, i, in_set=False)
            out.append(escape)
            last_varies = False
            continue
        if c == "[":
            inside, i = _set(pattern, i)
            out.append(inside)
            last_varies = False
            continue
        if c == "(":
            opening, i = _opening(pattern, i)
            out.append(opening)
            groups.append(False)
            continue
        if c == ")":
            if not groups:
                raise _Unsure
            last_varies = groups.pop()
            if groups:
                groups[-1] = groups[-1] or last_varies
        elif c in "*+?{":
            quantifier, variable, i = _quantifier(pattern, i)
            out.append(quantifier)
            if variable and last_varies:
                raise _Unsure  # a repetition of a repetition may take exponential time
            repeats += variable
            if repeats >= len(MAX_SUBJECT):
                raise _Unsure
            last_varies = variable or last_varies
            if groups:
                groups[-1] = groups[-1] or last_varies
            continue
        elif c == "|":
            if groups:
                groups[-1] = True  # an alternative within a repetition may go both ways
            last_varies = False
        elif c == ".":
            c = "[^\\n\\r\\u2028\\u2029]"
            last_varies = False
        elif c == "$":
            c = "\\Z"
        elif c in "]}":
            raise _Unsure  # an error in one of the two
        else:
            last_varies = False
        out.append(c)
        i += 1
    if groups:
        raise _Unsure
    return "".join(out), repeats


def _opening(pattern: str, i: int) -> Tuple[str, int]:
    if pattern.startswith("(?", i):
        for opening in ("(?:", "(?=", "(?!"):
            if pattern.startswith(opening, i):
                return opening, i + 3
        raise _Unsure  # look behind, names, flags
    return "(?:", i + 1  # back references are not taken, so groups need no number


def _quantifier(pattern: str, i: int) -> Tuple[str, bool, int]:
    found = re.compile(r"(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??").match(pattern, i)
    if not found:
        raise _Unsure
    text = found.group()
    variable = text[0] in "*+" or (found.group(2) is not None and found.group(1) != found.group(3))
    if found.end() < len(pattern) and pattern[found.end()] in "*+?{":
        raise _Unsure
    return text, variable, found.end()


def _escape(pattern: str, i: int, in_set: bool) -> Tuple[str, int]:
    following = pattern[i + 1 : i + 2]
    if following == "s":
        return (_SPACE if in_set else f"[{_SPACE}]"), i + 2
    if following == "S" and not in_set:
        return f"[^{_SPACE}]", i + 2
    if following == "0" and not pattern[i + 2 : i + 3].isdigit():
        return "\\x00", i + 2
    code = re.compile(r"\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})").match(pattern, i)
    if code:
        value = int(code.group(1) or code.group(2), 16)
        if 0xD800 <= value <= 0xDFFF:
            raise _Unsure  # half of a pair
        return f"\\u{value:04x}", code.end()
    if following not in _SAME_ESCAPES or not following or (in_set and following in "bB"):
        raise _Unsure
    return "\\" + following, i + 2


def _set(pattern: str, i: int) -> Tuple[str, int]:
    out = ["["]
    i += 1
    if pattern.startswith("^", i):
        out.append("^")
        i += 1
    if pattern.startswith("]", i):
        raise _Unsure  # empty in one of the two, a bracket in the other
    while i < len(pattern) and pattern[i] != "]":
        if pattern[i] == "\\":
            escape, i = _escape(pattern, i, in_set=True)
            out.append(escape)
            continue
        c = pattern[i]
        out.append("\\" + c if c in "[&~|" else c)
        i += 1
    if i >= len(pattern):
        raise _Unsure
    return "".join(out) + "]", i + 1

"""Regular expressions of JSON Schema (ECMA-262), as far as they surely mean the same in Python.

What is not sure is not judged: `matcher` returns None, and the server decides. That holds for syntax
that only one of the two knows, and for expressions that could run for very long here, because they
come from a server and Python's engine knows no time limit."""

from __future__ import annotations

import functools
import math
import re
import warnings
from typing import List, Optional, Tuple

MAX_PATTERN = 1000  # characters
MAX_TEXT = 10_000  # characters of a text to try
WORK = 20_000_000  # steps that may be taken at worst for one text, or for all texts of a check: about a second
MAX_REPEATS = 3  # of the kind that costs a factor of the text's length each
FEW = 10  # up to so many choices of how often, a repetition counts as that many ways, not as a factor of the length

_SPACE = "\\t\\n\\x0b\\x0c\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_SAME_ESCAPES = frozenset("dDwWbBtnrfv^$\\.*+?()[]{}|/-")


class _Unsure(Exception):
    pass


class Ways:
    """How many ways there are to match at one place, at worst: `count` times the text's length to the power
    of `power`. A search that fails has gone all of them, from every place. `size` is what one way tries
    whatever the text is."""

    def __init__(self, count: float = 1.0, power: int = 0, size: float = 0.0) -> None:
        self.count, self.power, self.size = count, power, size

    def then(self, other: Ways) -> Ways:
        return Ways(self.count * other.count, self.power + other.power, self.size + other.size)

    def either(self, other: Ways) -> Ways:
        return Ways(self.count + other.count, max(self.power, other.power), self.size + other.size)

    def repeated(self, least: int, most: Optional[int]) -> Ways:
        """Raises _Unsure if that may take exponential time, OverflowError if it is very much."""
        size = max(least, 1) * (self.size + 1)
        if most is not None and most == least:
            return Ways(self.count**least, self.power * least, size)
        if self.count == 1 and self.power == 0:  # then only how often is open
            few = most is not None and most - least < FEW
            return Ways(most - least + 1, 0, size) if most is not None and few else Ways(1, 1, size)
        if most is None:
            raise _Unsure
        return Ways((most - least + 1) * self.count**most, self.power * most, most * (self.size + 1))

    def work(self, length: int) -> float:
        """Steps for a text of so many characters, at worst."""
        return self.count * (length + 1.0) ** (self.power + 1) * (1 + self.size / 8)


class Matcher:
    """Says whether the expression occurs in a text (P-INV-11)."""

    def __init__(self, compiled: re.Pattern[str], ways: Ways) -> None:
        self._compiled, self._ways = compiled, ways

    def work(self, text: str) -> float:
        """What trying may cost at worst; math.inf if it is not tried."""
        work = self._ways.work(len(text)) if len(text) <= MAX_TEXT else math.inf
        return work if work <= WORK else math.inf

    def __call__(self, text: str) -> Optional[bool]:
        """None: the text is too long to try."""
        return None if math.isinf(self.work(text)) else self._compiled.search(text) is not None


@functools.lru_cache(maxsize=256)
def matcher(pattern: str) -> Optional[Matcher]:
    """None if the expression cannot be judged here."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        return None
    try:
        text, ways = _translated(pattern)
        if ways.power > MAX_REPEATS or ways.work(0) > WORK:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a set that may mean something else one day
            compiled = re.compile(text, re.ASCII)
    except (_Unsure, re.error, OverflowError, Warning, RecursionError):
        return None
    return Matcher(compiled, ways)


class _Group:
    """An open group: the alternatives before this one, what stands before the last atom, and that."""

    def __init__(self) -> None:
        self.others: Optional[Ways] = None
        self.before = Ways()
        self.last = Ways()

    def add(self, atom: Ways) -> None:
        self.before = self.before.then(self.last)
        self.last = atom

    def alternative(self) -> None:
        self.others = self.whole()
        self.before = self.last = Ways()

    def whole(self) -> Ways:
        here = self.before.then(self.last)
        return self.others.either(here) if self.others else here


def _translated(pattern: str) -> Tuple[str, Ways]:
    """The expression in Python's words, and the ways it may match in. Raises _Unsure."""
    out: List[str] = []
    groups = [_Group()]
    i = 0
    while i < len(pattern):
        c = pattern[i]
        if c in "\\[":
            atom, i = _escape(pattern, i, in_set=False) if c == "\\" else _set(pattern, i)
            out.append(atom)
            groups[-1].add(Ways(size=1))
            continue
        if c == "(":
            opening, i = _opening(pattern, i)
            out.append(opening)
            groups.append(_Group())
            continue
        if c in "*+?{":
            quantifier, least, most, i = _quantifier(pattern, i)
            out.append(quantifier)
            groups[-1].last = groups[-1].last.repeated(least, most)
            continue
        if c == ")":
            if len(groups) == 1:
                raise _Unsure
            whole = groups.pop().whole()
            groups[-1].add(whole)
        elif c == "|":
            groups[-1].alternative()
        elif c in "]}":
            raise _Unsure  # an error in one of the two
        else:
            groups[-1].add(Ways(size=1))
            c = {".": "[^\\n\\r\\u2028\\u2029]", "$": "\\Z"}.get(c, c)
        out.append(c)
        i += 1
    if len(groups) > 1:
        raise _Unsure
    return "".join(out), groups[0].whole()


def _opening(pattern: str, i: int) -> Tuple[str, int]:
    if pattern.startswith("(?", i):
        for opening in ("(?:", "(?=", "(?!"):
            if pattern.startswith(opening, i):
                return opening, i + 3
        raise _Unsure  # look behind, names, flags
    return "(?:", i + 1  # back references are not taken, so groups need no number


def _quantifier(pattern: str, i: int) -> Tuple[str, int, Optional[int], int]:
    """Its text, how often at least, how often at most (None: without end), and where it ends."""
    found = re.compile(r"(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??").match(pattern, i)
    if not found or pattern[found.end() : found.end() + 1] in tuple("*+?{"):
        raise _Unsure
    text = found.group()
    if text[0] != "{":
        return text, int(text[0] == "+"), 1 if text[0] == "?" else None, found.end()
    least = int(found.group(1))
    most = least if found.group(2) is None else int(found.group(3)) if found.group(3) else None
    if most is not None and most < least:
        raise _Unsure
    return text, least, most, found.end()


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

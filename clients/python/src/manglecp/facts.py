"""Facts, and the client's working state: what it knows now (P-DELTA-9).

A fact is the plain JSON object of the wire, so that what a server sent can be sent back unchanged.
`WorkingFacts` is a set of them. Identity is predicate, arguments and annotation; values compare as on
the wire, so 1 is not 1.0; who said it (`source`) does not matter (P-PROV-7, D-48). What the server signed takes
the place of an equal fact, so that it counts when it comes back; the newest signature counts longest. `category`
is dropped: whoever re-sends a fact sends it as a session fact (P-PROV-10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Collection, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _json, _time
from ._time import Instant
from .errors import Fault, InvalidRequest

FactObject = Dict[str, Any]
MAX_FACTS = 1_000_000


def fact(
    pred: str,
    *args: Any,
    named: Optional[Mapping[str, Any]] = None,
    at: Optional[Instant] = None,
    start: Optional[Instant] = None,
    end: Optional[Instant] = None,
    source: Optional[str] = None,
) -> FactObject:
    """A fact as it travels.

    args        its arguments by position; or
    named       by name, where the server's profile gives names
    at          it holds at this instant only
    start, end  it holds from start to end, both inclusive; one left out means no bound on that side
    source      who says so: scan, external, client, or x-...

    An instant is a datetime with a time zone, RFC 3339 text, or "now". Integers of any size up to int64
    are written as the wire wants them."""
    if named is not None and args:
        raise ValueError("arguments go either by position or by name")
    if at is not None and (start is not None or end is not None):
        raise ValueError("a fact holds either at an instant or from start to end")
    made: FactObject = {"pred": pred}
    if named is not None:
        made["named_args"] = {name: _json.fact_value(value) for name, value in named.items()}
    else:
        made["args"] = [_json.fact_value(value) for value in args]
    if at is not None:
        made["t"] = {"at": _time.wire_time(at)}
    elif start is not None or end is not None:
        made["t"] = {
            "start": "_" if start is None else _time.wire_time(start),
            "end": "_" if end is None else _time.wire_time(end),
        }
    if source is not None:
        made["source"] = {"source_type": source}
    return made


@dataclass(frozen=True)
class StateDelta:
    """What a server says has changed: drop `retracts`, then add `asserts` (P-DELTA-6)."""

    asserts: Tuple[FactObject, ...] = ()
    retracts: Tuple[FactObject, ...] = ()

    @staticmethod
    def read(value: Any) -> "StateDelta":
        """Entries that are no facts or patterns are left out; a bare array is read as asserts (D-47)."""
        if isinstance(value, list):
            value = {"assert": value}
        if not isinstance(value, dict):
            return StateDelta()
        return StateDelta(_usable(value.get("assert")), _usable(value.get("retract")))

    def __bool__(self) -> bool:
        return bool(self.asserts or self.retracts)


def _usable(entries: Any) -> Tuple[FactObject, ...]:
    return tuple(entry for entry in entries if has_shape(entry)) if isinstance(entries, list) else ()


@dataclass(frozen=True)
class Applied:
    """What applying a delta did. `complete` is False if the server said that it does not know all that
    changed; `warnings` is what it said."""

    retracted: int
    asserted: int
    complete: bool = True
    warnings: Tuple[str, ...] = ()


def has_shape(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("pred"), str)
        and (isinstance(entry.get("args"), list) or isinstance(entry.get("named_args"), dict))
        and not _json.nested_too_deeply(entry)
    )


# ---- identity ------------------------------------------------------------------------------

ArgNames = Callable[[str], Optional[Sequence[str]]]
Key = Tuple[Any, ...]


def _no_names(_pred: str) -> Optional[Sequence[str]]:
    return None


def positional(entry: FactObject, names: ArgNames) -> Optional[List[Any]]:
    """The arguments by position; None if they are named and nobody knows the order."""
    args = entry.get("args")
    if isinstance(args, list):
        return args
    named, order = entry["named_args"], names(entry["pred"])
    if order is None or set(order) != set(named):
        return None
    return [named[name] for name in order]


def _moment(value: Any) -> Any:
    """An instant in nanoseconds, whatever its form; the symbols and anything unreadable stay."""
    if isinstance(value, str) and value not in ("now", "_"):
        try:
            return _time.parse(value)
        except ValueError:
            return value
    if _json.is_integer(value):
        return value * 1_000_000  # a bare number is milliseconds (D-21)
    if isinstance(value, dict) and set(value) == {"nanos"}:
        nanos = _json.identity(value["nanos"])
        return nanos[1] if nanos[0] == "integer" else repr(value)
    return value if isinstance(value, str) else repr(value)


def _interval(t: Any) -> Key:
    """The annotation as a key: a point is an interval, and no bounds at all is no annotation (D-22)."""
    if not isinstance(t, dict):
        return () if t is None else (repr(t),)
    if set(t) == {"at"}:
        return (_moment(t["at"]),) * 2
    if set(t) != {"start", "end"}:
        return (repr(sorted(t.items(), key=str)),)
    start, end = _moment(t["start"]), _moment(t["end"])
    return () if start == "_" and end == "_" else (start, end)


def _identity(entry: FactObject, names: ArgNames) -> Key:
    args = positional(entry, names)
    what = _json.identity(entry["named_args"]) if args is None else tuple(_json.identity(a) for a in args)
    return (entry["pred"], what, _interval(entry.get("t")))


# ---- the working state ---------------------------------------------------------------------


class WorkingFacts(Collection[FactObject]):
    """What the client knows. In the order in which it learned; no fact twice.

    Not locked: change it from the thread, or the event loop, that uses the client."""

    def __init__(self, facts: Iterable[FactObject] = (), *, limit: int = MAX_FACTS) -> None:
        self._facts: Dict[Key, FactObject] = {}
        self._names: ArgNames = _no_names
        self._limit = limit
        self.add(*facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __iter__(self) -> Iterator[FactObject]:
        return iter(list(self._facts.values()))

    def __contains__(self, entry: object) -> bool:
        return (
            isinstance(entry, dict) and has_shape(entry) and _identity(_kept(entry), self._names) in self._facts
        )

    def __repr__(self) -> str:
        return f"<WorkingFacts: {len(self)} facts>"

    def use_names(self, names: ArgNames) -> None:
        """From now on facts with named arguments equal those with positional ones (P-FACT-12)."""
        self._names = names
        if any("named_args" in entry for entry in self._facts.values()):
            before = list(self._facts.values())
            self._facts = {}
            for entry in before:
                _keep_better(self._facts, _identity(entry, names), entry)

    def add(self, *facts: FactObject) -> int:
        """All of them, or none and InvalidRequest. Returns how many were new: a signed copy of one that is known
        takes its place, and is not."""
        faults = [
            Fault(f"/facts/{i}", "invalid_fact_shape", "a fact is an object with pred and args, or named_args")
            for i, entry in enumerate(facts)
            if not has_shape(entry)
        ]
        if faults:
            raise InvalidRequest(faults)
        taken: Dict[Key, FactObject] = {}
        for kept in map(_kept, facts):
            key = _identity(kept, self._names)
            if _is_signed(kept) or (key not in self._facts and key not in taken):
                taken[key] = kept
        new = sum(key not in self._facts for key in taken)
        if len(self._facts) + new > self._limit:
            message = f"at most {self._limit} facts are kept; retract what is not needed any more"
            raise InvalidRequest([Fault("/facts", "too_many_facts", message)])
        self._facts.update(taken)
        return new

    def retract(self, *patterns: FactObject) -> int:
        """Drops what matches: same predicate and number of arguments, each equal, or null in the pattern
        (P-DELTA-4, P-DELTA-5). Null inside a list or map is no wildcard. A pattern with `t` matches only
        that interval. Returns how many went."""
        gone = [key for key, entry in self._facts.items() if any(self._matches(p, entry) for p in patterns)]
        for key in gone:
            del self._facts[key]
        return len(gone)

    def apply(self, delta: StateDelta) -> Applied:
        """Retracts before it asserts, so that a fact in both lists stays (P-DELTA-6, D-48)."""
        return Applied(self.retract(*delta.retracts), self.add(*delta.asserts))

    def select(self, predicates: Collection[str]) -> List[FactObject]:
        """Those with one of these predicates."""
        return [entry for entry in self._facts.values() if entry["pred"] in predicates]

    def clear(self) -> None:
        """Forgets everything."""
        self._facts.clear()

    def _matches(self, pattern: FactObject, entry: FactObject) -> bool:
        if not has_shape(pattern) or pattern["pred"] != entry["pred"]:
            return False
        want, have = positional(pattern, self._names), positional(entry, self._names)
        if want is None or have is None or len(want) != len(have):
            return False
        if pattern.get("t") is not None and _interval(pattern["t"]) != _interval(entry.get("t")):
            return False
        return all(w is None or _json.identity(w) == _json.identity(h) for w, h in zip(want, have))


def _kept(entry: FactObject) -> FactObject:
    """A copy without the life cycle that a server put on it, in the form of the wire."""
    return {name: _json.fact_value(value) for name, value in entry.items() if name != "category"}


def _is_signed(entry: Any) -> bool:
    source = entry.get("source") if isinstance(entry, dict) else None
    signature = source.get("signature") if isinstance(source, dict) else None
    return isinstance(signature, str) and signature != ""


def _keep_better(found: Dict[Key, FactObject], key: Key, entry: FactObject) -> None:
    """Of two equal facts the signed one, else the first."""
    if key not in found or (_is_signed(entry) and not _is_signed(found[key])):
        found[key] = entry


def merged(first: Iterable[FactObject], second: Iterable[FactObject], names: ArgNames) -> List[FactObject]:
    """Both, in order, each fact once (D-49). What has no shape of a fact is kept for the check to name."""
    found: Dict[Key, FactObject] = {}
    for entry in (*first, *second):
        whole = {n: _json.fact_value(v) for n, v in entry.items()} if isinstance(entry, dict) else entry
        key = _identity(whole, names) if has_shape(whole) else ("?", len(found))
        _keep_better(found, key, whole)
    return list(found.values())


PREDICATE = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)

"""Requests are judged before they are sent: against the manifest, with the words of the protocol.

Each function returns every fault it finds (P-SCHEMA-9, P-MAN-26, P-FACT-24); of one fact the first, as a
server would (D-18). What the manifest leaves open passes: the server judges in the end."""

from __future__ import annotations

import difflib
import re
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _json, _time
from ._wire import Envelope
from .errors import Fault
from .facts import PREDICATE, FactObject
from .types import IntentInfo, Manifest, PredicateSchema

JsonObject = Dict[str, Any]

SOURCES = ("server", "scan", "external", "client", "derived")
CATEGORIES = ("server", "session", "derived")
DISCLOSURES = ("full", "condensed", "minimal", "adaptive")
UPGRADE = "disclosure_upgrade"  # always allowed, arity 1 (D-16, D-36)
KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


# ---- intents -------------------------------------------------------------------------------


def check_intent(manifest: Manifest, name: Any, params: Any, unlisted: bool) -> List[Fault]:
    faults = []
    if not isinstance(name, str) or not name:
        faults.append(Fault("/intent/name", "type", "the name of an intent is a text"))
    elif manifest.intents and not unlisted and manifest.intent(name) is None:
        hint = _did_you_mean(name, (info.name for info in manifest.intents))
        message = f"the server lists no intent {name!r}{hint}; unlisted=True sends it all the same"
        faults.append(Fault("/intent/name", "unknown_intent", message))
    if not isinstance(params, dict) or not all(isinstance(key, str) for key in params):
        faults.append(Fault("/intent/params", "type", "params is an object"))
    else:
        faults += _check_json("/intent/params", params)
    return faults


def check_eval_time(manifest: Manifest, value: Any, where: str = "/eval_time") -> List[Fault]:
    if value is None or value == "now":
        return []
    wrong = _time_fault(manifest, value, symbols=())
    return [Fault(where, wrong[0], wrong[1])] if wrong else []


def check_settings(constraints: Any, options: Any) -> List[Fault]:
    """`constraints` and `options` of an intent (D-27)."""
    faults = []
    least = {
        "max_facts_created": 1,
        "max_intervals_per_atom": 1,
        "max_compute_ms": 1,
        "max_tools_returned": 0,
        "max_tokens_budget": 0,
    }
    for group, value in (("/constraints", constraints), ("/options", options)):
        if not isinstance(value, dict):
            faults.append(Fault(group, "type", "this is an object"))
            continue
        faults += _check_json(group, value)
    for name, minimum in least.items() if isinstance(constraints, dict) else ():
        value = constraints.get(name)
        if value is not None and (not _json.is_integer(value) or value < minimum):
            message = f"{value!r} is no integer of {minimum} or more"
            faults.append(
                Fault(f"/constraints/{name}", "minimum" if _json.is_integer(value) else "type", message)
            )
    if isinstance(options, dict):
        if not isinstance(options.get("include_proof_hints") or False, bool):
            faults.append(Fault("/options/include_proof_hints", "type", "this is true or false"))
        if (options.get("disclosure_preference") or "adaptive") not in DISCLOSURES:
            message = f"{options['disclosure_preference']!r} is none of {', '.join(DISCLOSURES)}"
            faults.append(Fault("/options/disclosure_preference", "enum", message))
    return faults


def check_key(key: Any) -> List[Fault]:
    if isinstance(key, str) and KEY.fullmatch(key):
        return []
    message = f"{key!r} is no idempotency key: 1 to 128 letters, digits and . _ : -"
    return [Fault("/extensions/x-idempotency-key", "pattern", message)]


def check_why_not(tools: Any) -> List[Fault]:
    if isinstance(tools, (list, tuple)) and all(isinstance(tool, str) for tool in tools):
        return []
    return [Fault("/extensions/x-why-not", "type", "why_not is a list of tools' names")]


def check_dry_run(manifest: Manifest, resumes: bool) -> List[Fault]:
    """A server that does not know of dry runs would run the tool."""
    faults = []
    if resumes:
        faults.append(Fault("/extensions/x-dry-run", "resume", "a dry run has no outcome to be asked for"))
    if manifest.extensions.get("x-dry-run") is not True:
        message = "the server does not say that it knows of dry runs, so none was sent"
        faults.append(Fault("/extensions/x-dry-run", "unsupported", message))
    return faults


def check_resume(manifest: Manifest) -> List[Fault]:
    """A server that does not know of questions for an outcome alone would run the tool."""
    if manifest.extensions.get("x-idempotency-only") is True:
        return []
    message = "the server does not say that it tells outcomes without running anything, so it was not asked"
    return [Fault("/extensions/x-idempotency-only", "unsupported", message)]


def check_extensions(extensions: Any) -> List[Fault]:
    if not isinstance(extensions, dict):
        return [Fault("/extensions", "type", "extensions is an object")]
    bad = [name for name in extensions if not isinstance(name, str) or not name.startswith("x-")]
    return [Fault("/extensions", "pattern", f"{name!r} does not begin with x-") for name in bad] or _check_json(
        "/extensions", extensions
    )


def _check_json(where: str, value: Any) -> List[Fault]:
    try:
        _json.encode(value)
    except ValueError as error:
        return [Fault(where, "type", f"this is not JSON: {error}")]
    return []


# ---- what an intent needs ------------------------------------------------------------------


def wanted_predicates(info: Optional[IntentInfo]) -> Sequence[str]:
    """The predicates that an intent has a use for (P-MIN-1, P-MIN-2); none that nobody listed (P-MIN-3)."""
    return () if info is None else (*info.required_facts, *info.optional_facts)


def check_required(info: Optional[IntentInfo], facts: Sequence[FactObject]) -> List[Fault]:
    present = {entry.get("pred") for entry in facts if isinstance(entry, dict)}
    missing = [name for name in (info.required_facts if info else ()) if name not in present]
    if not missing or info is None:
        return []
    return [Fault("/facts", "missing_facts", f"{info.name} needs facts of {', '.join(missing)}")]


def check_count(manifest: Manifest, count: int) -> List[Fault]:
    limit = manifest.limits.max_facts_per_request
    if count <= limit:
        return []
    message = (
        f"{count} facts, and the server takes {limit} a request; retract or leave out what this does not need"
    )
    return [Fault("/facts", "too_many_facts", message)]


def check_size(manifest: Manifest, payload: JsonObject, extensions: JsonObject) -> List[Fault]:
    """Is the whole message within the limit, whatever id it will get?"""
    longest = Envelope("invoke_request", "c-" + "9" * 20, payload, extensions)
    size, limit = len(_json.encode(longest.as_json())), manifest.limits.max_message_bytes
    if size <= limit:
        return []
    return [Fault("", "message_too_large", f"the message has {size} bytes, and the server takes {limit}")]


# ---- facts ---------------------------------------------------------------------------------


def check_facts(manifest: Manifest, facts: Sequence[Any], eval_time: Optional[str] = None) -> List[Fault]:
    """The first fault of each fact, in order."""
    judge = _FactJudge(manifest, eval_time)
    found = []
    for i, entry in enumerate(facts):
        wrong = judge.fault(entry)
        if wrong:
            found.append(Fault(f"/facts/{i}", wrong[0], f"{judge.told(entry)}: {wrong[1]}"))
    return found


Wrong = Tuple[str, str]  # issue, message


class _FactJudge:
    def __init__(self, manifest: Manifest, eval_time: Optional[str]) -> None:
        self.manifest = manifest
        self.now = None if eval_time in (None, "now") else _nanos(eval_time)
        self.listed = {name for info in manifest.intents for name in wanted_predicates(info)}

    @staticmethod
    def told(entry: Any) -> str:
        pred = entry.get("pred") if isinstance(entry, dict) else None
        return repr(pred)[:60] if isinstance(pred, str) else "a fact"

    def fault(self, entry: Any) -> Optional[Wrong]:
        if not isinstance(entry, dict):
            return "invalid_fact_shape", "a fact is an object"
        pred = entry.get("pred")
        wrong = _name_fault(pred)
        if wrong:
            return wrong
        schema, known = self._schema(str(pred))
        if not known:
            hint = _did_you_mean(str(pred), [*(self.manifest.predicates or ()), *self.listed])
            return "unknown_predicate", f"the server does not know this predicate{hint}"
        if schema and schema.direction == "output":
            return "direction_violation", "this predicate only ever comes from the server"
        return (
            self._args_fault(entry, schema)
            or self._t_fault(entry.get("t"), schema)
            or _category_fault(entry.get("category"))
            or self._source_fault(entry.get("source"))
        )

    def _schema(self, pred: str) -> Tuple[Optional[PredicateSchema], bool]:
        """Its schema, if there is one, and whether the server takes it at all (D-16)."""
        if self.manifest.predicates is None:
            return None, True
        schema = self.manifest.predicates.get(pred)
        if schema is None and pred == UPGRADE:
            return PredicateSchema(UPGRADE, 1), True
        return schema, schema is not None or pred in self.listed

    def _args_fault(self, entry: FactObject, schema: Optional[PredicateSchema]) -> Optional[Wrong]:
        args, named = entry.get("args"), entry.get("named_args")
        if args is not None and named is not None:
            return "args_and_named_args", "arguments go either by position or by name"
        if args is None and named is None:
            return "args_missing", "args or named_args is needed"
        if args is None:
            if not isinstance(named, dict):
                return "invalid_fact_shape", "named_args is an object"
            names = schema.arg_names if schema else None
            if names is None or not self.manifest.named_args:
                return "named_args_unsupported", "the server takes the arguments of this predicate by position"
            for name in named:
                if name not in names:
                    return (
                        "unknown_named_arg",
                        f"no argument is called {name!r}{_did_you_mean(str(name), names)}",
                    )
            missing = [name for name in names if name not in named]
            if missing:
                return "missing_named_arg", f"{', '.join(missing)} is missing"
            args = [named[name] for name in names]
        if not isinstance(args, (list, tuple)):
            return "invalid_fact_shape", "args is an array"
        if schema and len(args) != schema.arity:
            return "arity_mismatch", f"it takes {schema.arity} arguments, not {len(args)}"
        types = schema.arg_types if schema else None
        for i, value in enumerate(args):
            wrong = _value_fault(value, 0)
            if wrong:
                return wrong[0], f"argument {i}: {wrong[1]}"
            if types and not _fits(types[i], value):
                return "type_mismatch", f"argument {i} is a {types[i]}, not {_kind(value)}"
        return None

    def _t_fault(self, t: Any, schema: Optional[PredicateSchema]) -> Optional[Wrong]:
        if t is None:
            return None
        temporal = schema.temporal if schema else self.manifest.predicates is None
        if not temporal or not self.manifest.temporal:
            return "temporal_not_accepted", "facts of this predicate hold always; leave out t"
        bad = "invalid_temporal_annotation"
        if not isinstance(t, dict) or set(t) not in ({"at"}, {"start", "end"}):
            return bad, 't is {"at": time} or {"start": time, "end": time}'
        for name, value in t.items():
            if name == "at" and value == "_":
                return bad, "a point in time cannot be open; use start and end"
            wrong = _time_fault(self.manifest, value, symbols=("now",) if name == "at" else ("now", "_"))
            if wrong:
                return wrong[0], f"t.{name}: {wrong[1]}"
        start, end = self._moment(t.get("start")), self._moment(t.get("end"))
        if start is not None and end is not None and start > end:
            return "inverted_interval", "it would end before it starts"
        return None

    def _moment(self, value: Any) -> Optional[int]:
        return self.now if value == "now" else _nanos(value)

    def _source_fault(self, source: Any) -> Optional[Wrong]:
        if source is None:
            return None
        kind = source.get("source_type") if isinstance(source, dict) else None
        if not isinstance(kind, str) or not (kind in SOURCES or kind.startswith("x-")):
            return "invalid_source", f"source_type is one of {', '.join(SOURCES)}, or begins with x-"
        if not isinstance(source.get("source_id"), (str, type(None))):
            return "invalid_source", "source_id is a text"
        asserted = source.get("asserted_at")
        if asserted is not None and _time_fault(self.manifest, asserted, symbols=("now",)):
            return "invalid_source", "asserted_at is no time"
        return None


def _name_fault(pred: Any) -> Optional[Wrong]:
    if not isinstance(pred, str):
        return "invalid_predicate_name", "pred is a text"
    if pred.startswith("_manglecp_"):
        return "reserved_predicate", "names that begin with _manglecp_ belong to the server"
    if not PREDICATE.fullmatch(pred) or len(pred) > 128:
        return "invalid_predicate_name", "a predicate is [a-z][a-z0-9_]*, at most 128 characters"
    return None


def _category_fault(category: Any) -> Optional[Wrong]:
    if category is None or category in CATEGORIES:
        return None
    return "invalid_category", f"category is one of {', '.join(CATEGORIES)}"


def _value_fault(value: Any, depth: int) -> Optional[Wrong]:
    if value is None:
        return "non_ground_argument", "null is a wildcard, and only in what is retracted"
    if isinstance(value, bool) or _json.is_int64_wrapper(value):
        return None
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return "bad_typed_value", "a text holds half a character"
        return None
    if isinstance(value, int):
        small = abs(value) <= _json.SAFE_INTEGER
        return None if small else ("integer_out_of_range", f"{value} does not fit into 64 bits")
    if isinstance(value, float):
        finite = value == value and abs(value) != float("inf")
        return None if finite else ("number_out_of_range", f"{value} is no number on the wire")
    if depth >= _json.MAX_DEPTH:
        return "invalid_fact_shape", "nested too deeply"
    if isinstance(value, dict):
        if "_var" in value:
            return "non_ground_argument", "a variable is no value"
        if "_type" in value:
            return "bad_typed_value", 'the only typed value is {"_type":"int64","value":"<decimal>"}'
        if not all(isinstance(name, str) for name in value):
            return "invalid_fact_shape", "the names of a map are texts"
        value = list(value.values())
    if not isinstance(value, (list, tuple)):
        return "invalid_fact_shape", f"a {type(value).__name__} is no value of a fact"
    return next((wrong for wrong in (_value_fault(item, depth + 1) for item in value) if wrong), None)


def _fits(kind: str, value: Any) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "number":
        return _json.is_number(value) or _json.is_int64_wrapper(value)
    if kind == "boolean":
        return isinstance(value, bool)
    return True


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if _json.is_number(value) or _json.is_int64_wrapper(value):
        return "a number"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, (list, tuple)) else "a map"


def _time_fault(manifest: Manifest, value: Any, symbols: Sequence[str]) -> Optional[Wrong]:
    """What is wrong with a time (D-21, D-23); `symbols` of "now" and "_" that are fine here."""
    if isinstance(value, str):
        if value in symbols:
            return None
        try:
            _time.parse(value)
        except ValueError as error:
            return "invalid_time", str(error)
        return None
    wanted = "epoch_ms" if _json.is_integer(value) else "epoch_ns" if _is_nanos(value) else None
    if wanted is None:
        return "invalid_time", f"{value!r} is no time"
    if wanted not in manifest.time_formats:
        return "unsupported_time_format", f"the server takes {', '.join(manifest.time_formats)}"
    return (
        None if _nanos(value) is not None else ("invalid_time", f"{value!r} is outside the years 1678 to 2261")
    )


def _is_nanos(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"nanos"}
        and (_json.is_integer(value["nanos"]) or _json.is_int64_wrapper(value["nanos"]))
    )


def _nanos(value: Any) -> Optional[int]:
    """An instant as nanoseconds; None for symbols and what is no time."""
    if isinstance(value, str):
        try:
            return _time.parse(value)
        except ValueError:
            return None
    if _json.is_integer(value):
        nanos = value * 1_000_000
    elif _is_nanos(value):
        nanos = int(_json.identity(value["nanos"])[1])
    else:
        return None
    return nanos if _json.INT64_MIN <= nanos <= _json.INT64_MAX else None

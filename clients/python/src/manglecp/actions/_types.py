"""Annotations to JSON Schema and to readers of values. All that there is to find out about a type is found out when
the action is defined; a call only runs closures.

A reader takes a JSON value, where it stands (a JSON pointer) and a list of faults. It returns the value as the
function wants it, and adds to the list whatever does not fit."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import json
import re
import sys
import types
import typing
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

Schema = Dict[str, Any]
Reader = Callable[[Any, str, List[str]], Any]
KINDS = (
    "int, float, str, bool, list, dict, Optional, Union, Literal, Enum, TypedDict, dataclass, Annotated and Any"
)
MAX_DEPTH = 32  # of types inside of types; one that holds itself is deeper than any
SHOWN = 60


class Described(NamedTuple):
    """read   None: any JSON value fits, as it is
    plain  what the reader returns is the value that it was given"""

    schema: Schema
    read: Optional[Reader]
    plain: bool = True


def describe(kind: Any, where: str, depth: int = 0) -> Described:
    """Raises TypeError, which names `where`, for a type that JSON has no words for."""
    if depth > MAX_DEPTH:
        raise TypeError(f"{where}: the type holds itself, or is nested too deeply")
    if kind is None or kind is type(None):
        return Described({"type": "null"}, _of_class(type(None), "null"))
    if kind is Any or kind is object:
        return Described({}, None)
    if isinstance(kind, type) and kind in _SCALARS:
        return _SCALARS[kind]
    origin, words = typing.get_origin(kind), typing.get_args(kind)
    if origin is not None:
        return _generic(kind, origin, words, where, depth + 1)
    if kind in (list, tuple, dict):
        return _generic(kind, kind, (), where, depth + 1)
    if isinstance(kind, type):
        if issubclass(kind, enum.Enum):
            return _enum(kind, where)
        if dataclasses.is_dataclass(kind):
            return _dataclass(kind, where, depth + 1)
        if issubclass(kind, dict) and hasattr(kind, "__total__"):
            return _typed_dict(kind, where, depth + 1)
    raise TypeError(f"{where}: an action cannot have a value of type {_name(kind)}: it takes {KINDS}")


def shown(value: Any) -> str:
    """A JSON value in an error text."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def text_of(wrong: BaseException) -> str:
    try:
        return str(wrong)
    except Exception:  # it is the action's, like all that it does
        return "it cannot say what is wrong"


def words_of(wrong: BaseException) -> str:
    return f"{type(wrong).__name__}: {text_of(wrong)}"


def hints_of(thing: Any, where: str) -> Dict[str, Any]:
    try:
        return typing.get_type_hints(thing, include_extras=True)
    except (NameError, TypeError, SyntaxError, AttributeError) as wrong:
        hint = ""
        if sys.version_info < (3, 10) and "|" in str(wrong):
            hint = " (X | Y needs Python 3.10; write Union[X, Y])"
        raise TypeError(f"{where}: its annotations cannot be read: {wrong}{hint}") from None


# ---- plain values ----------------------------------------------------------------------------


def _of_class(kind: type, word: str) -> Reader:
    def read(value: Any, where: str, faults: List[str]) -> Any:
        if value.__class__ is not kind:  # so that true is no integer
            faults.append(f"{where}: must be {word}, not {shown(value)}")
        return value

    return read


def _read_number(value: Any, where: str, faults: List[str]) -> Any:
    if value.__class__ is float:
        return value
    if value.__class__ is int:
        try:
            return float(value)
        except OverflowError:
            pass
    faults.append(f"{where}: must be a number, not {shown(value)}")
    return value


def _read_integer(value: Any, where: str, faults: List[str]) -> Any:
    if value.__class__ is int:
        return value
    if value.__class__ is float and value.is_integer():  # 1.0 is an integer to JSON Schema
        return int(value)
    faults.append(f"{where}: must be an integer, not {shown(value)}")
    return value


_SCALARS: Dict[Any, Described] = {
    int: Described({"type": "integer"}, _read_integer, False),
    float: Described({"type": "number"}, _read_number, False),
    str: Described({"type": "string"}, _of_class(str, "a string")),
    bool: Described({"type": "boolean"}, _of_class(bool, "true or false")),
}


# ---- types made of types -----------------------------------------------------------------------


def _generic(kind: Any, origin: Any, words: Tuple[Any, ...], where: str, depth: int) -> Described:
    if hasattr(kind, "__metadata__"):  # Annotated
        return _annotated(kind, where, depth)
    if origin is Literal:
        return _literal(words, where)
    if origin is Union or origin is getattr(types, "UnionType", Union):
        return _union(words, where, depth)
    if origin in (list, collections.abc.Sequence, collections.abc.Iterable):
        return _list(words[0] if words else Any, None, where, depth)
    if origin is tuple:
        if words and (len(words) != 2 or words[1] is not Ellipsis):
            raise TypeError(f"{where}: a tuple is written tuple[X, ...] here")
        return _list(words[0] if words else Any, tuple, where, depth)
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        key, value = words or (str, Any)
        if key is not str:
            raise TypeError(f"{where}: the keys of a dict are texts in JSON, so it is dict[str, ...]")
        return _dict(value, where, depth)
    if getattr(origin, "__name__", "") in ("Required", "NotRequired"):
        return describe(words[0], where, depth)
    raise TypeError(f"{where}: an action cannot have a value of type {_name(kind)}: it takes {KINDS}")


def _list(item: Any, make: Optional[Callable[[Any], Any]], where: str, depth: int) -> Described:
    inner = describe(item, where, depth)
    read_item = inner.read
    schema: Schema = {"type": "array", "items": inner.schema} if inner.schema else {"type": "array"}

    def read(value: Any, at: str, faults: List[str]) -> Any:
        if value.__class__ is not list:
            faults.append(f"{at}: must be a list, not {shown(value)}")
            return value
        if read_item is None:
            return make(value) if make else value
        before = len(faults)
        made = [read_item(one, at, faults) for one in value]
        if len(faults) > before:  # once more, slowly, to say which
            del faults[before:]
            for index, one in enumerate(value):
                read_item(one, f"{at}/{index}", faults)
        return make(made) if make else made

    return Described(schema, read, inner.plain and make is None)


def _dict(item: Any, where: str, depth: int) -> Described:
    inner = describe(item, where, depth)
    read_item = inner.read
    schema: Schema = {"type": "object"}
    if inner.schema:
        schema["additionalProperties"] = inner.schema

    def read(value: Any, at: str, faults: List[str]) -> Any:
        if value.__class__ is not dict:
            faults.append(f"{at}: must be an object, not {shown(value)}")
            return value
        if read_item is None:
            return value
        return {name: read_item(one, f"{at}/{_escaped(name)}", faults) for name, one in value.items()}

    return Described(schema, read, inner.plain)


def _union(words: Tuple[Any, ...], where: str, depth: int) -> Described:
    parts = [describe(word, where, depth) for word in words]
    if any(part.read is None for part in parts):
        return Described({}, None)
    names = [part.schema.get("type") for part in parts]
    if all(isinstance(name, str) and len(part.schema) == 1 for name, part in zip(names, parts)):
        schema: Schema = {"type": names}
    else:
        schema = {"anyOf": [part.schema for part in parts]}
    readers = [part.read for part in parts if part.read]
    # An integer is a number, too: who takes the value as it is comes first.
    readers.sort(key=lambda reader: reader is _read_number)

    def read(value: Any, at: str, faults: List[str]) -> Any:
        closest: Optional[List[str]] = None
        for reader in readers:
            found: List[str] = []
            made = reader(value, at, found)
            if not found:
                return made
            deeper = not found[0].startswith(f"{at}: must ")
            if deeper and (closest is None or len(found) < len(closest)):
                closest = found
        faults.extend(closest or [f"{at}: fits none of the types that it may have: {shown(value)}"])
        return value

    return Described(schema, read, all(part.plain for part in parts))


def _literal(words: Tuple[Any, ...], where: str) -> Described:
    for word in words:
        if word is not None and word.__class__ not in (str, int, bool):
            raise TypeError(f"{where}: Literal takes texts, integers, True, False and None here")
    return _choice({(word.__class__, word): word for word in words}, True)


def _enum(kind: Any, where: str) -> Described:
    for member in kind:
        if member.value.__class__ not in (str, int):
            raise TypeError(f"{where}: the values of {kind.__name__} must be texts or integers")
    return _choice({(member.value.__class__, member.value): member for member in kind}, False)


def _choice(values: Dict[Tuple[type, Any], Any], plain: bool) -> Described:
    allowed = [value for _, value in values]
    listed = ", ".join(shown(value) for value in allowed[:20])
    schema: Schema = {"enum": allowed}
    if all(value.__class__ is str for value in allowed):
        schema = {"type": "string", "enum": allowed}

    def read(value: Any, at: str, faults: List[str]) -> Any:
        if value.__class__ in (str, int, bool, type(None)):
            found = values.get((value.__class__, value), values)
            if found is not values:
                return found
        faults.append(f"{at}: must be one of {listed}, not {shown(value)}")
        return value

    return Described(schema, read, plain)


# ---- objects -----------------------------------------------------------------------------------


class Member(NamedTuple):
    described: Described
    required: bool
    default: Any = None
    has_default: bool = False  # one that JSON can say


def object_schema(members: Mapping[str, Member]) -> Schema:
    properties = {}
    for name, member in members.items():
        properties[name] = dict(member.described.schema)
        if member.has_default:
            properties[name]["default"] = member.default
    schema: Schema = {"type": "object", "properties": properties}
    required = [name for name, member in members.items() if member.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def object_reader(members: Mapping[str, Member], make: Optional[Callable[..., Any]]) -> Reader:
    """Reads the members; `make` is called with them by name if nothing was wrong."""
    readers = [(name, member.described.read) for name, member in members.items()]
    required = frozenset(name for name, member in members.items() if member.required)
    known = frozenset(members)

    def read(value: Any, at: str, faults: List[str]) -> Any:
        if value.__class__ is not dict:
            faults.append(f"{at or '/'}: must be an object, not {shown(value)}")
            return value
        before = len(faults)
        names = value.keys()
        if not names <= known:
            faults.extend(
                f"{at}/{_escaped(name)}: is not known{_near(name, known)}"
                for name in names
                if name not in known
            )
        if not required <= names:
            faults.extend(
                f"{at}/{_escaped(name)}: is missing"
                for name in members
                if name in required and name not in names
            )
        made = {}
        for name, reader in readers:
            if name in value:
                one = value[name]
                made[name] = one if reader is None else reader(one, f"{at}/{name}", faults)
        if make is None or len(faults) > before:
            return made
        try:
            return make(**made)
        except Exception as wrong:  # a dataclass that checks its values
            faults.append(f"{at or '/'}: {words_of(wrong)}")
            return made

    return read


def _dataclass(kind: Any, where: str, depth: int) -> Described:
    hints = hints_of(kind, where)
    members = {}
    for field in dataclasses.fields(kind):
        if not field.init:
            continue
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        described = describe(hints[field.name], f"{where}.{field.name}", depth)
        members[field.name] = Member(described, required)
    for parameter in inspect.signature(kind).parameters.values():
        if parameter.name not in members and parameter.default is parameter.empty:
            raise TypeError(f"{where}.{parameter.name}: is no field of {_name(kind)}, so no value can have it")
    return Described(object_schema(members), object_reader(members, kind), False)


def _typed_dict(kind: Any, where: str, depth: int) -> Described:
    members = {}
    for name, hint in hints_of(kind, where).items():
        described = describe(hint, f"{where}.{name}", depth)
        members[name] = Member(described, name in kind.__required_keys__)
    plain = all(member.described.plain for member in members.values())
    return Described(object_schema(members), object_reader(members, None), plain)


# ---- what Annotated adds -------------------------------------------------------------------------


def _annotated(kind: Any, where: str, depth: int) -> Described:
    inner = describe(kind.__origin__, where, depth)
    schema, checks = dict(inner.schema), []
    for word in kind.__metadata__:
        if isinstance(word, str):
            schema["description"] = word
        elif isinstance(word, Mapping):
            schema.update(word)
            checks += [_check(name, limit, where) for name, limit in word.items() if name in _LIMITS]
    read_inner = inner.read
    if not checks:
        return Described(schema, read_inner, inner.plain)

    def read(value: Any, at: str, faults: List[str]) -> Any:
        before = len(faults)
        made = read_inner(value, at, faults) if read_inner else value
        if len(faults) == before:
            for fits, says in checks:
                if not fits(value):
                    faults.append(f"{at}: {says}, not {shown(value)}")
        return made

    return Described(schema, read, inner.plain)


def _check(name: str, limit: Any, where: str) -> Tuple[Callable[[Any], bool], str]:
    """As in JSON Schema, a limit says nothing of values of another kind."""
    kinds, of_limit, fits, says = _LIMITS[name]
    if limit.__class__ not in of_limit:
        raise TypeError(f"{where}: {name} cannot be {limit!r}")
    if name == "pattern":
        try:
            limit_of = re.compile(limit)
        except re.error as wrong:
            raise TypeError(f"{where}: the pattern {limit!r} is none: {wrong}") from None
    else:
        limit_of = limit
    return (lambda value: value.__class__ not in kinds or fits(value, limit_of)), f"must {says} {limit}"


_NUMBERS = (int, float)
_LIMITS: Dict[str, Tuple[Any, Any, Callable[[Any, Any], bool], str]] = {
    "minimum": (_NUMBERS, _NUMBERS, lambda value, limit: bool(value >= limit), "be at least"),
    "maximum": (_NUMBERS, _NUMBERS, lambda value, limit: bool(value <= limit), "be at most"),
    "minLength": ((str,), (int,), lambda value, limit: len(value) >= limit, "have a length of at least"),
    "maxLength": ((str,), (int,), lambda value, limit: len(value) <= limit, "have a length of at most"),
    "minItems": ((list,), (int,), lambda value, limit: len(value) >= limit, "have as many items as"),
    "maxItems": ((list,), (int,), lambda value, limit: len(value) <= limit, "have no more items than"),
    "pattern": ((str,), (str,), lambda value, limit: limit.search(value) is not None, "match"),
}


# ---- words -----------------------------------------------------------------------------------------


def _name(kind: Any) -> str:
    return getattr(kind, "__qualname__", None) or str(kind)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")[:100]


def _near(name: str, known: Any) -> str:
    import difflib  # only where something is wrong anyway

    near = difflib.get_close_matches(name[:100], sorted(known), 1)
    return f"; did you mean {near[0]}?" if near else ""

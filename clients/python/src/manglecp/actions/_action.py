"""The decorator: what a function says of itself becomes the description of an action (toolhost.md 2.5), once."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import os
import re
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from . import _docstring, _types
from ._call import State
from ._types import Described, Member, Schema

Function = TypeVar("Function", bound=Callable[..., Any])

_AID = re.compile(r"AID\.[A-Z0-9_.-]+\.v[0-9]+\Z")
_EFFECT = re.compile(r"[a-z][a-z0-9_:-]*\Z")
MAX_AID = 128
MAX_NAME = 64


class Action:
    """A function as an action. `read` turns its inputs into arguments and lists what is wrong with them; `write` turns
    its result into JSON text."""

    def __init__(self, function: Callable[..., Any], entry: Dict[str, Any], interrupt: bool):
        where = entry["name"]
        hints = _types.hints_of(function, where)
        self.function = function
        self.is_async = inspect.iscoroutinefunction(function)
        self.interrupt = interrupt
        self.state_name, members = _members(function, hints, where)
        summary, texts = _docstring.read(function.__doc__ or "", members)
        for name, text in texts.items():
            members[name].described.schema.setdefault("description", text)
        self.read = _types.object_reader(members, None)
        self.write, output_schema = _writer(hints.get("return", inspect.Signature.empty), where)
        self.entry = {
            **entry,
            "description": entry["description"] or summary,
            "input_schema": _types.object_schema(members),
            "output_schema": output_schema,
        }
        self.aid: str = entry["aid"]
        try:
            encode(self.entry).encode("utf-8")
        except (ValueError, TypeError) as wrong:
            raise ValueError(f"{where}: a default, a limit or a text of it is none of JSON: {wrong}") from None


ACTIONS: Dict[str, Action] = {}


def action(
    *bare: object,
    side_effects: Union[str, Sequence[str]],
    aid: Optional[str] = None,
    version: int = 1,
    name: Optional[str] = None,
    description: Optional[str] = None,
    tags: Sequence[str] = (),
    deterministic: bool = False,
    idempotent: bool = False,
    reversible: bool = False,
    timeout_s: Optional[float] = None,
    min_tier: Optional[int] = None,
    interrupt: bool = True,
) -> Callable[[Function], Function]:
    """Make a function an action. It stays the function that it was.

    side_effects   "none", or what it does to the world: filesystem_read, filesystem_write, filesystem_delete,
                   process_spawn, network_io, database_read, database_write, authentication, payments, destructive,
                   or a word of your own. Its risk tier, and whether a person is asked, follow from them
    aid            its name in requests and rules; AID.<FILE>.<FUNCTION>.v<version> if none is given
    name           what a client sees in the course of a run; the function's name if none is given
    description    the first paragraph of the docstring if none is given
    deterministic  same inputs and state, same result
    idempotent     doing it twice does no more than doing it once
    reversible     what it does can be undone
    timeout_s      its limit, if it is shorter than the server's
    min_tier       0 to 3: at least this risk
    interrupt      cancelling raises Cancelled in the function, wherever it is; False: it has to ask cancelled() or
                   to call progress()

    Raises TypeError or ValueError for a function that cannot be one, and says why."""
    if bare:
        raise TypeError('action takes no positional arguments: write @action(side_effects="none"), or what it does')
    effects = [side_effects] if isinstance(side_effects, str) else list(side_effects)

    def decorate(function: Function) -> Function:
        if not inspect.isfunction(function):
            raise TypeError(f"{name or function!r}: an action is a function, made by def or async def")
        shown = name or function.__name__
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{shown}: an action returns its result at once, so it cannot yield")
        entry: Dict[str, Any] = {
            "aid": aid or _derived_aid(function, version),
            "name": shown,
            "description": description or "",
            "deterministic": deterministic,
            "idempotent": idempotent,
            "reversible": reversible,
            "tags": list(tags),
            "side_effects": effects,
            "replay_inputs": [],
            "timeout_ms": 0 if timeout_s is None else max(1, int(timeout_s * 1000)),
        }
        if min_tier is not None:
            entry["tier"] = min_tier
        _check(entry)
        made = Action(function, entry, interrupt)
        if made.aid in ACTIONS:
            raise ValueError(f"{shown}: there is an action {made.aid} already")
        ACTIONS[made.aid] = made
        setattr(function, "action", made)
        return function

    return decorate


def _derived_aid(function: Callable[..., Any], version: int) -> str:
    stem = os.path.splitext(os.path.basename(function.__code__.co_filename))[0]
    return ".".join(
        [
            "AID",
            *(re.sub(r"[^A-Z0-9_]", "_", word.upper()) for word in (stem, function.__name__)),
            f"v{version}",
        ]
    )


def _check(entry: Mapping[str, Any]) -> None:
    where, effects = entry["name"], entry["side_effects"]
    if not _AID.match(entry["aid"]) or len(entry["aid"]) > MAX_AID:
        raise ValueError(
            f"{where}: {entry['aid']!r} is no AID: AID.<A-Z 0-9 _ - .>.v<number>, 128 bytes at most"
        )
    if not 1 <= len(where.encode("utf-8")) <= MAX_NAME:
        raise ValueError(f"{where[:80]}: a name has 1 to {MAX_NAME} bytes")
    if not effects:
        raise ValueError(f'{where}: say what it does: side_effects="none", or for example "filesystem_read"')
    if not all(isinstance(effect, str) and _EFFECT.match(effect) for effect in effects):
        raise ValueError(f"{where}: side effects are words like filesystem_read, not {effects!r}")
    if "none" in effects and len(effects) > 1:
        raise ValueError(f'{where}: the side effects are "none", or others, not both')
    if not all(isinstance(tag, str) and tag for tag in entry["tags"]):
        raise ValueError(f"{where}: tags are texts")
    if entry.get("tier", 0) not in (0, 1, 2, 3):
        raise ValueError(f"{where}: min_tier is 0 to 3")


def _members(
    function: Callable[..., Any], hints: Mapping[str, Any], where: str
) -> Tuple[Optional[str], Dict[str, Member]]:
    """The name of the argument that gets the state, if there is one, and the others."""
    state, members = None, {}
    in_class = "." in function.__qualname__.rpartition("<locals>.")[2]
    if in_class and next(iter(inspect.signature(function).parameters), "") in ("self", "cls"):
        raise TypeError(f"{where}: an action is a function, not a method of a class")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
            parameter.POSITIONAL_ONLY,
        ):
            raise TypeError(f"{where}: arguments of an action have names: *args, **kwargs and / cannot be")
        hint = hints.get(parameter.name, Any)
        if hint is State:
            state = parameter.name
            continue
        described = _types.describe(hint, f"{where}({parameter.name})")
        required = parameter.default is parameter.empty
        members[parameter.name] = Member(
            described._replace(schema=dict(described.schema)),
            required,
            None if required else parameter.default,
            not required and parameter.default.__class__ in (str, int, float, bool),
        )
    return state, members


# ---- results ---------------------------------------------------------------------------------------


def _default(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"JSON has no {type(value).__name__}")


encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_default).encode


def _write_object(value: Any) -> str:
    return "{}" if value is None else encode(value)


def _write_wrapped(value: Any) -> str:
    return encode({"result": value})


def _write_any(value: Any) -> str:
    is_object = isinstance(value, Mapping) or (dataclasses.is_dataclass(value) and not isinstance(value, type))
    return _write_object(value) if value is None or is_object else _write_wrapped(value)


def _writer(hint: Any, where: str) -> Tuple[Callable[[Any], str], Optional[Schema]]:
    """An output is an object: what is none becomes its member `result`."""
    if hint is inspect.Signature.empty or hint is Any:
        return _write_any, None
    if hint is None or hint is type(None):
        return _write_object, None
    described: Described = _types.describe(hint, f"{where}, what it returns")
    if described.schema.get("type") == "object":
        return _write_object, described.schema
    schema: Schema = {
        "type": "object",
        "properties": {"result": described.schema},
        "required": ["result"],
    }
    return _write_wrapped, schema


def listed() -> List[Dict[str, Any]]:
    """The entries of `--list`, in the order of their AIDs (T-CLI-31)."""
    return [ACTIONS[aid].entry for aid in sorted(ACTIONS, key=lambda aid: aid.encode("utf-8"))]

"""The digest of a call's input (T-INP-6): what leases are bound to, and what makes two calls with one key the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Mapping, Union

from manglecp import _json

_string = json.JSONEncoder(ensure_ascii=False).encode


class _Spelled(str):
    """A number as it was written."""


def input_sha256(inputs: Union[Mapping[str, Any], str]) -> str:
    """The SHA-256, in lower-case hexadecimal, of the canonical form of `inputs`: a mapping, or the JSON text of an
    object, whose numbers keep their spelling. Raises ValueError for what is neither."""
    text = inputs if isinstance(inputs, str) else _json.encode(dict(inputs)).decode("utf-8")
    _json.decode(text.encode("utf-8"))  # strictly, which the reading below is not
    value = json.loads(text, parse_int=_Spelled, parse_float=_Spelled)
    if not isinstance(value, dict):
        raise ValueError("the input is not a JSON object")
    try:
        canonical = _canonical(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def _canonical(value: Any) -> str:
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-8"))
        return "{" + ",".join(f"{_string(name)}:{_canonical(item)}" for name, item in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_canonical(item) for item in value) + "]"
    if isinstance(value, _Spelled):
        return str(value)
    return _string(value)

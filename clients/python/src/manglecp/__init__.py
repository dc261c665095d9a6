"""MangleCP for callers: say what you want and what you know, get the few tools that it calls for.

`connect` and `spawn` give a blocking client, `manglecp.aio` an asyncio one. See README.md. `manglecp.actions` makes
functions of yours actions that a server can run.

Names are loaded when they are first used: a program of actions starts without the client's network code."""

import importlib
from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from . import aio, confirm, schema
    from ._effects import Cancel
    from .client import Client, connect, spawn
    from .errors import (
        Cancelled,
        ConnectFailed,
        ConnectionLost,
        ConsentDeclined,
        ConsentUnavailable,
        Error,
        Fault,
        Indeterminate,
        InvalidRequest,
        LoginNeeded,
        MissingExtra,
        NotReady,
        ProtocolError,
        Refused,
        TimedOut,
        ToolGone,
        UntrustedEndpoint,
    )
    from .facts import Applied, FactObject, StateDelta, WorkingFacts, fact
    from .options import Options
    from .types import (
        Attempt,
        Auth,
        ContextResource,
        Evaluation,
        Event,
        Identity,
        IntentInfo,
        Limits,
        Manifest,
        PredicateSchema,
        Progress,
        Question,
        Result,
        Safety,
        Suggestion,
        Tool,
    )

__all__ = [
    "Applied",
    "Attempt",
    "Auth",
    "Cancel",
    "Cancelled",
    "Client",
    "ConnectFailed",
    "ConnectionLost",
    "ConsentDeclined",
    "ConsentUnavailable",
    "ContextResource",
    "Error",
    "Evaluation",
    "Event",
    "FactObject",
    "Fault",
    "Identity",
    "Indeterminate",
    "IntentInfo",
    "InvalidRequest",
    "Limits",
    "LoginNeeded",
    "Manifest",
    "MissingExtra",
    "NotReady",
    "Options",
    "PredicateSchema",
    "Progress",
    "ProtocolError",
    "Question",
    "Refused",
    "Result",
    "Safety",
    "StateDelta",
    "Suggestion",
    "TimedOut",
    "Tool",
    "ToolGone",
    "UntrustedEndpoint",
    "WorkingFacts",
    "__version__",
    "aio",
    "confirm",
    "connect",
    "fact",
    "schema",
    "spawn",
]

if not TYPE_CHECKING:  # type checkers read the imports above
    _MODULES = ("actions", "aio", "confirm", "schema")
    _HOMES = {
        "_effects": ("Cancel",),
        "client": ("Client", "connect", "spawn"),
        "errors": (
            "Cancelled",
            "ConnectFailed",
            "ConnectionLost",
            "ConsentDeclined",
            "ConsentUnavailable",
            "Error",
            "Fault",
            "Indeterminate",
            "InvalidRequest",
            "LoginNeeded",
            "MissingExtra",
            "NotReady",
            "ProtocolError",
            "Refused",
            "TimedOut",
            "ToolGone",
            "UntrustedEndpoint",
        ),
        "facts": ("Applied", "FactObject", "StateDelta", "WorkingFacts", "fact"),
        "options": ("Options",),
        "types": (
            "Attempt",
            "Auth",
            "ContextResource",
            "Evaluation",
            "Event",
            "Identity",
            "IntentInfo",
            "Limits",
            "Manifest",
            "PredicateSchema",
            "Progress",
            "Question",
            "Result",
            "Safety",
            "Suggestion",
            "Tool",
        ),
    }
    _HOME = {name: module for module, names in _HOMES.items() for name in names}

    def __getattr__(name):
        if name in _MODULES:
            return importlib.import_module(f"{__name__}.{name}")
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *__all__, *_MODULES})

"""What the tests of the Python client share: both clients behind one face, and tests that run with either."""

import asyncio
import contextlib
import inspect
import json
import pathlib
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(ROOT / "tests/server")]

from blackbox import Failure, Skip, Tap, equal, expect, shown, words  # noqa: E402

import manglecp  # noqa: E402

VERSION = "2026-02-draft"


class Blocking:
    """The blocking client: what it returns is awaited all the same."""

    name = "blocking"

    @staticmethod
    async def done(value):
        return value

    @classmethod
    async def connect(cls, *args, **settings):
        return Face(cls, manglecp.connect(*args, **settings))

    @classmethod
    async def spawn(cls, *args, **settings):
        return Face(cls, manglecp.spawn(*args, **settings))


class Asyncio(Blocking):
    name = "asyncio"

    @staticmethod
    async def done(value):
        return await value

    @classmethod
    async def connect(cls, *args, **settings):
        return Face(cls, await manglecp.aio.connect(*args, **settings))

    @classmethod
    async def spawn(cls, *args, **settings):
        return Face(cls, await manglecp.aio.spawn(*args, **settings))


class Face:
    """A client whose calls are awaited, whichever kind it is. Ends with `async with`."""

    AWAITED = {"evaluate", "invoke", "follow", "disclose", "resume", "refresh", "close"}

    def __init__(self, api, client):
        self.api, self.client = api, client

    def __getattr__(self, name):
        member = getattr(self.client, name)
        if name not in self.AWAITED:
            return member

        async def awaited(*args, **settings):
            return await self.api.done(member(*args, **settings))

        return awaited

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()


def options(**changes):
    """Short patience: the fakes answer at once, or never."""
    patient = dict(
        connect_timeout=5, manifest_timeout=5, ready_timeout=5, answer_timeout=5, retry_timeout=10, close_timeout=2
    )
    return manglecp.Options(**{**patient, **changes})


async def raises(kind, awaitable):
    """The error of this very class that it raises."""
    try:
        got = await awaitable
    except kind as error:
        equal(type(error), kind, "class of the error")
        return error
    raise Failure(f"no {kind.__name__}; returned {shown(got)}")


@contextlib.contextmanager
def takes(least, most):
    """Seconds; the upper end is four times that, for machines that are busy with other tests."""
    begun = time.monotonic()
    yield
    spent = time.monotonic() - begun
    expect(least <= spent <= 4 * most, f"took {spent:.2f} s, expected {least} to {most}")


# ---- messages ------------------------------------------------------------------------------

PREDICATES = [
    {"predicate": "need", "arity": 1, "arg_types": ["string"], "arg_names": ["what"]},
    {"predicate": "extra", "arity": 1, "arg_types": ["any"], "temporal": True},
    {"predicate": "secret", "arity": 1},
    {"predicate": "out", "arity": 1, "direction": "output"},
]


def manifest(**changes):
    """A manifest message; `changes` of the payload."""
    payload = {
        "server_name": "fake",
        "server_version": "1.0.0",
        "protocol": {"manglecp": VERSION, "conformance_level": 2},
        "status": "ready",
        "domain": {"id": "fake", "description": "Scripted"},
        "endpoints": {"intent_eval": "/e", "macro_invoke": "/i"},
        "intents": [
            {"name": "plain", "description": "p"},
            {"name": "needy", "description": "n", "required_facts": ["need"], "optional_facts": ["extra"]},
        ],
        "facts_profile": {"time_formats": ["rfc3339"], "predicates": PREDICATES},
        "capabilities": {"temporal": True, "named_args": True},
        "limits": {"max_message_bytes": 16777216, "max_facts_per_request": 50, "max_derived_facts": 1000},
        "auth": {"required": False, "schemes": []},
        "extensions": {"x-idempotency-only": True},
        **changes,
    }
    return {"type": "manifest", "id": None, "manglecp": VERSION, "payload": payload}


def answer(request, kind, payload, **members):
    return {"type": kind, "id": request["id"], "manglecp": VERSION, "payload": payload, **members}


def error(request, code, recoverable=True, id=..., **members):
    e = answer(request, "error", {"code": code, "message": "a fake error", "recoverable": recoverable, **members})
    return e if id is ... else {**e, "id": id}


def tool(name="act", macro_id=None, **changes):
    return {
        "macro_id": macro_id or f"{name}-0123456789ab",
        "name": name,
        "disclosure_level": "full",
        "description": f"Does {name}.",
        "input_schema": {"type": "object", "additionalProperties": False, "properties": {"n": {"type": "integer"}}},
        "safety": {"requires_user_confirmation": False, "side_effects": ["none"]},
        **changes,
    }


ASKING = {"requires_user_confirmation": True, "side_effects": ["destructive"], "reversible": False}


def offers(request, *tools):
    return answer(
        request, "intent_response", {"eval_time_used": "2026-07-04T06:00:00Z", "macro_tools": list(tools)}
    )


def done(request, result=None, **members):
    return answer(
        request,
        "invoke_response",
        {"result": {} if result is None else result, "observability": {"summary": "Done."}, **members},
    )


class Script:
    """A server's answers: a function per type of request, or a list used up one by one (the last one stays)."""

    def __init__(self, **answers):
        self.seen = []  # (when, message)
        self.answers = {
            "intent_request": lambda r: offers(r, tool()),
            "invoke_request": done,
            "authenticate": lambda r: answer(
                r, "authenticate_response", {"status": "authenticated", "identity": "me", "permissions": []}
            ),
            "cancel": lambda r: None,
            **answers,
        }
        self.lock = threading.Lock()

    def __call__(self, request):
        with self.lock:
            self.seen.append((time.monotonic(), request))
            wanted = self.answers[request["type"]]
            if isinstance(wanted, list):
                wanted = wanted.pop(0) if len(wanted) > 1 else wanted[0]
        return wanted(request) if callable(wanted) else wanted

    def types(self):
        return [message["type"] for _, message in self.seen]

    def of(self, kind):
        return [message for _, message in self.seen if message["type"] == kind]

    def gaps(self, kind):
        times = [when for when, message in self.seen if message["type"] == kind]
        return [b - a for a, b in zip(times, times[1:])]


# ---- running -------------------------------------------------------------------------------

PATIENCE = 60  # for one test


def run(namespace, finish=True):
    """Every function test_... of a file; one that takes `api` runs with both clients."""
    tap = Tap()
    for name, function in list(namespace.items()):
        if not name.startswith("test_") or not all(w in name for w in sys.argv[1:]):
            continue
        takes_api = "api" in inspect.signature(function).parameters
        for api in (Blocking, Asyncio) if takes_api else (None,):
            title = words(function) + (f" ({api.name})" if api else "")
            tap.attempt(title, lambda: called(function, api))
    if finish:
        tap.finish()
    return tap


def called(function, api):
    made = function(api) if api else function()
    if inspect.isawaitable(made):

        async def limited():
            await asyncio.wait_for(made, PATIENCE)

        asyncio.run(limited())

"""What a running action may use: progress, cancelling, working state, facts.

There is one call at a time, made by the main thread. What it uses may be used by threads of its own, as long as it
runs; afterwards it does nothing, in the calls that follow neither. Threads that stay between calls (a pool) belong to
none, unless a call hands them its context, as asyncio.to_thread() and contextvars.copy_context().run() do."""

from __future__ import annotations

import contextvars
import json
import threading
import time
import weakref
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    NamedTuple,
    Optional,
)

from .. import _json

SLOTS = 8
DELTA_TYPE = "manglecp.state_delta"  # what a server takes facts from (T-MCP-24)
DELTA_SLOT = 7
MAX_ARTIFACT_BYTES = 1_048_576
MAX_DETAIL_BYTES = 200
STATUSES = ("TOOL_ERROR", "INVALID_PICK", "BREAKER_TRIP")


class ActionError(Exception):
    """The action did not work. The text goes to the log; a client is not told it.

    status   TOOL_ERROR; INVALID_PICK: it was the wrong action for these arguments; BREAKER_TRIP: what is behind it is
             out of order, so do not insist"""

    def __init__(self, text: str, *, status: str = "TOOL_ERROR"):
        if status not in STATUSES:
            raise ValueError(f"the status of a failure is one of {', '.join(STATUSES)}")
        super().__init__(text)
        self.status = status


class Cancelled(BaseException):
    """The result is not wanted any more: raised in the action by SIGINT, and by progress(). No Exception, so that
    `except Exception` does not hold it up; `finally` and `with` are the place to clean up.
    """


class Artifact(NamedTuple):
    """What one slot holds: a type, who made it, a JSON value."""

    type: str
    content: Any
    provenance: str = ""


class State(MutableMapping[int, Artifact]):
    """The working state of a run, slots 0 to 7. What an action changes counts when it returns, not when it fails."""

    def __init__(self, slots: Optional[Mapping[str, Any]] = None):
        self._slots: Dict[int, Any] = {int(k): v for k, v in slots.items()} if slots else {}
        self._changed: Dict[int, Optional[Dict[str, Any]]] = {}

    def __getitem__(self, slot: int) -> Artifact:
        held = self._slots[slot]
        if isinstance(held, Artifact):
            return held
        text = held.get("content_json") or ""
        return Artifact(
            held.get("type", ""),
            json.loads(text) if text else None,
            held.get("provenance", ""),
        )

    def __setitem__(self, slot: int, artifact: Artifact) -> None:
        """Raises ValueError for a slot that is none, and for what no slot can hold."""
        if slot.__class__ is not int or not 0 <= slot < SLOTS:
            raise ValueError(f"the slots are 0 to {SLOTS - 1}, not {slot!r}")
        _check_tag("type", artifact.type, 128, ":|")
        _check_tag("provenance", artifact.provenance, 256, "|")
        data = _json.encode(artifact.content)
        if len(data) > MAX_ARTIFACT_BYTES:
            raise ValueError(
                f"slot {slot}: {len(data)} bytes are more than the {MAX_ARTIFACT_BYTES} that it can hold"
            )
        wire = {
            "type": artifact.type,
            "provenance": artifact.provenance,
            "content_json": data.decode("utf-8"),
        }
        self._slots[slot] = wire
        self._changed[slot] = {**wire, "size_bytes": len(data)}

    def __delitem__(self, slot: int) -> None:
        del self._slots[slot]
        self._changed[slot] = None

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self._slots))

    def __len__(self) -> int:
        return len(self._slots)

    def delta(self) -> Dict[str, Any]:
        """What changed, as it travels (T-STATE-7)."""
        changed = sorted(self._changed.items())
        return {
            "delta": True,
            "slots": {str(slot): wire for slot, wire in changed if wire is not None},
            "removed_slots": [slot for slot, wire in changed if wire is None],
        }

    @property
    def has_changed(self) -> bool:
        return bool(self._changed)


def _check_tag(what: str, text: str, limit: int, forbidden: str) -> None:
    if not isinstance(text, str) or len(text.encode("utf-8")) > limit:
        raise ValueError(f"the {what} of an artifact is a text of at most {limit} bytes")
    if any(c in forbidden or c < " " or c == "\x7f" for c in text):
        raise ValueError(
            f"the {what} of an artifact has none of {' '.join(forbidden)} and no control characters"
        )


class Call:
    """A running call. `tell` writes an event of it; None: nobody wants to know."""

    __slots__ = ("request_id", "_deadline", "_tell", "state", "cancelled")

    def __init__(
        self,
        request_id: str = "",
        timeout_ms: Optional[int] = None,
        tell: Optional[Callable[["Call", Dict[str, Any]], None]] = None,
        state: Optional[State] = None,
    ):
        self.request_id = request_id
        self._deadline = None if timeout_ms is None else time.monotonic() + timeout_ms / 1000
        self._tell = tell
        self.state = state
        self.cancelled = False

    def progress(self, percent: Optional[float], detail: str) -> None:
        if self._tell:
            event: Dict[str, Any] = {"event": "progress", "request_id": self.request_id}
            if percent is not None:
                event["percent"] = min(max(float(percent), 0.0), 100.0)
            text = str(detail).encode("utf-8", "replace")[:MAX_DETAIL_BYTES]
            event["detail"] = text.decode("utf-8", "ignore")
            self._tell(self, event)

    def remaining_ms(self) -> Optional[int]:
        return None if self._deadline is None else int((self._deadline - time.monotonic()) * 1000)


NO_CALL = Call()
current = NO_CALL  # set by who makes calls
_own: "contextvars.ContextVar[Optional[Call]]" = contextvars.ContextVar("manglecp.actions.call", default=None)
_left: "weakref.WeakSet[threading.Thread]" = weakref.WeakSet()  # whose calls are over


def begin(call: Call) -> None:
    global current
    _own.set(call)
    current = call


def end() -> None:
    global current
    current = NO_CALL
    _own.set(None)
    if threading.active_count() > 1:
        _left.update(t for t in threading.enumerate() if t is not threading.main_thread())


def _mine() -> Call:
    """The running call, if who asks belongs to it."""
    call, running = _own.get(), current
    if call is None and threading.current_thread() not in _left:
        return running
    return running if call is running else NO_CALL


def progress(percent: Optional[float] = None, detail: str = "") -> None:
    """Say how far the action has come: 0 to 100, None if that is not known, and up to 200 bytes of text. Costs little
    if nobody asked. Raises Cancelled if the result is not wanted any more."""
    call = _mine()
    if call.cancelled:
        raise Cancelled("cancelled")
    call.progress(percent, detail)


def cancelled() -> bool:
    """Whether the result is not wanted any more. Actions that are not interrupted ask this now and then."""
    return _mine().cancelled


def remaining_ms() -> Optional[int]:
    """Milliseconds until the action's time is up; None if it has all the time there is."""
    return _mine().remaining_ms()


def request_id() -> str:
    """The id of the running call, "" if it has none: for logs."""
    return _mine().request_id


def change_facts(
    asserts: Iterable[Mapping[str, Any]] = (),
    retracts: Iterable[Mapping[str, Any]] = (),
    *,
    category: str = "session",
) -> None:
    """Tell the server, and by it the client, which facts hold now and which do not any more.

    asserts, retracts   as manglecp.fact() makes them; a retraction may have None for any value
    category            of the assertions that say none themselves: server, session or derived

    Counts when the action returns. May be called more than once."""
    call = _mine()
    added = [_fact({"category": category, **fact}, "asserts", index) for index, fact in enumerate(asserts)]
    gone = [_fact(dict(fact), "retracts", index) for index, fact in enumerate(retracts)]
    if call.state is None:
        call.state = State()
    state = call.state
    slot = next((s for s in state if state[s].type == DELTA_TYPE), DELTA_SLOT)
    before = state[slot] if slot in state else None
    content = (
        before.content if before and before.type == DELTA_TYPE and isinstance(before.content, dict) else {}
    )
    merged = {
        "assert": content.get("assert", []) + added,
        "retract": content.get("retract", []) + gone,
    }
    state[slot] = Artifact(DELTA_TYPE, merged, "manglecp.actions")


_CATEGORIES = ("server", "session", "derived")


def _fact(fact: Dict[str, Any], what: str, index: int) -> Dict[str, Any]:
    faults: List[str] = []
    if not isinstance(fact.get("pred"), str) or not fact["pred"]:
        faults.append("it has no predicate (pred)")
    if ("args" in fact) == ("named_args" in fact):
        faults.append("it has to have either args or named_args")
    if what == "asserts" and fact.get("category") not in _CATEGORIES:
        faults.append(f"its category has to be one of {', '.join(_CATEGORIES)}")
    if faults:
        raise ValueError(f"{what}[{index}] is no fact: {'; '.join(faults)}")
    return fact

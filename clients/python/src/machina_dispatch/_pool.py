"""The sessions of one plugin: started on demand, used by one call at a time (T-DISP-14 to T-DISP-20)."""

from __future__ import annotations

import socket
import threading
import time
import zlib
from typing import Any, Dict, List, Optional, Tuple

from . import _answers, _digest, _oneshot, _plugins
from ._answers import Answer
from ._issuer import Issuer
from ._session import Reply, Session
from ._settings import Settings, leases_enforced

START_FAILURES = 3  # in a row, then calls are one-shot (T-DISP-17)
RETRY_S = 30.0
ATTEMPTS = 3

Outcome = Tuple[Answer, int]


class _Slot:
    """A place for a session. `issuer` has our end of its control channel, which the session cannot reach."""

    def __init__(self) -> None:
        self.session: Optional[Session] = None
        self.issuer: Optional[Issuer] = None
        self.busy = False

    def clear(self) -> None:
        self.session = None
        if self.issuer:
            self.issuer.close()
            self.issuer = None


class _Flight:
    """A running call with an idempotency key, and what came of it."""

    def __init__(self, digest: str):
        self.digest = digest
        self.done = threading.Event()
        self.outcome: Optional[Outcome] = None


class Pool:
    """Any thread. `signature` says for which settings it was made."""

    def __init__(self, plugin: str, signature: Any, settings: Settings):
        self.plugin = plugin
        self.signature = signature
        self._slots: List[_Slot] = [_Slot() for _ in range(settings.pool_size)]
        self._free = threading.Condition()
        self._flights: Dict[Tuple[str, str], _Flight] = {}
        self._start_failures = 0
        self._retry_at = 0.0
        self._closed = False

    # ---- a call ----------------------------------------------------------------------------

    def call(self, aid: str, request: Dict[str, Any], settings: Settings) -> Outcome:
        """The answer or a structured error, and how `--run` would have ended. Raises ValueError, OSError."""
        deadline = time.monotonic() + settings.timeout_s
        key = request.get("idempotency_key")
        if not isinstance(key, str) or not key:
            return self._perform(aid, request, settings, deadline, None)
        return self._single(aid, key, request, settings, deadline)

    def _single(
        self, aid: str, key: str, request: Dict[str, Any], settings: Settings, deadline: float
    ) -> Outcome:
        """One execution per key at a time; who asks meanwhile gets its outcome (T-DISP-20)."""
        digest = _input_digest(request)
        with self._free:
            flight = self._flights.get((aid, key))
            first = flight is None
            if flight is None:
                flight = self._flights[aid, key] = _Flight(digest)
        if not first:
            return _follow(aid, flight, digest, settings, deadline)
        try:
            index = zlib.crc32(f"{aid}\0{key}".encode("utf-8", "replace")) % len(self._slots)
            flight.outcome = self._perform(aid, request, settings, deadline, index)
            return flight.outcome
        except Exception as raised:
            flight.outcome = _answers.exception(aid, raised), 0
            raise
        finally:
            with self._free:
                del self._flights[aid, key]
            flight.done.set()

    def _perform(
        self, aid: str, request: Dict[str, Any], settings: Settings, deadline: float, index: Optional[int]
    ) -> Outcome:
        for attempt in range(ATTEMPTS):
            if self._only_oneshot():
                return _oneshot.call(aid, self.plugin, request, settings)
            slot = self._take(index, deadline)
            if slot is None:
                return _answers.timed_out(aid, settings.timeout_s), 0
            try:
                reply = self._use(slot, request, settings, deadline)
            finally:
                self._give_back(slot)
            if attempt + 1 == ATTEMPTS or not self._repeats(aid, reply, settings):
                break
        answer = reply.answer
        return answer, 0 if _answers.is_error(answer) else _answers.exit_code_of(answer)

    def _use(self, slot: _Slot, request: Dict[str, Any], settings: Settings, deadline: float) -> Reply:
        if slot.session and not slot.session.usable():  # it ended between calls, or talks out of turn
            slot.session.discard()
            slot.clear()
        if not slot.session:
            self._start(slot, settings)
        session = slot.session
        assert session
        try:
            reply = session.call(session.prepare(request, settings), deadline, settings.timeout_s)
        finally:
            if session.broken:
                session.discard()
                slot.clear()
        self._count_start(reply.started)
        return reply

    def _repeats(self, aid: str, reply: Reply, settings: Settings) -> bool:
        """T-DISP-18: nothing was executed, or doing it twice is the same as doing it once."""
        if reply.answer.get("type") != "crash" or not _answers.is_error(reply.answer):
            return False
        harmless = reply.started and _plugins.may_repeat(aid, self.plugin, settings)
        return harmless or not (reply.sent or leases_enforced())

    # ---- sessions --------------------------------------------------------------------------

    def _start(self, slot: _Slot, settings: Settings) -> None:
        ours, theirs = socket.socketpair()
        try:
            slot.session = Session(self.plugin, settings, theirs)
        except BaseException:
            ours.close()
            self._count_start(False)
            raise
        finally:
            theirs.close()
        slot.issuer = Issuer(ours)

    def _count_start(self, started: bool) -> None:
        with self._free:
            self._start_failures = 0 if started else self._start_failures + 1
            if self._start_failures >= START_FAILURES:
                self._retry_at = time.monotonic() + RETRY_S

    def _only_oneshot(self) -> bool:
        with self._free:
            return self._start_failures >= START_FAILURES and time.monotonic() < self._retry_at

    def _take(self, index: Optional[int], deadline: float) -> Optional[_Slot]:
        """A free slot, one whose session runs already if there is one; None: none became free in time."""
        with self._free:
            while True:
                fitting = self._slots if index is None else [self._slots[index]]
                free = sorted((s for s in fitting if not s.busy), key=lambda s: s.session is None)
                if free:
                    free[0].busy = True
                    return free[0]
                patience = deadline - time.monotonic()
                if patience <= 0 or not self._free.wait(patience):
                    return None

    def _give_back(self, slot: _Slot) -> None:
        with self._free:
            ending = slot.session if self._closed else None
            if not ending:
                slot.busy = False
            self._free.notify_all()
        if ending:
            ending.end()
            slot.clear()

    def close(self) -> None:
        """End the sessions that nobody uses, at once; the others when their calls end."""
        with self._free:
            self._closed = True
            idle = [slot for slot in self._slots if not slot.busy]
            for slot in idle:
                slot.busy = slot.session is not None
            ending = [slot for slot in idle if slot.session]
        for slot in ending:
            if slot.session:
                slot.session.ask_to_end()
        for slot in ending:
            if slot.session:
                slot.session.end()
            slot.clear()
            with self._free:
                slot.busy = False
                self._free.notify_all()

    def abandon(self) -> None:
        for slot in self._slots:
            if slot.session:
                slot.session.abandon()
            slot.clear()


def _input_digest(request: Dict[str, Any]) -> str:
    text = request.get("input_json")
    given = text if isinstance(text, str) and text.strip() else request.get("inputs") or {}
    try:
        return _digest.input_sha256(given)
    except (ValueError, TypeError):  # the host will say what is wrong with it; two of them are not the same
        return repr(given)


def _follow(aid: str, flight: _Flight, digest: str, settings: Settings, deadline: float) -> Outcome:
    if flight.digest != digest:
        text = "idempotency_key reused with different input"
        return _answers.error(aid, "tool_error", text, status="TOOL_ERROR", code="key_conflict"), 0
    if not flight.done.wait(max(0.0, deadline - time.monotonic())) or flight.outcome is None:
        return _answers.timed_out(aid, settings.timeout_s), 0
    answer, status = flight.outcome
    return ({**answer, "idempotent_hit": True} if "status" in answer else dict(answer)), status

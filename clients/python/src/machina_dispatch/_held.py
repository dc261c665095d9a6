"""A session of one's own, and who may issue leases for it (T-DISP-19, T-LEASE-20)."""

from __future__ import annotations

import socket
import threading
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from . import _answers, _settings
from ._answers import Answer
from ._issuer import Issuer
from ._session import Session, deadline_of


class Caller:
    """Sends requests to one toolhost process, which keeps its state from call to call. It cannot issue leases.

    Any thread; calls are made one after another. Ends with close() or `with`."""

    def __init__(self, session: Session):
        self._session = session
        self._lock = threading.Lock()

    def call(self, request: Mapping[str, Any]) -> Answer:
        """The answer object as it came, or a structured error. Never raises. After `timeout`, `crash` and
        `parse_error` the session has ended, and its state with it."""
        aid = request.get("aid") if isinstance(request, Mapping) else None
        try:
            settings = _settings.read()
            deadline = deadline_of(settings)
            if not self._lock.acquire(timeout=settings.timeout_s):
                return _answers.timed_out(aid, settings.timeout_s)
            try:
                if self._session.broken:
                    return _answers.crash(aid, "", None)
                prepared = self._session.prepare(dict(request), settings)
                reply = self._session.call(prepared, deadline, settings.timeout_s)
                if self._session.broken:
                    self._session.discard()
                return reply.answer
            finally:
                self._lock.release()
        except Exception as raised:
            return _answers.exception(aid, raised)

    def run(
        self,
        aid: str,
        inputs: Mapping[str, Any],
        *,
        lease: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        progress: bool = False,
    ) -> Union[str, Answer]:
        """The tool's output as JSON text, or a structured error, as run_machina_toolhost; the state is kept."""
        optional = {"_lease_token": lease, "idempotency_key": idempotency_key, "request_id": request_id}
        request: Dict[str, Any] = {"aid": aid, "inputs": inputs}
        request.update({name: value for name, value in optional.items() if value is not None})
        if progress:
            request["progress"] = True
        answer = self.call(request)
        if _answers.is_error(answer):
            return answer
        return _answers.outcome(aid, answer, _answers.exit_code_of(answer))

    def close(self) -> None:
        with self._lock:
            self._session.broken = True
            self._session.end()

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_session(plugin: str) -> Tuple[Caller, Issuer]:
    """Start `toolhost --serve PLUGIN`: an object that calls its tools, and one that issues leases for them.

    Give the first to whoever builds requests and keep the second. Raises FileNotFoundError if there is no toolhost,
    OSError if it cannot be started. A plugin that cannot be loaded is a `crash` of the first call."""
    settings = _settings.read()
    if not settings.program:
        raise FileNotFoundError(f"toolhost not found: {settings.wanted}")
    ours, theirs = socket.socketpair()
    try:
        session = Session(plugin, settings, theirs)
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Caller(session), Issuer(ours)

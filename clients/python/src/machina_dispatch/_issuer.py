"""The control end of a session: leases, cancelling, events (toolhost.md 3.8, 5.3; T-LEASE-20)."""

from __future__ import annotations

import collections
import ctypes
import select
import socket
import sys
import threading
import time
from typing import Any, Deque, List, Mapping, Optional, Union

from manglecp import _json

from ._answers import Answer
from ._digest import input_sha256
from ._settings import leases_enforced

KEPT_EVENTS = 1000
MAX_CONTROL_BYTES = 1_048_576
_PR_SET_DUMPABLE = 4


class Issuer:
    """Owns the control channel of a session: whoever holds this object may issue leases. Any thread.

    Its methods return the host's answer, also a refusal. They raise ConnectionError if the channel is closed, and
    TimeoutError; ValueError for what JSON cannot express."""

    def __init__(self, channel: socket.socket):
        self._channel = channel
        self._lock = threading.Lock()
        self._read = bytearray()
        self._events: Deque[Answer] = collections.deque(maxlen=KEPT_EVENTS)
        self._protected = leases_enforced() and _Undumpable.enter()

    def issue(
        self,
        tool_aid: str,
        inputs: Union[Mapping[str, Any], str, None] = None,
        *,
        tier: Optional[int] = None,
        ttl_ms: Optional[int] = None,
        issuer: Optional[str] = None,
    ) -> Answer:
        """A lease for one call of the tool; its `token_id` is what the caller sends. With `inputs`, for these only."""
        digest = None if inputs is None else input_sha256(inputs)
        members = {"tier": tier, "ttl_ms": ttl_ms, "issuer": issuer, "input_sha256": digest}
        given = {name: value for name, value in members.items() if value is not None}
        return self.command({"aid": "_lease.issue", "tool_aid": tool_aid, **given})

    def gc(self) -> Answer:
        return self.command({"aid": "_lease.gc"})

    def cancel(self, request_id: str) -> Answer:
        """Stop the running call with this id; it is still answered to its caller."""
        return self.command({"aid": "_cancel", "request_id": request_id})

    def command(self, request: Mapping[str, Any], timeout_s: float = 5.0) -> Answer:
        """Any command of the control channel."""
        data = _json.encode(dict(request)) + b"\n"
        deadline = time.monotonic() + timeout_s
        with self._lock:
            self._send(data, deadline)
            while True:
                message = self._message(deadline)
                if message is None:
                    raise TimeoutError("the toolhost does not answer on its control channel")
                if "ok" in message:
                    return message
                self._events.append(message)

    def events(self, timeout_s: float = 0.0) -> List[Answer]:
        """What the host told since the last time: progress of calls that asked for it. Waits for the first one as
        long as is said. At most 1000 are kept, the newest."""
        deadline = time.monotonic() + timeout_s
        with self._lock:
            while True:
                message = self._message(0.0 if self._events else deadline)
                if message is None:
                    break
                if "ok" not in message:
                    self._events.append(message)
            told = list(self._events)
            self._events.clear()
        return told

    def close(self) -> None:
        """The session goes on, and nobody can issue leases for it any more."""
        with self._lock:
            self._channel.close()
            if self._protected:
                self._protected = False
                _Undumpable.leave()

    def __enter__(self) -> Issuer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, data: bytes, deadline: float) -> None:
        try:
            self._channel.settimeout(max(0.001, deadline - time.monotonic()))
            self._channel.sendall(data)
        except socket.timeout:
            raise TimeoutError("the toolhost does not read its control channel") from None
        except OSError as wrong:
            raise ConnectionError(f"the control channel is closed: {wrong}") from None

    def _message(self, deadline: float) -> Optional[Answer]:
        """The next message, or None if there is none until then."""
        while b"\n" not in self._read:
            patience = max(0.0, deadline - time.monotonic())
            try:
                if not select.select([self._channel], [], [], patience)[0]:
                    return None
                data = self._channel.recv(65_536)
            except (OSError, ValueError) as wrong:
                raise ConnectionError(f"the control channel is closed: {wrong}") from None
            if not data or len(self._read) > MAX_CONTROL_BYTES:
                raise ConnectionError("the control channel was closed by the toolhost")
            self._read += data
        line, _, rest = bytes(self._read).partition(b"\n")
        self._read[:] = rest
        message = _json.decode(line)
        if not isinstance(message, dict):
            raise ConnectionError("the control channel carries something else than objects")
        return message


class _Undumpable:
    """While somebody here may issue leases under enforcement, other processes of this user may not look into this one
    (T-LEASE-20). Linux only; elsewhere nothing happens."""

    _count = 0
    _lock = threading.Lock()

    @classmethod
    def enter(cls) -> bool:
        with cls._lock:
            cls._count += 1
            cls._set(0)
        return True

    @classmethod
    def leave(cls) -> None:
        with cls._lock:
            cls._count -= 1
            if cls._count == 0:
                cls._set(1)

    @staticmethod
    def _set(value: int) -> None:
        if sys.platform.startswith("linux"):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, value, 0, 0, 0)

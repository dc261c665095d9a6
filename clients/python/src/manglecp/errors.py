"""What can go wrong, by what the caller may do about it.

    InvalidRequest   ours: nothing was sent; `faults` lists everything that is wrong
    Refused          the server's error, with its code
      ToolGone       evaluated again, and the tool is not offered any more
    NotReady         the server boots for too long, or is draining
    ConnectFailed    there is no connection; nothing was sent
    ConnectionLost, TimedOut, ProtocolError
                     no usable answer; only raised where asking again changes nothing
    Indeterminate    an invocation was sent and its end is not known: ask again with resume()
    Cancelled        by the caller
    ConsentDeclined, ConsentUnavailable
                     the user said no, or nobody is there to ask; nothing was sent
    LoginNeeded, UntrustedEndpoint, MissingExtra
                     the client's own settings do not allow it; nothing was sent

Texts that come from a server are data. `str(error)` escapes control and invisible characters."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from .facts import StateDelta
    from .types import Attempt, Evaluation


def shown(text: str) -> str:
    """`text` with control, invisible and direction-changing characters escaped; line breaks stay."""
    return "".join(c if c == "\n" or not unicodedata.category(c).startswith("C") else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Error(Exception):
    """The root of everything that this package raises on purpose."""

    def __str__(self) -> str:
        return shown(super().__str__())


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a request.

    where    JSON pointer: /facts/3, /intent/name, /args/count, ...
    issue    one word: the issue words of facts, a keyword of JSON Schema, ...
    message  for people: what is wrong and what to do"""

    where: str
    issue: str
    message: str

    def __str__(self) -> str:
        return f"{self.where or '/'}: {self.message}"


class InvalidRequest(Error):
    """The request is wrong and was not sent (P-SCHEMA-9, P-INV-11, P-MAN-26)."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults: Tuple[Fault, ...] = tuple(faults)
        many = "" if len(self.faults) == 1 else f"{len(self.faults)} faults: "
        super().__init__(many + "; ".join(str(fault) for fault in self.faults))


class Refused(Error):
    """An `error` message of the server.

    code, message, recoverable, details  as sent
    retry_after_s  the server asks to wait so long; None if it did not say"""

    def __init__(self, payload: Dict[str, Any]) -> None:
        self.payload = payload
        self.code: str = payload["code"]
        self.message: str = payload["message"]
        self.recoverable: bool = payload["recoverable"]
        self.details: Dict[str, Any] = payload.get("details") or {}
        wait_ms = payload.get("retry_after_ms")
        self.retry_after_s: Optional[float] = None if wait_ms is None else wait_ms / 1000
        super().__init__(f"{self.code}: {self.message}")

    @property
    def indeterminate(self) -> bool:
        """The server itself does not know whether the invocation ended."""
        return self.details.get("indeterminate") is True

    @property
    def state_delta(self) -> "StateDelta":
        """What had already happened when an invocation failed."""
        from .facts import StateDelta

        return StateDelta.read(self.details.get("state_delta"))


class ToolGone(Refused):
    """The tool had expired or was forgotten; `evaluation` is the fresh one, which lacks it (P-TOOL-18)."""

    def __init__(self, name: str, evaluation: "Evaluation") -> None:
        self.evaluation = evaluation
        message = f"{name} is not offered any more: its facts or its time have changed"
        super().__init__({"code": "macro_expired", "message": message, "recoverable": True})


class NotReady(Error):
    """`status`: booting or draining (P-READY-1, P-READY-8)."""

    def __init__(self, status: str, message: str) -> None:
        self.status = status
        super().__init__(message)


class ConnectFailed(Error):
    """No connection to the server; nothing was sent."""


class ConnectionLost(Error):
    """The connection ended before an answer came."""


class TimedOut(Error):
    """Nothing came in time."""


class ProtocolError(Error):
    """The server sent what is no MangleCP message, or not the one that belongs here."""


class Indeterminate(Error):
    """An invocation was sent, and whether it ran is not known. `Client.resume` asks for its outcome
    with the same idempotency key; `__cause__` is what happened."""

    def __init__(self, attempt: "Attempt", why: str) -> None:
        self.attempt = attempt
        super().__init__(
            f"{attempt.tool.name} was sent, and its outcome is not known ({why}); resume() asks for it"
        )


class Cancelled(Error):
    """Cancelled by the caller. `certain`: the server confirmed it; otherwise the outcome of an invocation
    is not known, and `attempt` can be resumed."""

    def __init__(
        self, certain: bool, attempt: Optional["Attempt"] = None, details: Optional[Dict[str, Any]] = None
    ):
        self.certain = certain
        self.attempt = attempt
        self.details: Dict[str, Any] = details or {}
        super().__init__("cancelled" if certain else "cancelled, but the server did not confirm it")


class ConsentDeclined(Error):
    """The user said no (P-CONF-3). Nothing ran; but if the tool asked while it runs, what it had done before is
    done."""


class ConsentUnavailable(Error):
    """The tool needs the user's consent, and no `consent` callback was given. Nothing ran; but if the tool asked while
    it runs, what it had done before is done."""


class LoginNeeded(Error):
    """The server wants credentials and the client has none that it may send.

    code        auth_required
    schemes     what the server accepts
    token_url   where OAuth clients get a token, if the server says"""

    code = "auth_required"

    def __init__(self, message: str, schemes: Sequence[str] = (), token_url: Optional[str] = None) -> None:
        self.schemes = tuple(schemes)
        self.token_url = token_url
        super().__init__(message)


class UntrustedEndpoint(Error):
    """The manifest or a redirect points to where credentials or facts must not go."""


class MissingExtra(Error, ImportError):
    """An optional library is needed and not installed."""

"""Envelopes: the object around every message (P-ENV-1), and addresses on the web."""

from __future__ import annotations

import ipaddress
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple

from . import _json
from .errors import ProtocolError, Refused, UntrustedEndpoint
from .types import VERSION

JsonObject = Dict[str, Any]
KEY_EXTENSION = "x-idempotency-key"
ONLY_EXTENSION = "x-idempotency-only"
REPLAY_EXTENSION = "x-idempotent-replay"
DRY_RUN_EXTENSION = "x-dry-run"
WHY_NOT_EXTENSION = "x-why-not"
WEBSOCKET_EXTENSION = "x-websocket"
MANIFEST_PATH = "/.well-known/manglecp/manifest.json"


@dataclass(frozen=True)
class Envelope:
    type: str
    id: Optional[str]
    payload: JsonObject
    extensions: JsonObject = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        message = {"type": self.type, "id": self.id, "manglecp": VERSION, "payload": self.payload}
        return {**message, "extensions": self.extensions} if self.extensions else message


def read_envelope(data: bytes) -> Envelope:
    """Raises ProtocolError."""
    try:
        value = _json.decode(data)
    except ValueError as error:
        raise ProtocolError(f"the server sent what is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError("the server sent JSON that is no message")
    kind, version, payload, id = value.get("type"), value.get("manglecp"), value.get("payload"), value.get("id")
    if not isinstance(kind, str) or not isinstance(payload, dict) or not isinstance(id, (str, type(None))):
        raise ProtocolError("the server sent a message without type, id and payload as they should be")
    if version != VERSION:
        raise ProtocolError(f"the server sent a message of version {version!r}, not {VERSION}")
    if kind == "error" and not _is_error(payload):
        raise ProtocolError("the server sent an error without code, message and recoverable")
    extensions = value.get("extensions")
    return Envelope(kind, id, payload, extensions if isinstance(extensions, dict) else {})


def _is_error(payload: JsonObject) -> bool:
    wait = payload.get("retry_after_ms")
    return (
        isinstance(payload.get("code"), str)
        and isinstance(payload.get("message"), str)
        and isinstance(payload.get("recoverable"), bool)
        and isinstance(payload.get("details"), (dict, type(None)))
        and (wait is None or (_json.is_integer(wait) and 0 <= wait < 2**53))
    )


def payload_of(answer: Envelope, kind: str) -> JsonObject:
    """The payload of an answer of this type. Raises Refused for an error, ProtocolError for anything else."""
    if answer.type == "error":
        raise Refused(answer.payload)
    if answer.type != kind:
        raise ProtocolError(f"the server answers with {answer.type!r}, not {kind}")
    return answer.payload


# ---- addresses -----------------------------------------------------------------------------

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_TWINS = {"ws": "http", "wss": "https"}


@dataclass(frozen=True)
class Url:
    """An absolute address. `target` is what a request line names."""

    scheme: str
    host: str
    port: int
    target: str

    @staticmethod
    def parse(text: str, schemes: Tuple[str, ...]) -> "Url":
        """Raises ValueError that says what is wrong."""
        try:
            parts = urllib.parse.urlsplit(text)
            port = parts.port
        except ValueError as error:
            raise ValueError(f"{text!r} is no address: {error}") from None
        if parts.scheme not in schemes or not parts.hostname:
            raise ValueError(f"{text!r} is no address of {' or '.join(schemes)}")
        if parts.username is not None or parts.password is not None:
            raise ValueError("credentials do not belong into an address")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if not target.isascii() or any(c <= " " or c == "\x7f" for c in target + parts.hostname):
            raise ValueError(f"{text!r} has characters that have to be escaped")
        try:
            host = (
                parts.hostname.encode("idna").decode("ascii")
                if not parts.hostname.isascii()
                else parts.hostname
            )
        except UnicodeError:
            raise ValueError(f"{parts.hostname!r} is no name of a host") from None
        return Url(parts.scheme, host, PORTS[parts.scheme] if port is None else port, target)

    @property
    def origin(self) -> Tuple[str, str, int]:
        """Scheme, host and port; ws counts as http and wss as https, since one listener serves both."""
        return (_TWINS.get(self.scheme, self.scheme), self.host, self.port)

    @property
    def secure(self) -> bool:
        return self.scheme in ("https", "wss")

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")

    def join(self, reference: str, schemes: Tuple[str, ...]) -> "Url":
        """What `reference`, absolute or relative, means here (P-HTTP-4). Raises ValueError."""
        return Url.parse(urllib.parse.urljoin(str(self), reference), schemes)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def websocket_url(manifest_url: Url, announced: Any) -> Url:
    """Where the manifest says that WebSocket is served: http becomes ws, https wss. Raises ProtocolError,
    UntrustedEndpoint."""
    if not isinstance(announced, str) or not announced:
        raise ProtocolError("the server does not announce WebSocket (extensions x-websocket)")
    try:
        url = manifest_url.join(announced, ("http", "https", "ws", "wss"))
    except ValueError as error:
        raise ProtocolError(f"the announced WebSocket address is wrong: {error}") from None
    if url.scheme in ("http", "https"):
        url = Url("wss" if url.secure else "ws", url.host, url.port, url.target)
    if manifest_url.secure and not url.secure:
        raise UntrustedEndpoint(f"the manifest came by https and names {url}, which is not encrypted")
    return url

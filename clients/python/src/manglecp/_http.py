"""HTTP/1.1 without I/O: a request as bytes, and a reader of one response.

Bounded: 64 KiB and 100 lines of head, `max_body` of body. Precise where a guess would be dangerous: two
lengths, a length beside chunks, or a body that ends early are errors (RFC 9112, 6.3)."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

from .errors import ProtocolError

MAX_HEAD = 65536
MAX_HEADERS = 100
MAX_INTERIM = 10  # 1xx responses before the one that counts

_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\x00]*?)[ \t]*")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})(?:[ \t]*;[^\r\n]*)?[ \t]*")


def request(
    method: str, target: str, host: str, headers: Dict[str, str], body: Optional[bytes] = None
) -> bytes:
    """The bytes of a request. Raises ValueError for a header that would not stay one line."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    if body is not None:
        headers = {**headers, "Content-Length": str(len(body))}
    for name, value in headers.items():
        if re.search(r"[^\t\x20-\x7e]", value):
            raise ValueError(f"the header {name} holds a character that headers cannot carry")
        lines.append(f"{name}: {value}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + (body or b"")


class ResponseReader:
    """Feed it bytes until `done`. `status`, `headers` (names in lower case) and `body` then hold the response;
    `reusable` says whether another request may follow on the connection."""

    def __init__(self, max_body: int) -> None:
        self.status = 0
        self.headers: Dict[str, str] = {}
        self.done = False
        self.reusable = False
        self._max_body = max_body
        self._buffer = bytearray()
        self._body = bytearray()
        self._state = self._head
        self._left = 0
        self._interim = 0

    @property
    def body(self) -> bytes:
        return bytes(self._body)

    @property
    def begun(self) -> bool:
        return bool(self._buffer) or self.status != 0

    def feed(self, data: bytes) -> None:
        """Raises ProtocolError."""
        self._buffer += data
        while not self.done and self._state():
            pass
        if self.done and self._buffer:
            self.reusable = False  # an answer to nothing: what comes next on it belongs to nobody

    def end(self) -> bool:
        """The connection ended. True if the response is whole."""
        if not self.done and self._state == self._until_end:
            self.done = True
        return self.done

    # Each state takes what it can from the buffer and says whether it got on.

    def _head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end > MAX_HEAD or (end < 0 and len(self._buffer) > MAX_HEAD):
            raise ProtocolError("the head of the HTTP response is too long")
        if end < 0:
            return False
        lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + 4]
        status = _STATUS.fullmatch(lines[0])
        if not status:
            raise ProtocolError("this is no HTTP/1.1 response")
        self.status = int(status.group(2))
        self.headers = _fields(lines[1:])
        if 100 <= self.status < 200:
            self._interim += 1
            if self.status == 101 or self._interim > MAX_INTERIM:
                raise ProtocolError(f"an HTTP response {self.status} that nobody asked for")
            return True
        tokens = {token.strip().lower() for token in self.headers.get("connection", "").split(",")}
        self.reusable = "close" not in tokens and (status.group(1) == b"1" or "keep-alive" in tokens)
        self._choose_body()
        return True

    def _choose_body(self) -> None:
        coding, length = self.headers.get("transfer-encoding"), self.headers.get("content-length")
        if self.status in (204, 304):
            self.done = True
        elif coding is not None:
            if coding.lower() != "chunked" or length is not None:
                raise ProtocolError("the HTTP response does not say clearly how long it is")
            self._state = self._chunk_size
        elif length is not None:
            if not re.fullmatch(r"[0-9]{1,15}", length):
                raise ProtocolError("the HTTP response does not say clearly how long it is")
            self._expect(int(length))
            self._state = self._fixed
        else:
            self.reusable = False
            self._state = self._until_end

    def _expect(self, count: int) -> None:
        if len(self._body) + count > self._max_body:
            raise ProtocolError(f"the answer is larger than {self._max_body} bytes")
        self._left = count

    def _take(self) -> bool:
        """Moves what belongs to the body; True if all of it is there."""
        part = self._buffer[: self._left]
        self._body += part
        del self._buffer[: len(part)]
        self._left -= len(part)
        return self._left == 0

    def _fixed(self) -> bool:
        self.done = self._take()
        return self.done

    def _until_end(self) -> bool:
        self._expect(len(self._buffer))
        self._take()
        return False

    def _line(self) -> Optional[bytes]:
        end = self._buffer.find(b"\r\n")
        if end > MAX_HEAD or (end < 0 and len(self._buffer) > MAX_HEAD):
            raise ProtocolError("a line of the HTTP response is too long")
        if end < 0:
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    def _chunk_size(self) -> bool:
        line = self._line()
        if line is None:
            return False
        size = _CHUNK.fullmatch(line)
        if not size:
            raise ProtocolError("a chunk of the HTTP response has no size")
        count = int(size.group(1), 16)
        self._expect(count)
        self._state = self._chunk if count else self._trailer
        return True

    def _chunk(self) -> bool:
        if self._left and not self._take():
            return False
        if len(self._buffer) < 2:
            return False
        if self._buffer[:2] != b"\r\n":
            raise ProtocolError("a chunk of the HTTP response is longer than it said")
        del self._buffer[:2]
        self._state = self._chunk_size
        return True

    def _trailer(self) -> bool:
        line = self._line()
        if line is None:
            return False
        self._interim += 1
        if self._interim > MAX_HEADERS:
            raise ProtocolError("the HTTP response has too many trailers")
        self.done = line == b""
        return True


def _fields(lines: List[bytes]) -> Dict[str, str]:
    if len(lines) > MAX_HEADERS:
        raise ProtocolError("the HTTP response has too many headers")
    found: Dict[str, str] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if not field:
            raise ProtocolError("a header of the HTTP response is malformed")
        name, value = field.group(1).decode("ascii").lower(), field.group(2).decode("latin-1")
        if name in found and name == "content-length" and found[name] != value:
            raise ProtocolError("the HTTP response has two lengths")
        found[name] = value if name not in found or name == "content-length" else f"{found[name]}, {value}"
    return found


def retry_after_s(value: Optional[str]) -> Optional[float]:
    """The seconds of a Retry-After header; None for the form with a date, which needs a clock."""
    return float(value) if value is not None and re.fullmatch(r"[0-9]{1,9}", value) else None


def max_age_s(headers: Dict[str, str], default: float) -> float:
    """For how long a response may be used without asking again (P-HTTP-21)."""
    directives: List[Tuple[str, str]] = []
    for part in headers.get("cache-control", "").lower().split(","):
        name, _, value = part.strip().partition("=")
        directives.append((name, value.strip('"')))
    if any(name in ("no-cache", "no-store") for name, _ in directives):
        return 0.0
    ages = [
        float(value) for name, value in directives if name == "max-age" and re.fullmatch(r"[0-9]{1,9}", value)
    ]
    return min(ages) if ages else default

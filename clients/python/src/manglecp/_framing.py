"""How messages travel on a session: a line each on stdio; WebSocket by the I/O-free half of `websockets`.
(10.4 or later)."""

from __future__ import annotations

from typing import Any, List, Optional

from .errors import ConnectFailed, MissingExtra, ProtocolError

SUBPROTOCOL = "manglecp"


class WebSocketFraming:
    """Messages to frames and back. `opened` once the handshake is done.

    A message may arrive in fragments (D-59); it leaves in one text frame (P-WS-3, P-WS-4)."""

    def __init__(self, url: str, max_message: int) -> None:
        try:
            import websockets.client as library
            import websockets.uri
        except ImportError as error:
            raise MissingExtra(
                "WebSocket needs the library websockets: pip install 'manglecp[ws]' (Debian: python3-websockets)"
            ) from error
        make: Any = getattr(library, "ClientProtocol", None) or getattr(library, "ClientConnection")
        self._protocol: Any = make(
            websockets.uri.parse_uri(url), subprotocols=[SUBPROTOCOL], extensions=None, max_size=max_message
        )
        self.opened = False
        self.closed = False  # by the other side
        self._parts: List[bytes] = []
        self._size = 0
        self._max_message = max_message
        self._library: Any = library

    def greeting(self) -> bytes:
        """The upgrade request."""
        handshake = self._protocol.connect()
        self._protocol.send_request(handshake)
        return self.outgoing()

    def receive(self, data: bytes) -> List[bytes]:
        """The messages that are whole now. Raises ConnectFailed, ProtocolError."""
        try:
            self._protocol.receive_data(data)
            events = self._protocol.events_received()
        except Exception as error:
            raise ProtocolError(f"the WebSocket connection broke: {error}") from error
        messages: List[bytes] = []
        for event in events:
            if not hasattr(event, "opcode"):
                self._upgraded(event)
                continue
            message = self._frame(event)
            if message is not None:
                messages.append(message)
        broken: Optional[BaseException] = getattr(self._protocol, "parser_exc", None)
        if broken is not None and not messages:
            raise ProtocolError(f"the WebSocket connection broke: {broken}")
        return messages

    def _upgraded(self, response: Any) -> None:
        refused = getattr(self._protocol, "handshake_exc", None) or getattr(response, "exception", None)
        if refused is not None:
            raise ConnectFailed(f"the server does not open a WebSocket: {refused}") from None
        self.opened = True

    def _frame(self, frame: Any) -> Optional[bytes]:
        name = frame.opcode.name
        self.closed = self.closed or name == "CLOSE"
        if name not in ("TEXT", "BINARY", "CONT"):
            return None  # pongs go out by themselves, a close is answered by itself
        self._size += len(frame.data)
        if self._size > self._max_message:
            raise ProtocolError(f"the message is larger than {self._max_message} bytes")
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        whole = b"".join(self._parts)
        self._parts, self._size = [], 0
        return whole

    def frame(self, message: bytes) -> bytes:
        self._protocol.send_text(message)
        return self.outgoing()

    def ping(self) -> bytes:
        self._protocol.send_ping(b"mgcp")
        return self.outgoing()

    def farewell(self) -> bytes:
        try:
            self._protocol.send_close(1000)
        except Exception:  # closing already: the library names this differently from version to version
            return b""
        return self.outgoing()

    def outgoing(self) -> bytes:
        return b"".join(self._protocol.data_to_send())


class LineFraming:
    """One message a line (P-STDIO-2). Lines that are too long end the session."""

    opened = True
    closed = False

    def __init__(self, max_message: int) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._max_message = max_message

    def receive(self, data: bytes) -> List[bytes]:
        messages: List[bytes] = []
        self._buffer += data
        while True:
            end = self._buffer.find(b"\n", self._searched)
            length = len(self._buffer) if end < 0 else end
            if length > self._max_message + 1:  # and a carriage return
                raise ProtocolError(f"the server sent a line of more than {self._max_message} bytes")
            if end < 0:
                self._searched = len(self._buffer)
                return messages
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if line.strip():
                messages.append(line)

    def frame(self, message: bytes) -> bytes:
        return message + b"\n"

    def ping(self) -> bytes:
        return b""

    def farewell(self) -> bytes:
        return b""

    def outgoing(self) -> bytes:
        return b""

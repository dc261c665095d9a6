"""A WebSocket client that speaks bytes: every frame is built and read by hand, so that a test can send
what no library would, and see each frame as it came."""
import base64
import hashlib
import os
import struct

from blackbox import *

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PATH = "/manglecp/ws"


def frame(opcode, payload=b"", fin=True, masked=True, reserved=0, length=None):
    """One frame; `length`: announce so many bytes, whatever there is."""
    n = len(payload) if length is None else length
    head = bytes([fin << 7 | reserved << 4 | opcode])
    mark = 0x80 if masked else 0
    if n < 126:
        head += bytes([mark | n])
    elif n < 65536:
        head += bytes([mark | 126]) + struct.pack(">H", n)
    else:
        head += bytes([mark | 127]) + struct.pack(">Q", n)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    key = int.from_bytes((mask * (len(payload) // 4 + 1))[:len(payload)], "big")
    mixed = (int.from_bytes(payload, "big") ^ key).to_bytes(len(payload), "big")
    return head + mask + mixed


class Socket:
    """An upgraded connection. The manifest is read, unless greet is False."""

    def __init__(self, listener, token=None, path=PATH, greet=True, connection=None, early=b"", **headers):
        self.connection = connection or listener.connect(token)
        key = base64.b64encode(os.urandom(16)).decode()
        wanted = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
                  "Sec_WebSocket_Key": key, **headers}
        self.connection.send(self.connection.head("GET", path, **wanted) + early)
        self.response = self.connection.response()
        self.late = []
        self.manifest = None
        self.pings = []
        if self.response.status != 101:
            return
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode())
                                  .digest()).decode()
        equal(self.response.headers["sec-websocket-accept"], accept, "Sec-WebSocket-Accept")
        equal(self.response.headers["upgrade"].lower(), "websocket", "Upgrade")
        equal(self.response.headers["connection"].lower(), "upgrade", "Connection")
        expect("sec-websocket-extensions" not in self.response.headers, "an extension was chosen")
        if greet:
            self.manifest = self.receive()
            equal(self.manifest["type"], "manifest", "first message")  # P-WS-1
            equal(self.manifest["id"], None, "id of the manifest")

    def write(self, raw):
        self.connection.send(raw)

    def take(self, count):
        """So many bytes, or None at the end of the connection."""
        c = self.connection
        while len(c.kept) < count:
            if not c.fill():
                expect(not c.kept, f"the connection ends within a frame: {shown(c.kept)}")
                return None
        taken, c.kept = c.kept[:count], c.kept[count:]
        return taken

    def frame(self):
        """(opcode, payload) of the next frame; None at the end. Every frame is whole and unmasked."""
        head = self.take(2)
        if head is None:
            return None
        opcode, n = head[0] & 15, head[1] & 127
        equal(head[0] & 0x70, 0, "reserved bits")
        expect(head[0] & 0x80, "the server sent a fragment")  # P-WS-4
        expect(not head[1] & 0x80, "the server masked a frame")
        if n == 126:
            n = struct.unpack(">H", self.take(2))[0]
            expect(n > 125, "a length that could be shorter")
        elif n == 127:
            n = struct.unpack(">Q", self.take(8))[0]
            expect(n > 65535, "a length that could be shorter")
        payload = self.take(n) if n else b""
        expect(payload is not None, "the connection ends within a frame")
        return opcode, payload

    def receive(self):
        """The next message; pings are answered on the way."""
        while True:
            got = self.frame()
            expect(got is not None, f"the connection ended\n{self.connection.server.program.log()}")
            opcode, payload = got
            if opcode == PING:
                self.pings.append(payload)
                self.write(frame(PONG, payload))
            elif opcode != PONG:
                expect(opcode == TEXT, f"no text frame: {opcode} {shown(payload)}")  # P-WS-3
                return check_message(decode(payload))  # P-WS-5

    def send(self, *messages):
        self.write(b"".join(frame(TEXT, encode(m)) for m in messages))

    def ask(self, message, progress=None):
        self.send(message)
        while (answer := self.receive())["type"] == "progress":
            if progress is not None:
                progress.append(answer)
        wanted = message["id"] if isinstance(message, dict) else answer["id"]
        equal(answer["id"], wanted, f"id of {shown(answer)}")
        return answer

    def closes(self, code):
        """What comes next is a close frame with this code; it is answered, and then the server ends the
        connection. The reason."""
        got = self.frame()
        while got is not None and got[0] in (PING, PONG):
            got = self.frame()
        expect(got is not None, "the connection ended without a close frame")
        opcode, payload = got
        expect(opcode == CLOSE, f"no close frame: {opcode} {shown(payload)}")
        equal(struct.unpack(">H", payload[:2])[0] if payload else None, code, f"code of {payload}")
        try:
            self.write(frame(CLOSE, payload[:2]))
        except OSError:
            pass  # the server does not listen any more
        self.ended()
        return payload[2:].decode()

    def ended(self):
        expect(self.frame() is None, "a frame after the close frame")

    def close(self, code=1000):
        """The normal handshake, from our side."""
        self.write(frame(CLOSE, struct.pack(">H", code)))
        while (got := self.frame()) is not None and got[0] != CLOSE:
            pass
        expect(got is not None, "no close frame came back")  # P-WS-6
        equal(got[1], struct.pack(">H", code), "the close frame that came back")
        self.ended()

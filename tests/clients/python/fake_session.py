"""A scripted server of a session transport: lines through a child that is a mere wire, or WebSocket frames
written and read by hand, so that nothing is shared with what is tested."""

import base64
import hashlib
import socket
import struct
import threading
import time

from both import *

CLOSE = object()


class Raw:
    """An answer that does what it likes: called with the connection and the message."""

    def __init__(self, act):
        self.act = act


class Lines:
    """One message a line."""

    def __init__(self, s):
        self.s, self.file = s, s.makefile("rb")

    def begin(self):
        return True

    def receive(self):
        return self.file.readline() or None

    @staticmethod
    def packed(data):
        return data + b"\n"

    def bye(self):
        pass


class Frames:
    """RFC 6455, the server's side: strict about what a client may send (P-WS-3, P-WS-4)."""

    def __init__(self, s):
        self.s, self.file = s, s.makefile("rb")
        self.pongs, self.faults, self.headers, self.closed_with = [], [], {}, None

    def begin(self):
        lines = []
        while (line := self.file.readline()) not in (b"\r\n", b""):
            lines.append(line.decode().rstrip())
        self.target = lines[0].split(" ")[1] if lines else ""
        self.headers = {n.lower(): v.strip() for n, v in (line.split(":", 1) for line in lines[1:])}
        key = self.headers.get("sec-websocket-key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        reply = [
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Accept: {accept}",
        ]
        self.s.sendall(("\r\n".join(reply) + "\r\n\r\n").encode())
        return bool(lines)

    def exactly(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def receive(self):
        while True:
            try:
                first, second = self.exactly(2)
                length = second & 127
                if length > 125:
                    length = int.from_bytes(self.exactly(2 if length == 126 else 8), "big")
                mask = self.exactly(4) if second & 128 else self.faults.append("not masked") or bytes(4)
                data = bytes(b ^ mask[i % 4] for i, b in enumerate(self.exactly(length)))
            except EOFError:
                return None
            opcode = first & 15
            if opcode == 10:
                self.pongs.append(data)
            elif opcode == 9:
                self.s.sendall(self.frame(10, data))
            elif opcode == 8:
                self.closed_with = int.from_bytes(data[:2], "big")
                self.s.sendall(self.frame(8, data))
                return None
            else:
                if first != 0x81:
                    self.faults.append(f"a message in a frame {first:#x}")
                return data

    @staticmethod
    def frame(opcode, data, fin=True):
        head = bytes([(128 if fin else 0) | opcode])
        if len(data) < 126:
            return head + bytes([len(data)]) + data
        size = struct.pack(">BH", 126, len(data)) if len(data) < 65536 else struct.pack(">BQ", 127, len(data))
        return head + size + data

    def packed(self, data):
        return self.frame(1, data)

    def bye(self):
        self.s.sendall(self.frame(8, struct.pack(">H", 1001)))


class Connection:
    def __init__(self, s, wire, number):
        self.s, self.wire, self.number = s, wire, number
        self.begun = time.monotonic()
        self.received = []  # (seconds since the beginning, message)
        self.lock = threading.Lock()
        self.ended = threading.Event()

    def send(self, *messages):
        with self.lock:
            for message in messages:
                data = message if isinstance(message, bytes) else json.dumps(message).encode()
                self.s.sendall(self.wire.packed(data))

    def raw(self, data):
        with self.lock:
            self.s.sendall(data)

    def cut(self):
        with contextlib.suppress(OSError):
            self.s.shutdown(socket.SHUT_RDWR)

    def types(self):
        return [message["type"] for _, message in self.received]


class FakeSession:
    """`greetings`: what each connection begins with, in order, the last one for all others: a message, bytes,
    or a Raw. `script`: as for HTTP; None: no answer; a list: several messages."""

    def __init__(self, wire, script=None, greetings=None):
        self.wire, self.script = wire, script or Script()
        self.greetings = list(greetings or [manifest()])
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for c in self.connections:
            c.cut()

    def accept(self):
        while True:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            c = Connection(s, self.wire(s), len(self.connections) + 1)
            self.connections.append(c)
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        try:
            if not c.wire.begin():
                return
            greeting = self.greetings.pop(0) if len(self.greetings) > 1 else self.greetings[0]
            threading.Thread(target=self.greet, args=(c, greeting), daemon=True).start()
            while (data := c.wire.receive()) is not None:
                message = json.loads(data)
                c.received.append((time.monotonic() - c.begun, message))
                answer = self.script(message)
                if isinstance(answer, Raw):
                    answer = answer.act(c, message)
                if answer is CLOSE:
                    return
                if answer is not None:
                    c.send(*(answer if isinstance(answer, list) else [answer]))
        except OSError:
            pass
        finally:
            c.ended.set()
            c.cut()
            c.wire.file.close()
            c.s.close()

    @staticmethod
    def greet(c, greeting):
        with contextlib.suppress(OSError):
            if isinstance(greeting, Raw):
                greeting.act(c, None)
            else:
                c.send(greeting)

    def last(self):
        return self.connections[-1]


class Stdio:
    name, wire = "stdio", Lines

    @staticmethod
    async def open(api, server, settings, *more):
        relay = [
            sys.executable,
            "-S",
            "-E",
            str(pathlib.Path(__file__).parent / "relay.py"),
            str(server.port),
            *more,
        ]
        return await api.spawn(relay, settings)


class WebSocket:
    name, wire = "websocket", Frames

    @staticmethod
    async def open(api, server, settings):
        return await api.connect(f"ws://127.0.0.1:{server.port}/manglecp/ws", settings)


def has_websockets():
    try:
        import websockets  # noqa: F401
    except ImportError:
        return False
    return True


def run_sessions(namespace):
    """Tests that take `api` and `via` run with both clients over both transports, if the library is there."""
    tap = run(namespace_without_via(namespace), finish=False)
    for name, function in list(namespace.items()):
        if not name.startswith("test_") or "via" not in inspect.signature(function).parameters:
            continue
        if not all(w in name for w in sys.argv[1:]):
            continue
        for via in (Stdio, WebSocket):
            for api in (Blocking, Asyncio):
                title = f"{words(function)} ({via.name}, {api.name})"
                if via is WebSocket and not has_websockets():
                    tap.skip(title, "the Python library websockets is not installed")
                    continue
                tap.attempt(title, lambda: called(lambda a: function(a, via), api))
    tap.finish()


def namespace_without_via(namespace):
    return {
        n: f for n, f in namespace.items() if n.startswith("test_") and "via" not in inspect.signature(f).parameters
    }

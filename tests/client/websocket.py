"""The client over a WebSocket: what goes over the wire, what it makes of losses, and whom it trusts."""
import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

import fake
from fake import (HttpServer, RESULT, TOOL, Failure, ended, envelope, equal, error, expect, http, manglecp, manifest,
                  run, tools)

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Gone(Exception):
    pass


class Socket:
    """One connection, the server's side, in frames."""

    def __init__(self, server, connection, number):
        self.server, self.connection, self.number = server, connection, number
        self.stream = connection.makefile("rb")

    def exactly(self, count):
        data = self.stream.read(count)
        if len(data) < count:
            raise Gone()
        return data

    def head(self):
        lines = []
        while (line := self.stream.readline().decode().strip()):
            lines.append(line)
        if not lines:
            raise Gone()
        self.request = lines[0]
        self.headers = dict((n.lower(), v.strip()) for n, _, v in (l.partition(":") for l in lines[1:]))
        return self

    def accept(self, key=None, status="101 Switching Protocols"):
        key = key or self.headers["sec-websocket-key"]
        answer = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        self.raw(f"HTTP/1.1 {status}\r\nConnection: keep-alive\r\nUpgrade: websocket\r\nconnection:Upgrade\r\n"
                 f"Sec-WebSocket-Accept: {answer}\r\nSec-WebSocket-Protocol: manglecp\r\n\r\n".encode())

    def raw(self, data):
        self.connection.sendall(data)

    def frame(self, opcode, payload, fin=True, mask=None):
        first = (0x80 if fin else 0) | opcode
        size = len(payload)
        bit = 0x80 if mask else 0
        if size < 126:
            head = struct.pack("!BB", first, bit | size)
        elif size < 65536:
            head = struct.pack("!BBH", first, bit | 126, size)
        else:
            head = struct.pack("!BBQ", first, bit | 127, size)
        if mask:
            payload = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
            head += mask
        self.raw(head + payload)

    def say(self, message):
        self.frame(1, json.dumps(message).encode())

    def listen(self):
        """the next frame: (opcode, payload); it must be whole and masked"""
        first, second = self.exactly(2)
        expect(first & 0x70 == 0, "reserved bits are set")
        expect(first & 0x80, "a frame that is not the whole message")  # P-WS-4
        expect(second & 0x80, "a client's frame without a mask")
        size = second & 0x7f
        if size == 126:
            size, = struct.unpack("!H", self.exactly(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.exactly(8))
        mask, data = self.exactly(4), self.exactly(size)
        return first & 15, bytes(b ^ mask[i % 4] for i, b in enumerate(data))

    def read(self):
        """the next message, kept; None: it closed"""
        while True:
            opcode, data = self.listen()
            if opcode == 8:
                self.server.closes.append(data)
                self.frame(8, data)
                return None
            if opcode == 10:
                self.server.pongs.append(data)
                continue
            equal(opcode, 1, "opcode")  # P-WS-3
            message = json.loads(data)  # P-WS-5: one JSON value and nothing after it
            self.server.log.append((self.number, message))
            return message

    def answer(self, request, payload):
        kind = "error" if "code" in payload else request["type"].replace("_request", "_response")
        if request["type"] == "authenticate" and kind != "error":
            kind = "authenticate_response"
        self.say(envelope(kind, payload, request["id"]))

    def default(self):
        while (request := self.read()):
            self.answer(request, fake.default_answer(request))


class WsServer:
    """`play` is called for each connection with a Socket; what goes wrong there is told at the end."""

    def __init__(self, play, context=None):
        self.play, self.context = play, context
        self.log, self.closes, self.pongs, self.faults, self.heads = [], [], [], [], []
        self.number = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"{'wss' if context else 'ws'}://localhost:{self.port}/manglecp/ws"
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.socket.close()
        if self.faults and kind is None:
            raise self.faults[0]

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.number += 1
            threading.Thread(target=self.serve, args=(connection, self.number), daemon=True).start()

    def serve(self, connection, number):
        try:
            connection.settimeout(fake.PATIENCE)
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection:
                s = Socket(self, connection, number).head()
                self.heads.append((s.request, s.headers))
                self.play(s)
        except (Gone, OSError, ssl.SSLError):
            pass
        except Exception as e:
            self.faults.append(e)

    @property
    def types(self):
        return [m["type"] for _, m in self.log]


def well(s):
    s.accept()
    s.say(manifest())
    s.default()


def invoke(server, *more, **options):
    return manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "label=x", *more, **options)


# ---- the wire -----------------------------------------------------------------------------------------------

def test_a_conversation_over_a_websocket():  # P-WS-3, P-WS-4, P-WS-5, P-WS-6
    with WsServer(well) as server:
        ended(invoke(server), 0, out="It is done.")
        equal(server.types, ["intent_request", "invoke_request"])
        equal(server.heads[0][0], "GET /manglecp/ws HTTP/1.1")
        equal(server.heads[0][1]["sec-websocket-version"], "13")
        expect("manglecp" in server.heads[0][1]["sec-websocket-protocol"], "the subprotocol")
        expect("authorization" not in server.heads[0][1], "credentials at the upgrade")
        time.sleep(0.3)
        equal(server.closes, [struct.pack("!H", 1000)], "it says goodbye")


def late(s):
    s.accept()
    s.connection.settimeout(1.5)
    try:
        s.stream.peek(1)
        raise Failure("something came before the manifest")
    except TimeoutError:
        pass
    s.connection.settimeout(fake.PATIENCE)
    s.stream = s.connection.makefile("rb")
    s.say(manifest())
    s.default()


def test_nothing_is_sent_before_the_manifest():  # P-WS-2
    with WsServer(late) as server:
        ended(manglecp("intent", server.url, "work"), 0, out="1 tool")


def test_large_messages_travel_whole():
    big = "x" * 200000

    def play(s):
        s.accept()
        s.say(manifest())
        request = s.read()
        equal(len(request["payload"]["facts"][0]["args"][0]), 200000)
        s.answer(request, tools(dict(TOOL, description=big)))
        s.default()
    with open("facts.json", "w") as f:
        json.dump([{"pred": "noted", "args": [big, 1]}], f)
    with WsServer(play) as server:
        ran = manglecp("intent", server.url, "work", "--facts", "facts.json", "--json")
        ended(ran, 0)
        equal(len(json.loads(ran.out)["payload"]["macro_tools"][0]["description"]), 200000)


def test_a_message_in_fragments_with_a_ping_between_is_read():
    def play(s):
        s.accept()
        whole = json.dumps(manifest()).encode()
        s.frame(1, whole[:10], fin=False)
        s.frame(9, b"ping")
        s.frame(0, whole[10:20], fin=False)
        s.frame(0, whole[20:])
        s.default()
    with WsServer(play) as server:
        ended(manglecp("intent", server.url, "work"), 0)
        equal(server.pongs, [b"ping"])  # P-WS-9


def test_a_server_byte_by_byte_is_understood():
    def play(s):
        class Slow:
            def __init__(self, inner):
                self.inner = inner

            def sendall(self, data):
                for i in range(0, len(data), 7):
                    self.inner.sendall(data[i:i + 7])
                    if i % 700 == 0:
                        time.sleep(0.002)
        s.accept()
        s.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        s.connection = Slow(s.connection)
        s.say(manifest())
        s.default()
    with WsServer(play) as server:
        ended(invoke(server), 0)


# ---- what is wrong --------------------------------------------------------------------------------------------

def test_a_server_that_breaks_the_frames_is_left():
    faults = {
        "masked": lambda s: s.frame(1, b"{}", mask=b"abcd"),
        "reserved opcode": lambda s: s.frame(3, b"{}"),
        "binary": lambda s: s.frame(2, b"{}"),
        "no UTF-8": lambda s: s.frame(1, b"\xff\xfe"),
        "a control frame in fragments": lambda s: s.frame(9, b"x", fin=False),
        "a continuation of nothing": lambda s: s.frame(0, b"x"),
        "no message": lambda s: s.frame(1, b"hello"),
    }
    for name, fault in faults.items():
        def play(s, fault=fault):
            s.accept()
            fault(s)
            s.read()
        with WsServer(play) as server:
            ran = manglecp("manifest", server.url)
            expect(ran.status == 2 and ran.err.startswith("error: "), f"{name}: {ran}")


def test_an_upgrade_that_is_refused_is_explained():
    def refuse(s):
        s.raw(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    def wrong_key(s):
        s.accept(key="d3Jvbmc=")

    def other_protocol(s):
        s.raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")

    def endless(s):
        while True:
            s.raw(b"X-Header: " + b"y" * 4000 + b"\r\n")
    for play, said in ((refuse, "status 403"), (wrong_key, "is no WebSocket"), (other_protocol, "does not speak HTTP"),
                       (endless, "head without end")):
        with WsServer(play) as server:
            ended(manglecp("manifest", server.url), 2, err=said)


def test_silence_is_left_at_each_stage():
    def mute(s):
        time.sleep(20)

    def mute_after_upgrade(s):
        s.accept()
        time.sleep(20)
    for play in (mute, mute_after_upgrade):
        with WsServer(play) as server:
            ran = manglecp("manifest", server.url, "--manifest-timeout-ms", "700")
            ended(ran, 2, err="did not answer in time")
            expect(ran.seconds < 10, f"it took {ran.seconds} s")


def test_who_only_talks_is_left_by_the_deadline():
    """Pings, pongs and pieces without end: something can always be read, and the answer never comes."""
    def flood(piece):
        def play(s):
            s.accept()
            s.say(manifest())
            s.read()
            threading.Thread(target=drain, args=(s,), daemon=True).start()
            while True:
                s.raw(piece * 2000)
        return play

    def drain(s):
        try:
            while s.connection.recv(65536):
                pass
        except OSError:
            pass
    for name, piece in (("pings", b"\x89\x01x"), ("pongs", b"\x8a\x01x")):
        with WsServer(flood(piece)) as server:
            ran = manglecp("intent", server.url, "work", "--timeout-ms", "900")
            ended(ran, 2, err="did not answer in time")
            expect(ran.seconds < 20, f"{name}: it took {ran.seconds} s")


def test_a_message_that_is_too_large_is_refused():
    """Announced, or in pieces that never end."""
    def announced(s):
        s.raw(struct.pack("!BBQ", 0x81, 127, 1 << 40))
        drown(s)

    def in_pieces(s):
        s.frame(1, b" ", fin=False)
        while True:
            s.frame(0, b" " * 1000000, fin=False)

    def drown(s):
        while True:
            s.raw(b" " * 1000000)
    for flood in (announced, in_pieces):
        def play(s, flood=flood):
            s.accept()
            s.say(manifest())
            s.read()
            flood(s)
        with WsServer(play) as server:
            ended(manglecp("intent", server.url, "work", "--timeout-ms", "30000"), 2, err=["error: ", "large"])


def test_how_a_server_closes_is_told():
    for code, reason, said in ((1001, b"going away", "code 1001: going away"), (1011, b"", "code 1011"),
                               (4000, "\u202e".encode(), "code 4000"), (None, b"", "closed the connection")):
        def play(s, code=code, reason=reason):
            s.accept()
            s.say(manifest())
            s.read()
            s.frame(8, (struct.pack("!H", code) if code else b"") + reason)
            s.read()
        with WsServer(play) as server:
            ran = manglecp("intent", server.url, "work")
            ended(ran, 2, err=said)
            expect("\u202e" not in ran.err, ran.err)
            answered = [struct.pack("!H", code or 1000)] * 2  # P-WS-6; an intent is tried once more
            for _ in range(100):
                if server.closes == answered:
                    break
                time.sleep(0.05)
            equal(server.closes, answered, "the answer to the close")


def test_addresses_are_judged():
    ended(manglecp("manifest", "ws://me:hidden@localhost:1/"), 2, err="has credentials in it")
    ended(manglecp("manifest", "ws://127.0.0.1:1/"), 2, err="127.0.0.1")


# ---- losses -------------------------------------------------------------------------------------------------------

def test_a_lost_connection_is_made_anew_and_waits_for_the_manifest():  # P-WS-7, P-WS-8
    def play(s):
        s.accept()
        if s.number == 2:
            late_part(s)
        s.say(manifest(auth={"required": True, "schemes": ["bearer"]}))
        s.answer(s.read(), {"status": "authenticated", "identity": "a", "permissions": []})
        request = s.read()
        if s.number == 1:
            return  # cut, with the intent read
        s.answer(request, tools(TOOL))
        s.default()

    def late_part(s):
        s.connection.settimeout(0.8)
        try:
            s.stream.peek(1)
            raise Failure("the second connection was not silent")
        except TimeoutError:
            s.connection.settimeout(fake.PATIENCE)
            s.stream = s.connection.makefile("rb")
    with WsServer(play) as server:
        ended(invoke(server, "--token", "tok"), 0)
        equal([(n, m["type"]) for n, m in server.log],
              [(1, "authenticate"), (1, "intent_request"), (2, "authenticate"), (2, "intent_request"),
               (2, "invoke_request")])
        ids = [m["id"] for _, m in server.log]
        equal(len(set(ids)), len(ids), "ids, over both connections")


def test_a_lost_invocation_is_not_sent_again():
    def play(s):
        s.accept()
        s.say(manifest())
        while (request := s.read()):
            if request["type"] == "invoke_request":
                return
            s.answer(request, tools(TOOL))
    with WsServer(play) as server:
        ended(invoke(server), 4, err=["whether it ran is not known", "--resume"])
        equal(server.types, ["intent_request", "invoke_request"])


def test_a_connection_that_closed_before_the_invocation_is_no_loss():
    def play(s):
        s.accept()
        s.say(manifest())
        request = s.read()
        s.answer(request, tools(TOOL) if request["type"] == "intent_request" else RESULT)
        if s.number == 1:
            s.frame(8, struct.pack("!H", 1001) + b"going away")
            s.read()
            return
        s.default()
    with WsServer(play) as server:
        ran = invoke(server)
        # The close frame may come just before or just after the invocation leaves: it runs, or it is not known.
        expect(ran.status in (0, 4), ran.err)
        expect(server.types.count("invoke_request") <= 1, "sent twice")


def test_a_draining_server_is_left_for_another():  # P-READY-8
    def play(s):
        s.accept()
        s.say(manifest(status="draining" if s.number == 1 else "ready"))
        s.default()
    with WsServer(play) as server:
        ended(invoke(server), 0)
        equal({n for n, _ in server.log}, {2}, "connections that were asked")


# ---- what a manifest announces ------------------------------------------------------------------------------------------

def test_the_announced_address_is_used():
    with WsServer(well) as server:
        for form in (f"ws://127.0.0.1:{server.port}/manglecp/ws", f"//127.0.0.1:{server.port}/other?x=1"):
            with HttpServer(manifest=manifest(extensions={"x-websocket": form})) as web:
                ended(manglecp("invoke", web.url, "mark", "--intent", "work", "--arg", "label=x", "--websocket"), 0)
                equal([r.path for r in web.log], [fake.WELL_KNOWN])
        equal(server.heads[1][0], "GET /other?x=1 HTTP/1.1")
    with HttpServer() as web:
        ended(manglecp("intent", web.url, "work", "--websocket"), 2, err="announces no WebSocket")
    with HttpServer(manifest=manifest(extensions={"x-websocket": "file:///x"})) as web:
        ended(manglecp("intent", web.url, "work", "--websocket"), 2, err="is where the manifest leads")


def test_the_token_does_not_follow_to_another_origin():
    def play(s):
        s.accept()
        s.say(manifest(auth={"required": True, "schemes": ["bearer"]}))
        s.default()
    with WsServer(play) as server:
        away = f"ws://127.0.0.1:{server.port}/ws"
        with HttpServer(manifest=manifest(extensions={"x-websocket": away})) as web:
            ended(manglecp("intent", web.url, "work", "--websocket", "--token", "tok"), 2,
                  err="none for where the manifest leads")
        equal(server.log, [])


# ---- TLS ------------------------------------------------------------------------------------------------------------------

def certificate():
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    return context


def test_a_websocket_over_tls_needs_somebody_to_vouch_for_it():
    with WsServer(well, certificate()) as server:
        ended(manglecp("manifest", server.url), 2, err="certificate")
        equal(server.heads, [], "what was said without trust")
        ended(invoke(server, "--ca", "cert.pem"), 0, out="It is done.")
        ended(manglecp("manifest", server.url.replace("localhost", "127.0.0.1"), "--ca", "cert.pem"), 2,
              err="certificate")


sys.exit(run(globals()))

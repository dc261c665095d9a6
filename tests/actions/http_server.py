"""A server for the tests of actions over HTTP: echoes what it was asked, and can be hostile in many ways.

Every path but /echo... is a behaviour of its own; what arrived is kept in `seen`, oldest first."""
import gzip
import http.server
import json
import socket
import socketserver
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def raw(self, text):
        self.wfile.write(text if isinstance(text, bytes) else text.encode())
        self.wfile.flush()

    def answer(self, status, body=b"", headers=None, kind="application/json"):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def drip(self, piece, pause=0.02, most=3000):
        for _ in range(most):
            self.raw(piece)
            time.sleep(pause)

    def run(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode("utf-8", "replace")
        self.server.seen.append({"method": self.command, "path": self.path, "body": body,
                                 "headers": {k.lower(): v for k, v in self.headers.items()},
                                 "peer": self.client_address[1]})
        name = self.path.split("?")[0].strip("/").split("/")[0]
        try:
            getattr(self, "do_" + name, self.do_echo)()  # a behaviour, by name
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = run

    def do_echo(self):
        self.answer(200, self.server.seen[-1], {"ETag": '"7"'})

    def do_status(self):
        code = int(self.path.split("/")[2])
        self.answer(code, {"title": "Out of order", "detail": "the belt is torn"}, {"Retry-After": "17"},
                    "application/problem+json")

    def do_leak(self):  # what it was given comes back, in every place where something is told
        given = self.headers.get("Authorization") or self.headers.get("X-Api-Key") or self.path
        secret = given.split(" ")[-1]
        code = 400 if "bad" in self.path else 200
        self.answer(code, {"title": secret, "detail": f"<{secret}>", "x": [secret, {secret: secret}]},
                    {"ETag": secret, "Retry-After": secret})

    def do_leak_written(self):
        secret = self.headers["Authorization"].split(" ")[-1]
        percent = "".join(c if c.isalnum() else f"%{ord(c):02x}" for c in secret)
        self.answer(200, (percent + " " + secret.replace("/", "\\/") + " " + percent.upper().replace("S3CR3T", "s3cr3t").replace(
            "NEEDLE", "needle") + "\n").encode(), kind="text/plain")

    def do_redirect(self):  # /redirect/CODE/TARGET
        _, _, code, target = self.path.split("/", 3)
        self.answer(int(code), b"gone", {"Location": self.server.targets.get(target, "/" + target)})

    def do_loop(self):
        self.answer(302, b"", {"Location": self.path + "x"})

    def do_empty(self):
        self.send_response(204)
        self.end_headers()

    def do_silence(self):
        time.sleep(5)
        self.close_connection = True

    def do_text(self):
        self.answer(200, "häll\n".encode(), kind="text/plain")

    def do_bad_utf8(self):
        self.answer(200, b'"\xff\xfe"', kind="text/plain")

    def do_bad_json(self):
        self.answer(200, b'{"a": 1,\n "b" 2}')

    def do_deep_json(self):
        self.answer(200, b"[" * 5000 + b"]" * 5000)

    def do_big(self):
        self.answer(200, {"part": {"n": 1}, "fill": "x" * 1500000})

    def do_endless_body(self):
        self.raw("HTTP/1.1 200 OK\r\n\r\n")
        while True:
            self.raw(b"x" * 65536)

    def do_endless_chunks(self):
        self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.raw(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")

    def do_endless_headers(self):
        self.raw("HTTP/1.1 200 OK\r\n")
        while True:
            self.raw("X-A: " + "y" * 200 + "\r\n")

    def do_long_header(self):
        self.raw("HTTP/1.1 200 OK\r\nX-A: ")
        while True:
            self.raw("y" * 4000)

    def do_endless_continue(self):
        while True:
            self.raw("HTTP/1.1 100 Continue\r\n\r\n")

    def do_endless_trailers(self):
        self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        while True:
            self.raw("X-T: y\r\n")

    def do_slow_headers(self):
        self.raw("HTTP/1.1 200 OK\r\n")
        self.drip("X-A: y\r\n", 0.1)

    def do_slow_body(self):
        self.raw("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        self.drip("x", 0.1)

    def do_nul(self):
        self.answer(200, b'{"a": "\0"}')

    def do_twice(self):  # two answers to one question
        for which in ("first", "second"):
            body = json.dumps({"answer": which})
            self.raw(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}")

    def do_unasked(self):  # and one more a while later, when nobody asks
        self.answer(200, {"answer": "asked"})
        time.sleep(0.05)
        self.answer(200, {"answer": "nobody asked"})

    def do_announced(self):
        self.raw("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
        self.drip("x", 0.1)

    def do_bad_chunk(self):
        self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")
        self.close_connection = True

    def do_bad_length(self):
        self.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 900\r\n\r\nhello")
        self.close_connection = True

    def do_no_http(self):
        self.raw("SSH-2.0-OpenSSH_9.2p1\r\n")
        self.close_connection = True

    def do_cut(self):
        self.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":")
        self.close_connection = True

    def do_cut_chunk(self):
        self.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe")
        self.close_connection = True

    def do_hang_up(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def do_bomb(self):
        body = gzip.compress(b"x" * 50_000_000)
        self.answer(200, body, {"Content-Encoding": "gzip"})

    def do_hollow(self):  # gzip that decodes to nothing, endlessly
        self.raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" )
        self.raw(b"\x1f\x8b\x08\0\0\0\0\0\0\x03")
        while True:
            self.raw(b"\0\0\0\xff\xff" * 8000)

    def do_zipped(self):
        self.answer(200, gzip.compress(b'{"plain": true}'), {"Content-Encoding": "gzip"})

    def do_bad_zip(self):
        self.answer(200, b"\x1f\x8b\x08no gzip at all", {"Content-Encoding": "gzip"})

    def do_cookie(self):
        self.answer(200, self.server.seen[-1], {"Set-Cookie": "a=b; Path=/"})


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address=("127.0.0.1", 0), family=socket.AF_INET):
        self.address_family = family
        super().__init__(address, Handler)
        self.seen, self.targets = [], {}
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass

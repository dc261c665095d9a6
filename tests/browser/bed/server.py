#!/usr/bin/env python3
"""The test bed: five applications, each page of them whole or with one fault in it.

    python3 server.py [--port 8460] [--other 8461]     port 0 picks a free one
    python3 server.py --list                           the pages, their faults and the steps of a user

Every page of pages.py lives under a prefix of its own (/t07/shop/), and so do its API and its scripts;
what is under one prefix knows nothing of the others. A second port, reached as 127.0.0.1 where the
pages are on localhost, plays the other companies: advertisements, a payment provider, an image host.
A third is bound and never listens: nobody answers there. Nothing but Python's library, one process,
no clock and no chance in any answer; loading a page's first document sets its state back.
"""
import argparse
import base64
import hashlib
import json
import pathlib
import re
import socket
import struct
import threading
import time
import urllib.parse
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pages
from replies import Reply, Socket, Stream, fail

WEB = pathlib.Path(__file__).resolve().parent / "web"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json"}
OPEN_SECONDS = 60  # for how long a request without an answer is kept
SOCKET_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
MOST_BODY = 1 << 20


class Request:
    """What a route is given: state is a dict that lives as long as the page is open."""

    def __init__(self, handler, page, path, state):
        url = urllib.parse.urlsplit(handler.path)
        self.method, self.path, self.state, self.page = handler.command, path, state, page
        self.query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.headers, self.base = handler.headers, "/" + page.prefix
        self.cookies = {k: v.value for k, v in SimpleCookie(handler.headers.get("Cookie", "")).items()}
        size = min(int(handler.headers.get("Content-Length") or 0), MOST_BODY)
        self.raw = handler.rfile.read(size) if size else b""
        self.other, self.closed = handler.server.other_url, handler.server.closed_url
        self.origin = handler.server.page_url
        self.part = ()

    @property
    def json(self):
        try:
            return json.loads(self.raw)
        except ValueError:
            return {}

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.raw.decode("utf-8", "replace")))

    def count(self, name):
        """How often this was asked, from 1."""
        self.state[name] = self.state.get(name, 0) + 1
        return self.state[name]


class Channel:
    """The server's end of a WebSocket: whole text frames below 64 KiB, as a browser sends them."""

    def __init__(self, handler):
        self.rfile, self.wfile, self.socket = handler.rfile, handler.wfile, handler.connection

    def send(self, value):
        data = (value if isinstance(value, str) else json.dumps(value)).encode()
        head = struct.pack(">BB", 0x81, len(data)) if len(data) < 126 else struct.pack(">BBH", 0x81, 126, len(data))
        self.wfile.write(head + data)

    def close(self, code, reason=""):
        data = struct.pack(">H", code) + reason.encode()
        self.wfile.write(struct.pack(">BB", 0x88, len(data)) + data)

    def read(self, seconds=OPEN_SECONDS):
        """The next text of the client, None at its end or when nothing came for so long."""
        self.socket.settimeout(seconds)
        try:
            head = self.rfile.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return None
            size = head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.rfile.read(2))[0]
            mask, data = self.rfile.read(4), self.rfile.read(size)
            return bytes(b ^ mask[i % 4] for i, b in enumerate(data)).decode("utf-8", "replace")
        except OSError:
            return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_any(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        prefix, _, rest = path[1:].partition("/")
        page = pages.BY_PREFIX.get(prefix)
        if not page:
            return self.reply(Reply(404, "not found\n", "text/plain"))
        rest = "/" + rest
        request = Request(self, page, rest, self.server.states.setdefault(prefix, {}))
        if self.server.is_other:
            return self.route(request, "other:" + rest)
        if self.command == "GET" and rest == page.path.partition("?")[0]:
            self.server.states[prefix] = request.state = {}
        if rest.startswith("/assets/"):
            found = self.find(page, "GET " + rest, request)
            return self.answer(found, request) if found else self.static(page, rest[len("/assets/"):])
        return self.route(request, rest)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_any

    @staticmethod
    def find(page, key, request):
        """The route of the page itself, else of its application; {} stands for a part of a path."""
        for routes in (page.routes, pages.APPS[page.app].ROUTES, pages.COMMON):
            for pattern, route in routes.items():
                found = re.fullmatch(re.escape(pattern).replace(r"\{\}", "([^/]+)"), key)
                if found:
                    request.part = found.groups()
                    return route
        return None

    def route(self, request, path):
        found = self.find(request.page, f"{request.method} {path}", request)
        if found:
            return self.answer(found, request)
        if request.method == "GET" and re.match(rf"/{request.page.app}(/|$)", path):
            return self.static(request.page, f"{request.page.app}/{self.document(path)}")
        return self.reply(fail(404, {"error": "not found", "path": request.base + path}))

    def document(self, path):
        """A single-page application answers its index where there is no document of that name."""
        name = path.strip("/").partition("/")[2] + ".html"
        return name if re.fullmatch(r"[a-z-]+\.html", name) else "index.html"

    def answer(self, route, request):
        result = route(request) if callable(route) else route
        if isinstance(result, Socket):
            return self.socket_open(result, request)
        if isinstance(result, Stream):
            return self.stream(result, request)
        return self.reply(result)

    def reply(self, reply):
        end = time.monotonic() + (OPEN_SECONDS if reply.never else reply.wait)
        while time.monotonic() < end and not self.server.ended.is_set():
            self.server.ended.wait(min(0.5, max(0, end - time.monotonic())))
        if reply.never:
            self.close_connection = True
            return
        self.send_response(reply.status)
        if reply.status not in (204, 304):
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body)))
        if not any(name == "Cache-Control" for name, _ in reply.headers):
            self.send_header("Cache-Control", "no-store")
        for name, value in reply.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and reply.status not in (204, 304):
            self.wfile.write(reply.body)

    def static(self, page, name):
        file = (WEB / name).resolve()
        if WEB not in file.parents or file.suffix not in KINDS or not file.is_file():
            return self.reply(Reply(404, "not found\n", "text/plain; charset=utf-8"))
        text = page.changed(name, file.read_text())
        headers = []
        if file.suffix == ".html":
            headers = [(k, self.fill(v, page)) for k, v in page.headers]
        return self.reply(Reply(200, self.fill(text, page), KINDS[file.suffix], headers,
                                wait=page.slow.get(name, 0)))

    def fill(self, text, page):
        for name, value in (("{{base}}", "/" + page.prefix), ("{{other}}", f"{self.server.other_url}/{page.prefix}"),
                            ("{{closed}}", f"{self.server.closed_url}/{page.prefix}")):
            text = text.replace(name, value)
        return text

    def socket_open(self, which, request):
        key = self.headers.get("Sec-WebSocket-Key")
        if not key:
            return self.reply(fail(426, {"error": "upgrade required"}))
        accept = base64.b64encode(hashlib.sha1((key + SOCKET_KEY).encode()).digest()).decode()
        self.close_connection = True
        self.send_response(101)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)):
            self.send_header(name, value)
        self.end_headers()
        which.talk(Channel(self), request)

    def stream(self, which, request):
        self.close_connection = True
        self.send_response(200)
        for name, value in (("Content-Type", which.kind), ("Cache-Control", "no-store"), ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        for item in which.events(request):
            if isinstance(item, (int, float)):
                if self.server.ended.wait(item):
                    return
            else:
                self.wfile.write(item.encode())
                self.wfile.flush()

    def log_message(self, *args):
        """Quiet: the browser's side is what is of interest."""

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, TimeoutError, BrokenPipeError):
            pass  # the browser gave up on it: that is what some pages are about


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64


class Bed:
    """Both servers and the closed port, in threads of their own: with Bed() as bed: bed.url(page)."""

    def __init__(self, port=0, other=0):
        self.main, self.third = Server(("127.0.0.1", port), Handler), Server(("127.0.0.1", other), Handler)
        self.reserved = socket.socket()
        self.reserved.bind(("127.0.0.1", 0))
        self.origin = f"http://localhost:{self.main.server_address[1]}"
        self.ended = threading.Event()
        states = {}
        for server in (self.main, self.third):
            server.states, server.ended, server.is_other = states, self.ended, server is self.third
            server.page_url = self.origin
            server.other_url = f"http://127.0.0.1:{self.third.server_address[1]}"
            server.closed_url = f"http://127.0.0.1:{self.reserved.getsockname()[1]}"

    def url(self, page):
        return f"{self.origin}/{page.prefix}{page.path}"

    def __enter__(self):
        for server in (self.main, self.third):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for server in (self.main, self.third):
            server.shutdown()
            server.server_close()
        self.reserved.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8460)
    parser.add_argument("--other", type=int, default=8461)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--expected", action="store_true", help="print expected.json")
    options = parser.parse_args()
    if options.expected:
        print(json.dumps([page.expected() for page in pages.PAGES], indent=1))
        return
    if options.list:
        for page in pages.PAGES:
            print(f"{page.id:28} /{page.prefix}{page.path:24} {' '.join('='.join(step) for step in page.steps)}")
        return
    with Bed(options.port, options.other) as bed:
        print(f"{bed.origin}/  (Ctrl-C ends it; --list prints the pages)", flush=True)
        try:
            bed.ended.wait()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()

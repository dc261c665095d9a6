#!/usr/bin/env python3
"""A small dashboard with a bug in it, served with nothing but Python's library.

The page asks five APIs for its parts. Started as it is, /api/users has no handler: the list of users
then gets null where it expects an array and throws. Apart from that, a picture is missing, and a script
uses a name that nobody defines. With --healthy all three are there. Everything shown is made up here.

    python3 server.py [--port 8080] [--healthy]
"""
import argparse
import json
import pathlib
import struct
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATIC = pathlib.Path(__file__).resolve().parent / "static"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8"}
SLOW_SECONDS = 1.2

USERS = [
    {"id": 1, "name": "Ada Ruiz", "role": "owner", "last_seen": "2026-02-19T13:58:00Z"},
    {"id": 2, "name": "Bo Lindqvist", "role": "editor", "last_seen": "2026-02-19T09:12:00Z"},
    {"id": 3, "name": "Chidi Okafor", "role": "viewer", "last_seen": "2026-02-18T16:40:00Z"},
]


def session():
    return {"user": {"id": 1, "name": "Ada Ruiz"}, "locale": "en", "flags": ["reports"]}


def stats():
    return {"visits": 1284, "orders": 37, "conversion": 0.0288}


def activity():
    return {"items": [{"who": "Bo Lindqvist", "what": "edited the price list"},
                      {"who": "Ada Ruiz", "what": "invited Chidi Okafor"}]}


def reports():
    time.sleep(SLOW_SECONDS)
    return {"months": ["2025-12", "2026-01", "2026-02"], "revenue": [8120, 9430, 6015]}


API = {"/api/session": session, "/api/stats": stats, "/api/activity": activity,
       "/api/reports": reports}


def picture(side=24):
    """A one-coloured PNG."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + b"\x3b\x6e\xa8" * side for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api = API
    healthy = False

    def answer(self, status, kind, body, extra=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in extra:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_json(self, status, value, extra=()):
        self.answer(status, "application/json", json.dumps(value).encode(), extra)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path in self.api:
            extra = [("Set-Cookie", "sid=5f1c2a7e; Path=/; HttpOnly; SameSite=Lax")]
            self.answer_json(200, self.api[path](), extra if path == "/api/session" else ())
        elif path.startswith("/api/"):
            self.answer_json(404, {"error": "no route", "path": path})
        elif path == "/img/avatar.png" and self.healthy:
            self.answer(200, "image/png", picture())
        else:
            self.static_file(path)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/api/visits":
            self.answer(204, "application/json", b"")
        else:
            self.answer_json(404, {"error": "no route", "path": self.path})

    def static_file(self, path):
        name = "index.html" if path == "/" else path.removeprefix("/static/")
        file = STATIC / name
        if file.parent != STATIC or file.suffix not in TYPES or not file.is_file():
            self.answer(404, "text/plain; charset=utf-8", b"not found\n")
            return
        body = file.read_bytes()
        if name == "tracker.js" and self.healthy:
            body = b"const legacyTracker = { follow() {} };\n" + body
        self.answer(200, TYPES[file.suffix], body)

    def log_message(self, *args):
        """Quiet: the browser's side is what is of interest."""


def make_server(port, healthy):
    """A server bound to the loopback address; port 0 picks a free one."""
    api = dict(API)
    if healthy:
        api["/api/users"] = lambda: USERS
    handler = type("DashboardHandler", (Handler,), {"api": api, "healthy": healthy})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--healthy", action="store_true", help="serve /api/users too")
    options = parser.parse_args()
    server = make_server(options.port, options.healthy)
    print(f"http://localhost:{server.server_address[1]}/  (Ctrl-C ends it)")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()

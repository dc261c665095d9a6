#!/usr/bin/env python3
"""Weir Meadow: the festival's public site and the tools of its crew."""
import json
import pathlib
import sys
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, unquote, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import serve  # noqa: E402
import desk  # noqa: E402

WEB = HERE / "web"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", kind=None, headers=()):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body, ensure_ascii=False)
            kind = kind or "application/json; charset=utf-8"
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status not in (204, 304) and self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        size = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(size) if size else b""

    def json_body(self):
        try:
            return json.loads(self.raw or b"{}")
        except ValueError:
            return {}

    def dispatch(self):
        parts = urlsplit(self.path)
        self.way = unquote(parts.path)
        self.query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        self.raw = self.body()
        for method, pattern, handler in self.routes:
            found = pattern.fullmatch(self.way) if method == self.command else None
            if found:
                return handler(self, *found.groups())
        return self.otherwise()

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = dispatch


class Site(Base):
    routes = desk.SITE

    def otherwise(self):
        if self.command not in ("GET", "HEAD"):
            return self.answer(404, {"error": "no such resource"})
        path = (WEB / self.way.lstrip("/")).resolve()
        if WEB not in path.parents and path != WEB:
            return self.answer(404, "not here", "text/plain")
        if path.is_dir():
            path = path / "index.html"
        if not path.is_file():
            return self.answer(404, "<!doctype html><title>404</title><p>There is nothing here.", KINDS[".html"])
        desk.before(self.way)
        headers = [("Cache-Control", "no-cache"), *desk.policy(self.way)]
        return self.answer(200, self.server.filled(path.read_bytes()), KINDS.get(path.suffix, "application/octet-stream"), headers)


class Media(Base):
    routes = desk.MEDIA

    def otherwise(self):
        return self.answer(404, {"error": "no such object"}, headers=[("Access-Control-Allow-Origin", "*")])


if __name__ == "__main__":
    serve.run(Site, second=("MEDIA", Media), nobody=True)

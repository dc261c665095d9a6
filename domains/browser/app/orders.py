#!/usr/bin/env python3
"""A page of orders with a fault that shows far from where it is: what `make demo` plays.

A shopkeeper follows a link that chooses the language, or saves one in the form. From then on the page shows no orders, and its console blames
requests that are in order. The fault is a line of orders/region.js; --repaired serves that file without it.
Everything shown is made up here. Nothing but Python's library.

    python3 orders.py [--port 8090] [--folder orders] [--repaired]
"""
import argparse
import json
import pathlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = pathlib.Path(__file__).resolve().parent / "orders"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8"}
LOCALES = ("en-US", "de-DE")
TOKEN = "orders-token-1"
FAULT = ('language.replace("-", "_")', "language")
ORDERS = {"currency": "EUR", "months": [{"name": "September", "total": 8120}, {"name": "October", "total": 9430},
                                        {"name": "November", "total": 6015}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = FOLDER
    repaired = False

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def tell(self, status, value):
        self.answer(status, "application/json", json.dumps(value).encode())

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/api/profile":
            if self.headers.get("Authorization") == f"Bearer {TOKEN}":
                self.tell(200, {"customer": {"id": 7, "name": "Corner Shop"}})
            else:
                self.tell(401, {"message": "not signed in"})
        elif path == "/api/orders":
            if query == "customer=7":
                self.tell(200, ORDERS)
            else:
                self.tell(400, {"message": "customer must be a number"})
        elif path == "/api/locales":
            language = query.partition("=")[2]
            if language in LOCALES:
                self.tell(200, {"locale": language, "currency": "EUR"})
            else:
                self.tell(200, {"error": f"unknown language {language}", "locale": None})
        elif path == "/favicon.ico":
            self.answer(204, "image/x-icon", b"")
        else:
            self.file("index.html" if path == "/" else path.lstrip("/"))

    def do_POST(self):
        path, _, query = self.path.partition("?")
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path != "/api/token":
            self.tell(404, {"message": "no such thing"})
        elif query.partition("=")[2] in LOCALES:
            self.tell(200, {"token": TOKEN})
        else:
            self.tell(400, {"message": "locale is none"})

    def file(self, name):
        file = self.folder / name
        if file.parent != self.folder or file.suffix not in TYPES or not file.is_file():
            self.answer(404, "text/plain; charset=utf-8", b"not found\n")
            return
        text = file.read_text(encoding="utf-8")
        if self.repaired:
            text = text.replace(*FAULT)
        self.answer(200, TYPES[file.suffix], text.encode())

    def log_message(self, *args):
        """Quiet: the browser's side is what is of interest."""


def make_server(port, folder=FOLDER, repaired=False):
    """A server bound to the loopback address; port 0 picks a free one."""
    made = type("OrdersHandler", (Handler,), {"folder": pathlib.Path(folder).resolve(), "repaired": repaired})
    return ThreadingHTTPServer(("127.0.0.1", port), made)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--folder", default=FOLDER, help="the page's files, if they are elsewhere")
    parser.add_argument("--repaired", action="store_true", help="without the fault")
    options = parser.parse_args()
    server = make_server(options.port, options.folder, options.repaired)
    print(f"http://localhost:{server.server_address[1]}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()

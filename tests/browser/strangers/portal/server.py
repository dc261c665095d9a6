#!/usr/bin/env python3
"""Wavehall: a portal for records, concerts and chat. Standard library only."""
import base64, hashlib, json, os, pathlib, secrets, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, unquote, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import serve  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))

PAGES = {
    "/": ("home", None),
    "/player/sound": ("player_sound", None),
    "/player/queue": ("player_queue", None),
    "/newsletter": ("newsletter", None),
    "/chat/lounge": ("chat", "lounge.js"),
    "/chat/backstage": ("chat", "backstage.js"),
    "/settings/appearance": ("settings_appearance", None),
    "/settings/playback": ("settings_playback", None),
    "/events/tonight": ("events_tonight", None),
    "/catalogue/records": ("catalogue_records", None),
    "/tickets/checkout": ("tickets_checkout", None),
    "/tickets/basket": ("tickets_basket", None),
    "/tickets/reserve": ("tickets_reserve", None),
    "/tickets/redeem": ("tickets_redeem", None),
    "/search": ("search", "search.js"),
    "/search/advanced": ("search", "advanced.js"),
    "/venues/near": ("venues_near", None),
}

LAYOUT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Wavehall</title>
<meta name="viewport" content="width=device-width"><meta name="form-token" content="{token}">
<link rel="stylesheet" href="/static/site.css"><link rel="icon" href="/favicon.svg">
<script src="/static/shell.js"></script></head>
<body><header><b>Wavehall</b><nav><a href="/">Home</a><a href="/catalogue/records">Records</a><a href="/events/tonight">Events</a>
<a href="/chat/lounge">Chat</a><a href="/search">Search</a></nav><span id="account"></span></header>
<main>{body}</main><footer>Wavehall <span id="year"></span></footer></body></html>"""

SHOWS = [{"id": "nf-0412", "title": "Nils Frahm", "venue": "Great Hall", "time": "20:00"},
         {"id": "ka-0413", "title": "Kelly Lee Owens", "venue": "Silo", "time": "21:30"},
         {"id": "mm-0414", "title": "Mary Lattimore", "venue": "Chapel", "time": "19:00"}]
RECORDS = [{"title": "Spaces", "artist": "Nils Frahm", "year": 2013, "genre": "ambient", "added": "2026-11-02"},
           {"title": "Silver Ladders", "artist": "Mary Lattimore", "year": 2020, "genre": "ambient", "added": "2026-11-05"},
           {"title": "Black Focus", "artist": "Yussef Kamaal", "year": 2016, "genre": "jazz", "added": "2026-11-09"},
           {"title": "Promises", "artist": "Floating Points", "year": 2021, "genre": "jazz", "added": "2026-11-12"},
           {"title": "Pink Moon", "artist": "Nick Drake", "year": 1972, "genre": "folk", "added": "2026-11-20"}]
TRACKS = [{"title": "Says", "artist": "Nils Frahm", "seconds": 498}, {"title": "Strings of Light", "artist": "Yussef Kamaal", "seconds": 341}]
ROOMS = {"lounge": {"id": "lounge", "title": "The Lounge", "members": 14}, "backstage": {"id": "backstage", "title": "Backstage", "members": 3}}

lock = threading.Lock()
tokens, hits, seats_at, outputs_asked, sockets = {}, [], [], {}, {}


class Portal(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "wavehall"
    sys_version = ""

    def log_message(self, fmt, *args):
        sys.stderr.write("%s %s\n" % (time.strftime("%H:%M:%S"), fmt % args))

    def send(self, status, body, kind="application/json", headers=()):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def visitor(self):
        for part in (self.headers.get("cookie") or "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == "wh_visit":
                return value
        return None

    def page(self, name, script):
        visit = self.visitor() or secrets.token_hex(8)
        token = secrets.token_hex(8)
        tokens[visit] = token
        with open(f"{HERE}/pages/{name}.html") as f:
            body = f.read().replace("@@SCRIPT@@", script or "")
        self.send(200, LAYOUT.format(token=token, body=body), "text/html; charset=utf-8",
                  [("set-cookie", f"wh_visit={visit}; Path=/; SameSite=Lax")])

    def do_GET(self):
        url = urlsplit(self.path)
        path, query = url.path, {k: v[0] for k, v in parse_qs(url.query).items()}
        if path in PAGES:
            return self.page(*PAGES[path])
        if path.startswith("/ws/"):
            return self.websocket(path)
        if path == "/favicon.svg":
            return self.send(200, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#5a3fc0"/></svg>', "image/svg+xml")
        if path.startswith("/covers/"):
            if path.endswith("default.png") or "nf-" in path:
                png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
                return self.send(200, png, "image/png")
            return self.send(404, "no such cover", "text/plain")
        if path.startswith("/static/"):
            file = os.path.normpath(HERE + path)
            if file.startswith(HERE + "/static/") and os.path.isfile(file):
                kind = "text/css" if file.endswith(".css") else "text/javascript; charset=utf-8"
                with open(file, "rb") as f:
                    return self.send(200, self.server.filled(f.read()), kind)
        if path.startswith("/api/"):
            return self.api_get(path[4:], query)
        return self.page("home", None)      # a path of the front end's router

    def api_get(self, path, query):
        origin = urlsplit(self.headers.get("referer") or "").path
        if path == "/me":
            if origin == "/settings/playback":
                return self.send(401, {"error": "nobody is signed in"})
            visit = self.visitor()
            if visit:
                tokens[visit] = secrets.token_hex(8)
            return self.send(200, {"id": 311, "name": "Ida Holm", "formToken": tokens.get(visit)})
        if path == "/player/current":
            return self.send(200, TRACKS[0])
        if path == "/player/queue":
            return self.send(200, {"tracks": TRACKS})
        if path == "/player/outputs":
            visit = self.visitor()
            with lock:
                outputs_asked[visit] = outputs_asked.get(visit, 0) + 1
                first = outputs_asked[visit] == 1
            if first:
                return self.send(503, {"error": "waking up"}, headers=[("retry-after", "1")])
            return self.send(200, {"outputs": [{"name": "Kitchen", "online": True}, {"name": "Headphones", "online": False}]})
        if path == "/shows":
            return self.send(200, SHOWS)
        if path.startswith("/shows/") and path.endswith("/seats"):
            with lock:
                now = time.time()
                seats_at[:] = [t for t in seats_at if t > now - 1]
                if len(seats_at) >= 4:
                    return self.send(429, {"error": "rate_limited", "message": "Too many requests, slow down"}, headers=[("retry-after", "5")])
                seats_at.append(now)
            return self.send(200, {"free": 40 + int(now) % 9})
        if path == "/records":
            genre = query.get("genre", "all")
            time.sleep(0.3)
            return self.send(200, {"items": [r for r in RECORDS if genre in ("all", r["genre"])]})
        if path == "/checkout/lines":
            return self.send(200, [{"title": "Nils Frahm, Great Hall", "count": 2, "cents": 4200}])
        if path == "/checkout/fees":
            time.sleep(0.25)
            return self.send(200, {"cents": 350})
        if path == "/basket":
            return self.send(200, {"currency": "EUR", "lines": [
                {"title": "Pink Moon (LP)", "quantity": 1, "unitPrice": "24.00"},
                {"title": "Spaces (2LP)", "quantity": 2, "unitPrice": "31,50"}]})
        if path == "/discounts":
            return self.send(200, {"percent": 10, "code": "NOVEMBER"})
        if path == "/search":
            q = query.get("q", "")
            time.sleep((8 if origin == "/search" else 0.6) if len(q) < 4 else 0.15)
            pool = [{"title": r["title"] + " – " + r["artist"], "kind": r["genre"]} for r in RECORDS] + \
                   [{"title": s["title"], "kind": "concert"} for s in SHOWS]
            return self.send(200, {"query": q, "hits": [h for h in pool if q.lower() in (h["title"] + h["kind"]).lower()]})
        if path.startswith("/search/exact/"):
            name = unquote(path.rsplit("/", 1)[1]).lower()
            for r in RECORDS:
                if r["title"].lower() == name:
                    return self.send(200, r)
            return self.send(404, {"error": "no exact match"})
        if path == "/place":
            return self.send(200, {"city": "Leipzig", "lat": 51.34, "lon": 12.37})
        if path.startswith("/chat/rooms/"):
            room = ROOMS.get(path.rsplit("/", 1)[1])
            return self.send(200, room) if room else self.send(404, {"error": "no such room"})
        return self.send(404, {"error": "not found"})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return self.send(400, {"error": "not JSON"})
        path = urlsplit(self.path).path
        if path == "/api/newsletter":
            return self.send(201, {"ok": True})
        if path == "/api/orders":
            return self.send(201, {"number": "W-20817"})
        if path == "/api/reservations":
            if self.headers.get("x-form-token") != tokens.get(self.visitor()):
                return self.send(403, {"error": "stale_form_token", "message": "The form token is not the current one of this visit"})
            return self.send(201, {"reservation": {"id": 9, "until": "2026-11-29T20:15:00Z", "seats": ["F7", "F8"][: body.get("seats", 1)]}})
        if path == "/api/vouchers/redeem":
            return self.send(422, {"error": "expired", "message": "This code has expired on 31 October."})
        return self.send(404, {"error": "not found"})

    # -- sockets
    def frame(self, payload, opcode=1):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        head = bytes([0x80 | opcode]) + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data)))
        self.wfile.write(head + data)
        self.wfile.flush()

    def receive(self):
        a, b = self.rfile.read(2)
        size = b & 0x7F
        if size == 126:
            size = struct.unpack(">H", self.rfile.read(2))[0]
        mask = self.rfile.read(4)
        data = bytes(c ^ mask[i % 4] for i, c in enumerate(self.rfile.read(size)))
        return a & 15, data

    def websocket(self, path):
        key = self.headers.get("sec-websocket-key", "")
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.send_response(101)
        self.send_header("upgrade", "websocket")
        self.send_header("connection", "Upgrade")
        self.send_header("sec-websocket-accept", accept)
        self.end_headers()
        self.close_connection = True
        visit = self.visitor()
        with lock:
            n = sockets[visit] = sockets.get(visit, 0) + 1
        if path == "/ws/backstage" and n == 1:
            time.sleep(0.1)
            self.frame(struct.pack(">H", 1012) + b"restarting", 8)
            return
        try:
            while True:
                op, data = self.receive()
                if op == 8:
                    self.frame(data[:2], 8)
                    return
                if op != 1:
                    continue
                m = json.loads(data)
                if m["type"] == "join":
                    if m.get("room") not in ROOMS:
                        self.frame({"type": "refused", "code": "unknown_room", "reason": "There is no room with the id '%s'" % m.get("room")})
                        continue
                    self.frame({"type": "joined", "room": m["room"], "history": [
                        {"from": "Jo", "text": "Sound check is done"}, {"from": "Mara", "text": "Doors at seven"}]})
                elif m["type"] == "say":
                    self.frame({"type": "said", "from": "Ida Holm", "text": m["text"]})
        except (ValueError, ConnectionError, OSError, TypeError):
            pass


class Geo(Portal):
    """The service for places: another origin."""
    def do_OPTIONS(self):
        self.send(204, "", "text/plain", [("access-control-allow-origin", "*"), ("access-control-allow-methods", "GET"),
                                          ("access-control-allow-headers", "accept, content-type, x-client-version")])

    def do_GET(self):
        self.send(200, {"venues": [{"name": "Great Hall", "km": 1.2}, {"name": "Silo", "km": 3.4}]}, headers=[("access-control-allow-origin", "*")])


if __name__ == "__main__":
    serve.run(Portal, second=("GEO", Geo), nobody=True)

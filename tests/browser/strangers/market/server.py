#!/usr/bin/env python3
"""Tradewind, a marketplace: shop, seller's editor, chat, account and dashboard."""
import base64
import hashlib
import json
import pathlib
import re
import struct
import sys
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
for parent in HERE.parents:
    for folder in (parent, parent / "main" / "tests" / "browser" / "strangers"):
        if (folder / "serve.py").is_file() and str(folder) not in sys.path:
            sys.path.append(str(folder))
import serve  # noqa: E402

AREAS = ("shop", "seller", "chat", "account", "dashboard")
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
SLOW = {"/seller/rich.js": 1.2}
STATE = {}
LOCK = threading.Lock()
ROUTES = []


def state(page):
    return STATE.setdefault(page, {})


def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return keep


class Request:
    def __init__(self, handler, method):
        parts = urlsplit(handler.path)
        self.handler, self.method, self.path = handler, method, parts.path
        self.query = {key: values[-1] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        self.headers = handler.headers
        self.raw = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.cookies = {name: one.value for name, one in SimpleCookie(handler.headers.get("Cookie", "")).items()}

    def json(self):
        try:
            return json.loads(self.raw or b"null")
        except ValueError:
            return None


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        if status not in (204, 304):
            self.send_header("Content-Type", kind if kind.startswith("image") else kind + "; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
        names = {name.lower() for name, _ in headers}
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if status not in (204, 304) and self.command != "HEAD":
            self.wfile.write(body)


class Market(Base):
    def do_GET(self):
        self.dispatch("GET")

    def do_POST(self):
        self.dispatch("POST")

    def do_PUT(self):
        self.dispatch("PUT")

    def do_PATCH(self):
        self.dispatch("PATCH")

    def do_DELETE(self):
        self.dispatch("DELETE")

    def dispatch(self, method):
        request = Request(self, method)
        for verb, pattern, function in ROUTES:
            match = pattern.match(request.path)
            if verb == method and match:
                answer = function(request, *match.groups())
                if answer is not None:
                    self.reply(answer[0], answer[1], headers=answer[2] if len(answer) > 2 else ())
                return
        if method == "GET" and not request.path.startswith("/api/"):
            self.file(request.path)
        else:
            self.reply(404, {"error": "not found"})

    def file(self, path):
        if path == "/favicon.ico":
            return self.reply(204)
        if path == "/":
            path = "/shop/browse"
        headers = []
        name = path.strip("/")
        if re.fullmatch(r"(%s)/[a-z]+" % "|".join(AREAS), name):
            STATE[name] = {}
            headers = self.headers_of(name)
            name += ".html"
        target = (HERE / name).resolve()
        if HERE not in target.parents or target.suffix not in KINDS or not target.is_file():
            return self.reply(404, "not found", "text/plain")
        time.sleep(SLOW.get(path, 0))
        self.reply(200, self.server.filled(target.read_bytes()), KINDS[target.suffix], headers)

    def headers_of(self, page):
        beacon = "http://127.0.0.1:%d" % self.server.ports["NOBODY"]
        if page == "seller/preview":
            return [("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; "
                     f"worker-src 'self'; connect-src 'self' {beacon}")]
        if page == "account/wishlist":
            return [("Content-Security-Policy-Report-Only", f"default-src 'self'; connect-src 'self' {beacon}; img-src 'none'")]
        if page == "chat/files":
            return [("Set-Cookie", "market_sid=b81f0c; Path=/; HttpOnly; SameSite=Lax")]
        return []


# sockets

class Socket:
    def __init__(self, request):
        self.handler = request.handler
        self.lock = threading.Lock()
        key = request.headers.get("Sec-WebSocket-Key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.handler.send_response(101)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"),
                            ("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())):
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.flush()
        self.handler.close_connection = True

    def frame(self, code, data):
        head = bytes([0x80 | code])
        head += bytes([len(data)]) if len(data) < 126 else bytes([126]) + struct.pack(">H", len(data))
        with self.lock:
            self.handler.wfile.write(head + data)
            self.handler.wfile.flush()

    def send(self, value):
        self.frame(1, json.dumps(value).encode())

    def receive(self):
        while True:
            head = self.handler.rfile.read(2)
            if len(head) < 2:
                return None
            size = head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.handler.rfile.read(2))[0]
            mask = self.handler.rfile.read(4)
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(self.handler.rfile.read(size)))
            if head[0] & 15 == 8:
                self.frame(8, data[:2])
                return None
            if head[0] & 15 == 1:
                return json.loads(data)

    def beat(self, seconds):
        def go():
            try:
                while True:
                    time.sleep(seconds)
                    self.send({"op": "ping", "at": int(time.time())})
            except (OSError, ValueError):
                pass
        threading.Thread(target=go, daemon=True).start()


# shop

GOODS = {
    "lamps": ["Brass reading lamp", "Paper floor lamp", "Clip-on lamp"],
    "chairs": ["Oak kitchen chair", "Folding chair", "Rocking chair"],
    "rugs": ["Wool rug 120 x 180", "Jute runner", "Cotton bath mat"],
}
WAITS = {"lamps": 0.2, "chairs": 0.15, "rugs": 1.7}


@route("GET", "/api/catalog")
def catalog(request):
    kind = request.query.get("category", "rugs")
    time.sleep(WAITS.get(kind, 0.1))
    return 200, {"category": kind, "items": [{"id": f"{kind}-{number}", "name": name, "cents": 1900 + 1150 * number}
                                             for number, name in enumerate(GOODS.get(kind, []))]}


@route("GET", "/api/preferences")
def preferences(request):
    return 200, {"category": "chairs", "currency": "EUR"}


def lines():
    return state("shop/basket").setdefault("lines", [
        {"id": 7, "name": "Oak kitchen chair", "cents": 6400, "qty": 2},
        {"id": 9, "name": "Jute runner", "cents": 3050, "qty": 1}])


def basket_of(rows):
    return {"lines": rows, "total": sum(row["cents"] * row["qty"] for row in rows)}


@route("GET", "/api/basket")
def basket(request):
    return 200, basket_of(lines())


@route("PUT", r"/api/basket/lines/(\d+)")
def basket_line(request, number):
    for row in lines():
        if row["id"] == int(number):
            row["qty"] = max(0, int((request.json() or {}).get("qty", row["qty"])))
    return 200, basket_of(lines())


@route("GET", "/api/checkout/basket")
def checkout_basket(request):
    return 200, {"id": "b-5521", "weight": 8.2, "lines": 2, "total": 15850}


@route("GET", "/api/checkout/address")
def checkout_address(request):
    return 200, {"id": "a-31", "name": "Mina Holm", "street": "Kaistrasse 4", "zone": 7}


@route("POST", "/api/checkout/quote")
def checkout_quote(request):
    time.sleep(0.3)
    return 500, {"error": "internal", "detail": "rate table for zone 7 has no row for 8.2 kg", "request": "q-88f1"}


@route("GET", r"/api/checkout/([\w-]+)/methods")
def checkout_methods(request, quote):
    if not quote.startswith("q"):
        return 404, {"error": "unknown quote"}
    return 200, {"methods": ["card", "invoice"]}


@route("GET", "/api/deals")
def deals(request):
    own = state("shop/deals")
    own["asked"] = own.get("asked", 0) + 1
    if own["asked"] < 3:
        return 503, {"error": "warming up"}, [("Retry-After", "1")]
    return 200, {"deals": [{"name": "Brass reading lamp", "was": 4900, "now": 2900}, {"name": "Cotton bath mat", "was": 1800, "now": 900},
                           {"name": "Folding chair", "was": 3900, "now": 2500}]}


@route("GET", "/api/deals/recommended")
def recommended(request):
    return 404, {"error": "not enough history"}


# seller's editor

@route("GET", "/api/listings/812")
def listing(request):
    return 200, state("seller/listing").setdefault("one", {"id": 812, "title": "Oak chair", "price": "64.00", "stock": 5})


@route("PUT", "/api/listings/812")
def put_listing(request):
    time.sleep(0.6)
    state("seller/listing")["one"] = {"id": 812, **(request.json() or {})}
    return 200, state("seller/listing")["one"]


@route("GET", "/api/uploads/ticket")
def ticket(request):
    return 200, {"ticket": "up-4410", "expires": 600}


@route("GET", "/api/listings/812/photos")
def photos(request):
    return 200, {"photos": [{"id": 1, "alt": "Front"}]}


@route("GET", "/api/listings/812/description")
def description(request):
    return 200, {"markup": "Solid **oak**, oiled twice.\nMade in _Aarhus_."}


@route("GET", "/api/listings/812/template")
def template(request):
    return 200, {"id": 812, "title": "Oak chair", "text": "One of a set of four."}


@route("GET", "/api/listings/812/preview")
def preview(request):
    return 200, {"title": "Oak chair", "markup": "Solid **oak**, oiled twice.", "cents": 6400}


# chat

@route("GET", "/api/rooms")
def rooms(request):
    return 200, {"rooms": [{"id": "412", "name": "Ben (Jute runner)", "unread": 3}, {"id": "415", "name": "Carla (Oak chair)", "unread": 0}]}


@route("GET", "/ws/room")
def ws_room(request):
    socket = Socket(request)
    socket.send({"op": "hello", "session": "s-19"})
    socket.beat(1.5)
    while (message := socket.receive()) is not None:
        if message.get("op") == "join":
            socket.send({"op": "history", "room": message.get("room"), "messages": [
                {"from": "Ben", "text": "Is the runner still there?"}, {"from": "Ben", "text": "I could come today."},
                {"from": "Ben", "text": "Hello?"}]})
        else:
            socket.send({"op": "error", "code": "unknown_op", "detail": "message has no known op; expected join, say or leave"})


@route("GET", "/ws/thread")
def ws_thread(request):
    socket = Socket(request)
    number = 0
    while (message := socket.receive()) is not None:
        if message.get("op") == "say":
            number += 1
            socket.send({"op": "message", "id": number, "thread": message.get("thread"), "from": "You", "text": message.get("text")})
        elif message.get("op") == "open":
            socket.send({"op": "opened", "thread": message.get("thread")})


@route("GET", "/api/threads")
def threads(request):
    return 200, {"threads": [
        {"id": "ana", "name": "Ana", "messages": [{"from": "Ana", "text": "Do you ship to Oslo?"}]},
        {"id": "ben", "name": "Ben", "messages": [{"from": "Ben", "text": "Thanks, it arrived."}]}]}


INBOX = [{"id": 301, "from": "Ana", "text": "Do you ship to Oslo?"}, {"id": 302, "from": "Ben", "text": "Thanks, it arrived."},
         {"id": 303, "from": "Carla", "text": "Could you hold it until Friday?"}]


@route("GET", "/api/inbox/updates")
def inbox(request):
    since = request.query.get("since", "0")
    since = int(since) if since.isdigit() else 0
    return 200, {"messages": [one for one in INBOX if one["id"] > since], "lastId": INBOX[-1]["id"]}


@route("GET", "/api/inbox/presence")
def presence(request):
    return 200, {"online": ["Ana", "Carla"]}


@route("GET", "/api/conversations/77")
def conversation(request):
    if request.cookies.get("market_sid") != "b81f0c":
        return 401, {"error": "sign in"}
    return 200, {"id": 77, "with": "Carla", "files": 2, "last": "I attached the two drawings."}


CONTACTS = ["Ana Berg", "Ben Ousmane", "Bertil Dahl", "Carla Reyes"]


@route("GET", "/ws/contacts")
def ws_contacts(request):
    return 403, {"error": "sockets are not part of this plan"}


@route("GET", "/api/contacts")
def contacts(request):
    asked = request.query.get("q", "").lower()
    time.sleep(0.5 if len(asked) < 2 else 0.1)
    return 200, {"q": asked, "contacts": [one for one in CONTACTS if asked in one.lower()]}


@route("GET", "/api/contacts/events")
def contact_events(request):
    time.sleep(1.0)
    return 204, b""


# account

@route("POST", "/api/session/resume")
def resume(request):
    return 200, {"user": "Mina", "member": 2019}, [("Set-Cookie", "market_acct=9c41aa; Path=/api/session; HttpOnly; SameSite=Lax")]


@route("GET", "/api/session/notices")
def notices(request):
    return 200, {"notices": []}


@route("GET", "/api/orders")
def orders(request):
    if request.cookies.get("market_acct") != "9c41aa":
        return 401, {"error": "unauthenticated"}
    return 200, {"orders": [{"id": "M-1001", "name": "Jute runner"}, {"id": "M-1007", "name": "Folding chair"}]}


def address_of():
    return state("account/address").setdefault("one", {"name": "Mina Holm", "street": "Kaistrasse 4", "city": "Kiel"})


@route("GET", "/api/address")
def address(request):
    return 200, address_of()


@route("PATCH", "/api/address")
def patch_address(request):
    change = request.json()
    if not isinstance(change, dict):
        return 400, {"error": "malformed request"}
    address_of().update(change)
    return 200, address_of()


@route("POST", "/api/token/refresh")
def refresh(request):
    with LOCK:
        own = state("account/devices")
        first = not own.get("used")
        own["used"] = True
        if not first:
            own["revoked"] = True
    time.sleep(0.35 if first else 0.15)
    if (request.json() or {}).get("refresh") != "r0" or not first:
        return 401, {"error": "refresh_token_reused", "detail": "token r0 was redeemed before; all tokens of the family are revoked"}
    return 200, {"access": "t1", "refresh": "r1"}


def bearer(request, value):
    if request.headers.get("Authorization") != "Bearer t1":
        return 401, {"error": "token_expired"}
    if state("account/devices").get("revoked"):
        return 401, {"error": "token_revoked"}
    return 200, value


@route("GET", "/api/devices")
def devices(request):
    return bearer(request, {"devices": ["Laptop, Kiel", "Phone, Kiel"]})


@route("GET", "/api/logins")
def logins(request):
    return bearer(request, {"logins": ["today 08:12", "yesterday 19:40"]})


@route("POST", "/api/wishlist/token")
def wishlist_token(request):
    time.sleep(0.1)
    return 200, {"access": "w1"}


@route("GET", "/api/wishlist(/alerts)?")
def wishlist(request, alerts):
    if request.headers.get("Authorization") != "Bearer w1":
        return 401, {"error": "token_expired"}
    if alerts:
        return 200, {"alerts": ["Rocking chair is cheaper than last week"]}
    return 200, {"wishes": [{"name": "Rocking chair", "art": "rocking"}, {"name": "Paper floor lamp", "art": "paper"}]}


@route("GET", "/api/invoices")
def invoices(request):
    year = request.query.get("year", "2026")
    time.sleep({"2025": 1.2, "2024": 0.2}.get(year, 0.2))
    if year == "2024":
        return 204, b""
    return 200, {"year": year, "invoices": [{"id": f"{year}-{number:03}", "cents": 2900 * number} for number in (1, 2, 3)]}


@route("GET", "/api/invoices/latest")
def latest_invoices(request):
    return 200, {"year": 2026}


@route("GET", "/api/tax-id")
def tax_id(request):
    return 404, {"error": "none on file"}


# dashboard

@route("GET", "/api/dash/sales")
def dash_sales(request):
    return 200, {"today": 41250, "week": 288900}


@route("GET", "/api/dash/stock")
def dash_stock(request):
    return 200, {"listed": 48, "low": 3}


@route("GET", "/api/dash/ratings")
def dash_ratings(request):
    return 200, {"average": 4.7, "count": 212}


@route("GET", "/api/dash/insights")
def dash_insights(request):
    time.sleep(0.2)
    return 500, {"error": "model store unavailable"}


@route("GET", "/api/dash/visitors")
def dash_visitors(request):
    first = 1793145600
    return 200, {"shop": "Holm & Daughters", "rows": [{"ts": first + day * 86400, "visitors": 120 + 17 * day} for day in range(5)]}


@route("POST", "/api/exports")
def new_export(request):
    state("dashboard/export")["asked"] = 0
    return 202, {"id": 91, "status": "queued"}


@route("GET", "/api/exports/91")
def export(request):
    own = state("dashboard/export")
    own["asked"] = own.get("asked", 0) + 1
    if own["asked"] < 3:
        return 200, {"id": 91, "status": "running", "percent": own["asked"] * 40}
    return 200, {"id": 91, "status": "complete", "percent": 100, "url": "/api/exports/91/file"}


@route("GET", "/api/exports/91/file")
def export_file(request):
    return 200, {"rows": 212}


@route("GET", "/api/payouts")
def payouts(request):
    tag = '"p-7"'
    if request.headers.get("If-None-Match") == tag:
        return 304, b"", [("ETag", tag), ("Cache-Control", "no-cache")]
    return 200, {"payouts": [{"day": "2 November", "cents": 88200}, {"day": "16 November", "cents": 61400}]}, [
        ("ETag", tag), ("Cache-Control", "no-cache")]


@route("GET", "/api/payouts/detail")
def payout_detail(request):
    day = request.query.get("day", "")
    time.sleep(1.5 if day == "0" else 0.2)
    return 200, {"day": day, "orders": 14 if day == "0" else 9}


@route("GET", "/api/traffic")
def traffic(request):
    return 200, {"sources": [{"name": "Search", "share": 52}, {"name": "Newsletter", "share": 31}, {"name": "Direct", "share": 17}]}


@route("GET", "/api/traffic/stream")
def stream(request):
    handler = request.handler
    handler.close_connection = True
    handler.send_response(200)
    for name, value in (("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("Connection", "close")):
        handler.send_header(name, value)
    handler.end_headers()
    last = int(handler.headers.get("Last-Event-ID") or 0)
    handler.wfile.write(b"retry: 700\n\n")
    for number in range(last + 1, last + 3):
        handler.wfile.write(b"id: %d\ndata: %s\n\n" % (number, json.dumps({"visitors": 20 + number % 4}).encode()))
        handler.wfile.flush()
        time.sleep(0.8)


# the media host, an origin of its own

class Media(Base):
    def shared(self):
        origin = self.headers.get("Origin")
        return [("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin")] if origin else []

    def do_OPTIONS(self):
        self.reply(204, headers=[*self.shared(), ("Access-Control-Allow-Methods", "GET, POST"),
                                 ("Access-Control-Allow-Headers", "content-type")])

    def do_POST(self):
        request = Request(self, "POST")
        if request.path == "/upload" and request.headers.get("X-Upload-Token"):
            return self.reply(201, {"id": 2, "alt": "New photo"}, headers=self.shared())
        self.reply(403, {"error": "no token"}, headers=self.shared())

    def do_GET(self):
        request = Request(self, "GET")
        if request.path == "/files":
            if request.cookies.get("market_sid") != "b81f0c":
                return self.reply(401, {"error": "no session"}, headers=self.shared())
            return self.reply(200, {"files": [{"name": "drawing-1.pdf"}, {"name": "drawing-2.pdf"}]}, headers=self.shared())
        if request.path == "/quota":
            return self.reply(200, {"used": 14, "of": 200}, headers=[("Access-Control-Allow-Origin", "*")])
        if request.path == "/world.json":
            return self.reply(200, {"regions": []})
        self.reply(404, {"error": "not found"}, headers=self.shared())


if __name__ == "__main__":
    serve.run(Market, second=("MEDIA", Media), nobody=True)

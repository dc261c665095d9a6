#!/usr/bin/env python3
"""Northlight Studios: the members' site and the tools of the staff."""
import base64
import hashlib
import json
import pathlib
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))
import serve  # noqa: E402

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
LOCK = threading.Lock()
STATE = {}


def begin():
    with LOCK:
        STATE.clear()
        STATE.update(bookings=[{"id": "bk-11", "class": "Pilates Flow", "at": "Tue 2 Mar, 07:15"}], credits=6, hits=[],
                     settings={"display_name": "Mara Lind", "language": "en", "newsletter": True, "reminders": True},
                     token="tk-7f31", places=3, courses=[{"title": "Spinal Care", "starts_on": "2027-02-11"}],
                     recipes=0, sockets=0, presence=0, fresh=False,
                     counts={"sku-301": 14, "sku-302": 40, "sku-303": 6})


CLASSES = {"st-04": [{"title": "Power Yoga", "at": "07:00", "trainer": "t-1", "free": 5},
                     {"title": "Indoor Cycling", "at": "12:15", "trainer": "t-2", "free": 2},
                     {"title": "Functional Circuit", "at": "18:30", "trainer": "t-1", "free": 9}]}
PLAN = {1: ["Goblet squat 3 x 10", "Row machine 12 min", "Plank 3 x 40 s"],
        2: ["Deadlift 4 x 6", "Step-ups 3 x 12", "Farmer's walk 4 x 30 m"],
        3: ["Front squat 5 x 5", "Pull-ups 4 x 6", "Sled push 6 x 20 m"]}
ITEMS = {"clothing": [{"name": "Training top", "price": 34.0}, {"name": "Running tights", "price": 59.0}],
         "nutrition": [{"name": "Oat bar, box of 12", "price": 21.5}, {"name": "Whey, vanilla", "price": 29.9}],
         "equipment": [{"name": "Resistance band", "price": 12.0}, {"name": "Yoga mat", "price": 44.0}]}
INVOICES = [{"no": f"NL-{2100 + n}", "member": name, "amount": 49.9 + n % 4 * 10}
            for n, name in enumerate(["A. Brandt", "C. Duarte", "E. Falk", "G. Hansen", "I. Jansen", "K. Lopez", "M. Novak",
                                      "O. Petit", "Q. Rossi", "S. Toma", "U. Vogel", "W. Xu", "Y. Zimmer", "B. Adler",
                                      "D. Costa", "F. Engel", "H. Gruber", "J. Ivanov", "L. Keller", "N. Moreau",
                                      "P. Olsen", "R. Quist", "T. Sandor"])]
FOUND = ["Yoga Basics", "Power Yoga", "Yoga for the Back", "Indoor Cycling", "Pilates Flow", "Boxing", "Aqua Fit"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, status, data=b"", kind="application/json", headers=()):
        if not isinstance(data, bytes):
            data = json.dumps(data).encode()
        self.send_response(status)
        names = {name.lower() for name, _ in headers}
        if status != 204:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def file(self, path):
        name = path.lstrip("/") or "index"
        tries = [HERE / "web" / (name + ".html")] if "." not in name.rsplit("/", 1)[-1] else [HERE / name, HERE / "web" / name]
        for at in tries:
            at = at.resolve()
            if at.is_file() and HERE in at.parents and at.suffix in TYPES:
                headers = []
                if at.suffix == ".html":
                    begin()
                if path == "/staff/reports":
                    headers.append(("Content-Security-Policy",
                                    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'"))
                if path == "/members/home":
                    headers.append(("Content-Security-Policy-Report-Only", "default-src 'self'; report-uri /api/policy-reports"))
                return self.send(200, self.server.filled(at.read_bytes()), TYPES[at.suffix], headers)
        return self.send(404, b"Not found", "text/plain")

    def body(self):
        self.raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            return json.loads(self.raw or b"null")
        except ValueError:
            return None

    def handle_any(self):
        parts = urlsplit(self.path)
        path, query = parts.path, {k: v[0] for k, v in parse_qs(parts.query).items()}
        if path == "/favicon.ico":
            return self.send(200, b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>',
                             "image/svg+xml")
        if path.startswith("/socket/"):
            return self.socket(path)
        body = self.body()
        if path.startswith("/api/"):
            return self.api(f"{self.command} {path[4:]}", query, body)
        if self.command not in ("GET", "HEAD"):
            return self.send(405)
        return self.file(path)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def api(self, what, query, body):
        s = STATE
        match what:
            case "GET /session":
                return self.send(200, {"member": "Mara Lind", "since": 2023, "token": s["token"]})
            case "POST /policy-reports":
                return self.send(204)
            case "GET /notices":
                return self.send(200, [{"text": "The sauna at Harbour Street opens again on Monday."}])
            case "GET /presence":
                s["presence"] += 1
                if s["presence"] < 3:
                    return self.send(503, {"error": "starting"}, headers=[("Retry-After", "1")])
                return self.send(200, {"here": 14})
            # classes
            case "GET /member/home-studio":
                return self.send(500, {"error": "directory_timeout", "trace": "c81f-22"})
            case "GET /trainers":
                return self.send(200, [{"id": "t-1", "name": "Jonas"}, {"id": "t-2", "name": "Ayla"}])
            case "GET /classes":
                return self.send(200, CLASSES.get(query.get("studio"), []))
            # bookings
            case "GET /bookings":
                return self.send(200, s["bookings"])
            case "GET /credits":
                time.sleep(0.1)
                return self.send(200, {"left": s["credits"]})
            case "GET /bookable":
                return self.send(200, [{"id": "cl-71", "name": "Power Yoga", "at": "Thu 4 Mar, 18:30"},
                                       {"id": "cl-72", "name": "Boxing", "at": "Fri 5 Mar, 19:00"}])
            case "POST /bookings":
                with LOCK:
                    taken = any(b["id"] == body["class_id"] for b in s["bookings"])
                    if not taken:
                        s["bookings"].append({"id": body["class_id"], "class": "Power Yoga", "at": "Thu 4 Mar, 18:30"})
                        s["credits"] -= 1
                if taken:
                    time.sleep(0.3)
                    return self.send(409, {"error": "member_has_place"})
                return self.send(201, {"id": body["class_id"]})
            # plan
            case "GET /plan":
                week = int(query.get("week", 1))
                time.sleep({1: 1.4}.get(week, 0.15))
                return self.send(200, {"week": week, "exercises": PLAN[week]})
            case "GET /plan/position":
                return self.send(200, {"week": 3})
            # progress
            case "GET /progress":
                now = time.monotonic()
                with LOCK:
                    s["hits"] = [t for t in s["hits"] if now - t < 2.4] + [now]
                    many, total = len(s["hits"]) > 9, len(s["hits"])
                if many:
                    return self.send(429, {"error": "rate_limited"}, headers=[("Retry-After", "30")])
                return self.send(200, {"metric": "pulse", "points": [112, 118, 121, 119, 126, 131, 128 + total]})
            # payments
            case "GET /payments/history":
                return self.send(200, [{"on": "1 Feb", "what": "Membership, February", "sum": "59.00"},
                                       {"on": "1 Jan", "what": "Membership, January", "sum": "59.00"}])
            # shop
            case "GET /shop/items":
                return self.send(200, {"category": query.get("category"), "items": ITEMS.get(query.get("category"), [])})
            case "GET /shop/stock-notes":
                return self.send(404, {"error": "none"})
            # messages
            case "GET /messages/unread":
                return self.send(200, {"unread": 3})
            # settings
            case "GET /settings":
                return self.send(200, s["settings"])
            case "PATCH /settings":
                with LOCK:
                    for key, value in (body or {}).items():
                        if key in s["settings"]:
                            s["settings"][key] = value in ("on", True) if isinstance(s["settings"][key], bool) else value
                return self.send(200, {"ok": True})
            # freeze
            case "POST /freeze/quote" | "POST /freeze/confirm":
                if self.headers.get("X-Form-Token") != s["token"]:
                    return self.send(403, {"error": "form_token_invalid"})
                s["token"] = "tk-" + hashlib.sha1(s["token"].encode()).hexdigest()[:4]
                return self.send(200, {"fee": "5.00", "months": body.get("months"), "form_token": s["token"]},
                                 headers=[("X-Form-Token", s["token"])])
            # desk
            case "GET /desk/arrivals":
                return self.send(200, [{"name": "C. Duarte", "at": "08:02"}, {"name": "W. Xu", "at": "08:11"}])
            case "POST /desk/arrivals":
                return self.send(201, {"ok": True})
            # planner
            case "GET /courses":
                return self.send(200, s["courses"])
            case "POST /courses":
                s["courses"].append({"title": body["title"], "starts_on": body["starts_on"]})
                return self.send(201, body)
            # invoices
            case "GET /invoices":
                at = int(query.get("cursor", 0))
                more = at + 10 < len(INVOICES)
                return self.send(200, {"total": len(INVOICES), "items": INVOICES[at:at + 10],
                                       "next_cursor": str(at + 10) if more else None})
            case "GET /invoices/dunning":
                return self.send(200, {"level_1": 4, "level_2": 1})
            # reports
            case "GET /reports/visits":
                return self.send(200, {"studios": [{"name": "Harbour Street", "visits": [410, 388, 502, 471]},
                                                   {"name": "Old Mill", "visits": [290, 301, 333, 310]}]})
            # inventory
            case "GET /inventory":
                return self.send(200, [{"sku": k, "name": n, "count": s["counts"][k]} for k, n in
                                       (("sku-301", "Yoga mat"), ("sku-302", "Towel"), ("sku-303", "Kettlebell 12 kg"))])
            case "PUT /inventory/sku-301" | "PUT /inventory/sku-302" | "PUT /inventory/sku-303":
                if not isinstance(body, dict) or not isinstance(body.get("count"), int):
                    return self.send(422, {"error": "unprocessable"})
                s["counts"][what.rsplit("/", 1)[1]] = body["count"]
                return self.send(200, body)
            # trainers' sign-in
            case "POST /auth/login":
                if not body or not body.get("pin"):
                    return self.send(400, {"error": "pin"})
                return self.send(200, {"name": "Ayla Demir"}, headers=[("Set-Cookie", "nl_trainer=9c1e55; HttpOnly; SameSite=Lax")])
            case "GET /trainer/today":
                if "nl_trainer=9c1e55" not in (self.headers.get("Cookie") or ""):
                    return self.send(401, {"error": "sign_in"})
                return self.send(200, [{"at": "09:00", "what": "Aqua Fit"}, {"at": "17:30", "what": "Boxing"}])
            # gear
            case "GET /gear":
                return self.send(200, [{"id": "g-1", "name": "Padlock", "price": 9.5}, {"id": "g-2", "name": "Shaker", "price": 7.0}])
            # roster
            case "GET /staff/me":
                return self.send(200, {"name": "Ines Caro", "roles": ["STUDIO_MANAGER", "FIRST_AIDER"]})
            case "GET /roster":
                return self.send(200, {"week": "1 to 7 March", "published": False,
                                       "shifts": [{"day": "Mon", "who": "Jonas", "from": "06:30"}, {"day": "Tue", "who": "Ayla", "from": "12:00"}]})
            case "POST /roster/publish":
                return self.send(200, {"published": True})
            # live
            case "GET /live/places":
                return self.send(200, {"class": "Indoor Cycling, 18:00", "free": s["places"]})
            case "POST /live/places":
                s["places"] -= 1
                return self.send(201, {"seat": "B4"})
            # recipes
            case "GET /recipes":
                s["recipes"] += 1
                if s["recipes"] < 3:
                    return self.send(503, {"error": "warming_up"}, headers=[("Retry-After", "1")])
                return self.send(200, [{"name": "Lentil bowl", "minutes": 25}, {"name": "Overnight oats", "minutes": 5}])
            # find
            case "GET /find/filter":
                return self.send(200, {"studio": "st-04"})
            case "GET /find":
                q = query.get("q", "").lower()
                time.sleep(0.2 if query.get("studio") else 1.2)
                return self.send(200, [name for name in FOUND if q in name.lower()])
            # waiting list
            case "GET /waitlist":
                return self.send(200, {"class": "Aqua Fit, Wed 10:00", "entries": []})
            case "GET /flags/waitlist-export":
                return self.send(404, {"error": "no_such_flag"})
            case "GET /waitlist/changes":
                time.sleep(1.5)
                return self.send(204)
            # account
            case "GET /account":
                if not s["fresh"]:
                    return self.send(401, {"error": "token_expired"}, headers=[("WWW-Authenticate", "Bearer")])
                return self.send(200, {"name": "Mara Lind", "contract": "Flex 12", "until": "31 August 2027"})
            case "POST /account/refresh":
                s["fresh"] = True
                return self.send(200, {"access": "a2"})
            # voucher
            case "GET /cart":
                return self.send(200, {"lines": [{"what": "10 class card", "sum": 120.0}], "total": 120.0})
            case "POST /voucher":
                if (body or {}).get("code") == "SPRING27":
                    return self.send(200, {"off": 12.0, "total": 108.0})
                return self.send(422, {"error": "expired", "message": "This voucher expired on 31 December 2025."})
        return self.send(404, {"error": "not_found"})

    # sockets
    def socket(self, path):
        key = self.headers.get("Sec-WebSocket-Key")
        if not key:
            return self.send(426)
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n")
        self.wfile.flush()
        self.close_connection = True
        if path == "/socket/waitlist":
            STATE["sockets"] += 1
            if STATE["sockets"] == 1:
                time.sleep(0.3)
                return self.frame(struct.pack("!H", 1012) + b"restart", 8)
            self.frame(json.dumps({"type": "hello", "desk": "Harbour Street"}).encode())
        while True:
            code, data = self.read_frame()
            if code == 8:
                return self.frame(data[:2], 8)
            if code == 9:
                self.frame(data, 10)
            elif code == 1 and path == "/socket/messages" and json.loads(data).get("type") == "subscribe":
                for who, text in (("Jonas", "Your plan for week 3 is ready."), ("Ayla", "See you on Thursday!"),
                                  ("Harbour Street", "Your towel is at the desk.")):
                    self.frame(json.dumps({"type": "message", "from": who, "text": text}).encode())

    def frame(self, data, code=1):
        head = struct.pack("!BB", 0x80 | code, len(data)) if len(data) < 126 else struct.pack("!BBH", 0x80 | code, 126, len(data))
        self.wfile.write(head + data)
        self.wfile.flush()

    def read_frame(self):
        head = self.rfile.read(2)
        if len(head) < 2:
            return 8, b""
        code, size = head[0] & 15, head[1] & 127
        if size == 126:
            size = struct.unpack("!H", self.rfile.read(2))[0]
        elif size == 127:
            return 8, b""
        mask = self.rfile.read(4)
        return code, bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(size)))


class Wallet(Handler):
    """The provider of payments, at an origin of its own."""

    def handle_any(self):
        self.body()
        allow = [("Access-Control-Allow-Origin", "*")]
        if self.path == "/v1/wallet":
            return self.send(200, {"methods": [{"kind": "Card", "ends": "4410"}, {"kind": "Direct debit", "ends": "0092"}]}, headers=allow)
        if self.path == "/v1/status":
            return self.send(200, {"status": "operational"}, headers=allow)
        return self.send(404, {"error": "not_found"}, headers=allow)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any


if __name__ == "__main__":
    begin()
    serve.run(Handler, second=("WALLET", Wallet), nobody=True)

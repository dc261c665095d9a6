#!/usr/bin/env python3
"""Nordwerk, energy and water: the portal of its customers and the tools of its field service."""
import json
import mimetypes
import pathlib
import random
import select
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
for _up in HERE.parents:
    for _place in (_up, _up / "tests/browser/strangers", _up / "main/tests/browser/strangers"):
        if (_place / "serve.py").is_file():
            sys.path.insert(0, str(_place))
            break
    else:
        continue
    break
import serve  # noqa: E402

SITE = HERE / "site"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json"}
ROUTES = {}
LOCK = threading.Lock()
STATE = {}

POLICIES = {
    "/portal/forecast/": "default-src 'self'; script-src 'self'; worker-src 'self'; connect-src 'self' http:; "
                         "img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'",
}
REPORTING = {
    "/portal/news/": "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http:",
}
SLOW_FILES = {"/vendor/signpad/signpad.js": 1.4}


def route(method, path):
    def put(function):
        ROUTES[method, path] = function
        return function
    return put


def begin(path):
    """A page that is opened has what it had at first."""
    with LOCK:
        if path == "/field/planner/":
            STATE["accepted"] = set()
        elif path == "/portal/chat/":
            STATE["chat"] = [(0, {"id": 1, "from": "Nora", "text": "Hello, this is Nora. How can I help?"})]
        elif path == "/portal/charging/":
            STATE["charging"] = 0
        elif path == "/portal/profile/":
            STATE["token"] = "t-old"
        elif path == "/portal/readings/":
            STATE["readings"] = []


class Portal(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        body = self.server.filled(body)
        self.send_response(status)
        if status != 204:
            if kind:
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(body)

    def gone(self):
        readable, _, _ = select.select([self.connection], [], [], 0)
        if not readable:
            return False
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def cookies(self):
        pairs = (part.strip().partition("=") for part in self.headers.get("Cookie", "").split(";"))
        return {name: value for name, _, value in pairs if name}

    def handle_all(self):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length) if length else b""
        self.query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        steps = parts.path.split("/")
        function = ROUTES.get((self.command, parts.path))
        if function:
            return function(self)
        for end in range(len(steps) - 1, 1, -1):
            function = ROUTES.get((self.command, "/".join(steps[:end]) + "/*"))
            if function:
                return function(self, *steps[end:])
        if self.command == "GET":
            return self.file(parts.path)
        return self.send(404, {"error": "not found"})

    do_GET = do_POST = do_PUT = do_OPTIONS = handle_all

    def file(self, path):
        page = path + "index.html" if path.endswith("/") else path
        target = (SITE / page.lstrip("/")).resolve()
        if not target.is_relative_to(SITE) or not target.is_file():
            return self.send(404, "<!doctype html><title>Not found</title><p>Not found.", "text/html; charset=utf-8")
        begin(path)
        time.sleep(SLOW_FILES.get(path, 0))
        headers = []
        if path in POLICIES:
            headers.append(("Content-Security-Policy", POLICIES[path]))
        if path in REPORTING:
            headers.append(("Content-Security-Policy-Report-Only", REPORTING[path]))
        kind = TYPES.get(target.suffix) or mimetypes.guess_type(target.name)[0] or "application/octet-stream"
        return self.send(200, target.read_bytes(), kind, headers)


# --- everybody's

@route("GET", "/")
def home(h):
    h.send(302, headers=[("Location", "/portal/profile/")])


@route("GET", "/api/me")
def me(h):
    h.send(200, {"id": "C-4471", "name": "Ines Holm", "street": "Brook Lane 14", "postcode": "24105"})


@route("GET", "/api/config")
def config(h):
    h.send(200, {"build": "2025.11.2", "area": "24105",
                 "services": {"network": "http://127.0.0.1:@@NOBODY@@", "scheduling": "http://127.0.0.1:@@SLOTS@@",
                              "portal": ""}})


@route("GET", "/api/notices")
def notices(h):
    h.send(200, {"notices": [{"at": "08:12", "text": "4 neighbours in Brook Lane have reported a power cut today."}]})


# --- payment plan

@route("GET", "/api/accounts/C-4471/balance")
def balance(h):
    h.send(200, {"open": 612.40, "currency": "EUR", "due": "2025-12-15"})


@route("GET", "/api/accounts/C-4471/terms")
def terms(h):
    time.sleep(0.1)
    h.send(500, {"error": "internal", "trace": "b91f-7c"})


@route("GET", "/api/calendar/bank-days")
def bank_days(h):
    h.send(200, {"days": ["2026-01-02", "2026-02-02", "2026-03-02", "2026-04-01", "2026-05-04", "2026-06-01"]})


# --- statement

@route("GET", "/api/statements")
def statements(h):
    h.send(200, {"statements": [{"year": 2023, "pages": 6}, {"year": 2024, "pages": 7}]})


@route("POST", "/api/statements")
def new_statement(h):
    time.sleep(2.6)
    h.send(201, {"year": 2025, "pages": 8, "href": "/documents/statement-2025.pdf"})


# --- planner

JOBS = [("J-318", "Replace water meter", "Mill Road 3", "09:00"), ("J-319", "Check gas regulator", "Harbour 22", "10:30"),
        ("J-322", "Read meter on site", "Elm Court 8", "13:00"), ("J-325", "Seal connection", "Brook Lane 14", "14:45")]


@route("GET", "/api/jobs")
def jobs(h):
    with LOCK:
        taken = set(STATE.get("accepted", ()))
    h.send(200, {"jobs": [{"id": i, "title": t, "place": p, "at": a, "state": "accepted" if i in taken else "open"}
                          for i, t, p, a in JOBS]})


@route("GET", "/api/jobs/*")
def job(h, name, *_):
    found = [j for j in JOBS if j[0] == name]
    if not found:
        return h.send(404, {"error": "no such job"})
    i, t, p, a = found[0]
    return h.send(200, {"id": i, "title": t, "place": p, "at": a, "minutes": 45, "tools": ["pliers", "seal kit"]})


@route("POST", "/api/jobs/*")
def accept(h, name, *_):
    time.sleep(0.7)
    if h.gone():
        h.close_connection = True
        return None
    with LOCK:
        STATE.setdefault("accepted", set()).add(name)
    return h.send(200, {"id": name, "state": "accepted"})


# --- forecast

@route("GET", "/api/load-profile")
def load_profile(h):
    made = random.Random(7)
    h.send(200, {"unit": "kWh", "hours": [round(0.2 + made.random() * 1.4, 2) for _ in range(24 * 60)]})


# --- household

@route("GET", "/household/members")
def members(h):
    if "hh" not in h.cookies():
        return h.send(302, headers=[("Location", "/auth/household/renew?back=/household/members")])
    return h.send(200, {"members": [{"name": "Ines Holm", "role": "owner"}, {"name": "Tom Holm", "role": "reader"}]})


@route("GET", "/auth/household/renew")
def renew(h):
    h.send(302, headers=[("Set-Cookie", "hh=5d2f; Path=/auth; HttpOnly; SameSite=Lax"),
                         ("Location", h.query.get("back", "/household/members"))])


@route("GET", "/api/household")
def household(h):
    h.send(200, {"name": "Holm, Brook Lane 14", "size": 2, "since": "2019-04-01"})


# --- tariffs

@route("GET", "/api/places")
def places(h):
    h.send(200, {"postcode": h.query.get("postcode", ""), "town": "Westhaven", "grid": "NW-3"})


@route("GET", "/api/tariffs")
def tariffs(h):
    h.send(200, {"tariffs": [{"name": "Nordwerk Fix 12", "base": 11.9, "work": 31.2},
                             {"name": "Nordwerk Green", "base": 12.9, "work": 32.8},
                             {"name": "Nordwerk Night", "base": 13.4, "work": 27.1}]}, "text/plain; charset=utf-8")


# --- bills

@route("POST", "/api/graph")
def graph(h):
    asked = json.loads(h.body or b"{}").get("operationName")
    time.sleep(0.08)
    if asked == "AccountHead":
        return h.send(200, {"data": {"account": {"number": "4471-0", "open": 184.2, "due": "2025-12-15"}}})
    if asked == "BillList":
        return h.send(200, {"data": {"account": {"bills": None}},
                            "errors": [{"message": "ledger shard 7: statement cancelled",
                                        "path": ["account", "bills"], "extensions": {"code": "UPSTREAM_FAILED"}}]})
    if asked == "Hints":
        return h.send(200, {"data": {"hints": [{"text": "Get your bills by e-mail and save paper."}]}})
    return h.send(400, {"errors": [{"message": "unknown operation"}]})


# --- water

@route("GET", "/api/water/zones")
def zones(h):
    h.send(200, {"zones": [{"id": 12, "name": "Westhaven North"}, {"id": 13, "name": "Westhaven Hill"}]})


@route("GET", "/api/water/quality")
def quality(h):
    h.send(200, {"zone": int(h.query.get("zone", 12)), "published": "2025-11-03", "schema": "2025-10",
                 "series": [{"key": "hardness", "label": "Hardness", "value": 14.1, "unit": "dH"},
                            {"key": "nitrate", "label": "Nitrate", "value": 6.2, "unit": "mg/l"},
                            {"key": "ph", "label": "pH", "value": 7.6, "unit": ""}]})


# --- consumption

@route("GET", "/api/supply-points")
def supply_points(h):
    h.send(200, {"points": [{"id": "SP-2041", "kind": "Electricity", "meter": {"id": "M-77120", "digits": 6}},
                            {"id": "SP-2042", "kind": "Water", "meter": {"id": "M-11873", "digits": 5}}]})


@route("GET", "/api/meters/*")
def meter(h, name, *_):
    if name not in ("M-77120", "M-11873"):
        return h.send(404, {"error": "unknown meter", "meter": name})
    made = random.Random(name)
    return h.send(200, {"meter": name, "months": [round(150 + made.random() * 120) for _ in range(12)]})


# --- move-in

@route("GET", "/api/moves/draft")
def move(h):
    h.send(200, {"to": "Elm Court 8", "on": "2026-01-01", "meter": "M-90017", "tenant": "Ines Holm"})


# --- smart home, chat

@route("GET", "/api/devices")
def devices(h):
    h.send(200, {"devices": [{"id": "d1", "name": "Thermostat hall", "kind": "thermostat"},
                             {"id": "d2", "name": "Heat pump", "kind": "pump"},
                             {"id": "d3", "name": "Wall box", "kind": "charger"}]})


@route("GET", "/api/devices/tips")
def tips(h):
    h.send(200, {"tips": ["Lower the night temperature by one degree."]})


@route("GET", "/live/devices")
def live_devices(h):
    h.close_connection = True
    h.send(403, {"error": "subscription required"})


@route("GET", "/live/chat")
def live_chat(h):
    h.close_connection = True
    h.send(404, {"error": "no upgrade here"})


@route("GET", "/api/chat/poll")
def poll(h):
    after = int(h.query.get("after", 0))
    until = time.monotonic() + 2
    while True:
        with LOCK:
            found = [m for at, m in STATE.get("chat", ()) if m["id"] > after and at <= time.monotonic()]
        if found or time.monotonic() > until:
            return h.send(200, {"messages": found})
        time.sleep(0.1)


@route("POST", "/api/chat/messages")
def say(h):
    text = json.loads(h.body)["text"]
    with LOCK:
        chat = STATE.setdefault("chat", [])
        chat.append((0, {"id": len(chat) + 1, "from": "You", "text": text}))
        chat.append((time.monotonic() + 0.6, {"id": len(chat) + 1, "from": "Nora",
                                              "text": "Thank you, I have noted it for you."}))
    h.send(201, {"kept": True})


# --- contract editor

@route("GET", "/api/contracts/K-5530")
def contract(h):
    h.send(200, {"id": "K-5530", "customer": "Bakery Lund", "text": "Supply of electricity, 3 years, fixed price."})


@route("GET", "/api/contracts/K-5530/scans")
def scans(h):
    made = random.Random(3)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    block = "".join(made.choices(letters, k=4096))
    h.send(200, {"scans": [{"name": "page-%d.jpg" % n, "data": "data:image/jpeg;base64," + block * 480}
                           for n in range(1, 4)]})


# --- readings

@route("GET", "/api/readings/last")
def last_reading(h):
    h.send(200, {"meter": "M-77120", "value": 103980, "on": "2024-11-30"})


@route("POST", "/api/readings")
def reading(h):
    h.send(201, {"kept": True})


# --- notifications

@route("GET", "/api/inbox")
def inbox(h):
    time.sleep(0.12)
    h.send(200, {"unread": 2, "items": [{"id": 1, "text": "Your meter will be read on 12 January."},
                                        {"id": 2, "text": "Works in Brook Lane begin on Monday."},
                                        {"id": 3, "text": "The advance payment was received."}]})


# --- grid

@route("GET", "/api/grid/feeders")
def feeders(h):
    h.send(200, {"hertz": round(50 + random.uniform(-0.03, 0.03), 3),
                 "feeders": [{"id": "F%02d" % n, "load": random.randint(20, 95)} for n in range(1, 31)]})


# --- analytics

@route("GET", "/api/analytics/stations")
def stations(h):
    made = random.Random(11)
    h.send(200, {"stations": [{"name": "Station %04d" % n, "district": "District %d" % (n % 17),
                               "kwh": made.randint(400, 9000)} for n in range(1, 461)]})


@route("GET", "/api/analytics/summary")
def summary(h):
    h.send(200, {"total": 4218330, "stations": 460, "losses": 3.1})


# --- documents

@route("GET", "/api/documents")
def documents(h):
    h.send(200, {"documents": [{"id": "D-7", "title": "Contract confirmation", "pages": 3},
                               {"id": "D-8", "title": "Meter protocol", "pages": 1},
                               {"id": "D-9", "title": "Right of withdrawal", "pages": 2}]})


@route("GET", "/api/documents/*")
def document(h, name, *_):
    texts = {"D-7": "Your contract began on 1 April 2019.", "D-8": "Meter M-77120, read at 103980.",
             "D-9": "You may withdraw within 14 days."}
    h.send(200, {"id": name, "text": texts[name]}) if name in texts else h.send(404, {"error": "no such document"})


# --- charging

@route("GET", "/api/charging/sessions")
def sessions(h):
    with LOCK:
        STATE["charging"] = asked = STATE.get("charging", 0) + 1
    if asked < 3:
        return h.send(503, {"error": "busy"}, headers=[("Retry-After", "1")])
    return h.send(200, {"sessions": [{"on": "2025-11-21", "kwh": 18.4}, {"on": "2025-11-25", "kwh": 22.0}]})


# --- help

ARTICLES = ["How to read a water meter", "How to read a gas meter", "What the meter number is",
            "Changing the advance payment", "When the power is out", "Moving house"]


@route("GET", "/api/help")
def help_(h):
    word = h.query.get("q", "").lower()
    time.sleep(0.15)
    h.send(200, {"q": word, "articles": [a for a in ARTICLES if word and word in a.lower()]})


@route("GET", "/api/help/mirror")
def help_mirror(h):
    time.sleep(1.5)
    help_(h)


# --- news

@route("GET", "/api/news/ticker")
def ticker(h):
    tag = '"n%d"' % (int(time.time()) // 3)
    if h.headers.get("If-None-Match") == tag:
        return h.send(304, kind="", headers=[("ETag", tag)])
    return h.send(200, {"at": time.strftime("%H:%M:%S"), "text": "Reservoir at %d %%" % random.randint(81, 84)},
                  headers=[("ETag", tag)])


# --- profile

@route("GET", "/api/profile")
def profile(h):
    if h.headers.get("Authorization") != "Bearer t-new":
        return h.send(401, {"error": "token expired"}, headers=[("WWW-Authenticate", 'Bearer error="invalid_token"')])
    return h.send(200, {"name": "Ines Holm", "email": "ines.holm@example.org", "phone": ""})


@route("POST", "/api/token")
def token(h):
    h.send(200, {"token": "t-new", "seconds": 900})


@route("PUT", "/api/profile")
def keep_profile(h):
    if h.headers.get("Authorization") != "Bearer t-new":
        return h.send(401, {"error": "token expired"})
    return h.send(200, json.loads(h.body))


class Scheduling(Portal):
    """Another house's service for appointments, on its own origin."""

    def handle_all(self):
        parts = urlsplit(self.path)
        allow = [("Access-Control-Allow-Origin", self.headers.get("Origin", "*")), ("Vary", "Origin")]
        if self.command == "OPTIONS":
            return self.send(204, headers=allow + [("Access-Control-Allow-Methods", "GET, OPTIONS"),
                                                   ("Access-Control-Allow-Headers", "accept, content-type"),
                                                   ("Access-Control-Max-Age", "0")])
        if parts.path == "/v1/slots":
            return self.send(200, {"slots": [{"day": "2026-01-12", "from": "08:00", "to": "10:00"},
                                             {"day": "2026-01-13", "from": "12:00", "to": "14:00"}]}, headers=allow)
        if parts.path == "/v1/services":
            return self.send(200, {"services": ["Meter exchange", "Gas safety check"]}, headers=allow)
        return self.send(404, {"error": "not found"})

    do_GET = do_POST = do_PUT = do_OPTIONS = handle_all


if __name__ == "__main__":
    serve.run(Portal, second=("SLOTS", Scheduling), nobody=True)

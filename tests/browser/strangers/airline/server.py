#!/usr/bin/env python3
"""Serves Sundvik Air: its site, its staff tools and the services behind them."""
import json
import pathlib
import re
import select
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

ROOT = pathlib.Path(__file__).resolve().parent
for place in (ROOT.parent, ROOT.parents[1] / "main" / "tests" / "browser" / "strangers"):
    if (place / "serve.py").exists():
        sys.path.insert(0, str(place))
        break
import serve  # noqa: E402

WEB = ROOT / "web"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
STATE = {}
ROUTES = []


def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + "$"), function))
        return function
    return keep


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if body or status not in (204, 302, 304):
            self.send_header("Content-Type", kind)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        if not any(name == "Cache-Control" for name, _ in headers):
            self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def body(self):
        size = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(size) if size else b""

    def gone(self):
        ready, _, _ = select.select([self.connection], [], [], 0)
        return bool(ready) and not self.connection.recv(1, socket.MSG_PEEK)


class Site(Base):
    def do_GET(self):
        self.serve()

    do_POST = do_PUT = do_HEAD = do_GET

    def serve(self):
        split = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(split.query).items()}
        self.data = self.body()
        for method, pattern, function in ROUTES:
            found = pattern.match(split.path)
            if found and method == ("GET" if self.command == "HEAD" else self.command):
                return function(self, *found.groups())
        return self.file(split.path)

    def file(self, path):
        kind = pathlib.PurePosixPath(path).suffix
        target = (WEB / path.lstrip("/")) if kind else (WEB / "pages" / (path.strip("/") + ".html"))
        target = target.resolve()
        if not target.is_relative_to(WEB) or not target.is_file():
            return self.answer(404, {"error": "not found", "path": path})
        headers = []
        if not kind:
            STATE[path] = {}
            if path == "/travel/pass":
                headers.append(("Content-Security-Policy",
                                "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'"))
            if path == "/crew/manuals":
                headers.append(("Content-Security-Policy-Report-Only", "default-src 'self'; style-src 'self'"))
        data = self.server.filled(target.read_bytes())
        if path == "/legacy/fare-format.js":
            time.sleep(1.4)
        return self.answer(200, data, TYPES.get(kind or ".html", "application/octet-stream") + "; charset=utf-8", headers)


class Partner(Base):
    """The hotel and car programme that shares points with ours."""

    def origin(self):
        return [("Access-Control-Allow-Origin", self.headers.get("Origin") or "null"), ("Vary", "Origin")]

    def do_OPTIONS(self):
        self.answer(204, headers=[*self.origin(), ("Access-Control-Allow-Methods", "GET, POST"),
                                  ("Access-Control-Allow-Headers", "content-type, authorization")])

    def do_GET(self):
        self.answer(200, {"partners": [{"name": "Fjordhotels", "points": 4200}, {"name": "Nordcar", "points": 1150}]},
                    headers=self.origin())


def state(path):
    return STATE.setdefault(path, {})


def count(path, name):
    of = state(path)
    of[name] = of.get(name, 0) + 1
    return of[name]


FLIGHTS = [
    {"no": "SV101", "from": "Bergen", "to": "Bodo", "at": "07:05", "gate": "A3"},
    {"no": "SV118", "from": "Bergen", "to": "Alta", "at": "07:40", "gate": "A5"},
    {"no": "SV204", "from": "Bergen", "to": "Roros", "at": "08:15", "gate": "B1"},
    {"no": "SV310", "from": "Bergen", "to": "Bodo", "at": "09:30", "gate": "A3"},
    {"no": "SV418", "from": "Bergen", "to": "Molde", "at": "10:10", "gate": "B4"},
]
AIRPORTS = ["Alta", "Bergen", "Bodo", "Bardufoss", "Berlevag", "Molde", "Roros", "Stavanger", "Tromso", "Trondheim"]


@route("GET", "/favicon.ico")
def favicon(h):
    h.answer(204)


@route("POST", "/metrics/vitals")
def vitals(h):
    h.answer(204)


@route("GET", "/api/me")
def me(h):
    h.answer(200, {"id": 70211, "name": "Ingrid Moe", "tier": "silver", "member": "SC-55810"})


# rebook
@route("GET", "/api/disruptions/(\\w+)")
def disruption(h, flight):
    h.answer(200, {"flight": flight, "route": "Bergen - Molde", "reason": "Technical check of the aircraft", "status": "cancelled",
                   "links": {"alternatives": "http://127.0.0.1:%d/v2/alternatives" % h.server.ports["NOBODY"],
                             "vouchers": "/api/vouchers?flight=" + flight}})


@route("GET", "/api/vouchers")
def vouchers(h):
    h.answer(200, {"vouchers": [{"kind": "meal", "value": 150}, {"kind": "taxi", "value": 300}]})


# pay
@route("GET", "/api/basket")
def basket(h):
    h.answer(200, {"id": "bk-4410", "route": "BGO-BOO", "lines": [
        {"what": "Adult, Bergen - Bodo", "price": 1290}, {"what": "Checked bag 23 kg", "price": 249}]})


@route("GET", "/api/taxes")
def taxes(h):
    time.sleep(0.15)
    h.answer(500, {"error": "internal", "trace": "tx-91c0"})


@route("GET", "/api/extras")
def extras(h):
    h.answer(200, {"extras": [{"name": "Window seat", "image": "/img/extras/window.jpg"},
                              {"name": "Lounge", "image": "/img/extras/lounge.jpg"}]})


# meals
@route("GET", "/api/trips/next")
def next_trip(h):
    h.answer(200, {"flight": "SV310", "date": "2 June", "departure": 3310})


@route("GET", "/api/kitchen/menu")
def menu(h):
    time.sleep(2.6)
    h.answer(200, {"open": True, "dishes": [{"name": "Fish soup", "price": 119}, {"name": "Lentil stew", "price": 99},
                                            {"name": "Waffle and jam", "price": 59}]})


@route("GET", "/api/allergens")
def allergens(h):
    h.answer(200, {"allergens": ["gluten", "milk", "fish", "nuts"]})


# swap
DUTIES = [{"id": 12, "day": "Mon", "flight": "SV101"}, {"id": 13, "day": "Tue", "flight": "SV204"},
          {"id": 15, "day": "Fri", "flight": "SV418"}]


@route("GET", "/api/crew/duties")
def duties(h):
    h.answer(200, {"duties": DUTIES})


@route("GET", "/api/crew/swaps")
def swaps(h):
    h.answer(200, {"swaps": state("/crew/swap").get("swaps", [])})


@route("POST", "/api/crew/swaps")
def swap(h):
    time.sleep(0.8)
    if not h.gone():
        state("/crew/swap").setdefault("swaps", []).append(json.loads(h.data))
        h.answer(201, {"ok": True})


# manage
@route("GET", "/api/bookings/(\\w{6})")
def booking_by_code(h, code):
    if "svverified=" in (h.headers.get("Cookie") or ""):
        return h.answer(200, {"code": code, "flight": "SV310", "name": "Moe / Ingrid"})
    return h.answer(302, headers=[("Location", "/api/verify/device?next=/api/bookings/" + code)])


@route("GET", "/api/verify/device")
def verify(h):
    h.answer(302, headers=[("Location", h.query.get("next", "/")),
                           ("Set-Cookie", "svverified=d7f1; Path=/api/verify; HttpOnly; SameSite=Lax")])


@route("GET", "/api/hints")
def hints(h):
    h.answer(200, {"hints": ["The reference has six letters or digits.", "You find it in the e-mail of your booking."]})


# gates
@route("GET", "/api/board/departures")
def departures(h):
    h.answer(200, {"station": "BGO", "departures": FLIGHTS}, kind="text/plain; charset=utf-8")


@route("GET", "/api/board/weather")
def weather(h):
    h.answer(200, {"temp": 7, "wind": "SW 14 kt", "icon": "/img/weather/rain.png"})


# bags
@route("POST", "/graph")
def graph(h):
    asked = json.loads(h.data or b"{}")
    if asked.get("operationName") == "Traveller":
        return h.answer(200, {"data": {"traveller": {"name": "Ingrid Moe", "tags": ["SV604418", "SV604419"]}}})
    return h.answer(200, {"data": {"bags": None}, "errors": [
        {"message": "WorldTracer: session expired", "path": ["bags"], "extensions": {"code": "UPSTREAM_AUTH"}}]})


# flights
@route("GET", "/api/airports")
def airports(h):
    h.answer(200, {"airports": AIRPORTS})


@route("GET", "/api/calendar")
def calendar(h):
    h.answer(200, {"days": [{"day": day, "low": 590 + 40 * day} for day in range(1, 8)]})


@route("GET", "/api/flights/search")
def flights(h):
    time.sleep(0.2)
    h.answer(200, {"requestId": "q-7731", "currency": "NOK", "itineraries": [
        {"segments": [{"number": f["no"], "departs": f["at"]}], "offer": {"amount": 890 + 100 * i}}
        for i, f in enumerate(FLIGHTS) if f["to"] == "Bodo"]})


# seats
@route("GET", "/api/trips/current")
def current(h):
    h.answer(200, {"booking": {"id": 8841, "code": "KQ7T2M", "departureId": 3310, "traveller": {"id": 70211, "name": "Ingrid Moe"}},
                   "flight": "SV310", "cabin": "Dash 8-300"})


@route("GET", "/api/departures/(\\d+)/seats")
def seats(h, departure):
    if departure != "3310":
        return h.answer(404, {"error": "no such departure", "departure": int(departure)})
    return h.answer(200, {"rows": [{"row": row, "free": ["A", "C", "D"]} for row in range(1, 13)]})


@route("GET", "/api/seat-prices")
def seat_prices(h):
    h.answer(200, {"front": 149, "window": 79, "other": 0})


# fares
@route("GET", "/api/fares/week")
def week(h):
    h.answer(200, {"fares": [{"to": to, "minor": minor} for to, minor in
                             (("Bodo", 89000), ("Alta", 129000), ("Roros", 59000), ("Molde", 69000))]})


# chat
@route("GET", "/api/chat/hours")
def hours(h):
    h.answer(200, {"open": True, "agents": 4, "topics": ["Change a booking", "Bags", "Refund"]})


@route("GET", "/live/agent")
def live_agent(h):
    h.close_connection = True
    h.answer(403, {"error": "protocol not accepted"}, headers=[("Connection", "close")])


# pack
@route("GET", "/api/maps/(\\w+)")
def airport_map(h, code):
    row = "".join("%04x" % (i * 2654435761 % 65536) for i in range(256))
    h.answer(200, {"code": code, "format": "vec-hex", "plan": row * 1450})


@route("GET", "/api/trips/upcoming")
def upcoming(h):
    h.answer(200, {"trip": {"code": "KQ7T2M", "legs": ["BGO", "TRD", "BOO", "TOS"], "title": "Bergen to Tromso, 2 June"}})


# claim
@route("GET", "/api/claims/reasons")
def reasons(h):
    h.answer(200, {"reasons": ["Late by more than three hours", "Cancelled", "Denied boarding"]})


@route("POST", "/api/claims")
def claim(h):
    h.answer(201, {"case": "CL-20811"})


# roster
@route("GET", "/api/roster/week")
def roster(h):
    time.sleep(0.12)
    h.answer(200, {"week": 23, "base": h.query.get("base", "BGO"), "people": [
        {"name": name, "days": ["SV101", "off", "SV204", "standby", "SV310", "off", "off"]}
        for name in ("A. Lie", "B. Dahl", "C. Ness", "D. Vik", "E. Sund")]})


@route("GET", "/api/roster/bases")
def bases(h):
    h.answer(200, {"bases": ["BGO", "TRD", "BOO"]})


# ops board
@route("GET", "/api/ops/movements")
def movements(h):
    tick = count("/ops/board", "tick")
    h.answer(200, {"tick": tick, "movements": [
        {"id": "M%02d" % i, "flight": "SV%d" % (100 + 7 * i), "stand": "S%d" % (i % 9 + 1), "delay": (i * tick) % 17,
         "crew": "C%d" % (i % 5), "fuel": 1200 + 10 * i} for i in range(30)]})


@route("GET", "/api/ops/runway")
def runway(h):
    h.answer(200, {"runway": "17", "state": "wet, good"})


# trips
@route("GET", "/api/club/trips")
def trips(h):
    h.answer(200, {"trips": [{"id": 5000 + i} for i in range(18)]})


@route("GET", "/api/club/trips/(\\d+)")
def trip(h, number):
    time.sleep(0.26)
    n = int(number)
    h.answer(200, {"id": n, "route": "Bergen - " + AIRPORTS[2 + n % 8], "points": 200 + n % 90, "date": "%d May" % (n % 28 + 1)})


@route("GET", "/api/club/account")
def account(h):
    h.answer(200, {"member": "SC-55810", "tier": "silver", "points": 18250})


# today
@route("GET", "/api/today")
def today(h):
    h.answer(200, {"flights": FLIGHTS, "news": ["New route to Alta from 2 June", "Bring your own cup on board"]})


# status
@route("GET", "/api/status/(\\w+)")
def status(h, flight):
    if count("/airport/status", "asked") <= 2:
        return h.answer(503, {"error": "busy"}, headers=[("Retry-After", "1")])
    return h.answer(200, {"flight": flight, "state": "On time", "gate": "A3", "boarding": "09:00"})


# where
@route("GET", "/api/places")
def places(h):
    time.sleep(0.9)
    q = h.query.get("q", "").lower()
    h.answer(200, {"places": [name for name in AIRPORTS if name.lower().startswith(q)]})


# notices
@route("GET", "/live/notices")
def live_notices(h):
    h.close_connection = True
    h.answer(501, {"error": "push is not offered here"}, headers=[("Connection", "close")])


@route("GET", "/api/notices")
def notices(h):
    if h.headers.get("If-None-Match") == '"n7"':
        return h.answer(304, headers=[("ETag", '"n7"'), ("Cache-Control", "no-cache")])
    return h.answer(200, {"notices": [{"no": "B0412", "text": "Taxiway C closed until 14:00"},
                                      {"no": "B0415", "text": "Birds near runway 17"},
                                      {"no": "B0416", "text": "Stand 4 for de-icing only"}]},
                    headers=[("ETag", '"n7"'), ("Cache-Control", "no-cache")])


# manuals
@route("GET", "/api/manuals")
def manuals(h):
    if h.headers.get("Authorization") != "Bearer fresh-2":
        return h.answer(401, {"error": "token expired"}, headers=[("WWW-Authenticate", "Bearer")])
    return h.answer(200, {"manuals": [{"title": "Cabin safety, Dash 8", "rev": 14}, {"title": "De-icing on stand", "rev": 9},
                                      {"title": "First aid on board", "rev": 22}]})


@route("POST", "/api/token")
def token(h):
    h.answer(200, {"token": "fresh-2", "expires": 900})


# loads
@route("GET", "/api/loads/(\\w+)")
def loads(h, flight):
    n = int(flight[2:])
    h.answer(200, {"flight": flight, "seats": 50, "sold": 30 + n % 20, "bags": n % 40, "cargo": None if n % 2 else 300})


@route("GET", "/api/loads-feed")
def loads_feed(h):
    n = count("/ops/loads", "feed")
    h.answer(200, {"events": [{"id": n * 10 + i, "text": "Bag %d loaded on SV101" % (n * 10 + i)} for i in range(3)]})


if __name__ == "__main__":
    serve.run(Site, second=("PARTNER", Partner), nobody=True)

#!/usr/bin/env python3
"""The web application of a museum: tickets, tours, collection, guide, shop, membership, staff desk."""
import base64
import hashlib
import json
import pathlib
import random
import re
import secrets
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serve  # noqa: E402

SITE = pathlib.Path(__file__).resolve().parent / "site"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
STRICT = ("default-src 'self'; script-src 'self' http://127.0.0.1:@@PARTNER@@; worker-src 'self'; style-src 'self'; "
          "img-src 'self' data: blob:; connect-src 'self' http://127.0.0.1:*")

# path: file, title, further headers
PAGES = {
    "/museum/": ("home", "Museum on the Quay", {"Content-Security-Policy-Report-Only": "img-src 'self'; style-src 'self'"}),
    "/museum/tours": ("tours", "Guided tours", {}),
    "/museum/donate": ("donate", "Support us", {}),
    "/museum/object/terrella/zoom": ("zoom", "Terrella: every detail", {"Content-Security-Policy": STRICT}),
    "/museum/loans": ("loans", "Works on loan", {}),
    "/museum/visit": ("visit", "Plan your visit", {}),
    "/museum/collection": ("collection", "Collection", {}),
    "/museum/join": ("join", "Become a member", {}),
    "/museum/audio": ("audio", "Audio guide", {}),
    "/museum/staff/desk": ("desk", "Desk", {}),
    "/museum/shop/members": ("members", "Members' shop", {}),
    "/museum/departments": ("departments", "Departments", {}),
    "/museum/highlights": ("highlights", "Highlights", {}),
    "/museum/guide/floors": ("floors", "Floor by floor", {}),
    "/museum/groups": ("groups", "Groups and schools", {}),
    "/museum/shop": ("shop", "Shop", {}),
    "/museum/checkout": ("checkout", "Checkout", {}),
    "/museum/staff/queue": ("queue", "Cloakroom queue", {}),
    "/museum/object/terrella/notes": ("notes", "My notes", {}),
    "/museum/tickets": ("tickets", "Tickets", {}),
    "/museum/search": ("search", "Search", {}),
    "/museum/staff/board": ("board", "House board", {}),
    "/museum/contact": ("contact", "Write to us", {}),
    "/museum/object/hydria": ("object", "Hydria with sirens", {}),
    "/museum/account": ("account", "Your account", {}),
}
FRESH = {
    "desk": lambda: {"used": set()},
    "queue": lambda: {"number": 41, "waiting": 19},
    "notes": lambda: {"token": secrets.token_hex(8), "notes": []},
    "home": lambda: {"asked": 0},
    "board": lambda: {"sockets": 0},
    "account": lambda: {"signed": False},
    "shop": lambda: {"lines": []},
}
STATE = {name: make() for name, make in FRESH.items()}
ROUTES = []


def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return keep


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if status not in (204, 304):
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        given = dict(headers)
        given.setdefault("Cache-Control", "no-store")
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def asked(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.raw = self.rfile.read(length)
        address = urlsplit(self.path)
        self.query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        return address.path

    @property
    def sent(self):
        try:
            return json.loads(self.raw or b"{}")
        except ValueError:
            return {}

    def cookie(self, name):
        found = re.search(r"(?:^|;\s*)" + name + r"=([^;]*)", self.headers.get("Cookie") or "")
        return found and found.group(1)


class Museum(Base):
    def handle_any(self):
        path = self.asked()
        if self.command in ("GET", "HEAD") and path in PAGES:
            return self.page(path)
        if path.startswith("/museum/assets/"):
            return self.asset(SITE / path[len("/museum/"):])
        if path == "/museum/guide/sw.js":
            return self.asset(SITE / "assets" / "guide-sw.js")
        if path == "/favicon.ico":
            return self.answer(204)
        for method, pattern, function in ROUTES:
            found = pattern.match(path)
            if found and method == ("GET" if self.command == "HEAD" else self.command):
                return function(self, *found.groups())
        return self.answer(404, {"error": "not found"})

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    def page(self, path):
        name, title, headers = PAGES[path]
        if name in FRESH:
            STATE[name] = FRESH[name]()
        main = (SITE / "pages" / (name + ".html")).read_text(encoding="utf-8")
        head, _, body = main.partition("<!-- main -->\n")
        text = (SITE / "layout.html").read_text(encoding="utf-8")
        text = text.replace("{{title}}", title).replace("{{head}}", head.strip()).replace("{{main}}", body.strip())
        text = text.replace("{{token}}", STATE["notes"]["token"])
        headers = {key: self.server.filled(value.encode()).decode() for key, value in headers.items()}
        if name == "members":
            headers["Set-Cookie"] = "member_session=" + secrets.token_hex(12) + "; Path=/museum; HttpOnly; SameSite=Lax"
        self.answer(200, self.server.filled(text.encode()), "text/html; charset=utf-8", headers)

    def asset(self, file):
        file = file.resolve()
        if SITE not in file.parents or not file.is_file():
            return self.answer(404, "Not found", "text/plain")
        self.answer(200, self.server.filled(file.read_bytes()), TYPES.get(file.suffix, "application/octet-stream"),
                    {"Cache-Control": "no-cache"})

    # sockets
    def accept(self):
        key = self.headers.get("Sec-WebSocket-Key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True

    def frame(self, data, kind=0x81):
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
        self.wfile.write(bytes([kind]) + size + data)
        self.wfile.flush()

    def bye(self, code):
        self.frame(struct.pack(">H", code), 0x88)


# ---- visit, tours, tickets

@route("GET", "/museum/api/opening")
def opening(self):
    time.sleep(0.12)
    self.answer(200, {"ok": False, "error": {"code": "calendar_unavailable", "message": "Calendar service did not answer"},
                      "days": None})


@route("GET", "/museum/api/getting-here")
def getting_here(self):
    self.answer(200, {"lines": ["Tram 4 to Old Quay", "Ferry to Pier 2", "Bicycle park behind the east wing"]})


@route("GET", "/museum/api/tours")
def tours(self):
    time.sleep(0.18)
    week = int(self.query.get("week", 49))
    self.answer(200, {"week": week, "tours": [
        {"id": f"t{week}-1", "title": "Masterpieces in an hour", "day": "Tuesday", "at": "11:00", "free": 6},
        {"id": f"t{week}-2", "title": "Behind the scenes", "day": "Thursday", "at": "15:30", "free": 2},
        {"id": f"t{week}-3", "title": "With the little ones", "day": "Sunday", "at": "10:15", "free": 11}]})


@route("GET", "/museum/api/languages")
def languages(self):
    self.answer(200, ["English", "Nederlands", "Deutsch"])


SLOTS = {"10:00": 14, "12:00": 3, "14:00": 22}


@route("GET", "/museum/api/slots")
def slots(self):
    self.answer(200, {"slots": [{"at": at, "left": left} for at, left in SLOTS.items()], "price": 16})


@route("POST", "/museum/api/tickets")
def ticket(self):
    time.sleep(0.1)
    left = SLOTS.get(self.sent.get("at"), 0)
    if int(self.sent.get("people") or 1) > left:
        return self.answer(409, {"error": "not_enough_places", "left": left})
    self.answer(201, {"minutes": 10, "hold": secrets.token_hex(4)})


@route("GET", "/museum/api/groups/free")
def groups_free(self):
    time.sleep(0.25)
    self.answer(200, {"date": self.query.get("date"), "free": True})


@route("POST", "/museum/api/groups")
def groups(self):
    self.answer(201, {"reference": "G-" + secrets.token_hex(3)})


# ---- support

@route("GET", "/museum/api/campaign")
def campaign(self):
    self.answer(302, b"", "text/plain", {"Location": "/museum/en/api/campaign", "Vary": "Accept-Language"})


@route("GET", "/museum/en/api/campaign")
def campaign_en(self):
    self.answer(302, b"", "text/plain", {"Location": "/museum/api/campaign", "X-Language": "default"})


@route("GET", "/museum/api/donation-amounts")
def amounts(self):
    self.answer(200, {"amounts": [10, 25, 60, 150], "currency": "EUR"})


@route("POST", "/museum/api/memberships")
def memberships(self):
    time.sleep(0.15)
    postcode = (self.sent.get("address") or {}).get("postcode", "")
    if not re.fullmatch(r"\d{4} ?[A-Z]{2}", postcode):
        return self.answer(422, {"errors": [{"field": "address.postcode", "message": "A postcode is four digits and two letters."}]})
    self.answer(201, {"number": "M-20417"})


@route("GET", "/museum/api/membership-plans")
def plans(self):
    self.answer(200, [{"id": "friend", "name": "Friend", "price": 45}, {"id": "patron", "name": "Patron", "price": 240}])


# ---- collection

WORKS = [("Vase with lotus", True), ("Vase, red figures", False), ("Floor vase", True), ("Vase with handles", True),
         ("Miniature vase", False), ("Vase of an apothecary", True), ("Flower vase", False), ("Vase, cut glass", True),
         ("Vase with dragons", True)]


@route("GET", "/museum/api/collection")
def collection(self):
    time.sleep(0.1)
    items = [{"id": f"C{40 + n}", "title": title, "onView": view} for n, (title, view) in enumerate(WORKS)]
    if self.query.get("onView"):
        shown = [item for item in items if item["onView"]]
        return self.answer(200, {"data": {"items": shown, "total": len(shown)}, "meta": {"page": 1, "of": 1}})
    self.answer(200, {"items": items, "total": len(items)})


@route("GET", "/museum/api/collection/facets")
def facets(self):
    self.answer(200, {"materials": ["Glass", "Earthenware", "Porcelain"], "periods": []})


DEPARTMENTS = {"ceramics": [("Tin-glazed plate", 3), ("Jug with hunters", None), ("Tile with a ship", 3), ("Tulip vase", None),
                            ("Stove tile", None)],
               "coins": [("Ducat of 1612", 9), ("Medal of the admiralty", None), ("Siege coin", 9)],
               "maps": [("Chart of the estuary", 5), ("Globe, terrestrial", None)]}


@route("GET", "/museum/api/preferences")
def preferences(self):
    time.sleep(0.05)
    self.answer(200, {"onView": True, "language": "en"})


@route("GET", r"/museum/api/departments/(\w+)")
def department(self, name):
    if name not in DEPARTMENTS:
        return self.answer(404, {"error": "no such department"})
    shown = self.query.get("onView") == "1"
    time.sleep(0.1 if shown else 1.3)  # the depot's register is another system
    self.answer(200, {"works": [{"title": title, "room": room} for title, room in DEPARTMENTS[name] if room or not shown]})


HIGHLIGHTS = {"1187436620917506051": ("Sea-piece with a calm", "Oil on canvas, 1658", "Room 12"),
              "1187436620917508233": ("Cabinet on stand", "Ebony and ivory, 1670", "Room 4"),
              "1187436620917509417": ("Ship's clock", "Brass, 1741", "Room 7")}


@route("GET", "/museum/api/highlights")
def highlights(self):
    rows = ", ".join('{"id": %s, "title": %s}' % (key, json.dumps(row[0])) for key, row in HIGHLIGHTS.items())
    self.answer(200, '{"highlights": [' + rows + "]}")


@route("GET", r"/museum/api/objects/(\d+)")
def object_by_number(self, number):
    time.sleep(0.08)
    if number not in HIGHLIGHTS:
        return self.answer(404, {"error": "not in the collection"})
    title, made, room = HIGHLIGHTS[number]
    self.answer(200, {"title": title, "made": made, "room": room})


@route("GET", "/museum/api/objects/hydria")
def hydria(self):
    self.answer(200, {"title": "Hydria with sirens", "made": "Attica, about 520 BC", "room": "Room 2", "audio": None})


@route("GET", "/museum/api/objects/hydria/related")
def related(self):
    self.answer(200, [])


@route("GET", "/museum/api/tiles/terrella")
def tiles(self):
    self.answer(200, {"levels": 6, "width": 9600, "height": 7200})


@route("GET", "/museum/api/notes")
def notes(self):
    self.answer(200, STATE["notes"]["notes"])


@route("POST", "/museum/api/notes")
def note(self):
    time.sleep(0.1)
    kept = STATE["notes"]
    if self.headers.get("X-Form-Token") != kept["token"]:
        return self.answer(403, {"error": "form_token"})
    kept["token"] = secrets.token_hex(8)
    kept["notes"].append(self.sent.get("text", ""))
    self.answer(201, {"count": len(kept["notes"])}, headers={"X-Form-Token": kept["token"]})


@route("GET", "/museum/api/suggest")
def suggest(self):
    words = ["amber", "amethyst", "amphora", "amulet", "anchor", "armour", "atlas"]
    time.sleep(0.35)
    self.answer(200, {"q": self.query.get("q", ""),
                      "words": [word for word in words if word.startswith(self.query.get("q", "").lower())]})


# ---- guide

@route("GET", "/museum/api/audio/stops")
def audio_stops(self):
    self.answer(200, [{"n": n, "title": title} for n, title in enumerate(
        ["The gate", "The hall", "The great chart", "Whales", "The admiral", "Porcelain", "The diver", "The lantern"], 1)])


@route("GET", r"/museum/api/audio/stops/(\d)")
def audio_stop(self, n):
    random.seed(n)
    picture = base64.b64encode(random.randbytes(660_000)).decode()
    self.answer(200, {"n": int(n), "text": "You are standing before stop " + n + ".", "picture": picture})


STOPS = {"1": ["Gate", "Great hall", "Porcelain cabinet"], "2": ["Map room", "Admiral's study"], "3": ["Lantern", "Roof terrace"]}


@route("GET", "/museum/guide/api/stops")
def stops(self):
    floor = self.query.get("floor", "1")
    self.answer(200, {"floor": int(floor), "stops": STOPS.get(floor, [])})


# ---- shop

@route("GET", "/museum/api/shop/articles")
def articles(self):
    self.answer(200, [{"id": "poster", "name": "Poster: Sea-piece", "price": 18}, {"id": "mug", "name": "Mug with whale", "price": 14},
                      {"id": "atlas", "name": "Small atlas", "price": 32}])


@route("POST", "/museum/api/session/refresh")
def refresh(self):
    if not self.cookie("member_session"):
        return self.answer(401, {"error": "no_session"})
    self.answer(200, {"token": secrets.token_hex(16), "expires": 900})


@route("GET", "/museum/api/shop/member-prices")
def member_prices(self):
    if not (self.headers.get("Authorization") or "").startswith("Bearer "):
        return self.answer(403, {"error": "members_only"})
    self.answer(200, {"poster": 15, "mug": 11, "atlas": 27})


@route("POST", "/museum/api/basket/items")
def basket_add(self):
    STATE["shop"]["lines"].append(self.sent.get("article", "poster"))
    self.answer(201, {"count": len(STATE["shop"]["lines"])},
                headers={"Set-Cookie": "basket=" + secrets.token_hex(8) + "; Path=/museum/api/basket; SameSite=Lax"})


@route("GET", "/museum/api/basket")
def basket(self):
    self.answer(200, {"count": len(STATE["shop"]["lines"]) if self.cookie("basket") else 0})


@route("GET", "/museum/api/checkout/summary")
def checkout(self):
    lines = STATE["shop"]["lines"] if self.cookie("basket") else []
    self.answer(200, {"lines": lines, "shipping": 4.5 if lines else 0})


# ---- staff

@route("GET", "/museum/api/desk/pass")
def desk_pass(self):
    self.answer(200, {"pass": secrets.token_urlsafe(12), "use": "once"})


@route("GET", r"/museum/live/(presence|counters)")
def desk_live(self, name):
    time.sleep(0.05 if name == "presence" else 0.3)
    given = self.query.get("pass", "")
    if given in STATE["desk"]["used"]:
        return self.answer(403, {"error": "pass was used"})
    STATE["desk"]["used"].add(given)
    self.accept()
    while True:
        self.frame({"colleagues": ["Ines", "Jonas"]} if name == "presence" else {"hall": 112, "east": 37})
        time.sleep(1)


@route("GET", "/museum/api/queue")
def queue(self):
    self.answer(200, STATE["queue"])


@route("POST", "/museum/api/queue/next")
def queue_next(self):
    STATE["queue"]["number"] += 1
    STATE["queue"]["waiting"] -= 1
    self.answer(200, STATE["queue"])


@route("GET", "/museum/live/board")
def board_live(self):
    STATE["board"]["sockets"] += 1
    first = STATE["board"]["sockets"] == 1
    self.accept()
    for n in range(2 if first else 1000):
        self.frame({"inside": 240 + n + (0 if first else 3), "lockers": 31 - n % 4})
        time.sleep(0.5)
    self.bye(1012)


@route("GET", "/museum/api/board/messages")
def board_messages(self):
    if self.headers.get("If-None-Match") == '"b7"':
        return self.answer(304, headers={"ETag": '"b7"', "Cache-Control": "no-cache"})
    self.answer(200, {"messages": []}, headers={"ETag": '"b7"', "Cache-Control": "no-cache"})


# ---- home, contact, account

@route("GET", "/museum/api/news")
def news(self):
    STATE["home"]["asked"] += 1
    if STATE["home"]["asked"] < 3:
        return self.answer(503, {"error": "starting"}, headers={"Retry-After": "1"})
    self.answer(200, [{"title": "The lantern is lit again"}, {"title": "New: tours in Frisian"}])


@route("GET", "/museum/api/prefetch/tickets")
def prefetch(self):
    time.sleep(5)
    self.answer(200, {})


@route("POST", "/museum/api/messages")
def message(self):
    time.sleep(0.1)
    if "@" not in self.sent.get("email", ""):
        return self.answer(422, {"errors": [{"field": "email", "message": "Please give an address that we can answer to."}]})
    self.answer(202, {"queued": True})


@route("GET", "/museum/api/me")
def me(self):
    if not STATE["account"]["signed"]:
        return self.answer(401, {"error": "signed_out"})
    self.answer(200, {"name": "Wanda", "since": 2019})


@route("POST", "/museum/api/sign-in")
def sign_in(self):
    if self.sent.get("password") != "lantern":
        return self.answer(401, {"error": "credentials"})
    STATE["account"]["signed"] = True
    self.answer(200, {"name": "Wanda"})


@route("GET", "/museum/api/me/orders")
def orders(self):
    self.answer(200, {"orders": []})


class Partner(Base):
    """Lending network and visitor statistics, of another house."""

    def handle_any(self):
        path = self.asked()
        allow = {"Access-Control-Allow-Origin": self.headers.get("Origin") or "*", "Vary": "Origin"}
        if self.command == "OPTIONS":
            return self.answer(204, headers={**allow, "Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "Content-Type"})
        if path == "/tag.js":
            return self.answer(200, (SITE / "tag.js").read_bytes(), "text/javascript")
        if path == "/lending/loans":
            page = int(self.query.get("page", 1))
            rows = [{"id": n, "title": f"Drawing no. {n}", "to": ["Antwerp", "Bremen", "Lisbon"][n % 3]} for n in range(1, 38)]
            return self.answer(200, rows[(page - 1) * 10:page * 10], headers={**allow, "X-Total-Count": str(len(rows))})
        self.answer(404, {"error": "not found"}, headers=allow)

    do_GET = do_HEAD = do_POST = do_OPTIONS = handle_any


class PartnerFilled(Partner):
    def answer(self, status, body=b"", kind="application/json", headers=()):
        if kind == "text/javascript":
            for name, port in PORTS.items():
                body = body.replace(b"@@%s@@" % name.encode(), b"%d" % port)
        super().answer(status, body, kind, headers)


PORTS = {}


class Known(Museum):
    def setup(self):
        PORTS.update(self.server.ports)
        super().setup()


if __name__ == "__main__":
    serve.run(Known, second=("PARTNER", PartnerFilled), nobody=True)

#!/usr/bin/env python3
"""Orchard, the web application of a cooperative of fruit farms: deliveries, storage, weather, field notes, orders, auctions."""
import base64
import json
import mimetypes
import pathlib
import re
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serve  # noqa: E402

SITE = pathlib.Path(__file__).resolve().parent / "site"
LOCK = threading.Lock()
STATE = {}
ROUTES = []
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
         ".json": "application/json", ".svg": "image/svg+xml"}
EXTRA = {
    "notes": {
        "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
                                   "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
        "Referrer-Policy": "same-origin",
    },
}


class Reply:
    def __init__(self, status=200, body=None, headers=None, kind="application/json; charset=utf-8"):
        self.status, self.headers, self.kind = status, dict(headers or {}), kind
        if body is None:
            self.body = b""
        elif isinstance(body, bytes):
            self.body = body
        elif isinstance(body, str):
            self.body = body.encode()
        else:
            self.body = json.dumps(body, ensure_ascii=False).encode()


class Request:
    def __init__(self, method, path, query, headers, body, match):
        self.method, self.path, self.query, self.headers, self.body, self.match = method, path, query, headers, body, match

    def json(self):
        return json.loads(self.body or b"{}")

    def first(self, name, otherwise=None):
        return self.query.get(name, [otherwise])[0]


def route(method, pattern):
    def add(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return add


def state(page):
    with LOCK:
        return STATE.setdefault(page, {})


def svg(label, fill, width=320, height=200):
    return Reply(200, f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
                      f'<rect width="100%" height="100%" fill="{fill}"/><text x="16" y="{height - 20}" font-family="sans-serif" '
                      f'font-size="20" fill="#fff">{label}</text></svg>', {"Cache-Control": "max-age=3600"}, "image/svg+xml")


# ---- everywhere

@route("GET", r"/api/me")
def me(_):
    return {"name": "Maren Holt", "role": "coordinator", "farm": "Upper Lindale"}


@route("GET", r"/api/notices/count")
def notices_count(_):
    return {"unread": 3}


@route("POST", r"/api/telemetry")
def telemetry(_):
    return Reply(204)


@route("POST", r"/api/client-log")
def client_log(_):
    return Reply(204)


@route("GET", r"/favicon.ico")
def favicon(_):
    return svg("", "#4d7c3a", 16, 16)


# ---- deliveries

@route("GET", r"/api/deliveries")
def deliveries(_):
    now = int(time.time())
    rows = [("D-4411", "Lindale Upper", "Conference pears", 42, 40), ("D-4412", "Brook Farm", "Bramley apples", 65, 95),
            ("D-4413", "Saltmarsh", "Victoria plums", 18, 130), ("D-4415", "Hollin Bank", "Cox apples", 77, 215),
            ("D-4416", "Brook Farm", "Quinces", 9, 260), ("D-4419", "Carr House", "Damsons", 23, 60 * 26)]
    return {"deliveries": [{"ref": ref, "farm": farm, "goods": goods, "crates": crates, "expected": now + minutes * 60,
                            "driver": f"van-{index % 3 + 1}"}
                           for index, (ref, farm, goods, crates, minutes) in enumerate(rows)], "generated": now * 1000}


@route("GET", r"/api/vans/van-([123])")
def vans(request):
    if request.match[1] == "2":
        return Reply(503, {"error": "tracker asleep"}, {"Retry-After": "600"})
    return {"id": f"van-{request.match[1]}", "speed": 48, "near": "A590 Lindal"}


# ---- members

DISTRICTS = {
    "vale": ["Agnes Thwaite", "Bernard Close", "Cora Postle", "Dilip Rana", "Edie Mossop", "Frank Irving"],
    "ridge": ["Gwen Parry", "Hamish Orr", "Ines Calder", "Jonas Reid"],
    "coast": ["Kitty Braith", "Leon Fell", "Mabel Stott"],
}


@route("GET", r"/api/members")
def members(request):
    district = request.first("district", "coast")
    time.sleep({"vale": 2.6, "ridge": 0.15, "coast": 0.1}.get(district, 0.1))
    names = DISTRICTS.get(district, [])
    return {"district": district, "members": [{"name": name, "since": 1998 + 2 * index, "shares": 10 + 5 * index}
                                              for index, name in enumerate(names)]}


@route("GET", r"/api/members/summary")
def members_summary(_):
    return {"vale": 6, "ridge": 4, "coast": 3}


@route("GET", r"/api/members/preferences")
def members_preferences(_):
    time.sleep(0.1)
    return {"district": "ridge", "sort": "name"}


# ---- storage

@route("GET", r"/api/cold-store/rooms")
def rooms(request):
    if request.headers.get("Authorization") != "Bearer " + state("storage").get("token", ""):
        return Reply(401, {"error": "invalid_token", "error_description": "The access token expired"},
                     {"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return {"rooms": [{"id": "A1", "fruit": "Cox", "celsius": 3.4, "fill": 81}, {"id": "A2", "fruit": "Bramley", "celsius": 3.9, "fill": 64},
                      {"id": "B1", "fruit": "Conference", "celsius": -0.4, "fill": 92}]}


@route("POST", r"/api/auth/renew")
def renew(_):
    state("storage")["token"] = "at_9c41f7d2"
    return {"access_token": "at_9c41f7d2", "expires_in": 900, "token_type": "Bearer"}


@route("GET", r"/api/cold-store/legend")
def legend(_):
    return {"levels": [{"from": 0, "name": "plenty of room"}, {"from": 70, "name": "filling up"}, {"from": 90, "name": "nearly full"}]}


@route("GET", r"/api/cold-store/doors")
def doors(_):
    time.sleep(0.4)
    return Reply(404, {"error": "no door sensors fitted"})


# ---- orders

ORDERS = [{"number": 7300 + n, "customer": ["Fell & Sons", "Greengrocer Ada", "Harbour Hotel", "School meals", "Juice works"][n % 5],
           "kilos": 40 + 13 * (n * 7 % 11), "state": ["open", "packed", "sent"][n % 3]} for n in range(23)]


@route("GET", r"/api/orders")
def orders(request):
    size = min(int(request.first("limit", "6")), 20)
    cursor = request.first("cursor", "")
    start = int(base64.urlsafe_b64decode(cursor + "==").decode()[2:]) if cursor else 0
    rows = ORDERS[start:start + size]
    end = start + size
    following = base64.urlsafe_b64encode(b"o:%d" % end).decode().rstrip("=") if end < len(ORDERS) else None
    time.sleep(0.12)
    return {"items": rows, "total": len(ORDERS), "next_cursor": following}


@route("GET", r"/api/orders/labels")
def orders_labels(_):
    return Reply(200, {"open": "Open", "packed": "Packed", "sent": "On its way"}, {"Cache-Control": "max-age=600"})


# ---- auction

@route("GET", r"/api/lots/81")
def lot(_):
    kept = state("auction")
    return {"lot": 81, "title": "Egremont Russet, 400 kg, Hollin Bank", "price": kept.setdefault("price", 240), "step": 10,
            "bids": kept.setdefault("bids", [{"by": "Juice works", "amount": 240}]), "watching": 14}


@route("POST", r"/api/lots/81/bids")
def bid(request):
    kept = state("auction")
    time.sleep(0.05)
    with LOCK:
        kept["price"] = kept.get("price", 240) + 10
        kept.setdefault("bids", [{"by": "Juice works", "amount": 240}]).append({"by": "You", "amount": kept["price"]})
        return Reply(201, {"accepted": True, "amount": kept["price"], "client": request.json().get("client")})


@route("GET", r"/api/lots/81/pictures/(\d)")
def lot_picture(request):
    return svg(f"Lot 81, picture {request.match[1]}", "#a8672f") if request.match[1] != "3" else Reply(404, {"error": "not uploaded yet"})


# ---- notes

@route("GET", r"/api/notes")
def notes(_):
    return {"notes": [{"id": 1, "row": "Hollin 14", "text": "Canker on two young trees, cut back.", "photo": "p-201"},
                      {"id": 2, "row": "Brook 3", "text": "Thinning is done.", "photo": "p-202"},
                      {"id": 3, "row": "Saltmarsh 8", "text": "Wasps in the trap, nothing on the fruit.", "photo": None}]}


@route("GET", r"/api/photos/(p-\d+)")
def photos(request):
    if request.headers.get("X-Field-Key") != "lindale":
        return Reply(403, {"error": "field key"})
    return svg(request.match[1], "#5a7f2c")


@route("GET", r"/api/notes/authors")
def authors(_):
    return Reply(404, {"error": "nobody else has notes"})


# ---- basket

@route("GET", r"/api/basket")
def basket(_):
    return {"lines": [{"sku": "APL-COX-5", "name": "Cox apples, 5 kg", "price": 9.5, "qty": 2, "deposit": 0},
                      {"sku": "JUI-RUS-6", "name": "Russet juice, 6 bottles", "price": 16.2, "qty": 1, "deposit": "1.50"},
                      {"sku": "PER-CON-3", "name": "Conference pears, 3 kg", "price": 6.9, "qty": 3, "deposit": 0},
                      {"sku": "CID-DRY-6", "name": "Dry cider, 6 bottles", "price": 19.0, "qty": 1, "deposit": "1.50"}],
            "minimum": 25, "currency": "GBP"}


@route("GET", r"/api/basket/suggestions")
def suggestions(_):
    time.sleep(0.8)
    return Reply(500, {"error": "recommender is away"})


@route("GET", r"/api/depots")
def depots(_):
    return [{"id": "kendal", "name": "Kendal, Tuesday"}, {"id": "ulv", "name": "Ulverston, Friday"}]


# ---- signin

@route("POST", r"/api/session")
def session(request):
    given = request.json()
    if not given.get("member") or not given.get("pin"):
        return Reply(422, {"error": "member number and PIN"})
    return Reply(200, {"ok": True, "member": given["member"], "name": "Maren Holt"},
                 {"Set-Cookie": "orchard_sid=s%3A5d1e88; Path=/api/session; HttpOnly; SameSite=Lax"})


@route("GET", r"/api/account")
def account(request):
    if "orchard_sid=" not in request.headers.get("Cookie", ""):
        return Reply(401, {"error": "not signed in"})
    return {"name": "Maren Holt", "balance": 412.7, "deliveries": 12}


@route("GET", r"/api/signin/hints")
def hints(_):
    return Reply(200, {"text": "Your member number is on every payout slip."},
                 {"Set-Cookie": "orchard_seen=1; Path=/; Max-Age=86400; SameSite=Lax"})


# ---- prices

@route("GET", r"/api/prices/today")
def prices_today(_):
    return [{"fruit": "Cox", "pence": 118}, {"fruit": "Bramley", "pence": 96}, {"fruit": "Conference", "pence": 131}, {"fruit": "Damson", "pence": 204}]


@route("GET", r"/api/prices/history")
def prices_history(_):
    time.sleep(0.15)
    return {"fruit": "Cox", "weeks": [{"week": 38 + n, "pence": [92, 95, 101, 99, 104, 108, 107, 111, 115, 118][n]} for n in range(10)]}


@route("GET", r"/api/prices/outlook")
def prices_outlook(_):
    time.sleep(0.5)
    return Reply(503, {"error": "the outlook is published on Fridays"})


# ---- market

@route("GET", r"/api/market/board")
def market_board(_):
    return {"rows": [{"code": "COX", "name": "Cox, class I"}, {"code": "BRA", "name": "Bramley, class I"}, {"code": "CON", "name": "Conference"},
                     {"code": "DAM", "name": "Damson, loose"}]}


@route("GET", r"/api/market/hours")
def market_hours(_):
    return {"opens": "06:00", "closes": "14:00"}


# ---- press

@route("GET", r"/api/press/slots")
def slots(request):
    taken = state("press").setdefault("taken", {"tue-10"})
    return {"week": int(request.first("week", "49")),
            "slots": [{"id": f"{day}-{hour}", "day": day, "hour": hour, "free": f"{day}-{hour}" not in taken}
                      for day in ("mon", "tue", "wed") for hour in (8, 10, 14)]}


@route("POST", r"/api/press/bookings")
def bookings(request):
    state("press").setdefault("taken", {"tue-10"}).add(request.json()["slot"])
    return Reply(201, {"slot": request.json()["slot"], "confirmed": True})


@route("GET", r"/api/press/machine")
def machine(_):
    return {"name": "Voran 60K", "litres": 450, "serviced": "2026-09-14"}


# ---- plots

@route("GET", r"/api/plots")
def plots(_):
    return {"plots": [{"id": "H14", "x": 20, "y": 30, "w": 120, "h": 70, "crop": "Cox"}, {"id": "B3", "x": 160, "y": 20, "w": 90, "h": 110, "crop": "Pears"},
                      {"id": "S8", "x": 40, "y": 130, "w": 180, "h": 60, "crop": "Plums"}]}


# ---- growers

@route("GET", r"/api/growers")
def growers(_):
    rows = [("Upper Lindale", "Holt", "01229 5501"), ("Brook Farm", "Postle", "01229 5544"), ("Saltmarsh", "Rana", "01229 5590"),
            ("Hollin Bank", "Mossop", "01539 2201"), ("Carr House", None, None), ("Thwaite Head", "Irving", "01539 2288"),
            ("Low Wood", "Parry", "01539 2310"), ("Grange Walls", "Orr", "01539 2377"), ("Beck Side", "Calder", "01229 5622")]
    return {"count": len(rows), "growers": [
        {"farm": farm, "hectares": 4 + index * 1.5, "organic": index % 3 == 0,
         "contact": {"surname": surname, "phone": phone} if surname else None} for index, (farm, surname, phone) in enumerate(rows)]}


@route("GET", r"/api/growers/logos/([a-z-]+)\.svg")
def logos(request):
    if request.match[1] in ("saltmarsh", "brook-farm"):
        return Reply(404, {"error": "no logo"})
    return svg("", "#86a84f", 28, 28)


# ---- rota

@route("GET", r"/api/rota/shifts")
def shifts(request):
    kept = state("rota")
    with LOCK:
        kept["asked"] = kept.get("asked", 0) + 1
        asked = kept["asked"]
    time.sleep(0.4 if asked > 20 else 0.09)
    if asked > 20:
        return Reply(429, {"error": "Too many requests from this member"}, {"Retry-After": "60"})
    return {"week": int(request.first("week", "49")), "shifts": [
        {"who": "Agnes", "day": "Mon", "task": "Picking"}, {"who": "Dilip", "day": "Mon", "task": "Grading"},
        {"who": "Edie", "day": "Wed", "task": "Picking"}, {"who": "Leon", "day": "Fri", "task": "Pressing"}]}


@route("GET", r"/api/rota/teams")
def teams(_):
    return ["pickers", "graders", "press"]


# ---- intake

@route("POST", r"/api/intake/notes")
def intake_note(request):
    kind = request.headers.get("Content-Type", "")
    boundary = re.search(r'boundary="?([^";]+)', kind)
    if not kind.startswith("multipart/form-data") or not boundary:
        return Reply(400, {"error": "unreadable", "message": "The form could not be read"})
    parts = [part for part in request.body.split(b"--" + boundary[1].encode()) if b"name=" in part]
    return Reply(201, {"stored": True, "parts": len(parts)})


@route("GET", r"/api/intake/graders")
def graders(_):
    return ["Dilip Rana", "Ines Calder"]


@route("PUT", r"/api/intake/draft")
def intake_draft(_):
    return Reply(409, {"error": "another tab has a newer draft"})


# ---- payout

@route("GET", r"/api/payouts")
def payouts(_):
    return {"quarter": "2026-Q3", "farms": ["lindale", "brook", "saltmarsh", "hollin"]}


@route("GET", r"/api/payouts/([a-z]+)")
def payout(request):
    known = {"lindale": ("Upper Lindale", 1840.5, 92.0), "brook": ("Brook Farm", 2210.25, 110.5),
             "saltmarsh": ("Saltmarsh", 640.0, 32.0), "hollin": ("Hollin Bank", 3015.75, 150.8)}
    if request.match[1] not in known:
        return Reply(404, {"error": "no such farm"})
    time.sleep(0.1 + 0.05 * len(request.match[1]) % 0.3)
    name, gross, levy = known[request.match[1]]
    return {"farm": name, "gross": gross, "levy": levy}


# ---- crates

CRATES = {90071992547409931: ("Cox", "A1", 18.2), 90071992547409947: ("Bramley", "A2", 19.9), 90071992547410033: ("Conference", "B1", 17.4),
          90071992547410051: ("Damson", "B1", 12.1)}


@route("GET", r"/api/crates")
def crates(_):
    return {"crates": [{"id": number, "fruit": fruit, "room": room} for number, (fruit, room, _) in CRATES.items()]}


@route("GET", r"/api/crates/(\d+)")
def crate(request):
    found = CRATES.get(int(request.match[1]))
    if not found:
        return Reply(404, {"error": "crate not found", "id": request.match[1]})
    return {"id": int(request.match[1]), "fruit": found[0], "room": found[1], "kilos": found[2], "picked": "2026-10-02"}


@route("GET", r"/api/crates/scanner")
def scanner(_):
    return Reply(404, {"error": "no scanner is paired with this desk"})


# ---- home

@route("GET", r"/api/home")
def home(_):
    time.sleep(0.1)
    return {"tiles": [{"name": "Crates in store", "value": "1 284"}, {"name": "Deliveries today", "value": "5"}, {"name": "Frost risk", "value": "low"}]}


@route("GET", r"/api/front/banner")
def banner(_):
    return Reply(204)


@route("GET", r"/media/people/(\w+)\.svg")
def people(request):
    if request.match[1] == "holt":
        return Reply(404, "no picture", kind="text/plain; charset=utf-8")
    return svg("", "#6b8e23", 64, 64)


# ---- varieties

VARIETIES = ["Ashmead's Kernel", "Beauty of Bath", "Blenheim Orange", "Bramley's Seedling", "Catshead", "Cox's Orange Pippin", "Discovery",
             "Egremont Russet", "Keswick Codlin", "Lord Derby", "Worcester Pearmain"]


@route("GET", r"/api/varieties")
def varieties(request):
    wanted = request.first("q", "").lower()
    time.sleep(max(0.15, 1.2 - 0.4 * len(wanted)))
    return {"q": wanted, "hits": [name for name in VARIETIES if wanted in name.lower()]}


@route("GET", r"/api/varieties/last")
def varieties_last(_):
    time.sleep(0.25)
    return {"q": "russet"}


# ---- stocktake

@route("GET", r"/api/stock")
def stock(_):
    kept = state("stocktake")
    kept["asked"] = kept.get("asked", 0) + 1
    if kept["asked"] < 3:
        return Reply(503, {"error": "counting, come back in a moment"}, {"Retry-After": "1"})
    return {"rows": [{"item": "Wooden crates", "count": 1284}, {"item": "Pallets", "count": 96}, {"item": "Picking bags", "count": 41}]}


@route("POST", r"/api/stock/count")
def stock_count(request):
    return {"item": request.json().get("item"), "count": request.json().get("count"), "saved": True}


# ---- gallery

@route("GET", r"/api/gallery")
def gallery(_):
    return {"pictures": [{"id": name, "title": title} for name, title in
                         (("blossom", "Blossom at Hollin"), ("harvest", "Harvest supper"), ("snow", "Snow, 2010"), ("press", "The old press"))]}


@route("GET", r"/media/gallery/(\w+)(@2x)?\.svg")
def gallery_picture(request):
    if request.match[2]:
        time.sleep(4)
    if request.match[1] == "snow":
        return Reply(404, "gone", kind="text/plain; charset=utf-8")
    return svg(request.match[1], {"blossom": "#d08aa5", "harvest": "#b5762a", "press": "#6b5844"}.get(request.match[1], "#999"))


# ---- noticeboard

@route("GET", r"/api/board")
def board(_):
    return Reply(200, {"posts": [{"title": "Ladder to lend", "by": "Edie Mossop", "text": "Three metres, good for standards."},
                                 {"title": "Lost: grey pony", "by": "Hamish Orr", "text": "Last seen by the beck."}]}, {"Cache-Control": "no-cache", "ETag": '"b-17"'})


@route("GET", r"/api/board/mine")
def board_mine(_):
    return Reply(401, {"error": "guests have no notices"})


@route("GET", r"/api/board/weekly-picture")
def weekly(_):
    time.sleep(5)
    return {"caption": "Last light at Saltmarsh"}


# ---- scales

@route("GET", r"/ws/scales")
def scales_socket(_):
    return Reply(404, {"error": "no socket here"})


@route("GET", r"/api/scales")
def scales(_):
    kept = state("scales")
    kept["asked"] = kept.get("asked", 0) + 1
    return {"scale": "yard", "kilos": 412 + kept["asked"] * 3, "steady": True}


def load(handler, method):
    address = urllib.parse.urlsplit(handler.path)
    length = int(handler.headers.get("Content-Length") or 0)
    body = handler.rfile.read(length) if length else b""
    query = urllib.parse.parse_qs(address.query)
    for wanted, pattern, function in ROUTES:
        match = pattern.match(address.path)
        if match and wanted == method:
            found = function(Request(method, address.path, query, handler.headers, body, match))
            return found if isinstance(found, Reply) else Reply(200, found, {"Cache-Control": "no-store"})
    return document(handler, address.path) if method == "GET" and not address.path.startswith("/api/") else Reply(404, {"error": "not found"})


def document(handler, path):
    relative = path.strip("/") or "home"
    target = (SITE / relative).resolve()
    if SITE not in target.parents:
        return Reply(404, "not found", kind="text/plain")
    if not target.suffix:
        STATE[relative] = {}
        target = target.with_suffix(".html")
    if not target.is_file():
        if path.startswith("/assets/") and "/chunks/" not in path:
            return Reply(404, "not found", kind="text/plain")
        target = SITE / "home.html"  # views of the shell are routed in the browser
    kind = TYPES.get(target.suffix) or mimetypes.guess_type(target.name)[0] or "application/octet-stream"
    return Reply(200, handler.server.filled(target.read_bytes()), {"Cache-Control": "no-cache", **EXTRA.get(relative, {})}, kind)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def give(self, reply):
        self.send_response(reply.status)
        if reply.status not in (204, 304):
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.body and reply.status not in (204, 304):
            self.wfile.write(reply.body)

    def do_GET(self):
        if self.path.startswith("/api/market/stream"):
            return self.stream()
        return self.give(load(self, "GET"))

    def do_POST(self):
        self.give(load(self, "POST"))

    def do_PUT(self):
        self.give(load(self, "PUT"))

    def stream(self):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"retry: 3000\n\n: opened\n\n")
        tick = 0
        while tick < 120:
            for index, code in enumerate(("COX", "BRA", "CON", "DAM")):
                data = {"code": code, "pence": 100 + index * 20 + (tick * 3 + index) % 7, "lots": 4 + (tick + index) % 5}
                self.wfile.write(f"id: {tick}-{index}\nevent: quote\ndata: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()
            tick += 1
            time.sleep(0.7)


class Stations(BaseHTTPRequestHandler):
    """The weather stations have an address of their own."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def give(self, status, body=None, headers=None):
        data = json.dumps(body).encode() if body is not None else b""
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_OPTIONS(self):
        self.give(204, None, {"Access-Control-Allow-Methods": "GET, OPTIONS", "Access-Control-Allow-Headers": "Accept, Content-Type, X-Station-Key"})

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/v1/forecast":
            self.give(200, {"days": [{"day": "Mon", "low": 1, "high": 8}, {"day": "Tue", "low": -2, "high": 6}, {"day": "Wed", "low": 3, "high": 9}]})
        elif path == "/v1/now":
            self.give(200, {"station": "Hollin Bank", "celsius": 5.5, "wind": 12})
        elif path == "/v1/sun":
            self.give(503, {"error": "almanac is being printed"})
        else:
            self.give(404, {"error": "not found"})


if __name__ == "__main__":
    serve.run(Handler, second=("STATIONS", Stations), nobody=True)

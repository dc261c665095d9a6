"""Saltholm harbour's office: pages for skippers and for the office."""
import base64
import datetime
import hashlib
import json
import math
import pathlib
import re
import select
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

SITE = HERE / "site"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
LOCK = threading.Lock()
STATE = {}
ROUTES = []

# ---------------------------------------------------------------- data

NAMES = ["Kittiwake", "Sula", "Nordlys", "Havfrue", "Petrel", "Guillemot", "Marie-Louise", "Ternen", "Albatros",
         "Solveig", "Blue Heron", "Fram", "Skua", "Vesterhav", "Eider", "Puffin", "Dorothea", "Sirius", "Ariel", "Calypso"]
PORTS = ["Gilleleje", "Helsingør", "Kullen", "Torekov", "Anholt", "Grenaa", "Hundested", "Råå"]


def vessels():
    order = [(n * 7 + 4) % 20 + 11 for n in range(20)]  # moorings are numbered from 11 as well
    return [{"id": 11 + n, "name": name, "length_m": 8.2 + (n * 13 % 60) / 10, "flag": ["DK", "SE", "DE", "NO"][n % 4],
             "mooring": {"id": order[n], "pier": "ABCD"[order[n] % 4], "depth_m": 2.1 + (n % 5) / 5}} for n, name in enumerate(NAMES)]


def day(shift):
    return (datetime.date.today() + datetime.timedelta(days=shift)).isoformat()


def fresh():
    """What the pages may change, as it is when one is opened."""
    return {"shifts": {1: "Ida Holm", 2: "Jonas Berg", 3: "Ida Holm", 4: "Mikkel Friis"}, "guests": [
        {"name": "Lena Voss", "vessel": "Seeadler", "nights": 2}, {"name": "Per Lindqvist", "vessel": "Mistral", "nights": 1}],
        "manual": 0, "token": None, "seen": {}, "slips": []}


STATE.update(fresh())


def times(key):
    with LOCK:
        STATE["seen"][key] = STATE["seen"].get(key, 0) + 1
        return STATE["seen"][key]


# ---------------------------------------------------------------- routes

def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return keep


@route("GET", r"/api/config")
def config(ask):
    port = ask.server.ports["NOBODY"]
    ask.json({"site": "Saltholm", "gateway": {"sensors": f"http://127.0.0.1:{port}/gateway/v2", "refresh": 4000},
              "features": {"heatmap": False, "sms": True}})


@route("GET", r"/api/berths")
def berths(ask):
    ask.json({"berths": [{"code": f"{pier}{n:02d}", "pier": pier, "width": 3.2 + n % 4 * 0.4, "sensor": f"s-{pier.lower()}{n:02d}"}
                         for pier in "ABC" for n in range(1, 9)]})


@route("GET", r"/api/notices/latest")
def notices_latest(ask):
    ask.json({"items": [{"title": "Dredging at pier C", "body": "Please keep clear of the yellow buoys until Friday.", "at": day(-1)},
                        {"title": "Washrooms", "body": "New codes are on your berth card.", "at": day(-3)},
                        {"title": "Regatta", "body": "The guest pier is reserved on Saturday.", "at": day(-4)}]})


@route("GET", r"/api/me")
def me(ask):
    ask.json({"id": 4471, "name": "Anna Krogh", "vesselId": 18, "roles": ["holder"]})


@route("GET", r"/api/me/avatar")
def avatar(ask):
    ask.json({"message": "no picture"}, 404)


@route("GET", r"/api/vessels/(\d+)/papers")
def papers(ask, number):
    time.sleep(0.12)
    ask.json({"status": 500, "error": "Internal Server Error", "trace": "f1b0-77a2", "path": ask.path}, 500)


@route("GET", r"/api/tariffs")
def tariffs(ask):
    ask.json({"currency": "EUR", "perMetre": 2.6, "power": 4, "tax": 0.25})


@route("GET", r"/api/piers/free")
def piers_free(ask):
    ask.json({"free": [{"pier": "A", "count": 3}, {"pier": "B", "count": 1}, {"pier": "D", "count": 6}]})


@route("POST", r"/api/bookings")
def bookings(ask):
    ask.json({"reference": "SH-20931"}, 201)


@route("GET", r"/api/tides/stations")
def stations(ask):
    ask.json([{"code": "SALT", "name": "Saltholm"}, {"code": "KULL", "name": "Kullen"}, {"code": "ANHO", "name": "Anholt"}])


@route("GET", r"/api/tides/predictions")
def predictions(ask):
    time.sleep(2.8)
    ask.json({"station": "SALT", "extremes": [{"at": f"{h:02d}:{m:02d}", "height": x, "kind": k} for h, m, x, k in
              [(2, 14, 0.31, "low"), (8, 26, 1.12, "high"), (14, 40, 0.28, "low"), (20, 51, 1.19, "high")]]})


@route("GET", r"/api/tides/sun")
def sun(ask):
    ask.json({"rise": "05:12", "set": "20:48"})


@route("GET", r"/api/roster")
def roster(ask):
    with LOCK:
        rows = [{"id": n, "day": ["Mon", "Tue", "Wed", "Thu"][n - 1], "slot": "06-14", "who": who} for n, who in sorted(STATE["shifts"].items())]
    ask.json({"shifts": rows})


@route("GET", r"/api/roster/people")
def people(ask):
    ask.json({"people": ["Ida Holm", "Jonas Berg", "Mikkel Friis", "Sara Lund"]})


@route("PUT", r"/api/roster/(\d+)")
def put_shift(ask, number):
    said = ask.body()
    time.sleep(0.9)
    if ask.gone():
        return
    with LOCK:
        STATE["shifts"][int(number)] = said["who"]
    ask.json({"id": int(number), "who": said["who"]})


@route("GET", r"/api/roster/holidays")
def holidays(ask):
    ask.json({"message": "no calendar for this year"}, 404)


@route("GET", r"/api/fuel/stock")
def fuel_stock(ask):
    ask.json({"diesel": 4100, "petrol": 1280, "updated": day(0)})


@route("GET", r"/api/fuel/hours")
def fuel_hours(ask):
    ask.json({"open": "07:00", "close": "21:00"})


@route("GET", r"/api/weather/samples")
def samples(ask):
    ask.json({"samples": [{"dir": (n * 37) % 360, "kn": 4 + (n * 11) % 19} for n in range(240)]})


@route("GET", r"/api/weather/now")
def weather_now(ask):
    ask.json({"air": 17.4, "water": 15.1, "wind": "SW 11 kn", "pressure": 1016})


@route("GET", r"/api/weather/outlook")
def outlook(ask):
    time.sleep(2.4)
    ask.json({"text": "South-west four to five, later west. Good visibility."})


@route("GET", r"/api/session/profile")
def profile(ask):
    if "berth_ticket=" in (ask.headers.get("Cookie") or ""):
        return ask.json({"name": "Anna Krogh", "boats": [{"name": "Ternen", "length": 10.4}, {"name": "Joller", "length": 3.1}]})
    ask.reply(302, b"", "text/plain", {"Location": "/api/session/renew?back=/api/session/profile", "Cache-Control": "no-store"})


@route("GET", r"/api/session/renew")
def renew(ask):
    ask.reply(302, b"", "text/plain", {"Location": ask.query("back", "/api/session/profile"), "Cache-Control": "no-store",
                                       "Set-Cookie": "berth_ticket=7d1e90; Path=/api/session/renew; HttpOnly; SameSite=Lax"})


@route("GET", r"/api/membership")
def membership(ask):
    ask.json({"since": 2014, "number": "4471", "kind": "Berth holder"})


@route("GET", r"/api/account/letters")
def letters(ask):
    ask.json({"letters": [{"title": "Annual meeting", "at": day(-20)}, {"title": "New harbour rules", "at": day(-61)}]})


@route("GET", r"/api/documents/folders")
def folders(ask):
    ask.json({"folders": [{"id": "all", "label": "All"}, {"id": "ins", "label": "Insurance"}, {"id": "con", "label": "Contracts"}]})


@route("GET", r"/api/documents/list")
def documents(ask):
    said = {"items": [{"id": 1, "title": "Berth contract 2026", "folder": "con", "kb": 212}, {"id": 2, "title": "Liability policy", "folder": "ins", "kb": 88},
                      {"id": 3, "title": "Crane order", "folder": "con", "kb": 41}], "total": 3}
    ask.reply(200, json.dumps(said).encode(), "text/plain; charset=utf-8", {"Cache-Control": "no-store"})


@route("GET", r"/api/documents/quota")
def quota(ask):
    ask.json({"used": 341, "of": 51200})


@route("POST", r"/api/graph")
def graph(ask):
    said = ask.body()
    name = said.get("operationName")
    if name == "Holder":
        return ask.json({"data": {"holder": {"name": "Anna Krogh", "account": "4471"}}})
    if name == "OpenInvoices":
        time.sleep(0.15)
        return ask.json({"data": {"ledger": None}, "errors": [{"message": "ledger period 2026-Q2 is locked for account 4471",
                         "path": ["ledger"], "extensions": {"code": "PERIOD_LOCKED", "service": "ledger"}}]})
    if name == "PaymentWays":
        return ask.json({"data": {"ways": [{"id": "sepa", "label": "Direct debit"}, {"id": "card", "label": "Card"}]}})
    ask.json({"errors": [{"message": "unknown operation"}]}, 400)


@route("GET", r"/api/arrivals")
def arrivals(ask):
    ask.json({"apiVersion": "2.1", "page": {"number": 1, "size": 50, "total": 5}, "entries": [
        {"vessel": {"name": NAMES[n * 3], "length": 9 + n}, "from": PORTS[n], "eta": f"{day(0)}T{14 + n}:20:00Z", "berth": f"D{n + 3:02d}"}
        for n in range(5)]}, extra={"X-Api-Version": "2.1"})


@route("GET", r"/api/arrivals/summary")
def arrivals_summary(ask):
    ask.json({"expected": 5, "departing": 3, "guestNights": 214})


@route("GET", r"/api/departures")
def departures(ask):
    ask.json({"items": [{"vessel": {"name": NAMES[n + 9]}, "to": PORTS[n + 3], "etd": f"{day(0)}T{9 + n:02d}:00:00Z"} for n in range(3)]})


@route("GET", r"/api/vessels")
def all_vessels(ask):
    ask.json({"vessels": [{key: v[key] for key in ("id", "name", "length_m", "flag", "mooring")} for v in vessels()]})


@route("GET", r"/api/vessels/(\d+)")
def one_vessel(ask, number):
    for v in vessels():
        if v["id"] == int(number):
            return ask.json({**v, "owner": f"Holder {4400 + v['id']}", "engine": ["Volvo D1-30", "Yanmar 3YM20", "Beta 25"][v["id"] % 3],
                             "mmsi": f"2190{v['id']}0{v['id']}7", "inspected": day(-v["id"] * 9)})
    ask.json({"message": "no such vessel"}, 404)


@route("GET", r"/api/vessels/(\d+)/photo")
def photo(ask, number):
    ask.json({"message": "no photo"}, 404)


@route("GET", r"/api/pilotage/legs")
def legs(ask):
    ask.json({"legs": [{"from": "Saltholm", "to": "Kullen light", "a": [56.12, 12.31], "b": [56.30, 12.45]},
                       {"from": "Kullen light", "to": "Torekov", "a": [56.30, 12.45], "b": [56.42, 12.62]},
                       {"from": "Torekov", "to": "Anholt", "a": [56.42, 12.62], "b": [56.71, 11.51]}], "speed": 5.5})


@route("GET", r"/api/pilotage/warnings")
def warnings(ask):
    ask.json({"warnings": ["Light buoy M4 is unlit.", "Firing exercise north of Kullen on Thursday."]})


@route("GET", r"/api/chat/presence")
def presence(ask):
    ask.json({"master": "Ole Dam", "online": True})


@route("GET", r"/api/chat/history")
def history(ask):
    ask.json({"messages": [{"from": "Ole Dam", "text": "Good morning, pier B is ready for you.", "at": "08:12"},
                           {"from": "you", "text": "Thank you!", "at": "08:15"}]})


@route("GET", r"/ws/desk")
def ws_desk(ask):
    ask.websocket()


@route("GET", r"/ws/board")
def ws_board(ask):
    ask.json({"message": "use /api/board"}, 426)


@route("GET", r"/api/board")
def board(ask):
    turn = times("board")
    ask.json({"calls": [{"vessel": NAMES[(n + turn // 3) % 20], "channel": 12 + n, "note": "requests berth"} for n in range(4)]})


@route("GET", r"/api/voyages/current")
def voyage(ask):
    ask.json({"from": "Anholt", "to": "Saltholm", "started": day(-1), "fixes": [
        {"t": n * 60, "lat": round(56.71 - n * 0.0008, 5), "lon": round(11.51 + n * 0.0011, 5), "sog": round(5 + math.sin(n / 20), 2)}
        for n in range(720)]})


@route("GET", r"/api/voyages/past")
def voyages_past(ask):
    ask.json({"voyages": [{"from": "Grenaa", "to": "Anholt", "nm": 29}, {"from": "Saltholm", "to": "Grenaa", "nm": 61}]})


@route("GET", r"/api/guests")
def guests(ask):
    with LOCK:
        ask.json({"guests": list(STATE["guests"])})


@route("POST", r"/api/guests")
def add_guest(ask):
    said = ask.body()
    time.sleep(0.2)
    call = str(said.get("callSign", ""))
    if not re.fullmatch(r"[A-Z]{4}\d{0,4}|", call):
        return ask.json({"title": "Unprocessable", "violations": [{"field": "radio.callSign", "rule": "pattern",
                         "message": "A call sign has four capital letters and at most four digits."}]}, 422)
    with LOCK:
        STATE["guests"].append({"name": said.get("name"), "vessel": said.get("vessel"), "nights": said.get("nights")})
    ask.json({"id": 77}, 201)


@route("GET", r"/api/guests/hints")
def hints(ask):
    ask.json({"message": "hints are off"}, 404)


@route("GET", r"/api/tiles/(occupancy|revenue|alerts)")
def tile(ask, name):
    time.sleep(0.06)
    ask.json({"occupancy": {"value": 71, "unit": "%", "since": ask.query("from", "")}, "revenue": {"value": 18420, "unit": "€"},
              "alerts": {"value": 2, "unit": ""}}[name])


@route("GET", r"/api/traffic")
def traffic(ask):
    turn = time.time() % 1000
    ask.json({"targets": [{"mmsi": 219000100 + n, "name": NAMES[n % 20], "x": round((n * 73 + turn * (1 + n % 3)) % 700, 1),
                           "y": round((n * 41 + turn) % 380, 1), "sog": round(2 + n % 9 + 0.1, 1)} for n in range(48)]})


@route("GET", r"/api/traffic/areas")
def areas(ask):
    ask.json({"areas": [{"name": "Fairway", "x": 60, "y": 40, "w": 200, "h": 300}, {"name": "Anchorage", "x": 420, "y": 200, "w": 180, "h": 130}]})


@route("GET", r"/api/season/stays")
def stays(ask):
    ask.json({"stays": [{"id": n, "berth": f"{'ABCD'[n % 4]}{n // 4 % 60 + 1:02d}", "vessel": NAMES[n * 3 % 19], "start": (n * 53 + n // 7) % 170,
                         "nights": 1 + n % 9, "party": {"adults": 1 + n % 3, "children": n % 2}, "extras": ["power"] if n % 2 else []}
                        for n in range(1100)]})


@route("GET", r"/api/season/holidays")
def season_holidays(ask):
    time.sleep(3)
    ask.json({"weeks": [28, 29, 30, 31]})


@route("GET", r"/api/search")
def search(ask):
    asked = ask.query("q", "").lower()
    time.sleep(4 if len(asked) < 4 else 0.35)
    ask.json({"q": asked, "hits": [{"name": v["name"], "pier": v["mooring"]["pier"], "number": v["mooring"]["id"]}
                                   for v in vessels() if asked in v["name"].lower()]})


@route("GET", r"/api/search/popular")
def popular(ask):
    ask.json({"terms": ["Fram", "Petrel", "Solveig"]})


@route("GET", r"/api/lock/times")
def lock_times(ask):
    if times("lock") < 3:
        return ask.json({"message": "warming up"}, 503, {"Retry-After": "1"})
    ask.json({"openings": [{"at": "09:30", "way": "in"}, {"at": "11:00", "way": "out"}, {"at": "15:30", "way": "in"}, {"at": "18:00", "way": "out"}]})


@route("GET", r"/api/lock/level")
def lock_level(ask):
    ask.json({"inside": 1.2, "outside": 0.7})


@route("GET", r"/api/gallery")
def gallery(ask):
    ask.json({"pictures": [{"id": n, "title": t, "src": f"/img/view{n}.svg"} for n, t in
                           enumerate(["Pier A at dawn", "The crane", "Guest pier", "Lighthouse", "Regatta", "Winter"], 1)]})


@route("GET", r"/api/gallery/related")
def related(ask):
    time.sleep(3.2)
    ask.json({"links": ["Harbour festival", "History of the mole"]})


@route("GET", r"/api/gallery/sheet/(\d+)")
def sheet(ask, number):
    time.sleep(6)
    ask.json({"sheet": int(number), "pictures": []})


@route("GET", r"/api/gallery/visitors")
def visitors(ask):
    ask.json({"now": 3 + times("visitors") % 4})


@route("GET", r"/api/desk/(token)")
def desk_token(ask, _):
    ask.json({"message": "POST only"}, 405)


@route("POST", r"/api/desk/token")
def desk_renew(ask):
    with LOCK:
        STATE["token"] = "t-%d" % (time.time() * 1000)
        ask.json({"token": STATE["token"], "expires": 900})


@route("GET", r"/api/desk/tasks")
def desk_tasks(ask):
    if not STATE["token"] or ask.headers.get("Authorization") != f"Bearer {STATE['token']}":
        return ask.json({"message": "token expired"}, 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'})
    ask.json({"tasks": [{"id": 1, "text": "Call Nordlys about the shore power"}, {"id": 2, "text": "Key for B07"}, {"id": 3, "text": "Crane at 14:00"}]})


@route("POST", r"/api/desk/tasks/(\d+)/done")
def desk_done(ask, number):
    ask.json({"id": int(number), "done": True})


@route("POST", r"/api/metrics")
def metrics(ask):
    ask.body()
    ask.reply(204, b"", "text/plain")


@route("POST", r"/api/reports")
def reports(ask):
    ask.reply(204, b"", "text/plain")


# ---------------------------------------------------------------- serving

POLICIES = {
    "/wind.html": {"Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                   "connect-src 'self'; worker-src 'self'",
                   "Content-Security-Policy-Report-Only": "style-src 'self'; report-uri /api/reports"},
    "/desk.html": {"Content-Security-Policy-Report-Only": "default-src 'self'; style-src 'self'; report-uri /api/reports"},
}


class Ask(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    methods = None

    def log_message(self, *said):
        pass

    def body(self):
        if not hasattr(self, "kept") or self.kept is None:
            size = int(self.headers.get("Content-Length") or 0)
            self.kept = self.rfile.read(size)
        try:
            return json.loads(self.kept or b"{}")
        except ValueError:
            return {}

    def query(self, name, other=None):
        return parse_qs(urlsplit(self.path).query).get(name, [other])[0]

    def reply(self, status, data, kind, extra=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def json(self, said, status=200, extra=None):
        self.reply(status, json.dumps(said, ensure_ascii=False).encode(), "application/json; charset=utf-8",
                   {"Cache-Control": "no-store", **(extra or {})})

    def gone(self):
        """Whether who asked is no longer there."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def file(self, path):
        found = (SITE / path.lstrip("/")).resolve()
        if SITE not in found.parents or not found.is_file():
            return self.reply(404, b"Not found", "text/plain; charset=utf-8")
        if found.suffix == ".html":
            with LOCK:
                STATE.clear()
                STATE.update(fresh())
        if path == "/js/vendor/knots.js":
            time.sleep(1.9)
        data = self.server.filled(found.read_bytes()) if found.suffix in (".html", ".js", ".css") else found.read_bytes()
        self.reply(200, data, KINDS.get(found.suffix, "application/octet-stream"), {"Cache-Control": "no-store", **POLICIES.get(path, {})})

    def answer(self):
        self.kept = None
        path = urlsplit(self.path).path
        for method, pattern, function in ROUTES:
            match = pattern.match(path)
            if match and method == self.command:
                function(self, *match.groups())
                break
        else:
            if self.command not in ("GET", "HEAD") or path.startswith("/api/"):
                self.body()
                self.json({"message": "not found"}, 404)
            else:
                self.file("/index.html" if path == "/" else path)
        if self.kept is None and self.headers.get("Content-Length"):
            self.body()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer

    def websocket(self):
        key = self.headers.get("Sec-WebSocket-Key")
        if not key:
            return self.json({"message": "a socket is expected here"}, 400)
        self.close_connection = True
        accept = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", accept)
        if "desk.v1" in [name.strip() for name in (self.headers.get("Sec-WebSocket-Protocol") or "").split(",")]:
            self.send_header("Sec-WebSocket-Protocol", "desk.v1")
        self.end_headers()
        self.wfile.flush()
        self.frames()

    def frames(self):
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return
            size = head[1] & 127
            if size == 126:
                size = struct.unpack("!H", self.rfile.read(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.rfile.read(8))[0]
            mask = self.rfile.read(4)
            data = bytes(b ^ mask[n % 4] for n, b in enumerate(self.rfile.read(size)))
            if head[0] & 15 == 8:
                return
            if head[0] & 15 == 1:
                self.frame(json.dumps({"kind": "ack", "id": json.loads(data).get("id")}))

    def frame(self, text):
        data = text.encode()
        self.wfile.write(bytes([0x81, len(data)]) + data if len(data) < 126 else b"\x81\x7e" + struct.pack("!H", len(data)) + data)
        self.wfile.flush()


class Pump(Ask):
    """The oil company's own service, on its own origin."""

    def answer(self):
        self.kept = None
        allowed = {"Access-Control-Allow-Origin": self.headers.get("Origin") or "*", "Vary": "Origin"}
        path = urlsplit(self.path).path
        if self.command == "OPTIONS":
            return self.reply(204, b"", "text/plain", {**allowed, "Access-Control-Allow-Methods": "GET",
                                                       "Access-Control-Allow-Headers": "accept, content-type", "Access-Control-Max-Age": "5"})
        if path == "/v3/prices":
            return self.reply(200, json.dumps({"diesel": 1.78, "petrol": 2.04, "open": True}).encode(), "application/json", allowed)
        if path == "/v3/brand":
            return self.reply(200, json.dumps({"brand": "Nordoil Marine", "since": 1961}).encode(), "application/json", allowed)
        self.reply(404, b"{}", "application/json", allowed)

    do_GET = do_OPTIONS = do_POST = answer


if __name__ == "__main__":
    serve.run(Ask, second=("PUMP", Pump), nobody=True)

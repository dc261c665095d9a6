"""Skerry Line: the ferry company's application."""
import json
import pathlib
import re
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serve  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
SHELL = (HERE / "pages" / "_shell.html").read_text(encoding="utf-8")
SAILINGS = [
    {"id": "S1", "from": "Norhavn", "to": "Skarholm", "at": "07:40", "ship": "Aurelia", "slot": "T1"},
    {"id": "S2", "from": "Norhavn", "to": "Skarholm", "at": "11:15", "ship": "Mareike", "slot": "T2"},
    {"id": "S3", "from": "Norhavn", "to": "Litle Ey", "at": "13:05", "ship": "Tern", "slot": "T2"},
    {"id": "S4", "from": "Norhavn", "to": "Skarholm", "at": "18:30", "ship": "Aurelia", "slot": "T3"},
]
GOODS = ["Wool hat", "Sea salt", "Model of Aurelia", "Postcards", "Mug", "Rain cape", "Chart of the sound", "Toffee",
         "Deck blanket", "Whistle", "Oat biscuits", "Lantern", "Tea towel", "Compass"]
BOOKINGS = {
    "4471": {"id": 4471, "lead": "Ines Marquardt", "route": "Norhavn - Skarholm", "date": "12 June", "car": "SK 4711"},
    "4417": {"id": 4417, "lead": "Olav Brekke", "route": "Litle Ey - Norhavn", "date": "3 August", "car": "none"},
    "4502": {"id": 4502, "lead": "Ines Marquardt", "route": "Skarholm - Norhavn", "date": "19 June", "car": "SK 4711"},
}
BOOKING_ROWS = {"4471": "4417", "4502": "4502"}
SHIPS = [{"name": n, "lat": 58.1 + i / 50, "lon": 6.4 + i / 40} for i, n in enumerate(["Aurelia", "Mareike", "Tern", "Petrel"])]


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "ferry"

    def log_message(self, *args):
        pass

    def send(self, status, data, kind="application/json", headers=()):
        if not isinstance(data, (bytes, str)):
            data = json.dumps(data)
        if isinstance(data, str):
            data = data.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))


class Ferry(Base):
    def do_GET(self):
        url = urlsplit(self.path)
        path, query = url.path, {k: v[0] for k, v in parse_qs(url.query).items()}
        if path == "/":
            path = "/status"
        if path.startswith("/api/") or path.startswith("/ws/"):
            return self.api(path, query)
        if re.fullmatch(r"/[a-z]+", path) and (HERE / "pages" / (path[1:] + ".html")).is_file():
            return self.page(path[1:])
        file = (HERE / path[1:]).resolve()
        if path.split("/")[1] in ("lib", "app") and file.is_file() and HERE in file.parents:
            data = server_fill(self, file.read_bytes())
            return self.send(200, data, TYPES.get(file.suffix, "application/octet-stream"))
        self.send(404, "not found", "text/plain")

    def page(self, name):
        inner = (HERE / "pages" / (name + ".html")).read_text(encoding="utf-8")
        text = SHELL.replace("<!--main-->", inner).replace("<!--title-->", name.capitalize())
        headers = [("Set-Cookie", "skerry_sid=7f2c11; Path=/; HttpOnly; SameSite=Lax")]
        if name == "checkout":
            headers.append(("Content-Security-Policy",
                            "default-src 'self'; connect-src 'self' http://127.0.0.1:*; frame-src 'self'; "
                            "img-src 'self' data:"))
        self.send(200, server_fill(self, text.encode()), "text/html; charset=utf-8", headers)

    def api(self, path, query):
        rest = path.split("/")[2:]
        if path == "/api/sailings":
            return self.send(200, {"sailings": SAILINGS})
        if path == "/api/vehicles/types":
            return self.send(200, [{"code": "car", "label": "Car up to 6 m"}, {"code": "van", "label": "Van"},
                                   {"code": "bike", "label": "Motorcycle"}])
        if path == "/api/vehicles/tariff":
            return self.send(500, {"message": "tariff: relation vehicle_tariff_2026 does not exist"})
        if path == "/api/cabins/types":
            return self.send(200, ["Inside, 2 berths", "Outside, 2 berths", "Family, 4 berths"])
        if path == "/api/cabins/availability":
            time.sleep(3)
            return self.send(200, {"free": {"Inside, 2 berths": 12, "Outside, 2 berths": 4, "Family, 4 berths": 3}})
        if path == "/api/crew/roster":
            return self.send(302, "", "text/plain", [("Location", "/signin?next=/crew")])
        if path == "/api/crew/ships":
            return self.send(200, ["Aurelia", "Mareike"])
        if path == "/api/portcalls":
            return self.send(200, [{"ship": "Aurelia", "port": "Skarholm", "eta": 545}, {"ship": "Tern", "port": "Litle Ey", "eta": 832}])
        if path == "/api/timetable":
            return self.send(200, {"version": 3, "data": {"departures": [
                {"time": s["at"], "to": s["to"]} for s in SAILINGS]}})
        if path == "/api/bookings":
            return self.send(200, [{"id": int(i), "route": BOOKINGS[i]["route"], "date": BOOKINGS[i]["date"]}
                                   for i in BOOKING_ROWS])
        if rest[0] == "bookings" and rest[-1] in BOOKING_ROWS:
            return self.send(200, BOOKINGS[BOOKING_ROWS[rest[-1]]])
        if path == "/api/deck/7":
            return self.send(200, {"deck": 7, "seats": [f"7{r}{n}" for r in "ABC" for n in range(1, 6)]})
        if path == "/ws/lounge":
            return self.send(403, "origin not in list", "text/plain")
        if path == "/ws/radar":
            return self.send(404, "not found", "text/plain")
        if path == "/api/lounge/rules":
            return self.send(200, {"text": "Be kind. Messages are kept for one crossing."})
        if path == "/api/archive/voyages":
            row = {"ship": "Aurelia", "log": "wind sw 5, sea moderate, visibility good; " * 4}
            return self.send(200, [dict(row, no=n) for n in range(60)])
        if path == "/api/routes":
            return self.send(200, ["Norhavn - Skarholm", "Norhavn - Litle Ey", "Skarholm - Torsvik"])
        if path == "/api/waitlist/88":
            time.sleep(0.04)
            return self.send(200, {"place": 6, "of": 19, "next_poll_ms": 5000})
        if path == "/api/fleet":
            return self.send(200, SHIPS)
        if path == "/api/radar/now":
            return self.send(200, {"ships": SHIPS, "at": time.strftime("%H:%M:%S")})
        if path == "/api/shop/goods":
            return self.send(200, {"ids": list(range(1, len(GOODS) + 1))})
        if rest[:2] == ["shop", "goods"]:
            time.sleep(0.35)
            no = int(rest[2])
            return self.send(200, {"id": no, "name": GOODS[no - 1], "price": 4 + no})
        if path == "/api/loyalty":
            if self.headers.get("Authorization"):
                return self.send(200, {"points": 4120, "level": "Captain"})
            return self.send(403, {"error": "token_required"})
        if path == "/api/me":
            return self.send(401, {"error": "anonymous"})
        if path == "/api/offers":
            if query.get("try") != "3":
                return self.send(503, {"error": "warming up"}, headers=[("Retry-After", "1")])
            return self.send(200, [{"title": "Midsummer return", "price": 49}, {"title": "Bike goes free", "price": 19}])
        if path == "/api/ports/search":
            q = query.get("q", "").lower()
            time.sleep(0.4)
            return self.send(200, [p for p in ("Norhavn", "Norvik", "Skarholm", "Torsvik", "Litle Ey") if q in p.lower()])
        if path == "/api/quay":
            return self.send(200, [{"quay": 1, "ship": "Aurelia"}, {"quay": 2, "ship": "Tern"}])
        if path == "/api/status":
            return self.send(200, {"text": "All sailings run to plan", "sailings": 4})
        self.send(404, {"error": "not found"})

    def do_POST(self):
        body = self.body()
        path = urlsplit(self.path).path
        if path == "/api/freight/graphql":
            return self.send(200, {"data": {"quote": None}, "errors": [
                {"message": "tariff table FR-2026 is not published for lane NOR-SKA", "path": ["quote"]}]})
        if path == "/api/session/refresh":
            if "skerry_sid=" in (self.headers.get("Cookie") or ""):
                return self.send(200, {"token": "ey.77"})
            return self.send(401, {"error": "no session cookie"})
        if path == "/api/refunds":
            return self.send(201, {"id": 311})
        self.send(404, {"error": "not found", "length": len(body)})


class Meteo(Base):
    """The weather office's, the card company's and the survey's host."""

    def do_OPTIONS(self):
        self.send(204, b"", "text/plain", [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "GET"),
                                           ("Access-Control-Allow-Headers", "content-type")])

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/v1/wind":
            return self.send(200, {"wind": 23, "gust": 31, "dir": "SW"}, headers=[("Access-Control-Allow-Origin", "*")])
        if path == "/card/form":
            return self.send(200, "<!doctype html><p>Card number <input name=pan></p><script>parent.postMessage("
                             "{card:'ready'},'*')</script>", "text/html")
        if path == "/survey/next":
            return self.send(200, {"question": "How was your crossing?"})
        self.send(404, "not found", "text/plain")


def server_fill(handler, data):
    return handler.server.filled(data)


if __name__ == "__main__":
    serve.run(Ferry, second=("METEO", Meteo), nobody=True)

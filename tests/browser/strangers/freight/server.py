#!/usr/bin/env python3
"""Brandt & Oller: the web application of a haulage company, and the origin of its partners (billing, chat, site tag)."""
import base64
import hashlib
import json
import pathlib
import re
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
PAGES = {page.stem.replace("-", "/", 1) if "-" in page.stem else page.stem: page
         for page in (HERE / "web").glob("*.html") if page.stem != "layout"}
LOCK = threading.Lock()
STATE = {}


def fresh():
    """What pages begin with."""
    STATE.clear()
    STATE.update(version=7, dock="4", instructions="Ring at the gate.", rota=[], yard=0, north=0, exports=0, polls=0,
                 refresh="rt-1", access="at-2", family=True,
                 settings={"mail": True, "sms": False},
                 thread=[{"from": "Dispatch", "text": "Dock 4 is free from 9:30."},
                         {"from": "You", "text": "Thanks, we come at ten."}])


LANES = [("L-01", "LS1 4AP", "CA1 1QS", 3), ("L-02", "M1 2WD", "EH1 1YZ", 5), ("L-03", "B2 4QA", "G2 1DY", 2),
         ("L-04", "HU1 3TS", "NE1 4ST", 6), ("L-05", "LS1 4AP", "DH1 3HP", 1), ("L-06", "S1 2HE", "PR1 2HE", 4),
         ("L-07", "DN1 1QP", "BD1 1HX", 2), ("L-08", "M1 2WD", "SK1 3XE", 5)]
BOOKINGS = {9007199254741001: ("BK-90311", "Farrow Foods", "Mon 8:00", 12, 5400, "Side door, no forklift."),
            9007199254741013: ("BK-90312", "Ives Timber", "Mon 10:30", 22, 18300, "Straps needed."),
            9007199254741027: ("BK-90313", "Nordlicht GmbH", "Tue 7:15", 6, 2100, "Keep below 8 degrees.")}
DRIVERS = ["A. Marsh", "B. Okafor", "C. Lind", "D. Reyes", "E. Novak", "F. Hall", "G. Singh", "H. Berg", "I. Costa",
           "J. Walsh", "K. Adler", "L. Dunn", "M. Petrov", "N. Quist"]
SHIFTS = {"day": [("A. Marsh", "6–14", "BO 114"), ("C. Lind", "14–22", "BO 120")],
          "week": [("A. Marsh", "Mon–Fri early", "BO 114"), ("C. Lind", "Mon–Thu late", "BO 120"), ("H. Berg", "Sat", "BO 98")],
          "month": [("A. Marsh", "19 shifts", "–"), ("C. Lind", "17 shifts", "–"), ("H. Berg", "8 shifts", "–")]}
ARCHIVE = [("12.03.", "CMR", "Müller & Söhne", "Köln"), ("18.03.", "Delivery note", "Größler Möbel", "Fürth"),
           ("02.04.", "CMR", "Bäckerei Jäger", "Lübeck"), ("09.04.", "Delivery note", "Kürschner", "Düren"),
           ("21.05.", "Customs", "Łódź Meble", "Łódź"), ("11.06.", "CMR", "Ångström AB", "Malmö")]
TARIFFS = {"HAM": [("Bremen", 92, 210), ("Hannover", 118, 264), ("Kiel", 84, 199)],
           "BRE": [("Hamburg", 95, 218), ("Oldenburg", 58, 141), ("Osnabrück", 97, 226)]}
PLACES = [(53.80, -1.55, "BO 114"), (54.57, -1.23, "BO 120"), (53.41, -2.15, "BO 98"), (54.89, -2.93, "BO 77")]
TOWNS = ["Leeds", "Leicester", "Leith", "Lewes", "Carlisle", "Hull", "Preston"]


class Base(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        names = {name.lower() for name, _ in headers}
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def json(self):
        try:
            return json.loads(self.body() or b"null") or {}
        except ValueError:
            return {}

    def file(self, path):
        path = path.resolve()
        if HERE not in path.parents or not path.is_file():
            return self.answer(404, {"message": "Not found"})
        return self.answer(200, self.server.filled(path.read_bytes()), TYPES.get(path.suffix, "application/octet-stream"))

    def route(self):
        url = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(url.query).items()}
        for method, pattern, action in self.ROUTES:
            match = re.fullmatch(pattern, url.path)
            if match and method == self.command:
                return action(self, *match.groups())
        return self.answer(404, {"message": "Not found"})

    do_GET = do_POST = do_PUT = do_OPTIONS = route


class Freight(Base):
    def page(self, name):
        if name not in PAGES:
            return self.answer(404, b"<!doctype html><title>Not found</title><h1>Not found</h1>", TYPES[".html"])
        with LOCK:
            fresh()
        title, body = PAGES[name].read_text(encoding="utf-8").split("\n", 1)
        text = (HERE / "web/layout.html").read_text(encoding="utf-8")
        text = text.replace("{{title}}", title).replace("{{body}}", body.rstrip("\n"))
        return self.answer(200, self.server.filled(text.encode()), TYPES[".html"])

    def static(self, path):
        return self.file(HERE / "static" / path)

    def nothing(self):
        self.body()
        return self.answer(204)

    # quotes
    def quote(self):
        data = self.json()
        errors = {name: "is required" for name in ("from", "to", "weight") if not data.get(name)}
        if errors:
            return self.answer(422, {"message": "Invalid quote", "errors": errors})
        return self.answer(200, {"vehicle": data.get("vehicle", "van"), "price": 184.5, "valid_until": "Friday"})

    def lanes(self):
        return self.answer(200, {"lanes": [dict(zip(("id", "from", "to", "runs"), lane)) for lane in LANES]})

    def price_lanes(self):
        chosen = self.json().get("lanes", [])
        return self.answer(200, {"total": sum(lane[3] * 145 for lane in LANES if lane[0] in chosen)})

    def instant(self):
        data = self.json()
        if not str(data.get("weight", "")).isdigit():
            return self.answer(422, {"errors": {"weight": "Please give the weight as a number."}})
        return self.answer(200, {"price": 40 + int(data["weight"]) * 0.11})

    # bookings
    def bookings(self):
        return self.answer(200, {"items": [{"id": number, "reference": b[0], "customer": b[1], "collection": b[2]}
                                           for number, b in BOOKINGS.items()]})

    def booking(self, number):
        found = BOOKINGS.get(int(number))
        if not found:
            return self.answer(404, {"message": "No such booking"})
        return self.answer(200, {"reference": found[0], "pallets": found[3], "weight": found[4], "instructions": found[5]})

    def book(self):
        stops = self.json().get("stops")
        if not isinstance(stops, list) or len(stops) < 2:
            return self.answer(422, {"message": "stops: value is not a valid list"})
        return self.answer(201, {"reference": "BK-90344"})

    def edited(self):
        return {"id": "BK-4417", "dock": STATE["dock"], "instructions": STATE["instructions"]}

    def read_edit(self):
        return self.answer(200, self.edited(), headers=[("ETag", f'"{STATE["version"]}"')])

    def write_edit(self):
        data = self.json()
        with LOCK:
            if self.headers.get("If-Match") != f'"{STATE["version"]}"':
                return self.answer(412, {"message": "Precondition failed"}, headers=[("ETag", f'"{STATE["version"]}"')])
            STATE["version"] += 1
            STATE["dock"], STATE["instructions"] = data.get("dock", ""), data.get("instructions", "")
        return self.answer(200, self.edited(), headers=[("ETag", f'"{STATE["version"]}"')])

    def collection(self):
        data = self.json()
        return self.answer(201, {"number": "C-5518", "day": data.get("day", "Monday")})

    # tracking
    def frame(self, data, code=1):
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack("!H", len(data))
        self.wfile.write(bytes([0x80 | code]) + size + data)
        self.wfile.flush()

    def frame_in(self):
        """(code, data) of the next frame, or None"""
        head = self.rfile.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 127
        if size == 126:
            size = struct.unpack("!H", self.rfile.read(2))[0]
        mask = self.rfile.read(4)
        return head[0] & 15, bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(size)))

    def socket(self, topic, reports, first):
        """Reports go to who has subscribed; the first connection is ended as in a deployment."""
        key = self.headers.get("Sec-WebSocket-Key")
        if not key:
            return self.answer(426, {"message": "Upgrade required"})
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.wfile.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())
        self.wfile.flush()
        self.close_connection = True
        subscribed, gone = threading.Event(), threading.Event()

        def listen():
            try:
                while (got := self.frame_in()) and got[0] != 8:
                    if got[0] == 1 and json.loads(got[1]).get("topic") == topic:
                        subscribed.set()
            except (OSError, ValueError):
                pass
            gone.set()
        threading.Thread(target=listen, daemon=True).start()
        begun, count = time.monotonic(), 0
        while not gone.wait(0.25):
            if subscribed.is_set():
                self.frame({"topic": topic, "body": {**reports(count), "at": int(time.time() * 1000)}})
            elif count % 4 == 3:
                self.frame({"topic": "heartbeat", "body": {}})
            count += 1
            if first and time.monotonic() - begun > 1.6:
                self.frame(struct.pack("!H", 1012) + b"service restart", 8)
                gone.wait(1)
                return None
        return None

    def counted(self, name):
        with LOCK:
            STATE[name] += 1
            return STATE[name]

    def positions_socket(self):
        def report(count):
            return {"plate": PLACES[count % 4][2], "road": ("M1", "A66", "M6", "A69")[count % 4], "togo": 120 - count * 0.4}
        return self.socket("fleet.north", report, self.counted("north") == 1)

    def yard_socket(self):
        def report(count):
            return {"dock": 1 + count % 3, "plate": PLACES[count % 4][2]}
        return self.socket("yard", report, self.counted("yard") == 1)

    def consignment(self, number):
        return self.answer(200, {"id": number, "state": "on the road"})

    def eta(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        for count in range(40):
            data = json.dumps({"arrival": f"14:{42 - count % 5}", "stopsBefore": max(0, 3 - count // 4)})
            self.wfile.write(f"id: {count + 1}\nevent: eta\ndata: {data}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.5)

    def positions(self):
        return self.answer(200, {"positions": [dict(zip(("lat", "lon", "plate"), place)) for place in PLACES]})

    # rota
    def rota(self):
        now = time.monotonic()
        with LOCK:
            STATE["rota"] = [at for at in STATE["rota"] if now - at < 2] + [now]
            many = len(STATE["rota"]) > 8
        if many:
            return self.answer(429, {"message": "Too many requests"}, headers=[("Retry-After", "2")])
        shifts = SHIFTS.get(self.query.get("view"), [])
        return self.answer(200, {"shifts": [dict(zip(("driver", "time", "vehicle"), shift)) for shift in shifts]})

    def drivers(self):
        return self.answer(200, {"drivers": [{"id": 300 + i, "name": name} for i, name in enumerate(DRIVERS)]})

    def hours(self, number):
        time.sleep(0.28)
        return self.answer(200, {"driver": int(number), "driven": 22 + int(number) * 7 % 31})

    # documents
    def document(self):
        kind, data = self.headers.get("Content-Type", ""), self.body()
        mark = re.search(r'boundary="?([^";]+)', kind)
        parts = data.split(b"--" + mark[1].encode()) if mark else []
        if not any(b'filename="' in part for part in parts):
            return self.answer(400, {"code": "no_file", "message": "signature is missing"})
        return self.answer(201, {"name": "POD-77120.png"})

    def archive(self, year):
        rows = [dict(zip(("date", "kind", "customer", "place"), document)) for document in ARCHIVE]
        text = json.dumps({"year": int(year), "documents": rows}, ensure_ascii=False)
        self.send_response(200)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(text.encode()[:len(text)])

    def export(self):
        if self.counted("exports") <= 2:
            return self.answer(503, {"message": "All workers are busy"}, headers=[("Retry-After", "1")])
        return self.answer(202, {"id": "ex-61"})

    def export_state(self, number):
        done = self.counted("polls") * 9
        if done < 36:
            return self.answer(202, {"done": done, "files": 36})
        return self.answer(200, {"files": 36, "url": f"/api/exports/{number}/file"})

    # invoices
    def tariffs(self):
        lanes = TARIFFS.get(self.headers.get("X-Depot"), [])
        return self.answer(200, {"currency": "EUR", "lanes": [dict(zip(("to", "small", "large"), lane)) for lane in lanes]},
                           headers=[("Cache-Control", "private, max-age=600")])

    # messages, account
    def thread(self):
        return self.answer(200, {"messages": STATE["thread"]})

    def post_moved(self):
        self.body()
        return self.answer(301, b"", "text/plain", [("Location", self.path + "/")])

    def post_message(self):
        with LOCK:
            STATE["thread"].append({"from": "You", "text": self.json().get("text", "")})
        return self.answer(201, STATE["thread"][-1])

    def account(self, part):
        time.sleep(0.05)
        if not STATE["family"] or self.headers.get("Authorization") != "Bearer at-2":
            return self.answer(401, {"message": "token expired"}, headers=[("WWW-Authenticate", 'Bearer error="invalid_token"')])
        return self.answer(200, {"profile": {"name": "Dana Whitlock", "town": "Hull"}, "fleet": {"vehicles": 12, "trailers": 19},
                                 "credit": {"open": 2140, "limit": 5000}}[part])

    def token(self):
        given = self.json().get("refresh_token")
        with LOCK:
            if not STATE["family"] or given != STATE["refresh"]:
                STATE["family"] = False
                return self.answer(400, {"error": "invalid_grant", "error_description": "refresh token has been used before"})
            STATE["refresh"] = "rt-2"
        return self.answer(200, {"access_token": "at-2", "refresh_token": "rt-2", "expires_in": 900})

    def settings_token(self):
        self.body()
        return self.answer(200, {"access": "at-5"})

    def settings(self):
        data = self.json()
        if self.headers.get("Authorization") != "Bearer at-5":
            return self.answer(401, {"message": "token expired"})
        with LOCK:
            STATE["settings"].update(data)
        return self.answer(200, STATE["settings"])

    # driver, dashboard, search
    def jobs(self):
        return self.answer(200, {"jobs": [{"id": 71, "place": "Farrow Foods, Hull"}, {"id": 72, "place": "Ives Timber, Selby"},
                                          {"id": 75, "place": "Abbey Works, Ripon"}]})

    def deliveries(self):
        self.body()
        return self.answer(201, {})

    def today(self):
        return self.answer(200, {"collections": 14, "deliveries": 31, "late": 0})

    def claims(self):
        return self.answer(200, [])

    def search(self):
        text = self.query.get("q", "").lower()
        time.sleep(0.9 if self.path.startswith("/api/suggest") else 0.1)
        hits = [{"number": f"BO-77{120 + i}", "town": town} for i, town in enumerate(TOWNS) if town.lower().startswith(text)]
        return self.answer(200, {"hits": hits})

    ROUTES = [
        ("GET", r"/static/(.+)", static), ("GET", r"/favicon\.ico", nothing), ("POST", r"/api/rum", nothing),
        ("POST", r"/api/quotes", quote), ("GET", r"/api/lanes", lanes), ("POST", r"/api/lanes/price", price_lanes),
        ("POST", r"/api/instant", instant), ("GET", r"/api/bookings", bookings), ("POST", r"/api/bookings", book),
        ("GET", r"/api/bookings/4417", read_edit), ("PUT", r"/api/bookings/4417", write_edit),
        ("GET", r"/api/bookings/(\d+)", booking), ("POST", r"/api/collections", collection),
        ("GET", r"/ws/positions", positions_socket), ("GET", r"/ws/yard", yard_socket),
        ("GET", r"/api/consignments/([\w-]+)", consignment), ("GET", r"/api/eta/stream", eta),
        ("GET", r"/api/positions", positions), ("GET", r"/api/rota", rota), ("GET", r"/api/drivers", drivers),
        ("GET", r"/api/drivers/(\d+)/hours", hours), ("POST", r"/api/documents", document),
        ("GET", r"/api/archive/(\d+)", archive), ("POST", r"/api/exports", export),
        ("GET", r"/api/exports/([\w-]+)", export_state), ("GET", r"/api/tariffs", tariffs),
        ("GET", r"/api/threads/dispatch/messages/", thread), ("POST", r"/api/threads/dispatch/messages/", post_message),
        ("POST", r"/api/threads/dispatch/messages", post_moved), ("GET", r"/api/account/(profile|fleet|credit)", account),
        ("POST", r"/api/token", token), ("POST", r"/api/settings/token", settings_token), ("GET", r"/api/settings", settings),
        ("PUT", r"/api/settings", settings), ("GET", r"/api/jobs", jobs), ("POST", r"/api/deliveries", deliveries),
        ("GET", r"/api/today", today), ("GET", r"/api/claims", claims), ("GET", r"/api/(?:search|suggest)", search),
        ("GET", r"/((?!api/|media/|ws/)[\w/-]+)", page),
    ]


class Edge(Base):
    def tag(self):
        return self.file(HERE / "edge/tag-v2.js")

    def chat(self):
        return self.file(HERE / "edge/chat-widget.js")

    def allowed(self):
        return [("Access-Control-Allow-Origin", self.headers.get("Origin", "*")), ("Vary", "Origin"),
                ("Access-Control-Allow-Methods", "GET, OPTIONS"), ("Access-Control-Allow-Headers", "Content-Type, Authorization")]

    def preflight(self):
        return self.answer(204, headers=self.allowed())

    def invoices(self):
        page, size = int(self.query.get("page", 1)), int(self.query.get("size", 10))
        rows = [{"number": f"R-26-{1064 - i}", "date": f"2026-{11 - i // 7:02d}-{27 - i % 7 * 3:02d}", "amount": 180 + i * 37 % 900}
                for i in range(64)]
        return self.answer(200, rows[(page - 1) * size:page * size], headers=[*self.allowed(), ("X-Total-Count", "64")])

    ROUTES = [("GET", r"/tag/v2\.js", tag), ("GET", r"/chat/widget\.js", chat), ("GET", r"/billing/invoices", invoices),
              ("OPTIONS", r"/billing/invoices", preflight)]


if __name__ == "__main__":
    fresh()
    serve.run(Freight, second=("EDGE", Edge), nobody=True)

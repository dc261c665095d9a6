#!/usr/bin/env python3
"""The city theatre: programme, seats, tickets, rehearsals, box office."""
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serve  # noqa: E402

SITE = pathlib.Path(__file__).resolve().parent / "site"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
LOCK = threading.Lock()
STATE = {}

PAGES = {
    "/": "home", "/programme": "programme", "/seats/hamlet": "seats", "/rehearsals": "rehearsals",
    "/subscriptions": "subscriptions", "/costumes": "costumes", "/my/ticket": "ticket", "/press": "press", "/props": "props",
    "/cast/tosca": "cast", "/office/sales": "sales", "/my/bookings": "bookings", "/gallery": "gallery", "/desk": "desk",
    "/planner": "planner", "/workshops/enrol": "enrol", "/understudies": "understudies", "/foyer": "foyer", "/tour": "tour",
    "/search": "search", "/magazine": "magazine", "/account": "account", "/live": "live", "/shop": "shop",
}
HEADERS = {
    "ticket": {"Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                                          "connect-src 'self'; base-uri 'none'"},
    "magazine": {"Content-Security-Policy-Report-Only": "default-src 'self'; style-src 'self'; report-uri /t/policy"},
}

PRODUCTIONS = [
    {"id": 12, "title": "Hamlet", "genre": "drama", "house": "Main stage", "next": "2026-12-04", "by": "William Shakespeare"},
    {"id": 14, "title": "Tosca", "genre": "opera", "house": "Main stage", "next": "2026-12-05", "by": "Giacomo Puccini"},
    {"id": 17, "title": "The Seagull", "genre": "drama", "house": "Small house", "next": "2026-12-06", "by": "Anton Chekhov"},
    {"id": 21, "title": "The Magic Flute", "genre": "opera", "house": "Main stage", "next": "2026-12-08", "by": "W. A. Mozart"},
    {"id": 25, "title": "Coppelia", "genre": "ballet", "house": "Main stage", "next": "2026-12-10", "by": "Leo Delibes"},
    {"id": 31, "title": "The Tempest", "genre": "drama", "house": "Small house", "next": "2026-12-12", "by": "William Shakespeare"},
    {"id": 33, "title": "The Nutcracker", "genre": "ballet", "house": "Main stage", "next": "2026-12-20", "by": "P. I. Tchaikovsky"},
    {"id": 38, "title": "Carmen", "genre": "opera", "house": "Main stage", "next": "2026-12-22", "by": "Georges Bizet"},
]
MINE = [
    {"id": 5204, "production": 14, "title": "Tosca", "date": "2026-12-05", "seats": ["C7", "C8"], "total": 118, "holder": "Ida Berg"},
    {"id": 5219, "production": 31, "title": "The Tempest", "date": "2026-12-12", "seats": ["A2"], "total": 24, "holder": "Ida Berg"},
    {"id": 5240, "production": 33, "title": "The Nutcracker", "date": "2026-12-20", "seats": ["F11", "F12", "F13"], "total": 96,
     "holder": "Ida Berg"},
]
GROUPS = {
    14: {"id": 14, "production": 25, "title": "Coppelia", "date": "2026-12-10", "seats": ["M1 to M24"], "total": 312,
         "holder": "Ida Berg, for class 8b"},
    31: {"id": 31, "production": 12, "title": "Hamlet", "date": "2026-11-04", "seats": ["K3 to K9"], "total": 133,
         "holder": "Ida Berg, for the choir"},
    33: {"id": 33, "production": 38, "title": "Carmen", "date": "2026-10-22", "seats": ["D1", "D2"], "total": 74,
         "holder": "Ida Berg"},
}
PROPS = [{"id": n, "name": name, "shelf": shelf, "state": state} for n, name, shelf, state in (
    (901, "Skull (Yorick)", "A-03", "in use"), (902, "Two rapiers", "A-11", "in use"), (903, "Goblet, pewter", "B-02", "free"),
    (904, "Candelabra", "B-07", "in use"), (905, "Fan, black lace", "C-01", "free"), (906, "Stuffed seagull", "C-04", "repair"),
    (907, "Letter with seal", "C-09", "free"), (908, "Crucifix", "D-02", "in use"), (909, "Travelling trunk", "E-01", "free"))]
COSTUMES = [{"id": "K-%d" % n, "name": name, "size": size, "era": era, "rev": 3} for n, name, size, era in (
    (210, "Court dress, green", "38", "1890"), (214, "Doublet, velvet", "50", "1600"), (233, "Cavaradossi's smock", "52", "1800"),
    (241, "Officer's coat", "54", "1805"), (258, "Tutu, white", "34", "1870"))]
VENUES = ["Aarau", "Bregenz", "Chur", "Konstanz", "Lindau", "Ravensburg", "Schaffhausen", "Singen", "Vaduz", "Winterthur", "Zug"]
POSTER = "".join("%08x" % ((n * 2654435761) % 2 ** 32) for n in range(32000))


def production(number):
    return next((p for p in PRODUCTIONS if p["id"] == number), None)


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", **headers):
        if isinstance(body, (dict, list)) or body is None:
            body = json.dumps(body).encode()
        elif isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if body or status not in (204, 304):
            self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Cache_Control" not in headers:
            self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def said(self):
        try:
            return json.loads(self.body() or b"{}")
        except ValueError:
            return {}


class Fundus(Base):
    """The wardrobe's own service: costumes and who has reserved them."""

    def allow(self):
        return {"Access_Control_Allow_Origin": self.headers.get("Origin", "*"), "Vary": "Origin"}

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/v2/costumes":
            return self.send(200, {"items": COSTUMES, "total": len(COSTUMES)}, **self.allow())
        if path == "/v2/houses":
            return self.send(200, {"items": ["Main house", "Depot North"]}, **self.allow())
        return self.send(404, {"error": "not found"}, **self.allow())

    def do_OPTIONS(self):
        self.send(204, Access_Control_Allow_Methods="GET, POST, PUT", Access_Control_Allow_Headers="Content-Type",
                  Access_Control_Max_Age="5", **self.allow())

    def do_PUT(self):
        said = self.said()
        self.send(200, {"ok": True, "for": said.get("for")}, **self.allow())

    do_POST = do_PUT


class Handler(Base):
    def do_GET(self):
        parts = urlsplit(self.path)
        self.asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        path = parts.path
        if path in PAGES:
            return self.page(PAGES[path])
        if path.startswith("/ws/"):
            return self.socket(path)
        if path.startswith("/assets/"):
            return self.asset(path)
        for pattern, answer in GETS:
            found = re.fullmatch(pattern, path)
            if found:
                return answer(self, *found.groups())
        return self.send(404, {"error": "not found"})

    do_HEAD = do_GET

    def do_POST(self):
        parts = urlsplit(self.path)
        self.asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for pattern, answer in POSTS:
            found = re.fullmatch(pattern, parts.path)
            if found:
                return answer(self, *found.groups())
        self.body()
        return self.send(404, {"error": "not found"})

    def page(self, name):
        with LOCK:
            STATE.clear()
        data = self.server.filled((SITE / "pages" / (name + ".html")).read_bytes())
        self.send(200, data, KINDS[".html"], **{n.replace("-", "_"): v for n, v in HEADERS.get(name, {}).items()})

    def asset(self, path):
        file = (SITE / path[1:]).resolve()
        if SITE not in file.parents or not file.is_file():
            return self.send(404, "Not found", "text/plain")
        if file.name == "q.slides.js":
            time.sleep(2.2)
        return self.send(200, self.server.filled(file.read_bytes()), KINDS.get(file.suffix, "application/octet-stream"))

    def count(self, name):
        with LOCK:
            STATE[name] = STATE.get(name, 0) + 1
            return STATE[name]

    # WebSocket

    def socket(self, path):
        key = self.headers.get("Sec-WebSocket-Key")
        if not key:
            return self.send(426, {"error": "upgrade required"})
        if path == "/ws/desk" and not self.asked.get("ticket", "").startswith("dt_"):
            return self.send(403, {"error": "ticket not accepted"}, Connection="close")
        sum_ = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", sum_)
        self.end_headers()
        self.close_connection = True
        if path == "/ws/live":
            return self.live()
        self.frame(json.dumps({"type": "hello"}).encode())
        return time.sleep(60)

    def frame(self, data, code=1):
        head = bytes([0x80 | code])
        head += bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
        self.wfile.write(head + data)
        self.wfile.flush()

    def live(self):
        turn = self.count("live")
        lines = ["Doors are open", "First bell", "Second bell", "Curtain up: Act I", "Scene change", "Act I, scene 2"]
        start = 0 if turn == 1 else int(self.asked.get("after", "0"))
        for number, line in enumerate(lines[start:], start + 1):
            self.frame(json.dumps({"no": number, "text": line}).encode())
            time.sleep(0.3)
            if turn == 1 and number == 2:
                self.frame(struct.pack(">H", 1012) + b"restart", 8)
                return
        time.sleep(60)

    # Answers

    def config(self):
        self.send(200, {"house": "Stadttheater", "currency": "EUR", "services": {
            "inventory": "/api/inventory", "pricing": "http://127.0.0.1:%d/pricing/v1" % self.server.ports["NOBODY"],
            "views": "/api/views"}, "flags": {"seatViews": True, "wheelchairFirst": True}})

    def inventory(self, show):
        rows = []
        for index, row in enumerate("ABCDEFGH"):
            rows.append({"row": row, "category": "I" if index < 3 else "II" if index < 6 else "III",
                         "seats": [{"no": n, "state": "taken" if (n * 7 + index * 5) % 6 == 0 else "free"} for n in range(1, 15)]})
        self.send(200, {"show": show, "hall": "Main stage", "rows": rows})

    def programme(self):
        time.sleep(0.35)
        genre = self.asked.get("genre")
        self.send(200, {"items": [p for p in PRODUCTIONS if genre in (None, "", "all", p["genre"])]})

    def genres(self):
        self.send(200, [{"key": "all", "label": "Everything"}, {"key": "drama", "label": "Drama"},
                        {"key": "opera", "label": "Opera"}, {"key": "ballet", "label": "Ballet"}])

    def member(self):
        time.sleep(0.1)
        self.send(500, {"error": {"code": "HR-0071", "message": "person record 8812 has two primary contracts"}})

    def rehearsals(self):
        mine = [{"id": 1, "time": "Mon 10:00", "what": "Hamlet, Act III", "room": "Rehearsal stage 2"},
                {"id": 2, "time": "Tue 10:00", "what": "Hamlet, fencing", "room": "Gym"},
                {"id": 3, "time": "Thu 18:30", "what": "Hamlet, run", "room": "Main stage"}]
        self.send(200, {"week": self.asked.get("week"), "items": mine if self.asked.get("ensemble") == "7" else []})

    def rooms(self):
        self.send(200, {"rooms": [{"name": "Rehearsal stage 1", "busy": 12}, {"name": "Rehearsal stage 2", "busy": 31},
                                  {"name": "Gym", "busy": 9}]})

    def packages(self):
        self.send(200, {"packages": [
            {"key": "premiere", "name": "Premieres", "evenings": 8, "text": "The first night of every production."},
            {"key": "sunday", "name": "Sunday matinee", "evenings": 6, "text": "Six Sundays at three."},
            {"key": "free", "name": "Free choice", "evenings": 5, "text": "Five evenings, chosen by you."}]})

    def quote(self):
        said = self.said()
        time.sleep(3.4)
        self.send(200, {"quotes": [{"package": said.get("package"), "category": c, "total": t}
                                   for c, t in (("I", 312.0), ("II", 248.0), ("III", 176.0))]})

    def ticket(self):
        self.send(200, {"code": "ST-5204-C7-9F3A", "show": "Tosca", "date": "5 December 2026, 19:30", "seat": "Stalls, row C, seat 7",
                        "holder": "Ida Berg", "entrance": "Left"})

    def kit(self):
        self.send(307, "", "text/plain", Location="/api/press/kit/?rev=2026-11")

    def kit_slash(self):
        self.send(307, "", "text/plain", Location="/api/press/kit?rev=2026-11")

    def press_news(self):
        self.send(200, [{"date": "2026-11-24", "title": "Tickets for Carmen on sale"},
                        {"date": "2026-11-12", "title": "New head of drama from autumn"}])

    def props(self):
        self.send(200, json.dumps({"items": PROPS, "count": len(PROPS)}), "text/plain; charset=utf-8")

    def prop_shelves(self):
        self.send(200, {"items": [{"id": s, "name": "Shelf " + s} for s in "ABCDE"]})

    def graph(self):
        said = self.said()
        name = said.get("operationName")
        time.sleep(0.08)
        if name == "Production":
            return self.send(200, {"data": {"production": production(14)}})
        if name == "CastOf":
            return self.send(200, {"data": {"castOf": None}, "errors": [
                {"message": "evening sheet 2026-12-05 is not released (stage office)", "path": ["castOf"],
                 "extensions": {"code": "SHEET_NOT_RELEASED"}}]})
        return self.send(200, {"data": {"reviews": [{"paper": "Kurier", "line": "A thriller in three acts."}]}})

    def sales(self):
        days = [{"date": "2026-11-%02d" % d, "soldSeats": 310 + (d * 37) % 160, "gross": 9800 + (d * 911) % 4200} for d in range(16, 30)]
        self.send(200, {"from": days[0]["date"], "to": days[-1]["date"], "days": days})

    def alerts(self):
        self.send(200, {"alerts": [{"level": "info", "text": "Printer 2: paper low"}]})

    def bookings(self):
        self.send(200, {"bookings": [{k: b[k] for k in ("id", "production", "title", "date")} for b in MINE]})

    def booking(self, number):
        found = GROUPS.get(int(number)) or next((b for b in MINE if b["id"] == int(number)), None)
        self.send(200 if found else 404, found or {"error": "no such booking"})

    def pictures(self):
        self.send(200, {"pictures": [{"src": "/media/stage-%d.svg" % n, "caption": c} for n, c in enumerate(
            ("Hamlet, Act I", "Tosca, Te Deum", "The Seagull, Act IV", "Coppelia, the workshop"), 1)]})

    def media(self, number):
        shade = (int(number) * 67) % 360
        self.send(200, '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="270"><rect width="480" height="270" '
                       'fill="hsl(%d 40%% 40%%)"/><path d="M0 0h60v270H0zM420 0h60v270h-60z" fill="#711"/></svg>' % shade, KINDS[".svg"])

    def desk_ticket(self):
        self.body()
        self.send(200, {"data": {"ticket": "dt_71c0f3", "expires": 120}})

    def desk_hours(self):
        self.send(200, {"open": True, "until": "18:30", "agents": 3})

    def posters(self):
        self.send(200, {"posters": [{"id": p["id"], "title": p["title"]} for p in PRODUCTIONS] +
                        [{"id": 60 + n, "title": "Archive %d" % (2000 + n)} for n in range(16)]})

    def poster(self, number):
        self.send(200, {"id": int(number), "mime": "image/webp", "data": number.rjust(4, "0") + POSTER})

    def workshop(self):
        self.send(200, {"id": 7, "title": "Stage fencing for beginners", "places": 4, "dates": ["12 January", "19 January"]})

    def enrol(self):
        said = self.said()
        time.sleep(0.15)
        if not re.fullmatch(r"\+\d{8,15}", said.get("participant", {}).get("phone", "")):
            return self.send(422, {"title": "Unprocessable", "violations": [
                {"pointer": "/participant/phone", "rule": "e164", "message": "must be in international form, as +4971234567"}]})
        return self.send(201, {"enrolment": 441})

    def understudies(self):
        self.count("understudies")
        time.sleep(0.05)
        self.send(200, {"asOf": time.strftime("%H:%M:%S"), "items": [
            {"role": "Ophelia", "first": "M. Lind", "cover": "A. Roth"}, {"role": "Laertes", "first": "J. Vogt", "cover": "P. Hahn"},
            {"role": "Horatio", "first": "T. Weiss", "cover": "none yet"}]})

    def queue(self):
        turn = self.count("queue")
        self.send(200, {"turn": turn, "counters": [{"counter": c, "number": 100 + turn + c * 3, "waiting": (turn * c) % 9}
                                                   for c in range(1, 9)]})

    def tour(self):
        self.send(200, {"stops": [{"id": n, "town": v, "date": "2027-02-%02d" % (n + 2)} for n, v in enumerate(VENUES, 1)]})

    def stop(self, number):
        time.sleep(0.28)
        self.send(200, {"id": int(number), "hall": "Stadthalle " + VENUES[int(number) - 1], "links": {"availability":
                        "/api/tour/stops/%s/availability" % number}})

    def availability(self, number):
        time.sleep(0.22)
        self.send(200, {"stop": int(number), "free": 40 + int(number) * 9})

    def weather(self):
        time.sleep(1.8)
        self.send(200, {"text": "Cold and dry"})

    def search(self):
        text = self.asked.get("q", "").lower()
        time.sleep(0.9 if self.asked.get("in") == "titles" else 0.2)
        self.send(200, {"q": text, "hits": [p for p in PRODUCTIONS if text in p["title"].lower()]})

    def magazine(self):
        if self.count("magazine") < 3:
            return self.send(503, {"error": "warming up"}, Retry_After="1")
        return self.send(200, {"articles": [
            {"id": 1, "title": "How a seagull flies", "lead": "Our workshop on wires, weights and feathers."},
            {"id": 2, "title": "Forty years at the prompt", "lead": "A talk with Elsa Kern."},
            {"id": 3, "title": "Snow in May", "lead": "What it takes to rehearse The Nutcracker in spring."}]})

    def session(self):
        self.send(401, {"error": "no session"}, WWW_Authenticate='Session realm="theatre"')

    def teasers(self):
        self.send(200, {"items": PRODUCTIONS[:4]})

    def goods(self):
        self.send(200, {"items": [{"id": 1, "name": "Tote bag", "price": 14}, {"id": 2, "name": "Programme book Tosca", "price": 4},
                                  {"id": 3, "name": "Umbrella, red", "price": 29}]})

    def others_bought(self):
        time.sleep(2.6)
        self.send(200, {"items": [{"id": 9, "name": "Poster Hamlet", "price": 12}]})

    def stock(self):
        self.send(200, {"stock": {"1": 12, "2": 80, "3": 3}})

    def hit(self):
        self.body()
        self.send(204)

    def tracker_gone(self):
        self.body()
        self.send(410, {"error": "collector retired"})

    def prefetch(self):
        time.sleep(1.5)
        self.send(200, {"items": PRODUCTIONS})

    def icon(self):
        self.send(204)


GETS = [
    (r"/api/config", Handler.config), (r"/api/inventory/(\w+)", Handler.inventory), (r"/api/programme", Handler.programme),
    (r"/api/genres", Handler.genres), (r"/api/members/me", Handler.member), (r"/api/rehearsals", Handler.rehearsals),
    (r"/api/rooms", Handler.rooms), (r"/api/subscriptions/packages", Handler.packages), (r"/api/my/ticket", Handler.ticket),
    (r"/api/press/kit", Handler.kit), (r"/api/press/kit/", Handler.kit_slash), (r"/api/press/news", Handler.press_news),
    (r"/api/props", Handler.props), (r"/api/props/shelves", Handler.prop_shelves), (r"/api/office/sales", Handler.sales),
    (r"/api/office/alerts", Handler.alerts), (r"/api/bookings", Handler.bookings), (r"/api/bookings/(\d+)", Handler.booking),
    (r"/api/pictures", Handler.pictures), (r"/media/stage-(\d+)\.svg", Handler.media), (r"/api/desk/hours", Handler.desk_hours),
    (r"/api/posters", Handler.posters), (r"/api/posters/(\d+)", Handler.poster), (r"/api/workshops/7", Handler.workshop),
    (r"/api/understudies", Handler.understudies), (r"/api/queue", Handler.queue), (r"/api/tour", Handler.tour),
    (r"/api/tour/stops/(\d+)", Handler.stop), (r"/api/tour/stops/(\d+)/availability", Handler.availability),
    (r"/api/weather", Handler.weather), (r"/api/search", Handler.search), (r"/api/magazine", Handler.magazine),
    (r"/api/session", Handler.session), (r"/api/teasers", Handler.teasers), (r"/api/goods", Handler.goods),
    (r"/api/goods/others", Handler.others_bought), (r"/api/goods/stock", Handler.stock), (r"/api/prefetch", Handler.prefetch),
    (r"/favicon.ico", Handler.icon),
]
POSTS = [
    (r"/api/subscriptions/quote", Handler.quote), (r"/api/graph", Handler.graph), (r"/api/desk/ticket", Handler.desk_ticket),
    (r"/api/workshops/7/enrolments", Handler.enrol), (r"/t/hit", Handler.hit), (r"/t/policy", Handler.hit),
    (r"/t/old", Handler.tracker_gone),
]

if __name__ == "__main__":
    serve.run(Handler, nobody=True, second=("FUNDUS", Fundus))

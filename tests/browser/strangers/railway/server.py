#!/usr/bin/env python3
"""The site of a railway company: pages, their scripts, and the services behind them. A page begins anew when it is opened."""
import json
import pathlib
import re
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE.parent, HERE.parents[1] / "main" / "tests" / "browser" / "strangers"):
    if (folder / "serve.py").exists():
        sys.path.insert(0, str(folder))
        break
import serve  # noqa: E402

TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
TOP = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>%s – Norrland Rail</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/css/rail.css">
<script type="module" src="/lib/shell.js"></script>
</head>
<body>
<rail-header></rail-header>
<main>
<h1>%s</h1>
"""
POLICY = {
    "checkout": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                "connect-src 'self' http://127.0.0.1:*",
}
WATCHED = {
    "bikes": "default-src 'self' data:; connect-src 'self'; style-src 'self'",
}
COUNTS = {}
ROUTES = []


def route(method, pattern, delay=0.0):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), delay, function))
        return function
    return keep


def count(name):
    COUNTS[name] = COUNTS.get(name, 0) + 1
    return COUNTS[name]


class Answer:
    def __init__(self, data, status=200, kind="application/json", **headers):
        self.data, self.status, self.kind = data, status, kind
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


STATIONS = ["Almby", "Borgsund", "Dalfors", "Ekeryd", "Fagerhult", "Granvik", "Hedstad", "Kilafors", "Lillhamn", "Mörby",
            "Näsviken", "Orsund", "Rånö", "Storvik"]


# --- travel

@route("GET", r"/api/stations", 0.05)
def stations(request):
    begin = request.query.get("q", "").lower()
    return {"stations": [name for name in STATIONS if name.lower().startswith(begin)]}


@route("GET", r"/api/connections", 0.9)
def connections(request):
    return {"connections": [
        {"train": "IC 204", "dep": "08:12", "arr": "10:41", "changes": 0},
        {"train": "RE 4410 / IC 62", "dep": "09:05", "arr": "11:52", "changes": 1},
        {"train": "IC 206", "dep": "10:12", "arr": "12:41", "changes": 0}]}


@route("GET", r"/api/trips/next", 0.1)
def trip(request):
    return {"trip": {"id": 3127, "from": "Almby", "to": "Storvik", "day": "2026-12-04",
                     "legs": [{"id": 1, "run": {"id": 88214, "name": "IC 204"}, "coach": 5, "dep": "08:12"}]}}


@route("GET", r"/api/runs/88214/seats", 0.1)
def seats(request):
    return {"run": 88214, "coach": 5, "free": [n for n in range(11, 67) if n % 3]}


@route("GET", r"/api/runs/88214/stops", 0.1)
def stops_of(request):
    return {"stops": ["Almby", "Dalfors", "Hedstad", "Storvik"]}


@route("GET", r"/api/runs/\d+/(seats|stops)", 0.1)
def no_run(request):
    return Answer({"error": "not found", "run": int(request.path.split("/")[3])}, 404)


@route("GET", r"/api/wallet/tickets", 0.1)
def tickets(request):
    return {"tickets": [{"no": "NR-7712-03", "from": "Almby", "to": "Storvik", "day": "2026-12-04"},
                        {"no": "NR-7713-19", "from": "Storvik", "to": "Almby", "day": "2026-12-06"}]}


@route("GET", r"/api/wallet/tickets/[\w-]+/image", 0.1)
def ticket_image(request):
    return {"image": "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUg" * 14000}


@route("GET", r"/api/wallet/plans/\d+")
def plan_of_station(request):
    return Answer("M" + "12.5,44.1L" * 56000, kind="text/plain")


@route("GET", r"/api/delays", 1.9)
def delays(request):
    return {"delays": [{"train": "IC 204", "minutes": 24, "reason": "signal failure at Hedstad"},
                       {"train": "RE 4410", "minutes": 11, "reason": "late arrival of crew"},
                       {"train": "RB 77", "minutes": 8, "reason": "snow"}]}


@route("GET", r"/api/notices", 0.05)
def notices(request):
    if count("notices") < 2:
        return Answer({"error": "busy"}, 503, Retry_After="1")
    return {"notices": ["Lifts at Granvik are out of use until Friday."]}


@route("GET", r"/api/lost/kinds", 0.05)
def lost_kinds(request):
    return {"kinds": ["Umbrella", "Bag", "Telephone", "Clothing", "Glasses"]}


@route("POST", r"/api/lost/reports", 0.1)
def lost_report(request):
    return Answer({"number": "LP-2210"}, 201)


@route("POST", r"/graphql", 0.15)
def graphql(request):
    asked = json.loads(request.body or b"{}")
    if asked.get("operationName") == "Passes":
        return {"data": {"traveller": {"name": "Ines Holm", "passes": None}},
                "errors": [{"message": "passes: contract register timed out (upstream SAP-RV)",
                            "path": ["traveller", "passes"], "extensions": {"code": "UPSTREAM_TIMEOUT"}}]}
    return {"data": {"zones": [{"name": "Coast", "price": 89}, {"name": "Inland", "price": 74}]}}


@route("GET", r"/api/departures", 0.12)
def departures(request):
    return {"at": time.strftime("%H:%M:%S"), "departures": [
        {"time": "08:12", "train": "IC 204", "to": "Storvik", "track": "3"},
        {"time": "08:20", "train": "RB 77", "to": "Lillhamn", "track": "1b"},
        {"time": "08:31", "train": "RE 4410", "to": "Granvik", "track": "6"}]}


@route("GET", r"/api/fares/route", 0.1)
def fare_route(request):
    return {"from": "Almby", "to": "Storvik", "zone": "N4", "classes": ["Saver", "Standard", "Flex"]}


@route("GET", r"/api/basket", 0.1)
def basket(request):
    return {"items": [{"what": "IC 204, Almby – Storvik, 1 adult", "price": 42.5}, {"what": "Seat 5/24", "price": 4.0}]}


@route("GET", r"/api/parking/sites", 0.1)
def parking_sites(request):
    return {"sites": [{"id": "alm", "name": "Almby station", "places": 220}, {"id": "hed", "name": "Hedstad north", "places": 90},
                      {"id": "sto", "name": "Storvik port", "places": 340}]}


@route("GET", r"/api/timetable/lines", 0.1)
def timetable_lines(request):
    return Answer({"valid": "2026-12-13", "lines": [
        {"no": "R1", "from": "Almby", "to": "Lillhamn", "every": 30},
        {"no": "R4", "from": "Hedstad", "to": "Granvik", "every": 60},
        {"no": "IC2", "from": "Almby", "to": "Storvik", "every": 120}]}, kind="text/plain")


@route("GET", r"/api/timetable/holidays", 0.05)
def holidays(request):
    return {"holidays": ["2026-12-25", "2026-12-26", "2027-01-01"]}


@route("GET", r"/api/groups/offers", 0.1)
def group_offers(request):
    return {"offers": [{"name": "School class", "from": 10, "price": 9.9}, {"name": "Club outing", "from": 6, "price": 14.9}]}


# --- chat, statistics

@route("GET", r"/api/chat/topics", 0.05)
def chat_topics(request):
    return {"topics": ["Refund", "Lost ticket", "Assistance at the station"]}


@route("GET", r"/api/chat/desk", 0.1)
def chat_desk(request):
    return {"open": True, "desk": "Hedstad", "advisers": {"total": 4, "list": [
        {"name": "Sigrid", "free": True}, {"name": "Tor", "free": True}, {"name": "Amal", "free": False},
        {"name": "Jonas", "free": True}]}}


@route("GET", r"/api/statistics/stations", 0.1)
def statistic_stations(request):
    return {"stations": STATIONS}


@route("GET", r"/api/statistics/punctuality", 0.45)
def punctuality(request):
    name = request.query.get("station", "")
    return {"station": name, "percent": 78 + len(name) * 7 % 19}


# --- staff

@route("GET", r"/api/roster/me", 0.05)
def roster_me(request):
    return {"name": "Peder Lund", "depot": "Hedstad", "grade": "Driver"}


@route("GET", r"/api/roster/week", 0.02)
def roster_week(request):
    if "staff_session=" not in request.headers.get("Cookie", ""):
        return Answer("", 302, Location="/staff/sso?back=" + urllib.parse.quote("/api/roster/week?no=49"))
    return {"shifts": [{"day": "Mon", "from": "05:10", "to": "13:02", "train": "IC 204"}]}


@route("GET", r"/staff/sso", 0.02)
def staff_sso(request):
    return Answer("", 302, Location=request.query.get("back", "/"),
                  Set_Cookie="staff_session=t8w1; Path=/staff; HttpOnly; SameSite=Lax")


@route("GET", r"/api/workshop/vehicles", 0.1)
def vehicles(request):
    return {"vehicles": [{"no": "X61 007", "km": 118400, "due": "2026-12-02"}, {"no": "X61 012", "km": 97020, "due": "2026-12-05"},
                         {"no": "Rc6 1391", "km": 240110, "due": "2026-12-09"}]}


@route("GET", r"/api/workshop/tracks", 0.15)
def tracks(request):
    return Answer({"error": "internal", "trace": "a91f-22"}, 500)


@route("GET", r"/api/workshop/crew", 0.05)
def crew(request):
    return {"crew": ["Elin", "Marek", "Osman"]}


@route("GET", r"/api/board/sections", 0.1)
def sections(request):
    return {"sections": [{"id": "A", "name": "Almby – Dalfors"}, {"id": "B", "name": "Dalfors – Hedstad"},
                         {"id": "C", "name": "Hedstad – Storvik"}]}


@route("GET", r"/live/board")
def live_board(request):
    return Answer("session is not allowed to read live/board\n", 403, "text/plain")


@route("GET", r"/api/announcements", 0.04)
def announcements(request):
    return {"lines": ["IC 204 to Storvik departs from track 3", "RB 77 to Lillhamn: 8 minutes late",
                      "Please keep your luggage with you", "The waiting hall closes at 23:30"]}


# --- further pages

@route("GET", r"/api/news", 0.1)
def news(request):
    if count("news") < 3:
        return Answer({"error": "busy"}, 503, Retry_After="1")
    return {"news": [{"title": "New night train to Rånö", "text": "From 13 December, five times a week."},
                     {"title": "Works between Dalfors and Hedstad", "text": "Buses replace trains on Sunday."}]}


@route("GET", r"/api/news/banner", 0.05)
def news_banner(request):
    return Answer("", 204)


@route("GET", r"/api/station/hedstad", 0.1)
def station(request):
    return {"name": "Hedstad", "tracks": 8, "services": ["Lift", "Café", "Left luggage"], "opening": "05:00–00:30"}


@route("GET", r"/api/station/hedstad/lifts", 0.1)
def lifts(request):
    return Answer({"error": "no such collection"}, 404)


@route("GET", r"/api/runs/find", 0.5)
def find_run(request):
    return {"runs": [name for name in ("IC 204", "IC 206", "IC 62", "RE 4410") if
                     name.lower().startswith(request.query.get("q", "").lower())]}


@route("GET", r"/api/account/me", 0.05)
def account_me(request):
    if request.headers.get("Authorization") != "Bearer fresh-2":
        return Answer({"error": "token expired"}, 401, WWW_Authenticate="Bearer")
    return {"name": "Ines Holm", "points": 1240, "level": "Silver"}


@route("POST", r"/api/account/token", 0.1)
def token(request):
    return {"token": "fresh-2"}


@route("GET", r"/api/account/trips", 0.1)
def account_trips(request):
    return {"trips": [{"day": "2026-11-02", "train": "IC 62", "map": "0110" * 500000},
                      {"day": "2026-11-09", "train": "IC 204", "map": "1001" * 500000},
                      {"day": "2026-11-21", "train": "RB 77", "map": "1100" * 500000}]}


@route("POST", r"/api/bikes/places", 0.1)
def bikes(request):
    asked = json.loads(request.body or b"{}")
    if asked.get("train") == "IC 204" and count("bikes") == 1:
        return Answer({"error": "full", "next": "IC 206"}, 409)
    return Answer({"place": "B7", "train": asked.get("train")}, 201)


@route("POST", r"/report")
def report(request):
    return Answer("", 204)


@route("GET", r"/api/journal/session", 0.02)
def journal_session(request):
    return Answer("", 303, Location="/api/journal/hello", Set_Cookie="journal=open; Path=/api/journal; SameSite=Lax")


@route("GET", r"/api/journal/hello", 0.02)
def journal_hello(request):
    return {"reader": "room 2", "cookie": "journal=open" in request.headers.get("Cookie", "")}


@route("GET", r"/api/journal/entries", 0.03)
def journal(request):
    number = count("journal")
    return {"entries": [{"no": number * 2 + n, "text": f"Signal {3 + (number + n) % 40} set to proceed"} for n in range(2)]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, kind, data, headers=()):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        if status != 204:
            self.wfile.write(data)

    def serve_page(self, name):
        text = (HERE / "pages" / f"{name}.html").read_text(encoding="utf-8")
        title, body = text.split("\n", 1)
        headers = {}
        if name in POLICY:
            headers["Content-Security-Policy"] = POLICY[name]
        if name in WATCHED:
            headers["Content-Security-Policy-Report-Only"] = WATCHED[name] + "; report-uri /report"
        COUNTS.clear()
        page = TOP % (title, title) + body + "</main>\n</body>\n</html>\n"
        self.send(200, "text/html; charset=utf-8", self.server.filled(page.encode()), headers)

    def handle_any(self):
        parts = urllib.parse.urlsplit(self.path)
        full, self.path = self.path, parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query))
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        page = re.fullmatch(r"/(?:travel|service|staff|control)/([a-z]+)", parts.path)
        if self.command == "GET" and page and (HERE / "pages" / f"{page[1]}.html").exists():
            return self.serve_page(page[1])
        if self.command == "GET" and parts.path == "/":
            return self.send(302, None, b"", {"Location": "/travel/news"})
        if parts.path == "/live/runs":
            return self.live_runs()
        if re.fullmatch(r"/(lib|css|app)/[\w/.-]+", parts.path) and ".." not in parts.path:
            path = HERE / parts.path[1:]
            if path.is_file() and path.suffix in TYPES:
                return self.send(200, TYPES[path.suffix], self.server.filled(path.read_bytes()))
        for method, pattern, delay, function in ROUTES:
            if method == self.command and pattern.match(parts.path):
                time.sleep(delay)
                answer = function(self)
                if not isinstance(answer, Answer):
                    answer = Answer(answer)
                data = answer.data if isinstance(answer.data, str) else json.dumps(answer.data)
                return self.send(answer.status, answer.kind, data.encode(), answer.headers)
        return self.send(404, "text/plain", f"{full} is not here\n".encode())

    def live_runs(self):
        """Every connection ends after a few events, as the proxy in front of it does; EventSource comes again."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b"retry: 400\n\n")
        for number in range(5):
            where = STATIONS[(count("live") + number) % len(STATIONS)]
            self.wfile.write(f"data: {json.dumps({'run': 'IC 204', 'near': where})}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.3)

    do_GET = do_POST = do_PUT = do_OPTIONS = handle_any


class Partner(BaseHTTPRequestHandler):
    """Services of other companies, at another origin."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, kind, data, **headers):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if status != 204:
            self.wfile.write(data)

    def do_OPTIONS(self):
        self.send(204, None, b"", Access_Control_Allow_Origin="*", Access_Control_Allow_Methods="GET",
                  Access_Control_Allow_Headers="Accept, Accept-Language")

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/pay/panel.js":
            code = ("window.PayPanel={open:function(box,sum){box.innerHTML='<p>Card number <input> Pay '+sum+' €</p>';"
                    "return Promise.resolve();}};")
            return self.send(200, "text/javascript", code.encode())
        if path == "/tariff/quotes":
            quotes = {"quotes": {"Saver": 29.9, "Standard": 42.5, "Flex": 61.0}}
            return self.send(200, "application/json", json.dumps(quotes).encode(), Access_Control_Allow_Origin="*")
        if path == "/weather":
            return self.send(200, "application/json", b'{"degrees":-4,"sky":"light snow"}', Access_Control_Allow_Origin="*")
        return self.send(404, "text/plain", b"nothing here\n")


if __name__ == "__main__":
    serve.run(Handler, second=("PARTNER", Partner), nobody=True)

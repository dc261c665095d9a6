#!/usr/bin/env python3
"""The portal of a university: pages in web/, and what they ask for."""
import base64
import datetime
import json
import mimetypes
import pathlib
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

WEB = HERE / "web"
STATE = {}
ROUTES = {}
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".json": "application/json",
         ".svg": "image/svg+xml"}
CSP = {"mail": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-src 'self'",
       "alumni": "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'"}


def route(method, path):
    def keep(function):
        ROUTES[method, path] = function
        return function
    return keep


def js(value, status=200, **headers):
    return status, "application/json", json.dumps(value).encode(), headers


def text(value, kind="text/plain", status=200, **headers):
    return status, kind, value.encode(), headers


def times(page, what):
    kept = STATE.setdefault(page, {})
    kept[what] = kept.get(what, 0) + 1
    return kept[what]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def out(self, status, kind, body, headers=None):
        self.send_response(status, (headers or {}).pop("reason", None))
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), str(value))
        if not any(name.lower().replace("_", "-") == "cache-control" for name in headers or {}):
            self.send_header("Cache-Control", "no-store")
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def stream(self, kind, lines, pause):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for line in lines:
            self.wfile.write(line.encode())
            self.wfile.flush()
            time.sleep(pause)

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        size = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(size) if size else b""
        path = url.path
        function = ROUTES.get((self.command, path))
        if not function:
            for (method, start), one in ROUTES.items():
                if method == self.command and start.endswith("*") and path.startswith(start[:-1]):
                    function = one
                    self.rest = urllib.parse.unquote(path[len(start) - 1:])
        if function:
            given = function(self)
            if given:
                self.out(*given)
            return
        if path == "/":
            path = "/timetable/"
        file = (WEB / path.lstrip("/")).resolve()
        if path.endswith("/"):
            file = file / "index.html"
            STATE[path.strip("/")] = {}
        if self.command != "GET" or WEB not in file.parents or not file.is_file():
            self.out(*js({"title": "There is nothing at this address."}, 404))
            return
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {}
        if file.suffix == ".html" and file.parent.name in CSP:
            headers["Content-Security-Policy"] = CSP[file.parent.name]
        self.out(200, kind, self.server_filled(file.read_bytes()), headers)

    def server_filled(self, data):
        return self.server.filled(data)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = answer


# everywhere
@route("GET", "/api/portal/session")
def _(h):
    return js({"name": "Mira Holm", "nr": "s-204417", "unread": 2})


@route("POST", "/api/portal/pulse")
def _(h):
    return 204, None, b"", {}


# timetable
@route("GET", "/api/timetable/groups")
def _(h):
    return js(["INF-2", "ELEC-A"], ETag='"g7"')


@route("GET", "/api/timetable/now")
def _(h):
    time.sleep(0.35)
    return js({"week": 8, "term": "2026W"})


@route("GET", "/api/timetable/sessions")
def _(h):
    week = int(h.query["week"])
    rows = [["INF-2", "Algorithms", 1, 495], ["INF-1", "Programming I", 1, 495], ["ELEC-A", "Esperanto", 2, 975],
            ["INF-2", "Databases", 3, 600], ["LAW-3", "Tort law", 3, 600], ["INF-2", "Operating systems", 4, 825],
            ["MED-1", "Anatomy", 5, 480]]
    h.stream("application/x-ndjson", [json.dumps({"g": g, "c": c, "d": d, "m": m + (week % 2) * 15, "l": 90}) + "\n"
                                      for g, c, d, m in rows] + ['{"end":7}\n'], 0.15)


# exams
@route("GET", "/api/exams/plan")
def _(h):
    n = times("exams", "plan")
    return text("busy, attempt %d" % n, status=503, Retry_After=1)


@route("GET", "/mirror-b/exams/plan")
def _(h):
    return text("""<?xml version="1.0"?><plan xmlns="urn:campus:exam:3" epoch="2027-01-01">
<exam nr="E-77" day="32" at="0900" room="AUDIMAX"><title xml:lang="de">Algorithmen</title><title xml:lang="en">Algorithms</title></exam>
<exam nr="E-78" day="32" at="0900" room="AUDIMAX"><ref of="E-77"/></exam>
<exam nr="E-91" day="39" at="1330" room="H-2-01"><title xml:lang="de">Datenbanken</title></exam>
<exam nr="E-95" day="45" at="1000" room=""><title xml:lang="en">Operating systems</title></exam></plan>""", "text/xml")


# enrolment
@route("GET", "/api/enrolment/courses")
def _(h):
    return js({"courses": {"c:BIO204": ["Marine biology", 24, 24], "c:PHI110": ["Logic", 60, 41], "c:ART300": ["Printmaking", 12, -1]}})


@route("PUT", "/api/enrolment/seats/*")
def _(h):
    if h.rest.endswith("BIO204"):
        time.sleep(0.4)
        return js({"reason": "FULL", "queue": 3}, 409)
    return js({"seat": 42}, 201)


@route("POST", "/api/enrolment/queue")
def _(h):
    return js({"ticket": "q-81"}, 202)


@route("GET", "/api/enrolment/queue/q-81")
def _(h):
    if times("enrolment", "queue") < 3:
        return js({"state": "PENDING"}, 425)
    return js({"state": "QUEUED", "place": 4})


# canteen
@route("GET", "/api/canteen/today")
def _(h):
    return js([], X_Reason="closed-day")


@route("GET", "/api/canteen/next")
def _(h):
    return js({"day": "Tuesday", "rows": [["Lentil stew", "ac", 43500, 28950], ["Baked trout", "d", 71000, 51000],
                                           ["Poppy dumplings", "acg", 39900, 26600]]})


@route("GET", "/api/canteen/hours")
def _(h):
    if h.headers.get("If-None-Match") == '"h3"':
        return 304, None, b"", {"ETag": '"h3"'}
    return js({"closed": True, "why": "St Andrew's Day"}, ETag='"h3"')


# housing
@route("GET", "/api/housing/rooms")
def _(h):
    page = int(h.query.get("page", 1))
    ids = {1: range(1, 41), 2: range(36, 76), 3: range(71, 97)}.get(page, [])
    rows = [{"id": "rm_%03d" % i, "street": ["Elm Row", "Mill Lane", "Station Way"][i % 3], "rent": 21900 + i * 317,
             "for": ["any", "any", "family", "any", "staff"][i % 5]} for i in ids]
    return js(rows, X_Total_Count=106, Link='</api/housing/rooms?page=%d>; rel="next"' % (page + 1) if page < 3 else "")


@route("GET", "/api/housing/staff-flats")
def _(h):
    return js({"code": "NOT_STAFF"}, 403)


@route("GET", "/api/housing/application")
def _(h):
    return js({"code": "NONE_YET"}, 404)


# thesis
@route("POST", "/api/thesis/deposits")
def _(h):
    return js({"deposit": "d_5512", "part": 16}, 201, Location="/api/thesis/deposits/d_5512")


@route("PUT", "/api/thesis/deposits/d_5512/*")
def _(h):
    if h.rest == "1" and times("thesis", "part1") == 1:
        return js({"code": "DIGEST_MISMATCH"}, 460, reason="Checksum Mismatch")
    return 204, None, b"", {"Upload_Offset": len(h.body)}


@route("POST", "/api/thesis/deposits/d_5512/seal")
def _(h):
    if times("thesis", "seal") == 1:
        return js({"code": "ASSEMBLING"}, 425, Retry_After=1)
    return js({"receipt": "T-2026-0412"})


# grades
@route("GET", "/api/grades/sheet")
def _(h):
    if h.headers.get("Authorization") != "Bearer k2":
        return js({"code": "TOKEN_EXPIRED"}, 401, WWW_Authenticate='Bearer error="invalid_token"')
    inner = json.dumps([["INF-1", "Programming I", 166, 80], ["MAT-1", "Calculus", 233, 80], ["ESP-1", "Esperanto", 100, 30],
                        ["PRJ-1", "Team project", None, 60], ["SPO-1", "Rowing", 0, 10]])
    return text(")]}',\n" + json.dumps({"v": 2, "payload": json.dumps(inner)}))


@route("POST", "/api/grades/token")
def _(h):
    return js({"access": "k2", "ttl": 300})


# rooms
@route("GET", "/api/rooms/free")
def _(h):
    if times("rooms", "free") == 1:
        return js({"code": "SLOW_DOWN"}, 429, Retry_After=1)
    rows = ["nr;seats;from;to", "2.14;8;1000;1200", "2.15;6;1000;1100", "0.03;40;1000;1800", "3.07;4;1100;1200"]
    return text("\r\n".join(rows), "text/csv")


@route("POST", "/api/rooms/bookings")
def _(h):
    asked = json.loads(h.body)
    if asked["room"] == "2.14":
        return js({"code": "TAKEN", "by": "Chess club"}, 409)
    return js({"booking": "B-" + asked["room"]}, 201)


# printing
@route("GET", "/api/printing/account")
def _(h):
    csv = "cents,-31\nbonus,62\nfree_pages,0\n"
    return js({"enc": "b64", "doc": base64.b64encode(csv.encode()).decode()})


@route("POST", "/api/printing/jobs")
def _(h):
    n = times("printing", "jobs")
    pages = json.loads(h.body)["pages"]
    if pages > 4:
        return js({"need": pages * 7, "have": 31}, 402)
    if n < 3:
        return js({"hub": "asleep"}, 502)
    return js({"job": "P9"}, 201)


# mail
@route("GET", "/api/mail/inbox")
def _(h):
    if h.headers.get("X-Have"):
        return 204, None, b"", {}
    return js({"total": 8, "list": [
        {"i": 1, "f": "registrar@campus.example", "s": "=?utf-8?B?%s?=" % base64.b64encode("Rückmeldung für das Sommersemester".encode()).decode(), "q": 0},
        {"i": 2, "f": "win@prize.example", "s": "You have won!!!", "q": 1},
        {"i": 3, "f": "library@campus.example", "s": "Reminder: two loans due", "q": 0},
        {"i": 3, "f": "library@campus.example", "s": "Reminder: two loans due", "q": 0},
        {"i": 4, "f": "x@loans.example", "s": "Loan now", "q": 1},
        {"i": 5, "f": "sports@campus.example", "s": "Rowing moved to Thursday", "q": 0},
        {"i": 6, "f": "z@pills.example", "s": "Pills", "q": 1},
        {"i": 7, "f": "", "s": "", "q": 0, "gone": True}]})


@route("GET", "/api/mail/bodies/*")
def _(h):
    return js({"html": "<p>Two loans are due on Friday. You can renew them in the library.</p>"
                       "<img src='http://pictures.example/open.gif?m=3' alt=''><script>top.location='/'</script>"})


# sports
@route("GET", "/api/sports/live")
def _(h):
    n = times("sports", "live")
    if n > 3:
        return 204, None, b"", {}
    h.stream("text/event-stream", ["retry: 700\n\n", "event: load\ndata: gym=%d pool=%d hall=255\n\n" % (30 + n, 12 + n),
                                   ": keep\n\n"], 0.15)


@route("GET", "/api/sports/count")
def _(h):
    return js({"gym": 29, "pool": 11, "hall": 255})


@route("GET", "/api/sports/areas")
def _(h):
    return js({"gym": "Gym", "pool": "Pool", "hall": "Sports hall", "sauna": "Sauna"})


# lost card
@route("POST", "/api/cards/reports")
def _(h):
    return js({"report": "lc-9"}, 202)


@route("GET", "/api/cards/reports/lc-9")
def _(h):
    if times("lostcard", "report") < 3:
        return js({"code": "NOT_YET_FILED"}, 404)
    return js({"filed": True, "desk": "B 012"})


@route("GET", "/api/cards/0417-55/validity")
def _(h):
    if STATE.get("lostcard", {}).get("report"):
        return js({"code": "REVOKED"}, 410)
    return js({"valid": True})


# alumni
@route("GET", "/api/alumni/people")
def _(h):
    return js([["u-1", 1998, "law", True], ["u-2", 2004, "phy", True], ["u-3", 2004, "phy", False], ["u-4", 2011, "zzz", True],
               ["u-5", 2015, "law", True]])


@route("GET", "/api/alumni/names")
def _(h):
    return text("u-1\tIngrid Vass\nu-2\tPaul Adeyemi\nu-4\tTomás Rey\nu-5\t\n", "text/tab-separated-values; charset=utf-8")


@route("GET", "/api/alumni/words")
def _(h):
    return js({"law": "Law", "phy": "Physics"})


# jobs
@route("GET", "/api/jobs/mine")
def _(h):
    return js({"last": "tutor", "watching": []})


@route("GET", "/api/jobs/search")
def _(h):
    asked = h.query.get("q", "").lower()
    time.sleep(1.4 if not asked else 0.15)
    rows = [{"id": "job:1", "t": "Library clerk", "h": 480}, {"id": "job:2", "t": "Lab clerk", "h": 600},
            {"id": "job:3", "t": "Tutor in statistics", "h": 360}]
    found = [r for r in rows if asked in r["t"].lower()]
    return js({"hits": found}) if found else js({"hits": None, "near": ["Lab clerk"]}, 404)


# library
@route("GET", "/api/library/loans")
def _(h):
    return js({"loans": [["urn:isbn:9780000000019", "A Field Guide to Lichens", 46364, 1], ["urn:isbn:9780000000026", "Graph Theory", 46371, 0],
                         ["urn:isbn:9780000000033", "The Sea, the Sea", 46350, 0, "returned"]]})


@route("PUT", "/api/library/loans/*")
def _(h):
    if h.rest.endswith("19"):
        return js({"code": "RESERVED", "until": 46364}, 403)
    return js({"due": 46392})


# events
@route("GET", "/api/events/calendar.ics")
def _(h):
    day = datetime.date.today()
    start = day + datetime.timedelta(days=3)
    old = day - datetime.timedelta(days=20)
    return text("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
                f"BEGIN:VEVENT\r\nUID:1\r\nDTSTART:{old:%Y%m%d}T180000Z\r\nSUMMARY:Harvest ball\r\nEND:VEVENT\r\n"
                f"BEGIN:VEVENT\r\nUID:2\r\nDTSTART:{start:%Y%m%d}T173000Z\r\nRRULE:FREQ=WEEKLY;COUNT=4\r\nSUMMARY:Choir\\, open\r\n  rehearsal\r\nEND:VEVENT\r\n"
                f"BEGIN:VEVENT\r\nUID:3\r\nDTSTART:{start:%Y%m%d}T190000Z\r\nSTATUS:CANCELLED\r\nSUMMARY:Quiz night\r\nEND:VEVENT\r\n"
                f"BEGIN:VEVENT\r\nUID:4\r\nDTSTART:{start:%Y%m%d}T200000Z\r\nSUMMARY:Planetarium: winter sky\r\nEND:VEVENT\r\n"
                "END:VCALENDAR\r\n", "text/calendar")


@route("POST", "/api/events/4/ticket")
def _(h):
    if times("events", "ticket") == 1:
        return js({"code": "CONFIRM", "fee": 250}, 428)
    return js({"ticket": "W-1107"}, 201)


# map
@route("GET", "/api/map/tiles/*")
def _(h):
    x, y = map(int, h.rest.split("/"))
    if (x, y) in ((0, 0), (2, 0), (2, 2)):
        return 404, "text/plain", b"outside", {"Cache_Control": "max-age=600"}
    return text("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'><rect width='96' height='96' fill='#cde5c8'/></svg>", "image/svg+xml")


@route("GET", "/api/map/graph")
def _(h):
    return js({"n": 900, "w": [(i * 7919 + 13) % 17 + 1 for i in range(900)]})


# chat
@route("GET", "/api/chat/messages")
def _(h):
    after = int(h.query.get("after", 0))
    rows = [{"n": 1, "w": "Jo", "t": "Is the lab open today?"}, {"n": 2, "w": "spam-bot", "t": "Cheap essays"},
            {"n": 3, "w": "Ada", "t": "Until eight."}]
    if STATE.get("chat", {}).get("sent"):
        rows.append({"n": 4, "w": "Mira", "t": "See you at six", "key": STATE["chat"]["sent"]})
    rows = [r for r in rows if r["n"] > after]
    return js(rows) if rows else (204, None, b"", {})


@route("POST", "/api/chat/messages")
def _(h):
    n = times("chat", "post")
    STATE["chat"]["sent"] = json.loads(h.body)["key"]
    return js({"code": "GATEWAY_SLOW"}, 504) if n == 1 else js({"code": "ALREADY_THERE", "n": 4}, 409)


# parking
@route("GET", "/api/parking/permits")
def _(h):
    now = int(time.time())
    return js({"permits": [{"id": "pk-31", "plate": "CA 4417", "lot": "N", "validTo": now + 86400 * 120},
                           {"id": "pk-32", "plate": "CA 9020", "lot": "S", "validTo": now + 86400 * 35}]})


@route("GET", "/api/parking/lots")
def _(h):
    return js({"N": "North lot", "S": "South lot", "V": None})


@route("GET", "/api/parking/fines")
def _(h):
    return js({"code": "NO_FINES"}, 404)


# supervision
@route("GET", "/api/supervision/profile")
def _(h):
    return js({"error": "directory: lookup of s-204417 failed"}, 500)


@route("GET", "/api/supervision/hours")
def _(h):
    if h.query.get("tutor") in ("dr-keane", "dr-osei"):
        return js([{"day": "Wednesday", "at": "10:20"}])
    return js([])


@route("GET", "/api/supervision/rules")
def _(h):
    if times("supervision", "rules") == 1:
        return js({}, 503, Retry_After=0)
    return js({"minutes": 20, "perTerm": 6})


if __name__ == "__main__":
    serve.run(Handler, nobody=True)

"""The portal of Marenbach Council."""
import datetime
import json
import mimetypes
import pathlib
import re
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

PAGES = {"/": "home", "/permits/new": "permit", "/refuse": "refuse", "/library/loans": "loans", "/parking": "parking",
         "/planning/map": "map", "/news": "news", "/council/live": "live", "/tax/account": "tax", "/forms": "forms",
         "/halls": "bookings", "/search": "search", "/library/catalogue": "catalogue", "/budget": "budget",
         "/consultations": "consult", "/notifications": "notify", "/contact": "contact", "/en/jobs": "jobs",
         "/council/meetings": "meetings", "/petitions": "petitions", "/registry": "registry", "/transport": "transport",
         "/dogs": "dogs", "/lost-and-found": "lost", "/noise": "noise", "/pool": "pool"}
OTHER = {"consult": {"Content-Security-Policy": "script-src 'self'; object-src 'none'; report-uri /csp-report"},
         "contact": {"Content-Security-Policy-Report-Only": "script-src 'self' 'unsafe-inline'; connect-src 'self'; report-uri /csp-report"}}
ROUTES = []
STATE = {}
LOCK = threading.Lock()


def route(method, pattern):
    def add(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return add


def count(page, name):
    """How often it was asked for since the page was opened."""
    with LOCK:
        state = STATE.setdefault(page, {})
        state[name] = state.get(name, 0) + 1
        return state[name]


def begin(page):
    with LOCK:
        STATE[page] = {"begun": time.monotonic()}


def utc(days=0, hour=12, minute=0):
    day = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=days)
    return f"{day}T{hour:02}:{minute:02}:00Z"


def date(days=0):
    return utc(days)[:10]


# ---- home
@route("GET", "/api/session/me")
def me(r):
    return 401, {"error": "anonymous"}


@route("GET", "/api/notices/urgent")
def urgent(r):
    return 404, {"error": "none"}


@route("GET", "/api/weather/station")
def weather(r):
    if count("home", "weather") == 1:
        return 503, {"error": "warming up"}
    return 200, {"celsius": 6.74, "wind_ms": 3.2}


@route("GET", "/api/services")
def services(r):
    return 200, [{"title": t, "href": h, "icon": i, "order": n, "online": o, **({"hint": x} if x else {})} for n, (t, h, i, o, x) in enumerate([
        ("Refuse calendar", "/refuse", "bin", True, None), ("Building permit", "/permits/new", "house", True, "About 10 minutes"),
        ("Fishing licence", "/fishing", "fish", False, None), ("Library", "/library/loans", "book", True, None),
        ("Tax account", "/tax/account", "coin", True, "Sign-in needed"), ("Hall booking", "/halls", "hall", True, None),
        ("Market stalls", "/market", "stall", False, None)])]


# ---- permits
@route("PUT", "/api/permits/draft")
def draft(r):
    return 401, {"error": "sign in to keep drafts"}


@route("POST", "/api/permits/parcel")
def parcel(r):
    known = {"12-345": "Lindenweg 14", "12-346": "Lindenweg 16"}
    wanted = r.json().get("parcel", "")
    if wanted not in known:
        return 422, {"message": f"Parcel “{wanted}” is not in the land register. Please look at your deed: two digits, a hyphen, three digits."}
    return 200, {"address": known[wanted]}


@route("POST", "/api/permits")
def permit(r):
    return 201, {"reference": "MB-2026-0417"}


# ---- refuse
@route("GET", "/api/refuse/addresses")
def addresses(r):
    text = r.q("q").lower()
    time.sleep(6 if len(text) < 5 else 0.9 if len(text) < 9 else 0.15)  # short ones go through the whole register
    return 200, [{"uprn": 70000 + n, "label": f"Lindenweg {n}"} for n in range(1, 30) if text in f"lindenweg {n}"]


@route("GET", r"/api/refuse/properties/(\d+)/collections")
def collections(r):
    return 200, {"collections": [{"at": utc(d, 23), "kind": k, **extra} for d, k, extra in [
        (9, "P", {}), (2, "R", {"moved": True}), (1, "G", {"cancelled": True}), (5, "B", {}), (16, "R", {}), (19, "X", {})]]}


@route("GET", r"/api/refuse/properties/(\d+)/reminder")
def reminder(r):
    return 404, {"error": "no reminder"}


# ---- library
@route("GET", "/api/library/loans")
def loans(r):
    return 200, [{"id": 1, "title": "The Harbour Clerk", "author": "M. Ahrens", "due": date(6), "cover": "/img/covers/1.svg"},
                 {"id": 2, "title": "Salt and Slate", "author": "J. Okafor", "due": date(9), "cover": "/img/covers/2.svg"},
                 {"id": 3, "title": "Town Gardens", "author": "E. Lindqvist", "due": date(20), "cover": None}]


@route("POST", r"/api/library/loans/(\d+)/renewals")
def renewal(r):
    time.sleep(0.3)
    if r.parts[0] == "2":
        return 409, {"code": "HELD"}
    return 201, {"due": date(34)}


@route("GET", "/api/library/catalogue")
def catalogue(r):
    page, by = int(r.q("page")), r.q("sort")
    if r.q("ahead"):
        time.sleep(6)
    editions = [{"work": n // 2 if n % 3 else n, "title": f"Marenbach in pictures, volume {1 + (n // 2 if n % 3 else n):02}", "year": 1950 + (n * 7) % 70,
                 **({"shelf": f"H {n % 9}"} if n % 4 else {})} for n in range(36)]
    if by == "year":
        editions.sort(key=lambda e: -e["year"])
    return 200, {"page": page, "pages": 3, "editions": editions[(page - 1) * 12:page * 12]}


# ---- parking
@route("GET", "/api/parking/live")
def parking(r):
    n = count("parking", "live")
    return 200, {"at": datetime.datetime.now(datetime.timezone.utc).isoformat(), "parks": [
        {"id": "a", "name": "Market", "free": 118 - 3 * n}, {"id": "b", "name": "Station", "free": 264 + 7 * (n % 3)},
        {"id": "c", "name": "Castle", "free": -1}, {"id": "d", "name": "Theatre", "free": 6}]}


@route("GET", "/ws/parking")
def socket(r):
    return 426, {"error": "sockets are off behind this proxy"}


# ---- map
@route("GET", r"/tiles/12/(\d)/(\d)\.svg")
def tile(r):
    x, y = map(int, r.parts)
    if (x, y) in {(0, 0), (4, 0), (4, 2)}:
        return 404, {"error": "outside"}
    return 200, f'<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="128" height="128" fill="hsl({80 + x * 8 + y * 5},30%,82%)"/><path d="M0 64H128M64 0V128" stroke="#fff" stroke-width="5"/></svg>', "image/svg+xml"


@route("GET", "/api/planning/layers")
def layers(r):
    return 200, [{"key": "applications", "title": "Building applications", "colour": "#c33"}, {"key": "monuments", "title": "Monuments", "colour": "#36c"},
                 {"key": "utilities", "title": "Pipes and cables", "colour": "#999"}]


@route("GET", r"/api/planning/layers/(\w+)")
def layer(r):
    if r.parts[0] == "utilities":
        return 403, {"error": "staff"}
    size, step = (9, 410) if r.parts[0] == "applications" else (4, 930)
    return 200, {"features": [{"slug": f"{r.parts[0][:3]}-{n}", "at": [3458000 + 200 + n * step, 5640000 + 300 + (n * 370) % 1500]} for n in range(size)]}


@route("GET", r"/api/planning/applications/([\w-]+)")
def application(r):
    return 200, {"title": "Solar roof, Lindenweg 14", "number": "BA 2026/118", "status": "in examination"}


# ---- news
@route("GET", "/api/news/list")
def news(r):
    tag = '"n-41"'
    if r.headers.get("If-None-Match") == tag:
        return 304, None
    return 200, {"items": [{"id": 4100 - n, "slug": s, "title": t, "published": utc(-n, 23), **({"picture": p} if p else {})} for n, (s, t, p) in enumerate([
        ("market-hall-opens", "The market hall opens again", "/img/news/hall.svg"), ("bridge-closed", "Mill bridge closed for two days", None),
        ("choir", "Looking for voices", "/img/news/choir.svg"), ("trees", "Three hundred trees", "/img/news/trees.svg")])]}, None, {"ETag": tag, "Cache-Control": "no-cache"}


@route("GET", r"/api/news/articles/([\w-]+)")
def article(r):
    return 200, {"headline": "Mill bridge closed for two days", "body": "Works begin on Monday at seven. Pedestrians can cross."}


# ---- live
@route("GET", "/api/live/minutes")
def minutes(r):
    asked = count("live", "minutes")
    since = int(r.q("since"))
    if asked == 2:
        return 502, {"error": "gateway"}
    until = time.monotonic() + 2.5
    entries = ["Opening by the mayor", "Minutes of the last meeting approved", "Questions of residents", "Item 4 is put off", "Budget: first reading"]
    with LOCK:
        begun = STATE.setdefault("live", {}).setdefault("begun", time.monotonic())
    while time.monotonic() < until:
        ready = 2 + int((time.monotonic() - begun) // 4)
        if min(ready, 5) > since:
            last = min(ready, 5)
            return 200, {"last": last, "entries": [{"item": n + 1, "text": entries[n]} for n in range(since, last)]}
        time.sleep(0.1)
    return 204, None


@route("GET", "/api/live/stream")
def stream(r):
    return 200, {"url": "/media/none.m3u8"}


# ---- tax
@route("POST", "/api/auth/resume")
def resume(r):
    return 200, {"access": "a1"}


@route("POST", "/api/auth/refresh")
def refresh(r):
    return 200, {"access": "a2"}


def signed(function):
    return lambda r: function(r) if r.headers.get("Authorization") == "Bearer a2" else (401, {"error": "token_expired"})


@route("GET", "/api/tax/account")
@signed
def tax(r):
    return 200, {"balance": -1250, "resident": 88121}


@route("GET", "/api/tax/items")
@signed
def tax_items(r):
    return 200, [{"id": n, "title": f"{k} {y}", "due": f"{y}-{m:02}-14T23:00:00Z", "cents": c, "settled": y < 2027} for n, (k, y, m, c) in enumerate(
        [("Property tax", y, m, 18433) for y in (2025, 2026, 2027) for m in (2, 8)] + [("Dog tax", y, 5, 9600) for y in (2025, 2026, 2027)])]


@route("GET", "/api/tax/instalments")
@signed
def instalments(r):
    return 404, {"error": "no plan"}


# ---- forms
@route("GET", "/api/forms")
def forms(r):
    kinds = ["Dog", "Garage", "Stall", "Banner", "Tree", "Pipe", "Fence", "Choir", "Lamp"]
    acts = ["registration", "permit", "complaint", "refund", "extension", "transfer"]
    return 200, {"forms": [{"no": f"F{n:04}", "title": f"{kinds[n % 9]} {acts[n % 6]} {n // 18 + 1}", **({"lang": ["German", "English"]} if n % 5 == 0 else {}),
                            **({"withdrawn": True} if n % 50 == 7 else {})} for n in range(1800)]}


@route("GET", "/api/forms/texts")
def form_texts(r):
    time.sleep(1.5)
    return 200, {"texts": "x" * 200000}


# ---- halls
@route("GET", "/api/halls/2/slots")
def slots(r):
    n = count("bookings", "slots")
    if n == 1:
        return 503, {"error": "busy"}, None, {"Retry-After": "1"}
    return 200, [{"id": i, "from": utc(3, 7 + 2 * i), "to": utc(3, 9 + 2 * i), "taken": i == 3 or (i == 2 and n > 2)} for i in range(1, 6)]


@route("POST", "/api/halls/2/bookings")
def booking(r):
    if r.json()["slot"] == 2:
        return 409, {"error": "slot taken"}
    return 201, {"number": "BH-551"}


# ---- search
@route("GET", "/api/search")
def search(r):
    time.sleep(0.7)
    return 200, {"complete": False, "cursor": "c9", "hits": [{"url": f"/pages/{n % 4}", "title": f"Resident parking {n % 4 + 1}", "summary": None if n == 2 else "Who may park, where and when."} for n in range(5)]}


@route("GET", "/api/search/preview")
def preview(r):
    time.sleep(1.2)
    return 200, {"best": {"title": "Resident parking 1", "url": "/pages/0"}}


@route("GET", "/api/search/rest")
def search_rest(r):
    time.sleep(0.4)
    return 200, {"hits": [{"url": f"/pages/{n}", "title": f"Parking for visitors {n}", "summary": ""} for n in range(3, 8)]}


@route("GET", r"/api/search/spelling/(.+)")
def spelling(r):
    return 404, {"error": "nothing to suggest"}


@route("POST", "/api/rum")
def rum(r):
    return 410, {"error": "collector retired"}


# ---- budget
@route("GET", r"/api/budget/ledger\.csv")
def ledger(r):
    areas = ["Schools", "Roads", "Culture", "Administration", "Parks", "Social care"]
    return 200, "id;area;cents;kind\n" + "".join(f"{n};{areas[n * (n % 7) % 6]};{100000 + n * 7919 % 900000};{'internal' if n % 40 == 3 else 'out'}\n" for n in range(20000)) + "20000;Roads;n/a;reversed\n20001;Parks;n/a;reversed\n", "text/csv"


# ---- consultations
@route("GET", "/api/consultations")
def consultations(r):
    return 200, {"items": [], "next_starts": utc(21, 23)}


@route("GET", "/api/features")
def features(r):
    return 200, {"consultation_comments": False, "new_header": False}


@route("GET", r"/api/consultations/archive/(\d+)")
def archive(r):
    return 404, {"error": "not published before January"}


@route("POST", "/csp-report")
def csp(r):
    return 204, None


# ---- notifications
@route("GET", "/api/notifications/preferences")
def preferences(r):
    return 200, {"mail": "h.meier@example.org", "topics": ["Markets"], "available": ["Markets", "Closures", "Elections"]}


@route("PUT", "/api/notifications/preferences")
def put_preferences(r):
    return 204, None


@route("GET", "/api/districts")
def districts(r):
    return 200, [{"code": c, "name": n, "geometry": "M0 0 " + "L1.23456 7.89012 " * 110000} for c, n in (("n", "North"), ("m", "Mill quarter"), ("s", "South"))]


# ---- contact
@route("POST", "/api/contact")
def contact(r):
    if r.json().get("sum") != "7":
        return 400, {"fields": {"sum": "This is not right. Please add again."}}
    return 202, {"ticket": "C-20931"}


# ---- jobs
@route("GET", "/jobs")
def jobs_here(r):
    return 302, None, None, {"Location": "/en/jobs"}


@route("GET", r"/i18n/([\w-]+)\.json")
def i18n(r):
    texts = {"en": {"pay.range": "€ {from} to € {to}", "count": "{open} vacancies are open, {closed} have closed.", "contract.permanent": "permanent", "contract.fixed": "fixed term"},
             "de": {"pay.none": "Pay by agreement", "contract.minijob": "Minijob"}}
    return (200, texts[r.parts[0]]) if r.parts[0] in texts else (404, {"error": "no such locale"})


@route("GET", "/api/jobs")
def jobs(r):
    return 200, {"generated": date(), "vacancies": [
        {"title": "Gardener", "contract": "permanent", "until": date(9), "pay": {"from": 34000, "to": 41000}}, {"title": "Lifeguard", "contract": "fixed", "until": date(3), "hours": 20},
        {"title": "Archivist", "contract": "permanent", "until": date(-3), "pay": {"from": 44000, "to": 52000}}, {"title": "Crossing guard", "contract": "minijob", "until": date(30), "hours": 8, "pay": {"from": 5000, "to": 6000}},
        {"title": "Planner", "contract": "Beamtenstelle", "until": date(14), "pay": {"from": 51000, "to": 60000}}, {"title": "Cook", "contract": "fixed", "until": date(-10)}]}


# ---- meetings
@route("GET", "/api/meetings")
def meetings(r):
    return 200, [{"ref": "bau-12", "body": "Building committee", "at": utc(2, 17)}, {"ref": "rat-09", "body": "Council", "at": utc(5, 17, 30)}, {"ref": "kul-04", "body": "Culture committee", "at": utc(25, 18)}]


@route("GET", r"/api/meetings/([\w-]+)/agenda")
def agenda(r):
    if r.parts[0] == "kul-04":
        return 404, {"error": "not published"}
    return 200, {"items": [{"title": "Mill bridge", "public": True}, {"title": "Purchase of land", "public": False}, {"title": "School yard", "public": True}],
                 "papers": {"frame": "http://127.0.0.1:@@ARCHIVE@@/view/" + r.parts[0], "download": f"/papers/{r.parts[0]}.pdf", "title": "Papers " + r.parts[0]}}


# ---- petitions
@route("GET", "/api/petitions")
def petitions(r):
    first = int(r.q("after") or 0)
    shown = range(max(0, first - 1), min(first + 6, 16))  # the last one again: somebody may have signed meanwhile
    return 200, {"items": [{"id": n + 1, "title": ["A crossing at the school", "Longer hours of the pool", "Benches by the river", "Quiet nights in the Old Town"][n % 4] + f" ({n + 1})", "signatures": 40 + n * 61, "goal": 500} for n in shown],
                 "next": str(first + 6) if first + 6 < 16 else None}


@route("POST", r"/api/petitions/(\d+)/signatures")
def sign(r):
    time.sleep(0.2)
    number = int(r.parts[0])
    if number == 2:
        return 409, {"signed_on": "3 October"}
    return 201, {"signatures": 40 + (number - 1) * 61 + 3}


# ---- registry
@route("GET", "/api/registry/mine")
def mine(r):
    return 401, {"error": "anonymous"}


@route("GET", "/api/registry/announcement")
def announcement(r):
    return 404, {"error": "nothing to announce"}


@route("POST", "/api/registry/enquiries")
def enquiry(r):
    with LOCK:
        STATE.setdefault("registry", {})["asked"] = 0
    return 202, {"result": "/api/registry/enquiries/77"}


@route("GET", r"/api/registry/enquiries/(\d+)")
def enquiry_result(r):
    if count("registry", "asked") < 4:
        return 202, {"state": "running"}
    return 200, {"days": [{"key": "mon", "label": "Monday", "free": []}, {"key": "tue", "label": "Tuesday", "closed": "closed on Tuesdays", "free": []},
                          {"key": "wed", "label": "Wednesday", "free": ["09:20", "11:40"]}, {"key": "thu", "label": "Thursday", "free": ["14:00"]}]}


@route("POST", "/api/registry/appointments")
def appointment(r):
    return 201, {"label": "Wednesday", "time": r.json()["time"], "counter": None}


# ---- transport
@route("GET", "/api/transport/lines")
def lines(r):
    return 200, {"1": {"name": "Ring line"}, "4": {"name": "Station express"}}


@route("GET", r"/api/transport/alerts/(\w+)")
def alerts(r):
    return 404, {"error": "no alerts"}


@route("GET", "/api/transport/departures")
def departures(r):
    if count("transport", "departures") in (1, 3):
        return 503, {"error": "feed is being read"}
    now = int(time.time())
    return 200, {"now": now, "departures": [{"line": l, "to": t, "at": now + at, **x} for l, t, at, x in [
        ("1", "Castle", -90, {}), ("4", "Station", 200, {"delay": 60}), ("7", "Harbour", 130, {}), ("1", "Castle", 600, {"cancelled": True}), ("4", "Town Hall", 300, {"ends_here": True}),
        ("7", "Hospital", 20, {}), ("1", "Mill", 900, {"delay": 120}), ("4", "Station", 1400, {}), ("1", "Castle", 1500, {}), ("7", "Harbour", 1900, {})]]}


# ---- dogs
@route("GET", r"/api/dogs/tariff/(\d+)")
def tariff(r):
    return 200, {"year": int(r.parts[0]), "steps": [{"dogs": 1, "amount": {"value": 9600, "currency": "EUR"}}, {"dogs": 2, "amount": {"value": 21600, "currency": "EUR"}}]}


@route("GET", "/api/dogs/relief")
def relief(r):
    return 404, {"error": "no relief applies"}


@route("GET", "/api/dogs/breeds")
def breeds(r):
    if count("dogs", "breeds") == 1:
        return 503, {"error": "one moment"}
    return 200, ["Kangal", "Tosa", "Fila"]


# ---- lost and found
@route("GET", "/api/lost/offices")
def offices(r):
    return 500, {"error": "internal error", "trace": "9f31c0"}


@route("GET", r"/api/lost/offices/(\d+)/things")
def things(r):
    return 200, [{"what": "Umbrella", "found": utc(-2), "where": "Bus 4"}, {"what": "Keys", "found": utc(-1), "where": "Market"}]


@route("GET", "/api/lost/hints")
def hints(r):
    return 200, {"text": "Things are kept for six months."}


# ---- noise
@route("GET", "/api/noise/kinds")
def kinds(r):
    return 200, [{"key": "works", "title": "Building works"}, {"key": "music", "title": "Music"}, {"key": "road", "title": "Traffic"}]


@route("POST", "/api/noise/reports")
def report(r):
    return 201, {"number": "N-118"}


# ---- pool
@route("GET", "/api/pool/sessions")
def sessions(r):
    day = r.q("day")
    time.sleep(1.8 if day == "sat" else 0.2)
    hours = [9, 11, 13] if day == "sat" else [14, 16]
    return 200, {"sessions": [{"from": f"{h}:00", "to": f"{h + 2}:00", "left": 30 - h, "cents": 450 if day == "sat" else 600} for h in hours]}


@route("GET", "/api/pool/calendar")
def pool_calendar(r):
    return 200, {"open": ["sat", "sun"], "closed": ["mon"]}


@route("GET", "/api/pool/water")
def water(r):
    return 404, {"error": "no gauge"}


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#47788c"/></svg>'


@route("GET", r"/img/(?:crest|services/(?:bin|house|book|coin)|covers/1|news/(?:hall|trees))\.svg")
def picture(r):
    return 200, SVG, "image/svg+xml"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def q(self, name):
        return urllib.parse.parse_qs(self.query).get(name, [""])[0]

    def json(self):
        return json.loads(self.body or b"{}")

    def answer(self, status, body=None, kind=None, headers=None):
        if body is None:
            data = b""
        elif isinstance(body, (dict, list)):
            data, kind = json.dumps(body, ensure_ascii=False).encode(), kind or "application/json"
        else:
            data = body if isinstance(body, bytes) else body.encode()
        data = self.server.filled(data)
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind + ("; charset=utf-8" if kind.startswith("text/") else ""))
        for name, value in {"Cache-Control": "no-cache", **(headers or {})}.items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if status not in (204, 304) and self.command != "HEAD":
            self.wfile.write(data)

    def page(self, name):
        begin(name)
        head, main = (HERE / "pages" / f"{name}.html").read_text(encoding="utf-8").split("<!--main-->\n")
        title, _, head = head.partition("\n")
        text = (HERE / "layout.html").read_text(encoding="utf-8")
        for place, value in (("title", title), ("head", head), ("main", main)):
            text = text.replace("{{%s}}" % place, value.strip())
        self.answer(200, text, "text/html", OTHER.get(name))

    def handle_any(self):
        address = urllib.parse.urlsplit(self.path)
        path, self.query = urllib.parse.unquote(address.path), address.query
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.command == "GET" and path in PAGES:
            return self.page(PAGES[path])
        for method, pattern, function in ROUTES:
            found = pattern.match(path)
            if found and method == self.command:
                self.parts = found.groups()
                return self.answer(*function(self))
        file = (HERE / "site" / path.lstrip("/")).resolve()
        if self.command == "GET" and file.is_relative_to(HERE / "site") and file.is_file():
            kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return self.answer(200, file.read_bytes(), kind)
        return self.answer(404, {"error": "not found"})

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any


class Archive(BaseHTTPRequestHandler):
    """The archive of papers, another house."""
    def log_message(self, *_):
        pass

    def do_GET(self):
        data = b"<!doctype html><title>Papers</title><script>parent.postMessage('viewer:ready', '*')</script>"
        self.send_response(200)
        for name, value in (("Content-Type", "text/html"), ("X-Frame-Options", "DENY"), ("Content-Length", str(len(data)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    serve.run(Handler, second=("ARCHIVE", Archive), nobody=True)

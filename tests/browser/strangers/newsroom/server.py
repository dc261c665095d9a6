#!/usr/bin/env python3
"""The newsroom's application: its pages, its interfaces, and the picture store on an origin of its own."""
import json
import pathlib
import random
import re
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

OWN = pathlib.Path(__file__).resolve().parent
for place in (OWN.parent, OWN.parents[1] / "main/tests/browser/strangers"):
    if (place / "serve.py").is_file():
        sys.path.insert(0, str(place))
        break
import serve  # noqa: E402

SITE = OWN / "site"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
ROUTES = []
SEEN = {}


class Answer:
    def __init__(self, body=None, status=200, kind="application/json", wait=0.0, headers=None):
        self.body = body if isinstance(body, bytes) else b"" if body is None else (
            body.encode() if isinstance(body, str) else json.dumps(body).encode())
        self.status, self.kind, self.wait, self.headers = status, kind, wait, headers or {}


def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"\Z"), function))
        return function
    return keep


def titles():
    return ["Harbour ferry strike called off", "Council votes on the school budget", "Night trains return in spring",
            "Storm warning for the coast", "Hospital opens new ward", "Bakers win prize in the capital",
            "Bridge closed for eight weeks", "Rents rise more slowly", "Library asks for volunteers",
            "Rowers reach the final", "New mayor takes office", "Power cut in the old town"]


# the desk

@route("GET", "/api/desk/edition")
def edition(_):
    return Answer({"id": "e-311", "day": "2026-11-30", "name": "Monday, late edition", "closes": "22:40"})


@route("GET", "/api/desk/stories")
def stories(_):
    stages = ["pitched", "writing", "subbing", "ready"]
    return Answer({"stories": [{"id": f"s-{600 + n}", "title": title, "stage": stages[n % 4], "lines": 40 + 7 * n,
                                "owner": ["mira", "jonas", "ada"][n % 3]} for n, title in enumerate(titles())]},
                  wait=0.12)


@route("GET", "/api/desk/staff")
def staff(_):
    return Answer({"staff": [{"id": i, "name": n, "picture": f"/pictures/staff/{i}.jpg"}
                             for i, n in (("mira", "Mira Holt"), ("jonas", "Jonas Beck"), ("ada", "Ada Quist"))]})


# articles

@route("GET", "/api/articles/4711")
def article(_):
    return Answer({"id": 4711, "title": "Harbour ferry strike called off", "section": "region", "state": "subbed",
                   "body": "The crews of the harbour ferries return to work on Tuesday. " * 6,
                   "lead": "/pictures/lead/4711-wide.jpg"}, wait=0.08)


@route("GET", "/api/sections")
def sections(_):
    return Answer({"items": [{"id": i, "name": i.title()} for i in ("region", "politics", "culture", "sport")]})


@route("GET", "/api/people")
def people(_):
    return Answer({"status": 500, "detail": "relation \"people_roles\" does not exist"}, 500, wait=0.15)


@route("GET", "/api/articles/4711/checks")
def checks(_):
    return Answer({"items": [{"name": "Spelling", "passed": True}, {"name": "Legal", "passed": True},
                             {"name": "Pictures cleared", "passed": True}]}, wait=0.1)


# archive

@route("GET", "/api/archive/suggest")
def suggest(request):
    q = request.query.get("q", "")
    words = ["harbour", "harbour ferry", "hard hats", "harvest", "hall of records"]
    return Answer({"words": [w for w in words if w.startswith(q.lower())][:4]}, wait=0.18)


@route("GET", "/api/archive/search")
def archive(request):
    return Answer({"total": 3, "hits": [{"id": f"a-{n}", "title": t, "year": 1987 + 9 * n}
                                        for n, t in enumerate(["The harbour freezes", "A harbour for all",
                                                               "Harbour wall breached"])]}, wait=2.8)


@route("GET", "/api/archive/volumes")
def volumes(_):
    return Answer({"first": 1891, "last": 2026, "pages": 1204511})


# adverts

@route("GET", "/api/adverts/slots")
def slots(_):
    return Answer({"slots": [{"id": "p3-half", "name": "Page 3, half page", "mm": 240, "free": True},
                             {"id": "p5-quarter", "name": "Page 5, quarter page", "mm": 120, "free": True},
                             {"id": "back", "name": "Back page", "mm": 480, "free": True}]})


@route("GET", "/api/adverts/ratecard")
def ratecard(_):
    return Answer({"perMm": 8.4, "colour": 1.35, "weekend": 1.2, "agency": 0.85}, wait=0.1)


# subscribers

@route("GET", "/api/subscribers/summary")
def summary(_):
    return Answer({"print": 18210, "digital": 40122, "trial": 911})


@route("GET", "/api/subscribers/segments")
def segments(_):
    return Answer({"segments": [{"id": "lapsing", "name": "About to lapse"}, {"id": "weekend", "name": "Weekend only"}]})


@route("GET", "/api/crm/segments/lapsing/members")
def members(_):
    return Answer(status=302, headers={"Location": "/signin/?next=%2Fapi%2Fcrm%2Fsegments%2Flapsing%2Fmembers"})


# rota

@route("GET", "/api/rota/people")
def rota_people(_):
    return Answer({"people": [{"id": 1, "name": "Mira Holt"}, {"id": 2, "name": "Jonas Beck"}, {"id": 3, "name": "Ada Quist"}]})


@route("GET", "/api/rota/weeks/49")
def rota_week(_):
    body = {"week": 49, "shifts": [{"person": 1 + n % 3, "day": n % 7, "from": "06:00", "to": "14:00",
                                    "desk": ["Early", "Late", "Night"][n % 3]} for n in range(14)]}
    return Answer(json.dumps(body), kind="text/plain; charset=utf-8", wait=0.15)


@route("GET", "/api/rota/holidays")
def holidays(_):
    return Answer({"holidays": [{"day": "2026-12-06", "name": "St Nicholas"}]})


# comments

@route("POST", "/api/graphql")
def graphql(request):
    name = request.json().get("operationName")
    if name == "Viewer":
        return Answer({"data": {"viewer": {"id": "u-7", "name": "Ada Quist", "canModerate": True}}})
    if name == "ModerationStats":
        return Answer({"data": {"stats": {"today": 412, "hidden": 37, "waiting": 58}}}, wait=0.1)
    if name == "ModerationQueue":
        return Answer({"data": {"queue": None},
                       "errors": [{"message": "comment store shard 3 is read only: cursor could not be opened",
                                   "path": ["queue"], "extensions": {"code": "UPSTREAM_UNAVAILABLE"}}]}, wait=0.2)
    return Answer({"data": {}})


# front page

@route("GET", "/api/front/layout")
def layout(_):
    def teaser(n):
        return {"id": f"t-{n}", "headline": titles()[n % 12], "image": f"/pictures/teaser/{n}.jpg"}
    return Answer({"revision": 880, "sections": [
        {"key": "top", "title": "Top stories", "blocks": [{"kind": "lead", "teasers": [teaser(0)]},
                                                          {"kind": "row", "teasers": [teaser(1), teaser(2)]}]},
        {"key": "region", "title": "The region", "blocks": [{"kind": "row", "teasers": [teaser(3), teaser(4), teaser(5)]}]},
        {"key": "culture", "title": "Culture", "blocks": [{"kind": "row", "teasers": [teaser(8)]}]}]}, wait=0.1)


@route("GET", "/api/front/locks")
def locks(_):
    return Answer({"locks": []})


# wire

WIRE = [("w-8801", 4, "Budget vote in the council delayed", "The vote is put off until Thursday after a long debate."),
        ("w-8802", 1, "Ferry strike called off", "The unions agreed to an offer late on Sunday."),
        ("w-8803", 3, "Storm warning extended", "The weather service extends its warning to Wednesday."),
        ("w-8804", 2, "Night train contract signed", "Two railways will share the rolling stock."),
        ("w-8805", 5, "Prize for town bakers", "A jury chose the rye bread of three bakers.")]


@route("GET", "/api/wire/items")
def wire(_):
    return Answer({"items": [{"id": i, "priority": p, "slug": s} for i, p, s, _ in WIRE]}, wait=0.1)


@route("GET", r"/api/wire/items/(w-\d+)")
def wire_item(request):
    for number, priority, slug, text in WIRE:
        if number == request.found[1]:
            return Answer({"id": number, "priority": priority, "slug": slug, "text": text, "agency": "ENP"}, wait=0.08)
    return Answer({"error": "no such item"}, 404)


# results

@route("GET", "/api/results/district/12")
def district(_):
    return Answer({"district": 12, "counted": 61, "stations": 64,
                   "shares": [["Harbour list", 31.2], ["Civic union", 27.9], ["Greens", 22.4], ["Others", 18.5]]})


# tickers

def entries(base, count):
    return [{"id": base + n, "at": f"{20 + (n + 2) // 60}:{(n * 7) % 60:02d}", "text": text}
            for n, text in enumerate(["Kick-off", "First corner for the guests", "Yellow card", "Long shot, just over",
                                      "Half-time", "Goal! One nil", "Substitution"][:count])]


@route("GET", "/api/ticker/match/entries")
def match(_):
    return Answer({"entries": entries(100, 5), "score": "0 : 0"})


@route("GET", "/ws/ticker/(match|council)")
def socket(_):
    return Answer("no upstream for ticker-push", 502, "text/plain")


@route("GET", "/api/ticker/council/entries")
def council(request):
    after = int(request.query.get("after", "0"))
    SEEN["council"] = SEEN.get("council", 0) + 1
    now = [{"id": n, "at": f"17:{n:02d}", "text": f"Item {n} of the agenda is called"} for n in range(1, 3 + SEEN["council"])]
    return Answer({"entries": [e for e in now if e["id"] > after]})


# drafts

@route("GET", "/api/drafts/longread-9")
def draft(_):
    return Answer({"id": "longread-9", "title": "A winter on the ferries", "standfirst": "",
                   "body": "At five in the morning the first boat leaves the old quay with its lamps still lit. " * 420})


@route("GET", "/api/offline/editions")
def offline(_):
    return Answer({"editions": [f"ed-{n}" for n in range(306, 312)]})


@route("GET", r"/api/offline/editions/(ed-\d+)")
def offline_edition(request):
    name = request.found[1]
    text = f"[{name}] lorem of the day, set in six columns with a caption below; "

    def page(kind, n, size):
        return {"id": f"{kind}{n}", "body": (text * (size // len(text) + 1))[:size]}
    return Answer({"id": name, "pages": [page("main", 0, 900000)] + [page("side", n, 30000) for n in range(3)]
                   + [page("box", n, 9000) for n in range(5)]})


# newsletters

@route("GET", "/api/newsletters")
def newsletters(_):
    return Answer({"newsletters": [{"id": 1, "name": "Good morning", "sendAt": "06:00"},
                                   {"id": 2, "name": "The weekend", "sendAt": "Sat 08:00"}]})


@route("GET", "/api/newsletters/audiences")
def audiences(_):
    return Answer({"audiences": [{"id": "all", "name": "Everybody"}, {"id": "region", "name": "The region"}]})


@route("POST", "/api/newsletters")
def newsletter(_):
    return Answer({"type": "validation", "violations": [{"field": "sender", "message": "sender must be a verified address"}]},
                  422, wait=0.12)


# analytics

@route("GET", "/api/analytics/now")
def analytics(_):
    return Answer({"readers": 1204 + random.randrange(40), "rows": [
        {"title": t, "readers": 300 - 20 * n + random.randrange(9)} for n, t in enumerate(titles()[:8])]}, wait=0.09)


@route("GET", "/api/analytics/desks")
def desks(_):
    return Answer({"desks": ["all", "region", "sport"]})


# photos

@route("GET", "/api/photos/pool")
def pool(_):
    return Answer({"photos": [{"id": f"ph-{n}", "caption": titles()[n % 12], "by": ["Vik", "Sun", "Orla"][n % 3],
                               "iso": 100 * (1 + n % 8)} for n in range(24)]})


# packages

@route("GET", "/api/packages/sunday")
def package(_):
    return Answer({"id": "sunday", "title": "The Sunday package", "parts": [f"part-{n}" for n in range(1, 13)]})


@route("GET", r"/api/packages/sunday/parts/part-(\d+)")
def part(request):
    n = int(request.found[1])
    return Answer({"id": f"part-{n}", "title": titles()[n - 1], "words": 300 + 90 * n}, wait=0.45)


# fees

@route("POST", "/api/session/refresh")
def refresh(request):
    if request.json().get("grant") == "reading":
        return Answer({"access": "rd-2", "expires": 900})
    return Answer({"error": "invalid_grant", "error_description": "refresh token expired"}, 400, wait=0.08)


@route("GET", "/api/freelance/fees")
def fees(request):
    if not request.headers.get("Authorization"):
        return Answer({"error": "forbidden", "detail": "role anonymous may not read fees"}, 403)
    return Answer({"fees": []})


@route("GET", "/api/freelance/notice")
def notice(_):
    return Answer({"text": "Fees of November are paid on 15 December."})


# home

@route("GET", "/api/start/top")
def top(_):
    SEEN["top"] = SEEN.get("top", 0) + 1
    if SEEN["top"] < 3:
        return Answer({"error": "warming up"}, 503, headers={"Retry-After": "1"})
    return Answer({"stories": titles()[:6]})


@route("GET", "/api/start/weather")
def weather(_):
    return Answer({"now": "4 °C, rain from the west"})


# opinion

@route("GET", "/api/opinion/drafts/mine")
def mine(_):
    return Answer({"error": "none", "detail": "no draft of this author"}, 404)


@route("GET", "/api/opinion/preferences")
def preferences(_):
    return Answer({"sort": "newest"}, wait=0.1)


@route("GET", "/api/opinion/pieces")
def pieces(request):
    q = request.query.get("q", "").lower()
    every = ["Why the ferries matter", "A budget for schools", "Ferry fares, again", "In praise of night trains"]
    return Answer({"pieces": [p for p in every if q in p.lower()]}, wait=0.5)


# gallery

@route("GET", "/api/gallery/day")
def gallery(_):
    return Answer({"pictures": [{"id": n, "caption": t, "src": f"/art/plate-{1 + n % 3}.svg"} for n, t in enumerate(titles()[:6])]})


@route("POST", "/csp/report")
def report(_):
    return Answer(status=204)


# account

@route("GET", "/api/reading/list")
def reading(request):
    if request.headers.get("Authorization") != "Bearer rd-2":
        return Answer({"error": "token expired"}, 401, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return Answer({"list": titles()[3:9]})


# sports

@route("GET", "/api/sports/scores")
def scores(_):
    SEEN["minute"] = SEEN.get("minute", 40) + 1
    return Answer({"minute": SEEN["minute"], "games": [["Harbour FC", "Old Town", "1 : 0"], ["Rowers", "North End", "2 : 2"]]})


POLICIES = {
    "/adverts/booking/": {"Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
                          "img-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'"},
    "/gallery/day/": {"Content-Security-Policy-Report-Only": "default-src 'self'; style-src 'self'; script-src 'self'; "
                      "connect-src 'self'; report-uri /csp/report"},
}
BEGINS = {"/start/": "top", "/ticker/council/": "council", "/sports/scores/": "minute"}
SLOW = {"/vendor/plot.js": 0.9}


class Common(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def json(self):
        try:
            return json.loads(self.sent or b"{}")
        except ValueError:
            return {}

    def send(self, answer):
        if answer.wait:
            time.sleep(answer.wait)
        self.send_response(answer.status)
        if answer.status != 204:
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.body)))
        headers = {"Cache-Control": "no-store", **answer.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and answer.status != 204:
            self.wfile.write(answer.body)

    def take(self):
        parts = urlsplit(self.path)
        self.where = parts.path
        self.query = {k: v[0] for k, v in parse_qs(parts.query).items()}
        self.sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))


class Newsroom(Common):
    def answer(self):
        self.take()
        for method, pattern, function in ROUTES:
            self.found = pattern.match(self.where)
            if self.found and method == self.command:
                return self.send(function(self))
        if self.where.startswith("/api/"):
            return self.send(Answer({"error": "not found"}, 404))
        return self.send(self.file())

    def file(self):
        path = (SITE / self.where.lstrip("/")).resolve()
        if path.is_dir():
            path = path / "index.html"
        if not path.is_file() or SITE not in path.parents:
            return Answer("not found", 404, "text/plain")
        if self.where in BEGINS:
            SEEN.pop(BEGINS[self.where], None)
        return Answer(self.server.filled(path.read_bytes()), kind=TYPES[path.suffix], wait=SLOW.get(self.where, 0),
                      headers=POLICIES.get(self.where))

    do_GET = do_POST = do_HEAD = answer


class Pictures(Common):
    """The picture store."""

    def answer(self):
        self.take()
        free = {"Access-Control-Allow-Origin": "*"}
        if self.where == "/v1/collections":
            return self.send(Answer({"collections": [{"id": "c1", "name": "Harbour"}, {"id": "c2", "name": "Portraits"}]},
                                    headers=free))
        if self.where == "/v1/assets":
            if self.command == "OPTIONS":
                return self.send(Answer(status=204, headers={**free, "Access-Control-Allow-Methods": "GET",
                                                             "Access-Control-Allow-Headers": "Content-Type"}))
            return self.send(Answer({"assets": [{"id": n, "name": f"IMG_{4400 + n}"} for n in range(9)]}, headers=free))
        if self.where == "/count":
            return self.send(Answer({"ok": True}))
        return self.send(Answer("not found", 404, "text/plain"))

    do_GET = do_POST = do_OPTIONS = answer


if __name__ == "__main__":
    serve.run(Newsroom, second=("MEDIA", Pictures), nobody=True)

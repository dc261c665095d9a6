#!/usr/bin/env python3
"""Serves the observatory: its pages, their files, its API, and the partner's origin (catalogue, seats, directory)."""
import json
import pathlib
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

SITE = HERE / "site"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
STATE = {}
LOCK = threading.RLock()


def begin(page):
    with LOCK:
        STATE[page] = {"count": 0, "items": [], "begun": time.monotonic()}


def state(page):
    with LOCK:
        return STATE.setdefault(page, {"count": 0, "items": [], "begun": time.monotonic()})


def counted(page):
    with LOCK:
        here = STATE.setdefault(page, {"count": 0, "items": [], "begun": time.monotonic()})
        here["count"] += 1
        return here["count"]


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        names = {name.lower() for name, _ in headers}
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def cookies(self):
        pairs = (part.strip().partition("=") for part in (self.headers.get("Cookie") or "").split(";"))
        return {name: value for name, _, value in pairs if name}

    def split(self):
        address = urllib.parse.urlsplit(self.path)
        return address.path, dict(urllib.parse.parse_qsl(address.query))


# ---------------------------------------------------------------- data

KINDS = ["Supernova follow-up", "Exoplanet transit", "Asteroid astrometry", "Quasar monitoring", "Standard stars",
         "Galaxy spectrum"]
BLOCKS = [{"id": f"b{n:02}", "start": f"{(18 + n * 22 // 60) % 24:02}:{n * 22 % 60:02}", "minutes": 22,
           "title": KINDS[n % 6], "observer": ["Okafor", "Lindqvist", "Marchetti", "Tanaka"][n % 4]} for n in range(31)]
IMAGES = [{"id": f"img{n}", "object": name, "filter": "BVRI"[n % 4], "exposure": 30 + 15 * n}
          for n, name in enumerate(["M31 Andromeda", "M33 Triangulum", "M42 Orion", "M45 Pleiades", "M51 Whirlpool",
                                    "M57 Ring", "M63 Sunflower", "M81 Bode", "M82 Cigar", "M101 Pinwheel", "M104 Sombrero",
                                    "NGC 7000", "NGC 891", "NGC 253"])]
LOG = {
    "2026-11-29": [("18:10", "Dome opened, twilight flats taken"), ("21:45", "Focus run after temperature drop"),
                   ("03:20", "Thin cirrus from the west")],
    "2026-11-28": [("18:04", "Opened late, humidity at 84 %"), ("23:30", "Autoguider lost the star, restarted")],
    "2026-11-27": [("17:59", "Photometric night"), ("05:10", "Closed, dawn flats")],
}
USERS = [{"id": 1, "name": "Ada Okafor", "role": "astronomer"}, {"id": 2, "name": "Per Lindqvist", "role": "astronomer"},
         {"id": 3, "name": "Gia Marchetti", "role": "visitor"}, {"id": 4, "name": "Ken Tanaka", "role": "operator"}]
INSTRUMENTS = {"fors": {"name": "FORS spectrograph", "temperature": -98.4, "state": "ready"},
               "wfi": {"name": "Wide field imager", "temperature": -110.2, "state": "exposing"},
               "polar": {"name": "Polarimeter", "temperature": -72.0, "state": "parked"}}
ALERTS = [{"id": "a1", "level": "minor", "text": "Humidity above 75 %"}, {"id": "a2", "level": "minor", "text": "UPS self-test due"},
          {"id": "a3", "level": "major", "text": "Cooling pump 2 vibrates"}]
LIVE_ALERTS = [{"id": "a4", "level": "major", "text": "Wind gust 62 km/h"}, {"id": "a5", "level": "minor", "text": "Disk array at 90 %"},
               {"id": "a6", "level": "major", "text": "Rain sensor triggered"}]
TARGETS = [{"name": "HD 189733", "ra": "20 00 43", "dec": "+22 42 39", "mag": 7.67},
           {"name": "3C 273", "ra": "12 29 06", "dec": "+02 03 08", "mag": 12.9},
           {"name": "TRAPPIST-1", "ra": "23 06 29", "dec": "-05 02 29", "mag": 18.8}]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]
VISITS = [412, 388, 640, 871, 1204, 1518, 2033, 2410, 1322, 905, 610]
TEAM = [{"name": "Ada Okafor", "post": "Director"}, {"name": "Ken Tanaka", "post": "Night operator"},
        {"name": "Mia Brandt", "post": "Visitors' centre"}]


# ---------------------------------------------------------------- API of the observatory

def me(h, q):
    h.send(200, {"name": "Mia Brandt", "role": "staff"})


def blocks(h, q):
    begin_at = int((q.get("cursor") or "c0")[1:])
    size = int(q.get("limit") or 12)
    after = begin_at + size
    h.send(200, {"night": q.get("night"), "items": BLOCKS[begin_at:after],
                 "next_cursor": f"c{after}" if after < len(BLOCKS) else None})


def schedule_summary(h, q):
    h.send(200, {"night": q.get("night"), "blocks": len(BLOCKS), "dark_hours": 11.4})


def moon(h, q):
    time.sleep(0.3)
    h.send(200, {"phase": 0.71, "rises": "22:14"})


def conditions(h, q):
    n = counted("conditions")
    h.send(200, {"at": f"20:{n % 60:02}:00", "temperature": round(6.4 - n * .1, 1), "humidity": 61 + n % 4, "wind": 14 + n,
                 "seeing": None if n == 4 else {"fwhm": round(0.82 + n * .013, 3), "source": "DIMM"}})


def archive_search(h, q):
    text = q.get("q", "").lower().strip()
    found = [i for i in IMAGES if text in i["object"].lower() and q.get("band", "") in ("", i["filter"])]
    time.sleep(0.15 + (len(found) * 0.15 if len(found) > 5 else 0))
    h.send(200, {"query": q, "total": len(found), "results": found})


def proposals(h, q):
    data = h.body()
    fields = {}
    if "application/json" in (h.headers.get("Content-Type") or ""):
        fields = json.loads(data or b"{}")
    elif "x-www-form-urlencoded" in (h.headers.get("Content-Type") or ""):
        fields = dict(urllib.parse.parse_qsl(data.decode()))
    lacking = {name: f"{name.capitalize()} is required" for name in ("title", "hours") if not fields.get(name)}
    if lacking:
        return h.send(422, {"message": "Validation failed", "fields": lacking})
    h.send(201, {"id": "P-2027-118", "title": fields["title"]})


def draft(h, q):
    h.body()
    h.send(200, {"saved": True})


def cycle(h, q):
    h.send(200, {"cycle": "2027A", "deadline": "15 December 2026"})


def log_entries(h, q):
    rows = LOG.get(q.get("night"), [])
    h.send(200, {"night": q.get("night"), "entries": [{"time": t, "text": text} for t, text in rows]})


def log_nights(h, q):
    h.send(200, {"nights": list(LOG)})


def slots(h, q):
    h.send(200, {"slots": [{"id": f"s{n}", "time": f"{17 + n}:30", "free": 12 - 2 * n} for n in (1, 2, 3)]})


def advisory(h, q):
    time.sleep(0.4)
    h.send(200, {"text": "Clear sky expected; bring warm clothes."})


def bookings(h, q):
    here = state("bookings")
    if h.command == "POST":
        data = json.loads(h.body() or b"{}")
        with LOCK:
            here["items"].append({"number": f"V-{4410 + len(here['items'])}", "slot": data.get("slot"), "people": 2})
            made = here["items"][-1]
        return h.send(201, made)
    h.send(200, {"bookings": here["items"]})


def alerts_recent(h, q):
    h.send(200, {"alerts": ALERTS})


def alerts_count(h, q):
    passed = int((time.monotonic() - state("alerts")["begun"]) / 1.2)
    h.send(200, {"open": len(ALERTS) + min(passed, len(LIVE_ALERTS))})


def alerts_stream(h, q):
    h.send_response(200)
    h.send_header("Content-Type", "text/event-stream")
    h.send_header("Cache-Control", "no-store")
    h.send_header("Connection", "close")
    h.end_headers()
    h.close_connection = True
    for n in range(60):
        h.wfile.write(b"event: heartbeat\ndata: {\"n\": %d}\n\n" % n)
        h.wfile.flush()
        time.sleep(1.1)
        if n < len(LIVE_ALERTS):
            h.wfile.write(b"event: alert\nid: %d\ndata: %s\n\n" % (n, json.dumps(LIVE_ALERTS[n]).encode()))
            h.wfile.flush()


def users(h, q):
    h.send(200, {"users": USERS}, headers=[("Set-Cookie", "obs_xsrf=t0k3n9f27ac; Path=/; SameSite=Lax; HttpOnly"),
                                           ("Set-Cookie", "obs_locale=en; Path=/; SameSite=Lax")])


def user_role(h, q):
    h.body()
    sent = h.headers.get("X-XSRF-Token") or ""
    if not sent or sent != h.cookies().get("obs_xsrf"):
        return h.send(403, {"error": "forbidden", "message": "Request token missing or invalid"})
    h.send(200, {"ok": True})


def user_activity(h, q):
    h.send(200, {"last": {"1": "today", "2": "yesterday", "3": "12 Nov", "4": "today"}})


def instruments(h, q):
    h.send(200, {"instruments": [{"id": key} for key in INSTRUMENTS]})


def allsky_frames(h, q):
    h.send(200, {"frames": [{"at": f"0{n}:00", "mean": 310 + 40 * n, "stars": 2400 - 130 * n} for n in range(1, 6)]})


def allsky_levels(h, q):
    h.send(200, {"levels": [3, 9, 22, 41, 30, 14, 6, 2]})


def visits(h, q):
    h.send(200, {"year": 2026, "months": [{"month": m, "visits": f"{v:,}", "groups": v // 60}
                                          for m, v in zip(MONTHS, VISITS)]})


def visit_origins(h, q):
    h.send(200, {"origins": {"Local": 61, "National": 27, "Abroad": 12}})


def shows(h, q):
    h.send(200, {"show": {"id": "sh7", "title": "Winter sky", "at": "19:30", "price": 9.5}})


def exports(h, q):
    h.body()
    begin("exports")
    h.send(202, {"id": "x81", "state": "queued"}, headers=[("Location", "/api/exports/x81")])


def export_job(h, q):
    n = counted("exports")
    said = [("queued", 0), ("running", 35), ("running", 55), ("running", 80)]
    if n == 3:
        return h.send(502, b"<h1>Bad gateway</h1>", "text/html")
    if n <= len(said):
        return h.send(200, {"id": "x81", "state": said[n - 1][0], "progress": said[n - 1][1], "url": None})
    h.send(200, {"id": "x81", "state": "succeeded", "progress": 100, "url": "/files/x81.fits.json"})


def export_sets(h, q):
    h.send(200, {"sets": [{"id": "wfi-2026", "label": "WFI 2026, reduced", "size": "14 GB"},
                          {"id": "fors-2026", "label": "FORS 2026, raw", "size": "3 GB"}]})


def settings_options(h, q):
    h.send(200, {"units": ["metric", "imperial"], "themes": ["day", "night"]})


def dome_status(h, q):
    n = counted("dome")
    time.sleep(0.35)
    here = state("dome")
    h.send(200, {"shutter": "open" if here["items"] else "closed", "azimuth": (181 + n) % 360, "interlock": "ok"})


def dome_command(h, q):
    action = json.loads(h.body() or b"{}").get("action")
    with LOCK:
        state("dome")["items"][:] = ["open"] if action == "open" else []
    h.send(202, {"accepted": True})


def plan(h, q):
    n = counted("planner")
    time.sleep(0.12)
    if n > 14:
        return h.send(429, {"error": "rate_limited", "message": "Too many requests"}, headers=[("Retry-After", "30")])
    h.send(200, {"targets": [{"name": "M31", "rises": "16:40", "airmass": 1.1}, {"name": "M42", "rises": "20:05", "airmass": 1.5},
                             {"name": "NGC 891", "rises": "17:10", "airmass": 1.2}]})


def plan_filters(h, q):
    h.send(200, {"sites": ["North ridge", "Old dome"]})


def sign_in(h, q):
    h.body()
    h.send(200, {"user": {"name": "Mia Brandt"}, "expires_in": 3600},
           headers=[("Set-Cookie", "obs_sid=9f1c77e2; Path=/auth; HttpOnly; SameSite=Lax")])


def auth_methods(h, q):
    h.send(200, {"methods": ["password"], "session": "obs_sid" in h.cookies()})


def profile(h, q):
    if "obs_sid" not in h.cookies():
        return h.send(401, {"error": "unauthenticated"})
    h.send(200, {"name": "Mia Brandt", "bookings": 3})


def notices(h, q):
    h.send(200, {"notices": ["The visitors' centre is closed on 24 December."]})


# pages where all is as it should be

def tonight(h, q):
    h.send(200, {"sunset": "16:31", "dark": "18:12", "moon": "71 %", "open": True, "cards": [
        {"title": "Telescopes", "value": "3 of 3 ready"}, {"title": "Guided tours", "value": "2 tonight"},
        {"title": "Sky", "value": "clear"}]})


def recommendations(h, q):
    time.sleep(2.5)
    h.send(200, {"items": ["Winter sky at the planetarium"]})


def search_all(h, q):
    text = q.get("q", "").lower()
    time.sleep(0.5 if len(text) < 4 else 0.15)
    names = [i["object"] for i in IMAGES] + [t["name"] for t in TARGETS] + ["Comet evening", "Comet Encke", "Opening times"]
    h.send(200, {"q": q.get("q", ""), "hits": [n for n in names if text and text in n.lower()]})


def webcams(h, q):
    if counted("webcams") <= 2:
        return h.send(503, {"error": "warming_up"}, headers=[("Retry-After", "1")])
    h.send(200, {"cams": [{"id": "north", "title": "North ridge"}, {"id": "dome", "title": "Main dome"}]})


def events(h, q):
    h.send(200, {"events": [{"id": 1, "title": "Public night", "when": "4 December"}, {"id": 2, "title": "Lecture: dark matter", "when": "11 December"}]})


def event(h, q):
    time.sleep(0.6)
    h.send(200, {"id": 1, "text": "Bring a warm coat."})


def event_crowd(h, q):
    time.sleep(3)
    h.send(200, {"level": "quiet"})


def places(h, q):
    h.send(200, {"places": [{"id": "main", "name": "Main dome", "x": 60, "y": 40, "photo": "/files/places/main.svg"},
                            {"id": "cafe", "name": "Café", "x": 180, "y": 90, "photo": "/files/places/cafe.svg"},
                            {"id": "park", "name": "Car park", "x": 250, "y": 140, "photo": "/files/places/park.svg"}]})


def team_token(h, q):
    h.body()
    h.send(200, {"access": "acc-2"})


def team_list(h, q):
    if h.headers.get("Authorization") != "Bearer acc-2":
        return h.send(401, {"error": "token_expired"}, headers=[("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
    tag = '"team-3"'
    if h.headers.get("If-None-Match") == tag:
        return h.send(304, b"", headers=[("ETag", tag)])
    h.send(200, {"people": TEAM}, headers=[("ETag", tag), ("Cache-Control", "private, no-cache")])


ROUTES = {
    ("GET", "/api/me"): me, ("GET", "/api/schedule/blocks"): blocks, ("GET", "/api/schedule/summary"): schedule_summary,
    ("GET", "/api/moon"): moon, ("GET", "/api/conditions/latest"): conditions, ("GET", "/api/archive/search"): archive_search,
    ("POST", "/api/proposals"): proposals, ("PUT", "/api/proposals/draft"): draft, ("GET", "/api/proposals/cycle"): cycle,
    ("GET", "/api/log/entries"): log_entries, ("GET", "/api/log/nights"): log_nights, ("GET", "/api/tours/slots"): slots,
    ("GET", "/api/tours/advisory"): advisory, ("GET", "/api/tours/bookings"): bookings, ("POST", "/api/tours/bookings"): bookings,
    ("GET", "/api/alerts/recent"): alerts_recent, ("GET", "/api/alerts/count"): alerts_count,
    ("GET", "/api/alerts/stream"): alerts_stream, ("GET", "/api/users"): users, ("GET", "/api/users/activity"): user_activity,
    ("GET", "/api/instruments"): instruments, ("GET", "/api/allsky/frames"): allsky_frames,
    ("GET", "/api/allsky/levels"): allsky_levels, ("GET", "/api/visits"): visits, ("GET", "/api/visits/origins"): visit_origins,
    ("GET", "/api/shows/next"): shows, ("POST", "/api/exports"): exports, ("GET", "/api/exports/x81"): export_job,
    ("GET", "/api/exports/sets"): export_sets, ("GET", "/api/settings/options"): settings_options,
    ("GET", "/api/dome/status"): dome_status, ("POST", "/api/dome/commands"): dome_command, ("GET", "/api/plan"): plan,
    ("GET", "/api/plan/sites"): plan_filters, ("POST", "/auth/session"): sign_in, ("GET", "/auth/methods"): auth_methods,
    ("GET", "/api/account/profile"): profile, ("GET", "/api/notices"): notices, ("GET", "/api/tonight"): tonight,
    ("GET", "/api/recommendations"): recommendations, ("GET", "/api/search"): search_all, ("GET", "/api/webcams"): webcams,
    ("GET", "/api/events"): events, ("GET", "/api/events/1"): event, ("GET", "/api/events/crowd"): event_crowd,
    ("GET", "/api/places"): places, ("POST", "/api/team/token"): team_token, ("GET", "/api/team"): team_list,
}


class Observatory(Base):
    def answer(self):
        path, query = self.split()
        route = ROUTES.get((self.command, path))
        if route:
            return route(self, query)
        if self.command == "PATCH" and path.startswith("/api/users/"):
            return user_role(self, query)
        if path.startswith("/api/instruments/") and path.rsplit("/", 1)[1] in INSTRUMENTS:
            return self.send(200, INSTRUMENTS[path.rsplit("/", 1)[1]])
        if path.startswith("/api/"):
            self.body()
            return self.send(404, {"error": "not_found"})
        self.file(path)

    def file(self, path):
        page = "home" if path == "/" else path.strip("/")
        file = SITE / f"{page}.html"
        if "/" not in page and file.is_file():
            begin(page)
        else:
            file = (SITE / path.lstrip("/")).resolve()
            if not file.is_relative_to(SITE) or not file.is_file():
                if path.startswith("/assets/dist/"):
                    return self.send(200, (SITE / "app.html").read_bytes(), TYPES[".html"])
                return self.send(404, b"not found", "text/plain")
        self.send(200, self.server.filled(file.read_bytes()), TYPES.get(file.suffix, "application/octet-stream"))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer


class Partner(Base):
    """The catalogue, the seats of the planetarium, the directory: another origin."""

    def answer(self):
        path, _ = self.split()
        origin = self.headers.get("Origin")
        allow = [("Access-Control-Allow-Headers", "Content-Type, X-Client"), ("Access-Control-Allow-Methods", "GET, POST")]
        if path.startswith("/v2/targets"):
            allow.append(("Access-Control-Allow-Origin", "*"))
        elif origin:
            allow += [("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin")]
        if self.command == "OPTIONS":
            return self.send(204, b"", headers=allow)
        if path == "/v2/targets":
            return self.send(200, {"targets": TARGETS}, headers=allow)
        if path == "/v2/epoch":
            return self.send(200, {"epoch": "J2000"}, headers=allow)
        if path == "/directory/phones":
            return self.send(200, {"phones": {"Ada Okafor": "12", "Ken Tanaka": "31", "Mia Brandt": "40"}}, headers=allow)
        if path in ("/seats", "/seats/picker.js"):
            name = "picker.html" if path == "/seats" else "picker.js"
            file = SITE / "partner" / name
            return self.send(200, file.read_bytes(), TYPES[file.suffix])
        self.body()
        self.send(404, b"not found", "text/plain", headers=allow)

    do_GET = do_POST = do_OPTIONS = answer


if __name__ == "__main__":
    serve.run(Observatory, second=("PARTNER", Partner), nobody=True)

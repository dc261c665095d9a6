"""What the site answers beside its files."""
import re
import select
import socket
import threading
import time

SITE, MEDIA = [], []


def route(method, pattern, table=SITE):
    def keep(function):
        table.append((method, re.compile(pattern), function))
        return function
    return keep


def plain(method, pattern, value, wait=0.0, status=200, kind=None, headers=()):
    def handler(request, *_):
        if wait:
            time.sleep(wait)
        request.answer(status, value, kind, headers)
    SITE.append((method, re.compile(pattern), handler))


def before(way):
    if way == "/vendor/wayfinder.js":
        time.sleep(1.6)  # rendered per visitor


def policy(way):
    if way == "/tickets/":
        return [("Content-Security-Policy",
                 "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'")]
    if way == "/news/":
        return [("Content-Security-Policy-Report-Only", "default-src 'self'; img-src 'self'; style-src 'self'; script-src 'self'")]
    return []


# ---- counters and the like

plain("POST", "/t/hit", b"", status=204)
plain("GET", "/favicon.ico", b"", status=204)
BANNERS = set()


@route("GET", "/api/site/banner")
def banner(request):
    who = request.query.get("visit", "")
    if who not in BANNERS:
        BANNERS.add(who)
        return request.answer(503, {"error": "being renewed"}, headers=[("Retry-After", "1")])
    return request.answer(200, {"text": "Doors open on Thursday at noon.", "until": "2026-07-09"})


# ---- shuttle

plain("GET", "/api/shuttle/lines", {"lines": [
    {"id": "S1", "from": "Central station", "to": "Main gate", "service": "running", "every": 15},
    {"id": "S2", "from": "Harbour car park", "to": "South gate", "service": "running", "every": 20},
    {"id": "S3", "from": "Old brewery", "to": "Camping east", "service": "running", "every": 30}]}, 0.08)
plain("GET", "/api/shuttle/notices", {"error": "no notices for today"}, status=404)

# ---- vendors

GOODS = [("KEG30", "Keg of pilsner, 30 l", 7800), ("ICE10", "Ice, 10 kg", 950), ("CUP500", "Cups, 500 pieces", 6200),
         ("GAS11", "Gas bottle, 11 kg", 3400), ("BRD60", "Bread rolls, 60 pieces", 2150)]
plain("GET", "/api/vendors/goods", [{"sku": sku, "name": name, "stock": 40} for sku, name, _ in GOODS], 0.06)
plain("GET", "/api/vendors/me", {"stall": "C-14", "name": "Tarte & Flamme", "season": "2026-summer", "minimum": 5000})
plain("GET", "/api/vendors/pricelists/2026-summer",
      {"error": "could not read price list", "detail": "relation \"prices_2026_summer\" does not exist"}, 0.05, 500)
plain("GET", "/api/vendors/deliveries", {"slots": ["06:30", "07:15", "08:00"]}, 0.1)

# ---- gate


@route("GET", r"/api/gate/tickets/([\w-]+)")
def gate_ticket(request, code):
    time.sleep(2.6)
    if code.startswith("WM-"):
        request.answer(200, {"code": code, "holder": "Noor Haddad", "kind": "weekend + camping", "state": "valid"})
    else:
        request.answer(404, {"error": "no ticket", "code": code})


plain("GET", "/api/gate/lane", {"lane": "North 3", "scanned": 1184, "open": True})

# ---- lost and found

REPORTS = {}


def is_gone(request):
    ready, _, _ = select.select([request.connection], [], [], 0)
    try:
        return bool(ready) and request.connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True


@route("POST", "/api/lost/reports")
def lost_report(request):
    time.sleep(1.5)  # photographs of similar things are compared
    said = request.json_body()
    if is_gone(request):
        request.close_connection = True
        return
    rows = REPORTS.setdefault(str(said.get("visitor"))[:40], [])
    rows.append({"ref": "LF-%04d" % (2000 + len(rows)), "what": str(said.get("what"))[:80]})
    request.answer(201, rows[-1])


@route("GET", "/api/lost/mine")
def lost_mine(request):
    request.answer(200, {"reports": REPORTS.get(request.query.get("visitor", ""), [])})


plain("GET", "/api/lost/recent", {"found": [
    {"what": "Green umbrella", "where": "Lake stage"}, {"what": "Keys with a cork", "where": "Camping west"},
    {"what": "Child's rubber boot", "where": "Main gate"}]}, 0.05)

# ---- press

plain("GET", "/api/press/pass", {"holder": "Radio Delta", "pass": "p-7f31-delta", "level": "photo"})
plain("GET", "/api/press/contacts", {"desk": "press@weirmeadow.example", "phone": "+31 20 555 01 77"})
KIT = {"files": [{"name": "Logo, vector", "size": "220 kB"}, {"name": "Line-up poster", "size": "4.1 MB"},
                 {"name": "Site photographs 2025", "size": "61 MB"}]}


@route("OPTIONS", r"/kits/\d+", MEDIA)
def kit_preflight(request):
    request.answer(204, headers=[("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "GET, HEAD"),
                                 ("Access-Control-Allow-Headers", "Content-Type, Authorization")])


@route("GET", r"/kits/\d+", MEDIA)
def kit(request):
    request.answer(200, KIT, headers=[("Access-Control-Allow-Origin", "*")])


@route("GET", r"/loops/teaser\.json", MEDIA)
def teaser(request):
    request.answer(200, {"title": "Weir Meadow 2025 in ninety seconds"}, headers=[("Access-Control-Allow-Origin", "*")])


# ---- tickets

plain("GET", "/api/tickets/faq", {"faq": [
    {"q": "Can I resell my ticket?", "a": "Yes, in the resale market until 1 July."},
    {"q": "Do children pay?", "a": "Under twelve they do not."}]})

# ---- shifts


@route("GET", "/api/crew/shifts")
def crew_shifts(request):
    if "crew_sid=" not in (request.headers.get("Cookie") or ""):
        return request.answer(302, headers=[("Location", "/api/crew/session?next=/api/crew/shifts"), ("Cache-Control", "no-store")])
    return request.answer(200, {"shifts": [{"day": "Friday", "from": "14:00", "to": "18:00", "place": "Bar 4"},
                                           {"day": "Saturday", "from": "08:00", "to": "12:00", "place": "Camping east"}]})


@route("GET", "/api/crew/session")
def crew_session(request):
    way = request.query.get("next", "/api/crew/shifts")
    request.answer(302, headers=[("Location", way if way.startswith("/api/crew/") else "/api/crew/shifts"),
                                 ("Set-Cookie", "crew_sid=v31k9; Path=/crew; HttpOnly; SameSite=Lax"), ("Cache-Control", "no-store")])


plain("GET", "/api/volunteers/me", {"name": "Jonas", "team": "Bars", "hours": 8, "assigned": 2})
plain("GET", "/api/volunteers/team", {"team": ["Jonas", "Ewa", "Pilar", "Teo"]}, 0.1)

# ---- food

plain("GET", "/api/food/stalls", """{"stalls": [
  {"name": "Tarte & Flamme", "diet": ["vegetarian"], "area": "Lake", "open": true},
  {"name": "Dal Depot", "diet": ["vegan", "vegetarian"], "area": "Meadow", "open": true},
  {"name": "Smokehouse 9", "diet": [], "area": "Main", "open": true},
  {"name": "Injera House", "diet": ["vegan"], "area": "Main", "open": true}]}""", 0.07, kind="text/plain; charset=utf-8")
plain("GET", "/api/food/areas", {"areas": ["Lake", "Meadow", "Main"]})

# ---- wallet


@route("POST", "/api/graph")
def graph(request):
    said = request.json_body()
    if said.get("operationName") == "Me":
        return request.answer(200, {"data": {"me": {"name": "Aylin", "band": "5C-19-E0"}}})
    time.sleep(0.1)
    if said.get("operationName") == "Wallet":
        return request.answer(200, {"data": {"wallet": None}, "errors": [
            {"message": "ledger partition 7 is read by nobody", "path": ["wallet"], "extensions": {"code": "LEDGER_UNAVAILABLE"}}]})
    return request.answer(200, {"data": {"tips": ["Unspent money is paid back until 31 August."]}})


# ---- camping

plain("GET", "/api/camping/areas", {"areas": [
    {"id": "east", "name": "Camping east", "quiet": False, "availability": {"free": 112, "total": 900}},
    {"id": "west", "name": "Camping west", "quiet": False, "availability": {"free": 47, "total": 640}},
    {"id": "orchard", "name": "Orchard (quiet)", "quiet": True, "availability": {"free": 18, "total": 220}}], "version": 4}, 0.09)
plain("GET", "/api/camping/rules", {"rules": ["No open fire", "Generators only in the van area"]})

# ---- guests

plain("GET", "/api/guestlist/bookings", {"bookings": [
    {"id": 4101, "guest": "Ruben Okafor", "party": 1, "host": "Lake stage", "wristband": {"id": 88117, "colour": "blue"}},
    {"id": 4102, "guest": "Ilse Varga", "party": 2, "host": "Press", "wristband": {"id": 88120, "colour": "white"}},
    {"id": 4103, "guest": "Mo Lindqvist", "party": 1, "host": "Main stage", "wristband": {"id": 88125, "colour": "blue"}}]}, 0.06)
BANDS = {"88117", "88120", "88125"}


@route("POST", r"/api/guestlist/wristbands/(\d+)/activate")
def activate(request, band):
    if band in BANDS:
        return request.answer(200, {"wristband": int(band), "state": "active"})
    return request.answer(404, {"error": "wristband not found", "wristband": int(band)})


# ---- stages

plain("GET", "/api/stages/plan", {"stages": [
    {"name": "Main", "x": 120, "y": 60, "now": "Tin Orchard"}, {"name": "Lake", "x": 300, "y": 130, "now": "Mirela Kost"},
    {"name": "Barn", "x": 210, "y": 210, "now": "DJ Saltmarsh"}]}, 0.03)

# ---- radio

plain("GET", "/ws/crew", {"error": "origin not admitted"}, status=403)
plain("GET", "/api/radio/channels", {"channels": [{"id": "east", "name": "Stage east", "unread": 7},
                                                  {"id": "gates", "name": "Gates", "unread": 2}]})
plain("GET", "/api/radio/avatars", {"error": "not found"}, status=404)

# ---- programme

NAMES = ["Mirela Kost", "Tin Orchard", "DJ Saltmarsh", "The Low Bridges", "Oumou & Sons", "Velvet Tram", "Harbour Choir",
         "Nine Kilns", "Petra Vogt", "Sundial", "Copper Owls", "Lantern Parade"]
plain("GET", "/api/programme/acts", {"acts": [
    {"id": "a%d" % number, "name": name, "at": "%02d:%s" % (14 + number // 2, "30" if number % 2 else "00"), "seconds": 300, "seed": 31 + number * 7}
    for number, name in enumerate(NAMES, 1)]}, 0.05)

# ---- access


@route("POST", "/api/access/requests")
def access_request(request):
    request.answer(201, {"ref": "AC-118"})


plain("GET", "/api/access/services", {"services": ["Viewing platform", "Step-free shuttle", "Sign language", "Fridge for medicine"]})

# ---- power


@route("GET", "/api/power/load")
def power_load(request):
    time.sleep(0.22)
    now = int(time.time() * 1000)
    request.answer(200, {"now": now, "units": [
        {"id": "G1", "site": "Main stage", "kw": 212 + now % 3}, {"id": "G2", "site": "Food court", "kw": 97}, {"id": "G3", "site": "Camping", "kw": 41}]})


plain("GET", "/api/power/crew", {"on_call": "Femke, channel 6"})

# ---- safety


@route("GET", "/api/safety/readings")
def readings(request):
    step = int(time.time() * 2)
    request.answer(200, {"at": step, "readings": [{"mast": "Main", "wind": 18 + step % 5}, {"mast": "Lake", "wind": 14 + step % 4}]})


plain("GET", "/api/safety/level", {"level": "green", "text": "No restrictions"})

# ---- lockers

plain("GET", "/api/lockers/mine", {"lockers": [{"id": "L%03d" % number} for number in range(201, 233)]}, 0.05)


@route("GET", r"/api/lockers/(L\d+)")
def locker(request, name):
    time.sleep(0.17)
    request.answer(200, {"id": name, "row": "ABCD"[int(name[1:]) % 4], "battery": 60 + int(name[1:]) % 40, "open": False})


plain("GET", "/api/lockers/hours", {"from": "09:00", "to": "03:00"})

# ---- line-up


@route("GET", "/api/lineup/search")
def search(request):
    term = request.query.get("q", "").lower()
    time.sleep(0.5 if not term else 0.15)
    request.answer(200, {"hits": [{"name": name, "stage": ("Main", "Lake", "Barn")[number % 3]}
                                  for number, name in enumerate(NAMES) if term in name.lower()]})


@route("GET", r"/api/lineup/portraits/(\w+)\.svg")
def portrait(request, name):
    if len(name) % 2:
        return request.answer(404, {"error": "no portrait"})
    return request.answer(200, '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#468"/></svg>',
                          "image/svg+xml")


# ---- news

plain("GET", "/api/news/posts", {"posts": [
    {"id": 3, "title": "Copper Owls join the Barn", "text": "The last place on Friday night is taken."},
    {"id": 2, "title": "A second water point at Camping west", "text": "Bring your own bottle."},
    {"id": 1, "title": "Trams run all night", "text": "Every twenty minutes until five."}]}, 0.1)
plain("GET", "/api/news/comments/count", {"error": "comments are closed"}, status=410)

# ---- merchandise

TRIES, LOCK = {}, threading.Lock()


@route("GET", "/api/merch/items")
def merch(request):
    who = request.query.get("visit", "")
    with LOCK:
        TRIES[who] = TRIES.get(who, 0) + 1
        busy = TRIES[who] < 3
    if busy:
        return request.answer(503, {"error": "warming up"}, headers=[("Retry-After", "1")])
    return request.answer(200, {"items": [{"sku": "TEE", "name": "T-shirt, moss green", "cents": 2800},
                                          {"sku": "MUG", "name": "Enamel mug", "cents": 1400},
                                          {"sku": "BAG", "name": "Tote bag", "cents": 1200}]})


@route("POST", "/api/merch/vouchers")
def voucher(request):
    if str(request.json_body().get("code", "")).upper() == "MEADOW10":
        return request.answer(200, {"percent": 10})
    return request.answer(422, {"error": "This voucher ended on 1 June."})


# ---- weather


@route("GET", "/stream/weather")
def weather(request):
    request.send_response(200)
    request.send_header("Content-Type", "text/event-stream")
    request.send_header("Cache-Control", "no-store")
    request.send_header("Connection", "close")
    request.end_headers()
    request.close_connection = True
    last = int(request.headers.get("Last-Event-ID") or 0)
    request.wfile.write(b"retry: 600\n\n")
    for number in range(last + 1, last + 7):
        request.wfile.write(b'id: %d\ndata: {"n": %d, "temp": %d, "rain": %d}\n\n' % (number, number, 17 + number % 4, number % 2))
        request.wfile.flush()
        time.sleep(0.4)


plain("GET", "/api/weather/outlook", {"days": [{"day": "Friday", "max": 24}, {"day": "Saturday", "max": 22}, {"day": "Sunday", "max": 26}]})

# ---- upkeep


@route("GET", "/api/upkeep/tasks")
def tasks(request):
    if request.headers.get("Authorization") != "Bearer fresh":
        return request.answer(401, {"error": "token has run out"}, headers=[("WWW-Authenticate", "Bearer")])
    return request.answer(200, {"tasks": [{"id": 1, "what": "Toilets, Lake", "rev": 5}, {"id": 2, "what": "Bins, Main", "rev": 2}]})


@route("PUT", r"/api/upkeep/tasks/(\d+)")
def task_done(request, number):
    rev = request.json_body().get("rev")
    if number == "1" and rev == 5:
        return request.answer(409, {"error": "changed by somebody else", "rev": 6})
    return request.answer(200, {"id": int(number), "done": True, "rev": (rev or 0) + 1})


plain("POST", "/api/upkeep/token", {"token": "fresh"}, 0.05)
plain("GET", "/api/upkeep", b"", status=301, headers=[("Location", "/api/upkeep/index")])
plain("GET", "/api/upkeep/index", b"", status=302, headers=[("Location", "/api/upkeep/zones")])
plain("GET", "/api/upkeep/zones", {"zones": ["Lake", "Main", "Camping"]})

# ---- cups


@route("GET", r"/api/cups/bars/(\d+)")
def cups(request, number):
    time.sleep(0.1)
    if number == "13":
        return request.answer(404, {"error": "bar 13 was never built"})
    return request.answer(200, {"bar": int(number), "out": 200 + int(number) * 11, "back": 150 + int(number) * 10})


@route("GET", "/api/cups/summary")
def cups_summary(request):
    time.sleep(1.2)
    request.answer(200, {"deposit": 2, "note": "Counted at closing time"})


plain("GET", "/api/cups/changes", b"", 2.0, 204)

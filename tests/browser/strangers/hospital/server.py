#!/usr/bin/env python3
"""The staff application of a hospital: pages, their interface, and the finance department's own origin."""
import json
import mimetypes
import pathlib
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
for above in HERE.parents:
    for place in (above, above / "tests/browser/strangers", above / "main/tests/browser/strangers"):
        if (place / "serve.py").is_file():
            sys.path.insert(0, str(place))
            break
    else:
        continue
    break
import serve  # noqa: E402

SITE = HERE / "site"
LOCK = threading.Lock()
STATE = {}


def begin():
    with LOCK:
        STATE.clear()
        STATE.update(rota=[], orders=[{"no": 8801, "article": "Gauze 10 cm", "amount": 40}], revision=7,
                     plan="Mobilise twice daily. Pain score before every meal.", tries={}, refreshed=False,
                     visitors=[], streams=0)


begin()

WARDS = [{"id": 4, "name": "Ward 4 East", "floor": 2}, {"id": 5, "name": "Ward 5 West", "floor": 2},
         {"id": 9, "name": "Intensive care", "floor": 1}]
BEDS = [{"no": "4-01", "free": False, "patient": "A. Brandt", "since": "26 Nov"},
        {"no": "4-02", "free": False, "patient": "M. Osei", "since": "28 Nov"},
        {"no": "4-03", "free": True, "patient": None, "since": None},
        {"no": "4-04", "free": False, "patient": "L. Varga", "since": "29 Nov"},
        {"no": "4-05", "free": True, "patient": None, "since": None}]
DRUGS = ["Amiodarone 200 mg", "Amitriptyline 25 mg", "Amlodipine 5 mg", "Amoxicillin 500 mg", "Amoxicillin 750 mg",
         "Atenolol 50 mg", "Bisoprolol 5 mg"]
RESULTS = [{"code": "K", "name": "Potassium", "value": 5.9, "unit": "mmol/l", "flag": "high"},
           {"code": "NA", "name": "Sodium", "value": 139, "unit": "mmol/l", "flag": ""},
           {"code": "CRP", "name": "C-reactive protein", "value": 84, "unit": "mg/l", "flag": "high"},
           {"code": "HB", "name": "Haemoglobin", "value": 12.1, "unit": "g/dl", "flag": ""}]
OPERATIONS = [{"room": 1, "from": "07:45", "to": "09:30", "what": "Hip replacement", "team": "Okafor"},
              {"room": 1, "from": "10:00", "to": "11:15", "what": "Arthroscopy", "team": "Okafor"},
              {"room": 2, "from": "08:00", "to": "12:00", "what": "Bypass", "team": "Lindqvist"}]
PATIENTS = [{"no": 4711, "name": "Helene Marsh", "born": "1948-02-11", "ward": "Ward 4 East"},
            {"no": 4712, "name": "Idris Nolan", "born": "1990-07-30", "ward": "Intensive care"},
            {"no": 4820, "name": "Rosa Marsh", "born": "2001-12-02", "ward": "Ward 5 West"}]
REFERRALS = [{"id": 61, "patient": "P. Adeyemi", "to": "Cardiology", "since": "2 days"},
             {"id": 64, "patient": "S. Kovacs", "to": "Dermatology", "since": "5 days"}]
TRANSFERS = [{"id": 31, "patient": "A. Brandt", "from": "Ward 4 East", "to": "Rehabilitation", "urgent": False},
             {"id": 32, "patient": "T. Iwata", "from": "Emergency", "to": "Intensive care", "urgent": True},
             {"id": 33, "patient": "M. Osei", "from": "Ward 4 East", "to": "Ward 5 West", "urgent": False}]
CASES = [{"id": 1, "germ": "MRSA", "ward": "Ward 4 East", "room": "12", "days": 3},
         {"id": 2, "germ": "Norovirus", "ward": "Ward 5 West", "room": "7", "days": 1},
         {"id": 3, "germ": "VRE", "ward": "Intensive care", "room": "2", "days": 9}]
STAFF = [{"name": "Dr Amara Okafor", "role": "Orthopaedics", "phone": "4402"},
         {"name": "Dr Nils Lindqvist", "role": "Heart surgery", "phone": "4410"},
         {"name": "Olga Petrenko", "role": "Pharmacy", "phone": "2120"},
         {"name": "Oskar Lind", "role": "Physiotherapy", "phone": "3177"}]
GETS, POSTS = {}, {}


def on(table, path):
    def keep(function):
        table[path] = function
        return function
    return keep


def fixed(path, value, status=200):
    GETS[path] = lambda request: request.send(value, status)


fixed("/api/wards", WARDS)
fixed("/api/wards/4", WARDS[0])
fixed("/api/wards/4/beds", {"meta": {"count": len(BEDS), "ward": 4}, "items": BEDS})
fixed("/api/insurers", ["Allmed", "Civic Health", "Private"])
fixed("/api/patients/P-20931", {"id": "P-20931", "name": "Jonas Feld", "ward": "Ward 4 East"})
fixed("/api/theatre/2026-11-30", {"day": "2026-11-30", "operations": OPERATIONS})
fixed("/api/messages", [{"from": "Pharmacy", "text": "Heparin is back in stock.", "at": "07:12"},
                        {"from": "Night desk", "text": "Handover sheet is in the tray.", "at": "06:40"}])
fixed("/api/messages/unread", {"unread": 3})
fixed("/api/stock", [{"id": 3, "article": "Syringe 10 ml", "left": 12}, {"id": 8, "article": "Infusion set", "left": 4}])
fixed("/api/transfers", TRANSFERS)
fixed("/api/fluids/P-20931", {"patient": "Jonas Feld", "day": "2026-11-29",
                              "intake": [{"at": "08:00", "what": "Tea", "ml": "250"},
                                         {"at": "11:30", "what": "Infusion", "ml": "500"},
                                         {"at": "15:00", "what": "Water", "ml": "400"}],
                              "output": [{"at": "10:10", "ml": 420}, {"at": "16:45", "ml": 380}]})
fixed("/api/vitals/P-20931", {"resp": 22, "spo2": 93, "pulse": 111, "systolic": 104, "temp": 38.4, "alert": True})
fixed("/api/site-config", {"title": "Internal error", "trace": "c41f-77"}, 500)
fixed("/api/v1/formulary", {"medicines": [], "total": 0})
fixed("/api/v3/formulary", {"medicines": [{"name": name, "group": "B01"} for name in DRUGS], "total": len(DRUGS)})
fixed("/api/announcements", [{"text": "Fire drill on Thursday at 10."}])
fixed("/api/infection/cases", CASES)
fixed("/api/imaging/studies", [{"id": "CT-118", "what": "CT thorax", "images": 212}, {"id": "XR-90", "what": "X-ray knee", "images": 2}])
fixed("/api/cases/C-5530", {"case": "C-5530", "patient": "R. Achterberg", "centre": "4100"})
fixed("/api/overview", {"occupied": 212, "free": 31, "waiting": 9, "operations": 17})
fixed("/api/courses", [{"title": "Basic life support", "due": "14 Dec"}, {"title": "Hand hygiene", "due": "done"}])


@on(GETS, "/api/drugs")
def drugs(request):
    text = request.query("q").lower()
    time.sleep(2.2 if len(text) < 3 else 0.1)  # the index of short prefixes is long
    request.send({"q": text, "drugs": [name for name in DRUGS if name.lower().startswith(text)]})


@on(GETS, "/api/labs/P-20931/results")
def results(request):
    time.sleep(2.8)
    request.send({"released": True, "results": RESULTS})


@on(GETS, "/api/rota")
def rota(request):
    now = time.monotonic()
    with LOCK:
        STATE["rota"] = [then for then in STATE["rota"] if now - then < 20] + [now]
        many = len(STATE["rota"]) > 12
    if many:
        return request.send({"message": "Request limit of this client exceeded"}, 429, [("Retry-After", "20")])
    request.send([{"team": "Surgery", "who": "Dr Okafor", "phone": "4402"},
                  {"team": "Medicine", "who": "Dr Silva", "phone": "4416"},
                  {"team": "Anaesthesia", "who": "Dr Renner", "phone": "4431"}])


@on(GETS, "/api/messages/stream")
def stream(request):
    request.send(b'event: message\ndata: {"from":"Laboratory","text":"Potassium of J. Feld is 5.9 - please call.","at":"07:31"}\n\n',
                 200, kind="application/json")


@on(GETS, "/api/stock/orders")
def orders(request):
    request.send(STATE["orders"])


@on(POSTS, "/api/stock/orders")
def order(request):
    with LOCK:
        made = {"no": 8801 + len(STATE["orders"]), **request.body()}
        STATE["orders"].append(made)
    request.send(made, 201)


@on(GETS, "/api/patients")
def patients(request):
    text = request.query("q").strip().lower()
    hits = [who for who in PATIENTS if text and (text in who["name"].lower() or text.lstrip("#") == str(who["no"]))]
    request.send({"total": len(hits), "hits": hits})


@on(POSTS, "/api/patients/lookup")
def lookup(request):
    request.send({"message": "No such patient yet"}, 404)


@on(POSTS, "/api/admissions")
def admission(request):
    born = str(request.body().get("patient", {}).get("dateOfBirth", ""))
    try:
        time.strptime(born, "%Y-%m-%d")
    except ValueError:
        return request.send({"type": "validation", "errors": [
            {"path": "patient.dateOfBirth", "message": f"'{born}' is not a calendar date, expected YYYY-MM-DD"}]}, 422)
    request.send({"case": "C-5531"}, 201)


@on(POSTS, "/auth/session")
def session(request):
    request.send({"ok": True}, 200, [("Set-Cookie", "hsid=7fa0c2d1; Path=/auth; HttpOnly; SameSite=Lax")])


def signed_in(request):
    return "hsid=" in (request.headers.get("Cookie") or "")


@on(GETS, "/auth/me")
def me(request):
    request.send({"name": "Sister Maria Conti"} if signed_in(request) else {"name": None}, 200 if signed_in(request) else 401)


@on(GETS, "/auth/login")
def login(request):
    request.send(b"<!doctype html><title>Sign in</title><form><input name=user><input name=pass type=password></form>",
                 kind="text/html; charset=utf-8")


@on(GETS, "/api/referrals")
def referrals(request):
    if not signed_in(request):
        return request.send(b"", 302, [("Location", "/auth/login?next=/api/referrals")], "text/plain")
    request.send(REFERRALS)


@on(POSTS, "/api/transfers/32/accept")
def accept(request):
    request.send({"id": 32, "accepted": True})


@on(GETS, "/api/careplans/P-20931")
def plan(request):
    request.send({"text": STATE["plan"], "by": "M. Conti"}, headers=[("ETag", f'"r{STATE["revision"]}"')])


@on(POSTS, "/api/careplans/P-20931")
def save_plan(request):
    with LOCK:
        if request.headers.get("If-Match") != f'"r{STATE["revision"]}"':
            return request.send({"message": "Precondition failed", "current": f"r{STATE['revision']}"}, 412)
        STATE["revision"] += 1
        STATE["plan"] = request.body().get("text")
    request.send({"saved": True}, headers=[("ETag", f'"r{STATE["revision"]}"')])


@on(GETS, "/viewer/series.html")
def viewer(request):
    request.send((SITE / "imaging/series.html").read_bytes(), headers=[("X-Frame-Options", "DENY")],
                 kind="text/html; charset=utf-8")


# what the plain pages need

@on(GETS, "/api/duty")
def duty(request):
    with LOCK:
        tries = STATE["tries"]["duty"] = STATE["tries"].get("duty", 0) + 1
    if tries <= 2:
        return request.send({"message": "warming up"}, 503, [("Retry-After", "1")])
    request.send([{"desk": "Emergency", "who": "Dr Haas"}, {"desk": "Night desk", "who": "B. Moreau"}])


@on(GETS, "/api/staff")
def staff(request):
    text = request.query("q").lower()
    time.sleep(1.2 if len(text) < 2 else 0.15)
    request.send([who for who in STAFF if text in who["name"].lower()])


@on(POSTS, "/api/visitors")
def visitor(request):
    body = request.body()
    if not str(body.get("badge", "")).isdigit():
        return request.send({"errors": {"badge": "A badge number has digits only."}}, 422)
    request.send({"badge": body["badge"], "until": "20:00"}, 201)


@on(GETS, "/api/notices")
def notices(request):
    if request.headers.get("Authorization") != "Bearer second":
        return request.send({"message": "token expired"}, 401, [("WWW-Authenticate", 'Bearer error="invalid_token"')])
    request.send([{"title": "New parking rules", "picture": "/pictures/parking.webp"},
                  {"title": "Flu vaccination on Friday", "picture": "/pictures/flu.webp"}])


@on(POSTS, "/api/token")
def token(request):
    request.send({"token": "second"})


@on(GETS, "/api/notices/stream")
def notice_stream(request):
    with LOCK:
        STATE["streams"] += 1
        number = STATE["streams"]
    request.close_connection = True
    text = "retry: 1500\n\n" + ('id: 1\ndata: {"title":"Lift B is back in service"}\n\n' if number == 1 else ": nothing new\n\n")
    request.send(text.encode(), kind="text/event-stream")


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def query(self, name):
        return parse_qs(urlsplit(self.path).query).get(name, [""])[0]

    def body(self):
        return self.said

    def read(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self.said = json.loads(data or b"{}")
        except ValueError:
            self.said = {}

    def send(self, value, status=200, headers=(), kind="application/json"):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if not any(name == "Cache-Control" for name, _ in headers):
            self.send_header("Cache-Control", "no-store")
        for name, text in headers:
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


class Staff(Base):
    def do_GET(self):
        self.read()
        path = urlsplit(self.path).path
        if path in GETS:
            return GETS[path](self)
        file = (SITE / path.lstrip("/")).resolve()
        if not file.is_relative_to(SITE) or not file.is_file():
            return self.send({"message": "Not found"}, 404)
        if file.suffix == ".html":
            begin()
        kind = {".js": "text/javascript", ".svg": "image/svg+xml"}.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        self.send(self.server.filled(file.read_bytes()), kind=kind + ("; charset=utf-8" if kind.startswith("text/") else ""))

    def do_POST(self):
        self.read()
        path = urlsplit(self.path).path
        return POSTS[path](self) if path in POSTS else self.send({"message": "Not found"}, 404)

    do_PUT = do_POST


class Finance(Base):
    """The invoices' own origin."""
    def allowed(self):
        return [("Access-Control-Allow-Origin", self.headers.get("Origin") or "*"), ("Vary", "Origin")]

    def do_OPTIONS(self):
        self.read()
        self.send(b"", 204, [*self.allowed(), ("Access-Control-Allow-Methods", "GET, POST"),
                             ("Access-Control-Allow-Headers", "Authorization, Content-Type")], "text/plain")

    def do_GET(self):
        self.read()
        path = urlsplit(self.path).path
        if path == "/tariffs":
            return self.send({"currency": "EUR", "night": 188}, headers=self.allowed())
        if path == "/invoices":
            return self.send([{"no": "R-301", "sum": 752.0}, {"no": "R-302", "sum": 96.4}], headers=self.allowed())
        self.send({"message": "Not found"}, 404)  # without a word to other origins

    def do_POST(self):
        self.read()
        self.send({"message": "Not found"}, 404)


if __name__ == "__main__":
    serve.run(Staff, second=("FINANCE", Finance), nobody=True)

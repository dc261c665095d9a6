#!/usr/bin/env python3
"""Linden Practice: a group practice's appointments, patients, prescriptions, invoices, laboratory, chat and dashboard."""
import base64
import hashlib
import json
import pathlib
import re
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import serve  # noqa: E402

TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
         ".svg": "image/svg+xml"}

VIEWS = {
    "/home": "home", "/dashboard/my-day": "my-day", "/dashboard/occupancy": "occupancy",
    "/appointments/book": "book", "/appointments/calendar": "calendar", "/appointments/reschedule": "reschedule",
    "/patients/search": "search", "/patients/intake": "intake", "/patients/2041": "record",
    "/patients/2041/insurance": "insurance", "/prescriptions/renew": "renew", "/prescriptions/history": "history",
    "/prescriptions/repeats": "repeats", "/billing/invoices": "invoices", "/documents/letters": "letters",
    "/labs/recent": "recent", "/labs/inbox": "inbox", "/referrals/new": "referral", "/staff/roster": "roster",
    "/settings/board": "board", "/waiting": "waiting", "/waiting/wall": "wall", "/chat/reception": "reception",
    "/chat/handover": "handover", "/signin": "signin",
}

POLICY = {
    "/dashboard/occupancy": ("Content-Security-Policy",
                             "default-src 'self'; script-src 'self' http://127.0.0.1:@@PARTNER@@; "
                             "connect-src 'self' http://127.0.0.1:@@PARTNER@@; style-src 'self'; img-src 'self' data: http:"),
    "/home": ("Content-Security-Policy-Report-Only", "default-src 'self'; img-src 'self' data:; script-src 'self'"),
}

PATIENTS = [
    {"id": 2041, "name": "Marta Lindqvist", "born": "1958-02-11", "seen": "2026-11-27"},
    {"id": 2043, "name": "Ruben Adler", "born": "1990-07-30", "seen": "2026-11-26"},
    {"id": 2047, "name": "Ines Kowal", "born": "1976-12-02", "seen": "2026-11-25"},
    {"id": 2052, "name": "Amadou Diallo", "born": "2001-04-19", "seen": "2026-11-24"},
    {"id": 2058, "name": "Tove Brandt", "born": "1969-09-08", "seen": "2026-11-20"},
]
PRESCRIPTIONS = {
    2041: [["Ramipril 5 mg", "2026-11-27"], ["Simvastatin 20 mg", "2026-10-02"]],
    2043: [["Sertraline 50 mg", "2026-11-26"], ["Ibuprofen 400 mg", "2026-08-14"]],
    2047: [["Levothyroxine 75 µg", "2026-11-25"]],
    2052: [["Salbutamol 100 µg", "2026-11-24"]],
    2058: [["Metformin 850 mg", "2026-11-20"], ["Amlodipine 5 mg", "2026-11-20"]],
}
STATE = {}


def medicines():
    stems = ["Ami", "Beclo", "Carba", "Diclo", "Enala", "Fluco", "Glime", "Hydro", "Irbe", "Keto", "Losa", "Metro",
             "Nife", "Ome"]
    ends = ["pril", "sartan", "zepine", "fenac", "metasone", "nazole", "piride", "cortisone", "profen", "nidazole"]
    forms = ["tablets", "capsules", "syrup", "drops", "ointment", "spray", "patches", "suppositories", "solution", "powder"]
    return [{"pzn": 1000000 + 37 * (100 * a + 10 * b + c), "name": stem + end + " " + form,
             "maker": "Halden & Sohn Arzneimittel GmbH", "pack": "N2, 50 pieces, prescription only",
             "note": "Store below 25 degrees, keep the package closed and out of the reach of children."}
            for a, stem in enumerate(stems) for b, end in enumerate(ends) for c, form in enumerate(forms)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    # -- answers

    def send(self, status, data=b"", kind=None, headers=()):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(data)

    def json(self, value, status=200, headers=(), kind="application/json; charset=utf-8"):
        self.send(status, json.dumps(value, ensure_ascii=False).encode(), kind,
                  [("Cache-Control", "no-store"), *headers])

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            return json.loads(data)
        except ValueError:
            return {}

    def view(self, path):
        name = VIEWS[path]
        STATE[name] = {"opened": time.monotonic()}
        head, main = (HERE / "views" / f"{name}.html").read_text(encoding="utf-8").split("---\n", 1)
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        main, _, scripts = main.partition("<!-- scripts -->\n")
        shell = (HERE / "views" / "shell.html").read_text(encoding="utf-8")
        for key, value in (("title", fields["title"]), ("main", main.rstrip()), ("scripts", scripts.rstrip())):
            shell = shell.replace("{{%s}}" % key, value)
        headers = [("Cache-Control", "no-store")]
        if path in POLICY:
            kind, policy = POLICY[path]
            headers.append((kind, self.server.filled(policy.encode()).decode()))
        if name == "home":
            headers.append(("Set-Cookie", "lp_access=expired; Path=/; HttpOnly; SameSite=Lax"))
        self.send(200, self.server.filled(shell.encode()), TYPES[".html"], headers)

    def asset(self, path):
        file = (HERE / path.lstrip("/")).resolve()
        if HERE / "assets" not in file.parents or not file.is_file():
            return self.send(404, b"Not found", "text/plain; charset=utf-8")
        if file.name == "tasks-widget.js":
            time.sleep(0.7)
        return self.send(200, self.server.filled(file.read_bytes()), TYPES[file.suffix], [("Cache-Control", "no-cache")])

    # -- dispatch

    def do_GET(self):
        parts = urlsplit(self.path)
        self.query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if parts.path in VIEWS:
            return self.view(parts.path)
        if parts.path.startswith("/assets/"):
            return self.asset(parts.path)
        if parts.path == "/ws/chat":
            return self.chat()
        return self.route(parts.path)

    def do_POST(self):
        self.query = {}
        self.given = self.body()
        return self.route(urlsplit(self.path).path)

    do_PUT = do_POST

    def route(self, path):
        for method, pattern, answer in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and method == self.command:
                return answer(self, *match.groups())
        return self.json({"error": "not_found"}, 404)

    # -- chat

    def chat(self):
        room = self.query.get("room", "reception")
        key = self.headers.get("Sec-WebSocket-Key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.wfile.flush()
        self.close_connection = True
        state = STATE.setdefault(room, {})
        state["sockets"] = state.get("sockets", 0) + 1
        joined, restart = False, None
        while True:
            self.connection.settimeout(max(0.05, restart - time.monotonic()) if restart else None)
            try:
                frame = self.frame()
            except TimeoutError:
                self.push(struct.pack("!H", 1012) + b"service restart", 8)
                restart = None
                continue
            if frame is None:
                return
            if frame.get("type") == "join":
                joined = True
                self.push(json.dumps({"type": "joined", "room": room, "members": ["Petra", "Dr. Osei", "Yusuf"]}).encode())
                self.push(json.dumps({"type": "message", "from": "Petra", "text": "Room 3 is free again."}).encode())
                if state["sockets"] == 1:
                    restart = time.monotonic() + 1.2
            elif frame.get("type") == "say":
                if joined:
                    self.push(json.dumps({"type": "ack", "ref": frame["ref"]}).encode())
                    self.push(json.dumps({"type": "message", "from": "Yusuf", "text": "Thanks, will do."}).encode())
                else:
                    self.push(json.dumps({"type": "nack", "ref": frame["ref"], "reason": "not a member of this room"}).encode())

    def frame(self):
        """The next text as JSON; None when it ends."""
        while True:
            head = self.connection.recv(2)
            if len(head) < 2:
                return None
            code, size = head[0] & 15, head[1] & 127
            if size == 126:
                size = struct.unpack("!H", self.rest(2))[0]
            mask = self.rest(4)
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rest(size)))
            if code == 8:
                return None
            if code == 1:
                return json.loads(data)

    def rest(self, size):
        data = b""
        while len(data) < size:
            data += self.connection.recv(size - len(data))
        return data

    def push(self, data, code=1):
        self.wfile.write(bytes([128 | code]) + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack("!H", len(data)))
                         + data)
        self.wfile.flush()


# -- what the API answers

def slots(self):
    self.json({"doctor": "Dr. Osei", "slots": [{"id": 8830, "at": "09:10"}, {"id": 8831, "at": "09:30"}, {"id": 8834, "at": "11:00"}]})


def hold(self, _slot):
    self.send(204)


def appointment(self):
    if not self.given.get("holdId"):
        return self.json({"error": "slot_unavailable"}, 409)
    return self.json({"id": 90112}, 201)


def calendar(self):
    time.sleep(0.12)
    self.json({"events": [{"id": 1, "at": "08:40", "who": "Tove Brandt", "what": "Blood pressure check", "room": 2},
                          {"id": 2, "at": "09:00", "who": "Amadou Diallo", "what": "Spirometry", "room": 4},
                          {"id": 3, "at": "09:40", "who": "Ines Kowal", "what": "Thyroid follow-up", "room": 2}]})


def move(self, _id):
    self.json({"message": "Unprocessable", "errors": {"startsAt": ["Dr. Osei is away on 4 December"]}}, 422)


def search(self):
    time.sleep(0.4)
    asked = self.query.get("q", "").lower()
    self.json({"items": [p for p in PATIENTS if asked in p["name"].lower()]})


def prescriptions(self, patient):
    patient = int(patient)
    name = next((p["name"] for p in PATIENTS if p["id"] == patient), "")
    self.json({"patientId": patient, "patient": name,
               "items": [{"medicine": m, "issued": d} for m, d in PRESCRIPTIONS.get(patient, [])]})


def allergies(self, _patient):
    self.json({"status": "error", "code": "REGISTRY_UNAVAILABLE", "message": "The allergy registry could not be reached"})


def repeats(self):
    self.json({"items": [{"id": 31, "patient": "Marta Lindqvist", "medicine": "Ramipril 5 mg", "due": "2026-12-01"},
                         {"id": 32, "patient": "Tove Brandt", "medicine": "Metformin 850 mg", "due": "2026-12-02"}]},
              kind="text/plain; charset=utf-8")


def erx_session(self):
    self.json({"error": "card_expired", "validUntil": "2026-10-31"}, 401)


def draft_prescription(self, _id):
    self.json({"id": 771, "patient": "Marta Lindqvist", "medicine": "Ramipril 5 mg", "dose": "1-0-0", "pack": "N3"})


def sign(self, _id):
    self.json({"error": "forbidden", "message": "prescriber scope required"}, 403)


def invoices(self):
    if self.query.get("cursor"):
        return self.json({"items": [{"no": "R-1187", "patient": "Ines Kowal", "balanceDue": 64.2, "dueOn": "2026-12-04"},
                                    {"no": "R-1188", "patient": "Tove Brandt", "balanceDue": 118.0, "dueOn": "2026-12-05"}],
                          "next": None})
    return self.json({"items": [{"no": "R-1201", "patient": "Marta Lindqvist", "outstanding": 86.5, "dueOn": "2026-12-11"},
                                {"no": "R-1202", "patient": "Ruben Adler", "outstanding": 40.0, "dueOn": "2026-12-12"}],
                      "next": "c2"})


def content(self, document):
    ticket = hashlib.sha1(document.encode()).hexdigest()[:16]
    self.send(302, headers=[("Set-Cookie", f"doc_ticket={ticket}; Path=/api/documents; HttpOnly; SameSite=Lax; Max-Age=60"),
                            ("Location", f"/files/{document}"), ("Cache-Control", "no-store")])


def file(self, document):
    if "doc_ticket=" not in (self.headers.get("Cookie") or ""):
        return self.send(302, headers=[("Location", f"/signin?next=/files/{document}"), ("Cache-Control", "no-store")])
    return self.send(200, b"<main><h1>Discharge letter</h1><p>Cardiology, 12 November 2026.</p></main>", TYPES[".html"])


def config(self):
    self.json({"refreshEvery": 30, "labTimeout": 8, "currency": "EUR"})


def recent(self):
    time.sleep(0.35)
    self.json({"items": [{"patient": "Ruben Adler", "test": "CRP", "value": "48 mg/l", "flag": "high"},
                         {"patient": "Ines Kowal", "test": "TSH", "value": "2.1 mU/l", "flag": ""}]})


def inbox(self):
    state = STATE.setdefault("inbox", {})
    state["asked"] = state.get("asked", 0) + 1
    if state["asked"] < 3:
        return self.json({"error": "warming_up"}, 503, [("Retry-After", "1")])
    return self.json({"items": [{"id": 5, "from": "Labor Nord", "patient": "Tove Brandt", "test": "HbA1c", "value": "6.4 %"}]})


def waiting(self):
    tag = '"w-0"'
    if self.headers.get("If-None-Match") == tag:
        return self.send(304, headers=[("ETag", tag)])
    return self.send(200, b'{"items":[]}', "application/json", [("ETag", tag), ("Cache-Control", "no-cache")])


def wall(self):
    state = STATE.setdefault("wall", {})
    state["asked"] = state.get("asked", 0) + 1
    self.json({"items": [{"ticket": f"A{n:02}", "room": n % 5 + 1, "since": (n * 7 + state["asked"]) % 60, "reason": "Consultation"}
                         for n in range(1, 25)]})


def roster(self):
    self.json({"shifts": [{"id": 12, "day": "Mon 30 Nov", "hours": "07:30-13:00", "open": True},
                          {"id": 13, "day": "Tue 1 Dec", "hours": "12:30-18:00", "open": True}]})


def referral(self):
    errors = {}
    if len(self.given.get("question", "")) < 15:
        errors["question"] = ["Please describe the question in at least 15 characters."]
    if errors:
        return self.json({"errors": errors}, 422)
    return self.json({"id": "U-5530"}, 201)


def me(self):
    if "lp_access=fresh" not in (self.headers.get("Cookie") or ""):
        return self.json({"error": "token_expired"}, 401)
    return self.json({"name": "Petra Voss", "role": "Reception", "today": 23, "open": 4})


def intake_scan(self, _id):
    block = hashlib.sha256(b"card").digest()
    data = b""
    while len(data) < 110000:
        block = hashlib.sha256(block).digest()
        data += block
    self.json({"kind": "insurance-card", "image": "data:image/jpeg;base64," + base64.b64encode(data).decode()})


def board_prefs(self):
    columns = ["name", "born", "phone", "doctor", "next"]
    if self.command == "PUT":
        columns = self.given.get("columns", columns)
    self.json({"columns": columns, "density": "compact"})


def constant(value, status=200, wait=0.0):
    def answer(self, *_):
        time.sleep(wait)
        self.json(value, status)
    return answer


ROUTES = [
    ("GET", "/api/slots", slots), ("POST", r"/api/slots/(\d+)/hold", hold), ("POST", "/api/appointments", appointment),
    ("GET", "/api/calendar", calendar), ("PUT", r"/api/appointments/(\d+)", move),
    ("GET", "/api/patients", constant({"items": PATIENTS})), ("GET", "/api/patients/search", search),
    ("GET", "/api/patients/suggested", constant({"items": PATIENTS[:2]}, wait=0.4)),
    ("GET", "/api/patients/2041", constant({**PATIENTS[0], "phone": "0451 55 20 13", "doctor": "Dr. Osei"})),
    ("GET", r"/api/patients/(\d+)/prescriptions", prescriptions), ("GET", r"/api/patients/(\d+)/allergies", allergies),
    ("GET", r"/api/patients/(\d+)/visits", constant({"items": [{"on": "2026-11-27", "why": "Hypertension"},
                                                              {"on": "2026-08-03", "why": "Insect bite"}]})),
    ("GET", "/api/prescriptions/repeats", repeats), ("POST", "/api/erx/session", erx_session),
    ("GET", r"/api/prescriptions/(\d+)", draft_prescription), ("POST", r"/api/prescriptions/(\d+)/sign", sign),
    ("GET", "/api/interactions", constant({"items": []})),
    ("GET", "/api/invoices", invoices), ("GET", "/api/documents", constant({"items": [
        {"id": 55, "title": "Discharge letter, cardiology"}, {"id": 57, "title": "Report, radiology"}]})),
    ("GET", r"/api/documents/(\d+)/content", content), ("GET", r"/files/(\d+)", file),
    ("GET", "/api/config", config), ("GET", "/api/labs/recent", recent), ("GET", "/api/labs/inbox", inbox),
    ("GET", "/api/waiting", waiting), ("GET", "/api/wall", wall), ("GET", "/api/roster", roster),
    ("POST", r"/api/roster/\d+/assignment", constant({"ok": True}, 201)),
    ("POST", "/api/referrals", referral), ("GET", "/api/me", me),
    ("GET", "/api/occupancy", constant({"hours": [{"h": "08", "used": 62}, {"h": "09", "used": 95}, {"h": "10", "used": 88},
                                                  {"h": "11", "used": 71}, {"h": "12", "used": 20}, {"h": "13", "used": 54}]})),
    ("GET", "/api/tasks", constant({"items": ["Call Mr. Adler back", "Order vaccines", "Sign sick notes"]})),
    ("GET", "/api/agenda", constant({"items": [{"at": "08:40", "who": "Tove Brandt"}, {"at": "09:00", "who": "Amadou Diallo"}]})),
    ("GET", "/api/counts", constant({"tasks": 3, "agenda": 2})),
    ("GET", "/api/catalogue/medicines", constant({"items": medicines()})), ("GET", r"/api/intake/(\d+)/scan", intake_scan),
    ("GET", "/api/preferences/board", board_prefs), ("PUT", "/api/preferences/board", board_prefs),
    ("POST", "/api/session/renew", lambda self: self.json(
        {"ok": True}, headers=[("Set-Cookie", "lp_access=fresh; Path=/; HttpOnly; SameSite=Lax")])),
    ("GET", "/api/news", constant({"items": ["Flu vaccination days: 3 and 10 December"]}, wait=8.0)),
]


class Partner(BaseHTTPRequestHandler):
    """The second origin: audience measurement, and the insurers' gateway."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, data=b"", kind="application/json", headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path = urlsplit(self.path).path
        allowed = [("Access-Control-Allow-Origin", self.headers.get("Origin") or "*"), ("Vary", "Origin")]
        if path == "/tag.js":
            return self.answer(200, self.server.filled((HERE / "partner" / "tag.js").read_bytes()), TYPES[".js"])
        if path == "/gateway/members/LQ-20417":
            return self.answer(200, json.dumps({"insurer": "Nordkasse", "plan": "Family", "member": "LQ-20417"}).encode(),
                               headers=[*allowed, ("X-Cover-Until", "2027-03-31"), ("X-Request-Id", "g-7f31"),
                                        ("Cache-Control", "no-store")])
        return self.answer(404, b"{}", headers=allowed)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(503, b"{}", headers=[("Access-Control-Allow-Origin", "*")])


if __name__ == "__main__":
    serve.run(Handler, second=("PARTNER", Partner), nobody=True)

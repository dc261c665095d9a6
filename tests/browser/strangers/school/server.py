#!/usr/bin/env python3
"""Lernhafen: a learning platform, several customers (one folder each) on one server."""
import base64, hashlib, json, os, pathlib, re, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit, parse_qs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import serve  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "app")
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
LOCK = threading.Lock()
STATE = {}

COURSES = [{"id": 11, "title": "Statistics I", "lecturer": "Ida Brandt", "places": 14, "status": "open"},
           {"id": 12, "title": "Data Ethics", "lecturer": "Omar Said", "places": 3, "status": "open"},
           {"id": 13, "title": "Technical Writing", "lecturer": "Lea Vogt", "places": 0, "status": "full"}]
USERS = [{"id": i + 1, "name": n, "role": r, "email": n.split()[0].lower() + "@lernhafen.example"} for i, (n, r) in enumerate([
    ("Anna Keller", "student"), ("Andreas Wolf", "student"), ("Hanna Roth", "teacher"), ("Annabel Cruz", "student"),
    ("Johannes Ott", "student"), ("Jan Petersen", "teacher"), ("Susann Meyer", "student"), ("Ivan Petrov", "admin")])]
INVOICES = [{"id": "LH-2041", "issued": "2026-09-02", "amount_cents": 14900, "paid": True},
            {"id": "LH-2077", "issued": "2026-10-02", "amount_cents": 14900, "paid": True},
            {"id": "LH-2113", "issued": "2026-11-02", "amount_cents": 9900, "paid": False}]
LESSONS = [{"id": 1, "title": "Mean and median", "minutes": 18}, {"id": 2, "title": "Variance", "minutes": 24},
           {"id": 3, "title": "Sampling", "minutes": 31}, {"id": 4, "title": "Confidence intervals", "minutes": 27}]
QUIZ = {"id": 5, "title": "Week 3: Variance", "questions": [
    {"id": "q1", "text": "Variance is never negative.", "options": ["True", "False"]},
    {"id": "q2", "text": "The unit of variance is that of the data.", "options": ["True", "False"]}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "lernhafen"

    def log_message(self, fmt, *args):
        sys.stderr.write("%s %s\n" % (time.strftime("%H:%M:%S"), fmt % args)); sys.stderr.flush()

    # -- answers
    def send(self, status, body=b"", ctype="application/json", headers=()):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        if status not in (204, 304):
            self.send_header("Content-Type", ctype)
            self.send_header("Content-Length", str(len(body)))
        names = [h[0].lower() for h in headers]
        for k, v in headers:
            self.send_header(k, v)
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if status not in (204, 304) and self.command != "HEAD":
            self.wfile.write(body)

    def cookies(self):
        out = {}
        for part in (self.headers.get("Cookie") or "").split(";"):
            if "=" in part:
                k, v = part.strip().split("=", 1)
                out[k] = v
        return out

    def json(self):
        try:
            return json.loads(self.raw or b"{}")
        except ValueError:
            return {}

    def file(self, path, headers=()):
        full = os.path.normpath(os.path.join(ROOT, path))
        if not full.startswith(ROOT) or not os.path.isfile(full):
            return False
        with open(full, "rb") as f:
            self.send(200, self.server.filled(f.read()), TYPES.get(os.path.splitext(full)[1], "application/octet-stream"), headers)
        return True

    # -- dispatch
    def handle_any(self):
        n = int(self.headers.get("Content-Length") or 0)
        self.raw = self.rfile.read(n) if n else b""
        u = urlsplit(self.path)
        self.query = {k: v[0] for k, v in parse_qs(u.query).items()}
        path = u.path
        if path == "/favicon.ico":
            return self.send(204)
        if path.startswith("/assets/"):
            return self.file(path[1:]) or self.send(404, {"error": "not found"})
        m = re.match(r"^/media/(\w+)(/.*)$", path)
        if m:
            return self.media(m.group(1), m.group(2))
        m = re.match(r"^/(\w+)(/.*)$", path)
        if not m or not os.path.isdir(os.path.join(ROOT, m.group(1))):
            return self.send(404, "not found", "text/plain")
        tenant, rest = m.group(1), m.group(2)
        if rest == "/api/announcements":
            return self.send(200, {"announcements": []})
        if rest == "/api/metrics":
            return self.send(204)
        if rest.startswith("/api/"):
            f = getattr(self, "api_" + tenant, None)
            r = f(self.command, rest[4:]) if f else None
            if r == "done":
                return
            if r is None:
                return self.send(404, {"error": "not_found"})
            return self.send(*r)
        if rest.startswith("/js/"):
            if self.file(tenant + rest):
                return
            if tenant == "island":      # the front end answers what it does not know with its page
                return self.file("island/index.html")
            return self.send(404, "not found", "text/plain")
        if rest.startswith("/img/"):
            return self.send(404, "not found", "text/plain")
        headers = []
        f = getattr(self, "page_" + tenant, None)
        if f:
            headers = f()
        self.file(tenant + "/index.html", headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_any

    # -- the media host
    def media(self, tenant, rest):
        origin = [("Access-Control-Allow-Origin", f"http://localhost:{self.server.server_port}"), ("Vary", "Origin")]
        if self.command == "OPTIONS":
            return self.send(204, headers=origin + [("Access-Control-Allow-Methods", "GET, POST"),
                                                    ("Access-Control-Allow-Headers", "Content-Type, Authorization")])
        self.send(200, {"videos": [{"id": 1, "title": "Welcome", "seconds": 95}, {"id": 2, "title": "Variance by hand", "seconds": 640}]},
                  headers=origin)

    # -- customers
    def api_harbor(self, m, p):
        if p == "/me":
            return 200, {"user": {"id": 7, "name": "Mira Lang", "org_id": 4, "role": "student"}}
        if p == "/orgs/4/courses":
            return 200, {"courses": COURSES}
        if p.startswith("/orgs/"):
            return 404, {"error": "org_not_found"}

    def api_lakeside(self, m, p):
        if p == "/lessons/7":
            return 200, {"lesson": {"id": 7, "title": "Variance", "summary": "How far values lie apart."}}

    def page_summit(self):
        return [("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; style-src 'self'; form-action 'self'")]

    def api_summit(self, m, p):
        if p == "/courses/12":
            return 200, {"course": dict(COURSES[1], price_cents=14900)}

    def api_orchard(self, m, p):
        if p == "/session":
            return 200, {"user": {"name": "Ivan Petrov", "role": "admin"}}, "application/json", [
                ("Set-Cookie", "sid=s4f1; Path=/orchard; HttpOnly; SameSite=Lax"),
                ("Set-Cookie", "csrf_token=9a41c7; Path=/orchard/api; SameSite=Lax")]
        if p == "/users":
            return 200, {"users": USERS[:4]}
        if p.startswith("/users/") and m == "PATCH":
            if self.headers.get("X-CSRF-Token", "") != self.cookies().get("csrf_token"):
                return 403, {"error": "csrf_token_mismatch", "message": "CSRF token missing or incorrect"}
            return 200, {"user": dict(USERS[0], role="teacher")}

    def api_meadow(self, m, p):
        if p == "/session" and m == "POST":
            return 200, {"ok": True, "user": {"name": "Mira Lang"}}, "application/json", [
                ("Set-Cookie", "lh_session=7d1be0; Domain=app.lernhafen.example; Path=/; HttpOnly; SameSite=Lax")]
        if p in ("/me", "/dashboard"):
            if "lh_session" not in self.cookies():
                return 401, {"error": "unauthenticated"}
            return 200, {"user": {"name": "Mira Lang"}, "courses": COURSES}

    def api_canyon(self, m, p):
        if p == "/grades":
            return 200, {"student": "Mira Lang", "grades": [
                {"course": "Statistics I", "score": "87.5", "ects": 6}, {"course": "Data Ethics", "score": "92", "ects": 3},
                {"course": "Technical Writing", "score": "64.5", "ects": 3}]}

    def _search(self, slow):
        role = self.query.get("role", "")
        time.sleep(0.08 if role else slow)
        return 200, {"users": [u for u in USERS if not role or u["role"] == role]}

    def api_prairie(self, m, p):
        if p == "/users":
            return self._search(1.6)

    def api_glacier(self, m, p):
        done = STATE.setdefault("glacier", set())
        if p == "/courses/11/lessons":
            with LOCK:
                return 200, {"lessons": [dict(l, completed=l["id"] in done) for l in LESSONS]}, "application/json", [
                    ("Cache-Control", "private, max-age=3600")]
        if p.startswith("/lessons/") and m == "PUT":
            with LOCK:
                done.add(int(p.split("/")[2]))
            return 200, {"ok": True}

    def page_glacier(self):
        with LOCK:
            STATE["glacier"] = set()
        return []

    def api_island(self, m, p):
        if p == "/quizzes/5":
            return 200, {"quiz": QUIZ}

    def api_delta(self, m, p):
        if p == "/enrolments" and m == "POST":
            return 201, {"enrolment": {"id": 301}}

    def api_forest(self, m, p):
        if p == "/invoices":
            now = time.time()
            with LOCK:
                hits = STATE["forest"] = [t for t in STATE.get("forest", []) if t > now - 8] + [now]
            time.sleep(0.06)
            if len(hits) > 20:
                return 429, {"error": "rate_limited", "message": "Too many requests"}, "application/json", [("Retry-After", "8")]
            return 200, {"invoices": INVOICES}

    def api_coral(self, m, p):
        if p == "/threads/3":
            return 200, {"thread": {"id": 3, "title": "Questions on week 3"}}
        if p == "/threads/3/live":
            ws = self.websocket()
            try:
                for i, t in enumerate(["Is variance always positive?", "Yes, or zero.", "Thank you!", "When is the quiz?", "On Friday."]):
                    ws({"event": "message.created", "data": {"id": i + 1, "author": USERS[i]["name"], "text": t}})
                    time.sleep(0.4)
                time.sleep(20)
            except OSError:
                pass
            return "done"

    def api_tundra(self, m, p):
        if p == "/imports" and m == "POST":
            return 202, {"import": {"id": "im-81", "rows": 240}}
        if p == "/imports/im-81/events":
            return 200, {"progress": 100, "state": "finished", "rows": 240}

    def api_valley(self, m, p):
        if p == "/quizzes/5":
            return 200, {"quiz": QUIZ}

    def page_mesa(self):
        return [("Set-Cookie", "sid=b81e; Path=/mesa; HttpOnly; SameSite=Lax")]

    def api_mesa(self, m, p):
        if p == "/session/end":
            return 204, b"", "", [("Set-Cookie", "sid=; Path=/mesa; Max-Age=0; HttpOnly")]
        if "sid" not in self.cookies():
            return 401, {"error": "session_ended"}
        if p == "/session":
            return 200, {"user": {"name": "Lea Vogt"}, "expires_in": 1800}
        if p == "/courses/13/grades":
            return 200, {"grades": [{"student": u["name"], "points": 40 + 7 * i} for i, u in enumerate(USERS[:4])]}

    def api_fjord(self, m, p):
        if p == "/assignments/9":
            return 200, {"assignment": {"id": 9, "title": "Essay: what is a fair sample?", "due": "2026-12-04"}}
        if p == "/assignments/9/submissions":
            t = self.headers.get("Content-Type", "")
            if t.startswith("multipart/form-data") and "boundary=" not in t:
                return 400, {"error": "bad_multipart", "message": "Multipart: Boundary not found"}
            return 201, {"submission": {"id": 77}}

    def api_lagoon(self, m, p):
        if p == "/billing/invoices":
            return 200, {"data": {"items": INVOICES}, "meta": {"total": 3, "page": 1}}

    def api_steppe(self, m, p):
        if p == "/courses":
            time.sleep(0.15)
            return 200, {"courses": COURSES}
        if p == "/enrolments" and m == "POST":
            return 201, {"enrolment": {"id": 302}}

    # -- more customers
    def api_birch(self, m, p):
        if p == "/me":
            return 200, {"user": {"id": 7, "name": "Mira Lang", "org_id": 4, "avatar": "/birch/img/avatar-7.png"}}
        if p == "/me/preferences":
            return 404, {"error": "no_preferences"}
        if p == "/token/refresh" and m == "POST":
            return 200, {"token": "t-2"}
        if p == "/orgs/4/courses":
            if self.headers.get("Authorization") != "Bearer t-2":
                return 401, {"error": "token_expired"}
            return 200, {"courses": COURSES}

    def api_cedar(self, m, p):
        if p == "/session" and m == "POST":
            if self.json().get("password") != "hafen-2026":
                return 401, {"error": "bad_credentials", "message": "Wrong e-mail or password."}
            return 200, {"user": {"name": "Mira Lang"}}, "application/json", [("Set-Cookie", "lh_session=aa12; Path=/cedar; HttpOnly; SameSite=Lax")]
        if p == "/dashboard":
            return (200, {"courses": COURSES}) if "lh_session" in self.cookies() else (401, {"error": "unauthenticated"})

    def api_maple(self, m, p):
        if p == "/users":
            return self._search(1.2)

    def api_willow(self, m, p):
        if p == "/threads/3":
            return 200, {"thread": {"id": 3, "title": "Questions on week 3"}}
        if p == "/threads/3/live":
            ws = self.websocket()
            try:
                if "after" not in self.query:
                    ws({"type": "message.created", "message": {"id": 1, "author": "Anna Keller", "text": "Is variance always positive?"}})
                    time.sleep(0.5)
                    self.wfile.write(b"\x88\x02" + struct.pack(">H", 1012)); self.wfile.flush()
                    time.sleep(0.2)
                    return "done"
                for i, t in enumerate(["Yes, or zero.", "Thank you!", "When is the quiz?", "On Friday.", "Which room?"]):
                    ws({"type": "message.created", "message": {"id": i + 2, "author": USERS[i]["name"], "text": t}})
                    time.sleep(0.5)
                time.sleep(20)
            except OSError:
                pass
            return "done"

    def api_aspen(self, m, p):
        if p == "/enrolments" and m == "POST":
            if self.json().get("email") == "anna@lernhafen.example":
                return 422, {"errors": {"email": "This address is enrolled already."}}
            return 201, {"enrolment": {"id": 303}}

    def page_linden(self):
        with LOCK:
            STATE["linden"] = 0
        return [("Content-Security-Policy-Report-Only", "img-src 'self'")]

    def api_linden(self, m, p):
        if p == "/users":
            with LOCK:
                STATE["linden"] = n = STATE.get("linden", 0) + 1
            if n == 1:
                return 503, {"error": "warming_up"}, "application/json", [("Retry-After", "1")]
            role = self.query.get("role", "")
            return 200, {"users": [u for u in USERS if not role or u["role"] == role]}
        if p == "/users/changes":
            return 204,

    # -- WebSocket
    def websocket(self):
        key = self.headers.get("Sec-WebSocket-Key", "")
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.send_response(101)
        for k, v in (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)):
            self.send_header(k, v)
        self.end_headers()
        self.close_connection = True

        def write(obj):
            data = json.dumps(obj).encode()
            head = b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data)))
            self.wfile.write(head + data); self.wfile.flush()
        return write


if __name__ == "__main__":
    serve.run(Handler, "localhost", nobody=True)

#!/usr/bin/env python3
"""Planwerk, a project-management tool: one server, a workspace a page."""
import json, sys, time, threading, pathlib, secrets
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit, parse_qs
from http.cookies import SimpleCookie

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import serve  # noqa: E402

ROOT = pathlib.Path(__file__).parent / "web"

TABS = '<div id="tabs" class="tabs" role="tablist"></div><div id="tasks"></div>'
SIGN = ('<form id="sign-in"><label class="field">Email <input name="email" id="email" type="email"></label>'
        '<label class="field">Password <input name="password" id="password" type="password"></label>'
        '<button id="enter">Sign in</button></form>')
EVENT = ('<form id="new-event"><label class="field">Title <input name="title" id="title"> <span class="hint" data-for="title"></span></label>'
         '<label class="field">Day <input name="start" id="start" value="2026-12-09"> <span class="hint" data-for="start"></span></label>'
         '<button id="save">Save event</button></form>')
VIEWS = {
    "atlas": ("board", "Board", '<div id="board">Loading board…</div>'),
    "borealis": ("tasks", "Tasks", TABS),
    "cobalt": ("files", "Files", SIGN + '<div id="files"></div>'),
    "delta": ("comments", "Comments", '<div id="comments"></div><form id="new-comment"><textarea name="text" id="text" aria-label="Comment"></textarea><button id="post">Post comment</button></form>'),
    "ember": ("calendar", "Calendar", '<div id="events"></div>' + EVENT),
    "fjord": ("board", "Board", '<form id="quick-add"><input name="title" id="title" aria-label="New task"><button id="add">Add</button></form><div id="board"></div>'),
    "garnet": ("timeline", "Timeline", '<div id="timeline">Loading…</div>'),
    "harbor": ("tasks", "Tasks", '<form id="new-task"><input name="title" id="title" aria-label="New task"><button id="add">Add task</button></form><p id="count"></p><div id="tasks"></div>'),
    "juniper": ("tasks", "Tasks", '<div id="tasks"></div>'),
    "kestrel": ("board", "Board", '<div id="board">Loading board…</div>'),
    "lagoon": ("calendar", "Calendar", '<div id="events"></div>' + EVENT),
    "mosaic": ("tasks", "Tasks", '<div id="tasks"></div>'),
    "nimbus": ("board", "Board", '<div id="board">Loading board…</div>'),
    "opal": ("tasks", "Tasks", TABS),
    "pine": ("files", "Files", '<div id="files"></div>'),
    "quartz": ("login", "Sign in", SIGN + '<div id="message"></div><div id="projects"></div>'),
    "raven": ("calendar", "Calendar", '<div id="events"></div>'),
}
PAGE = """<!doctype html>
<html lang="en" data-api="/api/{ws}">
<head>
<meta charset="utf-8">
<title>{title} · Planwerk</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/{ws}/app.css">
<script src="/static/{ws}/lib/view.js" defer></script>
<script type="module" src="/static/{ws}/shell.js"></script>
<script type="module" src="/static/{ws}/{view}/{entry}-page.js"></script>
</head>
<body>
<header><strong>Planwerk</strong><nav><a href="/{ws}/{view}">{title}</a></nav><span id="who"></span></header>
<main><h1>{title}</h1>{main}</main>
<div id="toasts" aria-live="polite"></div>
</body>
</html>
"""
COLUMNS = [{"id": "todo", "name": "To do"}, {"id": "doing", "name": "In progress"}, {"id": "done", "name": "Done"}]
TASKS = [
    {"id": 41, "title": "Write release notes", "column": "todo", "assignee": "Mira", "assigneeId": "u2", "due": "2026-12-04T10:00:00Z", "start": "2026-11-30"},
    {"id": 42, "title": "Review the budget", "column": "doing", "assignee": "Jonas", "assigneeId": "u3", "due": "2026-12-01T09:00:00Z", "start": "2026-12-01"},
    {"id": 43, "title": "Move the staging server", "column": "doing", "assignee": "Mira", "assigneeId": "u2", "due": "2026-11-20T16:00:00Z", "start": "2026-11-18"},
    {"id": 44, "title": "Interview two candidates", "column": "done", "assignee": "Ada", "assigneeId": "u1", "due": "2026-12-11T13:00:00Z", "start": "2026-12-10"},
]
FILES = [
    {"name": "plan.pdf", "size": "1.2 MB", "by": "Mira", "owner": {"id": "u2", "name": "Mira", "initials": "M"}},
    {"name": "budget.xlsx", "size": "88 kB", "by": "Jonas", "owner": {"id": "u3", "name": "Jonas", "initials": "J"}},
]
EVENTS = [{"id": 1, "title": "Sprint review", "start": "2026-12-03"}, {"id": 2, "title": "Release day", "start": "2026-12-15"}]
LOCK = threading.Lock()
STATE = {}


def fresh():
    return {"tasks": [dict(t) for t in TASKS], "events": [dict(e) for e in EVENTS], "tries": 0,
            "csrf": secrets.token_hex(8), "token": secrets.token_hex(12),
            "comments": [{"id": 1, "author": "Jonas", "text": "Shall we ship on Friday?"}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Planwerk"

    def log_message(self, form, *args):
        sys.stderr.write("%s %s\n" % (time.strftime("%H:%M:%S"), form % args)); sys.stderr.flush()

    def send(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode() if kind == "application/json" else body.encode()
        self.send_response(status)
        names = {n.lower() for n, _ in headers}
        if status != 204:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for n, v in headers:
            self.send_header(n, v)
        self.end_headers()
        try:
            self.wfile.write(body)
        except BrokenPipeError:
            pass

    def do_GET(self): self.route("GET")
    def do_POST(self): self.route("POST")

    def route(self, method):
        url = urlsplit(self.path)
        self.q = {k: v[0] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        n = int(self.headers.get("Content-Length") or 0)
        self.raw = self.rfile.read(n) if n else b""
        self.cookies = {k: m.value for k, m in SimpleCookie(self.headers.get("Cookie", "")).items()}
        parts = url.path.strip("/").split("/")
        try:
            if parts[0] == "static": return self.static(parts[1], "/".join(parts[2:]))
            if parts[0] == "api": return self.api(method, parts[1], "/" + "/".join(parts[2:]))
            if len(parts) == 2 and parts[0] in VIEWS and VIEWS[parts[0]][0] == parts[1]: return self.page(parts[0])
        except (BrokenPipeError, ConnectionResetError):
            return
        self.send(404, "Not found", "text/plain")

    def page(self, ws):
        view, title, main = VIEWS[ws]
        with LOCK:
            STATE[ws] = fresh()
        html = PAGE if 'id="sign-in"' not in main else PAGE.replace('<script type="module" src="/static/{ws}/shell.js"></script>\n', "")
        self.send(200, html.format(ws=ws, view=view, entry=view, title=title, main=main), "text/html; charset=utf-8")

    def static(self, ws, path):
        for base in (ROOT / ws, ROOT / "common"):
            file = base / path
            if file.is_file() and ".." not in path:
                kind = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}[path.rsplit(".", 1)[1]]
                return self.send(200, file.read_bytes(), kind)
        self.send(404, "Not found", "text/plain")

    def json(self):
        if "json" not in (self.headers.get("Content-Type") or ""):
            return None
        try:
            return json.loads(self.raw)
        except ValueError:
            return None

    def api(self, method, ws, path):
        st = STATE.setdefault(ws, fresh())
        at = (method, path)
        # what every workspace has
        if at == ("GET", "/me"): return self.send(200, {"id": "u1", "name": "Ada Brandt"})
        if at == ("POST", "/metrics"): return self.send(204)
        special = getattr(self, "ws_" + ws, None)
        if special and special(method, path, st) is not False: return
        if at == ("GET", "/boards/3"): return self.send(200, {"id": 3, "name": "Release 5", "columns": COLUMNS})
        if at == ("GET", "/tasks"): return self.send(200, {"items": st["tasks"], "total": len(st["tasks"])})
        if at == ("GET", "/events"): return self.send(200, {"events": st["events"]})
        if at == ("GET", "/projects/7/files"): return self.send(200, {"files": FILES})
        self.send(404, {"error": "not found"})

    # --- what the workspaces have of their own
    def ws_atlas(self, method, path, st):
        if path == "/workspace":
            return self.send(200, {"id": "atlas", "name": "Atlas", "default_board_id": 3, "members": 4})
        if path == "/tasks":
            return self.send(200, {"items": st["tasks"] if self.q.get("board") == "3" else []})
        if path.startswith("/boards/") and path != "/boards/3":
            return self.send(404, {"error": "board not found"})
        return False

    def filtered(self, st):
        kind = self.q.get("filter", "all")
        return [t for t in st["tasks"] if kind == "all" or (kind == "mine" and t["assigneeId"] == "u1")
                or (kind == "overdue" and t["due"] < "2026-11-29")]

    def ws_borealis(self, method, path, st):
        if path == "/preferences": return self.send(200, {"filter": "mine", "density": "compact"})
        if path == "/tasks":
            time.sleep(0.1 if self.q.get("filter") in ("mine", "overdue") else 2.0)  # all of them takes its time
            return self.send(200, {"items": self.filtered(st)})
        return False

    def ws_opal(self, method, path, st):
        return self.ws_borealis(method, path, st)

    def ws_cobalt(self, method, path, st):
        if (method, path) == ("POST", "/session"):
            body = self.json() or {}
            if not body.get("email") or body.get("password") != "garden-42":
                return self.send(401, {"error": "wrong email or password"})
            return self.send(200, {"user": {"id": "u1", "name": "Ada Brandt"}},
                             headers=[("Set-Cookie", f"pw_session={st['token']}; Path=/api/cobalt/session; HttpOnly; SameSite=Lax")])
        if path == "/session/refresh":
            if self.cookies.get("pw_session") != st["token"]:
                return self.send(401, {"error": "no session"})
            return self.send(200, {"expiresIn": 900})
        if path == "/projects/7/files" and self.cookies.get("pw_session") != st["token"]:
            return self.send(401, {"error": "authentication required"})
        return False

    def ws_delta(self, method, path, st):
        if (method, path) == ("GET", "/session"):
            return self.send(200, {"user": {"id": "u1", "name": "Ada Brandt"}, "csrf": st["csrf"], "expiresIn": 900})
        if path == "/session/keepalive":
            st["csrf"] = secrets.token_hex(8)
            return self.send(200, {"csrf": st["csrf"], "expiresIn": 900})
        if path == "/tasks/41/comments":
            if method == "GET": return self.send(200, {"items": st["comments"]})
            if self.headers.get("X-CSRF-Token") != st["csrf"]:
                return self.send(403, {"error": "invalid CSRF token"})
            c = {"id": len(st["comments"]) + 1, "author": "Ada", "text": (self.json() or {}).get("text", "")}
            st["comments"].append(c)
            return self.send(201, c)
        return False

    def ws_ember(self, method, path, st):
        if (method, path) == ("POST", "/events"):
            body = self.json()
            if body is None:  # not JSON: read as a form
                body = {k: v[0] for k, v in parse_qs(self.raw.decode()).items()}
            errors = {f: "can't be blank" for f in ("title", "start") if not body.get(f)}
            if errors: return self.send(422, {"errors": errors})
            e = {"id": len(st["events"]) + 1, "title": body["title"], "start": body["start"]}
            st["events"].append(e)
            return self.send(201, e)
        return False

    def ws_fjord(self, method, path, st):
        if (method, path) == ("POST", "/tasks"):
            body = self.json() or {}
            with LOCK:
                if any(t["title"] == body.get("title") for t in st["tasks"]):
                    return self.send(409, {"error": "A task with this title exists already"})
                t = {"id": 45 + len(st["tasks"]), "title": body["title"], "column": body["column"]}
                st["tasks"].append(t)
            return self.send(201, t)
        return False

    def ws_garnet(self, method, path, st):
        if path == "/members":
            time.sleep(0.7)
            return self.send(200, {"members": [{"id": "u1", "name": "Ada"}, {"id": "u2", "name": "Mira"}, {"id": "u3", "name": "Jonas"}]})
        return False

    def ws_harbor(self, method, path, st):
        if (method, path) == ("POST", "/tasks"):
            t = {"id": 45 + len(st["tasks"]), "title": (self.json() or {}).get("title"), "column": "todo"}
            st["tasks"].append(t)
            return self.send(201, t)
        if path == "/tasks":
            return self.send(200, {"items": st["tasks"], "total": len(st["tasks"])}, headers=[("Cache-Control", "private, max-age=600")])
        return False

    def ws_juniper(self, method, path, st):
        if path == "/tasks":
            time.sleep(0.25)
            first = self.q.get("after") != "t42"
            return self.send(200, {"items": st["tasks"][:2] if first else st["tasks"][2:], "next_cursor": "t42" if first else None})
        return False

    def ws_lagoon(self, method, path, st):
        if path == "/events/clashes":
            time.sleep(0.3)
            return self.send(200, {"events": []})
        if (method, path) == ("POST", "/events"):
            e = {**(self.json() or {}), "id": 9}
            st["events"].append(e)
            return self.send(201, e)
        return False

    def ws_nimbus(self, method, path, st):
        if path == "/token": return self.send(200, {"token": st["token"], "expiresIn": 600})
        if self.headers.get("Authorization") != "Bearer " + st["token"]:
            return self.send(401, {"error": "token expired"}, headers=[("WWW-Authenticate", 'Bearer error="invalid_token"')])
        return False

    def ws_pine(self, method, path, st):
        if path == "/metrics/batch": return self.send(503, {"error": "collector is down"})
        if path.startswith("/avatars/"): return self.send(404, "no picture", "text/plain")
        return False

    def ws_quartz(self, method, path, st):
        if path == "/session":
            if (self.json() or {}).get("password") != "garden-42":
                return self.send(401, {"error": "wrong email or password"})
            return self.send(200, {"user": {"id": "u1", "name": "Ada"}},
                             headers=[("Set-Cookie", f"qz_session={st['token']}; Path=/; HttpOnly; SameSite=Lax")])
        if path == "/projects":
            if self.cookies.get("qz_session") != st["token"]: return self.send(401, {"error": "sign in first"})
            return self.send(200, {"projects": [{"id": 7, "name": "Release 5"}, {"id": 8, "name": "Website"}]})
        return False

    def ws_raven(self, method, path, st):
        if path == "/events":
            st["tries"] += 1
            if st["tries"] == 1: return self.send(503, {"error": "calendar service is starting"}, headers=[("Retry-After", "1")])
            return self.send(200, {"events": []})
        if path == "/events/stream":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for _ in range(40):
                    self.wfile.write(b": still here\n\n"); self.wfile.flush(); time.sleep(1)
            except OSError:
                pass
            self.close_connection = True
            return
        return False


if __name__ == "__main__":
    serve.run(Handler)

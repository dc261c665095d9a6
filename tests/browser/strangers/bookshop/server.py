#!/usr/bin/env python3
"""Quire & Hall, booksellers: storefront, account, help desk and back office."""
import base64, hashlib, json, os, pathlib, re, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit, parse_qs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import serve  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml"}
LOCK = threading.Lock()
STATE = {}
ROUTES = {}


def route(method, pattern):
    def deco(fn):
        ROUTES.setdefault(method, []).append((re.compile("^" + pattern + "$"), fn))
        return fn
    return deco


def st(name, default=None):
    with LOCK:
        return STATE.setdefault(name, default if default is not None else {})


BOOKS = [
    dict(id=101, isbn="9781800310012", title="The Salt Road", author="Imre Castell", price=1899, category="crime"),
    dict(id=102, isbn="9781800310029", title="Ink and Ember", author="Rosa Thule", price=1250, category="poetry"),
    dict(id=103, isbn="9781800310036", title="A Ladder of Rain", author="Noor Haddad", price=1399, category="poetry"),
    dict(id=104, isbn="9781800310043", title="The Harbour Clerk", author="Anselm Vry", price=999, category="crime"),
    dict(id=105, isbn="9781800310050", title="Gardens under Glass", author="Mila Orne", price=2450, category="nature"),
    dict(id=106, isbn="9781800310067", title="Nine Kinds of Snow", author="Eskil Brandt", price=1725, category="nature"),
]
ORDERS = [dict(number="QH-%d" % (40120 - i), customer=n, total=1200 + 317 * i, status=s) for i, (n, s) in enumerate(
    [("Ada Brook", "packed"), ("Jon Ferrer", "sent"), ("Lea Novak", "paid"), ("Tim Okafor", "sent"), ("Ines Roy", "paid"),
     ("Pia Stern", "packed"), ("Max Ulm", "returned"), ("Eva Quist", "paid"), ("Otto Reich", "sent"), ("Uma Nair", "sent"),
     ("Kai Lund", "paid"), ("Zoe Marsh", "packed")])]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "quire"
    sys_version = ""

    def log_message(self, fmt, *args):
        sys.stderr.write("%s %s\n" % (time.strftime("%H:%M:%S"), fmt % args))

    # --- answering
    def send(self, code, body=b"", ctype="application/json", headers=()):
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        elif isinstance(body, str):
            body = body.encode()
        self.send_response(code)
        names = {k.lower() for k, _ in headers}
        if body or code not in (204, 304):
            self.send_header("Content-Type", ctype)
        if code not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        if "cache-control" not in names:
            self.send_header("Cache-Control", "no-store")
        for k, v in headers:
            self.send_header(k, v)
        self.end_headers()
        if code not in (204, 304) and self.command != "HEAD":
            self.wfile.write(body)

    def cookies(self):
        out = {}
        for part in (self.headers.get("Cookie") or "").split(";"):
            k, _, v = part.strip().partition("=")
            if k:
                out[k] = v
        return out

    def handle_any(self):
        u = urlsplit(self.path)
        self.url, self.query = u, {k: v[0] for k, v in parse_qs(u.query, keep_blank_values=True).items()}
        n = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(n) if n else b""
        try:
            self.body = json.loads(raw) if raw else {}
        except ValueError:
            self.body = {}
        for rx, fn in ROUTES.get(self.command, []):
            m = rx.match(u.path)
            if m:
                return fn(self, *m.groups())
        if self.command in ("GET", "HEAD"):
            return self.static(u.path)
        self.send(404, dict(error="not_found"))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_any

    def static(self, path):
        f = os.path.normpath(os.path.join(ROOT, path.lstrip("/")))
        if f.startswith(ROOT) and os.path.isfile(f):
            with open(f, "rb") as fh:
                return self.send(200, self.server.filled(fh.read()), TYPES.get(os.path.splitext(f)[1], "application/octet-stream"))
        if path.startswith("/help/") and not path.startswith("/help/api"):
            return self.page("help-shell.html")           # the help centre is a single-page application
        self.send(404, "<!doctype html><title>Not found</title><h1>Not found</h1>", "text/html; charset=utf-8")

    def page(self, name, headers=(), subst=None):
        with open(os.path.join(ROOT, "pages", name), encoding="utf-8") as fh:
            text = fh.read()
        for k, v in (subst or {}).items():
            text = text.replace(k, v)
        self.send(200, text, "text/html; charset=utf-8", headers)

    # --- event streams and sockets
    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def emit(self, data, event=None, ident=None):
        text = ""
        if ident is not None:
            text += "id: %s\n" % ident
        if event:
            text += "event: %s\n" % event
        self.wfile.write((text + "data: " + json.dumps(data) + "\n\n").encode())
        self.wfile.flush()

    def upgrade(self):
        key = self.headers.get("Sec-WebSocket-Key", "")
        acc = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", acc)
        self.end_headers()
        self.close_connection = True

    def ws_send(self, obj, op=1):
        data = obj if isinstance(obj, bytes) else json.dumps(obj).encode()
        head = bytes([0x80 | op]) + (bytes([len(data)]) if len(data) < 126 else bytes([126]) + struct.pack(">H", len(data)))
        self.wfile.write(head + data)
        self.wfile.flush()

    def ws_close(self, code, reason=""):
        self.ws_send(struct.pack(">H", code) + reason.encode(), op=8)
        self.connection.settimeout(1)
        try:
            self.connection.recv(512)
        except OSError:
            pass

    def ws_recv(self, timeout):
        self.connection.settimeout(timeout)
        try:
            h = self.rfile.read(2)
            if len(h) < 2:
                return None
            n = h[1] & 127
            if n == 126:
                n = struct.unpack(">H", self.rfile.read(2))[0]
            mask = self.rfile.read(4)
            data = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(n)))
            return None if h[0] & 15 == 8 else data
        except OSError:
            return b""


# ---------------------------------------------------------------- pages
PAGES = {
    "/shop/catalogue": "catalogue.html", "/shop/categories": "categories.html",
    "/shop/cart": "cart.html", "/shop/checkout": "checkout.html", "/shop/new-arrivals": "new-arrivals.html",
    "/shop/search": "search.html", "/shop/wishlist": "wishlist.html", "/account/sign-in": "sign-in.html",
    "/account/settings": "settings.html", "/account/returns": "returns.html", "/account/returns/new": "returns-new.html",
    "/office/stock": "stock.html", "/office/orders": "orders.html", "/office/parcels": "parcels.html",
    "/office/translations": "translations.html", "/office/stock/live": "stock-live.html", "/office/stock/shelves": "shelves.html",
    "/track/courier": "courier.html", "/help/chat": "chat.html", "/help/desk": "desk.html", "/help/chat/live": "chat-live.html",
}


@route("GET", "(/[a-z/-]+)")
def pages(h, path):
    if path in PAGES:
        reset = {"/shop/cart": ["cart"], "/account/settings": ["settings"], "/office/stock/live": ["live"], "/help/chat/live": ["chatlive"],
                 "/office/stock/shelves": ["shelves"], "/account/returns/new": ["returns"]}
        with LOCK:
            for k in reset.get(path, []):
                STATE.pop(k, None)
        return h.page(PAGES[path])
    for rx, fn in ROUTES["GET"][1:]:
        m = rx.match(path)
        if m:
            return fn(h, *m.groups())
    h.static(path)


@route("GET", "/shop/book/the-salt-road")
def book_page(h):
    nonce = base64.b64encode(os.urandom(9)).decode()
    h.page("book.html", [("Content-Security-Policy",
           "default-src 'self'; script-src 'self' 'nonce-%s'; style-src 'self'; img-src 'self' data:; connect-src 'self'" % nonce)],
           {"{{nonce}}": nonce})


@route("GET", "/office/home")
def office_home(h):
    h.page("office-home.html", [("Set-Cookie", "qh_office=%s; Path=/; HttpOnly; SameSite=Lax" % os.urandom(6).hex())])


@route("GET", "/account/profile")
def profile_page(h):
    with LOCK:
        STATE.pop("profile", None)
    h.page("profile.html", [("Content-Security-Policy-Report-Only", "default-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'")])


# ---------------------------------------------------------------- storefront
@route("GET", "/api/books")
def books(h):
    cat = h.query.get("category")
    rows = [b for b in BOOKS if not cat or b["category"] == cat]
    time.sleep({"poetry": 6.0, "crime": 0.15}.get(cat, 0.1))
    h.send(200, dict(category=cat, books=rows))


@route("GET", "/api/books/(\\d+)/reviews")
def reviews(h, isbn):
    h.send(200, [dict(by="M. Lark", stars=4, text="Kept me up until three."), dict(by="T. Oyelaran", stars=5, text="Quiet and exact.")])


@route("GET", "/api/cart")
def cart(h):
    c = st("cart", {"items": []})
    h.send(200, dict(count=sum(i["qty"] for i in c["items"]), items=c["items"]),
           headers=[("Cache-Control", "private, max-age=300")])


@route("POST", "/api/cart/items")
def cart_add(h):
    c = st("cart", {"items": []})
    b = next((b for b in BOOKS if b["id"] == h.body.get("bookId")), None)
    if not b:
        return h.send(422, dict(error="unknown_book"))
    c["items"].append(dict(id=b["id"], title=b["title"], price=b["price"], qty=1))
    h.send(201, dict(added=b["id"]))


@route("GET", "/api/shipping/options")
def shipping(h):
    h.send(200, [dict(code="std", label="Standard, 3 days", price=395), dict(code="exp", label="Express, tomorrow", price=895)])


@route("POST", "/api/checkout/orders")
def checkout(h):
    h.send(201, dict(number="QH-40121"))


@route("GET", "/api/arrivals")
def arrivals(h):
    h.send(200, dict(week=48, books=BOOKS[:4]))


@route("GET", "/api/search")
def search(h):
    q = h.query.get("q", "").lower()
    time.sleep(8.0 if q == "sal" else 0.4)
    h.send(200, dict(q=q, hits=[b for b in BOOKS if q in b["title"].lower()]))


@route("GET", "/api/session/current")
def guest(h):
    h.send(401, dict(error="not_signed_in"), headers=[("WWW-Authenticate", "Session")])


@route("GET", "/api/wishlist/suggestions")
def suggestions(h):
    h.send(200, dict(books=[dict(id=b["id"], title=b["title"], cover="/covers/%d.svg" % b["id"]) for b in BOOKS[:3]]))


# ---------------------------------------------------------------- account
@route("POST", "/api/auth/login")
def login(h):
    if not h.body.get("email") or not h.body.get("password"):
        return h.send(401, dict(error="bad_credentials"))
    h.send(200, dict(user=dict(name="Mara Lind")), headers=[
        ("Set-Cookie", "qh_sid=%s; Domain=shop.quirehall.example; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400" % os.urandom(8).hex())])


@route("GET", "/api/auth/me")
def me(h):
    if "qh_sid" not in h.cookies():
        return h.send(401, dict(error="no_session"))
    h.send(200, dict(name="Mara Lind"))


@route("GET", "/api/account/settings")
def settings(h):
    s = st("settings", {"csrf": "f3a1c09e77", "values": dict(displayName="Mara Lind", language="en-GB", newsletter=True)})
    h.send(200, dict(settings=s["values"], csrfToken=s["csrf"]))


@route("POST", "/api/account/session/renew")
def renew(h):
    s = st("settings", {"csrf": "f3a1c09e77", "values": {}})
    s["csrf"] = os.urandom(5).hex()
    h.send(200, dict(validUntil=int(time.time()) + 1800, csrfToken=s["csrf"]))


@route("PUT", "/api/account/settings")
def settings_put(h):
    s = st("settings", {"csrf": "", "values": {}})
    if h.headers.get("X-CSRF-Token") != s["csrf"]:
        return h.send(403, dict(error="csrf_token_mismatch"))
    s["values"] = h.body
    h.send(200, dict(saved=True))


@route("POST", "/api/returns")
def returns(h):
    errs = {k: "is required" for k in ("orderNumber", "reason") if not h.body.get(k)}
    if errs:
        return h.send(422, dict(error="validation_failed", errors=errs))
    h.send(201, dict(returnNumber="RT-7731"))


@route("POST", "/api/returns/requests")
def returns_new(h):
    if not re.match("QH-\\d{5}$", h.body.get("orderNumber", "")):
        return h.send(422, dict(error="validation_failed", errors=dict(orderNumber="An order number looks like QH-40120.")))
    h.send(201, dict(returnNumber="RT-7732"))


@route("GET", "/api/profile")
def profile(h):
    p = st("profile", {"version": 3, "name": "Mara Lind", "city": "Leith", "puts": 0})
    h.send(200, dict(version=p["version"], name=p["name"], city=p["city"], addresses=[]), headers=[("ETag", '"%d"' % p["version"])])


@route("PUT", "/api/profile")
def profile_put(h):
    p = st("profile", {"version": 3, "name": "", "city": "", "puts": 0})
    p["puts"] += 1
    if p["puts"] == 1:                                   # the phone saved meanwhile
        p["version"] += 1
    if h.headers.get("If-Match") != '"%d"' % p["version"]:
        return h.send(412, dict(error="changed_meanwhile", version=p["version"]))
    p.update(name=h.body.get("name"), city=h.body.get("city"))
    p["version"] += 1
    h.send(200, dict(version=p["version"]))


# ---------------------------------------------------------------- back office
@route("GET", "/api/stock/levels")
def levels(h):
    h.send(200, dict(rows=[dict(sku=b["isbn"][-6:], title=b["title"], shelf="%s%d" % ("ABC"[i % 3], i + 1), onHand=str(q))
                           for i, (b, q) in enumerate(zip(BOOKS, (12, 40, 7, 3, 25, 118)))]))


@route("GET", "/api/stock/alerts")
def alerts(h):
    h.send(200, dict(alerts=[dict(title="The Harbour Clerk", text="3 left")]))


@route("GET", "/api/orders")
def orders(h):
    n = int(h.query.get("limit", 5))
    cur = h.query.get("cursor", "")
    m = re.match("o(\\d+)x$", cur)
    i = int(m.group(1)) if m else 0
    nxt = "o%dx" % (i + n) if i + n < len(ORDERS) else None
    h.send(200, dict(items=ORDERS[i:i + n], total=len(ORDERS), next_cursor=nxt))


PARCELS = {1187205518434566145: "Ada Brook", 1187205518434566403: "Jon Ferrer", 1187205518434569733: "Lea Novak"}


@route("GET", "/api/parcels")
def parcels(h):
    h.send(200, dict(parcels=[dict(id=k, to=v, carrier="Northline", state="in transit") for k, v in PARCELS.items()]))


@route("GET", "/api/parcels/(\\d+)")
def parcel(h, pid):
    if int(pid) not in PARCELS:
        return h.send(404, dict(error="parcel_not_found", id=pid))
    h.send(200, dict(id=pid, to=PARCELS[int(pid)], scans=[dict(at="08:12", place="Depot Leith")]))


@route("GET", "/api/translations/([a-z]{2})")
def translations(h, lang):
    h.send(200, {"cart.title": "Warenkorb", "cart.empty": "Ihr Warenkorb ist leer", "checkout.pay": "Jetzt bezahlen"})


@route("PUT", "/api/translations/([a-z]{2})")
def translations_put(h, lang):
    h.send(200, dict(saved=len(h.body)))


@route("GET", "/api/stock/movements")
def movements(h):
    s = st("live", {"hits": [], "n": 0})
    with LOCK:
        now = time.time()
        s["hits"] = [t for t in s["hits"] if now - t < 1.0]
        if len(s["hits"]) >= 4:
            return h.send(429, dict(error="rate_limited"), headers=[("Retry-After", "5")])
        s["hits"].append(now)
        s["n"] += 1
        n = s["n"]
    h.send(200, dict(at=time.strftime("%H:%M:%S"), movements=[dict(title=b["title"], delta=(n * (i + 2)) % 5 - 2) for i, b in enumerate(BOOKS[:4])]))


@route("GET", "/api/stock/shelves")
def shelves(h):
    s = st("shelves", {"n": 0, "v": 0})
    with LOCK:
        s["n"] += 1
        n = s["n"]
        if n % 3 == 0:
            s["v"] += 1
        v = s["v"]
    if n == 2:
        return h.send(503, dict(error="replica_behind"), headers=[("Retry-After", "1")])
    tag = '"s%d"' % v
    if h.headers.get("If-None-Match") == tag:
        return h.send(304, headers=[("ETag", tag)])
    h.send(200, dict(version=v, shelves=[dict(name="A1", count=40 + v), dict(name="B2", count=12), dict(name="C3", count=7)]), headers=[("ETag", tag)])


@route("GET", "/api/stock/shelves/events")
def shelf_events(h):
    h.stream()
    try:
        for i in range(40):
            h.emit(dict(shelf="A1", delta=1, n=i), event="moved", ident=i)
            time.sleep(0.4)
    except OSError:
        pass


@route("GET", "/api/office/session")
def office_session(h):
    if "qh_office" not in h.cookies():
        return h.send(401, dict(error="no_session"))
    h.send(200, dict(user="Greta Hall", role="manager", expiresIn=2592000))


@route("POST", "/api/office/session/end")
def office_end(h):
    h.send(204, headers=[("Set-Cookie", "qh_office=; Path=/; HttpOnly; Max-Age=0")])


@route("GET", "/api/office/menu")
def office_menu(h):
    time.sleep(0.25)
    h.send(200, dict(items=["Orders", "Stock", "Returns"]))


@route("GET", "/api/office/figures")
def office_figures(h):
    if "qh_office" not in h.cookies():
        return h.send(401, dict(error="no_session"))
    h.send(200, dict(today=dict(orders=31, revenue=84210)))


# ---------------------------------------------------------------- tracker and help
@route("GET", "/api/courier/route")
def courier_route(h):
    h.send(200, dict(parcel="QH-40120", courier="Northline 14", stops=["Depot Leith", "Ferry Road", "Your door"]))


@route("GET", "/api/courier/stream")
def courier_stream(h):
    h.stream()
    try:
        for i in range(60):
            h.emit(dict(stop=min(i // 3, 2), minutes=max(1, 24 - i), lat=55.97 + i / 1000, lon=-3.17), event="position", ident=i)
            time.sleep(0.7)
    except OSError:
        pass


@route("GET", "/api/desk/ticket")
def desk_ticket(h):
    h.send(200, dict(ticket=os.urandom(6).hex(), ttl=60))


@route("GET", "/api/desk/agents")
def desk_agents(h):
    h.send(200, dict(agents=["Greta", "Samir"]))


@route("GET", "/api/desk/socket")
def desk_socket(h):
    h.upgrade()
    if not re.match("[0-9a-f]{12}$", h.query.get("token", "")):
        return h.ws_close(4401, "invalid ticket")
    h.ws_send(dict(type="conversations", list=[dict(who="Ada Brook", text="Where is my parcel?")]))
    while h.ws_recv(20):
        pass


@route("POST", "/api/chat/access")
def chat_access(h):
    s = st("chatlive", {"refreshed": False, "conns": 0})
    if not s["refreshed"]:
        return h.send(401, dict(error="expired"))
    h.send(200, dict(room="r-51", key=os.urandom(6).hex()))


@route("POST", "/api/chat/refresh")
def chat_refresh(h):
    st("chatlive", {"refreshed": False, "conns": 0})["refreshed"] = True
    h.send(200, dict(ok=True))


@route("GET", "/api/chat/rooms/([a-z0-9-]+)")
def chat_room(h, room):
    s = st("chatlive", {"refreshed": True, "conns": 0})
    s["conns"] += 1
    h.upgrade()
    try:
        if s["conns"] == 1:
            h.ws_send(dict(type="message", n=1, who="Samir", text="Hello, how can I help?"))
            time.sleep(0.8)
            return h.ws_close(1012, "service restart")
        h.ws_send(dict(type="message", n=2, who="Samir", text="I am back, sorry. Which order is it about?"))
        for _ in range(20):
            if h.ws_recv(15) is None:
                break
            h.ws_send(dict(type="message", n=3, who="Samir", text="Thank you, I will look."))
    except OSError:
        pass


# ---------------------------------------------------------------- the facet service on its own port
class Side(Handler):
    def handle_any(self):
        cors = [("Access-Control-Allow-Origin", self.headers.get("Origin") or "*"), ("Vary", "Origin")]
        if self.command == "OPTIONS":
            return self.send(204, headers=cors + [("Access-Control-Allow-Methods", "GET, OPTIONS"),
                                                  ("Access-Control-Allow-Headers", "Accept, Content-Type"), ("Access-Control-Max-Age", "60")])
        if urlsplit(self.path).path == "/facets":
            return self.send(200, dict(facets=[dict(name="Crime", count=2), dict(name="Poetry", count=2), dict(name="Nature", count=2)]), headers=cors)
        self.send(404, dict(error="not_found"), headers=cors)
    do_GET = do_OPTIONS = do_POST = handle_any


if __name__ == "__main__":
    serve.run(Handler, "localhost", second=("FACETS", Side))

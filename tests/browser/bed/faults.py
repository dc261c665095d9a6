"""The pages with a fault. Of each: what is changed, what a user does, and what a diagnosis has to say.

kind, cause, effect, change: any of several. chain: these in this order, between cause and effect. blameless: never a cause."""
from apps import account, shop
from page import Page
from replies import BROKEN_TAG, Reply, Socket, empty, fail, html, moved, never, ok

NOISE = ["/ads/", "/px", "/api/collect"]


def asked(method, path):
    return {"method": method, "path": path}


def fault(ident, prefix, path, kind, cause, effect, chain=(), blameless=(), change="", **page):
    """A page with what is expected of it; noise is never to blame."""
    return Page(ident, prefix, path, kind=kind.split(), cause=cause, effect=effect, chain=list(chain),
                **{"not": NOISE + list(blameless)}, change=change, **page)


def cookie_without_secure(request):
    return ok({"user": "u-31"}, headers=[account.session_cookie(request, "HttpOnly; SameSite=None")])


def invoices_for_others(request):
    reply = account.invoices(request)
    reply.headers = [("Access-Control-Allow-Origin", "https://app.tideline.example")]
    return reply


def token_for_session(request):
    return shop.token(request) if request.json.get("session") else fail(400, {"error": "session required"})


def more_products(request):
    reply = shop.products(request)
    if request.query.get("page") == "1":
        return reply
    return ok({"page": 2, "items": [{**p, "price": f"{p['price']:.2f} EUR"} for p in shop.PRODUCTS[3:5]]})


def search_by_length(request):
    reply = shop.search(request)
    reply.wait = 4.6 if len(request.query.get("q", "")) < 3 else 0
    return reply


def order_of_another(request):
    reply = {"id": 1024, "status": "open", "total": 312.0, "lines": [{"name": "Larch shelf", "count": 3}]}
    return ok(reply)


def cut_presence(channel, request):
    channel.send('{"type":"presence","people":[{"id":"p1","name":"Noor"},{"id":"p2","na')
    while channel.read() is not None:
        pass


def history_elsewhere(request):
    since = request.query.get("since", "0")
    return moved(f"{request.base}{request.path}?since={'0' if since == '1' else '1'}")


def email_once(request):
    return ok({"email": "ok"}, wait=0.6) if request.count("email") == 1 else fail(409, {"error": "change pending"})


SHOP = [
    fault("shop-token", "t01", "/shop", "server_error status", asked("POST", "/api/token"), "length",
          ["/api/token", "/api/cart"], ["/api/region", "/api/products"], "/api/token",
          routes={"POST /api/token": fail(500, {"error": "signing key not loaded"})}),
    fault("shop-region", "t02", "/shop", "null_member empty_data missing_member", asked("GET", "/api/region"), "id",
          ["/api/region", "/api/stock", "/api/delivery/quote"], ["/api/cart", "/api/orders"], "/api/region",
          steps=[("click", "#buy"), ("click", "#place")],
          routes={"GET /api/region": ok({"country": "PT", "label": "Portugal", "warehouse": None}),
                  "GET /img/{}": fail(404), "POST /api/collect": fail(503)}),
    fault("shop-promo", "t03", "/shop", "error_in_body missing_member changed_shape", asked("POST", "/api/promo"), "percent",
          ["/api/promo"], ["/api/cart"], "/api/promo", steps=[("type", "#promo=SPRING"), ("click", "#apply")],
          routes={"POST /api/promo": ok({"ok": False, "error": "promotions are not configured for this shop"}),
                  "GET other:/ads/tag.js": BROKEN_TAG}),
    fault("shop-recommend", "t04", "/shop", "unreachable", asked("GET", "/v1/recommend"), "Failed to fetch",
          ["/v1/recommend"], ["/api/products"], "recommend",
          swaps={"shop/index.html": [('data-other="{{other}}"', 'data-other="{{other}}" data-tips="{{closed}}"')],
                 "shop/catalog.js": [("dataset.other}/v1", "dataset.tips}/v1")]}),
    fault("shop-search", "t11", "/shop", "race", asked("GET", "/api/search"), "", ["/api/search"],
          ["/api/products", "/api/cart"], ["/api/search", "catalog.js"],
          steps=[("type", "#search=la"), ("type", "#search=lamp"), ("wait", "5000")],
          routes={"GET /api/search": search_by_length, "GET other:/ads/bid": fail(500)},
          swaps={"shop/catalog.js": [("    if (running) running.abort();\n", "")]}),
    fault("shop-order", "t12", "/shop/orders/1042", "mixed_up_id", asked("GET", "/api/orders/1042"), "cancel",
          ["/api/orders/1042", "/api/orders/1024/cancel"], ["/api/cart", "/api/token"], "/api/orders/",
          steps=[("click", "#cancel")],
          routes={"GET /api/orders/{}": order_of_another,
                  "POST /api/orders/{}/cancel": fail(403, {"error": "not an order of yours"}),
                  "POST /api/collect": fail(429)}),
    fault("shop-session", "t13", "/shop", "null_member empty_data missing_member", asked("GET", "/api/session"), "length",
          ["/api/session", "/api/token", "/api/cart"], ["/api/products"], "/api/session",
          routes={"GET /api/session": ok({"id": None, "name": None, "currency": "EUR"}),
                  "POST /api/token": token_for_session, "POST /api/collect": fail(503)}),
    fault("shop-prices", "t14", "/shop", "changed_shape", asked("GET", "/api/products"), "NaN", ["/api/products"],
          ["/api/cart", "/v1/recommend"], "/api/products", steps=[("click", "#more"), ("wait", "500")],
          routes={"GET /api/products": more_products}),
]

EDITOR = [
    fault("editor-late", "t05", "/editor", "late_script", asked("GET", "/assets/editor/marks.js"), "Marks",
          ["marks.js"], ["/api/documents"], "marks.js", slow={"editor/marks.js": 0.8},
          swaps={"editor/index.html": [('editor/marks.js"></script>', 'editor/marks.js" async></script>')]}),
    fault("editor-save", "t06", "/editor", "wrong_content_type", asked("PUT", "/api/documents/7"), "JSON",
          ["/api/documents/7"], ["/api/suggest", "/api/documents/7/lock"], "/api/documents/",
          steps=[("type", "#text= and rope"), ("wait", "900")],
          routes={"PUT /api/documents/{}": html("<!doctype html><title>Folio</title><p>Please sign in to go on.</p>")}),
    fault("editor-table", "t15", "/editor", "missing_script", asked("GET", "/assets/editor/blocks/table.js"), ["import", "table.js"],
          ["table.js"], ["/api/documents"], "table.js", steps=[("click", "#quote"), ("click", "#table")],
          routes={"GET /assets/editor/blocks/table.js": Reply(404, "not found\n", "text/plain")}),
    fault("editor-quota", "t16", "/editor", "quota", [{"what": "storage:local"}, {"what": "local storage"}, {"script": "offline.js"}], "quota",
          [], ["/api/suggest", "/api/documents"], "", steps=[("type", "#text= and a second rope"), ("wait", "900")],
          swaps={"editor/offline.js": [("CHUNKS = 1;", "CHUNKS = 96;")]}),
    fault("editor-publish", "t17", "/editor", "validation_swallowed", {"what": "slug"}, "", [],
          ["/api/documents", "/api/suggest"], "slug", steps=[("click", "#publish"), ("click", "#publish")],
          swaps={"editor/publish.js": [(
              "    form.slug.value = doc.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n", ""),
              ("    form.slug.addEventListener('invalid', () => { kit.$('#more').open = true; });\n",
               "    form.slug.addEventListener('invalid', (event) => event.preventDefault());\n")]}),
    fault("editor-carets", "t18", "/editor", "growth", [{"what": "growth:nodes"}, {"script": "carets.js"}], "", [],
          ["/api/documents"], "", steps=[("click", "#bold"), ("wait", "5000")],
          swaps={"editor/carets.js": [("kit.fill(layer, everybody.map(mark));", "layer.prepend(...everybody.map(mark));")]}),
    fault("editor-image", "t19", "/editor", "csp", {"what": "/images"}, "fetch", ["/images"], ["/api/documents"],
          "connect-src", steps=[("click", "#image")],
          headers=[("Content-Security-Policy", "default-src 'self'; img-src * data:; style-src 'self' 'unsafe-inline'; connect-src 'self'")]),
    fault("editor-lock", "t20", "/editor", "server_error status", asked("POST", "/api/documents/7/lock"), "",
          ["/api/documents/7/lock", "PUT /api/documents/7"], ["/api/suggest"], "/lock",
          steps=[("type", "#text= and rope"), ("wait", "2500")],
          routes={"POST /api/documents/{}/lock": fail(500, {"error": "lease store down"}), "POST /api/collect": fail(500)}),
]

CHAT = [
    fault("chat-line", "t07", "/chat", "socket_refused", asked("GET", "/ws"), "WebSocket", ["/ws"],
          ["/api/rooms", "/api/unread", "/api/news"], "/ws",
          steps=[("type", "#draft=hello"), ("click", "#send"), ("wait", "1500")],
          routes={"GET /ws": fail(403, {"error": "origin not allowed"})}),
    fault("chat-presence", "t21", "/chat", "bad_frame", asked("GET", "/ws"), "JSON", ["/ws"],
          ["/api/rooms", "/api/contacts", "/api/news"], "/ws", steps=[("wait", "500")],
          routes={"GET /ws": Socket(cut_presence)}),
    fault("chat-people", "t22", "/chat", "endless_rendering", [{"script": "presence.js"}, {"what": "loop:"}], "", [],
          ["/ws", "/api/rooms", "/api/news"], "", steps=[("wait", "3000")],
          swaps={"chat/presence.js": [("    var typing = store.state.typing;\n",
                                       "    var typing = store.state.typing;\n    store.set('people', store.state.people"
                                       ".slice().sort(function (a, b) { return a.name < b.name ? -1 : 1; }));\n")]}),
    fault("chat-history", "t23", "/chat", "redirect_loop", asked("GET", "/api/rooms/r1/history"), ["history", "conversation"],
          ["/api/rooms/r1/history"], ["/api/contacts", "/ws", "/api/news"], "/history",
          routes={"GET /api/rooms/{}/history": history_elsewhere, "GET /api/unread": fail(404)}),
    fault("chat-contacts", "t24", "/chat", "timeout never_answered cancelled", asked("GET", "/api/contacts"), "abort",
          ["/api/contacts"], ["/api/rooms", "/ws", "/api/news"], "/api/contacts", steps=[("wait", "2500")],
          routes={"GET /api/contacts": never()}, swaps={"chat/app.js": [("limit: 8000", "limit: 2000")]}),
    fault("chat-photo", "t25", "/chat", "cancelled", [asked("POST", "/api/uploads"), {"script": "rooms.js"}], "",
          ["/api/uploads"], ["/ws", "/api/rooms", "/api/news"], ["rooms.js", "composer.js"],
          steps=[("click", "#attach"), ("click", "#room-r2"), ("wait", "500")],
          routes={"POST /api/uploads": ok({"url": "/files/p-17.jpg"}, wait=20)},
          swaps={"chat/composer.js": [("    upload = new AbortController();\n", "    upload = Chat.rooms.current();\n")]}),
]

SIGN_IN = [("type", "#email=ines@tideline.example"), ("type", "#password=correct-horse"), ("click", "#go")]
SIGNED_IN = {"GET /api/profile": account.open_profile}

ACCOUNT = [
    fault("account-cookie", "t08", "/account", "cookie_refused", asked("POST", "/api/login"), "",
          ["/api/login", "/api/profile"], ["/api/csrf"], "cookie", steps=SIGN_IN,
          routes={"POST /api/login": cookie_without_secure}),
    fault("account-invoices", "t09", "/account/profile", "cors", asked("GET", "/v2/customers/cus-88/invoices"), ["nvoices", "billing"],
          ["/invoices"], ["/api/profile"], "Access-Control-Allow-Origin",
          routes={**SIGNED_IN, "GET other:/v2/customers/{}/invoices": invoices_for_others}),
    fault("account-csrf", "t26", "/account/profile", "empty_data missing_member", asked("GET", "/api/csrf"), "",
          ["/api/csrf", "/api/email"], ["/api/profile", "/invoices"], "/api/csrf",
          steps=[("type", "#new-email=ines@tideline.org"), ("click", "#save-email")],
          routes={**SIGNED_IN, "GET /api/csrf": ok({"token": "", "ttl": 0}), "GET other:/ads/tag.js": BROKEN_TAG}),
    fault("account-slow", "t27", "/account/profile", "slow", asked("GET", "/api/profile"), "", ["/api/profile"],
          ["/api/csrf"], "/api/profile", steps=[("wait", "5500")],
          routes={"GET /api/profile": lambda request: Reply(200, account.open_profile(request).body, wait=5)}),
    fault("account-language", "t28", "/account/profile", "missing_member changed_shape", asked("GET", "/api/profile"), "replace",
          ["/api/profile", "/api/texts/undefined"], ["/api/csrf"], "/api/profile",
          routes={"GET /api/profile": ok({"id": "u-31", "name": "Ines Prado", "email": "ines@tideline.example", "since": 2021,
                                          "locale": "en", "customer": "cus-88", "period": "2026-02"})}),
    fault("account-twice", "t29", "/account/profile", "double_submit heard_twice", asked("POST", "/api/email"), "", ["/api/email"],
          ["/api/profile", "/invoices", "/api/csrf"], "profile.js",
          steps=[("type", "#new-email=ines@tideline.org"), ("click", "#save-email"), ("wait", "1000")],
          routes={**SIGNED_IN, "POST /api/email": email_once},
          swaps={"account/profile.js": [("return ns.showBilling(profile.customer);",
                                         "return ns.showBilling(profile.customer).then(function () { draw(profile); });")]}),
    fault("account-usage", "t30", "/account/profile", "empty_data", asked("GET", "/api/usage"), "educe", ["/api/usage"],
          ["/api/profile", "/invoices"], "/api/usage", steps=[("click", "#usage")],
          routes={**SIGNED_IN, "GET /api/usage": ok({"days": []}), "GET other:/ads/tag.js": BROKEN_TAG,
                  "POST /api/collect": fail(503)}),
]

DASHBOARD = [
    fault("dashboard-flags", "t10", "/dashboard", "server_error status", asked("GET", "/api/flags"), "null",
          ["/api/flags", "/api/v1/revenue"], ["/api/metrics", "/api/alerts"], "/api/flags",
          steps=[("click", "#tab-revenue")], routes={"GET /api/flags": fail(500, {"error": "flag store unavailable"}),
                                                    "GET other:/ads/tag.js": BROKEN_TAG}),
    fault("dashboard-metrics", "t31", "/dashboard", "wrong_content_type", asked("GET", "/api/metrics"), "JSON",
          ["/api/metrics"], ["/api/v2/revenue/monthly", "/api/workspace"], "/api/metrics",
          routes={"GET /api/metrics": html('<!doctype html><html><head><title>Pulse</title></head><body><div id="app">')}),
    fault("dashboard-alerts", "t32", "/dashboard", "never_answered timeout", asked("GET", "/api/alerts"), "",
          ["/api/alerts"], ["/api/metrics", "/api/workspace"], "/api/alerts", steps=[("wait", "4000")],
          routes={"GET /api/alerts": never(), "GET other:/ads/bid": never(), "POST /api/collect": fail(500)}),
    fault("dashboard-live", "t33", "/dashboard", "wrong_content_type socket_refused", asked("GET", "/api/live"), ["EventSource", "/api/live"],
          ["/api/live"], ["/api/metrics", "/api/alerts"], "/api/live", steps=[("wait", "500")],
          routes={"GET /api/live": Reply(200, 'event: visitors\ndata: {"count": 41}\n\n', "text/plain")}),
    fault("dashboard-layout", "t34", "/dashboard", "missing_route status", asked("GET", "/api/workspaces/ws-9/layout"), "404",
          ["/api/workspaces/ws-9/layout"], ["/api/flags", "/api/workspace"], "/layout",
          routes={"GET /api/workspaces/{}/layout": fail(404, {"error": "not found"})}),
]

FAULTS = SHOP + EDITOR + CHAT + ACCOUNT + DASHBOARD

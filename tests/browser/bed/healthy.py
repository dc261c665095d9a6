"""Pages where nothing is wrong, and a good deal looks as if."""
from apps import account, chat, editor, shop
from page import Page
from replies import BROKEN_TAG, Socket, Stream, empty, fail, never, ok

def busy_once(name, value, status=503):
    return lambda request: fail(status, headers=[("Retry-After", "0")]) if request.count(name) == 1 else ok(value)


def drops_once(channel, request):
    if request.count("ws") == 1:
        channel.send({"type": "presence", "people": chat.PEOPLE})
        return channel.close(1012, "restarting")
    return chat.talk(channel, request)


def quicker_once(request):
    return fail(409, {"version": 13, "by": "Mira"}) if request.count("save") == 1 else editor.save(request)


def suggest_slowly(request):
    return ok({"words": ["heather"]}, wait=20 if request.query.get("word") == "hea" else 0)


def wrong_once(request):
    return fail(401, {"error": "wrong"}) if request.count("login") == 1 else account.login(request)


def ticks_in_parts(request):
    for count in (41, 43):
        yield f'retry: 300\nevent: visitors\ndata: {{"count": {count}}}\n\n'
        yield 0.3


HEALTHY = [
    Page("shop-healthy", "t51", "/shop", steps=[("type", "#search=lam"), ("type", "#search=lamp"), ("click", ".add")],
         routes={"GET /api/products": busy_once("products", {"page": 1, "items": shop.PRODUCTS[:3]}),
                 "GET /img/{}": fail(404), "POST /api/collect": fail(503)}),
    Page("account-healthy", "t52", "/account", steps=[("type", "#email=ines"), ("click", "#go")]),
    Page("chat-healthy", "t53", "/chat", steps=[("type", "#draft=hello"), ("click", "#send"), ("wait", "1000")],
         routes={"GET /ws": Socket(drops_once), "GET /api/unread": fail(404)}),
    Page("dashboard-healthy", "t54", "/dashboard", steps=[("click", "#tab-alerts")],
         routes={"GET other:/ads/tag.js": BROKEN_TAG, "POST /api/collect": fail(500)}),
    Page("editor-healthy", "t55", "/editor",
         steps=[("type", "#text=Low tide and hea"), ("type", "#text=Low tide and heather"), ("wait", "3000")],
         routes={"PUT /api/documents/{}": quicker_once, "GET /api/suggest": suggest_slowly}),
    Page("shop-nothing-found", "t56", "/shop", steps=[("type", "#search=zz"), ("wait", "500")],
         routes={"GET other:/ads/tag.js": BROKEN_TAG, "GET other:/ads/bid": fail(500)},
         headers=[("Content-Security-Policy-Report-Only", "script-src 'self'; img-src 'self'; connect-src 'self'")]),
    Page("account-second-try", "t57", "/account",
         steps=[("type", "#email=ines@tideline.example"), ("type", "#password=wrong-horse"), ("click", "#go"),
                ("type", "#password=correct-horse-battery"), ("click", "#go")],
         routes={"POST /api/login": wrong_once}),
    Page("chat-behind-proxy", "t58", "/chat", steps=[("click", "#room-r2"), ("wait", "3000")],
         routes={"GET /api/news": never(), "GET /api/rooms/{}/history": ok({"messages": []})},
         swaps={"chat/app.js": [("limit: 30000", "limit: 900")]}),
    Page("dashboard-busy", "t59", "/dashboard", steps=[("click", "#tab-revenue"), ("click", "#tab-overview"), ("wait", "2500")],
         routes={"GET /api/metrics": busy_once("metrics", {"items": [{"label": "Visits", "value": 0}]}, 502),
                 "GET /api/live": Stream(ticks_in_parts), "GET /api/flags": fail(404)},
         swaps={"dashboard/settings.js": [("revenue: 'v1'", "revenue: 'v2'")],
                "dashboard/main.js": [("setInterval(clock, 5000)", "setInterval(clock, 100)")]}),
    Page("account-signed-in", "t60", "/account/profile", steps=[("click", "#usage")],
         routes={"GET /api/profile": account.open_profile, "GET other:/ads/tag.js": BROKEN_TAG,
                 "GET other:/ads/bid": never(), "POST /api/collect": fail(429)}),
]

"""Pages where nothing is wrong, and a good deal looks as if."""
from apps import chat, shop
from page import Page
from replies import Socket, Stream, empty, fail, ok, script


def busy_once(name, value):
    return lambda request: fail(503, headers=[("Retry-After", "0")]) if request.count(name) == 1 else ok(value)


def drops_once(channel, request):
    if request.count("ws") == 1:
        channel.send({"type": "presence", "people": chat.PEOPLE})
        return channel.close(1012, "restarting")
    return chat.talk(channel, request)


HEALTHY = [
    Page("shop-healthy", "t51", "/shop", steps=[("type", "#search=lam"), ("type", "#search=p"), ("click", ".add")],
         routes={"GET /api/products": busy_once("products", {"page": 1, "items": shop.PRODUCTS[:3]}), "GET /img/{}": fail(404), "POST /api/collect": fail(503)}),
    Page("account-healthy", "t52", "/account", steps=[("type", "#email=ines"), ("click", "#go")]),
    Page("chat-healthy", "t53", "/chat", steps=[("type", "#draft=hello"), ("click", "#send"), ("wait", "1000")],
         routes={"GET /ws": Socket(drops_once), "GET /api/unread": fail(404)}),
    Page("dashboard-healthy", "t54", "/dashboard", steps=[("click", "#tab-alerts")],
         routes={"GET other:/ads/tag.js": script("console.warn('[tag] slot is not viewable'); null.bid();"),
                 "POST /api/collect": fail(500)}),
]

"""The pages with a fault. Of each: what is changed, what a user does, and what a diagnosis has to say."""
from apps import account, shop
from page import Page
from replies import empty, fail, html, moved, never, ok, script

ADS = ["/ads/", "/px", "/api/collect"]


def cookie_without_secure(request):
    return ok({"user": "u-31"}, headers=[account.session_cookie(request, "HttpOnly; SameSite=None")])


def region_without_warehouse(request):
    return ok({"country": "PT", "label": "Portugal", "warehouse": None})


def invoices_for_others(request):
    reply = account.invoices(request)
    reply.headers = [("Access-Control-Allow-Origin", "https://app.tideline.example")]
    return reply


FAULTS = [
    Page("shop-token", "t01", "/shop",
         routes={"POST /api/token": fail(500, {"error": "signing key not loaded"})},
         kind=["server_error", "status"], cause={"method": "POST", "path": "/api/token"}, effect="lines",
         chain=["/api/token", "/api/cart"], **{"not": ADS + ["/api/region"]}, change="/api/token"),
    Page("shop-region", "t02", "/shop", steps=[("click", "#buy"), ("click", "#place")],
         routes={"GET /api/region": region_without_warehouse},
         kind=["empty_data", "changed_shape", "missing_member"], cause={"method": "GET", "path": "/api/region"},
         effect="id", chain=["/api/region", "/api/stock", "/api/delivery/quote"],
         **{"not": ADS + ["/api/cart", "/api/orders"]}, change="/api/region"),
    Page("shop-promo", "t03", "/shop", steps=[("type", "#promo=SPRING"), ("click", "#apply")],
         routes={"POST /api/promo": ok({"ok": False, "error": "promotions are not configured for this shop"})},
         kind=["error_in_body", "missing_member", "changed_shape"], cause={"method": "POST", "path": "/api/promo"},
         effect="percent", chain=["/api/promo"], **{"not": ADS + ["/api/cart"]}, change="/api/promo"),
    Page("shop-recommend", "t04", "/shop",
         swaps={"shop/index.html": [('data-other="{{other}}"', 'data-other="{{other}}" data-tips="{{closed}}"')],
                "shop/catalog.js": [("document.documentElement.dataset.other}/v1", "document.documentElement.dataset.tips}/v1")]},
         kind=["unreachable"], cause={"method": "GET", "path": "/v1/recommend"}, effect="Failed to fetch",
         chain=["/v1/recommend"], **{"not": ADS + ["/api/products"]}, change="recommend"),
    Page("editor-late", "t05", "/editor",
         swaps={"editor/index.html": [('editor/marks.js"></script>', 'editor/marks.js" async></script>')]},
         slow={"editor/marks.js": 0.8},
         kind=["late_script"], cause={"path": "/assets/editor/marks.js", "method": "GET"}, effect="Marks",
         chain=["marks.js"], **{"not": ADS + ["/api/documents"]}, change="marks.js"),
    Page("editor-save", "t06", "/editor", steps=[("type", "#text= and rope"), ("wait", "900")],
         routes={"PUT /api/documents/{}": html("<!doctype html><title>Folio</title><p>Please sign in to go on.</p>")},
         kind=["wrong_content_type"], cause={"method": "PUT", "path": "/api/documents/7"}, effect="JSON",
         chain=["/api/documents/7"], **{"not": ADS + ["/api/suggest"]}, change="/api/documents/7"),
    Page("chat-line", "t07", "/chat", steps=[("type", "#draft=hello"), ("click", "#send"), ("wait", "1500")],
         routes={"GET /ws": fail(403, {"error": "origin not allowed"})},
         kind=["socket_refused"], cause={"method": "GET", "path": "/ws"}, effect="WebSocket",
         chain=["/ws"], **{"not": ADS + ["/api/rooms", "/api/unread"]}, change="/ws"),
    Page("account-cookie", "t08", "/account",
         steps=[("type", "#email=ines@tideline.example"), ("type", "#password=correct-horse"), ("click", "#go")],
         routes={"POST /api/login": cookie_without_secure},
         kind=["cookie_refused"], cause={"method": "POST", "path": "/api/login"}, effect="session",
         chain=["/api/login", "/api/profile"], **{"not": ADS + ["/api/csrf"]}, change="cookie"),
    Page("account-invoices", "t09", "/account/profile",
         routes={"GET /api/profile": account.open_profile, "GET other:/v2/customers/{}/invoices": invoices_for_others},
         kind=["cors"], cause={"method": "GET", "path": "/v2/customers/cus-88/invoices"}, effect="Invoices",
         chain=["/invoices"], **{"not": ADS + ["/api/profile"]}, change="Access-Control-Allow-Origin"),
    Page("dashboard-flags", "t10", "/dashboard", steps=[("click", "#tab-revenue")],
         routes={"GET /api/flags": fail(500, {"error": "flag store unavailable"})},
         kind=["server_error", "status"], cause={"method": "GET", "path": "/api/flags"}, effect="null",
         chain=["/api/flags", "/api/v1/revenue"], **{"not": ADS + ["/api/metrics", "/api/alerts"]}, change="/api/flags"),
]

"""The account pages' API as it should be."""
from replies import empty, fail, ok

TEXTS = {"welcome": "Welcome back, {name}", "since": "Customer since {year}", "usage": "Show usage",
         "peak": "Most on {day}: {used} GB"}


def signed_in(request):
    return request.cookies.get("tl_session") == "7c1e90aa"


def session_cookie(request, how):
    return ("Set-Cookie", f"tl_session=7c1e90aa; Path={request.base}; {how}")


def login(request):
    if not request.json.get("password"):
        return fail(401)
    return ok({"user": "u-31"}, headers=[session_cookie(request, "HttpOnly; SameSite=Lax")])


def me(request):
    return ok({"user": "u-31"}) if signed_in(request) else fail(401, {"error": "not signed in"})


def profile(request):
    if not signed_in(request):
        return fail(401, {"error": "not signed in"})
    return open_profile(request)


def open_profile(request):
    return ok({"id": "u-31", "name": "Ines Prado", "email": "ines@tideline.example", "since": 2021, "language": "en",
               "customer": "cus-88", "period": "2026-02"})


def email(request):
    if request.headers.get("X-CSRF-Token") != "5d0b7e":
        return fail(403, {"error": "forbidden"})
    return ok({"email": request.json.get("email")})


def texts(request):
    return ok({"language": request.part[0], "texts": TEXTS}) if request.part[0] in ("en", "pt") else fail(404)


def logout(request):
    return empty(headers=[session_cookie(request, "Max-Age=0")])


def invoices(request):
    return ok({"data": [{"number": "2026-014", "date": "2026-02-01", "amount": 1900, "currency": "EUR"}]},
              headers=[("Access-Control-Allow-Origin", request.origin)])


ROUTES = {
    "POST /api/login": login, "GET /api/me": me, "GET /api/profile": profile, "POST /api/email": email,
    "GET /api/csrf": ok({"token": "5d0b7e"}), "GET /api/texts/{}": texts, "PUT /api/preferences": empty(),
    "POST /api/logout": logout,
    "GET /api/usage": ok({"days": [{"day": "Monday", "used": 4}, {"day": "Friday", "used": 9}]}),
    "GET other:/v2/customers/{}/invoices": invoices,
}

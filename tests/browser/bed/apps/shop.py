"""The shop's API as it should be."""
from replies import Reply, empty, fail, ok

PRODUCTS = [
    {"id": 11, "name": "Reading lamp", "price": 49.0, "image": "lamp.svg"},
    {"id": 12, "name": "Wool rug", "price": 129.0, "image": "rug.svg"},
    {"id": 13, "name": "Clay pot", "price": 18.5, "image": "pot.svg"},
    {"id": 14, "name": "Larch shelf", "price": 86.0, "image": "shelf.svg"},
    {"id": 15, "name": "Lantern", "price": 32.0, "image": "lantern.svg"},
    {"id": 16, "name": "Linen throw", "price": 54.0, "image": "throw.svg"},
]
NAMES = {p["id"]: p for p in PRODUCTS}


def lines(request):
    return request.state.setdefault("lines", [{"product": 13, "name": "Clay pot", "count": 2, "price": 18.5}])


def session(request):
    return ok({"id": "s-4410", "name": "Ada", "currency": "EUR"})


def token(request):
    return ok({"access_token": "eyJhbGciOi.c2hvcA.9f31", "expires_in": 900})


def cart(request):
    if not request.headers.get("Authorization"):
        return fail(403, {"error": "forbidden"})
    return ok({"id": "c-81", "lines": lines(request)})


def add_line(request):
    product = NAMES[int(request.json["product"])]
    lines(request).append({"product": product["id"], "name": product["name"], "count": request.json["count"],
                           "price": product["price"]})
    return ok({"id": "c-81", "lines": lines(request)})


def products(request):
    page = int(request.query.get("page", 1))
    return ok({"page": page, "items": PRODUCTS[:3] if page == 1 else PRODUCTS[3:5]})


def search(request):
    word = request.query.get("q", "").lower()
    return ok({"q": word, "items": [p for p in PRODUCTS if word in p["name"].lower()]})


def region(request):
    return ok({"country": "PT", "label": "Portugal", "warehouse": "w-lis"})


def stock(request):
    levels = {str(p["id"]): 5 for p in PRODUCTS} if request.query.get("warehouse") == "w-lis" else {}
    return ok({"warehouse": request.query.get("warehouse"), "levels": levels})


def quote(request):
    if not request.json.get("items"):
        return fail(422, {"error": "nothing to deliver"})
    return ok({"options": [{"id": "std", "price": 4.9, "days": 3}]})


def orders(request):
    return ok({"id": 1043, "arrives": "2026-03-12"})


def order(request):
    return ok({"id": int(request.part[0]), "status": "open", "total": 55.5,
               "lines": [{"name": "Clay pot", "count": 3}]})


def cancel(request):
    return ok({"id": int(request.part[0]), "status": "cancelled"})


def promo(request):
    return ok({"code": request.json.get("code"), "discount": {"percent": 10, "until": "2026-04-01"}})


def recommend(request):
    return ok({"items": [PRODUCTS[5]]}, headers=[("Access-Control-Allow-Origin", request.origin)])


def picture(request):
    return Reply(200, '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90">'
                      '<rect width="120" height="90" fill="#c8b79a"/></svg>', "image/svg+xml")


ROUTES = {
    "GET /api/session": session, "POST /api/token": token, "GET /api/cart": cart,
    "POST /api/cart/lines": add_line, "GET /api/products": products, "GET /api/search": search,
    "GET /api/region": region, "GET /api/stock": stock, "POST /api/delivery/quote": quote,
    "POST /api/orders": orders, "GET /api/orders/{}": order, "POST /api/orders/{}/cancel": cancel,
    "POST /api/promo": promo, "GET /img/{}": picture, "GET other:/v1/recommend": recommend,
    "POST /api/visits": empty(),
}

"""Domaine Aubrac: cellar, shop, club and office of a wine grower."""
import json
import os
import pathlib
import sys
import time
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE.parent, pathlib.Path(os.environ.get("STRANGERS", HERE.parent)),
               HERE.parents[1] / "main" / "tests" / "browser" / "strangers"):
    if (folder / "serve.py").exists():
        sys.path.insert(0, str(folder))
        break
import serve  # noqa: E402

SITE = HERE / "site"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json"}
STATE = {}

WINES = [("Clos des Grives", 2019, "red"), ("Vieilles Vignes", 2020, "red"), ("Blanc de la Combe", 2022, "white"),
         ("Rosé du Matin", 2023, "rosé"), ("Côte Haute", 2018, "red"), ("Petit Aubrac", 2021, "red"),
         ("Chenin du Plateau", 2022, "white"), ("Pétillant Naturel", 2023, "sparkling")]
SHIPMENTS = [{"id": "EX-2038", "consignee": "Vinhandel Aros", "city": "Aarhus", "cases": 24},
             {"id": "EX-2041", "consignee": "Kanda Wine K.K.", "city": "Tokyo", "cases": 60},
             {"id": "EX-2014", "consignee": "Nordvin AS", "city": "Oslo", "cases": 18}]


def wine(i):
    name, year, colour = WINES[i % len(WINES)]
    return {"id": f"w{i}", "name": name, "vintage": year - i // len(WINES), "colour": colour}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, body=b"", status=200, kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False).encode() if not isinstance(body, str) else body.encode()
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if status not in (204, 304) and self.command != "HEAD":
            self.wfile.write(body)

    def static(self, path):
        if path.endswith("/"):
            path += "index.html"
        file = (SITE / path.lstrip("/")).resolve()
        if SITE not in file.parents or not file.is_file():
            return self.send("<!doctype html><title>Not found</title><h1>Not found</h1>", 404, "text/html; charset=utf-8")
        headers = []
        if file.suffix == ".html":
            STATE.clear()
            if path.startswith("/shop/delivery/"):
                headers.append(("Content-Security-Policy",
                                "default-src 'self'; img-src 'self' data:; style-src 'self'; connect-src 'self'"))
            if path.startswith("/drafts/"):
                headers.append(("Content-Security-Policy-Report-Only", "default-src 'self'; style-src 'self'"))
        if path == "/pricelist/money.js":
            time.sleep(1.1)
        self.send(self.server.filled(file.read_bytes()), 200, TYPES.get(file.suffix, "text/plain; charset=utf-8"), headers)

    def counted(self, name):
        STATE[name] = STATE.get(name, 0) + 1
        return STATE[name]

    def do_GET(self):
        url = urlsplit(self.path)
        self.query = {k: v[0] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        path = url.path
        if path == "/":
            path = "/start/"
        if path.startswith("/api/export/shipments/") and path.endswith("/papers"):
            return self.papers(path.split("/")[4])
        if path.startswith("/api/scans/"):
            n = path.rsplit("/", 1)[1]
            return self.send({"id": n, "dataUrl": "data:image/jpeg;base64," + ("QUJDREVGR0hJSktMTU5P" * 32250)})
        if path.startswith("/api/lots/"):
            time.sleep(0.16)
            n = int(path.rsplit("/", 1)[1])
            return self.send({"lot": n, "wine": wine(n)["name"], "rack": f"{'ABCD'[n % 4]}{n % 9 + 1}", "bottles": 6 * (n % 4 + 1)})
        handler = GETS.get(path)
        if handler:
            return handler(self)
        if path.startswith("/api/"):
            return self.send({"error": "not found"}, 404)
        self.static(path)

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        try:
            self.body = json.loads(raw or b"{}")
        except ValueError:
            self.body = {}
        handler = POSTS.get(urlsplit(self.path).path)
        if handler:
            return handler(self)
        self.send({"error": "not found"}, 404)

    def papers(self, shipment):
        # the paper store files by the pro-forma's number
        shelf = {"EX-2038": "EX-2038", "EX-2041": "EX-2014", "EX-2014": "EX-2041"}
        found = next((s for s in SHIPMENTS if s["id"] == shelf.get(shipment)), None)
        if not found:
            return self.send({"error": "not found"}, 404)
        self.send({"shipmentId": found["id"], "consignee": found["consignee"], "destination": found["city"],
                   "papers": [{"kind": "VI-1", "number": "VI1-" + found["id"][3:]},
                              {"kind": "Commercial invoice", "number": "CI-" + found["id"][3:]},
                              {"kind": "Packing list", "cases": found["cases"]}]})

    def orders(self):
        rows = [{"id": 8800 + i, "customer": c, "cases": i % 5 + 1} for i, c in enumerate(
            ["Le Comptoir", "Bistrot Nadal", "Cave Lenoir", "Hôtel du Pont"] * 3 + ["Épicerie Roux", "La Table"])]
        self.send({"orders": rows if self.query.get("warehouse") == "N2" else []})

    def radar(self):
        if self.counted("radar") < 3:
            return self.send({"error": "warming up"}, 503, headers=[("Retry-After", "1")])
        self.send({"tiles": [{"hour": h, "rain": r} for h, r in zip(range(12, 18), (0, 0, 0.4, 1.2, 0.3, 0))]})

    def readings(self):
        time.sleep(2.4)
        self.send({"station": "Plateau", "readings": [{"at": f"{h:02}:00", "temp": 9 + h % 7, "humidity": 61 + h % 11}
                                                      for h in range(0, 24, 2)]})

    def search(self):
        asked = self.query.get("q", "").lower()
        time.sleep(0.35)
        self.send({"hits": [wine(i) for i in range(16) if asked in wine(i)["name"].lower()]})

    def account(self):
        if self.headers.get("Authorization") != "Bearer at-2":
            return self.send({"error": "token_expired"}, 401)
        self.send({"name": "Odile Marchand", "orders": [{"id": 7711, "total": 186.5}, {"id": 7802, "total": 94.0}]})

    def allocations(self):
        if self.headers.get("Authorization") != "Bearer club-9":
            return self.send({"error": "forbidden"}, 403)
        self.send({"allocations": [{"wine": "Clos des Grives", "bottles": 12}]})

    def availability(self):
        time.sleep(0.1)
        self.send({"filters": {"colour": self.query.get("colour", "red"), "page": 1},
                   "wines": [dict(wine(i), left=12 + i) for i in range(8) if wine(i)["colour"] == self.query.get("colour", "red")]})

    def fieldlog(self):
        self.send({"entries": [{"at": f"07:{n:02}", "probe": f"P{n % 6 + 1}", "soil": 18 + n % 5, "leaf": 40 + n % 9}
                               for n in range(45)]})

    def wholesale(self):
        if not str(self.body.get("vat_number", ""))[:2].isalpha():
            return self.send({"message": "The given data was invalid.",
                              "errors": {"vat_number": ["The VAT number must begin with a country code."]}}, 422)
        self.send({"reference": "WS-118"}, 201)

    def graphql(self):
        self.send({"data": {"season": {"year": 2026, "start": "2026-09-08", "parcels": None}},
                   "errors": [{"message": "sampling index unavailable", "path": ["season", "parcels"],
                               "extensions": {"code": "INTERNAL_SERVER_ERROR", "service": "ripeness"}}]})


def answer(value, status=200, wait=0.0, headers=()):
    def handle(self):
        if wait:
            time.sleep(wait)
        self.send(value, status, headers=headers)
    return handle


def see_signin(self):
    self.send(b"", 302, None, [("Location", "/club/signin/?next=%2Fapi%2Fclub%2Fpoints")])


def silent_stream(self):
    self.send({"error": "stream off for this estate"}, 503)


GETS = {
    "/api/estate": answer({"name": "Domaine Aubrac", "cellar": "North", "locale": "en-GB"}),
    "/api/cellar/barrels": answer({"barrels": [{"id": f"B{n}", "wine": wine(n)["name"], "fill": 2.2 + n % 3 / 10, "unit": "hl"}
                                               for n in range(1, 15)]}),
    "/api/cellar/climate": answer({"temp": 13.2, "humidity": 74}),
    "/api/warehouse/current": answer({"error": "internal", "trace": "wh-5521"}, 500),
    "/api/orders": Handler.orders,
    "/api/orders/summary": answer({"open": 14, "late": 2}),
    "/api/station/readings": Handler.readings,
    "/api/station/about": answer({"name": "Plateau", "altitude": 612}),
    "/api/bottles": answer({"bottles": [{"id": "b75", "name": "Burgundy 75 cl"}, {"id": "b150", "name": "Magnum 150 cl"}]}),
    "/api/shop/basket": answer({"lines": [{"wine": "Clos des Grives", "bottles": 6, "price": 19.5},
                                          {"wine": "Blanc de la Combe", "bottles": 6, "price": 14.0}]}),
    "/api/club/points": see_signin,
    "/api/club/news": answer({"news": ["Open cellar day on 12 December", "New glass for members"]}),
    "/api/tasting/days": answer({"days": [{"date": "2026-12-04", "seats": 12}, {"date": "2026-12-05", "seats": 9},
                                          {"date": "2026-12-11", "seats": 12}]}),
    "/api/tasting/taken": answer({"taken": ["A1", "A2", "C3"]}),
    "/api/regions": answer({"results": [{"code": "PL", "name": "Plateau"}, {"code": "CO", "name": "Combe"}]}),
    "/api/stock": answer({"records": [dict(wine(n), bottles=120 + 35 * n, region="PL" if n % 2 else "CO") for n in range(8)],
                          "meta": {"count": 8, "version": 3}}),
    "/api/export/shipments": answer({"shipments": SHIPMENTS}),
    "/api/prices": answer({"rows": [dict(wine(n), cents=1150 + 240 * n) for n in range(8)]}),
    "/ws/chat": answer({"error": "bad gateway"}, 502),
    "/api/staff/channel": answer({"name": "Press house", "members": ["Luc", "Amina", "Théo"],
                                  "messages": [{"from": "Amina", "text": "Press 2 is clean."}]}),
    "/api/scans": answer({"scans": [{"id": n, "wine": wine(n - 1)["name"]} for n in range(1, 9)]}),
    "/api/shop/availability": Handler.availability,
    "/api/field/log": Handler.fieldlog,
    "/api/picklist": answer({"tour": "Thursday, van 2", "lots": list(range(101, 127))}),
    "/api/club/me": answer({"name": "Jean Fabre", "number": 4471}),
    "/api/club/allocations": Handler.allocations,
    "/api/start/featured": answer({"wines": [wine(n) for n in range(4)]}),
    "/api/radar": Handler.radar,
    "/api/search": Handler.search,
    "/api/account": Handler.account,
    "/api/tanks/stream": silent_stream,
    "/api/tanks": answer({"tanks": [{"id": "T1", "temp": 17.4}, {"id": "T2", "temp": 18.1}, {"id": "T3", "temp": 16.9}]}),
    "/api/drafts/current": answer({"error": "no draft"}, 404),
    "/api/drafts": answer({"drafts": [], "total": 0}),
    "/api/drafts/sent": answer({"letters": [{"subject": "Autumn letter", "sent": "2026-10-02", "readers": 812},
                                            {"subject": "Harvest letter", "sent": "2026-09-01", "readers": 790}]}),
}
POSTS = {
    "/graphql": Handler.graphql,
    "/api/wholesale": Handler.wholesale,
    "/api/auth/refresh": lambda self: self.send({"error": "invalid_grant", "error_description": "refresh token revoked"}, 400),
    "/api/account/refresh": answer({"token": "at-2"}),
}


class Beside(Handler):
    """The label house and the haulier, on an origin of their own."""

    def do_OPTIONS(self):
        self.send(b"", 204, None, [("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "GET"),
                                   ("Access-Control-Allow-Headers", "content-type")])

    def do_GET(self):
        path = urlsplit(self.path).path
        allowed = [("Access-Control-Allow-Origin", "*")]
        if path == "/templates":
            return self.send({"templates": [{"id": 1, "name": "Classic"}, {"id": 2, "name": "Engraving"}]}, headers=allowed)
        if path == "/quotes":
            return self.send({"price": 11.9, "days": 3}, headers=allowed)
        self.send({"error": "not found"}, 404, headers=allowed)


if __name__ == "__main__":
    serve.run(Handler, second=("BESIDE", Beside), nobody=True)

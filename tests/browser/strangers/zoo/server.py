"""The zoo's server: pages, their data, and a second origin for the site map and the weather."""
import json
import pathlib
import re
import sys
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serve  # noqa: E402

WWW = pathlib.Path(__file__).resolve().parent / "www"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
STATE = {}

ANIMALS = {
    "mammals": ["Lion", "Tapir", "Otter", "Red panda"],
    "birds": ["Flamingo", "Hoopoe", "Snowy owl", "Toucan"],
    "reptiles": ["Gila monster", "Green iguana", "Nile crocodile"],
}
FEEDING = [f"{h:02d}:{m:02d} {what}" for (h, m, what) in [
    (7, 0, "Lions, 18 kg beef"), (7, 30, "Otters, 4 kg herring"), (8, 0, "Tapirs, 9 kg leaves"),
    (8, 30, "Flamingos, 6 kg pellets"), (9, 0, "Red pandas, bamboo"), (9, 30, "Iguanas, salad"),
    (10, 0, "Seals, 12 kg mackerel"), (11, 0, "Owls, chicks"), (12, 0, "Toucans, fruit")]]
TREES = ["Lion terrace", "Otter stream", "Aviary", "Tropical house", "Petting yard"]


def begin(name):
    STATE[name] = {}
    if name == "shop":
        STATE["cart"] = [{"sku": "mug", "name": "Otter mug", "count": 1}]
    if name == "adoptions":
        STATE["adopted"] = []
    if name == "vet":
        STATE["notes"] = ["12 April: Lion Kito, teeth checked"]


class Base(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, data, kind="application/json", **headers):
        if not isinstance(data, bytes):
            data = (data if isinstance(data, str) else json.dumps(data)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        headers.setdefault("Cache_Control", "no-store")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()


class Zoo(Base):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        path = url.path
        if path.startswith("/api/"):
            return self.api(path, query, None)
        if path == "/":
            path = "/zoo/home"
        headers = {}
        if path.startswith("/zoo/"):
            name = path[5:]
            file = WWW / "pages" / (name + ".html")
            if re.fullmatch(r"[a-z]+", name) and file.is_file():
                begin(name)
                if name == "weather":
                    headers["Content_Security_Policy"] = (
                        "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'")
        else:
            file = (WWW / path[1:]).resolve()
        if not file.is_file() or WWW not in file.parents:
            return self.send(404, "Not here", "text/plain")
        self.send(200, self.server.filled(file.read_bytes()), KINDS.get(file.suffix, "text/plain"), **headers)

    do_HEAD = do_GET

    def do_POST(self):
        text = self.body()
        path = urllib.parse.urlsplit(self.path).path
        try:
            data = json.loads(text or "{}")
        except ValueError:
            data = {}
        self.api(path, {}, data)

    def cookies(self):
        return dict(p.strip().split("=", 1) for p in self.headers.get("Cookie", "").split(";") if "=" in p)

    def api(self, path, query, data):
        post = data is not None
        if path == "/api/tickets/prices":
            return self.send(200, {"adult": 18, "child": 9, "currency": "EUR"})
        if path == "/api/animals":
            group = query.get("group", "mammals")
            time.sleep(1.2 if group == "birds" else 0.1)
            return self.send(200, {"group": group, "animals": ANIMALS.get(group, [])})
        if path == "/api/rounds/stations":
            return self.send(200, ["Lion terrace", "Otter stream", "Aviary", "Tropical house"])
        if path == "/api/feeding":
            page = int(query.get("page", 1))
            return self.send(200, {"page": page, "pages": 3, "total": 9, "items": FEEDING[3 * page - 3:3 * page]})
        if path == "/api/vet/notes":
            if post:
                if self.headers.get("X-Form-Token") != "k7Qe20vN":
                    return self.send(403, {"error": "form token missing or not valid"})
                STATE["notes"].append(data.get("text", ""))
                return self.send(201, {"ok": True})
            return self.send(200, STATE.get("notes", []))
        if path == "/api/adoptions":
            if post:
                STATE["adopted"].append(data.get("animal", "?"))
                return self.send(201, {"count": len(STATE["adopted"])})
            return self.send(200, STATE.get("adopted", []))
        if path == "/api/adoptions/animals":
            return self.send(200, [{"name": "Kito the lion", "fee": 120}, {"name": "Mila the otter", "fee": 40}])
        if path == "/api/schools/slots":
            day = query.get("day", "")
            if not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
                return self.send(422, {"errors": [{"field": "day", "message": "must be a date like 2027-05-31"}]})
            return self.send(200, {"slots": ["09:00", "10:30", "13:00"]})
        if path == "/api/map/legend":
            return self.send(200, ["Enclosure", "Restaurant", "Playground"])
        if path == "/api/shop/products":
            return self.send(200, [{"sku": "mug", "name": "Otter mug"}, {"sku": "owl", "name": "Plush owl"}])
        if path == "/api/shop/cart":
            if post:
                return self.send(405, {})
            return self.send(200, STATE.get("cart", []), Cache_Control="private, max-age=600")
        if path == "/api/shop/cart/items":
            STATE["cart"].append({"sku": data["sku"], "name": "Plush owl", "count": 1})
            return self.send(201, {"ok": True})
        if path == "/api/donations":
            return self.send(200, '[{"id": 9007199254740993, "day": "3 March", "amount": 50},'
                                  ' {"id": 9007199254741121, "day": "8 April", "amount": 20}]')
        found = re.fullmatch(r"/api/donations/(\d+)/receipt", path)
        if found:
            if found[1] in ("9007199254740993", "9007199254741121"):
                return self.send(200, {"number": "R-" + found[1][-4:], "text": "We received your gift."})
            return self.send(404, {"error": "no such donation"})
        if path == "/api/events/today":
            return self.send(200, [{"id": "seal", "name": "Seal training"}, {"id": "owl", "name": "Owls in flight"}])
        if path == "/api/events/live":
            return self.send(200, 'retry: 60000\ndata: {"id": "seal", "at": "14:10"}\n\n'
                                  'data: {"id": "owl", "at": "15:30"}\n\n', "application/json")
        if path == "/api/volunteers/count":
            return self.send(200, {"count": 34})
        if path == "/api/members/points":
            return self.send(200, {"points": 260, "name": "Ruth"})
        if path == "/api/cams":
            return self.send(200, [{"id": "seal", "name": "Seal pool"}, {"id": "owl", "name": "Owl nest"},
                                   {"id": "lion", "name": "Lion den"}])
        found = re.fullmatch(r"/api/cams/(\w+)/frame", path)
        if found:
            return self.send(200, {"cam": found[1], "caption": f"Live: {found[1]} camera", "at": time.time()})
        if path == "/api/account/sign-in":
            return self.send(200, {"ok": True, "name": "Ruth"}, Set_Cookie="zoo_member=m-4410; Path=/account; HttpOnly")
        if path == "/api/account/bookings":
            if "zoo_member" not in self.cookies():
                return self.send(401, {"error": "not signed in"})
            return self.send(200, ["2 June: 2 adults"])
        if path == "/api/weather/hours":
            return self.send(200, {"open": "09:00", "close": "18:00"})
        if path == "/api/guide/stops":
            return self.send(200, [{"id": 1, "name": "Lions", "text": "Kito was born here in 2019."},
                                   {"id": 2, "name": "Owls", "text": "They hear a mouse under snow."}])
        if path == "/api/keeper/me":
            return self.send(200, {"name": "Jonas", "role": "keeper", "area": {"id": "A7", "title": "Aviary"}})
        if path == "/api/areas/A7/tasks":
            return self.send(200, ["Clean pond", "Weigh the hoopoes"])
        # pages that only look busy
        if path == "/api/start/news":
            return self.send(200, ["A tapir is born", "The aviary opens again"])
        if path == "/api/penguins/count":
            tries = STATE.setdefault("penguins", {})
            tries["n"] = tries.get("n", 0) + 1
            if tries["n"] < 3:
                return self.send(503, {"error": "warming up"}, Retry_After="1")
            return self.send(200, {"count": 41})
        if path == "/api/parking/reservation":
            return self.send(404, {"error": "no reservation"})
        if path == "/api/parking/free":
            return self.send(200, {"free": 112})
        if path == "/api/search":
            time.sleep(0.5)
            q = query.get("q", "").lower()
            return self.send(200, [a for g in ANIMALS.values() for a in g if q in a.lower()])
        if path == "/api/lost/token":
            STATE.setdefault("lost", {})["ok"] = True
            return self.send(200, {"token": "t2"})
        if path == "/api/lost/items":
            if self.headers.get("Authorization") != "Bearer t2":
                return self.send(401, {"error": "token expired"}, WWW_Authenticate="Bearer")
            return self.send(200, ["Blue scarf", "Toy giraffe"])
        if path == "/api/queue":
            return self.send(200, {"minutes": 12})
        self.send(404, {"error": "no such thing"})


class Site(Base):
    """The second origin: the site plan's and the weather station's."""

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/plan/enclosures.json":
            return self.send(200, TREES)
        if path == "/plan/paths.json":
            return self.send(200, ["North path", "Lake path"], Access_Control_Allow_Origin="*")
        if path == "/station/now.json":
            return self.send(200, {"degrees": 17, "sky": "sunny"}, Access_Control_Allow_Origin="*")
        self.send(404, "Not here", "text/plain")


if __name__ == "__main__":
    serve.run(Zoo, second=("SITE", Site), nobody=True)

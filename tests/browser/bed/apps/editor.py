"""The editor's API as it should be."""
from replies import ok

TEXT = "# Low tide\nThe *lower* path is open until noon.\n- rope\n- lamp\n> Mind the weed."


def save(request):
    return ok({"id": 7, "version": request.json.get("version", 0) + 1})


def publish(request):
    return ok({"url": f"/notes/{request.json.get('slug')}"})


def images(request):
    return ok({"url": f"{request.other}/i/map.gif"}, headers=[("Access-Control-Allow-Origin", request.origin)])


ROUTES = {
    "GET /api/documents/{}": ok({"id": 7, "title": "Field notes", "version": 12, "text": TEXT}),
    "PUT /api/documents/{}": save,
    "POST /api/documents/{}/publish": publish,
    "GET /api/documents/{}/collaborators": ok({"people": ["Mira"]}),
    "GET /api/suggest": ok({"words": ["heather"]}),
    "POST other:/images": images,
}

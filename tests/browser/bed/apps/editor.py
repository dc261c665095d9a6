"""The editor's API as it should be."""
from replies import fail, ok

TEXT = "# Low tide\nThe *lower* path is open until noon.\n- rope\n- lamp\n> Mind the weed."


def save(request):
    if request.json.get("lock") != "lease-5":
        return fail(409, {"version": 13, "by": "Mira"})
    return ok({"id": 7, "version": request.json.get("version", 0) + 1})


def publish(request):
    return ok({"url": f"/notes/{request.json.get('slug')}"})


def images(request):
    return ok({"url": f"{request.other}/i/map.gif"}, headers=[("Access-Control-Allow-Origin", request.origin)])


ROUTES = {
    "GET /api/documents/{}": ok({"id": 7, "title": "Field notes", "version": 12, "text": TEXT}),
    "POST /api/documents/{}/lock": ok({"lease": "lease-5", "until": "2026-03-01T12:00:00Z"}),
    "PUT /api/documents/{}": save,
    "POST /api/documents/{}/publish": publish,
    "GET /api/documents/{}/collaborators": ok({"people": ["Mira"]}),
    "GET /api/suggest": ok({"words": ["heather"]}),
    "POST other:/images": images,
}

"""The dashboard's API as it should be."""
from replies import Stream, fail, ok


def ticks(request):
    for count in (41, 43, 40, 44):
        yield f'event: visitors\ndata: {{"count": {count}}}\n\n'
        yield 0.4
    yield 30


ROUTES = {
    "GET /api/flags": ok({"revenue": "v2", "compact": False}),
    "GET /api/workspace": ok({"id": "ws-9", "name": "Harbour Bikes", "plan": "team"}),
    "GET /api/workspaces/{}/layout": ok({"panels": ["metrics", "alerts"], "columns": 2}),
    "GET /api/metrics": ok({"items": [{"label": "Visits", "value": 1284}, {"label": "Orders", "value": 37}]}),
    "GET /api/alerts": ok({"items": []}),
    "GET /api/v1/revenue": fail(410, {"error": "gone", "use": "/api/v2/revenue/monthly"}),
    "GET /api/v2/revenue/monthly": ok({"months": [{"month": "2026-01", "value": 9430}, {"month": "2026-02", "value": 6015},
                                                  {"month": "2026-03", "value": 8120}]}),
    "GET /api/live": Stream(ticks),
}

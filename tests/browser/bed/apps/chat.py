"""The chat's API as it should be."""
import json

from replies import Socket, empty, ok

PEOPLE = [{"id": "p1", "name": "Noor"}, {"id": "p2", "name": "Emil"}, {"id": "p3", "name": "Tuva"}]


def talk(channel, request):
    channel.send({"type": "presence", "people": PEOPLE})
    channel.send({"type": "typing", "who": ["p2"]})
    number = 100
    while (text := channel.read()) is not None:
        frame = json.loads(text)
        if frame.get("type") == "say":
            number += 1
            channel.send({"type": "message", "message": {**frame, "id": f"m{number}", "type": "text"}})


def history(request):
    room = request.part[0]
    return ok({"room": room, "messages": [
        {"id": f"m{room}1", "room": room, "from": "p2", "text": "The pump is back."},
        {"id": f"m{room}2", "room": room, "from": "p1", "text": "Thanks!"}]})


ROUTES = {
    "GET /api/me": ok({"id": "p1", "name": "Noor"}),
    "GET /api/rooms": ok({"rooms": [{"id": "r1", "name": "workshop"}, {"id": "r2", "name": "lunch"}]}),
    "GET /api/rooms/{}/history": history,
    "GET /api/contacts": ok({"people": PEOPLE}),
    "GET /api/unread": ok({"count": 2}),
    "GET /api/news": empty(wait=25),
    "POST /api/uploads": ok({"url": "/files/p-17.jpg"}, wait=2),
    "GET /ws": Socket(talk),
}

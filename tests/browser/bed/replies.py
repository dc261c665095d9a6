"""What a route of the test bed may answer with."""
import json


class Reply:
    """An answer: `wait` seconds pass before its head; `never` leaves the request open."""

    def __init__(self, status=200, body=b"", kind="application/json", headers=(), wait=0, never=False):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        self.status, self.kind, self.headers = status, kind, list(headers)
        self.body = body.encode() if isinstance(body, str) else body
        self.wait, self.never = wait, never


class Socket:
    """A WebSocket: talk(channel, request) reads with channel.read() and writes with channel.send()."""

    def __init__(self, talk):
        self.talk = talk


class Stream:
    """An EventSource: each item of events(request) is a text or a number of seconds to wait."""

    def __init__(self, events, kind="text/event-stream"):
        self.events, self.kind = events, kind


def ok(value, **more):
    return Reply(200, value, **more)


def fail(status, value=None, **more):
    return Reply(status, {"error": "error"} if value is None else value, **more)


def empty(status=204, **more):
    return Reply(status, b"", **more)


def html(text, status=200, **more):
    return Reply(status, text, "text/html; charset=utf-8", **more)


def script(text, **more):
    return Reply(200, text, "text/javascript; charset=utf-8", **more)


def moved(to, status=302):
    return Reply(status, b"", "text/plain", [("Location", to)])


def never():
    return Reply(never=True)


# A tag of an advertiser that throws: somebody else's fault, and without effect.
BROKEN_TAG = script("console.warn('[tag] slot is not viewable'); null.bid();")

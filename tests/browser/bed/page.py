"""One page of the test bed.

    routes   "METHOD /path" or "METHOD other:/path" -> a reply or a function that makes one
    swaps    script -> [(text as it is, text of this page)]: each text has to occur exactly once
    headers  further headers of its documents
    slow     script -> seconds until it is sent
    expect   what a diagnosis has to say, see expected.json; nothing for a healthy page
"""


class Page:
    def __init__(self, ident, prefix, path, steps=(), routes=None, swaps=None, headers=(), slow=None,
                 **expect):
        self.id, self.prefix, self.path, self.steps = ident, prefix, path, [list(step) for step in steps]
        self.app = path.split("/")[1].partition("?")[0]
        self.routes, self.swaps, self.slow = routes or {}, swaps or {}, slow or {}
        self.headers, self.expect = list(headers), expect
        self.healthy = not expect

    def changed(self, name, text):
        """The text of a file of the applications as this page has it."""
        for old, new in self.swaps.get(name, ()):
            if text.count(old) != 1:
                raise ValueError(f"{self.id}: {name} has {text.count(old)} times {old!r}")
            text = text.replace(old, new)
        return text

    def expected(self):
        return {"id": self.id, "page": f"/{self.prefix}{self.path}", "app": self.app, "steps": self.steps,
                "healthy": self.healthy, **self.expect}

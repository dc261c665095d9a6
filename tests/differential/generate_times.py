"""Instants, intervals, annotations and windows of random programs."""
from generate_tables import BEYOND, NOW
from values import time_text

MINUTE = 60 * 10**9
SPAN_TEXTS = ["0s", "1m", "2m", "90s", "3m", "1h", "300ms", "1m30s", "5m"]


class Times:
    """The part of a Generator that is about time."""

    def instant(self):
        ns = NOW + self.rng.randint(-6, 6) * MINUTE
        if self.chance(0.15):
            ns += self.rng.choice([-1, 1])
        return ns

    def instant_text(self, dialect=True):
        text = time_text(self.instant())
        if dialect and self.beyond and self.chance(0.15):
            return '"%s"' % text
        return text

    def fact_interval(self):
        roll = self.rng.random()
        if roll < 0.3:
            return "@[%s]" % self.instant_text()
        if roll < 0.4:
            return self.rng.choice(["@[_, _]", "@[_]"])
        start, end = sorted([self.instant(), self.instant()])
        ends = [time_text(start), time_text(end)]
        if roll < 0.55:
            ends[self.rng.randrange(2)] = "_"
        elif roll < 0.6:
            ends[self.rng.randrange(2)] = "now"
        return "@[%s]" % ", ".join(ends)

    def bound(self, body, fresh):
        roll = self.rng.random()
        if roll < 0.45 and fresh:
            return body.fresh("t")
        sort = "x" if self.mixing and self.chance(0.1) else "t"
        if roll < 0.65 and body.of(sort):
            return self.rng.choice(body.of(sort))
        return self.rng.choice(["_", "now", self.instant_text(), "_"])

    def annotation(self, body, fresh=True):
        if self.chance(0.3):
            return "@[%s]" % self.bound(body, fresh)
        return "@[%s, %s]" % (self.bound(body, fresh), self.bound(body, fresh))

    def window(self, known):
        op = self.rng.choice(["<-", "[-", "<+", "[+"])
        spans = [t for t in SPAN_TEXTS if self.beyond or t not in BEYOND]
        if self.beyond and self.chance(0.3):
            return "%s[%s] " % (op, self.rng.choice(spans + ["120000"]))
        ends = []
        for _ in range(2):
            ends.append(self.rng.choice(spans * 2 + ["_", "now", self.instant_text()]))
        times = [v for v, sort in known.items() if sort in "td"]
        if times and self.chance(0.2):
            ends[self.rng.randrange(2)] = self.rng.choice(times)
        return "%s[%s, %s] " % (op, *ends)

    def timed(self, text, body, known, own):
        """The atom with a window, an annotation or both. known: what is bound before it."""
        self.feature("temporal")
        if not self.chance(0.45):
            return text + self.annotation(body, True)
        self.feature("windows")
        window = self.window(known)
        if self.chance(0.6):
            return window + text
        return window + text + self.annotation(body, not (own and window[0] == "["))

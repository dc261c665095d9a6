"""What a run of random programs says: counts, and the lines of the report."""
import collections

DANGEROUS = "dangerous recursion"
REFUSED_THERE, FACTS_DIFFER, FAILS_HERE = "refused there", "facts differ", "fails here"


def how_they_differ(ours, theirs):
    """Of two results that differ: who says no, or that both have facts."""
    if ours[0] != "facts":
        return FAILS_HERE
    return FACTS_DIFFER if theirs[0] == "facts" else REFUSED_THERE

HOW_TO_GET_GO = "judge (b) needs Go 1.23 or newer (https://go.dev/dl) and its module proxy"


def share(count, of):
    return "%.1f%%" % (100 * count / max(1, of))


class Totals:
    """without: why there is no judge (b), or ""."""

    def __init__(self, against, without, narrow=False):
        self.without, self.narrow = without, narrow
        self.by_a, self.by_b = against != "reference", against != "naive"
        self.counts = collections.Counter()
        self.features, self.quirks = collections.Counter(), collections.Counter()

    def add(self, outcome):
        c = self.counts
        c["programs"] += 1
        c["facts"] += outcome["facts"]
        c[outcome["kind"]] += 1
        c["with facts"] += outcome["facts"] > 0
        for name in ("replaced", "barren", "timeouts", "agreed"):
            c[name] += outcome[name]
        c[outcome["how"]] += 1
        for judge, _ in outcome["reports"]:
            c[judge] += 1
            c["different"] += 1
        self.features.update(outcome["features"])
        c["not compared"] += DANGEROUS in outcome["quirks"]
        quirks = [q for q in outcome["quirks"] if q != DANGEROUS]
        c["explained"] += bool(quirks)
        self.quirks.update(quirks)

    def lines(self, seconds):
        c, n = self.counts, self.counts["programs"]
        yield "programs                 %7d  in %.0f s" % (n, seconds)
        yield "  derive facts           %7d  %s, %.1f facts each" % (
            c["with facts"], share(c["with facts"], n), c["facts"] / max(1, c["with facts"]))
        yield "  fail                   %7d  %s" % (c["error"], share(c["error"], n))
        yield "  replaced               %7d  too much for judge (a) or for the limits" % c["replaced"]
        yield "                         %7d  derived nothing" % c["barren"]
        yield "what is in them"
        for name, count in self.features.most_common():
            yield "  %-22s %7d  %s" % (name, count, share(count, n))
        if self.by_a:
            yield "judge (a), naive evaluation"
            yield "  differences            %7d" % c["judge (a)"]
        if self.by_b:
            yield "judge (b), Go implementation"
            yield from self.about_b(n)

    def about_b(self, n):
        c = self.counts
        if self.without:
            yield "  skipped                %7d  %s" % (n, self.without)
            yield "  " + HOW_TO_GET_GO
            return
        yield "  agreed                 %7d  %s" % (c["agreed"], share(c["agreed"], n))
        yield "  explained by quirks    %7d  %s" % (c["explained"], share(c["explained"], n))
        yield "  not compared           %7d  %s; recursion that it never allows" % (
            c["not compared"], share(c["not compared"], n))
        yield "  unexplained            %7d" % c["judge (b)"]
        yield "what differs, explained or not"
        for how in (REFUSED_THERE, FACTS_DIFFER, FAILS_HERE):
            yield "  %-22s %7d  %s" % (how, c[how], share(c[how], n))
        yield "  gave up (in the above) %7d" % c["timeouts"]
        yield "programs in which a quirk made a difference"
        for name, count in sorted(self.quirks.items(), key=lambda q: (-q[1], q[0])):
            yield "  %-22s %7d" % (name, count)

    def tap(self):
        judges = ["judge (a)"] * self.by_a + ["judge (b)"] * self.by_b
        for at, judge in enumerate(judges, 1):
            skip = " # SKIP " + HOW_TO_GET_GO if judge == "judge (b)" and self.without else ""
            yield "%s %d - %s on %d random programs%s" % (
                "not ok" if self.counts[judge] else "ok", at, judge, self.counts["programs"], skip)
        if self.narrow:
            clean = self.counts["agreed"] >= 0.9 * self.counts["programs"]
            yield "%s %d - judge (b) agrees on 90 %% of the programs with one trigger at most%s" % (
                "ok" if clean or self.without else "not ok", len(judges) + 1,
                " # SKIP " + HOW_TO_GET_GO if self.without else "")
        yield "1..%d" % (len(judges) + self.narrow)

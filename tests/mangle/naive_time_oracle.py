#!/usr/bin/env python3
"""The same as naive_oracle.py for temporal premises: containment, binding, windows, negation.

    naive_time_oracle.py MANGLE [SEED...]

Programs are not recursive. Instants are whole milliseconds around the epoch, NOW among them; an
atom's intervals are kept merged (M-TEMP-72), so facts may overlap and touch.
"""
import os
import random
import subprocess
import sys
import tempfile

NOW = 4
NEVER, ALWAYS = -10**9, 10**9  # the open ends
WINDOWS = ["<-", "[-", "<+", "[+"]


def instant_text(ms):
    day = "1970-01-01T00:00:00" if ms >= 0 else "1969-12-31T23:59:59"
    fraction = ("%03d" % (ms % 1000)).rstrip("0")
    return day + ("." + fraction if fraction else "") + "Z"


# A bound is ("at", ms), ("now",), ("_",), ("for", ms) in windows only, or ("var", name).
def bound_text(b):
    if b[0] == "at":
        return instant_text(b[1])
    if b[0] == "for":
        return "%dms" % b[1]
    return b[1] if b[0] == "var" else b[0]


def resolve(b, row, side):
    """An instant, or None for a variable without a value. side: NEVER or ALWAYS for `_`."""
    if b[0] == "var":
        return row.get(b[1])
    return {"at": b[-1], "now": NOW, "_": side}[b[0]]


class Premise:
    def __init__(self, pred, args, window, annotation, negated):
        self.pred, self.args, self.negated = pred, args, negated
        self.window, self.annotation = window, annotation

    def text(self):
        out = "!" if self.negated else ""
        if self.window:
            out += "%s[%s, %s] " % ((self.window[0],) + tuple(map(bound_text, self.window[1:])))
        out += "%s(%s)" % (self.pred, ", ".join(map(str, self.args)))
        if self.annotation:
            out += "@[%s]" % ", ".join(map(bound_text, self.annotation))
        return out

    def span(self):
        """What the window is, lower end first (M-TEMP-50, 51)."""
        past = self.window[0] in ("<-", "[-")
        ends = []
        for b in self.window[1:]:
            if b[0] == "for":
                ends.append(NOW - b[1] if past else NOW + b[1])
            else:
                ends.append(resolve(b, {}, NEVER if past else ALWAYS))
        return min(ends), max(ends)

    def counts(self, s, e, row):
        """The row that the interval gives, or None."""
        if self.window:
            lo, hi = self.span()
            some = self.window[0] in ("<-", "<+")
            if not (s <= hi and lo <= e if some else s <= lo and hi <= e):
                return None
        if not self.annotation:
            return row
        first, last = self.annotation[0], self.annotation[-1]
        start, end = resolve(first, row, NEVER), resolve(last, row, ALWAYS)
        if start is not None and end is not None:  # containment (M-TEMP-30)
            return row if s <= start and end <= e else None
        out = dict(row)
        if start is None:
            out[first[1]] = s
        elif first[0] != "_" and not s <= start:
            return None
        if end is None:
            out.setdefault(last[1], e)  # @[T]: the start only (M-TEMP-33)
        elif last[0] != "_" and not end <= e:
            return None
        return out

    def solutions(self, row, facts):
        out = []
        for atom, spans in facts[self.pred].items():
            bound = dict(row)
            for arg, value in zip(self.args, atom):
                if isinstance(arg, int):
                    if arg != value:
                        break
                elif arg != "_" and bound.setdefault(arg, value) != value:
                    break
            else:
                found = [self.counts(s, e, bound) for s, e in spans]
                out += [r for r in found if r is not None]
        if self.negated:
            return [] if out else [row]
        return out


def add(facts, pred, atom, start, end):
    """One interval more, merged with what it overlaps or touches."""
    spans = facts[pred].setdefault(atom, [])
    for s, e in [x for x in spans if x[0] <= end and start <= x[1]]:
        spans.remove((s, e))
        start, end = min(start, s), max(end, e)
    spans.append((start, end))
    spans.sort()


class Program:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.facts, self.rules, self.temporal = [], [], {}
        for i in range(2):
            self.temporal["e%d" % i] = True
            for _ in range(rng.randint(2, 6)):
                self.facts.append(("e%d" % i, rng.randint(0, 2), self.interval()))
        for i in range(rng.randint(1, 4)):
            below = [p for p in self.temporal if self.temporal[p]]
            for _ in range(rng.randint(1, 2)):
                self.rules.append(self.rule("p%d" % i, below, i))
            self.temporal["p%d" % i] = i % 3 != 2

    def interval(self):
        start = self.rng.choice([NEVER] + list(range(-9, 10)))
        end = self.rng.choice([ALWAYS, start, start + 1, start + 3, start + 8])
        return (start, max(end, -9) if start == NEVER else end)

    def bound(self, names):
        kinds = [("at", self.rng.randint(-9, 10)), ("now",), ("_",)]
        return self.rng.choice(kinds + [("var", n) for n in names] * 2)

    def window(self):
        if self.rng.random() < 0.5:
            return None
        ends = [("for", self.rng.randint(0, 12)), ("for", self.rng.randint(0, 12)), ("now",),
                ("at", self.rng.randint(-9, 10)), ("_",)]
        return (self.rng.choice(WINDOWS), self.rng.choice(ends), self.rng.choice(ends))

    def premise(self, below, names, negated):
        window = self.window()
        annotation = None
        if not window or self.rng.random() < 0.4:
            annotation = [self.bound(names) for _ in range(self.rng.randint(1, 2))]
        arg = self.rng.choice(["X", "X", "_", 1])
        return Premise(self.rng.choice(below), [arg], window, annotation, negated)

    def rule(self, head, below, level):
        rng = self.rng
        first = Premise(rng.choice(below), ["X"], None, [("var", "S"), ("var", "F")], False)
        body = [first] + [self.premise(below, ["S", "F", "T", "U"], False)
                          for _ in range(rng.randint(0, 2))]
        names = sorted({b[1] for p in body for b in p.annotation or [] if b[0] == "var"})
        if rng.random() < 0.5:
            body.append(self.premise(below, names, True))
        annotation = [self.bound(names), self.bound(names)] if level % 3 != 2 else None
        return head, body, annotation


def evaluate(program):
    facts = {pred: {} for pred in program.temporal}
    for pred, value, (start, end) in program.facts:
        add(facts, pred, (value,), start, end)
    for head, body, annotation in program.rules:
        rows = [{}]
        for premise in body:
            rows = [n for row in rows for n in premise.solutions(row, facts)]
        for row in rows:
            start, end = NEVER, ALWAYS
            if annotation:
                start = resolve(annotation[0], row, NEVER)
                end = resolve(annotation[1], row, ALWAYS)
                start = NEVER if start == ALWAYS else start  # M-TEMP-3
                end = ALWAYS if end == NEVER else end
            if start <= end:
                add(facts, head, (row["X"],), start, end)
    lines = []
    for head in sorted({r[0] for r in program.rules}):
        for atom in sorted(facts[head]):
            for s, e in facts[head][atom]:
                ends = ["_" if x in (NEVER, ALWAYS) else instant_text(x) for x in (s, e)]
                when = "@[%s]" % (ends[0] if s == e else ", ".join(ends))
                lines.append("%s(%d)%s.\n" % (head, atom[0], when if program.temporal[head] else ""))
    return "".join(lines)


def program_text(program):
    lines = ["Decl %s(A)%s.\n" % (p, " temporal" if t else "")
             for p, t in program.temporal.items()]
    for pred, value, (start, end) in program.facts:
        ends = ["_" if x in (NEVER, ALWAYS) else instant_text(x) for x in (start, end)]
        lines.append("%s(%d)@[%s].\n" % (pred, value, ", ".join(ends)))
    for head, body, annotation in program.rules:
        when = "@[%s]" % ", ".join(map(bound_text, annotation)) if annotation else ""
        lines.append("%s(X)%s :- %s.\n" % (head, when, ", ".join(p.text() for p in body)))
    program.rng.shuffle(lines)
    return "".join(lines)


def main():
    mangle, seeds = sys.argv[1], [int(s) for s in sys.argv[2:]] or range(300)
    wrong = lines = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.mg")
        for seed in seeds:
            program = Program(seed)
            text = program_text(program)
            with open(path, "w") as f:
                f.write(text)
            run = subprocess.run([mangle, "run", path, "--eval-time", instant_text(NOW)],
                                 capture_output=True, timeout=60)
            got = run.stdout.decode() if run.returncode == 0 else run.stderr.decode()
            expected = evaluate(program)
            lines += expected.count("\n")
            if got != expected:
                wrong += 1
                report = "%s=> expected\n%s=> got\n%s" % (text, expected, got)
                print("# seed %d\n#   %s" % (seed, report.replace("\n", "\n#   ")))
    print("%s 1 - %d random temporal programs give what a naive evaluator gives (%d facts)"
          % ("not ok" if wrong else "ok", len(seeds), lines))
    print("1..1")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

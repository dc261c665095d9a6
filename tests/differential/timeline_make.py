"""Random temporal programs as plain data, and their text. What they mean: timeline_truth.py.

A bound is ("at", ns), ("now",), ("open",), ("for", ns) or ("var", name). A filter is a tuple whose
first item says which. Terms are numbers, ("time", ns), ("duration", ns), and variables as strings.
"""
import copy
import datetime
import random

from timeline_truth import MAX, MIN, Timeline

WINDOWS = ["<-", "[-", "<+", "[+"]
RELATIONS = ["before", "after", "meets", "overlaps", "during", "contains", "starts", "finishes",
             "equals"]
SCALES = [(1, 10), (2, 3), (1000000, 2), (10**9, 2), (3600 * 10**9, 1), (86400 * 10**9, 2)]
TICKS = 18
LOW, HIGH = 4, 13  # ticks that programs write: what rules add to them stays on the timeline


class Pred:
    def __init__(self, temporal, columns):
        self.temporal, self.columns = temporal, columns


class Premise:
    def __init__(self, pred, args, window=None, annotation=None, negated=False):
        self.pred, self.args, self.window = pred, args, window
        self.annotation, self.negated = annotation, negated


class Rule:
    def __init__(self, pred, args, annotation, body, kind="plain", keys=(), lets=()):
        self.pred, self.args, self.annotation, self.body = pred, args, annotation, body
        self.kind, self.keys, self.lets = kind, list(keys), list(lets)


class Program:
    def __init__(self, line):
        self.line, self.preds, self.facts, self.rules = line, {}, [], []

    def copy(self):
        return copy.deepcopy(self)


def pick(rng, weighted):
    return rng.choices([w[0] for w in weighted], [w[1] for w in weighted])[0]


def make_timeline(rng):
    scale = pick(rng, SCALES)
    first = pick(rng, [(-9 * scale, 3),
                       (1709164800 * 10**9 - 8 * scale, 3),  # 2024-02-29
                       (-315619200 * 10**9 - 5 * scale, 1),  # 1960
                       (MAX - 1 - (TICKS - 1) * scale, 2), (MIN + 1, 2)])
    line = Timeline(first, scale, TICKS, 0)
    if abs(first) > MAX // 2:  # windows reach beyond the end of time
        line.now = line.tick(rng.randint(1, 6) if first < 0 else TICKS - rng.randint(2, 7))
        return line
    if scale == SCALES[-1][0]:
        line.first -= first % scale  # dates without a time
    line.now = line.tick(rng.randint(LOW, HIGH))
    return line


class Maker:
    """One program. Every name begins with `prefix`, so that programs can be put together."""

    def __init__(self, seed, line, prefix):
        self.rng, self.line, self.prefix = random.Random(seed), line, prefix
        self.p = Program(line)

    # ---- bounds ------------------------------------------------------------------------------------

    def tick(self):
        return self.line.tick(self.rng.randint(LOW, HIGH))

    def length(self):
        return self.rng.randint(0, self.rng.choice([2, 5, 12])) * self.line.scale

    def number(self):
        return self.rng.choice([0, 0, 1, 1, 2])

    def columns(self):
        return ["num"] * self.rng.choice([1, 1, 2])

    def bound(self, names, wide=1):
        return pick(self.rng, [(("at", self.tick()), 3), (("now",), 1), (("open",), wide)] +
                    [(("var", n), 2) for n in names])

    def window(self, names):
        if self.rng.random() < 0.15:
            return (self.rng.choice(WINDOWS), ("for", self.length()))

        def end():
            return pick(self.rng, [(("for", self.length()), 6), (("now",), 1), (("open",), 1),
                                   (("at", self.tick()), 2)] + [(("var", n), 1) for n in names])
        return (self.rng.choice(WINDOWS), end(), end())

    # ---- what is given ---------------------------------------------------------------------------------

    def interval(self, after=None):
        """after: an earlier one, to touch or nearly touch."""
        start = self.rng.randint(LOW, HIGH)
        if after and after[1][0] == "at":
            start = (after[1][1] - self.line.first) // self.line.scale
            start = min(HIGH, start + self.rng.randint(0, 2))
        end = min(HIGH, start + pick(self.rng, [(0, 3), (1, 2), (2, 2), (4, 2), (9, 1)]))
        ends = [("at", self.line.tick(start)), ("at", self.line.tick(end))]
        if self.rng.random() < 0.12:
            ends[0] = ("open",)
        if self.rng.random() < 0.12:
            ends[1] = ("open",)
        if self.rng.random() < 0.06:
            ends[self.rng.randrange(2)] = ("now",)
        return tuple(ends)

    def given(self):
        for i in range(self.rng.randint(1, 3)):
            name = "%se%d" % (self.prefix, i)
            columns = self.columns()
            self.p.preds[name] = Pred(True, columns)
            args, when = None, None
            for _ in range(self.rng.randint(3, 9)):
                if not args or self.rng.random() < 0.6:
                    args, when = tuple(self.number() for _ in columns), None
                when = self.interval(when)
                self.p.facts.append((name, args, when))
        name = self.prefix + "n"
        self.p.preds[name] = Pred(False, ["num"])
        for value in self.rng.sample(range(3), self.rng.randint(1, 3)):
            self.p.facts.append((name, (value,), None))
        name, kind = self.prefix + "k", self.rng.choice(["time", "duration", "ns"])
        self.p.preds[name] = Pred(False, ["num", kind])
        for _ in range(self.rng.randint(1, 3)):
            value = {"time": ("time", self.tick()), "duration": ("duration", self.length()),
                     "ns": self.tick()}[kind]
            fact = (name, (self.number(), value), None)
            if fact not in self.p.facts:
                self.p.facts.append(fact)

    # ---- rules -----------------------------------------------------------------------------------------

    def name_for(self, kind, known, fresh):
        """A variable of this kind: one that is known, or a new one."""
        names = [n for n, k in known.items() if k == kind]
        if names and self.rng.random() < (0.6 if fresh else 1):
            return self.rng.choice(names)
        if not fresh:
            return None
        name = {"num": "X", "time": "T", "duration": "D", "ns": "N"}[kind] + str(len(known))
        known[name] = kind
        return name

    def arguments(self, pred, known):
        args = []
        for kind in self.p.preds[pred].columns:
            shape = self.rng.random()
            if shape < 0.15:
                args.append("_")
            elif shape < 0.25 and kind == "num":
                args.append(self.number())
            else:
                args.append(self.name_for(kind, known, True))
        return args

    def positive(self, below, component, known):
        pred = self.rng.choice(component if component and self.rng.random() < 0.5 else below)
        instants = [n for n, k in known.items() if k in ("time", "ns")]
        spans = [n for n, k in known.items() if k == "duration"]
        args = self.arguments(pred, known)
        if not self.p.preds[pred].temporal:
            return Premise(pred, args)
        window = self.window(instants + spans) if self.rng.random() < 0.4 else None
        annotation = None
        if not window or self.rng.random() < 0.35:
            box = window and window[0][0] == "["
            may_bind = not (box and pred in component)  # what is bound would depend on the order
            annotation = self.annotation(instants, known, may_bind)
        return Premise(pred, args, window, annotation)

    def annotation(self, instants, known, may_bind):
        shape = self.rng.random()
        if shape < 0.5 and may_bind:
            names = [self.fresh_instant(known) for _ in range(2)]
            return [("var", names[0]), ("var", names[1])]
        out = [self.bound(instants) for _ in range(self.rng.choice([1, 2, 2]))]
        if shape < 0.75 and may_bind:
            out[self.rng.randrange(len(out))] = ("var", self.fresh_instant(known))
        return out

    def fresh_instant(self, known):
        name = "S%d" % len(known)
        known[name] = "time"
        return name

    def negated(self, below, known):
        pred = self.rng.choice(below)
        args = []
        for kind in self.p.preds[pred].columns:
            name = self.name_for(kind, known, False)
            args.append(name if name and self.rng.random() < 0.7 else "_")
        if not self.p.preds[pred].temporal:
            return Premise(pred, args, negated=True)
        instants = [n for n, k in known.items() if k in ("time", "ns")]
        spans = [n for n, k in known.items() if k == "duration"]
        window = self.window(instants + spans) if self.rng.random() < 0.5 else None
        annotation = None
        if not window or self.rng.random() < 0.3:
            annotation = [self.bound(instants) for _ in range(self.rng.choice([1, 2, 2]))]
            if self.rng.random() < 0.2:
                annotation[self.rng.randrange(len(annotation))] = ("var", "Any")
        return Premise(pred, args, window, annotation, True)

    def filters(self, known):
        times = [n for n, k in known.items() if k == "time"]
        numbers = [n for n, k in known.items() if k == "num"]
        out = []
        if times and self.rng.random() < 0.35:
            right = self.rng.choice(times + [("time", self.tick())] * 2)
            out.append(("compare", self.rng.choice(["lt", "le", "gt", "ge"]),
                        self.rng.choice(times), right))
        if len(numbers) > 1 and self.rng.random() < 0.25:
            out.append(("differ",) + tuple(self.rng.sample(numbers, 2)))
        if len(times) > 1 and self.rng.random() < 0.3:
            out.append(("relation", self.rng.choice(RELATIONS),
                        [self.rng.choice(times + [("time", self.tick())]) for _ in range(4)]))
        if times and self.rng.random() < 0.2:
            out += self.sum_of(self.rng.choice(times), known)
        return out

    def sum_of(self, name, known):
        """Guards, so that the sum stays on the timeline, then the sum."""
        by = self.rng.randint(-4, 4) * self.line.scale
        new = "A%d" % len(known)
        known[new] = "time"
        return [("compare", "ge", name, ("time", self.line.tick(LOW))),
                ("compare", "le", name, ("time", self.line.tick(HIGH))),
                ("add", new, name, by)]

    def head_args(self, pred, known):
        args = []
        for kind in self.p.preds[pred].columns:
            constant = self.number() if kind == "num" else ("time", self.tick())
            args.append(self.name_for(kind, known, False) or constant)
        return args

    def random_rule(self, pred, below, component):
        known, body = {}, []
        for i in range(pick(self.rng, [(1, 3), (2, 5), (3, 2)])):
            body.append(self.positive(below, component, known))
            body += self.filters(known)
        rule, bound = Rule(pred, [], None, body), dict(known)
        transform = self.rng.random()
        inside = any(not isinstance(m, tuple) and m.pred in component for m in body)
        if transform < 0.15:
            self.let(rule, known)
        elif transform < 0.35 and not inside:
            known = self.group(rule, known)
        if rule.kind != "do" and self.rng.random() < 0.35:
            body.insert(self.rng.randint(0, len(body)), self.negated(below, bound))
        rule.args = self.head_args(pred, known)
        if self.p.preds[pred].temporal:
            instants = [n for n, k in known.items() if k in ("time", "ns")] * 2
            rule.annotation = [self.bound(instants) for _ in range(self.rng.choice([1, 2, 2, 2]))]
        return rule

    def let(self, rule, known):
        times = [n for n, k in known.items() if k == "time"]
        if times:
            name = self.rng.choice(times)
            guards = self.sum_of(name, known)
            rule.body += guards[:2]
            rule.kind, rule.lets = "let", [(guards[2][1], name, guards[2][3])]

    def group(self, rule, known):
        keys = [n for n in known if self.rng.random() < 0.4]
        after = {k: known[k] for k in keys}
        rule.kind, rule.keys = "do", keys
        for i in range(self.rng.randint(1, 2)):
            kind = self.rng.choice(list(known.values()) or ["none"])
            argument = self.rng.choice([n for n in known if known[n] == kind] or [None])
            reducer = self.rng.choice({"num": ["sum", "min", "max"],
                                       "time": ["time:min", "time:max"]}.get(kind, ["count"]))
            if self.rng.random() < 0.3:
                reducer = "count"
            name = "R%d" % i
            rule.lets.append((name, reducer, None if reducer == "count" else argument))
            after[name] = "time" if reducer.startswith("time") else "num"
        return after

    # ---- recursion as people write it --------------------------------------------------------------------

    def meet(self, pred, edge):
        """Ways through time: each step cuts the interval down (M-TEMP-13)."""
        span = [("var", "S1"), ("var", "F1")], [("var", "S2"), ("var", "F2")]
        first, second = (pred, edge) if self.rng.random() < 0.7 else (pred, pred)
        wide = len(self.p.preds[edge].columns) == 2 and len(self.p.preds[pred].columns) == 2
        args = (["X", "Y"], ["Y", "Z"], ["X", "Z"]) if wide else None
        if not wide:
            args = [self.arguments(n, {"X": "num"}) for n in (first, second)]
            args = [[a if isinstance(a, int) or a == "_" else "X" for a in row] for row in args]
            args.append(["X" if any("X" in a for a in args) else 1
                         for _ in self.p.preds[pred].columns])
        cases = [(a, b) for a in ("lt", "ge") for b in ("le", "gt")]
        rules = []
        for a, b in self.rng.sample(cases, self.rng.randint(2, 4)):
            start = "S2" if a == "lt" else "S1"
            end = "F1" if b == "le" else "F2"
            body = [Premise(first, list(args[0]), None, span[0]),
                    Premise(second, list(args[1]), None, span[1]),
                    ("compare", a, "S1", "S2"), ("compare", b, "F1", "F2")]
            rules.append(Rule(pred, list(args[2]), [("var", start), ("var", end)], body))
        return rules

    def follow(self, pred):
        """The same thing a little later, as long as it is not too late."""
        known = {"X": "num", "S": "time", "F": "time"}
        args = ["X" if i == 0 else "_" for i in range(len(self.p.preds[pred].columns))]
        annotation = [("var", "S"), ("var", "F")]
        sums = self.sum_of("F", known)
        head = ["X" if i == 0 else self.number() for i in range(len(args))]
        end = self.rng.choice([("var", sums[2][1]), ("var", "F"), ("now",)])
        return [Rule(pred, head, [("var", sums[2][1]), end],
                     [Premise(pred, args, None, annotation)] + sums)]

    def seam(self, pred, below):
        """Two pieces that touch, or nearly, and a look across while the fixpoint is at work."""
        first = self.rng.randint(LOW, HIGH - 3)
        middle = self.rng.randint(first, HIGH - 2)
        second = middle + self.rng.randint(0, 2)
        last = self.rng.randint(second, HIGH)
        known, rules = {}, []
        here = [self.number() for _ in self.p.preds[pred].columns]
        for a, b in ((first, middle), (second, last)):
            known = {}
            body = [self.positive(below, [], known)]
            rules.append(Rule(pred, here, [("at", self.line.tick(a)), ("at", self.line.tick(b))],
                              body))
        ends = [("at", self.line.tick(self.rng.randint(first, middle))),
                ("at", self.line.tick(self.rng.randint(second, last)))]
        window = (self.rng.choice(WINDOWS),) + tuple(self.rng.sample(ends, 2))
        look = (Premise(pred, here, window) if self.rng.random() < 0.6
                else Premise(pred, here, None, ends))
        there = [self.rng.choice([3, self.number()]) for _ in here]
        rules.append(Rule(pred, there, [self.bound([]), self.bound([])], [look]))
        return rules

    def level(self, number):
        below = list(self.p.preds)
        temporal = [self.rng.random() < 0.75 for _ in range(1 + (self.rng.random() < 0.25))]
        names = []
        for i, is_temporal in enumerate(temporal):
            name = "%sp%d%s" % (self.prefix, number, "ab"[i])
            columns = self.columns()
            if not is_temporal and self.rng.random() < 0.5:
                columns.append("time")
            self.p.preds[name] = Pred(is_temporal, columns)
            names.append(name)
            if is_temporal and self.rng.random() < 0.35:
                for _ in range(self.rng.randint(1, 3)):
                    args = tuple(self.number() for _ in columns)
                    self.p.facts.append((name, args, self.interval()))
        recursive = self.rng.random() < 0.5
        for name in names:
            for _ in range(self.rng.randint(1, 2)):
                self.p.rules.append(self.random_rule(name, below, []))
            if recursive:
                for _ in range(self.rng.randint(0, 2)):
                    self.p.rules.append(self.random_rule(name, below, names))
            if recursive and self.p.preds[name].temporal and self.rng.random() < 0.4:
                edges = [n for n in below if self.p.preds[n].temporal]
                shape = self.rng.random()
                self.p.rules += (self.meet(name, self.rng.choice(edges)) if shape < 0.5 else
                                 self.seam(name, below) if shape < 0.75 else self.follow(name))

    def make(self):
        self.given()
        for i in range(self.rng.randint(1, 3)):
            self.level(i)
        return self.p


# ---- text ------------------------------------------------------------------------------------------------


def stamp(ns, zone_minutes=0):
    seconds, fraction = divmod(ns, 10**9)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(
        seconds=seconds + 60 * zone_minutes)
    text = moment.isoformat()
    if fraction:
        text += "." + ("%09d" % fraction).rstrip("0")
    if not zone_minutes:
        return text + "Z"
    return text + "%s%02d:%02d" % (("+" if zone_minutes > 0 else "-",) +
                                   divmod(abs(zone_minutes), 60))


def value_text(value):
    if isinstance(value, tuple):
        if value[0] == "time":
            return 'fn:time:parse_rfc3339("%s")' % stamp(value[1])
        return "fn:duration:from_nanos(%d)" % value[1]
    return str(value)


def duration_text(ns, form):
    for unit, size in (("d", 86400 * 10**9), ("h", 3600 * 10**9), ("s", 10**9), ("ms", 10**6)):
        if ns % size == 0 and (unit != "d" or form % 2):
            if unit == "ms" and form % 3 == 0:
                return "%d" % (ns // size)  # M-SYN-43
            return "%d%s" % (ns // size, unit)
    return "%dns" % ns


def bound_text(bound, form):
    """`form` chooses among the spellings of one instant."""
    if bound[0] == "at":
        ns = bound[1]
        if form % 5 == 0 and ns % (86400 * 10**9) == 0:
            return stamp(ns)[:10]
        if form % 5 == 1 and MIN // 2 < ns < MAX // 2:
            return '"%s"' % stamp(ns, (form % 7 - 3) * 75)
        if form % 5 == 2 and MIN // 2 < ns < MAX // 2:
            return stamp(ns, 90)
        if form % 5 == 3:
            return stamp(ns)[:-1]
        return stamp(ns)
    if bound[0] == "for":
        return duration_text(bound[1], form)
    return {"now": "now", "open": "_", "var": bound[-1]}[bound[0]]


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def bounds(self, bounds):
        return "[%s]" % ", ".join(bound_text(b, self.rng.randrange(210)) for b in bounds)

    def fact(self, fact):
        pred, args, when = fact
        at = "@" + self.bounds(when) if when else ""
        return "%s(%s)%s." % (pred, ", ".join(map(value_text, args)), at)

    def premise(self, m):
        if isinstance(m, tuple):
            if m[0] == "compare":
                return ":time:%s(%s, %s)" % (m[1], value_text(m[2]), value_text(m[3]))
            if m[0] == "differ":
                return "%s != %s" % (m[1], m[2])
            if m[0] == "add":
                return "%s = fn:time:add(%s, fn:duration:from_nanos(%d))" % m[1:]
            return ":interval:%s(fn:pair(%s, %s), fn:pair(%s, %s))" % (
                (m[1],) + tuple(map(value_text, m[2])))
        text = "!" if m.negated else ""
        if m.window:
            text += m.window[0] + self.bounds(m.window[1:]) + " "
        text += "%s(%s)" % (m.pred, ", ".join(map(value_text, m.args)))
        return text + ("@" + self.bounds(m.annotation) if m.annotation else "")

    def rule(self, r):
        at = "@" + self.bounds(r.annotation) if r.annotation else ""
        text = "%s(%s)%s :- %s" % (r.pred, ", ".join(map(value_text, r.args)), at,
                                   ", ".join(map(self.premise, r.body)))
        if r.kind == "let":
            text += " |> " + ", ".join(
                "let %s = fn:time:add(%s, fn:duration:from_nanos(%d))" % each for each in r.lets)
        if r.kind == "do":
            text += " |> do fn:group_by(%s), " % ", ".join(r.keys) + ", ".join(
                "let %s = fn:%s(%s)" % (n, f, a or "") for n, f, a in r.lets)
        return text + "."


def program_text(program, seed):
    writer = Writer(seed)
    lines = ["Decl %s(%s)%s." % (name, ", ".join("ABC"[:len(p.columns)]),
                                 " temporal" if p.temporal else "")
             for name, p in program.preds.items()]
    lines += [writer.fact(f) for f in program.facts] + [writer.rule(r) for r in program.rules]
    writer.rng.shuffle(lines)
    return "".join(line + "\n" for line in lines)


def fact_text(fact):
    """As `mangle run` prints it: M-TEMP-60, and durations as M-VAL-69 has them."""
    pred, args, start, end = fact
    text = "%s(%s)" % (pred, ",".join(map(value_text, args)))
    if start is None:
        return text + "."
    ends = ["_" if ns in (MIN, MAX) else stamp(ns) for ns in (start, end)]
    return text + ("@[%s]." % ends[0] if start == end else "@[%s]." % ", ".join(ends))

"""What a temporal program means, by looking at every instant (mangle.md section 14).

There are no interval operations here. Time is a short row of cells: one for everything before the
first tick, one per tick, one between two ticks that are more than a nanosecond apart, and one for
everything after the last tick. The instants at which a fact holds are a set of cells, kept as the
bits of an integer; "always in the window", "once in the window" and "holds from then to then" are
questions about those cells, and what rules see as an interval is a maximal run of them.

A program is what timeline_make.py makes: plain data. Values are numbers, ("time", ns) and
("duration", ns), and names as strings.
"""

MIN, MAX = -2**63, 2**63 - 1  # as ends of intervals: no end


class Outside(Exception):
    """An instant that is no tick: the program says nothing on this timeline."""


class TooLong(Exception):
    """More rounds or facts than a test has time for."""


class Timeline:
    def __init__(self, first_ns, scale, ticks, now_ns):
        self.first, self.scale, self.ticks, self.now = first_ns, scale, ticks, now_ns
        self.step = 1 if scale == 1 else 2  # cells from tick to tick
        self.last_cell = (ticks - 1) * self.step + 2

    def tick(self, number):
        return self.first + number * self.scale

    def cell(self, ns):
        """The cell of an instant; those beyond the ticks lie in the outer cells."""
        if ns < self.first:
            return 0
        number, rest = divmod(ns - self.first, self.scale)
        if number >= self.ticks or (number == self.ticks - 1 and rest):
            return self.last_cell
        return 1 + number * self.step + (1 if rest else 0)

    def end_cell(self, ns):
        """As cell(), for an end of an interval: it must be a tick or none."""
        if ns not in (MIN, MAX) and ((ns - self.first) % self.scale or
                                     not 0 <= (ns - self.first) // self.scale < self.ticks):
            raise Outside
        return self.cell(ns)

    def cells(self, start, end):
        """All cells of [start, end]: empty if it is reversed."""
        out = 0
        for c in range(self.end_cell(start), self.end_cell(end) + 1):
            out |= 1 << c
        return out

    def instant(self, cell):
        """Of the first or last cell of a run."""
        if cell == 0:
            return MIN
        return MAX if cell == self.last_cell else self.first + (cell - 1) // self.step * self.scale

    def runs(self, held):
        """The maximal runs, each as a list of its cells."""
        found, run = [], []
        for c in range(self.last_cell + 2):
            if held >> c & 1:
                run.append(c)
            elif run:
                found.append(run)
                run = []
        return found


def cells_of(bits):
    return [c for c in range(bits.bit_length()) if bits >> c & 1]


class Truth:
    """Evaluates; afterwards `plain` and `held` say what follows. `most_facts` bounds the work."""

    def __init__(self, program, most_facts=4000):
        self.p, self.line, self.most = program, program.line, most_facts
        self.plain = {name: set() for name, pred in program.preds.items() if not pred.temporal}
        self.held = {name: {} for name, pred in program.preds.items() if pred.temporal}
        self.pieces = {}  # of the predicates of the component at work: atom -> set of bits
        self.created = 0  # (fact, interval) pairs that rules made, before anything is merged
        self.most_pieces = 0  # of one atom
        self.circles = False

    # ---- where things stand --------------------------------------------------------------------

    def add(self, pred, args, when):
        """True if it is new. when: cells, or None for a plain fact."""
        if when is None:
            if args in self.plain[pred]:
                return False
            self.plain[pred].add(args)
            return True
        if not when:
            return False
        known = self.pieces[pred].setdefault(args, set())
        if when in known:
            return False
        known.add(when)
        return True

    def stretches(self, pred, args, union):
        """What a premise sees of an atom, as lists of cells: maximal runs of all instants at which
        it holds, or, inside a component, what was derived, as it was (M-TEMP-72)."""
        if pred not in self.pieces:
            return self.line.runs(self.held[pred][args])
        pieces = self.pieces[pred][args]
        if not union:
            return [cells_of(bits) for bits in pieces]
        held = 0
        for bits in pieces:
            held |= bits
        return self.line.runs(held)

    def atoms(self, pred):
        if pred in self.plain:
            return list(self.plain[pred])
        return list(self.pieces[pred] if pred in self.pieces else self.held[pred])

    # ---- premises --------------------------------------------------------------------------------

    def ns(self, bound, row, past=None):
        """The instant of a bound; past: in a window, to which side; None if a variable is free."""
        kind = bound[0]
        value = bound[1] if len(bound) > 1 else None
        if kind == "now":
            return self.line.now
        if kind == "open":
            return None if past is None else MIN if past else MAX
        if kind == "var":
            if value not in row:
                return None
            value = row[value]
            if isinstance(value, int):
                return value
            if value[0] == "time":
                return value[1]
            kind, value = "for", value[1]
        if kind == "for":
            return max(MIN, min(MAX, self.line.now + (-value if past else value)))
        return value

    def window_cells(self, window, row):
        past = window[0] in ("<-", "[-")
        near, far = window[1:] if len(window) == 3 else (("for", 0), window[1])
        ends = sorted([self.ns(near, row, past), self.ns(far, row, past)])
        if near[0] == far[0] == "open":
            ends = [MIN, MAX]
        return range(self.line.cell(ends[0]), self.line.cell(ends[1]) + 1)

    def fits(self, premise, stretch, row):
        """The row with what the annotation binds, or None if the stretch does not count."""
        if premise.window:
            inside = set(stretch)
            seen = [c in inside for c in self.window_cells(premise.window, row)]
            if not (all(seen) if premise.window[0] in ("[-", "[+") else any(seen)):
                return None
        if not premise.annotation:
            return row
        start, end = premise.annotation[0], premise.annotation[-1]
        start_free = start[0] == "var" and start[1] not in row
        end_free = end[0] == "var" and end[1] not in row
        binds = start_free or end_free
        if start[0] == "open":
            if not binds and stretch[0] != 0:
                return None
        elif not start_free and self.line.cell(self.ns(start, row)) < stretch[0]:
            return None
        if end[0] == "open":
            if not binds and stretch[-1] != self.line.last_cell:
                return None
        elif not end_free and self.line.cell(self.ns(end, row)) > stretch[-1]:
            return None
        row = dict(row)
        if start_free:
            row[start[1]] = ("time", self.line.instant(stretch[0]))
        if end_free and not (start_free and end[1] == start[1]):  # @[T]: its start (M-TEMP-33)
            row[end[1]] = ("time", self.line.instant(stretch[-1]))
        return row

    def matches(self, premise, args, row):
        row = dict(row)
        for pattern, value in zip(premise.args, args):
            if pattern == "_":
                continue
            if isinstance(pattern, str):
                if row.setdefault(pattern, value) != value:
                    return None
            elif pattern != value:
                return None
        return row

    def solutions(self, premise, row):
        """Rows; with each, what was found: the fact and, if temporal, its stretch."""
        found = []
        for args in self.atoms(premise.pred):
            bound = self.matches(premise, args, row)
            if bound is None:
                continue
            if premise.pred in self.plain:
                found.append((bound, args))
                continue
            free = any(b[0] == "var" and b[1] not in bound for b in premise.annotation or [])
            box = premise.window and premise.window[0] in ("[-", "[+")
            union = box or (premise.annotation and not free)
            for stretch in self.stretches(premise.pred, args, union):
                fit = self.fits(premise, stretch, bound)
                if fit is not None:
                    found.append((fit, (args, tuple(stretch))))
        return found

    def value(self, term, row):
        return row[term] if isinstance(term, str) else term

    def filtered(self, f, row):
        """Rows after a filter or a definition."""
        if f[0] == "compare":
            a, b = self.value(f[2], row)[1], self.value(f[3], row)[1]
            holds = {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[f[1]]
            return [row] if holds else []
        if f[0] == "differ":
            return [row] if self.value(f[1], row) != self.value(f[2], row) else []
        if f[0] == "add":
            return [dict(row, **{f[1]: later(row[f[2]], f[3])})]
        if f[0] == "relation":
            s1, e1, s2, e2 = (self.value(t, row)[1] for t in f[2])
            holds = {"before": e1 < s2, "after": e2 < s1, "meets": e1 == s2,
                     "overlaps": s1 <= e2 and s2 <= e1, "during": s1 >= s2 and e1 <= e2,
                     "contains": s2 >= s1 and e2 <= e1, "starts": s1 == s2,
                     "finishes": e1 == e2, "equals": (s1, e1) == (s2, e2)}[f[1]]
            return [row] if holds else []
        raise ValueError(f[0])

    def body(self, rule):
        """(row, what the premises found) for every solution."""
        rows = [({}, ())]
        for premise in rule.body:
            if isinstance(premise, tuple):
                rows = [(r, seen) for row, seen in rows for r in self.filtered(premise, row)]
            elif not premise.negated:
                rows = [(r, seen + (fact,)) for row, seen in rows
                        for r, fact in self.solutions(premise, row)]
            if len(rows) > self.most:
                raise TooLong
        for premise in rule.body:
            if not isinstance(premise, tuple) and premise.negated:
                rows = [(row, seen) for row, seen in rows if not self.solutions(premise, row)]
        return rows

    # ---- rules -------------------------------------------------------------------------------------

    def groups(self, rule):
        """The rows of a do-rule after its statements."""
        rows = {}
        single = len(rule.body) == 1
        for row, seen in self.body(rule):
            rows[seen if single else tuple(sorted(row.items()))] = row  # M-AGG-5
        groups = {}
        for row in rows.values():
            groups.setdefault(tuple(row[k] for k in rule.keys), []).append(row)
        out = []
        for key, members in groups.items():
            row = dict(zip(rule.keys, key))
            for name, reducer, argument in rule.lets:
                column = [m[argument] for m in members] if argument else []
                row[name] = {"count": lambda c: len(members), "sum": sum, "min": min, "max": max,
                             "time:min": min, "time:max": max}[reducer](column)
            out.append(row)
        return out

    def rows(self, rule):
        if rule.kind == "do":
            return self.groups(rule)
        rows = [row for row, _ in self.body(rule)]
        if rule.kind == "let":
            for name, start, by in rule.lets:
                rows = [dict(row, **{name: later(row[start], by)}) for row in rows]
        return rows

    def when(self, rule, row):
        if not rule.annotation:
            return None
        start = self.ns(rule.annotation[0], row)
        end = self.ns(rule.annotation[-1], row)
        start = MIN if start in (None, MAX) else start  # M-TEMP-3
        end = MAX if end in (None, MIN) else end
        return self.line.cells(start, end)

    def apply(self, rule):
        new = False
        for row in self.rows(rule):
            args = tuple(self.value(t, row) for t in rule.args)
            if self.add(rule.pred, args, self.when(rule, row)):
                new = True
                self.created += 1
                if self.created > self.most:
                    raise TooLong
        return new

    # ---- strata ------------------------------------------------------------------------------------

    def give(self):
        for pred, args, when in sorted(self.p.facts, key=lambda f: ("now",) in (f[2] or ())):
            if when is None:
                self.plain[pred].add(args)
                continue
            if ("now",) in when:  # a base has everything else, and its limits count that
                self.most_pieces = max(self.most_pieces, self.most_intervals())
            start, end = (self.ns(b, {}) for b in when)
            bits = self.line.cells(MIN if start is None else start, MAX if end is None else end)
            if bits:
                self.held[pred][args] = self.held[pred].get(args, 0) | bits
        self.given = {pred: dict(atoms) for pred, atoms in self.held.items()}
        self.given_plain = {pred: set(atoms) for pred, atoms in self.plain.items()}

    def component(self, members):
        rules = [r for r in self.p.rules if r.pred in members]
        self.pieces = {}
        for pred in members:
            if pred in self.held:
                self.pieces[pred] = {args: {sum(1 << c for c in run) for run in self.line.runs(bits)}
                                     for args, bits in self.held[pred].items()}
        self.circles |= any(reads(rule) & members for rule in rules)
        for rule in rules:
            if rule.kind == "do":
                self.apply(rule)
        going = True
        while going:
            going = False
            for rule in rules:
                if rule.kind != "do" and self.apply(rule):
                    going = True
        for pred, atoms in self.pieces.items():
            for args, pieces in atoms.items():
                self.most_pieces = max(self.most_pieces, len(pieces))
                for bits in pieces:
                    self.held[pred][args] = self.held[pred].get(args, 0) | bits
        self.pieces = {}

    def run(self):
        self.give()
        for members in components(self.p):
            self.component(members)
        return self

    # ---- answers -------------------------------------------------------------------------------------

    def facts(self):
        """(pred, args, start, end) of everything that has rules; start is None for plain facts."""
        derived = {r.pred for r in self.p.rules}
        out = set()
        for pred in derived:
            for args in self.plain.get(pred, ()):
                out.add((pred, args, None, None))
            for args, bits in self.held.get(pred, {}).items():
                for run in self.line.runs(bits):
                    out.add((pred, args, self.line.instant(run[0]), self.line.instant(run[-1])))
        return out

    def most_intervals(self):
        return max((len(self.line.runs(bits)) for atoms in self.held.values()
                    for bits in atoms.values()), default=0)

    def fresh(self):
        """How many results are not given."""
        count = 0
        for pred, atoms in self.plain.items():
            count += len(atoms - self.given_plain[pred])
        for pred, atoms in self.held.items():
            for args, bits in atoms.items():
                before = self.line.runs(self.given[pred].get(args, 0))
                count += sum(run not in before for run in self.line.runs(bits))
        return count


def later(instant, by_ns):
    """fn:time:add, which wraps (M-FUN-51)."""
    return ("time", (instant[1] + by_ns - MIN) % 2**64 + MIN)


def reads(rule):
    return {m.pred for m in rule.body if not isinstance(m, tuple)}


def components(program):
    """Sets of predicates that depend on each other, what they read first."""
    below = {name: set() for name in program.preds}
    for rule in program.rules:
        below[rule.pred] |= reads(rule)
    for _ in below:
        for name in below:
            below[name] |= {n for m in below[name] for n in below[m]}
    left = list(program.preds)
    out = []
    while left:
        ready = next(n for n in left if all(
            m not in left or n in below[m] or m == n for m in below[n]))
        group = {m for m in left if m == ready or (m in below[ready] and ready in below[m])}
        out.append(group)
        left = [n for n in left if n not in group]
    return out

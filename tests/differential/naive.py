#!/usr/bin/env python3
"""Judge (a): Mangle as the reference document says it, too simple to be wrong.

    naive.evaluate(units, now_ns)  ->  ("facts", lines) | ("error", text) | ("timeout",)
    naive.py FILE... [TIME]            prints that

All rules are applied to all facts, left to right, until nothing new appears, stratum by stratum. No
indexes, no deltas, no join orders. A row is a dictionary from variables to values; a variable that is
the same as another without a value (`X = Y`) has the other's name there.

Open ends of intervals are the least and greatest 64-bit number, as variables show them (M-TEMP-32).
"""
import sys

import naive_program as programs
from naive_functions import Fails, apply, reduce_rows, reducer
from naive_predicates import MATCHERS, TESTS
from naive_program import symbol, variables
from syntax import At, Call, Const, Equation, Now, Open, Span, SyntaxFailure, Var, parse
from values import MAX64, MIN64, Unprintable, fact_text, order

MAX_STEPS = 15000    # rows looked at in one program; far more are too much for judge (b)
MAX_CALLS = 60       # nested calls of deferred predicates
IN_A_FACT = "in a fact: "  # such an error may be found before evaluation (M-ANA-4)


class Budget(Exception):
    """More than this judge wants to compute."""


# ---- rows --------------------------------------------------------------------------------------


def root(name, row):
    while isinstance(row.get(name), str):
        name = row[name]
    return name


def bind(name, value, row):
    """The row with the variable's value, or None if it has another one."""
    name = root(name, row)
    if name in row:
        return row if row[name] == value else None
    return {**row, name: value}


# ---- intervals (section 14) --------------------------------------------------------------------


def coalesced(intervals):
    """M-TEMP-70"""
    out = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def clip(ns):
    return max(MIN64, min(MAX64, ns))


class Evaluation:
    def __init__(self, units, now):
        self.now, self.steps, self.calls = now, 0, 0
        decls, self.clauses = programs.renamed(units)
        self.preds = programs.predicates(decls, self.clauses)
        self.bodies = [c.body and programs.rows_apart(c, programs.placed(c, self.preds))
                       for c in self.clauses]
        self.plain = {s: set() for s in self.preds}     # symbol -> tuples of values
        self.timed = {s: {} for s in self.preds}        # symbol -> tuple -> set of intervals
        self.component = ()                             # what is evaluated now

    def work(self, amount=1):
        self.steps += amount
        if self.steps > MAX_STEPS:
            raise Budget()

    # terms

    def value(self, term, row):
        if isinstance(term, Const):
            return term.value
        if isinstance(term, Var):
            found = row.get(root(term.name, row))
            if found is None:
                raise Fails("%s has no value" % term.name)
            return found
        args = [self.value(a, row) for a in term.args]
        result = apply(term.name, args, self.now)
        if result[0] in ("string", "list", "map", "struct") and len(result[1]) > 2000:
            raise Budget()
        return result

    def unbound(self, term, row):
        """Is it a variable without a value (or `_`)?"""
        return isinstance(term, Var) and root(term.name, row) not in row

    def match(self, terms, values, row):
        """The row in which the terms are the values, or None. Expressions have been evaluated."""
        for term, value in zip(terms, values):
            if isinstance(term, Const):
                row = row if term.value == value else None
            elif term.name != "_":
                row = bind(term.name, value, row)
            if row is None:
                return None
        return row

    def evaluated(self, terms, row):
        """Expressions become their values (M-EVAL-6)."""
        return [Const(self.value(t, row)) if isinstance(t, Call) else t for t in terms]

    # premises: each takes a row to the rows that extend it

    def solutions(self, premise, row):
        self.work()
        if isinstance(premise, Equation):
            return self.equation(premise, row)
        name = premise.atom.pred
        if name in TESTS:
            holds = TESTS[name](*[self.value(t, row) for t in premise.atom.args])
            return [row] if holds != premise.negated else []
        if name in MATCHERS:
            found = self.matched(premise, row)
        elif premise.window or premise.annotation:
            found = self.temporal(premise, row)
        elif self.preds[symbol(premise.atom)].deferred:
            found = self.called(premise.atom, row)
        else:
            terms = self.evaluated(premise.atom.args, row)
            facts = self.plain[symbol(premise.atom)]
            self.work(len(facts))
            found = [self.match(terms, fact, row) for fact in facts]
        found = [r for r in found if r is not None]
        if premise.negated:
            return [] if found else [row]
        return found

    def equation(self, premise, row):
        left, right = premise.left, premise.right
        if premise.op == "!=":
            return [row] if self.value(left, row) != self.value(right, row) else []
        if self.unbound(left, row) and self.unbound(right, row):
            left, right = root(left.name, row), root(right.name, row)
            return [row if left == right else {**row, left: right}]
        if self.unbound(left, row):
            return [bind(left.name, self.value(right, row), row)]
        if self.unbound(right, row):
            return [bind(right.name, self.value(left, row), row)]
        return [row] if self.value(left, row) == self.value(right, row) else []

    def matched(self, premise, row):
        outputs, tuples_of = MATCHERS[premise.atom.pred]
        terms = self.evaluated(premise.atom.args, row)
        inputs = [self.value(t, row) for at, t in enumerate(terms) if at not in outputs]
        if premise.negated and premise.atom.pred == ":list:member" and inputs[0][0] != "list":
            raise Fails("not a list")  # M-PRED-13
        return [self.match([terms[at] for at in outputs], values, row)
                for values in tuples_of(*inputs)]

    # temporal premises

    def instant(self, bound, row, side, span_sign=0):
        """Nanoseconds, or None for a variable without a value. side: what `_` means."""
        if isinstance(bound, At):
            return bound.ns
        if isinstance(bound, Now):
            return self.now
        if isinstance(bound, Open):
            return side
        if isinstance(bound, Span):
            return clip(self.now + span_sign * bound.ns)
        if self.unbound(bound, row):
            return None
        kind, content = self.value(bound, row)
        if kind == "duration" and span_sign:
            return clip(self.now + span_sign * content)
        if kind not in ("time", "number"):
            raise Fails("a %s as an instant" % kind)
        return content

    def temporal(self, premise, row):
        terms = self.evaluated(premise.atom.args, row)
        span = None
        for bound in premise.annotation or ():
            self.instant(bound, row, 0)  # no time, no answer, whatever the facts (M-TEMP-37)
        if premise.window:
            past = premise.window.op[1] == "-"
            side, sign = (MIN64, -1) if past else (MAX64, 1)
            for bound in premise.window.bounds:
                if isinstance(bound, Var):
                    self.value(bound, row)
            span = sorted(self.instant(b, row, side, sign) for b in premise.window.bounds)
            if all(isinstance(b, Open) for b in premise.window.bounds):
                span = [MIN64, MAX64]  # ever (M-TEMP-50)
        out = []
        for fact, intervals in self.timed[symbol(premise.atom)].items():
            self.work()
            matched = self.match(terms, fact, row)
            if matched is not None:
                out += self.during(premise, span, intervals, matched)
        return out

    def during(self, premise, span, intervals, row):
        """The rows that the intervals of one fact give."""
        annotation = premise.annotation
        start = end = None
        if annotation:
            start = self.instant(annotation[0], row, MIN64)
            end = self.instant(annotation[-1], row, MAX64)
        free = annotation and (start is None or end is None)
        always = premise.window and premise.window.op[0] == "["
        if always or annotation and not free:
            intervals = coalesced(intervals)  # their union (M-TEMP-72)
        out = []
        for s, e in sorted(intervals):
            if span and not (s <= span[0] and span[1] <= e if always
                             else s <= span[1] and span[0] <= e):
                continue
            new = row
            if annotation and not free and not (s <= start and end <= e):
                continue
            if free:
                new = self.endpoints(annotation, start, end, s, e, row)
            if new is not None and isinstance(premise, programs.Apart):
                new = {**new, **dict(zip(programs.INTERVAL, (("time", s), ("time", e))))}
            if new is not None:
                out.append(new)
        return out

    def endpoints(self, annotation, start, end, s, e, row):
        """M-TEMP-32, M-TEMP-33"""
        first, last = annotation[0], annotation[-1]
        if start is None:
            row = bind(first.name, ("time", s), row)
        elif not isinstance(first, Open) and not s <= start:
            return None
        if end is None:
            same = isinstance(first, Var) and first.name == last.name
            return row if same else bind(last.name, ("time", e), row)
        return row if isinstance(last, Open) or end <= e else None

    # deferred predicates (15.3)

    def called(self, atom, row):
        pred = self.preds[symbol(atom)]
        terms = [t if self.unbound(t, row) else Const(self.value(t, row)) for t in atom.args]
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise Budget()
        out = []
        for at, clause in enumerate(self.clauses):
            if symbol(clause.head) == symbol(atom):
                out += self.call_rule(clause, self.bodies[at], pred.modes[0], terms)
        self.calls -= 1
        return [self.match(terms, fact, row) for fact in out]

    def call_rule(self, clause, body, mode, terms):
        local = {}
        for letter, param, term in zip(mode, clause.head.args, terms):
            if letter == "+" and not isinstance(param, Call):
                local = self.match([param], [self.value(term, {})], local)
                if local is None:
                    return []
        return [fact for fact, _ in self.instances(clause, body or (), local)]

    # rules

    def rows(self, body, row):
        rows = [row]
        for premise in body:
            rows = [new for old in rows for new in self.solutions(premise, old)]
        return rows

    def instances(self, clause, body, row):
        """(arguments, interval) of each head that the rule gives."""
        rows = self.rows(body, row)
        for stage in clause.stages:
            rows = self.groups(clause, body, stage, rows) if stage.do else self.lets(stage, rows)
        return [(tuple(self.value(a, r) for a in clause.head.args), self.when(clause, r))
                for r in rows]

    def lets(self, stage, rows):
        out = []
        for row in rows:
            for let in stage.lets:
                row = {**row, let.var.name: self.value(let.term, row)}
            out.append(row)
        return out

    def groups(self, clause, body, stage, rows):
        keys = [k.name for k in stage.do.args]
        found = {}
        for row in self.ordered(clause, body, rows):
            found.setdefault(tuple(row[root(k, row)] for k in keys), []).append(row)
        out = []
        for key, members in found.items():
            scope = dict(zip(keys, key))
            for let in stage.lets:
                short = let.term.name[3:]
                if reducer(short):
                    scope[let.var.name] = reduce_rows(short, let.term.args, members, self.value)
                else:
                    scope[let.var.name] = self.value(let.term, scope)
            out.append(scope)
        return out

    @staticmethod
    def ordered(clause, body, rows):
        """The rows of M-AGG-5 in the order of M-EVAL-31."""
        written = body if len(body) == 1 else clause.body
        names = [n for n in variables(written) + programs.INTERVAL if any(n in r for r in rows)]
        distinct = {tuple(r[root(n, r)] for n in names): r for r in rows}
        return [distinct[k] for k in sorted(distinct, key=lambda k: [order(v) for v in k])]

    def when(self, clause, row):
        if not self.preds[symbol(clause.head)].temporal:
            return None
        first, last = clause.annotation[0], clause.annotation[-1]
        start, end = self.instant(first, row, MIN64), self.instant(last, row, MAX64)
        if start is None or end is None:
            raise Fails("a head annotation without a value")
        return (MIN64 if start == MAX64 else start, MAX64 if end == MIN64 else end)  # M-TEMP-3

    def add(self, where, args, interval):
        if interval is None:
            self.store_plain(where, args)
        elif interval[0] <= interval[1]:
            self.timed[where].setdefault(args, set()).add(interval)

    def store_plain(self, where, args):
        """A fact, or the merge of the one there and it (10.5)."""
        pred, facts = self.preds[where], self.plain[where]
        if not pred.merge or args in facts:
            facts.add(args)
            return
        same = [f for f in facts if all(f[c] == args[c] for c in pred.sources)]
        if not same:
            facts.add(args)
        for old in same:
            asked = programs.Atom(pred.merge, (Const(old[pred.target]), Const(args[pred.target]),
                                               Var("M")))
            answers = [r["M"] for r in self.called(asked, {}) if r is not None]
            if not answers:
                facts.add(args)
            for answer in answers:
                facts.discard(old)
                facts.add(args[:pred.target] + (answer,) + args[pred.target + 1:])

    # strata

    def state(self):
        return [(set(self.plain[s]), {f: set(i) for f, i in self.timed[s].items()})
                for s in self.component]

    def apply_rules(self, grouped):
        for clause, body in zip(self.clauses, self.bodies):
            where = symbol(clause.head)
            is_group = any(s.do for s in clause.stages)
            if body is None or where not in self.component or is_group != grouped:
                continue
            for args, interval in self.instances(clause, body, {}):
                self.add(where, args, interval)

    def evaluate_component(self, component):
        self.component = [s for s in component if not self.preds[s].deferred]
        self.apply_rules(True)  # their bodies read earlier strata only (M-EVAL-22)
        before = None
        while before != self.state():
            before = self.state()
            self.apply_rules(False)
        self.coalesce(self.component)

    def coalesce(self, symbols):
        for s in symbols:
            self.timed[s] = {f: set(coalesced(i)) for f, i in self.timed[s].items()}

    def run(self):
        for clause in self.clauses:
            if clause.body is None and not self.preds[symbol(clause.head)].deferred:
                try:
                    args = tuple(self.value(a, {}) for a in clause.head.args)
                except Fails as why:
                    raise Fails("%s%s" % (IN_A_FACT, why)) from None
                self.add(symbol(clause.head), args, self.when(clause, {}))
        self.coalesce(self.preds)
        for component in programs.strata(self.clauses, self.preds):
            self.evaluate_component(component)

    def lines(self):
        out = []
        for s, pred in self.preds.items():
            if not pred.rules or pred.deferred:
                continue
            for fact in self.plain[s]:
                out.append(fact_text(s[0], fact))
            for fact, intervals in self.timed[s].items():
                for start, end in intervals:
                    ends = (None if start == MIN64 else start, None if end == MAX64 else end)
                    out.append(fact_text(s[0], fact, ends))
        return frozenset(out)


def evaluate(units, now):
    evaluation = Evaluation(units, now)
    try:
        evaluation.run()
    except Fails as why:
        return ("error", str(why))
    except Budget:
        return ("timeout",)
    try:
        return ("facts", evaluation.lines())
    except Unprintable:
        return ("error", "no file text")


def main():
    try:
        units = [parse(open(name, encoding="utf-8", newline="").read()) for name in sys.argv[1:]]
    except SyntaxFailure as why:
        sys.exit("syntax: %s" % why)
    result = evaluate(units, 1718020800 * 10**9)
    print("\n".join(sorted(result[1])) if result[0] == "facts" else result)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""An evaluator of plain Mangle that is too simple to be wrong, and programs to ask it about.

    naive_oracle.py MANGLE [SEED...]    runs each seed's program with MANGLE and compares

A seed makes a stratified program: facts, recursion, negation, comparisons, arithmetic, transforms.
The oracle applies every rule to all facts, left to right, until nothing new appears, stratum by
stratum; no indexes, no deltas, no join orders. Times are not covered. It shares no code with the
engine, so the same fault twice is unlikely. A program fails (M-EVAL-14) iff some rule reaches a
premise that cannot be evaluated: half of the programs mix kinds of values to provoke that.

Values are Python ints (numbers), strings (names) and tuples (lists). A term is ("v", name),
("c", value) or ("f", op, args). The output is TAP; a failure prints the program.
"""
import os
import random
import subprocess
import sys
import tempfile

LIMIT = 12  # what recursion may count up to


class Fails(Exception):
    """An evaluation error (M-EVAL-12)."""


# ---- values ------------------------------------------------------------------------------------


def order(value):
    """The total order M-VAL-68 of the kinds that occur here."""
    if isinstance(value, str):
        return (0, value)
    if isinstance(value, int):
        return (3, value)
    return (8, [order(v) for v in value])


def show(value):
    if isinstance(value, tuple):
        return "[" + ", ".join(show(v) for v in value) + "]"
    return str(value)


def number(value):
    if not isinstance(value, int):
        raise Fails("not a number")
    return value


# ---- terms and premises ------------------------------------------------------------------------

FUNCTIONS = {
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "mult": lambda a, b: a * b,
}


def divide(a, b):
    if b == 0:
        raise Fails("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


FUNCTIONS["div"] = divide
COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def value_of(term, row):
    if term[0] == "c":
        return term[1]
    if term[0] == "v":
        return row[term[1]]
    args = [number(value_of(t, row)) for t in term[2]]
    return FUNCTIONS[term[1]](*args)


def variables(term):
    if term[0] == "v":
        return [term[1]] if term[1] != "_" else []
    if term[0] == "f":
        return [v for t in term[2] for v in variables(t)]
    return []


def premise_variables(premise):
    return [v for t in premise[2] for v in variables(t)]


def match(args, fact, row):
    """The row extended by what the atom's free variables take from the fact, or None."""
    out = dict(row)
    for term, value in zip(args, fact):
        if term == ("v", "_"):
            continue
        if term[0] == "v" and term[1] not in out:
            out[term[1]] = value
        elif value_of(term, out) != value:
            return None
    return out


def solutions(premise, row, facts):
    kind, name, args = premise
    if kind in ("atom", "not"):
        for term in args:  # expressions first: their errors do not depend on the facts
            if term[0] == "f":
                value_of(term, row)
        found = [m for m in (match(args, f, row) for f in facts.get(name, ())) if m is not None]
        if kind == "atom":
            return found
        return [] if found else [row]
    if kind == "cmp":
        left, right = (number(value_of(t, row)) for t in args)
        return [row] if COMPARE[name](left, right) else []
    left, right = args
    if kind == "ne":
        return [row] if value_of(left, row) != value_of(right, row) else []
    for side, other in ((left, right), (right, left)):
        if side[0] == "v" and side[1] not in row:
            return [{**row, side[1]: value_of(other, row)}]
    return [row] if value_of(left, row) == value_of(right, row) else []


def placed(body):
    """Negated atoms and inequalities wait until their variables are bound (M-ANA-10..13)."""
    bound, waiting, out = set(), [], []
    for premise in body:
        if premise[0] in ("not", "ne") and not set(premise_variables(premise)) <= bound:
            waiting.append(premise)
            continue
        out.append(premise)
        if premise[0] in ("atom", "eq"):
            bound |= set(premise_variables(premise))
        for late in list(waiting):
            if set(premise_variables(late)) <= bound:
                waiting.remove(late)
                out.append(late)
    assert not waiting
    return out


# ---- rules -------------------------------------------------------------------------------------


class Rule:
    def __init__(self, head, args, body, lets=(), keys=None):
        self.head, self.args, self.body = head, args, body
        self.lets, self.keys = lets, keys  # lets: (variable, reducer or None, terms)

    def rows(self, facts):
        rows = [{}]
        for premise in placed(self.body):
            rows = [n for row in rows for n in solutions(premise, row, facts)]
        return rows

    def derive(self, facts):
        if self.keys is not None:
            return self.groups(facts)
        out = set()
        for row in self.rows(facts):
            for var, _, terms in self.lets:
                row = {**row, var: value_of(terms[0], row)}
            out.add(tuple(value_of(t, row) for t in self.args))
        return out

    def table(self, facts):
        """(sort key, row) of what is grouped: facts if the body is one atom, else assignments of
        its named variables (M-AGG-5), in the order M-EVAL-31."""
        if len(self.body) == 1 and self.body[0][0] == "atom":
            _, name, args = self.body[0]
            matched = ((f, match(args, f, {})) for f in facts.get(name, ()))
            rows = {f: row for f, row in matched if row is not None}
        else:
            named = []
            for premise in self.body:
                named += [v for v in premise_variables(premise) if v not in named]
            rows = {tuple(r[v] for v in named): r for r in self.rows(facts)}
        return [rows[k] for k in sorted(rows, key=lambda k: [order(v) for v in k])]

    def groups(self, facts):
        groups = {}
        for row in self.table(facts):
            groups.setdefault(tuple(row[k] for k in self.keys), []).append(row)
        out = set()
        for key, rows in groups.items():
            scope = dict(zip(self.keys, key))
            for var, reducer, terms in self.lets:
                scope[var] = reduce_rows(reducer, terms, rows, scope)
            out.add(tuple(value_of(t, scope) for t in self.args))
        return out


def reduce_rows(reducer, terms, rows, scope):
    if reducer is None:
        return value_of(terms[0], scope)
    if reducer == "count":
        return len(rows)
    if reducer in ("collect", "collect_distinct"):
        out = []
        for row in rows:
            try:
                value = value_of(terms[0], row)
            except Fails:
                continue  # M-AGG-20
            if reducer == "collect_distinct" and value in out:
                out.remove(value)
            out.append(value)
        return tuple(out)
    values = [number(value_of(terms[0], row)) for row in rows]
    return {"sum": sum, "min": min, "max": max}[reducer](values)


def evaluate(program):
    facts = {name: set(rows) for name, rows in program.facts.items()}
    for stratum in program.strata:
        grouped = [r for r in stratum if r.keys is not None]
        plain = [r for r in stratum if r.keys is None]
        for rule in grouped:
            facts.setdefault(rule.head, set()).update(rule.derive(facts))
        size = -1
        while size != sum(map(len, facts.values())):
            size = sum(map(len, facts.values()))
            for rule in plain:
                facts.setdefault(rule.head, set()).update(rule.derive(facts))
    derived = sorted({r.head for stratum in program.strata for r in stratum})
    lines = []
    for name in derived:
        for fact in sorted(facts.get(name, ()), key=lambda f: [order(v) for v in f]):
            lines.append(name + "(" + ",".join(show(v) for v in fact) + ").\n")
    return "".join(lines)


# ---- random programs ---------------------------------------------------------------------------


class Program:
    """Predicates e0.. hold facts; p0.. are derived, each in its stratum, q<n> recurses with p<n>."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.mixed = seed % 2 == 1
        self.arity, self.facts, self.strata = {}, {}, []
        for i in range(self.rng.randint(2, 4)):
            self.make_facts("e%d" % i)
        for i in range(self.rng.randint(1, 4)):
            self.strata.append(self.make_stratum(i))

    def value(self):
        if self.mixed and self.rng.random() < 0.08:
            return self.rng.choice(["/a", "/b"])
        return self.rng.randint(-1, 3)

    def make_facts(self, name):
        self.arity[name] = self.rng.randint(1, 3)
        self.facts[name] = sorted(
            {tuple(self.value() for _ in range(self.arity[name]))
             for _ in range(self.rng.choice([0, 4, 8, 12, 16]))},
            key=lambda f: [order(v) for v in f])

    def make_stratum(self, level):
        below = list(self.arity)
        own = ["p%d" % level] + (["q%d" % level] if self.rng.random() < 0.4 else [])
        for name in own:
            self.arity[name] = self.rng.randint(1, 2)
        rules = []
        for name in own:
            for i in range(self.rng.randint(1, 3)):
                if self.rng.random() < 0.25:
                    rules.append(self.group_rule(name, below))
                else:
                    rules.append(self.plain_rule(name, below, own if i else []))
        return rules

    def term(self, names):
        roll = self.rng.random()
        if roll < 0.1:
            return ("v", "_")
        if roll < 0.16:
            return ("c", self.value())
        return ("v", self.rng.choice(names))

    def expression(self, bound):
        args = [("v", self.rng.choice(bound)),
                self.rng.choice([("c", self.value()), ("v", self.rng.choice(bound))])]
        self.rng.shuffle(args)
        return ("f", self.rng.choice(["plus", "plus", "minus", "mult", "div"]), args)

    def atom(self, preds, names):
        name = self.rng.choice(preds)
        return ("atom", name, [self.term(names) for _ in range(self.arity[name])])

    def body(self, below, own, names):
        """Premises in an order that analysis accepts; at least one variable is bound."""
        rng = self.rng
        while True:
            out = [self.atom(below, names) for _ in range(rng.randint(1, 3))]
            if own and rng.random() < 0.8:
                out.append(self.atom(own, names))
            rng.shuffle(out)
            if any(premise_variables(p) for p in out):
                break
        fresh = iter(["U", "V", "W"])
        for _ in range(rng.randint(0, 3)):
            at = rng.randint(1, len(out))
            bound = sorted({v for p in out[:at] if p[0] in ("atom", "eq")
                            for v in premise_variables(p)})
            everything = sorted({v for p in out if p[0] in ("atom", "eq")
                                 for v in premise_variables(p)})
            roll = rng.random()
            if roll < 0.3:
                negated = self.atom(below, everything)
                out.insert(rng.randint(0, len(out)), ("not",) + negated[1:])
            elif roll < 0.45:
                pair = [("v", rng.choice(everything)), self.term(everything)]
                if pair[1] != ("v", "_"):
                    out.insert(rng.randint(0, len(out)), ("ne", "!=", pair))
            elif bound and roll < 0.75:
                pair = [("v", rng.choice(bound)),
                        rng.choice([("c", rng.randint(0, 5)), ("v", rng.choice(bound))])]
                out.insert(at, ("cmp", rng.choice(sorted(COMPARE)), pair))
            elif bound and not own:
                out.insert(at, ("eq", "=", [("v", next(fresh)), self.expression(bound)]))
            elif bound:  # recursion counts no further than LIMIT
                var = ("v", next(fresh))
                out.insert(at, ("cmp", "<=", [var, ("c", LIMIT)]))
                out.insert(at, ("cmp", ">=", [var, ("c", -LIMIT)]))
                out.insert(at, ("eq", "=", [var, self.expression(bound)]))
        return out

    def bound_of(self, body):
        return sorted({v for p in body if p[0] in ("atom", "eq") for v in premise_variables(p)})

    def plain_rule(self, head, below, own):
        body = self.body(below, own, ["X", "Y", "Z"])
        bound = self.bound_of(body)
        lets, args = [], []
        if not own and self.rng.random() < 0.3:
            lets.append(("L", None, [self.expression(bound)]))
            bound.append("L")
        for _ in range(self.arity[head]):
            roll = self.rng.random()
            if roll < 0.1:
                args.append(("c", self.value()))
            elif roll < 0.2 and not own:
                args.append(self.expression(bound))
            else:
                args.append(("v", self.rng.choice(bound)))
        return Rule(head, args, body, lets)

    def group_rule(self, head, below):
        if self.rng.random() < 0.3:
            body = [self.atom(below, ["X", "Y", "Z"])]
            while not premise_variables(body[0]):
                body = [self.atom(below, ["X", "Y", "Z"])]
        else:
            body = self.body(below, [], ["X", "Y", "Z"])
        bound = self.bound_of(body)
        keys = self.rng.sample(bound, self.rng.randint(0, min(len(bound), self.arity[head])))
        lets = []
        for var in ["N", "M"][:max(1, self.arity[head] - len(keys))]:
            reducer = self.rng.choice(["count", "sum", "min", "max", "collect", "collect_distinct"])
            term = ("v", self.rng.choice(bound))
            if self.rng.random() < 0.2:
                term = self.expression(bound)
            lets.append((var, reducer, [] if reducer == "count" else [term]))
        names = keys + [let[0] for let in lets]
        return Rule(head, [("v", v) for v in names[-self.arity[head]:]], body, lets, keys)


# ---- text --------------------------------------------------------------------------------------


def term_text(term):
    if term[0] == "v":
        return term[1]
    if term[0] == "c":
        return show(term[1])
    return "fn:%s(%s)" % (term[1], ", ".join(term_text(t) for t in term[2]))


def premise_text(premise):
    kind, name, args = premise
    texts = [term_text(t) for t in args]
    if kind in ("atom", "not"):
        return ("!" if kind == "not" else "") + "%s(%s)" % (name, ", ".join(texts))
    return "%s %s %s" % (texts[0], name, texts[1])


def rule_text(rule):
    text = "%s(%s) :- %s" % (rule.head, ", ".join(map(term_text, rule.args)),
                             ", ".join(map(premise_text, rule.body)))
    stages = [] if rule.keys is None else ["do fn:group_by(%s)" % ", ".join(rule.keys)]
    for var, reducer, terms in rule.lets:
        call = ", ".join(map(term_text, terms))
        stages.append("let %s = %s" % (var, "fn:%s(%s)" % (reducer, call) if reducer else call))
    return text + (" |> " + ", ".join(stages) if stages else "") + ".\n"


def program_text(program):
    """The rules (with a Decl of each predicate, in any order) and the facts."""
    columns = ["A", "B", "C"]
    lines = ["Decl %s(%s).\n" % (n, ", ".join(columns[:a])) for n, a in program.arity.items()]
    lines += [rule_text(r) for stratum in program.strata for r in stratum]
    program.rng.shuffle(lines)
    facts = ["%s(%s).\n" % (n, ", ".join(map(show, f)))
             for n, rows in program.facts.items() for f in rows]
    program.rng.shuffle(facts)
    return "".join(lines), "".join(facts)


# ---- comparing ---------------------------------------------------------------------------------


def ask(mangle, rules, facts, folder, apart):
    """What the engine answers: its output, or "error\n". apart: facts come in their own file."""
    rule_path, fact_path = os.path.join(folder, "p.mg"), os.path.join(folder, "f.mg")
    with open(rule_path, "w") as f:
        f.write(rules if apart else rules + facts)
    with open(fact_path, "w") as f:
        f.write(facts)
    run = subprocess.run([mangle, "run", rule_path] + (["--facts", fact_path] if apart else []),
                         capture_output=True, timeout=60)
    if run.returncode == 1 and b"error: " in run.stderr and b"  hint:" not in run.stderr:
        return "error\n", run.stderr.decode()
    if run.returncode:
        return "exit status %d\n" % run.returncode, run.stderr.decode()
    return run.stdout.decode(), run.stderr.decode()


def check(mangle, seed, folder):
    program = Program(seed)
    rules, facts = program_text(program)
    try:
        expected = evaluate(program)
    except Fails:
        expected = "error\n"
    got, messages = ask(mangle, rules, facts, folder, seed % 3 == 0)
    if got == expected:
        return expected != "error\n", None
    return False, "%s%s=> expected\n%s=> got\n%s%s" % (rules, facts, expected, got, messages)


def main():
    mangle, seeds = sys.argv[1], [int(s) for s in sys.argv[2:]] or range(300)
    answers, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            answered, report = check(mangle, seed, folder)
            answers += answered
            if report:
                wrong += 1
                print("# seed %d\n#   %s" % (seed, report.replace("\n", "\n#   ")))
    print("%s 1 - %d random programs give what a naive evaluator gives (%d without an error)"
          % ("not ok" if wrong else "ok", len(seeds), answers))
    print("1..1")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

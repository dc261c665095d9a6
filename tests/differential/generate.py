#!/usr/bin/env python3
"""Random well-formed programs over the whole language.

    generate.make(seed, narrow=False)  ->  Program: texts (one for each unit), now, features
    generate.py SEED     prints one

A program has levels: facts, then predicates that are derived from lower levels, some of them recursive
within their level. Every column and variable has a sort (generate_tables.py), so that joins find
something and most functions succeed; in some programs sorts are mixed up, to fail. What a program is
full of (its profile) is chosen first.
"""
import random
import re
import sys

import generate_shapes as shapes
from generate_shapes import Body, Pred, Program
from generate_times import MINUTE, Times
from generate_tables import (ALL_SORTS, BEYOND, CONSTANTS, FUNCTIONS, MATCHERS, NOW, REDUCERS, TESTS,
                             WILD)
from values import time_text

PROFILES = {  # what is likelier than usual
    "plain": {"recursion": .6, "negation": .4, "aggregate": .15, "functions": .15, "temporal": 0},
    "recursion": {"recursion": 1, "mutual": .5, "negation": .2, "aggregate": .2, "functions": .3,
                  "temporal": 0},
    "negation": {"recursion": .3, "negation": .9, "aggregate": .1, "functions": .1, "temporal": .1},
    "aggregates": {"recursion": .3, "negation": .2, "aggregate": .7, "functions": .3, "temporal": .1},
    "functions": {"recursion": .1, "negation": .2, "aggregate": .2, "functions": .9, "temporal": .1},
    "structures": {"recursion": .2, "negation": .2, "aggregate": .3, "functions": .5, "temporal": 0,
                   "sorts": "lpmrxnal"},
    "temporal": {"recursion": .3, "negation": .4, "aggregate": .2, "functions": .15, "temporal": .8,
                 "sorts": "na"},
    "time": {"recursion": .2, "negation": .3, "aggregate": .3, "functions": .6, "temporal": .5,
             "sorts": "tdinas"},
    "mixed": {"recursion": .4, "negation": .4, "aggregate": .3, "functions": .4, "temporal": .3},
    "deferred": {"recursion": .2, "negation": .2, "aggregate": .1, "functions": .2, "temporal": 0,
                 "deferred": 1, "sorts": "nnal"},
    "lattice": {"recursion": .2, "negation": .2, "aggregate": .2, "functions": .2, "temporal": 0,
                "lattice": 1, "sorts": "nnna"},
}


class Generator(Times):
    def __init__(self, seed, narrow=False):
        self.rng = random.Random(seed)
        self.profile_name = self.rng.choice(list(PROFILES))
        self.profile = PROFILES[self.profile_name]
        self.program = Program(seed, ())
        self.mixing = self.rng.random() < 0.12    # sorts are mixed up: errors
        self.failing = self.mixing or self.rng.random() < 0.15  # functions that may fail
        self.beyond = self.rng.random() < 0.4     # what the Go implementation is known to refuse
        if narrow:
            self.mixing = self.beyond = False
        few = "na" + "".join(self.rng.sample(self.profile.get("sorts", ALL_SORTS), 2))
        self.pool = self.rng.choice(["nna", few, few])  # few sorts, so that joins find something
        self.preds, self.lines = [], []           # lines: (unit, text)
        self.units = self.rng.choice([["geo", "app.x"], ["geo", None]]) \
            if self.rng.random() < 0.12 else [None]
        self.feature(self.profile_name)
        if self.units != [None]:
            self.feature("packages")

    # small things

    def feature(self, name):
        self.program.features.add(name)

    def chance(self, p):
        return self.rng.random() < (self.profile.get(p, 0) if isinstance(p, str) else p)

    def constant(self, sort):
        if sort == "N":
            sort = self.rng.choice("nf")
        if sort == "x":
            sort = self.rng.choice(ALL_SORTS)
        pool = WILD[sort] if sort in WILD and self.chance(0.04) else CONSTANTS[sort]
        text = self.rng.choice(pool)
        return text if self.beyond or text not in BEYOND else pool[0]

    def sorts(self, least, most):
        return "".join(self.rng.choice(self.pool) for _ in range(self.rng.randint(least, most)))

    def reference(self, pred, unit):
        """How the rule of a unit names the predicate."""
        package = self.units[pred.unit]
        return pred.name if package is None or pred.unit == unit else package + "." + pred.name

    # terms

    def value(self, sort, body, depth=0):
        """A term of the sort from what is bound: a variable, a constant or a function of them."""
        if self.mixing and self.chance(0.06):
            sort = "x"
        found = body.of(sort)
        if found and self.chance(0.75):
            return self.rng.choice(found)
        if sort in FUNCTIONS and depth < 2 and self.chance(0.35):
            return self.call(sort, body, depth + 1)
        return self.constant(sort)

    def call(self, sort, body, depth=0):
        options = [f for f in FUNCTIONS[sort] if (self.failing or not f[2])
                   and not (body.grouped and f[0] in ("sum", "min", "max"))
                   and (self.beyond or f[0] not in BEYOND)]
        usable = [f for f in options if all(s in CONSTANTS and s.isupper() or body.of(s)
                                            for s in f[1])]
        name, sorts, _ = self.rng.choice(usable or options)
        self.feature("functions")
        args = [self.value(s, body, depth) for s in sorts]
        if name in ("list", "map", "struct") and self.chance(0.7):
            self.feature("structures")
            if name == "list":
                return "[%s]" % ", ".join(args)
            pairs = ", ".join("%s : %s" % p for p in zip(args[::2], args[1::2]))
            return ("[%s]" if name == "map" else "{%s}") % pairs
        return "fn:%s(%s)" % (name, ", ".join(args))

    def before(self, known, make, sort, body):
        """What `make` makes of the variables that were bound before."""
        kept, body.scope = body.scope, known
        made = make(sort, body)
        body.scope = kept
        return made

    def argument(self, sort, body, known, negated=False, join=0.5):
        roll = self.rng.random()
        found = body.of(sort)
        if found and roll < (0.7 if negated else join):
            return self.rng.choice(found)
        if roll < 0.85 and not negated:
            return body.fresh(sort)
        if roll < 0.94 and (self.beyond or not negated):
            return "_"
        if roll < 0.97 and sort in FUNCTIONS and known:
            return self.before(known, self.call, sort, body)  # M-EVAL-7
        return self.constant(sort)

    # premises

    def atom(self, pred, body, unit, negated=False, own=False):
        known = dict(body.scope)
        args, join = [], 0.5
        for at, sort in enumerate(pred.sorts):
            if pred.mode[at:at + 1] == "+":  # the caller's: made of what was bound before
                args.append(self.before(known, self.value, sort, body))
                continue
            args.append(self.argument(sort, body, known, negated, join))
            join = 0.15 if args[-1] in known else 0.5  # one column joins, seldom two
        text = self.reference(pred, unit)
        if args or not self.beyond or self.chance(0.5):
            text += "(%s)" % ", ".join(args)
        if pred.temporal:
            text = self.timed(text, body, known, own)
        return text

    def test(self, body):
        if self.chance(0.5) and body.of("n"):
            left, right = self.rng.choice(body.of("n")), self.value("n", body)
            if left == right:
                return None
            return "%s %s %s" % (left, self.rng.choice(["<", "<=", ">", ">="]), right)
        sorts = [s for s in body.scope.values() if any(t[1][0] == s for t in TESTS)]
        if not sorts:
            return None
        sort = self.rng.choice(sorts)
        usable = [t for t in TESTS if t[1][0] == sort]
        name, sorts = self.rng.choice(usable)
        args = [self.rng.choice(body.of(sorts[0]))] + [self.value(s, body) for s in sorts[1:]]
        return "%s(%s)" % (name, ", ".join(args))

    def matcher(self, body):
        usable = [m for m in MATCHERS if body.of(m[1][0])]
        if not usable:
            return None
        name, inputs, outputs, places = self.rng.choice(usable)
        self.feature("destructuring")
        ins = iter([self.rng.choice(body.of(inputs[0]))] + [self.constant(s) for s in inputs[1:]])
        known, outs = list(body.scope), []
        for sort in outputs:
            roll = self.rng.random()
            same = [v for v in body.of(sort) if v in known]
            outs.append(body.fresh(sort) if roll < 0.75 or not self.beyond else
                        "_" if roll < 0.85 else
                        self.rng.choice(same) if same and roll < 0.95 else self.constant(sort))
        outs = iter(outs)
        return "%s(%s)" % (name, ", ".join(next(ins if p == "+" else outs) for p in places))

    def assignment(self, body):
        sort = self.rng.choice([s for s in FUNCTIONS if s != "x"] + list(body.scope.values()))
        if sort not in FUNCTIONS:
            return None
        text = self.call(sort, body)
        if self.chance(0.05) and body.of(sort):
            return "%s = %s" % (self.rng.choice(body.of(sort)), text)
        sides = [body.fresh(sort), text]
        if self.chance(0.2):
            sides.reverse()
        return " = ".join(sides)

    def positive(self, below, body, unit):
        """One more premise that is not an atom of this level."""
        roll = self.rng.random()
        structured = any(s in "lpimr" for s in body.scope.values())
        if structured and self.chance(0.45):
            return self.matcher(body)
        if body.scope and self.chance("functions") and roll < 0.6:
            return self.assignment(body)
        if body.scope and roll < 0.25:
            self.feature("comparison")
            return self.test(body)
        return self.atom(self.rng.choice(below), body, unit)

    def negative(self, below, body, unit):
        """A negated premise or an inequality over what the whole body binds."""
        roll = self.rng.random()
        if roll < 0.25 and body.scope:
            left = self.rng.choice(list(body.scope))
            right = self.value(body.scope[left], body)
            self.feature("inequality")
            return "%s != %s" % (left, right if right != left else self.constant(body.scope[left]))
        if roll < 0.35 and body.scope:
            test = self.test(body)
            if test and test[0] == ":" and "_" not in test:
                self.feature("negation")
                return "!" + test
        known = dict(body.scope)
        if body.of("l") and self.chance(0.5):
            self.feature("negation")
            return "!:list:member(%s, %s)" % (self.value("n", body),
                                              self.rng.choice(body.of("x" if self.mixing else "l")))
        below = [p for p in below if self.beyond or not p.temporal]
        if not below:
            return None
        text = self.atom(self.rng.choice(below), body, unit, negated=True)
        fresh = [v for v in body.scope if v not in known]
        body.scope = known
        self.feature("negation")
        self.feature("negated temporal" if fresh else "negation")
        return "!" + text

    # rules

    def body(self, below, own, unit, size):
        body = Body()
        plan = ["own"] * own[1] + ["below"] * max(1 - own[1], self.rng.choice([0, 1, 2, 2, size]))
        self.rng.shuffle(plan)
        for kind in plan:
            if kind == "own":
                pred = self.rng.choice(own[0])
                premise = self.atom(pred, body, unit, own=True)
            elif own[1]:  # nothing that makes values without end
                premise = self.atom(self.rng.choice(below), body, unit)
            else:
                premise = self.positive(below, body, unit)
            if premise:
                body.premises.append(premise)
        if not body.premises:
            body.premises.append(self.atom(self.rng.choice(below), body, unit))
        if own[1] and self.chance(0.35):
            self.guarded(body)
        if body.scope and self.chance(0.08):
            self.alias(body)
        if self.chance("negation"):
            for _ in range(self.rng.randint(1, 2)):
                premise = self.negative(below, body, unit)
                first = 0 if self.beyond or self.chance(0.1) else len(body.premises)
                if premise:
                    body.premises.insert(self.rng.randint(first, len(body.premises)), premise)
        return body

    def guarded(self, body):
        """A new number in a recursive rule, kept small."""
        if body.of("n"):
            self.feature("functions in recursion")
            call = "fn:%s(%s, %s)" % (self.rng.choice(["plus", "plus", "minus", "mult"]),
                                      self.rng.choice(body.of("n")), self.value("n", body, 2))
            new = body.fresh("n")
            body.premises += ["%s = %s" % (new, call), "%s < 9" % new, "%s > -9" % new]
        elif body.of("t"):
            call = "fn:time:add(%s, fn:duration:parse('1m'))" % self.rng.choice(body.of("t"))
            new = body.fresh("t")
            limit = "fn:time:parse_rfc3339('%s')" % time_text(NOW + 8 * MINUTE)
            body.premises += ["%s = %s" % (new, call), ":time:lt(%s, %s)" % (new, limit)]

    def alias(self, body):
        old = self.rng.choice(list(body.scope))
        sides = [body.fresh(body.scope[old]), old]
        at = len(body.premises)
        if self.beyond:
            self.rng.shuffle(sides)
            at = self.rng.randint(0, at)
        self.feature("alias")
        body.premises.insert(at, " = ".join(sides))

    def head(self, pred, body, plain):
        """The head; plain: only variables, so that recursion makes no values."""
        args = []
        for sort in pred.sorts:
            found = body.of(sort)
            if found and (plain or self.chance(0.85)):
                args.append(self.rng.choice(found))
            else:
                args.append(self.constant(sort) if plain else self.value(sort, body))
        text = pred.name
        if args or not self.beyond or self.chance(0.5):
            text += "(%s)" % ", ".join(args)
        if pred.temporal:
            ends = [self.rng.choice(body.of("t") * 3 + ["_", "now", self.instant_text(False)])
                    for _ in range(self.rng.randint(1, 2))]
            text += "@[%s]" % ", ".join(ends)
        return text

    def add(self, unit, text):
        if not self.beyond:  # a name takes the dot behind it
            text = re.sub(r"(/[\w/.]*\w)\.$", r"\1 .", text)
        self.lines.append((unit, text))

    def plain_rule(self, pred, below, own=((), 0)):
        body = self.body(below, own, pred.unit, 3)
        stage = ""
        if body.scope and not own[1] and self.chance("functions") and self.chance(0.35):
            sort = self.rng.choice(list(FUNCTIONS))
            call = self.call(sort, body)
            stage = " |> let %s = %s" % (body.fresh(sort), call)
            self.feature("let")
        self.define(pred, body)
        sign = ":-" if self.chance(0.97) else "⟸"
        self.add(pred.unit, "%s %s %s%s." % (self.head(pred, body, bool(own[1])), sign,
                                             ", ".join(body.premises), stage))

    def define(self, pred, body):
        """The first rule decides about the columns."""
        if pred.sorts == "?":
            found = list(dict.fromkeys(body.scope))
            self.rng.shuffle(found)
            most = self.rng.choice([0, 1, 1, 2, 2, 2, 3])
            pred.sorts = "".join(body.scope[v] for v in found[:most])

    def reduced(self, sort, body):
        """What a reducer sees of each row; fn:collect may meet rows where it fails."""
        if self.chance(0.7) or not (self.beyond or sort == "x"):
            return self.rng.choice(body.of(sort))
        if sort == "x" and body.of("n"):
            return "fn:div(%s, %s)" % (self.constant("n"), self.rng.choice(body.of("n")))
        return self.value(sort, body)

    def group_rule(self, pred, below):
        self.feature("aggregate")
        body = Body()
        if self.chance(0.4):
            body.premises = [self.atom(self.rng.choice(below), body, pred.unit)]
        else:
            body = self.body(below, ((), 0), pred.unit, 2)
        rows = dict(body.scope)
        keys = self.rng.sample(list(rows), self.rng.randint(0, min(2, len(rows))))
        lets, after = [], Body()
        after.scope, after.grouped = {k: rows[k] for k in keys}, True
        after.names = body.names
        for _ in range(self.rng.randint(1, 2)):
            usable = [r for r in REDUCERS if all(body.of(s) for s in r[1])
                      and (self.beyond or r[0] not in BEYOND)]
            name, sorts, result = self.rng.choice(usable)
            args = [self.reduced(s, body) for s in sorts]
            lets.append("let %s = fn:%s(%s)" % (after.fresh(result), name, ", ".join(args)))
        if self.chance(0.2):
            sort = self.rng.choice(list(after.scope.values()))
            if sort in FUNCTIONS:
                call = self.call(sort, after)
                lets.append("let %s = %s" % (after.fresh(sort), call))
        if pred.sorts == "?":
            chosen = [v for v in after.scope if self.chance(0.8)][:3]
            pred.sorts = "".join(after.scope[v] for v in chosen)
        text = "%s :- %s |> do fn:group_by(%s), %s." % (
            self.head(pred, after, False), ", ".join(body.premises), ", ".join(keys), ", ".join(lets))
        self.add(pred.unit, text)

    # programs

    def facts(self, at):
        few = self.profile_name == "temporal"
        pred = Pred("e%d" % at, self.sorts(0 if self.chance(.1) else 1, 2 if few else 3),
                    self.chance("temporal"), 0, self.rng.randrange(len(self.units)))
        if self.chance(0.25) and not pred.temporal:  # a graph
            pred.sorts = self.rng.choice(["nn", "aa", "nnn"])
        self.preds.append(pred)
        for _ in range(self.rng.choice([3, 5, 7, 9, 12]) if pred.sorts else 1):
            args = ", ".join(self.call(s, Body()) if s in FUNCTIONS and self.chance(.01) else
                             self.constant(s) for s in pred.sorts)
            text = "%s(%s)" % (pred.name, args)
            self.add(pred.unit, text + (self.fact_interval() if pred.temporal else "") + ".")

    def level(self, at):
        below = list(self.preds)
        unit = self.rng.randrange(len(self.units))
        own = [Pred("p%d" % at, "?", self.chance("temporal") and self.chance(0.7), at, unit)]
        recursive = self.chance("recursion")
        if self.chance("aggregate") and not recursive:
            self.group_rule(own[0], below)
            if self.chance(0.2):
                self.group_rule(own[0], below)
        else:
            self.plain_rule(own[0], below)
            if self.chance(0.3):
                self.plain_rule(own[0], below)
            if recursive and self.chance("aggregate"):
                self.group_rule(own[0], below)
        if recursive:
            self.recursion(own, below, at, unit)
        self.preds += own

    def recursion(self, own, below, at, unit):
        self.feature("recursion")
        if self.chance("mutual"):
            self.feature("mutual recursion")
            own.append(Pred("q%d" % at, own[0].sorts, own[0].temporal, at, unit))
            self.plain_rule(own[1], below, ([own[0]], 1))
            self.plain_rule(own[0], below, ([own[1]], 1))
        for pred in own[:1] if self.chance(0.7) else own:
            twice = self.chance(0.4)
            self.feature("non-linear recursion" if twice else "linear recursion")
            if pred.temporal:
                self.feature("temporal recursion")
            self.plain_rule(pred, below, (own, 2 if twice else 1))

    def declaration(self, pred):
        columns = ", ".join("ABCDEFGH"[:len(pred.sorts)])
        text = "Decl %s(%s)" % (pred.name, columns) + (" temporal" if pred.temporal else "")
        if self.chance(0.1):
            text += ' descr [doc("made by chance")]'
        return text + "."

    def make(self):
        for at in range(self.rng.randint(2, 4)):
            self.facts(at)
        if self.chance(0.04):
            shapes.reflecting(self)
        if self.chance("deferred"):
            if self.chance(0.6):
                shapes.on_demand(self, list(self.preds))
            if self.chance(0.7):
                shapes.deferred(self)
        if self.chance("lattice"):
            shapes.lattice(self)
        for at in range(1, 1 + self.rng.randint(1, 4)):
            self.level(at)
        for pred in self.preds:
            made = pred.name[0] in "epq" and pred.name[1:].isdigit()
            if made and (pred.temporal or self.chance(0.9) or not pred.sorts):
                self.add(pred.unit, self.declaration(pred))
        self.rng.shuffle(self.lines)
        for at, package in enumerate(self.units):
            lines = ["Package %s!" % package] if package else []
            lines += ["Use %s!" % p for p in self.units if p and p != package]
            lines += [text for unit, text in self.lines if unit == at]
            self.program.texts += ("\n".join(lines) + "\n",)
        return self.program


def make(seed, narrow=False):
    return Generator(seed, narrow).make()


def main():
    program = make(int(sys.argv[1]))
    print("\n".join(program.texts))
    print("#", sorted(program.features))


if __name__ == "__main__":
    main()

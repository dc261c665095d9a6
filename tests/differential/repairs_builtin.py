"""Repairs of equality, built-in predicates and functions."""
import re
from dataclasses import replace

import values
from rewriting import (bare, binds, change_terms, columns_of, descriptors, each_body, each_clause,
                       each_premise, is_do, is_negated, is_positive_atom, is_timed, names_in, postponed,
                       stands_in, time_term)
from tree import Atom, Call, Const, Equation, Literal, Var


def with_aliases_moved(body, alias):
    out, bound, waiting = [], set(), []
    for p in body:
        if alias(p) and not bound & set(names_in(p)):
            waiting.append(p)
            continue
        out.append(p)
        bound.update(binds(p))
        ready = [q for q in waiting if bound & set(names_in(q))]
        while ready:
            waiting.remove(ready[0])
            out.append(ready[0])
            bound.update(names_in(ready[0]))
            ready = [q for q in waiting if bound & set(names_in(q))]
    return out + waiting


def alias(p):
    return isinstance(p, Equation) and p.op == "=" and isinstance(p.left, Var) \
        and isinstance(p.right, Var) and Var("_") not in (p.left, p.right)


def gives(premise):
    """The names that a premise gives a value without having one."""
    if isinstance(premise, Literal) and premise.atom.pred.startswith(":") and not premise.negated:
        outputs = OUTPUTS.get(premise.atom.pred, ())
        return names_in([a for i, a in enumerate(premise.atom.args) if i in outputs])
    if isinstance(premise, Equation) and premise.op == "=":
        return names_in([t for t in (premise.left, premise.right) if isinstance(t, Var)])
    return binds(premise)


def one_name(units, _case):
    """Q-43: of X = Y with one side bound before the bound one's name stands for both."""
    def rule(clause, _fresh):
        body, bound = tuple(with_aliases_moved(clause.body or (), alias)), set()
        for p in body:
            known = alias(p) and [t.name in bound for t in (p.left, p.right)]
            if alias(p) and sorted(known) == [False, True]:
                old, new = (p.left, p.right) if known[1] else (p.right, p.left)
                clause = change_terms(replace(clause, body=body), lambda t: new if t == old else t)
                stages = tuple(replace(s, do=s.do and replace(
                    s.do, args=tuple(dict.fromkeys(s.do.args)))) for s in clause.stages)
                return rule(replace(clause, stages=stages), _fresh)
            bound.update(gives(p))
        return (clause,)
    return each_clause(units, rule)


def left_to_right(units, _case):
    """Q-43: X = Y with X bound and Y not becomes Y = X; with neither bound it moves to where one is."""
    def body(clause, _fresh):
        out, bound = [], set()
        for p in with_aliases_moved(clause.body, alias):
            if isinstance(p, Equation) and p.op == "=" and isinstance(p.left, Var) \
                    and isinstance(p.right, Var) and p.left.name in bound \
                    and p.right.name not in bound:
                p = replace(p, left=p.right, right=p.left)
            out.append(p)
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


OUTPUTS = {":match_pair": (1, 2), ":match_cons": (1, 2), ":match_entry": (2,), ":match_field": (2,),
           ":list:member": (0,)}


def tested_outputs(units, wanted, repeated=False):
    def body(clause, fresh):
        out, bound = [], set()
        for p in clause.body:
            tests = []
            if is_positive_atom(p) and wanted(p.atom.pred):
                args, seen = list(p.atom.args), set()
                for i in OUTPUTS[p.atom.pred]:
                    a = args[i]
                    if repeated and a in seen or not repeated and (
                            not isinstance(a, Var) or a.name in bound):
                        args[i] = fresh.var()
                        tests.append(Equation("=", args[i], a))
                    elif a != Var("_"):
                        seen.add(a)
                p = replace(p, atom=replace(p.atom, args=tuple(args)))
            out.extend([p, *tests])
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def membership_tests(units, _case):
    """Q-46: :list:member(v, L) with v known becomes :list:member(Zz, L), Zz = v."""
    return tested_outputs(units, lambda pred: pred == ":list:member")


def output_tests(units, _case):
    """M-PRED-21: values and bound variables in other output positions likewise."""
    return tested_outputs(units, lambda pred: pred in OUTPUTS and pred != ":list:member")


def repeated_outputs(units, _case):
    """M-PRED-20: the second X of :match_pair(P, X, X) likewise."""
    return tested_outputs(units, lambda pred: pred in OUTPUTS, repeated=True)


def named_wildcards(units, _case):
    """R-3: `_` under a predicate that reflects a prefix becomes a variable of its own."""
    reflecting = descriptors(units, "reflects")

    def premise(p, fresh):
        if is_positive_atom(p) and bare(p.atom.pred) in reflecting and p.atom.args == (Var("_"),):
            p = replace(p, atom=replace(p.atom, args=(fresh.var(),)))
        return (p,)
    return each_premise(units, premise)


def whole_parts(units, _case):
    """Q-72: :match_prefix(X, /p), also where a predicate that reflects(/p) stands for it, gets the test
    that X goes on with a slash."""
    reflecting, deferred = descriptors(units, "reflects"), descriptors(units, "deferred")
    modes = {pred: m for pred, m in descriptors(units, "mode").items() if pred in deferred}

    def prefix(p, bound):
        if not is_positive_atom(p):
            return None
        if p.atom.pred == ":match_prefix" and isinstance(p.atom.args[1], Const):
            return p.atom.args[1].value[1]
        if bare(p.atom.pred) in reflecting and set(names_in(p)) <= bound and names_in(p):
            return reflecting[bare(p.atom.pred)].args[0].value[1]
        return None

    def body(clause, fresh):
        out, bound = [], set(inputs(clause.head, modes))
        for p in clause.body:
            out.append(p)
            start = prefix(p, bound)
            if start:
                text = fresh.var()
                out += [Equation("=", text, Call("fn:name:to_string", (p.atom.args[0],))),
                        Literal(Atom(":string:starts_with", (text, Const(("string", start + "/")))))]
            bound.update(binds(p))
        return tuple(out)
    return each_body(units, body)


def pairs_of_times(units, _case):
    """Q-71: a variable under :interval:* is taken for a pair of times and taken apart."""
    def on_variables(p):
        return isinstance(p, Literal) and p.atom.pred.startswith(":interval:") \
            and any(isinstance(a, Var) for a in p.atom.args)

    def body(clause, fresh):
        if not any(on_variables(p) for p in clause.body):
            return clause.body
        out = []
        for p in postponed(clause, is_negated):
            if on_variables(p):
                args = []
                for a in p.atom.args:
                    if isinstance(a, Var):
                        ends = fresh.var(), fresh.var()
                        out.append(Literal(Atom(":match_pair", (a, *ends))))
                        a = Call("fn:pair", tuple(Call("fn:time:to_unix_nanos", (e,)) for e in ends))
                    args.append(a)
                p = replace(p, atom=replace(p.atom, args=tuple(args)))
            out.append(p)
        return tuple(out)
    return each_body(units, body)


def inputs(head, modes):
    """The names in a head that its caller binds."""
    mode = modes.get(bare(head.pred))
    return names_in([a for a, m in zip(head.args, mode.args) if m.value[1] == "+"]) if mode else []


TIMES = re.compile(r"fn:(time:(now|add|from_unix_nanos|parse_\w+|trunc\w*)|interval:(start|end))$")


def times_as_numbers(units, case):
    """Q-71: what is a time in fn:pair under :interval:* (a variable of an annotation, of a column of times
    or of an equation with one; a function that gives one) becomes its nanoseconds."""
    columns = columns_of("fn:time:", units, case) if "':interval:" in repr(units) else ()

    def is_call(term):
        return isinstance(term, Call) and TIMES.match(term.name)

    def body(clause, _fresh):
        times = set(names_in([p.annotation for p in clause.body if is_timed(p)]))
        times |= set(names_in([e for p in clause.body if isinstance(p, Equation)
                               for e, other in ((p.left, p.right), (p.right, p.left))
                               if isinstance(e, Var) and is_call(other)]))

        def number(term):
            timed = is_call(term) or isinstance(term, Var) and (
                term.name in times or stands_in(term.name, clause, columns))
            return Call("fn:time:to_unix_nanos", (term,)) if timed else term

        def pair(term):
            if isinstance(term, Call) and term.name in ("fn:pair", "fn:tuple"):
                return replace(term, args=tuple(number(a) for a in term.args))
            return term

        return tuple(replace(p, atom=replace(p.atom, args=tuple(pair(a) for a in p.atom.args)))
                     if isinstance(p, Literal) and p.atom.pred.startswith(":interval:") else p
                     for p in clause.body)
    return each_body(units, body)


def map_lookups(units, _case):
    """Q-49: fn:map:get(m, k) in a body or a let-transform becomes V with :match_entry(m, k, V) before
    it. Missing keys then fail silently: right as long as none is missing."""
    def rule(clause, fresh):
        if clause.body is None or is_do(clause) or "fn:map:get" not in repr(clause):
            return (clause,)
        lets = sum((s.lets for s in clause.stages), ())
        body = []
        for p in clause.body + tuple(Equation("=", t.var, t.term) for t in lets):
            def looked_up(term):
                if not (isinstance(term, Call) and term.name == "fn:map:get"):
                    return term
                body.append(Literal(Atom(":match_entry", term.args + (fresh.var(),))))
                return body[-1].atom.args[2]
            known, count = set(names_in(body)), len(body)
            p = change_terms(p, looked_up)
            entry = body[-1] if len(body) == count + 1 else None
            if entry and isinstance(p, Equation) and p.op == "=" and p.right == entry.atom.args[2] \
                    and isinstance(p.left, Var) and p.left.name not in known | {"_"}:
                body[-1] = change_terms(entry, lambda t: p.left if t == p.right else t)  # it gives V itself
            else:
                body.append(p)
        return (replace(clause, body=tuple(body), stages=()),)
    return each_clause(units, rule)


def every_term(change):
    return lambda units, case: [change_terms(u, lambda t: change(t, case)) for u in units]


def division(term, _case):
    """Q-68: fn:div(x, y, z) becomes fn:div(fn:div(x, y), z), fn:div(x) becomes fn:div(1, x)."""
    if isinstance(term, Call) and term.name == "fn:div":
        if len(term.args) == 1:
            return replace(term, args=(Const(("number", 1)),) + term.args)
        while len(term.args) > 2:
            first = replace(term, args=term.args[:2])
            term = replace(term, args=(first,) + term.args[2:])
    return term


def modulo(term, _case):
    """R-1: fn:mod(x, y) becomes x - y * (x / y)."""
    if isinstance(term, Call) and term.name == "fn:mod" and len(term.args) == 2:
        x, y = term.args
        return Call("fn:minus", (x, Call("fn:mult", (y, Call("fn:div", (x, y))))))
    return term


def number(n):
    return Const(("number", n))


def range_of_trunc(term, _case):
    """R-4: fn:time:trunc(x, u) fails where it would wrap: there the quotients by 2^62 are 3 apart."""
    if not (isinstance(term, Call) and term.name == "fn:time:trunc" and len(term.args) == 2):
        return term

    def quotient(time):
        return Call("fn:div", (Call("fn:time:to_unix_nanos", (time,)), number(2**62)))

    apart = Call("fn:minus", (number(3), quotient(term), Call("fn:minus", (quotient(term.args[0]),))))
    check = Call("fn:mult", (number(0), Call("fn:div", (number(1), apart))))
    return Call("fn:time:add", (term, Call("fn:duration:from_nanos", (check,))))


def clock(term, case):
    """Q-70: fn:time:now() becomes the evaluation time."""
    return time_term(case.now) if isinstance(term, Call) and term.name == "fn:time:now" else term


def negative_first(term, _case):
    """Q-1: fn:list(-1, ...) is written with a blank after the bracket."""
    def negative(v):
        return isinstance(v, Const) and values.file_text(v.value).startswith("-")
    if isinstance(term, Call) and term.name in ("fn:list", "fn:map") and term.args \
            and negative(term.args[0]):
        blank = " " + values.file_text(term.args[0].value)
        return replace(term, args=(blank,) + term.args[1:])
    return term

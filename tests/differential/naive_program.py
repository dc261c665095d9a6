"""What a program says before it runs: packages, kinds of predicates, placed premises, strata."""
from dataclasses import dataclass, replace
from typing import Optional

from syntax import Atom, Call, Const, Equation, Literal, Open, Var


def variables(part):
    """Names of the variables of a term, bound, atom, premise or tuple of them, in written order."""
    if isinstance(part, Var):
        return [part.name] if part.name != "_" else []
    if isinstance(part, (Call, Atom)):
        return variables(part.args)
    if isinstance(part, Literal):
        window = part.window.bounds if part.window else ()
        return variables(window) + variables(part.atom) + variables(part.annotation or ())
    if isinstance(part, Equation):
        return variables((part.left, part.right))
    if isinstance(part, (tuple, list)):
        return [name for p in part for name in variables(p)]
    return []


def symbol(atom):
    return (atom.pred, len(atom.args))


# ---- packages (section 7) ----------------------------------------------------------------------


def renamed(units):
    """All declarations and clauses, each predicate with the name of its package before it."""
    own = {}  # package -> symbols that it declares or defines
    for u in units:
        found = own.setdefault(u.package or "", set())
        found.update(symbol(d.atom) for d in u.decls)
        found.update(symbol(c.head) for c in u.clauses)

    def named(atom, package):
        inside = package and symbol(atom) in own[package]
        return replace(atom, pred=package + "." + atom.pred) if inside else atom

    decls, clauses = [], []
    for u in units:
        package = u.package or ""

        def premise(p):
            return replace(p, atom=named(p.atom, package)) if isinstance(p, Literal) else p

        def descriptor(d):
            if d.pred == "merge" and len(d.args) == 2 and isinstance(d.args[1], Const):
                rule = named(Atom(d.args[1].value[1], (None,) * 3), package).pred
                return replace(d, args=(d.args[0], Const(("string", rule))))
            return d

        for d in u.decls:
            decls.append(replace(d, atom=named(d.atom, package),
                                 descr=d.descr and tuple(map(descriptor, d.descr))))
        for c in u.clauses:
            body = c.body and tuple(map(premise, c.body))
            clauses.append(replace(c, head=named(c.head, package), body=body))
    return decls, clauses


# ---- predicates --------------------------------------------------------------------------------


@dataclass
class Pred:
    temporal: bool = False
    rules: bool = False       # IDB (M-ANA-5)
    deferred: bool = False
    modes: tuple = ()         # of each mode(...): a string such as "+-"
    reflects: Optional[tuple] = None
    sources: tuple = ()       # of a lattice: the source columns,
    target: int = -1          # its target column
    merge: str = ""           # and the predicate that merges

    def input(self, at):
        """`+` in every mode"""
        return bool(self.modes) and all(m[at] == "+" for m in self.modes)


def eternal(annotation):
    return all(isinstance(b, Open) for b in annotation)


def describe(pred, decl):
    columns = [a.name for a in decl.atom.args]

    def column_list(term):
        return tuple(columns.index(v.name) for v in term.args)

    for d in decl.descr or ():
        if d.pred == "mode":
            pred.modes += ("".join(a.value[1] for a in d.args),)
        elif d.pred == "deferred":
            pred.deferred = True
        elif d.pred == "reflects":
            pred.reflects = d.args[0].value
        elif d.pred == "fundep":
            pred.sources, (pred.target,) = column_list(d.args[0]), column_list(d.args[1])
        elif d.pred == "merge":
            pred.merge = d.args[1].value[1]


def predicates(decls, clauses):
    preds = {}
    for d in decls:
        preds[symbol(d.atom)] = Pred(temporal=d.temporal)
        describe(preds[symbol(d.atom)], d)
    for c in clauses:
        if symbol(c.head) not in preds:  # the first clause decides (M-TEMP-95)
            temporal = c.annotation is not None and not eternal(c.annotation)
            preds[symbol(c.head)] = Pred(temporal=temporal)
        preds[symbol(c.head)].rules |= c.body is not None
    return preds


# ---- placing premises (8.2) --------------------------------------------------------------------


def reflected(premise, pred, bound):
    """M-DECL-17"""
    names = {a.name for a in premise.atom.args if isinstance(a, Var)} | set(variables(premise.atom))
    known = names <= bound or pred.input(0)
    if not pred.reflects or not known:
        return premise
    prefix = Const(pred.reflects)
    return replace(premise, atom=Atom(":match_prefix", premise.atom.args + (prefix,)))


def placed(clause, preds):
    """The body with negated atoms and inequalities where their variables are bound."""
    head = preds[symbol(clause.head)]
    bound, waiting, out = set(), [], []
    if head.deferred:
        for at, arg in enumerate(clause.head.args):
            bound |= set(variables(arg)) if head.input(at) else set()

    def needed(premise):
        if isinstance(premise, Equation) or not (premise.window or premise.annotation):
            return set(variables(premise))
        elsewhere = set(variables(clause.head)) | set(variables(clause.annotation or ()))
        for p in clause.body:
            elsewhere |= set(variables(p)) if p is not premise else set()
        for s in clause.stages:
            elsewhere |= set(variables((s.do,))) | set(variables([let.term for let in s.lets]))
        return set(variables(premise)) & elsewhere  # its other variables are existential

    def place(premise):
        if isinstance(premise, Literal):
            pred = preds.get(symbol(premise.atom))
            if pred and pred.reflects:
                premise = reflected(premise, pred, bound)
        out.append(premise)

    aliases = []
    for premise in clause.body:
        negative = premise.op == "!=" if isinstance(premise, Equation) else premise.negated
        if negative and not needed(premise) <= bound:
            waiting.append(premise)
            continue
        place(premise)
        if negative:
            continue
        sides = isinstance(premise, Equation) and [premise.left, premise.right]
        if sides and all(isinstance(t, Var) for t in sides):
            aliases.append({t.name for t in sides})  # bound as soon as either is
        else:
            bound |= set(variables(premise))
        for _ in aliases:
            for pair in aliases:
                bound |= pair if pair & bound else set()
        for late in list(waiting):
            if needed(late) <= bound:
                waiting.remove(late)
                place(late)
    return tuple(out + waiting)


def computed_too_soon(clause, body, preds):
    """Variables that an argument of a positive atom computes with, and no premise before binds
    (M-EVAL-7)."""
    head = preds[symbol(clause.head)]
    bound = {n for at, a in enumerate(clause.head.args) if head.input(at) for n in variables(a)}
    equal, out = [], []
    for p in body:
        atom = isinstance(p, Literal) and not p.negated
        if atom and not p.atom.pred.startswith(":"):
            out += [n for a in p.atom.args if isinstance(a, Call)
                    for n in variables(a) if n not in bound]
        if isinstance(p, Equation) and isinstance(p.left, Var) and isinstance(p.right, Var):
            equal.append(set(variables(p)))
        elif atom or isinstance(p, Equation) and p.op == "=":
            bound |= set(variables(p))
        for _ in equal:
            for pair in equal:
                bound |= pair if pair & bound else set()
    return out


@dataclass(frozen=True)
class Apart(Literal):
    """The one atom of a do-rule's body: each stored fact that matches is a row (M-AGG-5). Its `_` are
    variables, and what is temporal binds INTERVAL too."""


INTERVAL = ["#start", "#end"]  # no names of a program


def rows_apart(clause, body):
    if len(body) > 1 or not any(s.do for s in clause.stages) or isinstance(body[0], Equation) \
            or body[0].negated or body[0].atom.pred.startswith(":"):
        return body
    p = body[0]
    args = tuple(Var("#%d" % at) if a == Var("_") else a for at, a in enumerate(p.atom.args))
    return (Apart(Atom(p.atom.pred, args), False, p.window, p.annotation),)


# ---- strata (section 9) ------------------------------------------------------------------------


def strata(clauses, preds):
    """Lists of predicates: each component, after all that it reads."""
    reads = {s: set() for s, p in preds.items() if p.rules}
    for c in clauses:
        for p in c.body or ():
            if isinstance(p, Literal) and symbol(p.atom) in reads:
                reads[symbol(c.head)].add(symbol(p.atom))
    for s, p in preds.items():
        if p.merge and s in reads:
            reads[s].add((p.merge, 3))
    reach = {s: set(r) for s, r in reads.items()}
    for _ in reach:
        for s in reach:
            for other in list(reach[s]):
                reach[s] |= reach.get(other, set())
    out, done = [], set()
    while len(done) < len(reach):
        for s in sorted(reach):
            component = {s} | {t for t in reach[s] if s in reach.get(t, ())}
            outside = {t for t in reach[s] if t in reach} - component
            if s not in done and outside <= done:
                out.append(sorted(component))
                done |= component
    return out

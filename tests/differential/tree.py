"""The parts of a program as plain dataclasses, and their text. Made by syntax.py.

Terms are Var, Const (content: a value of values.py) and Call (a function, also what list, map and
struct literals stand for: Call("fn:list", ...)). A premise is a Literal (atom, possibly negated, with
a window, an annotation, or both; `X < 3` is the atom `:lt(X, 3)`) or an Equation (`=`, `!=`).
All are immutable: change one with dataclasses.replace.
"""
from dataclasses import dataclass
from typing import Optional, Tuple, Union

import values

COMPARISONS = {"<": ":lt", "<=": ":le", ">": ":gt", ">=": ":ge"}


@dataclass(frozen=True)
class Var:
    name: str  # "_" is the wildcard


@dataclass(frozen=True)
class Const:
    value: tuple  # as in values.py


@dataclass(frozen=True)
class Call:
    name: str  # with "fn:"
    args: Tuple["Term", ...]


Term = Union[Var, Const, Call]


@dataclass(frozen=True)
class Atom:
    pred: str
    args: Tuple[Term, ...]


# Bounds of windows and annotations: one of these or a Var (never "_").
@dataclass(frozen=True)
class At:
    ns: int  # an instant


@dataclass(frozen=True)
class Span:
    ns: int  # a duration


@dataclass(frozen=True)
class Now:
    pass


@dataclass(frozen=True)
class Open:
    pass  # `_`


Bound = Union[At, Span, Now, Open, Var]


@dataclass(frozen=True)
class Window:
    op: str  # "<-", "[-", "<+", "[+"
    bounds: Tuple[Bound, Bound]


@dataclass(frozen=True)
class Literal:
    atom: Atom
    negated: bool = False
    window: Optional[Window] = None
    annotation: Optional[Tuple[Bound, ...]] = None  # one bound or two


@dataclass(frozen=True)
class Equation:
    op: str  # "=" or "!="
    left: Term
    right: Term


Premise = Union[Literal, Equation]


@dataclass(frozen=True)
class Let:
    var: Var
    term: Call


@dataclass(frozen=True)
class Stage:
    do: Optional[Call]  # None: a let-transform
    lets: Tuple[Let, ...]


@dataclass(frozen=True)
class Clause:
    head: Atom
    annotation: Optional[Tuple[Bound, ...]] = None
    body: Optional[Tuple[Premise, ...]] = None  # None: a fact
    stages: Tuple[Stage, ...] = ()


@dataclass(frozen=True)
class Decl:
    atom: Atom
    temporal: bool = False
    descr: Optional[Tuple[Atom, ...]] = None
    bounds: Tuple[Tuple[Term, ...], ...] = ()
    inclusion: Tuple[Atom, ...] = ()


@dataclass(frozen=True)
class Unit:
    package: Optional[str]
    uses: Tuple[str, ...]
    decls: Tuple[Decl, ...]
    clauses: Tuple[Clause, ...]


# ---- printing ----------------------------------------------------------------------------------

INFIX = {name: op for op, name in COMPARISONS.items()}


def join(parts):
    return ", ".join(show(p) for p in parts)


def pairs_text(args):
    return ", ".join("%s : %s" % (show(k), show(v)) for k, v in zip(args[::2], args[1::2]))


def show_call(call):
    if call.name == "fn:list":
        return "[%s]" % join(call.args)
    if call.name == "fn:map" and call.args and len(call.args) % 2 == 0:
        return "[%s]" % pairs_text(call.args)
    if call.name == "fn:struct" and len(call.args) % 2 == 0:
        return "{%s}" % pairs_text(call.args)
    return "%s(%s)" % (call.name, join(call.args))


def show_literal(p):
    infix = INFIX.get(p.atom.pred)
    if infix and len(p.atom.args) == 2 and not p.negated:
        return "%s %s %s" % (show(p.atom.args[0]), infix, show(p.atom.args[1]))
    return ("!" if p.negated else "") + (show(p.window) if p.window else "") + show(p.atom) \
        + show_annotation(p.annotation)


def show_annotation(bounds):
    return "@[%s]" % join(bounds) if bounds is not None else ""


UNITS = (("d", 86400 * 10**9), ("h", 3600 * 10**9), ("m", 60 * 10**9), ("s", 10**9), ("ms", 10**6),
         ("us", 10**3), ("ns", 1))


def span_text(ns):
    """In the largest unit that divides it."""
    name, unit = next(u for u in UNITS if ns % u[1] == 0)
    return "%d%s" % (ns // unit, name)


def show_clause(c):
    text = show(c.head) + show_annotation(c.annotation)
    if c.body is not None:
        text += " :- " + join(c.body)
    return text + "".join(" |> " + show(s) for s in c.stages) + "."


def show_decl(d):
    text = "Decl " + show(d.atom) + (" temporal" if d.temporal else "")
    text += " descr [%s]" % join(d.descr) if d.descr is not None else ""
    text += "".join(" bound [%s]" % join(row) for row in d.bounds)
    return text + (" inclusion [%s]" % join(d.inclusion) if d.inclusion else "") + "."


def show_unit(u):
    lines = ["Package %s!" % u.package] if u.package else []
    lines += ["Use %s!" % name for name in u.uses]
    return "".join(line + "\n" for line in lines + [show(x) for x in u.decls + u.clauses])


SHOW = {
    Var: lambda v: v.name,
    Const: lambda c: values.file_text(c.value),
    Call: show_call,
    Atom: lambda a: "%s(%s)" % (a.pred, join(a.args)),
    At: lambda b: values.time_text(b.ns),
    Span: lambda b: span_text(b.ns),
    Now: lambda b: "now",
    Open: lambda b: "_",
    Window: lambda w: "%s[%s] " % (w.op, join(w.bounds)),
    Literal: show_literal,
    Equation: lambda e: "%s %s %s" % (show(e.left), e.op, show(e.right)),
    Let: lambda s: "let %s = %s" % (show(s.var), show(s.term)),
    Stage: lambda s: join((["do " + show(s.do)] if s.do else []) + list(s.lets)),
    Clause: show_clause,
    Decl: show_decl,
    Unit: show_unit,
    str: lambda text: text,
}


def show(part):
    return SHOW[type(part)](part)

"""Parts of random programs of which only the details are left to chance. g is a Generator."""
from dataclasses import dataclass, field

from generate_tables import NOW


@dataclass
class Pred:
    name: str
    sorts: str
    temporal: bool = False
    level: int = 0
    unit: int = 0
    mode: str = ""  # of a deferred predicate


@dataclass
class Program:
    seed: int
    texts: tuple
    now: int = NOW
    features: set = field(default_factory=set)


class Body:
    """A rule while it is made: its premises, and the variables that they bind, with their sorts."""

    def __init__(self):
        self.grouped = False  # after fn:group_by, where fn:sum means the rows
        self.premises, self.scope, self.names = [], {}, iter(
            "X Y Z U V W A B C D E F G H I J K L M N O P Q R S T".split()
            + ["V%d" % i for i in range(99)])

    def fresh(self, sort):
        name = next(self.names)
        self.scope[name] = sort
        return name

    def of(self, sort):
        wanted = "nf" if sort == "N" else sort
        return [v for v, s in self.scope.items() if s in wanted or sort == "x"]


def deferred(g):
    """Predicates on demand, of fixed shapes with random parts."""
    unit = g.rng.randrange(len(g.units))
    bound = g.constant("K")
    shapes = [
        ("clamp", "nnn", "++-", ["clamp(X, L, Y) :- X < L, Y = L.",
                                 "clamp(X, L, Y) :- L <= X, Y = X."]),
        ("count", "nn", "+-", ["count(N, F) :- N <= 0, F = %s." % bound,
                               "count(N, F) :- N > 0, N < 20, M = fn:minus(N, 1), count(M, G), "
                               "F = fn:plus(G, N)."]),
        ("total", "ln", "+-", ["total(L, S) :- :match_nil(L), S = 0.",
                               "total(L, S) :- :match_cons(L, H, T), total(T, R) "
                               "|> let S = fn:plus(H, R)."]),
        ("part", "ln", "+-", ["part(L, E) :- :list:member(E, L), !:lt(E, %s)." % bound]),
    ]
    for name, sorts, mode, rules in g.rng.sample(shapes, g.rng.randint(1, 2)):
        g.feature("deferred")
        columns = ", ".join("ABC"[:len(sorts)])
        modes = ", ".join("'%s'" % letter for letter in mode)
        g.add(unit, "Decl %s(%s) descr [mode(%s), deferred()]." % (name, columns, modes))
        for text in rules:
            g.add(unit, text)
        g.preds.append(Pred(name, sorts, False, 0, unit, mode))


def on_demand(g, below):
    """A deferred predicate with rules like any others, one column of which the caller gives."""
    g.feature("deferred")
    sorts = "".join(g.rng.choice(g.pool) for _ in range(2))
    pred = Pred("ask", sorts, False, 0, g.rng.randrange(len(g.units)), "+-")
    g.add(pred.unit, "Decl ask(A, B) descr [mode('+', '-'), deferred()].")
    for _ in range(g.rng.randint(1, 2)):
        body = Body()
        head = body.fresh(sorts[0]) if g.chance(0.9) else g.constant(sorts[0])
        body.premises = [g.positive(below, body, pred.unit) or "1 = 1"
                         for _ in range(g.rng.randint(1, 2))]
        if g.chance(0.3):
            body.premises.append(g.negative(below, body, pred.unit) or "1 = 1")
        g.add(pred.unit, "ask(%s, %s) :- %s." % (head, g.value(sorts[1], body),
                                                 ", ".join(body.premises)))
    g.preds.append(pred)


def lattice(g):
    """Shortest or widest ways. What a way gives must grow with what its parts give: a bound such as
    C < 15 on the longest way so far would make the result depend on the order of derivation."""
    g.feature("lattice")
    unit = g.rng.randrange(len(g.units))
    names = g.rng.sample(["/a", "/b", "/c", "/d"], 4)
    shortest = g.chance(0.6)
    sign, both = ("<", "fn:plus(C, D)") if shortest else (">", "fn:min([C, D])")
    limit = ", C < 40" if shortest else ""
    lines = ["Decl cost(X, Y, C) descr [fundep([X, Y], [C]), merge([C], 'better')].",
             "Decl better(A, B, C) descr [mode('+', '+', '-'), deferred()].",
             "better(A, B, C) :- A %s B, C = A." % sign,
             "better(A, B, C) :- B %s= A, C = B." % sign,
             "cost(X, Y, C) :- leg(X, Y, C).",
             "cost(X, Z, S) :- cost(X, Y, C), %s%s |> let S = %s."
             % (g.rng.choice(["leg(Y, Z, D)", "leg(Y, Z, D), Z != X"]), limit, both)]
    if g.chance(0.3):
        lines[-1] = "cost(X, Z, S) :- cost(X, Y, C), cost(Y, Z, D)%s, S = %s." % (
            limit and ", C < 40, D < 40", both)
    for _ in range(g.rng.randint(3, 8)):
        lines.append("leg(%s, %s, %d)." % (g.rng.choice(names), g.rng.choice(names),
                                           g.rng.randint(1, 9)))
    for line in lines:
        g.add(unit, line)
    g.preds += [Pred("cost", "aan", False, 1, unit), Pred("leg", "aan", False, 0, unit)]


def reflecting(g):
    """A predicate that stands for the names below /a."""
    g.feature("reflects")
    unit = g.rng.randrange(len(g.units))
    g.add(unit, "Decl kind(A) descr [reflects(/a)].")
    g.add(unit, "kind(/a/b).")
    g.preds.append(Pred("kind", "a", False, 0, unit))

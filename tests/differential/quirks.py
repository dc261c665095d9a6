"""Why judge (b) differs: the known quirks of the reference implementation, each recognised by repair.

    explain(units, now_ns, ours, theirs, judged=None) -> names of quirks, () if it stays unexplained

A quirk is recognised by taking it away: the program is rewritten so that the quirk cannot act
(repairs.py), or the reference is evaluated so that it cannot (the harness knows how: PROCEDURES). The
quirks that explain a disagreement are a smallest set of repairs with which the reference gives what we
give; taking any one of them back makes it differ again. So each name in the answer stands for a pattern
that the program has *and* that made this difference. Judge (a) must agree with us first.

What no repair can take away is recognised by what the reference says (REFUSALS): an error text that names
the construct, where the program has it.
"""
import re
from dataclasses import dataclass

from grouping import groups_by_value, tagged
from reference import reference
from repairs import REPAIRS
from rewriting import (components, descriptors, is_helper, is_positive_atom, is_timed, symbol,
                       temporal_preds)
from tree import Literal, show

RANDOM = {"Q-20", "Q-53", "Q-66", "Q-70"}
ATTEMPTS = 4  # the reference's order is random, and clocks go on: a repair is not needed only if it never is


@dataclass(frozen=True)
class Case:
    now: int
    lines: frozenset  # the facts that we derive
    fails: bool = False  # or that we derive none for an error


# ---- quirks of the evaluation itself ---------------------------------------------------------------


def clauses(units):
    return [c for u in units for c in u.clauses]


def has_function(units, *names):
    text = repr(units)
    return any("Call(name='%s'" % n in text for n in names)


def within_component(units):
    """(rule, how many of its positive premises are in the component of its head)"""
    recursive = components(units)
    for c in clauses(units):
        if c.body is not None:
            own = recursive[symbol(c.head)]
            yield c, sum(is_positive_atom(p) and symbol(p.atom) in own for p in c.body)


def reads_derived_times(units):
    derived = {symbol(c.head) for c in clauses(units) if c.body is not None}
    return any(is_timed(p) and symbol(p.atom) in derived for c in clauses(units) for p in c.body or ())


PROCEDURES = [  # quirk, what the harness calls its repair, whether the program has the pattern
    ("Q-66", "order", lambda u: has_function(u, "fn:collect", "fn:collect_distinct",
                                             "fn:collect_to_map", "fn:pick_any")),
    ("Q-53", "strata", reads_derived_times),
    ("Q-54", "joins", lambda u: any(n > 1 for _, n in within_component(u))),
    ("Q-55", "heads", lambda u: any(n and c.annotation is not None for c, n in within_component(u))),
    ("Q-19", "identity", lambda u: bool(temporal_preds(u))),
    ("Q-83", "coalesce", lambda u: bool(temporal_preds(u))),
    ("R-6", "stored", lambda u: True),
]

REFUSALS = [  # quirk, what the reference says, function that the program has
    ("Q-49", r"analysis: .*fn:map:get", "fn:map:get"),
    ("Q-49", r"analysis: .*fn:count_distinct", "fn:count_distinct"),
    ("R-1", r"(analysis|eval): .*unknown function fn:time:trunc_civil", "fn:time:trunc_civil"),
    ("Q-49", r"(analysis|eval): .*fn:pick_any", "fn:pick_any"),
]


GLUED_DOT = re.compile(r"(?<=[\w~%-])\.$", re.MULTILINE)  # a name would swallow it


def ends_with_a_name(units):
    return any(re.search(r"/[\w~%/.-]+\.$", show(c)) for c in clauses(units))


def patience(units):
    """How many milliseconds the reference gets: with a lattice relation it may never end (Q-62)."""
    return 250 if descriptors(units, "merge") else 0


EVERYWHERE = {"Q-30", "R-6"}  # nearly every program has the pattern, and it hardly ever acts


def triggers(units, now):
    """The names of quirks for which the program has the pattern, whether or not they act."""
    names = set(Repairs(units, Case(now, frozenset())).names) - EVERYWHERE
    return names | {name for name, _, function in REFUSALS if has_function(units, function)}


class Repairs:
    """The program with any set of repairs; what is rewritten once is kept."""

    def __init__(self, units, case):
        self.case, self.glued = case, ends_with_a_name(units)
        self.steps = {(): units}  # indexes into REPAIRS -> the program after these
        self.names = ["Q-3"] if self.glued else []
        done = ()
        for at, (name, _) in enumerate(REPAIRS):
            before, after = self.steps[done], self.after(done + (at,))
            if after == before:
                del self.steps[done + (at,)]
            else:
                self.names += [name] * (name not in self.names)
                done += (at,)
        self.names += [name for name, _, pattern in PROCEDURES if pattern(units)]

    def after(self, done):
        if done not in self.steps:
            repair = REPAIRS[done[-1]][1]
            self.steps[done] = repair(self.after(done[:-1]), self.case)
        return self.steps[done]

    def program(self, names):
        """What to hand to the reference: (texts, now, what its harness shall repair)."""
        glued = self.glued and "Q-3" not in names
        procedures = [how for name, how, _ in PROCEDURES if name in names]
        units = self.after(tuple(at for at, (name, _) in enumerate(REPAIRS) if name in names))

        def written(units):
            texts = (show(u) for u in units)
            return tuple(t if glued else GLUED_DOT.sub(" .", t) for t in texts), self.case.now, procedures,\
                patience(units)

        def facts(units):
            result = reference([written(units)])[0]
            return result[1] if result[0] == "facts" else None

        if "Q-21" in names:
            repairs, before = dict(REPAIRS), units
            units = tagged(units, facts)
            # if not the program, then the repair of Q-21 made bodies that look alike
            if "Q-57" in names or repairs["Q-57"](before, self.case) == before:
                units = repairs["Q-57"](units, self.case)
            units = repairs["Q-1"](units, self.case)
        return written(units)

    def agrees(self, ours, names):
        """Does the reference, so repaired, give what we give, always?"""
        program = self.program(names)
        again = ATTEMPTS - 1 if RANDOM & set(self.names) - set(names) else 0
        return agrees(ours, reference([program])[0]) and \
            all(agrees(ours, r) for r in reference([program] * again))


def agrees(ours, theirs):
    if ours[0] != "facts" or theirs[0] != "facts":
        return ours[0] == theirs[0] == "error"
    return ours[1] == frozenset(line for line in theirs[1] if not is_helper(line))


def smallest(names, explains, needed=()):
    """As few of the names as still explain (and those in needed), the last ones given up first; () if all
    of them do not, or if none is needed. What is random may seem not to be needed: the last such name
    stays."""
    if not names or not explains(names):
        return ()
    for name in names:  # mostly it is one
        some = [n for n in names if n == name or n in needed]
        if 2 < len(names) > len(some) and name not in RANDOM and explains(some):
            names = some
            break
    for name in reversed(names):
        fewer = [n for n in names if n != name]
        if (fewer or name not in RANDOM) and name not in needed and explains(fewer):
            names = fewer
    return tuple(names)


def explain(units, now, ours, theirs, judged=None):
    if judged is not None and not agrees(ours, judged):
        return ()
    fails = ours[0] != "facts"
    repairs = Repairs(units, Case(now, frozenset() if fails else ours[1], fails))
    names = repairs.names
    needed = {"Q-62"} & set(names) if theirs[0] == "timeout" else set()  # each try would take as long
    attempts = [names] + [names + ["Q-21"]] * groups_by_value(units)
    attempts += [[n for n in names if n != left_out] for left_out in names]
    for attempt in attempts:
        found = smallest(attempt, lambda some: repairs.agrees(ours, some), needed & set(attempt))
        if found:
            return tuple(boxes(units, n) for n in found)
    return refused(units, reference([repairs.program(names)])[0])


def refused(units, theirs):
    """What the reference says it will not do when all is repaired that can be."""
    return tuple(name for name, said, function in REFUSALS if theirs[0] == "error"
                 and re.match(said, theirs[1], re.DOTALL) and has_function(units, function))


def boxes(units, name):
    """Q-84 is Q-83 seen by a box operator."""
    boxed = any(isinstance(p, Literal) and p.window and p.window.op[0] == "["
                for c in clauses(units) for p in c.body or ())
    return "Q-84" if name == "Q-83" and boxed else name

#!/usr/bin/env python3
"""Random programs before the engine and two judges; every difference is shrunk and printed.

    differential.py MANGLE [--count N] [--seed S] [--jobs J] [--against naive|reference|both]
                           [--report FILE] [--tap] [--triggers one] [--store merged|indexed]
                           [--checkout FOLDER]

Judge (a) is naive.py: the engine must agree on every program. Judge (b) is the Go implementation
behind reference.py, if it can be built: it may differ where quirks.py knows why and judge (a) sides with
the engine. A program that is too much for judge (a), or that fails and is too much for the engine's
limits, is replaced by another one. The exit status is 1 if anything is left unexplained.
"""
import argparse
import collections
import dataclasses
import multiprocessing
import os
import sys
import tempfile
import time

import engine
import generate
import naive
import quirks
import reference
import report
import shrink
import syntax

BATCH = 50
ATTEMPTS = 30
SECOND_CHANCES = 2
ASKED_AGAIN = 5  # for a result that changes from run to run
NEXT_TRY = 1000003  # added to a seed whose program is replaced
LONGER_MS = 25000  # for judge (b) to answer what it did not in its usual time


def agree(ours, theirs):
    """Is the engine's result what judge (a) says?"""
    if theirs[0] == "facts":
        return ours == theirs
    if theirs[0] == "error":
        early = theirs[1].startswith((naive.IN_A_FACT, naive.TOO_SOON))  # found in analysis
        return ours[0] == "error" or early and ours[0] == "rejected"
    return False


def same_to_the_reference(ours, theirs):
    """Judge (b) may call an error what the engine rejects."""
    if ours[0] == "facts" or theirs[0] == "facts":
        return ours == theirs
    return theirs[0] == "error" and ours[0] in ("error", "rejected")


def allowed(seed):
    """How many triggers of quirks a program of the narrow mode may have: one in each tenth program."""
    return 1 if seed % 10 == 0 else 0


def turned(units):
    """The clauses in the opposite order."""
    return tuple(dataclasses.replace(u, clauses=u.clauses[::-1]) for u in units)


class Case:
    """A program and what has been said about it."""

    def __init__(self, program):
        self.seed, self.now, self.features = program.seed, program.now, program.features
        self.texts, self.replaced, self.barren = program.texts, 0, 0
        self.units = tuple(syntax.parse(text) for text in program.texts)
        # judge (b) knows nothing of the dialect
        self.plainly_written = tuple(syntax.show(u) for u in self.units)
        self.naive = naive.evaluate(self.units, self.now)
        self.ours = None
        self.theirs = None  # what judge (b) said
        self.agreed = self.timeouts = False
        self.reports, self.quirks = [], ()


class Worker:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.TemporaryDirectory()

    def engine(self, texts, now):
        return engine.run(self.options.mangle, texts, now, self.folder.name)

    def case(self, seed):
        """The seed's program, or the first after it that judge (a) can manage. One that derives
        nothing gets a second chance."""
        replaced, barren, most = 0, 0, allowed(seed)
        while True:
            case = Case(generate.make(seed, narrow=bool(self.options.triggers)))
            seed += NEXT_TRY
            if self.options.triggers and len(quirks.triggers(case.units, case.now)) > most:
                continue
            if case.naive == ("facts", frozenset()) and barren < SECOND_CHANCES:
                barren += 1
                continue
            if case.naive[0] != "timeout":
                case.ours = self.engine(case.texts, case.now)
                # a program that fails may fail before or after it is too much
                if (case.naive[0], case.ours[0]) != ("error", "timeout"):
                    break
            replaced += 1
            if replaced > ATTEMPTS:
                raise RuntimeError("seed %d: no program that the judges can manage" % case.seed)
        case.replaced, case.barren = replaced, barren
        return case

    def batch(self, seeds):
        cases = [self.case(seed) for seed in seeds]
        if self.options.against != "reference":
            for case in cases:
                if not agree(case.ours, case.naive):
                    self.report(case, "judge (a)", self.naive_differs)
        if self.options.against != "naive" and not self.options.without_b:
            answers = reference.reference([(c.plainly_written, c.now, (), quirks.patience(c.units))
                                           for c in cases])
            for case, theirs in zip(cases, answers):
                self.compare_reference(case, theirs)
        return [self.outcome(c) for c in cases]

    # judge (a)

    def naive_differs(self, case, units):
        """Does the smaller program show a difference of the same kind?"""
        texts = tuple(syntax.show(u) for u in units)
        try:
            theirs = naive.evaluate(units, case.now)
        except Exception:  # pylint: disable=broad-except; a candidate need not be well-formed
            return False
        ours = self.engine(texts, case.now)
        if (ours[0], theirs[0]) != (case.ours[0], case.naive[0]) or agree(ours, theirs):
            return False
        if naive.evaluate(turned(units), case.now) != theirs:
            return False  # a merge that depends on the order of derivation
        return ours[0] != "rejected" or \
            engine.why_rejected(ours[1]) == engine.why_rejected(case.ours[1])

    # judge (b)

    def compare_reference(self, case, theirs):
        case.theirs, case.agreed = theirs, same_to_the_reference(case.ours, theirs)
        case.timeouts = theirs[0] == "timeout"
        if case.agreed:
            return
        if self.is_dangerous(case):
            case.quirks = (report.DANGEROUS,)  # what the reference does not allow
            return
        if agree(case.ours, case.naive):
            case.quirks = self.explained(case, case.units, case.ours, theirs, case.naive)
        if not case.quirks and case.timeouts:
            case.theirs = reference.reference([(case.plainly_written, case.now, (), LONGER_MS)])[0]
            case.agreed = same_to_the_reference(case.ours, case.theirs)
        if not case.quirks and not case.agreed and self.is_unstable(case):
            case.quirks = ("unstable",)
        if not case.quirks and not case.agreed:
            self.report(case, "judge (b)", self.reference_differs)

    @staticmethod
    def is_unstable(case):
        """Is what judge (a) and the engine say among its answers, when it is asked again? It goes
        through hash maps in random order, so some programs have several results there (Q-53, Q-62,
        Q-66)."""
        if not agree(case.ours, case.naive):
            return False
        again = reference.reference([(case.plainly_written, case.now)] * ASKED_AGAIN)
        return any(same_to_the_reference(case.ours, theirs) for theirs in again)

    def is_dangerous(self, case, texts=None):
        """Is it refused unless dangerous recursion is allowed?"""
        texts = texts or case.texts
        refused = engine.run(self.options.mangle, texts, case.now, self.folder.name, False)
        return case.ours[0] != "rejected" and refused[0] == "rejected"

    @staticmethod
    def explained(case, units, ours, theirs, by_naive):
        ours = ("error", ours[1]) if ours[0] == "rejected" else ours
        return quirks.explain(list(units), case.now, ours, theirs, by_naive)

    def reference_differs(self, case, units):
        texts = tuple(syntax.show(u) for u in units)
        ours = self.engine(texts, case.now)
        if ours[0] != case.ours[0]:
            return False
        try:
            by_naive = naive.evaluate(units, case.now)
        except Exception:  # pylint: disable=broad-except; a candidate need not be well-formed
            return False
        theirs = reference.reference([(texts, case.now)])[0]
        return agree(ours, by_naive) and not same_to_the_reference(ours, theirs) \
            and not self.is_dangerous(case, texts) \
            and not self.explained(case, units, ours, theirs, by_naive)

    # reports

    def report(self, case, judge, differs):
        units = case.units
        if self.options.shrink:
            units = shrink.smallest(units, lambda u: differs(case, u))
        texts = tuple(syntax.show(u) for u in units)
        lines = ["seed %d: the engine and %s differ" % (case.seed, judge)]
        for text in texts:
            lines += ["    " + line for line in text.splitlines()] + ["    ----"]
        results = {"engine": self.engine(texts, case.now)}
        try:
            results["judge (a)"] = naive.evaluate(units, case.now)
        except Exception as why:  # pylint: disable=broad-except
            results["judge (a)"] = ("broken", repr(why))
        if judge == "judge (b)":
            results[judge] = case.theirs if units == case.units \
                else reference.reference([(texts, case.now)])[0]
        everything = [r[1] for r in results.values() if r[0] == "facts"]
        common = frozenset.intersection(*everything) if len(everything) > 1 else frozenset()
        for who, result in results.items():
            lines.append("  %s: %s" % (who, result[0]))
            if result[0] == "facts":
                lines += ["    " + line for line in sorted(result[1] - common)]
            elif len(result) > 1:
                lines += ["    " + line for line in result[1].splitlines()]
        if common:
            lines.append("  (%d facts are the same)" % len(common))
        case.reports.append((judge, lines))

    @staticmethod
    def outcome(case):
        facts = len(case.naive[1]) if case.naive[0] == "facts" else 0
        compared = case.theirs and not case.agreed and report.DANGEROUS not in case.quirks
        return {"how": report.how_they_differ(case.ours, case.theirs) if compared else "",
                "kind": case.naive[0], "facts": facts, "features": case.features,
                "replaced": case.replaced, "barren": case.barren, "reports": case.reports,
                "quirks": case.quirks, "agreed": case.agreed, "timeouts": case.timeouts}


WORKER = None


def start(options):
    global WORKER  # pylint: disable=global-statement; one for each process
    WORKER = Worker(options)


def work(seeds):
    return WORKER.batch(seeds)


# ---- the whole run -----------------------------------------------------------------------------


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mangle")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--against", choices=["naive", "reference", "both"], default="both")
    parser.add_argument("--triggers", choices=["one"],
                        help="programs with at most one pattern in which a quirk of judge (b) can act")
    parser.add_argument("--store", choices=["merged", "indexed"], default="merged",
                        help="judge (b): as its interpreter reads facts, or as its library does")
    parser.add_argument("--checkout", help="judge (b): a folder with other sources of it")
    parser.add_argument("--most", type=int, default=10, help="reports before giving up")
    parser.add_argument("--report", help="a file for the report, too")
    parser.add_argument("--tap", action="store_true", help="results as TAP, the rest as comments")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    return parser.parse_args()


def say(lines, tap):
    for line in lines:
        print("# " + line if tap else line, flush=True)


def progress(text):
    if sys.stderr.isatty():
        print("\r" + text, end="", file=sys.stderr, flush=True)


def main():
    chosen = options()
    reference.choose(chosen.store == "merged", chosen.checkout)
    ready = chosen.against == "naive" or reference.available()
    chosen.without_b = "" if ready else reference.why()
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    batches = [seeds[i:i + BATCH] for i in range(0, len(seeds), BATCH)]
    totals, began, differences = report.Totals(chosen.against, chosen.without_b, bool(chosen.triggers)), time.monotonic(), []
    with multiprocessing.Pool(chosen.jobs, start, (chosen,)) as pool:
        for outcomes in pool.imap_unordered(work, batches):
            for outcome in outcomes:
                totals.add(outcome)
                for _, lines in outcome["reports"]:
                    differences += lines
                    say(lines, chosen.tap)
            progress("%d of %d " % (totals.counts["programs"], len(seeds)))
            if totals.counts["different"] >= chosen.most:
                say(["stopped after %d differences" % totals.counts["different"]], chosen.tap)
                pool.terminate()
                break
    progress("")
    lines = list(totals.lines(time.monotonic() - began))
    say(lines, chosen.tap)
    if chosen.report:
        with open(chosen.report, "w", encoding="utf-8") as f:
            f.write("\n".join(differences + lines) + "\n")
    if chosen.tap:
        print("\n".join(totals.tap()))
    return 1 if totals.counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random temporal programs: the engine against a judge that looks at every instant.

    timeline.py MANGLE [--programs N] [--from SEED] [--jobs N] [--limits]

A seed stands for one program and its timeline (timeline_make.py); what it means is worked out in
timeline_truth.py. Programs that share a timeline are renamed apart and run in one process. A
difference is run again alone, made as small as it can be, and shown with both answers.

--limits runs every program alone under small limits: the answer must be whole, or the limit must be
what is reported; never a part of the answer.
"""
import argparse
import collections
import multiprocessing
import random
import subprocess
import sys
import time

from timeline_make import Maker, fact_text, make_timeline, program_text, stamp
from timeline_truth import Outside, TooLong, Truth

TOGETHER = 20  # programs in one process
LIMIT_REACHED = 3  # exit status of mangle run


class Case:
    """A program that can be judged, made from a seed."""

    def __init__(self, seed, prefix):
        self.seed, self.prefix, self.passed_over = seed, prefix, 0
        line = make_timeline(random.Random("timeline %d" % (seed // TOGETHER)))
        while True:
            self.program = Maker("%d/%d" % (seed, self.passed_over), line, prefix).make()
            try:
                self.truth = Truth(self.program).run()
                break
            except (Outside, TooLong):
                self.passed_over += 1
        self.expected = lines_of(self.truth)


def lines_of(truth):
    return {fact_text(f) for f in truth.facts()}


def engine(mangle, text, now_ns, options=()):
    command = [mangle, "run", "-", "--allow-dangerous", "--eval-time", stamp(now_ns)]
    command += ["--timeout-ms", "20000"] + list(options)
    return subprocess.run(command, input=text.encode(), capture_output=True)


def first_error(run):
    lines = run.stderr.decode(errors="replace").splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "")


def differs(mangle, program, seed, kind=None):
    """None if both agree; else (kind, what the engine said, what the judge says)."""
    try:
        expected = lines_of(Truth(program).run())
    except (Outside, TooLong, KeyError, TypeError, IndexError, StopIteration):
        return None
    run = engine(mangle, program_text(program, seed), program.line.now)
    if run.returncode:
        found = ("status %d" % run.returncode, first_error(run), expected)
    else:
        got = set(run.stdout.decode().splitlines())
        if got == expected:
            return None
        found = ("facts", got, expected)
    return found if kind in (None, found[0]) else None


# ---- making it small -------------------------------------------------------------------------------


def smaller(program):
    """Programs with one thing less."""
    for i in range(len(program.rules)):
        p = program.copy()
        del p.rules[i]
        yield p
    for i in range(len(program.facts)):
        p = program.copy()
        del p.facts[i]
        yield p
    used = {r.pred for r in program.rules} | {f[0] for f in program.facts}
    used |= {m.pred for r in program.rules for m in r.body if not isinstance(m, tuple)}
    if used != set(program.preds):
        p = program.copy()
        p.preds = {n: d for n, d in p.preds.items() if n in used}
        yield p
    for i, rule in enumerate(program.rules):
        for j in range(len(rule.body) if len(rule.body) > 1 else 0):
            p = program.copy()
            del p.rules[i].body[j]
            yield p
        for j, premise in enumerate(rule.body):
            if not isinstance(premise, tuple) and premise.window and premise.annotation:
                for part in ("window", "annotation"):
                    p = program.copy()
                    setattr(p.rules[i].body[j], part, None)
                    yield p


def shrink(mangle, program, seed, kind):
    going = True
    while going:
        going = False
        for candidate in smaller(program):
            if differs(mangle, candidate, seed, kind):
                program, going = candidate, True
                break
    return program


def report(mangle, seed):
    """The text about one seed, shrunk."""
    case = Case(seed, "")
    found = differs(mangle, case.program, seed)
    if not found:
        return "# seed %d differs only among the others of its %d" % (seed, TOGETHER)
    program = shrink(mangle, case.program, seed, found[0])
    kind, got, expected = differs(mangle, program, seed)
    out = ["seed %d (%s): mangle run - --allow-dangerous --eval-time %s"
           % (seed, kind, stamp(program.line.now))]
    out += program_text(program, seed).splitlines()
    if kind == "facts":
        out += ["  only the engine:  " + f for f in sorted(got - expected)]
        out += ["  only the judge:   " + f for f in sorted(expected - got)]
    else:
        out += ["  engine: " + got]
        out += ["  judge:  " + f for f in sorted(expected)]
    return "\n".join("# " + line for line in out)


# ---- many ------------------------------------------------------------------------------------------


def features(program):
    """What a program has in it, for the report."""
    out = set()
    for r in program.rules:
        out.add({"plain": "rule", "let": "let", "do": "group"}[r.kind])
        for m in r.body:
            if isinstance(m, tuple):
                continue
            if m.window:
                out.add(("!" if m.negated else "") + m.window[0])
            elif m.negated:
                out.add("!@" if m.annotation else "!")
            elif m.annotation:
                out.add("@")
    return out


def run_together(job):
    """(programs, seeds that differ, counts)"""
    mangle, seeds = job
    cases = [Case(seed, "c%dx" % i) for i, seed in enumerate(seeds)]
    text = "".join(program_text(c.program, c.seed) for c in cases)
    counts = collections.Counter(passed_over=sum(c.passed_over for c in cases),
                                 facts=sum(len(c.expected) for c in cases),
                                 empty=sum(not c.expected for c in cases))
    for c in cases:
        counts.update(features(c.program))
        counts["recursive"] += c.truth.circles
    run = engine(mangle, text, cases[0].program.line.now)
    by_prefix = collections.defaultdict(set)
    for line in run.stdout.decode().splitlines():
        by_prefix[line.split("x", 1)[0] + "x"].add(line)
    wrong = [c.seed for c in cases if by_prefix[c.prefix] != c.expected]
    if run.returncode:  # which of them is it?
        wrong = [c.seed for c in cases if differs(mangle, c.program, c.seed)] or seeds[:1]
    return len(seeds), wrong, counts


def run_limited(job):
    """Each alone under limits. Like run_together(): (programs, what is wrong, counts)."""
    mangle, seeds = job
    reports, counts = [], collections.Counter()
    for seed in seeds:
        case = Case(seed, "")
        rng = random.Random("limits %d" % seed)
        truth, text = case.truth, program_text(case.program, seed)
        facts = rng.randint(1, max(2, truth.created + 2))
        intervals = rng.randint(1, max(2, truth.most_intervals() + 1))
        run = engine(mangle, text, case.program.line.now,
                     ["--max-facts", str(facts), "--max-intervals", str(intervals)])
        got = set(run.stdout.decode().splitlines())
        must_stop = truth.fresh() > facts or truth.most_intervals() > intervals
        may_stop = 2 * truth.created > facts or truth.most_pieces > intervals
        if run.returncode == 0 and got == case.expected and not must_stop:
            counts["whole"] += 1
        elif run.returncode == LIMIT_REACHED and not got and may_stop:
            counts["stopped"] += 1
        else:
            reports.append("# seed %d: --max-facts %d --max-intervals %d ended with status %d, %d of "
                           "%d facts, %s" % (seed, facts, intervals, run.returncode, len(got),
                                             len(case.expected), first_error(run)))
    return len(seeds), reports, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mangle")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--most", type=int, default=5, help="differences to show")
    options = parser.parse_args()
    last = options.first + options.programs
    batches = [(options.mangle, list(range(at, min(at + TOGETHER - at % TOGETHER, last))))
               for at in range(options.first, last)
               if at == options.first or at % TOGETHER == 0]
    done, wrong, counts = 0, 0, collections.Counter()
    started = time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        work = run_limited if options.limits else run_together
        for programs, reports, more in pool.imap_unordered(work, batches):
            done += programs
            wrong += len(reports)
            counts.update(more)
            for one in reports[:max(0, options.most - wrong + len(reports))]:
                print(one if options.limits else report(options.mangle, one), flush=True)
    took = time.monotonic() - started
    print("# " + ", ".join("%s %d" % pair for pair in sorted(counts.items())))
    print("# %.0f programs a second" % (done / took))
    what = "end whole or at a limit" if options.limits else "mean what every instant says"
    print("%s 1 - %d random temporal programs %s (%d differences)"
          % ("not ok" if wrong else "ok", done, what, wrong))
    print("1..1")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

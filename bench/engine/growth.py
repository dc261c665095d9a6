"""Requests above a large base, and how the time of ours grows: with what is derived, the base, the rules, a request's facts,
and the tools that rules choose among."""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure
import workloads

HERE = pathlib.Path(__file__).resolve().parent
REPEATS = 5
# The middle of each is its medium size; what is derived doubles, about, from one to the next.
TUPLES = {"closure-random": [(1000, 2000), (1414, 2828), (2000, 4000)], "closure-chain": [(1000,), (1414,), (2000,)],
          "closure-grid": [(36,), (43,), (51,)], "same-generation": [(50, 90), (50, 127), (50, 180)],
          "aggregation": [(250000, 5000), (500000, 10000), (1000000, 20000)]}
BASES, RULES, FACTS, TOOLS = (250, 2500, 25_000, 250_000), (10, 30, 100, 300, 1000), (10, 100, 1000, 10_000), (10, 100, 1000, 4000)
HEAD = ("Decl edge(X, Y). Decl kind(X, K). Decl tag(X, T). Decl offers(Tool, T). Decl seen(X). Decl blocked(T).\n"
        "offered(Tool) :- wanted(T), offers(Tool, T), !blocked(T).\n")


def rules(count, backwards=False):
    """The text of about that many rules, four a group; only the first twenty groups find anything. `backwards`: the premises of
    each in the opposite order."""
    text = [HEAD]
    for k in range(max(1, count // 3)):
        for head, *premises in (
                (f"near{k}(X, Z)", "seen(X)", "edge(X, Y)", "edge(Y, Z)", f"kind(Z, {k})"),
                ("wanted(T)", f"near{k}(_, Z)", "tag(Z, T)", "!blocked(T)"),
                (f"score{k}(T, N)", f"near{k}(_, Z)", "tag(Z, T)", "wanted(T)")):
            body = ", ".join(reversed(premises) if backwards else premises)
            text.append(f"{head} :- {body}{' |> do fn:group_by(T), let N = fn:count()' if head.startswith('score') else ''}.\n")
    return "".join(text)


def ask(build, text, nodes, tools, requests, facts):
    with tempfile.NamedTemporaryFile("w", suffix=".mg", encoding="utf-8") as program:
        program.write(text)
        program.flush()
        command = [build / "bench/engine_requests", program.name, nodes, tools, requests, facts]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"requests: {done.stderr.strip()}")
    return json.loads(done.stdout)


def in_turns(asked, times, tell):
    """{key: figures}, the medians of several runs; the answers of one key must be the same each time."""
    figures = {key: [] for key in asked}
    for number in range(times):
        for key, one in asked.items():
            tell(f"{key}, run {number + 1} of {times}")
            figures[key].append(one())
    for key, every in figures.items():
        if len({f["answer"] for f in every}) != 1:
            sys.exit(f"requests: {key} does not answer alike twice")
    return {key: {**every[0], **{k: statistics.median(f[k] for f in every) for k in ("mean_us", "p50_us", "p99_us")}}
            for key, every in figures.items()}


def requests(build, tell, nodes=250_000, fewer=25_000, count=10_000, times=3):
    """The workload itself, and above a tenth of the base both orders of premises, which must not change what is answered."""
    def asked(many, how_many, backwards=False):
        return lambda: ask(build, rules(60, backwards), many, 1000, how_many, 20)
    few = max(1, count // 500)
    found = in_turns({
        f"60 rules, {4 * nodes:,} base facts, {count:,} requests of 20 facts": asked(nodes, count),
        f"{4 * fewer:,} base facts, {few} requests": asked(fewer, few),
        f"{4 * fewer:,} base facts, {few} requests, premises the other way round": asked(fewer, few, True)}, times, tell)
    _, forward, back = found.values()
    if forward["answer"] != back["answer"]:
        sys.exit("requests: the order of premises changes the answer")
    return [{"what": key, **f} for key, f in found.items()]


def of_requests(build, tell):
    kinds = {
        "base facts": {4 * n: lambda n=n: ask(build, rules(60), n, 0, 4000, 20) for n in BASES},
        "rules": {n: lambda n=n: ask(build, rules(n), 25_000, 0, 2000, 20) for n in RULES},
        "facts a request": {n: lambda n=n: ask(build, rules(60), 25_000, 0, max(20, 20_000 // n), n) for n in FACTS},
        "tools": {n: lambda n=n: ask(build, rules(60), 25_000, n, 2000, 20) for n in TOOLS}}
    for what, asked in kinds.items():
        found = in_turns({f"{what}: {n:,}": one for n, one in asked.items()}, 3, tell)
        points = [[n, f["p50_us"]] for n, f in zip(asked, found.values())]
        yield {"what": what, "unit": "us a request", "points": points, "exponent": measure.exponent(points)}


def one_evaluation(build, name, work, folder):
    out = folder / "answer.out"
    run = measure.run([str(build / "bench/engine_ours"), str(HERE / "programs" / f"{work.program}.mg"), str(folder), str(out),
                       work.answer, *work.relations], out, [str(build / "bench/engine_checksum")], 60)
    if run.state != "done":
        sys.exit(f"growth: {name}: {run.why or run.state}")
    return run


def of_tuples(build, tell):
    """Time a tuple: of what is derived, or, where groups come of many facts, of what is given."""
    for name, steps in TUPLES.items():
        work = workloads.WORKLOADS[name]
        with tempfile.TemporaryDirectory() as parent:
            sizes, runs = [], [[] for _ in steps]
            for number, step in enumerate(steps):
                workloads.write_drawn(work.draw(workloads.Draw(f"{name} {step}"), *step), pathlib.Path(parent) / str(number))
            for repeat in range(REPEATS):
                tell(f"{name} growing, run {repeat + 1} of {REPEATS}")
                for number in range(len(steps)):
                    runs[number].append(one_evaluation(build, name, work, pathlib.Path(parent) / str(number)))
            for number, step in enumerate(steps):
                given = step[0] if name == "aggregation" else int(runs[number][0].answer.split()[0])
                sizes.append((given, statistics.median(r.eval for r in runs[number])))
        yield {"what": name, "unit": "ns a tuple", "points": [[n, 1e9 * s / n] for n, s in sizes], "exponent": measure.exponent(sizes)}


def measured(build, tell):
    return {"requests": requests(build, tell), "growth": [*of_tuples(build, tell), *of_requests(build, tell)]}

"""bench/engine without its peers: the facts are drawn alike each time, ours and the hand-written limit answer what plain Python
finds, a wrong answer is found, tables tell what is missing, and two commits are compared."""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR") or ROOT / "build-asan").resolve()
sys.path[:0] = [str(ROOT / "bench/engine"), str(ROOT / "bench")]
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import compare  # noqa: E402
import growth  # noqa: E402
import machine  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import plots  # noqa: E402
import suite  # noqa: E402
import tables  # noqa: E402
import workloads  # noqa: E402

CASES = []
measure.MEMORY = -1  # sanitizers keep their notes in a large address space
MASK = (1 << 64) - 1


def case(function):
    CASES.append(function)
    return function


def line_hash(line):
    h = 0xCBF29CE484222325
    for byte in line.encode():
        h = (h ^ byte) * 0x100000001B3 & MASK
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    h = (h ^ (h >> 27)) * 0x94D049BB133111EB & MASK
    return h ^ (h >> 31)


def checksum(rows):
    return f"{len(rows)} {sum(line_hash(chr(9).join(map(str, row))) for row in rows) & MASK:016x}"


def until_nothing_new(first, more):
    """The least set with `first` and, of each set, what `more` makes of it."""
    rows = set(first)
    new = rows
    while new:
        new = set(more(rows)) - rows
        rows = rows | new
    return rows


def paths(edges):
    return until_nothing_new(edges, lambda rows: ((x, z) for x, y in rows for w, z in edges if w == y))


def closure(f):
    return paths(f["edge"])


def generation(f):
    up = f["parent"]
    return until_nothing_new(((x, y) for x, p in up for y, q in up if p == q),
                             lambda rows: ((x, y) for p, q in rows for x, a in up if a == p for y, b in up if b == q))


def pointers(f):
    def more(rows):
        points, holds = ([(a, b) for k, a, b in rows if k == kind] for kind in ("points", "holds"))
        yield from (("points", v, o) for v, w in f["assign"] for x, o in points if x == w)
        yield from (("points", v, o) for v, w in f["load"] for x, p in points if x == w for q, o in holds if q == p)
        yield from (("holds", p, o) for v, w in f["store"] for x, p in points if x == v for y, o in points if y == w)
    return {(v, o) for kind, v, o in until_nothing_new([("points", *row) for row in f["new"]], more) if kind == "points"}


def flows(f):
    assign, read = f["assign"], f["dereference"]
    ends = {x for row in assign for x in row}
    first = [(kind, x, x) for kind in "fm" for x in ends] + [("f", x, y) for x, y in assign]

    def more(rows):
        flow, memory, value = ([(x, y) for k, x, y in rows if k == kind] for kind in "fmv")
        yield from (("f", x, y) for x, z in assign for w, y in memory if w == z)
        yield from (("f", x, y) for x, z in flow for w, y in flow if w == z)
        yield from (("m", x, w) for y, x in read for a, z in value if a == y for b, w in read if b == z)
        yield from (("v", x, y) for z, x in flow for w, y in flow if w == z)
        yield from (("v", x, y) for z, x in flow for a, w in memory if a == z for b, y in flow if b == w)
    return {(x, y) for kind, x, y in until_nothing_new(first, more) if kind == "f"}


def reached(edges, avoided=None):
    return until_nothing_new([0] if avoided != 0 else [], lambda rows: (y for x, y in edges if x in rows and y != avoided))


def dominators(f):
    whole = reached(f["edge"])
    return {(d, x) for d, in f["node"] for x in whole - reached(f["edge"], d)}


def complement(f):
    found = paths(f["edge"])
    return {(x, y) for x, in f["node"] for y, in f["node"] if (x, y) not in found}


def triangles(f):
    edges = set(f["edge"])
    return {(x, y, z) for x, y in edges for w, z in edges if w == y and (x, z) in edges}


def totals(f):
    groups = {}
    for item, _shop, amount in f["sale"]:
        groups.setdefault(item, []).append(amount)
    return {(item, len(a), sum(a), min(a), max(a)) for item, a in groups.items()}


def shortest(f):
    ways = until_nothing_new(((x, 0) for x, in f["start"]),
                             lambda rows: ((y, d + n) for x, d in rows for a, y, n in f["road"] if a == x and d + n < 60))
    return {(x, min(d for y, d in ways if y == x)) for x, _ in ways}


def orders(f):
    country, kind = dict(f["customer"]), dict(f["product"])
    return {(n, who, amount) for n, who, what, _, status, amount in f["order"]
            if status == 7 and country[who] == 3 and kind[what] < 20}


def people(f):
    city, follows = dict(f["lives"]), set(f["follows"])
    steps = follows | {(a, c) for a, b in follows for d, c in follows if d == b}
    return {(a, b) for a, b in steps if city[a] == city[b]}


def stays(f):
    now, window = workloads.NOW_NS, 48 * 60 * workloads.MINUTE_NS
    lately = {p for _, p, _, s, e in f["stay"] if s <= now and e >= now - window}
    return {(p, q) for _, p, a, s, e in f["stay"] for _, q, b, t, u in f["stay"] if p in lately and p < q and a == b and s <= u and t <= e}


PLAIN = {f.__name__: f for f in (closure, generation, pointers, flows, dominators, complement, triangles, totals, shortest, orders,
                                 people, stays)}


def here_of(*names):
    """Peers that are built. The limit gives nothing back: it ends soon."""
    here = list(peers.every(BUILD, names))
    for peer in here:
        peer.env = {"ASAN_OPTIONS": "detect_leaks=0"} if peer.name == "limit in C" else peer.env
    assert not any(peer.missing for peer in here), here
    return here


def options(*argv):
    return suite.parsed(["--build", str(BUILD), "--rounds", "2", "--deadline", "60", *argv])


def no_tell(_text):
    pass


def program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@case
def facts_are_drawn_alike_each_time():
    for name in workloads.WORKLOADS:
        assert workloads.facts(name, "tiny") == workloads.facts(name, "tiny"), name
    assert workloads.facts("closure-random", "tiny") != workloads.facts("closure-random", "small")
    with tempfile.TemporaryDirectory() as folder:
        workloads.write("strings", "tiny", folder)
        assert {p.name for p in pathlib.Path(folder).iterdir()} == {"follows.tsv", "lives.tsv"}
    # And by every version of Python, and on every machine.
    drawn = {name: checksum([row for rows in workloads.facts(name, "tiny").values() for row in rows])
             for name in ("closure-random", "strings", "windows")}
    assert drawn == {"closure-random": "50 513d6e05354fecfe", "strings": "240 22b78f83095f1c01", "windows": "100 1a4cc0de03c34468"}, drawn


@case
def every_workload_has_a_program_of_ours_and_answers():
    for name, work in workloads.WORKLOADS.items():
        assert set(work.sizes) == {"tiny", "small", "medium", "large"}, name
        assert PLAIN[work.program](workloads.facts(name, "tiny")), name
        assert {s.split(":")[0] for s in work.relations} == set(workloads.facts(name, "tiny")), name


@case
def ours_and_the_limit_answer_what_plain_python_finds():
    here = here_of("ours", "limit in C")
    for name, work in workloads.WORKLOADS.items():
        runs = suite.one_workload(name, "tiny", here, options(), no_tell)
        want = checksum(PLAIN[work.program](workloads.facts(name, "tiny")))
        for peer, every in runs.items():
            assert [(r.state, r.answer) for r in every] == [("done", want)] * 2, (name, peer, every, want)


@case
def sqlite_answers_like_ours():
    here = here_of("ours", "SQLite")
    for name in ("closure-random", "aggregation", "windows", "points-to"):
        runs = suite.one_workload(name, "tiny", here, options(), no_tell)
        assert runs["ours"][-1].state == "done", (name, runs)
        assert runs["SQLite"][-1].state == ("unwritten" if name == "points-to" else "done"), (name, runs)


@case
def a_wrong_answer_is_found_and_never_a_figure():
    liar = ("#!/bin/sh\nprintf '1\\t2\\n' >\"$3\"\necho '{\"load\": 0.1, \"eval\": 0.1, \"kib\": 1}'\n")
    with tempfile.TemporaryDirectory() as folder:
        here = [*here_of("ours", "limit in C"), peers.Peer("liar", "", (program(folder, "liar", liar),))]
        runs = suite.one_workload("closure-chain", "tiny", here, options(), no_tell)
        row = suite.row_of("closure-chain", "tiny", runs, 5)
    assert [len(every) for every in runs.values()] == [2, 2, 1] and row["peers"]["ours"]["state"] == "done"
    assert row["peers"]["liar"]["state"] == "failed" and "wrong answer: 1 " in row["peers"]["liar"]["why"], row
    said = tables.text(results([row], liar=peers.Peer("liar")))
    assert "**wrong**" in said and "- liar: closure-chain, tiny: wrong answer" in said, said


@case
def of_two_that_contradict_each_other_neither_is_believed():
    def runs(**answers):
        return measure.judge({name: measure.Run("done", answer=a) for name, a in answers.items()})
    assert {r.state for r in runs(a="1 x", b="2 y").values()} == {"failed"}
    assert {n: r.state for n, r in runs(a="1 x", b="1 x", c="2 y").items()} == {"a": "done", "b": "done", "c": "failed"}
    assert runs(a="1 x")["a"].state == "done"
    alike = measure.judge({"a": measure.Run("over"), "b": measure.Run("done", answer="1 x")})
    assert [r.state for r in alike.values()] == ["over", "done"]


@case
def who_takes_too_long_is_ended_and_not_asked_again():
    with tempfile.TemporaryDirectory() as folder:
        endless = peers.Peer("endless", "", (program(folder, "endless", "#!/bin/sh\nwhile :; do :; done\n"),))
        runs = suite.one_workload("closure-chain", "tiny", [endless], options("--deadline", "0.3"), no_tell)
        row = suite.row_of("closure-chain", "tiny", runs, 0.3)
    assert [r.state for r in runs["endless"]] == ["over"] and tables.cell(row["peers"]["endless"]) == "over 0.3 s"


def results(rows, **more):
    every = {"ours": peers.Peer("ours"), "gone": peers.Peer("gone", missing="nobody has it"), **more}
    return {"machine": machine.machine(), "commit": "abc", "rounds": 2, "deadline_s": 5, "load_before": 1.0, "load_after": 1.0,
            "peers": {n: {"version": p.version, "missing": p.missing} for n, p in every.items()}, "workloads": rows}


def figure(value, ratio):
    return {"median": value, "least": value, "most": value, "ratio": ratio}


@case
def tables_say_who_was_skipped_and_why():
    done = {"state": "done", "kib": 1, "load": figure(1, 0.5), "eval": figure(0.002, 0.25)}
    rows = [{"workload": "w", "size": "tiny", "answer": "1 x", "peers": {
        "ours": {**done, "eval": figure(0.002, 1)}, "other": done, "late": {"state": "over", "why": "over 5 s"},
        "none": {"state": "unwritten", "why": ""}}}]
    rows.append({**rows[0], "workload": "v", "peers": {**rows[0]["peers"], "other": {**done, "eval": figure(0.002, 4)}}})
    said = tables.text(results(rows, other=peers.Peer("other", "2.1"), late=peers.Peer("late"), none=peers.Peer("none")))
    assert "- gone is skipped: nobody has it" in said and "| gone" not in said
    assert "| w, tiny | 2.0 | 0.25 | over 5 s | - |" in said, said
    assert "| geometric mean |  | 1 (2) |  |  |" in said and "| of loading |  | 0.5 (2) |  |  |" in said, said
    assert not tables.errors(results(rows))
    assert tables.errors(results([{**rows[0], "peers": {"ours": {"state": "failed", "why": "wrong answer: 1"}}}]))
    drawing = dict(tables.draw(results(rows, other=peers.Peer("other"))))["peers.svg"]
    assert drawing.count("<circle") == 2 + 1 and "w, tiny" in drawing


@case
def a_peer_that_cannot_be_had_says_why():
    assert next(peers.every(BUILD, ["Soufflé"])).missing
    assert next(peers.every(BUILD / "nowhere", ["ours"])).missing == "engine_ours is not built"
    try:
        peers.must("sh", "-c", "echo first >&2; echo it is closed >&2; exit 1")
    except peers.Missing as why:
        assert str(why) == "sh: it is closed"
    else:
        raise AssertionError("a failed command is a missing peer")


@case
def exponents_are_those_of_the_powers():
    assert abs(measure.exponent([(1, 3), (10, 300), (100, 30000)]) - 2) < 1e-9
    assert abs(measure.exponent([(1, 5), (10, 5)])) < 1e-9 and measure.exponent([(1, 2), (1, 3)]) is None
    assert abs(measure.geometric_mean([0.5, 2, 8]) - 2) < 1e-9 and measure.geometric_mean([]) is None


@case
def requests_answer_alike_whatever_the_order_of_premises():
    found = growth.requests(BUILD, no_tell, nodes=300, fewer=100, count=5000, times=1)
    assert len(found) == 3 and found[1]["answer"] == found[2]["answer"] and not found[1]["answer"].startswith("0 "), found
    assert found[0]["p50_us"] <= found[0]["p99_us"]
    assert growth.rules(60).count(":-") == 61 and growth.rules(60) != growth.rules(60, True)
    more = growth.ask(BUILD, growth.rules(6), 300, 4000, 30, 20)
    assert more["base"] == 5200 and more["mean_us"] > 0 and more["derived"] > 0


@case
def rows_of_drawings_are_told_apart():
    drawing = plots.strips("t <", "x", {"a": {"p": 0.1, "q": 10}, "b": {"q": 3}})
    assert "t &lt;" in drawing and drawing.count("<circle") == 3 + 2 and ">p</text>" in drawing


def git(folder, *command):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", *command], cwd=folder,
                   check=True, capture_output=True)


def repository_of_two(folder):
    """Its scripts/build leaves a libmangle; in the second commit there is something wrong with it."""
    (folder / "scripts").mkdir(parents=True)
    program(folder / "scripts", "build", "#!/bin/sh\nmkdir -p build && cp lib build/libmangle.a\n")
    for number, text in enumerate(("right", "wrong")):
        (folder / "lib").write_text(text)
        if number == 0:
            git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", text)
        git(folder, "tag", text)


# Stands for the compiler: of a library that is wrong it makes a program that loses the last row.
COMPILER = """#!/bin/bash
out= lib= of=
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift ;;
    *libmangle.a) lib=$1 ;;
    */checksum.c) of=checksum ;;
    *) ;;
    esac
    shift
done
if [ "$of" = checksum ]; then exec ln -s "$PROGRAMS/engine_checksum" "$out"; fi
{
    echo '#!/bin/sh'
    echo "'$PROGRAMS/engine_ours' \\"\\$@\\" || exit 1"
    [ "$(cat "$lib")" = right ] || echo 'sed -i "\\$d" "$3"'
} >"$out"
chmod +x "$out"
"""


@case
def two_commits_are_compared():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        repository_of_two(folder / "repository")
        before = {k: os.environ.get(k) for k in ("CC", "PROGRAMS")}
        os.environ.update(CC=str(program(folder, "compiler", COMPILER)), PROGRAMS=str(BUILD / "bench"))
        root, argv = compare.ROOT, sys.argv
        compare.ROOT = folder / "repository"
        try:
            said = {}
            for new in ("right", "wrong"):
                sys.argv = ["compare", "right", new, "--only", "closure-chain,strings", "--sizes", "tiny", "--rounds", "3"]
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    status = compare.main()
                said[new] = (status, out.getvalue())
        finally:
            compare.ROOT, sys.argv = root, argv
            for key, value in before.items():
                os.environ.pop(key) if value is None else os.environ.update({key: value})
        left = subprocess.run(["git", "worktree", "list"], cwd=folder / "repository", capture_output=True, text=True, check=True).stdout
    assert said["right"][0] == 0 and "| closure-chain, tiny |" in said["right"][1] and ".." in said["right"][1], said
    assert said["wrong"][0] == 1 and said["wrong"][1].count("**the answers differ**") == 2, said
    assert len(left.splitlines()) == 1, left


def main():
    print(f"1..{len(CASES)}")
    failed = 0
    for number, function in enumerate(CASES, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
        except Exception as why:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}\n# {type(why).__name__}: {why}")
        else:
            print(f"ok {number} - {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

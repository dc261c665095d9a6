"""Two commits of the engine on the same workloads, in turns: each is built in a worktree of its own (release), and the program
that asks is this one's, over its public header."""
import argparse
import contextlib
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import measure  # noqa: E402
import tables  # noqa: E402
import workloads  # noqa: E402

DEADLINE_S = 60


def must(*command, cwd=None, **env):
    done = subprocess.run(list(map(str, command)), cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout.strip()


@contextlib.contextmanager
def worktree(commit, folder):
    must("git", "-C", ROOT, "worktree", "add", "--detach", folder, commit)
    try:
        yield folder
    finally:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(folder)], capture_output=True, check=False)


def built(tree, out):
    """engine_ours over the library of a worktree, which need not know of this suite. What another worktree has compiled alike
    is taken from ccache."""
    must(tree / "scripts/build", "release", "mangle", cwd=tree, CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="true")
    library = next((tree / "build").glob("libmangle.*"), None)
    if not library:
        sys.exit(f"{tree}: the build left no libmangle")
    header = tree / "include/mangle.h"
    older = ["-DNO_OUTPUTS"] if header.is_file() and "(*outputs)" not in header.read_text() else []
    must(os.environ.get("CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-O3", "-DNDEBUG", *older, f"-I{tree}/include", HERE / "ours.c",
         HERE / "table.c", "-o", out, library, f"-Wl,-rpath,{library.parent}", "-lm")
    return out


def checksum_program(folder):
    program = folder / "checksum"
    must(os.environ.get("CC", "cc"), "-std=c17", "-O2", HERE / "checksum.c", HERE / "table.c", "-o", program)
    return [str(program)]


def one(program, name, folder, checksum):
    work, out = workloads.WORKLOADS[name], folder / "answer.out"
    run = measure.run([str(program), str(HERE / "programs" / f"{work.program}.mg"), str(folder), str(out), work.answer,
                       *work.relations], out, checksum, DEADLINE_S)
    if run.state != "done":
        sys.exit(f"{name}: {program.name}: {run.why or run.state}")
    return run


def compared(programs, name, size, rounds, checksum):
    """Of one workload: seconds of both, the ratios new / old of the rounds, and whether both answer alike."""
    runs = {"old": [], "new": []}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        workloads.write(name, size, folder)
        for number in range(rounds):
            for which in ("old", "new") if number % 2 == 0 else ("new", "old"):
                runs[which].append(one(programs[which], name, folder, checksum))
    same = len({r.answer for every in runs.values() for r in every}) == 1
    parts = {}
    for part in ("eval", "load"):
        pairs = [(getattr(a, part), getattr(b, part)) for a, b in zip(runs["old"], runs["new"])]
        parts[part] = measure.spread([b / a for a, b in pairs if a > 0] or [float("nan")])
    seconds = {which: statistics.median(r.eval for r in every) for which, every in runs.items()}
    return {"workload": name, "size": size, "same": same, "seconds": seconds, **parts}


def shown(rows, old, new):
    def spread(part):
        return f"{part['median']:.3f} ({part['least']:.3f}..{part['most']:.3f})"
    lines = [[f"{r['workload']}, {r['size']}", f"{1000 * r['seconds']['old']:.1f}", f"{1000 * r['seconds']['new']:.1f}",
              spread(r["eval"]) if r["same"] else "**the answers differ**", spread(r["load"])] for r in rows]
    good = [r["eval"]["median"] for r in rows if r["same"] and r["eval"]["median"] > 0]
    lines.append(["geometric mean", "", "", f"{measure.geometric_mean(good):.3f}" if good else "-", ""])
    return tables.table(["workload", f"{old}, ms", f"{new}, ms", "new / old: median (least..most) of pairs", "of loading"], lines)


def main():
    parser = argparse.ArgumentParser(description="Two commits on the workloads of the engine suite, in turns; processor time.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--sizes", default="medium", help="of tiny, small, medium, large, by commas (medium)")
    parser.add_argument("--only", default="", help="workloads, by commas (all)")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # worktrees are removed on the way out
    names = options.only.split(",") if options.only else list(workloads.WORKLOADS)
    unknown = [n for n in names if n not in workloads.WORKLOADS]
    if unknown:
        sys.exit(f"no such workload: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory() as parent, contextlib.ExitStack() as trees:
        parent = pathlib.Path(parent)
        programs = {which: built(trees.enter_context(worktree(commit, parent / f"{which}-tree")), parent / which)
                    for which, commit in (("old", options.old), ("new", options.new))}
        checksum, rows = checksum_program(parent), []
        for size in options.sizes.split(","):
            for name in names:
                if sys.stderr.isatty():
                    print(f"\r\033[K{name}, {size}", end="", file=sys.stderr, flush=True)
                rows.append(compared(programs, name, size, options.rounds, checksum))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    print(shown(rows, options.old, options.new))
    return 0 if all(r["same"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

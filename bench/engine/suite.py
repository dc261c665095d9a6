"""The engine beside its peers: every workload, all in turns, five times. suite.py --help has the options; bench/README.md says
what is measured, and how."""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import growth  # noqa: E402
import machine  # noqa: E402
import measure  # noqa: E402
import peers as every_peer  # noqa: E402
import tables  # noqa: E402
import workloads  # noqa: E402


class Progress:
    """One line on a terminal; nothing elsewhere."""

    def __init__(self):
        self.shown = sys.stderr.isatty()
        self.begun = time.monotonic()

    def tell(self, text):
        if self.shown:
            print(f"\r\033[K{time.monotonic() - self.begun:5.0f} s  {text}", end="", file=sys.stderr, flush=True)

    def end(self):
        self.tell("")


def command_of(peer, work, folder, out):
    program = HERE / "programs" / f"{work.program}.{peer.extension}"
    if not program.exists():
        return None
    return [str(part) for part in (*peer.command, program, folder, out, work.answer, *work.relations)]


def one_workload(name, size, peers, options, tell):
    """{peer: [Run]}: all peers in turns. Who fails or is over the deadline is not asked again."""
    work = workloads.WORKLOADS[name]
    runs = {peer.name: [] for peer in peers}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        workloads.write(name, size, folder)
        for number in range(options.rounds):
            this = {}
            for peer in peers[number % len(peers):] + peers[:number % len(peers)]:
                if runs[peer.name] and runs[peer.name][-1].state != "done":
                    continue
                tell(f"{name}, {size}, round {number + 1} of {options.rounds}: {peer.name}")
                command = command_of(peer, work, folder, folder / "answer.out")
                this[peer.name] = measure.Run("unwritten") if command is None else measure.run(
                    command, folder / "answer.out", options.checksum, options.deadline, peer.env)
            for peer, run in measure.judge(this).items():
                runs[peer].append(run)
    return runs


def row_of(name, size, runs, deadline):
    """What is kept of a workload: of each peer its state, medians, and the ratio ours / peer within rounds."""
    mine = runs.get("ours") or []
    row = {"workload": name, "size": size, "answer": next((r.answer for r in mine if r.state == "done"), None), "peers": {}}
    for peer, every in runs.items():
        last = every[-1]
        if last.state != "done":
            row["peers"][peer] = {"state": last.state, "why": last.why or (f"over {deadline:g} s" if last.state == "over" else "")}
            continue
        kept = {"state": "done", "kib": max(r.kib for r in every)}
        for part in ("load", "eval"):
            kept[part] = measure.spread([getattr(r, part) for r in every])
            pairs = [(getattr(a, part), getattr(b, part)) for a, b in zip(mine, every) if a.state == "done"]
            ratios = [a / b for a, b in pairs if b > 0]
            kept[part]["ratio"] = statistics.median(ratios) if ratios else None
        row["peers"][peer] = kept
    return row


def parsed(argv):
    parser = argparse.ArgumentParser(description="The engine beside its peers.")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("BUILD_DIR") or ROOT / "build"))
    parser.add_argument("--sizes", default="medium", help="of tiny, small, medium, large, by commas (medium)")
    parser.add_argument("--only", default="", help="workloads, by commas (all)")
    parser.add_argument("--peers", default="", help="names as in the table, by commas (all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deadline", type=float, default=5, help="seconds of processor time for one run (5)")
    parser.add_argument("--no-growth", action="store_true", help="leave out requests and growth")
    parser.add_argument("--write", action="store_true", help="write bench/results.json, the plots, and the tables of the documents")
    options = parser.parse_args(argv)
    options.checksum = [str(options.build / "bench/engine_checksum")]
    return options


def main(argv=None):
    options = parsed(argv)
    progress = Progress()
    names = options.only.split(",") if options.only else list(workloads.WORKLOADS)
    unknown = [n for n in names if n not in workloads.WORKLOADS]
    if unknown:
        sys.exit(f"no such workload: {', '.join(unknown)}")
    progress.tell("peers are made ready")
    every = list(every_peer.every(options.build, options.peers.split(",") if options.peers else None))
    here = [peer for peer in every if not peer.missing]
    results = {"machine": machine.machine(), "commit": machine.commit(ROOT), "rounds": options.rounds, "deadline_s": options.deadline,
               "load_before": os.getloadavg()[0], "peers": {p.name: {"version": p.version, "missing": p.missing} for p in every},
               "workloads": []}
    for size in options.sizes.split(","):
        for name in names:
            runs = one_workload(name, size, here, options, progress.tell)
            results["workloads"].append(row_of(name, size, runs, options.deadline))
            (options.build / "engine-results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    if not options.no_growth:
        results |= growth.measured(options.build, progress.tell)
    results["load_after"] = os.getloadavg()[0]
    progress.end()
    print(tables.text(results))
    if options.write:
        tables.write(results, ROOT)
    return 1 if tables.errors(results) else 0


if __name__ == "__main__":
    sys.exit(main())

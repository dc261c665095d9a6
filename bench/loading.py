"""What loading costs: 1,000,000 facts of two integers, and of two strings, in each form, with `mangle run`. Processor time of the
process from start to end, the least of the rounds, and its memory at the peak as a multiple of the text. Several programs (of other
commits) take turns: bench/loading.py [--rounds N] [--facts N] [PROGRAM...]; build/bin/mangle if none is named. What `mangle compile`
made of them is opened as the last form, if the program knows how."""
import argparse
import os
import pathlib
import random
import subprocess
import tempfile

RULES = "Decl edge(A, B). Decl lives(A, B). asked(1).\n"
FORMS = {
    "mg": lambda rows, pred, quoted: "".join(f"{pred}({quoted(a)}, {quoted(b)}).\n" for a, b in rows),
    "csv": lambda rows, pred, quoted: "".join(f"{a},{b}\n" for a, b in rows),
    "tsv": lambda rows, pred, quoted: "".join(f"{a}\t{b}\n" for a, b in rows),
    "jsonl": lambda rows, pred, quoted: "".join(f'{{"pred":"{pred}","args":[{quoted(a)},{quoted(b)}]}}\n' for a, b in rows),
    "sc": lambda rows, pred, quoted: f"1\n{pred} 2 {len(rows)}\n" + "".join(f"{quoted(row[i])}\n" for i in (0, 1) for row in rows),
}


def write(folder, facts):
    """The files, by the names of their rows in the table. Made in a process of its own: what this one holds would count as the
    peak of those that it starts."""
    files = {f"{form}, {name}": folder / f"{pred}.{form}" for name, pred in (("integers", "edge"), ("strings", "lives")) for form in FORMS}
    child = os.fork()
    if child == 0:
        draw_files(folder, facts)
        os._exit(0)
    os.waitpid(child, 0)
    return files


def draw_files(folder, facts):
    draw = random.Random("loading")
    numbers = [(draw.randrange(facts // 5 + 1), draw.randrange(facts // 5 + 1)) for _ in range(facts)]
    strings = [(f"user{a}", f"town{b % 5000}") for a, b in numbers]
    (folder / "rules.mg").write_text(RULES)
    for pred, rows, quoted in (("edge", numbers, str), ("lives", strings, lambda s: f'"{s}"')):
        for form, text in FORMS.items():
            (folder / f"{pred}.{form}").write_text(text(rows, pred, quoted))


def measure(program, *words):
    """Seconds of processor time, and bytes at the peak; None if it fails."""
    with subprocess.Popen([program, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return None if process.returncode else (used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--facts", type=int, default=1000000)
    parser.add_argument("programs", nargs="*", default=["build/bin/mangle"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        folder = pathlib.Path(parent)
        rules, ask = folder / "rules.mg", ("--query", "asked(X)", "--max-memory-mb", "-1")
        for name, path in write(folder, options.facts).items():
            print(f"{name} ({path.stat().st_size / 1e6:.1f} MB)", end="")
            jobs = [(program, ("run", rules, "--facts", path, *ask)) for program in options.programs]
            if name.startswith("mg"):
                for number, program in enumerate(options.programs):
                    made = folder / f"{number}.mgc"
                    if measure(program, "compile", rules, "--facts", path, "-o", made):
                        jobs.append((program, ("run", made, *ask)))
            rounds = [[measure(*(program, *words)) for program, words in jobs] for _ in range(options.rounds)]
            for (program, words), runs in zip(jobs, zip(*rounds)):
                kind = "compiled, " if str(words[1]).endswith(".mgc") else ""
                seconds, peak = min((run for run in runs if run), default=(float("nan"), 0))
                print(f"; {kind}{program}: {seconds:.3f} s, peak {peak / path.stat().st_size:.1f} times the text", end="", flush=True)
            print()


if __name__ == "__main__":
    main()

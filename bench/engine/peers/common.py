"""What the peers in Python share: their arguments, relations as rows, and the line that says what was measured."""
import json
import sys
import time


def arguments():
    """(program, folder, out, answer, relations); a signature is (name, types, temporal)."""
    program, folder, out, *signatures = sys.argv[1:]
    answer, *relations = [(name, types.strip("@"), types.endswith("@")) for name, types in (s.split(":") for s in signatures)]
    return program, folder, out, answer, relations


def rows(folder, signature):
    name, types, temporal = signature
    kinds = [int if letter == "i" else str for letter in types] + [int, int] * temporal
    with open(f"{folder}/{name}.tsv", encoding="utf-8") as lines:
        for line in lines:
            yield tuple(kind(text) for kind, text in zip(kinds, line.rstrip("\n").split("\t")))


def write(out, answers):
    with open(out, "w", encoding="utf-8") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in answers)


def report(begun, loaded, ended):
    peak = next(line.split()[1] for line in open("/proc/self/status", encoding="ascii") if line.startswith("VmHWM"))
    print(json.dumps({"load": loaded - begun, "eval": ended - loaded, "kib": int(peak)}))


def cpu():
    return time.process_time()

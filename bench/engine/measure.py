"""One run of one program: its processor time, and whether its answer is the one of the others."""
import dataclasses
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import time

MEMORY = 12 << 30
LOOK_S = 0.1      # how often the time of a program is looked at
PATIENCE = 6      # others want the processors, too
NOT_WRITTEN = 3   # exit status: this peer has no program for the workload


@dataclasses.dataclass
class Run:
    state: str              # "done", "over" (the deadline), "unwritten" (no program of this peer), "failed"
    load: float = 0.0       # seconds of processor time, user and system
    eval: float = 0.0
    kib: int = 0
    answer: str = ""        # count and checksum
    why: str = ""


def limited():
    """A limit of processor time would make the kernel count in ticks: watched() holds to that from outside."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def cpu_of(pid):
    """User and system time of a process that runs, in seconds."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watched(child, deadline):
    """(standard output, standard error) of the child, or None, and it is ended, where it takes more."""
    begun = time.monotonic()
    while True:
        try:
            return child.communicate(timeout=LOOK_S)
        except subprocess.TimeoutExpired:
            if cpu_of(child.pid) > deadline or time.monotonic() - begun > PATIENCE * deadline:
                child.kill()
                child.communicate()
                return None


def run(command, out, checksum, deadline, env=None):
    """`deadline`: seconds of processor time, and PATIENCE times as much by the clock."""
    out.unlink(missing_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})},
                          preexec_fn=limited) as child:  # pylint: disable=subprocess-popen-preexec-fn
        try:
            said = watched(child, deadline)
        except BaseException:
            child.kill()
            raise
    if said is None:
        return Run("over")
    if child.returncode:
        state = "unwritten" if child.returncode == NOT_WRITTEN else "failed"
        return Run(state, why=(said[1].strip().splitlines() or [f"status {child.returncode}"])[-1])
    figures = json.loads(said[0])
    answer = subprocess.run([*checksum, str(out)], capture_output=True, text=True, check=True).stdout.strip()
    out.unlink()
    return Run("done", figures["load"], figures["eval"], figures["kib"], answer)


def judge(runs):
    """{name: Run} of one round. Whose answer is not that of the most (two at least) has failed; where there are no such two, all
    that answered have, unless only one did, which nobody can contradict."""
    done = {name: r for name, r in runs.items() if r.state == "done"}
    votes = statistics.multimode(r.answer for r in done.values())
    for name, r in done.items():
        if len(votes) > 1 or r.answer != votes[0]:
            runs[name] = Run("failed", why=f"wrong answer: {r.answer}, others {' or '.join(v for v in votes if v != r.answer)}")
    return runs


def spread(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def exponent(points):
    """Of y = c * x^e through (x, y), least squares of the logarithms; None below two different x."""
    points = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in points}) < 2:
        return None
    mean_x, mean_y = (statistics.fmean(p[i] for p in points) for i in (0, 1))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)

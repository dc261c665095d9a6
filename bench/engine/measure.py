"""One run of one program: its processor time, and whether its answer is the one of the others."""
import dataclasses
import json
import math
import os
import resource
import signal
import statistics
import subprocess

MEMORY = 12 << 30


@dataclasses.dataclass
class Run:
    state: str              # "done", "over" (the deadline), "unwritten" (no program of this peer), "failed"
    load: float = 0.0       # seconds of processor time, user and system
    eval: float = 0.0
    kib: int = 0
    answer: str = ""        # count and checksum
    why: str = ""


def limits(deadline):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(deadline), math.ceil(deadline) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return apply


def run(command, out, checksum, deadline, env=None):
    """`deadline`: seconds of processor time, rounded up; four times as much by the clock."""
    out.unlink(missing_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})},
                          preexec_fn=limits(deadline)) as child:  # pylint: disable=subprocess-popen-preexec-fn
        try:
            said, complaint = child.communicate(timeout=4 * deadline)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return Run("over")
        except BaseException:
            child.kill()
            raise
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Run("over")
    if child.returncode:
        state = "unwritten" if child.returncode == 3 else "failed"
        return Run(state, why=(complaint.strip().splitlines() or [f"status {child.returncode}"])[-1])
    figures = json.loads(said)
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

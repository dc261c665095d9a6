"""What a decision log costs, and how fast decisions are made again: two servers of the browser domain, one with
a log and one without, are asked in turn for a second each, so that what else the machine does hits both. Several
such pairs are started: which lane a server's workers have settled in stays with it, and would count as the log's
cost. Then the log is replayed, as far as 10,000 decisions."""
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from server_figures import listen, requests_per_second, stop

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
PAIRS, ROUNDS, SECONDS, CONNECTIONS, REPLAYED = 5, 5, 1.0, 8, 10000
DOMAIN = ROOT / "domains/browser"


def cpu_seconds(child):
    """Of all its threads, to the nanosecond: the ticks of /proc/PID/stat are hundredths of a second."""
    tasks = pathlib.Path(f"/proc/{child.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def measure(child, port):
    before = cpu_seconds(child)
    rate, answered = requests_per_second(port, CONNECTIONS, SECONDS)
    return rate, (cpu_seconds(child) - before) / answered * 1e6


def ask_a_pair(log, off, on):
    quiet = ("--log-access", "errors")
    plain, logging = listen(*quiet), listen(*quiet, "--decision-log", str(log))
    for one in (plain, logging):
        requests_per_second(one[1], CONNECTIONS, SECONDS)  # warm
    for n in range(ROUNDS):
        for server, into in ((plain, off), (logging, on))[:: 1 if n % 2 else -1]:
            into.append(measure(*server))
    for child, _ in (plain, logging):
        stop(child)


def costs(log):
    off, on = [], []
    for _ in range(PAIRS):
        ask_a_pair(log, off, on)
    rates = [statistics.median(r for r, _ in rounds) for rounds in (off, on)]
    cpu = [statistics.median(c for _, c in rounds) for rounds in (off, on)]
    ratio = statistics.median(b[0] / a[0] for a, b in zip(off, on))
    of_cpu = statistics.median(b[1] / a[1] for a, b in zip(off, on))
    print(f"decision log: {rates[1]:.0f} intents/s with it, {rates[0]:.0f} without (ratio {ratio:.3f}, median of "
          f"{ROUNDS} rounds of {PAIRS} pairs); {cpu[1]:.0f} and {cpu[0]:.0f} us of the server's CPU each (ratio "
          f"{of_cpu:.3f})")


def replayed(log):
    lines = []
    for path in sorted(log.parent.iterdir()):
        lines += path.read_bytes().splitlines(keepends=True)
    some = log.with_name("some")
    some.write_bytes(b"".join(lines[:REPLAYED]))
    begun = time.monotonic()
    subprocess.run([str(BUILD / "bin/manglecp"), "replay", str(some), "--domain", str(DOMAIN)], check=True,
                   stdout=subprocess.DEVNULL)
    print(f"decision log: {min(len(lines), REPLAYED)} decisions made again in {time.monotonic() - begun:.2f} s, "
          f"{some.stat().st_size / min(len(lines), REPLAYED):.0f} bytes each")


with tempfile.TemporaryDirectory() as folder:
    costs(pathlib.Path(folder) / "decisions")
    replayed(pathlib.Path(folder) / "decisions")

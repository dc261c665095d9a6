"""What a warm call of the plugin git takes, beside a start of the program git that says the same of this
repository, and what a host with the plugin takes from its start to its end. The two take turns; figures are
medians of processor time, which others on the machine disturb least, and of wall-clock time."""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
TURNS = 21
FILE, WORD = "docs/architecture.md", "mangle_program"
ROWS = [
    ("status", {}, ["status", "--porcelain"]),
    ("log", {"limit": 20}, ["log", "-n20"]),
    ("blame", {"path": FILE, "revision": "HEAD"}, ["blame", "--porcelain", "HEAD", "--", FILE]),
    ("grep", {"pattern": WORD, "limit": 1000}, ["grep", "-n", "-F", WORD]),
]


def start(plugin, settings):
    """A host that has answered nothing yet."""
    return subprocess.Popen([BUILD / "bin/toolhost", "--serve", BUILD / f"plugins/{plugin}.so", "--config", settings],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ask(host, aid, inputs):
    host.stdin.write(json.dumps({"aid": aid, "inputs": inputs}).encode() + b"\n")
    host.stdin.flush()
    answer = json.loads(host.stdout.readline())
    if not answer["ok"]:
        raise SystemExit(f"bench_git: {aid}: {answer['error']}")
    return answer


def processor_ms(pid):
    """Of a process and all that it has started and that still runs."""
    task = pathlib.Path(f"/proc/{pid}/task/{pid}")
    own = int(pathlib.Path(task, "schedstat").read_text().split()[0]) / 1e6
    return own + sum(processor_ms(child) for child in pathlib.Path(task, "children").read_text().split())


def used(usage):
    return 1000 * (usage.ru_utime + usage.ru_stime)


def git(arguments):
    """Milliseconds of processor time. Python's own start of a process takes longer than git's."""
    read, write = os.pipe()
    plan = [(os.POSIX_SPAWN_DUP2, write, 1)]
    pid = os.posix_spawnp("git", ["git", "-C", str(ROOT), "--no-pager", *arguments], os.environ, file_actions=plan)
    os.close(write)
    while os.read(read, 1 << 16):
        pass
    os.close(read)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"bench_git: git {arguments[0]} failed")
    return used(usage)


def warm_call(host, aid, inputs):
    before = processor_ms(host.pid)
    ask(host, aid, inputs)
    return processor_ms(host.pid) - before


def whole_life(plugin, settings, aid, inputs):
    host = start(plugin, settings)
    ask(host, aid, inputs)
    host.stdin.close()
    host.stdout.close()
    usage = os.wait4(host.pid, 0)[2]
    host.returncode = 0
    return used(usage)


def in_turns(turns, *calls):
    """For each call "P and W ms": its processor and its wall-clock time."""
    figures = [([], []) for _ in calls]
    for turn in range(turns + 2):
        for (processor, wall), call in zip(figures, calls):
            begun = time.perf_counter()
            spent = call[0](*call[1:])
            if turn >= 2:  # warm
                processor.append(spent)
                wall.append(1000 * (time.perf_counter() - begun))
    return [f"{statistics.median(p):.1f} ms, {statistics.median(w):.1f} passing" for p, w in figures]


def main():
    with tempfile.TemporaryDirectory() as folder:
        ours, plain = pathlib.Path(folder, "git.json"), pathlib.Path(folder, "json.json")
        ours.write_text(json.dumps({"settings": {"repository": str(ROOT)}}))
        plain.write_text("{}")
        host = start("git", ours)
        for name, inputs, arguments in ROWS:
            figures = in_turns(TURNS, (warm_call, host, f"AID.GIT.{name.upper()}.v1", inputs), (git, arguments))
            print(f"git: {figures[0]} (a warm {name}; the program git {figures[1]})", flush=True)
        host.stdin.close()
        host.wait()
        figures = in_turns(TURNS,
                           (whole_life, "git", ours, "AID.GIT.MERGE_BASE.v1", {"revisions": ["HEAD", "HEAD"]}),
                           (whole_life, "json", plain, "AID.JSON.QUERY.v1", {"document": 1, "pointer": ""}),
                           (git, ["merge-base", "HEAD", "HEAD"]))
        print("git: {} (a host from start to end, one small call; with the plugin json {}; the program git {})"
              .format(*figures))


main()

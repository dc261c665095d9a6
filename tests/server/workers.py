"""The threads that evaluate: how many there are, that nothing depends on it, and that they rest; and that what many
requests at once took is given back when they are over."""
import os
import pathlib

from websocket import *

COUNTS = (1, 2, 8)
REQUESTS = 60
CROWD = 150
RESTS_KIB = 8000  # for a crowd: what the store of definitions keeps, threads, and connections
CLOCK = ("--clock", "2026-02-19T14:30:00Z")


def workers(l, lane):
    page = l.connect().get("/metrics").body.decode()
    return int(re.search(rf'^manglecp_workers{{lane="{lane}"}} (\d+)$', page, re.M).group(1))


def used_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bodies(l):
    """What a crowd of connections, each with several requests under way, is answered: id -> text."""
    requests = [intent("fx.echo", [BASIC, fact("fx_note", f"n{i}")] if i % 3 else [BASIC], f"r{i}")
                if i % 5 else intent("no.such.intent", [], f"r{i}") for i in range(REQUESTS)]
    crowd = [Socket(l) for _ in range(6)]
    for i, r in enumerate(requests):
        crowd[i % len(crowd)].send(r)
    answers = {}
    for i in range(REQUESTS):
        m = crowd[i % len(crowd)].receive()
        expect(m["id"] not in answers, "two answers")
        m["payload"].pop("eval_duration_ms", None)  # all else follows from the request
        answers[m["id"]] = json.dumps(m)  # keeps the order of members
    for s in crowd:
        s.close()
    return answers


def test_answers_are_the_same_whatever_the_number_of_workers():
    seen = []
    for n in COUNTS:
        l = Listener("--open-demo", "--workers", str(n), "--slow-workers", str(n), *CLOCK)
        equal((workers(l, "quick"), workers(l, "slow")), (n, n), "the threads")
        seen.append(bodies(l))
        l.stop()
    equal(len(seen[0]), REQUESTS, "the answers")
    for n, answers in zip(COUNTS, seen):
        for id, text in answers.items():
            equal(text, seen[0][id], f"an answer with {n} workers")


def test_there_is_a_worker_for_each_processor():
    mine = os.sched_getaffinity(0)
    one = min(mine)
    for allowed in ({one}, mine):
        os.sched_setaffinity(0, allowed)
        try:
            l = Listener("--open-demo")
            quick, slow = workers(l, "quick"), workers(l, "slow")
        finally:
            os.sched_setaffinity(0, mine)
        expect(2 <= quick <= max(2, len(allowed)), f"{quick} workers on {len(allowed)} processors")
        equal(slow, quick, "workers for what is slow")
        l.stop()


def test_a_server_that_nobody_asks_uses_no_processor():
    l = Listener("--open-demo", "--workers", "8")
    crowd = [Socket(l) for _ in range(20)]
    for s in crowd:
        s.ask(good())
    time.sleep(1.5)  # what it does when it comes to rest
    before = used_seconds(l.program.process.pid)
    time.sleep(2)
    used = used_seconds(l.program.process.pid) - before
    expect(used <= 0.1, f"{used} s of 2 while nobody asks")
    l.stop()


def own_kib(pid, what):
    return int(re.search(what + r":\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))


def ask_all(crowd, l, message):
    """Each asks before any reads."""
    body = json.dumps(message).encode()
    for c in crowd:
        c.send(c.head("POST", l.intent_path, len(body)) + body)
    for c in crowd:
        equal(c.response().status, 200, "an answer")


def test_an_idle_connection_holds_little_also_after_a_rush():
    l = Listener("--open-demo", "--log-access", "none", "--workers", "2")
    pid = l.program.process.pid
    ask_all([l.connect() for _ in range(4)], l, good())
    before = own_kib(pid, "RssAnon")
    crowd = [l.connect() for _ in range(CROWD)]
    ask_all(crowd, l, good())
    idle = own_kib(pid, "RssAnon") - before
    many = intent("fx.echo", [fact("fx_basic", f"tag {i}", i, True, "x" * 60) for i in range(500)])
    ask_all(crowd, l, many)
    rush = own_kib(pid, "RssAnon") - before
    if SANITIZED:  # which keeps what is freed
        l.stop()
        return
    expect(idle < RESTS_KIB / 2, f"{idle} KiB for {CROWD} connections that rest")
    expect(rush > 3 * RESTS_KIB, f"no rush: {rush} KiB")
    deadline = time.monotonic() + PATIENCE
    while (held := own_kib(pid, "RssAnon") - before) > RESTS_KIB:
        expect(time.monotonic() < deadline, f"{held} KiB are held after a rush of {rush}, {idle} before it")
        time.sleep(0.1)
    for c in crowd[:10]:
        equal(c.ask(good())["type"], "intent_response", "an answer afterwards")
    l.stop()


run(globals())

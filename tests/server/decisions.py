"""The decision log of a server: one line for each intent and each invocation, whatever became of it, without
losing a request or, silently, a line."""
import errno
import resource

from life import *  # its helpers: run() calls the tests of this file alone

WRITER = dict(trust="automated", auto_confirm="filesystem")


def recorder(*options, domain=FIXTURE, tokens=None, **more):
    """A listener with a decision log; and where that is."""
    path = pathlib.Path(scratch()) / "decisions"
    known = ["--auth", token_file(*tokens)] if tokens else ["--open-demo"]
    return Listener(*known, "--decision-log", str(path), *options, domain=domain, **more), path


def lines_of(path, growing=True):
    """The records; while the file grows, its last line may be on its way."""
    lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
    expect(growing or lines[-1] == b"", f"no whole line: {shown(lines[-1])}")
    return [decode(line) for line in lines[:-1]]


def recorded(path, count):
    wait_for(f"{count} records", lambda: len(lines_of(path)) >= count)
    return lines_of(path)


def metric(l, name):
    return int(re.search(rf"^{name} (\d+)$".encode(), l.connect().get("/metrics").body, re.M).group(1))


# ---- what is recorded

def test_an_intent_is_recorded_with_what_was_asked_chosen_and_why():
    l, path = recorder()
    c = l.connect()
    answer = c.ask(intent("fx.echo", [BASIC], id="the-request", constraints={"max_tools_returned": 3},
                          eval_time="2026-02-19T14:30:00Z"))
    one, = recorded(path, 1)
    equal((one["decision"], one["kind"], one["request"]), (1, "intent", "the-request"), "head")
    equal(one["principal"]["kind"], "anonymous", "principal")
    equal(one["asked"]["facts"], [BASIC], "facts")
    equal(one["asked"]["constraints"], {"max_tools_returned": 3}, "limits")
    equal(one["eval_time"], "2026-02-19T14:30:00Z", "eval_time")
    tool, = one["outcome"]["tools"]
    equal((tool["tool"], tool["macro_id"]), ("fx_echo", tool_of(answer)["macro_id"]), "what came out")
    equal(one["outcome"]["rules"], [r for r in one["outcome"]["rules"] if r.startswith("rules/")], "rules")
    expect(any(r.startswith("rules/domain/10_") for r in one["outcome"]["rules"]), f"{one['outcome']}")
    for member in ("id", "time", "snapshot", "rules", "transport", "timing"):
        expect(one.get(member), f"no {member}: {one}")
    l.stop()


def test_what_was_lost_or_forbidden_is_recorded_with_its_reason():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*")])
    c = l.connect("t")
    c.ask(intent("fx.pair", [fact("fx_score", "fx_pair_a", 90), fact("fx_score", "fx_pair_b", 80)]))
    c.ask(intent("fx.rank", constraints={"max_tools_returned": 1}))
    c.ask(intent("fx.secret"))
    pair, rank, secret = recorded(path, 3)
    equal(pair["outcome"]["lost"], [{"tool": "fx_pair_b", "why": "conflict"}], "the rival")
    whys = {entry["why"] for entry in rank["outcome"]["lost"]}
    equal(whys, {"cap", "cutoff"}, "why the others went")
    expect({"tool": "fx_hidden", "reason": "policy-reason-0c55"} in rank["outcome"]["prohibited"], f"{rank}")
    equal(secret["outcome"]["prohibited"], [{"tool": "fx_secret", "reason": "needs the privilege"}], "secret")
    equal(secret["principal"], {"kind": "known", "identity": "ann", "permissions": ["intent:*"],
                                "permissions_digest": secret["principal"]["permissions_digest"]}, "who")
    l.stop()


def test_an_invocation_is_recorded_with_its_steps_and_its_outcome():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*", **WRITER)])
    c = l.connect("t")
    echo = tool_of(c.ask(good()))
    c.ask(invoke(echo, {"label": "said"}))
    c.ask(invoke(echo, {"label": 5}))
    c.ask(invoke("fx-echo-000000000000", {"label": "unknown"}))
    c.ask(invoke(tool_of(c.ask(intent("fx.fail")), "fx_fail"), {}))
    _, said, bad, unknown, _, fails = recorded(path, 6)
    equal((said["kind"], said["tool"], said["asked"]["args"]), ("invocation", "fx_echo", {"label": "said"}), "head")
    equal([s["status"] for s in said["steps"]], ["success"], "steps")
    equal(said["outcome"]["code"], "ok", "outcome")
    expect("said" in json.dumps(said["outcome"]["result"]), f"{said}")
    equal((bad["outcome"]["code"], bad["tool"]), ("schema_validation_failed", "fx_echo"), "bad arguments")
    equal(unknown["outcome"]["code"], "macro_not_found", "unknown")
    expect("tool" not in unknown, f"{unknown}")
    equal(fails["outcome"]["code"], "execution_failed", "fails")
    expect("failure" in [s["status"] for s in fails["steps"]], f"{fails}")
    l.stop()


def test_what_is_refused_before_a_worker_sees_it_is_recorded_too():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:none")])
    c = l.connect("t")
    c.ask(request("intent_request", {"intent": {"name": "fx.echo"}, "facts": "no array"}))
    c.ask(good())
    c.ask({**good(), "manglecp": "1999"})  # is no intent: nobody knows what it is
    malformed, forbidden = recorded(path, 2)
    equal(malformed["outcome"]["code"], "malformed_message", "shape")
    equal(forbidden["outcome"]["code"], "auth_insufficient", "permission")
    anonymous = l.connect().post(good(id="who"))
    equal(anonymous.status, 401, "without a token")
    c.ask(intent("n" * 500_000))
    one = recorded(path, 3)[2]  # that of nobody is not among them
    equal(one["intent"], "n" * 128, "a name as long as a message")
    expect(len(path.read_bytes().splitlines()[2]) < 510_000, "it stands there once, in what was asked")
    l.stop()
    equal(len(lines_of(path)), 3, "who has no credentials writes nothing")


def test_an_answer_that_is_given_again_is_recorded_as_such():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*", **WRITER)])
    c = l.connect("t")
    message = {**invoke(tool_of(c.ask(good())), {"label": "once"}), "extensions": {"x-idempotency-key": "k"}}
    c.ask(message)
    c.ask(message)
    _, first, again = recorded(path, 3)
    equal((first.get("replayed"), again.get("replayed")), (None, True), "replayed")
    equal(again["outcome"], {"code": "ok"}, "outcome")
    l.stop()


def test_that_somebody_asked_why_not_is_recorded_and_of_what_there_is():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*,why_not")])
    c = l.connect("t")
    c.ask({**good(), "extensions": {"x-why-not": ["fx_hidden", "my secret"]}})
    c.ask(good())
    asked, plain = recorded(path, 2)
    equal((asked["why_not"], plain.get("why_not")), (["fx_hidden", "***"], None), "why_not")
    l.stop()


def test_two_servers_do_not_write_one_log():
    l, path = recorder()
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--decision-log", str(path)),
                      stdin=subprocess.DEVNULL)
    program.wait(2)
    expect("another server writes to it" in program.log(), program.log())
    l.stop()


def test_facts_can_be_recorded_by_their_digest_alone():
    l, path = recorder("--decision-facts", "digest")
    c = l.connect()
    other = {**BASIC, "args": ["another", *BASIC["args"][1:]]}
    for facts in ([BASIC], [BASIC], [other]):
        c.ask(intent("fx.echo", facts))
    a, b, d = [one["asked"]["facts"] for one in recorded(path, 3)]
    equal((a["count"], a), (1, b), "the same facts")
    expect(a["sha256"] != d["sha256"], "other facts")
    expect(BASIC["args"][0] not in path.read_text(), path.read_text())
    l.stop()


def test_a_confirmation_token_is_not_recorded():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*", confirm_key=base64url(b"k" * 16))])
    c = l.connect("t")
    danger = tool_of(c.ask(intent("fx.danger")), "fx_danger")
    details = refused(c.ask(invoke(danger, {"target": "x"})), "confirmation_required")["details"]
    c.ask(invoke(danger, {"target": "x"}, confirmation_token=details["challenge"] + ".AAAA"))
    recorded(path, 3)
    expect(details["challenge"] not in path.read_text(), path.read_text())
    l.stop()


def test_more_facts_than_a_line_may_hold_are_recorded_by_their_digest():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*")])
    facts = [fact("fx_basic", "x" * 400, n, True, n) for n in range(4000)]
    equal(names(l.connect("t").ask(intent("fx.echo", facts))), ["fx_echo"], "tools")
    one, = recorded(path, 1)
    equal(one["asked"]["facts"]["count"], 4000, "facts")
    l.stop()


# ---- where it goes

def test_without_being_asked_nothing_is_recorded():
    l = Listener("--open-demo")
    l.connect().ask(good())
    equal(metric(l, "manglecp_decisions_total"), 0, "records")
    l.stop()


def test_standard_output_takes_decisions_but_not_beside_the_protocol():
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--decision-log", "stdout"),
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    logged(program, "ready: ")
    at = At(int(re.search(r"listening on http://127.0.0.1:(\d+)", program.log()).group(1)), program)
    Connection(at).ask(good("to-stdout"))
    line = program.process.stdout.readline()
    equal(decode(line)["request"], "to-stdout", "the line")
    program.process.terminate()
    program.wait()
    program = Program(command(FIXTURE, "--stdio", "--decision-log", "stdout"), stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE)
    program.wait(2)
    expect("decisions cannot go there, too" in program.log(), program.log())


def test_a_reader_that_does_not_read_holds_up_nobody():
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--decision-log", "stdout"),
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    logged(program, "ready: ")
    at = At(int(re.search(r"listening on http://127.0.0.1:(\d+)", program.log()).group(1)), program)
    c = Connection(at)
    for n in range(200):  # more than a pipe holds
        equal(names(c.ask(good(f"n{n}"))), ["fx_echo"], "tools")
    logged(program, "nobody reads it")
    program.process.terminate()
    program.wait()
    logged(program, "records were lost at the end")


def test_a_log_that_cannot_be_opened_ends_the_start_with_its_reason():
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--decision-log", "/nowhere/log"),
                      stdin=subprocess.DEVNULL)
    program.wait(2)
    expect("/nowhere/log: error: could not open it: No such file" in program.log(), program.log())


def test_full_files_are_rotated_and_the_oldest_go():
    l, path = recorder("--decision-rotate", "4KiB", "--decision-keep", "2")
    c = l.connect()
    for n in range(40):
        c.ask(good(f"r{n}"))
    l.stop()
    files = [path.with_name(f"decisions.{k}") for k in (2, 1)] + [path]
    expect(not path.with_name("decisions.3").exists(), "a third file")
    seen = [one["request"] for f in files for one in lines_of(f)]
    equal(seen, [f"r{n}" for n in range(40 - len(seen), 40)], "the newest records, in order")
    for f in files[:2]:
        expect(0 < f.stat().st_size <= 4096, f"{f}: {f.stat().st_size}")


def test_a_reload_goes_on_in_a_new_file_when_the_old_one_was_moved():
    l, path = recorder()
    c = l.connect()
    c.ask(good("before"))
    recorded(path, 1)
    moved = path.with_name("kept")
    path.rename(moved)
    hang_up(l.program)
    wait_for("a new file", path.exists)
    c.ask(good("after"))
    equal([one["request"] for one in recorded(path, 1)], ["after"], "the new file")
    equal([one["request"] for one in lines_of(moved)], ["before"], "the old one")
    l.stop()


def test_everything_is_written_before_the_end():
    l, path = recorder()
    c = l.connect()
    for n in range(50):
        c.ask(good(f"n{n}"))
    l.stop()
    equal(len(lines_of(path)), 50, "records")


def test_killed_at_any_moment_it_leaves_whole_lines():
    path = pathlib.Path(scratch()) / "decisions"
    for _ in range(5):
        l = Listener("--open-demo", "--decision-log", str(path))

        def keep_asking(c):
            try:
                while True:
                    c.ask(good())
            except (OSError, Failure):
                pass
        threads = [threading.Thread(target=keep_asking, args=(l.connect(),)) for _ in range(3)]
        for t in threads:
            t.start()
        time.sleep(0.3)
        l.program.process.kill()
        l.program.process.wait()
        for t in threads:
            t.join()
    records = lines_of(path, growing=False)
    expect(len(records) > 5, f"{len(records)} records")
    equal(len({one["id"].split("-")[0] for one in records}), 5, "starts")


# ---- full disks

def full_log(l, fill, free):
    """Nothing is lost but what the queue cannot hold, and everything is said."""
    c = l.connect()
    c.ask(good("before"))
    wait_for("a record", lambda: metric(l, "manglecp_decisions_total") == 1)
    fill()
    for n in range(5):
        equal(names(c.ask(good(f"full{n}"))), ["fx_echo"], "tools on a full disk")
    wait_for("degraded", lambda: c.get("/ready").body == b"degraded\n")
    expect("decision_log" in json.dumps(l.read_manifest()["payload"]["extensions"]["x-degraded"]), "x-degraded")
    logged(l.program, "decision log: could not write")
    expect(metric(l, "manglecp_decision_log_waiting_bytes") > 0, "what waits")
    free()
    wait_for("ready", lambda: c.get("/ready").body == b"ready\n")
    logged(l.program, "decision log: it is in order again; 0 records were lost")
    wait_for("all of them", lambda: metric(l, "manglecp_decisions_total") == 6)
    equal(metric(l, "manglecp_decisions_lost_total"), 0, "lost")


def test_a_log_that_may_not_grow_loses_nothing_that_fits_into_the_queue():
    l, path = recorder()
    pid = l.program.process.pid
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)

    def fill():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (path.stat().st_size + 10, unlimited[1]))
    full_log(l, fill, lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited))
    equal([one["request"] for one in lines_of(path)], ["before"] + [f"full{n}" for n in range(5)], "records")
    l.stop()


def test_a_log_on_a_full_disk_loses_nothing_that_fits_into_the_queue():
    folder = scratch()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True)
    if done.returncode != 0:
        raise Skip("a file system cannot be mounted here")
    try:
        ballast = pathlib.Path(folder) / "ballast"
        path = pathlib.Path(folder) / "decisions"
        l = Listener("--open-demo", "--decision-log", str(path))

        def fill():
            with open(ballast, "wb", buffering=0) as f:
                try:
                    while f.write(b"x" * 4096):
                        pass
                except OSError as e:
                    equal(e.errno, errno.ENOSPC, "the disk")
            while True:  # what is left of the log's own page
                if metric(l, "manglecp_decision_log_waiting_bytes") > 0:
                    return
                l.connect().ask(good("page"))
        c = l.connect()
        fill()
        wait_for("degraded", lambda: c.get("/ready").body == b"degraded\n")
        whole = len(lines_of(path))
        ballast.unlink()
        wait_for("ready", lambda: c.get("/ready").body == b"ready\n")
        wait_for("the rest", lambda: len(lines_of(path)) > whole)
        equal(metric(l, "manglecp_decisions_lost_total"), 0, "lost")
        l.stop()
    finally:
        subprocess.run(["umount", "-l", folder])


def test_more_than_the_queue_holds_is_counted_and_said_where_it_is_missing():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*")])
    pid = l.program.process.pid
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    c = l.connect("t")
    c.ask(good("before"))
    recorded(path, 1)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (path.stat().st_size, unlimited[1]))
    large = [fact("fx_basic", "x" * 900, n, True, n) for n in range(1000)]  # nearly 1 MiB of line
    sent = 0
    while l_lost(l) < 3:
        equal(names(c.ask(intent("fx.echo", large))), ["fx_echo"], "tools")
        sent += 1
        expect(sent < 60, "nothing is lost")
    lost = l_lost(l)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
    wait_for("written", lambda: len(lines_of(path)) >= 1 + sent - lost)
    c.ask(good("after"))
    wait_for("the last", lambda: lines_of(path)[-1].get("request") == "after")
    records = lines_of(path)
    gaps = [one for one in records if one["kind"] == "lost"]
    equal(gaps, [{"decision": 1, "kind": "lost", "records": lost}], "the gap")
    equal(len(records), 1 + sent - lost + 1 + 1, "lines")
    logged(l.program, f"{lost} records were lost")
    l.stop()


def l_lost(l):
    page = l.connect("t").get("/metrics").body
    return int(re.search(rb"^manglecp_decisions_lost_total (\d+)$", page, re.M).group(1))


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

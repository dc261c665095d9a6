"""Signals at every stage of a server's life, seen over stdio, HTTP and WebSocket at once: what each client is
told, the status, and that it ends in bounded time and leaves no process behind."""
from life import *  # its helpers: run() calls the tests of this file alone
from websocket import CLOSE, PING, Socket, frame

STEP_MS = 800  # of each of four
END = 10 * (3 if SANITIZED else 1)  # seconds that an end may take when nothing is waited for


def keyed(message, key):
    return {**message, "extensions": {"x-idempotency-key": key}}


def is_replay(message):
    return message.get("extensions", {}).get("x-idempotent-replay", False)


def descendants(pid):
    """(pid, the time it began) of every process below `pid`: a number alone may be somebody else's later."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after_name = (entry / "stat").read_text().rsplit(") ", 1)[1].split()
            except OSError:
                continue
            parents.setdefault(int(after_name[1]), []).append((int(entry.name), after_name[19]))
    found, todo = [], [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child[0])
    return found


def lives(process):
    pid, begun = process
    try:
        after_name = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    except OSError:
        return False
    return after_name[0] != "Z" and after_name[19] == begun


class Three:
    """A server with a client on each transport. What the clients get is read at the end."""

    def __init__(self, *options, ready=True, folder=None):
        self.folder = folder or copy_of_fixture()
        self.gate, gate_options = gated()
        if ready:
            self.gate.touch()
        self.session = Session("--listen", "127.0.0.1:0", "--open-demo", "--set", "actions.processes=4",
                               *gate_options, *options,
                               domain=self.folder, greet=False)
        self.program = self.session.program
        logged(self.program, "listening on")
        self.at = At(int(re.search(r"listening on http://127\.0\.0\.1:(\d+)", self.program.log()).group(1)), self.program)
        if ready:
            logged(self.program, "ready: ")
        self.http, self.ws = Connection(self.at), Socket(None, connection=Connection(self.at))
        self.tool = None
        if ready:
            self.tool = tool_of(self.http.ask(intent("fx.slow", params={"size": 1})))
            tool_of(self.ask_session(intent("fx.slow", params={"size": 1})))
            tool_of(self.ws.ask(intent("fx.slow", params={"size": 1})))  # a stranger of its own

    def ask_session(self, message):
        self.session.send(message)
        while (m := self.session.receive())["id"] != message["id"] or m["type"] == "progress":
            pass
        return m

    def signal(self, number):
        self.below = descendants(self.program.process.pid)
        self.begun = time.monotonic()
        self.program.process.send_signal(number)

    def begin_chains(self):
        """An invocation on each transport, and each in its chain."""
        body = encode(invoke(self.tool, {"step_ms": STEP_MS}, id="http"))
        self.http.send(self.http.head("POST", self.at.invoke_path, len(body)) + body)
        self.ws.send(invoke(self.tool, {"step_ms": STEP_MS}, id="ws"))
        self.session.send(invoke(self.tool, {"step_ms": STEP_MS}, id="stdio"))
        wait_for("the chains", lambda: b"manglecp_invocations 3" in Connection(self.at).get("/metrics").body)

    def messages_of_session(self):
        found = []
        while (line := self.session.line()) is not None:
            found.append(check_message(decode(line)))
        return found

    def messages_of_ws(self):
        """Up to the end; and the code of the close frame, None without one."""
        found = []
        while (got := self.ws.frame()) is not None:
            if got[0] == CLOSE:
                self.ws.write(frame(CLOSE, got[1][:2]))
                return found, int.from_bytes(got[1][:2], "big")
            if got[0] != PING:
                found.append(check_message(decode(got[1])))
        return found, None

    def ended(self, status, within=END):
        got = self.program.process.wait(PATIENCE)
        took = time.monotonic() - self.begun
        self.program.reader.join(PATIENCE)
        equal(got, status, f"status, with\n{self.program.log()}\n")
        expect(took < within, f"the end took {took:.1f} s\n{self.program.log()}")
        wait_for(f"the end of what it started: {self.below}", lambda: not any(lives(p) for p in self.below))

    def told_to_stop(self, answers, within=END):
        """SIGTERM was sent: what each client hears, and the end. `answers`: each is owed one."""
        said = self.messages_of_session()
        manifests = [m["payload"]["status"] for m in said if m["type"] == "manifest"]
        equal(manifests[-1:], ["draining"], "the last manifest of the session")  # P-READY-8
        heard, code = self.messages_of_ws()
        equal(code, 1001, "code of the close frame")  # D-59
        manifests = [m["payload"]["status"] for m in heard if m["type"] == "manifest"]
        equal(manifests[-1:], ["draining"], "the last manifest of the WebSocket")
        if answers:
            equal(self.http.response().message["type"], "invoke_response", "HTTP")  # P-READY-9
            for what, messages in (("stdio", said), ("ws", heard)):
                final = [m["type"] for m in messages if m["id"] == what and m["type"] != "progress"]
                equal(final, ["invoke_response"], f"answers over {what}")
        expect(self.http.closed(), "bytes nobody asked for")
        self.ended(0, within)

    def killed(self):
        """SIGKILL was sent: every connection breaks, and nothing is left."""
        self.messages_of_session()
        equal(self.messages_of_ws()[1], None, "a close frame")
        expect(self.http.closed(), "bytes nobody asked for")
        self.ended(-signal.SIGKILL)

    def serves(self):
        equal(names(self.http.ask(good())), ["fx_echo"], "tools")

    def stop(self):
        self.signal(signal.SIGTERM)
        self.told_to_stop(answers=False)


# ---- booting

def test_while_it_boots_it_can_be_stopped():
    t = Three(ready=False)
    t.signal(signal.SIGTERM)
    time.sleep(0.2)
    t.gate.touch()  # the list is a script of ours, that nobody ends
    t.told_to_stop(answers=False)


def test_a_hang_up_while_it_boots_loads_once_more():
    t = Three(ready=False)
    t.signal(signal.SIGHUP)
    time.sleep(0.3)
    t.gate.touch()
    logged(t.program, "loaded again: ")
    t.serves()
    t.stop()


def test_killed_while_it_boots():
    t = Three(ready=False)
    wait_for("the plugin's list", lambda: descendants(t.program.process.pid))
    t.signal(signal.SIGKILL)
    t.gate.touch()  # the gate is a script of ours, that nobody ends
    t.killed()


def test_a_plugin_that_hangs_while_it_is_listed_does_not_outlive_the_server():
    for number, status in ((signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
        wrapper = pathlib.Path(scratch()) / "toolhost"
        wrapper.write_text(f"#!/bin/sh\nMACHINA_TOOL_BAD=hang exec {BUILD}/bin/toolhost --list "
                           f"{BUILD}/test-plugins/bad_choice.so\n")
        wrapper.chmod(0o755)
        s = Session("--toolhost", str(wrapper), greet=False)
        equal(s.receive()["payload"]["status"], "booting", "status")
        pid = s.program.process.pid
        wait_for("the plugin's list and its worker", lambda: len(descendants(pid)) >= 2)
        below = descendants(pid)
        s.program.process.send_signal(number)
        equal(s.program.process.wait(PATIENCE), status, "status")
        wait_for(f"the end of {below}", lambda: not any(lives(p) for p in below), patience=10)


# ---- ready, and idle

def test_idle_it_can_be_stopped():
    Three().stop()


def test_idle_a_hang_up_is_told_to_sessions_once():
    t = Three()
    t.signal(signal.SIGHUP)
    equal(t.ws.receive()["payload"]["status"], "ready", "the manifest that was pushed")  # P-MAN-30
    time.sleep(1.2)  # they come at most once a second
    t.signal(signal.SIGTERM)
    heard, _ = t.messages_of_ws()
    statuses = [m["payload"]["status"] for m in heard if m["type"] == "manifest"]
    equal(statuses, ["draining"], "manifests behind it")
    t.messages_of_session()
    t.ended(0)


def test_killed_when_idle():
    t = Three()
    t.http.ask(invoke(t.tool, {"step_ms": 1}))  # its host runs
    t.signal(signal.SIGKILL)
    expect(t.below, "no host ran")
    t.killed()


# ---- with invocations in their chains

def test_invocations_are_finished_before_it_stops():
    t = Three()
    t.begin_chains()
    t.signal(signal.SIGTERM)
    t.told_to_stop(answers=True, within=END + 6 * STEP_MS / 1000)


def test_a_hang_up_changes_nothing_for_invocations_that_run():
    t = Three()
    t.begin_chains()
    t.signal(signal.SIGHUP)
    logged(t.program, "loaded again: ")
    equal(t.http.response().message["type"], "invoke_response", "HTTP")
    t.signal(signal.SIGTERM)
    said, (heard, code) = t.messages_of_session(), t.messages_of_ws()
    for what, messages in (("stdio", said), ("ws", heard)):
        final = [m["type"] for m in messages if m["id"] == what and m["type"] != "progress"]
        equal(final, ["invoke_response"], f"answers over {what}")
    equal(code, 1001, "code of the close frame")
    t.ended(0)


def test_killed_while_chains_run():
    t = Three()
    t.begin_chains()
    t.signal(signal.SIGKILL)
    expect(t.below, "no host ran")
    t.killed()


# ---- loading again

def loading():
    t = Three()
    t.gate.unlink()
    t.program.process.send_signal(signal.SIGHUP)
    logged(t.program, "loading again")
    wait_for("the plugin's list", lambda: descendants(t.program.process.pid))
    return t


def test_while_it_loads_again_it_can_be_stopped():
    t = loading()
    t.signal(signal.SIGTERM)
    time.sleep(0.2)
    t.gate.touch()  # the list is a script of ours, that nobody ends
    t.told_to_stop(answers=False)


def test_hang_ups_while_it_loads_again_are_one_more_load():
    t = loading()
    for _ in range(5):
        t.signal(signal.SIGHUP)
        time.sleep(0.02)
    t.gate.touch()
    logged(t.program, "loaded again: ", 2)
    t.serves()
    equal(t.program.log().count("loading again"), 2, "loads")
    t.stop()


def test_killed_while_it_loads_again():
    t = loading()
    t.signal(signal.SIGKILL)
    t.gate.touch()
    t.killed()


# ---- draining

def draining():
    t = Three()
    t.begin_chains()
    t.program.process.send_signal(signal.SIGTERM)
    wait_for("draining", lambda: Connection(t.at).get("/ready").body == b"draining\n")
    return t


def test_a_second_signal_cancels_what_runs_and_answers_it():
    t = draining()
    t.signal(signal.SIGTERM)
    said, (heard, code) = t.messages_of_session(), t.messages_of_ws()
    for what, messages in (("stdio", said), ("ws", heard)):
        final = [code_of(m) for m in messages if m["id"] == what and m["type"] != "progress"]
        equal(final, ["cancelled"], f"answers over {what}")  # P-CONC-10
    refused(t.http.response().message, "cancelled")
    equal(code, 1001, "code of the close frame")
    t.ended(0)


def test_a_hang_up_while_it_drains_is_nothing():
    t = draining()
    t.signal(signal.SIGHUP)
    t.told_to_stop(answers=True, within=END + 6 * STEP_MS / 1000)
    expect("loading again" not in t.program.log(), t.program.log())


def test_killed_while_it_drains():
    t = draining()
    t.signal(signal.SIGKILL)
    t.killed()


# ---- with clients that do not read

def unread():
    """The outputs of all three clients are full."""
    t = Three("--max-open-requests", "10000", "--max-waiting", "100000")
    many = [good(f"n-{n}") for n in range(1500)]
    body = [encode(m) for m in many]

    def fill(write):
        thread = threading.Thread(target=lambda: try_to(write), daemon=True)
        thread.start()

    def try_to(write):
        try:
            write()
        except (OSError, ValueError):
            pass
    posts = b"".join(t.http.head("POST", t.at.intent_path, len(b)) + b for b in body)
    fill(lambda: t.session.write(b"".join(b + b"\n" for b in body)))
    fill(lambda: t.ws.send(*many))
    fill(lambda: t.http.send(posts))
    time.sleep(1.5)
    return t


def test_clients_that_do_not_read_do_not_hold_up_the_end():
    t = unread()
    t.signal(signal.SIGTERM)
    got = t.program.process.wait(PATIENCE)
    expect(time.monotonic() - t.begun < END + 5, f"it took {time.monotonic() - t.begun:.1f} s")
    expect(got in (0, 2), f"status {got}")  # 2: what was queued for stdio is lost
    wait_for("the end of what it started", lambda: not any(lives(p) for p in t.below))


def test_clients_that_do_not_read_do_not_hold_up_a_reload():
    t = unread()
    t.signal(signal.SIGHUP)
    logged(t.program, "loaded again: ")
    equal(names(Connection(t.at).ask(good())), ["fx_echo"], "tools for another client")
    t.signal(signal.SIGKILL)
    t.program.process.wait(PATIENCE)
    wait_for("the end of what it started", lambda: not any(lives(p) for p in t.below))


# ---- an invocation with a key, and a server that is killed

def test_an_invocation_with_a_key_never_runs_twice_wherever_the_server_was_killed():
    folder = pathlib.Path(scratch())
    path, options = journal()
    tokens = token_file(token_line("t", "ann", "intent:*", trust="automated", auto_confirm="filesystem"))
    options += ["--auth", tokens, "--store-sqlite", str(folder / "state.db")]
    seen = {"ran again": 0, "kept": 0, "indeterminate": 0}
    for n in range(24):
        l = Listener(*options)
        write = tool_of(l.connect("t").ask(intent("fx.write")))
        message = keyed(invoke(write, {"line": f"line-{n}"}), f"key-{n}")
        c = l.connect("t")
        body = encode(message)
        c.send(c.head("POST", l.invoke_path, len(body)) + body)
        time.sleep((n % 12) * 0.003 * (4 if SANITIZED else 1))
        l.program.kill()
        l = Listener(*options)
        answer = l.connect("t").ask(message)
        again = l.connect("t").ask(message)
        lines = path.read_text().splitlines().count(f"line-{n}")
        expect(lines <= 1, f"it ran {lines} times")
        if answer["type"] == "invoke_response":
            equal(lines, 1, "times that it ran")
            equal(again["payload"], answer["payload"], "the answer to a later question")
            expect(is_replay(again), "a replay does not say so")
            seen["kept" if is_replay(answer) else "ran again"] += 1
        else:
            details = refused(answer, "execution_failed")["details"]
            equal(details.get("indeterminate"), True, f"{details}")
            equal(code_of(again), "execution_failed", "the answer to a later question")
            seen["indeterminate"] += 1
        l.stop()
    expect(seen["kept"] + seen["indeterminate"] > 0, f"it was always killed before it began: {seen}")


# ---- replays

def test_after_a_replay_it_still_ends():
    l = Listener("--open-demo")
    c = l.connect()
    echo = tool_of(c.ask(good()))
    answers = [c.ask(keyed(invoke(echo, {"label": "x"}), "k")) for _ in range(3)]
    equal([is_replay(a) for a in answers], [False, True, True], "replays")
    begun = time.monotonic()
    l.stop()
    expect(time.monotonic() - begun < END, f"the end took {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

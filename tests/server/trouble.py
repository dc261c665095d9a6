"""Short of everything: a full disk below the store, the log and the output; little memory at the start; few
descriptors, and none left."""
import errno
import resource

from life import *  # its helpers: run() calls the tests of this file alone

ROBOT = {"trust": "automated", "auto_confirm": "filesystem"}


def keyed(message, key):
    return {**message, "extensions": {"x-idempotency-key": key}}


# ---- a full disk below the store

class Keeper:
    """A listener with a store in a file, and a tool that leaves a line in a journal."""

    def __init__(self, store):
        self.path, options = journal()
        self.l = Listener("--auth", token_file(token_line("t", "ann", "intent:*", **ROBOT)), *options,
                          "--store-sqlite", str(store))
        self.write = tool_of(self.l.connect("t").ask(intent("fx.write")))

    def run(self, line, key=None):
        message = invoke(self.write, {"line": line})
        return self.l.connect("t").ask(keyed(message, key) if key else message)

    def status(self):
        return self.l.read_manifest()["payload"]["status"]

    def lines(self):
        return self.path.read_text().splitlines()


def full_store(keeper, fill, free):
    """Full and empty again, twice."""
    equal(keeper.run("before", "k0")["type"], "invoke_response", "with room")
    for n in range(2):
        fill()
        for k in range(40):  # what is left of the last page is used up
            answer = keeper.run(f"full-{n}", f"full-{n}-{k}")
            if answer["type"] == "error":
                break
        not_ready(answer, "degraded")  # P-READY-2: nothing is promised that may not be kept
        ran = keeper.lines().count(f"full-{n}")
        not_ready(keeper.run(f"full-{n}", f"full-{n}-more"), "degraded")
        equal(keeper.lines().count(f"full-{n}"), ran, "runs that were refused")
        wait_for("degraded", lambda: keeper.status() == "degraded")
        extensions = keeper.l.read_manifest()["payload"]["extensions"]
        expect("store" in json.dumps(extensions["x-degraded"]), f"{extensions}")  # P-READY-7
        expect(b"degraded" in keeper.l.connect().get("/ready").body, "/ready")
        free()
        wait_for("an answer", lambda: keeper.run(f"room-{n}", f"room-{n}")["type"] == "invoke_response")
        wait_for("ready again", lambda: keeper.status() == "ready")
        again = keeper.run("before", "k0")
        equal(again.get("extensions"), {"x-idempotent-replay": True}, "what was kept before")
    equal(keeper.lines().count("before"), 1, "runs of the first key")
    for n in range(2):
        equal(keeper.lines().count(f"room-{n}"), 1, "runs of a key that was refused first")
    log = keeper.l.program.log()
    expect(log.count("degraded: store") >= 2 and log.count("store is in order again") >= 2, log)
    keeper.l.stop()


def test_a_store_that_may_not_grow_is_told_and_comes_back():
    store = pathlib.Path(scratch()) / "state.db"
    keeper = Keeper(store)
    pid = keeper.l.program.process.pid
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)

    def fill():
        size = max(p.stat().st_size for p in store.parent.iterdir() if p.name.startswith(store.name))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, unlimited[1]))
    full_store(keeper, fill, lambda: resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited))


def small_disk(size):
    folder = scratch()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True)
    if done.returncode != 0:
        raise Skip("a file system cannot be mounted here")
    return pathlib.Path(folder)


def test_a_store_on_a_full_disk_is_told_and_comes_back():
    folder = small_disk("4m")
    try:
        ballast = folder / "ballast"

        def fill():
            with open(ballast, "wb", buffering=0) as f:
                try:
                    while f.write(b"x" * 4096):
                        pass
                except OSError as e:
                    equal(e.errno, errno.ENOSPC, "the disk")
        full_store(Keeper(folder / "state.db"), fill, ballast.unlink)
    finally:
        subprocess.run(["umount", "-l", str(folder)])


def test_a_store_that_cannot_be_opened_ends_the_start_with_its_reason():
    for store in ("/dev/full", "/nowhere/state.db", str(FIXTURE)):
        program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--store-sqlite", store),
                          stdin=subprocess.DEVNULL)
        program.wait(2)
        expect(store in program.log(), program.log())
        expect("does not load" not in program.log(), program.log())


# ---- a full disk below the log and the output

def test_a_log_that_cannot_be_written_stops_nothing_and_is_counted():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    main = socket.create_server(("127.0.0.1", 0))  # whose port is known without a log
    script = 'exec 3<&"$A"; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@" 2>/dev/full'
    program = Program(["bash", "-c", script, "bash", *command(FIXTURE, "--listen", "systemd", "--open-demo")],
                      {"A": str(main.fileno())}, stdin=subprocess.DEVNULL, pass_fds=[main.fileno()])
    at = At(main.getsockname()[1], program)
    main.close()
    wait_for("ready", lambda: Connection(at).get("/ready").body == b"ready\n")
    equal(names(Connection(at).ask(good())), ["fx_echo"], "tools")
    lost = re.search(rb"manglecp_log_lines_lost_total (\d+)", Connection(at).get("/metrics").body)
    expect(int(lost.group(1)) >= 3, f"lines lost: {lost.group(0)}")
    program.process.send_signal(signal.SIGHUP)
    wait_for("loaded again", lambda: b"manglecp_reloads_total 1" in Connection(at).get("/metrics").body)
    program.process.terminate()
    program.wait()


def test_a_log_file_that_may_not_grow_says_later_what_was_lost():
    path = pathlib.Path(scratch()) / "log"
    path.touch()
    main = socket.create_server(("127.0.0.1", 0))
    script = f'exec 3<&"$A"; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@" 2>{path}'
    program = Program(["bash", "-c", script, "bash", *command(FIXTURE, "--listen", "systemd", "--open-demo")],
                      {"A": str(main.fileno())}, stdin=subprocess.DEVNULL, pass_fds=[main.fileno()])
    at = At(main.getsockname()[1], program)
    main.close()
    wait_for("ready", lambda: "ready: " in path.read_text())
    unlimited = resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (path.stat().st_size, unlimited[1]))
    for n in range(3):
        Connection(at).ask(good(f"lost-{n}"))
    wait_for("the losses", lambda: b"log_lines_lost_total 3" in Connection(at).get("/metrics").body)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, unlimited)
    Connection(at).ask(good("seen"))
    wait_for("the line", lambda: 'id="seen"' in path.read_text())
    text = path.read_text()
    expect("3 log lines were lost" in text and "lost-" not in text, text)
    program.process.terminate()
    program.wait()


def test_output_for_scripts_that_is_lost_is_status_2():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    for words in ([str(FIXTURE), "--stdio", "--print-config"], ["--help"]):
        with open("/dev/full", "wb") as full:
            r = subprocess.run([str(BUILD / "bin/manglecp"), "serve", *words], stdout=full, stderr=subprocess.PIPE,
                               env=CHILD_ENV, timeout=PATIENCE)
        equal(r.returncode, 2, f"status of serve {words[-1]}\n{r.stderr}")
        expect(b"cannot write the output" in r.stderr, f"{r.stderr}")


# ---- little memory

def test_little_memory_at_the_start_is_a_message_and_a_status():
    if SANITIZED:
        raise Skip("a sanitizer needs terabytes of addresses")
    served = 0
    for size in range(16, 161, 6):  # MiB
        done = subprocess.run(command(FIXTURE, "--stdio"), stdin=subprocess.DEVNULL, capture_output=True,
                              env=CHILD_ENV, timeout=PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size << 20, size << 20)))
        if b"shared librar" in done.stderr:
            continue  # the loader's, before there is a program of ours
        told = b"could not be listed" in done.stderr  # a plugin host without memory is a plugin that fails
        expect(done.returncode in ((0, 1, 2) if told else (0, 2)), f"status {done.returncode} with {size} MiB:\n{done.stderr.decode()}")
        if done.returncode == 0:
            served += 1
            first = check_message(decode(done.stdout.split(b"\n")[0]))
            equal(first["payload"]["server_name"], "fixture", f"the manifest with {size} MiB")
        else:
            expect(b"error: " in done.stderr, f"nothing is said with {size} MiB:\n{done.stderr.decode()}")
            expect(b"memory" in done.stderr or b"thread" in done.stderr, done.stderr.decode())
    expect(served > 0, "it never had enough")


# ---- descriptors

def limits_of(pid):
    return resource.prlimit(pid, resource.RLIMIT_NOFILE)


def with_descriptors(soft, hard, *options):
    """A listener that was started with these limits. A program that runs may be given less than it has."""
    old = resource.getrlimit(resource.RLIMIT_NOFILE)
    if old[1] != resource.RLIM_INFINITY and hard > old[1]:
        raise Skip(f"only {old[1]} descriptors are allowed here")
    argv = ["sh", "-c", f'ulimit -S -n {soft}; ulimit -H -n {hard}; exec "$@"', "sh",
            *command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", *options)]
    program = Program(argv, stdin=subprocess.DEVNULL)
    logged(program, "ready: ")
    return At(int(re.search(r"listening on \S+:(\d+)", program.log()).group(1)), program)


def end(at):
    at.program.process.terminate()
    at.program.wait()


def test_it_asks_for_the_descriptors_that_its_connections_need():
    at = with_descriptors(64, 600)
    equal(limits_of(at.program.process.pid), (600, 600), "limits")
    held = [Connection(at) for _ in range(300)]  # more than the first limit would allow
    for c in held:
        equal(c.get("/health").status, 200, "/health")
    for c in held:
        equal(c.get("/health").status, 200, "/health: it gave way")
    end(at)
    at = with_descriptors(64, 600, "--max-connections", "20")
    equal(limits_of(at.program.process.pid)[0], 276, "what 20 connections need")
    end(at)


def test_with_few_descriptors_connections_give_way_and_tools_run():
    at = with_descriptors(64, 64)
    held = [Connection(at) for _ in range(200)]
    c = Connection(at)
    tool = tool_of(c.ask(good()))
    answer = Connection(at).ask(invoke(tool, {"label": "x"}))  # its host has to be started
    equal(answer["type"], "invoke_response", shown(answer))
    gone = 0
    for one in held:
        one.socket.setblocking(False)
        try:
            gone += one.socket.recv(1) == b""
        except BlockingIOError:
            pass
    expect(gone > 100, f"only {gone} gave way")
    end(at)


def test_busy_connections_are_not_cut_when_descriptors_are_few():
    """Nobody is idle: who comes is refused with an answer, or waits."""
    at = with_descriptors(64, 64)
    tool = tool_of(Connection(at).ask(intent("fx.slow", params={"size": 1})))
    body = encode(invoke(tool, {"step_ms": 700}, id="slow"))
    held = []
    for _ in range(60):
        c = Connection(at)
        c.send(c.head("POST", at.invoke_path, len(body)) + body)
        held.append(c)
        time.sleep(0.05)  # else it is idle, and gives way, as long as its request was not looked at
    answers = []
    for c in held:
        try:
            answers.append(c.response().status)
        except (Failure, OSError):
            answers.append(None)
    expect(answers.count(200) >= 1, f"{answers}")
    expect(all(a in (200, 503, 429, None) for a in answers), f"{answers}")
    expect(answers.count(None) < 20, f"dropped without a word: {answers}")
    equal(names(Connection(at).ask(good())), ["fx_echo"], "tools afterwards")
    end(at)


def test_when_the_last_descriptor_is_gone_accepting_goes_on_later():
    at = with_descriptors(256, 256)
    pid = at.program.process.pid
    first = Connection(at)
    equal(first.get("/health").status, 200, "/health")
    used = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, 256))
    held = [socket.create_connection(("127.0.0.1", at.port)) for _ in range(20)]
    time.sleep(0.5)
    spent = [float(x) for x in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()[11:13]]
    time.sleep(1)
    later = [float(x) for x in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()[11:13]]
    expect(sum(later) - sum(spent) < 50, "it spins")
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (256, 256))
    for one in held:
        one.close()
    wait_for("an answer", lambda: Connection(at).get("/health").status == 200)
    equal(names(Connection(at).ask(good())), ["fx_echo"], "tools")
    end(at)


# ---- descriptors 0, 1, 2

def test_closed_standard_descriptors_are_no_crash_and_nothing_else_takes_their_place():
    for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
        for spoken in (["--stdio"], ["--config", None]):
            if spoken[0] == "--config":
                config = pathlib.Path(scratch()) / "serve.yaml"
                config.write_text("stdio: true\n")
                spoken = ["--config", str(config)]
            line = " ".join(command(FIXTURE, *spoken)) + " " + closed
            r = subprocess.run(["sh", "-c", line], capture_output=True, stdin=subprocess.DEVNULL, env=CHILD_ENV,
                               timeout=PATIENCE)
            equal(r.returncode, 0 if closed == "2>&-" else 2, f"status of {spoken[0]} with {closed}\n{r.stderr}")
            if "2>" not in closed:
                expect(b"is closed" in r.stderr, f"{closed}: {r.stderr}")
        main = socket.create_server(("127.0.0.1", 0))
        script = f'exec 3<&"$A"; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@" {closed}'
        store = pathlib.Path(scratch()) / "state.db"
        program = Program(["bash", "-c", script, "bash", *command(FIXTURE, "--listen", "systemd", "--open-demo",
                                                                  "--store-sqlite", str(store))],
                          {"A": str(main.fileno())}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          pass_fds=[main.fileno()])
        at = At(main.getsockname()[1], program)
        main.close()
        wait_for("ready", lambda: Connection(at).get("/ready").body == b"ready\n")
        tool = tool_of(Connection(at).ask(good()))
        equal(Connection(at).ask(invoke(tool, {"label": "x"}))["type"], "invoke_response", "a tool's host")
        for fd in range(3):
            where = os.readlink(f"/proc/{program.process.pid}/fd/{fd}")
            expect(where == "/dev/null" or where.startswith("pipe:"), f"descriptor {fd} with {closed} is {where}")
        program.process.terminate()
        program.wait()


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

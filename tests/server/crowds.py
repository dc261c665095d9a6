"""More clients than there is room for: who gives way, who is refused, and that both are told."""
import resource

from websocket import *

NEWCOMER = 0.3  # seconds after which one that has said nothing gives way
GRACE = 1.1     # and one that has begun something


def ports_of(program):
    """(of the protocol, of the operations)"""
    wait_until(lambda: program.log().count("listening on") == 2, "it does not listen twice")
    found = re.findall(r"listening on http://127\.0\.0\.1:(\d+)( \(operations\))?", program.log())
    return tuple(int(next(port for port, mark in found if bool(mark) == wanted)) for wanted in (False, True))


def wait_until(holds, what):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        expect(time.monotonic() < deadline, what)
        time.sleep(0.02)


class Port:
    """Another listener of the same program."""

    def __init__(self, listener, port):
        self.program, self.port = listener.program, port

    def connect(self):
        return Connection(self)


def two_listeners(*options, **more):
    l = Listener("--operations-listen", "127.0.0.1:0", *options, **more)
    l.port, port = ports_of(l.program)
    return l, Port(l, port)


def hold(l, token="t"):
    """A connection that is busy: somebody known sends a body, slowly."""
    c = Connection(l, token)
    c.send(c.head("POST", l.intent_path, 1000) + b"{")
    return c


def is_open(c):
    """Nothing came, and no end either."""
    c.socket.setblocking(False)
    try:
        return c.socket.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False
    finally:
        c.socket.settimeout(PATIENCE)


def serves(c):
    equal(c.get("/health").status, 200, "/health")


def refuses(c):
    answer = c.get("/health")
    equal(answer.status, 503, "a connection too many")
    equal(answer.headers.get("retry-after"), "1", "Retry-After")
    refused(answer.message, "server_not_ready")


def tokens():
    return "--auth", token_file(token_line("t", "ann", "intent:*"))


# ---- the limit of a listener

def test_of_a_burst_beyond_the_limit_everybody_is_answered():
    l = Listener("--open-demo", "--max-connections", "20")
    l.program.process.send_signal(signal.SIGSTOP)  # so that all of them are accepted in one turn
    crowd = [l.connect() for _ in range(60)]
    for c in crowd:
        c.send(c.head("GET", "/health"))
    l.program.process.send_signal(signal.SIGCONT)
    answers = [c.response() for c in crowd]
    counts = {status: [a.status for a in answers].count(status) for status in (200, 503)}
    equal(sum(counts.values()), 60, "answers")
    expect(counts[200] >= 20, f"{counts}")
    for a in answers:
        equal(a.headers.get("retry-after"), "1" if a.status == 503 else None, "Retry-After")
    for c in crowd:
        c.close()
    l.stop()


def test_who_has_just_come_is_not_pushed_out_before_it_could_ask():
    l = Listener("--open-demo", "--max-connections", "4")
    served = [l.connect() for _ in range(3)]
    for c in served:
        serves(c)
    new = l.connect()
    later = [l.connect() for _ in range(3)]  # each instead of one that was served
    for c in [new] + later:
        serves(c)
    expect(all(c.closed() for c in served), "others gave way")
    l.stop()


def test_who_says_nothing_gives_way_before_who_was_served():
    l = Listener("--open-demo", "--max-connections", "4")
    served = l.connect()
    serves(served)
    silent = [l.connect() for _ in range(3)]
    time.sleep(NEWCOMER)
    serves(l.connect())
    expect(silent[0].closed(), "the one that is silent longest")
    expect(is_open(served), "one that was served gave way")
    serves(served)
    l.stop()


def test_the_limit_holds_however_many_are_refused():
    l = Listener(*tokens(), "--max-connections", "2")
    busy = [hold(l) for _ in range(2)]
    refused_ones = [l.connect() for _ in range(100)]  # and they stay, as long as they may
    for c in refused_ones:
        refuses(c)
    expect(all(is_open(c) for c in busy), "a busy one was cut")
    for c in busy:
        c.close()
    wait_until(lambda: l.connect().get("/health").status == 200, "there is no room again")
    for c in refused_ones:
        c.close()
    l.stop()


# ---- listeners beside each other

def test_clients_of_one_listener_do_not_push_out_those_of_another():
    for crowded_is_public in (True, False):
        l, operations = two_listeners("--open-demo", "--max-connections", "8")
        crowded, quiet = (l, operations) if crowded_is_public else (operations, l)
        mine = Connection(quiet)
        path = "/health" if quiet is operations else Listener.MANIFEST
        equal(mine.get(path).status, 200, path)
        crowd = [Connection(crowded) for _ in range(40)]
        for c in crowd:
            try:
                c.get("/health")
            except (Failure, OSError):
                pass  # who gives way is not asked about here
        expect(is_open(mine), "an idle connection of the other listener gave way")
        equal(mine.get(path).status, 200, path)
        for c in crowd:
            c.close()
        l.stop()


def test_busy_clients_of_one_listener_leave_descriptors_for_the_other():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (80, 80))
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--operations-listen", "127.0.0.1:0", *tokens()),
                      preexec_fn=few, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    l = Listener.__new__(Listener)
    l.program, l.tls, l.intent_path = program, None, "/manglecp/evaluate"
    l.port, port = ports_of(program)
    operations = Port(l, port)
    l.until_status("ready")
    crowd = [hold(l) for _ in range(80)]
    time.sleep(GRACE)
    for _ in range(3):
        serves(operations.connect())
    refuses(l.connect())
    for c in crowd:
        c.close()
    l.stop()


# ---- WebSockets that nobody logged in to

def test_anonymous_sessions_that_are_idle_give_way():
    l = Listener("--open-demo", "--max-connections", "6")
    sessions = [Socket(l) for _ in range(6)]
    time.sleep(GRACE)
    sessions[0].ask(good())  # so the second has been idle longest
    for _ in range(2):
        serves(l.connect())
    sessions[1].closes(1013)
    for s in (sessions[0], *sessions[2:]):
        s.ask(good())
    l.stop()


def test_an_anonymous_session_that_waits_for_an_answer_stays():
    l = Listener("--open-demo", "--max-connections", "2", "--workers", "1")
    size = busy_size(Socket(l).ask, 3)
    sessions = [Socket(l), Socket(l)]
    for s in sessions:
        s.send(intent("fx.slow", params={"size": size}))
    time.sleep(GRACE)
    refuses(l.connect())
    for s in sessions:
        equal(s.receive()["type"], "intent_response", "its answer")
    l.stop()


def test_sessions_that_are_logged_in_stay():
    l = Listener(*tokens(), "--max-connections", "2")
    sessions = [Socket(l, "t"), Socket(l, "t")]
    time.sleep(GRACE)
    refuses(l.connect())
    for s in sessions:
        s.ask(good())
    l.stop()


run(globals())

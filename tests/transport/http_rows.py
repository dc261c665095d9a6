"""What the HTTP transport owes to those who are not the client at hand: requests that other programs may
read differently, names that pages can borrow, clients that never read, never end or never begin, and a
server that is short of descriptors. Over raw sockets, against the running server."""
import gzip
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "server"))
from blackbox import *  # noqa: E402

TOKEN = "token-of-the-rows"
WEB, OTHER_WEB = "https://app.example", "https://two.example:8443"
held = {}
# What AddressSanitizer keeps back of freed memory would hide what the server keeps.
LEAN = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}


def server():
    if "l" not in held or held["l"].program.process.poll() is not None:
        held["l"] = Listener("--auth", token_file(token_line(TOKEN, "web", "intent:*")),
                             "--cors-origin", WEB, "--cors-origin", OTHER_WEB,
                             "--allow-host", "api.example", "--allow-host", "two.example:99", env=LEAN)
        programs.remove(held["l"].program)
    return held["l"]


def connect(token=TOKEN):
    return server().connect(token)


def serves(c):
    equal(names(c.ask(good())), ["fx_echo"], "a good request")


def raw(text, expected, token=TOKEN):
    """Send lines as they are; the answer is an envelope with this status."""
    c = connect(token)
    c.send(text.encode("latin-1"))
    response = c.response()
    equal(response.status, expected, f"status for {text!r}")
    expect(response.message["type"] == "error", "no error envelope")  # P-HTTP-9
    return c, response


def post_head(*lines):
    return "\r\n".join([f"POST {server().intent_path} HTTP/1.1", "Host: localhost",
                        f"Authorization: Bearer {TOKEN}", "Content-Type: application/json", *lines,
                        "", ""])


# ---- when a request is judged ---------------------------------------------------------------

def test_a_stranger_gets_his_answer_before_the_body():
    c = connect(None)
    c.send(c.head("POST", server().intent_path, 10_000_000))  # and not a byte of it
    refused(c.response().message, "auth_required")


def test_a_wrong_token_gets_no_continue():
    c = connect("wrong")
    c.send(c.head("POST", server().intent_path, 500, Expect="100-continue"))
    response = c.response()
    equal(response.status, 401, "instead of 100")


def test_an_unknown_path_gets_no_body_read():
    c = connect()
    c.send(c.head("POST", "/nowhere", 10_000_000))
    equal(c.response().status, 404, "status")


def test_strangers_do_not_fill_the_memory():
    before = server().program.resident_kib()
    crowd = [connect(None) for _ in range(40)]
    part = b"x" * 200_000
    for c in crowd:
        try:
            c.send(c.head("POST", server().intent_path, 16_000_000))
            for _ in range(40):
                c.socket.setblocking(False)
                try:
                    c.socket.send(part)
                except BlockingIOError:
                    pass
        except OSError:
            pass
    time.sleep(0.5)
    grown = server().program.resident_kib() - before
    expect(grown < 40_000, f"{grown} KiB more for bodies of strangers")
    for c in crowd:
        c.close()
    serves(connect())


# ---- what a header says ---------------------------------------------------------------------

def test_an_empty_value_takes_nothing_of_what_follows():
    c = connect(None)
    body = encode(good())
    c.send(c.head("POST", server().intent_path, len(body)).replace(
        b"\r\n\r\n", f"\r\nX-Empty:\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()) + body)
    equal(c.response().status, 200, "a token behind an empty value")
    c.send(c.head("POST", server().intent_path, len(body)).replace(
        b"\r\n\r\n", f"\r\nAuthori:\r\nzation: Bearer {TOKEN}\r\n\r\n".encode()) + body)
    equal(c.response().status, 401, "a token under a name of two halves")


def test_a_trailer_is_no_header():
    c = connect(None)
    body = encode(good())
    c.send(c.head("POST", server().intent_path, Transfer_Encoding="chunked")
           + b"%x\r\n%s\r\n0\r\nAuthorization: Bearer %s\r\nX-More: y\r\n\r\n" % (
               len(body), body, TOKEN.encode()))
    equal(c.response().status, 401, "a token in a trailer")


def test_what_can_be_read_in_two_ways_is_refused():
    for lines in (["Content-Length : 2"], ["Transfer-Encoding: gzip, chunked"],
                  ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
                  ["Transfer-Encoding: chunked", "Content-Length: 2"],
                  ["Content-Length: 2", "Content-Length: 3"], ["Content-Length: 2", "X: a", " b"],
                  ["Content-Length: 2", "Host: localhost"], ["Content-Length: +2"]):
        c, _ = raw(post_head(*lines) + "{}", 400)
        expect(c.closed(), f"the connection goes on after {lines}")


def test_versions_expectations_and_sizes_have_their_status():
    path = server().intent_path
    for version in ("HTTP/0.9", "HTTP/2.0", "HTTP/9.9"):
        _, response = raw(f"GET {Listener.MANIFEST} {version}\r\nHost: localhost\r\n\r\n", 505)
        refused(response.message, "x-http_version")
    raw(f"GET {Listener.MANIFEST}\r\n\r\n", 505)
    _, response = raw(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nExpect: banana\r\n\r\n", 417)
    refused(response.message, "x-expectation_failed")
    _, response = raw(f"GET {Listener.MANIFEST} HTTP/1.1\r\nHost: localhost\r\nX: {'y' * 40000}\r\n\r\n", 431)
    refused(response.message, "x-head_too_large")


def test_the_host_is_one_and_is_a_host():
    raw(f"GET {Listener.MANIFEST} HTTP/1.1\r\n\r\n", 400)
    raw(f"GET {Listener.MANIFEST} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400)
    raw(f"GET {Listener.MANIFEST} HTTP/1.1\r\nHost: localhost:x@evil\r\n\r\n", 400)


def test_a_whole_uri_is_a_target_and_names_the_host():
    c = connect()
    equal(c.get(f"http://localhost{Listener.MANIFEST}", Host="evil.example").status, 200, "status")
    equal(c.get(f"http://evil.example{Listener.MANIFEST}").status, 400, "status")


# ---- names that pages can borrow ------------------------------------------------------------

def test_hosts_are_allowed_by_list():
    c = connect()
    for host, status in (("api.example", 200), ("API.example:1", 200), ("two.example:99", 200),
                         ("two.example:98", 400), ("evil.example", 400), ("localhost", 200)):
        equal(c.get(Listener.MANIFEST, Host=host).status, status, host)


def test_behind_a_proxy_hosts_are_allowed_by_list_as_well():
    l = Listener("--open-demo", "--behind-tls-proxy", "--allow-host", "api.example")
    c = l.connect()
    equal(c.get(Listener.MANIFEST, Host="api.example").status, 200, "the name of the proxy")
    equal(c.get(Listener.MANIFEST, Host="evil.example").status, 400, "another name")
    l.stop()


def test_origins_are_allowed_by_list():
    c = connect()
    own = f"http://127.0.0.1:{server().port}"
    for origin, status in ((WEB, 200), (OTHER_WEB, 200), (own, 200), ("https://evil.example", 403),
                           ("null", 403), (WEB + ".evil.example", 403), (WEB + ":1", 403)):
        response = c.post(good(), Origin=origin)
        equal(response.status, status, origin)
        if status == 403:
            refused(response.message, "x-origin_not_allowed")
        echoed = origin if status == 200 and origin != own else None
        equal(response.headers.get("access-control-allow-origin"), echoed, origin)  # P-HTTP-20
        expect("Origin" in response.headers["vary"], "Vary")


def test_an_origin_that_is_none_is_refused_at_start():
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo",
                              "--cors-origin", "https://a.example\r\nX-Evil: yes", "--cors-origin", "*",
                              "--cors-origin", "https://b.example/", "--allow-host", "a b",
                              "--max-connections", "0"),
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    program.wait(2)
    log = program.log()
    expect(log.count("--cors-origin: error: ") == 3, log)  # all faults at once
    expect("--allow-host: error: \"a b\"" in log and "max_connections" in log, log)
    expect("\r" not in log, "control characters reach the terminal")


# ---- the manifest ---------------------------------------------------------------------------

def test_the_manifest_may_be_compressed_and_has_a_tag_for_each_form():
    c = connect(None)
    plain = c.get(Listener.MANIFEST)
    packed = c.get(Listener.MANIFEST, Accept_Encoding="gzip")
    equal(packed.headers.get("content-encoding"), "gzip", "coding")
    equal(gzip.decompress(packed.body), plain.body, "content")
    expect(packed.headers["etag"] != plain.headers["etag"], "one tag for two forms")
    for response in (plain, packed):
        expect("Accept-Encoding" in response.headers["vary"], "Vary")
        expect(re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", response.headers["date"]), "Date")
    again = c.get(Listener.MANIFEST, If_None_Match=packed.headers["etag"], Accept_Encoding="gzip")
    equal((again.status, again.body), (304, b""), "a conditional request")  # P-HTTP-22
    equal(c.get(Listener.MANIFEST, Accept_Encoding="gzip;q=0").headers.get("content-encoding"), None, "q=0")


def test_options_tell_what_a_path_takes():
    c = connect(None)
    response = c.get(server().intent_path, "OPTIONS")
    equal((response.status, response.headers["allow"]), (204, "POST, OPTIONS"), "OPTIONS")


# ---- draining -------------------------------------------------------------------------------

def test_a_draining_server_can_be_seen():
    l = Listener("--auth", token_file(token_line(TOKEN, "web", "intent:*")))
    size = busy_size(l.connect(TOKEN).ask, 2)
    running, idle, asking = l.connect(TOKEN), l.connect(TOKEN), l.connect(TOKEN)
    serves(idle)
    body = encode(intent("fx.slow", id="running", params={"size": size}))
    running.send(running.head("POST", l.intent_path, len(body)) + body)
    time.sleep(0.3)
    l.program.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    fresh = l.connect()
    response = fresh.get(Listener.MANIFEST)
    equal(response.message["payload"]["status"], "draining", "status")
    equal(response.headers["cache-control"], "no-cache", "Cache-Control")  # P-HTTP-21
    response = asking.post(good())  # P-READY-10, P-HTTP-18
    refused(response.message, "server_not_ready", status="draining")
    expect(int(response.headers["retry-after"]) > 0, "Retry-After")
    equal(response.headers["connection"], "close", "Connection")
    equal(running.response().message["id"], "running", "the request that ran")  # P-READY-9
    expect(idle.closed(), "an idle connection stays open behind the end")
    l.program.wait()


# ---- clients that do not behave -------------------------------------------------------------

def test_with_few_descriptors_idle_connections_give_way_and_the_end_comes():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo"), preexec_fn=few,
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    expect(program.listening.wait(PATIENCE), "the server does not start")
    l = Listener.__new__(Listener)
    l.program, l.intent_path, l.invoke_path = program, "/manglecp/evaluate", "/manglecp/invoke"
    l.port, l.tls = int(re.search(r"127\.0\.0\.1:(\d+)", program.log()).group(1)), None
    l.until_status("ready")
    crowd = [l.connect() for _ in range(200)]
    stalled = [l.connect() for _ in range(5)]  # and never read
    for c in stalled:
        body = encode(intent("fx.rank"))
        c.socket.setblocking(False)
        try:
            c.socket.send((c.head("POST", l.intent_path, len(body)) + body) * 2000)
        except OSError:
            pass
    time.sleep(0.3)  # in which the crowd could have said something
    for _ in range(10):
        serves(l.connect())
    tool = tool_of(l.connect().ask(good()))  # a host of plugins still finds its descriptors
    equal(l.connect().ask(invoke(tool, {"label": "x"}))["type"], "invoke_response", "an invocation")
    begun = time.monotonic()
    program.process.send_signal(signal.SIGTERM)
    program.wait()
    expect(time.monotonic() - begun < 12, "clients that never read hold up the end")
    for c in crowd + stalled:
        c.close()


def test_clients_that_pipeline_and_never_read_cost_little():
    before = server().program.resident_kib()
    crowd = [connect() for _ in range(53)]
    body = encode(intent("fx.rank"))
    burst = (crowd[0].head("POST", server().intent_path, len(body)) + body) * 4000
    sent = [0] * len(crowd)
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline:
        for n, c in enumerate(crowd):
            c.socket.setblocking(False)
            try:
                sent[n] += c.socket.send(burst[sent[n]:])
            except OSError:
                pass
        time.sleep(0.05)
    grown = server().program.resident_kib() - before
    expect(grown < 40_000, f"{grown} KiB more for clients that never read")
    serves(connect())
    for c in crowd:
        c.close()


def test_ten_thousand_requests_in_one_burst_hurt_nobody():
    c = connect(None)
    request = c.head("HEAD", Listener.MANIFEST)
    writer = threading.Thread(target=c.send, args=(request * 10000,), daemon=True)
    slowest = [0]

    def others():
        for _ in range(40):
            begun = time.monotonic()
            equal(server().connect().get(Listener.MANIFEST).status, 200, "status")
            slowest[0] = max(slowest[0], time.monotonic() - begun)
    other = threading.Thread(target=others, daemon=True)
    writer.start()
    other.start()
    for _ in range(10000):
        equal(c.response(head=True).status, 200, "status")
    writer.join(PATIENCE)
    other.join(PATIENCE)
    expect(0 < slowest[0] < (1 if SANITIZED else 0.25), f"somebody waited {slowest[0]} s")


def test_slow_and_deaf_clients_hurt_nobody():
    slow, deaf = [connect(None) for _ in range(300)], [connect(None) for _ in range(30)]
    burst = deaf[0].head("GET", Listener.MANIFEST) * 2000
    for c in deaf:
        c.socket.setblocking(False)
        try:
            c.socket.send(burst)
        except OSError:
            pass
    other, slowest = connect(), 0
    for turn in range(3):
        for c in slow:
            c.send(burst[turn:turn + 1])
        for _ in range(30):
            begun = time.monotonic()
            serves(other)
            slowest = max(slowest, time.monotonic() - begun)
        time.sleep(0.3)
    expect(slowest < (2 if SANITIZED else 0.5), f"somebody waited {slowest} s")
    for c in slow + deaf:
        c.close()


def test_half_open_connections_give_way():
    l = Listener("--open-demo", "--max-connections", "100")
    crowd = []
    for n in range(1024):
        c = l.connect()
        c.send(b"GET / HTTP/1.1\r\nHost: localh" if n % 2 else b"")
        crowd.append(c)
    time.sleep(1.2)  # a head may take a second before it gives way
    for _ in range(5):
        serves(l.connect())
    for c in crowd:
        c.close()
    l.stop()


def test_the_server_ends_well():
    server().stop()


run(globals())

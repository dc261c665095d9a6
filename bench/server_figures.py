"""How long a server of the browser domain takes to say its first line, how much memory it needs while
nobody asks and for each idle connection (HTTP, WebSocket, TLS), how many intents a second it answers over
HTTP, on one connection and on eight, how long a manifest takes while all other clients run something slow,
and what others notice of clients that send a byte a second or never read. And, with clients written in C
(server/load.c) and a domain of 260 tools: processor time and latencies of intents with no, 10 and 500 facts,
with one worker and more, and what 200 large ones at once leave behind."""
import base64
import itertools
import multiprocessing
import os
import pathlib
import re
import resource
import selectors
import signal
import socket
import ssl
import statistics
import subprocess
import tempfile
import time

import many_tools

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
STARTS, SECONDS = 20, 3
CONNECTIONS, BATCH, SLOW, STALLED, BUSY = 10000, 100, 2000, 200, 16
MANIFEST = b"GET /.well-known/manglecp/manifest.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
COMMAND = [str(BUILD / "bin/manglecp"), "serve", str(ROOT / "domains/browser")]
UPGRADE = (b"GET /manglecp/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + base64.b64encode(bytes(16)) + b"\r\n\r\n")
FIXTURE = [COMMAND[0], "serve", str(ROOT / "tests/domains/fixture"), "--plugins", str(BUILD / "test-plugins")]
BODY = (b'{"type":"intent_request","id":"b","manglecp":"2026-02-draft","payload":{"intent":'
        b'{"name":"observe"},"facts":[{"pred":"current_url","args":["http://localhost:8080/"]}]}}')


def start_stdio():
    begun = time.monotonic()
    child = subprocess.Popen(COMMAND + ["--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    return child, time.monotonic() - begun


def starts():
    spent = []
    for _ in range(STARTS):
        child, seconds = start_stdio()
        spent.append(seconds * 1000)
        child.stdin.close()
        child.wait()
    print(f"server start: {statistics.median(spent):.1f} ms (from exec to the manifest line, median of "
          f"{STARTS}; fastest {min(spent):.1f})")


def idle_memory():
    child, _ = start_stdio()
    time.sleep(0.3)
    status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
    rss = int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
    own = re.search(r"RssAnon:\s+(\d+)", status)
    print(f"server idle: {rss / 1024:.1f} MiB resident ({int(own.group(1)) / 1024:.1f} of it its own, the "
          "rest is files that it shares)")
    child.stdin.close()
    child.wait()


def listen(*options, command=COMMAND):
    child = subprocess.Popen(command + ["--listen", "127.0.0.1:0", "--open-demo", *options], text=True,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    port = None
    for line in child.stderr:
        found = re.search(r"listening on https?://127\.0\.0\.1:(\d+)", line)
        port = int(found.group(1)) if found else port
        if port and " ready: " in line:
            return child, port
    raise SystemExit("the server does not listen")


def requests_per_second(port, connections, seconds=SECONDS):
    """Intents answered a second, and how many were."""
    head = (f"POST /manglecp/evaluate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: "
            f"application/json\r\nContent-Length: {len(BODY)}\r\n\r\n").encode()
    wire = head + BODY
    selector = selectors.DefaultSelector()
    for _ in range(connections):
        s = socket.create_connection(("127.0.0.1", port))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(s, selectors.EVENT_READ, [b"", None])
        s.sendall(wire)
    answered, begun = 0, time.monotonic()
    while time.monotonic() - begun < seconds:
        for key, _ in selector.select(1):
            state = key.data
            state[0] += key.fileobj.recv(65536)
            if state[1] is None and b"\r\n\r\n" in state[0]:
                top, _ = state[0].split(b"\r\n\r\n", 1)
                if not top.startswith(b"HTTP/1.1 200"):
                    raise SystemExit(f"the server answered {top[:40]!r}")
                state[1] = len(top) + 4 + int(re.search(rb"Content-Length: (\d+)", top).group(1))
            if state[1] is not None and len(state[0]) >= state[1]:
                key.data[:] = [b"", None]
                answered += 1
                key.fileobj.sendall(wire)
    spent = time.monotonic() - begun
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return answered / spent, answered


def rates():
    child, port = listen()
    for connections in (1, 8):
        rate, _ = requests_per_second(port, connections)
        print(f"server rate: {rate:.0f} intents/s (HTTP keep-alive, {connections} "
              f"connection{'s' if connections > 1 else ''}, this client on the same machine)")
    stop(child)


def own_kib(child, what="RssAnon"):
    text = pathlib.Path(f"/proc/{child.pid}/status").read_text()
    return int(re.search(what + r":\s+(\d+)", text).group(1))


def stop(child):
    child.send_signal(signal.SIGTERM)
    child.wait()


def request(s, wire):
    s.sendall(wire)
    got = b""
    while b"\r\n\r\n" not in got:
        got += s.recv(65536)
    end = got.index(b"\r\n\r\n") + 4 + int(re.search(rb"Content-Length: (\d+)", got).group(1))
    while len(got) < end:
        got += s.recv(65536)


def connect(port, context=None, upgrade=False):
    """A connection that has had a manifest."""
    s = socket.create_connection(("127.0.0.1", port))
    if context:
        s = context.wrap_socket(s)
    if not upgrade:
        request(s, MANIFEST)
        return s
    s.sendall(UPGRADE)
    got = b""
    while b"\r\n\r\n" not in got:
        got += s.recv(65536)
    got = got[got.index(b"\r\n\r\n") + 4:]
    while len(got) < 4 or len(got) < 4 + int.from_bytes(got[2:4], "big"):  # one frame of less than 64 KiB
        got += s.recv(65536)
    return s


def idle_connections(what, *options, wanted=CONNECTIONS, upgrade=False):
    """Memory is read after each batch: the median of the batches, beside the mean of all."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(wanted, hard - 300) // BATCH * BATCH
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 300), hard))
    child, port = listen("--max-connections", str(count + 1), "--idle-timeout", "1h", "--ping-interval", "1h",
                         "--log-access", "none", *options)
    context = None
    if options:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    crowd = [connect(port, context, upgrade)]
    held = [own_kib(child)]
    for _ in range(count // BATCH):
        crowd += [connect(port, context, upgrade) for _ in range(BATCH)]
        held.append(own_kib(child))
    batches = [(b - a) / BATCH for a, b in zip(held, held[1:])]
    print(f"server idle {what} connection: {statistics.median(batches):.2f} KiB resident (median of {len(batches)} "
          f"batches of {BATCH}; mean of all {(held[-1] - held[0]) / count:.2f}; each after its manifest)")
    for s in crowd:
        s.setblocking(False)
        try:
            s.recv(1)
            raise SystemExit(f"an idle {what} connection was ended: the figure means nothing")
        except (BlockingIOError, ssl.SSLWantReadError):
            s.close()
    stop(child)


def run_slowly(port):
    """Rules that use up their time, again and again. A process of its own."""
    body = BODY.replace(b'"observe"', b'"fx.slow","params":{"size":999}').replace(
        b',"facts":[{"pred":"current_url","args":["http://localhost:8080/"]}]', b"")
    wire = (f"POST /manglecp/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    while True:
        s = socket.create_connection(("127.0.0.1", port))
        request(s, wire)
        s.close()


def manifests(port, seconds):
    spent, end = [], time.monotonic() + seconds
    s = socket.create_connection(("127.0.0.1", port))
    while time.monotonic() < end:
        begun = time.monotonic()
        request(s, MANIFEST)
        spent.append((time.monotonic() - begun) * 1000)
    s.close()
    return spent


def beside_slow_work():
    child, port = listen("--log-access", "none", command=FIXTURE)
    alone = manifests(port, SECONDS)
    crowd = [multiprocessing.Process(target=run_slowly, args=(port,), daemon=True) for _ in range(BUSY)]
    for c in crowd:
        c.start()
    time.sleep(1)
    spent = manifests(port, 2 * SECONDS)
    print(f"server beside {BUSY} clients whose rules use up their time: a manifest p50 {statistics.median(spent):.2f} ms, "
          f"p99 {statistics.quantiles(spent, n=100)[98]:.2f}, at most {max(spent):.1f} (alone "
          f"{statistics.median(alone):.2f}, {statistics.quantiles(alone, n=100)[98]:.2f}, {max(alone):.1f})")
    for c in crowd:
        c.terminate()
        c.join()
    child.kill()
    child.wait()


def slow_senders(port, ready):
    """A byte a second on many connections, and many that ask and never read. A process of its own."""
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(SLOW)]
    stalled = [socket.create_connection(("127.0.0.1", port)) for _ in range(STALLED)]
    for s in stalled:
        s.setblocking(False)
        try:
            while s.send(MANIFEST * 100) == len(MANIFEST) * 100:
                pass
        except OSError:
            pass
    ready.set()
    for at in itertools.cycle(range(len(MANIFEST))):
        for i, s in enumerate(slow):  # each once a second, and not all in one moment
            if i % (SLOW // 100) == 0:
                time.sleep(0.01)
            try:
                s.send(MANIFEST[at:at + 1])
            except OSError:
                pass


def latencies(port, seconds):
    s = socket.create_connection(("127.0.0.1", port))
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire = (f"POST /manglecp/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(BODY)}\r\n\r\n").encode() + BODY
    spent, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        request(s, wire)
        spent.append(time.monotonic() - begun)
    s.close()
    return statistics.quantiles(spent, n=100)


def others():
    child, port = listen()
    before = latencies(port, SECONDS)
    ready = multiprocessing.Event()
    crowd = multiprocessing.Process(target=slow_senders, args=(port, ready), daemon=True)
    crowd.start()
    ready.wait()
    peak, during = 0, []
    for _ in range(3):
        during.append(latencies(port, SECONDS))
        peak = max(peak, own_kib(child, "VmRSS"))
    p50, p99 = (statistics.median(d[n] for d in during) * 1000 for n in (49, 98))
    print(f"server beside {SLOW} that send a byte a second and {STALLED} that never read: an intent p50 "
          f"{p50:.2f} ms, p99 {p99:.2f} ms (alone {before[49] * 1000:.2f} and {before[98] * 1000:.2f}); "
          f"{peak / 1024:.0f} MiB resident")
    crowd.terminate()
    crowd.join()
    stop(child)


# ---- a crowd over 260 tools --------------------------------------------------------------------

TOOLS, CROWD, AT_ONCE = 260, 50, 200


def write_bodies(folder, facts):
    path = pathlib.Path(folder, f"{facts}.jsonl")
    path.write_text("".join(many_tools.intent(TOOLS, facts, v) + "\n" for v in range(8)))
    return path


def load(child, port, connections, path):
    """{what: figure} of server/load.c."""
    out = subprocess.run([str(BUILD / "bench/server_load"), str(port), str(connections), str(SECONDS), str(path),
                          str(child.pid)], text=True, stdout=subprocess.PIPE, check=True).stdout.split()
    return {"rate": float(out[0].rstrip("/s")), **{k: float(v) for k, v in zip(out[1::2], out[2::2])}}


def crowds(folder, domain):
    command = [COMMAND[0], "serve", str(domain)]
    for workers in (None, 1, os.cpu_count()):
        options = ["--workers", str(workers)] if workers else []
        child, port = listen("--log-access", "none", *options, command=command)
        for connections, facts in ((1, 0), (CROWD, 0), (CROWD, 10), (1, 500), (CROWD, 500)):
            got = load(child, port, connections, write_bodies(folder, facts))
            print(f"server {TOOLS} tools, {facts} facts, {connections} client{'s' if connections > 1 else ''}, "
                  f"{workers or 'default'} workers: {got['server']:.0f} us (processor time of the server an intent; "
                  f"the clients take {got['client']:.0f}; {got['rate']:.0f}/s, p50 {got['p50']:.2f} ms, p99 "
                  f"{got['p99']:.2f})")
        stop(child)


def after_a_rush(folder, domain):
    child, port = listen("--log-access", "none", command=[COMMAND[0], "serve", str(domain)])
    bodies = write_bodies(folder, 500).read_bytes().splitlines()
    before = own_kib(child)
    crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(AT_ONCE)]
    for s, body in zip(crowd, itertools.cycle(bodies)):
        s.sendall(b"POST /manglecp/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  b"Content-Length: %d\r\n\r\n" % len(body) + body)
    for s in crowd:
        request(s, b"")
    rush = own_kib(child) - before
    time.sleep(4)
    print(f"server after {AT_ONCE} intents with 500 facts at once: {(own_kib(child) - before) / 1024:.1f} MiB more "
          f"than before, four seconds later ({rush / 1024:.1f} at their end; connections still open)")
    stop(child)


def over_many_tools():
    with tempfile.TemporaryDirectory() as folder:
        domain = pathlib.Path(folder, "domain")
        many_tools.make_domain(domain, TOOLS)
        crowds(folder, domain)
        after_a_rush(folder, domain)


if __name__ == "__main__":
    starts()
    idle_memory()
    rates()
    idle_connections("HTTP")
    idle_connections("WebSocket", upgrade=True)
    idle_connections("TLS", "--tls-self-signed", wanted=2000)
    beside_slow_work()
    others()
    over_many_tools()

"""What a decision log costs, and how fast decisions are made again: two servers of the browser domain, one with
a log and one without, are asked in turn for a second each, so that what else the machine does hits both; then the
log is replayed, as far as 10,000 decisions."""
import os
import pathlib
import re
import selectors
import signal
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
ROUNDS, SECONDS, CONNECTIONS, REPLAYED = 15, 1.0, 8, 10000
DOMAIN = ROOT / "domains/browser"
COMMAND = [str(BUILD / "bin/manglecp"), "serve", str(DOMAIN), "--listen", "127.0.0.1:0", "--open-demo",
           "--log-access", "errors"]
BODY = (b'{"type":"intent_request","id":"b","manglecp":"2026-02-draft","payload":{"intent":'
        b'{"name":"observe"},"facts":[{"pred":"current_url","args":["http://localhost:8080/"]}]}}')


def listen(*options):
    child = subprocess.Popen([*COMMAND, *options], text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    port = None
    for line in child.stderr:
        found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
        port = int(found.group(1)) if found else port
        if port and " ready: " in line:
            return child, port
    raise SystemExit("the server does not listen")


def cpu_seconds(child):
    fields = pathlib.Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answers(port, seconds):
    """How many intents are answered in so many seconds."""
    head = (f"POST /manglecp/evaluate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: "
            f"application/json\r\nContent-Length: {len(BODY)}\r\n\r\n").encode()
    wire, selector = head + BODY, selectors.DefaultSelector()
    for _ in range(CONNECTIONS):
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
                top = state[0].split(b"\r\n\r\n", 1)[0]
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


def measure(child, port):
    before = cpu_seconds(child)
    rate, answered = answers(port, SECONDS)
    return rate, (cpu_seconds(child) - before) / answered * 1e6


def costs(log):
    plain, logging = listen(), listen("--decision-log", str(log))
    for one in (plain, logging):
        answers(one[1], SECONDS)  # warm
    off, on = [], []
    for n in range(ROUNDS):
        for server, into in ((plain, off), (logging, on))[:: 1 if n % 2 else -1]:
            into.append(measure(*server))
    for child, _ in (plain, logging):
        child.send_signal(signal.SIGTERM)
        child.wait()
    rates = [statistics.median(r for r, _ in rounds) for rounds in (off, on)]
    cpu = [statistics.median(c for _, c in rounds) for rounds in (off, on)]
    ratio = statistics.median(b[0] / a[0] for a, b in zip(off, on))
    of_cpu = statistics.median(b[1] / a[1] for a, b in zip(off, on))
    print(f"decision log: {rates[1]:.0f} intents/s with it, {rates[0]:.0f} without (ratio {ratio:.3f}, median of "
          f"{ROUNDS} pairs); {cpu[1]:.0f} and {cpu[0]:.0f} us of the server's CPU each (ratio {of_cpu:.3f})")


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

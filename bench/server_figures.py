"""How long a server of the browser domain takes to say its first line, how much memory it needs while
nobody asks, and how many intents a second it answers over HTTP, on one connection and on eight."""
import os
import pathlib
import re
import selectors
import signal
import socket
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
STARTS, SECONDS = 20, 3
COMMAND = [str(BUILD / "bin/manglecp"), "serve", str(ROOT / "domains/browser")]
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


def listen():
    child = subprocess.Popen(COMMAND + ["--listen", "127.0.0.1:0", "--open-demo"], text=True,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in child.stderr:
        found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
        if found:
            return child, int(found.group(1))
    raise SystemExit("the server does not listen")


def requests_per_second(port, connections):
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
    while time.monotonic() - begun < SECONDS:
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
    return answered / spent


def rates():
    child, port = listen()
    for connections in (1, 8):
        rate = requests_per_second(port, connections)
        print(f"server rate: {rate:.0f} intents/s (HTTP keep-alive, {connections} "
              f"connection{'s' if connections > 1 else ''}, this client on the same machine)")
    child.send_signal(signal.SIGTERM)
    child.wait()


starts()
idle_memory()
rates()

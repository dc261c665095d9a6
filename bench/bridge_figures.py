"""What `manglecp mcp` costs beside `manglecp serve --stdio`: processor time of the same intent of the browser domain, and the time from exec to
the answer to `initialize`. Both are asked in turns, blocks of BLOCK intents; a figure is the median of ROUNDS blocks."""
import json
import os
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
PROGRAM, DOMAIN = str(BUILD / "bin/manglecp"), str(ROOT / "domains/browser")
ROUNDS, BLOCK, STARTS = 15, 200, 40
URL = "http://localhost:8080/"
HELLO = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}).encode() + b"\n"
READY = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'


def start(*words):
    return subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ask(child, line):
    child.stdin.write(line)
    child.stdin.flush()
    return child.stdout.readline()


def stop(child):
    child.stdin.close()
    child.wait()


def cpu_ns(pid):
    """Of all its threads; /proc/PID/schedstat has the first alone."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def native(i):
    return json.dumps({"type": "intent_request", "id": str(i), "manglecp": "2026-02-draft", "payload": {
        "intent": {"name": "observe"}, "facts": [{"pred": "current_url", "args": [URL]}]}}).encode() + b"\n"


def bridged(i):
    """New work each time, as the server has no memory either."""
    return json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": "intent", "arguments": {
        "intent": "observe", "facts": {"current_url": [URL]}}}}).encode() + b"\n"


def block(child, make):
    begun, clock = cpu_ns(child.pid), time.perf_counter()
    for i in range(1, BLOCK + 1):
        said = ask(child, make(i))
        if b'"observe_page"' not in said:
            raise SystemExit(f"it answered {said[:300]!r}")
    return (cpu_ns(child.pid) - begun) / BLOCK / 1e6, (time.perf_counter() - clock) / BLOCK * 1e3


def intents():
    server, bridge = start("serve", DOMAIN, "--stdio"), start("mcp", DOMAIN)
    while b'"status":"ready"' not in server.stdout.readline():
        pass
    ask(bridge, HELLO)
    bridge.stdin.write(READY)
    children = {"server": (server, native), "bridge": (bridge, bridged)}
    spent = {name: [] for name in children}
    for turn in range(ROUNDS + 1):  # the first warms
        for name in sorted(children, reverse=turn % 2 == 0):
            figures = block(*children[name])
            if turn:
                spent[name].append(figures)
    for name, what in (("server", "manglecp serve --stdio"), ("bridge", "manglecp mcp")):
        cpu, wall = zip(*spent[name])
        print(f"bridge/intent, {what}: {statistics.median(cpu):.3f} ms (processor time; answered in {statistics.median(wall):.3f} ms)")
    beside = statistics.median(b[0] - s[0] for s, b in zip(spent["server"], spent["bridge"]))
    print(f"bridge/intent, beside the server: {beside:.3f} ms (processor time; aim: at most 0.3)")
    stop(server)
    stop(bridge)


def starts():
    spent = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        child = start("mcp", DOMAIN)
        answer = ask(child, HELLO)
        spent.append((time.perf_counter() - begun) * 1e3)
        if b'"protocolVersion"' not in answer:
            raise SystemExit(f"it answered {answer[:300]!r}")
        stop(child)
    spent.sort()
    print(f"bridge/initialize: {statistics.median(spent):.1f} ms (from before exec to the answer, {STARTS} starts, "
          f"best tenth {spent[STARTS // 10]:.1f}, slowest {spent[-1]:.1f}; aim: at most 20)")


intents()
starts()

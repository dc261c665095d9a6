"""How long many invocations take that share few hosts, and a chain whose steps do not need each other: a server over
HTTP, with actions that sleep for 100 ms. Beside each: the least that it could take."""
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build")).resolve()
CROWD, ACTION_MS, STEPS, ITEMS, ROUNDS = 100, 100, 10, 100, 5
DOMAIN = """server: {name: bench, version: 1.0.0}
domain: {id: bench, description: Chains that sleep}
intents: [{name: sleep, description: Sleeps, open: true}]
actions: {plugins: [fx]}
"""
RULES = "".join(f'mandatory_for_intent("sleep", "{tool}").\n' for tool in ("one", "wide", "each", "long"))
HEAD = """- tool: {0}
  summary: Sleeps.
  description: Sleeps.
  input_schema: {{type: object}}
"""
SLEEP = f"action: AID.FX.SLEEP.v1, inputs: {{ms: {ACTION_MS}}}"
TOOLS = (HEAD.format("one") + f"  steps: [{{id: a, {SLEEP}}}]\n" +
         HEAD.format("wide") + "  steps:\n" +
         "".join(f"    - {{id: s{i}, needs: [], {SLEEP}}}\n" for i in range(STEPS)) +
         HEAD.format("each") + "  steps:\n    - {id: a, foreach: " + json.dumps(list(range(ITEMS))) +
         ", parallel: 8, action: AID.FX.ECHO.v1, inputs: {label: {from: item}}}\n" +
         HEAD.format("long") + "  steps:\n" +
         "".join(f"    - {{id: s{i}, action: AID.FX.ECHO.v1, inputs: {{label: x}}}}\n" for i in range(ITEMS)))


def write_domain(home):
    for path, text in (("domain.yaml", DOMAIN), ("rules/domain/d.mg", RULES), ("tools/t.yaml", TOOLS)):
        target = pathlib.Path(home) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def serve(home, hosts):
    child = subprocess.Popen(
        [str(BUILD / "bin/manglecp"), "serve", home, "--plugins", str(BUILD / "test-plugins"), "--listen",
         "127.0.0.1:0", "--open-demo", "--set", f"actions.processes={hosts}"],
        text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    port = None
    for line in child.stderr:
        found = re.search(r"listening on https?://127\.0\.0\.1:(\d+)", line)
        port = int(found.group(1)) if found else port
        if port and " ready: " in line:
            return child, port
    raise SystemExit("the server does not listen")


def ask(connection, what, payload):
    kind = {"evaluate": "intent_request", "invoke": "invoke_request"}[what]
    body = json.dumps({"type": kind, "id": "b", "manglecp": "2026-02-draft", "payload": payload})
    connection.request("POST", f"/manglecp/{what}", body, {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())


def ids(port):
    answer = ask(http.client.HTTPConnection("127.0.0.1", port), "evaluate", {"intent": {"name": "sleep"}})
    return {tool["name"]: tool["macro_id"] for tool in answer["payload"]["macro_tools"]}


def invoke(connection, macro_id):
    begun = time.monotonic()
    answer = ask(connection, "invoke", {"macro_id": macro_id, "args": {}})
    return time.monotonic() - begun, answer["type"] == "invoke_response"


def crowd(port, macro_id):
    """(seconds for all of them, how many failed)"""
    connections = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(CROWD)]
    for connection in connections:
        connection.connect()
    with concurrent.futures.ThreadPoolExecutor(CROWD) as pool:
        begun = time.monotonic()
        done = list(pool.map(lambda c: invoke(c, macro_id), connections))
        spent = time.monotonic() - begun
    for connection in connections:
        connection.close()
    return spent, sum(not good for _, good in done)


def one_by_one(port, macro_id):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    return statistics.median(invoke(connection, macro_id)[0] for _ in range(ROUNDS)) * 1000


def main():
    with tempfile.TemporaryDirectory() as home:
        write_domain(home)
        child, port = serve(home, 8)
        for what in ("hosts started", "hosts there"):
            spent, failed = crowd(port, ids(port)["one"])
            least = -(-CROWD // 8) * ACTION_MS / 1000
            print(f"chain/crowd, {what}: {spent:.2f} s ({CROWD} invocations at once of an action of {ACTION_MS} ms, 8 hosts; "
                  f"at least {least:.2f}; aim: less than 1.6)")
            print(f"chain/crowd, {what}, failed: {failed} (of {CROWD}; aim: at most 0)")
        one_by_one(port, ids(port)["each"])
        print(f"chain/foreach: {one_by_one(port, ids(port)['each']):.1f} ms ({ITEMS} items of a trivial action, 8 at once)")
        print(f"chain/list: {one_by_one(port, ids(port)['long']):.1f} ms ({ITEMS} steps of it, one after the other)")
        child.terminate()
        child.wait()
        child, port = serve(home, STEPS)
        first = invoke(http.client.HTTPConnection("127.0.0.1", port), ids(port)["wide"])[0] * 1000
        print(f"chain/wide: {one_by_one(port, ids(port)['wide']):.1f} ms ({STEPS} independent steps of {ACTION_MS} ms, "
              f"{STEPS} hosts; the first time, when they have to be started, {first:.0f}; aim: less than 250)")
        child.terminate()
        child.wait()


main()

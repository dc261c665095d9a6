"""What a client of `manglecp mcp` is told beside answers (its log, progress, what waits), and what it never is."""
import http.client
import json
import os
import stat
import subprocess
import sys
import tempfile
import time

from mcp_client import Client, Failed, PREFIX, R1, R2, R3, R4, R5, Server, Tap, fixture, program, text_of
from mcp_web import WebClient

tap = Tap()
place = tempfile.TemporaryDirectory()
server = Server(place.name)
YES = {"action": "accept", "content": {"agree": True}}
BASIC = {"fx_basic": ["tag", 1, True, "x"]}
LEGACY = (R1, R2, R3, R4)


def case(name):
    def run(function):
        tap.case(name, function)
        return function
    return run


def talk(function, revision=R4, command=None, kind=Client, **options):
    client = kind(command or server.command(), revision, **options)
    try:
        client.capable = client.open()["capabilities"]
        return function(client)
    finally:
        client.kill()


def logged(client):
    return [n["params"] for n in client.notes if n["method"] == "notifications/message"]


def run_tool(client, tool, args=None, **more):
    return client.call("run", more=more, tool=tool, args=args or {}, work="w1")


# ---- the log

for revision in (R1, R2, R3, R4, R5):

    @case(f"{revision}: the log of one's own call, from the level on that was asked for")
    def levels():
        def at(level):
            def go(c):
                if "logging" not in c.capable:
                    return c.capable
                legacy_level = level if revision in LEGACY else None
                if legacy_level and c.request("logging/setLevel", {"level": level}) != {}:
                    return "setLevel answered with more than {}"
                c.call("intent", intent="fx.fail")
                run_tool(c, "fx_partly", level=None if revision in LEGACY else level)
                return logged(c)
            return talk(go, revision)
        info, warning, silent, unset = at("info"), at("warning"), at("emergency"), at(None)
        events = [(m["level"], m["data"].get("action"), m["data"].get("status")) for m in info]
        good = events[:3] == [("info", "echo", "success"), ("warning", "fails", "failure"), ("notice", "echo", "skipped")]
        good = good and all(m["logger"] == "manglecp" and m["data"]["tool"] == "fx_partly" for m in info)
        good = good and [m["level"] for m in warning] == ["warning"] and silent == []
        # X-LOG-2: before a level is set the server chooses; X-LOG-3: r5 says nothing unasked
        good = good and [m["level"] for m in unset] == (["warning"] if revision in LEGACY else [])
        return None if good else [info, warning, silent, unset]

    @case(f"{revision}: an unknown level is refused, and a level is of one call or of one connection")
    def wrong_level():
        def go(c):
            try:
                c.request("logging/setLevel", {"level": "loud"}) if revision in LEGACY else c.request("tools/list", level="loud")
                return "it was taken"
            except Failed as e:
                if e.error["code"] != -32602:
                    return e.error
            c.call("intent", intent="fx.fail")
            if revision == R5:
                run_tool(c, "fx_partly", level="info")
                before = len(logged(c))
                run_tool(c, "fx_partly")
                return None if before >= 3 and len(logged(c)) == before else logged(c)
            return None
        return talk(go, revision)


@case("neither secrets nor arguments are in the log, at any level")
def secrets():
    def go(c):
        c.request("logging/setLevel", {"level": "debug"})
        c.call("intent", intent="fx.fail")
        run_tool(c, "fx_fail")
        run_tool(c, "fx_partly")
        c.call("intent", intent="fx.echo", facts=BASIC, work="w1")
        run_tool(c, "fx_echo", {"label": "an-argument"})
        run_tool(c, "fx_echo", {"label": 5})
        said = json.dumps(logged(c))
        good = '"error"' in said and '"progress"' in said
        return None if good and "PLANTED" not in said and "an-argument" not in said else said
    return talk(go, R4, fixture("--set", "marker=PLANTED"))


@case("a call says no more than its bound in a second, and then how much was left out")
def bounded():
    def go(c):
        c.call("intent", intent="fx.slow", params={"size": 1})
        for _ in range(4):
            run_tool(c, "fx_slow", {"step_ms": 1}, level="debug")
        messages = logged(c)
        until = time.monotonic() + 60
        while not any("left out" in json.dumps(m["data"]) for m in messages) and time.monotonic() < until:
            run_tool(c, "fx_slow", {"step_ms": 1}, level="debug")
            messages = logged(c)
        return None if any("left out" in json.dumps(m["data"]) for m in messages) else messages[-3:]
    return talk(go, R5)


@case("over HTTP a message of the log goes out on the stream of its own request")
def own_stream():
    child = WebClient(server.command(), R5)
    try:
        child.open()
        work = child.call("intent", intent="fx.fail")["structuredContent"]["work"]

        def post(level):
            meta = {PREFIX + "protocolVersion": R5, PREFIX + "clientCapabilities": {}}
            if level:
                meta[PREFIX + "logLevel"] = level
            body = {"jsonrpc": "2.0", "id": level or "none", "method": "tools/call", "params": {
                "name": "run", "arguments": {"tool": "fx_partly", "args": {}, "work": work}, "_meta": meta}}
            one = http.client.HTTPConnection(child.address, timeout=60)
            one.request("POST", "/mcp", child.hide(json.dumps(body), back=True).encode(),
                        dict(child.headers(body)))
            answer = one.getresponse()
            return answer.headers.get_content_type(), answer.read().decode()
        quiet, loud = post(None), post("info")
        good = quiet[0] == "application/json" and "notifications/message" not in quiet[1]
        good = good and loud[0] == "text/event-stream" and loud[1].count("notifications/message") >= 3
        return None if good and loud[1].rindex('"result"') > loud[1].rindex("notifications/message") else [quiet, loud]
    finally:
        child.kill()


# ---- questions

@case("progress and the log of a call that comes back with the answer, whatever the first one wanted")
def retried():
    def go(c):
        c.call("intent", intent="fx.danger")
        asked = {"name": "run", "arguments": {"tool": "fx_danger", "args": {"target": "x"}, "work": "w1"}}
        first = c.wait(c.send("tools/call", asked))
        answer = dict(asked, requestState=first["requestState"], inputResponses={k: YES for k in first["inputRequests"]})
        c.wait(c.send("tools/call", answer, progress="again", level="notice"))
        steps = [n["params"] for n in c.notes if n["method"] == "notifications/progress"]
        said = [m["data"] for m in logged(c)]
        good = steps and all(s["progressToken"] == "again" for s in steps)
        return None if good and {"tool": "fx_danger", "consent": "agreed"} in said else [steps, said]
    return talk(go, R5, elicits=True)


for revision in (R4, R5):

    @case(f"{revision}: calls that wait for a work when its question opens are answered, and so are those that come then")
    def queued():
        def go(c):
            c.call("intent", intent="fx.danger")
            danger = {"name": "run", "arguments": {"tool": "fx_danger", "args": {"target": "x"}, "work": "w1"}}
            asks = c.send("tools/call", danger)
            early = [c.send("tools/call", {"name": "state", "arguments": {"work": "w1"}}) for _ in range(3)]
            answers = [c.wait(i) for i in early]
            if revision == R4:
                c.wait_question()
            else:
                c.wait(asks)
            answers.append(c.call("state", work="w1"))
            wrong = [text_of(a) for a in answers if not a.get("isError") or "is being asked" not in text_of(a)]
            other = c.call("intent", intent="fx.echo", facts=BASIC)  # other work goes on
            return wrong or (text_of(other) if other.get("isError") else None)
        return talk(go, revision, elicits=True)


# ---- results

@case("X-BRIDGE-4: text for the model, structure beside it and not again as text, and no schema of it")
def shapes():
    def go(c):
        if any("outputSchema" in t for t in c.request("tools/list")["tools"]):
            return "there is an outputSchema"
        c.call("intent", intent="fx.echo", facts=BASIC)
        for result in (run_tool(c, "fx_echo", {"label": "hello"}), c.call("intent", intent="fx.mark"), c.call("state", work="w1")):
            blocks, structured = result["content"], result["structuredContent"]
            if [b["type"] for b in blocks] != ["text"] or json.dumps(structured, separators=(",", ":")) in blocks[0]["text"]:
                return result
        return None

    def alone(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        result = run_tool(c, "fx_echo", {"label": "hello"})
        return None if "structuredContent" not in result and "hello" in text_of(result) else result
    return talk(go) or talk(go, R5) or talk(alone, R4, server.command("--text-alone"))


@case("a result of more than 1 MiB stands in the text as far as there is room, and not beside it; that is told")
def large():
    folder = os.path.join(place.name, "greeter")
    subprocess.run([program(), "new", folder], check=True, stdout=subprocess.DEVNULL)

    def greet(c, size):
        offered = text_of(c.call("intent", intent="welcome", facts={"visitor": ["x" * size]}))
        work = offered.split("work: ")[1].split()[0]
        return c.call("run", tool="greet", args={"name": "x" * size}, work=work)

    def go(c):
        fits, large = greet(c, 1000), greet(c, 1200000)
        good = len(fits["structuredContent"]["result"]["to"]) == 1000 and "left out: it has" not in text_of(fits)
        good = good and "structuredContent" not in large and not large.get("isError")
        told = "structuredContent is left out: it has more than 1 MiB" in text_of(large)
        return None if good and told and len(text_of(large)) < 100000 else [text_of(large)[-300:], list(large)]

    def alone(c):
        return "is left out: it has" in text_of(greet(c, 1200000))
    here = [program(), "mcp", folder]
    return talk(go, R4, here) or talk(alone, R4, here + ["--text-alone"])


# ---- the handshake, and what is not offered

@case("X-BRIDGE-12: the handshake does not wait for the domain, a call does")
def early():
    go_file, toolhost = os.path.join(place.name, "go"), os.path.join(place.name, "toolhost")
    with open(toolhost, "w") as f:
        f.write(f'#!/bin/sh\nwhile [ ! -e {go_file} ]; do sleep 0.05; done\nexec "{os.environ["BUILD_DIR"]}/bin/toolhost" "$@"\n')
    os.chmod(toolhost, stat.S_IRWXU)
    command = [program(), "mcp", "tests/domains/fixture", "--plugins", os.environ["BUILD_DIR"] + "/test-plugins",
               "--toolhost", toolhost, "--ready-timeout-ms", "100000"]

    def go(c):  # the handshake is over
        ident = c.send("tools/call", {"name": "intent", "arguments": {"intent": "fx.echo", "facts": BASIC}})
        c.request("ping")
        if ident in c.answered:
            return c.answered[ident]
        open(go_file, "w").close()
        answer = c.wait(ident)
        return None if "fx_echo" in text_of(answer) else answer
    return talk(go, R4, command)


@case("X-BRIDGE-13: what is not offered is neither declared nor there")
def not_offered():
    def refused(c, method, params=None):
        try:
            return c.request(method, params)
        except Failed as e:
            return None if e.error["code"] == -32601 else e.error

    def go(c):
        surplus = set(c.capable) - {"tools", "prompts", "resources", "completions", "logging", "extensions"}
        if surplus or c.capable["resources"].get("subscribe"):
            return c.capable
        for method, params in (("resources/subscribe", {"uri": "manglecp://manifest"}), ("resources/unsubscribe", {"uri": "manglecp://manifest"}),
                               ("tasks/list", None), ("tasks/get", {"taskId": "1"}), ("tasks/cancel", {"taskId": "1"}),
                               ("sampling/createMessage", {}), ("roots/list", None)):
            if wrong := refused(c, method, params):
                return [method, wrong]
        return None

    def web(c):
        def ask(method, path, headers=None):
            one = http.client.HTTPConnection(c.address, timeout=60)
            one.request(method, path, headers=dict({"Accept": "text/event-stream"}, **(headers or {})))
            return one.getresponse()
        r1 = ask("GET", "/mcp")  # the transport of r1 would open with an endpoint
        issuer = [ask("GET", f"/.well-known/{n}").status for n in ("oauth-authorization-server", "openid-configuration")]
        c.call("intent", intent="fx.slow", params={"size": 1})
        body = {"jsonrpc": "2.0", "id": "p", "method": "tools/call", "params": {
            "name": "run", "arguments": {"tool": "fx_slow", "args": {"step_ms": 20}, "work": "w1"}, "_meta": {"progressToken": 1}}}
        one = http.client.HTTPConnection(c.address, timeout=60)
        one.request("POST", "/mcp", c.hide(json.dumps(body), back=True).encode(), c.headers(body))
        stream = one.getresponse()
        text = stream.read().decode()
        resumable = any(line.startswith("id:") for line in text.splitlines())
        good = r1.status in (400, 405) and issuer == [404, 404] and "notifications/progress" in text
        return None if good and not resumable else [r1.status, issuer, text[:500]]
    return talk(go) or talk(go, R5) or talk(go, R1) or talk(web, R4, None, WebClient)


server.stop()
place.cleanup()
sys.exit(tap.end())

"""`manglecp mcp --direct`: the tools of one intent as plain MCP tools, whose list changes with what is known.

Covers X-BRIDGE-10, X-BRIDGE-6, X-TOOL-1, X-TOOL-9, X-TOOL-14, X-SUB-2 to -4; and list-changed of the three tools (X-BRIDGE-11)."""
import contextlib
import hashlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mcp_client import Client, Failed, R1, R2, R3, R4, R5, Tap, WAIT_S, program, text_of
from mcp_web import WebClient, events

tap = Tap()
place = tempfile.TemporaryDirectory()
YES = {"action": "accept", "content": {"agree": True}}
NO = {"action": "decline"}
CHANGED = "notifications/tools/list_changed"

DOMAIN = """server: {name: desk, version: 1.0.0}
domain: {id: desk, description: A desk}
intents:
  - {name: work, description: Work at the desk, optional_facts: [opened, lamp, may_look], open: true}
  - {name: tidy, description: Tidy the desk, required_facts: [lamp], open: true}
"""
TOOL = """tool: %s
summary: Does %s.
description: Does %s with a drawer.
input_schema: {type: object, additionalProperties: false, required: [drawer], properties: {drawer: {type: string}}}
output_schema: {type: object, required: [done], properties: {done: {type: string}}}
steps: []
result: {done: {from: args.drawer}}
"""
RULES = {
    "rules/schema/facts.mg": """Decl opened(Name) descr [doc("It is open."), direction("both")] bound [/string].
Decl lamp(On) descr [doc("The lamp."), direction("input")] bound [/string].
Decl may_look(Who) descr [doc("Who may look."), direction("input")] bound [/string].
""",
    "rules/domain/relevance.mg": """is_open() :- opened(_).
tool_relevant_to_intent("open", "work", 90) :- !is_open().
tool_relevant_to_intent("shut", "work", 90) :- is_open().
tool_relevant_to_intent("burn", "work", 80).
tool_relevant_to_intent("look", "work", 75) :- may_look(_).
needs_skill("burn", "fire") :- selected_tool(_, "burn").
""",
    "rules/effects/after.mg": """delta_assert("opened", [N], "server") :- invoked("open"), invoke_arg("drawer", N).
delta_retract("opened", [N]) :- invoked("shut"), invoke_arg("drawer", N).
suggest_intent("tidy", "Now tidy it.") :- invoked("open").
""",
    "rules/policy/consent.mg": 'requires_confirmation("burn").\n',
    "skills/fire/SKILL.md": "---\nname: fire\ndescription: How to burn\n---\nHave water near.\n",
}


def write(folder, files):
    for name, text in files.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "w") as f:
            f.write(text)


def make_domain(name):
    folder = os.path.join(place.name, name)
    write(folder, {"domain.yaml": DOMAIN, **RULES, **{f"tools/{t}.yaml": TOOL % (t, t, t) for t in ("open", "shut", "burn", "look")}})
    return folder


DESK = make_domain("desk")


def direct(*options, folder=DESK, intent="work"):
    return [program(), "mcp", folder, "--direct", intent, *options]


def fact(pred, *arguments):
    return json.dumps({"pred": pred, "args": arguments})


def case(name):
    def run(function):
        tap.case(name, function)
        return function
    return run


def hear(client):
    """What belongs to no request comes over a stream of its own, but for standard streams."""
    if client.modern:
        client.listening = client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True, "promptsListChanged": True,
                                                                                  "resourcesListChanged": True}})
        wait_note(client, "notifications/subscriptions/acknowledged")
    elif isinstance(client, WebClient):
        connection = http.client.HTTPConnection(client.address, timeout=WAIT_S)
        connection.request("GET", "/mcp", headers=dict(client.headers({"method": "-"}), Accept="text/event-stream"))
        response = connection.getresponse()
        assert response.status == 200, response.status

        def read():
            with contextlib.suppress(OSError, http.client.HTTPException, AttributeError, ValueError):
                for one in events(response):
                    client.lines.put(json.dumps(one).encode() + b"\n")
        threading.Thread(target=read, daemon=True).start()


def wait_note(client, method):
    """The next one, which is taken."""
    until = time.monotonic() + WAIT_S
    while True:
        for i, note in enumerate(client.notes):
            if note["method"] == method:
                return client.notes.pop(i)
        client._take(until)


def talk(function, revision=R4, command=None, kind=Client, hears=True, **options):
    client = kind(command or direct(), revision, **options)
    try:
        client.capable = client.open()["capabilities"]
        if hears:
            hear(client)
        return function(client)
    finally:
        client.kill()


def tools(client):
    return client.request("tools/list")["tools"]


def names(client):
    return [t["name"] for t in tools(client)]


def wants(result, *texts, error=False):
    text = text_of(result)
    if result.get("isError", False) != error:
        return f"isError is {result.get('isError')}: {text}"
    missing = [t for t in texts if t not in text]
    return missing and f"missing {missing} in:\n{text}"


def code_of(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except Failed as e:
        return e.error["code"]


def conversation(c):
    if c.capable["tools"] != {"listChanged": True} or "prompts" in c.capable or "resources" in c.capable:
        return c.capable
    listed = tools(c)
    if [t["name"] for t in listed] != ["burn", "open"] or listed != tools(c):
        return listed
    if listed[1]["description"] != "Does open with a drawer." or listed[1]["inputSchema"]["required"] != ["drawer"]:
        return listed[1]
    if "Have water near." not in listed[0]["description"] or "The user is asked first." not in listed[0]["description"]:
        return listed[0]
    hints = listed[1].get("annotations")
    if hints != (None if c.revision == R1 else {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True,
                                                "openWorldHint": False}):
        return hints
    ran = c.call("open", drawer="top")
    wrong = wants(ran, "open") or ("tidy" in text_of(ran) and "an intent is suggested that nobody can declare")
    if c.revision >= R3 and not wrong:
        wrong = ran["structuredContent"] != {"done": "top"} and ran
    told = wait_note(c, CHANGED)
    if c.modern and not wrong:
        wrong = told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] != c.listening and told
    wrong = wrong or (names(c) != ["burn", "shut"] and names(c))
    wrong = wrong or wants(c.call("open", drawer="x"), "not offered any more", error=True)
    wrong = wrong or wants(c.call("shut"), "drawer", error=True)
    wrong = wrong or wants(c.call("shut", drawer="top"), "shut")
    wait_note(c, CHANGED)
    wrong = wrong or (names(c) != ["burn", "open"] and names(c)) or (tools(c) != listed and "it is another list than before")
    wrong = wrong or (code_of(c.call, "look", drawer="x") != -32602 and "one that was never offered can be called")
    return wrong or (code_of(c.request, "tools/list", {"cursor": "1-0"}) != -32602 and "any cursor is good")


for revision in (R1, R2, R3, R4, R5):
    for kind in (Client, WebClient):

        @case(f"{revision}, {kind.__name__}: a list, a call, another list, told; and back")
        def whole():
            return talk(conversation, revision, kind=kind)

    if revision in (R3, R4, R5):
        for kind in (Client, WebClient):

            @case(f"{revision}, {kind.__name__}: consent is asked for, and only a yes runs the tool")
            def consent():
                def go(c):
                    c.answers = [NO]
                    wrong = wants(c.call("burn", drawer="it"), "refused by the user", error=True)
                    c.answers = [YES]
                    wrong = wrong or wants(c.call("burn", drawer="it"), "burn")
                    return wrong or (len(c.asked) == 2 and "burn" in c.asked[0]["message"] and [None] or c.asked)[0]
                return talk(go, revision, kind=kind, elicits=True)


@case("where nobody can be asked, nothing runs, and the reason is told")
def unasked():
    return talk(lambda c: wants(c.call("burn", drawer="it"), "consent", "cannot ask", error=True))


@case("a call that comes before any list finds its tool; what is no argument is told")
def at_once():
    def go(c):
        return wants(c.call("open", drawer="x"), "open") or wants(c.call("shut", nme=1), "nme", error=True)
    return talk(go, hears=False) or talk(go, R5, kind=WebClient, hears=False)


@case("equal input gives equal bytes, in every process")
def stable():
    a, b = (talk(lambda c: json.dumps(c.request("tools/list")), R5) for _ in range(2))
    return None if a == b and '"cacheScope": "private"' in a and '"ttlMs": 0' in a else [a, b]


@case("facts of the start are there, and --max-tools bounds the list")
def given():
    facts = os.path.join(place.name, "facts.json")
    with open(facts, "w") as f:
        f.write(json.dumps([{"pred": "opened", "args": ["top"]}]))
    wrong = talk(lambda c: names(c) != ["burn", "look", "shut"] and names(c), R4,
                 direct("--fact", fact("may_look", "ann"), "--facts", facts))
    return wrong or talk(lambda c: names(c) != ["open"] and names(c), R4, direct("--max-tools", "1"))


@case("--text-alone leaves structuredContent out")
def text_alone():
    return talk(lambda c: "structuredContent" in c.call("open", drawer="x"), R4, direct("--text-alone"))


@case("each who calls has facts and a list alone, in all of their sessions")
def apart():
    auth = os.path.join(place.name, "auth")
    with open(auth, "w") as f:
        for who in ("ann", "ben"):
            f.write(f"sha256:{hashlib.sha256(who.encode()).hexdigest()} {who} intent:*,why_not\n")
    os.chmod(auth, 0o600)

    def go(ann):
        others = [WebClient(direct(), revision, token=who, address=ann.address)
                  for who, revision in (("ann", R4), ("ann", R5), ("ben", R4))]
        try:
            for one in others:
                one.open()
                hear(one)
            if [names(one) for one in (ann, *others)] != [["burn", "open"]] * 4:
                return "lists differ at first"
            ann.call("open", drawer="top")
            for one in (ann, *others[:2]):
                wait_note(one, CHANGED)
                if names(one) != ["burn", "shut"]:
                    return [one.revision, names(one)]
            ben = others[2]
            wrong = names(ben) != ["burn", "open"] and names(ben)
            ben.call("open", drawer="low")
            wait_note(ben, CHANGED)
            wrong = wrong or (names(ben) != ["burn", "shut"] and names(ben))
            return wrong or [n for n in ben.notes if n["method"] == CHANGED] or wants(ben.call("shut", drawer="low"), "shut")
        finally:
            for one in others:
                one.kill()
    return talk(go, R4, direct("--auth", auth), WebClient, token="ann")


def waited(client, wanted):
    """The list that is told: a domain may be loaded twice before it is read."""
    while names(client) != wanted:
        wait_note(client, CHANGED)
    return None


for kind, revision in ((Client, R4), (Client, R5), (WebClient, R4), (WebClient, R5)):

    @case(f"{revision}, {kind.__name__}: SIGHUP loads the folder again, a list that differs is told, facts stay")
    def again():
        folder = make_domain(f"again-{kind.__name__}-{revision}")

        def go(c):
            names(c)
            c.call("open", drawer="top")
            wait_note(c, CHANGED)
            write(folder, {"tools/sit.yaml": TOOL % ("sit", "sit", "sit"),
                           "rules/domain/sit.mg": 'tool_relevant_to_intent("sit", "work", 75).\n'})
            c.child.send_signal(signal.SIGHUP)
            wait_note(c, CHANGED)
            return waited(c, ["burn", "shut", "sit"]) or wants(c.call("sit", drawer="x"), "sit")
        return talk(go, revision, direct(folder=folder), kind)


@case("after SIGHUP, a folder that is wrong changes nothing; what is forbidden from then on is not offered, and the reason is told")
def worse():
    folder = make_domain("worse")

    def go(c):
        if names(c) != ["burn", "open"]:
            return names(c)
        write(folder, {"rules/domain/wrong.mg": "p(X) :- q(Y).\n"})
        c.child.send_signal(signal.SIGHUP)
        wrong = wants(c.call("open", drawer="x"), "open")
        os.remove(f"{folder}/rules/domain/wrong.mg")
        write(folder, {"rules/policy/closed.mg": 'prohibited("shut", "closed today").\n'})
        c.child.send_signal(signal.SIGHUP)
        return wrong or waited(c, ["burn"]) or wants(c.call("shut", drawer="x"), "not offered any more", "a rule prohibits it", error=True)
    return talk(go, R4, direct(folder=folder))


for kind, revision in ((Client, R4), (Client, R5), (WebClient, R4), (WebClient, R5)):

    @case(f"{revision}, {kind.__name__}: the three tools: after SIGHUP lists that differ are told, and no others")
    def three():
        folder = make_domain(f"three-{kind.__name__}-{revision}")

        def go(c):
            if c.capable["prompts"] != {"listChanged": True}:
                return c.capable
            until = time.monotonic() + WAIT_S
            while len(c.request("prompts/list")["prompts"]) < 2 and time.monotonic() < until:
                pass
            c.notes.clear()
            write(folder, {"skills/more/SKILL.md": "---\nname: more\ndescription: More\n---\nMore.\n"})
            c.child.send_signal(signal.SIGHUP)
            wait_note(c, "notifications/prompts/list_changed")
            wait_note(c, "notifications/resources/list_changed")
            listed = [p["name"] for p in c.request("prompts/list")["prompts"]]
            return [n for n in c.notes if n["method"] == CHANGED] or (listed != ["intent", "fire", "more"] and listed)
        return talk(go, revision, [program(), "mcp", folder], kind)


@case("what is wrong with the intent is told to who asks for the list, in every revision, and on standard error")
def refused():
    for command, text in ((direct(intent="nope"), "nope"), (direct(intent="tidy"), "lamp"),
                          (direct("--fact", fact("lamps", "on")), "lamps"), (direct("--param", "x=1"), "x")):
        for revision in (R1, R5):
            with tempfile.TemporaryFile() as errors:
                client = Client(command, revision, stderr=errors)
                try:
                    client.open()
                    got = client.request("tools/list")
                    if text != "x":
                        return [command, got]
                except Failed as e:
                    if e.error["code"] != -32603 or text not in str(e):
                        return [command, e.error]
                    called = client.call("open", drawer="x")
                    client.close()
                    errors.seek(0)
                    said = errors.read().decode()
                    if wants(called, text, error=True) or "--direct" not in said or text not in said:
                        return [command, called, said]
                finally:
                    client.kill()
    return None


@case("an intent for which rules prove nothing has an empty list, and standard error says so")
def nothing():
    folder = make_domain("nothing")
    write(folder, {"rules/policy/closed.mg": 'prohibited("open", "closed").\nprohibited("burn", "closed").\n'})
    with tempfile.TemporaryFile() as errors:
        wrong = talk(tools, R4, direct(folder=folder), stderr=errors)
        errors.seek(0)
        said = errors.read().decode()
    return wrong or ("prove no tool" not in said and said)


@case("a domain that does not load: the handshake stands, and the list says why")
def broken():
    folder = make_domain("broken")
    write(folder, {"rules/domain/wrong.mg": "p(X) :- q(Y).\n"})

    def go(c):
        try:
            return tools(c)
        except Failed as e:
            return None if "wrong.mg" in str(e) and e.error["code"] == -32603 else e.error
    return talk(go, R4, direct(folder=folder)) or talk(go, R5, direct(folder=folder), WebClient)


@case("words that are no facts, and facts without an intent, are refused before anything is spoken")
def usage():
    for command, text in ((direct("--fact", "{"), "--fact"), (direct("--facts", "/no/such/file"), "/no/such/file"),
                          ([program(), "mcp", DESK, "--fact", fact("lamp", "on")], "--direct INTENT"),
                          (direct("--eval-time", "2026-01-01T00:00:00Z", "--server-time"), "choose one"),
                          (direct("--disclosure", "full"), "--disclosure")):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT_S)
        if done.returncode != 2 or text not in done.stderr.decode() or done.stdout:
            return [command, done.returncode, done.stderr.decode(), done.stdout.decode()]
    return None


@case("it ends in order while the folder loads, and when its input ends")
def ends():
    for stop in (lambda c: c.child.terminate(), lambda c: c.child.stdin.close()):
        client = Client(direct(), R4)
        client.open()
        stop(client)
        if client.child.wait(WAIT_S) != 0:
            return client.child.returncode
    client = Client(direct(), R4)
    try:
        client.open()
        ident = client.send("tools/list")
        status = client.close()
        return status or [t["name"] for t in client.wait(ident)["tools"]] != ["burn", "open"]
    finally:
        client.kill()


@case("a server elsewhere, and one that a command starts")
def elsewhere():
    def go(c):
        wrong = names(c) != ["burn", "open"] and names(c)
        wrong = wrong or wants(c.call("open", drawer="x"), "open")
        wait_note(c, CHANGED)
        return wrong or (names(c) != ["burn", "shut"] and names(c))
    serve = [program(), "serve", DESK]
    wrong = talk(go, R4, [program(), "mcp", "--direct", "work", "--ready-timeout-ms", "100000", "--", *serve, "--stdio"])
    auth = os.path.join(place.name, "auth-elsewhere")
    with open(auth, "w") as f:
        f.write(f"sha256:{hashlib.sha256(b'secret').hexdigest()} ann intent:*\n")
    os.chmod(auth, 0o600)
    child = subprocess.Popen([*serve, "--listen", "127.0.0.1:0", "--auth", auth], stderr=subprocess.PIPE)
    try:
        for line in child.stderr:
            if b"listening on " in line:
                break
        threading.Thread(target=child.stderr.read, daemon=True).start()
        address = line.decode().split("listening on ")[1].split()[0].rstrip("/")
        return wrong or talk(go, R4, [program(), "mcp", address, "--token", "secret", "--direct", "work", "--ready-timeout-ms", "100000"])
    finally:
        child.kill()
        child.wait()


@case("many calls at once are all answered, one after the other, and the last list is that of the end")
def many():
    def go(c):
        idents = [c.send("tools/call", {"name": "open" if i % 2 == 0 else "shut", "arguments": {"drawer": "top"}}) for i in range(14)]
        results = [c.wait(i) for i in idents]
        wrong = [text_of(r) for r in results if r.get("isError")]
        return wrong or (names(c) != ["burn", "open"] and names(c))
    return talk(go)  # over one stream they have an order


@case("--install keeps words as they are said, whatever files there are, and makes paths of files")
def install():
    home = os.path.join(place.name, "home")
    folder = os.path.join(home, "here")
    os.makedirs(folder)
    for name in ("work", "facts.json", "a=b"):
        with open(os.path.join(folder, name), "w") as f:
            f.write("[]")
    shutil.copytree(DESK, os.path.join(folder, "desk"))
    done = subprocess.run([program(), "mcp", "--install", "cursor", "desk", "--direct", "work", "--param", "a=b", "--facts", "facts.json",
                           "--fact", fact("lamp", "on"), "--yes"], cwd=folder, env=dict(os.environ, HOME=home),
                          capture_output=True, timeout=WAIT_S)
    if done.returncode != 0:
        return done.stderr.decode()
    with open(os.path.join(home, ".cursor/mcp.json")) as f:
        got = json.load(f)["mcpServers"]["desk"]["args"]
    want = ["mcp", os.path.realpath(f"{folder}/desk"), "--direct", "work", "--param", "a=b", "--facts",
            os.path.realpath(f"{folder}/facts.json"), "--fact", fact("lamp", "on")]
    return None if got == want else [got, want]


place.cleanup()
sys.exit(tap.end())

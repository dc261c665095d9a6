"""What `manglecp mcp` lists: tools with hints, prompts, resources; of a folder, of a server elsewhere, and for whom."""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mcp_client import Client, Failed, R1, R2, R3, R4, R5, Server, Tap, WAIT_S, fixture, program
from mcp_web import WebClient

tap = Tap()
place = tempfile.TemporaryDirectory()
server = Server(place.name)
GREETER = os.path.join(place.name, "greeter")
subprocess.run([program(), "new", GREETER], check=True, stdout=subprocess.DEVNULL)
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def case(name):
    def run(function):
        tap.case(name, function)
        return function
    return run


def talk(function, revision=R4, command=None, kind=Client, **options):
    client = kind(command or fixture(), revision, **options)
    try:
        client.capable = client.open()["capabilities"]
        return function(client)
    finally:
        client.kill()


def known(client, method):
    """A list that is good for more than now, or differs from what is there before the domain has loaded."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        result = client.request(method)
        if not client.modern or result["ttlMs"] > 0:
            return result
    raise TimeoutError(method)


def names(client, method, members, key):
    found, cursor = [], None
    while cursor is not None or not found:
        result = client.request(method, {"cursor": cursor} if cursor else None)
        found += [one[key] for one in result[members]]
        cursor = result.get("nextCursor")
        if not cursor:
            break
    return found


def prompts(client):
    return names(client, "prompts/list", "prompts", "name")


def resources(client):
    return names(client, "resources/list", "resources", "uri")


def error_of(client, method, params):
    try:
        return client.request(method, params)
    except Failed as e:
        return e.error


def hints_of(client):
    run = [t for t in client.request("tools/list")["tools"] if t["name"] == "run"][0]
    return [run["annotations"][h] for h in HINTS]


def add_skill(folder, name):
    os.makedirs(f"{folder}/skills/{name}", exist_ok=True)
    with open(f"{folder}/skills/{name}/SKILL.md", "w") as f:
        f.write(f'---\nname: The {name}\ndescription: "About: {name}"\n---\nText of {name}.\n')


for revision in (R1, R2, R3, R4, R5):

    @case(f"{revision}: the skills of a folder are prompts and resources")
    def skills():
        def go(c):
            known(c, "prompts/list")
            if not all(k in c.capable for k in ("prompts", "resources")):
                return c.capable
            if prompts(c) != ["intent", "fx-long", "fx-skill"]:
                return prompts(c)
            listed = c.request("resources/list")["resources"]
            if [r["uri"] for r in listed] != ["manglecp://manifest", "skill://fx-long/SKILL.md", "skill://fx-skill/SKILL.md"]:
                return listed
            if ("title" in listed[1]) != (revision >= R3) or listed[1]["mimeType"] != "text/markdown":
                return listed[1]
            got = c.request("prompts/get", {"name": "fx-skill"})["messages"][0]
            whole = c.request("resources/read", {"uri": listed[2]["uri"]})
            read = whole["contents"][0]
            kept = [c.request("resources/list"), c.request("tools/list"), whole]  # X-CACHE-1, X-CACHE-3
            wanted = [(3600000, "public"), (3600000, "public"), (60000, "private")] if revision == R5 else [(None, None)] * 3
            if [(k.get("ttlMs"), k.get("cacheScope")) for k in kept] != wanted:
                return kept
            head = '---\nname: fx-skill\ndescription: "How to use the tool of fx.skill"\n---\n'
            good = "Use the tool once." in got["content"]["text"] and got["role"] == "user"
            good = good and read["text"].startswith(head) and "Use the tool once." in read["text"]
            template = c.request("resources/templates/list")["resourceTemplates"][0]["uriTemplate"]
            values = c.request("completion/complete", {"ref": {"type": "ref/resource", "uri": template},
                                                       "argument": {"name": "name", "value": "fx-l"}})["completion"]
            return None if good and values["values"] == ["fx-long"] else [got, read, values]
        return talk(go, revision)

    @case(f"{revision}: what is not there is told apart from what is wrong")
    def missing():
        def go(c):
            known(c, "prompts/list")
            for uri in ("skill://no-such/SKILL.md", "skill:///SKILL.md", "skill://SKILL.md", "skill://fx-skill/other.md"):
                e = error_of(c, "resources/read", {"uri": uri})
                if e.get("code") != (-32602 if revision == R5 else -32002) or e["data"] != {"uri": uri}:
                    return [uri, e]
            for method, params in (("prompts/get", {"name": "no-such"}), ("prompts/get", {}), ("prompts/get", {"name": "intent"}),
                                   ("prompts/list", {"cursor": "7"}), ("resources/list", {"cursor": 1}),
                                   ("completion/complete", {"ref": {"type": "ref/resource", "uri": "skill://x"},
                                                            "argument": {"name": "name", "value": ""}}),
                                   ("completion/complete", {"ref": {"type": "ref/prompt", "name": "fx-skill"},
                                                            "argument": {"name": "goal", "value": ""}})):
                e = error_of(c, method, params)
                if e.get("code") != -32602:
                    return [method, params, e]
            return None
        return talk(go, revision)


@case("of a server elsewhere there are no skills, since it hands one out with a tool that needs it alone")
def elsewhere():
    def go(c):
        listed = [prompts(c), resources(c), c.request("resources/templates/list")["resourceTemplates"]]
        e = error_of(c, "resources/read", {"uri": "skill://fx-skill/SKILL.md"})
        return None if listed == [["intent"], ["manglecp://manifest"], []] and e.get("code") == -32002 else [listed, e]
    return talk(go, R4, server.command())


@case("X-BRIDGE-5: run's hints are those of the domain, here and elsewhere; the other tools' are constants")
def hints():
    def grave(c):  # it deletes, and reaches no further than files
        known(c, "tools/list")
        return None if hints_of(c) == [False, True, False, False] else hints_of(c)

    def harmless(c):
        known(c, "tools/list")
        return None if hints_of(c) == [True, False, True, False] else hints_of(c)

    def surface(c):
        tools = known(c, "tools/list")["tools"]
        del tools[1]["annotations"]
        return tools
    same = talk(surface) == talk(surface, R4, [program(), "mcp", GREETER]) == talk(surface, R4, server.command())
    wrong = talk(grave) or talk(grave, R5) or talk(grave, R4, server.command()) or talk(harmless, R4, [program(), "mcp", GREETER])
    return wrong or (None if same else "the surface differs in more than hints")


@case("lists of hundreds come in pages, and a skill called intent is a resource alone")
def pages():
    folder = shutil.copytree(GREETER, os.path.join(place.name, "many"))
    for i in range(205):
        add_skill(folder, f"skill-{i:03}")
    add_skill(folder, "intent")

    def go(c):
        known(c, "prompts/list")
        first = c.request("prompts/list")
        all_prompts, all_resources = prompts(c), resources(c)
        good = len(first["prompts"]) == 200 and "nextCursor" in first
        good = good and len(all_prompts) == 207 == len(set(all_prompts)) and len(all_resources) == 208 == len(set(all_resources))
        got = c.request("prompts/get", {"name": "intent", "arguments": {"goal": "welcome"}})["messages"][0]["content"]["text"]
        read = c.request("resources/read", {"uri": "skill://intent/SKILL.md"})["contents"][0]["text"]
        stale = error_of(c, "resources/list", {"cursor": first["nextCursor"]})
        good = good and "Call the tool intent" in got and "Text of intent." in read and stale.get("code") == -32602
        return None if good else [len(all_prompts), len(all_resources), got, read, stale]
    return talk(go, R4, [program(), "mcp", folder]) or talk(go, R5, [program(), "mcp", folder])


@case("a folder that is loaded again has the skills of then")
def again():
    folder = shutil.copytree(GREETER, os.path.join(place.name, "changing"))
    add_skill(folder, "older")

    def go(c):
        known(c, "resources/list")
        before = prompts(c)
        add_skill(folder, "newer")
        shutil.rmtree(f"{folder}/skills/older")
        c.child.send_signal(signal.SIGHUP)
        until = time.monotonic() + WAIT_S
        while prompts(c) == before and time.monotonic() < until:
            pass
        gone = error_of(c, "prompts/get", {"name": "older"})
        good = before == ["intent", "manners", "older"] and prompts(c) == ["intent", "manners", "newer"]
        return None if good and gone.get("code") == -32602 else [before, prompts(c), gone]
    return talk(go, R4, [program(), "mcp", folder])


@case("who may not use every intent finds no skill, and cannot tell that there is one")
def for_whom():
    auth = os.path.join(place.name, "auth-lists")
    with open(auth, "w") as f:
        for token, permissions in (("all", "intent:*"), ("some", "intent:fx.skill")):
            f.write(f"sha256:{hashlib.sha256(token.encode()).hexdigest()} {token} {permissions}\n")
    os.chmod(auth, 0o600)
    command = fixture("--auth", auth)

    def go(c):
        for revision in (R4, R5):
            def ask(token):
                one = WebClient(command, revision, token=token, address=c.address)
                try:
                    one.open()
                    known(one, "prompts/list")
                    scope = one.request("prompts/list").get("cacheScope")
                    read = {u: error_of(one, "resources/read", {"uri": u}) for u in ("skill://fx-skill/SKILL.md", "skill://no/SKILL.md")}
                    got = [error_of(one, "prompts/get", {"name": n}) for n in ("fx-skill", "no-such")]
                    completed = one.request("completion/complete", {
                        "ref": {"type": "ref/resource", "uri": "skill://{name}/SKILL.md"},
                        "argument": {"name": "name", "value": ""}})["completion"]["values"]
                    return prompts(one), resources(one), scope, read, got, completed
                finally:
                    one.kill()
            every, some = ask("all"), ask("some")
            if "fx-skill" not in every[0] or len(every[1]) != 3 or "contents" not in every[3]["skill://fx-skill/SKILL.md"]:
                return every
            if every[2] != ("private" if revision == R5 else None) or every[5] != ["fx-long", "fx-skill"]:
                return every
            hidden, never = (json.dumps(e).replace("fx-skill", "no").replace("no-such", "no") for e in some[4])
            if some[0] != ["intent"] or some[1] != ["manglecp://manifest"] or some[5] or hidden != never:
                return some
            hidden, never = (dict(e, data=None) for e in some[3].values())
            if hidden != never:
                return some
        return None
    return talk(go, R4, command, WebClient, token="all")


@case("X-BRIDGE-12: a domain that does not load has the lists that every domain has, for now")
def broken():
    folder = shutil.copytree(GREETER, os.path.join(place.name, "broken"))
    with open(f"{folder}/rules/domain/wrong.mg", "w") as f:
        f.write("p(X) :- q(Y).\n")

    def go(c):
        listed = [c.request(m) for m in ("tools/list", "prompts/list", "resources/list")]
        good = all(r["ttlMs"] == 0 for r in listed) and hints_of(c) == [False, True, False, True]
        good = good and [len(listed[0]["tools"]), len(listed[1]["prompts"]), len(listed[2]["resources"])] == [3, 1, 1]
        return None if good and c.call("intent")["isError"] else listed
    return talk(go, R5, [program(), "mcp", folder])


server.stop()
place.cleanup()
sys.exit(tap.end())

"""Whole conversations with `manglecp mcp`, in every revision: what a model's host sees.

conversations.py [--http]: over standard streams, or the same over HTTP."""
import json
import os
import subprocess
import sys
import tempfile
import time

from mcp_client import Client, Failed, R1, R2, R3, R4, R5, Server, Tap, fixture, program, programs, text_of

HTTP = "--http" in sys.argv
if HTTP:
    from mcp_web import WebClient as Client  # noqa: F811
tap = Tap()
folder = tempfile.TemporaryDirectory()
server = Server(folder.name)
YES = {"action": "accept", "content": {"agree": True}}
NOT_AGREED = {"action": "accept", "content": {"agree": False}}
NO = {"action": "decline"}
CLOSED = {"action": "cancel"}
BASIC = {"fx_basic": ["tag", 1, True, "x"]}


def case(name, streams=False):
    """`streams`: it is about standard streams alone."""
    def run(function):
        if not (streams and HTTP):
            tap.case(name, function)
        return function
    return run


def talk(function, revision=R4, command=None, **options):
    client = Client(command or server.command(), revision, **options)
    try:
        client.open()
        return function(client)
    finally:
        client.kill()


def wants(result, *texts, error=False, not_texts=()):
    """None, or what is wrong."""
    text = text_of(result)
    if result.get("isError", False) != error:
        return f"isError is {result.get('isError')}: {text}"
    missing = [t for t in texts if t not in text]
    surplus = [t for t in not_texts if t in text]
    return f"missing {missing}, surplus {surplus} in:\n{text}" if missing or surplus else None


lists = {}

for revision in (R1, R2, R3, R4, R5):

    @case(f"{revision}: an intent, a tool, its delta, its suggestion")
    def whole():
        def go(c):
            tools = c.request("tools/list")["tools"]
            lists[revision] = tools
            if [t["name"] for t in tools] != ["intent", "run", "state"]:
                return tools
            wrong = wants(c.call("intent"), "fx.mark", "fx.echo")
            first = c.call("intent", intent="fx.mark", facts={"fx_note": [["door", 1]], "fx_ban": ["fx_echo"]})
            wrong = wrong or wants(first, "work: w1", "fx_mark")
            ran = c.call("run", tool="fx_mark", args={"label": "door", "count": 5}, work="w1")
            wrong = wrong or wants(ran, "fx.recent")
            # the delta was applied here: the model carried nothing
            facts = c.call("state", show="facts", work="w1")
            wrong = wrong or wants(facts, "fx_note", "5", "fx_event", not_texts=["fx_ban"])
            followed = c.call("state", follow=1, work="w1")
            wrong = wrong or wants(followed, "fx_recent", not_texts=["work:"])
            if not wrong and revision >= R3:
                structured = followed["structuredContent"]
                wrong = None if structured == {"work": "w1", "tools": ["fx_recent"]} else structured
            return wrong
        return talk(go, revision)

    if revision in (R3, R4, R5):

        @case(f"{revision}: consent is asked for, and only a yes runs the tool")
        def consent():
            before = len(server.lines())

            def go(c):
                c.call("intent", intent="fx.danger")
                for answer, text in ((NO, "refused by the user"), (NOT_AGREED, "refused by the user"),
                                     (CLOSED, "not answered")):
                    c.answers = [answer]
                    wrong = wants(c.call("run", tool="fx_danger", args={"target": "a\u202eb"}, work="w1"),
                                  text, error=True)
                    if wrong:
                        return wrong
                if len(server.lines()) > before:
                    return "it ran without consent"
                c.answers = [YES]
                wrong = wants(c.call("run", tool="fx_danger", args={"target": "the thing"}, work="w1"), "the thing")
                if wrong or server.lines()[before:] != ["the thing"]:
                    return wrong or server.lines()
                message = c.asked[0]["message"]
                schema = c.asked[0]["requestedSchema"]
                if "\u202e" in message or "fx_danger" not in message or "destructive" not in message:
                    return message
                return None if schema["required"] == ["agree"] and len(c.asked) == 4 else schema
            return talk(go, revision, elicits=True)

    @case(f"{revision}: where nobody can be asked, nothing runs, and the reason is told")
    def unasked():
        def go(c):
            c.call("intent", intent="fx.danger")
            wrong = wants(c.call("run", tool="fx_danger", args={"target": "x"}, work="w1"),
                          "consent", "cannot ask", "destructive", error=True)
            return wrong or (c.asked and "somebody was asked")
        return talk(go, revision)


@case("a folder is served in this process, and what it asks a person is confirmed by its own key")
def served_here():
    with tempfile.TemporaryDirectory() as place:
        journal = os.path.join(place, "journal")

        def go(c):
            wrong = wants(c.call("intent", intent="fx.danger"), "work: w1", "fx_danger")
            c.answers = [YES]
            wrong = wrong or wants(c.call("run", tool="fx_danger", args={"target": "it"}), "it")
            with open(journal) as f:
                return wrong or f.read() != "it\n"
        return talk(go, R4, fixture("--set", f"journal={journal}"), elicits=True)


@case("the three tools are the same bytes in every conversation of a revision, and nearly so in all")
def stable():
    def go(c):
        before = json.dumps(c.request("tools/list"))
        c.call("intent", intent="fx.mark")
        after = json.dumps(c.request("tools/list"))
        return None if before == after else [before, after]
    wrong = talk(go) or talk(go, R5)
    for revision, tools in lists.items():
        for a, b in zip(tools, lists[R4]):
            if a["inputSchema"] != b["inputSchema"] or a["description"] != b["description"]:
                return revision
            hints = a.get("annotations", {})
            booleans = [hints.get(k) for k in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")]
            if revision == R1 and hints or revision != R1 and not all(isinstance(v, bool) for v in booleans):
                return [revision, hints]  # X-TOOL-9
    return wrong


@case("without a handle: the latest work of a legacy connection; of modern requests the only one")
def handles():
    def legacy(c):
        c.call("intent", intent="fx.mark")
        c.call("intent", intent="fx.echo", facts=BASIC)
        return wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")

    def modern(c):
        wrong = wants(c.call("state"), "declare an intent first", error=True)
        c.call("intent", intent="fx.echo", facts=BASIC)
        wrong = wrong or wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")
        c.call("intent", intent="fx.mark")
        wrong = wrong or wants(c.call("run", tool="fx_echo", args={"label": "x"}), "say which work: w2 w1", error=True)
        return wrong or wants(c.call("state", work="w9"), "declare the intent again", error=True)

    def modern_web(c):  # where others call, too: none is meant
        c.call("intent", intent="fx.echo", facts=BASIC)
        wrong = wants(c.call("state"), "say which work", error=True, not_texts=["w1"])
        return wrong or wants(c.call("state", work="w9"), "declare the intent again", error=True)
    return talk(legacy) or talk(modern_web if HTTP else modern, R5)


@case("without a handle: the work that a legacy connection named last, though another began after it")
def named_last():
    def go(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        c.call("intent", intent="fx.mark")
        wrong = wants(c.call("state", show="facts", work="w1"), "fx_basic")
        return wrong or wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")
    return talk(go)


@case("a fact that nothing takes is told, and not left out without a word")
def undeclared():
    def go(c):
        said = c.call("intent", intent="fx.echo", facts={"fx_basics": BASIC["fx_basic"], "zebra": [1]})
        wrong = wants(said, 'takes "fx_basics"; did you mean "fx_basic"?', 'takes "zebra"', error=True, not_texts=["no intent"])
        said = c.call("intent", intent="fx.echoo", facts={"zebra": [1]})
        wrong = wrong or wants(said, 'takes "zebra"', 'there is no intent "fx.echoo"; did you mean "fx.echo"?', error=True)
        return wrong or wants(c.call("state"), "no work yet", error=True)
    return talk(go)


@case("what failed is told in a sentence, without what programs keep, and without places of the protocol")
def failures():
    def go(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        wrong = wants(c.call("run", tool="fx_ech", args={}), "does not offer \"fx_ech\"", error=True, not_texts=["/macro_id"])
        c.call("intent", intent="fx.fail")
        failed = c.call("run", tool="fx_fail", args={})
        wrong = wrong or wants(failed, "execution_failed", "completed_steps: first", "is kept as facts", error=True,
                               not_texts=["invocation_id", "indeterminate"])
        return wrong or wants(c.call("state"), 'fx_item("item-7000", "changed")')
    return talk(go)


@case("what is wrong with arguments is told whole, as text that the model sees")
def arguments():
    def go(c):
        wrong = wants(c.call("run"), '"tool" is missing', error=True)
        wrong = wrong or wants(c.call("intent", intnt="x", facts=7), 'did you mean "intent"?',
                               '"facts" has to be', error=True)
        wrong = wrong or wants(c.call("intent", intent="fx.nowhere"), "fx.nowhere", error=True)
        wrong = wrong or wants(c.call("intent", intent="fx.echo"), "fx_basic", error=True)
        work = c.call("intent", intent="fx.echo", facts=BASIC)["structuredContent"]["work"]
        wrong = wrong or wants(c.call("run", tool="fx_nothing", work=work), "fx_nothing", "fx_echo", error=True)
        wrong = wrong or wants(c.call("run", tool="fx_echo", args={"count": "no"}, work=work), "label", "count", error=True)
        try:
            c.call("no_such_tool")
            return "an unknown tool was called"
        except Failed as e:
            return wrong or (None if e.error["code"] == -32602 else e.error)
    return talk(go) or talk(go, R5)


@case("facts that turn out wrong do not stay in the work")
def undone():
    def go(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        wrong = wants(c.call("intent", intent="fx.echo", work="w1", facts={"fx_basic": ["tag", "one", True, "x"]}),
                      "fx_basic", error=True)
        wrong = wrong or wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")
        wrong = wrong or wants(c.call("state", forget=["fx_basic"]), "forgot 1 fact")
        return wrong or wants(c.call("intent", intent="fx.echo", work="w1"), "fx_basic", error=True)
    return talk(go)


@case("what is not known any more is taken back in the call that says what is")
def taken_back():
    def go(c):
        c.call("intent", intent="fx.echo", facts={"fx_basic": ["tag", 1, True, "x"]})
        wrong = wants(c.call("intent", intent="fx.echo", work="w1", forget=["fx_basic"], facts={"fx_basic": ["other", 2, True, "y"]}))
        wrong = wrong or wants(c.call("intent", intent="fx.no_such", work="w1", forget=["fx_basic"]), "fx.no_such", error=True)
        return wrong or wants(c.call("state", show="facts"), "other", not_texts=["tag"])
    return talk(go)


@case("facts are counted anew when some are forgotten, and not as if there were none")
def counted():
    def go(c):
        most = {"fx_basic": [["x" * 1000000, i, True, "x"] for i in range(3)]}
        c.call("intent", intent="fx.echo", facts=most)
        wrong = wants(c.call("state", forget=["nobody_has_this"]), "forgot 0 facts")
        most = {"fx_basic": [["y" * 1000000, i, True, "x"] for i in range(3)]}
        wrong = wrong or wants(c.call("intent", intent="fx.echo", work="w1", facts=most), "too many facts", error=True)
        wrong = wrong or wants(c.call("state", forget=["p"] * 101), "at most 100", error=True)
        c.call("state", forget=["fx_basic"])
        many = {"fx_basic": [["x", i, True, "x"] for i in range(10001)]}
        wrong = wrong or wants(c.call("intent", intent="fx.echo", work="w1", facts=many), "too many facts", error=True)
        return wrong or wants(c.call("state", show="facts"), not_texts=["fx_basic"])
    return talk(go)


@case("work whose first intent failed has not begun")
def not_begun():
    def go(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        wrong = wants(c.call("intent", intent="fx.no_such"), "fx.no_such", error=True, not_texts=["work:"])
        return wrong or wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")
    return talk(go)


@case("a thousand faults are some")
def faults():
    def go(c):
        said = c.call("intent", intent="fx.echo", **{f"wrong_{i}": 1 for i in range(1000)})
        return wants(said, "wrong_1", error=True) or (None if len(said["content"][0]["text"]) < 3000 else "too many")
    return talk(go)


@case("why a tool is offered, why another is not, and what a dry run would do")
def why():
    def go(c):
        c.call("intent", intent="fx.recent")
        wrong = wants(c.call("state", why="fx_recent"), "fx_recent")
        c.call("intent", intent="fx.danger")
        wrong = wrong or wants(c.call("state", why="fx_danger"), "fx_danger")
        dry = c.call("run", tool="fx_danger", args={"target": "x"}, dry_run=True)
        return wrong or wants(dry, "destructive") or (None if dry["structuredContent"]["plan"] else dry)
    return talk(go)


@case("whoever has the folder is told in full why a tool is absent, and who asks a server elsewhere is not", streams=True)
def why_in_full():
    def go(c):
        c.call("intent", intent="fx.recent")
        wrong = wants(c.call("state", why="no_such"), "the domain has no tool of this name")
        return wrong or wants(c.call("state", show="suggestions"), "nothing was run", error=True)

    def elsewhere(c):
        c.call("intent", intent="fx.recent")
        return wants(c.call("state", why="no_such"), "nothing is known of such a tool")
    return talk(go, R4, fixture()) or talk(elsewhere)


@case("a run that suggests nothing is said to suggest nothing")
def no_suggestion():
    def go(c):
        c.call("intent", intent="fx.echo", facts=BASIC)
        c.call("run", tool="fx_echo", args={"label": "hello"})
        return wants(c.call("state", show="suggestions"), "made no suggestion", not_texts=["hello"])
    return talk(go)


@case("where what is to be followed is not there, nothing is forgotten either")
def not_half():
    def go(c):
        work = c.call("intent", intent="fx.echo", facts=BASIC)["structuredContent"]["work"]
        said = c.call("state", follow=3, forget=["fx_basic"], work=work)
        wrong = wants(said, "no such suggestion: the last run made 0; nothing was forgotten", error=True)
        return wrong or wants(c.call("state", show="facts", work=work), "fx_basic(")
    return talk(go) or talk(go, R5)


@case("a person's prompt, the intents as its completions, the manifest as a resource")
def offers():
    def go(c):
        prompts = c.request("prompts/list")["prompts"]
        got = c.request("prompts/get", {"name": "intent", "arguments": {"goal": "fx.echo", "facts": "a tag"}})
        text = got["messages"][0]["content"]["text"]
        values = c.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "intent"},
                                                   "argument": {"name": "goal", "value": "fx.re"}})["completion"]
        none = c.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "intent"},
                                                 "argument": {"name": "facts", "value": ""}})["completion"]
        listed = c.request("resources/list")["resources"]
        read = c.request("resources/read", {"uri": listed[0]["uri"]})["contents"][0]
        good = [p["name"] for p in prompts] == ["intent"] and "fx.echo" in text and "a tag" in text
        good = good and values["values"] == ["fx.reflect", "fx.recent"] and none["values"] == []
        good = good and "fx.echo" in [i["name"] for i in json.loads(read["text"])["intents"]]
        if not good:
            return [prompts, text, values, none, listed, read["text"][:200]]
        for method, params in (("resources/read", {"uri": "manglecp://other"}),
                               ("completion/complete", {"ref": {"type": "ref/prompt", "name": "no"},
                                                        "argument": {"name": "goal", "value": ""}})):
            try:
                return c.request(method, params)
            except Failed:
                pass
        return None
    return talk(go, R4) or talk(go, R5)


@case("a skill is named, read by its name, and not repeated")
def skill():
    def go(c):
        facts = {"fx_needs_skill": ["fx_skill"]}
        first = text_of(c.call("intent", intent="fx.skill", facts=facts))
        again = text_of(c.call("intent", intent="fx.skill", work="w1"))
        read = c.call("state", skill="fx-skill")
        wrong = wants(read) or wants(c.call("state", skill="no-such"), "no skill of that name", error=True)
        return wrong or (None if "fx-skill" in first and len(again) < len(first) else [first, again])
    return talk(go)


@case("progress comes, grows, and stays below the answer")
def progress():
    def go(c):
        c.call("intent", intent="fx.slow", params={"size": 1})
        c.call("run", more={"progress": 0}, tool="fx_slow", args={"step_ms": 120}, work="w1")
        steps = [n["params"] for n in c.notes if n["method"] == "notifications/progress"]
        values = [s["progress"] for s in steps]
        good = values and values == sorted(set(values)) and all(s["progressToken"] == 0 for s in steps)
        return None if good else steps or "there was none"
    return talk(go) or talk(go, R5)


@case("a single problem is told once")
def told_once():
    def go(c):
        text = text_of(c.call("intent", intent="nope"))
        return None if text.count("nope") == 1 else text
    return talk(go)


@case("a cancelled call has no answer, and the work goes on")
def cancel():
    def go(c):
        c.call("intent", intent="fx.slow", params={"size": 1})
        ident = c.send("tools/call", {"name": "run", "arguments": {"tool": "fx_slow", "args": {"step_ms": 15000},
                                                                   "work": "w1"}}, progress=1)
        while not any(n["method"] == "notifications/progress" for n in c.notes):
            c._take(time.monotonic() + 60)
        started = time.monotonic()
        c.send("notifications/cancelled", {"requestId": ident}, request=False)
        after = c.call("state", show="tools", work="w1")
        took = time.monotonic() - started
        return wants(after, "fx_slow") or (None if ident not in c.answered and took < 14 else [ident, took])
    return talk(go) or talk(go, R5)


@case("one that is cancelled while a person is asked does not run")
def cancel_question():
    before = len(server.lines())

    def go(c):
        c.call("intent", intent="fx.danger")
        ident = c.send("tools/call", {"name": "run", "arguments": {"tool": "fx_danger", "args": {"target": "x"}}})
        c.wait_question()
        c.send("notifications/cancelled", {"requestId": ident}, request=False)
        wrong = wants(c.call("state", show="tools"), "fx_danger")
        return wrong or (len(server.lines()) > before and "it ran") or (ident in c.answered and "it was answered")
    return talk(go, R4, elicits=True)


@case("an answer of r5 belongs to its request, once, and to nobody else")
def states():
    def go(c):
        c.call("intent", intent="fx.danger")
        asked = {"name": "run", "arguments": {"tool": "fx_danger", "args": {"target": "x"}, "work": "w1"}}
        first = c.wait(c.send("tools/call", asked))
        state, key = first["requestState"], next(iter(first["inputRequests"]))
        beside = c.call("state", work="w1")
        if wrong := wants(beside, "is being asked", error=True):
            return wrong
        other = json.loads(json.dumps(asked))
        other["arguments"]["args"]["target"] = "another"

        def refused(params, state, answers):
            try:
                c.wait(c.send("tools/call", dict(params, requestState=state, inputResponses=answers)))
                return False
            except Failed as e:
                return e.error["code"] == -32602
        good = refused(other, state, {key: YES}) and refused(asked, state[:-1] + "!", {key: YES})
        again = c.wait(c.send("tools/call", dict(asked, requestState=state, inputResponses={})))
        good = good and again["resultType"] == "input_required" and again["requestState"] != state
        good = good and refused(asked, state, {key: YES})
        done = c.wait(c.send("tools/call", dict(asked, requestState=again["requestState"], inputResponses={key: YES})))
        good = good and done["resultType"] == "complete" and not done.get("isError")
        return None if good and refused(asked, again["requestState"], {key: YES}) else [first, again, done]
    return talk(go, R5, elicits=True)


@case("calls of one work go one after the other, those of several at once; each is answered")
def many():
    def go(c):
        idents = []
        for i in range(70):  # more works than there may be: the eldest give way
            idents.append(c.send("tools/call", {"name": "intent", "arguments": {"intent": "fx.mark"}}))
            c.wait(idents[-1])
        calls = [c.send("tools/call", {"name": "run", "arguments": {
            "tool": "fx_mark", "args": {"label": "a", "count": i}, "work": "w70"}}) for i in range(12)]
        calls += [c.send("tools/call", {"name": "state", "arguments": {"work": f"w{i}"}}) for i in range(60, 70)]
        answers = [c.wait(i) for i in calls]
        gone = c.call("state", work="w1")
        last = c.call("state", show="facts", work="w70")
        wrong = [text_of(a) for a in answers if a.get("isError")]
        return wrong[:3] or wants(gone, "no such work", error=True) or wants(last, "fx_note", "11")
    return talk(go, R5)


@case("a domain that does not load: the handshake and the list stand, and each call says why")
def broken():
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(os.path.join(place, "rules"))
        with open(os.path.join(place, "domain.yaml"), "w") as f:
            f.write("server: {name: x, version: 1.0.0}\ndomain: {id: x, description: x}\nintents: []\n")
        os.mkdir(os.path.join(place, "rules", "domain"))
        with open(os.path.join(place, "rules", "domain", "10.mg"), "w") as f:
            f.write("p(X) :- q(Y).\n")
        command = [program(), "mcp", place]

        def go(c):
            tools = c.request("tools/list")["tools"]
            wrong = wants(c.call("intent"), "does not load", "10.mg", error=True)
            return wrong or (None if len(tools) == 3 else tools)
        return talk(go, R4, command)


@case("a server that a command starts")
def command():
    def go(c):
        wrong = wants(c.call("intent", intent="fx.echo", facts=BASIC), "fx_echo")
        return wrong or wants(c.call("run", tool="fx_echo", args={"label": "hello"}), "hello")
    serve = [program(), "serve", "tests/domains/fixture", *programs(), "--stdio"]
    return talk(go, R4, [program(), "mcp", "--ready-timeout-ms", "100000", "--", *serve])


@case("when its input ends it answers what is under way, and goes", streams=True)
def ends():
    c = Client(server.command(), R4)
    try:
        c.open()
        c.call("intent", intent="fx.echo", facts=BASIC)
        ident = c.send("tools/call", {"name": "run", "arguments": {"tool": "fx_echo", "args": {"label": "last"}}})
        status = c.close()
        return wants(c.wait(ident), "last") or (status and f"status {status}")
    finally:
        c.kill()


@case("hostile input: no line of it ends the bridge, or gets two answers", streams=True)
def hostile():
    def go(c):
        for line in ("", "{", "[]", "null", '"x"', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":null,"method":"ping"}',
                     '{"jsonrpc":"2.0","id":1e99,"method":"ping"}', "[" * 300,
                     '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"intent","arguments":[]}}',
                     '{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"run","arguments":'
                     '{"tool":"\\ud800"}}}',
                     '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}',
                     '{"jsonrpc":"2.0","id":99,"result":{}}', "\x00\x01\x02", "x" * 100000):
            c.write(line)
        c.child.stdin.write(b"\xff\xfe\n")
        c.answered = {}

        def take_errors():
            until = time.monotonic() + 60
            ident = c.send("ping")
            while ident not in c.answered:
                line = json.loads(c.lines.get(timeout=until - time.monotonic()))
                if line.get("id") == ident:
                    c.answered[ident] = line
        take_errors()
        return wants(c.call("intent"), "fx.echo")
    return talk(go)


@case("a line without end, and an input that nobody finishes, end it with a reason", streams=True)
def too_long():
    c = Client(server.command(), R4, stderr=subprocess.PIPE)
    try:
        c.open()
        piece = b"x" * (1 << 20)
        try:
            for _ in range(12):
                c.child.stdin.write(piece)
        except BrokenPipeError:
            pass
        try:
            c.child.stdin.close()
        except BrokenPipeError:
            pass
        status = c.child.wait(60)
        said = c.child.stderr.read().decode()
        return None if status == 2 and "10 MiB" in said else [status, said]
    finally:
        c.kill()


@case("what is no TARGET is refused with a hint, before anything is spoken", streams=True)
def usage():
    for arguments, text in (([], "a TARGET is needed"), (["/no/such/folder"], "no such domain folder"),
                            (["localhost:1"], "Did you mean http://"), (["a", "b"], "stands where nothing")):
        done = subprocess.run([program(), "mcp", *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if done.returncode != 2 or text not in done.stderr.decode() or done.stdout:
            return [arguments, done.returncode, done.stderr.decode(), done.stdout.decode()]
    return None


server.stop()
folder.cleanup()
sys.exit(tap.end())

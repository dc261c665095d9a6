"""What the client commands show a person: dates, facts, places of faults, commands that work, and nothing
that a terminal would obey."""
import json
import os
import pty
import select
import shlex
import subprocess
import sys
import time

import fake
from fake import (Child, HttpServer, MANIFEST, RESULT, TOOL, ended, envelope, equal, error, expect, manglecp, manifest,
                  run, tool, tools)

HOSTILE = "a\u202eb\u009bc\u200fd\u001b[31me\u0007f"
DANGEROUS = ["\u202e", "\u009b", "\u200f", "\u001b[31m", "\u0007"]


def shown_on_terminal(*words, env=(), answers=()):
    """What the program writes to a terminal. `answers`: (what it asks, what is typed then)."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update({"NO_COLOR": "1", **dict(env)})
        os.environ.pop("MANGLECP_TOKEN", None)
        os.execv(fake.PROGRAM, [fake.PROGRAM, *map(str, words)])
    said, asked, after, deadline = b"", 0, 0, time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.5)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        said += chunk
        if len(answers) > asked and said[after:].endswith(answers[asked][0].encode()):
            os.write(terminal, answers[asked][1].encode())
            asked, after = asked + 1, len(said)
    os.close(terminal)
    os.waitpid(pid, 0)
    return said.decode()


def harmless(text):
    for sign in DANGEROUS:
        expect(sign not in text, f"{sign!r} reached the terminal: {text!r}")


# ---- nothing that a terminal would obey -----------------------------------------------------------------

def hostile_server():
    evil = tool(description=HOSTILE, input_schema={"type": "object", "required": [HOSTILE],
                                                   "properties": {HOSTILE: {"type": "string", "enum": [HOSTILE]}}})
    answer = {"result": {HOSTILE: HOSTILE, "list": [{HOSTILE: HOSTILE}]},
              "state_delta": {"assert": [{"pred": "seen", "args": [HOSTILE], "category": "server"}],
                              "retract": [{"pred": "seen", "args": [HOSTILE, None]}]},
              "observability": {"summary": HOSTILE, "events": [{"action": HOSTILE, "status": "success"}],
                                "warnings": [{"code": "x", "message": HOSTILE}]},
              "next": {"suggested_intents": [{"name": HOSTILE, "params": {HOSTILE: HOSTILE}, "description": HOSTILE}]}}
    says = manifest(server_name=HOSTILE, extensions={"x-" + HOSTILE: HOSTILE})
    says["payload"]["intents"][0]["description"] = HOSTILE
    says["payload"]["facts_profile"]["predicates"][0]["description"] = HOSTILE
    return HttpServer(manifest=says, evaluate=tools(evil), invoke=answer)


def test_what_a_server_says_is_escaped():
    with hostile_server() as server:
        harmless(shown_on_terminal("manifest", server.url))
        harmless(shown_on_terminal("intent", server.url, "work"))
        harmless(shown_on_terminal("invoke", server.url, "mark", "--intent", "work", "--arg", f"{HOSTILE}={HOSTILE}"))
        harmless(shown_on_terminal("walk", server.url, "--intent", "work"))
        server.answers["evaluate"] = error("x-evil", details={HOSTILE: HOSTILE}) | {"message": HOSTILE}
        harmless(shown_on_terminal("intent", server.url, "work"))


def test_json_on_a_terminal_is_escaped_and_still_says_the_same():
    with hostile_server() as server:
        for words in (["manifest", server.url], ["intent", server.url, "work"],
                      ["invoke", server.url, "mark", "--intent", "work", "--arg", f"{HOSTILE}={HOSTILE}"]):
            text = shown_on_terminal(*words, "--json")
            harmless(text)
            raw = manglecp(*words, "--json").out
            equal(json.loads(text), json.loads(raw), "the message")
            expect("\u202e" in raw, "for a program it is left as it came")


def choosing_server():
    schema = {"type": "object", "required": ["way", "pace", "only"], "additionalProperties": False,
              "properties": {"way": {"enum": ["north", "so" + HOSTILE, "east"], "description": "Where to"},
                             "pace": {"enum": list(range(1, 41))}, "only": {"enum": ["this"]}, "free": {"enum": ["a", "b"]}}}
    return HttpServer(evaluate=tools(tool(input_schema=schema)))


def chosen(server):
    return server.invocations[-1].body["payload"]["args"]


def test_a_walk_says_what_it_took_where_nobody_was_asked():
    with choosing_server() as server:
        ran = manglecp("walk", server.url, "--intent", "work", "--steps", "1")
        ended(ran, 0, out="nobody was asked for way: it is the first of north, soa")
        harmless(ran.out)
        expect(", east; --arg way=... says another\n" in ran.out, ran.out)
        expect("nobody was asked for pace: it is the first of 1, 2, 3, 4, 5, 6, 7, 8 and 32 more;" in ran.out, ran.out)
        expect("asked for only" not in ran.out and "asked for free" not in ran.out, ran.out)
        equal(chosen(server), {"way": "north", "pace": 1, "only": "this"})
        ran = manglecp("walk", server.url, "--intent", "work", "--steps", "1", "--arg", "way=east", "--arg", "pace=2")
        expect("nobody was asked" not in ran.out, ran.out)
        equal(chosen(server), {"way": "east", "pace": 2, "only": "this"})


def test_a_walk_asks_at_a_terminal():
    with choosing_server() as server:
        walk = ["walk", server.url, "--intent", "work", "--steps", "1"]
        said = shown_on_terminal(*walk, answers=[("[1-3]: ", "9\n"), ("[1-3]: ", "2x\n"), ("[1-3]: ", "3\n"), ("[1-40]: ", "40\n")])
        harmless(said)
        for part in ("Which way? Where to\r\n  1  north\r\n  2  soa", "  3  east\r\n", "  30  30\r\n  and 10 more\r\n"):
            expect(part in said, f"{part!r} is missing: {said}")
        equal(chosen(server), {"way": "east", "pace": 40, "only": "this"})
        before = len(server.invocations)
        said = shown_on_terminal(*walk, answers=[("[1-3]: ", "\n"), ("[1-3]: ", "0\n"), ("[1-3]: ", "north\n")])
        expect("the tool needs way; give it with --arg" in said, said)
        equal(len(server.invocations), before, "nobody chose, and it was called")


LIST = {"name": "it", "fact": {"deep": [1]}}  # an object where a list belongs


def takes_it(server, *words):
    with server:
        ran = manglecp(words[0], server.url, *words[1:])
        expect(ran.status in (0, 1, 2) and "Sanitizer" not in ran.err, f"{words}: status {ran.status}\n{ran.err}")


def test_an_object_where_a_list_belongs_is_not_read_as_one():
    derivation = {"macro_id": TOOL["macro_id"], "rule_chain": LIST}
    tree = {**derivation, "tree": {"fact": "p()", "children": LIST}}
    in_context = tool(context_injection={"skills": LIST, "context_resources": LIST})
    in_schema = tool(input_schema={"type": "object", "properties": {"label": {"enum": LIST}}, "required": LIST})
    for answer in (tools(TOOL, proof_hints={"derivations": LIST, "excluded": LIST, "unmatched_facts": LIST}),
                   tools(TOOL, proof_hints={"derivations": [derivation, tree]}), tools(in_context), tools(in_schema)):
        takes_it(HttpServer(evaluate=answer), "intent", "work", "--proofs")
    for why in (LIST, [{"reasons": LIST, "changes": LIST}],
                [{"reasons": [{"facts": LIST}], "changes": [{"add": LIST, "remove": [{"pred": "p", "args": LIST}]}]}]):
        takes_it(HttpServer(evaluate=tools(TOOL, extensions={"x-why-not": why})), "intent", "work", "--why-not", "x")
    says = manifest(extensions={"x-dry-run": True})
    steps = [{"side_effects": LIST, "depends_on": LIST}]
    invoke = ["invoke", "mark", "--intent", "work", "--arg", "label=x"]
    for plan in ({"args": [1], "bound": LIST, "steps": LIST, "side_effects": LIST}, {"steps": steps, "bound": [1, LIST]}):
        answer = {**RESULT, "extensions": {"x-dry-run": plan}}
        takes_it(HttpServer(manifest=says, invoke=answer), *invoke, "--dry-run")
    takes_it(HttpServer(invoke={**RESULT, "observability": {"summary": "x", "events": LIST, "warnings": LIST},
                                "next": {"suggested_intents": LIST}}), *invoke)
    says["payload"]["facts_profile"]["predicates"][0].update(arg_names=LIST, arg_types=LIST)
    takes_it(HttpServer(manifest=says), "manifest")


def test_what_an_operations_page_says_is_escaped():
    lines = [f'manglecp_build_info{{version="{HOSTILE}",rules="{HOSTILE}"}} 1',
             f'manglecp_status{{status="{HOSTILE}"}} 1',
             f'manglecp_errors_total{{code="{HOSTILE}"}} 7',
             f'manglecp_request_duration_seconds_count{{type="{HOSTILE}"}} 3']
    with HttpServer(**{"/metrics": fake.http(200, "\n".join([*lines, ""]).encode())}) as server:
        said = shown_on_terminal("top", server.url, "--once")
        harmless(said)
        for part in ("version a\\u{202e}b", "rules a", "a\\u{202e}b\\u{9b}", " 7\r\n"):
            expect(part in said, f"{part!r} is lost: {said}")
    for done in (True, False):
        body = json.dumps({"reloaded": done, "text": f"first {HOSTILE}\n\n  second\n"}).encode()
        with HttpServer(**{"/reload": fake.http(200 if done else 422, body)}) as server:
            said = shown_on_terminal("reload", server.url)
            harmless(said)
            expect(said.startswith("first a\\u{202e}b"), said)
            expect(said.endswith("\r\n\r\n  second\r\n"), f"lines are lost: {said!r}")


def test_a_page_of_metrics_without_end_does_not_stop_top():
    sample = 'manglecp_request_duration_seconds_count{{type="t{0}"}} 1\n'
    page = "".join(sample.format(n) for n in range(60_000)).encode()
    with HttpServer(**{"/metrics": fake.http(200, page)}) as server:
        ended(manglecp("top", server.url, "--once"), 0, "\n  t0 ")


def serve_with_noise(io):
    sys.stderr.write(f"log line {HOSTILE}\nand another\n")
    sys.stderr.flush()
    io.send(manifest())
    while (request := io.read()):
        if request["type"] == "invoke_request":
            io.send(envelope("progress", {"status": "running", "detail": HOSTILE, "percent": 50}, request["id"]))
            time.sleep(0.3)
        io.answer(request, fake.default_answer(request))
    sys.stderr.write("the last words\n")


def test_what_a_child_writes_to_its_standard_error_is_escaped():
    with Child(serve_with_noise) as child:
        said = shown_on_terminal("invoke", "mark", "--intent", "work", "--arg", "label=x", *child.words)
        harmless(said.replace("\r\u001b[K", ""))
        for part in ("log line", "and another", "the last words", "It is done."):
            expect(part in said, f"{part!r} is lost: {said}")


def serve_flood(io):
    io.send(manifest())
    os.write(2, b"x" * 2000000 + b"\n" + b"y\n" * 300000)
    io.default()


def test_a_child_that_only_talks_does_not_stop_the_client():
    with Child(serve_flood) as child:
        ended(manglecp("intent", "work", *child.words), 0, out="1 tool")


# ---- dates ---------------------------------------------------------------------------------------------------

def walk_with(rows):
    with HttpServer(invoke={"result": {"rows": rows}, "observability": {"summary": "s"}}) as server:
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--steps", "1")
        ended(ran, 0)
        return ran.out


def test_different_days_are_printed_in_full():
    out = walk_with([{"at": "2026-01-01T10:00:00Z", "what": "a" * 90}, {"at": "2026-02-02T11:00:00Z", "what": "b"}])
    expect("2026-01-01T10:00:00Z" in out and "2026-02-02T11:00:00Z" in out, out)


def test_one_day_is_printed_once():
    out = walk_with([{"at": "2026-01-01T10:00:00Z"}, {"at": "2026-01-01T11:30:00Z"}])
    equal(out.count("2026-01-01"), 2, "days: once above, and once in the time of the evaluation")
    expect("10:00:00Z" in out and "11:30:00Z" in out, out)


# ---- the commands that repeat a walk ------------------------------------------------------------------------------

SHIFTY = {
    "result": {"done": True},
    "state_delta": {"assert": [{"pred": "seen", "args": [f"it's {n}"], "category": "server"} for n in range(3)],
                    "retract": []},
    "observability": {"summary": "It changed."},
    "next": {"suggested_intents": [{"name": "work", "params": {"step": "2", "who": "it's $me"}, "description": "On"}],
             "continuation_facts": []},
}


def commands_of(ran):
    return ran.out.split("── by hand ──")[1].strip().splitlines()[1:]


def repeats(server, ran):
    """Each printed command, run by a shell, sends what the walk sent."""
    walked = [r for r in server.log if r.body]
    lines = commands_of(ran)
    expect(len(lines) == 5, f"five commands: {lines}")
    sent = []
    for line in lines:
        before = len(server.log)
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        expect(done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}")
        sent.append([r for r in server.log[before:] if r.body])
    for request, again in zip(walked, [s[-1] for s in sent[1:]]):
        theirs = {k: v for k, v in request.body["payload"].items() if k != "eval_time"}
        ours = {k: v for k, v in again.body["payload"].items() if k != "eval_time"}
        equal(ours, theirs, f"what {request.path} was sent again")


def test_the_commands_of_a_walk_repeat_it():
    facts = ["--fact", '{"pred":"noted","args":["it\'s",1]}']
    with HttpServer(invoke=SHIFTY) as server:
        repeats(server, manglecp("walk", server.url, "--intent", "work", "--arg", "label=9", "--param", "deep=true",
                                 *facts, "--max-tools", "3", "--disclosure", "full"))


def test_many_facts_stand_in_files():
    with open("my facts.jsonl", "w") as f:
        for n in range(30):
            f.write(json.dumps({"pred": "noted", "args": ["x", n]}) + "\n")
    with HttpServer(invoke=SHIFTY) as server:
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--facts", "my facts.jsonl",
                       env={"TMPDIR": os.getcwd()})
        expect(all("--facts" in line for line in commands_of(ran)[1:]), ran.out)
        repeats(server, ran)
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--facts", "my facts.jsonl",
                       "--save", "kept here")
        expect(os.path.exists("kept here/facts-2.json"), "--save DIR")
        server.log.clear()
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--facts", "my facts.jsonl",
                       "--save", "kept here")
        repeats(server, ran)


def serve_shifty(io):
    io.send(manifest())
    while (request := io.read()):
        io.answer(request, SHIFTY if request["type"] == "invoke_request" else tools(TOOL))


def test_the_commands_of_a_walk_with_a_child_work_too():
    with Child(serve_shifty) as child:
        ran = manglecp("walk", "--intent", "work", "--arg", "label=x", *child.words)
        ended(ran, 0)
        for line in commands_of(ran):
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            expect(done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}")


def test_no_secret_stands_in_a_command():
    with HttpServer(invoke=SHIFTY) as server:
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--token", "s3cr3t")
        expect("s3cr3t" not in ran.out, ran.out)


# ---- facts -----------------------------------------------------------------------------------------------------------

def test_the_manifest_lists_the_facts_it_understands():
    with HttpServer() as server:
        ended(manglecp("manifest", server.url), 0,
              out=["noted(what: string, n: number)", "Something that was noted", "seen(any), with a time",
                   "other(string)", "told(any); the server alone says it"])


def test_a_fault_in_a_file_of_facts_has_its_place():
    faults = {
        '[{"pred":"noted","args":["a",1]},\n {"pred":"noted" "args":[]}]': "facts:2:18: expected ',' or '}'",
        '{"pred":"noted","args":["a",1]}\n\n{"pred":"noted","args":[1,}\n': "facts:3:27: expected a value",
        '[{"pred":"noted","args":["a",1]},\n {"pred":"noted"}]': "facts:2:2: a fact needs args",
        '{"pred":"noted","args":["a",1]}\n   {"args":[]}\n': "facts:2:4: a fact needs pred",
        '{\n  "pred": "noted",\n  "args": ["a" 1]\n}\n': "facts:3:16: ",
        '{"pred":"noted","args":["a",1]}\n[]\n7\n': "facts:3:1: a fact is an object",
        'nonsense': "facts:1:1: ",
        '[1]': "facts:1:2: a fact is an object",
        '{"pred":"noted","args":[],"named_args":{}}': "facts:1:1: a fact has args or named_args, not both",
    }
    with HttpServer() as server:
        for text, said in faults.items():
            with open("facts", "w") as f:
                f.write(text)
            ended(manglecp("intent", server.url, "work", "--facts", "facts"), 2, err=said)
        equal(server.intents, [])
        ended(manglecp("intent", server.url, "work", "--fact", '{"pred":"noted","args":[1,}'), 2,
              err="column 27: ")


def test_facts_come_in_three_forms():
    forms = ['[{"pred":"noted","args":["a",1]},\n{"pred":"noted","args":["a",2]}]',
             '{"pred":"noted","args":["a",1]}\r\n\n{"pred":"noted","args":["a",2]}',
             '[{"pred":"noted","args":["a",1]}]\n']
    with HttpServer() as server:
        for number, text in enumerate(forms + ['{\n"pred":"noted",\n"args":["a",1]\n}', "", " \n\n"]):
            with open("facts", "w") as f:
                f.write(text)
            ended(manglecp("intent", server.url, "work", "--facts", "facts"), 0)
            equal(len(server.intents[-1].body["payload"]["facts"]), [2, 2, 1, 1, 0, 0][number])


def test_ten_thousand_facts_take_no_time():
    """In one run: five times the facts take about five times the time, and never twenty."""
    def seconds(count):
        with open("facts.jsonl", "w") as f:
            for n in range(count):
                f.write(json.dumps({"pred": "noted", "args": [f"name {n}", n]}) + "\n")
        with HttpServer(manifest=manifest(limits__max_facts_per_request=100000)) as server:
            best = 1e9
            for _ in range(2):
                before = os.times()
                ended(manglecp("intent", server.url, "work", "--facts", "facts.jsonl"), 0)
                after = os.times()
                best = min(best, after.children_user - before.children_user)
            equal(len(server.intents[-1].body["payload"]["facts"]), count)
            return best
    few, many = seconds(10000), seconds(50000)
    print(f"# 10,000 facts: {few:.2f} s of CPU; 50,000: {many:.2f} s")
    expect(few < 4, f"10,000 facts took {few:.2f} s of CPU")
    expect(many < 12 * few + 0.5, f"50,000 facts took {many:.2f} s, 10,000 {few:.2f} s")


sys.exit(run(globals()))

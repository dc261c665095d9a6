"""The client's role: when it asks, what it sends along, what it makes of an answer."""
import base64
import copy
import hashlib
import hmac
import json
import os
import pty
import select
import subprocess
import sys
import time

import fake
from fake import (Child, Failure, HttpServer, MANIFEST, RESULT, TOOL, WELL_KNOWN, default_answer, ended, envelope,
                  equal, error, expect, http, manglecp, manifest, run, tool, tools)

NOTED = '{"pred":"noted","args":["a",1]}'


def intent(server, *more, name="work", **options):
    return manglecp("intent", server.url, name, *more, **options)


def invoke(server, *more, **options):
    return manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "label=x", *more, **options)


def gaps(requests):
    return [b.at - a.at for a, b in zip(requests, requests[1:])]


# ---- status ---------------------------------------------------------------------------------------

def test_a_booting_server_is_looked_at_until_it_is_ready():  # P-READY-1, P-READY-3, P-READY-5
    booting, ready = manifest(status="booting"), manifest()
    with HttpServer(manifest=[booting, booting, ready]) as server:
        ended(intent(server), 0, out="1 tool")
        equal([r.path for r in server.log], [WELL_KNOWN] * 3 + ["/evaluate"])
        expect(all(gap > 0.1 for gap in gaps(server.log[:3])), f"no pause between looks: {gaps(server.log)}")


def test_a_server_that_goes_on_booting_is_not_waited_for_without_end():
    with HttpServer(manifest=manifest(status="booting")) as server:
        ran = intent(server, "--ready-timeout-ms", "900")
        ended(ran, 2, err="the server is booting, and nothing was sent")
        expect(ran.seconds < 10, f"it took {ran.seconds} s")
        equal(server.intents, [])
        ran = intent(server, "--ready-timeout-ms", "-1")
        ended(ran, 2, err="booting")


def serve_boot(io):
    io.send(manifest(status="booting"))
    io.listen(1.0)
    io.send(manifest())
    io.default()


def test_a_booting_child_hears_nothing_until_it_says_that_it_is_ready():  # P-READY-1
    with Child(serve_boot) as child:
        ended(manglecp("intent", "work", *child.words), 0, out="1 tool")
        equal(child.types, ["intent_request"])


def serve_boot_for_ever(io):
    io.send(manifest(status="booting"))
    io.default()


def test_a_child_that_goes_on_booting_is_left():
    with Child(serve_boot_for_ever) as child:
        ended(manglecp("intent", "work", "--ready-timeout-ms", "700", *child.words), 2, err="booting")
        equal(child.got, [])


def serve_draining(io):
    io.send(manifest(status="draining"))
    io.default()


def test_a_draining_server_is_asked_nothing():  # P-READY-8
    with Child(serve_draining) as child:
        ended(manglecp("intent", "work", *child.words), 2, err="the server is draining, and nothing was sent")
        equal(child.got, [])
    with HttpServer(manifest=manifest(status="draining")) as server:
        ended(intent(server), 2, err="draining")
        equal(server.intents, [])
        equal(len(server.of(WELL_KNOWN)), 2, "it looks once more: another server may stand there")
    with HttpServer(manifest=[manifest(status="draining"), manifest()]) as server:
        ended(intent(server), 0, out="1 tool")


def serve_drains_later(io):
    io.send(manifest())
    request = io.read()
    io.send(manifest(status="draining"))
    io.answer(request, tools(TOOL))
    io.default()


def test_a_later_manifest_replaces_the_first():  # P-MAN-31, P-READY-8, P-READY-9
    with Child(serve_drains_later) as child:
        ran = manglecp("invoke", "mark", "--intent", "work", "--arg", "label=x", *child.words)
        ended(ran, 2, err="the server is draining, and nothing was sent")
        equal(child.types, ["intent_request"])


def test_a_degraded_server_is_asked():  # P-READY-6, P-READY-7
    degraded = manifest(status="degraded", extensions={"x-degraded": "the printer is out"})
    with HttpServer(manifest=degraded) as server:
        ended(intent(server), 0, out="1 tool")
        ended(manglecp("manifest", server.url), 0, out=["degraded", "x-degraded: the printer is out"])


def test_a_server_that_is_not_ready_after_all_is_waited_for():
    ready, booting = manifest(), manifest(status="booting")
    refusal = error("server_not_ready", retry_after_ms=300, details={"status": "booting"})
    with HttpServer(manifest=[ready, booting, ready], evaluate=[refusal, tools(TOOL)]) as server:
        ended(intent(server), 0, out="1 tool")
        equal([r.path for r in server.log], [WELL_KNOWN, "/evaluate", WELL_KNOWN, WELL_KNOWN, "/evaluate"])
        first, second = server.intents
        expect(second.at - first.at >= 0.3, "it was asked too soon")


# ---- asking again -----------------------------------------------------------------------------------

def test_the_wait_that_a_server_asks_for_is_kept():  # P-ERR-13
    with HttpServer(evaluate=[error("rate_limited", retry_after_ms=1500), tools()]) as server:
        ended(intent(server), 0)
        gap, = gaps(server.intents)
        expect(gap >= 1.5, f"asked again after {gap} s")


def test_the_gaps_grow_and_five_attempts_are_all():  # P-ERR-14, P-ERR-15
    with HttpServer(evaluate=error("rate_limited", retry_after_ms=50)) as server:
        ended(intent(server), 1, err="rate_limited")
        equal(len(server.intents), 5, "attempts")
        found = gaps(server.intents)
        for gap, least in zip(found, (0.15, 0.25, 0.45, 0.85)):  # what was asked for, and 100 ms doubled each time
            expect(gap >= least, f"gaps do not grow: {found}")


def test_an_age_is_not_waited_for():
    """A wait beyond what the caller allows ends it, and is not cut short."""
    for wait in (10 ** 15, 2 ** 63 - 1, 40000):
        with HttpServer(evaluate=error("rate_limited", retry_after_ms=wait)) as server:
            ran = intent(server)
            ended(ran, 1, err="rate_limited")
            expect(ran.seconds < 10, f"it took {ran.seconds} s")
            equal(len(server.intents), 1)


def test_an_invocation_that_was_not_taken_up_is_repeated_with_its_key():
    with HttpServer(invoke=[error("rate_limited", retry_after_ms=10), RESULT]) as server:
        ended(invoke(server), 0)
        first, second = server.invocations
        equal(second.body["extensions"], first.body["extensions"])
        expect(second.body["id"] != first.body["id"], "an id was used twice")  # P-ENV-4


def test_what_stands_between_may_ask_to_wait_too():
    busy = http(503, b"<html>", "Retry-After: 1")
    with HttpServer(evaluate=[busy, tools(TOOL)]) as server:
        ended(intent(server), 0, out="1 tool")
        gap, = gaps(server.intents)
        expect(gap >= 1.0, f"asked again after {gap} s")


# what a client does next, by code: how many intents and invocations it sends when the first invocation
# is answered so (protocol.md part 4)
NEXT = {
    "unsupported_version": (1, 1), "malformed_message": (1, 1), "message_too_large": (1, 1),
    "invalid_type": (1, 1), "auth_required": (1, 1), "auth_invalid": (1, 1), "auth_insufficient": (1, 1),
    "invalid_facts": (1, 1), "evaluation_timeout": (1, 1), "evaluation_failed": (1, 1),
    "macro_not_found": (2, 2), "macro_expired": (2, 2), "schema_validation_failed": (1, 1),
    "confirmation_required": (1, 1), "confirmation_invalid": (1, 1), "execution_failed": (1, 1),
    "server_not_ready": (1, 2), "rate_limited": (1, 2), "internal_error": (1, 1), "cancelled": (1, 1),
    "budget_exceeded": (1, 1), "x-of-its-own": (1, 1),
}


def test_each_error_is_followed_by_its_step_and_by_no_other():  # P-ERR-11, P-ERR-12
    for code, (intents, invocations) in NEXT.items():
        with HttpServer(invoke=[error(code, retry_after_ms=10), RESULT]) as server:
            ran = invoke(server)
            equal((len(server.intents), len(server.invocations)), (intents, invocations), f"after {code}")
            if code == "confirmation_required":
                ended(ran, 1, err="mark needs the user's consent")
            elif invocations == 1:
                ended(ran, 1, err=[code, f"This is {code} of a test."])


# ---- credentials on a session --------------------------------------------------------------------------

def serve_locked(io):
    io.send(manifest(auth={"required": True, "schemes": ["bearer"]}))
    io.default()


def test_a_session_begins_with_logging_in():  # P-AUTH-6
    with Child(serve_locked) as child:
        ended(manglecp("intent", "work", "--token", "tok", *child.words), 0, out="1 tool")
        equal(child.types, ["authenticate", "intent_request"])
        equal(child.got[0]["payload"], {"scheme": "bearer", "token": "tok"})


def test_without_credentials_nothing_is_sent():
    with Child(serve_locked) as child:
        ended(manglecp("intent", "work", *child.words), 2, err="wants a bearer token, and there is none")
        equal(child.got, [])
    with HttpServer(manifest=manifest(auth={"required": True, "schemes": ["bearer"]})) as server:
        ended(intent(server), 2, err="wants a bearer token, and there is none")
        equal(server.intents, [])


def serve_unimpressed(io):
    io.send(manifest(auth={"required": True, "schemes": ["bearer"]}))
    while (request := io.read()):
        io.answer(request, error("auth_invalid", details={"reason": "rejected"}))


def test_a_token_that_is_not_accepted_ends_it():
    with Child(serve_unimpressed) as child:
        ended(manglecp("intent", "work", "--token", "tok", *child.words), 1, err="auth_invalid")
        equal(child.types, ["authenticate"])


def serve_forgets_the_login(io):
    io.send(manifest(auth={"required": True, "schemes": ["bearer"]}))
    io.answer(io.read(), {"status": "authenticated", "identity": "a", "permissions": []})
    io.answer(io.read(), error("auth_required"))
    io.default()


def test_a_login_that_ended_is_repeated():  # P-ERR-11: log in, repeat
    with Child(serve_forgets_the_login) as child:
        ended(manglecp("intent", "work", "--token", "tok", *child.words), 0, out="1 tool")
        equal(child.types, ["authenticate", "intent_request", "authenticate", "intent_request"])


def serve_open(io):
    io.send(manifest())
    io.default()


def test_a_server_that_knows_no_tokens_gets_none():
    with Child(serve_open) as child:
        ended(manglecp("intent", "work", "--token", "tok", *child.words), 0)
        equal(child.types, ["intent_request"])


# ---- facts ------------------------------------------------------------------------------------------------

def facts_sent(server):
    return [f["pred"] for f in server.intents[-1].body["payload"]["facts"]]


def test_of_a_hundred_facts_the_two_that_are_needed_are_sent():  # P-MIN-1, P-MIN-3
    facts = [{"pred": "other", "args": [f"secret-{i}"]} for i in range(98)]
    facts += [{"pred": "noted", "args": ["a", 1]}, {"pred": "seen", "args": [True]}]
    with open("facts.json", "w") as f:
        json.dump(facts, f)
    with HttpServer() as server:
        ended(intent(server, "--facts", "facts.json"), 0, err="were not sent: other")
        equal(sorted(facts_sent(server)), ["noted", "seen"])
        expect("secret" not in json.dumps([r.body for r in server.intents]), "a secret was sent")


def test_the_lists_of_the_manifest_decide():  # P-MIN-2
    facts = ["--fact", NOTED, "--fact", '{"pred":"seen","args":[1]}', "--fact", '{"pred":"other","args":["o"]}']
    for wanted in (["noted"], ["seen", "other"], []):
        intents = [{"name": "work", "description": "Do it", "required_facts": wanted[:1],
                    "optional_facts": wanted[1:]}, {"name": "x", "description": "y", "optional_facts": ["noted"]}]
        with HttpServer(manifest=manifest(intents=intents)) as server:
            ended(intent(server, *facts), 0)
            equal(sorted(facts_sent(server)), sorted(wanted))


def test_where_no_intent_lists_facts_all_declared_ones_go():
    with HttpServer(manifest=manifest(intents=[{"name": "work", "description": "Do it"}])) as server:
        ended(intent(server, "--fact", NOTED), 0)
        equal(facts_sent(server), ["noted"])


BAD_FACTS = {  # a fact: what is said of it
    '{"pred":"noted","args":["a","b"]}': "argument 1 must be a number, not a string",
    '{"pred":"noted","args":["a"]}': "has 1 argument where 2 are declared",
    '{"pred":"notes","args":["a",1]}': 'no such predicate; did you mean noted?',
    '{"pred":"told","args":[1]}': "is an output of the server",
    '{"pred":"_manglecp_arg","args":[1]}': "are the server's",
    '{"pred":"Noted","args":["a",1]}': "a predicate is named",
    '{"pred":"noted","args":["a",1],"t":{"at":"now"}}': "takes no t",
    '{"pred":"noted","args":["a",null]}': "null matches anything",
    '{"pred":"seen","args":[1],"t":{"at":"yesterday"}}': "not of the form",
    '{"pred":"seen","args":[1],"t":{"start":"2026-01-02T00:00:00Z","end":"2026-01-01T00:00:00Z"}}': "end",
    '{"pred":"seen","args":[1],"source":{"source_type":"robot"}}': "source_type is",
    '{"pred":"noted","named_args":{"what":"a","m":1}}': 'no argument is called "m"',
}


def test_a_bad_fact_is_reported_and_nothing_is_sent():  # P-SCHEMA-9, P-SCHEMA-7, P-TIME-16
    with HttpServer() as server:
        for fact, said in BAD_FACTS.items():
            ended(intent(server, "--fact", fact), 1, err=said)
        equal(server.intents, [])


def test_all_bad_facts_are_reported_at_once():
    words = [w for fact in BAD_FACTS for w in ("--fact", fact)]
    with HttpServer() as server:
        ended(intent(server, *words), 1, err=list(BAD_FACTS.values()))
        equal(server.intents, [])


def test_more_facts_than_the_server_takes_are_not_sent():  # P-MAN-26
    words = [w for n in range(10) for w in ("--fact", json.dumps({"pred": "noted", "args": ["a", n]}))]
    with HttpServer(manifest=manifest(limits__max_facts_per_request=3)) as server:
        ended(intent(server, *words), 1, err="10 facts, and the server takes 3 in one request")
        equal(server.intents, [])
        ended(intent(server, *words[:6]), 0)


def test_a_message_beyond_the_limit_is_not_sent():  # P-MAN-26
    with HttpServer(manifest=manifest(limits__max_message_bytes=16777216)) as server:
        with open("facts.json", "w") as f:
            json.dump([{"pred": "noted", "args": ["x" * 17000000, 1]}], f)
        ended(intent(server, "--facts", "facts.json"), 1, err="the server takes 16777216 at most")
        equal(server.intents, [])


def test_an_intent_without_what_it_needs_is_not_sent():
    with HttpServer() as server:
        ended(intent(server, name="need"), 1, err="need needs facts of noted, and there are none")
        ended(intent(server, "--fact", NOTED, name="need"), 0)
        equal(len(server.intents), 1)


def test_an_intent_that_nobody_lists_is_not_sent():  # P-EVAL-9
    with HttpServer() as server:
        ended(intent(server, name="wrok"), 1, err='lists no intent "wrok"; it has work, need')
        equal(server.intents, [])


def test_limits_are_checked_before():
    with HttpServer() as server:
        ended(intent(server, "--max-tools", "-1"), 1, err="must be 0 or more")
        equal(server.intents, [])
        ended(intent(server, "--max-tools", "0", "--max-tokens", "7"), 0)
        equal(server.intents[0].body["payload"]["constraints"], {"max_tools_returned": 0, "max_tokens_budget": 7})


def test_facts_are_sent_as_the_wire_wants_them():  # P-PROV-10, P-FACT-19
    fact = {"pred": "seen", "args": [9007199254740993], "category": "derived",
            "source": {"source_type": "x-here"}, "t": {"at": "2026-01-01T00:00:00Z"}}
    with HttpServer() as server:
        ended(intent(server, "--fact", json.dumps(fact)), 0)
        wanted = dict(fact, args=[{"_type": "int64", "value": "9007199254740993"}])
        del wanted["category"]
        equal(server.intents[0].body["payload"]["facts"], [wanted])


# ---- time -------------------------------------------------------------------------------------------------

def test_the_evaluation_time_goes_along():  # P-TIME-12
    with HttpServer() as server:
        before = time.time()
        ended(intent(server), 0)
        said = server.intents[0].body["payload"]["eval_time"]
        seconds = fake.seconds_of(said)
        expect(before - 2 <= seconds <= time.time() + 2, f"{said} is not now")
        ended(intent(server, "--eval-time", "2026-02-03T04:05:06Z"), 0)
        equal(server.intents[1].body["payload"]["eval_time"], "2026-02-03T04:05:06Z")
        ended(intent(server, "--server-time"), 0)
        expect("eval_time" not in server.intents[2].body["payload"], "it was to be left out")


# ---- arguments --------------------------------------------------------------------------------------------

TYPED = tool(input_schema={
    "type": "object", "additionalProperties": False,
    "properties": {"tag": {"type": "string"}, "rev": {"type": "string"}, "n": {"type": "integer"},
                   "x": {"type": "number"}, "on": {"type": "boolean"}, "list": {"type": "array"},
                   "size": {"enum": ["1", "2"]}, "either": {"type": ["string", "integer"]}, "any": {},
                   "part": {"$ref": "#/$defs/part"}}, "$defs": {"part": {"type": "string", "pattern": "^[0-9]+$"}}})


def args_of(*words):
    with HttpServer(evaluate=tools(TYPED)) as server:
        line = [w for word in words for w in ("--arg", word)]
        ended(manglecp("invoke", server.url, "mark", "--intent", "work", *line), 0)
        return server.invocations[0].body["payload"]["args"]


def test_an_argument_is_what_the_schema_says():
    equal(args_of("tag=9", "rev=0123", "n=9", "x=9", "on=true", "list=[1]", "size=1", "part=42"),
          {"tag": "9", "rev": "0123", "n": 9, "x": 9, "on": True, "list": [1], "size": "1", "part": "42"})
    equal(args_of("tag=true", "rev=null", "either=9", "any=9"),
          {"tag": "true", "rev": "null", "either": 9, "any": 9})
    equal(args_of('tag="9"', 'either="9"', 'any="9"', "rev="), {"tag": "9", "either": "9", "any": "9", "rev": ""})
    equal(args_of("tag=[1,2]", 'rev={"a":1}'), {"tag": "[1,2]", "rev": '{"a":1}'})


def test_bad_arguments_are_reported_and_nothing_is_sent():  # P-INV-11
    with HttpServer(evaluate=tools(TYPED)) as server:
        ran = manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "n=many", "--arg", "x=y",
                       "--arg", "zoom=1", "--arg", "part=a")
        ended(ran, 1, err=["/args/n: ", "/args/x: ", "/args/zoom: ", "/args/part: "])
        ended(manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "n=1", "--arg", "n=2"), 1,
              err="n is given twice")
        equal(server.invocations, [])
    with HttpServer() as server:
        ended(manglecp("invoke", server.url, "mark", "--intent", "work"), 1, err="label")
        equal(server.invocations, [])


def test_a_schema_beyond_us_is_the_servers_to_judge():
    odd = tool(input_schema={"type": "object", "properties": {"a": {"pattern": "(?<never"}}})
    with HttpServer(evaluate=tools(odd)) as server:
        ended(manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "a=1"), 0)


# ---- evaluating again --------------------------------------------------------------------------------------

def test_a_tool_that_was_forgotten_is_evaluated_again_once():  # P-CACHE-6
    for code in ("macro_not_found", "macro_expired"):
        with HttpServer(invoke=[error(code), RESULT]) as server:
            ended(invoke(server, "--fact", NOTED), 0)
            equal([r.path for r in server.log], [WELL_KNOWN, "/evaluate", "/invoke", "/evaluate", "/invoke"])
            equal(server.intents[1].body["payload"]["facts"], server.intents[0].body["payload"]["facts"])
            first, second = server.invocations
            equal(second.body["extensions"], first.body["extensions"])
        with HttpServer(invoke=error(code)) as server:
            ended(invoke(server), 1, err=code)
            equal((len(server.intents), len(server.invocations)), (2, 2))


def test_a_tool_that_came_back_as_another_is_not_run():
    changes = [dict(description="Marks, and deletes the rest."),
               dict(input_schema__properties__label={"type": "string", "description": "other"}),
               dict(output_schema={"type": "object"}), dict(safety__side_effects=["destructive"]),
               dict(safety__reversible=False), dict(safety__requires_user_confirmation=True)]
    for change in changes:
        with HttpServer(invoke=[error("macro_not_found"), RESULT],
                        evaluate=[tools(TOOL), tools(tool(**change))]) as server:
            ended(invoke(server), 1, err="offered again, but means something else")
            equal(len(server.invocations), 1, f"invocations after {change}")
    with HttpServer(invoke=[error("macro_not_found"), RESULT], evaluate=[tools(TOOL), tools()]) as server:
        ended(invoke(server), 1, err="does not offer mark any more")
        equal(len(server.invocations), 1)


def test_a_tool_that_is_over_is_evaluated_again_before_it_is_run():  # P-TOOL-18
    over = tool(validity={"not_before": "2025-12-31T00:00:00Z", "expires_at": "2026-01-01T00:00:00Z"})
    fresh = tool(validity={"not_before": "2025-12-31T00:00:00Z", "expires_at": "2200-01-01T00:00:00Z"})
    with HttpServer(evaluate=[tools(over), tools(fresh)]) as server:
        ended(invoke(server), 0)
        equal([r.path for r in server.log], [WELL_KNOWN, "/evaluate", "/evaluate", "/invoke"])


def test_a_tool_that_is_too_early_is_waited_for():  # D-41
    early = error("macro_expired", retry_after_ms=400, details={"reason": "not_yet_valid"})
    with HttpServer(invoke=[early, RESULT]) as server:
        ended(invoke(server), 0)
        gap, = gaps(server.invocations)
        expect(gap >= 0.4, f"asked again after {gap} s")
        equal(len(server.intents), 1)
    with HttpServer(invoke=early) as server:  # still too early: evaluated again, once, and no more waiting
        ended(invoke(server), 1, err="macro_expired")
        equal((len(server.intents), len(server.invocations)), (2, 3))


def test_a_tool_in_part_is_shown_in_full_before_it_is_run():  # P-DISC-LVL-9
    part = fake.condensed(TOOL)
    with HttpServer(evaluate=[tools(part), tools(TOOL)]) as server:
        ended(invoke(server, "--arg", "surplus=1"), 1, err="/args/surplus")
        equal(len(server.invocations), 0)
        upgrade = {"pred": "disclosure_upgrade", "args": [TOOL["macro_id"]]}
        equal(server.intents[1].body["payload"]["facts"], [upgrade])
    with HttpServer(evaluate=tools(part)) as server:  # a server below level 3 shows no more
        ended(invoke(server), 0)
        equal((len(server.intents), len(server.invocations)), (2, 1))


# ---- consent ------------------------------------------------------------------------------------------------

KEY = base64.urlsafe_b64encode(b"the key of a confirmation UI").decode().rstrip("=")
DANGER = tool(safety={"requires_user_confirmation": True, "side_effects": ["destructive"], "reversible": False})
SHOW = {"tool": "mark", "description": DANGER["description"], "args": {"label": "x", "count": 1}}
ASKED = error("confirmation_required", details={
    "macro_id": DANGER["macro_id"], "side_effects": ["destructive"], "reversible": False,
    "challenge": "v1.123.nonce.tag", "show": SHOW})
INVALID = error("confirmation_invalid", details={"macro_id": DANGER["macro_id"], "reason": "expired"})


def at_terminal(answers, *words, ahead="", unseen=False):
    """The program at a terminal whose user types `answers`, one for each question, and `ahead` at once; what it
    said. `unseen`: its standard error goes elsewhere."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.pop("MANGLECP_TOKEN", None)
        if unseen:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(fake.PROGRAM, [fake.PROGRAM, *map(str, words)])
    os.write(terminal, ahead.encode())
    said, answers, deadline = b"", list(answers), time.monotonic() + (60 if not ahead else 3)
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        said += chunk
        if said.count(b"[y/N]") > len(at_terminal.typed) and answers:
            at_terminal.typed.append(answers[0])
            os.write(terminal, (answers.pop(0) + "\n").encode())
    at_terminal.typed.clear()
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode(errors="replace")


at_terminal.typed = []


def consent_words(server, *more):
    return ["invoke", server.url, "mark", "--intent", "work", "--arg", "label=x", *more]


def token_of(challenge):
    key = base64.urlsafe_b64decode(KEY + "=" * (-len(KEY) % 4))
    mac = hmac.new(key, challenge.encode(), hashlib.sha256).digest()
    return challenge + "." + base64.urlsafe_b64encode(mac).decode().rstrip("=")


def test_the_user_is_asked_before_anything_is_sent():  # P-TOOL-15, P-CONF-3
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
        status, said = at_terminal(["n"], *consent_words(server, "--confirm-key", KEY))
        equal((status, server.invocations), (1, []))
        for part in ("Marks a label.", "destructive", "it cannot be undone", "label"):
            expect(part in said, f"the user was not shown {part!r}: {said}")
        status, said = at_terminal(["y"], *consent_words(server, "--confirm-key", KEY))
        equal(status, 0, said)
        equal(said.count("[y/N]"), 1, "questions")
        first, second = [r.body["payload"] for r in server.invocations]
        expect("confirmation_token" not in first, "a token without a challenge")
        equal(second["confirmation_token"], token_of("v1.123.nonce.tag"))


def test_only_yes_is_a_yes():
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
        for said in ("yesterday", "y? no!", "you must be joking", "", "yesyes", "y" * 40, "Y E S !"):
            status, _ = at_terminal([said], *consent_words(server, "--confirm-key", KEY))
            equal((status, server.invocations), (1, []), said)
    for said in ("y", "Y", " yes "):
        with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
            equal(at_terminal([said], *consent_words(server, "--confirm-key", KEY))[0], 0, said)


def test_what_was_typed_before_the_question_is_no_answer():
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
        status, said = at_terminal([], *consent_words(server, "--confirm-key", KEY), ahead="y\ny\n")
        equal(server.invocations, [], said)


def test_every_value_is_shown_whole():
    rows = [{"to": "alice", "amount": 1, **{f"k{i}": i for i in range(13)}} for _ in range(20)]
    rows.append({"to": "MALLORY  \u202e", "amount": 1000000})
    long = "echo harmless; " * 20 + "rm -rf /"
    with HttpServer(evaluate=tools({**DANGER, "input_schema": {"type": "object"}})) as server:
        words = consent_words(server, "--confirm-key", KEY, "--arg", f"lines={json.dumps(rows)}", "--arg", f"run={long}",
                              "--arg", 'text="1, 2"', "--arg", "list=[1, 2]")
        said = at_terminal(["n"], *words)[1].replace("\r\n", "\n").replace("\x1b[0m", "").replace("\x1b[36m", "")
        for part in ('"to": "MALLORY  \\u202e",', '"amount": 1000000', '"k12": 12', "rm -rf /", 'text: "1, 2"'):
            expect(part in said, f"the user was not shown {part!r}: {said}")
        expect('list: "1' not in said, said)
        said = at_terminal(["y"], *consent_words(server, "--confirm-key", KEY, "--arg", "run=" + "x" * 70000))[1]
        expect("more than can be shown" in said and "[y/N]" not in said, said)
        equal(server.invocations, [], said)


def test_who_does_not_see_the_question_is_not_asked():
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
        status, said = at_terminal(["y"], *consent_words(server, "--confirm-key", KEY), unseen=True)
        equal((status, server.invocations), (1, []), said)


def test_a_pipe_gives_no_consent():
    with HttpServer(evaluate=tools(DANGER)) as server:
        ended(invoke(server, "--confirm-key", KEY, input="y\n"), 1, err="say --yes")
        equal(server.invocations, [])
        server.answers["invoke"] = [ASKED, RESULT]
        ended(invoke(server, "--confirm-key", KEY, "--yes"), 0)


def test_what_the_server_says_otherwise_is_asked_anew():
    worse = copy.deepcopy(ASKED)
    worse["details"]["side_effects"] = ["destructive", "payments"]
    with HttpServer(evaluate=tools(DANGER), invoke=[worse, RESULT]) as server:
        status, said = at_terminal(["y", "n"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (1, 1), said)
        expect("payments" in said, said)


def test_only_defaults_of_the_schema_join_what_was_agreed_to():  # P-CONF-3
    for args in ({"label": "x", "count": 1, "to": "mallory"}, {"label": "x", "count": 2}, {"label": "y", "count": 1},
                 {"label": "x", "amount": 1000000}, {}):
        other = copy.deepcopy(ASKED)
        other["details"]["show"]["args"] = args
        with HttpServer(evaluate=tools(DANGER), invoke=[other, RESULT]) as server:
            status, said = at_terminal(["y", "n"], *consent_words(server, "--confirm-key", KEY))
            equal((status, len(server.invocations)), (1, 1), f"{args}: {said}")
    for args in ({"label": "x"}, {"count": 1.0, "label": "x"}):
        same = copy.deepcopy(ASKED)
        same["details"]["show"]["args"] = args
        with HttpServer(evaluate=tools(DANGER), invoke=[same, RESULT]) as server:
            status, said = at_terminal(["y"], *consent_words(server, "--confirm-key", KEY))
            equal((status, said.count("[y/N]")), (0, 1), said)
            expect("count" in said, f"a default that will be filled in was not shown: {said}")


def test_a_challenge_for_another_tool_is_not_signed():
    other = copy.deepcopy(ASKED)
    other["details"]["macro_id"] = "pay-000000000001"
    with HttpServer(evaluate=tools(DANGER), invoke=[other, RESULT]) as server:
        status, said = at_terminal(["y"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (2, 1), said)
        expect("another tool" in said, said)


def test_yes_beforehand_is_none_to_what_the_tool_did_not_say():
    worse, extra = copy.deepcopy(ASKED), copy.deepcopy(ASKED)
    worse["details"]["side_effects"] = ["destructive", "payments"]
    extra["details"]["show"]["args"]["to"] = "mallory"
    for asked in (worse, extra):
        with HttpServer(evaluate=tools(DANGER), invoke=[asked, RESULT]) as server:
            ended(invoke(server, "--confirm-key", KEY, "--yes"), 1, err="something else than the tool said")
            equal(len(server.invocations), 1)


def test_what_a_rule_filled_in_is_shown_before_it_is_agreed_to():  # P-CONF-3
    filled = copy.deepcopy(ASKED)
    filled["details"]["show"]["bound"] = [{"name": "zone", "value": "b\u202e"}, {"name": "who"}]
    with HttpServer(evaluate=tools(DANGER), invoke=[filled, RESULT]) as server:
        status, said = at_terminal(["y", "n"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (1, 1), said)
        before, after = said.split("[y/N]")[:2]
        expect("zone" not in before, f"who could know? {before}")
        for part in ('zone\x1b[0m: "b\\u202e"  (filled in by a rule)', "who\x1b[0m: filled in by a rule"):
            expect(part in after, f"the user was not shown {part!r}: {after}")
    with HttpServer(evaluate=tools(DANGER), invoke=[filled, RESULT]) as server:
        status, said = at_terminal(["y", "y"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (0, 2), said)


def test_a_tool_that_did_not_say_so_is_asked_about_when_the_server_does():
    with HttpServer(invoke=[ASKED, RESULT]) as server:
        status, said = at_terminal(["n"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (1, 1), said)
    with HttpServer(invoke=[ASKED, RESULT]) as server:
        status, said = at_terminal(["y"], "invoke", server.url, TOOL["macro_id"], "--arg", "label=x",
                                   "--confirm-key", KEY)
        equal((status, len(server.invocations)), (0, 2), said)


def test_a_token_that_is_refused_leads_back_to_the_user_once():  # P-ERR-11
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, INVALID, ASKED, RESULT]) as server:
        status, said = at_terminal(["y", "y"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (0, 4), said)
    again = [ASKED, INVALID, ASKED, INVALID, ASKED, RESULT]
    with HttpServer(evaluate=tools(DANGER), invoke=again) as server:
        status, said = at_terminal(["y", "y", "y"], *consent_words(server, "--confirm-key", KEY))
        equal(status, 1, said)
        expect(len(server.invocations) <= 5, "it goes on and on")


def refused_consent(reason):
    return error("confirmation_invalid", details={"macro_id": DANGER["macro_id"], "reason": reason})


def test_a_key_that_does_not_fit_is_not_asked_about_twice():
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, refused_consent("mismatch"), ASKED, RESULT]) as server:
        status, said = at_terminal(["y", "y"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations), said.count("[y/N]")), (1, 2, 1), said)
        expect("not that of the token" in said, said)


def test_what_became_of_an_approved_challenge_is_said():
    for reason, words in (("used", "It was used"), ("expired", "Its time is over"), ("mismatch", "approved by nobody yet")):
        with HttpServer(evaluate=tools(DANGER), invoke=[refused_consent(reason), ASKED, RESULT]) as server:
            ended(manglecp("invoke", server.url, DANGER["macro_id"], "--arg", "label=x", "--approved", "v1.1.n.t"), 1,
                  err=["confirmation_invalid", words])
            equal(len(server.invocations), 1)


def asks_within(n):
    """What a tool asks, that runs already, for the how manyth time."""
    show = {**SHOW, "question": f"Number {n}?", "action": "file_write", "inputs": {"path": "/a", "n": n}, "step": "next"}
    return error("confirmation_required", details={**ASKED["details"], "challenge": f"v1.{n}.nonce.tag", "show": show})


def test_what_a_tool_asks_while_it_runs_is_for_the_user_to_say():  # P-CONF-3
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, asks_within(1), asks_within(2), RESULT]) as server:
        status, said = at_terminal(["y", "y", "y"], *consent_words(server, "--confirm-key", KEY))
        equal((status, said.count("[y/N]")), (0, 3), said)
        expect("Number 1?" in said and "Number 2?" in said and "file_write" in said, said)
        equal([r.body["payload"].get("confirmation_token") for r in server.invocations],
              [None, *map(token_of, ("v1.123.nonce.tag", "v1.1.nonce.tag", "v1.2.nonce.tag"))], "tokens")
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, asks_within(1), RESULT]) as server:
        status, said = at_terminal(["y", "n"], *consent_words(server, "--confirm-key", KEY))
        equal((status, len(server.invocations)), (1, 2), said)
        expect("what it had done before is done" in said, said)


def test_what_a_tool_has_begun_is_never_begun_anew():
    for code in ("confirmation_invalid", "macro_not_found", "macro_expired"):
        with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, asks_within(1), error(code), RESULT]) as server:
            ended(invoke(server, "--confirm-key", KEY, "--yes"), 1, err=code)
            equal((len(server.intents), len(server.invocations)), (1, 3), code)
    with HttpServer(evaluate=tools(DANGER), invoke=asks_within(1)) as server:  # which asks without end
        ended(invoke(server, "--confirm-key", KEY, "--yes"), 1, err="confirmation_required")
        equal(len(server.invocations), 257)


def test_consent_without_a_key_confirms_nothing():
    with HttpServer(evaluate=tools(DANGER), invoke=[ASKED, RESULT]) as server:
        ended(invoke(server, "--yes"), 1, err=["confirmation_required", "--confirm-key"])
        equal(len(server.invocations), 1)


def test_a_key_that_is_none_is_refused_first():
    with HttpServer() as server:
        ended(invoke(server, "--confirm-key", "not base64url!"), 2, err="not base64url")
        equal(server.log, [])


# ---- what a client does without -------------------------------------------------------------------------------

def traffic(server):
    return [(r.method, r.path, {k: v for k, v in (r.body or {}).get("payload", {}).items() if k != "eval_time"})
            for r in server.log]


def test_metadata_and_coverage_are_not_needed():  # P-TOOL-20, P-COV-2
    rich = tools(tool(metadata={"score": 90, "selection_phase": "skeleton"}),
                 diagnostics={"facts_derived": 3, "rule_coverage": {"total_rules": 1}})
    seen = []
    for answer in (tools(TOOL), rich):
        with HttpServer(evaluate=answer) as server:
            ended(invoke(server), 0)
            seen.append(traffic(server))
    equal(seen[0], seen[1])


def serve_with_progress(io):
    io.send(manifest())
    while (request := io.read()):
        if request["type"] == "invoke_request":
            for id in ("nobody", request["id"]):
                io.send(envelope("progress", {"status": "started"}, id))
                io.send(envelope("progress", {"status": "running", "detail": "half", "percent": 50}, id))
        io.answer(request, default_answer(request))


def test_progress_is_not_needed_and_that_of_others_is_ignored():  # P-PROG-2, P-PROG-6
    for serve in (serve_with_progress, serve_open):
        with Child(serve) as child:
            ended(manglecp("invoke", "mark", "--intent", "work", "--arg", "label=x", *child.words), 0,
                  out="It is done.")


def serve_answers_of_others(io):
    io.send(manifest())
    request = io.read()
    io.send(envelope("intent_response", tools(tool(name="of_another")), "somebody"))
    io.send(envelope("error", error("internal_error", False), None))
    io.answer(request, tools(TOOL))
    io.default()


def test_answers_to_others_are_ignored():
    with Child(serve_answers_of_others) as child:
        ran = manglecp("intent", "work", *child.words)
        ended(ran, 0, out="mark")
        expect("of_another" not in ran.out, ran.out)


def serve_twice(io):
    io.send(manifest())
    while (request := io.read()):
        first = default_answer(request)
        io.answer(request, first)
        io.answer(request, error("internal_error", False))  # P-CONC-10 forbids it
        io.answer(request, first)


def test_a_second_terminal_message_is_for_nobody():
    with Child(serve_twice) as child:
        ended(manglecp("invoke", "mark", "--intent", "work", "--arg", "label=x", *child.words), 0, out="It is done.")
        equal(child.types, ["intent_request", "invoke_request"])


def serve_late(io):
    io.listen(1.5)
    io.send(manifest())
    io.default()


def test_nothing_is_sent_before_the_manifest():  # P-WS-2, on a session
    with Child(serve_late) as child:
        ended(manglecp("intent", "work", *child.words), 0)
        equal(child.types, ["intent_request"])


def test_every_request_says_what_it_is():  # P-ENV-5, P-ENV-7, P-HTTP-5, P-HTTP-6, P-HTTP-7
    with HttpServer() as server:
        ended(invoke(server), 0)
        for request in server.intents + server.invocations:
            equal(request.body["manglecp"], "2026-02-draft")
            equal(request.headers["content-type"], "application/json")
            equal(request.headers["accept"], "application/json")
            expect(request.body["id"].startswith("c-"), request.body["id"])


# ---- following what the server suggests --------------------------------------------------------------------------

CHANGED = {
    "result": {"done": True},
    "state_delta": {"retract": [{"pred": "noted", "args": ["a", None]}],
                    "assert": [{"pred": "seen", "args": ["news"], "category": "derived",
                                "source": {"source_type": "server"}}]},
    "observability": {"summary": "It changed."},
    "next": {"suggested_intents": [{"name": "work", "params": {"step": 2}, "description": "Go on"}],
             "continuation_facts": [{"pred": "seen", "args": ["for now"]}]},
}


def test_a_suggestion_is_followed_with_what_is_to_go_along():  # P-NEXT-5, P-PROV-9, P-PROV-10, P-DELTA-6
    with HttpServer(invoke=CHANGED) as server:
        ran = manglecp("walk", server.url, "--intent", "work", "--arg", "label=x", "--fact", NOTED,
                       "--fact", '{"pred":"noted","args":["b",1]}')
        ended(ran, 0, out="retracts 1, asserts 1; it now holds 2 facts")
        second = server.intents[1].body["payload"]
        equal(second["intent"], {"name": "work", "params": {"step": 2}})
        equal(second["facts"], [{"pred": "noted", "args": ["b", 1]},
                                {"pred": "seen", "args": ["news"], "source": {"source_type": "server"}},
                                {"pred": "seen", "args": ["for now"]}])


def test_effects_that_are_not_complete_are_said_to_be():
    answer = {**RESULT, "effects_complete": False}
    answer["observability"] = {"summary": "It ran.", "warnings": [
        {"code": "effects_incomplete", "message": "A rule could not be evaluated."}]}
    with HttpServer(invoke=answer) as server:
        ended(invoke(server), 0, out=["the effects are not complete", "A rule could not be evaluated."])


sys.exit(run(globals()))

"""What the client sends over HTTP, and how it calls tools: facts, ids, tools whose time is over, consent."""

import base64
import hashlib
import hmac

from fake_http import *

FACT = manglecp.fact("need", "x")


async def first_tool(c, intent="plain", **settings):
    return (await c.evaluate(intent, **settings)).tools[0]


# ---- what is sent ----------------------------------------------------------------------------


async def test_only_the_facts_that_an_intent_has_a_use_for_are_sent(api):
    with FakeHttp() as server:
        async with await api.connect(server.url, options()) as c:
            c.facts.add(
                *[manglecp.fact("secret", f"marker-{n}") for n in range(98)], FACT, manglecp.fact("extra", 1)
            )
            await c.evaluate("needy")
            await c.evaluate("plain")
            await c.evaluate("never_listed", unlisted=True)
        sent = [[f["pred"] for f in m["payload"]["facts"]] for m in server.script.of("intent_request")]
        equal(sent, [["need", "extra"], [], []], "facts")  # P-MIN-1, P-MIN-2, P-MIN-3
        expect(b"marker-" not in b"".join(r.body for r in server.posts()), "a secret was sent")
        for m in server.script.of("intent_request"):
            expect(m["payload"]["eval_time"].endswith("Z"), "no eval_time")  # P-TIME-12


async def test_no_more_facts_and_bytes_than_the_manifest_allows(api):
    with FakeHttp(
        manifests=[manifest(limits={"max_message_bytes": 2000, "max_facts_per_request": 3, "max_derived_facts": 1})]
    ) as server:
        async with await api.connect(server.url, options()) as c:
            c.facts.add(FACT, *[manglecp.fact("extra", n) for n in range(10)])
            e = await raises(manglecp.InvalidRequest, c.evaluate("needy"))
            equal([f.issue for f in e.faults], ["too_many_facts"], "faults")  # P-MAN-26
            c.facts.clear()
            e = await raises(
                manglecp.InvalidRequest, c.evaluate("needy", facts=[FACT, manglecp.fact("extra", "x" * 3000)])
            )
            equal([f.issue for f in e.faults], ["message_too_large"], "faults")
        equal(server.posts(), [], "requests")


async def test_a_derived_fact_is_told_again_as_the_clients_own(api):
    derived = {"pred": "need", "args": ["y"], "category": "derived", "source": {"source_type": "derived"}}
    with FakeHttp(Script(invoke_request=lambda r: done(r, state_delta={"assert": [derived]}))) as server:
        async with await api.connect(server.url, options()) as c:
            result = await c.invoke(await first_tool(c))
            c.apply(result)
            await c.evaluate("needy")
        last = server.script.of("intent_request")[-1]["payload"]["facts"]
        equal(
            last, [{"pred": "need", "args": ["y"], "source": {"source_type": "derived"}}], "facts"
        )  # P-PROV-9, P-PROV-10


async def test_a_suggestion_is_followed_with_its_facts(api):
    following = {
        "suggested_intents": [{"name": "needy", "params": {"p": 1}, "description": "d"}],
        "continuation_facts": [
            {"pred": "need", "args": ["z"], "category": "server"},
            {"pred": "extra", "args": [1]},
        ],
    }
    with FakeHttp(Script(invoke_request=lambda r: done(r, next=following))) as server:
        async with await api.connect(server.url, options()) as c:
            c.facts.add(manglecp.fact("extra", 1))
            result = await c.invoke(await first_tool(c))
            await c.follow(result.suggestion("needy"))
        payload = server.script.of("intent_request")[-1]["payload"]
        equal(payload["intent"], {"name": "needy", "params": {"p": 1}}, "intent")  # P-NEXT-3
        equal(
            payload["facts"], [{"pred": "need", "args": ["z"]}, {"pred": "extra", "args": [1]}], "facts"
        )  # P-NEXT-5, D-49


async def test_a_change_that_is_not_whole_is_told_to_the_caller(api):
    told = {
        "effects_complete": False,
        "state_delta": {"assert": [{"pred": "need", "args": ["y"], "category": "server"}]},
        "observability": {"summary": "s", "warnings": [{"code": "effects_incomplete", "message": "a rule failed"}]},
    }
    with FakeHttp(Script(invoke_request=lambda r: done(r, **told))) as server:
        async with await api.connect(server.url, options()) as c:
            result = await c.invoke(await first_tool(c))
            equal((result.effects_complete, result.warnings), (False, ("a rule failed",)), "result")
            applied = c.apply(result)
            equal((applied.complete, applied.asserted, applied.warnings), (False, 1, ("a rule failed",)), "applied")


async def test_a_result_that_breaks_its_schema_is_reported_and_returned(api):
    odd = tool(output_schema={"type": "object", "required": ["count"]})
    with FakeHttp(Script(intent_request=lambda r: offers(r, odd))) as server:
        async with await api.connect(server.url, options()) as c:
            result = await c.invoke(await first_tool(c))
        equal([(f.where, f.issue) for f in result.output_faults], [("/result", "required")], "faults")  # P-INV-10


async def test_tools_without_metadata_serve_as_well(api):
    with FakeHttp(
        Script(intent_request=lambda r: offers(r, tool(), tool("other", metadata={"score": 1})))
    ) as server:
        async with await api.connect(server.url, options()) as c:
            evaluation = await c.evaluate("plain")
            for found in evaluation:
                await c.invoke(found)
        a, b = (m["payload"] for m in server.script.of("invoke_request"))
        equal(set(a), set(b), "members")  # P-TOOL-20


async def test_ids_and_keys_are_never_used_twice(api):
    with FakeHttp() as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            for n in range(150):
                await (c.invoke(found) if n % 2 else c.evaluate("plain"))
        ids = [m["id"] for _, m in server.script.seen]
        equal(len(set(ids)), len(ids), "different ids")  # P-ENV-4
        numbers = [int(i.split("-")[1]) for i in ids]
        equal(numbers, sorted(numbers), "ids rise")  # P-ENV-5
        keys = [m["extensions"]["x-idempotency-key"] for m in server.script.of("invoke_request")]
        equal(len(set(keys)), len(keys), "different keys")


async def test_extensions_go_beside_the_payload(api):
    with FakeHttp() as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain", extensions={"x-traceparent": "00-1-2-3"})
            await raises(manglecp.InvalidRequest, c.evaluate("plain", extensions={"traceparent": "x"}))
        equal(server.posts()[0].message["extensions"], {"x-traceparent": "00-1-2-3"}, "extensions")


# ---- tools whose time is over, or that need consent --------------------------------------------


async def test_a_forgotten_tool_is_evaluated_again_once(api):
    for code in ("macro_not_found", "macro_expired"):
        script = Script(invoke_request=[lambda r: error(r, code), done])
        with FakeHttp(script) as server:
            async with await api.connect(server.url, options()) as c:
                await c.invoke(await first_tool(c))
        equal(script.types(), ["intent_request", "invoke_request"] * 2, "requests")  # P-CACHE-6, P-ERR-11
        script = Script(invoke_request=lambda r: error(r, code))
        with FakeHttp(script) as server:
            async with await api.connect(server.url, options()) as c:
                found = await first_tool(c)
                equal((await raises(manglecp.Refused, c.invoke(found))).code, code, "code")
        equal(script.types(), ["intent_request", "invoke_request"] * 2, "requests")


async def test_a_tool_that_is_not_offered_any_more_is_gone(api):
    script = Script(
        intent_request=[lambda r: offers(r, tool()), lambda r: offers(r, tool("other"))],
        invoke_request=lambda r: error(r, "macro_not_found"),
    )
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.ToolGone, c.invoke(await first_tool(c)))
        equal([t.name for t in e.evaluation], ["other"], "tools of the fresh evaluation")
        equal(len(script.of("invoke_request")), 1, "invocations")


async def test_an_expired_tool_is_evaluated_again_before_it_is_sent(api):
    old = tool(validity={"expires_at": "2026-07-04T06:00:00Z"})
    fresh = tool(macro_id="act-ffffffffffff", input_schema={"type": "object", "properties": {"n": {"maximum": 5}}})
    script = Script(intent_request=[lambda r: offers(r, old), lambda r: offers(r, fresh)])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            e = await raises(manglecp.InvalidRequest, c.invoke(found, {"n": 9}))
            equal([(f.where, f.issue) for f in e.faults], [("/args/n", "maximum")], "faults of the fresh schema")
            await c.invoke(found, {"n": 5})
        equal(script.types(), ["intent_request"] * 3 + ["invoke_request"], "requests")  # P-TOOL-18
        equal(script.seen[-1][1]["payload"]["macro_id"], "act-ffffffffffff", "macro_id")


async def test_a_tool_that_is_a_moment_early_is_waited_for_once(api):
    early = lambda r: error(r, "macro_expired", details={"reason": "not_yet_valid"}, retry_after_ms=300)
    script = Script(invoke_request=[early, done])
    with FakeHttp(script) as server, takes(0.3, 5):
        async with await api.connect(server.url, options()) as c:
            await c.invoke(await first_tool(c))
        equal(script.types(), ["intent_request", "invoke_request", "invoke_request"], "requests")
        expect(script.gaps("invoke_request")[0] >= 0.3, "it did not wait")
    script = Script(invoke_request=early)  # still too early: evaluated again, once, and no more waiting
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            await raises(manglecp.Refused, c.invoke(await first_tool(c)))
    equal(script.types(), ["intent_request"] + ["invoke_request"] * 2 + ["intent_request", "invoke_request"], "requests")


KEY = b"a key of the confirming program!"


def challenges(request, **changes):
    """As a server does: a challenge without a token, otherwise the run if the signature is right."""
    token = request["payload"].get("confirmation_token")
    if token is None:
        shown_args = changes.get("args", request["payload"]["args"])
        return error(
            request,
            "confirmation_required",
            details={
                "macro_id": request["payload"]["macro_id"],
                "side_effects": changes.get("side_effects", ["destructive"]),
                "reversible": False,
                "challenge": f"v1.1.{request['id']}.tag",
                "show": {
                    "tool": "act",
                    "description": "Does act.",
                    "args": shown_args,
                    "bound": changes.get("bound", []),
                },
            },
        )
    challenge, tag = token.rsplit(".", 1)
    mac = base64.urlsafe_b64encode(hmac.new(KEY, challenge.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    return done(request) if tag == mac else error(request, "confirmation_invalid", details={"reason": "mismatch"})


async def test_nothing_is_sent_before_the_user_agreed(api):
    asked = []
    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=challenges)

    def consent(answers):
        return lambda q: (asked.append((q, len(script.of("invoke_request")))), answers.pop(0))[1]

    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            await raises(manglecp.ConsentUnavailable, c.invoke(found, {"n": 1}))
        async with await api.connect(server.url, options(consent=consent([False, "yes"]), confirm_key=KEY)) as c:
            await raises(manglecp.ConsentDeclined, c.invoke(found, {"n": 1}))
            await raises(manglecp.ConsentDeclined, c.invoke(found, {"n": 1}))  # only True is a yes
        equal(script.of("invoke_request"), [], "invocations")  # P-CONF-3
        traced = []
        settings = options(consent=consent([True]), confirm_key=KEY, trace=lambda way, m: traced.append((way, m)))
        async with await api.connect(server.url, settings) as c:
            await c.invoke(found, {"n": 1})
        expect("confirmation_token': '...'" in repr(traced), "the token is in the trace")
        first, second = script.of("invoke_request")
        equal([sent for _, sent in asked], [0, 0, 0], "invocations sent when the user was asked")  # P-TOOL-15
        equal(first["extensions"], second["extensions"], "key")
        q = asked[-1][0]
        equal((q.tool, q.side_effects, q.reversible, q.args), ("act", ("destructive",), False, {"n": 1}), "shown")


async def test_whoever_is_asked_cannot_change_what_is_sent(api):
    def consent(question):
        question.args["n"] = 99
        return True

    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=challenges)
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(consent=consent, confirm_key=KEY)) as c:
            await c.invoke(await first_tool(c), {"n": 1})
    equal([m["payload"]["args"] for m in script.of("invoke_request")], [{"n": 1}] * 2, "arguments")


async def test_arguments_are_an_object(api):
    with FakeHttp() as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            circle = {}
            circle["n"] = circle
            for args in ([], [1], "x", {"n": {1, 2}}, {"n": float("nan")}, {1: 2}, circle):
                await raises(manglecp.InvalidRequest, c.invoke(found, args))
        equal(server.script.of("invoke_request"), [], "invocations")


async def test_what_the_server_shows_beyond_what_the_user_saw_is_asked_again(api):
    for changes in ({"args": {"n": 2}}, {"side_effects": ["destructive", "payments"]}):
        asked = []
        script = Script(
            intent_request=lambda r: offers(r, tool(safety=ASKING)),
            invoke_request=lambda r: challenges(r, **changes),
        )
        with FakeHttp(script) as server:
            settings = options(consent=lambda q: (asked.append(q), len(asked) == 1)[1], confirm_key=KEY)
            async with await api.connect(server.url, settings) as c:
                await raises(manglecp.ConsentDeclined, c.invoke(await first_tool(c), {"n": 1}))
        equal(len(asked), 2, "questions")
        equal(len(script.of("invoke_request")), 1, "invocations")


async def test_defaults_that_the_server_filled_in_are_no_news(api):
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer", "default": 7}}}
    asked = []
    script = Script(
        intent_request=lambda r: offers(r, tool(safety=ASKING, input_schema=schema)),
        invoke_request=lambda r: challenges(r, args={"m": 7, "n": 1}),
    )
    with FakeHttp(script) as server:
        async with await api.connect(
            server.url, options(consent=lambda q: asked.append(q) or True, confirm_key=KEY)
        ) as c:
            await c.invoke(await first_tool(c), {"n": 1})
    equal(len(asked), 1, "questions")


async def test_a_tool_that_asks_only_when_called_asks_the_user_then(api):
    asked = []
    script = Script(invoke_request=challenges)
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(confirm_key=KEY)) as c:
            await raises(manglecp.ConsentUnavailable, c.invoke(await first_tool(c)))
        async with await api.connect(
            server.url, options(consent=lambda q: asked.append(q) or True, confirm_key=KEY)
        ) as c:
            await c.invoke(await first_tool(c))
    equal([q.side_effects for q in asked], [("destructive",)], "questions")


async def test_a_refused_confirmation_asks_the_user_again_and_ends(api):
    asked = []
    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=challenges)
    with FakeHttp(script) as server:
        settings = options(consent=lambda q: asked.append(q) or True, confirm_key=b"another key")
        async with await api.connect(server.url, settings) as c:
            e = await raises(manglecp.Refused, c.invoke(await first_tool(c)))
    equal((e.code, len(asked)), ("confirmation_invalid", 2), "error and questions")
    equal(len(script.of("invoke_request")), 4, "invocations")


async def test_a_person_elsewhere_can_approve(api):
    approved = []
    script = Script(
        intent_request=lambda r: offers(r, tool(safety=ASKING)),
        invoke_request=lambda r: done(r) if r["payload"].get("confirmation_token") else challenges(r),
    )
    with FakeHttp(script) as server:
        settings = options(
            consent=lambda q: True, approve=lambda challenge, details: approved.append(challenge) or True
        )
        async with await api.connect(server.url, settings) as c:
            await c.invoke(await first_tool(c))
        equal(
            [m["payload"].get("confirmation_token") for m in script.of("invoke_request")],
            [None, *approved],
            "tokens",
        )
        async with await api.connect(server.url, options(consent=lambda q: True, approve=lambda *_: False)) as c:
            await raises(manglecp.ConsentDeclined, c.invoke(await first_tool(c)))
        async with await api.connect(server.url, options(consent=lambda q: True)) as c:
            e = await raises(manglecp.Refused, c.invoke(await first_tool(c)))
            expect("challenge" in e.details, "no challenge to have approved")
            await c.invoke(await first_tool(c), approved=e.details["challenge"])


async def test_what_rules_filled_in_is_shown_before_it_is_agreed_to(api):
    asked = []
    bound = [{"name": "zone", "value": "b\u202e"}, {"name": "who"}]
    script = Script(
        intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=lambda r: challenges(r, bound=bound)
    )
    with FakeHttp(script) as server:
        settings = options(consent=lambda q: asked.append(q) or len(asked) < 2, confirm_key=KEY)
        async with await api.connect(server.url, settings) as c:
            await raises(manglecp.ConsentDeclined, c.invoke(await first_tool(c)))
    equal([q.bound for q in asked], [(), tuple(bound)], "what was shown")  # P-CONF-3
    equal(len(script.of("invoke_request")), 1, "invocations")
    expect('zone = "b\\u202e", filled in by a rule\n  who, filled in by a rule' in str(asked[1]), str(asked[1]))


def asking(request, *ends):
    """As a server does whose tool asks before each of three actions; `ends`: what comes instead of its end."""
    token = request["payload"].get("confirmation_token")
    n = int(token.split(".")[2]) if token else 0
    if n == 3:
        return ends[0](request) if ends else done(request)
    show = {"tool": "act", "description": "Does act.", "args": {}, "bound": []}
    within = {"question": f"Number {n + 1}?", "action": "file_write", "inputs": {"path": "/a", "n": n}, "step": "next"}
    return error(
        request,
        "confirmation_required",
        details={
            "macro_id": request["payload"]["macro_id"],
            "side_effects": ["destructive"],
            "reversible": False,
            "challenge": f"v1.1.{n + 1}.tag",
            "show": {**show, **within},
        },
    )


async def test_what_a_tool_asks_while_it_runs_is_for_the_user_to_say(api):
    asked = []
    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=asking)
    with FakeHttp(script) as server:
        settings = options(consent=lambda q: asked.append(q) or True, confirm_key=KEY)
        async with await api.connect(server.url, settings) as c:
            await c.invoke(await first_tool(c))
    equal([q.question for q in asked], [None, "Number 1?", "Number 2?", "Number 3?"], "questions")  # P-CONF-3
    equal((asked[2].action, asked[2].inputs), ("file_write", {"path": "/a", "n": 1}), "what it would run")
    expect("asks: Number 2?" in str(asked[2]) and 'would run file_write with\n  path = "/a"' in str(asked[2]), str(asked[2]))
    sent = script.of("invoke_request")
    equal(len({json.dumps(m["extensions"]) for m in sent}), 1, "keys")
    equal([(m["payload"].get("confirmation_token") or ".." * 3).split(".")[2] for m in sent], ["", "1", "2", "3"], "tokens")


async def test_what_a_tool_has_begun_is_never_begun_anew(api):
    for code in ("confirmation_invalid", "macro_not_found", "macro_expired"):
        script = Script(invoke_request=lambda r: asking(r, lambda r: error(r, code)))
        with FakeHttp(script) as server:
            async with await api.connect(server.url, options(consent=lambda q: True, confirm_key=KEY)) as c:
                e = await raises(manglecp.Refused, c.invoke(await first_tool(c)))
        equal((e.code, script.types()), (code, ["intent_request"] + ["invoke_request"] * 4), "requests")
    script = Script(invoke_request=asking)
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(consent=lambda q: False, confirm_key=KEY)) as c:
            e = await raises(manglecp.ConsentDeclined, c.invoke(await first_tool(c)))
    expect("what it had done before is done" in str(e), str(e))
    script = Script(invoke_request=lambda r: asking({**r, "payload": {"macro_id": r["payload"]["macro_id"]}}))
    with FakeHttp(script) as server:  # which asks without end
        async with await api.connect(server.url, options(consent=lambda q: True, confirm_key=KEY)) as c:
            await raises(manglecp.Refused, c.invoke(await first_tool(c)))
    equal(len(script.of("invoke_request")), 257, "requests")


async def test_a_lost_answer_may_have_been_what_it_asks(api):
    lost = iter([False, True])  # the answer to the second question
    first = lambda r: FakeHttp.CLOSE if r["payload"].get("confirmation_token") and next(lost, False) else asking(r)
    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=first)
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(consent=lambda q: True, confirm_key=KEY)) as c:
            e = await raises(manglecp.Indeterminate, c.invoke(await first_tool(c)))
            again = await raises(manglecp.Refused, c.resume(e))  # it runs, and waits
            equal((again.code, again.details["show"]["question"]), ("confirmation_required", "Number 3?"), "told")
            lost = iter([True])
            await c.invoke(await first_tool(c), resume=True)
    sent = script.of("invoke_request")
    equal(len({json.dumps(m["extensions"]["x-idempotency-key"]) for m in sent}), 2, "keys")
    only = [m["payload"]["confirmation_token"].split(".")[2] for m in sent if "x-idempotency-only" in m["extensions"]]
    equal(only, ["2", "1"], "asked for alone")


# ---- dry runs, and tools that are absent ---------------------------------------------------

PLAN = {"tool": "act", "macro_id": "act-0123456789ab", "args": {}, "bound": [], "steps": []}


async def test_a_dry_run_is_sent_only_to_who_knows_of_it(api):
    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)))
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.InvalidRequest, c.invoke(await first_tool(c), dry_run=True, resume=True))
            equal([f.issue for f in e.faults], ["resume", "unsupported"], "faults")
    equal(script.of("invoke_request"), [], "invocations")
    script.answers["invoke_request"] = [
        lambda r: answer(r, "invoke_response", {"result": {}}, extensions={"x-dry-run": PLAN}),
        done,
        lambda r: challenges(r),
        Raw(lambda s, q: FakeHttp.CLOSE),
    ]
    with FakeHttp(script, [manifest(extensions={"x-dry-run": True})]) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            result = await c.invoke(found, dry_run=True)
            equal((result.plan, result.result, result.replayed), (PLAN, {}, False), "result")
            await raises(manglecp.ProtocolError, c.invoke(found, dry_run=True))  # it does not say that it was one
            await raises(manglecp.Refused, c.invoke(found, dry_run=True))  # nobody is asked
            await raises(manglecp.ConnectionLost, c.invoke(found, dry_run=True))  # and nothing is left open
    equal({json.dumps(m["extensions"]) for m in script.of("invoke_request")}, {'{"x-dry-run": true}'}, "extensions")


async def test_why_a_tool_is_absent_is_asked_once(api):
    why = [{"tool": "act", "selected": False, "reasons": [], "changes": [], "search": {"complete": True}}]
    script = Script(
        intent_request=lambda r: {**offers(r, tool()), "extensions": {"x-why-not": why + [1]}},
        invoke_request=[lambda r: error(r, "macro_expired"), done],
    )
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            found = await c.evaluate("plain", why_not=["act"], proofs=True)
            equal(found.why_not, tuple(why), "why not")
            await c.invoke(found.tools[0])
            equal((await c.evaluate("plain")).why_not, None, "what nobody asked")
            e = await raises(manglecp.InvalidRequest, c.evaluate("plain", why_not="act"))
            equal([f.where for f in e.faults], ["/extensions/x-why-not"], "faults")
    sent = script.of("intent_request")
    equal([m.get("extensions") for m in sent], [{"x-why-not": ["act"]}, None, None], "extensions")
    equal(sent[0]["payload"]["options"], {"include_proof_hints": True}, "options")


async def test_agreement_to_one_tool_does_not_cover_another(api):
    asked = []
    script = Script(
        intent_request=[
            lambda r: offers(r, tool(safety=ASKING)),
            lambda r: offers(r, tool(macro_id="act-ffffffffffff", safety=ASKING)),
        ],
        invoke_request=[lambda r: error(r, "macro_not_found"), challenges],
    )
    with FakeHttp(script) as server:
        settings = options(consent=lambda q: asked.append(q.macro_id) or len(asked) == 1, confirm_key=KEY)
        async with await api.connect(server.url, settings) as c:
            await raises(manglecp.ConsentDeclined, c.invoke(await first_tool(c)))
    equal(asked, ["act-0123456789ab", "act-ffffffffffff"], "questions")
    equal(len(script.of("invoke_request")), 1, "invocations")


async def test_callbacks_may_be_coroutines():
    async def consent(question):
        await asyncio.sleep(0)
        return True

    async def token():
        return "from afar"

    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)), invoke_request=challenges)
    with FakeHttp(script) as server:
        settings = options(consent=consent, confirm_key=KEY, token=token)
        async with await Asyncio.connect(server.url, settings) as c:
            await c.invoke(await first_tool(c))
        equal({r.headers["authorization"] for r in server.posts()}, {"Bearer from afar"}, "headers")
        await raises(TypeError, Blocking.connect(server.url, settings))


async def test_many_requests_at_once_share_a_few_connections():
    def slow(request):
        time.sleep(0.05)
        return offers(request, tool(request["payload"]["intent"]["params"]["n"]))

    script = Script()
    script.answers["intent_request"] = Raw(lambda s, q: s.sendall(response(slow(q.message))))
    with FakeHttp(script) as server:
        async with await Asyncio.connect(server.url, options()) as c:
            found = await asyncio.gather(*[c.evaluate("plain", {"n": f"t{n}"}) for n in range(40)])
        equal([e.tools[0].name for e in found], [f"t{n}" for n in range(40)], "tools")
        expect(server.connections <= 8, f"{server.connections} connections")


async def test_a_client_may_be_used_from_several_threads():
    with FakeHttp() as server, manglecp.connect(server.url, options()) as client:
        faults = []

        def use():
            try:
                for _ in range(20):
                    client.invoke(client.evaluate("plain").tools[0])
            except Exception as e:
                faults.append(e)

        threads = [threading.Thread(target=use) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        equal(faults, [], "faults")
        equal(len(server.script.of("invoke_request")), 80, "invocations")


run(globals())

"""The client over stdio and WebSocket, before servers that misbehave in each their way."""

from fake_session import *

BOOTING, DRAINING = manifest(status="booting"), manifest(status="draining")
GUARDED = manifest(auth={"required": True, "schemes": ["bearer"]})


def later(seconds, *messages):
    """A greeting that comes late."""
    return Raw(lambda c, _: (time.sleep(seconds), c.send(*messages)))


async def settled(condition, seconds=3):
    """Waits without holding up the event loop."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        await asyncio.sleep(0.01)
    return condition()


async def first_tool(c):
    return (await c.evaluate("plain")).tools[0]


# ---- the beginning ---------------------------------------------------------------------------


async def test_nothing_is_sent_before_the_manifest(api, via):
    with FakeSession(via.wire, greetings=[later(1.2, GUARDED)]) as server:
        async with await via.open(api, server, options(token="t")) as c:
            await c.evaluate("plain")
        first = server.last().received[0]
        equal(first[1]["type"], "authenticate", "first message")  # P-AUTH-6
        expect(first[0] >= 1.1, f"it was sent after {first[0]:.2f} s")  # P-WS-2


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(api, via):
    with FakeSession(via.wire, greetings=[Raw(lambda c, _: None)]) as server, takes(0.3, 3):
        e = await raises(manglecp.TimedOut, via.open(api, server, options(manifest_timeout=0.4)))
        expect("manifest" in str(e), str(e))
        expect(
            await settled(lambda: all(c.ended.is_set() for c in server.connections)), "the connection was left open"
        )


async def test_a_beginning_that_is_no_manifest_is_refused(api, via):
    beginnings = [
        b"hello",
        b"[]",
        b'{"type":"manifest","id":null,"manglecp":"1999","payload":{}}',
        {"type": "progress", "id": None, "manglecp": VERSION, "payload": {}},
        manifest(status="asleep"),
        b"\xff\xfe" if via is Stdio else b"\x00",
    ]
    for greeting in beginnings:
        with FakeSession(via.wire, greetings=[greeting]) as server:
            await raises(manglecp.ProtocolError, via.open(api, server, options()))


async def test_an_end_instead_of_a_manifest_is_a_lost_connection(api, via):
    with FakeSession(via.wire, greetings=[Raw(lambda c, _: c.cut())]) as server:
        await raises(manglecp.ConnectionLost, via.open(api, server, options()))


async def test_credentials_come_before_the_first_intent(api, via):
    with FakeSession(via.wire, greetings=[GUARDED]) as server:
        async with await via.open(api, server, options(token="the-token")) as c:
            equal(c.identity.identity, "me", "identity")
            await c.evaluate("plain")
        equal(server.last().types(), ["authenticate", "intent_request"], "messages")
        equal(server.last().received[0][1]["payload"], {"scheme": "bearer", "token": "the-token"}, "payload")
    with FakeSession(via.wire, greetings=[GUARDED]) as server:
        async with await via.open(api, server, options()) as c:
            await raises(manglecp.LoginNeeded, c.evaluate("plain"))
        equal(server.last().types(), [], "messages")


async def test_refused_credentials_are_told_and_renewed_once(api, via):
    script = Script(authenticate=[lambda r: error(r, "auth_invalid"), Script().answers["authenticate"]])
    tokens = iter(["old", "new"])
    with FakeSession(via.wire, script, [GUARDED]) as server:
        async with await via.open(api, server, options(token=lambda: next(tokens))) as c:
            await c.evaluate("plain")
        equal([m["payload"]["token"] for m in script.of("authenticate")], ["old", "new"], "tokens")
    with FakeSession(via.wire, Script(authenticate=lambda r: error(r, "auth_invalid")), [GUARDED]) as server:
        e = await raises(manglecp.Refused, via.open(api, server, options(token="fixed")))
        equal(e.code, "auth_invalid", "code")


async def test_a_login_that_the_server_has_ended_is_repeated_once(api, via):  # P-ERR-11: log in, repeat
    forgets = [lambda r: error(r, "auth_required"), lambda r: offers(r, tool())]
    forgets_again = [lambda r: error(r, "auth_required"), done]
    script = Script(intent_request=forgets, invoke_request=forgets_again)
    greeting = GUARDED
    with FakeSession(via.wire, script, greetings=[greeting]) as server:
        async with await via.open(api, server, options(token="t")) as c:
            await c.invoke((await c.evaluate("plain")).tools[0])
        wanted = ["authenticate", "intent_request"] * 2 + ["invoke_request", "authenticate", "invoke_request"]
        equal(server.last().types(), wanted, "requests")
    with FakeSession(via.wire, Script(intent_request=lambda r: error(r, "auth_required")), [greeting]) as server:
        async with await via.open(api, server, options(token="t")) as c:
            await raises(manglecp.Refused, c.evaluate("plain"))
        equal(server.last().types(), ["authenticate", "intent_request"] * 2, "requests")


async def test_the_trace_shows_everything_but_the_token(api, via):
    seen = []
    with FakeSession(via.wire, greetings=[GUARDED]) as server:
        settings = options(token="the-token", trace=lambda way, m: seen.append((way, m)))
        async with await via.open(api, server, settings) as c:
            await c.evaluate("plain")
    equal(
        [(way, m["type"]) for way, m in seen],
        [
            ("in", "manifest"),
            ("out", "authenticate"),
            ("in", "authenticate_response"),
            ("out", "intent_request"),
            ("in", "intent_response"),
        ],
        "trace",
    )
    expect("the-token" not in repr(seen), "the token is in the trace")


# ---- being ready -----------------------------------------------------------------------------


async def test_a_booting_server_is_waited_for_in_silence(api, via):
    boots = Raw(lambda c, _: (c.send(BOOTING), time.sleep(0.8), c.send(manifest())))
    with FakeSession(via.wire, greetings=[boots]) as server:
        async with await via.open(api, server, options()) as c:
            await c.evaluate("plain")
        when, message = server.last().received[0]
        equal(message["type"], "intent_request", "first message")
        expect(when >= 0.75, f"it was sent after {when:.2f} s")  # P-READY-1, P-READY-4
    with FakeSession(via.wire, greetings=[BOOTING]) as server, takes(0.3, 3):
        async with await via.open(api, server, options(ready_timeout=0.4)) as c:
            await raises(manglecp.NotReady, c.evaluate("plain"))
        equal(server.last().types(), [], "messages")


async def test_a_manifest_that_says_draining_counts_at_once(api, via):
    with FakeSession(via.wire) as server:
        async with await via.open(api, server, options()) as c:
            found = await first_tool(c)
            server.last().send(DRAINING)
            time.sleep(0.1)  # it lies there unread
            await raises(manglecp.NotReady, c.invoke(found))
            await raises(manglecp.NotReady, c.evaluate("plain"))
            equal(server.last().types(), ["intent_request"], "messages")  # P-MAN-31, P-READY-8
            server.last().send(manifest())
            time.sleep(0.1)
            await c.invoke(found)


async def test_draining_while_a_request_waits_to_be_repeated_stops_it(api, via):
    def busy(c, message):
        c.send(error(message, "rate_limited", retry_after_ms=300), DRAINING)

    with FakeSession(via.wire, Script(intent_request=Raw(busy))) as server:
        async with await via.open(api, server, options()) as c:
            await raises(manglecp.NotReady, c.evaluate("plain"))
        equal(server.last().types(), ["intent_request"], "messages")  # P-READY-8


async def test_the_newest_manifest_replaces_the_others(api, via):
    with FakeSession(via.wire) as server:
        async with await via.open(api, server, options()) as c:
            await c.evaluate("plain")
            server.last().send(manifest(intents=[{"name": "other", "description": "o"}]))
            time.sleep(0.1)
            await raises(manglecp.InvalidRequest, c.evaluate("plain"))  # P-MAN-31
            await c.evaluate("other")


# ---- requests and answers ----------------------------------------------------------------------


async def test_what_nobody_waits_for_is_ignored(api, via):
    def noisy(c, message):
        c.send(
            {**answer(message, "progress", {"status": "running"}), "id": "made-up"},  # P-PROG-6
            {**done(message), "id": "c-999"},
            {**error(message, "internal_error"), "id": "c-1000"},
            {**answer(message, "novelty", {}), "id": None},
            answer(message, "progress", {"status": "started", "percent": 0}),
            answer(message, "progress", {"status": "running", "percent": 40.5, "detail": "half"}),
            answer(message, "progress", {"status": 7, "percent": "much", "detail": 8}),
            done(message, {"n": 1}),
            done(message, {"n": 2}),
        )

    told = []
    with FakeSession(via.wire, Script(invoke_request=Raw(noisy))) as server:
        async with await via.open(api, server, options()) as c:
            result = await c.invoke(await first_tool(c), on_progress=told.append)
            equal(result.result, {"n": 1}, "result")
            equal([(p.percent, p.detail) for p in told], [(0, None), (40.5, "half"), (None, None)], "progress")
            await c.evaluate("plain")  # P-PROG-2: and without any it works as well


async def test_an_error_without_an_id_belongs_to_the_only_request(api, via):
    script = Script(intent_request=[lambda r: error(r, "message_too_large", id=None), lambda r: offers(r)])
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options()) as c:
            equal((await raises(manglecp.Refused, c.evaluate("plain"))).code, "message_too_large", "code")
            await c.evaluate("plain")


async def test_garbage_ends_the_session_and_the_next_call_begins_a_new_one(api, via):
    script = Script(invoke_request=[Raw(lambda c, m: c.send(b"{nonsense")), done])
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options()) as c:
            found = await first_tool(c)
            await raises(manglecp.Indeterminate, c.invoke(found))
            await c.invoke(found)
        equal(
            [c.types() for c in server.connections],
            [["intent_request", "invoke_request"], ["invoke_request"]],
            "sent",
        )


async def test_messages_have_a_largest_size(api, via):
    script = Script(intent_request=Raw(lambda c, m: c.send(b" " * 300_000)))
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options(max_answer_bytes=100_000)) as c:
            await raises(manglecp.ProtocolError, c.evaluate("plain"))


async def test_a_large_message_arrives_whole_both_ways(api, via):
    script = Script(intent_request=lambda r: offers(r, tool(description="y" * 3_000_000)))
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options(answer_timeout=30)) as c:
            text = "x" * 700_000
            evaluation = await c.evaluate("needy", facts=[manglecp.fact("need", text)])
            equal(len(evaluation.tools[0].description), 3_000_000, "length")
        equal(len(script.of("intent_request")[0]["payload"]["facts"][0]["args"][0]), 700_000, "length")
        if via is WebSocket:
            equal(server.last().wire.faults, [], "frames")  # P-WS-3, P-WS-4


async def test_a_server_that_does_not_read_has_a_time_limit(api, via):
    held = threading.Event()
    with FakeSession(
        via.wire, Script(intent_request=[lambda r: offers(r), Raw(lambda c, m: held.wait(20))])
    ) as server:
        async with await via.open(api, server, options(answer_timeout=0.6)) as c:
            await c.evaluate("plain")
            await raises(manglecp.TimedOut, c.evaluate("plain"))
            with takes(0.3, 12):  # the buffers between take some; then nothing moves
                await raises(
                    manglecp.TimedOut, c.evaluate("needy", facts=[manglecp.fact("need", "x" * 12_000_000)])
                )
        held.set()


@contextlib.contextmanager
def grace(seconds):
    """For the last word on what the server was asked to stop."""
    before, manglecp._links.CANCEL_GRACE_S = manglecp._links.CANCEL_GRACE_S, seconds
    try:
        yield
    finally:
        manglecp._links.CANCEL_GRACE_S = before


async def test_who_only_talks_is_left_when_time_is_up(api, via):
    """Pongs, empty lines: something can always be read, and the answer never comes."""
    piece = (b"\x8a\x7d" + b"x" * 125) * 500 if via is WebSocket else b"\n" * 60000

    def floods(c, _):
        with contextlib.suppress(OSError):
            while True:
                c.raw(piece)

    with FakeSession(via.wire, Script(intent_request=Raw(floods))) as server, grace(0.3):
        async with await via.open(api, server, options(answer_timeout=0.5)) as c:
            with takes(0.4, 8):
                await raises(manglecp.TimedOut, c.evaluate("plain"))
    with FakeSession(via.wire, greetings=[Raw(floods)]) as server:
        with takes(0.4, 8):
            await raises(manglecp.TimedOut, via.open(api, server, options(manifest_timeout=0.5)))
    booting = Raw(lambda c, m: (c.send(manifest(status="booting")), floods(c, m)))
    with FakeSession(via.wire, greetings=[booting]) as server:
        async with await via.open(api, server, options(ready_timeout=0.5)) as c:
            with takes(0.4, 8):
                await raises(manglecp.NotReady, c.evaluate("plain"))


async def test_a_cancel_asks_the_server_and_its_word_decides(api, via):
    def cancels(c, message):
        wanted = next(m for _, m in c.received if m["id"] == message["payload"]["request_id"])
        c.send(error(wanted, "cancelled", False, details={"state_delta": {"assert": []}}))

    script = Script(invoke_request=None, cancel=Raw(cancels))
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options()) as c:
            found = await first_tool(c)
            cancel = manglecp.Cancel()
            threading.Timer(0.2, cancel.cancel).start()
            with takes(0.1, 2):
                e = await raises(manglecp.Cancelled, c.invoke(found, cancel=cancel))
            equal((e.certain, e.details), (True, {"state_delta": {"assert": []}}), "error")
            sent = script.of("cancel")
            equal(len(sent), 1, "cancels")
            equal(sent[0]["payload"]["request_id"], script.of("invoke_request")[0]["id"], "id")  # P-CONC-5
            script.answers["cancel"] = Raw(lambda c, m: c.send(done(c.received[-2][1], {"n": 1})))
            cancel = manglecp.Cancel()
            threading.Timer(0.2, cancel.cancel).start()
            equal((await c.invoke(found, cancel=cancel)).result, {"n": 1}, "it was done already")  # P-CONC-8


async def test_time_that_is_up_stops_the_request_at_the_server_too(api, via):
    def cancels(c, message):
        wanted = next(m for _, m in c.received if m["id"] == message["payload"]["request_id"])
        c.send(error(wanted, "cancelled", False))

    script = Script(invoke_request=None, cancel=Raw(cancels))
    with FakeSession(via.wire, script) as server, takes(0.3, 4):
        async with await via.open(api, server, options(answer_timeout=0.4)) as c:
            found = await first_tool(c)
            await raises(manglecp.TimedOut, c.invoke(found))  # the server said that it stopped: no doubt is left
            equal(len(script.of("cancel")), 1, "cancels")


# ---- losing the connection -----------------------------------------------------------------------


async def test_a_new_connection_is_silent_until_its_manifest_and_authenticates_again(api, via):
    with FakeSession(via.wire, greetings=[GUARDED, later(0.7, GUARDED)]) as server:
        async with await via.open(api, server, options(token="t")) as c:
            await c.evaluate("plain")
            server.last().cut()
            time.sleep(0.2)
            await c.evaluate("plain")
        equal(len(server.connections), 2, "connections")
        again = server.last()
        equal(again.types(), ["authenticate", "intent_request"], "messages")  # P-WS-8
        expect(again.received[0][0] >= 0.65, "it spoke before the manifest")  # P-WS-7


async def test_a_lost_answer_is_indeterminate_and_sent_once(api, via):
    script = Script(
        invoke_request=[CLOSE, lambda r: done(r, {"n": 1}) | {"extensions": {"x-idempotent-replay": True}}]
    )
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options()) as c:
            found = await first_tool(c)
            e = await raises(manglecp.Indeterminate, c.invoke(found, {"n": 2}))
            equal(len(script.of("invoke_request")), 1, "invocations")
            result = await c.resume(e)
            equal((result.result, result.replayed), ({"n": 1}, True), "result")
        first, second = script.of("invoke_request")
        equal(second["extensions"], {**first["extensions"], "x-idempotency-only": True}, "key")


async def test_with_resume_a_lost_answer_is_asked_for_on_a_new_connection(api, via):
    script = Script(invoke_request=[CLOSE, done])
    with FakeSession(via.wire, script, [GUARDED]) as server:
        async with await via.open(api, server, options(token="t")) as c:
            await c.invoke(await first_tool(c), resume=True)
        equal(
            [c.types() for c in server.connections],
            [["authenticate", "intent_request", "invoke_request"], ["authenticate", "invoke_request"]],
            "messages",
        )


async def test_a_lost_intent_is_not_sent_again(api, via):
    script = Script(intent_request=CLOSE)
    with FakeSession(via.wire, script) as server:
        async with await via.open(api, server, options()) as c:
            await raises(manglecp.ConnectionLost, c.evaluate("plain"))
        equal(len(script.seen), 1, "requests")


# ---- asyncio alone ---------------------------------------------------------------------------


async def test_answers_find_their_questions_in_any_order():
    kept = []

    def backwards(c, message):
        kept.append(message)
        if len(kept) == 10:
            for m in reversed(kept):
                c.send(answer(m, "progress", {"status": "running", "detail": m["payload"]["args"]["n"]}))
            c.send(*[done(m, {"n": m["payload"]["args"]["n"]}) for m in reversed(kept)])

    schema = {"type": "object"}
    script = Script(intent_request=lambda r: offers(r, tool(input_schema=schema)), invoke_request=Raw(backwards))
    with FakeSession(Lines, script) as server:
        async with await Stdio.open(Asyncio, server, options()) as c:
            found = await first_tool(c)
            told = [[] for _ in range(10)]
            results = await asyncio.gather(
                *[  # P-CONC-1, P-CONC-2
                    c.invoke(found, {"n": f"x{n}"}, on_progress=told[n].append) for n in range(10)
                ]
            )
            equal([r.result["n"] for r in results], [f"x{n}" for n in range(10)], "results")
            equal([[p.detail for p in t] for t in told], [[f"x{n}"] for n in range(10)], "progress")


async def test_many_requests_at_once_do_not_wake_each_other():
    """What comes wakes the request that it is for, and who leaves lets the next one in."""
    many, waits, kept = 200, 0, []
    before = manglecp._asyncio._pause

    def counted(*args, **settings):
        nonlocal waits
        waits += 1
        return before(*args, **settings)

    def when_all_are_there(c, message):
        kept.append(message)
        if len(kept) == many:
            for m in kept:
                c.send(answer(m, "progress", {"status": "running"}), done(m, {"n": m["payload"]["args"]["n"]}))

    with FakeSession(Lines, Script(invoke_request=Raw(when_all_are_there))) as server:
        async with await Stdio.open(Asyncio, server, options(answer_timeout=PATIENCE)) as c:
            found = await first_tool(c)
            manglecp._asyncio._pause = counted
            try:
                results = await asyncio.gather(*[c.invoke(found, {"n": n}) for n in range(many)])
            finally:
                manglecp._asyncio._pause = before
            equal([r.result["n"] for r in results], list(range(many)), "results")  # P-CONC-2
            expect(many <= waits <= 10 * many, f"{waits} waits for {many} requests")


async def test_who_gives_up_in_line_leaves_it_to_the_next():
    """Requests that wait for one connection to be made, of which some are cancelled."""
    if not has_websockets():
        raise Skip("the Python library websockets is not installed")
    with FakeSession(Frames, greetings=[manifest(), Raw(lambda c, _: None), manifest()]) as server:
        async with await WebSocket.open(Asyncio, server, options(manifest_timeout=PATIENCE)) as c:
            server.last().cut()
            expect(await settled(lambda: server.last().ended.is_set()), "it is not cut")
            tasks = [asyncio.ensure_future(c.evaluate("plain")) for _ in range(10)]
            expect(await settled(lambda: len(server.connections) == 2), "it does not connect again")
            for task in tasks[:5] + tasks[8:]:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            equal([isinstance(e, asyncio.CancelledError) for e in ends], [True] * 5 + [False] * 3 + [True] * 2, "ends")
            equal([len(e) for e in ends[5:8]], [1] * 3, "tools of those that went on")
            equal(len(await c.evaluate("plain")), 1, "tools of the next")


async def test_a_cancelled_task_tells_the_server():
    with FakeSession(Lines, Script(invoke_request=None)) as server:
        async with await Stdio.open(Asyncio, server, options()) as c:
            found = await first_tool(c)
            task = asyncio.ensure_future(c.invoke(found))
            await settled(lambda: server.script.of("invoke_request"))
            task.cancel()
            await asyncio.wait([task])
            expect(task.cancelled(), "the task was not cancelled")
            expect(await settled(lambda: server.script.of("cancel")), "no cancel was sent")
            equal(len(await c.evaluate("plain")), 1, "the session goes on")


async def test_one_lost_connection_fails_all_that_wait_on_it():
    def cut_at_three(c, message):
        if len(server.script.of("invoke_request")) == 3:
            c.cut()

    with FakeSession(Lines, Script(invoke_request=Raw(cut_at_three))) as server:
        async with await Stdio.open(Asyncio, server, options()) as c:
            found = await first_tool(c)
            ends = await asyncio.gather(*[c.invoke(found) for _ in range(3)], return_exceptions=True)
            equal([type(e) for e in ends], [manglecp.Indeterminate] * 3, "ends")
            server.script.answers["invoke_request"] = done
            await asyncio.gather(*[c.invoke(found) for _ in range(3)])
        equal(len(server.connections), 2, "connections")


# ---- child processes ---------------------------------------------------------------------------


async def test_a_program_that_is_not_there_is_said_so(api):
    e = await raises(manglecp.ConnectFailed, api.spawn(["no-such-program-here"], options()))
    expect("no-such-program-here" in str(e), str(e))
    await raises(ValueError, api.spawn("one string", options()))


async def test_a_program_that_ends_at_once_is_a_lost_connection(api):
    await raises(manglecp.ConnectionLost, api.spawn(["true"], options()))


async def test_a_child_that_does_not_want_to_end_is_ended(api):
    with FakeSession(Lines) as server:
        c = await Stdio.open(api, server, options(close_timeout=0.4), "stubborn")
        await c.evaluate("plain")
        with takes(0.3, 5):
            await c.close()
        expect(await settled(lambda: server.last().ended.is_set()), "the child still runs")


async def test_a_closed_client_leaves_no_child(api):
    with FakeSession(Lines) as server:
        c = await Stdio.open(api, server, options())
        await c.evaluate("plain")
        with takes(0, 2):
            await c.close()
        expect(await settled(lambda: server.last().ended.is_set()), "the child still runs")


# ---- WebSocket alone ---------------------------------------------------------------------------


def needs_websockets():
    if not has_websockets():
        raise Skip("the Python library websockets is not installed")


async def test_pings_are_answered_with_their_bytes(api):
    needs_websockets()

    def pings(c, message):
        c.raw(Frames.frame(9, b"ab\x00c"))
        time.sleep(0.2)
        return offers(message)

    with FakeSession(Frames, Script(intent_request=Raw(pings))) as server:
        async with await WebSocket.open(api, server, options()) as c:
            await c.evaluate("plain")
            expect(await settled(lambda: server.last().wire.pongs == [b"ab\x00c"]), "no pong")  # P-WS-9


async def test_an_idle_client_that_listens_answers_pings():
    needs_websockets()
    with FakeSession(Frames) as server:
        async with await WebSocket.open(Blocking, server, options()) as c:
            server.last().raw(Frames.frame(9, b"idle"))
            c.listen(0.3)
            expect(await settled(lambda: server.last().wire.pongs == [b"idle"]), "no pong")
        async with await WebSocket.open(Asyncio, server, options()) as c:
            server.last().raw(Frames.frame(9, b"idle"))
            expect(await settled(lambda: server.last().wire.pongs == [b"idle"]), "no pong")


async def test_a_message_may_come_in_fragments(api):
    needs_websockets()

    def fragments(c, message):
        data = json.dumps(offers(message, tool())).encode()
        c.raw(
            Frames.frame(1, data[:10], fin=False)
            + Frames.frame(9, b"between")
            + Frames.frame(0, data[10:20], fin=False)
            + Frames.frame(0, data[20:])
        )

    with FakeSession(Frames, Script(intent_request=Raw(fragments))) as server:
        async with await WebSocket.open(api, server, options()) as c:
            equal(len(await c.evaluate("plain")), 1, "tools")  # D-59


async def test_broken_frames_end_the_session(api):
    needs_websockets()
    for raw in (
        b"\xff\xff\xff",
        Frames.frame(3, b"x"),
        Frames.frame(0, b"nothing before"),
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    ):
        with FakeSession(Frames, Script(intent_request=Raw(lambda c, m: c.raw(raw)))) as server:
            async with await WebSocket.open(api, server, options()) as c:
                with takes(0, 3):
                    try:
                        await c.evaluate("plain")
                    except (manglecp.ProtocolError, manglecp.ConnectionLost):
                        continue
                raise Failure(f"{raw!r} was taken")


async def test_a_close_is_answered_and_ends_the_session(api):
    needs_websockets()
    with FakeSession(Frames, Script(intent_request=Raw(lambda c, m: c.wire.bye()))) as server:
        async with await WebSocket.open(api, server, options()) as c:
            with takes(0, 3):
                await raises(manglecp.ConnectionLost, c.evaluate("plain"))
        expect(
            await settled(lambda: server.connections[0].wire.closed_with == 1001), "no close came back"
        )  # P-WS-6
    with FakeSession(Frames) as server:
        async with await WebSocket.open(api, server, options()) as c:
            await c.evaluate("plain")
        expect(await settled(lambda: server.last().wire.closed_with == 1000), "no close")


async def test_an_upgrade_that_is_refused_is_said_so(api):
    needs_websockets()

    class Refuses(Frames):
        def begin(self):
            self.file.readline()
            self.s.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return False

    with FakeSession(Refuses) as server:
        await raises(manglecp.ConnectFailed, WebSocket.open(api, server, options()))


async def test_the_announced_websocket_is_used(api):
    needs_websockets()
    from fake_http import FakeHttp, MANIFEST_PATH

    with FakeSession(Frames, greetings=[GUARDED]) as ws:
        announced = {"x-websocket": f"ws://127.0.0.1:{ws.port}/manglecp/ws"}
        with FakeHttp(manifests=[manifest(extensions=announced)]) as http:
            settings = options(token="t", trusted_origins=[f"http://127.0.0.1:{ws.port}"])
            async with await api.connect(http.url, settings, transport="websocket") as c:
                await c.evaluate("plain")
            equal([r.path for r in http.requests], [MANIFEST_PATH], "requests over HTTP")
            equal(ws.last().types(), ["authenticate", "intent_request"], "messages")
            equal(ws.last().wire.target, "/manglecp/ws", "path")
            expect("authorization" not in ws.last().wire.headers, "credentials went before the manifest")
            await raises(
                manglecp.UntrustedEndpoint, api.connect(http.url, options(token="t"), transport="websocket")
            )
        with FakeHttp() as http:
            await raises(manglecp.ProtocolError, api.connect(http.url, options(), transport="websocket"))


async def test_without_the_library_the_extra_is_named(api):
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "websockets"}
    sys.modules["websockets"] = None
    try:
        e = await raises(manglecp.MissingExtra, api.connect("ws://127.0.0.1:9/ws", options()))
        expect("manglecp[ws]" in str(e), str(e))
    finally:
        del sys.modules["websockets"]
        sys.modules.update(hidden)


run_sessions(globals())

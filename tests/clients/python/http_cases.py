"""The client over HTTP, before servers that misbehave in each their way."""

import shutil
import ssl
import subprocess
import tempfile

from fake_http import *

from manglecp import _links
from manglecp._wire import Url, websocket_url

CLOSE = FakeHttp.CLOSE
FACT = manglecp.fact("need", "x")


async def first_tool(c, intent="plain", **settings):
    return (await c.evaluate(intent, **settings)).tools[0]


# ---- finding the server ----------------------------------------------------------------------


async def test_the_first_request_is_for_the_manifest_and_the_rest_goes_where_it_says(api):
    endpoints = {"intent_eval": "../x/evaluate?a=1", "macro_invoke": "run"}
    with FakeHttp(manifests=[manifest(endpoints=endpoints)]) as server:
        async with await api.connect(server.url, options()) as c:
            await c.invoke(await first_tool(c))
        seen = [(r.method, r.path) for r in server.requests]
        equal(
            seen,
            [
                ("GET", MANIFEST_PATH),
                ("POST", "/.well-known/x/evaluate?a=1"),  # P-DISC-1, P-DISC-3, P-HTTP-4
                ("POST", "/.well-known/manglecp/run"),
            ],
            "requests",
        )
        for r in server.posts():
            equal(r.headers["content-type"], "application/json", "content type")  # P-HTTP-5
            equal(r.headers["accept"], "application/json", "accept")  # P-HTTP-6
            equal(set(r.message) - {"extensions"}, {"type", "id", "manglecp", "payload"}, "envelope")  # P-HTTP-7
            equal(r.message["manglecp"], VERSION, "version")  # P-ENV-7


async def test_a_host_without_a_manifest_is_given_up(api):
    with FakeHttp(manifests=[response(b"<p>no", 404, Content_Type="text/html")]) as server:
        e = await raises(manglecp.ConnectFailed, api.connect(server.url, options()))
        expect("does not speak MangleCP" in str(e), str(e))
        equal(len(server.requests), 1, "requests")  # P-DISC-4


async def test_what_a_server_says_in_a_line_of_text_is_passed_on(api):
    for text, shown in (("Use https:// here.\n", True), ("draw\x1b[2J", False), ("x" * 300, False)):
        with FakeHttp(manifests=[response(text.encode(), 400, Content_Type="text/plain")]) as server:
            e = await raises(manglecp.ConnectFailed, api.connect(server.url, options()))
            said = str(e).partition("HTTP status 400")[2]
            equal(said, f": {text.strip()}" if shown else "", "what follows the status")


async def test_an_address_with_a_path_or_a_password_is_refused(api):
    for address in ("http://127.0.0.1/x", "http://u:p@127.0.0.1/", "ftp://127.0.0.1", "127.0.0.1:80"):
        await raises(ValueError, api.connect(address, options()))


async def test_nobody_listening_is_a_failure_to_connect(api):
    with FakeHttp() as server:
        url = server.url
    await raises(manglecp.ConnectFailed, api.connect(url, options()))


async def test_redirects_of_the_manifest_stay_at_its_origin(api):
    with FakeHttp() as other:
        away = response(b"", 302, Location=f"{other.url}{MANIFEST_PATH}")
        with FakeHttp(manifests=[away]) as server:
            await raises(manglecp.UntrustedEndpoint, api.connect(server.url, options(token="t")))
        equal(other.requests, [], "requests at the other origin")
    near = response(b"", 307, Location="/elsewhere/manifest.json")
    with FakeHttp(manifests=[near, manifest(endpoints={"intent_eval": "e", "macro_invoke": "i"})]) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")
        equal(
            [r.path for r in server.requests], [MANIFEST_PATH, "/elsewhere/manifest.json", "/elsewhere/e"], "paths"
        )
    with FakeHttp(manifests=[near]) as server:
        await raises(manglecp.ProtocolError, api.connect(server.url, options()))
        expect(len(server.requests) <= 4, f"{len(server.requests)} redirects followed")


async def test_a_manifest_that_lacks_what_is_needed_says_all_of_it(api):
    broken = manifest(status="asleep", auth={}, limits={"max_message_bytes": "many"})
    with FakeHttp(manifests=[broken]) as server:
        e = await raises(manglecp.ProtocolError, api.connect(server.url, options()))
    for part in ("asleep", "auth.required", "limits.max_message_bytes", "limits.max_facts_per_request"):
        expect(part in str(e), f"{part} is not in: {e}")


async def test_another_version_is_not_spoken(api):
    with FakeHttp(manifests=[manifest(protocol={"manglecp": "1999-01-draft", "conformance_level": 1})]) as server:
        e = await raises(manglecp.ProtocolError, api.connect(server.url, options()))
        expect("1999-01-draft" in str(e), str(e))


async def test_the_manifest_is_asked_for_again_when_its_time_is_over(api):
    first = response(manifest(), ETag='"a"', Cache_Control="no-cache")
    same = b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nCache-Control: max-age=300\r\n\r\n'
    with FakeHttp(manifests=[first, same]) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")  # within a second once is enough
            await asyncio.sleep(1.1)
            await c.evaluate("plain")
            await c.evaluate("plain")
        equal([r.headers.get("if-none-match") for r in server.gets()], [None, '"a"'], "conditions")  # P-HTTP-22
        equal(len(server.posts()), 3, "requests")


# ---- being ready -----------------------------------------------------------------------------


async def test_a_booting_server_is_asked_until_it_is_ready(api):
    with FakeHttp(manifests=[manifest(status="booting"), manifest(status="booting"), manifest()]) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")
        equal([r.method for r in server.requests], ["GET"] * 3 + ["POST"], "requests")  # P-READY-1, P-READY-3
        times = [r.when for r in server.gets()]
        expect(all(b - a >= 0.15 for a, b in zip(times, times[1:])), f"no pause: {times}")  # P-READY-5


async def test_a_server_that_boots_for_ever_is_not_waited_for_for_ever(api):
    with FakeHttp(manifests=[manifest(status="booting")]) as server:
        async with await api.connect(server.url, options(ready_timeout=0.7)) as c:
            with takes(0.5, 3):
                e = await raises(manglecp.NotReady, c.evaluate("plain"))
            equal(e.status, "booting", "status")
        equal(server.posts(), [], "requests")


async def test_a_draining_server_gets_no_request_and_is_looked_at_again(api):
    with FakeHttp(manifests=[manifest(status="draining"), manifest(status="draining"), manifest()]) as server:
        async with await api.connect(server.url, options()) as c:
            equal((await raises(manglecp.NotReady, c.evaluate("plain"))).status, "draining", "status")
            equal(server.posts(), [], "requests")  # P-READY-8
            await raises(manglecp.NotReady, c.evaluate("plain"))
            await c.evaluate("plain")


async def test_a_degraded_server_is_asked(api):
    with FakeHttp(manifests=[manifest(status="degraded")]) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")  # P-READY-6


async def test_a_server_that_is_not_ready_after_all_is_looked_at_again(api):
    script = Script(
        intent_request=[lambda r: error(r, "server_not_ready", retry_after_ms=200), lambda r: offers(r)]
    )
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")
        equal([r.method for r in server.requests], ["GET", "POST", "GET", "POST"], "requests")


# ---- trying again ----------------------------------------------------------------------------


async def test_a_busy_server_is_asked_five_times_with_growing_gaps(api):
    script = Script(intent_request=lambda r: error(r, "rate_limited", retry_after_ms=150))
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.Refused, c.evaluate("plain"))
        equal((e.code, e.retry_after_s), ("rate_limited", 0.15), "error")
        gaps = script.gaps("intent_request")
        equal(len(gaps) + 1, 5, "attempts")  # P-ERR-15
        # what was asked for, and doubled each time: P-ERR-13, P-ERR-14
        expect(all(gap >= 0.149 * 2**i for i, gap in enumerate(gaps)), f"gaps {gaps}")
        ids = [m["id"] for m in script.of("intent_request")]
        equal(len(set(ids)), 5, "ids")  # P-ENV-4


async def test_the_wait_may_stand_in_the_header_alone(api):
    late = lambda r: response(error(r, "server_not_ready"), Retry_After="1")
    with FakeHttp(Script(intent_request=[late, lambda r: offers(r)])) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")
        expect(server.script.gaps("intent_request")[0] >= 1, "it did not wait")


async def test_a_wait_longer_than_the_caller_has_is_not_begun(api):
    script = Script(intent_request=lambda r: error(r, "rate_limited", retry_after_ms=60_000))
    with FakeHttp(script) as server, takes(0, 2):
        async with await api.connect(server.url, options(retry_timeout=1)) as c:
            await raises(manglecp.Refused, c.evaluate("plain"))
        equal(len(script.seen), 1, "attempts")


async def test_a_cancel_that_comes_with_the_answer_does_not_shorten_a_later_wait(api):
    script = Script(
        intent_request=[
            lambda r: offers(r, tool()),
            lambda r: error(r, "rate_limited", retry_after_ms=400),
            lambda r: offers(r),
        ]
    )
    cancel = manglecp.Cancel()

    def trace(way, message):
        if way == "in" and message["type"] == "intent_response":
            cancel.cancel()

    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(trace=trace)) as c:
            found = await first_tool(c, cancel=cancel)
            await c.evaluate("plain")
            expect(script.gaps("intent_request")[-1] >= 0.4, "it did not wait")  # P-ERR-13
            e = await raises(manglecp.Cancelled, c.invoke(found, cancel=cancel))
            expect(e.certain, "nothing was sent")
        equal(script.of("invoke_request"), [], "invocations")


async def test_a_closed_client_says_so(api):
    with FakeHttp() as server:
        c = await api.connect(server.url, options())
        await c.close()
        await c.close()
        await raises(RuntimeError, c.evaluate("plain"))


async def test_what_is_no_matter_of_waiting_is_not_repeated(api):
    for code in ("evaluation_failed", "internal_error", "evaluation_timeout", "too_many_facts", "x-own"):
        script = Script(intent_request=lambda r: error(r, code))
        with FakeHttp(script) as server:
            async with await api.connect(server.url, options()) as c:
                equal((await raises(manglecp.Refused, c.evaluate("plain"))).code, code, "code")
        equal(len(script.seen), 1, f"attempts after {code}")  # P-ERR-12


# how often an invocation goes out when each answer is this error (protocol.md part 4)
SENT_AFTER = {
    "unsupported_version": 1, "malformed_message": 1, "invalid_type": 1, "auth_required": 1,
    "auth_insufficient": 1, "evaluation_failed": 1, "schema_validation_failed": 1, "execution_failed": 1,
    "internal_error": 1, "x-of-its-own": 1,
    "auth_invalid": 2,  # once with other credentials
    "macro_not_found": 2, "macro_expired": 2,  # once as it is offered now
    "rate_limited": 5, "server_not_ready": 5,  # it was not taken up, and the server says when to come back
}  # fmt: skip


async def test_an_invocation_goes_out_again_only_behind_an_answer_that_allows_it(api):
    for code, sent in SENT_AFTER.items():
        script = Script(invoke_request=lambda r: error(r, code, retry_after_ms=1))
        with FakeHttp(script) as server:
            async with await api.connect(server.url, options(token=lambda: "t")) as c:
                found = await first_tool(c)
                equal((await raises(manglecp.Refused, c.invoke(found))).code, code, "code")
        equal(len(script.of("invoke_request")), sent, f"invocations after {code}")  # P-ERR-11, P-ERR-12
        keys = {m["extensions"]["x-idempotency-key"] for m in script.of("invoke_request")}
        equal(len(keys), 1, "keys")
        ids = [m["id"] for m in script.of("invoke_request")]
        equal(len(set(ids)), sent, "ids")  # P-ENV-4


async def test_an_invocation_that_was_not_taken_up_waits_as_long_as_it_is_asked(api):
    busy = lambda r: error(r, "rate_limited", retry_after_ms=300)
    script = Script(invoke_request=[busy, done])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            await c.invoke(await first_tool(c))
    expect(script.gaps("invoke_request")[0] >= 0.3, "it did not wait")  # P-ERR-13
    script = Script(invoke_request=lambda r: error(r, "rate_limited", retry_after_ms=60000))
    with FakeHttp(script) as server, takes(0, 5):
        async with await api.connect(server.url, options()) as c:
            await raises(manglecp.Refused, c.invoke(await first_tool(c)))
    equal(len(script.of("invoke_request")), 1, "invocations")


# ---- answers that do not come ------------------------------------------------------------------


async def test_a_lost_answer_is_indeterminate_and_sent_once(api):
    script = Script(
        invoke_request=[CLOSE, lambda r: done(r, {"n": 1}) | {"extensions": {"x-idempotent-replay": True}}]
    )
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            e = await raises(manglecp.Indeterminate, c.invoke(found, {"n": 1}))
            await asyncio.sleep(0.3)
            equal(len(script.of("invoke_request")), 1, "invocations")  # never sent again by itself
            result = await c.resume(e)
            equal((result.result, result.replayed), ({"n": 1}, True), "result")
        first, second = script.of("invoke_request")
        equal(second["extensions"], {**first["extensions"], "x-idempotency-only": True}, "key")
        equal(second["payload"], first["payload"], "payload")
        expect(second["id"] != first["id"], "an id was used twice")
        kept = manglecp.Attempt.from_json(json.loads(json.dumps(e.attempt.as_json())))
        equal((kept.key, kept.args), (e.attempt.key, {"n": 1}), "the attempt, written down and read again")


async def test_a_kept_connection_that_ends_without_an_answer_is_not_used_for_a_second_try(api):
    """What HTTP libraries do in silence: send again when a kept connection was closed."""

    @Raw
    def closes_late(s, request):
        time.sleep(0.2)
        return CLOSE

    script = Script(invoke_request=[done, closes_late])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            await c.invoke(found)
            await raises(manglecp.Indeterminate, c.invoke(found))
            await asyncio.sleep(0.3)
        equal(len(script.of("invoke_request")), 2, "invocations")
        equal({r.connection for r in server.requests}, {1}, "connections")


async def test_with_resume_a_lost_answer_is_asked_for_with_the_same_key(api):
    script = Script(invoke_request=[CLOSE, CLOSE, done])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            await c.invoke(await first_tool(c), resume=True, key="mine:1")
        keys = [m["extensions"]["x-idempotency-key"] for m in script.of("invoke_request")]
        equal(keys, ["mine:1"] * 3, "keys")


async def test_a_server_that_would_run_it_is_not_asked_for_an_outcome(api):
    script = Script(invoke_request=[CLOSE, CLOSE, lambda r: error(r, "malformed_message", details={"reason": "key_unknown"})])
    with FakeHttp(script, [manifest(extensions={})]) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.Indeterminate, c.invoke(await first_tool(c)))
            again = await raises(manglecp.Indeterminate, c.resume(e))
            expect("without running" in str(again), str(again))
            await raises(manglecp.Indeterminate, c.invoke(await first_tool(c), resume=True))
        equal(len(script.of("invoke_request")), 2, "invocations")
        server.manifests = [manifest()]
        async with await api.connect(server.url, options()) as c:
            await raises(manglecp.Indeterminate, c.resume(e))
        equal(script.of("invoke_request")[-1]["extensions"]["x-idempotency-only"], True, "asked")


async def test_resume_has_an_end(api):
    script = Script(invoke_request=CLOSE)
    with FakeHttp(script) as server, takes(0, 10):
        async with await api.connect(server.url, options()) as c:
            await raises(manglecp.Indeterminate, c.invoke(await first_tool(c), resume=True))
        equal(len(script.of("invoke_request")), 4, "invocations")


async def test_a_server_that_forgot_does_not_make_resume_run_it_again(api):
    script = Script(invoke_request=[CLOSE, lambda r: error(r, "macro_not_found"), done])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.Indeterminate, c.invoke(await first_tool(c)))
            await raises(manglecp.Indeterminate, c.resume(e))
        equal(script.types(), ["intent_request", "invoke_request", "invoke_request"], "requests")


async def test_a_server_that_does_not_know_says_so(api):
    script = Script(invoke_request=lambda r: error(r, "execution_failed", False, details={"indeterminate": True}))
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.Refused, c.invoke(await first_tool(c)))
        expect(e.indeterminate, "not marked")


async def test_an_intent_whose_answer_is_lost_is_not_sent_again(api):
    script = Script(intent_request=CLOSE)
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            await raises(manglecp.ConnectionLost, c.evaluate("plain"))
        equal(len(script.seen), 1, "requests")


async def test_a_silent_server_has_a_time_limit(api):
    with FakeHttp(manifests=[Raw(lambda s, r: None)]) as server, takes(0.3, 3):
        await raises(manglecp.TimedOut, api.connect(server.url, options(manifest_timeout=0.4)))
    with FakeHttp(Script(intent_request=[None, lambda r: offers(r, tool())], invoke_request=None)) as server:
        async with await api.connect(server.url, options(answer_timeout=0.4)) as c:
            with takes(0.3, 3):
                await raises(manglecp.TimedOut, c.evaluate("plain"))
            found = await first_tool(c)
            with takes(0.3, 3):
                await raises(manglecp.Indeterminate, c.invoke(found))


async def test_a_slow_body_has_a_time_limit(api):
    @Raw
    def drips(s, request):
        s.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
        for _ in range(100):
            s.sendall(b" ")
            time.sleep(0.05)

    with FakeHttp(Script(intent_request=drips)) as server:
        async with await api.connect(server.url, options(answer_timeout=0.6)) as c:
            with takes(0.4, 3):
                await raises(manglecp.TimedOut, c.evaluate("plain"))


async def test_answers_have_a_largest_size(api):
    @Raw
    def endless(s, request):
        s.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            s.sendall(b"8000\r\n" + b" " * 32768 + b"\r\n")

    declared = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{"
    without_end = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b" " * 300_000
    head = b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n"
    for bad in (endless, declared, without_end, head):
        with FakeHttp(Script(intent_request=bad, invoke_request=bad)) as server:
            async with await api.connect(server.url, options(max_answer_bytes=200_000)) as c:
                await raises(manglecp.ProtocolError, c.evaluate("plain"))
        with FakeHttp(Script(invoke_request=bad)) as server:
            async with await api.connect(server.url, options(max_answer_bytes=200_000)) as c:
                found = await first_tool(c)
                await raises(manglecp.Indeterminate, c.invoke(found))


async def test_garbage_is_told_from_an_answer(api):
    plain = {"type": "intent_response", "id": "c-1", "manglecp": VERSION, "payload": {"eval_time_used": "x"}}
    whole = {**plain["payload"], "macro_tools": []}
    bad = [
        b"\x00\x01garbage\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching\r\n\r\n",
        response(b"not json", 200),
        response(b"\xef\xbb\xbf{}", 200),
        response(b"[]", 200),
        response(b"\xff", 200),
        response(b"[" * 100_000, 200),
        response({**plain, "manglecp": "1999"}),
        response({**plain, "payload": []}),
        response({**plain, "type": "invoke_response"}),
        response({**plain, "id": "other", "payload": whole}),
        response(plain),
        response({**plain, "payload": whole}, 500),
        response(json.dumps({**plain, "payload": whole}).replace('"type"', '"type": 1, "type"').encode(), 200),
        response({**plain, "type": "error", "payload": {"code": 1}}, 400),
        response({**plain, "payload": {**whole, "macro_tools": [{"name": "x"}]}}),
        response({**plain, "payload": {**whole, "macro_tools": [{**tool(), "safety": None}]}}),
        response({**plain, "payload": {**whole, "macro_tools": [tool(validity={"expires_at": "soon"})]}}),
        response(b"\x1f\x8b", 200, Content_Encoding="gzip"),
        response(b"<p>busy", 502, Content_Type="text/html"),
    ]
    for n, raw in enumerate(bad):
        with FakeHttp(Script(intent_request=raw)) as server:
            async with await api.connect(server.url, options()) as c:
                try:
                    await raises(manglecp.ProtocolError, c.evaluate("plain"))
                except Exception as e:
                    raise Failure(f"case {n}, {raw[:80]!r}: {type(e).__name__} {e}")
        equal(len(server.script.seen), 1, "requests")


async def test_after_an_unreadable_answer_to_an_invocation_its_end_is_unknown(api):
    for raw in (
        response(b"nonsense", 200),
        response(b"<p>bad gateway", 502, Content_Type="text/html"),
        response({"type": "invoke_response", "id": "c-2", "manglecp": VERSION, "payload": {}}),
    ):
        with FakeHttp(Script(invoke_request=raw)) as server:
            async with await api.connect(server.url, options()) as c:
                found = await first_tool(c)
                await raises(manglecp.Indeterminate, c.invoke(found))
    with FakeHttp(Script(invoke_request=response(b"<p>no", 403, Content_Type="text/html"))) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            await raises(manglecp.ProtocolError, c.invoke(found))  # refused on the way: it did not run


async def test_an_answer_in_any_pieces_is_whole(api):
    @Raw
    def bytewise(s, request):
        raw = response(offers(request.message, tool()))
        for i in range(0, len(raw), 7):
            s.sendall(raw[i : i + 7])
            if i < 100:
                time.sleep(0.002)

    @Raw
    def chunked(s, request):
        body = json.dumps(offers(request.message, tool())).encode()
        s.sendall(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for i in range(0, len(body), 50):
            part = body[i : i + 50]
            s.sendall(b"%X;x=y\r\n%s\r\n" % (len(part), part))
        s.sendall(b"0\r\nX-Trailer: 1\r\n\r\n")

    @Raw
    def until_the_end(s, request):
        s.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            + json.dumps(offers(request.message, tool())).encode()
        )
        return CLOSE

    with FakeHttp(Script(intent_request=[bytewise, chunked, until_the_end, bytewise])) as server:
        async with await api.connect(server.url, options()) as c:
            for _ in range(4):
                equal(len(await c.evaluate("plain")), 1, "tools")
        equal(server.connections, 2, "connections")


async def test_a_kept_connection_that_the_server_ended_is_found_before_it_is_used(api):
    script = Script()
    script.answers["intent_request"] = Raw(lambda s, q: (s.sendall(response(offers(q.message, tool()))), CLOSE)[1])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options()) as c:
            for _ in range(5):
                found = await first_tool(c)
                time.sleep(0.1)  # the end arrives while nobody looks
                await c.invoke(found)
        equal(len(script.of("invoke_request")), 5, "invocations")


async def test_an_unasked_for_answer_spoils_its_connection_only(api):
    @Raw
    def twice(s, request):
        s.sendall(response(offers(request.message, tool())) + response(offers({"id": "c-2"}, tool("forged"))))

    with FakeHttp(Script(intent_request=[twice, lambda r: offers(r, tool("real"))])) as server:
        async with await api.connect(server.url, options()) as c:
            await c.evaluate("plain")
            equal([t.name for t in await c.evaluate("plain")], ["real"], "tools")


async def test_cancelling_drops_the_connection(api):
    with FakeHttp(Script(invoke_request=None)) as server:
        async with await api.connect(server.url, options()) as c:
            found = await first_tool(c)
            cancel = manglecp.Cancel()
            threading.Timer(0.2, cancel.cancel).start()
            with takes(0.1, 2):
                e = await raises(manglecp.Cancelled, c.invoke(found, cancel=cancel))
            expect(not e.certain and e.attempt is not None, "what became of it is not known")
            expect(await asyncio.to_thread(server.gone.wait, 2), "the connection stands")  # P-CONC-9
            e = await raises(manglecp.Cancelled, c.invoke(found, cancel=cancel))
            expect(e.certain, "nothing was sent")
        equal(len(server.script.of("invoke_request")), 1, "invocations")


# ---- where credentials go ----------------------------------------------------------------------


async def test_credentials_come_with_every_request_and_not_with_the_manifest(api):
    needed = manifest(auth={"required": True, "schemes": ["bearer"]})
    with FakeHttp(manifests=[needed]) as server:
        async with await api.connect(server.url, options(token="the-token")) as c:
            await c.invoke(await first_tool(c))
        equal(
            [r.headers.get("authorization") for r in server.requests],
            [None, "Bearer the-token", "Bearer the-token"],
            "headers",
        )  # P-AUTH-8
    with FakeHttp(manifests=[needed]) as server:
        async with await api.connect(server.url, options(api_key="k")) as c:
            await c.evaluate("plain")
        equal(server.posts()[0].headers["x-manglecp-api-key"], "k", "key")
    with FakeHttp(manifests=[needed]) as server:
        async with await api.connect(server.url, options()) as c:
            e = await raises(manglecp.LoginNeeded, c.evaluate("plain"))
            equal((e.code, e.schemes), ("auth_required", ("bearer",)), "error")
        equal(server.posts(), [], "requests")


async def test_credentials_do_not_go_to_another_origin(api):
    with FakeHttp() as other:
        elsewhere = {"intent_eval": f"{other.url}/e", "macro_invoke": f"{other.url}/i"}
        for auth in ({"required": True, "schemes": ["bearer"]}, {"required": False}):
            with FakeHttp(manifests=[manifest(endpoints=elsewhere, auth=auth)]) as server:
                await raises(manglecp.UntrustedEndpoint, api.connect(server.url, options(token="t")))
        equal(other.requests, [], "requests")
        with FakeHttp(manifests=[manifest(endpoints=elsewhere)]) as server:
            async with await api.connect(server.url, options()) as c:
                await c.evaluate("plain")  # without credentials the manifest is followed (P-DISC-3)
            async with await api.connect(server.url, options(token="t", trusted_origins=[other.url])) as c:
                await c.evaluate("plain")
        equal([r.headers.get("authorization") for r in other.requests], [None, "Bearer t"], "headers")


def test_credentials_do_not_leave_unencrypted():
    far = Url.parse("http://192.0.2.1/e", ("http",))
    try:
        _links.guard_credentials(far, far.origin, options())
        raise Failure("they would leave in the clear")
    except manglecp.UntrustedEndpoint:
        pass
    _links.guard_credentials(far, far.origin, options(insecure=True))
    for near in ("http://127.0.0.1:80/e", "http://[::1]:1/e", "http://localhost/e", "https://192.0.2.1/e"):
        url = Url.parse(near, ("http", "https"))
        _links.guard_credentials(url, url.origin, options())


async def test_a_request_is_not_redirected(api):
    with FakeHttp() as other:
        away = response(b"", 307, Location=f"{other.url}/e")
        with FakeHttp(Script(intent_request=[away, lambda r: offers(r, tool())], invoke_request=away)) as server:
            async with await api.connect(server.url, options(token="t")) as c:
                await raises(manglecp.UntrustedEndpoint, c.evaluate("plain"))
                found = await first_tool(c)
                await raises(manglecp.UntrustedEndpoint, c.invoke(found))  # and not Indeterminate: it did not run
        equal(other.requests, [], "requests")


async def test_a_token_that_ran_out_is_asked_for_anew_once(api):
    tokens = iter(["old", "new", "newer"])
    script = Script(intent_request=[lambda r: error(r, "auth_invalid"), lambda r: offers(r, tool())])
    with FakeHttp(script) as server:
        async with await api.connect(server.url, options(token=lambda: next(tokens))) as c:
            await c.evaluate("plain")
        equal([r.headers["authorization"] for r in server.posts()], ["Bearer old", "Bearer new"], "headers")
    with FakeHttp(Script(intent_request=lambda r: error(r, "auth_invalid"))) as server:
        async with await api.connect(server.url, options(token="fixed")) as c:
            await raises(manglecp.Refused, c.evaluate("plain"))
        equal(len(server.posts()), 1, "requests")


async def test_a_token_cannot_smuggle_a_header(api):
    with FakeHttp() as server:
        async with await api.connect(server.url, options(token="t\r\nX-Evil: 1")) as c:
            await raises(ValueError, c.evaluate("plain"))
        equal(server.posts(), [], "requests")


def certificate(folder):
    """A self-made certificate for 127.0.0.1; Skip where there is no openssl."""
    if not shutil.which("openssl"):
        raise Skip("openssl is not installed")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=fake",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            f"{folder}/key",
            "-out",
            f"{folder}/cert",
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert", f"{folder}/key")
    return context, f"{folder}/cert"


async def test_https_is_verified_and_never_left(api):
    with tempfile.TemporaryDirectory() as folder:
        context, authority = certificate(folder)
        with FakeHttp(tls=context) as server:
            await raises(manglecp.ConnectFailed, api.connect(server.url, options()))
            equal(server.requests, [], "requests")
            async with await api.connect(server.url, options(ca_file=authority, token="t")) as c:
                big = manglecp.fact("extra", "x" * 300_000)
                for _ in range(3):
                    await c.invoke(await first_tool(c, "needy", facts=[FACT, big]))
            equal(server.connections, 2, "connections")
        with FakeHttp() as plain:
            down = manifest(endpoints={"intent_eval": f"{plain.url}/e", "macro_invoke": f"{plain.url}/i"})
            with FakeHttp(tls=context, manifests=[down]) as server:
                await raises(manglecp.UntrustedEndpoint, api.connect(server.url, options(ca_file=authority)))
            equal(plain.requests, [], "requests")


def test_the_announced_websocket_address_follows_the_manifest():
    http, https = (
        Url.parse(f"{s}://a.example/.well-known/manglecp/manifest.json", (s,)) for s in ("http", "https")
    )
    for base, announced, wanted in (
        (http, "/manglecp/ws", "ws://a.example/manglecp/ws"),
        (https, "/manglecp/ws", "wss://a.example/manglecp/ws"),
        (https, "wss://b.example:444/x", "wss://b.example:444/x"),
        (http, "https://a.example/x", "wss://a.example/x"),
    ):
        equal(str(websocket_url(base, announced)), wanted, "address")
    for base, announced in (
        (https, "ws://a.example/x"),
        (https, "http://a.example/x"),
        (http, None),
        (http, "ftp://x"),
    ):
        try:
            websocket_url(base, announced)
        except (manglecp.UntrustedEndpoint, manglecp.ProtocolError):
            continue
        raise Failure(f"{announced} was taken")


run(globals())

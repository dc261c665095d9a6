"""What leaves the client, how often, and to whom: invocations, keys, lost answers, credentials."""
import json
import os
import signal
import subprocess
import sys
import time

import fake
from fake import (CLOSE, SILENT, Child, HttpServer, Raw, RESULT, TOOL, WELL_KNOWN, default_answer, ended, envelope,
                  equal, error, expect, http, manglecp, manifest, run, tool, tools)


def invoke(server, *more, **options):
    return manglecp("invoke", server.url, "mark", "--intent", "work", "--arg", "label=x", *more, **options)


# ---- once ---------------------------------------------------------------------------------------

def test_an_invocation_is_not_sent_again_when_a_used_connection_closes():
    """A server that reads the request on a connection that was used before and closes it."""
    def close_if_used(request):
        return CLOSE
    with HttpServer(invoke=[close_if_used, RESULT]) as server:
        ran = invoke(server)
        equal(len(server.invocations), 1, "invocations that arrived")
        expect(ran.status != 0, "a lost answer is no success")


def test_an_invocation_has_a_connection_of_its_own():
    with HttpServer() as server:
        ended(invoke(server), 0)
        others = {r.connection for r in server.log if r.path != "/invoke"}
        expect(server.invocations[0].connection not in others, "it went over a used connection")


def test_a_lost_answer_is_indeterminate_and_the_key_is_told():
    with HttpServer(invoke=CLOSE) as server:
        ran = invoke(server)
        key = server.invocations[0].body["extensions"]["x-idempotency-key"]
        ended(ran, 4, err=["whether it ran is not known", f"--resume {key}"])


def test_every_invocation_has_a_key_of_its_own():
    with HttpServer() as server:
        for _ in range(3):
            ended(invoke(server), 0)
        keys = [r.body["extensions"]["x-idempotency-key"] for r in server.invocations]
        equal(len(set(keys)), 3, "keys")
        for key in keys:
            expect(16 <= len(key) <= 128 and key.replace("-", "").replace("_", "").isalnum(), key)


def test_a_caller_may_give_the_key():
    with HttpServer() as server:
        ended(invoke(server, "--idempotency-key", "order:17.a_b-C"), 0)
        equal(server.invocations[0].body["extensions"], {"x-idempotency-key": "order:17.a_b-C"})


def test_a_malformed_key_is_refused_before_anything_is_sent():
    with HttpServer() as server:
        for key in ("not a key", "", "k" * 129, "schlüssel"):
            ended(invoke(server, f"--idempotency-key={key}"), 1, err="a key has 1 to 128 characters")
        equal(server.invocations, [])


def test_the_printed_command_asks_for_the_outcome_with_the_same_key():
    replay = {**RESULT, "extensions": {"x-idempotent-replay": True}}
    with HttpServer(invoke=[CLOSE, replay]) as server:
        lost = invoke(server, "--arg", "count=3")
        line = next(l for l in lost.err.splitlines() if "--resume" in l)
        words = line.split()[1:]  # behind the program's name
        ran = manglecp(*words)
        ended(ran, 0, out=["nothing ran again", "It is done."])
        first, second = [r.body for r in server.invocations]
        equal(second["payload"], first["payload"], "the payload")
        equal(second["extensions"], {**first["extensions"], "x-idempotency-only": True}, "the key, and no run")
        equal(len(server.intents), 1, "evaluations: asking for an outcome takes none")


def test_a_server_that_would_run_it_is_not_asked_for_an_outcome():
    with HttpServer(manifest=manifest(extensions={})) as server:
        for only in ({}, {"x-idempotency-only": False}, {"x-idempotency-only": "yes"}):
            server.answers["manifest"] = manifest(extensions=only)
            ended(manglecp("invoke", server.url, TOOL["macro_id"], "--resume", "never-made"), 2,
                  err="does not say that it tells outcomes without running")
        equal(server.invocations, [])
    unknown = error("malformed_message", False, details={"reason": "key_unknown"})
    with HttpServer(invoke=unknown) as server:
        ended(manglecp("invoke", server.url, TOOL["macro_id"], "--resume", "never-made"), 1, err="malformed_message")
        equal(len(server.invocations), 1)


def test_a_server_that_does_not_know_is_believed():
    lost = error("execution_failed", False, details={"indeterminate": True, "reason": "unavailable"})
    with HttpServer(invoke=lost) as server:
        ended(invoke(server), 4, err=["whether it ran to its end is not known", "--resume"])
        equal(len(server.invocations), 1)


def test_a_failed_execution_is_not_repeated():  # P-ERR-12
    with HttpServer(invoke=error("execution_failed", False)) as server:
        ended(invoke(server), 1, err="execution_failed")
        equal(len(server.invocations), 1)


def test_a_silent_server_makes_it_indeterminate_within_the_timeout():
    with HttpServer(invoke=SILENT) as server:
        ran = invoke(server, "--timeout-ms", "700")
        ended(ran, 4, err="--resume")
        expect(ran.seconds < 15, f"it took {ran.seconds} s")
        equal(len(server.invocations), 1)


def test_an_answer_that_breaks_off_is_indeterminate():
    whole = http(200, json.dumps(envelope("invoke_response", RESULT, "c-2")).encode())
    for cut in (10, 60, len(whole) - 5):
        def half(request, cut=cut):
            return Raw(whole[:cut])
        with HttpServer(invoke=half) as server:
            # the server closes behind what it said
            server.reply_and_close = True
            original = server.reply

            def reply(connection, request):
                original(connection, request)
                return request.path != "/invoke"
            server.reply = reply
            ended(invoke(server), 4, err="--resume")
            equal(len(server.invocations), 1)


def test_what_is_no_message_behind_a_server_error_is_indeterminate():
    for status in (502, 504, 408, 499):
        with HttpServer(invoke=http(status, b"<html>Bad Gateway</html>")) as server:
            ended(invoke(server), 4, err=[f"status {status}", "--resume"])
            equal(len(server.invocations), 1)


def test_a_refusal_without_a_message_is_none():
    """Who redirects or refuses did not run it."""
    for answer in (http(413, b"too large"), http(307, b"", "Location: /elsewhere")):
        with HttpServer(invoke=answer) as server:
            ran = invoke(server)
            ended(ran, 2, err="status")
            expect("--resume" not in ran.err, ran.err)
            equal(len(server.invocations), 1)
            equal(server.of("/elsewhere"), [])


def test_a_server_that_cannot_be_reached_ran_nothing():
    with HttpServer() as server:
        def gone(request):
            server.close()
            return tools(TOOL)
        server.answers["evaluate"] = gone
        ran = invoke(server)
        ended(ran, 2)
        expect("--resume" not in ran.err, ran.err)


def test_an_interrupted_invocation_is_dropped_and_not_known():  # P-CONC-9
    with HttpServer(invoke=SILENT) as server:
        child = subprocess.Popen([fake.PROGRAM, "invoke", server.url, "mark", "--intent", "work", "--arg", "label=x"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        while not server.invocations:
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
        equal((child.returncode, len(server.invocations)), (4, 1), out + err)
        expect("abandoned" in err and "--resume" in err, err)


# ---- the same over standard streams -----------------------------------------------------------------

def serve_and_die_on_invoke(io):
    io.send(manifest())
    io.answer(io.read(), tools(TOOL))
    io.read()


def test_a_child_that_dies_leaves_it_indeterminate():
    with Child(serve_and_die_on_invoke) as child:
        ran = manglecp("invoke", "mark", "--intent", "work", "--arg", "label=x", *child.words)
        ended(ran, 4, err=["whether it ran is not known", "--resume"])
        equal(child.types, ["intent_request", "invoke_request"])


def serve_silence(io):
    io.send(manifest())
    io.answer(io.read(), tools(TOOL))
    io.read()
    time.sleep(30)


def test_a_child_that_is_silent_too():
    with Child(serve_silence) as child:
        ran = manglecp("invoke", "mark", "--intent", "work", "--arg", "label=x", "--timeout-ms", "500",
                       *child.words)
        ended(ran, 4, err="did not answer in time")
        equal(child.types, ["intent_request", "invoke_request"])


# ---- credentials --------------------------------------------------------------------------------------

SECRET = "s3cr3t-token"


def token_in(request):
    return any(SECRET in value for value in request.headers.values())


def test_the_token_goes_to_the_origin_of_the_manifest():
    with HttpServer(manifest=manifest(auth={"required": True, "schemes": ["bearer"]})) as server:
        ended(invoke(server, "--token", SECRET), 0)
        for request in server.intents + server.invocations:
            equal(request.headers.get("authorization"), f"Bearer {SECRET}")  # P-AUTH-8


def elsewhere(other, form):
    endpoint = form.format(port=other.port)
    return manifest(endpoints={"intent_eval": endpoint + "/evaluate", "macro_invoke": endpoint + "/invoke"},
                    auth={"required": True, "schemes": ["bearer"]})


def test_the_token_goes_nowhere_else():
    """An absolute endpoint, one without a scheme, another name of the same host, another port."""
    for form in ("http://127.0.0.1:{port}", "//127.0.0.1:{port}", "http://localhost:{port}",
                 "http://user@127.0.0.1:{port}"):
        with HttpServer() as other, HttpServer() as server:
            server.answers["manifest"] = elsewhere(other, form)
            invoke(server, "--token", SECRET)
            equal([r for r in other.log if token_in(r)], [], f"requests with the token to {form}")


def test_a_token_does_not_go_unencrypted_to_another_machine():
    with HttpServer() as server:
        for at in (f"http://0.0.0.0:{server.port}", f"ws://0.0.0.0:{server.port}"):  # no loopback address by its name
            for ask in (["manifest", at], ["intent", at, "work"], ["reload", at], ["top", at]):
                ended(manglecp(*ask, env={"MANGLECP_TOKEN": SECRET}), 2,
                      err=["is not encrypted, so no token goes there", "--insecure"])
                equal(server.log, [], f"requests of {ask}")
        at = f"http://0.0.0.0:{server.port}"
        ended(manglecp("manifest", at), 0)
        ended(manglecp("manifest", at, "--insecure", "--token", SECRET), 0)
        expect(token_in(server.log[-1]), "it was sent all the same")
        manglecp("reload", at, "--insecure", "--token", SECRET)
        expect(token_in(server.log[-1]), "and to the operations pages")


def test_no_proxy_comes_between_where_it_could_read():
    for name in ("http_proxy", "all_proxy", "ALL_PROXY"):
        with HttpServer() as proxy, HttpServer() as server:
            env = {name: proxy.url, "MANGLECP_TOKEN": SECRET, "no_proxy": "", "NO_PROXY": ""}
            ended(manglecp("manifest", server.url, env=env), 0)
            ended(manglecp("manifest", f"http://0.0.0.0:{server.port}", "--insecure", env=env), 0)
            manglecp("reload", server.url, env=env)
            manglecp("manifest", server.url.replace("http", "ws"), env=env)
            equal(proxy.log, [], f"by {name}")
            expect(len(server.log) >= 4, server.log)


def test_a_server_elsewhere_that_wants_it_is_explained():
    with HttpServer(evaluate=error("auth_required")) as other, HttpServer() as server:
        server.answers["manifest"] = elsewhere(other, "http://127.0.0.1:{port}")
        ended(manglecp("intent", server.url, "work", "--token", SECRET), 1, err="auth_required")
        equal(len(other.intents), 1, "P-DISC-3: it is asked where the manifest says")


def test_redirections_are_not_followed():
    with HttpServer() as other:
        to = http(302, b"", f"Location: {other.url}{WELL_KNOWN}")
        with HttpServer(manifest=to) as server:
            ended(manglecp("manifest", server.url, "--token", SECRET), 2,
                  err=["redirection that is not followed", other.url])
        to = http(307, b"", f"Location: {other.url}/evaluate")
        with HttpServer(evaluate=to) as server:
            ended(manglecp("intent", server.url, "work", "--token", SECRET), 2, err="redirection")
        equal(other.log, [])


def test_an_address_with_credentials_in_it_is_refused():
    ran = manglecp("manifest", "http://me:hidden@127.0.0.1:1/")
    ended(ran, 2, err="has credentials in it")
    expect("hidden" not in ran.err, ran.err)


def test_other_schemes_are_refused():
    for address in ("ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:1/"):
        ended(manglecp("manifest", address), 2, err="is no http:// or https:// address")
    with HttpServer(manifest=manifest(endpoints={"intent_eval": "file:///etc/passwd",
                                                 "macro_invoke": "/invoke"})) as server:
        ended(manglecp("intent", server.url, "work"), 2, err="is where the manifest leads")


def test_endpoints_are_resolved_against_the_manifest():  # P-HTTP-4, P-DISC-1, P-DISC-2, P-DISC-3
    relative = manifest(endpoints={"intent_eval": "../x/evaluate", "macro_invoke": "y/invoke?a=b"})
    with HttpServer(manifest=relative) as server:
        server.answers["/.well-known/x/evaluate"] = tools(TOOL)
        server.answers["/.well-known/manglecp/y/invoke?a=b"] = RESULT
        ended(invoke(server), 0)
        equal([r.path for r in server.log], [WELL_KNOWN, "/.well-known/x/evaluate",
                                             "/.well-known/manglecp/y/invoke?a=b"])


def test_an_unknown_path_means_no_server_and_no_other_path_is_tried():  # P-DISC-4
    with HttpServer(manifest=(404, envelope("error", error("x-not_found")))) as server:
        ended(manglecp("intent", server.url, "work"), 2, err="does not speak MangleCP")
        equal([r.path for r in server.log], [WELL_KNOWN])


def test_a_token_of_several_words_is_refused():
    """It would be a second header."""
    with HttpServer() as server:
        ended(manglecp("intent", server.url, "work", "--token", "a\r\nX-Evil: 1"), 2, err="one word")
        equal(server.log, [])


# ---- silence ------------------------------------------------------------------------------------------

def test_a_server_that_accepts_and_says_nothing_is_left():
    with HttpServer(manifest=SILENT) as server:
        ran = manglecp("manifest", server.url, "--manifest-timeout-ms", "600")
        ended(ran, 2, err="imed out")
        expect(ran.seconds < 10, f"it took {ran.seconds} s")


def serve_nothing(io):
    time.sleep(30)


def test_a_child_that_says_nothing_is_left():
    with Child(serve_nothing) as child:
        ran = manglecp("manifest", "--manifest-timeout-ms", "600", *child.words)
        ended(ran, 2, err="did not answer in time")
        expect(ran.seconds < 12, f"it took {ran.seconds} s")
        equal(child.got, [])


def serve_blanks(io):
    io.send(manifest())
    io.read()
    talk(b"\n" * 65536)


def talk(what):
    try:
        while True:
            os.write(1, what)
    except BrokenPipeError:
        os._exit(0)


def serve_line_without_end(io):
    io.send(manifest())
    io.read()
    talk(b" " * 65536)


def test_a_child_that_only_talks_is_left_by_the_deadline():
    """Empty lines, and a line without end: something can always be read, and the answer never comes."""
    for serve in (serve_blanks, serve_line_without_end):
        with Child(serve) as child:
            ran = manglecp("intent", "work", "--timeout-ms", "900", *child.words)
            expect(ran.status == 2 and ("did not answer in time" in ran.err or "more than 64 MiB" in ran.err), f"{ran}")
            expect(ran.seconds < 20, f"{serve.__name__}: it took {ran.seconds} s")


def test_the_manifest_is_not_waited_for_long():
    """Without an option: a person sits there."""
    with HttpServer(manifest=SILENT) as server:
        ran = manglecp("manifest", server.url, timeout=30)
        ended(ran, 2, err="imed out")
        expect(ran.seconds < 20, f"it took {ran.seconds} s")


def test_an_intent_that_is_not_answered_is_left():
    with HttpServer(evaluate=SILENT) as server:
        ran = manglecp("intent", server.url, "work", "--timeout-ms", "500")
        ended(ran, 2, err="imed out")
        equal(len(server.intents), 1)


def test_an_answer_without_end_is_cut():
    """A body that never ends must not take all memory."""
    def endless(request):
        return Raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    with HttpServer(evaluate=endless) as server:
        original = server.reply

        def reply(connection, request):
            original(connection, request)
            if request.path != "/evaluate":
                return True
            try:
                while True:
                    connection.sendall(b" " * 1048576)
            except OSError:
                return False
        server.reply = reply
        ended(manglecp("intent", server.url, "work"), 2, err="more than 64 MiB")


sys.exit(run(globals()))

"""HTTP as bytes: routes, heads, connections, conditional requests, origins."""
from blackbox import *

TOKEN = "token-of-the-http-tests"
WEB = "https://app.example"
held = {}


def server():
    """One server with a token for all tests of this file."""
    if "l" not in held or held["l"].program.process.poll() is not None:
        held["l"] = Listener("--auth", token_file(token_line(TOKEN, "web", "intent:*")),
                             "--cors-origin", WEB)
        programs.remove(held["l"].program)
    return held["l"]


def connect():
    return server().connect(TOKEN)


def serves(c):
    equal(names(c.ask(good())), ["fx_echo"], "a good request")


def test_the_manifest_stands_at_the_well_known_path():
    response = server().connect().get(Listener.MANIFEST)  # P-HTTP-1, P-DISC-1
    equal(response.status, 200, "status")
    equal(response.message["type"], "manifest", "type")
    equal(response.message["id"], None, "id")  # P-MAN-3


def test_both_endpoints_of_the_manifest_take_posts():
    c = connect()
    answer = c.post(good(), server().manifest["payload"]["endpoints"]["intent_eval"])  # P-HTTP-2, P-MAN-13
    equal(answer.message["type"], "intent_response", "type")
    tool = tool_of(answer.message)
    answer = c.post(invoke(tool, {"label": "x"}),  # P-HTTP-3
                    server().manifest["payload"]["endpoints"]["macro_invoke"])
    equal((answer.status, answer.message["type"]), (200, "invoke_response"), "invocation")  # P-HTTP-10


def test_a_charset_of_utf_8_is_fine_and_so_is_the_protocols_own_type():
    c = connect()
    for label in ("application/json; charset=utf-8", 'application/json;charset="UTF-8"',
                  "Application/JSON", "application/manglecp+json"):  # P-HTTP-5, D-58
        equal(c.post(good(), Content_Type=label).status, 200, label)


def test_an_accept_that_allows_json_is_fine():
    c = connect()
    for label in (None, "*/*", "application/*", "text/html, application/json;q=0.5"):  # P-HTTP-6
        equal(c.post(good(), Accept=label).status, 200, f"Accept: {label}")
    for label in ("application/json;q=0, text/html", "application/json;q=0, */*", "*/*, application/json;q=0",
                  "application/*;q=0, */*;q=0.1"):  # the most specific range counts
        equal(c.post(good(), Accept=label).status, 400, f"Accept: {label}")


def test_every_answer_is_labelled_json():
    c = connect()
    answers = [c.post(good()), c.post(b"{"), server().connect().post(good()), c.get(Listener.MANIFEST)]
    equal([a.status for a in answers], [200, 400, 401, 200], "status")
    for answer in answers:  # P-HTTP-8
        expect(answer.headers["content-type"].startswith("application/json"), f"{answer.headers}")


def test_the_status_follows_the_code():
    c = connect()
    tool = tool_of(c.ask(intent("fx.fail")), "fx_fail")
    cases = [  # P-HTTP-11, P-HTTP-13, P-HTTP-14, P-HTTP-15, P-HTTP-17
        (400, "type_mismatch", intent("fx.echo", [fact("fx_basic", 1, 1, True, 1)])),
        (408, "evaluation_timeout", intent("fx.slow", constraints={"max_compute_ms": 1})),
        (413, "derivation_limit_exceeded", intent("fx.rank", constraints={"max_facts_created": 1})),
        (404, "macro_not_found", invoke("invented-0123456789ab")),
        (500, "execution_failed", invoke(tool)),
    ]
    for status, code, message in cases:
        response = c.post(message)
        equal((response.status, code_of(response.message)), (status, code), "status and code")


def test_the_manifest_can_be_cached_and_asked_for_again():
    c = server().connect()
    first = c.get(Listener.MANIFEST)
    expect("max-age=300" in first.headers["cache-control"], first.headers["cache-control"])  # P-HTTP-21
    tag = first.headers["etag"]
    expect(re.fullmatch(r'"[\x21\x23-\x7e]+"', tag), f"ETag: {tag}")
    for value in (tag, f"W/{tag}", f'"other", {tag}', "*"):  # P-HTTP-22
        again = c.get(Listener.MANIFEST, If_None_Match=value)
        equal((again.status, again.body, again.headers["etag"]), (304, b"", tag), value)
    equal(c.get(Listener.MANIFEST, If_None_Match='"other"').body, first.body, "another tag")


def test_answers_to_requests_are_not_cached():
    equal(connect().post(good()).headers["cache-control"], "no-store", "Cache-Control")


def test_head_is_the_head_of_get():
    c = server().connect()
    get, head = c.get(Listener.MANIFEST), c.get(Listener.MANIFEST, "HEAD")
    equal(head.status, 200, "status")
    for name in ("content-length", "content-type", "etag"):
        equal(head.headers[name], get.headers[name], name)
    equal(c.get(Listener.MANIFEST).body, get.body, "the next answer on the connection")


def test_wrong_methods_are_told_which_are_right():
    c = connect()
    for method, path, allowed in (("GET", server().intent_path, "POST"),
                                  ("DELETE", server().invoke_path, "POST"),
                                  ("PUT", Listener.MANIFEST, "GET"),
                                  ("HEAD", server().intent_path, "POST")):
        response = c.get(path, method)
        equal(response.status, 405, f"{method} {path}")
        expect(allowed in response.headers["allow"], f"Allow: {response.headers['allow']}")
    serves(c)


def test_unknown_paths_are_not_found():
    c = connect()
    for path in ("/", "/manglecp", "/manglecp/tools", "/tools/list", "/.well-known/manglecp/",
                 Listener.MANIFEST + "x"):  # P-ENUM-1
        equal(code_of(c.get(path).message), "x-not_found", path)
    serves(c)


def test_a_query_behind_the_path_changes_nothing():
    equal(server().connect().get(Listener.MANIFEST + "?v=1").status, 200, "status")


def test_a_connection_serves_many_requests():
    c = connect()
    for _ in range(20):
        serves(c)


def test_connection_close_is_kept():
    c = connect()
    response = c.post(good(), Connection="close")
    equal(response.headers.get("connection"), "close", "Connection")
    expect(c.closed(), "the connection stays open")


def test_http_1_0_gets_one_answer():
    c = connect()
    c.send(c.head("GET", Listener.MANIFEST).replace(b"HTTP/1.1", b"HTTP/1.0"))
    equal(c.response().status, 200, "status")
    expect(c.closed(), "the connection stays open")


def test_requests_in_one_burst_are_answered_in_order():
    c = connect()
    ids = [f"burst-{n}" for n in range(25)]
    raw = b""
    for id in ids:  # P-CONC-2
        body = encode(good(id))
        raw += c.head("POST", server().intent_path, len(body)) + body
    c.send(raw)
    equal([c.response().message["id"] for _ in ids], ids, "ids")


def test_a_burst_with_faults_in_it_is_answered_in_order():
    c = connect()
    bodies = [encode(good("a")), b"{", encode(good("b")), encode(intent("fx.echo", id="c"))]
    c.send(b"".join(c.head("POST", server().intent_path, len(b)) + b for b in bodies))
    answers = [c.response() for _ in bodies]
    equal([a.status for a in answers], [200, 400, 200, 400], "status")
    equal([a.message["id"] for a in answers], ["a", None, "b", "c"], "ids")


def test_a_chunked_body_is_a_body():
    c = connect()
    body = encode(good("chunked"))
    head = c.head("POST", server().intent_path, Transfer_Encoding="chunked")
    chunks = [body[i:i + 7] for i in range(0, len(body), 7)]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in chunks) + b"0\r\n\r\n"
    c.send(head + framed)
    equal(c.response().message["id"], "chunked", "id")
    serves(c)


def test_a_body_may_come_byte_by_byte():
    c = connect()
    body = encode(good("slow"))
    whole = c.head("POST", server().intent_path, len(body)) + body
    for i in range(0, len(whole)):
        c.send(whole[i:i + 1])
    equal(c.response().message["id"], "slow", "id")
    serves(c)


def test_expect_100_continue_is_answered_before_the_body():
    c = connect()
    body = encode(good("patient"))
    c.send(c.head("POST", server().intent_path, len(body), Expect="100-continue"))
    equal(c.response().status, 100, "status before the body")
    c.send(body)
    equal(c.response().message["id"], "patient", "id")


def test_a_body_that_cannot_fit_is_refused_before_it_is_sent():
    c = connect()
    c.send(c.head("POST", server().intent_path, 1 << 30, Expect="100-continue"))
    refused(c.response().message, "message_too_large", max_message_bytes=16777216)  # P-HTTP-14


def test_a_message_of_exactly_the_limit_is_served():
    c = connect()
    response = c.post(encode(good("large")).ljust(16777216))  # P-ENV-16
    equal((response.status, response.message["id"]), (200, "large"), "answer")
    serves(c)


def test_bytes_that_are_not_http_end_the_connection():
    for raw in (b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00", b"\0" * 64):
        c = connect()
        c.send(raw)
        equal(c.response().status, 400, f"status for {raw[:8]!r}")
        expect(c.closed(), "the connection stays open")
    serves(connect())


def test_a_head_that_never_ends_is_refused():
    c = connect()
    try:
        c.send(b"GET / HTTP/1.1\r\n")
        for n in range(2000):
            c.send(b"X-Filler-%d: %s\r\n" % (n, b"y" * 200))
    except (BrokenPipeError, ConnectionResetError):
        pass
    try:
        c.fill()
    except Failure:
        raise Failure("a head of 400 KB is still being read")
    except ConnectionResetError:
        pass
    serves(connect())


def test_two_lengths_are_refused():
    c = connect()
    body = encode(good())
    c.send(c.head("POST", server().intent_path, len(body)).replace(
        b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n") + body)
    equal(c.response().status, 400, "status")
    expect(c.closed(), "the connection stays open")  # what follows cannot be told from the body


def test_a_length_beside_chunks_is_refused():
    c = connect()
    c.send(c.head("POST", server().intent_path, 5, Transfer_Encoding="chunked") + b"0\r\n\r\nGET /")
    equal(c.response().status, 400, "status")
    expect(c.closed(), "the connection stays open")


def test_another_host_is_refused():
    c = connect()
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:80"):
        refused(c.get(Listener.MANIFEST, Host=host).message, "malformed_message", reason="http")
    for host in ("localhost", f"localhost:{server().port}", "127.0.0.1"):
        equal(c.get(Listener.MANIFEST, Host=host).status, 200, host)


def test_the_configured_origin_is_echoed_and_no_other():
    c = connect()
    response = c.post(good(), Origin=WEB)
    equal(response.headers.get("access-control-allow-origin"), WEB, "origin")  # P-HTTP-19
    for origin in ("https://evil.example", "null", WEB + ".evil.example", WEB.upper()):
        response = c.post(good(), Origin=origin)
        equal(response.headers.get("access-control-allow-origin"), None, origin)  # P-HTTP-20


def test_a_preflight_names_method_and_headers():
    c = server().connect()
    response = c.get(server().intent_path, "OPTIONS", Origin=WEB,
                     Access_Control_Request_Method="POST",
                     Access_Control_Request_Headers="authorization, content-type")
    equal(response.status, 204, "status")
    equal(response.headers.get("access-control-allow-origin"), WEB, "origin")
    expect("POST" in response.headers["access-control-allow-methods"], "methods")
    allowed = response.headers["access-control-allow-headers"].lower()
    expect("authorization" in allowed and "content-type" in allowed, allowed)
    serves(connect())


def test_without_an_origin_configured_nothing_is_allowed():
    l = Listener("--open-demo")
    response = l.connect().post(good(), Origin=WEB)
    equal(response.headers.get("access-control-allow-origin"), None, "origin")
    equal(l.connect().get(l.intent_path, "OPTIONS", Origin=WEB).status, 405, "preflight")


def test_credentials_come_with_every_request():
    c = server().connect()
    equal(c.post(good(), Authorization=f"Bearer {TOKEN}").status, 200, "with")  # P-AUTH-3
    equal(c.post(good()).status, 401, "without")  # P-AUTH-8, P-HTTP-12
    equal(c.post(good(), Authorization=f"Bearer {TOKEN}x").status, 401, "wrong")
    equal(c.post(good(), Authorization=f"bearer  {TOKEN}").status, 200, "other spelling")


def test_a_client_that_does_not_read_is_waited_for():
    c = connect()
    ids = [f"flood-{n}" for n in range(2000)]
    bodies = [encode(intent("fx.rank", id=id)) for id in ids]
    raw = b"".join(c.head("POST", server().intent_path, len(b)) + b for b in bodies)
    writer = threading.Thread(target=c.send, args=(raw,), daemon=True)
    writer.start()
    time.sleep(1)
    serves(connect())  # others do not notice
    equal([c.response().message["id"] for _ in ids], ids, "ids")
    writer.join(PATIENCE)


def test_a_dropped_connection_cancels_and_the_server_goes_on():
    size = busy_size(connect().ask, 3)
    c = connect()
    body = encode(intent("fx.slow", params={"size": size}))
    c.send(c.head("POST", server().intent_path, len(body)) + body)
    time.sleep(0.2)
    begun = cpu_seconds(server().program.process.pid)
    c.close()  # P-CONC-9
    time.sleep(1)
    spent = cpu_seconds(server().program.process.pid) - begun
    expect(spent < 0.7, f"{spent} s of work for a client that has left")
    serves(connect())


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_progress_never_comes_over_http():
    c = connect()
    tool = tool_of(c.ask(intent("fx.slow", params={"size": 1})))
    response = c.post(invoke(tool, {"step_ms": 100}))  # P-PROG-3
    equal(response.message["type"], "invoke_response", "the only message")
    serves(c)


def test_many_connections_are_served_at_once():
    connections = [connect() for _ in range(50)]
    for n, c in enumerate(connections):
        body = encode(good(f"many-{n}"))
        c.send(c.head("POST", server().intent_path, len(body)) + body)
    for n, c in enumerate(connections):
        equal(c.response().message["id"], f"many-{n}", "id")
        c.close()


def test_a_draining_server_finishes_what_runs_and_ends():
    l = Listener("--auth", token_file(token_line(TOKEN, "web", "intent:*")))
    size = busy_size(l.connect(TOKEN).ask, 1.5)
    running, idle = l.connect(TOKEN), l.connect(TOKEN)
    serves(idle)
    body = encode(intent("fx.slow", id="running", params={"size": size}))
    running.send(running.head("POST", l.intent_path, len(body)) + body)
    time.sleep(0.3)
    l.program.process.send_signal(signal.SIGTERM)
    equal(running.response().message["id"], "running", "the request that ran")  # P-READY-9
    expect(idle.closed(), "an idle connection stays open")
    l.program.wait()


def test_the_server_ends_well():
    server().stop()


run(globals())

"""WebSocket sessions: the upgrade, frames, login, closing, what a client cannot do to others."""
from websocket import *

TOKEN, NARROW = "token-of-everything", "token-of-one-intent"


def guarded(*options, **kept):
    return Listener("--auth", token_file(token_line(TOKEN, "all", "intent:*"),
                                         token_line(NARROW, "narrow", "intent:fx.echo")),
                    *options, **kept)


def open_demo():
    """A listener for everybody."""
    return Listener("--open-demo")


def login(s, token, scheme="bearer"):
    return s.ask(request("authenticate", {"scheme": scheme, "token": token}))


def serves(s):
    equal(names(s.ask(good())), ["fx_echo"], "a good request")


# ---- the upgrade

def test_a_session_begins_with_the_manifest_and_answers():
    l = open_demo()
    s = Socket(l)  # P-WS-1, P-WS-11
    equal(s.manifest["payload"]["status"], "ready", "status")
    serves(s)
    expect("sec-websocket-protocol" not in s.response.headers, "a subprotocol that nobody offered")
    s.close()
    s = Socket(l, Sec_WebSocket_Protocol="chat, manglecp")
    equal(s.response.headers["sec-websocket-protocol"], "manglecp", "subprotocol")
    serves(s)
    l.stop()


def test_the_manifest_over_http_says_where_the_socket_is():
    l = open_demo()
    equal(l.manifest["payload"]["extensions"]["x-websocket"], PATH, "x-websocket")  # D-59, P-WS-11
    l.stop()


def test_what_comes_right_behind_the_head_is_heard():
    l = open_demo()
    s = Socket(l, early=frame(TEXT, encode(good("early"))))
    equal(s.receive()["id"], "early", "id")
    serves(s)
    l.stop()


def test_an_offer_that_is_none_is_refused_and_says_why():
    l = open_demo()
    for headers, status in [({"Upgrade": None}, 426), ({"Upgrade": "h2c"}, 426),
                            ({"Connection": "keep-alive"}, 400), ({"Sec_WebSocket_Version": "8"}, 426),
                            ({"Sec_WebSocket_Version": None}, 426), ({"Sec_WebSocket_Key": "short"}, 400),
                            ({"Sec_WebSocket_Key": None}, 400)]:
        s = Socket(l, **headers)
        equal(s.response.status, status, f"status with {headers}")
        expect(len(s.response.message["payload"]["message"]) > 20, "no reason")
        if status == 426:
            equal(s.response.headers["sec-websocket-version"], "13", "what to ask for")
            expect("upgrade" in s.response.headers["connection"].lower(), "Connection")
    equal(l.connect().get(PATH, method="POST").status, 405, "status of a POST")
    l.stop()


def test_strange_hosts_and_origins_are_refused_before_anything_else():
    l = open_demo()
    own = f"127.0.0.1:{l.port}"
    for headers, status in [({"Host": "evil.example"}, 400), ({"Origin": "https://evil.example"}, 403),
                            ({"Origin": "null"}, 403), ({"Origin": f"http://{own}"}, 101), ({}, 101)]:
        equal(Socket(l, greet=False, **headers).response.status, status, f"status with {headers}")
    l.stop()


def test_allowed_origins_may_connect():
    l = Listener("--open-demo", "--cors-origin", "https://app.example")
    equal(Socket(l, Origin="https://app.example").response.status, 101, "status")
    equal(Socket(l, Origin="https://app.example.evil").response.status, 403, "status")
    l.stop()


# ---- frames

def test_a_message_may_come_in_any_pieces():
    l = open_demo()
    s = Socket(l)
    text = encode(good("pieces"))
    whole = frame(TEXT, text)
    for byte in whole:  # each in a segment of its own, as far as the kernel lets it
        s.write(bytes([byte]))
    equal(s.receive()["id"], "pieces", "id")
    s.write(frame(TEXT, text[:7], fin=False) + frame(PING, b"abcd") + frame(0, text[7:20], fin=False) +
            frame(0, b"", fin=False) + frame(0, text[20:]))  # D-59
    equal(s.frame(), (PONG, b"abcd"), "the pong")  # P-WS-9
    equal(s.receive()["id"], "pieces", "id")
    l.stop()


def test_pipelined_requests_have_one_answer_each():
    l = open_demo()
    s = Socket(l)
    ids = [f"p-{n}" for n in range(50)]
    s.send(*[good(id) for id in ids])
    equal(sorted(s.receive()["id"] for _ in ids), sorted(ids), "ids")  # P-WS-5, P-CONC-1, P-CONC-10
    l.stop()


def test_a_large_answer_is_one_frame():
    l = guarded()
    s = Socket(l, TOKEN)
    choices = [f"{n:04}" + "x" * 1300 for n in range(900)]
    s.send(intent("fx.vary", [fact("fx_choice", c) for c in choices]))
    opcode, payload = s.frame()  # P-WS-4; frame() takes no fragment
    equal(opcode, TEXT, "opcode")
    expect(len(payload) > 1 << 20, f"{len(payload)} bytes")
    schema = tool_of(check_message(decode(payload)))["input_schema"]
    equal(schema["properties"]["value"]["enum"], choices, "choices")
    l.stop()


def test_bad_messages_are_answered_and_the_session_goes_on():
    l = open_demo()
    s = Socket(l)
    s.write(frame(TEXT))  # bad input 2
    refused(s.receive(), "malformed_message")
    s.write(frame(BINARY, encode(good("binary"))))  # bad input 41
    m = s.receive()
    refused(m, "malformed_message", reason="framing")
    equal(m["id"], None, "id")
    s.write(frame(BINARY, b"\xff" * 70000, fin=False) + frame(0, b"\xfe"))
    refused(s.receive(), "malformed_message", reason="framing")
    s.write(frame(TEXT, b"{"))
    refused(s.receive(), "malformed_message")
    serves(s)
    l.stop()


def test_exactly_the_limit_is_served_and_one_byte_more_is_skipped():
    l = open_demo()
    s = Socket(l)
    s.write(frame(TEXT, encode(good("large")).ljust(16777216)))  # P-ENV-16, D-8
    equal(s.receive()["id"], "large", "id")
    s.write(frame(TEXT, encode(good("larger")).ljust(16777217)))  # bad input 17
    refused(s.receive(), "message_too_large", max_message_bytes=16777216)
    s.write(frame(TEXT, b"x" * 16777216, fin=False) + frame(0, b"x" * 4096))
    refused(s.receive(), "message_too_large")
    serves(s)
    l.stop()


def test_a_huge_frame_is_refused_by_its_head():
    l = open_demo()
    for head in (frame(TEXT, length=2 * 16777216 + 1), frame(BINARY, length=(1 << 63) - 1)):
        s = Socket(l)
        s.write(head)  # bad input 18, and not a byte of it
        refused(s.receive(), "message_too_large", max_message_bytes=16777216)
        s.closes(1009)
    l.stop()


def test_text_that_is_no_utf_8_is_answered_and_closed():
    l = open_demo()
    bad = [b'{"id":"\xff"}', b'{"id":"\xc0\xaf"}', "{}".encode("utf-16"), b"\xed\xa0\x80", b"a\xf0\x9f"]
    for text in bad:  # bad inputs 5, 6, 9
        s = Socket(l)
        s.write(frame(TEXT, text))
        m = s.receive()
        refused(m, "malformed_message", reason="utf8")
        equal(m["id"], None, "id")
        s.closes(1007)
    s = Socket(l)
    s.write(frame(TEXT, b"ok \xff", fin=False))  # at once: the rest of the message is not waited for
    refused(s.receive(), "malformed_message", reason="utf8")
    s.closes(1007)
    l.stop()


def test_broken_framing_is_closed_with_1002():
    l = open_demo()
    text = encode(good())
    for raw in (frame(TEXT, text, masked=False), frame(3, text), frame(11), frame(TEXT, text, reserved=4),
                frame(0, text), frame(TEXT, text, fin=False) + frame(TEXT, text), frame(PING, fin=False),
                frame(PING, b"x" * 126), frame(CLOSE, b"x"), frame(CLOSE, struct.pack(">H", 1005)),
                b"\x81\xfe\x00\x05mask....."):
        s = Socket(l)
        s.write(raw)  # bad input 42
        expect(s.closes(1002), "no reason")
    serves(Socket(l))
    l.stop()


# ---- closing

def test_either_side_may_close():
    l = open_demo()
    other = Socket(l)
    s = Socket(l)
    s.write(frame(CLOSE))
    equal(s.frame(), (CLOSE, b""), "a close without a code")  # P-WS-6
    s.ended()
    for code in (1000, 1001, 3000, 4999):
        Socket(l).close(code)
    s = Socket(l)
    s.connection.close()  # without a word
    serves(other)
    l.stop()


def test_a_close_cancels_what_runs():
    l = open_demo()
    s = Socket(l)
    size = busy_size(s.ask, 1.0)
    s.send(intent("fx.slow", params={"size": size}))
    begun = time.monotonic()
    s.close()
    expect(time.monotonic() - begun < 0.5 * PATIENCE, "closing waited for the evaluation")
    serves(Socket(l))
    l.stop()


def test_stopping_says_so_and_closes_with_1001():
    l = open_demo()
    s, idle = Socket(l), Socket(l)
    serves(s)
    l.program.process.send_signal(signal.SIGTERM)
    for one in (s, idle):
        got = one.frame()
        while got is not None and got[0] == TEXT:  # a manifest that says `draining` may come first
            got = one.frame()
        expect(got is not None and got[0] == CLOSE, f"no close frame: {got}")
        equal(struct.unpack(">H", got[1][:2])[0], 1001, "code")  # D-59
        one.write(frame(CLOSE, got[1][:2]))
        one.ended()
    l.program.wait()


def test_a_client_that_does_not_answer_the_close_is_not_waited_for():
    l = open_demo()
    s = Socket(l)
    begun = time.monotonic()
    l.program.process.send_signal(signal.SIGTERM)
    l.program.wait()
    expect(time.monotonic() - begun < 4, "the server waited")
    s.connection.close()


# ---- who

def test_a_session_logs_in_by_message():
    l = guarded()
    s = Socket(l)
    equal(s.manifest["payload"]["auth"]["required"], True, "auth.required")
    m = good()
    answer = s.ask(m)
    refused(answer, "auth_required")  # bad input 44, P-AUTH-6
    refused(login(s, "wrong"), "auth_invalid")
    equal(login(s, TOKEN)["payload"]["identity"], "all", "identity")  # P-AUTH-7
    serves(s)
    refused(login(s, "wrong"), "auth_invalid")  # a failed repeat keeps the old one
    serves(s)
    equal(login(s, NARROW)["payload"]["identity"], "narrow", "identity")
    refused(s.ask(intent("fx.rank")), "auth_insufficient")
    l.stop()


def test_a_credential_may_come_with_the_upgrade():
    l = guarded()
    serves(Socket(l, TOKEN))  # D-55
    s = Socket(l, "wrong")
    equal(s.response.status, 401, "status")
    refused(s.response.message, "auth_invalid")
    s = Socket(l, Authorization="Basic QQ==")
    refused(s.response.message, "auth_invalid", reason="scheme")
    refused(Socket(l, NARROW).ask(intent("fx.rank")), "auth_insufficient")
    l.stop()


def test_three_failed_logins_in_a_row_end_the_session():
    l = guarded()
    s = Socket(l)
    for _ in range(2):
        refused(login(s, "wrong"), "auth_invalid")  # bad input 49
    login(s, TOKEN)
    for _ in range(3):
        refused(login(s, "wrong"), "auth_invalid")  # bad input 50
    s.closes(1008)  # D-55
    s = Socket(l)
    for _ in range(3):
        refused(login(s, TOKEN, scheme="kerberos"), "auth_invalid", reason="scheme")  # bad input 51
    s.closes(1008)
    l.stop()


def test_strangers_send_little():
    l = guarded()
    s = Socket(l)
    s.write(frame(TEXT, encode(good("big")).ljust(65537)))
    m = s.receive()
    refused(m, "auth_required")  # D-55
    equal(m["id"], None, "id")
    s.write(frame(TEXT, b" " * 5000000))
    refused(s.receive(), "auth_required")
    login(s, TOKEN)
    equal(s.ask({**good("big"), "pad": "x" * 70000})["id"], "big", "id")
    l.stop()


# ---- a session like any other

def test_progress_and_cancel():
    l = open_demo()
    s = Socket(l)
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    seen = []
    s.ask(invoke(tool, {"step_ms": 50}), seen)  # P-PROG-1
    s.send(invoke(tool, {"step_ms": 60000}, id="long"))
    time.sleep(0.2)
    s.send(request("cancel", {"request_id": "long"}))
    while (m := s.receive())["type"] == "progress":
        pass
    equal((m["id"], code_of(m)), ("long", "cancelled"), "the end of it")  # P-CONC-5, -6, -7
    serves(s)
    l.stop()


def test_nothing_is_kept_from_an_earlier_session():
    l = guarded()
    s = Socket(l)
    login(s, TOKEN)
    serves(s)
    s.close()
    refused(Socket(l).ask(good()), "auth_required")  # P-WS-8
    l.stop()


# ---- time, and other people

def test_an_idle_session_is_pinged_and_one_that_is_dead_is_dropped():
    l = Listener("--open-demo", "--ping-interval", "300ms")
    alive, dead = Socket(l), Socket(l)
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        got = alive.frame()
        equal(got[0], PING, "what comes to an idle client")  # P-WS-10
        alive.write(frame(PONG, got[1]))
        alive.pings.append(got[1])
    expect(len(alive.pings) >= 3, f"{len(alive.pings)} pings")
    serves(alive)
    frames = []
    while (got := dead.frame()) is not None:
        frames.append(got[0])
    equal(set(frames), {PING}, "what came to the dead one")
    l.stop()


def test_a_client_that_reads_nothing_is_held_up_and_dropped_and_nobody_else_pays():
    l = Listener("--open-demo", "--write-timeout", "1500ms")
    other, greedy = Socket(l), Socket(l)
    before = l.program.resident_kib()
    burst = frame(TEXT, encode(intent("fx.rank"))) * 200
    greedy.connection.socket.settimeout(0.2)
    sent = 0
    try:
        for _ in range(2000):
            greedy.connection.socket.sendall(burst)
            sent += len(burst)
    except (socket.timeout, ConnectionError):
        pass
    expect(sent < 100_000_000, "everything was taken from somebody who reads nothing")
    begun = time.monotonic()
    serves(other)
    expect(time.monotonic() - begun < 5, "another client waited")
    more = l.program.resident_kib() - before
    expect(SANITIZED or more < 20_000, f"{more} KiB more")  # a sanitizer keeps what is freed
    time.sleep(3.5 if not SANITIZED else 6)
    greedy.connection.socket.settimeout(PATIENCE)
    try:
        while greedy.connection.socket.recv(1 << 20):
            pass
    except ConnectionError:
        pass
    serves(other)
    l.stop()


def test_a_message_that_does_not_end_is_given_up():
    l = Listener("--open-demo", "--body-timeout", "500ms")
    s = Socket(l)
    s.write(frame(TEXT, b"{", fin=False))
    s.closes(1008)
    s = Socket(l)
    s.write(frame(TEXT, b"{", length=1000))
    s.closes(1008)
    serves(Socket(l))
    l.stop()


def test_a_stranger_that_never_logs_in_is_shown_out():
    l = guarded("--idle-timeout", "700ms")
    s = Socket(l)
    known = Socket(l, TOKEN)
    s.closes(1008)
    time.sleep(1)
    serves(known)
    l.stop()


def test_clients_that_die_at_any_point_leave_nothing_behind():
    l = open_demo()
    tool = tool_of(Socket(l).ask(intent("fx.slow", params={"size": 1})))
    raw = frame(TEXT, encode(invoke(tool, {"step_ms": 200})))
    for cut in list(range(0, len(raw), 37)) + [len(raw)]:
        s = Socket(l)
        s.write(raw[:cut])
        if cut % 2:
            s.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.connection.close()
    serves(Socket(l))
    l.stop()  # which ends well only if nothing is left


if __name__ == "__main__":
    run(globals())

"""Stdio sessions: lines, envelopes, bursts, cancelling, the end."""
import random

from blackbox import *


def serves(s):
    equal(names(s.ask(good())), ["fx_echo"], "a good request")


def test_the_manifest_comes_before_any_input():
    s = Session()  # P-STDIO-4, P-STDIO-1
    equal(s.manifest["type"], "manifest", "type")
    equal(s.manifest["id"], None, "id")  # P-MAN-3
    equal(s.manifest["payload"]["auth"]["required"], False, "auth.required")  # P-STDIO-7
    serves(s)
    equal(s.end(), [], "messages after the last answer")  # P-STDIO-5


def test_the_most_talkative_log_stays_on_standard_error():
    s = Session("--log", "debug")  # P-STDIO-3; every line of output is parsed as a message
    tool = tool_of(s.ask(good()))
    s.ask(invoke(tool, {"label": "x"}))
    refused(s.ask(intent("fx.echo")), "invalid_facts")
    s.end()
    expect("intent_request" in s.program.log(), "the log does not mention the request")


def test_end_of_input_leaves_only_the_answers_that_are_owed():
    s = Session()
    s.send(good("a"), good("b"), good("c"))
    equal(sorted(m["id"] for m in s.end()), ["a", "b", "c"], "ids")  # P-STDIO-6


def test_end_of_input_waits_for_an_invocation():
    s = Session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    s.send(invoke(tool, {"step_ms": 50}, id="owed"))
    answers = [m for m in s.end() if m["type"] != "progress"]
    equal([(m["type"], m["id"]) for m in answers], [("invoke_response", "owed")], "answers")


def test_a_last_line_needs_no_newline():
    s = Session()
    s.write(encode(good("last")))
    equal([m["id"] for m in s.end()], ["last"], "ids")  # D-60


def test_blank_lines_and_carriage_returns_are_nothing():
    s = session()
    s.write(b"\n\r\n  \n" + encode(good("crlf")) + b"\r\n\n")
    equal(s.receive()["id"], "crlf", "id")  # D-60
    expect(s.quiet(), "a blank line was answered")


def test_a_line_may_come_in_pieces():
    s = session()
    for byte in encode(good("pieces")) + b"\n":
        s.write(bytes([byte]))
    equal(s.receive()["id"], "pieces", "id")


def test_a_line_of_exactly_the_limit_is_served():
    s = session()
    s.send(encode(good("large")).ljust(16777216))  # P-ENV-16
    equal((s.receive())["id"], "large", "id")
    s.send(encode(good("larger")).ljust(16777217))  # P-ENV-17
    refused(s.receive(), "message_too_large")
    serves(s)


def test_ids_come_back_as_they_were_sent():
    s = session()
    for id in ("é-😀", "0", "x" * 200, "y" * 256, "\u0000\u200f\uffff", ' "\\/', "null"):
        equal(s.ask(good(id))["id"], id, "id")  # P-ENV-3
    message = {**good(), "id": "é"}
    s.send(json.dumps(message, ensure_ascii=False).encode())
    equal(s.receive()["id"], "é", "raw UTF-8 id")


def test_unknown_members_are_ignored():
    s = session()
    message = good()
    message["x-trace"] = {"a": [1]}
    message["extra"] = 7
    message["payload"]["later"] = True
    message["payload"]["facts"][0] = {**BASIC, "note": "x"}
    equal(names(s.ask(message)), ["fx_echo"], "tools")  # D-4


def test_every_scalar_value_survives_facts_and_arguments():
    s = session()
    text = "\u0000\u0001\u200f\ufffe\uffff\U0010ffff\"\\/é😀"
    tool = tool_of(s.ask(intent("fx.reflect", [fact("fx_basic", text, 1, True, text)])))
    answer = s.ask(invoke(tool))  # P-ENV-13
    equal(answer["payload"]["result"], {"tag": text, "x": text}, "result")
    tool = tool_of(s.ask(good()))
    answer = s.ask(invoke(tool, {"label": text}))
    equal(answer["payload"]["result"]["label"], text, "label")


def test_integers_up_to_2_to_the_53_come_back_exactly():
    s = session()
    tool = tool_of(s.ask(good()))
    for n in (9007199254740991, -9007199254740991, 4200, 0):  # P-ENV-15
        answer = s.ask(invoke(tool, {"label": "x", "count": n}))
        equal(answer["payload"]["result"]["count"], n, "count")
        expect(isinstance(answer["payload"]["result"]["count"], int), "a float came back")  # P-FACT-17


def test_a_burst_of_requests_gets_as_many_answers():
    s = session()
    ids = [f"burst-{n}" for n in range(50)]
    s.send(*[good(id) for id in ids])  # P-CONC-1, P-CONC-2
    answers = [s.receive() for _ in ids]
    equal(sorted(m["id"] for m in answers), sorted(ids), "ids")  # P-CONC-10
    expect(all(names(m) == ["fx_echo"] for m in answers), "an answer differs")
    expect(s.quiet(), "more answers than requests")


def test_answers_in_a_burst_belong_to_their_questions():
    s = session()
    tool = tool_of(s.ask(good()))
    wanted = {}
    messages = []
    for n in range(20):  # P-CONC-2
        messages.append(invoke(tool, {"label": f"label-{n}"}, id=f"i-{n}"))
        messages.append(intent("fx.rank", id=f"r-{n}", constraints={"max_tools_returned": n % 5}))
        wanted[f"i-{n}"], wanted[f"r-{n}"] = f"label-{n}", n % 5
    s.send(*messages)
    for _ in messages:
        m = terminal(s)
        got = m["payload"]["result"]["label"] if m["type"] == "invoke_response" else len(names(m))
        equal(got, wanted.pop(m["id"]), m["id"])
    equal(wanted, {}, "unanswered")


def terminal(s):
    while (m := s.receive())["type"] == "progress":
        pass
    return m


def test_a_slow_request_does_not_hold_up_a_fast_one_for_good():
    s = session()
    size = busy_size(s.ask, 0.5)
    s.send(intent("fx.slow", id="slow", params={"size": size}), good("fast"))  # P-CONC-3
    equal({s.receive()["id"], s.receive()["id"]}, {"slow", "fast"}, "ids")


def test_an_id_may_be_used_again_once_it_was_answered():
    s = session()
    for _ in range(3):
        equal(s.ask(good("again"))["type"], "intent_response", "type")  # D-3


def test_a_cancelled_evaluation_ends_at_once():
    s = session()
    s.send(intent("fx.slow", id="doomed", params={"size": 900}))
    time.sleep(0.1)
    begun = time.monotonic()
    s.send(request("cancel", {"request_id": "doomed"}))  # P-CONC-5
    answer = s.receive()
    expect(time.monotonic() - begun < 5, "the cancel took long")  # P-CONC-6
    equal(answer["id"], "doomed", "id")  # P-CONC-7
    refused(answer, "cancelled")
    expect(s.quiet(), "something came after the cancelled request's end")
    serves(s)


def test_a_request_that_waits_can_be_cancelled():
    s = session()
    slow = [intent("fx.slow", id=f"slow-{n}", params={"size": 900}) for n in range(8)]
    s.send(*slow, intent("fx.slow", id="waits", params={"size": 900}))
    s.send(request("cancel", {"request_id": "waits"}))
    answer = s.receive()
    equal((answer["id"], code_of(answer)), ("waits", "cancelled"), "the request that waited")
    for n in range(8):
        s.send(request("cancel", {"request_id": f"slow-{n}"}))
    ended = {}
    for _ in range(8):
        m = s.receive()
        ended[m["id"]] = code_of(m)
    equal(ended, {f"slow-{n}": "cancelled" for n in range(8)}, "the others")
    serves(s)


def test_a_cancelled_invocation_ends_at_once():
    s = session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    s.send(invoke(tool, {"step_ms": 20000}, id="long"))
    begun = time.monotonic()
    time.sleep(0.3)
    s.send(request("cancel", {"request_id": "long"}))
    answer = terminal(s)
    equal((answer["id"], code_of(answer)), ("long", "cancelled"), "answer")  # P-CONC-7
    expect(time.monotonic() - begun < 6, "the cancel took long")
    expect(s.quiet(), "progress after the end")  # P-PROG-5
    serves(s)


def test_a_cancel_that_comes_too_late_changes_nothing():
    s = session()
    for n in range(20):
        s.send(good(f"race-{n}"), request("cancel", {"request_id": f"race-{n}"}))  # P-CONC-8
        answer = s.receive()
        equal(answer["id"], f"race-{n}", "id")
        expect(code_of(answer) in (None, "cancelled"), f"{shown(answer)}")
    expect(s.quiet(), "two answers to one request")


def test_cancel_takes_any_id_of_its_own():
    s = session()
    for id in (None, "x"):
        message = {**request("cancel", {"request_id": "unknown"}), "id": id}
        s.send(message)
    s.send({k: v for k, v in message.items() if k != "id"})
    expect(s.quiet(), "a cancel was answered")


def test_progress_tells_how_far_a_chain_is():
    s = session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    seen = []
    answer = s.ask(invoke(tool, {"step_ms": 120}, id="watched"), seen)  # P-PROG-1
    equal(answer["payload"]["result"], {"slept_ms": 120}, "result")
    expect(seen, "no progress")
    equal({m["id"] for m in seen}, {"watched"}, "ids")  # P-PROG-4
    states = [m["payload"]["status"] for m in seen]
    equal(states.count("started"), 1, "started")
    equal(states[0], "started", "first")
    percents = [m["payload"]["percent"] for m in seen if m["payload"].get("percent") is not None]
    equal(percents, sorted(percents), "percent never falls")


def test_progress_of_an_action_is_progress_of_its_chain():
    s = session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    seen = []
    begun = time.monotonic()
    s.ask(invoke(tool, {"step_ms": 800}, id="watched"), seen)
    took = time.monotonic() - begun
    running = [m["payload"] for m in seen if m["payload"]["status"] == "running"]
    percents = [p["percent"] for p in running]
    equal(percents, sorted(percents), "percent never falls")  # C-191 T-MCP-30 D-51
    expect(len(set(percents)) >= 4, f"the action's own reports are not among {percents}")  # T-MCP-31
    expect(max(percents) < 100, "below 100 until the response")
    expect(any(p.get("detail") == "sleeping" for p in running), f"its words: {running}")  # T-MCP-31
    expect(len(running) <= 10 * (took + 1), f"{len(running)} in {took:.1f} s")  # T-MCP-30


def test_two_invocations_at_once_keep_their_progress_apart():
    s = session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    s.send(invoke(tool, {"step_ms": 100}, id="p-1"), invoke(tool, {"step_ms": 100}, id="p-2"))
    ended = set()
    while len(ended) < 2:
        m = s.receive()
        expect(m["id"] in ("p-1", "p-2"), f"id {m['id']}")
        expect(m["id"] not in ended, "a message after the end")  # P-PROG-5
        if m["type"] != "progress":
            equal(m["type"], "invoke_response", "type")
            ended.add(m["id"])


def test_a_refused_invocation_makes_no_progress():
    s = session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    seen = []
    refused(s.ask(invoke(tool, {"step_ms": -1}), seen), "schema_validation_failed")
    equal(seen, [], "progress")  # D-51


def test_too_many_open_requests_are_refused():
    s = session()
    ids = [f"many-{n}" for n in range(80)]
    s.send(*[intent("fx.slow", id=id, params={"size": 900}) for id in ids])
    codes = []
    for _ in range(80 - 64):
        m = s.receive()
        codes.append(code_of(m))
        expect(m["payload"].get("retry_after_ms") is not None, "no retry_after_ms")
        ids.remove(m["id"])
    equal(set(codes), {"rate_limited"}, "codes")
    s.send(*[request("cancel", {"request_id": id}) for id in ids])
    equal({code_of(s.receive()) for _ in ids}, {"cancelled"}, "the others")
    serves(s)


def test_a_mixed_run_answers_each_request_once():
    s = session()
    draw = random.Random(7)
    tool = tool_of(s.ask(good()))
    open_ids, count = set(), {}
    for n in range(200):  # P-CONC-10
        id = f"mix-{n}"
        open_ids.add(id)
        s.send(draw.choice([good(id), intent("fx.rank", id=id), intent("fx.echo", id=id),
                            invoke(tool, {"label": id}, id=id), invoke("nothing", id=id),
                            {**good(id), "type": "nonsense"}]))
        if draw.random() < 0.2:
            s.send(request("cancel", {"request_id": f"mix-{draw.randrange(n + 1)}"}))
        while len(open_ids) > 20:
            m = terminal(s)
            count[m["id"]] = count.get(m["id"], 0) + 1
            open_ids.discard(m["id"])
    while open_ids:
        m = terminal(s)
        count[m["id"]] = count.get(m["id"], 0) + 1
        open_ids.discard(m["id"])
    equal(count, {f"mix-{n}": 1 for n in range(200)}, "terminal messages")
    expect(s.quiet(), "an answer too many")


def test_a_client_that_does_not_read_is_waited_for():
    s = Session()
    ids = [f"flood-{n}" for n in range(4000)]
    lines = b"".join(encode(intent("fx.rank", id=id)) + b"\n" for id in ids)
    writer = threading.Thread(target=s.write, args=(lines,), daemon=True)
    writer.start()
    time.sleep(1.5)
    held = s.program.resident_kib()
    expect(SANITIZED or held < 64 * 1024, f"{held} KiB for a client that does not read")
    left = set(ids)
    while left:
        left.remove(s.receive()["id"])  # P-CONC-10
    writer.join(PATIENCE)
    serves(s)
    s.end()


def test_files_make_a_session_too():
    folder = pathlib.Path(scratch())
    (folder / "in").write_bytes(b"".join(encode(m) + b"\n" for m in (good("a"), good("b"), b"{")))
    with open(folder / "in", "rb") as source, open(folder / "out", "wb") as sink:
        Program(command(FIXTURE, "--stdio"), stdin=source, stdout=sink).wait()
    lines = (folder / "out").read_bytes().splitlines()
    messages = [check_message(decode(line)) for line in lines]  # P-STDIO-2
    equal(messages[0]["type"], "manifest", "first message")
    equal(sorted(str(m["id"]) for m in messages[1:]), ["None", "a", "b"], "ids")


def test_a_killed_reader_does_not_keep_the_server():
    s = Session()
    s.stdout.close()
    try:
        s.send(good(), good())
        s.stdin.close()
    except BrokenPipeError:
        pass
    s.program.wait(s.program.process.wait(PATIENCE))


run(globals())

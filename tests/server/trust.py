"""What the server said comes back with its signature and counts; what a client invented, changed, or has from
another one does not. Over every transport."""
from transports import *

TRUST = pathlib.Path(__file__).resolve().parents[1] / "domains/trust"
OLD_KEY, NEW_KEY = base64url(bytes(range(16))), base64url(bytes(range(16, 48)))


def keys(*lines):
    path = pathlib.Path(scratch()) / "keys"
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o600)
    return str(path)


def begin(transport, *options, tokens=None):
    server = start(transport, *options, tokens=tokens or [everything(), everything(OTHER, "other")], domain=TRUST)
    return server, enter(transport, server)


def asked(client, *facts, **members):
    return client.ask(intent("release", list(facts), **members))


def tools(client, *facts):
    return sorted(names(asked(client, *facts)))


def said(client, what="b1", **args):
    """The facts that the server says when the tool was run: by predicate."""
    review = tool_of(asked(client), "review")
    delta = client.ask(invoke(review, {"what": what, **args}))["payload"]["state_delta"]
    return {f["pred"]: f for f in delta["assert"]}


def changed(f, **members):
    return {**f, **members}


def resourced(f, **members):
    source = {**f["source"], **members}
    return {**f, "source": {k: v for k, v in source.items() if v is not None}}


def other(text, at):
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:]




def test_what_the_server_said_counts_when_it_comes_back():
    for transport in ANY:
        server, c = begin(transport)
        facts = said(c, who="ann")
        equal(facts["reviewed"]["source"]["source_type"], "server", "source")
        expect("signature" in facts["reviewed"]["source"], f"{facts['reviewed']}")
        expect("signature" not in facts["note"]["source"], f"{facts['note']}")  # nothing privileged rests on it
        equal(facts["note"]["source"]["source_type"], "derived", "source of what the server does not stand for")
        equal(tools(c, facts["reviewed"]), ["deploy", "review"], f"tools over {transport}")
        equal(tools(c, facts["cleared"]), ["review", "ship"], "tools: the fact is privileged itself")
        equal(tools(c, facts["on_duty"]), ["call", "review"], "tools: a fact with an interval")
        leave(server)


def test_what_rests_on_it_can_be_run_while_it_counts():
    for transport in ANY:
        server, c = begin(transport, "--set", "signatures.ttl=2s")
        deploy = tool_of(asked(c, said(c)["reviewed"]), "deploy")
        equal(c.ask(invoke(deploy, {}))["type"], "invoke_response", f"type over {transport}")
        time.sleep(2.1)
        refused(c.ask(invoke(deploy, {})), "macro_expired")
        leave(server)


def test_it_may_be_spelt_in_another_way():
    server, c = begin(STDIO)
    fact = said(c)["reviewed"]
    named = {k: v for k, v in fact.items() if k != "args"}
    equal(tools(c, {**named, "named_args": {"what": "b1"}}), ["deploy", "review"], "named arguments")
    equal(tools(c, changed(fact, category="session")), ["deploy", "review"], "category is the client's")
    equal(tools(c, {"pred": "reviewed", "args": ["b1"]}, fact), ["deploy", "review"], "said twice, once signed")
    leave(server)


def test_forged_and_stripped_signatures_count_for_nothing():
    for transport in ANY:
        server, c = begin(transport)
        facts = said(c, who="ann")
        fact, duty = facts["reviewed"], facts["on_duty"]
        signature = fact["source"]["signature"]
        wrong = [
            resourced(fact, signature=None),
            resourced(fact, signature=""),
            resourced(fact, signature=signature[:-1]),
            resourced(fact, signature=signature + "A"),
            resourced(fact, signature=facts["cleared"]["source"]["signature"]),
            resourced(fact, signature="x" * 100000),
            resourced(fact, source_type="client"),
            resourced(fact, source_id="elsewhere"),
            resourced(fact, asserted_at=None),
            resourced(fact, asserted_at="now"),
            resourced(fact, asserted_at="2020-01-01T00:00:00Z"),
            changed(fact, args=["b2"]),
            changed(fact, source=None),
            changed(facts["note"], pred="reviewed", args=["b1"]),
            changed(duty, t={"start": duty["t"]["start"], "end": "_"}),
            changed(duty, t=None),
            changed(duty, args=["eve"]),
            *[resourced(fact, signature=other(signature, at)) for at in range(0, len(signature), 1 if transport == STDIO else 9)],
        ]
        for one in wrong:
            equal(tools(c, one), ["review"], f"over {transport} with {shown(one)[:300]}")
        refused(asked(c, resourced(fact, signature=7)), "invalid_facts")
        equal(tools(c, fact), ["deploy", "review"], "and the good one still counts")
        leave(server)


def test_what_was_said_to_one_is_not_said_to_another():
    for transport in (HTTP, WS):
        server, c = begin(transport)
        fact = said(c)["reviewed"]
        equal(tools(enter(transport, server, OTHER), fact), ["review"], f"tools of another over {transport}")
        leave(server)


def test_a_signature_that_does_not_hold_is_told():
    server, c = begin(STDIO)
    facts, wrong = said(c), "v1.AAAAAAAA." + "A" * 43
    answer = asked(c, resourced(facts["reviewed"], signature=wrong), options={"include_proof_hints": True})["payload"]
    equal([w["code"] for w in answer["diagnostics"]["warnings"]], ["signature"], "warnings")
    expect("refused" not in answer["proof_hints"], shown(answer))  # a claim of the policy's own
    expect("approved" not in json.dumps(answer), shown(answer))  # its name
    answer = asked(c, resourced(facts["cleared"], signature=wrong), options={"include_proof_hints": True})["payload"]
    equal([w["code"] for w in answer["diagnostics"]["warnings"]], ["privileged", "signature"], "warnings")
    equal([(r["code"], [f["pred"] for f in r["supporting_facts"]]) for r in answer["proof_hints"]["refused"]],
          [("privileged", ["cleared"])], "refused")
    leave(server)


def test_what_was_said_grows_old():
    server, c = begin(STDIO, "--set", "signatures.ttl=1s")
    fact = said(c)["reviewed"]
    equal(tools(c, fact), ["deploy", "review"], "tools")
    time.sleep(1.1)
    equal(tools(c, fact), ["review"], "tools a second later")
    leave(server)


def test_what_rules_find_at_a_time_that_the_caller_chose_is_not_signed():
    server, c = begin(STDIO)
    review = tool_of(asked(c), "review")
    for at, signed in (("now", True), (moment(6), False), (moment(-6), False)):
        delta = c.ask(invoke(review, {"what": "b1", "who": "ann"}, eval_time=at))["payload"]["state_delta"]
        said = {f["pred"]: f for f in delta["assert"]}
        for pred in ("reviewed", "on_duty"):
            equal("signature" in said[pred]["source"], signed, f"{pred}, said of {at}, has a signature")
    leave(server)


def test_keys_outlive_a_start_and_can_be_exchanged():
    server, c = begin(STDIO, "--signing-keys", keys(OLD_KEY))
    fact = said(c)["reviewed"]
    leave(server)
    server, c = begin(STDIO, "--signing-keys", keys(NEW_KEY, OLD_KEY))
    equal(tools(c, fact), ["deploy", "review"], "tools: the old key is still known")
    newer = said(c)["reviewed"]
    leave(server)
    server, c = begin(STDIO, "--signing-keys", keys(NEW_KEY))
    equal((tools(c, fact), tools(c, newer)), (["review"], ["deploy", "review"]), "tools: the old key is gone")
    leave(server)
    server, c = begin(STDIO)  # keys of its own
    equal(tools(c, newer), ["review"], "tools: another server")
    leave(server)


def test_a_file_of_keys_that_is_wrong_or_open_is_told():
    path = keys(OLD_KEY, "short")
    program = Program(command(TRUST, "--stdio", "--signing-keys", path), stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE)
    program.wait(2)
    expect(f"{path}:2: error: a key is 16 to 64 bytes" in program.log(), program.log())
    path = keys(OLD_KEY)
    os.chmod(path, 0o644)
    server, c = begin(STDIO, "--signing-keys", path)
    leave(server)
    expect("can be read by others" in server.program.log(), server.program.log())
    expect(OLD_KEY not in server.program.log(), server.program.log())
    line = everything("another-token", confirm_key=OLD_KEY)
    tokens = token_file(line)
    os.chmod(tokens, 0o644)
    server = Session("--auth", tokens, domain=TRUST)
    server.end()
    expect(f"{tokens} holds keys and can be read by others" in server.program.log(), server.program.log())


def test_who_may_vouch_is_believed():
    server, c = begin(HTTP, tokens=[token_line(TOKEN, "desk", "intent:*,vouch"), everything(OTHER, "other")])
    fact = {"pred": "reviewed", "args": ["b1"]}
    equal(tools(c, fact), ["deploy", "review"], "tools of who may vouch")
    equal(tools(enter(HTTP, server, OTHER), fact), ["review"], "tools of another")
    leave(server)


def test_the_folder_has_no_faults_and_its_scenarios_hold():
    for word in ("check", "test"):
        done = subprocess.run([str(BUILD / "bin/manglecp"), word, str(TRUST)], capture_output=True, text=True, timeout=60)
        equal(done.returncode, 0, f"{word}: {done.stdout}{done.stderr}")


run(globals())

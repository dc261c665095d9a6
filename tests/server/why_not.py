"""Why a tool is absent: asked for on the wire and on the command line, and told to whom it may be."""
import statistics

from transports import *

AUTHOR, PLAIN, KEY_HOLDER = "token-of-the-author", "token-of-a-plain-caller", "token-of-the-privileged"


def asks(message, *tools):
    return {**message, "extensions": {"x-why-not": list(tools)}}


def told(client, message, *tools):
    answer = client.ask(asks(message, *tools))
    equal(answer["type"], "intent_response", f"type of {shown(answer)}")
    why = answer["extensions"]["x-why-not"]
    equal([one["tool"] for one in why], list(tools), "tools")
    return why


def listener():
    return Listener("--auth", token_file(
        token_line(AUTHOR, "author", "intent:*,why_not"), token_line(PLAIN, "plain", "intent:*"),
        token_line(KEY_HOLDER, "holder", "intent:*,why_not,fx:privileged")))


def test_why_not_is_answered_over_every_transport():
    for transport in ANY:
        server = start(transport, tokens=[token_line(TOKEN, "table", "intent:*,why_not")])
        client = enter(transport, server)
        scores = [fact("fx_score", "fx_pair_a", 90), fact("fx_score", "fx_pair_b", 80)]
        conflict, = told(client, intent("fx.pair", scores), "fx_pair_b")
        reason = conflict["reasons"][0]
        equal((reason["phase"], reason["by"]), ("conflict", "fx_pair_a"), transport)
        equal((reason["rule"]["name"], reason["rule"]["file"]), ("conflicts_with", "rules/domain/10_tools.mg"), "rule")
        expect({"add": [], "remove": [fact("fx_score", "fx_pair_a", 90)]} in conflict["changes"], shown(conflict))
        absent, there = told(client, intent("fx.recent"), "fx_recent", "fx_present")
        equal(absent["reasons"][0]["phase"], "candidate", "phase")
        for change in absent["changes"]:  # what is told brings it
            equal(change["remove"], [], "removed")
            expect("fx_recent" in names(client.ask(intent("fx.recent", change["add"]))), shown(change))
        for odd in ([], ["a"] * 5, "fx_pair_b", [7], [""], {"a": 1}, None):
            message = {**intent("fx.recent"), "extensions": {"x-why-not": odd}}
            message["payload"]["facts"] = {}
            violations = refused(client.ask(message), "malformed_message")["details"]["violations"]
            equal({v["path"] for v in violations}, {"/extensions/x-why-not", "/facts"}, f"{odd}")
        expect("extensions" not in client.ask(intent("fx.recent")), "it was told unasked")
        leave(server)


def test_it_takes_a_permission():
    l = listener()
    plain = l.connect(PLAIN)
    payload = refused(plain.ask(asks(intent("fx.recent"), "fx_recent")), "auth_insufficient",
                      required_permissions=["why_not"])
    expect("why_not" in payload["message"], payload["message"])
    equal(plain.ask(intent("fx.recent"))["type"], "intent_response", "without asking")
    told(l.connect(AUTHOR), intent("fx.recent"), "fx_recent")
    l.stop()
    demo = Listener("--open-demo")
    refused(demo.connect().ask(asks(good(), "fx_echo")), "auth_insufficient", required_permissions=["why_not"])
    demo.stop()


def normal(one):
    return {k: v for k, v in one.items() if k != "tool"}


def test_what_is_hidden_is_told_as_what_does_not_exist():
    """Enumeration: text, size, count and time of the answers are the same."""
    l = listener()
    c, holder = l.connect(AUTHOR), l.connect(KEY_HOLDER)
    cases = [("fx.hidden", "fx_hidden", "fx_hiddem"), ("fx.secret", "fx_secret", "fx_secrex"),
             ("fx.rank", "fx_hidden", "fx_hiddem"), ("fx.rank", "fx_danger", "fx_dangex")]
    times = {True: [], False: []}
    for name, real, invented in cases:
        for n in range(12):
            answers = {}
            for tool in (real, invented) if n % 2 else (invented, real):  # who comes first may wait longer
                begun = time.monotonic()
                answers[tool] = c.ask(asks(intent(name), tool))["extensions"]
                times[tool == real].append(time.monotonic() - begun)
            one, other = (answers[tool]["x-why-not"][0] for tool in (real, invented))
            equal(normal(one), normal(other), f"{name} {real}")
            equal(one["reasons"][0]["phase"], "unknown", "phase")
            equal(len(json.dumps(answers[real])), len(json.dumps(answers[invented])), "sizes")
    medians = {k: statistics.median(v) for k, v in times.items()}
    print(f"# median: hidden {medians[True] * 1000:.1f} ms, invented {medians[False] * 1000:.1f} ms")
    expect(max(medians.values()) < 1.6 * min(medians.values()), f"{medians}")
    equal(told(holder, intent("fx.secret"), "fx_secret")[0]["selected"], True, "who has the privilege")
    l.stop()


def test_a_fact_of_the_client_that_bans_a_tool_is_told():
    l = listener()
    c = l.connect(AUTHOR)
    ban = fact("fx_ban", "fx_chain_t")
    one, = told(c, intent("fx.chain", [ban]), "fx_chain_t")
    equal((one["reasons"][0]["phase"], one["reasons"][0]["facts"]), ("prohibition", [ban]), "reason")
    equal(one["reasons"][0]["rule"], {"name": "prohibited", "file": "rules/policy/10_policy.mg", "line": 3}, "rule")
    equal(one["changes"], [{"add": [], "remove": [ban]}], "changes")
    hints = c.ask(intent("fx.chain", [ban], options={"include_proof_hints": True}))["payload"]["proof_hints"]
    equal(hints["unmatched_facts"], [], "facts that are called unused")
    l.stop()


def test_the_policys_own_predicates_are_not_named_by_other_rules_either():
    folder = fixture_with({
        "rules/schema/90_zz.mg": 'Decl zz_near(Where) descr [doc("Where."), direction("input")] bound [/string].\n',
        "rules/policy/90_zz.mg": 'Decl zz_vetted(Where) bound [/string].\nzz_vetted(Where) :- zz_zone(Where), zz_near(Where).\nzz_zone("house").\n',
        "rules/domain/90_zz.mg": 'tool_relevant_to_intent("fx_echo", "fx.vary", 80) :- zz_vetted(_).\n'
                                 'tool_relevant_to_intent("fx_danger", "fx.vary", 80) :- zz_near("roof").\n'})
    l = Listener("--auth", token_file(token_line(AUTHOR, "author", "intent:*,why_not")), domain=folder)
    c = l.connect(AUTHOR)
    for sent in ([], [fact("fx_ban", "house")]):
        vetted, near = told(c, intent("fx.vary", sent), "fx_echo", "fx_danger")
        expect("zz_vetted" not in json.dumps(vetted), f"{vetted}")
        equal(near["reasons"][0]["premise"], 'zz_near("roof")', "what is no secret")
    l.stop()
    said = manglecp("intent", str(folder), "fx.vary", "--why-not", "fx_echo", *HOSTS).stdout
    expect("zz_vetted" in said, said)  # who wrote the domain is told


def manglecp(*words, status=0):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words], env=CHILD_ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE, text=True)
    equal(done.returncode, status, f"exit status of {words}:\n{done.stdout}\n{done.stderr}\n")
    return done


HOSTS = ["--toolhost", str(BUILD / "bin/toolhost"), "--plugins", str(BUILD / "test-plugins")]


def test_the_author_of_a_folder_is_told_everything():
    folder = str(FIXTURE)
    said = manglecp("intent", folder, "fx.secret", "--why-not", "fx_secret", "--why-not", "fx_hidden", *HOSTS).stdout
    for words in ("why not fx_secret", "permission", "rules/policy/10_policy.mg:6:", "why not fx_hidden"):
        expect(words in said, f"{words} is not in {said}")
    answer = manglecp("intent", folder, "fx.secret", "--why-not", "fx_secret", "--json", *HOSTS).stdout
    equal(json.loads(answer)["extensions"]["x-why-not"][0]["reasons"][0]["phase"], "permission", "phase")
    said = manglecp("intent", folder, "fx.recent", "--why-not", "fx_recent", *HOSTS).stdout
    expect('it would come with + fx_event("any", "any")' in said, said)
    said = manglecp("walk", folder, "--intent", "fx.rank", "--why-not", "fx_rank_19", "--steps", "1", *HOSTS).stdout
    expect("its score is below the lowest level that is shown: 19, and the least is 20" in said, said)
    manglecp("intent", folder, "fx.rank", *(["--why-not", "a"] * 5), *HOSTS, status=2)


def test_a_remote_server_is_asked_the_same():
    l = listener()
    address = f"http://127.0.0.1:{l.port}"
    said = manglecp("intent", address, "fx.recent", "--why-not", "fx_recent", "--token", AUTHOR).stdout
    expect("why not fx_recent" in said and "rules/domain/10_tools.mg" in said, said)
    refused_one = manglecp("intent", address, "fx.recent", "--why-not", "fx_recent", "--token", PLAIN, status=1)
    expect("why_not" in refused_one.stderr, refused_one.stderr)
    l.stop()


run(globals())

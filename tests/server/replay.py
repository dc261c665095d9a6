"""`manglecp replay`: what a server decided is decided again, byte for byte, or what another domain would have
decided otherwise is summed up."""
import gzip

from decisions import *  # its helpers: run() calls the tests of this file alone

FACTS = [fact("fx_score", "fx_pair_a", 90), fact("fx_score", "fx_pair_b", 80)]


def replay(log, *options, status=0, text=None):
    result = subprocess.run([str(BUILD / "bin/manglecp"), "replay", str(log), "--plugins", str(BUILD / "test-plugins"),
                             "--toolhost", str(BUILD / "bin/toolhost"), *map(str, options)], capture_output=True,
                            env=CHILD_ENV, timeout=PATIENCE, input=text)
    out = result.stdout.decode()
    expect(result.returncode == status, f"status {result.returncode}\n{out}\n{result.stderr.decode()}")
    return json.loads(out) if "--json" in options else out


def everything_asked(domain=FIXTURE):
    """A log of intents of all kinds, good and bad, and of invocations."""
    l, path = recorder(domain=domain, tokens=[token_line("t", "ann", "intent:*", **WRITER),
                                              token_line("n", "nobody", "intent:none"),
                                              token_line("p", "peer", "intent:*,fx:privileged")])
    c = l.connect("t")
    echo = tool_of(c.ask(good()))
    c.ask(intent("fx.pair", FACTS))
    c.ask(intent("fx.chain", [fact("fx_ban", "fx_chain_e2")]))
    c.ask(intent("fx.recent", [fact("fx_event", "a", "b", t={"at": "now"})]))
    c.ask(intent("fx.recent", [fact("fx_event", "a", "b", t={"at": "2026-02-19T14:30:00Z"})],
                 eval_time="2026-02-19T14:32:00.5Z"))
    c.ask(intent("fx.rank", constraints={"max_tools_returned": 2}))
    c.ask(intent("fx.rank", constraints={"max_tokens_budget": 60}, options={"include_proof_hints": True}))
    c.ask(intent("fx.skill", [fact("fx_needs_skill", "long")], options={"disclosure_preference": "full"}))
    c.ask(intent("fx.vary", [fact("fx_choice", "one"), fact("fx_extra")]))
    c.ask(intent("fx.nowhere"))
    c.ask(intent("fx.pair", [fact("fx_score", 5)]))
    c.ask(intent("fx.echo"))
    c.ask(intent("fx.slow", params={"size": 3, "\u00e9\n": [1.5, True]}))
    c.ask(intent("fx.blowup", [fact("fx_seed", n) for n in range(30)], constraints={"max_facts_created": 20}))
    c.ask(request("intent_request", {"intent": 7}))
    c.ask(invoke(echo, {"label": "x"}))
    l.connect("n").ask(good())
    l.connect("p").ask(intent("fx.secret"))
    l.connect().post(good())
    l.stop()
    return path


def test_the_same_snapshot_decides_the_same_byte_for_byte():
    path = everything_asked()
    told = replay(path, "--domain", FIXTURE, "--json")
    equal((told["damaged"], told["different"], told["differences"]), (0, 0, []), "differences")
    equal((told["intents"], told["invocations"]), (17, 1), "records")
    equal(told["skipped"], {"invocations": 1, "unseen": 0, "digest": 0, "extension": 0, "signed": 0, "external": 0, "world": 0}, "not made again")
    equal((told["replayed"], told["same"]), (17, 17), "made again")
    expect("17 made again by" in replay(path, "--domain", FIXTURE), "for people")


def test_what_was_tampered_with_is_found():
    path = everything_asked()
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"fx_pair_a"' in line)
    lines[at] = lines[at].replace('"level":"full"', '"level":"minimal"')
    path.write_text("\n".join(lines) + "\n")
    told = replay(path, "--domain", FIXTURE, "--json", status=1)
    equal(told["different"], 1, "differences")
    expect('level "minimal" -> "full"' in told["differences"][0], f"{told['differences']}")


def test_texts_of_a_log_command_no_terminal():
    path = everything_asked()
    text = path.read_text()
    escape = r"\u001b]0;owned\u0007"
    text = text.replace('"tool":"fx_pair_a"', f'"tool":"fx_pair_a{escape}"')
    text = re.sub(r'"id":"([0-9a-f]+-[0-9]+)"', lambda m: f'"id":"{m[1]}{escape}"', text)
    path.write_text(text.replace('"intent":"fx.pair"', f'"intent":"fx.pair{escape}"'))
    for options in ([], ["--coverage"]):
        told = replay(path, "--domain", FIXTURE, *options, status=1)
        expect("owned" in told and "fx_pair_a" in told, told)
        expect(not re.search("[\x00-\x09\x0b-\x1f\x7f]", told), repr(told))


def test_another_domain_is_compared_tool_by_tool_and_rule_by_rule():
    path = everything_asked()
    other = copy_of_fixture()
    (other / "rules/policy/90_more.mg").write_text(
        'prohibited("fx_pair_a", "no pairs any more").\n'
        'prohibited(Tool, "nothing for this caller") :- client_identity("peer"), tool_relevant_to_intent(Tool, _, _).\n')
    for options in (["--against", other], ["--domain", FIXTURE, "--against", other]):
        told = replay(path, *options, "--json", status=1)
        tools = {t["tool"]: t for t in told["tools"]}
        equal((tools["fx_pair_a"]["hidden"], tools["fx_pair_b"]["shown"]), (1, 1), "the pair")
        equal((tools["fx_secret"]["hidden"], tools["fx_echo"]["hidden"]), (1, 0), "others")
        equal((told["different"], told["hidden_in"]), (2, 2), "decisions")
    news = [r for r in told["rules"] if not r["before"]]
    equal([(r["file"], r["line"], r["differing"]) for r in news], [("rules/policy/90_more.mg", 2, 1)], "rules")
    text = replay(path, "--domain", FIXTURE, "--against", other, status=1)
    expect("would have hidden 2 tools in 2 of 17 decisions" in text, text)
    expect("prohibited: no pairs any more" in text and "rules/policy/90_more.mg:2:" in text, text)


def test_a_change_that_changes_nothing_is_no_difference():
    path = everything_asked()
    other = copy_of_fixture()
    (other / "rules/domain/05_first.mg").write_text("nobody_asks(1).\n")  # every macro_id is another one
    told = replay(path, "--against", other, "--json")
    equal((told["replayed"], told["different"]), (17, 0), "differences")


def test_damaged_lines_are_named_and_the_rest_goes_on():
    path = everything_asked()
    lines = path.read_bytes().splitlines()
    lines[2] = lines[2][:50]
    lines[4:4] = [b"", b"[]", b'{"decision":2,"kind":"intent"}', b"\xff\xfe"]
    path.write_bytes(b"\n".join(lines))
    told = replay(path, "--domain", FIXTURE, "--json", status=1)
    equal((told["damaged"], told["different"]), (4, 0), "damaged")
    equal([re.sub(r".*decisions:", "", d) for d in told["damages"]],
          ["3: it is no JSON: cut off, or written over", "6: it is no JSON object",
           "7: it is no decision of version 1", "8: it is no JSON: cut off, or written over"], "which")
    expect("4 damaged lines:" in replay(path, "--domain", FIXTURE, status=1), "for people")


def test_rotated_and_packed_files_are_read_oldest_first():
    l, path = recorder("--decision-rotate", "4KiB", "--decision-keep", "9")
    c = l.connect()
    for n in range(30):
        c.ask(good(f"r{n}"))
    l.stop()
    for n in (2, 3):
        plain = path.with_name(f"decisions.{n}")
        path.with_name(f"decisions.{n}.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    equal(replay(path, "--domain", FIXTURE, "--json")["same"], 30, "records")
    piped = b"".join(f.read_bytes() for f in [path.with_name("decisions.1"), path])
    expect(0 < replay("-", "--domain", FIXTURE, "--json", text=piped)["same"] < 30, "standard input")


def test_what_cannot_be_made_again_is_counted():
    l, path = recorder("--decision-facts", "digest")
    c = l.connect()
    c.ask(good())
    c.ask(intent("fx.slow", params={"size": 900}, constraints={"max_compute_ms": 1}))
    l.stop()
    told = replay(path, "--domain", FIXTURE, "--json")
    equal(told["skipped"], {"invocations": 0, "unseen": 0, "digest": 1, "extension": 0, "signed": 0, "external": 0, "world": 1}, "not made again")
    expect("1 recorded without their facts" in replay(path, "--domain", FIXTURE), "for people")


def test_what_a_server_signed_is_not_made_again():
    l, path = recorder(tokens=[token_line("t", "ann", "intent:*")])
    l.connect("t").ask(intent("fx.echo", [{**fact("fx_basic", "a", 1, True, "x"), "source": {"source_type": "server", "signature": "s"}}]))
    l.stop()
    expect('"signature"' in path.read_text(), path.read_text())
    told = replay(path, "--domain", FIXTURE, "--json")
    equal((told["replayed"], told["skipped"]["signed"]), (0, 1), "made again")


def masked_fixture():
    domain = copy_of_fixture()
    with open(domain / "domain.yaml", "a") as f:
        f.write("masking: {facts: {fx_extra: hash, client_identity: hash}}\n")
    return domain


def test_with_the_logs_key_masked_domains_are_replayed_byte_for_byte():
    domain = masked_fixture()
    key = pathlib.Path(scratch()) / "key"
    key.write_text("a key of sixteen bytes\n")
    key.chmod(0o600)
    l, path = recorder("--decision-key", str(key), domain=domain, tokens=[token_line("t", "ann", "intent:*")])
    c = l.connect("t")
    c.ask(good())
    c.ask(intent("fx.pair", FACTS))
    l.stop()
    told = replay(path, "--domain", domain, "--key", key, "--json")
    equal((told["same"], told["different"], told["unkeyed"]), (2, 0, 0), "with the key")
    told = replay(path, "--domain", domain, "--json")
    equal((told["same"], told["different"], told["unkeyed"]), (2, 0, 2), "without it")
    expect("of 2 the answer was not compared" in replay(path, "--domain", domain), "for people")
    text = path.read_text()
    path.write_text(re.sub(r'"answer":"hmac:[0-9a-f]{4}', '"answer":"hmac:0000', text))
    equal(replay(path, "--domain", domain, "--key", key, "--json", status=1)["different"], 2, "tampered")
    replay(path, "--domain", domain, "--key", "/nowhere/key", status=2)


def test_what_is_packed_like_no_log_is_not_read_on():
    path = everything_asked()
    with gzip.open(path.with_name("decisions.1.gz"), "wb", compresslevel=9) as f:
        for _ in range(96):
            f.write(bytes(1 << 20))
    told = replay(path, "--domain", FIXTURE, "--json", status=1)
    expect(any("packed more tightly than any log" in d for d in told["damages"]), f"{told['damages']}")
    equal(told["same"], 17, "the file beside it")


def test_an_endless_line_is_one_damaged_line():
    path = everything_asked()
    path.with_name("decisions.1").write_bytes(b"x" * (20 << 20) + b"\n")
    told = replay(path, "--domain", FIXTURE, "--json", status=1)
    equal([d.split(": ")[-1] for d in told["damages"]], ["it is longer than any record"], "damages")
    equal(told["same"], 17, "the file beside it")


def test_coverage_names_what_traffic_never_reached():
    path = everything_asked()
    told = replay(path, "--domain", FIXTURE, "--coverage", "--json")
    tools = {t["tool"]: t for t in told["tools"]}
    equal((tools["fx_bulk"]["chosen"], tools["fx_echo"]["invoked"]), (0, 1), "tools")
    never = {(r["file"], r["line"]) for r in told["rules"] if r["fired"] == 0}
    expect(any(file == "rules/domain/20_load.mg" for file, _ in never), f"{never}")
    text = replay(path, "--domain", FIXTURE, "--coverage")
    expect("never chosen fx_bulk" in text and "never fired" in text, text)


def test_a_log_alone_is_counted():
    path = everything_asked()
    equal(replay(path).splitlines(), ["18 records: 17 intents, 1 invocation"], "text")


def test_what_is_asked_wrongly_is_told():
    path = everything_asked()
    replay("/nowhere/log", "--domain", FIXTURE, status=2)
    replay(path, "--coverage", status=2)
    replay(path, "--domain", "/nowhere", status=1)
    broken = copy_of_fixture()
    break_rules(broken)
    replay(path, "--against", broken, status=1)


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

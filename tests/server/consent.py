"""Consent that is given out of band: a program asks, and a person approves, with another credential, what the
server shows them. Nothing that the asking program sends can do so."""
from blackbox import *

AGENT, PERSON, BOTH = "token-of-the-agent", "token-of-the-person", "token-of-one-who-does-both"
SETTINGS = {"target": "the thing"}


def listener(*options):
    lines = [token_line(AGENT, "agent", "intent:*"), token_line(PERSON, "ann", "confirm"),
             token_line(BOTH, "both", "intent:*,confirm")]
    return Listener("--auth", token_file(*lines), *options)


def url_of(l):
    return f"http://127.0.0.1:{l.port}"


def danger(c):
    return tool_of(c.ask(intent("fx.danger")), "fx_danger")


def challenge_of(c, tool, args=SETTINGS):
    return refused(c.ask(invoke(tool, args)), "confirmation_required")["details"]["challenge"]


def decide(l, challenge, token=PERSON, **more):
    """Status and answer of what a person's program posts."""
    body = {"challenge": challenge, **{k: v for k, v in more.items() if k == "approve"}}
    headers = {k: v for k, v in more.items() if k != "approve"}
    response = l.connect(token).post(body, "/confirm", **headers)
    return response.status, decode(response.body)


def run_with(c, tool, token, args=SETTINGS):
    return c.ask(invoke(tool, args, confirmation_token=token))


def invalid(c, tool, token, args=SETTINGS):
    refused(run_with(c, tool, token, args), "confirmation_invalid")


def manglecp(*words, status=0, env=None):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words], env={**CHILD_ENV, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, text=True)
    equal(done.returncode, status, f"exit status of {words}:\n{done.stdout}\n{done.stderr}\n")
    return done


# ---- POST /confirm ---------------------------------------------------------------------------

def test_what_a_person_approves_runs_once():
    path, options = journal()
    l = listener(*options)
    c = l.connect(AGENT)
    tool = danger(c)
    challenge = challenge_of(c, tool)
    invalid(c, tool, challenge)  # P-CONF-2: nobody approved it
    status, answer = decide(l, challenge)
    equal((status, answer["state"]), (200, "waiting"), "before")
    shown_to_person = answer["request"]  # P-CONF-3
    equal({k: shown_to_person[k] for k in ("who", "tool", "args", "side_effects", "reversible", "macro_id")},
          {"who": "agent", "tool": "fx_danger", "args": SETTINGS, "side_effects": ["destructive"], "reversible": False,
           "macro_id": tool["macro_id"]}, "what is shown")
    expect("Destroys" in shown_to_person["description"] and "expires_at" in shown_to_person, f"{shown_to_person}")
    invalid(c, tool, challenge)  # looking approves nothing
    status, answer = decide(l, challenge, approve=True)
    equal((status, answer["state"]), (200, "approved"), "then")
    invalid(c, tool, challenge, {"target": "another"})  # P-CONF-1: it is for these arguments
    twin = tool_of(c.ask(intent("fx.danger")), "fx_danger_twin")
    invalid(c, twin, challenge)
    d = l.connect(BOTH)
    invalid(d, danger(d), challenge)  # and for this caller
    equal(path.read_text(), "", "runs")
    equal(run_with(c, tool, challenge)["type"], "invoke_response", "type")
    equal(path.read_text(), "the thing\n", "runs")
    refused(run_with(c, tool, challenge), "confirmation_invalid", reason="used")  # P-CONF-4
    decide(l, challenge, approve=True)
    refused(run_with(c, tool, challenge), "confirmation_invalid", reason="used")
    equal(path.read_text(), "the thing\n", "runs")
    expect(re.search(r'invocation [0-9a-f]{32}: "fx_danger" for "agent" is approved by "ann"', l.program.log()),
           l.program.log())
    l.stop()


def test_who_agreed_to_what_is_in_both_logs():
    """The approval, the refusal, and of what ran, how it was agreed to: P-CONF-3."""
    path, options = journal()
    log = pathlib.Path(scratch()) / "decisions"
    odd = 'an"n\u202e\x9b'
    l = Listener("--auth", token_file(
        token_line(AGENT, "agent", "intent:*", confirm_key=base64url(CONFIRM_KEY)), token_line(PERSON, odd, "confirm"),
        token_line("robot-token", "robot", "intent:*", trust="automated", auto_confirm="destructive")),
        "--decision-log", str(log), *options)
    c, robot = l.connect(AGENT), l.connect("robot-token")
    tool = danger(c)
    yes, no, signed = (challenge_of(c, tool) for _ in range(3))
    equal(decide(l, yes, approve=True)[1]["state"], "approved", "one")
    equal(decide(l, no, approve=False)[1]["state"], "refused", "another")
    equal(decide(l, no, approve=True)[1]["state"], "refused", "too late")
    equal(run_with(c, tool, yes)["type"], "invoke_response", "approved")
    equal(run_with(c, tool, f"{signed}.{base64url(hmac.new(CONFIRM_KEY, signed.encode(), hashlib.sha256).digest())}")["type"], "invoke_response", "signed")
    equal(robot.ask(invoke(danger(robot), SETTINGS))["type"], "invoke_response", "waived")
    equal(robot.ask(invoke(tool_of(robot.ask(intent("fx.echo", [BASIC]))), {"label": "x"}))["type"],
          "invoke_response", "nobody asked")
    l.stop()
    records = [decode(line) for line in log.read_bytes().splitlines()]
    said = [r for r in records if r["kind"] == "consent"]
    ids = [challenge.split(".")[2] for challenge in (yes, no, no)]
    equal([(r["principal"]["identity"], r["macro_id"], r["asked"], r["outcome"]) for r in said],
          [(odd, tool["macro_id"], {"challenge": i, "tool": "fx_danger", "who": "agent", "approve": approve},
            {"code": code}) for i, approve, code in
           zip(ids, (True, False, True), ("approved", "refused", "refused"))], "what was said")
    ran = [r.get("consent") for r in records if r["kind"] == "invocation" and r["outcome"]["code"] == "ok"]
    equal(ran, [{"how": "approved", "by": odd, "challenge": ids[0]},
                {"how": "signed", "challenge": signed.split(".")[2]}, {"how": "automated"}, None], "what ran")
    text = l.program.log()
    expect("\u202e" not in text and "\x9b" not in text and 'for "agent" is approved too late' in text, shown(text))
    equal(json.loads(manglecp("replay", str(log), "--json").stdout)["damaged"], 0, "lines that replay cannot read")


def test_what_a_person_refuses_stays_refused():
    path, options = journal()
    l = listener(*options)
    c = l.connect(AGENT)
    tool = danger(c)
    first, second = challenge_of(c, tool), challenge_of(c, tool)
    equal(decide(l, first, approve=False)[1]["state"], "refused", "at first")
    equal(decide(l, first, approve=True)[1]["state"], "refused", "again")
    invalid(c, tool, first)
    equal(decide(l, second, approve=True)[1]["state"], "approved", "the other")
    equal(decide(l, second, approve=False)[1]["state"], "refused", "the other, on second thought")
    invalid(c, tool, second)
    equal(path.read_text(), "", "runs")
    l.stop()


def test_who_asks_cannot_approve():
    path, options = journal()
    l = listener(*options)
    c, d = l.connect(AGENT), l.connect(BOTH)
    mine, own = challenge_of(c, danger(c)), challenge_of(d, danger(d))
    for token, challenge, what in ((AGENT, mine, "no permission"), (BOTH, own, "asked itself"), (None, mine, "nobody"),
                                   ("made-up", mine, "unknown")):
        status, answer = decide(l, challenge, token, approve=True)
        expect(status in (401, 403) and answer["type"] == "error", f"{what}: {status} {shown(answer)}")
        equal(decide(l, challenge)[1]["state"], "waiting", what)
    equal(decide(l, mine, BOTH, approve=True)[1]["state"], "approved", "another credential that may")
    invalid(d, danger(d), own)
    equal(path.read_text(), "", "runs")
    l.stop()


def test_other_pages_and_names_are_refused():
    l = listener()
    c = l.connect(AGENT)
    challenge = challenge_of(c, danger(c))
    for header in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Content_Type": "text/plain"}):
        status, _ = decide(l, challenge, approve=True, **header)
        expect(status in (400, 403, 415), f"{header}: {status}")
    equal(l.connect(PERSON).get("/confirm").status, 405, "GET")
    equal(decide(l, challenge)[1]["state"], "waiting", "after all that")
    l.stop()


def test_what_is_no_decision_is_told():
    l = listener()
    c = l.connect(AGENT)
    challenge = challenge_of(c, danger(c))
    for body in ([], {}, {"challenge": 7}, {"challenge": challenge, "approve": "yes"},
                 {"challenge": challenge, "approve": None}):
        response = l.connect(PERSON).post(body, "/confirm")
        equal((response.status, code_of(response.message)), (400, "malformed_message"), f"{body}")
    for unknown in ("", "v1.x", challenge[:-1], challenge + "A"):
        equal(decide(l, unknown, approve=True)[0], 404, f"{unknown}")
    equal(decide(l, "x" * 5000, approve=True)[0], 413, "too much")
    equal(decide(l, challenge)[1]["state"], "waiting", "after all that")
    l.stop()


def test_an_approval_ends_with_its_challenge():
    l = listener("--set", "confirmation.ttl=1s")
    c = l.connect(AGENT)
    tool = danger(c)
    challenge = challenge_of(c, tool)
    decide(l, challenge, approve=True)
    deadline = time.monotonic() + PATIENCE
    while decide(l, challenge)[0] != 404:
        expect(time.monotonic() < deadline, "it is never over")
        time.sleep(0.05)
    invalid(c, tool, challenge)
    l.stop()


# ---- standard input and output, without credentials --------------------------------------------

def socket_of(s):
    found = re.search(r"manglecp confirm unix:(\S+) CHALLENGE", s.program.log())
    expect(found, s.program.log())
    return pathlib.Path(found.group(1))


def runtime():
    folder = pathlib.Path(scratch())
    return folder, {"XDG_RUNTIME_DIR": str(folder)}


def test_on_standard_input_the_user_approves_at_another_terminal():
    path, options = journal()
    folder, env = runtime()
    s = Session(*options, env=env)
    tool = danger(s)
    where = socket_of(s)
    equal((where.parent, where.name), (folder / "manglecp", f"{s.program.process.pid}.sock"), "the socket")
    equal([oct(p.stat().st_mode & 0o777) for p in (where.parent, where)], ["0o700", "0o600"], "its modes")
    challenge, other = challenge_of(s, tool), challenge_of(s, tool, {"target": "another"})
    invalid(s, tool, challenge)  # P-CONF-2
    status, said = at_terminal("n", "confirm", f"unix:{where}", other)
    equal((status, said.count("[y/N]")), (1, 1), said)
    (where.parent / "1.sock").write_text("of a server that is gone")
    status, said = at_terminal("y", "confirm", "v1.made.up", env=env)
    equal((status, said.count("[y/N]")), (1, 0), said)
    where.parent.chmod(0o755)  # others may enter: what is there is nobody's word
    status, said = at_terminal("y", "confirm", challenge, env=env)
    equal((status, said.count("[y/N]")), (1, 0), said)
    where.parent.chmod(0o700)
    status, said = at_terminal("y", "confirm", challenge, env=env)
    equal((status, said.count("[y/N]")), (0, 1), said)
    expect("fx_danger asks for your consent, for local" in said and "effects: destructive" in said, said)  # P-CONF-3
    invalid(s, tool, other, {"target": "another"})
    invalid(s, tool, challenge, {"target": "another"})
    equal(run_with(s, tool, challenge)["type"], "invoke_response", "type")
    refused(run_with(s, tool, challenge), "confirmation_invalid", reason="used")  # P-CONF-4
    equal(path.read_text(), "the thing\n", "runs")
    s.end()
    expect(not where.exists(), "the socket is left behind")


def test_who_starts_the_server_is_asked_by_the_client():
    path, options = journal()
    _, env = runtime()
    words = ["invoke", "fx_danger", "--intent", "fx.danger", "--arg", "target=x"]
    server = ["--", *command(FIXTURE, "--stdio", *options)]
    manglecp(*words, *server, status=1, env=env)  # a pipe gives no consent
    status, said = at_terminal("n", *words, *server, env=env)
    equal((status, said.count("[y/N]"), path.read_text()), (1, 1, ""), said)
    status, said = at_terminal("y", *words, *server, env=env)
    equal((status, said.count("[y/N]"), path.read_text()), (0, 1, "x\n"), said)
    manglecp(*words, "--yes", *server, env=env)
    equal(path.read_text(), "x\nx\n", "runs")


PASS_ON = """
import socket, sys, threading
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def out():
    while chunk := s.recv(65536):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
threading.Thread(target=out, daemon=True).start()
while chunk := sys.stdin.buffer.raw.read(65536):
    s.sendall(chunk)
"""


def test_a_challenge_of_a_server_that_somebody_else_started_is_not_approved_by_the_client():
    path, options = journal()
    _, env = runtime()
    with socket.create_server(("127.0.0.1", 0)) as there:
        def serve():
            end, _ = there.accept()
            with end:
                Program(command(FIXTURE, "--stdio", *options), env, stdin=end, stdout=end)
        threading.Thread(target=serve, daemon=True).start()
        port = str(there.getsockname()[1])
        done = manglecp("invoke", "fx_danger", "--intent", "fx.danger", "--arg", "target=x", "--yes", "--",
                        sys.executable, "-c", PASS_ON, port, status=1, env=env)
    expect("confirmation_required" in done.stderr, done.stderr)
    equal(path.read_text(), "", "runs")


def test_a_folder_that_others_may_enter_is_not_used():
    folder, env = runtime()
    (folder / "manglecp").mkdir(mode=0o755)
    (folder / "manglecp").chmod(0o755)
    s = Session(env=env)
    danger(s)
    expect("others may enter it" in s.program.log(), s.program.log())
    equal(list((folder / "manglecp").iterdir()), [], "what is in it")
    s.end()


def test_nothing_else_is_served_there():
    folder, env = runtime()
    s = Session(env=env)
    danger(s)
    for line in (b"GET /metrics", b"POST /reload", b"GET /.well-known/manglecp/manifest.json",
                 b"POST /manglecp/invoke"):
        with socket.socket(socket.AF_UNIX) as c:
            c.settimeout(PATIENCE)
            c.connect(str(socket_of(s)))
            c.sendall(line + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            expect(c.recv(100).startswith(b"HTTP/1.1 404 "), f"{line}")
    s.end()


# ---- manglecp confirm ------------------------------------------------------------------------

def test_a_person_at_a_terminal_approves_for_a_program_over_http_and_websocket():
    path, options = journal()
    l = listener(*options)
    runs = []
    for address in (url_of(l), url_of(l).replace("http", "ws")):
        words = ["invoke", address, "fx_danger", "--intent", "fx.danger", "--arg", f"target={address[:2]}", "--token",
                 AGENT]
        asked = manglecp(*words, "--yes", status=1)
        line = next(line for line in asked.stderr.splitlines() if " confirm " in line).split()
        challenge = line[-1]
        equal(line[-3:-1], ["confirm", address], "the command that is named")
        manglecp(*words, "--approved", challenge, status=1)  # not yet
        status, said = at_terminal("y", "confirm", address, challenge, "--token", AGENT)  # P-CONF-2
        equal((status, said.count("[y/N]")), (1, 0), said)
        status, said = at_terminal("y", "confirm", address, challenge, "--token", PERSON)
        equal((status, said.count("[y/N]")), (0, 1), said)
        for part in ("fx_danger asks for your consent, for agent", f'target: "{address[:2]}"', "effects: destructive",
                     "it cannot be undone", "approved"):  # P-CONF-3
            expect(part in said, f"{part} is not in {said}")
        manglecp(*words, "--approved", challenge)
        runs.append(address[:2])
        equal(path.read_text().split(), runs, "runs")
        manglecp(*words, "--approved", challenge, status=1)  # P-CONF-4
        equal(path.read_text().split(), runs, "runs")
    l.stop()


def made_by_client(tool, args, identity, issued_ms, nonce):
    parts = [tool["macro_id"], json.dumps(args, separators=(",", ":"), sort_keys=True), identity, str(issued_ms), nonce]
    text = "".join(f"{len(p.encode())}:{p}" for p in parts).encode()
    return f"v1.{issued_ms}.{nonce}.{base64url(hmac.new(CONFIRM_KEY, text, hashlib.sha256).digest())}"


def test_a_client_makes_its_own_confirmations_where_its_line_says_so():  # P-CONF-1, P-CONF-2, P-CONF-4
    path, options = journal()
    key, now, args = base64url(CONFIRM_KEY), int(time.time() * 1000), {"target": "one"}
    l = Listener("--auth", token_file(
        token_line(AGENT, "agent", "intent:*", confirm_key=key, confirm_form="client"),
        token_line(PERSON, "ann", "intent:*", confirm_key=key)), *options)
    later = int(time.time() * 1000) + 1
    for token, identity in ((AGENT, "agent"), (PERSON, "ann")):
        c = l.connect(token)
        tool = danger(c)
        good = made_by_client(tool, args, identity, later, "n-1")
        for made in (made_by_client(tool, {"target": "two"}, identity, later, "n-1"),
                     made_by_client(tool, args, "somebody", later, "n-1"),
                     made_by_client(tool, args, identity, now - 3600000, "n-1"), good[:-1] + "_", good + "."):
            refused(run_with(c, tool, made, args), "confirmation_invalid")
        if token == PERSON:
            refused(run_with(c, tool, good, args), "confirmation_invalid")
            continue
        equal(run_with(c, tool, good, args)["type"], "invoke_response", "type")
        refused(run_with(c, tool, good, args), "confirmation_invalid", reason="used")
    equal(path.read_text(), "one\n", "runs")
    l.stop()


BOUND = {"rules/domain/90_bound.mg": 'param_bound("fx_danger", "target", "the bound thing").\n'}
FILLED = 'target: "the bound thing"  (filled in by a rule)'


def test_what_a_rule_filled_in_is_shown_to_who_approves():  # P-CONF-3
    path, options = journal()
    folder = fixture_with(BOUND)
    l = Listener("--auth", token_file(token_line(AGENT, "agent", "intent:*"), token_line(PERSON, "ann", "confirm")),
                 *options, domain=folder)
    c = l.connect(AGENT)
    tool = danger(c)
    answer = refused(c.ask(invoke(tool)), "confirmation_required")
    equal(answer["details"]["show"]["bound"], [{"name": "target"}], "what the agent may see")
    status, said = at_terminal("y", "confirm", url_of(l), answer["details"]["challenge"], "--token", PERSON)
    equal((status, FILLED in said), (0, True), said)
    equal(run_with(c, tool, answer["details"]["challenge"], {})["type"], "invoke_response", "type")
    equal(path.read_text(), "the bound thing\n", "runs")
    l.stop()
    _, env = runtime()
    status, said = at_terminal("y", "invoke", "fx_danger", "--intent", "fx.danger", "--",
                               *command(folder, "--stdio", *options), env=env)
    equal((status, said.count("[y/N]"), FILLED in said), (0, 2, True), said)
    equal(path.read_text(), "the bound thing\n" * 2, "runs")


def test_a_person_at_a_terminal_refuses():
    path, options = journal()
    l = listener(*options)
    c = l.connect(AGENT)
    tool = danger(c)
    challenge = challenge_of(c, tool)
    status, said = at_terminal("n", "confirm", url_of(l), challenge, env={"MANGLECP_TOKEN": PERSON})
    equal((status, said.count("[y/N]")), (1, 1), said)
    status, said = at_terminal("y", "confirm", url_of(l), challenge, "--token", PERSON)
    equal((status, said.count("[y/N]")), (1, 0), said)
    expect("refused before" in said, said)
    invalid(c, tool, challenge)
    status, said = at_terminal("y", "confirm", url_of(l), "v1.made.up", "--token", PERSON)
    equal((status, said.count("[y/N]")), (1, 0), said)
    equal(path.read_text(), "", "runs")
    l.stop()


def test_without_a_terminal_nothing_is_approved():
    l = listener()
    c = l.connect(AGENT)
    challenge = challenge_of(c, danger(c))
    done = manglecp("confirm", url_of(l), challenge, "--token", PERSON, status=2)
    expect("only a person at a terminal" in done.stderr, done.stderr)
    equal(decide(l, challenge)[1]["state"], "waiting", "after that")
    l.stop()


def test_what_is_shown_is_escaped():
    l = listener()
    c = l.connect(AGENT)
    challenge = challenge_of(c, danger(c), {"target": "\x1b[2J\u202ex"})
    status, said = at_terminal("n", "confirm", url_of(l), challenge, "--token", PERSON)
    equal(status, 1, said)
    expect("\x1b[2J" not in said and "\u202e" not in said, said)
    l.stop()


run(globals())

"""Who may come in, who may ask what, what anonymous callers see."""
from blackbox import *
from websocket import Socket

TOKEN, NARROW, SPECIAL = "token-of-everything", "token-of-one-intent", "token-with-a-privilege"
KEY, EARLY = "an-api-key-of-a-robot", "token-of-tomorrow"


def listener(*options, env=None):
    return Listener("--auth", token_file(
        "# a comment, and a blank line", "", token_line(TOKEN, "all", "intent:*"),
        token_line(NARROW, "narrow", "intent:fx.echo"),
        token_line(SPECIAL, "special", "intent:*,fx:privileged")), *options, env=env)


def login(s, token, scheme="bearer"):
    return s.ask(request("authenticate", {"scheme": scheme, "token": token}))


def serves(c):
    equal(names(c.ask(good())), ["fx_echo"], "a good request")


def refuses_to_start(status, *options, env=None):
    program = Program(command(FIXTURE, *options), env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    program.wait(status)
    equal(program.process.stdout.read(), b"", "output")
    return program.log()


def test_a_listener_without_credentials_does_not_start():
    told = refuses_to_start(2, "--listen", "127.0.0.1:0")  # P-AUTH-1, D-53
    expect("--open-demo" in told and "--auth" in told, told)


def test_beyond_loopback_tls_is_needed():
    told = refuses_to_start(2, "--listen", "0.0.0.0:0", "--open-demo")  # D-53
    expect("TLS" in told, told)


def test_an_address_in_use_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = refuses_to_start(2, "--open-demo", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    expect("in use" in told and "hint: Another program listens there" in told, told)


def test_faulty_overrides_are_all_told():
    told = refuses_to_start(1, "--stdio", "--set", "limits.max_facts_per_request=0", "--set", "nonsense.x=1")
    expect("max_facts_per_request must be from 1" in told and '"nonsense"' in told, told)


def test_a_faulty_token_file_says_which_line():
    told = refuses_to_start(2, "--listen", "127.0.0.1:0", "--auth",
                            token_file(token_line(TOKEN, "all", "intent:*"), "sha256:short all intent:*"))
    expect("line 2" in told and "hint: manglecp token prints" in told, told)


def test_each_fault_of_a_token_file_names_the_file_and_is_said_once_a_line():
    path = token_file("these are no tokens at all", "nor is this one here")
    told = refuses_to_start(2, "--listen", "127.0.0.1:0", "--auth", path)
    faults = [line for line in told.splitlines() if "error" in line]
    equal(len(faults), len(set(faults)), f"different lines among:\n{told}")
    for line in (1, 2):
        expect(f"{path}: error: line {line}: the first word must be sha256:" in told, told)
        expect(f"{path}: error: line {line}: after the permissions come settings" in told, told)


def test_the_manifest_tells_how_to_come_in():
    l = listener()  # on loopback, without certificates (P-TLS-5)
    auth = l.manifest["payload"]["auth"]  # D-56, P-MAN-27
    equal((auth["required"], auth["schemes"]), (True, ["bearer"]), "auth")  # P-AUTH-2
    expect("token_url" not in auth or auth["token_url"] is None, "token_url")
    l.stop()


def test_without_credentials_nothing_else_is_served():
    l = listener()
    c = l.connect()
    for message in (good(), intent("fx.rank"), intent("zz.nothing"), invoke("x")):  # P-AUTH-9, P-AUTH-15
        answer = refused(c.ask(message), "auth_required")
        equal(answer["details"]["schemes"], ["bearer"], "schemes")
    l.stop()


def test_a_wrong_token_is_refused_before_the_body_is_read():
    l = listener()
    c = l.connect("not-a-token")
    refused(c.ask(good()), "auth_invalid", reason="rejected")  # P-AUTH-10
    refused(c.post(b"{").message, "auth_invalid")  # P-POLICY-3
    l.stop()


def test_permissions_decide_over_listed_intents():
    l = listener()
    c = l.connect(NARROW)
    serves(c)
    refused(c.ask(intent("fx.rank")), "auth_insufficient")  # P-AUTH-11, P-HTTP-12, P-POLICY-4
    equal(names(c.ask(intent("zz.nothing"))), [], "an unlisted intent")
    equal(names(c.ask(intent("fx.rank "))), [], "an intent that only looks listed")
    l.stop()


def test_faults_of_shape_come_before_permission():
    l = listener()
    c = l.connect(NARROW)
    refused(c.ask(intent("fx.rank", options={"disclosure_preference": "loud"})),
            "malformed_message")  # P-POLICY-3, P-POLICY-5
    refused(c.ask(intent("fx.rank", [fact("fx_basic", 1)])), "arity_mismatch")
    l.stop()


def test_permission_comes_before_the_outcome_of_an_evaluation():
    l = listener()
    c = l.connect(NARROW)
    for members in ({"constraints": {"max_facts_created": 1}}, {"constraints": {"max_compute_ms": 1}}):
        refused(c.ask(intent("fx.rank", **members)), "auth_insufficient")  # gate 10b before 12
    l.stop()


def test_privileged_tools_are_for_the_privileged():
    l = listener()
    equal(names(l.connect(SPECIAL).ask(intent("fx.secret"))), ["fx_secret"], "with")  # P-POLICY-7
    equal(names(l.connect(TOKEN).ask(intent("fx.secret"))), [], "without")
    tool = tool_of(l.connect(SPECIAL).ask(intent("fx.secret")))
    refused(l.connect(TOKEN).ask(invoke(tool)), "macro_not_found")  # D-57
    l.stop()


def test_no_client_changes_what_another_is_offered():
    l = listener()
    before = names(l.connect(TOKEN).ask(intent("fx.chain")))
    c = l.connect(SPECIAL)
    for message in (intent("fx.chain", [fact("fx_ban", "fx_chain_t")]), intent("fx.runaway"),
                    intent("fx.chain", [fact("prohibited", "fx_chain_t", "x")]), {**good(), "type": "x"}):
        c.ask(message)
    equal(names(l.connect(TOKEN).ask(intent("fx.chain"))), before, "tools")  # P-POLICY-6
    l.stop()


def test_the_environment_can_give_the_token():
    l = Listener(env={"MANGLECP_TOKEN": TOKEN})
    serves(l.connect(TOKEN))
    refused(l.connect(TOKEN[:-1]).ask(good()), "auth_invalid")
    l.stop()


# ---- open demo -----------------------------------------------------------------------------

def test_open_demo_is_asked_for_and_warned_about():
    l = Listener("--open-demo")
    equal(l.manifest["payload"]["auth"]["required"], False, "auth.required")  # P-AUTH-12
    expect("open demo" in l.program.log(), l.program.log())  # P-AUTH-13
    serves(l.connect())
    l.stop()


def test_anonymous_callers_get_tools_without_effects():
    l = Listener("--open-demo")
    c = l.connect()
    equal(len(names(c.ask(intent("fx.rank")))), 9, "tools without effects")
    equal(names(c.ask(intent("fx.danger"))), [], "tools with effects")  # P-AUTH-14, D-54
    refused(c.ask(intent("fx.write")), "auth_required")  # an intent that is not open
    answer = c.ask(invoke(tool_of(c.ask(good())), {"label": "x"}))
    equal(answer["type"], "invoke_response", "type")
    l.stop()


# ---- sessions ------------------------------------------------------------------------------

def test_a_session_with_a_token_begins_with_authenticate():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    equal(s.manifest["payload"]["auth"]["required"], True, "auth.required")  # P-STDIO-8
    refused(s.ask(good("first")), "auth_required")  # P-AUTH-6
    answer = login(s, TOKEN)["payload"]  # P-AUTH-7
    equal((answer["status"], answer["identity"]), ("authenticated", "operator"), "answer")
    equal(answer["permissions"], ["intent:*", "operator"], "permissions")
    serves(s)
    s.end()


def test_a_later_login_replaces_the_identity_and_a_failed_one_does_not():
    s = Session("--auth", token_file(token_line(TOKEN, "all", "intent:*"),
                                     token_line(NARROW, "narrow", "intent:fx.echo")))
    login(s, NARROW)
    refused(s.ask(intent("fx.rank")), "auth_insufficient")
    equal(login(s, TOKEN)["payload"]["identity"], "all", "identity")  # D-55
    equal(len(names(s.ask(intent("fx.rank")))), 9, "tools")
    refused(login(s, "wrong"), "auth_invalid")
    equal(len(names(s.ask(intent("fx.rank")))), 9, "tools after a failed login")
    s.end()


def test_a_robot_is_told_what_was_waived_for_it():
    s = Session("--auth", token_file(token_line(TOKEN, "robot", "intent:*", trust="automated",
                                                auto_confirm="filesystem,network")))
    answer = login(s, TOKEN)["payload"]
    equal(answer["trust_level"], "automated", "trust_level")
    equal(sorted(answer["auto_confirm_effects"]), ["filesystem", "network"], "effects")
    s.end()


def test_a_cancel_before_login_is_ignored():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    s.send(request("cancel", {"request_id": "x"}))  # D-24
    expect(s.quiet(), "it was answered")
    s.end()


def key_listener(*options):
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    return Listener("--auth", token_file(f"key-sha256:{digest} robot intent:fx.echo",
                                         token_line(TOKEN, "all", "intent:*"),
                                         token_line(EARLY, "all", "intent:*", not_before="2200-01-01T00:00:00Z")),
                    *options)


def test_an_api_key_comes_in_its_own_header_or_as_a_bearer_token():
    l = key_listener()
    equal(l.manifest["payload"]["auth"]["schemes"], ["bearer", "api_key"], "schemes")  # P-AUTH-2, P-AUTH-5
    c = l.connect()
    ok = c.post(good(), X_MangleCP_API_Key=KEY)
    equal(names(ok.message), ["fx_echo"], "by its header")  # P-AUTH-5
    serves(l.connect(KEY))
    refused(c.post(good(), X_MangleCP_API_Key=KEY + "x").message, "auth_invalid", reason="rejected")
    refused(c.post(good(), X_MangleCP_API_Key=TOKEN).message, "auth_invalid", reason="rejected")
    refused(l.connect(TOKEN).post(good(), X_MangleCP_API_Key=KEY).message, "malformed_message")
    refused(l.connect(KEY).ask(intent("fx.rank")), "auth_insufficient")
    l.stop()


def test_a_session_logs_in_with_an_api_key():
    l = key_listener()
    s = Socket(l)
    refused(login(s, TOKEN, "api_key"), "auth_invalid", reason="rejected")
    equal(login(s, KEY, "api_key")["payload"]["identity"], "robot", "identity")
    serves(s)
    l.stop()
    l = listener()
    refused(login(Socket(l), KEY, "api_key"), "auth_invalid", reason="scheme")
    l.stop()


def test_a_token_that_is_not_valid_yet_is_told_so():
    l = key_listener()
    for answer in (l.connect(EARLY).ask(good()), login(Socket(l), EARLY)):
        expect("not valid yet" in refused(answer, "auth_invalid", reason="rejected")["message"], f"{answer}")
    l.stop()


def test_a_token_of_a_megabyte_is_refused_and_costs_nothing():
    s = Session(env={"MANGLECP_TOKEN": TOKEN})
    refused(login(s, "a" * (1 << 20)), "auth_invalid", reason="rejected")
    login(s, TOKEN)
    serves(s)
    s.end()


def test_the_protocols_checks_hold_whoever_asks():
    l = listener()
    c = l.connect(TOKEN)  # may ask everything (P-POLICY-1, P-POLICY-2)
    refused(c.post(encode(good()).ljust(16777217)).message, "message_too_large")
    c = l.connect(TOKEN)
    refused(c.ask(intent("fx.echo", [BASIC, fact("_manglecp_intent", "x")])), "reserved_predicate")
    refused(c.ask(intent("fx.echo", [BASIC] * 10001)), "too_many_facts")
    refused(c.ask(intent("fx.blowup", [fact("fx_seed", n) for n in range(400)])),
            "derivation_limit_exceeded")
    l.stop()


# ---- rates ---------------------------------------------------------------------------------

def test_the_rate_counts_each_caller_for_itself():
    l = listener("--set", "rate.limit=3", "--set", "rate.window=1h")
    c, d = l.connect(TOKEN), l.connect(NARROW)
    for _ in range(3):
        serves(c)
    response = c.post(good())  # P-HTTP-16
    refused(response.message, "rate_limited")
    expect(int(response.headers["retry-after"]) > 0, "Retry-After")
    serves(d)
    equal(c.get(Listener.MANIFEST).status, 200, "the manifest")
    l.stop()


def test_a_window_of_the_rate_ends():
    s = Session("--set", "rate.limit=2", "--set", "rate.window=500ms")
    while code_of(s.ask(good())) != "rate_limited":
        pass
    time.sleep(0.6)
    serves(s)
    s.end()


run(globals())

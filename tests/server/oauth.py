"""Tokens of another issuer: JSON Web Tokens by its keys, opaque ones by its word, and what clients are told."""
from blackbox import *
from issuer import *
from websocket import Socket

UNREACHABLE = {"reason": "issuer"}


def serves(c):
    equal(names(c.ask(good())), ["fx_echo"], "a good request")


def past_manifests(s, message):
    """The answer, behind the manifests that a reload pushes."""
    s.send(message)
    while (answer := s.receive())["type"] == "manifest":
        pass
    return answer


def log_in(s, token):
    return s.ask(request("authenticate", {"scheme": "bearer", "token": token}))


def test_tokens_of_each_algorithm_are_taken():
    keys = [Key(alg) for alg in CURVES]
    issuer = Issuer(*keys)
    l = issuer.listener()
    for key in keys:
        serves(l.connect(key.token()))
        s = Socket(l)
        payload = log_in(s, key.token())["payload"]
        equal((payload["identity"], payload["permissions"]), (f"{NAME}#ann", ["intent:*", "operator"]), "login")
        serves(s)
        serves(Socket(l, key.token()))
    equal(issuer.asked, ["/keys"], "questions: one for all")
    l.stop()
    issuer.stop()


def test_the_manifest_says_where_tokens_are():
    issuer = Issuer(Key())
    l = issuer.listener()
    auth = l.manifest["payload"]["auth"]
    equal((auth["required"], auth["schemes"]), (True, ["bearer", "oauth2"]), "auth")  # P-AUTH-2
    equal(auth["token_url"], f"{issuer.url}/token", "token_url")  # P-AUTH-4
    l.stop()
    issuer.stop()


def test_a_client_is_led_to_the_issuer():
    """RFC 9728, RFC 6750."""
    issuer, key = Issuer(Key()), None
    l = issuer.listener()
    where = "https://tools.example/.well-known/oauth-protected-resource/manglecp"
    none = l.connect().post(good())
    equal((none.status, none.headers["www-authenticate"]), (401, f'Bearer resource_metadata="{where}"'), "without")
    wrong = l.connect(issuer.keys[0].token(aud="x")).post(good())
    equal((wrong.status, wrong.headers["www-authenticate"]),
          (401, f'Bearer resource_metadata="{where}", error="invalid_token"'), "wrong")
    narrow = l.connect(issuer.keys[0].token(scope="intent:fx.echo")).post(intent("fx.rank"))
    equal((narrow.status, narrow.headers["www-authenticate"]),
          (403, f'Bearer resource_metadata="{where}", error="insufficient_scope"'), "narrow")
    page = l.connect().get("/.well-known/oauth-protected-resource/manglecp")
    equal(json.loads(page.body), {"resource": AUDIENCE, "authorization_servers": [NAME],
                                  "bearer_methods_supported": ["header"]}, "metadata")
    l.stop()
    issuer.stop()


def test_each_token_that_is_not_good_is_refused():
    key, other = Key(), Key(kid="ES256")
    issuer = Issuer(key, Key("RS256"))
    l = issuer.listener()
    now = int(time.time())
    good_token = key.token()
    head, claims, signature = good_token.split(".")
    bare = base64url(b'{"alg":"none"}')
    wrong = {
        "another's key": other.token(), "alg none": f"{bare}.{claims}.AA", "no signature": f"{bare}.{claims}.",
        "HS256": key.token({"alg": "HS256"}), "key confusion": key.token({"alg": "RS256"}),
        "another key's id": key.token({"kid": "RS256"}), "crit": key.token({"crit": ["exp"]}),
        "jku": key.token({"jku": f"{issuer.url}/keys"}), "x5u": key.token({"x5u": f"{issuer.url}/keys"}),
        "an id token": key.token({"typ": "id+jwt"}), "another audience": key.token(aud="https://else.example"),
        "another issuer": key.token(iss="https://else.example"), "nobody": key.token(sub=None),
        "no end": key.token(exp=None), "changed": f"{head}.{base64url(b'{}')}.{signature}",
        "too large": key.token(more="x" * 9000),
    }
    for what, token in wrong.items():
        answer = l.connect(token).post(good())
        equal((answer.status, answer.message["payload"]["details"]["reason"]), (401, "rejected"), what)
        refused(log_in(Socket(l), token), "auth_invalid", reason="rejected")
    refused(l.connect(key.token(exp=now - 31)).ask(good()), "auth_invalid", reason="expired")
    early = refused(l.connect(key.token(nbf=now + 60)).ask(good()), "auth_invalid", reason="rejected")
    expect("not valid yet" in early["message"], early["message"])
    serves(l.connect(key.token(exp=now - 20, nbf=now + 20)))  # the skew
    serves(l.connect(good_token))
    l.stop()
    issuer.stop()


def test_keys_change_under_way():
    old, new = Key(kid="old"), Key(kid="new")
    issuer = Issuer(old)
    l = issuer.listener()
    serves(l.connect(old.token()))
    issuer.keys = [new]
    refused(l.connect(new.token()).ask(good()), "auth_invalid")  # just fetched: not again at once
    equal(issuer.asked, ["/keys"], "questions")
    deadline = time.monotonic() + PATIENCE
    while code_of(l.connect(new.token()).ask(good())) == "auth_invalid":
        expect(time.monotonic() < deadline, "the new key is never fetched")
        time.sleep(0.5)
    serves(l.connect(new.token()))
    refused(l.connect(old.token()).ask(good()), "auth_invalid", reason="rejected")
    equal(len(issuer.asked), 2, "questions")
    l.stop()
    issuer.stop()


def test_an_issuer_that_never_answers_holds_up_nobody_else():
    issuer = Issuer(Key())
    issuer.silent = True
    l = issuer.listener("--auth", token_file(token_line("own", "own", "intent:*")), keys_url=f"{issuer.url}/keys",
                        timeout="2s")
    began = time.monotonic()
    waiting = [l.connect(issuer.keys[0].token()) for _ in range(8)]
    for c in waiting:
        body = encode(good())
        c.send(c.head("POST", l.intent_path, len(body)) + body)
    own = l.connect("own")
    for _ in range(20):
        asked = time.monotonic()
        serves(own)
        expect(time.monotonic() - asked < 1, "somebody else was held up")
    for c in waiting:
        answer = c.response()
        equal(answer.status, 503, "status")
        refused(answer.message, "server_not_ready", **UNREACHABLE)
        expect(int(answer.headers["retry-after"]) > 0, "Retry-After")
    spent = time.monotonic() - began
    expect(spent < 2 + PATIENCE / 4, f"the deadline is 2 s, and it took {spent:.1f} s")
    s = Socket(l)
    refused(log_in(s, issuer.keys[0].token()), "server_not_ready", **UNREACHABLE)
    l.until_status("degraded")
    l.stop()
    issuer.stop()


def test_a_session_has_one_login_at_a_time():
    issuer = Issuer(Key())
    issuer.silent = True
    l = issuer.listener(keys_url=f"{issuer.url}/keys", timeout="4s")
    s, token = Socket(l), issuer.keys[0].token()
    for _ in range(8):
        s.send(request("authenticate", {"scheme": "bearer", "token": token}))
    for _ in range(7):
        refused(s.receive(), "rate_limited", limit=1)
    answer = s.receive()
    while answer["type"] == "manifest":  # it says that the server is degraded
        answer = s.receive()
    refused(answer, "server_not_ready", **UNREACHABLE)
    l.stop()
    issuer.stop()


def test_who_leaves_while_the_issuer_is_asked_costs_nothing():
    issuer = Issuer(Key())
    issuer.silent = True
    l = issuer.listener("--auth", token_file(token_line("own", "own", "intent:*")), keys_url=f"{issuer.url}/keys",
                        timeout="1s")
    token = issuer.keys[0].token()
    for _ in range(20):
        c = l.connect(token)
        body = encode(good())
        c.send(c.head("POST", l.intent_path, len(body)) + body)
        c.close()
        s = Socket(l)
        s.send(request("authenticate", {"scheme": "bearer", "token": token}))
        s.connection.close()
    serves(l.connect("own"))
    time.sleep(1.2)
    serves(l.connect("own"))
    l.stop()
    issuer.stop()


def test_an_issuer_that_is_wrong_makes_the_server_degraded_and_is_asked_again():
    issuer = Issuer(Key())
    issuer.body = '{"keys": []}'
    l = issuer.listener()
    refused(l.connect(issuer.keys[0].token()).ask(good()), "server_not_ready", **UNREACHABLE)
    l.until_status("degraded")
    expect("no key in it is for RS256, ES256 or EdDSA" in l.program.log(), l.program.log())
    issuer.body = None
    deadline = time.monotonic() + PATIENCE
    while code_of(l.connect(issuer.keys[0].token()).ask(good())) == "server_not_ready":
        expect(time.monotonic() < deadline, "it is never asked again")
        time.sleep(0.5)
    serves(l.connect(issuer.keys[0].token()))
    l.until_status("ready")
    l.stop()
    issuer.stop()


def test_keys_may_come_from_a_file_and_be_loaded_again():
    old, new = Key(kid="old"), Key(kid="new")
    path = pathlib.Path(scratch()) / "keys.json"
    path.write_text(json.dumps({"keys": [old.jwk()]}))
    issuer = Issuer()
    l = issuer.listener(keys=str(path))
    c = l.connect(old.token())
    serves(c)
    path.write_text(json.dumps({"keys": [new.jwk()]}))
    equal(l.connect(old.token()).post(b"", "/reload").status, 200, "reload")
    refused(c.ask(good()), "auth_invalid", reason="rejected")  # what was remembered went with the key
    serves(l.connect(new.token()))
    path.write_text("{}")
    equal(l.connect(new.token()).post(b"", "/reload").status, 422, "reload")
    serves(l.connect(new.token()))
    equal(issuer.asked, [], "questions")
    l.stop()
    issuer.stop()


def test_the_issuer_is_asked_about_opaque_tokens():
    issuer = Issuer()
    issuer.opaque["a token/+&="] = {"active": True, "aud": AUDIENCE, "sub": "bob", "scope": "intent:fx.echo"}
    l = issuer.listener(introspection=f"{issuer.url}/introspect", client=client_file(), remember="1s")
    c = l.connect("a token/+&=")
    serves(c)
    serves(c)
    equal(issuer.asked, ["/introspect"], "questions: the answer is remembered")
    refused(c.ask(intent("fx.rank")), "auth_insufficient")
    refused(l.connect("another").ask(good()), "auth_invalid", reason="rejected")
    issuer.opaque.clear()  # revoked
    time.sleep(1.1)
    refused(c.ask(good()), "auth_invalid", reason="rejected")
    issuer.status = 500
    refused(l.connect("third").ask(good()), "server_not_ready", **UNREACHABLE)
    l.stop()
    issuer.stop()


def test_a_session_is_as_good_as_its_opaque_token():
    """Though such a token need not say when it ends."""
    issuer = Issuer()
    issuer.opaque["t"] = {"active": True, "aud": AUDIENCE, "sub": "bob", "scope": "intent:fx.echo"}
    l = issuer.listener(introspection=f"{issuer.url}/introspect", client=client_file(), remember="1s")
    upgraded, logged_in = Socket(l, "t"), Socket(l)
    equal(log_in(logged_in, "t")["payload"]["identity"], f"{NAME}#bob", "login")
    both = upgraded, logged_in
    for s in both:
        serves(s)
    time.sleep(1.1)
    issuer.opaque["t"]["scope"] = "intent:fx.rank"  # it is another principal now
    for s in both:
        refused(s.ask(good()), "auth_insufficient")
    expect(2 <= len(issuer.asked) <= 3, f"questions: {issuer.asked}")
    time.sleep(1.1)
    issuer.status = 500
    for s in both:
        refused(past_manifests(s, good()), "server_not_ready", **UNREACHABLE)
    issuer.status = 200
    issuer.opaque.clear()  # revoked
    for s in both:
        refused(past_manifests(s, good()), "auth_invalid", reason="rejected")
    issuer.opaque["new"] = {"active": True, "aud": AUDIENCE, "sub": "bob", "scope": "intent:fx.echo"}
    for s in both:
        equal(log_in(s, "new")["payload"]["identity"], f"{NAME}#bob", "another login")
        serves(s)
    l.stop()
    issuer.stop()


def test_a_session_ends_with_the_key_of_its_token():
    old, new = Key(kid="old"), Key(kid="new")
    path = pathlib.Path(scratch()) / "keys.json"
    issuer = Issuer()
    path.write_text(json.dumps({"keys": [old.jwk()]}))
    l = issuer.listener("--auth", token_file(token_line("own", "own", "operator")), keys=str(path))
    s = Socket(l, old.token())
    serves(s)
    for keys, ends in ([old, new], False), ([new], True):
        path.write_text(json.dumps({"keys": [k.jwk() for k in keys]}))
        equal(l.connect("own").post(b"", "/reload").status, 200, "reload")
        if ends:
            refused(past_manifests(s, good()), "auth_invalid", reason="rejected")
        else:
            equal(names(past_manifests(s, good())), ["fx_echo"], "its key is there")
    equal(log_in(s, new.token())["type"], "authenticate_response", "login")
    serves(s)
    l.stop()
    issuer.stop()


def test_one_address_leaves_room_for_logins_from_others():
    issuer = Issuer(Key())
    issuer.silent = True
    l = issuer.listener(keys_url=f"{issuer.url}/keys", timeout="4s")
    token, body = issuer.keys[0].token(), encode(good())
    flood = [l.connect(token) for _ in range(65)]
    for c in flood:
        c.send(c.head("POST", l.intent_path, len(body)) + body)
    began = time.monotonic()
    equal(flood[-1].response().status, 503, "one too many is told so at once")
    expect(time.monotonic() - began < 2, "it waited")
    for c in flood:
        c.close()
    l.stop()
    issuer.stop()


def test_an_issuer_names_nobody_whom_this_server_knows():
    issuer = Issuer(Key())
    l = issuer.listener("--auth", token_file(token_line("own", "ann", "intent:*")), keys_url=f"{issuer.url}/keys")
    said = request("authenticate", {"scheme": "bearer", "token": "own"})
    equal(Socket(l).ask(said)["payload"]["identity"], "ann", "the file's")
    equal(log_in(Socket(l), issuer.keys[0].token())["payload"]["identity"], f"{NAME}#ann", "the issuer's")
    asked = intent("fx.echo") | {"extensions": {"x-idempotency-key": "k"}}
    own, other = l.connect("own"), l.connect(issuer.keys[0].token(scope="intent:*"))
    for c in own, other:  # one key of each: none is the other's
        answer = c.ask(invoke(tool_of(c.ask(good())), {"label": "x"}) | {"extensions": asked["extensions"]})
        equal(answer["type"], "invoke_response", "its own key")
    l.stop()
    issuer.stop()


def test_what_a_token_may_do_reaches_the_rules():
    issuer = Issuer(Key())
    l = issuer.listener()
    key = issuer.keys[0]
    equal(names(l.connect(key.token(scope="intent:* fx:privileged")).ask(intent("fx.secret"))), ["fx_secret"], "with")
    equal(names(l.connect(key.token()).ask(intent("fx.secret"))), [], "without")  # P-POLICY-7
    l.stop()
    issuer.stop()


def test_the_trust_level_reaches_the_rules_whatever_the_credential():
    domain = fixture_with({"rules/policy/90_trust.mg":
                           'prohibited("fx_echo", "not for programs") :- client_trust_level("automated").\n'})
    issuer = Issuer(Key())
    for name, level in (("o-person", "person"), ("o-program", "automated")):
        issuer.opaque[name] = {"active": True, "aud": AUDIENCE, "sub": name, "scope": "intent:*", "kind": level}
    key_lines = [token_line(f"k-{who}", who, "intent:*", **more).replace("sha256:", "key-sha256:", 1)
                 for who, more in (("person", {}), ("program", {"trust": "automated"}))]
    l = issuer.listener("--auth", token_file(token_line("t-person", "person", "intent:*"),
                                             token_line("t-program", "program", "intent:*", trust="automated"),
                                             *key_lines),
                        keys_url=f"{issuer.url}/keys", introspection=f"{issuer.url}/introspect", client=client_file(),
                        trust="kind", domain=domain)
    token = issuer.keys[0].token
    for person, program in (("t-person", "t-program"), ("k-person", "k-program"), ("o-person", "o-program"),
                            (token(kind="person"), token(kind="automated")), (token(), token(kind="automated"))):
        equal(names(l.connect(person).ask(good())), ["fx_echo"], "a person's program")
        equal(names(l.connect(program).ask(good())), [], "a program by itself")
        for who, expected in (person, None), (program, "automated"):
            s = Socket(l)
            equal(log_in(s, who)["payload"].get("trust_level"), expected, "what a session is told")
            equal(names(s.ask(good())), [] if expected else ["fx_echo"], "in a session")
    l.stop()
    issuer.stop()


def test_another_token_of_the_same_scope_finds_the_tools_of_the_first():
    issuer = Issuer(Key())
    l = issuer.listener()
    key = issuer.keys[0]
    tool = tool_of(l.connect(key.token()).ask(good()))
    equal(l.connect(key.token(jti="2")).ask(invoke(tool, {"label": "x"}))["type"], "invoke_response", "refreshed")
    refused(l.connect(key.token(scope="intent:*")).ask(invoke(tool, {"label": "x"})), "macro_not_found")
    refused(l.connect(key.token(sub="bob")).ask(invoke(tool, {"label": "x"})), "macro_not_found")
    l.stop()
    issuer.stop()


def test_a_session_ends_with_its_token():
    issuer = Issuer(Key())
    l = issuer.listener("--auth", token_file(token_line("own", "own", "operator")), keys_url=f"{issuer.url}/keys",
                        skew="0s")
    s = Socket(l, issuer.keys[0].token(exp=int(time.time()) + 4))
    serves(s)
    equal(l.connect("own").post(b"", "/reload").status, 200, "reload")  # ends no session of the issuer's
    equal(names(past_manifests(s, good())), ["fx_echo"], "after a reload")
    time.sleep(4.1)
    refused(past_manifests(s, good()), "auth_invalid", reason="expired")
    l.stop()
    issuer.stop()


def test_what_is_missing_or_wrong_in_the_configuration_is_all_said():
    issuer = Issuer()
    for settings, expected in (
            ({"resource": "ftp://x", "keys_url": "http://far.example/keys"},
             ("oauth.resource: it must begin with https://", "oauth.keys_url: it must begin with https://")),
            ({}, ("oauth.keys_url: nothing says how tokens are judged",)),
            ({"introspection": "https://a.example/x"}, ("oauth.client: it is missing",))):
        program = Program(command(FIXTURE, *issuer.config(**settings), "--listen", "127.0.0.1:0"), None,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        program.wait(2)
        for text in expected:
            expect(text in program.log(), program.log())
    issuer.stop()


run(globals())

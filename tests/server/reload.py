"""What a reload and a drain mean to those who are connected: certificates, credentials, WebSockets."""
from tls import *  # run() calls the tests of this file alone
from life import At, copy_of_fixture, hang_up, logged, not_ready, rename_tool, wait_for


def certificate_of(c):
    return hashlib.sha256(c.socket.getpeercert(True)).hexdigest()


def swap(a, one, other):
    """`one` is now what `other` was issued as."""
    for kind in ("pem", "key"):
        os.replace(a.path(f"{other}.{kind}"), a.path(f"{one}.{kind}"))


# ---- certificates

def test_open_connections_outlive_a_new_certificate():
    a = Authority()
    options = a.issue("server")
    l = Listener("--open-demo", *options, tls=a.client())
    c, s = l.connect(), Socket(l)
    before = certificate_of(c)
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    a.issue("next")
    swap(a, "server", "next")
    s.send(invoke(tool, {"step_ms": 400}, id="runs"))
    hang_up(l.program)
    logged(l.program, "loaded again: ")
    new = l.connect()
    expect(certificate_of(new) != before, "a new connection has the old certificate")
    for one in (c, new):
        serves(one)
    s.send(good("beside it"))
    answers = {}
    while len(answers) < 2:
        m = s.receive()
        if m["type"] not in ("progress", "manifest"):
            answers[m["id"]] = m["type"]
    equal(answers, {"runs": "invoke_response", "beside it": "intent_response"}, "answers")
    after = certificate_of(new)
    for name, text, why in (("server.pem", "nonsense", "server.pem"), ("server.key", "nonsense", "server.key"),
                            ("server.key", None, "server.key")):
        kept = pathlib.Path(a.path(name)).read_text()
        if text:
            pathlib.Path(a.path(name)).write_text(text)
        else:
            pathlib.Path(a.path(name)).unlink()
        count = l.program.log().count("could not be loaded again")
        hang_up(l.program)
        logged(l.program, "could not be loaded again", count + 1)
        told = l.program.log().rsplit("could not be loaded again", 1)[1]
        wait_for(f"why: {told}", lambda: why in l.program.log().rsplit("could not be loaded again", 1)[1])
        equal(certificate_of(l.connect()), after, f"the certificate beside a broken {name}")
        serves(c)
        serves(s)
        pathlib.Path(a.path(name)).write_text(kept)
        pathlib.Path(a.path(name)).chmod(0o600)
    a.issue("foreign")
    shutil.copy(a.path("foreign.key"), a.path("server.key"))  # a key of another certificate
    hang_up(l.program)
    logged(l.program, "could not be loaded again", 4)
    equal(certificate_of(l.connect()), after, "the certificate beside a foreign key")
    serves(s)
    s.close()
    l.stop()


def mutual(a, *lines, shown="robot"):
    tokens = pathlib.Path(token_file(*lines, token_line(TOKEN, "all", "intent:*")))
    return tokens, Listener("--auth", str(tokens), *a.issue("server"), "--tls-client-ca", a.path("ca.pem"),
                            tls=a.client(shown))


def login(s, token):
    return s.ask(request("authenticate", {"scheme": "bearer", "token": token}))


def test_a_session_whose_certificate_is_not_listed_any_more_is_refused():
    a = Authority()
    a.issue("robot"), a.issue("other")
    line = f"cert-sha256:{fingerprint(a, 'robot')} robot intent:*"
    tokens, l = mutual(a, line)
    s, c, by_token = Socket(l), l.connect(), Socket(l, TOKEN)
    serves(s), serves(c), serves(by_token)
    tokens.write_text(token_line(TOKEN, "all", "intent:*") + "\n")
    hang_up(l.program)
    logged(l.program, "loaded again: ")
    for one in (s, by_token):  # the new manifest comes before or behind the next request's answer
        equal(one.receive()["type"], "manifest", "type")
    refused(s.ask(good()), "auth_invalid", reason="rejected")  # P-AUTH-4
    refused(c.ask(good()), "auth_required")  # every request says again who it is
    serves(by_token)
    equal(login(s, TOKEN)["type"], "authenticate_response", "a login")
    serves(s)
    l.stop()


def test_a_credential_that_is_withdrawn_while_the_body_is_under_way_runs_nothing():
    robot = {"trust": "automated", "auto_confirm": "filesystem"}
    lines = [token_line(token, token, "intent:*,operator", **robot) for token in ("ann", "bob")]
    tokens = pathlib.Path(token_file(*lines))
    path, options = journal()
    l = Listener("--auth", str(tokens), *options)
    begun = []
    for token in ("ann", "bob"):
        tool = tool_of(l.connect(token).ask(intent("fx.write")))
        for line in ("all of the body is late", "the end of the body is late"):
            body = encode(invoke(tool, {"line": f"{token}: {line}"}))
            cut = 0 if line.startswith("all") else len(body) - 5
            begun.append((token, l.connect(token), l.invoke_path, body, cut))
        begun.append((token, l.connect(token), "/reload", b"{}", 1))
    for token, c, at, body, cut in begun:
        c.send(c.head("POST", at, len(body)) + body[:cut])
    time.sleep(0.2)  # so that heads have come
    tokens.write_text(lines[1] + "\n")
    equal(l.connect("bob").post(b"", "/reload").status, 200, "reload")
    for token, c, at, body, cut in begun:
        c.send(body[cut:])
        answer = c.response()
        equal(answer.status, 401 if token == "ann" else 200, f"{token} {at} {shown(answer.body)}")
        if token == "ann":
            equal(json.loads(answer.body)["payload"]["code"], "auth_invalid", f"{at}")
    equal(path.read_text(), "bob: all of the body is late\nbob: the end of the body is late\n", "what ran")
    l.stop()


def issue_until(a, name, seconds):
    """A client's certificate that is good for so long, and no longer."""
    until = time.gmtime(time.time() + seconds)
    folder = a.folder / f"ca-{name}"
    folder.mkdir()
    (folder / "index").touch()
    (folder / "serial").write_text("77\n")
    (folder / "cnf").write_text(f"""[ca]
default_ca = d
[d]
database = {folder}/index
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = p
[p]
commonName = supplied
[e]
extendedKeyUsage = clientAuth
""")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
            f"{name}.csr", "-subj", f"/CN={name}", folder=a.folder)
    openssl("ca", "-batch", "-notext", "-config", str(folder / "cnf"), "-cert", "ca.pem", "-keyfile", "ca.key", "-in",
            f"{name}.csr", "-out", f"{name}.pem", "-extensions", "e", "-startdate", "20200101000000Z", "-enddate",
            time.strftime("%Y%m%d%H%M%SZ", until), folder=a.folder)


def test_a_session_does_not_outlive_its_certificate():
    a = Authority()
    life = 6 * (3 if SANITIZED else 1)
    issue_until(a, "brief", life)
    begun = time.monotonic()
    _, l = mutual(a, f"cert-sha256:{fingerprint(a, 'brief')} brief intent:*", shown="brief")
    s, c = Socket(l), l.connect()
    serves(s), serves(c)
    expect(time.monotonic() - begun < life - 1, "this machine is too slow for this test")
    hang_up(l.program)  # which looks up who is there, and must not forget until when
    logged(l.program, "loaded again: ")
    equal(s.receive()["type"], "manifest", "type")
    time.sleep(max(0.0, life + 1.2 - (time.monotonic() - begun)))
    refused(s.ask(good()), "auth_invalid", reason="expired")
    refused(c.ask(good()), "auth_invalid", reason="expired")
    equal(login(s, TOKEN)["type"], "authenticate_response", "a login")
    serves(s)
    try:
        l.connect().get(l.MANIFEST)
        raise Failure("a handshake with a certificate that has run out")
    except (ssl.SSLError, ConnectionError, Failure) as e:
        expect("run out" not in str(e), str(e))
    l.tls = None
    l.program.process.terminate()
    l.program.wait()


# ---- limits

def test_a_new_limit_of_messages_holds_on_every_transport_for_whoever_is_connected():
    folder = copy_of_fixture()
    session = Session("--listen", "127.0.0.1:0", "--open-demo", domain=folder)
    at = At(int(re.search(r"listening on \S+:(\d+)", session.program.log()).group(1)), session.program)
    c, s = Connection(at), Socket(None, connection=Connection(at))
    large = encode(good("large")).ljust(20 << 20)

    def sent_by_all():
        def last(receive):
            while (m := receive())["type"] in ("manifest", "progress"):
                pass
            return code_of(m) or m["type"]
        session.write(large + b"\n")
        s.write(frame(TEXT, large))
        said = [last(session.receive), last(s.receive)]
        try:
            said.append(last(lambda: c.post(large, at.intent_path).message))
        except (Failure, OSError):
            said.append("message_too_large")  # it did not wait for the body
        return said
    equal(sent_by_all(), ["message_too_large"] * 3, "with 16 MiB")
    text = (folder / "domain.yaml").read_text()
    (folder / "domain.yaml").write_text(text.replace("limits:\n", "limits:\n  max_message_bytes: 33554432\n"))
    hang_up(session.program)
    logged(session.program, "loaded again: ")
    c = Connection(at)
    equal(sent_by_all(), ["intent_response"] * 3, "with 32 MiB")
    session.program.process.terminate()
    session.program.process.wait(PATIENCE)


# ---- WebSockets

def test_a_websocket_gets_the_new_manifest_once_and_requests_keep_what_they_began_with():
    folder = copy_of_fixture()
    l = Listener("--open-demo", domain=folder)
    s = Socket(l)
    slow = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    size = busy_size(s.ask, 1.0)
    time.sleep(1.2)  # manifests come at most once a second
    s.send(invoke(slow, {"step_ms": 400}, id="chain"), intent("fx.slow", id="rules", params={"size": size}))
    time.sleep(0.2)
    rename_tool(folder, "fx_slow", "fx_sluggish")
    hang_up(l.program)
    answers, manifests = {}, 0
    while len(answers) < 2 or not manifests:
        m = s.receive()
        manifests += m["type"] == "manifest"
        if m["type"] not in ("progress", "manifest"):
            answers[m["id"]] = m
    equal(answers["chain"]["type"], "invoke_response", shown(answers["chain"]))
    equal(names(answers["rules"]), ["fx_slow"], "tools of the request that ran")
    equal(names(s.ask(intent("fx.slow", params={"size": 1}))), ["fx_sluggish"], "tools afterwards")
    refused(s.ask(invoke(slow, {"step_ms": 1})), "macro_expired")
    time.sleep(1.2)
    s.send(good("last"))
    equal((s.receive()["id"], manifests), ("last", 1), "manifests")  # P-MAN-30
    s.close()
    l.stop()


def test_a_websocket_through_a_drain():
    l = Listener("--open-demo")
    s, idle = Socket(l), Socket(l)
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    time.sleep(1.2)
    s.send(invoke(tool, {"step_ms": 700}, id="runs"))
    time.sleep(0.3)
    l.program.process.terminate()
    for one in (s, idle):
        while (m := one.receive())["type"] == "progress":
            pass
        equal((m["type"], m["payload"]["status"]), ("manifest", "draining"), "manifest")  # P-READY-8
    idle.send(good("late"), invoke(tool, {"step_ms": 1}, id="later"))
    for _ in range(2):
        not_ready(idle.receive(), "draining")  # P-READY-10
    while (m := s.receive())["type"] == "progress":
        pass
    equal((m["type"], m["id"]), ("invoke_response", "runs"), "what is owed")  # P-READY-9
    for one in (s, idle):
        one.closes(1001)  # D-59
    l.program.wait()


if __name__ == "__main__":
    run({name: value for name, value in globals().items() if getattr(value, "__module__", "") == "__main__"})

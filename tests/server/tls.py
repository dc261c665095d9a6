"""TLS: what is spoken, who is believed, and what is said when files are wrong. The clients are Python's
ssl, `openssl s_client` and curl."""
import ssl

from websocket import *

TOKEN = "token-of-everything"


def openssl(*words, folder):
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True)
    equal(done.returncode, 0, f"openssl {words[0]}: {done.stderr}")
    return done.stdout


class Authority:
    """A folder with ca.pem and certificates that it has signed."""

    def __init__(self):
        self.folder = pathlib.Path(scratch())
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                "ca.key", "-out", "ca.pem", "-subj", "/CN=Test authority", "-days", "30", folder=self.folder)

    def path(self, name):
        return str(self.folder / name)

    def issue(self, name, names="DNS:localhost,IP:127.0.0.1", key="ec", days=30, usage="serverAuth,clientAuth"):
        """NAME.pem and NAME.key."""
        kind = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else [key]
        openssl("req", "-newkey", *kind, "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj",
                f"/CN={name}", folder=self.folder)
        (self.folder / "ext").write_text(f"subjectAltName={names}\nextendedKeyUsage={usage}\n"
                                         "basicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-days", str(days), "-extfile", "ext", folder=self.folder)
        (self.folder / f"{name}.key").chmod(0o600)
        return ["--tls-certificate", self.path(f"{name}.pem"), "--tls-key", self.path(f"{name}.key")]

    def client(self, shown=None, trusts=True):
        context = ssl.create_default_context(cafile=self.path("ca.pem") if trusts else None)
        if shown:
            context.load_cert_chain(self.path(f"{shown}.pem"), self.path(f"{shown}.key"))
        return context


def s_client(listener, *options, say=""):
    words = ["openssl", "s_client", "-connect", f"127.0.0.1:{listener.port}", *options]
    done = subprocess.run(words, input=say.encode(), capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")


def curl(*words):
    done = subprocess.run(["curl", "--silent", "--show-error", "--max-time", str(PATIENCE), *words],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def manglecp(*words):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words], env=CHILD_ENV, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout + done.stderr


def serves(c):
    equal(names(c.ask(good())), ["fx_echo"], "a good request")


def refuses_to_start(*options):
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", *options), None,
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    program.wait(2)
    return program.log()


# ---- what is spoken

def test_tls_1_3_and_1_2_are_spoken_and_1_1_is_not():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server"), tls=a.client())
    for version, name in (("-tls1_3", "TLSv1.3"), ("-tls1_2", "TLSv1.2")):
        status, told = s_client(l, version, "-CAfile", a.path("ca.pem"), "-verify_return_error")
        equal(status, 0, f"openssl s_client {version}: {told}")  # P-TLS-1
        expect(f"New, {name}" in told, told)
    expect("New, TLSv1.3" in s_client(l)[1], "1.3 is not chosen")  # P-TLS-2
    status, told = s_client(l, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
    expect(status != 0 and "alert protocol version" in told, told)  # P-TLS-1
    expect("HTTP/1.1" not in told, told)
    l.stop()


def test_weak_ciphers_compression_and_renegotiation_are_not_there():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server", key="rsa:2048"), tls=a.client())
    for cipher in ("AES128-SHA", "AES256-GCM-SHA384", "ECDHE-RSA-AES128-SHA", "NULL-SHA256"):
        status, told = s_client(l, "-tls1_2", "-cipher", f"{cipher}:@SECLEVEL=0")
        expect(status != 0, f"{cipher} was accepted")
    told = s_client(l, "-tls1_2")[1]
    expect("Compression: NONE" in told, told)
    told = s_client(l, "-tls1_2", say="R\n")[1]  # R: renegotiate
    expect("RENEGOTIATING" in told and "no renegotiation" in told, told)
    l.stop()


def test_http_and_websocket_are_served_over_it_with_any_key():
    a = Authority()
    for key in ("ec", "rsa:3072"):  # a signature of the second takes longer than the loop may be held
        l = Listener("--open-demo", *a.issue("server", key=key), tls=a.client())
        serves(l.connect())  # P-TLS-6
        s = Socket(l)
        serves(s)
        s.send(*[good(f"p-{n}") for n in range(50)])
        equal(sorted(s.receive()["id"] for _ in range(50)), sorted(f"p-{n}" for n in range(50)), "ids")
        s.write(frame(TEXT, encode(good("large")).ljust(16777216)))
        equal(s.receive()["id"], "large", "id")
        s.close()
        l.stop()


def test_curl_is_served_and_believes_who_it_is():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server"), tls=a.client())
    url = f"https://localhost:{l.port}{l.MANIFEST}"
    status, told = curl("--cacert", a.path("ca.pem"), url)
    equal(status, 0, told)
    equal(json.loads(told)["type"], "manifest", "type")
    status, told = curl(url)
    equal(status, 60, f"status of a curl that does not know the authority: {told}")  # P-TLS-3
    status, told = curl("--cacert", a.path("ca.pem"), "--tls-max", "1.2", url)
    equal(status, 0, told)
    status, told = curl("--cacert", a.path("ca.pem"), "--http2", "-w", "%{http_version}", "-o", "/dev/null", url)
    equal((status, told), (0, "1.1"), "protocol that was agreed on")
    l.stop()


def test_who_speaks_http_is_told_to_speak_tls():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server"), tls=a.client())
    status, told = curl(f"http://localhost:{l.port}/", "-w", " %{http_code}")
    expect("https://" in told and told.endswith("400"), told)
    serves(l.connect())
    l.stop()


def test_loopback_may_go_without():
    l = Listener("--open-demo")
    serves(l.connect())  # P-TLS-5
    l.stop()


# ---- trying

def test_a_certificate_for_trying_is_made_and_can_be_recognised():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    l = Listener("--open-demo", "--tls-self-signed", tls=context)
    shown = hashlib.sha256(l.connect().socket.getpeercert(True)).hexdigest()
    expect(shown in l.program.log(), f"the fingerprint {shown} is not in:\n{l.program.log()}")
    pin = re.search(r"sha256//\S+", l.program.log()).group()
    url = f"https://localhost:{l.port}{l.MANIFEST}"
    equal(curl("-k", "--pinnedpubkey", pin, "-o", "/dev/null", url), (0, ""), "curl with what was printed")
    status, told = curl("-k", "--pinnedpubkey", "sha256//" + "A" * 43 + "=", url)
    equal(status, 90, told)
    expect(curl(url)[0] == 60, "curl trusts it without being told to")  # P-TLS-4
    text = ssl.DER_cert_to_PEM_cert(l.connect().socket.getpeercert(True))
    path = pathlib.Path(scratch()) / "trial.pem"
    path.write_text(text)
    for host in ("localhost", "127.0.0.1"):
        equal(curl("--cacert", str(path), "-o", "/dev/null", f"https://{host}:{l.port}{l.MANIFEST}"), (0, ""),
              f"curl to {host}")
    published = pathlib.Path(re.search(r"--cacert\) (\S+)", l.program.log()).group(1))
    equal(published.read_text(), text, "what was published")
    equal(published.stat().st_mode & 0o777, 0o644, "who may read it")
    serves(Socket(l))
    l.stop()
    expect(not published.exists(), f"{published} is left behind")


def test_a_certificate_for_trying_serves_without_its_file():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    l = Listener("--open-demo", "--tls-self-signed", tls=context, env={"TMPDIR": "/nowhere/at/all"})
    expect("a file in /nowhere/at/all could not be written: No such file" in l.program.log(), l.program.log())
    serves(Socket(l))
    l.stop()


# ---- refusing to start

def test_beyond_loopback_tls_and_credentials_are_needed():
    a = Authority()
    told = refuses_beyond("--open-demo")  # D-53
    expect("--tls-certificate" in told and "--behind-tls-proxy" in told, told)
    told = refuses_beyond(*a.issue("server"))
    expect("--auth" in told, told)  # P-AUTH-1


def refuses_beyond(*options):
    program = Program(command(FIXTURE, "--listen", "0.0.0.0:0", *options), None, stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE)
    program.wait(2)
    return program.log()


def test_beyond_loopback_it_starts_with_both():
    a = Authority()
    program = Program(command(FIXTURE, "--listen", "0.0.0.0:0", "--open-demo", *a.issue("server")), None,
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    expect(program.listening.wait(PATIENCE) and "https://0.0.0.0:" in program.log(), program.log())
    program.process.send_signal(signal.SIGTERM)
    program.wait()


def test_files_that_are_wrong_are_named_with_what_is_wrong():
    a = Authority()
    a.issue("server"), a.issue("other")
    path = a.path
    told = refuses_to_start("--tls-certificate", path("server.pem"), "--tls-key", path("other.key"))
    expect(f"error: {path('other.key')}: the key does not belong to the certificate in {path('server.pem')}\n" in told,
           told)
    told = refuses_to_start("--tls-certificate", path("server.key"), "--tls-key", path("none.key"),
                            "--tls-client-ca", path("ca.key"))
    expect("server.key: holds a private key but no certificate" in told, told)  # all in one answer
    expect("none.key: could not be opened" in told and told.endswith("\n"), told)
    equal(told.count("\nerror: ") + told.startswith("error: "), 3, f"lines that say error:\n{told}")
    expect("ca.key: holds a private key but no certificate" in told, told)
    openssl("ec", "-in", "server.key", "-aes128", "-passout", "pass:x", "-out", "locked.key", folder=a.folder)
    told = refuses_to_start("--tls-certificate", path("server.pem"), "--tls-key", path("locked.key"))
    expect("locked.key: the private key is encrypted" in told, told)
    told = refuses_to_start("--tls-certificate", path("server.pem"))
    expect("belong together" in told, told)
    told = refuses_to_start("--tls-self-signed", "--tls-key", path("server.key"), "--tls-client-optional")
    expect("takes no file" in told and "--tls-client-ca" in told, told)


def test_errors_and_warnings_of_a_reload_stand_on_lines_of_their_own():
    folder = pathlib.Path(scratch())
    for name in ("server", "other"):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                f"{name}.key", "-out", f"{name}.pem", "-days", "30", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", folder=folder)
        (folder / f"{name}.key").chmod(0o600)
    l = Listener("--tls-certificate", str(folder / "server.pem"), "--tls-key", str(folder / "server.key"),
                 env={"MANGLECP_TOKEN": TOKEN}, tls=ssl.create_default_context(cafile=str(folder / "server.pem")))
    (folder / "other.key").replace(folder / "server.key")
    status, told = manglecp("reload", f"https://localhost:{l.port}", "--token", TOKEN, "--ca", str(folder / "server.pem"))
    equal(status, 1, told)
    lines = told.splitlines()
    expect(f"error: {folder}/server.key: the key does not belong to the certificate in {folder}/server.pem" in lines, told)
    expect(any(line.startswith(f"{folder}/server.pem: certificate 1 is signed by itself") for line in lines), told)
    l.stop()


def test_a_key_that_everybody_can_read_is_warned_about():
    a = Authority()
    options = a.issue("server")
    os.chmod(a.path("server.key"), 0o644)
    l = Listener("--open-demo", *options, tls=a.client())
    expect("server.key: everybody on this machine can read the private key" in l.program.log(), l.program.log())
    l.stop()


# ---- clients that show a certificate

def fingerprint(a, name):
    der = ssl.PEM_cert_to_DER_cert(pathlib.Path(a.path(f"{name}.pem")).read_text())
    return hashlib.sha256(der).hexdigest()


def test_a_certificate_can_be_who_a_client_is():
    a = Authority()
    server = a.issue("server")
    a.issue("robot"), a.issue("unlisted")
    line = subprocess.run([str(BUILD / "bin/manglecp"), "token", "--certificate", a.path("robot.pem"),
                           "--identity", "robot", "--permissions", "intent:fx.echo"], capture_output=True,
                          text=True, env=CHILD_ENV)
    equal(line.stdout, f"cert-sha256:{fingerprint(a, 'robot')} robot intent:fx.echo\n", "the token file's line")
    options = ["--auth", token_file(line.stdout.strip(), token_line(TOKEN, "all", "intent:*")), *server,
               "--tls-client-ca", a.path("ca.pem")]
    l = Listener(*options, tls=a.client("robot"))
    c = l.connect()
    serves(c)  # no header at all
    refused(c.ask(intent("fx.rank")), "auth_insufficient")
    s = Socket(l)
    serves(s)
    refused(s.ask(intent("fx.rank")), "auth_insufficient")
    c = l.connect(TOKEN)  # a token says who it is, whatever the certificate says
    equal(c.post(intent("fx.rank")).status, 200, "status with a token")
    equal(l.connect("wrong").post(good()).status, 401, "status with a wrong token")
    l.tls = a.client("unlisted")
    told = refused(l.connect().ask(good()), "auth_required")
    expect("certificate that is listed" in told["message"], told["message"])
    equal(l.connect(TOKEN).post(good()).status, 200, "status with a token beside it")
    l.tls = a.client()
    try:
        l.connect(TOKEN).get(l.MANIFEST)
        raise Failure("a client without a certificate was served")
    except (ssl.SSLError, Failure, ConnectionError) as e:
        expect("was served" not in str(e), str(e))
    l.tls = a.client("robot")
    l.stop()


def test_the_trust_of_a_certificate_reaches_the_rules():
    a = Authority()
    server = a.issue("server")
    a.issue("robot"), a.issue("person")
    l = Listener("--auth", token_file(f"cert-sha256:{fingerprint(a, 'robot')} robot intent:* trust=automated",
                                      f"cert-sha256:{fingerprint(a, 'person')} person intent:*"), *server,
                 "--tls-client-ca", a.path("ca.pem"), tls=a.client("robot"), domain=fixture_with(
                     {"rules/policy/90_trust.mg":
                      'prohibited("fx_echo", "not for programs") :- client_trust_level("automated").\n'}))
    equal(names(l.connect().ask(good())), [], "a program by itself")
    l.tls = a.client("person")
    equal(names(l.connect().ask(good())), ["fx_echo"], "a person's")
    l.stop()


def test_reload_and_top_show_a_certificate():
    a = Authority()
    server = a.issue("server")
    a.issue("robot"), a.issue("guest")
    l = Listener("--auth", token_file(f"cert-sha256:{fingerprint(a, 'robot')} robot operator",
                                      f"cert-sha256:{fingerprint(a, 'guest')} guest intent:*"), *server,
                 "--tls-client-ca", a.path("ca.pem"), tls=a.client("robot"))
    url, ca = f"https://localhost:{l.port}", ("--ca", a.path("ca.pem"))

    def shown(name):
        return "--certificate", a.path(f"{name}.pem"), "--certificate-key", a.path(f"{name}.key")

    equal(manglecp("reload", url, *ca, *shown("robot")), (0, "loaded again\n"), "reload")
    status, told = manglecp("top", url, "--once", *ca, *shown("robot"))
    expect(status == 0 and told.startswith(f"server      {url}  ready"), told)
    status, told = manglecp("reload", url, *ca, *shown("guest"))
    expect(status == 2 and "permissions include operator" in told, told)
    for words in (("reload", url), ("top", url, "--once"), ("intent", url, "fx.echo")):
        status, told = manglecp(*words, *ca)
        expect(status == 2 and "hint: It asks who you are: --certificate FILE" in told, told)
    l.stop()


def test_a_client_is_told_what_to_do_about_what_tls_says():
    a = Authority()
    a.issue("other")
    l = Listener("--open-demo", *a.issue("server", names="DNS:localhost"), tls=a.client())
    plain = Listener("--open-demo")
    ca, url = ("--ca", a.path("ca.pem")), f"https://localhost:{l.port}"
    mixed = "--certificate", a.path("server.pem"), "--certificate-key", a.path("other.key")
    for words, hint in (((url,), "hint: --ca FILE says who vouches"),
                        ((url, "--ca", a.path("ca.key")), "hint: --ca names a file of certificates"),
                        ((f"https://127.0.0.1:{l.port}", *ca), "hint: Its certificate is for other names"),
                        ((f"https://127.0.0.1:{plain.port}", *ca), "hint: It may speak no TLS there"),
                        ((f"wss://127.0.0.1:{plain.port}", *ca), "hint: It may speak no TLS there"),
                        ((url, *ca, *mixed), "hint: --certificate-key names the key"),
                        ((f"http://localhost:{l.port}",), "status 400: This address speaks TLS: use https://"),
                        ((f"ws://localhost:{l.port}",), "hint: If it speaks TLS there, the address is wss://")):
        status, told = manglecp("manifest", *words)
        expect(status == 2 and hint in told, f"{words}: {told}")
    l.stop()
    plain.stop()


def test_the_certificate_may_be_optional():
    a = Authority()
    server = a.issue("server")
    a.issue("robot")
    stranger = Authority()
    stranger.issue("stranger")
    lines = [f"cert-sha256:{fingerprint(a, 'robot')} robot intent:*",
             f"cert-sha256:{fingerprint(stranger, 'stranger')} stranger intent:*"]
    l = Listener("--auth", token_file(*lines), *server, "--tls-client-ca", a.path("ca.pem"),
                 "--tls-client-optional", tls=a.client())
    refused(l.connect().ask(good()), "auth_required")
    l.tls = a.client("robot")
    serves(l.connect())
    bad = a.client()
    bad.load_cert_chain(stranger.path("stranger.pem"), stranger.path("stranger.key"))
    l.tls = bad  # listed, but signed by nobody that the server trusts
    try:
        l.connect().get(l.MANIFEST)
        raise Failure("a strange certificate was accepted")
    except (ssl.SSLError, Failure, ConnectionError) as e:
        expect("was accepted" not in str(e), str(e))
    l.tls = a.client("robot")
    l.stop()


def test_a_certificates_text_is_no_token():
    a = Authority()
    server = a.issue("server")
    a.issue("robot")
    print_of = fingerprint(a, "robot")
    l = Listener("--auth", token_file(f"cert-sha256:{print_of} robot intent:*"), *server, tls=a.client())
    for token in (print_of, f"cert-sha256:{print_of}", f"sha256:{print_of}"):
        refused(l.connect(token).ask(good()), "auth_invalid")
    l.stop()


# ---- bad input

def test_an_end_amid_handshakes_leaves_nothing():
    """Workers have them in hand while the sockets close."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for _ in range(4):
        l = Listener("--open-demo", "--tls-self-signed", tls=context)
        hellos = []
        for _ in range(60):
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            try:
                context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
            except ssl.SSLWantReadError:
                hellos.append(outgoing.read())
        clients = [socket.create_connection(("127.0.0.1", l.port), timeout=PATIENCE) for _ in hellos]
        for client, hello in zip(clients, hellos):
            client.sendall(hello)
        l.stop()
        for client in clients:
            client.close()


def test_clients_that_break_off_anywhere_cost_nothing():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server", key="rsa:3072"), tls=a.client())
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = a.client().wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = outgoing.read()
    for cut in list(range(0, len(hello), 61)) + [len(hello)]:
        with socket.create_connection(("127.0.0.1", l.port), timeout=PATIENCE) as c:
            c.sendall(hello[:cut])
    for garbage in (b"\x16\x03\x01\xff\xff" + b"x" * 70000, b"\x80\x2e\x01\x03\x01", b"\x00" * 100):
        with socket.create_connection(("127.0.0.1", l.port), timeout=PATIENCE) as c:
            try:
                c.sendall(garbage)
                while c.recv(4096):
                    pass
            except ConnectionError:
                pass
    serves(l.connect())
    l.stop()


def test_many_handshakes_at_once_hold_nobody_up():
    a = Authority()
    l = Listener("--open-demo", *a.issue("server", key="rsa:4096"), tls=a.client())
    held = l.connect()
    stop, done = threading.Event(), []

    def knock():
        while not stop.is_set():
            l.connect().close()
            done.append(1)
    knockers = [threading.Thread(target=knock) for _ in range(4)]
    for k in knockers:
        k.start()
    slowest = 0
    for _ in range(20):
        begun = time.monotonic()
        equal(held.get(l.MANIFEST).status, 200, "status")
        slowest = max(slowest, time.monotonic() - begun)
    stop.set()
    for k in knockers:
        k.join(PATIENCE)
    expect(len(done) >= 4, "nobody came in")
    expect(slowest < (5 if SANITIZED else 1), f"a manifest took {slowest:.2f} s beside {len(done)} handshakes")
    l.stop()


if __name__ == "__main__":
    run(globals())

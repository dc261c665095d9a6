"""Our client against our server, over every connection there is: that what a scripted server hears (see
tests/client/) and what the real one says fit together."""
import select

from blackbox import *
from tls import Authority

TOKEN = "token-of-the-remote-client"
KEY = base64url(CONFIRM_KEY)
BASIC_FACT = ["--fact", json.dumps(BASIC)]


def manglecp(*words, env=None, status=0):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words], env={**CHILD_ENV, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, text=True)
    equal(done.returncode, status, f"exit status of {words}:\n{done.stdout}\n{done.stderr}\n")
    return done


def listener(*options, tls=None):
    line = token_line(TOKEN, "remote", "intent:*", confirm_key=KEY)
    return Listener("--auth", token_file(line), *options, tls=tls)


def converses(address, *more):
    """Both dolls, with the token."""
    words = ["--token", TOKEN, *more]
    out = manglecp("invoke", address, "fx_echo", "--intent", "fx.echo", *BASIC_FACT, "--arg", "label=9", "--json",
                   *words).stdout
    answer = check_message(decode(out.encode()))
    equal(answer["payload"]["result"], {"label": "9", "count": 1}, "result")


def test_over_every_connection():
    l = listener()
    url = f"http://127.0.0.1:{l.port}"
    converses(url)
    converses(url, "--websocket")
    converses(url.replace("http", "ws"))
    l.stop()
    a = Authority()
    l = listener(*a.issue("server"), tls=a.client())
    for address in (f"https://localhost:{l.port}", f"wss://localhost:{l.port}"):
        converses(address, "--ca", a.path("ca.pem"))
        manglecp("manifest", address, status=2)  # nobody vouches for it
    converses(f"https://127.0.0.1:{l.port}", "--ca", a.path("ca.pem"), "--websocket")
    l.stop()


def test_a_certificate_says_who_the_client_is():
    a = Authority()
    a.issue("me")
    l = Listener("--open-demo", *a.issue("server"), "--tls-client-ca", a.path("ca.pem"), tls=a.client("server"))
    here = ["--ca", a.path("ca.pem")]
    me = ["--certificate", a.path("me.pem"), "--certificate-key", a.path("me.key")]
    for address in (f"https://localhost:{l.port}", f"wss://localhost:{l.port}"):
        manglecp("manifest", address, *here, status=2)
        manglecp("manifest", address, *here, *me)
    l.stop()


def test_the_user_is_asked_once_and_the_key_signs():
    path, options = journal()
    l = listener(*options)
    for address in (f"http://127.0.0.1:{l.port}", f"ws://127.0.0.1:{l.port}"):
        words = ["invoke", address, "fx_danger", "--intent", "fx.danger", "--arg", f"target={address[:4]}", "--token",
                 TOKEN, "--confirm-key", KEY]
        status, said = at_terminal("n", *words)
        equal((status, said.count("[y/N]")), (1, 1), said)
        status, said = at_terminal("y", *words)
        equal((status, said.count("[y/N]")), (0, 1), said)
    equal(path.read_text().split(), ["http", "ws:/"], "what was destroyed")
    # Shown in part, it is shown in full before anybody is asked.
    status, said = at_terminal("n", "invoke", f"http://127.0.0.1:{l.port}", "fx_danger", "--intent", "fx.danger",
                               "--disclosure", "minimal", "--arg", "target=x", "--token", TOKEN)
    equal((status, said.count("[y/N]")), (1, 1), said)
    expect("destructive" in said, said)
    manglecp(*words, status=1)  # a pipe gives no consent
    equal(len(path.read_text().split()), 2, "runs")
    l.stop()


def made_credentials():
    """A token and a confirmation key as the command makes them: both, and a file that holds their line."""
    done = manglecp("token", "--new", "--confirm-key", "--identity", "ann")
    secret = {name: re.search(f"^{name}: (.+)$", done.stderr, re.M).group(1) for name in ("token", "confirmation key")}
    expect(secret["token"] not in done.stdout, "the line holds the token")
    return secret["token"], secret["confirmation key"], token_file(done.stdout.strip())


def test_a_key_that_the_command_makes_confirms_over_every_connection():
    path, options = journal()
    token, key, file = made_credentials()
    l = Listener("--auth", file, *options)
    url, targets = f"http://127.0.0.1:{l.port}", {}
    targets["http"] = ([url], [])
    targets["ws"] = ([url.replace("http", "ws")], [])
    targets["websocket"] = ([url, "--websocket"], [])
    targets["stdio"] = ([], ["--", *command(FIXTURE, "--stdio", "--auth", file, *options)])
    done = []
    for name, (target, end) in targets.items():
        words = ["invoke", *target, "fx_danger", "--intent", "fx.danger", "--arg", f"target={name}", "--token", token,
                 "--yes"]
        said = manglecp(*words, "--confirm-key", base64url(CONFIRM_KEY), *end, status=1)  # P-CONF-1
        expect("confirmation_invalid" in said.stderr, said.stderr)
        if target:  # a server that the client itself has started takes the word of its user: consent.py
            said = manglecp(*words, *end, status=1)
            expect("manglecp token --confirm-key makes one" in said.stderr, said.stderr)
        equal(path.read_text().split(), done, f"runs before {name}")
        manglecp(*words, "--confirm-key", key, *end)  # P-CONF-2
        done.append(name)
        equal(path.read_text().split(), done, f"runs after {name}")
        manglecp(*words, *end, env={"MANGLECP_CONFIRM_KEY": key})
        done.append(name)
        equal(path.read_text().split(), done, f"runs after {name}, with the key in the environment")
    l.stop()


def test_the_confirmation_key_is_not_handed_to_a_server_that_is_started():
    child = [sys.executable, "-c", "import os, sys; sys.stderr.write('KEY=%s\\n' % os.environ.get("
             "'MANGLECP_CONFIRM_KEY'))"]
    done = manglecp("invoke", "x", "--intent", "i", "--", *child, env={"MANGLECP_CONFIRM_KEY": KEY}, status=2)
    expect("KEY=None" in done.stderr, done.stderr)


def test_without_the_token_nothing_is_asked_for():
    l = listener()
    for address in (f"http://127.0.0.1:{l.port}", f"ws://127.0.0.1:{l.port}"):
        done = manglecp("intent", address, "fx.rank", status=2)
        expect("wants a bearer token" in done.stderr, done.stderr)
        done = manglecp("intent", address, "fx.rank", "--token", "wrong", status=1)
        expect("auth_invalid" in done.stderr, done.stderr)
    l.stop()


def test_an_interrupted_tool_is_cancelled():
    l = listener()
    words = ["invoke", f"ws://127.0.0.1:{l.port}", "fx_slow", "--intent", "fx.slow", "--param", "size=1", "--arg",
             "step_ms=30000", "--token", TOKEN]
    child = subprocess.Popen([str(BUILD / "bin/manglecp"), *words], env=CHILD_ENV, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3 if SANITIZED else 1.5)
    child.send_signal(signal.SIGINT)  # P-CONC-5
    out, err = child.communicate(timeout=PATIENCE)
    equal(child.returncode, 1, out + err)
    expect("cancelled" in err, err)
    l.stop()


def test_what_a_walk_learns_goes_along():
    l = listener()
    for address in (f"http://127.0.0.1:{l.port}", f"ws://127.0.0.1:{l.port}"):
        out = manglecp("walk", address, "--intent", "fx.mark", "--arg", "label=door", "--token", TOKEN).stdout
        expect("client sends 2 facts and label=door" in out, out)  # the delta's, and the continuation fact
    l.stop()


class Forgetful:
    """Stands between and loses the first answer to an invocation, after the server gave it."""

    def __init__(self, port):
        self.port, self.lost = port, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        server = socket.create_connection(("127.0.0.1", self.port))
        with client, server:
            while True:
                ready = select.select([client, server], [], [], PATIENCE)[0]
                for source in ready:
                    chunk = source.recv(1 << 20)
                    if not chunk:
                        return
                    if source is server and b'"type":"invoke_response"' in chunk and not self.lost:
                        self.lost += 1
                        return
                    (server if source is client else client).sendall(chunk)


def test_a_lost_answer_is_asked_for_and_nothing_runs_twice():
    path, options = journal()
    l = listener(*options)
    between = Forgetful(l.port)
    done = manglecp("invoke", between.url, "fx_danger", "--intent", "fx.danger", "--arg", "target=once", "--token",
                    TOKEN, "--confirm-key", KEY, "--yes", status=4)
    equal((between.lost, path.read_text().split()), (1, ["once"]), "answers lost, and runs")
    command_line = next(line for line in done.stderr.splitlines() if "--resume" in line)
    expect(TOKEN not in command_line, "the token stands in a command")
    answer = manglecp(*command_line.split()[1:], "--token", TOKEN)
    expect("nothing ran again" in answer.stdout, answer.stdout)
    equal(path.read_text().split(), ["once"], "runs")
    never = [w if w != command_line.split()[-1] else "never-made" for w in command_line.split()[1:]]
    expect("key_unknown" in manglecp(*never, "--json", "--token", TOKEN, status=1).stdout, "a key that never was")
    equal(path.read_text().split(), ["once"], "runs")
    # With other arguments the key is refused, and nothing runs either.
    other = [w.replace("target=once", "target=other") for w in command_line.split()[1:]]
    expect("malformed_message" in manglecp(*other, "--token", TOKEN, status=1).stderr, "another target")
    equal(path.read_text().split(), ["once"], "runs")
    between.socket.close()
    l.stop()


def test_the_same_key_runs_once_over_any_connection():
    path, options = journal()
    l = listener(*options)
    for address in (f"http://127.0.0.1:{l.port}", f"ws://127.0.0.1:{l.port}"):
        manglecp("invoke", address, "fx_danger", "--intent", "fx.danger", "--arg", "target=same", "--token", TOKEN,
                 "--confirm-key", KEY, "--yes", "--idempotency-key", "order:17")
    equal(path.read_text().split(), ["same"], "runs")
    l.stop()


def test_effects_that_cannot_be_told_in_full_are_said_to_be():
    l = listener()
    words = ["invoke", f"http://127.0.0.1:{l.port}", "fx_after", "--intent", "fx.after", "--token", TOKEN]
    expect("not complete" not in manglecp(*words, "--arg", "by=3").stdout, "these are")
    out = manglecp(*words, "--arg", "by=0").stdout
    expect("the effects are not complete" in out and "warning" in out, out)
    l.stop()


run(globals())

"""A person logs in with a browser, and the commands use, renew and forget what the issuer gave."""
import socket
import urllib.parse

from authorization import *
from blackbox import BASIC, FIXTURE, Program, at_terminal, command, equal, run
from issuer import client_file
from tls import Authority

ECHO = ["fx.echo", "--fact", json.dumps(BASIC)]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


class Served:
    """`manglecp serve` for which `issuer` gives tokens: JSON Web Tokens, or opaque ones."""

    def __init__(self, issuer, *options, **settings):
        place = f"127.0.0.1:{free_port()}"
        self.url = ("https://" if "--tls-certificate" in options else "http://") + place
        said = {"issuer": issuer.issuer, "resource": self.url + "/manglecp", "token_url": issuer.origin + "/token"}
        if issuer.key:
            said["keys_url"] = issuer.origin + "/keys"
        else:
            said |= {"introspection": issuer.origin + "/introspect", "client": client_file(), "remember": "1s"}
        said |= settings
        path = pathlib.Path(scratch()) / "serve.yaml"
        path.write_text("oauth:\n" + "".join(f"  {k}: {json.dumps(v)}\n" for k, v in said.items()))
        self.program = Program(command(FIXTURE, "--config", str(path), "--listen", place, *options),
                               None, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        expect(self.program.listening.wait(PATIENCE), "the server does not start")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.program.process.terminate()
        if not kind:
            self.program.wait()


def asks(home, url, *words):
    return manglecp(home, "intent", url, *ECHO, *words)


def works(home, url, *words):
    ended(asks(home, url, *words), 0, "fx_echo")


def logged_in(issuer, served):
    home = new_home()
    ended(log_in(home, served.url), 0, "logged in to")
    return home


def file_of(home):
    return home / "manglecp/credentials.json"


def change_file(home, change):
    """Change the entries of the file, as time would."""
    said = json.loads(file_of(home).read_text())
    for login in said["logins"]:
        change(login)
    file_of(home).write_text(json.dumps(said))


def let_it_end(home):
    change_file(home, lambda login: login.update(ends=int(time.time()) - 1))


def revoke(issuer):
    """The server remembers for a second."""
    issuer.tokens.clear()
    time.sleep(1.2)


# ---- logging in -----------------------------------------------------------------------------------

def test_a_person_logs_in_and_every_command_uses_it():  # P-AUTH-16
    with AuthorizationServer(key=Key()) as issuer, Served(issuer) as served:
        home = new_home()
        ran = ended(asks(home, served.url), 2, "the server wants a bearer token, and there is none",
                    f"Log in with: manglecp login {served.url}")
        expect("token or" in ran.stderr, ran.stderr)
        ran = ended(log_in(home, served.url), 0, f"logged in to {served.url}/manglecp by {issuer.issuer}\n")
        asked, exchanged = issuer.forms
        for form in asked, exchanged:
            equal(form["resource"], served.url + "/manglecp", "resource")
            expect(form["redirect_uri"].startswith("http://127.0.0.1:"), form["redirect_uri"])
        equal((exchanged["grant_type"], len(exchanged["code_verifier"])), ("authorization_code", 43), "exchange")
        equal(issuer.clients["made"]["redirect_uris"], [asked["redirect_uri"]], "registration")
        equal(file_of(home).stat().st_mode & 0o7777, 0o600, "mode of the file")
        equal(file_of(home).parent.stat().st_mode & 0o7777, 0o700, "mode of its folder")
        for token in issuer.tokens:
            expect(token not in ran.stdout + ran.stderr + served.program.log(), "a token was shown")
        websocket = served.url.replace("http", "ws") + "/manglecp/ws"
        works(home, served.url)
        works(home, served.url, "--websocket")
        works(home, websocket)
        ended(manglecp(home, "invoke", served.url, "fx_echo", "--intent", *ECHO, "--arg", "label=x"), 0, "x")
        ended(manglecp(home, "reload", served.url), 0)
        ended(manglecp(home, "top", served.url), 0)
        status, said = at_terminal("y", "confirm", served.url, "nothing", env=environment(home))
        equal(status, 1, f"it is somebody, who may not confirm: {said}")
        expect("confirm" in said and "auth_required" not in said, said)
        equal(len(issuer.tokens), 1, "tokens: one for all of it")
        ended(manglecp(home, "intent", served.url, *ECHO, token="another"), 1, "auth_invalid")  # what is said counts
        ended(manglecp(home, "logout", served.url), 0, "logged out")
        ended(manglecp(home, "logout", served.url), 1, "no login")
        ended(asks(home, served.url), 2, "manglecp login")


def test_a_websocket_is_logged_in_to_by_its_address():
    with AuthorizationServer(key=Key()) as issuer, Served(issuer) as served:
        home = new_home()
        websocket = served.url.replace("http", "ws")
        ended(log_in(home, websocket), 0, "logged in")
        works(home, websocket)
        works(home, websocket + "/manglecp/ws")
        ended(asks(home, served.url), 2, "manglecp login")  # another address, which nobody has logged in to


def test_somebody_vouches_for_the_server_and_for_the_issuer():
    one, other = Authority(), Authority()
    ca = ["--ca", one.path("ca.pem")]
    with AuthorizationServer(key=Key(), tls=one) as issuer, \
            Served(issuer, *one.issue("server"), ca=one.path("ca.pem")) as served:
        home = new_home()
        ended(log_in(home, served.url), 2, "certificate", "--ca FILE")
        ended(log_in(home, served.url, "--ca", other.path("ca.pem")), 2, "certificate")
        ended(log_in(home, served.url, *ca), 0, "logged in")
        works(home, served.url, *ca)
        works(home, served.url.replace("https", "wss") + "/manglecp/ws", *ca)
        let_it_end(home)
        works(home, served.url, *ca)
        equal(len(issuer.refreshes), 1, "refreshes")
    with AuthorizationServer(key=Key(), tls=other) as issuer, Served(issuer, *one.issue("server"),
                                                                     ca=other.path("ca.pem")) as served:
        ended(log_in(home, served.url, *ca), 2, issuer.issuer, "certificate")  # nobody vouches for the issuer


def test_where_the_metadata_is():
    for path, place in (("", "/.well-known/openid-configuration"), ("/a", "/.well-known/openid-configuration/a"),
                        ("/a", "/.well-known/oauth-authorization-server/a"),
                        ("/a", "/a/.well-known/openid-configuration")):
        with AuthorizationServer(path) as issuer:
            issuer.places = [place]
            ended(log_in(new_home(), issuer.target), 0, "logged in")
            expect(place in issuer.asked, f"{issuer.asked}")


def test_a_server_may_ask_for_a_token_before_it_shows_its_manifest():
    with AuthorizationServer() as issuer:
        issuer.resource_metadata["resource"] = issuer.origin
        issuer.answers[fake.WELL_KNOWN] = Reply(401, WWW_Authenticate=f'Negotiate, {issuer.challenge}')
        ended(log_in(new_home(), issuer.target), 0, "logged in")


def test_a_client_that_is_known_does_not_register():
    with AuthorizationServer() as issuer:
        del issuer.metadata["registration_endpoint"]
        home = new_home()
        ended(log_in(home, issuer.target, "--client-id", "known", "--scope", "intent:fx.echo"), 0, "logged in")
        expect("/register" not in issuer.asked, f"{issuer.asked}")
        equal([(f.get("client_id"), f.get("scope")) for f in issuer.forms],
              [("known", "intent:fx.echo"), ("known", None)], "forms")
        equal(stored(home)[0]["client_id"], "known", "the file")


def test_two_attempts_share_no_secret():
    with AuthorizationServer() as issuer:
        home = new_home()
        for _ in range(2):
            ended(log_in(home, issuer.target), 0, "logged in")
        first, second = issuer.forms[0], issuer.forms[2]
        for name in "state", "code_challenge":
            expect(first[name] != second[name] and len(first[name]) == 43, f"{name}: {first[name]}")
        equal(len(stored(home)), 1, "logins: the second took the place of the first")


def test_a_browser_is_opened_if_it_is_asked_for():
    with AuthorizationServer() as issuer:
        home, folder = new_home(), pathlib.Path(scratch())
        (folder / "xdg-open").write_text(f'#!/bin/sh\nprintf "%s\\n" "$#" "$1" > {folder}/asked\n'
                                         f'exec curl --noproxy \'*\' -sL -o /dev/null "$1"\n')
        (folder / "xdg-open").chmod(0o755)
        ran = subprocess.run([str(BUILD / "bin/manglecp"), "login", issuer.target, "--browser"],
                             env=environment(home) | {"PATH": f"{folder}:{os.environ['PATH']}"},
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        ended(ran, 0, "logged in")
        count, address = (folder / "asked").read_text().split()
        equal(count, "1", "words")
        expect(address.startswith(issuer.origin + "/authorize?"), address)


# ---- renewing -------------------------------------------------------------------------------------

def test_a_token_is_renewed_when_its_time_is_over():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        for n in range(3):  # each refresh token has one use
            let_it_end(home)
            works(home, served.url, *(["--websocket"] if n == 1 else []))
            equal(len(issuer.refreshes), n + 1, "refreshes")
            works(home, served.url)
        equal([r["resource"] for r in issuer.refreshes], [served.url + "/manglecp"] * 3, "resource")
        expect(stored(home)[0]["refresh_token"] in issuer.refresh_tokens, "the newest is kept")


def test_a_token_that_the_server_refuses_is_renewed_once():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        for n, words in enumerate(([], ["--websocket"])):
            revoke(issuer)
            works(home, served.url, *words)
            equal(len(issuer.refreshes), n + 1, "refreshes")
        revoke(issuer)
        ended(manglecp(home, "invoke", served.url, "fx_echo", "--intent", *ECHO, "--arg", "label=x"), 0, "x")
        revoke(issuer)
        ended(manglecp(home, "reload", served.url), 0)
        equal(len(issuer.refreshes), 4, "refreshes")
        issuer.introspect = lambda *_: Reply(body={"active": False})  # whatever it is given
        time.sleep(1.2)
        ended(asks(home, served.url), 1, "auth_invalid", "manglecp login")
        equal(len(issuer.refreshes), 5, "refreshes: one, and no more")


def test_a_session_goes_on_with_a_new_token():
    """Its token ends while a person thinks: what they agreed to is judged by the new one."""
    with AuthorizationServer(key=Key(), lasts=3) as issuer, Served(issuer, skew="0s") as served:
        home = logged_in(issuer, served)

        def think():
            time.sleep(4)
            issuer.lasts = 600
            return "y"

        for n, words in enumerate(([], ["--websocket"])):
            issuer.lasts = 3
            let_it_end(home)
            works(home, served.url)
            change_file(home, lambda login: login.update(ends=int(time.time()) + 600))  # a clock that is wrong
            status, said = at_terminal(think, "invoke", served.url, "fx_danger", "--intent", "fx.danger", "--arg",
                                       "target=x", *words, env=environment(home))
            equal((status, len(issuer.refreshes)), (1, 2 * n + 2), said)
            expect("confirmation_required" in said and "auth_invalid" not in said, said)


def test_programs_that_renew_at_once_ask_the_issuer_once():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        let_it_end(home)
        issuer.slow = 1
        words = [str(BUILD / "bin/manglecp"), "intent", served.url, *ECHO]
        crowd = [subprocess.Popen(words, env=environment(home), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True) for _ in range(6)]
        for program in crowd:
            out, _ = program.communicate(timeout=PATIENCE)
            equal(program.returncode, 0, out)
        equal(len(issuer.refreshes), 1, "refreshes")
        expect(stored(home)[0]["refresh_token"] in issuer.refresh_tokens, "the newest is kept")


def test_a_login_that_has_ended_is_told_and_forgotten():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        let_it_end(home)
        issuer.refresh_tokens.clear()
        ended(asks(home, served.url), 2, f"the login for {served.url}", "has ended", "invalid_grant (it is over)",
              f"Log in with: manglecp login {served.url}")
        equal(stored(home), [], "logins")
        ended(asks(home, served.url), 2, "there is none", f"manglecp login {served.url}")
        ended(log_in(home, served.url), 0, "logged in")
        works(home, served.url)
        issuer.refresh_tokens.clear()
        revoke(issuer)
        ended(asks(home, served.url), 2, "has ended", f"manglecp login {served.url}")


def test_a_login_without_a_refresh_token_ends():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        change_file(home, lambda login: login.pop("refresh_token"))
        works(home, served.url)
        let_it_end(home)
        ended(asks(home, served.url), 2, "cannot be renewed", "manglecp login")
        equal(stored(home), [], "logins")


def test_an_issuer_in_trouble_ends_no_login():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        let_it_end(home)
        before = file_of(home).read_text()
        for reply in (Reply(500), Reply(503, b"<p>"), Reply(302, Location="/x"), Reply(body=b"x" * 300_000),
                      Reply(body={"access_token": "a", "token_type": "mac"}), Reply(400, {"error": "slow_down"})):
            issuer.answers["/token"] = reply
            ended(asks(home, served.url), 2, "could not be renewed")
            equal(file_of(home).read_text(), before, "the file")
        del issuer.answers["/token"]
        works(home, served.url)


# ---- the file -------------------------------------------------------------------------------------

def test_a_file_that_others_may_read_is_not_used():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        file = file_of(home)
        for mode in (0o644, 0o640, 0o606, 0o602, 0o620):
            file.chmod(mode)
            for words in (("intent", served.url, *ECHO), ("logout", served.url), ("login", served.url),
                          ("reload", served.url)):
                ended(manglecp(home, *words), 1 if words[0] == "login" else 2, "others may read or write it", "600")
        file.chmod(0o600)
        works(home, served.url)


def test_what_is_no_file_of_logins_is_not_used():
    home = new_home()
    file = file_of(home)
    file.parent.mkdir(parents=True)
    target = pathlib.Path(scratch()) / "other.json"
    target.write_text('{"version": 1, "logins": []}')
    target.chmod(0o600)

    def with_text(text):
        def make():
            file.write_text(text)
            file.chmod(0o600)
        return make

    entry = {"target": "https://a", "resource": "https://a", "issuer": "https://i", "token_endpoint": "https://i/t",
             "client_id": "c", "access_token": "t"}
    for make, text in (
            (lambda: file.symlink_to(target), "it is a link"), (lambda: os.mkfifo(file, 0o600), "no regular file"),
            (lambda: file.mkdir(mode=0o700), "no regular file"), (with_text("{"), "it is no JSON"),
            (with_text("[]"), "no file of logins"), (with_text('{"version": 2, "logins": []}'), "no file of logins"),
            (with_text('{"version": 1, "logins": [1]}'), "is no JSON object"),
            (with_text(json.dumps({"version": 1, "logins": [{**entry, "access_token": "a\nb"}]})), "access_token"),
            (with_text(json.dumps({"version": 1, "logins": [{**entry, "token_endpoint": "http://a/t"}]})),
             "token_endpoint"),
            (with_text(json.dumps({"version": 1, "logins": [entry] * 257})), "no file of logins"),
            (with_text(" " * 9_000_000), "it is too large")):
        make()
        ended(manglecp(home, "intent", "http://127.0.0.1:1", "x"), 2, "credentials.json", text)
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink()


def test_a_folder_that_cannot_be_written_is_told():
    with AuthorizationServer() as issuer:
        place = pathlib.Path(scratch()) / "file"
        place.write_text("")
        ended(log_in(new_home(), issuer.target, "--credentials", str(place / "x")), 1, "x.lock")


def test_a_lock_that_is_held_is_not_waited_for_without_end():
    with AuthorizationServer() as issuer:
        home = new_home()
        ended(log_in(home, issuer.target), 0)
        with subprocess.Popen(["flock", str(file_of(home)) + ".lock", "sleep", "60"]) as holder:
            time.sleep(0.5)
            began = time.monotonic()
            ended(manglecp(home, "logout", issuer.target), 2, "another program holds it")
            expect(time.monotonic() - began < 20, "10 s are enough")
            holder.terminate()


def test_a_program_that_is_killed_leaves_a_whole_file():
    with AuthorizationServer() as issuer, Served(issuer) as served:
        home = logged_in(issuer, served)
        words = [str(BUILD / "bin/manglecp"), "intent", served.url, *ECHO]
        for n in range(20):
            if not stored(home):  # whoever was killed had used the refresh token
                ended(log_in(home, served.url), 0)
            let_it_end(home)
            crowd = [subprocess.Popen(words, env=environment(home), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
            time.sleep(0.02 * n)
            for program in crowd:
                program.kill()
                program.wait()
            equal(file_of(home).stat().st_mode & 0o7777, 0o600, "mode")
            expect(len(stored(home)) <= 1, "logins")
        ended(log_in(home, served.url), 0)
        works(home, served.url)
        equal(sorted(p.name for p in file_of(home).parent.iterdir()),
              ["credentials.json", "credentials.json.lock"], "files")


def test_a_token_goes_where_it_belongs():
    """Of two servers on one host each gets its own."""
    with AuthorizationServer() as issuer, Served(issuer) as one, Served(issuer) as two:
        home = new_home()
        ended(log_in(home, one.url), 0)
        ended(asks(home, two.url), 2, f"manglecp login {two.url}")
        ended(log_in(home, two.url), 0)
        equal([login["resource"] for login in stored(home)], [s.url + "/manglecp" for s in (two, one)], "logins")
        works(home, one.url)
        works(home, two.url)
        ended(manglecp(home, "logout", one.url), 0)
        works(home, two.url)
        ended(asks(home, one.url), 2, "manglecp login")


run(globals())

"""What a login does not believe: a table of servers, issuers and browsers, each wrong in one way. Nothing is
stored after any of them."""
import re
import socket
import urllib.parse

from authorization import *
from blackbox import equal, run

ELSEWHERE = "https://elsewhere.example"


def refused(change, text, status=1, words=(), target=None):
    """One row: the script is changed, the program is run, and says `text`."""
    home = new_home()
    with AuthorizationServer() as script:
        change(script)
        ran = log_in(home, target or script.target, "--timeout-s", "2", *words)
        ended(ran, status, text)
        expect(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ran.stderr), f"a terminal obeys {ran.stderr!r}")
        equal(stored(home), [], "what is stored")
        equal(list(home.rglob("*.new")), [], "files left behind")


def setting(name, value):
    """One member of the issuer's metadata; None takes it away."""
    def change(script):
        script.metadata[name] = value
        if value is None:
            del script.metadata[name]
    return change


def resource(**members):
    return lambda script: script.resource_metadata.update(members)


def challenge(text):
    def change(script):
        script.challenge = text
    return change


def answering(path, reply):
    return lambda script: script.answers.update({path: reply})


def redirecting(**members):
    """What the redirect says; None takes a member away."""
    def change(script):
        script.redirected = lambda back: {k: v for k, v in {**back, **members}.items() if v is not None}
    return change


def tokens(**members):
    """What the token endpoint answers."""
    good = {"access_token": "a", "token_type": "Bearer", "expires_in": 5} | members
    return answering("/token", Reply(body={k: v for k, v in good.items() if v is not None}))


def leading(endpoint):
    """Where the manifest says that intents go."""
    def change(script):
        script.manifest = lambda: fake.manifest(auth={"required": True, "schemes": ["oauth2"]},
                                                endpoints__intent_eval=endpoint)
    return change


def auth_of_manifest(**auth):
    def change(script):
        script.manifest = lambda: fake.manifest(auth=auth)
    return change


PLACE = "/.well-known/oauth-authorization-server"
LARGE = Reply(body=b"[" + b" " * 300_000)
MOVED = Reply(302, Location="/elsewhere")

ROWS = {
    "server: it asks nobody who they are": (auth_of_manifest(required=False, schemes=[]), "nothing to log in to"),
    "server: it answers 403": (answering("/server/evaluate", Reply(403)), "status 403"),
    "server: it moves away": (answering(fake.WELL_KNOWN, MOVED), "status 302", 2),
    "server: it leads elsewhere": (leading(ELSEWHERE + "/\u009b2J\u202e"), "is elsewhere"),
    "server: it leads to a file": (leading("file:///etc/passwd"), "no http"),
    "server: its manifest is none": (answering(fake.WELL_KNOWN, Reply(body=b"{}")), "error"),
    "challenge: none": (answering("/server/evaluate", Reply(401)), "no resource_metadata"),
    "challenge: of another scheme": (challenge('Basic realm="x", resource_metadata="/metadata"'),
                                     "no resource_metadata"),
    "challenge: broken": (challenge('Bearer resource_metadata="http://'), "cannot be read"),
    "challenge: twice": (challenge('Bearer scope=a, scope=b, resource_metadata="/metadata"'), "cannot be read"),
    "challenge: leads elsewhere": (challenge(f'Bearer resource_metadata="{ELSEWHERE}/m"'), "is elsewhere"),
    "challenge: leads to a file": (challenge('Bearer resource_metadata="file:///etc/passwd"'), "no http"),
    "resource: of another host": (resource(resource=ELSEWHERE), "and not of"),
    "resource: of another path": (lambda s: resource(resource=s.origin + "/serve")(s), "and not of"),
    "resource: none": (resource(resource=None), "has no resource"),
    "resource: no issuer": (resource(authorization_servers=[]), "names no authorization_servers"),
    "resource: moved": (answering("/metadata", MOVED), "status 302"),
    "resource: too large": (answering("/metadata", LARGE), "too large"),
    "resource: no JSON": (answering("/metadata", Reply(body=b"<p>")), "no JSON"),
    "issuer: without TLS": (resource(authorization_servers=["http://issuer.example"]), "must begin with https://"),
    "issuer: a user in its address": (resource(authorization_servers=["http://127.0.0.1:1@issuer.example"]),
                                      "must begin with https://"),
    "issuer: a query": (resource(authorization_servers=["https://issuer.example?x"]), "has a query"),
    "issuer: nowhere": (lambda s: s.places.clear(), "metadata is nowhere (status 404)"),
    "issuer: moved": (answering(PLACE, MOVED), "metadata is nowhere"),
    "issuer: another one": (setting("issuer", "https://issuer.example"), "names another one"),
    "issuer: a slash too many": (lambda s: setting("issuer", s.issuer + "/")(s), "names another one"),
    "issuer: too large": (answering(PLACE, LARGE), "too large"),
    "issuer: deep": (answering(PLACE, Reply(body=b"[" * 5000)), "no JSON"),
    "issuer: without PKCE": (setting("code_challenge_methods_supported", None), "does not list S256"),
    "issuer: with plain PKCE": (setting("code_challenge_methods_supported", ["plain"]), "does not list S256"),
    "issuer: no token endpoint": (setting("token_endpoint", None), "has no token_endpoint"),
    "issuer: tokens without TLS": (setting("token_endpoint", "http://issuer.example/t"), "for its token_endpoint"),
    "issuer: a script for the browser": (setting("authorization_endpoint", "javascript:alert(1)"),
                                         "for its authorization_endpoint"),
    "issuer: an option for the browser": (setting("authorization_endpoint", "--new"), "for its authorization"),
    "issuer: registers nobody": (setting("registration_endpoint", None), "--client-id names one"),
    "registration: refused": (answering("/register", Reply(403)), "registration with status 403"),
    "registration: with a secret": (
        answering("/register", Reply(201, {"client_id": "c", "token_endpoint_auth_method": "client_secret_basic"})),
        "keeps a secret"),
    "registration: without an id": (answering("/register", Reply(201, {})), "has no client_id"),
    "redirect: wrong state": (redirecting(state="x" * 43), "wrong state", 2),
    "redirect: no state": (redirecting(state=None), "wrong state", 2),
    "redirect: of another issuer": (redirecting(iss="https://issuer.example"), "is of another issuer"),
    "redirect: of no issuer, though it promised": (redirecting(iss=None), "is of another issuer"),
    "redirect: no code": (redirecting(code=None), "brings no code"),
    "redirect: two codes": (redirecting(code=["a", "b"]), "cannot be read"),
    "redirect: the person said no": (redirecting(code=None, error="access_denied", error_description="no\x1b[2J!"),
                                     "the issuer refused: access_denied (no\\u{1b}[2J!)"),
    "token: of another type": (tokens(token_type="mac"), "no bearer token"),
    "token: of no type": (tokens(token_type=None), "has no token_type"),
    "token: none": (tokens(access_token=None), "has no access_token"),
    "token: two words": (tokens(access_token="a b"), "not one word"),
    "token: a line break": (tokens(access_token="a\r\nX: y"), "not one word"),
    "token: of 1 MB": (tokens(access_token="a" * 1_000_000), "too large"),
    "token: of 9 KB": (tokens(access_token="a" * 9000), "not one word"),
    "token: moved": (answering("/token", Reply(307, Location="/elsewhere")), "a redirection, which is not followed"),
    "token: refused": (answering("/token", Reply(400, {"error": "invalid_grant", "error_description": "late"})),
                       "status 400: invalid_grant (late)"),
    "token: no JSON": (answering("/token", Reply(body=b"access_token=a")), "no JSON"),
}


def test_who_is_wrong_in_one_way_is_refused():
    print(f"# {'what is wrong':48} {'status':>6}  what is said")
    for name, (change, text, *status) in ROWS.items():
        try:
            refused(change, text, *status)
        except Failure as e:
            raise Failure(f"{name}: {e}")
        print(f"# {name:48} {(status or [1])[0]:6}  {text}")


def test_a_target_is_an_address_with_tls_or_near():
    with AuthorizationServer() as script:
        for target, status, text in ((f"http://localhost.evil:{1}", 1, "without TLS"), ("machine", 2, "is no http"),
                                     ("ftp://a", 2, "is no http"),
                                     (script.target.replace("//", "//u:p@"), 2, "credentials in it"),
                                     ("http://127.0.0.1:1", 2, "127.0.0.1")):
            ended(manglecp(new_home(), "login", target), status, text)
        equal(script.asked, [], "questions")


def test_the_words_of_the_command_line_are_judged():
    for words, text in (([], "one TARGET"), (["a", "b"], "one TARGET"), (["a", "--timeout-s", "0"], "from 1 to"),
                        (["a", "--client-id", "a b"], "one word")):
        ended(manglecp(new_home(), "login", *words), 2, text)


def test_an_issuer_that_never_answers_is_not_waited_for_without_end():
    with AuthorizationServer() as script:
        script.answers[PLACE] = Reply(body={}, slow=30)
        began = time.monotonic()
        ended(manglecp(new_home(), "login", script.target), 2, "timed out")
        expect(time.monotonic() - began < 25, "10 s are enough")


# ---- the browser ------------------------------------------------------------------------------------

def port_of(login):
    said = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(login.address()).query))
    return urllib.parse.urlsplit(said["redirect_uri"]).port


def test_a_browser_that_never_comes_is_waited_for_so_long_and_no_longer():
    with AuthorizationServer() as script:
        home = new_home()
        began = time.monotonic()
        ended(manglecp(home, "login", script.target, "--timeout-s", "1"), 2, "nobody came back from the browser")
        expect(1 <= time.monotonic() - began < 15, "how long it took")
        equal(stored(home), [], "what is stored")


def test_strangers_at_the_port_change_nothing():
    with AuthorizationServer() as script:
        home = new_home()
        login = Login(home, script.target)
        back = login.back()
        port = port_of(login)
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        silent[-1].sendall(b"GET /callback?sta")
        for url, method, status in ((f"http://127.0.0.1:{port}/favicon.ico", "GET", 404),
                                    (f"http://127.0.0.1:{port}/callback", "GET", 400),
                                    (f"http://127.0.0.1:{port}/callback?code=x&state=" + "a" * 43, "GET", 400),
                                    (f"http://127.0.0.1:{port}/callback?error=no&state=", "GET", 400),
                                    (back.replace("/callback", "/callback/x"), "GET", 404),
                                    (back, "POST", 404)):
            equal(visit(url, method)[0], status, url)
        odd = socket.create_connection(("127.0.0.1", port))
        odd.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        expect(odd.recv(100).startswith(b"HTTP/1.1 400 "), "bytes that are no request")
        status, headers, page = visit(back)
        equal((status, headers["Cache-Control"], headers["Referrer-Policy"]), (200, "no-store", "no-referrer"), "page")
        expect("may be closed" in page, page)
        ended(login.end(), 0, "logged in")
        equal(len(stored(home)), 1, "logins")
        for connection in (*silent, odd):
            connection.close()


def test_a_second_request_finds_nobody():
    with AuthorizationServer() as script:
        login = Login(new_home(), script.target)
        back = login.back()
        script.slow = 1
        equal(visit(back)[0], 200, "the first")
        try:
            visit(back)
            raise Failure("somebody still listens")
        except OSError:
            pass
        ended(login.end(), 0, "logged in")


def test_a_request_that_comes_byte_by_byte_is_heard():
    with AuthorizationServer() as script:
        login = Login(new_home(), script.target)
        parts = urllib.parse.urlsplit(login.back())
        connection = socket.create_connection(("127.0.0.1", parts.port))
        for byte in f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: 127.0.0.1:{parts.port}\r\n\r\n".encode():
            connection.sendall(bytes([byte]))
        expect(connection.recv(100).startswith(b"HTTP/1.1 200 "), "the answer")
        connection.close()
        ended(login.end(), 0, "logged in")


run(globals())

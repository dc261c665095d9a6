"""`manglecp mcp TARGET --listen` towards callers who are not friends: TLS, credentials and their end, two principals,
names of hosts, sessions, limits, slow senders, reload and stop. Each in the revision with sessions and the one without."""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from listen_rig import Authority, Bridge, Caller, R4, R5, digest, in_seconds, rest_of, until
from mcp_client import Tap, WAIT_S, program

tap = Tap()
place = tempfile.TemporaryDirectory()
ANN, BOB, KEY, OLD = "token-of-ann-7f3a", "token-of-bob-91c2", "key-of-a-robot-55d0", "token-of-yesterday-0b"
LINES = {"ann": f"{digest(ANN)} ann intent:*", "bob": f"{digest(BOB)} bob intent:*",
         "robot": f"{digest(KEY, 'key-sha256')} robot intent:*", "old": f"{digest(OLD)} old intent:* expires={in_seconds(-60)}"}
SLOW = 20  # seconds that a head may take


def case(name):
    def run(function):
        tap.case(name, function)
        return function
    return run


def both(name):
    """A case of the revision with sessions and of the one without."""
    def run(function):
        for revision in (R4, R5):
            tap.case(f"{revision}: {name}", lambda: function(revision))
        return function
    return run


def with_bridge(function, *options, who=("ann", "bob"), **more):
    folder = tempfile.mkdtemp(dir=place.name)
    bridge = Bridge(folder, *options, credentials=who and [LINES[w] for w in who], **more)
    try:
        wrong = function(bridge)
        if any(word in bridge.log() for word in ("Sanitizer", "runtime error")):
            return bridge.log()
        return wrong or [f"{t} is in the log" for t in (ANN, BOB, KEY, OLD) if t in bridge.log()]
    finally:
        bridge.kill()


def statuses(got, wanted):
    return None if got == wanted else f"{got}, and not {wanted}"


# ---- TLS

authority = Authority(tempfile.mkdtemp(dir=place.name))
for one in ("server", "robot", "stranger"):
    authority.issue(one)
TLS = ["--tls-certificate", authority.path("server.pem"), "--tls-key", authority.path("server.key")]


@both("over TLS a conversation is as it is without; what is not TLS is told so and closed")
def tls(revision):
    def go(b):
        c = Caller(b, revision, authority.context(), token=ANN)
        opened, called = c.open(), c.call("intent", intent="fx.mark")
        plain = c.says(b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        try:
            said = plain.recv(1000)
        except ConnectionError:
            said = b""
        good = opened.status == called.status == 200 and said.startswith(b"HTTP/1.1 400 ") and b"Connection: close" in said
        return None if good and "fx_mark" in called.text else [opened, called, said]
    return with_bridge(go, *TLS)


@both("X-AUTH-10: a certificate that is listed is a credential, another of the same authority is none")
def certificates(revision):
    def go(b):
        b.trust(LINES["ann"], f"cert-sha256:{authority.fingerprint('robot')} robot intent:*")
        b.hang_up()
        robot = Caller(b, revision, authority.context("robot"))
        until(lambda: robot.open().status == 200)
        stranger = Caller(b, revision, authority.context("stranger"))
        got = [robot.call("intent", intent="fx.mark").status, stranger.open().status,
               Caller(b, revision, authority.context("stranger"), token=ANN).open().status,
               Caller(b, revision, authority.context()).open().status]
        return statuses(got, [200, 401, 200, 401])
    return with_bridge(go, *TLS, "--tls-client-ca", authority.path("ca.pem"), "--tls-client-optional")


@case("a certificate and a key that do not belong together, or are not there, are told before it listens")
def tls_files():
    for cert, key in (("server.pem", "robot.key"), ("none.pem", "server.key"), ("server.pem", "none.key"), ("ca.key", "server.key")):
        done = subprocess.run([program(), "mcp", "tests/domains/fixture", "--listen", "127.0.0.1:0", "--tls-certificate",
                               authority.path(cert), "--tls-key", authority.path(key)], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=WAIT_S)
        if done.returncode == 0 or done.stdout or b"error: " not in done.stderr or b"listening" in done.stderr:
            return [cert, key, done.returncode, done.stderr.decode()]
    return None


@case("SIGHUP takes a new certificate; beside one that is broken the old one stays, and that is told")
def tls_reload():
    def seen(b):
        with socket.create_connection(("127.0.0.1", b.port), WAIT_S) as s, authority.context().wrap_socket(
                s, server_hostname="localhost") as t:
            return t.getpeercert(True)

    def go(b):
        before = seen(b)
        for kind in ("pem", "key"):
            with open(authority.path(f"stranger.{kind}")) as one, open(os.path.join(files, f"s.{kind}"), "w") as other:
                other.write(one.read())
        b.hang_up()
        until(lambda: seen(b) != before)
        after, said = seen(b), len(b.log())
        with open(os.path.join(files, "s.pem"), "w") as f:
            f.write("nonsense")
        b.hang_up()
        until(lambda: "s.pem" in b.log()[said:])
        return None if seen(b) == after and Caller(b, R4, authority.context(), token=ANN).open().status == 200 else b.log()
    files = tempfile.mkdtemp(dir=place.name)
    for kind in ("pem", "key"):
        with open(authority.path(f"server.{kind}")) as one, open(os.path.join(files, f"s.{kind}"), "w") as other:
            os.chmod(other.name, 0o600)
            other.write(one.read())
    return with_bridge(go, "--tls-certificate", os.path.join(files, "s.pem"), "--tls-key", os.path.join(files, "s.key"))


# ---- credentials

@both("X-AUTH-1, X-AUTH-2, X-AUTH-10: every request says who it is; each kind of credential that does not is 401")
def refusals(revision):
    def go(b):
        shown = {"none": {}, "unknown": {"Authorization": "Bearer nobody-has-this"}, "empty": {"Authorization": "Bearer "},
                 "basic": {"Authorization": "Basic YW5uOmFubg=="}, "expired": {"Authorization": "Bearer " + OLD},
                 "unknown key": {"X-MangleCP-API-Key": "nobody-has-this"},
                 "of a key as of the digest": {"Authorization": "Bearer " + digest(ANN)[7:]}}
        good = Caller(b, revision, token=ANN)
        if good.open().status != 200 or Caller(b, revision, key=KEY).open().status != 200:
            return "who is listed is refused"
        for name, fields in shown.items():
            c = Caller(b, revision)
            c.fields, c.session = fields, good.session
            for method, verb in (("tools/list", "POST"), ("initialize", "POST"), (None, "GET"), (None, "DELETE")):
                a = c.ask(method) if method else None
                if not a:
                    response = c.begin(verb, Accept="text/event-stream").getresponse()
                    a = type("A", (), {"status": response.status, "headers": response.headers, "text": response.read().decode()})
                if a.status != 401 and (method or revision == R4) or not a.status >= 400:
                    return [name, verb, a.status, a.text]
                if a.status == 401 and (not (a.headers.get("WWW-Authenticate") or "").startswith("Bearer") or
                                        "resource_metadata" in str(a.headers)):
                    return [name, str(a.headers)]
                if a.status == 401 and json.loads(a.text)["error"]["code"] != -32600 or ANN in a.text:
                    return [name, a.text]
        url = good.begin("POST", good.message("tools/list"), path=f"/mcp?access_token={ANN}", Authorization=None).getresponse()
        good_still = good.ask("tools/list").status  # what others said in its session did nothing to it
        return statuses([url.status in (401, 404), good_still], [True, 200])
    return with_bridge(go, who=("ann", "robot", "old"))


@both("two credentials in one request are refused, not chosen from")
def twice(revision):
    def go(b):
        c = Caller(b, revision, token=ANN)
        body = json.dumps(c.message("server/discover" if revision == R5 else "initialize")).encode()
        head = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                f"Authorization: Bearer {ANN}\r\nAuthorization: Bearer {BOB}\r\n\r\n").encode()
        s = c.says(head + body)
        said = s.recv(4096).decode()
        return None if said.split()[1] in ("400", "401") else said
    return with_bridge(go)


@case("the token of the environment and of a file are no part of what it says, at any level")
def silent():
    def go(b):
        for token in (ANN, BOB, "wrong-" + ANN):
            c = Caller(b, R4, token=token)
            c.open()
            c.call("intent", intent="fx.mark")
        b.hang_up()
        b.trust("nonsense " + ANN)  # a line that is wrong is told by its number
        b.hang_up()
        until(lambda: "line 1" in b.log())
        return None if Caller(b, R4, token=ANN).open().status == 200 else "a broken file withdrew what was good"
    return with_bridge(go, "--log", "debug")


# ---- the end of a credential

@both("X-HTTP-23: what runs for a credential ends when SIGHUP finds it withdrawn, and nothing else does")
def withdrawn(revision):
    def go(b):
        ann, bob = Caller(b, revision, token=ANN), Caller(b, revision, token=BOB)
        ann.open(), bob.open()
        connections = [ann.runs(), ann.listens(), bob.listens()]
        waits = ann.work("fx.slow", params={"size": 1})
        quiet = ann.begin("POST", ann.message("tools/call", {"name": "run", "arguments": {
            "tool": "fx_slow", "args": {"step_ms": 60000}, "work": waits}}), Accept="application/json")
        at_bob = bob.runs(step_ms=1500)
        time.sleep(0.3)  # so that it has come
        b.trust(LINES["bob"])
        started = time.monotonic()
        b.hang_up()
        ran, told = rest_of(connections[0][1]), rest_of(connections[1][1])
        unanswered = quiet.getresponse()
        took = time.monotonic() - started
        refused = ann.ask("tools/list").status
        bobs, there = rest_of(at_bob[1]), bob.ask("tools/list").status
        if unanswered.status != 401 or '"result"' in ran[0] or '"result"' in told[0] or not (ran[1] and told[1]):
            return [unanswered.status, ran, told]
        if refused != 401 or there != 200 or '"result"' not in bobs[0] or took > 20:
            return [refused, there, bobs, took]
        b.trust(LINES["ann"], LINES["bob"])  # a session that has ended does not come again with the credential
        b.hang_up()
        until(lambda: Caller(b, R5, token=ANN).open().status == 200)
        return statuses(ann.ask("tools/list").status, 404 if revision == R4 else 200)
    return with_bridge(go)


@both("X-HTTP-23: a session stays as long as one credential of its principal is left")
def one_of_two(revision):
    other = "another-token-of-ann"

    def go(b):
        b.trust(LINES["ann"], f"{digest(other)} ann intent:*")
        b.hang_up()
        second = Caller(b, revision, token=other)
        until(lambda: second.open().status == 200 and second.ask("tools/list").status == 200)
        work = second.work()
        b.trust(LINES["ann"])
        b.hang_up()
        until(lambda: Caller(b, R5, token=other).open().status == 401)
        second.fields = Caller(b, revision, token=ANN).fields
        said = second.call("state", work=work, show="tools")
        return None if "fx_mark" in said.text else said
    return with_bridge(go)


@both("X-HTTP-23: a stream does not outlive the time that its credential has")
def expires(revision):
    def go(b):
        b.trust(LINES["bob"], f"{digest(ANN)} ann intent:* expires={in_seconds(6)}")
        b.hang_up()
        c = Caller(b, revision, token=ANN)
        until(lambda: c.open().status == 200)
        text, whole = rest_of(c.runs()[1])
        again = c.ask("tools/list")
        return None if whole and '"result"' not in text and again.status == 401 else [text, whole, again]
    return with_bridge(go, who=("bob",))


# ---- two principals

@both("X-HTTP-23, X-BRIDGE-2: nobody reaches another's work, session, stream or call")
def apart(revision):
    def go(b):
        ann, bob = Caller(b, revision, token=ANN), Caller(b, revision, token=BOB)
        ann.open(), bob.open()
        work = ann.work("fx.echo", facts={"fx_basic": ["secret-of-ann", 1, True, "x"]})
        said = [bob.call("state", work=work, show="facts").text, bob.call("state").text,
                bob.call("run", tool="fx_echo", args={"label": "x"}, work=work).text,
                bob.call("intent", intent="fx.echo", work=work).text]
        mine = ann.call("state", work=work, show="facts").text
        if any("secret-of-ann" in s or work in s and "no such work" not in s for s in said) or "secret-of-ann" not in mine:
            return [said, mine]
        if not all("isError" in s for s in said):
            return said
        c, stream = ann.runs(step_ms=1000)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": ann.last}}
        bob.begin("POST", cancel).getresponse().read()  # of a session of bob's, which has the same numbers
        if revision == R4:
            theirs = Caller(b, revision, token=BOB)
            theirs.session = ann.session
            got = [theirs.ask("tools/list").status, theirs.begin("POST", cancel).getresponse().status,
                   theirs.begin("GET", Accept="text/event-stream").getresponse().status,
                   theirs.begin("DELETE").getresponse().status, ann.ask("tools/list").status]
            if wrong := statuses(got, [404, 404, 404, 404, 200]):
                return wrong
        text, _ = rest_of(stream)
        return None if '"result"' in text else text
    return with_bridge(go)


@both("X-BRIDGE-3: what was shown belongs to the handle, whoever of its principal names it; all of it is shown again on demand")
def shown_before(revision):
    def go(b):
        first, second = Caller(b, revision, token=ANN), Caller(b, revision, token=ANN)
        first.open(), second.open()
        said = {"intent": "fx.skill", "facts": {"fx_needs_skill": ["fx_skill"]}}
        new = first.call("intent", **said)
        work = new.result()["structuredContent"]["work"]
        handed = second.call("intent", work=work, intent="fx.skill")
        again = second.call("state", work=work, show="tools", again=True)
        other = second.call("intent", **said)
        sizes = [len(a.result()["content"][0]["text"]) for a in (new, handed, again, other)]
        good = sizes[1] < sizes[0] and sizes[2] > sizes[1] and abs(sizes[3] - sizes[0]) < 10 and "fx-skill" in handed.text
        return None if good else [sizes, handed, again]
    return with_bridge(go)


# ---- whose name is asked for

@both("X-HTTP-3, X-HTTP-4: names of others (DNS rebinding) and pages of others are 403 before the body comes")
def rebinding(revision):
    def go(b):
        c = Caller(b, revision, token=ANN)
        c.open()
        hosts = {f"127.0.0.1:{b.port}": 200, f"localhost:{b.port}": 200, "LOCALHOST": 200, f"[::1]:{b.port}": 200,
                 "evil.example": 403, f"127.0.0.1.evil.example:{b.port}": 403, "localhost.": 403, f"evil.example@127.0.0.1:{b.port}": 400,
                 "allowed.example": 200, "allowed.example.evil": 403}
        got = {h: c.ask("tools/list", Host=h).status for h in hosts}
        got = {h: 400 if s == 403 and hosts[h] == 400 else s for h, s in got.items()}
        if got != hosts:
            return [f"{h}: {s}, not {hosts[h]}" for h, s in got.items() if s != hosts[h]]
        origins = {f"http://127.0.0.1:{b.port}": 200, "http://localhost:3000": 200, "null": 403, "https://evil.example": 403,
                   "http://localhost.evil.example": 403, "https://page.example": 200, "http://page.example": 403, "": 403}
        got = {o: c.ask("tools/list", Origin=o).status for o in origins}
        if got != origins:
            return [f"{o}: {s}, not {origins[o]}" for o, s in got.items() if s != origins[o]]
        raw = f"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer {ANN}\r\nContent-Type: application/json\r\n"
        s = c.says((raw + "Content-Length: 1000000\r\n\r\n").encode())
        said = s.recv(4096).decode()  # nothing of the body was sent
        two = c.says((raw.replace("evil.example", "127.0.0.1\r\nHost: evil.example") + "Content-Length: 2\r\n\r\n{}").encode())
        return statuses([said.split()[1], two.recv(4096).decode().split()[1]], ["403", "400"])
    return with_bridge(go, "--allow-host", "allowed.example", "--cors-origin", "https://page.example")


@case("X-HTTP-4: beyond this machine, or under another name, it does not listen without credentials; nor without TLS")
def open_to_all():
    for words in (["--listen", "0.0.0.0:0"], ["--listen", "127.0.0.1:0", "--allow-host", "a.example"],
                  ["--listen", "127.0.0.1:0", "--behind-tls-proxy"]):
        done = subprocess.run([program(), "mcp", "tests/domains/fixture", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=WAIT_S)
        if done.returncode != 2 or b"listening" in done.stderr or b"error" not in done.stderr:
            return [words, done.returncode, done.stderr.decode()]
    return None


# ---- sessions

@case("X-HTTP-15, X-HTTP-16: DELETE ends a session with what runs in it; one of 2026-07-28 is not there to be ended")
def deleted():
    def go(b):
        c = Caller(b, R4, token=ANN)
        c.open()
        listens, runs = c.listens(), c.runs()
        gone = c.begin("DELETE").getresponse()
        ended = [rest_of(listens[1]), rest_of(runs[1])]
        after = [c.ask("tools/list").status, c.begin("DELETE").getresponse().status]
        other = Caller(b, R4, token=ANN)
        again, modern = other.open().status, Caller(b, R5, token=ANN)
        none = modern.begin("DELETE", MCP_Protocol_Version=R5).getresponse()
        if '"result"' in "".join(e[0] for e in ended) or not all(e[1] for e in ended):
            return ended
        return statuses([gone.status, *after, again, none.status], [204, 404, 404, 200, 405])
    return with_bridge(go)


@case("X-HTTP-23: 64 sessions of one principal and no more, of others none the fewer; an ended one makes room")
def sessions():
    def go(b):
        mine = [Caller(b, R4, token=ANN) for _ in range(65)]
        got = [c.open().status for c in mine]
        bob = Caller(b, R4, token=BOB).open().status
        ended = mine[0].begin("DELETE").getresponse().status
        again = Caller(b, R4, token=ANN).open().status
        return statuses([got[:64] == [200] * 64, got[64], bob, ended, again, mine[1].ask("tools/list").status],
                        [True, 429, 200, 204, 200, 200])
    return with_bridge(go)


@both("requests that are under way at once have a bound for each caller, and others do not feel it")
def exchanges(revision):
    most = 32 if revision == R4 else 256  # of a session; of a principal

    def go(b):
        ann, bob = Caller(b, revision, token=ANN), Caller(b, revision, token=BOB)
        ann.open(), bob.open()
        if revision == R4:
            works = [ann.work("fx.slow", params={"size": 1}) for _ in range(2)]  # one of each runs, 15 wait
            held = [slow_call(ann, works[i % 2]) for i in range(most)]
        else:
            held = [ann.listens() for _ in range(most)]
        until(lambda: ann.ask("ping" if revision == R4 else "tools/list").status == 429)  # they have come
        over = ann.ask("tools/list").status
        others = bob.ask("tools/list").status
        for c, stream in held[:2]:
            stream and stream.close()
            c.sock and c.sock.close()
            c.close()
        freed = revision == R4 or until(lambda: ann.ask("tools/list").status == 200)
        for c, stream in held:
            stream and stream.close()
            c.close()
        if revision == R4:
            ann.begin("DELETE").getresponse().read()
        until(lambda: b.connections() == 0)  # nothing is left behind
        return statuses([over, others, bool(freed)], [429, 200, True])

    def slow_call(c, work):
        return c.begin("POST", c.message("tools/call", {"name": "run", "arguments": {
            "tool": "fx_slow", "args": {"step_ms": 60000}, "work": work}}, progress=c.last)), None
    return with_bridge(go)


# ---- sizes and slowness

@both("X-HTTP-5: a body of more than 10 MiB is 413 before it comes, one of 10 MiB is read; a head beyond its size is 431")
def sizes(revision):
    def go(b):
        c = Caller(b, revision, token=ANN)
        c.open()
        fields = "".join(f"{k}: {v}\r\n" for k, v in c.headers(c.message("tools/list")).items())
        start = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}"
        limit = 10 * 1024 * 1024
        got = []
        for tail in (f"Content-Length: {limit + 1}\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n",
                     "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
                     "X-Long: " + "x" * 17000 + "\r\nContent-Length: 2\r\n\r\n{}"):
            got.append(c.says((start + tail).encode()).recv(4096).decode().split()[1])
        chunks = c.says((start + "Transfer-Encoding: chunked\r\n\r\n").encode())
        try:
            for _ in range(12):
                chunks.sendall(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
        except ConnectionError:
            pass
        try:
            got.append(chunks.recv(4096).decode().split()[1])
        except ConnectionError:
            got.append("413")
        whole = c.says((start + f"Content-Length: {limit}\r\n\r\n").encode())
        whole.sendall(json.dumps(c.message("tools/list")).encode().ljust(limit))
        got.append(whole.recv(4096).decode().split()[1])
        alive = c.ask("tools/list").status
        return statuses([got, alive], [["413", "400", "400", "400", "400", "431", "413", "200"], 200])
    return with_bridge(go)


@case("whoever sends a head slowly, byte after byte or none at all, is told so or closed; others are served meanwhile")
def slow():
    def go(b):
        c = Caller(b, R4, token=ANN)
        c.open()
        started = time.monotonic()
        silent = [c.says(b"") for _ in range(20)]
        heads = [c.says(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ") for _ in range(20)]
        done, served = {}, []

        def drip():
            while len(done) < len(heads) and time.monotonic() - started < SLOW + WAIT_S:
                for i, s in enumerate(heads):
                    if i in done:
                        continue
                    try:
                        s.sendall(b"a")
                        s.settimeout(0.01)
                        said = s.recv(1000)
                        done[i] = said.split()[1].decode() if said else "closed"
                    except TimeoutError:
                        pass
                    except OSError:
                        done[i] = "closed"
                time.sleep(0.3)
        thread = threading.Thread(target=drip)
        thread.start()
        while thread.is_alive():
            before = time.monotonic()
            if c.ask("tools/list").status != 200:
                return "another was not served"
            served.append(time.monotonic() - before)
            time.sleep(0.2)
        took = time.monotonic() - started
        for s in silent:
            s.close()
        if set(done.values()) - {"408", "closed"} or len(done) < 20 or took < SLOW / 2:
            return [done, took]
        return None if max(served) < 10 else max(served)
    return with_bridge(go)


# ---- reload and stop

@both("SIGHUP loads the folder again: lists that differ are told to who listens, and nothing where none does")
def reload(revision):
    folder = os.path.join(tempfile.mkdtemp(dir=place.name), "greeter")
    subprocess.run([program(), "new", folder], check=True, stdout=subprocess.DEVNULL)

    def go(b):
        c = Caller(b, revision, token=ANN)
        c.open()
        until(lambda: "skill" in c.ask("prompts/list").text or "prompts" in c.ask("prompts/list").text)
        connection, stream = c.listens("prompts")
        lines = []
        threading.Thread(target=lambda: [lines.append(line) for line in stream], daemon=True).start()
        skills = os.path.join(folder, "skills", "another")
        os.makedirs(skills)
        with open(os.path.join(skills, "SKILL.md"), "w") as f:
            f.write("---\nname: another\ndescription: Something else to know\n---\n# Another\n\nRead this.\n")
        b.hang_up()
        until(lambda: any(b"prompts/list_changed" in line for line in lines))
        names = [p["name"] for p in c.ask("prompts/list").result()["prompts"]]
        before = len(lines)
        b.hang_up()  # nothing differs: nothing is told
        time.sleep(2)
        told = [line for line in lines[before:] if b"list_changed" in line]
        return None if "another" in names and not told else [names, told]
    return with_bridge(go, target=folder, fixture=False)


@both("SIGTERM: who comes then is not served, what runs may finish or is cancelled and says so, streams end, status 0")
def stops(revision):
    def go(b):
        c = Caller(b, revision, token=ANN)
        c.open()
        streams = [c.runs(step_ms=300)[1], c.runs()[1], c.listens()[1]]
        started = time.monotonic()
        b.child.send_signal(signal.SIGTERM)
        texts = [rest_of(s) for s in streams]
        status = b.child.wait(WAIT_S)
        took = time.monotonic() - started
        try:
            c.open()
            return "it is there yet"
        except ConnectionError:
            pass
        finished, cancelled, listened = texts
        good = '"result"' in finished[0] and '"result"' in cancelled[0] and '"isError":true' in cancelled[0] and listened[1]
        return None if good and status == 0 and took < 20 else [status, took, texts]
    return with_bridge(go)


place.cleanup()
sys.exit(tap.end())

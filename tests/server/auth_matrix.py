"""Who comes in, as tables: every kind of credential in every state over every transport, and every Host with
every Origin. What came of it is printed beside what is demanded."""
import ssl

from issuer import *
from websocket import *

TOKENS = {state: f"token-that-is-{state}" for state in ("good", "expired", "early", "revoked")}
KEYS = {state: f"api-key-that-is-{state}" for state in TOKENS}
TIMES = {"expired": " expires=2020-01-01T00:00:00Z", "early": " not_before=2200-01-01T00:00:00Z"}
TRANSPORTS = ("http", "tls", "websocket", "login", "stdio")


def listed(states):
    lines = []
    for prefix, secrets in (("sha256", TOKENS), ("key-sha256", KEYS)):
        for state in states:
            digest = hashlib.sha256(secrets[state].encode()).hexdigest()
            lines.append(f"{prefix}:{digest} ann intent:*{TIMES.get(state, '')}")
    return "\n".join(lines) + "\n"


class World:
    """One server for each way in, all with the same credentials."""

    def __init__(self):
        self.folder = pathlib.Path(scratch())
        self.tokens, self.keys = self.folder / "tokens", self.folder / "keys.json"
        self.key, self.withdrawn, self.other = Key(kid="k"), Key(kid="withdrawn"), Key(kid="k")
        self.issuer = Issuer()
        self.tokens.write_text(listed(TOKENS))
        self.publish(self.key, self.withdrawn)
        now = int(time.time())
        for state, more in (("good", {}), ("revoked", {}), ("expired", {"exp": now - 600}),
                            ("early", {"nbf": now + 600}), ("audience", {"aud": "https://else.example"})):
            self.issuer.opaque[f"opaque-{state}"] = {"active": True, "aud": AUDIENCE, "sub": "ann", "scope": "intent:*",
                                                    **more}
        options = ["--auth", str(self.tokens), *self.issuer.config(
            keys=str(self.keys), introspection=f"{self.issuer.url}/introspect", client=client_file(), remember="0s")]
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.plain = Listener(*options)
        self.tls = Listener(*options, "--tls-self-signed", tls=context)
        self.session = Session(*options)

    def publish(self, *keys):
        self.keys.write_text(json.dumps({"keys": [k.jwk() for k in keys]}))

    def revoke(self):
        """What is `revoked` is not listed any more, in any server."""
        self.tokens.write_text(listed([s for s in TOKENS if s != "revoked"]))
        self.publish(self.key)
        del self.issuer.opaque["opaque-revoked"]
        for server in (self.plain, self.tls, self.session):
            server.program.process.send_signal(signal.SIGHUP)
        for way in TRANSPORTS:
            deadline = time.monotonic() + PATIENCE
            while self.ask(way, "bearer", TOKENS["revoked"]) == "in":
                expect(time.monotonic() < deadline, f"{way}: it is not revoked")
                time.sleep(0.1)

    def lasting(self):
        """Sessions that what will be revoked has begun: (credential, way in) -> session."""
        kinds = (("token", "bearer", TOKENS["revoked"]), ("API key", "api_key", KEYS["revoked"]),
                 ("JWT", "bearer", self.withdrawn.token()), ("opaque", "bearer", "opaque-revoked"))
        begun = {}
        for kind, scheme, secret in kinds:
            header = {"Authorization": f"Bearer {secret}"} if scheme == "bearer" else {"X_MangleCP_API_Key": secret}
            begun[kind, "websocket"] = Socket(self.plain, **header)
            begun[kind, "login"] = Socket(self.plain)
            answer = begun[kind, "login"].ask(request("authenticate", {"scheme": scheme, "token": secret}))
            equal(answer["type"], "authenticate_response", f"{kind}: login")
        for key, session in begun.items():
            equal(outcome(session.ask(good())), "in", f"{key}: before it is revoked")
        return begun

    def ask(self, way, scheme, secret):
        """`in`, or the reason why not."""
        if way in ("http", "tls"):
            server = self.plain if way == "http" else self.tls
            headers = {} if secret is None else \
                {"Authorization": f"Bearer {secret}"} if scheme == "bearer" else {"X_MangleCP_API_Key": secret}
            return outcome(server.connect().post(good(), **headers).message)
        if way == "websocket":
            headers = {} if secret is None else \
                {"Authorization": f"Bearer {secret}"} if scheme == "bearer" else {"X_MangleCP_API_Key": secret}
            s = Socket(self.plain, **headers)
            return outcome(s.ask(good()) if s.response.status == 101 else s.response.message)
        s = Socket(self.plain) if way == "login" else self.session
        if secret is not None:
            answer = past_manifests(s, request("authenticate", {"scheme": scheme, "token": secret}))
            if answer["type"] == "error":
                return outcome(answer)
        elif way == "stdio":
            return None  # who has logged in once stays so: asked before all others
        return outcome(past_manifests(s, good()))


def past_manifests(s, message):
    s.send(message)
    while (answer := s.receive())["type"] == "manifest":
        pass
    return answer


def outcome(message):
    if message["type"] != "error":
        equal(names(message), ["fx_echo"], "tools")
        return "in"
    payload = message["payload"]
    return payload["details"].get("reason", payload["code"])


def rows(world):
    """(kind, state, scheme, secret, demanded)"""
    now, key = int(time.time()), world.key
    big = "x" * 9000
    yield "none", "none", "bearer", None, "auth_required"
    for kind, scheme, secrets in (("token", "bearer", TOKENS), ("API key", "api_key", KEYS),
                                  ("API key as token", "bearer", KEYS)):
        yield kind, "good", scheme, secrets["good"], "in"
        yield kind, "wrong", scheme, secrets["good"] + "x", "rejected"
        yield kind, "expired", scheme, secrets["expired"], "expired"
        yield kind, "not yet", scheme, secrets["early"], "rejected"
        yield kind, "revoked", scheme, secrets["revoked"], "rejected"
        yield kind, "too big", scheme, big, "rejected"
    yield "token", "as API key", "api_key", TOKENS["good"], "rejected"
    for state, token, demanded in (
            ("good", key.token(), "in"), ("wrong", world.other.token(), "rejected"),
            ("expired", key.token(exp=now - 600), "expired"), ("not yet", key.token(nbf=now + 600), "rejected"),
            ("revoked", world.withdrawn.token(), "rejected"),
            ("wrong audience", key.token(aud="https://else.example"), "rejected"),
            ("wrong alg", key.token({"alg": "HS256"}), "rejected"), ("too big", key.token(more=big), "rejected")):
        yield "JWT", state, "bearer", token, demanded
    for state, demanded in (("good", "in"), ("wrong", "rejected"), ("expired", "expired"), ("early", "rejected"),
                            ("revoked", "rejected"), ("audience", "rejected")):
        yield "opaque", state, "bearer", f"opaque-{state}", demanded


def print_table(head, lines):
    widths = [max(len(str(line[i])) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print("# " + "  ".join(str(cell).ljust(width) for cell, width in zip(line, widths)).rstrip())


def test_every_credential_in_every_state_over_every_transport():
    world = World()
    equal(outcome(world.session.ask(good())), "auth_required", "stdio before login")  # P-AUTH-6
    for way in TRANSPORTS:  # what will be revoked is good before
        for secret in (TOKENS["revoked"], world.withdrawn.token(), "opaque-revoked"):
            equal(world.ask(way, "bearer", secret), "in", f"{way}: before it is revoked")
    lasting = world.lasting()
    world.revoke()
    table, wrong = [], []
    for kind in dict.fromkeys(kind for kind, _ in lasting):
        cells = [outcome(past_manifests(lasting[kind, way], good())) if (kind, way) in lasting else None
                 for way in TRANSPORTS]
        wrong += [f"{kind}, a session that lasts: {cell}" for cell in cells if cell not in ("rejected", None)]
        table.append((kind, "revoked meanwhile", "rejected", *("-" if cell is None else cell for cell in cells)))
    for kind, state, scheme, secret, demanded in rows(world):
        cells = [world.ask(way, scheme, secret) for way in TRANSPORTS]
        wrong += [f"{kind}, {state}, {way}: {cell}, not {demanded}"
                  for way, cell in zip(TRANSPORTS, cells) if cell not in (demanded, None)]
        table.append((kind, state, demanded, *("-" if cell is None else cell for cell in cells)))
    print_table(("credential", "state", "demanded", *TRANSPORTS), table)
    equal(wrong, [], f"of {sum(len(line) - 3 for line in table)} cells")
    world.plain.stop()
    world.tls.stop()
    world.session.end()
    world.issuer.stop()


def test_every_host_with_every_origin():
    """P-HTTP-*: a page of another origin, or one that points a name here, comes nowhere."""
    l = Listener("--auth", token_file(token_line("t", "ann", "intent:*")), "--allow-host", "tools.example",
                 "--cors-origin", "https://app.example")
    own = f"127.0.0.1:{l.port}"
    hosts = {own: True, "localhost": True, "[::1]:9": True, "tools.example": True, "tools.example:8443": True,
             "evil.example": False, "127.0.0.1.evil.example": False, "tools.example.evil": False, "": False}
    origins = {None: True, "https://app.example": True, "own": True, "null": False, "https://evil.example": False,
               "http://app.example": False, "https://app.example.evil": False, "https://app.example:444": False}
    table, wrong = [], []
    for host, known in hosts.items():
        cells = []
        for origin, allowed in origins.items():
            said = f"http://{host}" if origin == "own" else origin
            demanded = 400 if not known else 200 if allowed else 403
            got = l.connect("t").post(good(), Host=host, Origin=said).status
            upgrade = Socket(l, "t", greet=False, Host=host, Origin=said).response.status
            cells.append(f"{got}/{upgrade}")
            if (got, upgrade) != (demanded, 101 if demanded == 200 else demanded):
                wrong.append(f"Host {host}, Origin {said}: {got}/{upgrade}, not {demanded}")
        table.append((host or '""', *cells))
    print_table(("Host \\ Origin", *(str(o) for o in origins)), table)
    equal(wrong, [], "faults")
    l.stop()


run(globals())

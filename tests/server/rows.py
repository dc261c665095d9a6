"""What the reference promises and no other file of this folder looks at: schemes, manifests of every transport,
how long a definition is kept, pings nobody asked for."""
from transports import *

EVALUATED = "2026-07-04T12:00:00Z"


def at(minutes, seconds=0):
    return f"2026-07-04T12:{minutes:02}:{seconds:02}Z"


# ---- who is calling

def test_the_one_scheme_is_bearer_and_it_logs_in_everywhere():
    l = start(HTTP)
    for m in (l.manifest, Socket(l).manifest):
        auth = m["payload"]["auth"]
        equal(auth["schemes"], ["bearer"], "schemes")  # so P-AUTH-4 and P-AUTH-5 ask for nothing more
        equal(auth.get("token_url"), None, "token_url")  # P-AUTH-4
    equal(names(l.connect(TOKEN).ask(good())), ["fx_echo"], "over HTTP")  # P-AUTH-2
    equal(names(enter(WS, l).ask(good())), ["fx_echo"], "over WebSocket")
    answer = l.connect().post(good(), X_MangleCP_API_Key=TOKEN).message
    refused(answer, "auth_required")  # P-AUTH-5: what is not listed is not taken
    for scheme in ("api_key", "oauth2"):
        refused(login(Socket(l), scheme=scheme), "auth_invalid", reason="scheme")
    l.stop()


# ---- manifests

def test_each_transport_has_the_manifest_and_what_belongs_to_it():
    l = start(HTTP, tokens=[])
    manifests = {STDIO: session().manifest, HTTP: l.manifest, WS: Socket(l).manifest}
    for transport, m in manifests.items():
        equal(m["id"], None, f"id over {transport}")  # P-MAN-3
        equal(m["payload"]["protocol"]["manglecp"], m["manglecp"], f"version over {transport}")  # P-MAN-6
        equal(m["payload"]["status"], "ready", f"status over {transport}")  # P-MAN-9
    endpoints = manifests[HTTP]["payload"]["endpoints"]
    equal(set(endpoints), {"intent_eval", "macro_invoke"}, "endpoints")  # P-MAN-13, P-HTTP-23
    for transport in SESSIONS:  # P-MAN-14: left out, or the same two
        there = manifests[transport]["payload"].get("endpoints", endpoints)
        equal(set(there), set(endpoints), f"endpoints over {transport}")
    expect(manifests[HTTP]["payload"]["extensions"]["x-websocket"], "no session to be had")  # P-WS-11
    same = {t: {**m["payload"], "endpoints": 0, "extensions": 0, "auth": 0} for t, m in manifests.items()}
    equal(same[STDIO], same[HTTP], "stdio and HTTP")
    equal(same[WS], same[HTTP], "WebSocket and HTTP")
    l.stop()


def test_the_manifest_of_a_session_comes_unasked_and_soon():
    begun = time.monotonic()
    s = Session(greet=False)  # P-STDIO-4: its input is open and empty
    equal(s.receive()["type"], "manifest", "first line")
    expect(time.monotonic() - begun < (10 if SANITIZED else 2), "it took long")
    s.until_status("ready")
    s.stdin.close()
    begun = time.monotonic()
    s.program.wait()  # P-STDIO-5
    expect(time.monotonic() - begun < (20 if SANITIZED else 5), "the end took long")


# ---- how long a definition is kept

def kept_until(store, clock, *options):
    """A server that stands at this time, over what was stored before."""
    s = start(STDIO, "--store-sqlite", str(store), "--clock", clock, *options)
    return enter(STDIO, s)


def evaluated(store, *options):
    s = kept_until(store, EVALUATED, *options)
    event = {**fact("fx_event", "door", "open"), "t": {"at": "2026-07-04T11:58:00Z"}}
    echo, recent = tool_of(s.ask(good())), tool_of(s.ask(intent("fx.recent", [event])))
    equal(recent["validity"]["expires_at"], at(3), "expires_at")
    s.end()
    return echo, recent


def test_a_definition_is_kept_for_five_minutes_and_not_for_ever():
    store = pathlib.Path(scratch()) / "store.db"
    echo, recent = evaluated(store)
    s = kept_until(store, at(2, 59))
    equal(s.ask(invoke(recent))["type"], "invoke_response", "a second before its window ends")  # P-CACHE-2
    s.end()
    s = kept_until(store, at(3))
    refused(s.ask(invoke(recent)), "macro_expired", reason="expired")
    s.end()
    s = kept_until(store, at(4, 50))
    equal(s.ask(invoke(echo, {"label": "x"}))["type"], "invoke_response", "after 290 s")  # P-CACHE-3
    s.end()
    for clock, code in ((at(5, 1), "macro_expired"), (at(10, 1), "macro_not_found")):  # P-CACHE-1, P-CACHE-5, D-42
        s = kept_until(store, clock)
        gone = refused(s.ask(invoke(echo, {"label": "x"})), code)
        expect(gone["recoverable"], "not recoverable")
        s.end()


def test_how_long_is_a_setting():
    store = pathlib.Path(scratch()) / "store.db"
    longer = ["--set", "validity.cache=20m"]  # P-CACHE-1
    echo, _ = evaluated(store, *longer)
    for clock, there in ((at(19, 59), True), (at(20, 1), False)):
        s = kept_until(store, clock, *longer)
        answer = s.ask(invoke(echo, {"label": "x"}))
        equal(code_of(answer), None if there else "macro_expired", clock)
        s.end()


# ---- what is in effect if nobody says anything

def test_an_idle_session_is_pinged_every_half_minute_unless_told_otherwise():
    told = subprocess.run(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--print-config"),
                          capture_output=True, text=True, env=CHILD_ENV, timeout=PATIENCE)
    equal(told.returncode, 0, f"status\n{told.stderr}\n")
    ping = re.search(r"^ *ping: (\d+)s$", told.stdout, re.M)
    expect(ping and 0 < int(ping.group(1)) <= 30, f"ping interval:\n{told.stdout}")  # P-WS-10


run(globals())

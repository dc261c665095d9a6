"""What the reference promises and no other file of this folder looks at: schemes, manifests of every transport,
how long a definition is kept, pings nobody asked for, schemas, skills, what there is none of."""
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


# ---- what an answer is made of

KEYWORDS = {  # protocol.md §2.12, and what a value of each is
    "type": (str, list), "enum": list, "const": object, "properties": dict, "required": list,
    "additionalProperties": (bool, dict), "propertyNames": (bool, dict), "minProperties": int, "maxProperties": int,
    "items": (bool, dict), "prefixItems": list, "minItems": int, "maxItems": int, "uniqueItems": bool,
    "minimum": (int, float), "maximum": (int, float), "exclusiveMinimum": (int, float),
    "exclusiveMaximum": (int, float), "multipleOf": (int, float), "minLength": int, "maxLength": int, "pattern": str,
    "allOf": list, "anyOf": list, "oneOf": list, "not": (bool, dict), "if": (bool, dict), "then": (bool, dict),
    "else": (bool, dict), "$defs": dict, "$ref": str, "$schema": str, "default": object, "format": str,
    "title": str, "description": str, "examples": list}
TYPES = {"null", "boolean", "object", "array", "number", "integer", "string"}


def check_schema(schema, where):
    """It is a schema of draft 2020-12, as far as its shape goes, and says nothing that is not enforced."""
    if isinstance(schema, bool):
        return
    expect(isinstance(schema, dict), f"{where}: no schema: {shown(schema)}")
    for keyword, value in schema.items():
        expect(keyword in KEYWORDS, f"{where}: {keyword}")
        expect(isinstance(value, KEYWORDS[keyword]), f"{where}/{keyword}: {shown(value)}")
    types = schema.get("type", [])
    expect(set([types] if isinstance(types, str) else types) <= TYPES, f"{where}: type {types}")
    expect(all(isinstance(name, str) for name in schema.get("required", [])), f"{where}: required")
    expect(schema.get("$schema", "https://json-schema.org/draft/2020-12/schema").endswith("2020-12/schema"), where)
    re.compile(schema.get("pattern", ""))
    for keyword in ("properties", "$defs"):
        for name, below in schema.get(keyword, {}).items():
            check_schema(below, f"{where}/{keyword}/{name}")
    for keyword in ("prefixItems", "allOf", "anyOf", "oneOf"):
        for n, below in enumerate(schema.get(keyword, [])):
            check_schema(below, f"{where}/{keyword}/{n}")
    for keyword in ("additionalProperties", "propertyNames", "items", "not", "if", "then", "else"):
        check_schema(schema.get(keyword, True), f"{where}/{keyword}")


def full_tools(s, *facts):
    """Every tool that the intents of the manifest bring, in full."""
    found = {}
    for listed in s.manifest["payload"]["intents"]:
        answer = s.ask(intent(listed["name"], facts, options={"disclosure_preference": "full"}))
        for tool in answer["payload"].get("macro_tools", []):
            found[tool["name"]] = tool
    return found


def test_every_schema_is_one_of_2020_12_and_says_only_what_is_enforced():
    tools = full_tools(session(), BASIC, fact("fx_choice", "red"), fact("fx_needs_skill", "x"))
    expect(len(tools) >= 20, f"only {sorted(tools)}")
    for name, tool in tools.items():  # P-TOOL-6, P-TOOL-7
        equal(tool["input_schema"].get("type"), "object", f"type of the arguments of {name}")
        check_schema(tool["input_schema"], f"{name}: input_schema")
        check_schema(tool.get("output_schema", True), f"{name}: output_schema")
    equal(tools["fx_vary"]["input_schema"]["properties"]["value"]["enum"], ["red"], "narrowed by a rule")


TWO_EFFECTS = """
- tool: zz_both
  summary: Writes, and destroys.
  description: Writes a line, and destroys something.
  input_schema: {type: object, additionalProperties: false}
  steps:
    - {id: write, action: AID.FX.WRITE.v1, inputs: {line: x, journal: {from: settings.journal}}}
    - {id: destroy, action: AID.FX.DESTROY.v1, inputs: {line: x, journal: {from: settings.journal}}}
"""


def test_a_tool_has_the_effects_of_all_its_steps():
    s = Session(domain=fixture_with({
        "tools/both.yaml": TWO_EFFECTS,
        "rules/domain/90_both.mg": 'tool_relevant_to_intent("zz_both", "fx.vary", 95).\n'}))
    safety = tool_of(s.ask(intent("fx.vary")), "zz_both")["safety"]
    equal(sorted(safety["side_effects"]), ["destructive", "filesystem"], "side effects")  # P-TOOL-13
    equal((safety["reversible"], safety["requires_user_confirmation"]), (False, True), "the rest of it")
    s.end()


def test_what_an_answer_may_have_besides_is_of_its_shape():
    s = Session("--set", "coverage=true")
    skills = 0
    for listed in s.manifest["payload"]["intents"]:
        payload = s.ask(intent(listed["name"], [BASIC, fact("fx_needs_skill", "long")]))["payload"]
        if "macro_tools" not in payload:
            continue
        extra = set(payload) - {"eval_time_used", "eval_duration_ms", "macro_tools"}
        expect(extra <= {"required_skills", "diagnostics"}, f"{listed['name']} has {extra}")  # P-EVAL-14
        diagnostics = payload["diagnostics"]
        coverage = diagnostics.pop("rule_coverage")
        equal(set(diagnostics), {"facts_evaluated", "facts_derived", "rules_fired", "phases_completed"}, "members")
        numbers = {**diagnostics, **coverage}
        details = numbers.pop("dormant_details")
        expect(all(isinstance(n, int) and n >= 0 for n in numbers.values()), f"{shown(numbers)}")
        for detail in details:
            equal(set(detail), {"rule", "missing_predicates", "status"}, "a dormant rule")
        for skill in payload.get("required_skills", []):
            skills += 1
            expect(set(skill) <= {"skill_id", "name", "description", "content", "content_type", "resources"},
                   f"{set(skill)}")
            for resource in skill.get("resources", []):
                expect(set(resource) <= {"uri", "type", "description"} and resource["uri"], f"{resource}")
                expect(all(isinstance(v, str) for v in resource.values()), f"{resource}")
    expect(skills > 0, "no skill was required")
    s.end()


def test_hints_are_there_at_the_level_that_is_stated_and_never_an_error():
    s = session()
    answer = s.ask(intent("fx.rank", options={"include_proof_hints": True}))
    equal(answer["type"], "intent_response", "type")  # P-PROOF-1
    level = s.manifest["payload"]["protocol"]["conformance_level"]
    expect(level < 3 or answer["payload"].get("proof_hints"), "level 3 has hints")


# ---- skills and resources

def test_what_gates_a_skill_shows_in_the_hints_when_the_skill_is_there():
    def hints(*facts):
        answer = session().ask(intent("fx.skill", facts, options={"include_proof_hints": True}))
        which = tool_of(answer, "fx_skill")
        skills = [s["skill_id"] for s in which.get("context_injection", {}).get("skills", [])]
        return skills, next(d for d in answer["payload"]["proof_hints"]["derivations"]
                            if d["macro_id"] == which["macro_id"])
    skills, told = hints(fact("fx_needs_skill", "x"))
    equal(skills, ["fx-skill"], "skills")
    expect("needs_skill" in told["rule_chain"], f"{told['rule_chain']}")  # P-SKILL-6
    equal([f["pred"] for f in told["supporting_facts"]], ["fx_needs_skill"], "what it rests on")
    skills, told = hints()
    equal((skills, "needs_skill" in told["rule_chain"]), ([], False), "without")


def check(folder, status):
    done = subprocess.run([str(BUILD / "bin/manglecp"), "check", str(folder), "--plugins", str(BUILD / "test-plugins"),
                           "--toolhost", str(BUILD / "bin/toolhost")],
                          capture_output=True, text=True, env=CHILD_ENV, timeout=PATIENCE)
    equal(done.returncode, status, f"status of check\n{done.stdout}{done.stderr}")
    return done.stdout


def test_skills_and_their_rules_are_kept_in_step():
    """Either without the other is told before anybody is served."""
    expect("skill" not in check(FIXTURE, 0), "the fixture's are in step")  # P-SKILL-9
    unknown = fixture_with({"rules/domain/90_skill.mg": 'needs_skill("fx_skill", "fx-none") :- fx_extra().\n'})
    told = check(unknown, 1)
    expect(re.search(r'90_skill\.mg:1:\d+: error: there is no skill "fx-none"', told), told)
    alone = fixture_with({})
    (alone / "skills/zz-alone").mkdir()
    (alone / "skills/zz-alone/SKILL.md").write_text("---\nname: N\ndescription: D\n---\nText.\n")
    told = check(alone, 0)
    expect("skills/zz-alone/SKILL.md: warning: no rule injects this skill" in told, told)


def test_the_whole_of_a_skill_comes_with_the_answer():
    answer = session().ask(intent("fx.skill", [fact("fx_needs_skill", "long")]))
    long_skill = next(s for s in answer["payload"]["required_skills"] if s["skill_id"] == "fx-long")
    text = (FIXTURE / "skills/fx-long/SKILL.md").read_text().split("---\n", 2)[2]
    equal(long_skill["content"].strip(), text.strip(), "content")
    for kind in ("skill_request", "get_skill"):  # P-SKILL-10: there is nothing to fetch, and no request for it
        refused(session().ask(request(kind, {"skill_id": "fx-long"})), "invalid_type")


def test_what_resources_remain_say_why_and_how_much_they_matter():
    seen = set()
    for tokens in range(600, 60, -6):
        answer = session().ask(intent("fx.skill", [fact("fx_needs_skill", "x")],
                                      constraints={"max_tokens_budget": tokens}))
        for tool in answer["payload"]["macro_tools"]:
            for resource in tool.get("context_injection", {}).get("context_resources", []):
                expect(isinstance(resource["priority"], (int, float)) and resource["relevance"],  # P-TOKEN-6
                       f"{resource}")
                seen.add((resource["uri"], resource["priority"]))
    equal(seen, {("s3://fx-bucket/first.json", 90), ("notes/second.md", 40)}, "resources under some budget")


# ---- rules and facts

def test_rules_lie_in_folders_of_their_layer():
    for rules in [ROOT / "rules", *(ROOT / "domains").glob("*/rules"), *(ROOT / "tests/domains").glob("*/rules")]:
        folders = {path.parent.relative_to(rules).as_posix() for path in rules.rglob("*.mg")}
        layers = {"schema", "pipeline"} if rules == ROOT / "rules" else {"schema", "policy", "domain", "effects"}
        expect(folders and folders <= layers, f"{rules}: {folders}")  # P-EVAL-17
    told = check(fixture_with({"rules/loose.mg": "zz_loose(1).\n"}), 1)
    expect("rules/loose.mg: error: this rule file is in no layer" in told, told)


NANOS_SCHEMA = 'Decl zz_at(N) descr [doc("An instant."), direction("input")] bound [/number].\n'
NANOS_RULES = """
tool_relevant_to_intent("fx_present", "fx.vary", 95) :-
  zz_at(N), At = fn:time:from_unix_nanos(N), fx_event(_, _)@[At].
tool_relevant_to_intent("fx_recent", "fx.vary", 94) :-
  zz_at(N), fx_event(_, _)@[At], N = fn:time:to_unix_nanos(At).
"""


def test_nanoseconds_of_facts_and_of_annotations_can_be_compared():
    s = Session(domain=fixture_with({"rules/schema/90_nanos.mg": NANOS_SCHEMA,
                                     "rules/domain/90_nanos.mg": NANOS_RULES}))
    formats = s.manifest["payload"]["facts_profile"]["time_formats"]
    expect("epoch_ns" in formats, f"{formats}")
    at = 1783166400000000001
    for spelt in ({"nanos": at}, {"nanos": {"_type": "int64", "value": str(at)}}, "2026-07-04T12:00:00.000000001Z"):
        happened = {**fact("fx_event", "door", "open"), "t": {"at": spelt}}
        for n, there in ((at, True), (at - 1, False), (at + 1, False)):  # P-TIME-5
            column = fact("zz_at", {"_type": "int64", "value": str(n)})
            got = set(names(s.ask(intent("fx.vary", [happened, column])))) & {"fx_present", "fx_recent"}
            equal(got, {"fx_present", "fx_recent"} if there else set(), f"{spelt} and {n - at:+}")
    s.end()
    documented = (ROOT / "docs/builtins.md").read_text()
    expect("fn:time:from_unix_nanos" in documented and "fn:time:to_unix_nanos" in documented, "documentation")


def test_there_are_no_external_predicates_and_a_domain_cannot_declare_one():
    equal(session().manifest["payload"]["capabilities"]["external_predicates"], [], "in the manifest")  # P-DET-5
    folder = fixture_with({"rules/domain/90_external.mg":
                           'Decl zz_now(T)\n  descr [external(), mode("-")] bound [/any].\n'
                           'tool_relevant_to_intent("fx_echo", "fx.rank", 90) :- zz_now(_).\n'})
    told = check(folder, 1)  # or its answers would count as those of facts that nobody marks
    expect("rules/domain/90_external.mg:1:6: error: nothing here answers zz_now, which is external" in told, told)


def test_no_message_carries_clauses():
    clause = {"head": {"predicate": "stuffy", "args": [{"type": "variable", "name": "Zone"}]},
              "body": [{"predicate": "alarm", "args": [{"type": "wildcard"}]}]}
    m = session().manifest["payload"]
    expect(not m["capabilities"].get("rule_submission", False), "rule_submission")
    advertised = [key for key in m.get("extensions", {}) if "clause" in key or "rule" in key]
    equal(advertised, [], "extensions")  # P-SCHEMA-11, D-69
    for kind in ("submit_rule", "clause"):
        refused(session().ask(request(kind, clause)), "invalid_type")
    refused(session().ask(intent("fx.rank", [clause])), "invalid_facts")


# ---- where it is heard of

def sockets_of(pid):
    found = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.add(os.readlink(fd))
        except FileNotFoundError:
            pass  # closed meanwhile
    return found


def sockets_in(pid, *tables):
    lines = [line for t in tables for line in pathlib.Path(f"/proc/{pid}/net/{t}").read_text().splitlines()[1:]]
    return {f"socket:[{line.split()[9]}]" for line in lines}


def test_a_listener_announces_itself_to_nobody():
    """Not by DNS-SD: it has no socket that could."""
    l = Listener("--open-demo")
    pid = l.program.process.pid
    own = sockets_of(pid)
    expect(own & sockets_in(pid, "tcp"), "its listening socket is not to be seen")
    equal(own & sockets_in(pid, "udp", "udp6"), set(), "sockets for datagrams")  # P-DISC-5: so P-DISC-6 asks nothing
    l.stop()


run(globals())

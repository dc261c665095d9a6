"""Intents: what the manifest promises, which tools come out, at which level, within which limits."""
import datetime
import random

from blackbox import *

NOW = "2026-07-04T12:00:00Z"


def ask(name, *facts, **members):
    return session().ask(intent(name, facts, **members))


def at(seconds):
    base = datetime.datetime(2026, 7, 4, 12, tzinfo=datetime.timezone.utc)
    return (base + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def event(t=None, name="door", kind="open"):
    return fact("fx_event", name, kind, **({} if t is None else {"t": t}))


def score(tool, points):
    return fact("fx_score", tool, points)


def levels(message):
    return {t["name"]: t["disclosure_level"] for t in message["payload"]["macro_tools"]}


def steady(message):
    """The payload without what may differ between two equal requests."""
    payload = dict(message["payload"])
    for member in ("eval_duration_ms", "eval_time_used"):
        payload.pop(member, None)
    return payload


def evaluated(message):
    return message["payload"]["diagnostics"]["facts_evaluated"]


# ---- the manifest --------------------------------------------------------------------------

def manifest():
    return session().manifest["payload"]


def test_the_manifest_has_its_parts():
    m = manifest()
    for member in ("server_name", "server_version"):  # P-MAN-4
        expect(m[member], member)
    expect(re.fullmatch(r"\d+\.\d+\.\d+.*", m["server_version"]), "server_version")  # P-MAN-5
    equal(m["protocol"]["manglecp"], VERSION, "protocol.manglecp")  # P-MAN-6
    expect(VERSION in m["protocol"]["supported_versions"], "supported_versions")  # P-MAN-7, P-LEVEL-10
    expect(m["protocol"]["conformance_level"] in (1, 2, 3), "level")  # P-MAN-8, P-LEVEL-1
    expect(m["protocol"]["conformance_level"] >= 2, "contracts 3 and 4 hold here: see below")  # D-29
    equal(m["status"], "ready", "status")  # P-MAN-9
    expect(m["domain"]["id"] and m["domain"]["description"], "domain")  # P-MAN-10
    equal(m["domain"]["categories"], ["testing", "x-fixture"], "categories")  # P-MAN-11
    equal(m["domain"]["affinities"], {"testing": 100}, "affinities")  # P-MAN-12
    expect(isinstance(m["capabilities"]["temporal"], bool), "temporal")  # P-MAN-21
    expect(all(key.startswith("x-") for key in m.get("extensions", {})), "extensions")  # P-MAN-28
    expect(isinstance(m["capabilities"].get("aggregation", True), bool), "aggregation")  # P-MAN-22
    expect(isinstance(m["facts_profile"].get("schema_uri"), (str, type(None))), "schema_uri")  # P-MAN-20
    for external in m["capabilities"].get("external_predicates", []):  # P-MAN-24
        expect(external["predicate"] and isinstance(external["arity"], int), f"{external}")
        expect(external["description"], f"{external}")
        more = set(external) - {"predicate", "arity", "description", "deterministic"}  # P-MAN-23
        expect(all(key.startswith("x-") for key in more), f"{external}")
    for later in ("rule_submission", "subscriptions"):  # P-MAN-29
        equal(m["capabilities"].get(later, False), False, later)


def test_the_manifest_lists_intents_with_what_they_need():
    entries = {i["name"]: i for i in manifest()["intents"]}  # P-MAN-15
    expect(all(e["description"] for e in entries.values()), "a description is missing")  # P-MAN-16
    equal(entries["fx.echo"]["required_facts"], ["fx_basic"], "required_facts")
    equal(entries["fx.recent"]["optional_facts"], ["fx_event"], "optional_facts")
    known = {p["predicate"] for p in manifest()["facts_profile"]["predicates"]}
    for entry in entries.values():  # P-SCHEMA-10
        for name in entry.get("required_facts", []) + entry.get("optional_facts", []):
            expect(name in known or name == "fx_undeclared_but_listed", f"no schema of {name}")


def test_the_manifest_gives_limits():
    limits = manifest()["limits"]  # P-MAN-25
    expect(limits["max_message_bytes"] >= 16777216, "max_message_bytes")
    for member in ("max_facts_per_request", "max_derived_facts"):
        expect(isinstance(limits[member], int) and limits[member] > 0, member)


def test_the_facts_profile_is_what_the_rules_declare():
    profile = manifest()["facts_profile"]
    expect(set(profile["time_formats"]) <= {"rfc3339", "epoch_ms", "epoch_ns"}, "time_formats")
    expect("rfc3339" in profile["time_formats"], "rfc3339")  # P-TIME-6
    entries = {p["predicate"]: p for p in profile["predicates"]}  # P-MAN-19
    for p in entries.values():
        expect(isinstance(p["arity"], int), f"{p}")  # P-SCHEMA-1
        equal(len(p["arg_types"]), p["arity"], f"arg_types of {p}")  # P-SCHEMA-2
        expect(set(p["arg_types"]) <= {"string", "number", "boolean", "any"}, f"{p}")  # P-SCHEMA-3
        expect(p.get("direction", "both") in ("input", "output", "both"), f"{p}")  # P-SCHEMA-6
        if "arg_names" in p:  # P-SCHEMA-4
            equal(len(set(p["arg_names"])), p["arity"], f"arg_names of {p}")
        expect(re.fullmatch(r"[a-z][a-z0-9_]{0,127}", p["predicate"]), f"{p}")  # P-FACT-3
    basic = entries["fx_basic"]
    equal(basic["arg_types"], ["string", "number", "boolean", "any"], "arg_types")
    equal(basic["arg_names"], ["tag", "n", "on", "x"], "arg_names")
    expect(not basic.get("temporal"), "fx_basic is temporal")
    expect(entries["fx_event"]["temporal"], "fx_event is not temporal")
    expect("arg_names" not in entries["fx_noname"], "fx_noname has names")
    equal(entries["fx_out"]["direction"], "output", "direction of fx_out")
    equal(manifest()["capabilities"].get("named_args"), True, "named_args")  # P-FACT-16


def test_the_manifest_names_no_tool():
    text = json.dumps(manifest())
    tools = set()
    for entry in manifest()["intents"]:
        if entry["name"] in ("fx.runaway", "fx.slow"):
            continue
        answer = ask(entry["name"], *[BASIC, event(), fact("fx_needs_skill", "x"), score("fx_pair_a", 50)])
        if answer["type"] == "intent_response":
            tools |= {t["name"] for t in answer["payload"]["macro_tools"]}
            tools |= {t["macro_id"] for t in answer["payload"]["macro_tools"]}
    expect(len(tools) > 40, f"only {len(tools)} names were seen")
    equal([t for t in tools if t in text], [], "names in the manifest")  # P-MAN-1


def test_the_manifest_is_enough_to_ask():
    samples = {"string": "x", "number": 1, "boolean": True, "any": "x"}
    schemas = {p["predicate"]: p for p in manifest()["facts_profile"]["predicates"]}
    for entry in manifest()["intents"]:  # P-MAN-2
        if entry["name"] in ("fx.runaway", "fx.slow"):
            continue
        facts = []
        for name in entry.get("required_facts", []) + entry.get("optional_facts", []):  # P-MAN-32
            types = schemas.get(name, {"arg_types": ["string"]})["arg_types"]
            facts.append(fact(name, *[samples[t] for t in types]))
        answer = ask(entry["name"], *facts)
        equal(answer["type"], "intent_response", entry["name"])


# ---- facts ---------------------------------------------------------------------------------

def test_named_and_positional_arguments_are_the_same_fact():
    named = {"pred": "fx_basic", "named_args": {"x": "x", "on": True, "n": 1, "tag": "tag"}}
    one = ask("fx.echo", named)  # P-FACT-10, P-FACT-11
    equal(names(one), ["fx_echo"], "tools")
    equal(evaluated(ask("fx.echo", named, BASIC)), evaluated(one), "facts")  # P-FACT-12
    equal(steady(one), steady(ask("fx.echo", BASIC)), "answers")


def test_json_kinds_stay_apart():
    base = evaluated(ask("fx.echo", BASIC))
    facts = [fact("fx_basic", "kind", 1, True, x) for x in (1, 1.0, "1", True, [1], {"k": 1})]
    equal(evaluated(ask("fx.echo", BASIC, *facts)), base + 6, "facts")  # P-FACT-20


def test_maps_have_no_order_and_lists_have():
    base = evaluated(ask("fx.echo", BASIC))
    two_maps = [fact("fx_basic", "m", 1, True, {"a": 1, "b": 2}),
                fact("fx_basic", "m", 1, True, {"b": 2, "a": 1})]
    two_lists = [fact("fx_basic", "l", 1, True, [1, 2]), fact("fx_basic", "l", 1, True, [2, 1])]
    equal(evaluated(ask("fx.echo", BASIC, *two_maps)), base + 1, "maps")  # P-FACT-21
    equal(evaluated(ask("fx.echo", BASIC, *two_lists)), base + 2, "lists")


def test_a_wrapped_small_integer_is_the_plain_one():
    base = evaluated(ask("fx.echo", BASIC))
    wrapped = fact("fx_basic", "tag", {"_type": "int64", "value": "1"}, True, "x")
    equal(evaluated(ask("fx.echo", BASIC, wrapped)), base, "facts")  # D-11


def test_arity_zero_takes_an_empty_list():
    base = evaluated(ask("fx.vary"))
    equal(evaluated(ask("fx.vary", fact("fx_flag"))), base + 1, "facts")  # P-FACT-6
    equal(evaluated(ask("fx.vary", {"pred": "fx_flag", "named_args": {}})), base + 1, "named")  # D-19


def test_provenance_changes_nothing():
    answers = [ask("fx.echo", {**BASIC, **({"source": s} if s else {})}, eval_time=NOW)
               for s in (None, {"source_type": "server"}, {"source_type": "client", "source_id": "c"},
                         {"source_type": "x-robot", "asserted_at": "now"})]
    for answer in answers[1:]:  # P-PROV-3, P-PROV-6
        equal(steady(answer), steady(answers[0]), "answer")
    base = evaluated(answers[0])
    three = [{**BASIC, "source": {"source_type": s}} for s in ("server", "client", "scan")]
    equal(evaluated(ask("fx.echo", *three)), base, "facts")  # P-PROV-7


def test_categories_change_nothing():
    answers = [ask("fx.echo", {**BASIC, **c}, eval_time=NOW)
               for c in ({}, {"category": None}, {"category": "session"}, {"category": "server"})]
    for answer in answers[1:]:  # P-PROV-8
        equal(steady(answer), steady(answers[0]), "answer")


def test_a_fact_is_gone_with_its_request():
    equal(names(ask("fx.recent", event())), ["fx_recent"], "with the fact")
    equal(names(ask("fx.recent")), [], "without")  # P-PROV-11, P-EVAL-2, P-MIN-11


def test_all_faults_come_in_one_answer():
    bad = [fact("fx_basic", 1), BASIC, fact("fx_out", "x"), fact("zz_unknown", 1)]
    answer = refused(ask("fx.echo", *bad), "invalid_facts")
    faults = answer["details"]["violations"]  # P-FACT-24, P-ERR-6, P-ERR-7
    equal([(v["fact_index"], v["predicate"], v["issue"]) for v in faults],
          [(0, "fx_basic", "arity_mismatch"), (2, "fx_out", "direction_violation"),
           (3, "zz_unknown", "unknown_predicate")], "violations")


def test_a_predicate_without_schema_that_an_intent_asks_for_is_taken():
    answer = ask("fx.free", fact("fx_undeclared_but_listed", 1, "x", True))  # D-16
    equal(answer["type"], "intent_response", f"{shown(answer)}")
    equal(refused(ask("fx.free"), "invalid_facts")["details"]["missing_facts"],
          ["fx_undeclared_but_listed"], "missing_facts")


# ---- time ----------------------------------------------------------------------------------

def test_one_instant_has_many_spellings():
    ms = 1783166400000
    for spelling in ("2026-07-04T12:00:00Z", "2026-07-04T17:30:00+05:30", "2026-07-04t12:00:00.000z",
                     "2026-07-04T12:00:00.000000000Z", ms, {"nanos": ms * 1000000},
                     {"nanos": {"_type": "int64", "value": str(ms * 1000000)}}):
        for seconds, wanted in ((299, ["fx_recent"]), (301, [])):  # P-TIME-2, P-TIME-3, P-TIME-4
            answer = ask("fx.recent", event({"at": spelling}), eval_time=at(seconds))
            equal(names(answer), wanted, f"{spelling} after {seconds} s")


def test_the_evaluation_time_is_the_rules_now():
    for seconds, wanted in ((240, ["fx_recent"]), (360, [])):  # P-TIME-13, P-DET-4
        answer = ask("fx.recent", event({"at": NOW}), eval_time=at(seconds))
        equal(names(answer), wanted, f"after {seconds} s")
        equal(answer["payload"]["eval_time_used"], at(seconds), "eval_time_used")  # P-TIME-15


def test_without_an_evaluation_time_the_clock_counts():
    before = datetime.datetime.now(datetime.timezone.utc)
    for members in ({}, {"eval_time": None}, {"eval_time": "now"}):
        used = ask("fx.rank", **members)["payload"]["eval_time_used"]  # P-TIME-14
        then = datetime.datetime.fromisoformat(used[:19] + "+00:00")
        expect(-2 < (then - before).total_seconds() < PATIENCE, used)


def test_the_four_forms_of_an_annotation():
    cases = [({"at": NOW}, 0, True), ({"at": NOW}, 1, False),  # P-TIME-7
             ({"start": at(-10), "end": at(10)}, 0, True), ({"start": at(-10), "end": at(10)}, 20, False),
             ({"start": at(-10), "end": "_"}, 9999, True), ({"start": at(-10), "end": "_"}, -20, False),
             ({"start": "_", "end": at(10)}, -9999, True), ({"start": "_", "end": at(10)}, 20, False),
             ({"start": "_", "end": "_"}, 5, True),
             ({"start": "_", "end": "now"}, 0, True),  # P-TIME-11
             ({"start": NOW, "end": NOW}, 0, True), ({"start": NOW, "end": NOW}, 1, False)]  # P-TIME-10
    for t, seconds, there in cases:
        answer = ask("fx.present", event(t), eval_time=at(seconds))
        equal(names(answer), ["fx_present"] if there else [], f"{t} at {seconds}")  # P-TIME-9


def test_a_fact_without_time_holds_at_all_times():
    for year in ("1990", "2100"):  # P-TIME-8, D-13
        for members in ({}, {"t": None}):
            answer = ask("fx.recent", {**event(), **members}, eval_time=f"{year}-01-01T00:00:00Z")
            equal(names(answer), ["fx_recent"], year)


def test_the_four_operators():
    minute = 60
    cases = [  # an interval around the evaluation time, in minutes: which operators hold (P-LEVEL-6, D-25)
        ((-1, -1), {"fx_past_some"}), ((1, 1), {"fx_future_some"}),
        ((-6, 6), {"fx_past_some", "fx_past_all", "fx_future_some", "fx_future_all"}),
        ((-6, 0), {"fx_past_some", "fx_past_all", "fx_future_some"}),
        ((0, 6), {"fx_past_some", "fx_future_some", "fx_future_all"}),
        ((-9, -8), set()), ((8, 9), set()), ((-4, 4), {"fx_past_some", "fx_future_some"}),
    ]
    for (start, end), wanted in cases:
        t = {"start": at(start * minute), "end": at(end * minute)}
        answer = ask("fx.window", event(t), eval_time=NOW)
        equal(set(names(answer)), wanted, f"from {start} to {end} minutes")


def test_a_window_ends_when_its_proof_does():
    answer = ask("fx.recent", event({"at": NOW}), eval_time=at(60))
    window = tool_of(answer)["validity"]
    equal(window["not_before"], at(60), "not_before")  # P-TOOL-16
    equal(window["expires_at"], at(300), "expires_at")  # P-TOOL-17
    expect("validity" not in tool_of(ask("fx.echo", BASIC)), "a window without temporal facts")


def test_the_latest_support_counts_and_a_setting_caps_it():
    two = [event({"at": NOW}), event({"at": at(40)})]
    equal(tool_of(ask("fx.recent", *two, eval_time=at(60)))["validity"]["expires_at"], at(340), "two events")  # D-40
    s = Session("--set", "validity.max=90s")
    window = tool_of(s.ask(intent("fx.recent", two, eval_time=at(60))))["validity"]
    equal((window["not_before"], window["expires_at"]), (at(60), at(150)), "capped")  # D-40
    s.end()


def test_very_old_events_change_nothing():
    ages = [1, 60, 3600, 86400 * 365, 86400 * 3650]
    some = ask("fx.recent", *[event({"at": at(-a)}) for a in ages], eval_time=NOW)
    few = ask("fx.recent", *[event({"at": at(-a)}) for a in ages[:2]], eval_time=NOW)
    equal([t["macro_id"] for t in some["payload"]["macro_tools"]],  # P-MIN-9
          [t["macro_id"] for t in few["payload"]["macro_tools"]], "tools")


# ---- contracts -----------------------------------------------------------------------------

SERVES = {"fx.echo": {"fx_echo"}, "fx.reflect": {"fx_reflect"}, "fx.pair": {"fx_pair_a", "fx_pair_b"},
          "fx.chain": {"fx_chain_t", "fx_chain_d", "fx_chain_e2"}, "fx.recent": {"fx_recent"},
          "fx.danger": {"fx_danger", "fx_danger_twin"}, "fx.bulk": {"fx_bulk"}, "fx.ten": {"fx_ten"},
          "fx.fail": {"fx_fail", "fx_partly", "fx_lies"}, "fx.skill": {"fx_skill", "fx_skill_helper"},
          "fx.mark": {"fx_mark"}, "fx.vary": {"fx_vary"}, "fx.hidden": set(), "fx.secret": set(),
          "fx.write": {"fx_write"}, "fx.blowup": set()}
EVERYTHING = [BASIC, event(), score("fx_pair_a", 80), score("fx_pair_b", 70),
              fact("fx_needs_skill", "everything"), fact("fx_seed", 1), fact("fx_choice", "red")]


def test_only_tools_of_the_intent_come_out():
    for name, wanted in SERVES.items():  # P-CONTRACT-1, P-CONTRACT-2
        got = set(names(ask(name, *EVERYTHING)))
        expect(got <= wanted, f"{name} gave {got}")


def test_no_answer_shows_all_tools():
    sets = {name: frozenset(names(ask(name, *EVERYTHING))) for name in SERVES}
    union = frozenset().union(*sets.values())
    expect(union not in sets.values(), "one answer shows everything")  # P-ENUM-2
    shown_sets = [s for s in sets.values() if s]
    equal(len(set(shown_sets)), len(shown_sets), "different sets")  # P-ENUM-3


def test_a_banned_tool_is_gone_at_every_level():
    for preference in ("full", "condensed", "minimal", "adaptive"):  # P-CONTRACT-3, P-CONTRACT-4
        answer = ask("fx.chain", fact("fx_ban", "fx_chain_t"),
                     options={"disclosure_preference": preference})
        equal(names(answer), [], preference)


def test_policy_stands_against_the_domain_and_clients():
    for facts in ([], [{**fact("fx_ban", "fx_echo"), "category": "server"}]):  # P-EVAL-5, P-EVAL-4
        equal(names(ask("fx.hidden", *facts)), [], "tools")
    expect("fx_hidden" not in names(ask("fx.rank")), "a hidden tool with score 100 came out")


def test_dependencies_come_along_or_nothing_does():
    answer = ask("fx.chain")  # P-CONTRACT-8, P-CONTRACT-10, D-31
    equal(names(answer), ["fx_chain_t", "fx_chain_d", "fx_chain_e2"], "tools")
    scores = [t["metadata"]["score"] for t in answer["payload"]["macro_tools"]]
    equal(scores, [100, 80, 80], "scores")
    phases = [t["metadata"]["selection_phase"] for t in answer["payload"]["macro_tools"]]
    equal(phases, ["skeleton", "dependency", "dependency"], "phases")
    for banned in ("fx_chain_e2", "fx_chain_d"):  # P-CONTRACT-9
        equal(names(ask("fx.chain", fact("fx_ban", banned))), [], f"without {banned}")


def test_of_two_that_clash_one_comes_out():
    draw = random.Random(11)
    for _ in range(100):  # P-CONTRACT-5, P-CONTRACT-6
        a, b = draw.randint(20, 100), draw.randint(20, 100)
        got = names(ask("fx.pair", score("fx_pair_a", a), score("fx_pair_b", b)))
        equal(got, ["fx_pair_a" if a >= b else "fx_pair_b"], f"{a} against {b}")


def test_a_tie_is_decided_the_same_way_every_time():
    facts = [score("fx_pair_a", 60), score("fx_pair_b", 60)]
    for _ in range(20):  # P-CONTRACT-7
        equal(names(ask("fx.pair", *facts)), ["fx_pair_a"], "winner")
    other = Session()
    equal(names(other.ask(intent("fx.pair", facts))), ["fx_pair_a"], "winner of another server")
    other.end()


def test_an_unknown_intent_gets_no_tools_and_no_error():
    equal(names(ask("zz.nothing", *EVERYTHING)), [], "tools")  # P-EVAL-10, P-MAN-18


def test_rules_that_feed_themselves_are_stopped():
    for members in ({}, {"constraints": {"max_intervals_per_atom": 100}}):
        answer = ask("fx.runaway", **members)  # P-EVAL-8, P-BUDGET-8
        expect(code_of(answer) in ("interval_limit_exceeded", "derivation_limit_exceeded",
                                   "evaluation_timeout"), f"{shown(answer)}")
    before = session().program.resident_kib()
    for _ in range(10):
        ask("fx.runaway")
    grown = session().program.resident_kib() - before
    expect(grown < 20000, f"{grown} KiB more after ten runs")


CIRCLE = """Decl ping(X) temporal. Decl pong(X) temporal.
ping("x")@[now] :- intent_type(_, "run").
ping(X)@[T] :- pong(X)@[T].
pong(X)@[Next] :- ping(X)@[T], Next = fn:time:add(T, fn:duration:parse("1s")).
"""


def circular_domain():
    folder = pathlib.Path(scratch())
    (folder / "rules/domain").mkdir(parents=True)
    (folder / "rules/domain/circle.mg").write_text(CIRCLE)
    (folder / "domain.yaml").write_text(
        "server: {name: circle, version: 0.0.1}\ndomain: {id: circle, description: Runs away}\n"
        "intents: [{name: run, description: Run away}]\n")
    return folder


def test_a_circle_through_time_does_not_load_unless_allowed():
    folder = circular_domain()
    program = Program(command(folder, "--stdio"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    program.wait(1)  # P-EVAL-7
    expect("circle.mg:3:" in program.log() and "without end" in program.log(), program.log())  # P-ERR-10
    s = Session("--set", "temporal.allow_dangerous=true", domain=folder)
    code = code_of(s.ask(intent("run")))
    expect(code in ("interval_limit_exceeded", "derivation_limit_exceeded"), f"{code}")  # P-BUDGET-8
    equal(s.ask(intent("zz.other"))["type"], "intent_response", "the next request")
    s.end()


def test_dangerous_recursion_is_refused_where_the_server_is_set_to():
    s = Session("--set", "temporal.strict=true")
    begun = time.monotonic()
    answer = refused(s.ask(intent("fx.runaway")), "invalid_temporal_pattern")  # P-EVAL-7, P-ERR-3, bad input 112
    expect(time.monotonic() - begun < 2, "it ran")
    equal(answer["details"]["predicates"], ["tick"], "predicates")
    expect(answer["details"]["hazard"], "no hazard")
    for name in ("fx.rank", "fx.window", "zz.other"):  # only those that set it off
        equal(s.ask(intent(name))["type"], "intent_response", name)
    s.end()
    listener = Listener("--open-demo", "--set", "temporal.strict=true")
    answer = listener.connect().post(intent("fx.runaway"))
    equal((answer.status, code_of(answer.message)), (401, "auth_required"), "permission comes first (gate 10b)")
    listener.stop()
    listener = Listener("--set", "temporal.strict=true", env={"MANGLECP_TOKEN": "t"})
    answer = listener.connect("t").post(intent("fx.runaway"))
    equal((answer.status, code_of(answer.message)), (400, "invalid_temporal_pattern"), "over HTTP")
    listener.stop()


def test_what_ran_long_is_what_is_named():
    # The domain has temporal recursion, but it is not what took the time.
    answer = refused(ask("fx.slow", constraints={"max_compute_ms": 50}), "evaluation_timeout")
    expect("hazard" not in answer["details"] and "time." not in answer["message"], f"{shown(answer)}")
    s = Session()
    answer = s.ask(intent("fx.runaway", constraints={"max_compute_ms": 300, "max_intervals_per_atom": 10 ** 7,
                                                    "max_facts_created": 10 ** 9}))["payload"]
    expect("hazard" in answer["details"], f"{shown(answer)}")
    s.end()
    expect("rules/domain/20_load.mg:" in s.program.log(), f"no place in the log: {s.program.log()}")


# ---- budgets -------------------------------------------------------------------------------

def test_a_run_away_ends_within_its_time():
    begun = time.monotonic()
    code = code_of(ask("fx.runaway", constraints={"max_compute_ms": 200,
                                                 "max_intervals_per_atom": 1000}))
    expect(code, "no error")  # P-BUDGET-4
    expect(time.monotonic() - begun < (10 if SANITIZED else 3), "it took long")


def test_the_time_limit_is_kept():
    begun = time.monotonic()
    answer = refused(ask("fx.slow", constraints={"max_compute_ms": 50}), "evaluation_timeout")
    expect(time.monotonic() - begun < (10 if SANITIZED else 3), "it took long")  # P-BUDGET-9
    equal(answer["details"]["budget"]["limit"], 50, "limit")


def test_the_stricter_limit_counts():
    seeds = [fact("fx_seed", n) for n in range(400)]
    tight = refused(ask("fx.blowup", *seeds, constraints={"max_facts_created": 10}),
                    "derivation_limit_exceeded")
    equal(tight["details"]["budget"]["limit"], 10, "limit")  # P-BUDGET-2
    expect("macro_tools" not in tight, "tools beside an error")  # P-CONTRACT-12
    for members in ({}, {"constraints": {"max_facts_created": 10 ** 9}}):
        own = refused(ask("fx.blowup", *seeds, **members), "derivation_limit_exceeded")
        equal(own["details"]["budget"]["limit"], 100000, "limit")  # P-BUDGET-12


def test_a_budget_of_exactly_the_need_is_enough():
    seeds = [fact("fx_seed", n) for n in range(10)]
    need = ask("fx.blowup", *seeds)["payload"]["diagnostics"]["facts_derived"]
    expect(need >= 100, f"{need} facts for 100 pairs")
    equal(names(ask("fx.blowup", *seeds, constraints={"max_facts_created": need})), [], "tools")  # D-28
    answer = refused(ask("fx.blowup", *seeds, constraints={"max_facts_created": need - 1}),
                     "derivation_limit_exceeded")  # P-CONTRACT-11
    expect(answer["details"]["budget"]["consumed"] >= need - 1, f"{answer['details']}")


def test_shape_is_judged_before_anything_is_evaluated():
    begun = time.monotonic()
    refused(ask("fx.slow", params={"size": 900}, options={"disclosure_preference": "loud"}),
            "malformed_message")  # P-EVAL-1
    refused(ask("fx.slow", fact("fx_basic", 1), params={"size": 900}), "arity_mismatch")
    expect(time.monotonic() - begun < (5 if SANITIZED else 2), "it took long")


def test_missing_constraints_are_the_servers():
    absent = {name: None for name in ("max_facts_created", "max_intervals_per_atom", "max_compute_ms",
                                      "max_tools_returned", "max_tokens_budget")}
    answers = [ask("fx.rank", **m) for m in ({}, {"constraints": {}}, {"constraints": absent},
                                             {"constraints": None})]
    for answer in answers[1:]:  # P-BUDGET-3
        equal(steady(answer), steady(answers[0]), "answer")


def test_intervals_are_counted_after_they_are_joined():
    def events(gap):
        return [event({"start": at(gap * n), "end": at(gap * n + 1)}) for n in range(50)]
    apart = ask("fx.present", *events(3), constraints={"max_intervals_per_atom": 10}, eval_time=NOW)
    limit = refused(apart, "interval_limit_exceeded")["details"]["budget"]  # P-BUDGET-7
    equal(limit["limit"], 10, "limit")
    joined = ask("fx.present", *events(1), constraints={"max_intervals_per_atom": 10}, eval_time=NOW)
    equal(names(joined), ["fx_present"], "touching intervals")  # P-MIN-10, D-26


def test_the_number_of_facts_is_limited():
    equal(names(ask("fx.echo", *[BASIC] * 10000)), ["fx_echo"], "exactly the limit")  # P-BUDGET-10


def test_the_number_of_tools_is_limited():
    for most in (0, 1, 3, 9, 50):  # P-BUDGET-11
        got = names(ask("fx.rank", constraints={"max_tools_returned": most}))
        equal(len(got), min(most, 9), f"tools with at most {most}")
        equal(got, names(ask("fx.rank"))[:most], "the best")
    equal(names(ask("fx.chain", constraints={"max_tools_returned": 2})), [], "a torn bundle")  # D-34


# ---- disclosure ----------------------------------------------------------------------------

RANKED = {f"fx_rank_{n}": ("full" if n >= 70 else "condensed" if n >= 40 else "minimal")
          for n in (95, 75, 70, 69, 45, 40, 39, 25, 20)}


def test_levels_follow_scores():
    equal(levels(ask("fx.rank")), RANKED, "levels")  # P-DISC-LVL-7, P-MIN-7
    adaptive = ask("fx.rank", options={"disclosure_preference": "adaptive"})
    equal(steady(adaptive), steady(ask("fx.rank")), "adaptive")  # P-DISC-LVL-6


def test_a_preference_is_one_level_for_all():
    for level in ("full", "condensed", "minimal"):  # P-DISC-LVL-5
        got = levels(ask("fx.rank", options={"disclosure_preference": level}))
        equal(set(got.values()), {level}, "levels")
        equal(set(got), set(RANKED) | {"fx_rank_19"}, "tools")  # D-32


def test_cut_offs_are_settings():
    s = Session("--set", "disclosure.full=90", "--set", "disclosure.condensed=60",
                "--set", "disclosure.minimal=30")
    got = levels(s.ask(intent("fx.rank")))  # P-DISC-LVL-8
    wanted = {f"fx_rank_{n}": l for n, l in ((95, "full"), (75, "condensed"), (70, "condensed"),
                                             (69, "condensed"), (45, "minimal"), (40, "minimal"),
                                             (39, "minimal"))}
    equal(got, wanted, "levels")
    s.end()


def test_one_tool_can_be_asked_for_in_full():
    wanted = tool_of(ask("fx.rank"), "fx_rank_25")["macro_id"]
    upgrade = fact("disclosure_upgrade", wanted)  # P-DISC-LVL-9
    got = levels(ask("fx.rank", upgrade))
    equal(got, {**RANKED, "fx_rank_25": "full"}, "levels")  # P-DISC-LVL-10
    stays = ask("fx.rank", fact("disclosure_upgrade", "nothing-000000000000"))
    equal(levels(stays), RANKED, "levels after an unknown id")  # D-36


def test_a_token_budget_demotes_from_below():
    def size(message):
        return len(json.dumps(message["payload"]["macro_tools"], separators=(",", ":")))
    whole = ask("fx.rank")
    order = {"full": 2, "condensed": 1, "minimal": 0}
    before = levels(whole)
    for budget in range(size(whole) // 4 + 50, 0, -25):  # P-TOKEN-1, P-TOKEN-2, D-33
        answer = ask("fx.rank", constraints={"max_tokens_budget": budget})
        expect(size(answer) / 4 <= budget or not names(answer), f"{size(answer)} bytes for {budget}")
        got = levels(answer)
        for name, level in got.items():
            expect(order[level] <= order[before[name]], f"{name} rose to {level}")
        ranked = [order[level] for level in got.values()]
        equal(ranked, sorted(ranked, reverse=True), "levels by score")
        before = got
    equal(names(ask("fx.rank", constraints={"max_tokens_budget": 0})), [], "no budget")  # D-27


def test_what_was_asked_for_in_full_is_demoted_last():
    upgrade = fact("disclosure_upgrade", tool_of(ask("fx.rank"), "fx_rank_25")["macro_id"])
    seen = set()
    for budget in range(1200, 0, -20):  # D-33
        got = levels(ask("fx.rank", upgrade, constraints={"max_tokens_budget": budget}))
        others = {level for name, level in got.items() if name != "fx_rank_25"}
        if others - {"minimal"}:
            equal(got["fx_rank_25"], "full", f"level within {budget} tokens")
        seen.add((got.get("fx_rank_25"), frozenset(others)))
    expect(("full", frozenset({"minimal"})) in seen, f"it was never the last in full: {seen}")
    expect(any(level == "minimal" for level, _ in seen), "it was never demoted")


# ---- determinism ---------------------------------------------------------------------------

def test_a_hundred_repeats_are_equal():
    facts = EVERYTHING
    for name in ("fx.rank", "fx.pair", "fx.chain", "fx.skill"):
        first = steady(ask(name, *facts, eval_time=NOW))
        for _ in range(100):  # P-DET-1, P-DET-2, P-DET-3, P-CONTRACT-13, P-EVAL-3, P-TOOL-2
            equal(steady(ask(name, *facts, eval_time=NOW)), first, name)


def test_order_changes_nothing():
    draw = random.Random(5)
    facts = EVERYTHING + [event({"at": at(-n)}) for n in range(20)]
    def shuffled(value):
        if isinstance(value, dict):
            members = [(k, shuffled(v)) for k, v in value.items()]
            draw.shuffle(members)
            return dict(members)
        return value
    first = steady(ask("fx.skill", *facts, eval_time=NOW))
    for _ in range(50):  # P-DET-6
        draw.shuffle(facts)
        message = shuffled(intent("fx.skill", facts, eval_time=NOW))
        equal(steady(session().ask(message)), first, "answer")


def test_another_server_gives_the_same_ids():
    other = Session()
    for name in ("fx.rank", "fx.echo", "fx.danger"):  # P-TOOL-2, P-TOOL-3
        equal([t["macro_id"] for t in other.ask(intent(name, EVERYTHING))["payload"]["macro_tools"]],
              [t["macro_id"] for t in ask(name, *EVERYTHING)["payload"]["macro_tools"]], name)
    other.end()


def test_an_id_follows_what_the_tool_is_made_of():
    plain = tool_of(ask("fx.vary"))
    equal(tool_of(ask("fx.vary", BASIC, eval_time=NOW))["macro_id"], plain["macro_id"], "irrelevant fact")
    longer = tool_of(ask("fx.vary", fact("fx_extra")))
    narrow = tool_of(ask("fx.vary", fact("fx_choice", "red")))
    ids = {plain["macro_id"], longer["macro_id"], narrow["macro_id"]}
    equal(len(ids), 3, "different ids")  # P-TOOL-3, P-TOOL-21
    equal(narrow["input_schema"]["properties"]["value"]["enum"], ["red"], "enum")
    both = tool_of(ask("fx.vary", fact("fx_choice", "red"), fact("fx_choice", "blue")))
    equal(sorted(both["input_schema"]["properties"]["value"]["enum"]), ["blue", "red"], "enum")


# ---- tools and context ---------------------------------------------------------------------

def test_effects_are_true():
    danger = tool_of(ask("fx.danger"), "fx_danger")["safety"]  # P-TOOL-11, P-CONF-7
    equal((danger["side_effects"], danger["requires_user_confirmation"]), (["destructive"], True), "danger")
    echo = tool_of(ask("fx.echo", BASIC))["safety"]
    equal((echo["side_effects"], echo["requires_user_confirmation"]), (["none"], False), "echo")  # D-39
    write = tool_of(ask("fx.write"))["safety"]
    equal((write["side_effects"], write["requires_user_confirmation"]), (["filesystem"], True), "write")


def test_ten_steps_hide_behind_one_parameter():
    tool = tool_of(ask("fx.ten"))
    expect(len(tool["input_schema"]["properties"]) <= 3, "properties")  # P-TOOL-8
    expect("AID." not in json.dumps(tool), "an action shows")


def test_a_skill_comes_when_it_is_needed():
    without = ask("fx.skill")  # P-SKILL-3
    equal(without["payload"].get("required_skills", []), [], "skills")
    expect(not tool_of(without, "fx_skill").get("context_injection"), "context without need")
    answer = ask("fx.skill", fact("fx_needs_skill", "testing"))
    skills = tool_of(answer, "fx_skill")["context_injection"]["skills"]
    equal([s["skill_id"] for s in skills], ["fx-skill"], "skills")  # P-SKILL-4
    text = (FIXTURE / "skills/fx-skill/SKILL.md").read_text().split("---\n")[2]
    equal(skills[0]["content"].strip(), text.strip(), "content")
    expect(not tool_of(answer, "fx_skill_helper").get("context_injection", {}).get("skills"),
           "a skill for a tool that needs none")  # P-SKILL-5, P-MIN-5


def test_context_speaks_of_this_situation():
    one = tool_of(ask("fx.skill", fact("fx_needs_skill", "rain")), "fx_skill")["context_injection"]
    two = tool_of(ask("fx.skill", fact("fx_needs_skill", "snow")), "fx_skill")["context_injection"]
    equal(one["instructions"], "The skill is needed because of rain.", "instructions")  # P-CTX-5
    expect(two["instructions"] != one["instructions"], "the same instructions")
    resources = one["context_resources"]
    equal([r["uri"] for r in resources], ["s3://fx-bucket/first.json", "notes/second.md"], "uris")  # P-CTX-2, P-CTX-9
    expect(len(one["instructions"]) / 4 < 200, "long instructions")  # P-TOKEN-3


def test_context_is_for_tools_in_full():
    for level in ("condensed", "minimal"):  # P-CTX-1
        answer = ask("fx.skill", fact("fx_needs_skill", "x"), options={"disclosure_preference": level})
        equal(answer["payload"].get("required_skills", []), [], f"skills with {level}")


def test_nothing_is_said_on_every_occasion():
    seen = []
    for name in SERVES:
        context = [t.get("context_injection", {}) for t in ask(name, *EVERYTHING)["payload"]["macro_tools"]]
        if context:
            seen.append(({c.get("instructions") for c in context} - {None},
                         {s["skill_id"] for c in context for s in c.get("skills", [])}))
    for what in zip(*seen):  # P-CTX-7, P-CTX-8
        equal(set.intersection(*what), set(), "said for every intent")


def test_a_long_skill_is_a_reference():
    answer = ask("fx.skill", fact("fx_needs_skill", "long"))  # P-SKILL-8
    inline = {s["skill_id"]: s["inline"]
              for s in tool_of(answer, "fx_skill")["context_injection"]["skills"]}
    equal(inline, {"fx-skill": True, "fx-long": False}, "inline")
    referenced = {s["skill_id"]: s for s in answer["payload"]["required_skills"]}
    equal(referenced["fx-long"]["name"], "A long skill", "name")  # P-SKILL-2, D-66


def test_under_pressure_context_goes_first():
    facts = [fact("fx_needs_skill", "x")]
    whole = ask("fx.skill", *facts)
    budget = len(json.dumps(whole["payload"]["macro_tools"], separators=(",", ":"))) // 4
    seen = set()
    for tokens in range(budget + 120, 60, -10):
        answer = ask("fx.skill", *facts, constraints={"max_tokens_budget": tokens})
        tools = [t for t in answer["payload"]["macro_tools"] if t["name"] == "fx_skill"]
        if not tools or tools[0]["disclosure_level"] != "full":
            break
        context = tools[0].get("context_injection", {})
        seen.add((tuple(s["inline"] for s in context.get("skills", [])),
                  tuple(r["uri"] for r in context.get("context_resources", []))))
    states = {inline for inline, _ in seen}
    expect((True,) in states and (False,) in states, f"{seen}")  # P-TOKEN-4
    kept = {uris for _, uris in seen}
    expect(("s3://fx-bucket/first.json",) in kept, f"the highest priority does not survive: {kept}")  # P-TOKEN-5


# ---- hints ---------------------------------------------------------------------------------

def hinted(name, *facts):
    return ask(name, *facts, options={"include_proof_hints": True})


def test_hints_come_when_asked_for():
    for options in ({}, {"include_proof_hints": False}):  # P-PROOF-2, P-MIN-8
        expect(not ask("fx.rank", options=options)["payload"].get("proof_hints"), "unasked hints")
    answer = hinted("fx.chain")
    derivations = answer["payload"]["proof_hints"]["derivations"]
    equal({d["macro_id"] for d in derivations},  # P-PROOF-3
          {t["macro_id"] for t in answer["payload"]["macro_tools"]}, "derivations")
    for d in derivations:
        for name in d["rule_chain"]:  # P-PROOF-5
            expect(re.fullmatch(r"[a-z][a-z0-9_]*", name), f"rule_chain {d['rule_chain']}")
        expect(d["selected_by"] in ("skeleton", "flesh", "dependency"), f"{d}")
        expect(0 <= d["score"] <= 100, f"{d}")


def test_hints_show_phase_score_and_chain():
    answer = hinted("fx.skill", fact("fx_needs_skill", "x"))
    one = next(d for d in answer["payload"]["proof_hints"]["derivations"]
               if d["macro_id"] == tool_of(answer, "fx_skill")["macro_id"])
    equal((one["selected_by"], one["score"]), ("flesh", 90), "phase and score")  # P-PROOF-6
    expect("tool_relevant_to_intent" in one["rule_chain"], f"{one['rule_chain']}")
    recent = hinted("fx.recent", event())["payload"]["proof_hints"]["derivations"][0]
    equal([(f["pred"], f["args"]) for f in recent["supporting_facts"]], [("fx_event", ["door", "open"])],
          "supporting facts")


def test_no_derived_node_of_a_tree_is_of_a_predicate_that_clients_send():
    inputs = {p["predicate"] for p in manifest()["facts_profile"]["predicates"]
              if p.get("direction") == "input"}
    def walk(node):
        expect(node["type"] in ("server", "session", "derived"), f"{node}")  # P-PROOF-7
        name = node["fact"].split("(")[0]
        expect(node["type"] != "derived" or name not in inputs, f"{node}")  # P-SCHEMA-8
        for child in node.get("children", []):
            walk(child)
    trees = 0
    for name in ("fx.echo", "fx.chain", "fx.pair", "fx.recent"):
        for one in hinted(name, *EVERYTHING)["payload"]["proof_hints"]["derivations"]:
            if "tree" in one:
                walk(one["tree"])
                trees += 1
    expect(trees or "tree" not in json.dumps(hinted("fx.echo", BASIC)), "no tree was seen")


def test_hints_and_errors_name_nothing_that_policy_hides():
    texts = [json.dumps(hinted(name, *EVERYTHING, fact("fx_ban", "fx_echo")))
             for name in ("fx.rank", "fx.hidden", "fx.secret", "fx.echo", "fx.chain")]
    texts += [json.dumps(session().ask(m)) for m in (
        invoke("fx_hidden"), intent("fx.echo"), intent("fx.echo", [fact("fx_hiden", 1)]),
        invoke("fx-hidden-000000000000"))]
    for text in texts:
        for secret in ("policy-reason-0c55", "needs the privilege", "marker-7f3e9c41", ":-", str(FIXTURE)):
            expect(secret not in text, f"{secret} in {shown(text)}")  # P-PROOF-4, P-OBS-9
    for text in texts[:5]:
        for hidden in ("fx_hidden", "fx_secret"):  # P-ENUM-4
            expect(hidden not in text.replace("fx.hidden", "").replace("fx.secret", ""), shown(text))


def test_the_loser_of_a_conflict_is_named_and_so_is_an_unused_fact():
    answer = hinted("fx.pair", score("fx_pair_a", 80), score("fx_pair_b", 60), fact("fx_noname", "a", 1))
    hints = answer["payload"]["proof_hints"]  # P-PROOF-8
    equal([(e["candidate"], e["excluded_by"]) for e in hints.get("excluded", [])],
          [("fx_pair_b", "conflict")], "excluded")
    expect("fx_noname" in [u["pred"] for u in hints.get("unmatched_facts", [])],
           f"unmatched: {shown(hints)}")


def test_coverage_adds_up_when_it_is_on():
    diagnostics = ask("fx.rank")["payload"].get("diagnostics", {})
    expect("rule_coverage" not in diagnostics, "coverage")  # P-COV-4
    s = Session("--set", "coverage=true")
    answer = s.ask(intent("fx.rank"))
    got = answer["payload"]["diagnostics"]["rule_coverage"]  # P-COV-1, P-COV-3, P-COV-5
    equal(got["rules_fired"] + got["rules_dormant"] + got["rules_inapplicable"], got["total_rules"], "sum")
    for detail in got.get("dormant_details", []):
        expect(detail["status"] in ("partially_alive", "dead"), f"{detail}")
        expect(detail["missing_predicates"], f"{detail}")
    for message in (intent("fx.chain"), intent("fx.skill", [fact("fx_needs_skill", "x")])):  # P-EVAL-15
        with_it, without = steady(s.ask(message)), steady(session().ask(message))
        expect(with_it.pop("diagnostics") != without.pop("diagnostics"), "it is not on")
        equal(with_it, without, "beside the diagnostics")
    several = [fact("fx_choice", str(n)) for n in range(50)]
    told = s.ask(intent("fx.vary", several))["payload"]["diagnostics"]  # D-63: rules here, activations there
    expect(0 < told["rule_coverage"]["rules_fired"] < 40 and told["rules_fired"] >= 50, f"{shown(told)}")
    s.end()


def test_a_rule_decides_and_no_code():
    folder = pathlib.Path(scratch()) / "domain"
    shutil.copytree(FIXTURE, folder)
    rules = folder / "rules/domain/10_tools.mg"
    rules.write_text(rules.read_text().replace('"fx_rank_95", "fx.rank", 95', '"fx_rank_95", "fx.rank", 5')
                     + 'conflicts_with("fx_rank_75", "fx_rank_70").\n')
    s = Session(domain=folder)
    got = names(s.ask(intent("fx.rank")))  # P-EVAL-16
    equal(got, [n for n in RANKED if n not in ("fx_rank_95", "fx_rank_70")], "tools")
    s.end()


def test_no_type_or_tool_lists_tools():
    for kind in ("list_tools", "tools/list", "list", "describe", "manifest"):  # P-ENUM-1
        refused(session().ask({**good(), "type": kind}), "invalid_type")


run(globals())

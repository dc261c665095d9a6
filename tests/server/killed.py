"""kill -9 at every step boundary of a chain: the journal tells the truth, and nothing runs twice."""
import random
import sqlite3

from worlds import *

TOOL = """
- tool: zz_steps
  summary: Looks, then does three things.
  description: Looks, then does three things, each of which is there to be seen.
  input_schema: {type: object, required: [stop], properties: {stop: {type: string}}}
  steps:
    - {id: look, action: AID.GATED.LOOK.v1, inputs: {file: {from: settings.journal}, name: look, stop: {from: args.stop}}}
    - {id: a, action: AID.GATED.ACT.v1, inputs: {file: {from: settings.journal}, name: a, stop: {from: args.stop}}}
    - {id: b, action: AID.GATED.ACT.v1, inputs: {file: {from: settings.journal}, name: b, stop: {from: args.stop}}}
    - {id: c, action: AID.GATED.ACT.v1, inputs: {file: {from: settings.journal}, name: c, stop: {from: args.stop}}}
  result: {done: {from: steps.c.output.name}}
- tool: zz_look
  summary: Looks.
  description: Looks, and does nothing else.
  input_schema: {type: object, required: [stop], properties: {stop: {type: string}}}
  steps:
    - {id: look, action: AID.GATED.LOOK.v1, inputs: {file: {from: settings.journal}, name: look, stop: {from: args.stop}}}
  result: {done: {from: steps.look.output.name}}
"""
RULES = """
tool_relevant_to_intent("zz_steps", "fx.vary", 96).
tool_relevant_to_intent("zz_look", "fx.vary", 95).
"""
STEPS = ["look", "a", "b", "c"]


class World(Gated):
    def __init__(self, *options, **more):
        super().__init__({"tools/zz_steps.yaml": TOOL, "rules/domain/95_steps.mg": RULES}, *options, **more)


def parts(details):
    return tuple(details[name] for name in ("completed_steps", "failed_steps", "indeterminate_steps", "skipped_steps"))


def is_truth(w, details):
    """What is said to have run did, once; what is said not to have did not."""
    counts = w.counts()
    for name in "abc":
        if name in details["completed_steps"]:
            equal(counts[name], 1, f"{name}, said to have completed")
        elif name in details["indeterminate_steps"]:
            expect(counts[name] <= 1, f"{name} ran {counts[name]} times")
        else:
            equal(counts[name], 0, f"{name}, said not to have run")


def answers_after(w, wanted):
    """Asked again, and again by another process, it says the same, and runs nothing."""
    before = w.counts()
    for _ in range(2):
        s = w.serve()
        tool = w.tool(s)
        for more in ({}, {"x-idempotency-only": True}):
            details = refused(s.ask(keyed(invoke(tool, {"stop": w.stop}), **more)), "execution_failed",
                              interrupted=True, indeterminate=True)["details"]
            equal(parts(details), wanted, "what became of the steps")
            is_truth(w, details)
        equal(s.end(), [], "answers that nobody asked for")
    time.sleep(0.1)
    equal(w.counts(), before, "what was done since")


def killed_at(stop, wanted, **world):
    w = World(**world)
    w.stop = stop
    invoke_and_kill(w, stop)
    run, = w.runs("--open")
    equal(run["outcome"], "interrupted", "outcome")
    answers_after(w, wanted)
    run, = w.runs(run["invocation"][:12])
    for step in run["steps"]:
        name = step["step"]
        equal(step["indeterminate"], name in wanted[2], f"{name} in the journal")
        if not step["indeterminate"]:
            equal(step["outcome"], "ok", f"{name} in the journal")
    equal([s for s in STEPS if s not in wanted[3]], [s["step"] for s in run["steps"]], "steps in the journal")
    equal(run["did_not_run"], wanted[3], "did_not_run")


BOUNDARIES = {
    "before:a": (["look"], [], ["a"], ["b", "c"]),
    "after:a": (["look"], [], ["a"], ["b", "c"]),
    "before:b": (["look", "a"], [], ["b"], ["c"]),
    "after:b": (["look", "a"], [], ["b"], ["c"]),
    "before:c": (["look", "a", "b"], [], ["c"], []),
    "after:c": (["look", "a", "b"], [], ["c"], []),
}


def test_at_each_boundary_the_journal_says_which_steps_ran():
    for stop, wanted in BOUNDARIES.items():
        killed_at(stop, wanted)


def test_the_same_without_a_store_that_outlives_the_server():
    for stop in ("before:a", "after:b", "before:c"):
        killed_at(stop, BOUNDARIES[stop], store=False)


def test_what_was_killed_before_any_step_with_effects_may_run():
    for stop in ("before:look", "after:look"):
        for store in (True, False):
            w = World(store=store)
            invoke_and_kill(w, stop)
            equal(w.counts(), {"a": 0, "b": 0, "c": 0}, "what was done")
            s = w.serve()
            tool = w.tool(s)
            refused(s.ask(keyed(invoke(tool, {"stop": stop}), **{"x-idempotency-only": True})), "malformed_message",
                    reason="key_unknown")
            answer = s.ask(keyed(invoke(tool, {"stop": stop})))
            equal(answer["type"], "invoke_response", shown(answer))
            equal(w.counts(), {"a": 1, "b": 1, "c": 1}, "what was done")
            again = s.ask(keyed(invoke(tool, {"stop": stop})))
            equal(again["extensions"], {"x-idempotent-replay": True}, "extensions")
            equal(s.end(), [], "answers that nobody asked for")
            equal(w.counts(), {"a": 1, "b": 1, "c": 1}, "what was done")


def test_what_was_killed_before_its_chain_began_may_run():
    """The key is taken, and the only host is busy with something else."""
    for store in (True, False):
        w = World("--set", "actions.processes=1", store=store)
        s = w.serve()
        other, tool = w.tool(s, "zz_look"), w.tool(s)
        s.send(invoke(other, {"stop": "before:look"}))
        w.reached()
        s.send(keyed(invoke(tool, {"stop": ""})))
        time.sleep(0.3)
        s.program.process.send_signal(signal.SIGKILL)
        s.program.process.wait()
        w.go()
        s = w.serve()
        answer = s.ask(keyed(invoke(w.tool(s), {"stop": ""})))
        equal(answer["type"], "invoke_response", shown(answer))
        equal(w.counts(), {"a": 1, "b": 1, "c": 1}, "what was done")
        s.end()


def test_a_key_of_a_killed_run_stands_for_that_request_alone():
    for store in (True, False):
        w = World(store=store)
        invoke_and_kill(w, "after:a")
        s = w.serve()
        refused(s.ask(keyed(invoke(w.tool(s), {"stop": "other"}))), "malformed_message", reason="idempotency_key")
        refused(s.ask(keyed(invoke(w.tool(s, "zz_look"), {"stop": "after:a"}))), "malformed_message",
                reason="idempotency_key")
        answer = s.ask(keyed(invoke(w.tool(s), {"stop": ""}), "k-2"))  # another key runs
        equal(answer["type"], "invoke_response", shown(answer))
        s.end()


def test_what_was_answered_is_known_to_its_end():
    """Also if the server is killed as soon as the answer is there."""
    for _ in range(5):
        w = World(store=False)
        s = w.serve()
        s.ask(invoke(w.tool(s), {"stop": ""}))
        s.program.process.send_signal(signal.SIGKILL)
        s.program.process.wait()
        run, = w.runs()
        equal((run["outcome"], run["steps"]), ("ok", 4), "the run in the journal")
        equal(w.runs("--open"), [], "interrupted runs")


def test_what_ended_but_was_not_kept_is_not_run_again():
    """Without a store that outlives the server: the journal knows that it ran, not what came of it."""
    w = World(store=False)
    s = w.serve()
    equal(s.ask(keyed(invoke(w.tool(s), {"stop": ""})))["type"], "invoke_response", "type")
    s.program.process.send_signal(signal.SIGKILL)
    s.program.process.wait()
    s = w.serve()
    answer = refused(s.ask(keyed(invoke(w.tool(s), {"stop": ""}))), "execution_failed", interrupted=False,
                     indeterminate=False)
    equal(parts(answer["details"]), (STEPS, [], [], []), "what became of the steps")
    expect("what came of it is lost" in answer["message"], answer["message"])
    equal(w.counts(), {"a": 1, "b": 1, "c": 1}, "what was done")
    s.end()


def test_without_a_journal_nothing_is_known_of_it():
    """What a store alone can say: that it began."""
    w = World(journal=False)
    invoke_and_kill(w, "before:b")
    s = w.serve()
    answer = refused(s.ask(keyed(invoke(w.tool(s), {"stop": "before:b"}))), "execution_failed", indeterminate=True)
    expect("completed_steps" not in answer["details"], shown(answer))
    s.end()


def test_another_journal_is_not_believed():
    """The store remembers that it began, and a new file cannot know that it did not."""
    w = World()
    invoke_and_kill(w, "before:b")
    for path in w.folder.glob("runs.db*"):
        path.unlink()
    s = w.serve()
    answer = refused(s.ask(keyed(invoke(w.tool(s), {"stop": "before:b"}))), "execution_failed", indeterminate=True)
    expect("completed_steps" not in answer["details"], shown(answer))
    time.sleep(0.1)
    expect(max(w.counts().values()) <= 1, f"{w.counts()}")
    s.end()


def test_kills_at_any_moment():
    """The same key until there is a definite answer, under fire."""
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    try:
        for _ in range(6 if SANITIZED else 20):
            under_fire(chance)
    except Failure as e:
        raise Failure(f"seed {seed}: {e}")


def under_fire(chance):
    w = World(store=chance.random() < 0.7)
    for attempt in range(8):
        s = w.serve()
        tool = w.tool(s)
        if attempt < 7:
            s.send(keyed(invoke(tool, {"stop": ""})))
            time.sleep(chance.random() * (0.05 if SANITIZED else 0.02))
            s.program.process.send_signal(signal.SIGKILL)
            s.program.process.wait()
            expect(max(w.counts().values()) <= 1, f"something ran twice: {w.counts()}")
            continue
        answer = s.ask(keyed(invoke(tool, {"stop": ""})))
        s.end()
    counts = w.counts()
    expect(max(counts.values()) <= 1, f"something ran twice: {counts}")
    if answer["type"] == "invoke_response":
        equal(counts, {"a": 1, "b": 1, "c": 1}, "what was done")
    else:
        is_truth(w, refused(answer, "execution_failed")["details"])


# ---- graphs ------------------------------------------------------------------------------------

GRAPH = """
- tool: zz_steps
  summary: Does three things, two of them beside each other, and undoes them.
  description: Does three things, two of them beside each other, and undoes them.
  input_schema: {type: object, required: [stop], properties: {stop: {type: string}}}
  steps:
    - id: a
      action: AID.GATED.ACT.v1
      needs: []
      foreach: {from: settings.names}
      inputs: {file: {from: settings.journal}, name: {from: item}, stop: {from: args.stop}}
      compensate: {action: AID.GATED.ACT.v1, with: {file: {from: settings.journal}, name: undo_a, stop: {from: args.stop}}}
    - id: b
      action: AID.GATED.ACT.v1
      needs: []
      inputs: {file: {from: settings.journal}, name: b, stop: {from: args.stop}}
      compensate: {action: AID.GATED.ACT.v1, with: {file: {from: settings.journal}, name: undo_b, stop: {from: args.stop}}}
    - {id: c, action: AID.FX.FAIL.v1, needs: [a, b], on_failure: compensate}
"""


def graph_world():
    w = World()
    (w.domain / "tools/zz_steps.yaml").write_text(GRAPH.replace("{from: settings.names}", "{const: [a1, a2]}"))
    (w.domain / "rules/domain/95_steps.mg").write_text('tool_relevant_to_intent("zz_steps", "fx.vary", 96).\n')
    return w


def test_items_and_what_undoes_them_are_in_the_journal():
    """Killed in an item, beside another step, and while it is undone: nothing of it happens twice."""
    for stop, unsure in (("before:a2", ["a"]), ("after:b", ["b"]), ("before:undo_b", []), ("after:undo_a", [])):
        w = graph_world()
        invoke_and_kill(w, stop)
        time.sleep(0.3)
        before = w.done.read_text().split()
        for _ in range(2):
            s = w.serve()
            details = refused(s.ask(keyed(invoke(w.tool(s), {"stop": stop}))), "execution_failed", interrupted=True,
                              indeterminate=True)["details"]
            expect(set(unsure) <= set(details["indeterminate_steps"]), f"{stop}: {details}")
            left = details.get("not_compensated", [])
            equal(any(one["reason"] == "indeterminate" for one in left), "undo" in stop, f"not_compensated {left}")
            s.end()
        equal(w.done.read_text().split(), before, "what was done since")
        expect(all(before.count(name) <= 1 for name in ("a1", "a2", "b", "undo_b")), f"{before}")
        expect(before.count("undo_a") <= 2, f"{before}")  # of two items
        run, = w.runs(w.runs()[0]["invocation"])
        items = {(step["step"], step.get("item"), step.get("compensation", False)) for step in run["steps"]}
        expect(("a", 0, False) in items, f"{items}")
        equal(any(step.get("compensation") for step in run["steps"]), "undo" in stop, "compensation in the journal")


def test_what_was_not_known_is_not_forgotten_when_undoing_is_killed():
    """A step overran its time, the others are undone meanwhile: of that one nobody knows, and it is told."""
    late = "{id: c, action: AID.GATED.ACT.v1, inputs: {file: {from: settings.journal}, name: c, stop: 'before:c'}, timeout: 300ms,"
    w = graph_world()
    path = w.domain / "tools/zz_steps.yaml"
    path.write_text(path.read_text().replace("{id: c, action: AID.FX.FAIL.v1,", late))
    s = w.serve()
    s.send(keyed(invoke(w.tool(s), {"stop": "before:undo_b"})))
    w.reached()
    pathlib.Path(f"{w.done}.reached").unlink()
    w.reached()
    s.program.process.send_signal(signal.SIGKILL)
    s.program.process.wait()
    s = w.serve()
    details = refused(s.ask(keyed(invoke(w.tool(s), {"stop": "before:undo_b"}))), "execution_failed", interrupted=True)["details"]
    expect({"step": "c", "reason": "indeterminate"} in details["not_compensated"], f"{details}")
    equal(details["indeterminate_steps"], ["c"], "steps of which nobody knows")
    s.end()


# ---- what is written down ----------------------------------------------------------------------

def test_the_header_is_in_log_decisions_and_journal():
    for one_id in (False, True):  # T-RUN-2
        w = World(store=False)
        decisions = w.folder / "decisions"
        w.options += ["--decision-log", str(decisions)]
        s = w.serve(env={"MACHINA_DETERMINISTIC_RUN_ID": "1"} if one_id else None)
        long_id = "id-\n" + "x" * 200
        for _ in range(2):
            s.ask({**invoke(w.tool(s), {"stop": ""}), "id": long_id})
        log = s.program.log()
        s.end()
        runs = w.runs()
        equal(len(runs), 2, "runs")
        asked = [json.loads(line) for line in decisions.read_text().splitlines()]
        headers = [d["run"] for d in asked if d["kind"] == "invocation"]
        equal(len(headers), 2, "decisions with a header")
        for run in runs:
            equal((run["spec_version"], run["profile_id"]), ("1.4.2", "A"), "header")  # T-RUN-1
            equal(run["run_id"], "0" * 31 + "1" if one_id else run["invocation"], "run_id")
            expect(run["request_id"].startswith("id-\\") and run["request_id"].endswith("..."), run["request_id"])  # T-MCP-22
            expect(len(run["request_id"]) < 140 and "\n" not in run["request_id"], run["request_id"])
            header = {name: run[name] for name in ("spec_version", "profile_id", "run_id", "request_id")}
            expect(header in headers, f"{header} is not in {headers}")
            expect(re.search(rf"invocation {run['invocation']}: zz_steps .*, run {run['run_id']} \(1.4.2, A\)", log), log)
        equal(len({run["invocation"] for run in runs}), 2, "invocations")


def test_digests_and_lengths_alone_are_in_the_file():
    """T-AUD-6."""
    w = World()
    secret = "before:sesame-5719"
    s = w.serve()
    s.ask(keyed(invoke(w.tool(s), {"stop": secret}), "key-sesame-5719"))
    s.end()
    text = b"".join(path.read_bytes() for path in w.folder.glob("runs.db*"))
    for word in (b"sesame", str(w.done).encode()):
        expect(word not in text, f"{word} is in the journal")
    run, = w.runs(w.runs()[0]["invocation"])
    for step in run["steps"][1:]:
        expect(re.fullmatch("[0-9a-f]{64}", step["input_sha256"]), f"{step}")
        equal(step["output_sha256"], hashlib.sha256(b'{"name":"%s"}' % step["step"].encode()).hexdigest(), "output")
        equal(step["output_bytes"], 12, "length of the output")
    equal(run["idempotency_key"], True, "key")
    equal(w.journal.stat().st_mode & 0o777, 0o600, "mode")


# ---- when it cannot be written -----------------------------------------------------------------

def test_without_its_journal_only_what_has_no_effects_runs():
    w = World()
    s = w.serve()
    steps, look = w.tool(s), w.tool(s, "zz_look")
    equal(s.ask(invoke(steps, {"stop": ""}))["type"], "invoke_response", "type")
    w.journal.unlink()  # its blocks are nobody's: nothing that is written there outlives the server
    answers = [s.ask(invoke(steps, {"stop": ""})) for _ in range(3)]
    for answer in answers:
        expect(answer["type"] == "error", shown(answer))
    error = refused(answers[-1], "server_not_ready", status="degraded")
    expect("the journal cannot be written: the file was removed" in error["message"], error["message"])
    expect(error["retry_after_ms"], shown(error))
    equal(s.ask(invoke(look, {"stop": ""}))["type"], "invoke_response", "what has no effects")
    manifest = s.until_status("degraded", now=s.manifest)
    expect("journal" in json.dumps(manifest["payload"]), shown(manifest))
    equal(w.counts(), {"a": 1, "b": 1, "c": 1}, "what was done")
    equal(s.program.log().count("what may have effects is refused until it can"), 1, "lines in the log")
    s.end()


def test_a_broken_or_foreign_journal_ends_the_start():
    for content, why in ((b"x" * 5000, "it is no SQLite file, or a damaged one"), (None, "it holds something else")):
        w = World()
        if content:
            w.journal.write_bytes(content)
        else:
            db = sqlite3.connect(w.journal)
            db.execute("create table t(a)")
            db.commit()
            db.close()
        got = subprocess.run(command(w.domain, "--stdio", *w.options), capture_output=True, stdin=subprocess.DEVNULL,
                             timeout=PATIENCE, env=CHILD_ENV)
        expect(got.returncode != 0 and why in got.stderr.decode(), f"{got}")


def test_a_second_server_is_refused_the_journal():
    w = World(store=False)
    s = w.serve()
    got = subprocess.run(command(w.domain, "--stdio", *w.options), capture_output=True, stdin=subprocess.DEVNULL,
                         timeout=PATIENCE, env=CHILD_ENV)
    expect(got.returncode != 0 and "another server writes it" in got.stderr.decode(), f"{got}")
    s.end()


run(globals())

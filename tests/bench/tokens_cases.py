"""The parts of bench/tokens that compute, against answers made by hand. The servers, the tokenizer and the bridge take part
only in the benchmark itself; what needs the tokenizer is skipped where it is not there, and counted as such."""
import json
import math
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/tokens"), str(ROOT / "bench")]
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import catalogue  # noqa: E402
import check_tasks  # noqa: E402
import conversations  # noqa: E402
import figures  # noqa: E402
import grow  # noqa: E402
import ours  # noqa: E402
import plots  # noqa: E402
import retrieve  # noqa: E402
import rivals  # noqa: E402
import schema  # noqa: E402
import signature  # noqa: E402
import tables  # noqa: E402
import tokens  # noqa: E402

CASES = []


class Skipped(Exception):
    """Something is not there."""


def case(function):
    CASES.append(function)
    return function


def step(needed, harmful=None, ok=(), **more):
    harm = harmful or {}
    return {"request": "r", "intent": "i", "facts": [], "needed": needed, "harmful": list(harm), "harm_class": harm,
            "ok": list(ok), **more}


def part(cost, *said):
    """Tools: `name` callable, `name?` only named, `!name` of the proved tier."""
    return {"tokens": cost, "tools": [{"tool": name.strip("!?"), "tier": "proved" if name[0] == "!" else "ranked",
                                       "callable": not name.endswith("?")} for name in said]}


@case
def every_task_names_tools_that_exist():
    tools = set((ROOT / "bench/tokens/tools.txt").read_text().split())
    counts = {}
    for name in ("given", "open", "sealed"):
        lines = (ROOT / f"bench/tokens/tasks/{name}.jsonl").read_text().splitlines()
        assert not list(check_tasks.faults(lines, tools)), list(check_tasks.faults(lines, tools))
        counts[name] = len(lines)
    assert counts["given"] == 100 and counts["open"] >= 50 and counts["sealed"] >= 50, counts


@case
def a_task_that_is_wrong_is_told_in_full():
    task = {"id": "x", "category": "none", "servers": ["a"],
            "steps": [step([["a/b", "c/d"], []], {"a/e": "terrible"}, ["a/e"])]}
    found = list(check_tasks.faults([json.dumps(task)] * 2, {"a/b", "c/d"}))
    for word in ("twice", "of category none", "group is empty", "a/e does not exist", "server of c/d", "harm_class is not",
                 "harmful and wanted"):
        assert any(word in fault for fault in found), (word, found)


@case
def a_step_is_scored_by_what_can_be_called():
    s = step([["a", "b"], ["c"]], {"d": "destructive", "e": "wrong_target"}, ["f"])
    score = figures.score_step(s, [part(100, "b", "c?", "f", "e"), part(50, "c")])
    assert not score["once"] and score["ever"] and score["ready"] and score["total"] == 150 and score["opens"] == 1
    assert score["late"] == [["c"]] and score["missed"] == []
    assert score["wrong"] == ["e"] and score["destructive"] == []
    assert score["tiers"]["ranked"] == {"offered": 5, "needed": 3, "helps": 1}
    late = figures.score_step(s, [part(1400, "b", "d?"), part(101, "c")])
    assert late["ever"] and not late["ready"]
    assert late["destructive"] == ["d"] and late["by_state"] == ["d"], "what is only named is offered, too"
    said = figures.score_step({**s, "harm_by": {"d": "request"}}, [part(1, "d")])
    assert said["destructive"] == ["d"] and said["by_state"] == []


@case
def a_summary_counts_only_what_a_share_is_of():
    need, none = step([["a"]], {"x": "destructive"}), step([])
    scores = [figures.score_step(need, [part(10, "a", "!a")]), figures.score_step(need, [part(30, "x")]),
              figures.score_step(none, [part(0)]), figures.score_step(none, [part(20, "a")])]
    f = figures.summary(scores)
    assert f["steps"] == 4 and f["needing"] == 2 and f["tokens"] == 15 and f["max"] == 30
    assert f["once"][0] == 0.5 and f["destructive"][0] == 0.5 and f["quiet"][0] == 0.5 and f["wrong"] is None
    assert f["tiers"]["proved"]["precision"][0] == 1.0 and f["tiers"]["ranked"]["precision"][0] == 0.5
    assert figures.summary([]) is None


@case
def wilson_intervals_are_those_of_the_books():
    share, low, high = figures.wilson(81, 263)
    assert math.isclose(share, 0.30798, abs_tol=1e-5) and math.isclose(low, 0.2553, abs_tol=1e-4)
    assert math.isclose(high, 0.3662, abs_tol=1e-4)
    assert figures.wilson(0, 10)[1] == 0.0 and math.isclose(figures.wilson(10, 10)[2], 1.0) and figures.wilson(0, 0) is None


@case
def a_bill_reads_the_context_at_every_call():
    # One turn of a list of 100: two calls read it, the first writes it to the cache.
    bill = figures.bill([([], [])], 100)
    assert bill == {"context": 100, "plain": 200, "cached": 125 + 10}
    # A surface of 10, one call more that shows 20 for 5 written.
    bill = figures.bill([([20], [5])], 10)
    assert bill["context"] == 35 and bill["plain"] == 10 + 35 + 35
    assert math.isclose(bill["cached"], 12.5 + (1.25 * 25 + 1) + 3.5)


@case
def a_line_is_read_back_as_a_call():
    tool = {"description": "Does it. And more.", "inputSchema": {
        "type": "object", "required": ["path", "edits"], "properties": {
            "depth": {"type": "integer", "minimum": 2, "maximum": 5}, "path": {"type": "string"},
            "kind": {"enum": ["a, b", "c"]}, "when": {"type": "string", "format": "date"},
            "edits": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["old"], "properties": {
                "old": {"type": "string"}, "new": {"type": "string"}}}}}}}
    line = signature.line("do_it", tool)
    assert line == ('do_it(path: str, edits: [{old: str, new?: str}], depth?: int 2..5, kind?: "a, b"|"c", when?: str date)'
                    "  Does it."), line
    name, required, every = signature.call(line)
    assert name == "do_it" and required == {"path": "x", "edits": [{"old": "x"}]}
    assert every["depth"] == 2 and every["kind"] == "a, b" and every["when"] == "2026-11-24"
    assert not schema.problems(required, tool["inputSchema"]) and not schema.problems(every, tool["inputSchema"])


@case
def notation_of_the_program_is_read():
    name, required, every = signature.call(
        'observe(focus?: "all"|"console" = "console", max?: int 1..100 = 90, id: str, list: [{a: int, b?: list}], '
        'n: num|null, ... (3 more))  [the user is asked first]')
    assert name == "observe" and required == {"id": "x", "list": [{"a": 1}], "n": 1}
    assert every["focus"] == "console" and every["max"] == 90
    for text in ("no call", "f(a: {b: str)", "f(a: nonsense)"):
        try:
            signature.call(text)
        except signature.Unreadable:
            continue
        assert text == "f(a: nonsense)", text  # an unknown word is a value that was cut


@case
def a_line_that_hides_what_is_needed_makes_no_callable_tool():
    tool = {"inputSchema": {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {
        "anyOf": [{"type": "object", "required": ["c"]}, {"type": "array", "minItems": 1}]}}}}
    assert not ours.is_callable("t(a: str, b: any)", tool) and not ours.is_callable("t(a: str)", tool)
    assert ours.is_callable("t(a: str, b: [str])", tool) and not ours.is_callable("t(a: str", tool)
    assert not ours.is_callable("t(a: str, b: [str])", None)


@case
def schemas_refuse_what_they_must():
    whole = {"type": "object", "additionalProperties": False, "required": ["n"], "properties": {
        "n": {"type": "integer", "minimum": 1}, "s": {"type": "string", "pattern": "^a", "maxLength": 3},
        "o": {"oneOf": [{"type": "string"}, {"const": "x"}]}, "l": {"type": "array", "items": {"$ref": "#/$defs/d"}}},
        "$defs": {"d": {"enum": [1, 2]}}}
    assert not schema.problems({"n": 1, "s": "ab", "o": "y", "l": [1, 2]}, whole)
    for bad in ({}, {"n": 0}, {"n": True}, {"n": 1.5}, {"n": 1, "s": "b"}, {"n": 1, "s": "aaaa"}, {"n": 1, "o": "x"},
                {"n": 1, "l": [3]}, {"n": 1, "z": 1}, []):
        assert schema.problems(bad, whole), bad


@case
def retrieval_ranks_by_words_and_fuses_by_place():
    texts = {"git/log": "shows the commit history", "fs/read": "reads the contents of a file", "z/none": "nothing"}
    for make in (retrieve.Bm25, retrieve.TfIdf):
        assert make(texts).rank("which commits are in the history")[0] == "git/log"
    assert retrieve.words("readTextFile moved_boxes") == ["read", "text", "file", "mov", "boxe"]
    assert retrieve.fuse([["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]]) == ["b", "a", "c"]


@case
def a_page_more_comes_only_on_a_miss():
    tools = {f"s/t{n}": {"name": f"t{n}", "inputSchema": {"type": "object"}} for n in range(6)}

    class Fixed:
        def rank(self, _task, _step):
            return list(tools)
    offer = rivals.paged(tools, len, catalogue.condensed, Fixed(), 2)
    task = {"servers": ["s"]}
    assert len(offer(task, step([["s/t1"]]))) == 1 and len(offer(task, step([]))) == 1
    rounds = offer(task, step([["s/t3"]]))
    assert [t["tool"] for t in rounds[1]["tools"]] == ["s/t2", "s/t3"]
    whole = rivals.static(tools, len, catalogue.verbatim)({"servers": []}, step([]))
    assert whole == [{"tokens": 0, "tools": []}], "servers that are not connected are not offered"


@case
def what_the_bridge_shows_is_read_by_tier():
    tools = {"git/git_log": {"inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}},
             "fs/read": {"inputSchema": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}}}
    text = "work: w1\ngit: commits (28)\nlog(n?: int)\n  Shows the history.\n  n: How many\nalso:\n  read(path: str)  reads\n  other(x: str)\n"
    shown = ours.Shown(text, {"log": "git/git_log", "read": "fs/read"}, tools)
    assert [(t["tool"], t["tier"], t["callable"]) for t in shown.tools] == [
        ("git/git_log", "proved", True), ("fs/read", "ranked", True)], shown.tools


@case
def facts_go_in_the_words_of_an_import():
    facts = [{"p": "ci", "a": [7, "success"]}, {"p": "session_mode", "a": ["read_only"]}, {"p": "os", "a": ["linux"]},
             {"p": "pull_request", "a": ["a/b", 7, "open"]}]
    assert ours.facts_for(facts) == {"has": [["os", "linux"]],
                                     "state": [["ci", 7, "success"], ["pull_request", "a/b", "open"]], "read_only": []}
    assert ours.facts_for([]) == {}


@case
def a_catalogue_grows_with_other_words_and_the_same_shapes():
    small = {"servers": {"fs": {"info": {}, "tools": [{"name": "read_file", "description": "Reads a file.", "inputSchema": {
        "type": "object", "required": ["file"], "properties": {"file": {"type": "string", "enum": ["file"]}}}}]}}}
    whole = grow.grown(small, 5)["servers"]
    assert len(whole) == 5 and whole["fs"] is small["servers"]["fs"] and whole == grow.grown(small, 5)["servers"]
    names = {tool["name"] for server in whole.values() for tool in server["tools"]}
    assert len(names) == 5 and sum("file" in name for name in names) == 1
    for name, server in whole.items():
        (tool,) = server["tools"]
        (argument,) = tool["inputSchema"]["properties"]
        assert tool["inputSchema"]["required"] == [argument] and tool["inputSchema"]["properties"][argument]["enum"] == ["file"]
        assert (argument == "file") == (name == "fs")


@case
def conversations_are_drawn_alike_each_time():
    tasks = [{"id": n, "servers": ["a"], "steps": [step([["a/x"]]), step([])]} for n in range(9)]
    first = conversations.drawn(tasks, ["a"], 5, 3)
    assert first == conversations.drawn(tasks, ["a"], 5, 3) and all(len(steps) == 5 for steps in first)
    assert not conversations.drawn([{**tasks[0], "servers": []}], ["a"], 5, 1)[0], "only tasks with every server"
    # What was shown is not sent again: three turns of the same two lines of 7.

    class Fixed:
        def rank(self, _task, _step):
            return ["a/x", "a/y"]
    same = [[(tasks[0], step([["a/x"]]))] * 3]
    bill = conversations.of_retrieval(same, Fixed(), {"a/x": 7, "a/y": 7}, 2)
    assert bill["context"] == 14 and bill["plain"] == 14 * 6, bill


@case
def tables_say_what_was_not_measured():
    assert tables.percent(None) == "-" and tables.percent((0.5, 0.25, 0.75)) == "50.0 (25-75)"
    sizes = [{"tools": 10, "fixed": 100, "ours": {"total": 100}, "condensed": 100},
             {"tools": 30, "fixed": 100, "ours": {"total": 100}, "condensed": 300}]
    assert tables.break_even({"sizes": sizes}, "condensed") == 20
    assert 15 < tables.break_even({"sizes": sizes[1:]}, "condensed") < 30
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "R.md"
        file.write_text(f"a\n{tables.BEGIN}\nold\n{tables.END}\nb\n")
        tables.put_into(file, "new\n")
        assert "old" not in file.read_text() and file.read_text().endswith(f"{tables.END}\nb\n")
    drawing = plots.plot("t <", "x", "y", {"a": [(1, 2), (1000, 3)]}, log_x=True)
    assert drawing.startswith("<svg") and "t &lt;" in drawing and drawing.count("<circle") == 3


@case
def tokens_are_those_of_the_tokenizer():
    folder = os.environ.get("TOKENIZER_FOLDER")
    if not folder or not (pathlib.Path(folder) / "node_modules/gpt-tokenizer").exists():
        raise Skipped("the npm package gpt-tokenizer is not there")
    count = tokens.Counter(folder)
    try:
        assert count("hello world") == 2 and count("") == 0 and count("a\nb\"c") == count("a\nb\"c") > 2
    finally:
        count.close()


def main():
    print(f"1..{len(CASES)}")
    failed = 0
    for number, function in enumerate(CASES, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
        except Skipped as why:
            print(f"ok {number} - {name} # SKIP {why}")
        except Exception as why:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}\n# {type(why).__name__}: {why}")
        else:
            print(f"ok {number} - {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

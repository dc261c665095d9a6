"""domains/workspace on checkouts with known histories, as a client sees it: a server on standard input and output, a
client that keeps the facts which the server's deltas bring, a person who consents or does not."""

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(ROOT / "tests/server")]

from blackbox import (  # noqa: E402
    BUILD, CHILD_ENV, CONFIRM_KEY, PATIENCE, Skip, base64url, equal, expect, run, scratch, token_file, token_line,
)

import manglecp  # noqa: E402

import history  # noqa: E402

DOMAIN = str(ROOT / "domains/workspace")
FILES_ARE_KEPT_IN = "Landlock is missing" not in subprocess.run(
    [str(BUILD / "bin/manglecp"), "check", str(ROOT / "domains/browser")], env=CHILD_ENV, capture_output=True, text=True, check=False
).stdout
TOKEN = "a-token-for-the-workspace-tests"


class Person:
    """Who is asked: says yes while `agrees`, and remembers what they were asked."""

    def __init__(self):
        self.agrees = True
        self.asked = []

    def __call__(self, question):
        self.asked.append(question.tool if isinstance(question.tool, str) else question.tool.name)
        return self.agrees


class Workspace:
    def __init__(self, checkout, *settings, permissions="intent:*,why_not"):
        self.checkout = checkout
        self.person = Person()
        self.set = [f"checkout={checkout.folder}", 'test_command=sh test.sh "$1"', *settings]
        tokens = token_file(token_line(TOKEN, "ann", permissions, confirm_key=base64url(CONFIRM_KEY)))
        pathlib.Path(tokens).chmod(0o600)
        command = [str(BUILD / "bin/manglecp"), "serve", DOMAIN, "--stdio", "--auth", tokens, "--log", "error"]
        for one in self.set:
            command += ["--set", one]
        options = manglecp.Options(token=TOKEN, consent=self.person, confirm_key=CONFIRM_KEY, answer_timeout=4 * PATIENCE)
        self.client = manglecp.spawn(command, options, env=CHILD_ENV, stderr=open(os.devnull, "w"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def ask(self, intent, **params):
        return self.client.evaluate(intent, params)

    def call(self, intent, tool, /, params=None, **arguments):
        """Evaluates, invokes, takes the delta in."""
        evaluation = self.client.evaluate(intent, params or {})
        result = self.client.invoke(evaluation.tool(tool), arguments)
        self.client.apply(result)
        return result

    def known(self, predicate):
        return [f for f in self.client.facts if f["pred"] == predicate]

    def args(self, predicate):
        return sorted(tuple(f["args"]) for f in self.known(predicate))


def workspace(*settings, **more):
    return Workspace(history.make(pathlib.Path(scratch()) / "checkout"), *settings, **more)


def names(evaluation, level=None):
    return {tool.name for tool in evaluation.tools if level in (None, tool.level)}


def enum(tool, name):
    schema = tool.input_schema["properties"][name]
    return schema.get("items", schema).get("enum")


def refused(function, *codes):
    try:
        function()
    except manglecp.Refused as e:
        expect(e.code in codes, f"refused as {e.code} ({e.message} {e.details}), not {codes}")
        return e
    raise AssertionError(f"nothing was refused, expected one of {codes}")


# ---- survey ----------------------------------------------------------------------------------


def test_a_survey_brings_commits_as_events_and_branches_as_intervals():
    with workspace() as w:
        ids = w.checkout.ids
        equal(names(w.ask("survey"), "full"), {"observe_checkout", "project_overview"})
        seen = w.call("survey", "observe_checkout").result
        equal(seen["head"]["branch"], "main")
        equal(seen["clean"], True)
        equal(w.args("head"), [(ids["last"], "main")])
        commits = {f["args"][0]: f for f in w.known("commit")}
        equal(commits[ids["fault"]]["args"][1:], ["Ben", "Make the cache quicker"])
        equal(set(commits) >= {ids[n] for n in ("begin", "notes", "move", "book", "fault", "more", "last")}, True)
        at = commits[ids["fault"]]["t"]["at"]
        expect(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(history.NOW - 2 * history.DAY)) in str(at), f"at {at}")
        equal(w.args("renamed"), [(ids["move"], "src/cache.sh", "src/store/cache.sh")])
        expect((ids["fault"], "src/store/cache.sh", 2, 2) in w.args("touched"), "the fault touched the cache")
        equal(w.args("default_branch"), [("main",)])
        equal(w.args("merged"), [("done-1", "main"), ("done-2", "main")])
        idea = [f for f in w.known("branch") if f["args"] == ["old-idea"]]
        expect("t" in idea[0], f"a branch without a time: {idea}")
        # and after it, other tools
        full = names(w.ask("survey"), "full")
        expect({"recent_history", "list_branches"} <= full and "observe_checkout" not in full, f"full: {full}")
        overview = w.call("survey", "project_overview").result
        expect("test.sh" in overview["entries"], f"{overview}")
        equal({p["name"] for p in overview["people"]}, {"Ann", "Ben", "Cleo"})
        shown = w.call("survey", "show_commit", commit="HEAD~2").result
        equal(shown["commit"]["subject"], "Make the cache quicker")
        expect("-echo $(($1 * $1))" in shown["files"][0]["diff"], f"{shown['files']}")
        found = w.call("survey", "search_text", text="squared").result
        equal([m["path"] for m in found["matches"]], ["test.sh"])
        files = w.call("survey", "list_files", glob="*.txt").result
        equal([f["path"] for f in files["files"]], ["docs/index.txt", "docs/manual.txt"])
        older = w.call("survey", "recent_history", path="src/store/cache.sh", follow=True).result
        equal([c["subject"] for c in older["commits"]],
              ["Make the cache quicker", "Move the cache to the store", "Begin"])


def test_of_a_long_history_the_newest_is_told_and_the_rest_is_counted():
    with Workspace(history.make_long(pathlib.Path(scratch()) / "checkout", 220, 6)) as w:
        w.call("survey", "observe_checkout", commits=200)
        equal(len(w.known("commit")), 200)
        touched = len(w.known("touched"))
        expect(394 < touched <= 400, f"{touched} files are told")
        equal(w.args("not_told"), [("commits", 200 - touched // 6)])
        equal(w.known("bulk_change"), [], "rolled up")


# ---- explain_failure -------------------------------------------------------------------------


def failing(w):
    """The client has looked, and the tests have run, and failed; they had passed three days ago."""
    w.call("survey", "observe_checkout")
    ran = w.call("explain_failure", "run_tests")
    equal(ran.result["outcome"], "failed")
    good = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(history.NOW - 3 * history.DAY + history.HOUR))
    w.client.facts.add(manglecp.fact("test_result", "square", "passed", at=good))
    return ran


def test_a_failing_test_leads_to_the_commit_that_did_it():
    with workspace() as w:
        ids, before = w.checkout.ids, w.checkout.state()
        ran = failing(w)
        equal(w.person.asked, ["run_tests"])
        equal(ran.result["failed"], ["square"])
        equal([(p["path"], p["line"]) for p in ran.result["places"]], [("src/store/cache.sh", 2)])
        equal([(s.name, s.params) for s in ran.suggestions], [("explain_failure", {"test": "square"})])
        alone = w.call("explain_failure", "run_tests", params={"test": "square"}, test="square")
        equal(alone.result["outcome"], "failed")
        # rules rank the suspects: the fault first, though the manual is longer
        asked = w.ask("explain_failure", test="square")
        suspects = asked.tool("inspect_suspect")
        equal(suspects.level, "full")
        expect(suspects.instructions.startswith(f"1. {ids['fault']} of"), suspects.instructions)
        equal(enum(suspects, "commit"), [ids["fault"]])  # the others are far less suspect
        equal(enum(asked.tool("bisect_failure"), "good"), [ids["book"]])
        shown = w.call("explain_failure", "inspect_suspect", params={"test": "square"}, commit=ids["fault"]).result
        equal([f["path"] for f in shown["files"]], ["src/store/cache.sh"])
        lines = w.call("explain_failure", "blame_lines", params={"test": "square"}, path="src/store/cache.sh", first_line=1,
                       last_line=2).result
        equal({c["id"] for c in lines["commits"]}, {ids["fault"]})
        equal([c["subject"] for c in lines["earlier"]], ["Make the cache quicker", "Begin"])
        changed = w.call("explain_failure", "what_changed", params={"test": "square"}, good=ids["book"]).result
        equal([f["path"] for f in changed["files"]], ["docs/index.txt", "src/store/cache.sh"])
        equal([c["subject"] for c in changed["commits"]], ["Correct the index", "Add an index", "Make the cache quicker"])
        read = w.call("explain_failure", "read_lines", params={"test": "square"}, path="src/store/cache.sh", first_line=2).result
        equal(read["text"], "echo $(($1 + $1 + 1))\n")
        # and a search proves it, without touching the checkout
        searched = w.call("explain_failure", "bisect_failure", params={"test": "square"}, good=ids["book"], test="square")
        equal(searched.result["state"], "found")
        equal(searched.result["culprit"]["id"], ids["fault"])
        expect("It fails since" in searched.summary, searched.summary)
        equal(w.args("culprit"), [("square", ids["fault"])])
        equal(w.checkout.state(), before, "the checkout")
        after = w.ask("explain_failure", test="square")
        equal(enum(after.tool("show_commit"), "commit"), [ids["fault"]])
        expect("bisect_failure" not in names(after), "a search is offered for what is found")


def test_a_search_ends_in_time_and_goes_on_where_it_was():
    slow = 'test_command=sleep 0.6; sh test.sh "$1"'
    with workspace("bisect_seconds=1", slow) as w:  # there are at least four runs
        w.call("survey", "observe_checkout")
        w.call("explain_failure", "run_tests", params={"test": "square"}, test="square")
        searched = w.call("explain_failure", "bisect_failure", params={"test": "square"}, good=w.checkout.ids["begin"], test="square")
        equal(searched.result["state"], "out_of_time")
        expect(searched.result["left"] >= 1, f"{searched.result}")
        expect("commits are left" in searched.summary, searched.summary)
        expect("culprit" not in searched.result and not w.known("culprit"), "it knows more than it tried")
        known = list(w.client.facts)
    with Workspace(w.checkout) as later:
        later.client.facts.add(*known)
        searched = later.call("explain_failure", "bisect_failure", params={"test": "square"}, good=w.checkout.ids["begin"], test="square")
        equal((searched.result["state"], searched.result["culprit"]["id"]), ("found", w.checkout.ids["fault"]))


def test_a_search_says_where_its_ends_do_not_hold():
    with workspace() as w:
        failing(w)
        ids = w.checkout.ids
        w.client.facts.clear()
        ends = w.call("explain_failure", "bisect_failure", params={"test": "square"}, good=ids["begin"], bad=ids["book"], test="square")
        equal(ends.result["state"], "bad_passes")
        ends = w.call("explain_failure", "bisect_failure", params={"test": "square"}, good=ids["fault"], bad="HEAD", test="square")
        equal(ends.result["state"], "good_fails")
        w.client.facts.clear()
        e = refused(lambda: w.call("explain_failure", "bisect_failure", params={"test": "square"}, good="open", test="square"),
                    "execution_failed")
        expect("ancestor" in e.message, e.message)


def test_tests_end_in_time_and_may_write_in_the_checkout_alone():
    outside = pathlib.Path(scratch()) / "outside"
    with workspace("test_seconds=1", "test_command=sleep 20 & sleep 20") as w:
        began = time.monotonic()
        equal(w.call("explain_failure", "run_tests").result["outcome"], "timed_out")
        expect(time.monotonic() - began < PATIENCE, "it took too long")
    if not FILES_ARE_KEPT_IN:
        raise Skip("this kernel keeps no program from files (Landlock is missing)")
    with workspace(f"test_command=echo x >{outside}; echo y >inside; cat /etc/shadow {ROOT}/README.md; true") as w:
        ran = w.call("explain_failure", "run_tests").result
        equal(ran["outcome"], "passed")
        expect((w.checkout.folder / "inside").exists(), "the checkout cannot be written")
        expect(not outside.exists(), "something else can be")
        expect("root:" not in ran["output"] and "MangleCP" not in ran["output"], f"it read {ran['output'][:200]}")


def test_whoever_does_not_consent_has_nothing_run():
    with workspace("test_command=touch ran") as w:
        w.person.agrees = False
        try:
            w.call("explain_failure", "run_tests")
        except manglecp.ConsentDeclined:
            pass
        else:
            raise AssertionError("it ran")
        expect(not (w.checkout.folder / "ran").exists(), "it ran")
    with workspace("test_command=touch ran", "trust_tests=true") as w:
        w.call("explain_failure", "run_tests")
        equal(w.person.asked, [], "asked although the operator trusts the tests")
        expect((w.checkout.folder / "ran").exists(), "it did not run")


# ---- find_symbol -----------------------------------------------------------------------------


def test_a_symbol_is_found_with_its_uses_its_history_and_who_knows_it():
    with workspace() as w:
        c = w.checkout
        c.commit("lib", "Cleo", history.HOUR // 2, "A library", lib__url_dot_py="def parse_url(text):\n    return text\n",
                 lib__use_dot_py="from url import parse_url\n\nx = parse_url('a')\nparse_urls = 1\n")
        asked = w.ask("find_symbol", symbol="parse_url")
        equal(names(asked, "full"), {"find_definition", "find_uses"})
        found = w.call("find_symbol", "find_definition", params={"symbol": "parse_url"}, symbol="parse_url")
        equal([(m["path"], m["line"]) for m in found.result["looks_like"]], [("lib/url.py", 1)])
        equal(w.args("defined_at"), [("parse_url", "lib/url.py", 1)])
        uses = w.call("find_symbol", "find_uses", params={"symbol": "parse_url"}, symbol="parse_url").result
        equal([(m["path"], m["line"]) for m in uses["matches"]], [("lib/url.py", 1), ("lib/use.py", 1), ("lib/use.py", 3)])
        came = w.call("find_symbol", "symbol_history", params={"symbol": "parse_url"}, symbol="parse_url").result
        equal([(m["id"], m["author"]) for m in came["commits"]], [(c.ids["lib"], "Cleo")])
        knows = w.call("find_symbol", "who_knows", params={"symbol": "parse_url"}, path="lib/url.py").result
        equal([(p["name"], p["lines"]) for p in knows["people"]], [("Cleo", 2)])
        equal(w.args("wrote_lines"), [("lib/url.py", "Cleo", 2)])
        again = w.ask("find_symbol", symbol="parse_url")
        expect("Cleo wrote most of lib/url.py" in again.tool("who_knows").instructions, again.tool("who_knows").instructions)
        old = w.call("find_symbol", "read_old", params={"symbol": "parse_url"}, path="src/cache.sh", commit=c.ids["begin"]).result
        equal(old["text"], history.CACHE)


def test_ownership_follows_renames():
    with workspace() as w:
        w.call("survey", "observe_checkout")
        w.client.facts.add(manglecp.fact("defined_at", "square", "src/store/cache.sh", 1))
        tool = w.ask("find_symbol", symbol="square").tool("who_knows")
        # Ann wrote it under its old name; Ben changed as many lines under the new one: both own it
        expect("Ann wrote most" in tool.instructions or "Ben wrote most" in tool.instructions, tool.instructions)

# ---- prepare_change --------------------------------------------------------------------------


def index_of(w):
    return w.checkout.git("ls-files", "--stage")


def test_a_change_is_reviewed_tested_and_committed():
    with workspace() as w:
        c = w.checkout
        c.write("src/store/cache.sh", history.CACHE + "# repaired\n")
        c.write("docs/new.txt", "new\n")
        w.call("survey", "observe_checkout")
        equal(w.args("working_change"), [("docs/new.txt", "untracked", "added"), ("src/store/cache.sh", "unstaged", "modified")])
        # main is protected: a branch first
        asked = w.client.evaluate("prepare_change", why_not=["test_and_commit"])
        expect(not names(asked) & {"commit_change", "test_and_commit"}, f"{names(asked)}")
        expect("main is protected" in asked.tool("start_branch").instructions, asked.tool("start_branch").instructions)
        w.call("prepare_change", "start_branch", name="repair")
        equal(c.git("branch", "--show-current"), "repair")
        # a review tells where the risk is
        review = w.call("prepare_change", "review_change").result
        equal([(f["path"], f["added"], f["deleted"]) for f in review["files"]], [("docs/new.txt", 1, 0), ("src/store/cache.sh", 3, 2)])
        expect("1. src/store/cache.sh, risk" in w.ask("prepare_change").tool("review_change").instructions, "no risk")
        w.call("prepare_change", "suggest_reviewers", paths=["src/store/cache.sh"])
        equal(w.args("wrote_lines"), [("src/store/cache.sh", "Ben", 2)])
        expect("1. Ben" in w.ask("prepare_change").tool("suggest_reviewers").instructions, "no reviewer")
        # not tested: not in full
        equal(w.ask("prepare_change").tool("commit_change").level, "condensed")
        equal(w.call("prepare_change", "run_tests").result["outcome"], "passed")
        asked = w.ask("prepare_change")
        equal(asked.tool("commit_change").level, "full")
        expect("test_and_commit" not in names(asked), "it is tested already")
        # one more change, and the tests say nothing of it
        c.write("docs/new.txt", "newer\n")
        equal(w.ask("prepare_change").tool("commit_change").level, "condensed")
        c.write("docs/new.txt", "new\n")
        w.call("prepare_change", "stage_changes", paths=["docs/new.txt"])
        w.call("prepare_change", "unstage_changes", paths=["docs/new.txt"])
        expect("docs/new.txt" not in index_of(w), "it is staged")
        before = c.git("rev-parse", "HEAD")
        done = w.call("prepare_change", "commit_change", message="Square, not double", paths=["src/store/cache.sh", "docs/new.txt"])
        equal(c.git("log", "-1", "--format=%s %an %P"), f"Square, not double Dora {before}")
        equal(c.git("status", "--porcelain"), "")
        equal(w.args("head"), [(done.result["id"], "repair")])
        equal(w.args("working_change"), [])
        # and a branch is looked at as a whole
        w.call("survey", "observe_checkout")
        compared = w.call("prepare_change", "compare_branch").result
        equal((compared["ahead"], compared["behind"]), (1, 0))
        equal([one["subject"] for one in compared["commits"]], ["Square, not double"])


def test_a_commit_that_fails_its_tests_is_undone():
    with workspace("protected_branches=") as w:
        c = w.checkout
        c.write("docs/more.txt", "more\n")
        c.write("docs/index.txt", "other\n")
        c.git("add", "docs/index.txt")
        c.write("docs/index.txt", "another\n")
        before, head = index_of(w), c.git("rev-parse", "HEAD")
        w.call("survey", "observe_checkout")
        e = refused(lambda: w.call("prepare_change", "test_and_commit", message="More", paths=["docs/more.txt", "docs/index.txt"]),
                    "execution_failed")
        equal(e.details["compensated"], ["stage"])
        expect("have not passed" in e.message, e.message)
        equal(index_of(w), before, "the index")
        equal(c.git("rev-parse", "HEAD"), head)
        # so is one that somebody else was quicker with
        c.write("src/store/cache.sh", history.CACHE)
        w.call("survey", "observe_checkout")
        asked = w.ask("prepare_change")
        c.git("commit", "-q", "--allow-empty", "-m", "Meanwhile")
        index = index_of(w)
        e = refused(lambda: w.client.invoke(asked.tool("test_and_commit"), {"message": "More", "paths": ["docs/more.txt"]}),
                    "execution_failed")
        equal(index_of(w), index, "the index")
        # and what has marks of a conflict in it
        c.write("docs/more.txt", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
        w.call("survey", "observe_checkout")
        e = refused(lambda: w.call("prepare_change", "commit_change", message="More", paths=["docs/more.txt"]), "execution_failed")
        expect("conflict markers" in e.message, e.message)
        equal(index_of(w), index, "the index")
        c.write("docs/more.txt", "more\n")
        w.call("survey", "observe_checkout")
        w.call("prepare_change", "test_and_commit", message="More", paths=["docs/more.txt", "src/store/cache.sh"])
        equal(c.git("log", "-1", "--format=%s"), "More")


def test_a_branch_that_cannot_be_gone_to_is_not_left_behind():
    with workspace() as w:
        w.checkout.write("src/store/cache.sh", "mine\n")
        w.call("survey", "observe_checkout")
        names_before = w.checkout.git("for-each-ref")
        e = refused(lambda: w.call("prepare_change", "start_branch", name="topic", at=w.checkout.ids["begin"]), "execution_failed")
        equal(e.details["compensated"], ["create"])
        equal(w.checkout.git("for-each-ref"), names_before)


def test_what_the_server_has_not_seen_pass_is_not_committed_where_tests_are_required():
    with workspace("protected_branches=", "require_tests=true") as w:
        w.checkout.write("src/store/cache.sh", history.CACHE)
        w.call("survey", "observe_checkout")
        expect("commit_change" not in names(w.ask("prepare_change")), "it can be committed untested")
        w.call("prepare_change", "run_tests")
        passed = w.known("tests_passed")
        equal(len(passed), 1)
        w.client.facts.clear()
        w.call("survey", "observe_checkout")
        w.client.facts.add(manglecp.fact("tests_passed", *passed[0]["args"]))  # so it says
        expect("commit_change" not in names(w.ask("prepare_change")), "somebody's word was enough")
        w.client.facts.add(*passed)  # as the server signed it
        equal(w.ask("prepare_change").tool("commit_change").level, "full")


def test_changes_are_put_aside_brought_back_and_thrown_away():
    with workspace('format_command=sed -i s/quicker/better/') as w:
        c = w.checkout
        c.write("docs/index.txt", "mine\n")
        w.call("survey", "observe_checkout")
        w.call("prepare_change", "put_aside", message="half done")
        equal(c.git("status", "--porcelain"), "")
        w.call("survey", "observe_checkout")
        equal(len(w.known("stashed")), 1)
        w.call("prepare_change", "bring_back")
        equal(c.git("status", "--porcelain"), " M docs/index.txt")
        w.call("survey", "observe_checkout")
        shown = w.call("prepare_change", "show_changes").result
        equal([f["path"] for f in shown["files"]], ["docs/index.txt"])
        w.call("prepare_change", "discard_change", paths=["docs/index.txt"])
        equal(c.git("status", "--porcelain"), "")
        c.write("src/store/cache.sh", history.BROKEN + "#\n")
        w.call("survey", "observe_checkout")
        w.call("prepare_change", "format_change", paths=["src/store/cache.sh"])
        expect("better" in (c.folder / "src/store/cache.sh").read_text(), "it is not laid out")


def test_a_revert_that_helps_stays_and_one_that_does_not_goes():
    with workspace() as w:
        failing(w)
        ids = w.checkout.ids
        before = w.checkout.state()
        w.client.facts.add(manglecp.fact("culprit", "square", ids["last"]))
        e = refused(lambda: w.call("explain_failure", "try_revert", params={"test": "square"}, commit=ids["last"], test="square"),
                    "execution_failed")
        equal(e.details["compensated"], ["revert"])
        for now, then in zip(w.checkout.state(), before):
            equal(now, then, "the checkout")
        w.client.facts.retract(manglecp.fact("culprit", "square", ids["last"]))
        w.client.facts.add(manglecp.fact("culprit", "square", ids["fault"]))
        done = w.call("explain_failure", "try_revert", params={"test": "square"}, commit=ids["fault"], test="square")
        equal(done.result["reverted"], True)
        equal(w.checkout.git("status", "--porcelain"), "M  src/store/cache.sh")
        equal((w.checkout.folder / "src/store/cache.sh").read_text(), history.CACHE)


# ---- clean_up --------------------------------------------------------------------------------


def test_branches_go_all_or_none():
    with workspace() as w:
        c = w.checkout
        w.call("clean_up", "list_branches")
        asked = w.ask("clean_up")
        equal(enum(asked.tool("delete_branches"), "names"), ["done-1", "done-2"])
        equal(enum(asked.tool("archive_branch"), "name"), ["old-idea", "open"])
        for name in ("main", "open"):
            try:
                w.client.invoke(asked.tool("delete_branches"), {"names": [name]})
            except manglecp.InvalidRequest:
                continue
            raise AssertionError(f"{name} could be named")
        # not without consent
        w.person.agrees = False
        before = c.git("for-each-ref")
        try:
            w.call("clean_up", "delete_branches", names=["done-1"])
        except manglecp.ConsentDeclined:
            pass
        equal(c.git("for-each-ref"), before)
        w.person.agrees = True
        # one that is locked: the other is made again
        (c.folder / ".git/refs/heads/done-2.lock").write_text("")
        e = refused(lambda: w.call("clean_up", "delete_branches", names=["done-1", "done-2"]), "execution_failed")
        equal(e.details["compensated"], ["delete"])
        equal(c.git("for-each-ref"), before, "the branches")
        (c.folder / ".git/refs/heads/done-2.lock").unlink()
        done = w.call("clean_up", "delete_branches", names=["done-1", "done-2"])
        equal([(d["name"], d["id"]) for d in done.result["deleted"]], [("done-1", c.ids["book"]), ("done-2", c.ids["more"])])
        equal(c.git("branch", "--format=%(refname:short)").split(), ["main", "old-idea", "open"])
        # what is not merged is kept as a tag
        w.call("clean_up", "archive_branch", name="old-idea", tag="archive/old-idea")
        equal(c.git("rev-parse", "archive/old-idea"), c.ids["idea"])
        equal(c.git("branch", "--format=%(refname:short)").split(), ["main", "open"])


def test_build_products_go_and_nothing_else():
    with workspace() as w:
        c = w.checkout
        c.write("precious.txt", "not tracked\n")
        seen = w.call("clean_up", "list_leftovers").result
        equal(sorted((p["path"].rstrip("/"), p["bytes"] >= 100) for p in seen["build_products"]),
              [("out", True), ("src/store/cache.o", True)])
        equal(seen["untracked"], ["precious.txt"])
        paths = [a[0] for a in w.args("build_product")]
        asked = w.ask("clean_up").tool("remove_build_products")
        equal(enum(asked, "paths"), sorted(paths))
        expect(asked.safety.requires_user_confirmation, "nobody is asked")
        # one that is none any more: nothing goes
        c.git("add", "--force", "src/store/cache.o")
        refused(lambda: w.call("clean_up", "remove_build_products", paths=paths), "execution_failed")
        expect((c.folder / "out/product.bin").exists(), "some of it went")
        c.git("rm", "-q", "--cached", "src/store/cache.o")
        gone = w.call("clean_up", "remove_build_products", paths=paths).result
        equal(len(gone["removed"]), 2)
        expect(not (c.folder / "out").exists() and (c.folder / "precious.txt").exists(), "the wrong things went")
        equal(w.args("build_product"), [])


# ---- hostile ---------------------------------------------------------------------------------


def test_hostile_names_and_settings_of_a_checkout_run_nothing():
    checkout, mark = history.make_hostile(pathlib.Path(scratch()) / "checkout")
    with Workspace(checkout, "protected_branches=", f"test_command=sh {checkout.folder}/test.sh") as w:
        seen = w.call("survey", "observe_checkout").result
        listed = w.call("clean_up", "list_branches").result
        expect(set(history.HOSTILE_BRANCHES) - {"-force"} <= {one["name"] for one in listed["branches"]}, f"{listed['branches']}")
        files = {f["path"] for f in w.call("survey", "list_files", limit=1000).result["files"]}
        expect(set(history.HOSTILE_NAMES) <= files, f"{set(history.HOSTILE_NAMES) - files}")
        uses = w.call("find_symbol", "find_uses", params={"symbol": "parse_me"}, symbol="parse_me").result
        expect(set(history.HOSTILE_NAMES) <= {m["path"] for m in uses["matches"]}, f"{uses['matches']}")
        w.call("find_symbol", "find_definition", params={"symbol": "parse_me"}, symbol="parse_me")
        w.call("find_symbol", "symbol_history", params={"symbol": "parse_me"}, symbol="parse_me")
        for name in history.HOSTILE_NAMES:
            w.client.facts.add(manglecp.fact("defined_at", "parse_me", name, 1))
            w.call("find_symbol", "blame_lines", params={"symbol": "parse_me"}, path=name, first_line=1, last_line=1)
            w.call("find_symbol", "who_knows", params={"symbol": "parse_me"}, path=name)
            w.call("find_symbol", "read_lines", params={"symbol": "parse_me"}, path=name)
            checkout.write(name, "other\n")
        w.call("survey", "observe_checkout")
        w.call("prepare_change", "run_tests")
        w.call("prepare_change", "review_change")
        w.call("prepare_change", "stage_changes", paths=list(history.HOSTILE_NAMES))
        w.call("prepare_change", "commit_change", message="$(touch pwned)\n\n--amend", paths=list(history.HOSTILE_NAMES))
        equal(checkout.git("log", "-1", "--format=%B").strip(), "$(touch pwned)\n\n--amend")
        w.call("clean_up", "list_branches")
        deletable = set(enum(w.ask("clean_up").tool("delete_branches"), "names"))
        expect(set(history.HOSTILE_BRANCHES) <= deletable, f"{deletable}")
        # one that git itself would not take by this name: none of them goes
        names_before = checkout.git("for-each-ref")
        refused(lambda: w.call("clean_up", "delete_branches", names=list(history.HOSTILE_BRANCHES)), "execution_failed")
        equal(checkout.git("for-each-ref"), names_before)
        gone = [name for name in history.HOSTILE_BRANCHES if name != "-force"]
        w.call("clean_up", "delete_branches", names=gone)
        expect(not set(gone) & set(checkout.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n")), "some are left")
        failing = w.call("explain_failure", "bisect_failure", params={"test": "square"}, good=checkout.ids["book"], test="square")
        equal(failing.result["state"], "found")
        w.client.facts.add(manglecp.fact("failure_at", "square", "$(touch pwned)", 1))
        for intent, params in (("survey", {}), ("explain_failure", {"test": "square"}), ("find_symbol", {"symbol": "parse_me"}),
                               ("prepare_change", {}), ("clean_up", {})):
            for tool in w.ask(intent, **params).tools:
                expect("touch" not in (tool.instructions or ""), f"{tool.name} says {tool.instructions}")
        for where in (checkout.folder, checkout.folder.parent):
            expect(not (where / "pwned").exists(), f"something ran: {where}/pwned")
        expect(not mark.exists(), "something ran")
        expect(seen["head"]["branch"] == "main", f"{seen}")


def test_values_that_look_like_options_are_none():
    with workspace() as w:
        state = w.checkout.state()
        for intent, tool, params, arguments in (
            ("explain_failure", "run_tests", {"test": "--version"}, {"test": "--version"}),
            ("explain_failure", "bisect_failure", {"test": "x"}, {"good": "--all", "bad": "HEAD", "test": "x"}),
            ("explain_failure", "bisect_failure", {"test": "-x"}, {"good": "HEAD~1", "test": "-x"}),
            ("survey", "show_commit", {}, {"commit": "--output=pwned"}),
            ("survey", "recent_history", {}, {"path": "--output=pwned", "follow": True}),
        ):
            w.call("survey", "observe_checkout")
            w.client.facts.add(manglecp.fact("test_result", "x", "failed", at="2026-01-01T00:00:00Z"))
            try:
                result = w.call(intent, tool, params=params, **arguments)
                expect(tool == "recent_history" and result.result["commits"] == [], f"{tool} took {arguments}")
            except manglecp.Refused as e:
                equal(e.code, "execution_failed", f"{tool} {arguments}: {e.message}")
        found = w.call("find_symbol", "find_uses", params={"symbol": "--open-files-in-pager=touch pwned"},
                       symbol="--open-files-in-pager=touch pwned").result
        equal(found["matches"], [])
        history_of = w.call("find_symbol", "symbol_history", params={"symbol": "--output=pwned"}, symbol="--output=pwned").result
        equal(history_of["commits"], [])
        equal(w.checkout.state(), state, "the checkout")

if __name__ == "__main__":
    run(globals())

# Intent explain_failure: look, run, rank, show, search.

tool_relevant_to_intent("run_tests", "explain_failure", 95) :-
  intent_type(_, "explain_failure"),
  !has_failing.
tool_relevant_to_intent("run_tests", "explain_failure", 92) :- claimed(_).
tool_relevant_to_intent("run_tests", "explain_failure", 50) :- has_failing.

tool_relevant_to_intent("inspect_suspect", "explain_failure", 95) :- place(_, 1), !has_culprit.
tool_relevant_to_intent("what_changed", "explain_failure", 78) :-
  has_failing,
  has_good_commit,
  !has_culprit.
tool_relevant_to_intent("bisect_failure", "explain_failure", 88) :-
  has_good_commit,
  suspects(N),
  2 <= N,
  !has_culprit.
tool_relevant_to_intent("bisect_failure", "explain_failure", 60) :-
  has_failing,
  !has_good_commit,
  !has_culprit.

tool_relevant_to_intent("blame_lines", "explain_failure", 85) :- failing_place(_, _).
tool_relevant_to_intent("read_lines", "explain_failure", 72) :- has_place.
tool_relevant_to_intent("read_old", "explain_failure", 45) :- has_place, has_good_commit.
tool_relevant_to_intent("show_changes", "explain_failure", 86) :-
  has_failing,
  has_tracked_change,
  !has_culprit.
tool_relevant_to_intent("recent_history", "explain_failure", 40) :- has_place.
tool_relevant_to_intent("search_text", "explain_failure", 30) :- has_failing.

tool_relevant_to_intent("show_commit", "explain_failure", 95) :- has_culprit.
tool_relevant_to_intent("try_revert", "explain_failure", 85) :- has_culprit.

# ---- what they are narrowed to ----

named_test(Test) :- failing(Test), Test != "all".
param_value("run_tests", "test", Test) :- asked_test(Test).
param_value("bisect_failure", "test", Test) :- named_test(Test).
param_value("try_revert", "test", Test) :- named_test(Test).
param_value("inspect_suspect", "commit", Commit) :- place(Commit, Place), Place <= 5.
param_value("show_commit", "commit", Commit) :- known_culprit(Commit).
param_value("try_revert", "commit", Commit) :- known_culprit(Commit).
param_value("what_changed", "good", Commit) :- good_commit(Commit).
param_bound("what_changed", "since", Since) :- worked(At), Since = fn:time:format(At, /second).
param_value("bisect_failure", "good", Commit) :- good_commit(Commit).
param_value("bisect_failure", "bad", Commit) :- bad_commit(Commit).
param_value("blame_lines", "path", Path) :- failing_place(Path, _).
param_value("read_lines", "path", Path) :- intent_type(_, "explain_failure"), failing_file(Path).

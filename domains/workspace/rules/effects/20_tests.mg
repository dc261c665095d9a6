# What a run of tests says, and what a search among commits.

# ---- a run ----

ran(Out) :- invoked("run_tests"), step_output("test", Out).
ran_test("all") :- ran(Out), :match_entry(Out, "test", "").
ran_test(Test) :- ran(Out), :match_entry(Out, "test", Test), Test != "".
ran_outcome(Test, Outcome) :- ran_test(Test), ran(Out), :match_entry(Out, "outcome", Outcome).
delta_assert_during("test_result", [Test, Outcome], "server", Now, Now) :-
  ran_outcome(Test, Outcome),
  Now = fn:time:now().

failed_name(Name) :- ran(Out), :match_entry(Out, "failed", Names), :list:member(Name, Names).
delta_assert_during("test_result", [Name, "failed"], "server", Now, Now) :-
  ran_outcome(_, "failed"),
  failed_name(Name),
  Now = fn:time:now().

# Where it fails is said of this run; it takes the place of what an earlier one said.
named_place(Path, Line) :-
  ran(Out),
  :match_entry(Out, "places", Places),
  :list:member(Place, Places),
  :match_entry(Place, "path", Path),
  :match_entry(Place, "line", Line).
delta_retract("failure_at", [Test, /any, /any]) :- ran_test(Test).
delta_assert("failure_at", [Test, Path, Line], "server") :-
  ran_outcome(Test, "failed"),
  named_place(Path, Line).

# All tests passed for exactly this content: what was there before the run was there after it.
rows_of("before", Rows) :- step_output("before", Out), :match_entry(Out, "rows", Rows).
rows_of("after", Rows) :- step_output("after", Out), :match_entry(Out, "rows", Rows).
content_at(Step, Content) :-
  rows_of(Step, Rows),
  :list:member(Row, Rows),
  :match_entry(Row, "content", Content).
delta_assert("tests_passed", [Content], "server") :-
  ran_outcome("all", "passed"),
  content_at("before", Content),
  content_at("after", Content).

suggest_intent("explain_failure", "A test fails: find out what changed around it.") :-
  ran_outcome(_, "failed").
suggest_param("explain_failure", "test", Test) :- ran_outcome(Test, "failed"), Test != "all".
only_failed(Name) :- ran_outcome("all", "failed"), failed_name(Name), !another_failed(Name).
another_failed(Name) :- failed_name(Name), failed_name(Other), Name != Other.
suggest_param("explain_failure", "test", Name) :- only_failed(Name).
suggest_intent("prepare_change", "All tests pass: what is there can be committed.") :-
  ran_outcome("all", "passed").

failed_count(N) :- failed_name(Name) |> do fn:group_by(), let N = fn:count().
execution_summary(Text) :-
  ran_outcome(Test, "failed"),
  failed_count(N),
  Text = fn:string:concat("Ran ", Test, ": failed, ", N, " by name.").
has_names :- failed_name(_).
execution_summary(Text) :-
  ran_outcome(Test, Outcome),
  !has_names,
  Text = fn:string:concat("Ran ", Test, ": ", Outcome, ".").

# ---- a search ----

searched(Out) :- invoked("bisect_failure"), step_output("bisect", Out).
searched_test("all") :- searched(Out), :match_entry(Out, "test", "").
searched_test(Test) :- searched(Out), :match_entry(Out, "test", Test), Test != "".
run_of(Commit, Outcome) :-
  searched(Out),
  :match_entry(Out, "runs", Runs),
  :list:member(Run, Runs),
  :match_entry(Run, "commit", Commit),
  :match_entry(Run, "outcome", Outcome).
delta_assert("passed_at", [Test, Commit], "server") :-
  searched_test(Test),
  run_of(Commit, "passed").
delta_assert("failed_at", [Test, Commit], "server") :-
  searched_test(Test),
  run_of(Commit, "failed").

found(Culprit) :- searched(Out), :match_entry(Out, "culprit", Culprit).
has_found :- found(_).
delta_retract("culprit", [Test, /any]) :- searched_test(Test).
delta_assert("culprit", [Test, Id], "server") :-
  searched_test(Test),
  found(Culprit),
  :match_entry(Culprit, "id", Id).
delta_assert_during("commit", [Id, Author, Subject], "server", At, At) :-
  found(Culprit),
  :match_entry(Culprit, "id", Id),
  :match_entry(Culprit, "author", Author),
  :match_entry(Culprit, "subject", Subject),
  :match_entry(Culprit, "time", Time),
  At = fn:time:parse_rfc3339(Time).

suggest_intent("explain_failure", "The commit is found: see what it changed, or try without it.") :-
  has_found.
suggest_intent("explain_failure",
               "The search is not at its end: go on from the range that is left.") :-
  searched(Out),
  :match_entry(Out, "state", "out_of_time").
suggest_param("explain_failure", "test", Test) :- searched_test(Test), Test != "all".
execution_summary(Text) :-
  found(Culprit),
  :match_entry(Culprit, "id", Id),
  :match_entry(Culprit, "author", Author),
  :match_entry(Culprit, "subject", Subject),
  Text = fn:string:concat("It fails since ", Id, " of ", Author, ": ", Subject, ".").
execution_summary(Text) :-
  searched(Out),
  !has_found,
  :match_entry(Out, "state", State),
  :match_entry(Out, "left", Left),
  Text = fn:string:concat("Not found (", State, "): ", Left, " commits are left.").

# ---- a revert that passes ----

suggest_intent("prepare_change",
               "Without that commit the tests pass: review the revert, and commit it if that is what is wanted.") :-
  invoked("try_revert").
delta_assert("working_change", [Path, "staged", Change], "server") :-
  invoked("try_revert"),
  step_output("revert", Out),
  :match_entry(Out, "files", Files),
  :list:member(File, Files),
  :match_entry(File, "path", Path),
  :match_entry(File, "status", Change).

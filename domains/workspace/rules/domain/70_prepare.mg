# Intent prepare_change: review, test, stage, commit; or review what a branch would bring.

tool_relevant_to_intent("review_change", "prepare_change", 92) :- has_change.
tool_relevant_to_intent("show_changes", "prepare_change", 40) :- has_change.
tool_relevant_to_intent("run_tests", "prepare_change", 90) :- has_change, !is_tested.
tool_relevant_to_intent("run_tests", "prepare_change", 35) :- has_change, is_tested.
tool_relevant_to_intent("suggest_reviewers", "prepare_change", 60) :- has_tracked_change.
tool_relevant_to_intent("suggest_reviewers", "prepare_change", 72) :-
  has_tracked_change,
  lines_of(_, _).
tool_relevant_to_intent("format_change", "prepare_change", 55) :- has_change.
tool_relevant_to_intent("stage_changes", "prepare_change", 75) :- has_unstaged.
tool_relevant_to_intent("unstage_changes", "prepare_change", 45) :- has_staged.
tool_relevant_to_intent("start_branch", "prepare_change", 85) :- has_change, on_protected_branch.
tool_relevant_to_intent("start_branch", "prepare_change", 42) :-
  has_change,
  is_on_branch,
  !on_protected_branch.
tool_relevant_to_intent("put_aside", "prepare_change", 44) :- has_tracked_change.
tool_relevant_to_intent("bring_back", "prepare_change", 41) :- something_is_stashed.
tool_relevant_to_intent("discard_change", "prepare_change", 22) :- has_tracked_change.
tool_relevant_to_intent("compare_branch", "prepare_change", 60) :- compares(_, _), !has_change.
tool_relevant_to_intent("compare_branch", "prepare_change", 43) :- compares(_, _), has_change.

# In full only when the tests have passed for what is there; until then test_and_commit is the better way.
tool_relevant_to_intent("commit_change", "prepare_change", 95) :- has_change, is_tested.
tool_relevant_to_intent("commit_change", "prepare_change", 48) :- has_change, !is_tested.
tool_relevant_to_intent("test_and_commit", "prepare_change", 80) :- has_change, !is_tested.

is_on_branch :- on_branch(_).
something_is_stashed :- <-[_, _] stashed(_, _).
newest_stash(Id) :- stash_time(At), stashed(Id, _)@[At].
stash_time(Last) :- stashed(_, _)@[At] |> do fn:group_by(), let Last = fn:time:max(At).

# ---- what they are narrowed to ----

param_value("stage_changes", "paths", Path) :- unstaged(Path).
param_value("unstage_changes", "paths", Path) :- staged(Path).
param_value("suggest_reviewers", "paths", Path) :- tracked_change(Path).
param_value("discard_change", "paths", Path) :- tracked_change(Path).
param_value("format_change", "paths", Path) :- working_change(Path, _, Change), Change != "deleted".
param_bound("bring_back", "id", Id) :- newest_stash(Id).
param_bound("commit_change", "parent", Commit) :- head(Commit, _).
param_bound("test_and_commit", "parent", Commit) :- head(Commit, _).

# A branch is compared with the one that it is to be merged into: the intent's `branch`, or the one HEAD is on.
asked_branch(Branch) :- intent_param(/intent, "branch", Name), Branch = fn:string:concat(Name).
is_branch_asked :- asked_branch(_).
compared(Branch) :- asked_branch(Branch).
compared(Branch) :- on_branch(Branch), !is_branch_asked.
base(Base) :- intent_param(/intent, "base", Name), Base = fn:string:concat(Name).
is_base_asked :- base(_).
compares(Branch, Base) :- compared(Branch), base(Base), Branch != Base.
compares(Branch, Base) :- compared(Branch), default_branch(Base), !is_base_asked, Branch != Base.
param_bound("compare_branch", "branch", Branch) :- compares(Branch, _).
param_bound("compare_branch", "base", Base) :- compares(_, Base).
param_bound("compare_branch", "range", Range) :-
  compares(Branch, Base),
  Range = fn:string:concat(Base, "..", Branch).

# What a review, a commit, a new branch change.

# ---- a review brings counts, by which rules weigh the risk ----

reviewed(File, Path) :-
  invoked("review_change"),
  step_output("diff", Out),
  :match_entry(Out, "files", Files),
  :list:member(File, Files),
  :match_entry(File, "path", Path).
delta_retract("changed_lines", [/any, /any, /any]) :- invoked("review_change").
delta_assert("changed_lines", [Path, Added, Removed], "server") :-
  reviewed(File, Path),
  :match_entry(File, "added", Added),
  :match_entry(File, "deleted", Removed).
suggest_intent("prepare_change",
               "It is looked at: test it, find reviewers, stage and commit it.") :-
  invoked("review_change").

# ---- whose lines: of one file, or of each of several ----

line_count(Path, Author, Lines) :-
  invoked("who_knows"),
  invoke_arg("path", Path),
  step_output("people", Out),
  lines_in(Out, Author, Lines).
lines_in(Out, Author, Lines) :-
  step_output("people", Out),
  :match_entry(Out, "contributors", People),
  :list:member(Person, People),
  :match_entry(Person, "name", Author),
  :match_entry(Person, "lines", Lines).
# Of several, by what each line's commit says.
blamed(Out, Path) :-
  invoked("suggest_reviewers"),
  step_output("blame", Out),
  :match_entry(Out, "path", Path).
blame_author(Path, Id, Author) :-
  blamed(Out, Path),
  :match_entry(Out, "commits", Commits),
  :list:member(Commit, Commits),
  :match_entry(Commit, "id", Id),
  :match_entry(Commit, "author", Who),
  :match_entry(Who, "name", Author).
blame_hunk(Path, Author, First, Lines) :-
  blamed(Out, Path),
  :match_entry(Out, "hunks", Hunks),
  :list:member(Hunk, Hunks),
  :match_entry(Hunk, "commit", Id),
  :match_entry(Hunk, "first_line", First),
  :match_entry(Hunk, "lines", Lines),
  blame_author(Path, Id, Author).
line_count(Path, Author, Sum) :- blame_hunk(Path, Author, First, Lines)
  |> do fn:group_by(Path, Author), let Sum = fn:sum(Lines).
delta_retract("wrote_lines", [Path, /any, /any]) :- line_count(Path, _, _).
delta_assert("wrote_lines", [Path, Author, Lines], "server") :- line_count(Path, Author, Lines).

# ---- a definition ----

delta_retract("defined_at", [Symbol, /any, /any]) :-
  invoked("find_definition"),
  invoke_arg("symbol", Symbol).
delta_assert("defined_at", [Symbol, Path, Line], "server") :-
  invoked("find_definition"),
  invoke_arg("symbol", Symbol),
  step_output("tags", Out),
  :match_entry(Out, "items", Items),
  :list:member(Item, Items),
  :match_entry(Item, "path", Path),
  :match_entry(Item, "line", Line).
has_tags :-
  invoked("find_definition"),
  step_output("tags", Out),
  :match_entry(Out, "items", Items),
  :list:member(_, Items).
delta_assert("defined_at", [Symbol, Path, Line], "server") :-
  invoked("find_definition"),
  invoke_arg("symbol", Symbol),
  !has_tags,
  step_output("looks", Out),
  :match_entry(Out, "matches", Matches),
  :list:member(Match, Matches),
  :match_entry(Match, "path", Path),
  :match_entry(Match, "line", Line).
suggest_intent("find_symbol", "The definition is known: read it, or see who knows it.") :-
  invoked("find_definition").
suggest_param("find_symbol", "symbol", Symbol) :-
  invoked("find_definition"),
  invoke_arg("symbol", Symbol).

# ---- a commit ----

committed(Out) :- step_output("commit", Out), made_commit.
made_commit :- invoked("commit_change").
made_commit :- invoked("test_and_commit").
delta_retract("working_change", [/any, "staged", /any]) :- committed(_).
delta_retract("working_change", [Path, /any, /any]) :-
  committed(_),
  invoke_arg("paths", Paths),
  :list:member(Path, Paths).
delta_retract("changed_lines", [/any, /any, /any]) :- committed(_).
delta_retract("head", [/any, /any]) :- committed(_).
new_branch(Branch) :- committed(Out), :match_entry(Out, "branch", Branch).
has_new_branch :- new_branch(_).
delta_assert("head", [Id, Branch], "server") :-
  committed(Out),
  :match_entry(Out, "id", Id),
  new_branch(Branch).
delta_assert("head", [Id, ""], "server") :-
  committed(Out),
  :match_entry(Out, "id", Id),
  !has_new_branch.
suggest_intent("survey", "Look again: HEAD is another commit now.") :- committed(_).
execution_summary(Text) :-
  committed(Out),
  :match_entry(Out, "id", Id),
  :match_entry(Out, "subject", Subject),
  Text = fn:string:concat("Committed ", Id, ": ", Subject).

# ---- another branch ----

delta_retract("head", [/any, /any]) :- invoked("start_branch").
delta_assert("head", [Id, Branch], "server") :-
  invoked("start_branch"),
  step_output("switch", Out),
  :match_entry(Out, "id", Id),
  invoke_arg("name", Branch).
delta_assert_during("branch", [Branch], "server", Now, Now) :-
  invoked("start_branch"),
  invoke_arg("name", Branch),
  Now = fn:time:now().

# ---- put aside, brought back, thrown away: what is there has to be looked at again ----

unsettles("put_aside").
unsettles("bring_back").
unsettles("discard_change").
unsettles("format_change").
unsettles("try_revert").
delta_retract("observed", ["checkout"]) :- invoked(Tool), unsettles(Tool).
suggest_intent("survey", "The working tree is another one now: look again.") :-
  invoked(Tool),
  unsettles(Tool).
delta_assert_during("stashed", [Id, "put aside"], "server", Now, Now) :-
  invoked("put_aside"),
  step_output("stash", Out),
  :match_entry(Out, "id", Id),
  Now = fn:time:now().
delta_retract("working_change", [/any, "staged", /any]) :- invoked("put_aside").
delta_retract("working_change", [/any, "unstaged", /any]) :- invoked("put_aside").
delta_retract("stashed", [Id, /any]) :-
  invoked("bring_back"),
  step_output("pop", Out),
  :match_entry(Out, "id", Id).

# ---- what went ----

delta_retract("branch", [Name]) :- gone(Name).
delta_retract("branch_tip", [Name, /any, /any]) :- gone(Name).
delta_retract("merged", [Name, /any]) :- gone(Name).
gone(Name) :- deleted_branch(Name, _).
deleted_branch(Name, Id) :-
  step_output("delete", Out),
  :match_entry(Out, "name", Name),
  :match_entry(Out, "id", Id).
deleted_count(N) :- deleted_branch(Name, _) |> do fn:group_by(), let N = fn:count().
execution_summary(Text) :-
  invoked("delete_branches"),
  deleted_count(N),
  Text = fn:string:concat("Deleted ", N, " branches; the result says where each was.").
delta_retract("build_product", [Path, /any]) :-
  invoked("remove_build_products"),
  step_output("remove", Out),
  :match_entry(Out, "removed", Removed),
  :list:member(Path, Removed).

# What a look at the checkout brings: where HEAD is, what is changed, history, branches. History only grows;
# everything else takes the place of what was known before.

looked_at("checkout") :- invoked("observe_checkout").
looked_at("branches") :- step_status("branches", "success").
looked_at("leftovers") :- invoked("list_leftovers"), step_status("ignored", "success").
delta_retract("observed", [What]) :- looked_at(What).
delta_assert_during("observed", [What], "server", Now, Now) :- looked_at(What), Now = fn:time:now().

# ---- the working tree: every tool that ends with a look at it has a step `status` ----

status(Out) :- step_output("status", Out).
has_status :- status(_).
delta_retract("working_change", [/any, /any, /any]) :- has_status.
delta_assert("working_change", [Path, Area, Change], "server") :-
  status(Out),
  :match_entry(Out, "entries", Entries),
  :list:member(Entry, Entries),
  :match_entry(Entry, "path", Path),
  :match_entry(Entry, "area", Area),
  :match_entry(Entry, "change", Change).

head_of(Head) :- status(Out), :match_entry(Out, "head", Head).
branch_of(Branch) :- head_of(Head), :match_entry(Head, "branch", Branch).
is_on_branch_now :- branch_of(_).
delta_retract("head", [/any, /any]) :- has_status.
delta_assert("head", [Id, Branch], "server") :-
  head_of(Head),
  :match_entry(Head, "id", Id),
  branch_of(Branch).
delta_assert("head", [Id, ""], "server") :-
  head_of(Head),
  :match_entry(Head, "id", Id),
  !is_on_branch_now.

delta_retract("operation", [/any]) :- has_status.
delta_assert("operation", [Name], "server") :-
  status(Out),
  :match_entry(Out, "operation", Name),
  Name != "none".

# ---- history: every tool that lists commits with their files has a step `history` ----

# A commit that a step listed.
told_commit(Id, Commit, At) :-
  step_output("history", Out),
  :match_entry(Out, "commits", Commits),
  :list:member(Commit, Commits),
  :match_entry(Commit, "id", Id),
  :match_entry(Commit, "time", Time),
  At = fn:time:parse_rfc3339(Time).
delta_assert_during("commit", [Id, Name, Subject], "server", At, At) :-
  told_commit(Id, Commit, At),
  :match_entry(Commit, "author", Author),
  :match_entry(Author, "name", Name),
  :match_entry(Commit, "subject", Subject).

# Files: of the newest commits, as many as the operator lets be told; a commit with more than 25 is told by number.
changes(Id, Files, N) :-
  told_commit(Id, Commit, _),
  :match_entry(Commit, "files", Files),
  N = fn:list:len(Files).
is_mass(Id) :- changes(Id, _, N), 25 < N.
cost(Id, At, N) :- told_commit(Id, _, At), changes(Id, _, N), !is_mass(Id).
up_to(Id, Other, N) :- cost(Id, At, _), cost(Other, Later, N), :time:le(At, Later).
cost_so_far(Id, Sum) :- up_to(Id, Other, N) |> do fn:group_by(Id), let Sum = fn:sum(N).
is_told(Id) :- cost_so_far(Id, Sum), setting("told_files", Most), Sum <= Most.

# A file of a commit whose files are told.
told_file(Id, Path, File) :-
  is_told(Id),
  changes(Id, Files, _),
  :list:member(File, Files),
  :match_entry(File, "path", Path).
counted(Id, Path) :- told_file(Id, Path, File), :match_entry(File, "added", _).
delta_assert("touched", [Id, Path, Added, Removed], "server") :-
  told_file(Id, Path, File),
  :match_entry(File, "added", Added),
  :match_entry(File, "deleted", Removed).
delta_assert("touched", [Id, Path, 0, 0], "server") :- told_file(Id, Path, _), !counted(Id, Path).
delta_assert("renamed", [Id, Old, Path], "server") :-
  told_file(Id, Path, File),
  :match_entry(File, "status", "renamed"),
  :match_entry(File, "old_path", Old).
delta_assert("mass_commit", [Id, N], "server") :- is_mass(Id), changes(Id, _, N).

untold(Id) :- cost(Id, _, _), !is_told(Id).
untold_count(N) :- untold(Id) |> do fn:group_by(), let N = fn:count().
delta_retract("not_told", ["commits", /any]) :- step_status("history", "success").
delta_assert("not_told", ["commits", N], "server") :- untold_count(N).

# Folders of what was changed; the others say nothing about distance.
tracked_folder(Folder) :-
  step_output("folders", Out),
  :match_entry(Out, "lines", Lines),
  :list:member(Folder, Lines).
delta_assert("folder", [Folder], "server") :- changed_folder(Folder).
changed_folder(Folder) :-
  tracked_folder(Folder),
  Prefix = fn:string:concat(Folder, "/"),
  told_file(_, Path, _),
  :string:starts_with(Path, Prefix).

# ---- branches: every tool that lists them has a step `branches` ----

# A branch that a step listed, and when its tip was recorded.
told_branch(Name, Branch, Last) :-
  step_output("branches", Out),
  :match_entry(Out, "branches", Branches),
  :list:member(Branch, Branches),
  :match_entry(Branch, "name", Name),
  :match_entry(Branch, "last", Time),
  Last = fn:time:parse_rfc3339(Time).
began(Name, First) :-
  told_branch(Name, Branch, Last),
  :match_entry(Branch, "first", Own),
  :match_entry(Own, "time", Time),
  First = fn:time:parse_rfc3339(Time),
  :time:le(First, Last).
has_begin(Name) :- began(Name, _).
all_listed :- step_status("branches", "success"), !narrowed_list.
narrowed_list :- invoke_arg("pattern", _).
# Of a list of some branches the others stay as they were known.
delta_retract("branch", [/any]) :- all_listed.
delta_retract("branch_tip", [/any, /any, /any]) :- all_listed.
delta_retract("merged", [/any, /any]) :- all_listed.
delta_retract("checked_out", [/any]) :- all_listed.
delta_retract("branch", [Name]) :- told_branch(Name, _, _), narrowed_list.
delta_retract("branch_tip", [Name, /any, /any]) :- told_branch(Name, _, _), narrowed_list.
delta_retract("merged", [Name, /any]) :- told_branch(Name, _, _), narrowed_list.
delta_retract("checked_out", [Name]) :- told_branch(Name, _, _), narrowed_list.
delta_assert_during("branch", [Name], "server", First, Last) :-
  told_branch(Name, _, Last),
  began(Name, First).
delta_assert_during("branch", [Name], "server", Last, Last) :-
  told_branch(Name, _, Last),
  !has_begin(Name).
delta_assert("branch_tip", [Name, Id, Author], "server") :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "id", Id),
  :match_entry(Branch, "author", Author).
base_name(Base) :-
  step_output("branches", Out),
  :match_entry(Out, "base", Of),
  :match_entry(Of, "name", Base).
delta_assert("merged", [Name, Base], "server") :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "merged", /true),
  base_name(Base),
  Name != Base.
delta_assert("checked_out", [Name], "server") :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "current", /true).
delta_assert("checked_out", [Name], "server") :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "checked_out", _).
delta_assert("default_branch", [Name], "server") :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "default", /true).
delta_retract("not_told", ["branches", /any]) :- step_status("branches", "success").
delta_assert("not_told", ["branches", N], "server") :-
  step_output("branches", Out),
  :match_entry(Out, "total", Total),
  :match_entry(Out, "branches", Branches),
  Shown = fn:list:len(Branches),
  Shown < Total,
  N = fn:minus(Total, Shown).

# ---- what was put aside, and what was left over ----

stash_list(Stashes) :- step_output("stashes", Out), :match_entry(Out, "stashes", Stashes).
delta_retract("stashed", [/any, /any]) :- step_status("stashes", "success").
delta_assert_during("stashed", [Id, Message], "server", At, At) :-
  stash_list(Stashes),
  :list:member(Stash, Stashes),
  :match_entry(Stash, "id", Id),
  :match_entry(Stash, "message", Message),
  :match_entry(Stash, "time", Time),
  At = fn:time:parse_rfc3339(Time).
delta_retract("build_product", [/any, /any]) :- looked_at("leftovers").
delta_assert("build_product", [Path, Bytes], "server") :-
  step_output("products", Out),
  :match_entry(Out, "sizes", Found),
  :list:member(One, Found),
  :match_entry(One, "path", Path),
  :match_entry(One, "bytes", Bytes).

# ---- what to ask next ----

change_count(N) :-
  invoked("observe_checkout"),
  status(Out),
  :match_entry(Out, "entries", Entries),
  N = fn:list:len(Entries).
suggest_intent("prepare_change",
               "There is something that is not committed: review and commit it.") :-
  change_count(N),
  0 < N.
merged_branch(Name) :-
  told_branch(Name, Branch, _),
  :match_entry(Branch, "merged", /true),
  base_name(Base),
  Name != Base.
merged_count(N) :- merged_branch(Name) |> do fn:group_by(), let N = fn:count().
suggest_intent("clean_up", "Several branches are merged: see which may go.") :-
  invoked("observe_checkout"),
  merged_count(N),
  3 <= N.
suggest_intent("clean_up", "Some branches are merged: see which may go.") :-
  invoked("list_branches"),
  merged_count(N),
  0 < N.
suggest_intent("clean_up", "There are build products: see which may go.") :-
  invoked("list_leftovers"),
  delta_assert("build_product", _, _).
suggest_intent("explain_failure", "If a test fails, ask why: the history is known now.") :-
  invoked("observe_checkout").

where("no branch") :- head_of(_), !is_on_branch_now.
where(Branch) :- branch_of(Branch).
commit_count(N) :- told_commit(Id, _, _) |> do fn:group_by(), let N = fn:count().
execution_summary(Text) :-
  invoked("observe_checkout"),
  where(Branch),
  change_count(Changes),
  commit_count(Commits),
  Text = fn:string:concat("On ", Branch, ", ", Changes, " changes not committed, ", Commits,
                          " commits looked at.").

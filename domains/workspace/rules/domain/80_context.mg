# What travels with a tool: what this situation calls for, in a sentence or two; skills; files to look at.
#
# An instruction is the server's word, and whoever reads it may act on it. What others have written into the
# checkout is not to speak through it: no message of a commit, no name of a test; a path only without blanks,
# a person's name only of three words at most.

mentioned_path(Path) :- mostly(_, Path).
mentioned_path(Path) :- failing_file(Path).
mentioned_path(Path) :- definition(Path, _).
mentioned_path(Path) :- change_place(Path, _).
sayable_path(Path) :-
  mentioned_path(Path),
  Joined = fn:string:replace(fn:string:replace(Path, " ", "", -1), "\n", "", -1),
  Path = Joined,
  Path != "".
mentioned_person(Author) :- owner(_, Author).
mentioned_person(Author) :- reviewer(Author, _).
mentioned_person(Author) :- forgotten(Name), branch_tip(Name, _, Author).
sayable_person(Author) :-
  mentioned_person(Author),
  Shorter = fn:string:replace(Author, " ", "", 2),
  Joined = fn:string:replace(Shorter, " ", "", -1),
  Shorter = Joined.

# ---- survey ----

instruction("observe_checkout",
            "Look first: the state delta holds the facts that the other intents need. Send all of them with the next one.") :-
  !fresh("checkout").
instruction("show_changes", Text) :-
  operation(Name),
  Text = fn:string:concat("A ", Name,
                          " was begun and not ended: end or abort it before anything else.").

# ---- why a commit is suspected ----

instruction("inspect_suspect", Text) :-
  place(Commit, Place),
  Place <= 3,
  risk(Commit, Score),
  mostly(Commit, Path),
  sayable_path(Path),
  suspect(Commit, At),
  Day = fn:time:format(At, /minute),
  Text = fn:string:concat(Place, ". ", Commit, " of ", Day, ", risk ", Score, ", mostly by ", Path,
                          ".").
instruction("inspect_suspect", Text) :-
  place(Commit, Place),
  Place <= 3,
  risk(Commit, Score),
  mostly(Commit, ""),
  mass_commit(Commit, Files),
  Text = fn:string:concat(Place, ". ", Commit, ", risk ", Score, ": it changed ", Files, " files.").
instruction("inspect_suspect",
            "A rank is a guess from churn, distance and age: read the difference before you believe it.") :-
  place(_, 1).
instruction("run_tests", "Run what fails alone first; all tests when it passes.") :- is_one_test.
instruction("bisect_failure", Text) :-
  suspects(N),
  has_good_commit,
  Text = fn:string:concat(N, " commits lie between the last success and the failure.").
instruction("bisect_failure",
            "Name the test that fails: with all tests, the first commit that breaks any of them is found.") :-
  has_failing,
  !is_one_test.
is_one_test :- named_test(_).
instruction("bisect_failure",
            "When it last passed is not known: choose a commit of which you are sure, both ends are tried first.") :-
  !has_good_commit.
instruction("show_changes", "What is not committed yet is the first suspect.") :-
  has_failing,
  has_tracked_change.
instruction("blame_lines", Text) :-
  failing_place(Path, Line),
  sayable_path(Path),
  Text = fn:string:concat("It fails at ", Path, ":", Line, "; a few lines around it are enough.").
instruction("try_revert",
            "Somebody meant that commit: a revert that passes shows the cause, it need not be the repair.") :-
  has_culprit.

# ---- who knows ----

instruction("who_knows", Text) :-
  definition(Path, _),
  owner(Path, Author),
  sayable_path(Path),
  sayable_person(Author),
  Text = fn:string:concat(Author, " wrote most of ", Path, ".").

# ---- where a change is risky ----

instruction("review_change", Text) :-
  change_place(Path, Place),
  Place <= 3,
  sayable_path(Path),
  change_risk(Path, Score),
  lines_of(Path, Lines),
  busy(Path, Busy),
  Text = fn:string:concat(Place, ". ", Path, ", risk ", Score, ": ", Lines, " lines, ", Busy,
                          " commits in thirty days.").
instruction("review_change", Text) :-
  reviewer(Author, 1),
  sayable_person(Author),
  Text = fn:string:concat(Author, " knows most of this.").
instruction("suggest_reviewers", Text) :-
  reviewer(Author, Place),
  Place <= 2,
  sayable_person(Author),
  Text = fn:string:concat(Place, ". ", Author, ", by lines of what is changed.").
instruction("run_tests",
            "The tests have not been seen to pass for what is there now; commit_change waits for that.") :-
  intent_type(_, "prepare_change"),
  !is_tested.
instruction("commit_change", "All tests have passed for exactly what is there.") :- is_tested.
instruction("commit_change",
            "Not everything is staged: the commit holds less than what was tested.") :-
  is_tested,
  has_staged,
  has_unstaged.
instruction("commit_change",
            "The tests have not been seen to pass for what is there; run_tests or test_and_commit do that.") :-
  !is_tested.
instruction("start_branch", Text) :-
  on_branch(Branch),
  protected_name(Branch),
  Text = fn:string:concat(Branch, " is protected: begin a branch for the change.").

# ---- what may go ----

instruction("delete_branches", Text) :-
  count_deletable(N),
  Text = fn:string:concat(N, " branches may go; those of somebody else are theirs to delete.").
count_deletable(N) :- deletable(Name) |> do fn:group_by(), let N = fn:count().
instruction("delete_branches",
            "By force: commits of unmerged branches are lost from sight; archive_branch keeps them.") :-
  wants_force.
instruction("archive_branch", Text) :-
  forgotten(Name),
  branch_tip(Name, _, Author),
  sayable_person(Author),
  branch(Name)@[First, Last],
  :time:le(First, Last),
  Day = fn:time:format(Last, /day),
  Text = fn:string:concat(Name, ": last commit on ", Day, ", of ", Author, ".").
instruction("remove_build_products", Text) :-
  product_size(Sum),
  Text = fn:string:concat(Sum, " bytes in all; they have to be built again when they are needed.").

# ---- skills ----

needs_skill(T, "reading-a-failure") :- selected_tool(_, T), explains(T), has_failing.
explains("inspect_suspect").
explains("what_changed").
explains("bisect_failure").
needs_skill(T, "a-good-commit") :- selected_tool(_, T), commits(T).
needs_skill(T, "before-deleting") :- selected_tool(_, T), deletes(T).
deletes("delete_branches").
deletes("archive_branch").
deletes("remove_build_products").

# ---- files ----

file_uri(Path, Uri) :-
  setting("checkout", Root),
  wanted_file(Path),
  Uri = fn:string:concat("file://", Root, "/", Path).
wanted_file(Path) :- failing_file(Path).
wanted_file(Path) :- change_place(Path, Place), Place <= 3.
needs_file("read_lines", Uri, "It fails here.", 90) :-
  selected_tool(_, "read_lines"),
  failing_file(Path),
  file_uri(Path, Uri).
needs_file("review_change", Uri, "Among the riskiest changes.", 80) :-
  selected_tool(_, "review_change"),
  change_place(Path, Place),
  Place <= 3,
  file_uri(Path, Uri).

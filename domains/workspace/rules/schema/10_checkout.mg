# What is known of the checkout. Tools bring these facts in their state deltas, with the times at which they
# held; clients send them back, or say themselves what they know.

# ---- history: commits are events, branches are intervals ----

Decl commit(Id, Author, Subject) temporal
  descr [doc("A commit of the history of HEAD, at the instant it was recorded."), direction("both")]
  bound [/string, /string, /string].

Decl touched(Commit, Path, Added, Removed)
  descr [doc("The commit changed so many lines of the file; 0 and 0 of what is no text."),
         direction("both")]
  bound [/string, /string, /number, /number].

Decl renamed(Commit, From, To)
  descr [doc("The commit gave the file another name."), direction("both")]
  bound [/string, /string, /string].

Decl mass_commit(Commit, Files)
  descr [doc("The commit changed too many files to tell them one by one."), direction("both")]
  bound [/string, /number].

Decl not_told(What, Count)
  descr [doc("An observation told so many commits or branches less than there are, older ones."),
         direction("both")]
  bound [/string, /number].

Decl folder(Path)
  descr [doc("A folder in which lately something was changed."), direction("both")]
  bound [/string].

Decl branch(Name) temporal
  descr [doc("A local branch, from its first own commit to its last."), direction("both")]
  bound [/string].

Decl branch_tip(Name, Commit, Author)
  descr [doc("Where the branch is, and who wrote that commit."), direction("both")]
  bound [/string, /string, /string].

Decl merged(Name, Base)
  descr [doc("Base has all of the branch."), direction("both")]
  bound [/string, /string].

Decl default_branch(Name)
  descr [doc("What other branches are compared with and merged into."), direction("both")]
  bound [/string].

Decl checked_out(Name)
  descr [doc("The checkout, or another worktree, is on the branch."), direction("both")]
  bound [/string].

# ---- the working tree ----

Decl observed(What) temporal
  descr [doc("The server looked: at checkout, branches, build products or worktrees."),
         direction("both")]
  bound [/string].

Decl head(Commit, Branch)
  descr [doc("Where HEAD is; Branch is empty if it is on none."), direction("both")]
  bound [/string, /string].

Decl operation(Name)
  descr [doc("A merge, rebase, revert, ... was begun and not ended."), direction("both")]
  bound [/string].

Decl working_change(Path, Area, Change)
  descr [doc("Area is staged, unstaged, untracked or conflicted; Change is added, modified, deleted, ..."),
         direction("both")]
  bound [/string, /string, /string].

Decl changed_lines(Path, Added, Removed)
  descr [doc("What is not committed yet changes so many lines of the file."), direction("both")]
  bound [/string, /number, /number].

Decl wrote_lines(Path, Author, Lines)
  descr [doc("So many lines of the file, as it is, are the author's."), direction("both")]
  bound [/string, /string, /number].

Decl stashed(Id, Message) temporal
  descr [doc("Changes were put aside."), direction("both")]
  bound [/string, /string].

Decl build_product(Path, Bytes)
  descr [doc("Ignored by git, and not needed to build again."), direction("both")]
  bound [/string, /number].

# ---- tests and failures ----

Decl test_result(Test, Outcome) temporal
  descr [doc("A test ran. Test is its name, or all; Outcome is passed, failed, timed_out or could_not_run."),
         direction("both")]
  bound [/string, /string].

Decl failure_at(Test, Path, Line)
  descr [doc("What the failing test printed names this line of this file."), direction("both")]
  bound [/string, /string, /number].

Decl passed_at(Test, Commit)
  descr [doc("The test passes at this commit."), direction("both")]
  bound [/string, /string].

Decl failed_at(Test, Commit)
  descr [doc("The test fails at this commit."), direction("both")]
  bound [/string, /string].

Decl culprit(Test, Commit)
  descr [doc("A bisection found that the test fails since this commit."), direction("both")]
  bound [/string, /string].

Decl tests_passed(Content)
  descr [doc("All tests passed for exactly this content of the working tree, the id of its tree in git."),
         direction("both")]
  bound [/string].

# ---- symbols ----

Decl defined_at(Symbol, Path, Line)
  descr [doc("The symbol seems to be defined in this line."), direction("both")]
  bound [/string, /string, /number].

# ---- asked while a request is evaluated ----

Decl content_now(Content)
  descr [doc("What the working tree holds at this moment, as tests_passed has it."),
         external(),
         mode('-')]
  bound [/string].

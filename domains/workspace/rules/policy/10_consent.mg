# What is not done, and what is not done unasked.

# ---- consent: whatever changes anything, or runs what is in the checkout ----

# The operator may have said that tests of this checkout run without asking.
trusted_action("AID.WORKSPACE.TEST.v1") :- setting("trust_tests", /true).
trusted_action("AID.WORKSPACE.BISECT.v1") :- setting("trust_tests", /true).
trusted_action("AID.WORKSPACE.MUST_PASS.v1") :- setting("trust_tests", /true).

changes_something(Tool) :-
  tool_step(Tool, _, Action),
  action_tier(Action, Tier),
  1 <= Tier,
  !trusted_action(Action).
requires_confirmation(Tool) :- changes_something(Tool).

# ---- that tests have passed is the server's to say ----

Decl tests_were_seen_to_pass(Content)
  descr [doc("The server has seen all tests pass for this content; not what somebody says."),
         privileged()]
  bound [/string].
tests_were_seen_to_pass(Content) :- tests_passed(Content).
was_seen_to_pass :- tests_were_seen_to_pass(Content), content_now(Content).

# ---- commits ----

commits("commit_change").
commits("test_and_commit").

# Begun and not ended: whatever is committed now becomes part of it.
prohibited(Tool, "a merge, rebase or the like has to be ended first") :-
  commits(Tool),
  operation(_).
prohibited(Tool, "conflicts have to be resolved first") :-
  commits(Tool),
  working_change(_, "conflicted", _).
prohibited(Tool, "nothing is committed on a protected branch; begin one for the change") :-
  commits(Tool),
  head(_, Branch),
  protected_name(Branch).
prohibited("commit_change", "the tests have not passed for what is there") :-
  setting("require_tests", /true),
  !was_seen_to_pass.

# ---- deleting: nothing that is protected, in use, or, unless it is forced, not merged ----

protected_name(Name) :- known_name(Name), is_in_list(Name).
known_name(Name) :- <-[_, _] branch(Name).
known_name(Name) :- head(_, Name), Name != "".
is_in_list(Name) :-
  known_name(Name),
  setting("protected_branches", List),
  :string:contains(fn:string:concat(" ", List, " "), fn:string:concat(" ", Name, " ")).

# ---- the working tree ----

prohibited("try_revert", "what is not committed yet would be in the way") :-
  working_change(_, Area, _),
  Area != "untracked".
prohibited("format_change", "nobody has said how files are laid out") :-
  setting("format_command", "").
prohibited("bring_back", "nothing was put aside") :- !something_aside.
something_aside :- <-[_, _] stashed(_, _).

# Who works on what is nobody else's business.
prohibited(Tool, "not for strangers") :- tool(Tool), client_kind("anonymous").

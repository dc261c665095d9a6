# What the two servers answered, as facts: the commit is git's word, of the note that was written.
revised(Note, Commit) :-
  invoked("revise_note"),
  invoke_arg("note", Note),
  step_output("commit", Out),
  :match_entry(Out, "commitHash", Commit).
delta_retract("revision", [Note, /any]) :- revised(Note, _).
delta_assert("revision", [Note, Commit], "server") :- revised(Note, Commit).
suggest_intent("keep_notes", "It is kept; the commit can be looked at.") :- revised(_, _).

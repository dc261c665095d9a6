# Whoever wants to keep notes can revise them, and what was revised can be looked at.
tool_relevant_to_intent("revise_note", "keep_notes", 90).
tool_relevant_to_intent("show_revision", "keep_notes", 70) :- revision(_, _).
param_value("show_revision", "commit", Commit) :- revision(_, Commit).

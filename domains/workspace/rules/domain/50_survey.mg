# Intent survey, and the first look that the other intents need.

needs_look("survey", 95).
needs_look("explain_failure", 90).
needs_look("prepare_change", 90).
needs_look("clean_up", 75).
needs_look("find_symbol", 25).
tool_relevant_to_intent("observe_checkout", Intent, Score) :-
  needs_look(Intent, Score),
  !fresh("checkout").
tool_relevant_to_intent("observe_checkout", "survey", 50) :- fresh("checkout").

tool_relevant_to_intent("show_changes", "survey", 80) :- has_change.
tool_relevant_to_intent("recent_history", "survey", 75) :- has_history.
tool_relevant_to_intent("show_commit", "survey", 60) :- has_history.
tool_relevant_to_intent("list_branches", "survey", 70) :- fresh("checkout").
tool_relevant_to_intent("project_overview", "survey", 72) :- intent_type(_, "survey").
tool_relevant_to_intent("list_files", "survey", 45) :- intent_type(_, "survey").
tool_relevant_to_intent("search_text", "survey", 45) :- intent_type(_, "survey").
tool_relevant_to_intent("compare_branch", "survey", 40) :- compares(_, _).

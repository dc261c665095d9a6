# What the client keeps of a diagnosis, what to do next, and the sentence that sums it up.

# ---- facts ----------------------------------------------------------------------------------------------------

Decl told_story(Effect, Root) bound [/string, /string].
told_story(X, R) :- invoked("diagnose_page"), finding(_, R, X).
told_story(E, R) :- invoked("diagnose_causal_chain"), told_root(E, R).
Decl diagnosed(E, Kind) bound [/string, /string].
diagnosed(E, Kind) :- told_story(E, R), error_source(E, _), fault_kind(R, Kind).
diagnosed(E, "unconnected") :- invoked("diagnose_causal_chain"), asked_error(E), !has_told_root().
delta_assert("diagnosed_error", [E, Kind], "server") :- diagnosed(E, Kind).
delta_retract("undiagnosed_error", [E]) :- diagnosed(E, _).

Decl told_fix(Where, Kind) bound [/string, /string].
told_fix(Where, Kind) :- told_story(_, R), fault_kind(R, Kind), any_change(R, Where, _).
delta_assert("fix_candidate", [Where, Kind], "derived") :- told_fix(Where, Kind).

delta_assert("page_seen", [Text], "session") :- last_seen_text(Text).
delta_retract("page_seen", [/any]) :- last_seen_text(_).

continuation_fact("diagnosed_error", [E, Kind]) :-
  told_story(E, R),
  error_source(E, _),
  fault_kind(R, Kind).
continuation_fact("fix_candidate", [Where, Kind]) :- told_fix(Where, Kind).

# ---- what next --------------------------------------------------------------------------------------------------

suggest_intent("fix_error", "The cause is known: decide what to change.") :- told_story(_, _).
suggest_param("fix_error", "error_id", E) :- told_story(X, _), error_source(X, _)
  |> do fn:group_by(), let E = fn:pick_any(X).
Decl is_unconnected().
is_unconnected() :- diagnosed(_, "unconnected").
suggest_intent("observe",
               "Nothing that was seen explains this error: look at the console around it.") :-
  is_unconnected().
suggest_param("observe", "focus", "console") :- is_unconnected().
suggest_intent("observe", "Once the change is made: observe the page anew.") :-
  invoked("propose_fix").

# ---- in a sentence -----------------------------------------------------------------------------------------------

execution_summary(Text) :-
  invoked("diagnose_page"),
  told_finding(1, _),
  finding(1, R, _),
  fault_text(R, Said),
  Text = fn:string:concat("Something is wrong here: ", Said, ".").
execution_summary("Nothing is wrong here.") :- invoked("diagnose_page"), verdict("healthy").
execution_summary("Something seems wrong, but nothing that was seen explains it.") :-
  invoked("diagnose_page"),
  verdict("suspicious"),
  is_unexplained().
Decl is_unexplained().
is_unexplained() :- unexplained(_, _).
execution_summary("Nothing wrong was seen, but the page was not there yet.") :-
  invoked("diagnose_page"),
  verdict("suspicious"),
  !is_unexplained().
execution_summary(Text) :-
  invoked("diagnose_causal_chain"),
  told_root(_, R),
  fault_text(R, Said),
  Text = fn:string:concat("Traced the error to its cause: ", Said, ".").
execution_summary("Looked for a cause of the error and found nothing that is connected with it.") :-
  is_unconnected().

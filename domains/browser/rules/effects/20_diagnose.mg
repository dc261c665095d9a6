# After a diagnosis: a cause leads to fixing it, no cause to looking further.

diagnosis(Out) :- invoked("diagnose_causal_chain"), step_output("derive", Out).
diagnosed(Id) :- diagnosis(Out), :match_entry(Out, "error", E), :match_entry(E, "error_id", Id).
cause_found(Id, Cause) :- diagnosed(Id), diagnosis(Out), :match_entry(Out, "cause", Cause).
has_cause_now :- cause_found(_, _).

candidate_found(Target, Kind) :-
  diagnosis(Out),
  :match_entry(Out, "fix_candidates", L),
  :list:member(X, L),
  :match_entry(X, "target", Target),
  :match_entry(X, "kind", Kind).

continuation_fact("diagnosed_error", [Id, Cause]) :- cause_found(Id, Cause).
continuation_fact("fix_candidate", [Id, Target, Kind]) :-
  cause_found(Id, _),
  candidate_found(Target, Kind).

suggest_intent("fix_error", "The cause is known: decide what to change.") :- has_cause_now.
suggest_param("fix_error", "error_id", Id) :- cause_found(Id, _).
suggest_intent("observe",
               "Nothing in the capture explains this error: look at the console around it.") :-
  diagnosed(_),
  !has_cause_now.
suggest_param("observe", "focus", "console") :- diagnosed(_), !has_cause_now.

execution_summary(Text) :-
  cause_found(_, _),
  diagnosis(Out),
  :match_entry(Out, "root_cause", Why),
  Text = fn:string:concat("Traced the error to its cause: ", Why, ".").
execution_summary("Looked for a failed request behind the error and found none that is connected with it.") :-
  diagnosed(_),
  !has_cause_now.

# After a proposal: see whether it worked.
suggest_intent("observe",
               "Once the change is made and the page recorded again: observe it anew.") :-
  invoked("propose_fix").

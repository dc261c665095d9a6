# Intent fix_error: from a diagnosis to a proposal; without a diagnosis, back to it.

tool_relevant_to_intent("propose_fix", "fix_error", 95) :- has_fix, has_diagnosis.
tool_relevant_to_intent("propose_fix", "fix_error", 60) :- has_diagnosis.
tool_relevant_to_intent("verify_fix", "fix_error", 65) :- has_diagnosis.
tool_relevant_to_intent("verify_fix", "fix_error", 60) :- has_fix.
tool_relevant_to_intent("verify_fix", "fix_error", 55) :- page_seen(_).
tool_relevant_to_intent("error_details", "fix_error", 50) :- has_diagnosis.
tool_relevant_to_intent("request_details", "fix_error", 45) :- has_fix, has_failed_response.
tool_relevant_to_intent("inspect_dom", "fix_error", 30) :- fix_candidate(_, "missing_member").
tool_relevant_to_intent("inspect_dom", "fix_error", 30) :- fix_candidate(_, "empty_data").

tool_relevant_to_intent("diagnose_page", "fix_error", 90) :-
  intent_type(_, "fix_error"),
  !has_diagnosis,
  !has_fix.
tool_relevant_to_intent("diagnose_causal_chain", "fix_error", 85) :-
  <-[5m] console_event(_, "error", _, _),
  !has_diagnosis.
tool_relevant_to_intent("observe_page", "fix_error", 75) :-
  intent_type(_, "fix_error"),
  !has_diagnosis,
  !<-[5m] console_event(_, "error", _, _).

# A fix is for an error that was diagnosed; one for which a cause was found comes first.
fix_choice(Id) :- diagnosed_error(Id, Kind), Kind != "unconnected".
has_connected_error :- fix_choice(_).
fix_choice_or_any(Id) :- fix_choice(Id).
fix_choice_or_any(Id) :- diagnosed_error(Id, _), !has_connected_error.

# The intent may say which error it is about.
wanted_error(Id) :- intent_param(/intent, "error_id", Id), fix_choice_or_any(Id).
has_wanted_error :- wanted_error(_).
param_value("propose_fix", "error_id", Id) :- wanted_error(Id).
param_value("propose_fix", "error_id", Id) :- fix_choice_or_any(Id), !has_wanted_error.

# Intent diagnose_error: what is wrong on the page, if anything, can always be asked; an error and a failed answer within
# five minutes call for the whole chain of that error; an error alone for a look at it.

mandatory_for_intent("diagnose_error", "diagnose_page").
tool_relevant_to_intent("explain_change", "diagnose_error", 58) :- page_seen(_).
tool_relevant_to_intent("explain_change", "observe", 60) :- page_seen(_).

# Since it was last looked at.
seen_before(At) :- page_seen(At).
last_seen_before(Last) :- seen_before(At) |> do fn:group_by(), let Last = fn:pick_any(At).
param_bound("explain_change", "seen", At) :- last_seen_before(At).

tool_relevant_to_intent("diagnose_causal_chain", "diagnose_error", 95) :-
  <-[5m] console_event(S, "error", _, _),
  failed_response(S, _, _).
tool_relevant_to_intent("diagnose_causal_chain", "diagnose_error", 65) :-
  <-[5m] console_event(_, "error", _, _).

tool_relevant_to_intent("error_details", "diagnose_error", 60) :-
  <-[5m] console_event(_, "error", _, _).
tool_relevant_to_intent("console_summary", "diagnose_error", 45) :-
  <-[5m] console_event(_, "error", _, _).
tool_relevant_to_intent("search_console", "diagnose_error", 25) :-
  <-[5m] console_event(_, "error", _, _).

tool_relevant_to_intent("failed_requests", "diagnose_error", 55) :- has_failed_response.
tool_relevant_to_intent("request_details", "diagnose_error", 50) :- has_failed_response.
tool_relevant_to_intent("network_summary", "diagnose_error", 35) :- has_failed_response.

tool_relevant_to_intent("inspect_dom", "diagnose_error", 42) :- has_dom_errors.
tool_relevant_to_intent("screenshot_view", "diagnose_error", 25) :- has_dom_errors.
tool_relevant_to_intent("slow_requests", "diagnose_error", 22) :-
  has_console_errors,
  has_slow_responses.

tool_relevant_to_intent("observe_page", "diagnose_error", 80) :-
  intent_type(_, "diagnose_error"),
  !has_page,
  !<-[5m] console_event(_, "error", _, _).
tool_relevant_to_intent("observe_page", "diagnose_error", 60) :-
  has_page,
  !<-[5m] console_event(_, "error", _, _).

# The intent may say which error it is about; without a word any of them will do.
asked_about(Id) :- intent_param(/intent, "error_id", Id), error_choice(Id).
is_asked_about_one :- asked_about(_).
asked_about_or_any(Id) :- asked_about(Id).
asked_about_or_any(Id) :- error_choice(Id), !is_asked_about_one.
param_value("diagnose_causal_chain", "error_id", Id) :- asked_about_or_any(Id).
param_value("error_details", "error_id", Id) :- asked_about_or_any(Id).
param_value("request_details", "request_id", R) :- failed_response(_, R, _).

# What is wrong may show only once somebody has done something.
tool_relevant_to_intent("run_plan", "diagnose_error", 85) :- has_page.
tool_relevant_to_intent("find_elements", "diagnose_error", 70) :- has_page.

# Who acts on a page or looks at it can ask at once whether something is wrong.
tool_relevant_to_intent("diagnose_page", "automate", 35) :- current_url(_).
tool_relevant_to_intent("diagnose_page", "observe", 40) :- has_recent_events.

# What the client keeps of a diagnosis, what to do next, and the sentence that sums it up.

# ---- facts ----------------------------------------------------------------------------------------------------

Decl told_story(Effect, Root) bound [/string, /string].
told_story(X, R) :- invoked("diagnose_page"), finding(_, R, X).
told_story(E, R) :- invoked("diagnose_causal_chain"), told_root(E, R).
Decl diagnosed(E, Kind) bound [/string, /string].
diagnosed(E, Kind) :- told_story(E, R), error_source(E, _), fault_kind(R, Kind).
diagnosed(E, "unconnected") :- invoked("diagnose_causal_chain"), asked_error(E), !has_told_root().
delta_assert("diagnosed_error", [E, Kind], "server") :- diagnosed(E, Kind).

# A look at the whole page takes the place of what was known of it: what is repaired is no error any more.
Decl looked_anew().
looked_anew() :- invoked("diagnose_page"), gathered().
looked_anew() :- invoked("verify_fix"), verdict("healthy").
delta_retract("diagnosed_error", [/any, /any]) :- looked_anew().
delta_retract("fix_candidate", [/any, /any]) :- looked_anew().
delta_retract("undiagnosed_error", [/any]) :- looked_anew().
delta_retract("console_error", [/any, /any, /any, /any]) :- looked_anew().
delta_retract("console_event", [/any, "error", /any, /any]) :- looked_anew().
delta_retract("dom_error", [/any, /any, /any]) :- looked_anew().
# Requests have other numbers, and elements other refs, in a page that was opened anew.
Decl opened_anew().
opened_anew() :- looked_anew(), invoke_arg("url", _).
delta_retract("net_request", [/any, /any, /any, /any, /any]) :- opened_anew().
delta_retract("net_response", [/any, /any, /any, /any]) :- opened_anew().
delta_retract("console_event", [/any, /any, /any, /any]) :- opened_anew().
delta_retract("element", [/any, /any, /any]) :- opened_anew().
delta_retract("page_form", [/any, /any, /any]) :- opened_anew().
delta_retract("form_field", [/any, /any, /any]) :- opened_anew().

# The errors that were told, for who asks on: under the names that other tools know.
Decl told_error(E) bound [/string].
told_error(E) :- looked_anew(), finding(_, _, E), error_source(E, _).
told_error(E) :- looked_anew(), unexplained(E, _), error_source(E, _).
Decl gathered_of(Session) bound [/any].
gathered_of(Session) :- step_output("gather", Said), :match_entry(Said, "session_id", Session).
delta_assert_during("console_error", [S, E, Text, Ms], "session", T, T) :-
  told_error(E),
  gathered_of(S),
  error(E, _, Text, _)@[T, _],
  ms(T, Ms).
delta_assert_during("console_event", [S, "error", Text, Ms], "session", T, T) :-
  told_error(E),
  gathered_of(S),
  error(E, _, Text, _)@[T, _],
  ms(T, Ms).

# Where the page is: who was told what is wrong with it may act upon it.
Decl gathered_at(Url) bound [/any].
gathered_at(Url) :- looked_anew(), step_output("gather", Said), :match_entry(Said, "address", Url).
delta_retract("current_url", [/any]) :- gathered_at(_).
delta_assert("current_url", [Url], "session") :- gathered_at(Url).
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
suggest_intent("fix_error",
               "Once the change is made: verify_fix, with url, which opens the page anew and not from the cache.") :-
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

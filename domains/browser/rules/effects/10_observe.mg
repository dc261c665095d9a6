# After looking at a page: what it is, and what to ask about it.

observed_url(Url) :- invoked("observe_page"), result(R), :match_entry(R, "url", Url).
continuation_fact("current_url", [Url]) :- observed_url(Url).

error_count(N) :- invoked("observe_page"), result(R), :match_entry(R, "console_errors", N).
failed_count(N) :- invoked("observe_page"), result(R), :match_entry(R, "failed_requests", N).

suggest_intent("diagnose_error", "The console shows errors: find out what caused them.") :-
  error_count(N), 0 < N.
suggest_intent("observe", "Requests failed although the console shows no error: look at the network.") :-
  error_count(0), failed_count(N), 0 < N.
suggest_param("observe", "focus", "network") :- error_count(0), failed_count(N), 0 < N.
suggest_intent("measure_performance", "No error and no failed request: see how fast the page was.") :-
  error_count(0), failed_count(0).

slow_count(N) :- invoked("network_summary"), result(R), :match_entry(R, "slow", N).
suggest_intent("measure_performance", "Some requests were slow.") :- slow_count(N), 0 < N.

execution_summary(Text) :-
  observed_url(Url), error_count(Errors), failed_count(Failed),
  Text = fn:string:concat("Observed ", Url, ": ", Errors, " console errors, ", Failed, " failed requests.").

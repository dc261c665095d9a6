# After looking at a page: what it is, and what to ask about it.

observed_url(Url) :- invoked("observe_page"), result(R), :match_entry(R, "url", Url).
continuation_fact("current_url", [Url]) :- observed_url(Url).

error_count(N) :- invoked("observe_page"), result(R), :match_entry(R, "console_errors", N).
failed_count(N) :- invoked("observe_page"), result(R), :match_entry(R, "failed_requests", N).

suggest_intent("diagnose_error", "The console shows errors: find out what caused them.") :-
  error_count(N),
  0 < N.

# Which error: the first that code threw. The browser's own reports of failed requests are among the
# errors, too, but they are what a cause looks like rather than what went wrong.
thrown(Id, At) :-
  invoked("observe_page"),
  result(R),
  :match_entry(R, "errors", L),
  :list:member(E, L),
  :match_entry(E, "source", Source),
  Source != "network",
  :match_entry(E, "error_id", Id),
  :match_entry(E, "timestamp", T),
  At = fn:time:parse_rfc3339(T).
first_throw(At) :- thrown(_, T) |> do fn:group_by(), let At = fn:time:min(T).
first_thrown(Id) :- thrown(X, At), first_throw(At) |> do fn:group_by(), let Id = fn:pick_any(X).
suggest_param("diagnose_error", "error_id", Id) :- first_thrown(Id).

suggest_intent("observe",
               "Requests failed although the console shows no error: look at the network.") :-
  error_count(0),
  failed_count(N),
  0 < N.
suggest_param("observe", "focus", "network") :- error_count(0), failed_count(N), 0 < N.
suggest_intent("measure_performance",
               "No error and no failed request: see how fast the page was.") :-
  error_count(0),
  failed_count(0).

slow_count(N) :- invoked("network_summary"), result(R), :match_entry(R, "slow", N).
suggest_intent("measure_performance", "Some requests were slow.") :- slow_count(N), 0 < N.

# An address may be as long as a page likes; a summary may not.
observed_in_short(Url) :- invoked("observe_page"), result(R), :match_entry(R, "short_url", Url).
has_observed_in_short :- observed_in_short(_).
url_in_words(Url) :- observed_in_short(Url).
url_in_words(Url) :- observed_url(Url), !has_observed_in_short.

execution_summary(Text) :-
  url_in_words(Url),
  error_count(Errors),
  failed_count(Failed),
  Text = fn:string:concat("Observed ", Url, ": ", Errors, " console errors, ", Failed,
                          " failed requests.").

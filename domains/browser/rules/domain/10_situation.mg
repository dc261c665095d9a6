# What is going on, in words that the other rules share. Only the last five minutes count: what is older
# was another load of the page, and a tool that was offered because of it expires with it.

Decl failed_response(SessionId, RequestId, Status)
  descr [doc("An answer of the last five minutes that is no success.")]
  bound [/string, /string, /number].
failed_response(S, R, Status) :- <-[5m] net_response(S, R, Status, _), 400 <= Status.
failed_response(S, R, 0) :- <-[5m] net_response(S, R, 0, _).

Decl failed_request(SessionId, Method, Url, Status)
  descr [doc("The request behind it.")]
  bound [/string, /string, /string, /number].
failed_request(S, Method, Url, Status) :-
  failed_response(S, R, Status),
  <-[5m] net_request(S, R, Method, Url, _).

has_recent_events :- <-[5m] console_event(_, _, _, _).
has_console_errors :- <-[5m] console_event(_, "error", _, _).
has_failed_response :- failed_response(_, _, _).
has_dom_errors :- <-[5m] dom_error(_, _, _).

# An error that talks of data which is not there.
null_data_error :- <-[5m] console_event(_, "error", M, _), :string:contains(M, "of null").
null_data_error :- <-[5m] console_event(_, "error", M, _), :string:contains(M, "of undefined").
null_data_error :-
  <-[5m] console_event(_, "error", M, _),
  :string:contains(M, "null is not an object").
null_data_error :-
  <-[5m] console_event(_, "error", M, _),
  :string:contains(M, "undefined is not an object").

# More than a second between question and answer.
slow_response(R) :-
  <-[5m] net_request(S, R, _, _, Asked),
  <-[5m] net_response(S, R, _, Answered),
  Took = fn:minus(Answered, Asked),
  1000 <= Took.
has_slow_responses :- slow_response(_).

# The ids under which tools know the errors. A client that made its facts itself has none: then the
# instant of the error is its name.
named_error(S, M, Ts) :- <-[5m] console_error(S, _, M, Ts).
error_choice(Id) :- <-[5m] console_error(_, Id, _, _).
error_choice(Id) :-
  <-[5m] console_event(S, "error", M, Ts),
  !named_error(S, M, Ts),
  Id = fn:string:concat("error-", Ts).

has_diagnosis :- diagnosed_error(_, _).
has_fix :- fix_candidate(_, _).

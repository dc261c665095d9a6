# What changed, and whether a repair worked: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 35_findings.mg 36_answer.mg 37_one_error.mg 38_changes.mg 39_told.mg 40_common.mg ../../../../rules/schema/20_catalogue.mg ../../../../rules/schema/50_effects.mg

# A request in a line: milliseconds since 1970 from its sending to its end, and the status, 0 for no answer.
Decl took(R, Method, Path, Kind, From, To, Status)
  bound [/string, /string, /string, /string, /number, /number, /number].
request(R, M, Url, K)@[A, B] :-
  took(R, M, P, K, From, To, _),
  Url = fn:string:concat("http://h", P),
  A = fn:time:from_unix_nanos(fn:mult(From, 1000000)),
  B = fn:time:from_unix_nanos(fn:mult(To, 1000000)).
answer(R, Status, "application/json")@[B, B] :-
  took(R, _, _, _, _, To, Status),
  0 < Status,
  B = fn:time:from_unix_nanos(fn:mult(To, 1000000)).
request_failed(R, Reason)@[B, B] :-
  took(R, _, _, _, _, To, 0),
  fails_as(R, Reason),
  B = fn:time:from_unix_nanos(fn:mult(To, 1000000)).
Decl fails_as(R, Reason) bound [/string, /string].
request_path(R, "http://h", P) :- took(R, _, P, _, _, _, _).
request_route(R, P) :- took(R, _, P, _, _, _, _).
suspect(R, "status", Text) :- has_bad_status(R, _), went_text(R, Text).
suspect(R, "failed", Text) :- no_answer(R, _), went_text(R, Text).
# An error in a line.
Decl threw(E, Name, Message, Source, At) bound [/string, /string, /string, /string, /number].
error(E, Name, Message, Source)@[T, T] :-
  threw(E, Name, Message, Source, At),
  T = fn:time:from_unix_nanos(fn:mult(At, 1000000)).
took("r1", "GET", "/shop", "document", 1000, 1100, 200).

# A question that failed, and what came of it.
Decl broken().
took("r2", "GET", "/api/users", "data", 2000, 2100, 404) :- broken().
threw("e1", "TypeError", "TypeError: users of null", "exception", 2110) :- broken().
error_awaits("e1", "r2") :- broken().

Decl says(Name, Value) bound [/string, /any].
says("fixed", V) :- result_member("fixed", V).
says("errors_left", V) :- result_member("errors_left", V).
says("verdict", V) :- invoked("verify_fix"), result_member("verdict", V).
says("note", V) :- result_member("note", V).
says("since", V) :- result_member("since", V).
says("gone", V) :- result_member("gone", V).
Decl told_change(Name, Id) bound [/string, /any].
told_change("still", Id) :- list_said("still", Id).
told_change("appeared", Id) :- list_said("appeared", Id).
Decl list_said(Name, Id) bound [/string, /any].
list_said(Name, Id) :-
  result_member(Name, List),
  invoked("explain_change"),
  :list:member(One, List),
  :match_entry(One, "id", Id).
Decl forgets(Predicate) bound [/string].
forgets(P) :- delta_retract(P, _), P != "page_seen".
Decl learns(Predicate, Args) bound [/string, .List</any>].
learns(P, Args) :- delta_assert(P, Args, _), P != "page_seen".
learns(P, Args) :- delta_assert_during(P, Args, _, _, _).

# ---- verify_fix -------------------------------------------------------------------------------------------

#: test what is still there is not repaired
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "of null").
broken().
#: expect
says("fixed", "no").
says("errors_left", 1).
says("verdict", "faulty").

#: test nor is it by its address, in full or in part
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "http://h/api").
broken().
#: expect
says("fixed", "no").
says("verdict", "faulty").

#: test words that nothing has repair nothing
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "zzz").
broken().
#: expect
says("fixed", "unknown").
says("verdict", "faulty").
says("note",
     "nothing with the words zzz was seen, neither now nor before: give words of the error or of the address that was told").

#: test what was there before the page was opened anew, and is not any more, is repaired
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "of null").
step_output("gather", ["seen_before" : /true]).
#: expect
says("fixed", "yes").
says("verdict", "healthy").

#: test a question that is answered now is
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "/api/users").
took("r2", "GET", "/api/users", "data", 2000, 2100, 200).
#: expect
says("fixed", "yes").
says("verdict", "healthy").

# ---- explain_change ---------------------------------------------------------------------------------------

#: test without an instant it is since the client looked last
invoked("explain_change").
step_status("gather", "success").
invoke_arg("seen", "1970-01-01T00:00:03Z").
broken().
#: expect
says("since", "1970-01-01T00:00:03Z").
told_change("still", "r2").
#: expect none from_last/2

#: test an instant that is said counts more
invoked("explain_change").
step_status("gather", "success").
invoke_arg("since", "1970-01-01T00:00:01Z").
invoke_arg("seen", "1970-01-01T00:00:03Z").
broken().
#: expect
says("since", "1970-01-01T00:00:01Z").
told_change("appeared", "r2").

#: test what is gone since then is told
invoked("explain_change").
step_status("gather", "success").
invoke_arg("since", "1970-01-01T00:00:03Z").
step_output("gather",
            ["gone" : [["text" : "x is null", "gone" : "1970-01-01T00:00:04.000Z"],
                       ["text" : "y is null", "gone" : "1970-01-01T00:00:02.000Z"]]]).
#: expect
says("since", "1970-01-01T00:00:03Z").
says("gone", ["x is null"]).

# ---- what a client keeps ----------------------------------------------------------------------------------

#: test a page that is well has no errors any more
invoked("diagnose_page").
step_status("gather", "success").
step_output("gather", ["address" : "http://h/shop", "session_id" : "live"]).
#: expect
forgets("console_error").
forgets("console_event").
forgets("diagnosed_error").
forgets("dom_error").
forgets("fix_candidate").
forgets("undiagnosed_error").
forgets("current_url").
learns("current_url", ["http://h/shop"]).
#: expect none delta_assert_during/5 told_error/1

#: test errors that are told are known under their names
invoked("diagnose_page").
step_status("gather", "success").
step_output("gather", ["session_id" : "live"]).
broken().
#: expect
learns("diagnosed_error", ["e1", "status"]).
learns("fix_candidate", ["GET /api/users", "status"]).
learns("console_event", ["live", "error", "TypeError: users of null", 2110]).
learns("console_error", ["live", "e1", "TypeError: users of null", 2110]).

#: test in a page that was opened anew refs and numbers are others
invoked("diagnose_page").
step_status("gather", "success").
invoke_arg("url", "http://h/shop").
#: expect
forgets("console_error").
forgets("console_event").
forgets("diagnosed_error").
forgets("dom_error").
forgets("fix_candidate").
forgets("undiagnosed_error").
forgets("element").
forgets("page_form").
forgets("form_field").
forgets("net_request").
forgets("net_response").

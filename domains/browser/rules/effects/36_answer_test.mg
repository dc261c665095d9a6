# What is answered: mangle test domains
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

Decl told_cause(Text)
  descr [doc("What findings name as a cause.")]
  bound [/string].
told_cause(Text) :-
  told_finding(_, Finding),
  :match_entry(Finding, "cause", Cause),
  :match_entry(Cause, "text", Text).

# ---- diagnose_page ----------------------------------------------------------------------------------------

#: test a page without a fault is healthy
invoked("diagnose_page").
step_status("gather", "success").
#: expect
result_member("findings", []).
result_member("verdict", "healthy").
execution_summary("Nothing is wrong here.").

#: test where nobody has said what to look at, that is said
invoked("diagnose_page").
step_status("gather", "success").
setting("page", "").
setting("attach", "").
setting("capture", "/d/captures/users-404").
#: expect
result_member("findings", []).
result_member("verdict", "healthy").
result_member("looked_at",
              "an example, the recording users-404: neither page nor capture is set (--set page=ADDRESS)").

#: test a page that was still loading is not called healthy
invoked("diagnose_page").
step_status("gather", "success").
page("http://h/shop", "Shop", "loading").
#: expect
result_member("findings", []).
result_member("verdict", "suspicious").
result_member("note", "the page was still loading when it was looked at: look again").
execution_summary("Nothing wrong was seen, but the page was not there yet.").

#: test a page that other sites alone hold up is judged by what it shows
invoked("diagnose_page").
step_status("gather", "success").
page("http://h/shop", "Shop", "loading").
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:06Z].
request("r2", "GET", "http://ads/px", "image")@[1970-01-01T00:00:02Z, _].
third_party("r2").
#: expect
result_member("findings", []).
result_member("verdict", "healthy").

#: test data that is under way for long is not there to be judged
invoked("diagnose_page").
step_status("gather", "success").
page("http://h/shop", "Shop", "loaded").
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:06Z].
request("r2", "GET", "http://h/api/cart", "data")@[1970-01-01T00:00:02Z, _].
request_path("r2", "http://h", "/api/cart").
#: expect
result_member("findings", []).
result_member("verdict", "suspicious").
result_member("note", "GET /api/cart was still under way when the page was looked at: look again").

#: test data that was sent a moment ago, and what waits for news, hold up no verdict
invoked("diagnose_page").
step_status("gather", "success").
page("http://h/shop", "Shop", "loaded").
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:06Z].
request("r2", "GET", "http://h/api/cart", "data")@[1970-01-01T00:00:05Z, _].
request_path("r2", "http://h", "/api/cart").
request("r3", "GET", "http://h/api/news?since=7", "data")@[1970-01-01T00:00:02Z, _].
request_path("r3", "http://h", "/api/news").
request_query("r3", "since", "7").
#: expect
result_member("findings", []).
result_member("verdict", "healthy").

#: test a finding has a chain, its reasons, a place and a check
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "POST", "/api/token", "data", 2000, 2100, 500).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 403).
asked_after_input("r2", "i1").
input("i1", "click", "#cart", "Cart")@[1970-01-01T00:00:01.99Z].
threw("console-error-1", "TypeError", "x of undefined", "rejection", 2210).
error_awaits("console-error-1", "r3").
lost("console", 7).
change_at("r2", "POST /api/token", "mend it").
check_by("r2", "it answers 200").
#: expect
result_member("verdict", "faulty").
result_member("lost", ["console" : 7]).
result_member("findings",
              [["rank" : 1,
                "kind" : "status",
                "confidence" : 0.86,
                "effect" : ["id" : "console-error-1", "text" : "TypeError: x of undefined"],
                "cause" : ["id" : "r2", "text" : "POST /api/token answered 500"],
                "chain" : [["at" : "00:00:01.990", "event" : "click on #cart", "id" : "i1"],
                           ["at" : "00:00:02.100",
                            "event" : "POST /api/token answered 500",
                            "id" : "r2"],
                           ["at" : "00:00:02.200",
                            "event" : "GET /api/cart answered 403",
                            "id" : "r3"],
                           ["at" : "00:00:02.210",
                            "event" : "TypeError: x of undefined",
                            "id" : "console-error-1"]],
                "why" : ["sent after click on #cart",
                         "it was not let in: POST /api/token had not brought a valid credential",
                         "the code that failed had waited for GET /api/cart"],
                "change" : [["where" : "POST /api/token", "what" : "mend it"]],
                "check" : "it answers 200"]]).
diagnosed("console-error-1", "status").
delta_assert("diagnosed_error", ["console-error-1", "status"], "server").
delta_assert("fix_candidate", ["POST /api/token", "status"], "derived").
delta_assert("page_seen", ["1970-01-01T00:00:02.210Z"], "session").

#: test beside a finding nothing is said of other sites
invoked("diagnose_page").
step_status("gather", "success").
took("r1", "GET", "http://ads.test/tag.js", "script", 1000, 1100, 500).
third_party("r1").
cleared("r1", "not needed").
took("r2", "POST", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/b", "data", 2000, 2100, 404).
cleared("r3", "optional").
threw("e1", "TypeError", "x of undefined", "exception", 2110).
error_awaits("e1", "r2").
#: expect
finding(1, "r2", "e1").
is_told_spared("r3").

#: test without a finding it is
invoked("diagnose_page").
step_status("gather", "success").
took("r1", "GET", "http://ads.test/tag.js", "script", 1000, 1100, 500).
third_party("r1").
cleared("r1", "not needed").
#: expect
is_told_spared("r1").

#: test the finding of most weight comes first
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "POST", "/api/a", "data", 2000, 2100, 500).
took("r3", "POST", "/api/b", "data", 3000, 3100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 3110).
error_awaits("e1", "r3").
#: expect
finding(1, "r3", "e1").
finding(2, "r2", "r2").

#: test a question that failed, and nothing came of it, is set aside where something else is proven
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "POST", "/api/b", "data", 3000, 3100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 3110).
error_awaits("e1", "r3").
#: expect
finding(1, "r3", "e1").
spared("r2", "nothing on the page came of it").

#: test without a look at the page nothing is said of it
invoked("diagnose_page").
step_status("gather", "failure").
#: expect none verdict/1 finding/3 execution_summary/1

#: test what was before the page in front is no part of it
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "POST", "/api/b", "data", 3000, 3100, 500).
earlier_document("r2").
threw("e1", "TypeError", "x of undefined", "exception", 3110).
error_awaits("e1", "r2").
navigation("n2", "http://h/other", "address")@[1970-01-01T00:00:04Z, 1970-01-01T00:00:05Z].
#: expect
verdict("healthy").

#: test what a form led away from is
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "POST", "/api/b", "data", 3000, 3100, 500).
earlier_document("r2").
navigation("n2", "http://h/other", "form")@[1970-01-01T00:00:04Z, 1970-01-01T00:00:05Z].
#: expect
verdict("faulty").

#: test of equal weight what came first
invoked("diagnose_page").
step_status("gather", "success").
took("r3", "GET", "/api/a", "data", 2000, 2100, 500).
took("r2", "GET", "/api/b", "data", 3000, 3100, 500).
#: expect
finding(1, "r3", "r3").
finding(2, "r2", "r2").

#: test at most three are told
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/b", "data", 2001, 2101, 500).
took("r4", "GET", "/api/c", "data", 2002, 2102, 500).
took("r5", "GET", "/api/d", "data", 2003, 2103, 500).
took("r6", "GET", "/api/e", "data", 2004, 2104, 500).
took("r7", "GET", "/api/f", "data", 2005, 2105, 500).
#: expect
last_finding(3).

#: test a host that does not answer is one finding
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/api/a", "data", 2000, 2100, 0).
took("r3", "GET", "/api/b", "data", 2001, 2101, 0).
fails_as("r2", "net::ERR_CONNECTION_REFUSED").
fails_as("r3", "net::ERR_CONNECTION_REFUSED").
suspect("r2", "unreachable", "GET /api/a failed").
suspect("r3", "unreachable", "GET /api/b failed").
#: expect
finding(1, "r2", "r2").

#: test two servers' errors are two
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/b", "data", 2001, 2101, 500).
#: expect
last_finding(2).

#: test the kind that says most counts
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
suspect("r2", "server_error", "GET /api/a answered 500").
#: expect
fault_kind("r2", "server_error").

#: test what a reader sees and nothing explains is suspicious
invoked("diagnose_page").
step_status("gather", "success").
shown("alert", "Something is odd").
#: expect
result_member("findings", []).
result_member("unexplained", [["id" : "shown:alert", "text" : "the page shows: Something is odd"]]).
result_member("verdict", "suspicious").

#: test who is spared is told with the reason, the page's own first
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "GET", "/x.png", "image", 2000, 2100, 404).
took("r3", "GET", "/api/news", "data", 2000, 2100, 503).
took("r4", "GET", "/api/news", "data", 3000, 3100, 200).
#: expect contains
result_member("verdict", "healthy").
spared("r3", "GET /api/news succeeded later").
spared("r2", "nothing on the page depends on it").

# ---- one error --------------------------------------------------------------------------------------------------

#: test an error that nothing explains has no cause
invoked("diagnose_causal_chain").
step_output("trace", ["error" : ["error_id" : "e1"]]).
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 9000).
stack("e1", 0, "draw", "http://h/draw.js", 7).
suspect("e1", "script_error", "TypeError").
#: expect
result_member("note",
              "nothing that was seen before this error is connected with it; the code that failed is /draw.js:7").
delta_assert("diagnosed_error", ["e1", "unconnected"], "server").
execution_summary("Looked for a cause of the error and found nothing that is connected with it.").

#: test an error with a cause
invoked("diagnose_causal_chain").
step_output("trace", ["error" : ["error_id" : "e1"]]).
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/other", "data", 2000, 2100, 404).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
error_awaits("e1", "r2").
#: expect
result_member("causal_chain",
              [["step" : 1,
                "id" : "r2",
                "event" : "GET /api/a answered 500",
                "timestamp" : "1970-01-01T00:00:02.100Z"],
               ["step" : 2,
                "id" : "e1",
                "event" : "TypeError: x of undefined",
                "timestamp" : "1970-01-01T00:00:02.110Z"]]).
result_member("root_cause",
              "GET /api/a answered 500: the code that failed had waited for GET /api/a").
result_member("cause", "status").
result_member("confidence", 0.95).
result_member("candidates", 1).
result_member("why", ["the code that failed had waited for GET /api/a"]).
result_member("change",
              [["where" : "GET /api/a",
                "what" : "find out why it does not answer as the page expects"]]).
result_member("check", "do the same again: no longer seen is: GET /api/a answered 500").

#: test a proposal is the change at the root
invoked("propose_fix").
step_output("trace", ["error" : ["error_id" : "e1"]]).
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
error_awaits("e1", "r2").
change_at("r2", "GET /api/a", "mend it").
#: expect contains
result_member("proposal", "GET /api/a: mend it").
result_member("because", "GET /api/a answered 500: the code that failed had waited for GET /api/a").

# ---- comparing ----------------------------------------------------------------------------------------------------

#: test since an instant: what appeared, what is still there, what was made good
invoked("explain_change").
step_status("gather", "success").
invoke_arg("since", "1970-01-01T00:00:02.500Z").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/news", "data", 2000, 2100, 503).
took("r4", "GET", "/api/news", "data", 3000, 3100, 200).
took("r5", "GET", "/api/b", "data", 3000, 3100, 500).
#: expect contains
result_member("appeared", [["id" : "r5", "text" : "GET /api/b answered 500"]]).
result_member("still", [["id" : "r2", "text" : "GET /api/a answered 500"]]).
result_member("made_good", [["id" : "r3", "text" : "GET /api/news answered 503"]]).
result_member("events",
              [["id" : "r4",
                "text" : "GET /api/news answered 200",
                "timestamp" : "1970-01-01T00:00:03.100Z"],
               ["id" : "r5",
                "text" : "GET /api/b answered 500",
                "timestamp" : "1970-01-01T00:00:03.100Z"]]).
result_member("until", "1970-01-01T00:00:03.100Z").
result_member("verdict", "faulty").

#: test a fix that worked
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "/api/a").
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
took("r3", "GET", "/api/b", "data", 2000, 2100, 500).
#: expect
result_member("fixed", "yes").
result_member("verdict", "faulty").

#: test a fix that did not
invoked("verify_fix").
step_status("gather", "success").
invoke_arg("contains", "/api/a").
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
#: expect
result_member("fixed", "no").
result_member("still", [["id" : "r2", "text" : "GET /api/a answered 500"]]).
result_member("verdict", "faulty").

# ---- quoted ---------------------------------------------------------------------------------------------

#: test a refusal is told with its own words
invoked("diagnose_page").
step_status("gather", "success").
took("r2", "POST", "/api/tasks", "data", 2000, 2100, 422).
refusal_says("r2", 1, "errors.title", "is too long").
#: expect
told_cause("POST /api/tasks answered 422: \"errors.title is too long\"").

#: test the same fault of the same endpoint is one finding
invoked("diagnose_page").
step_status("gather", "success").
took("r5", "POST", "/api/a", "data", 1000, 1100, 500).
took("r6", "POST", "/api/a", "data", 2000, 2100, 500).
took("r7", "POST", "/api/b", "data", 3000, 3100, 500).
trouble("r5", 60, "it failed").
trouble("r6", 60, "it failed again").
trouble("r7", 60, "so did this").
#: expect
finding(1, "r5", "r5").
finding(2, "r7", "r7").

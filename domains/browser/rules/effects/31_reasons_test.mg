# Reasons one by one, and troubles: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg

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

# ---- symptoms --------------------------------------------------------------------------------------------

#: test an answer that is no JSON fits an error about JSON
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
took("r3", "GET", "/api/b", "data", 2000, 2100, 200).
took("r4", "GET", "/api/c", "data", 2000, 2100, 200).
took("r5", "GET", "/api/d", "data", 2000, 2100, 204).
body_kind("r2", "html").
body_kind("r3", "json").
body_kind("r4", "empty").
body_kind("r5", "empty").
threw("e1", "SyntaxError", "Unexpected end of JSON input", "rejection", 2110).
#: expect
reason("e1", "r2", "symptom", 45, "the error is about an answer that is no JSON").
reason("e1", "r4", "symptom", 45, "the error is about an answer that is no JSON").

#: test a page in place of data, of which only the type is known
request("r2", "GET", "http://h/api/a", "data")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
request_path("r2", "http://h", "/api/a").
answer("r2", 200, "text/html; charset=utf-8")@[1970-01-01T00:00:02.1Z].
body_kind("r2", "none").
threw("e1", "SyntaxError", "Unexpected token '<' is not valid JSON", "rejection", 2110).
#: expect
cause_of("e1", "r2").

#: test a page that nobody read as data is none
request("r2", "GET", "http://h/part.html", "data")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
request_path("r2", "http://h", "/part.html").
answer("r2", 200, "text/html; charset=utf-8")@[1970-01-01T00:00:02.1Z].
body_kind("r2", "none").
threw("e1", "TypeError", "x of undefined", "rejection", 2110).
#: expect none suspect/3

#: test null as a whole, where something was missing right after
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
body_type("r2", "$", "null").
threw("e1", "TypeError", "Cannot read properties of null (reading 'x')", "rejection", 2110).
#: expect
cause_of("e1", "r2").

#: test null as a whole is fine where nothing was missing
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
body_type("r2", "$", "null").
threw("e1", "Error", "boom", "rejection", 2110).
#: expect none suspect/3

#: test an error about a stream is about the one that is odd
took("r2", "GET", "/api/live", "stream", 2000, 2100, 200).
suspect("r2", "wrong_content_type", "GET /api/live answered text").
threw("e1", "", "EventSource's response has a MIME type that is not text/event-stream", "console",
      2110).
#: expect
cause_of("e1", "r2").

#: test what the failed code read is null in the answer that it awaited, however it is called there
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
suspect("r2", "null_member", "GET /api/a answered null").
body_type("r2", "$.rows[].owner", "null").
threw("e1", "TypeError", "Cannot read properties of null (reading 'x')", "rejection", 2110).
error_awaits("e1", "r2").
#: expect contains
lacks("r2", "e1", "$.rows[].owner", "null").

#: test undefined is not null
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
body_type("r2", "$.rows[].owner", "null").
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'x')", "rejection", 2110).
error_awaits("e1", "r2").
#: expect none lacks/4

#: test a value that was a number before and is read
took("r2", "GET", "/api/a", "data", 2000, 2100, 200).
suspect("r2", "changed_shape", "GET /api/a answered $.price as string").
body_changed("r2", "r0", "$.price", "number", "string").
threw("e1", "TypeError", "d.price.toFixed is not a function", "exception", 2110).
reads_body("e1", "$.price").
#: expect contains
cause_of("e1", "r2").
trouble("r2", 34, "GET /api/a answered $.price as a text, before it was a number").

#: test the function is called like the address
took("r2", "GET", "/api/v1/revenue", "data", 2000, 2100, 410).
took("r3", "GET", "/api/v1/visits", "data", 2000, 2100, 410).
threw("e1", "TypeError", "x of null", "exception", 4000).
stack("e1", 2, "revenue", "http://h/panels.js", 29).
shares_word("e1", "r2", "revenue").
#: expect contains
cause_of("e1", "r2").

#: test of two scripts that did not come the one that is called so
took("r2", "GET", "/Chart.js", "script", 2000, 2100, 404).
took("r3", "GET", "/Tabs.js", "script", 2000, 2100, 404).
threw("e1", "ReferenceError", "Chart is not defined", "exception", 2200).
error_about_name("e1", "Chart").
#: expect contains
cause_of("e1", "r2").

#: test many share a bundle, and a stretch of it is little
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
took("r3", "GET", "/api/b", "data", 2000, 2100, 500).
stack("r2", 0, "n@4000", "http://h/app.js", 1).
stack("r3", 0, "m@9000", "http://h/app.js", 1).
threw("e1", "Error", "boom", "exception", 4000).
stack("e1", 0, "n@4000", "http://h/app.js", 1).
#: expect none link/3

# ---- values that flow ---------------------------------------------------------------------------------------

#: test what was sent had come in one answer only
took("r2", "GET", "/api/basket", "data", 2000, 2100, 200).
suspect("r2", "stale_data", "GET /api/basket is old").
body_value("r2", "$.key", "k-81").
took("r3", "POST", "/api/order", "data", 2500, 2600, 409).
sent_value("r3", "$.key", "k-81").
#: expect
cause_of("r3", "r2").

#: test what came in several tells nothing
took("r2", "GET", "/api/basket", "data", 2000, 2100, 200).
took("r4", "GET", "/api/other", "data", 2000, 2100, 200).
suspect("r2", "stale_data", "GET /api/basket is old").
body_value("r2", "$.key", "k-81").
body_value("r4", "$.key", "k-81").
took("r3", "POST", "/api/order", "data", 2500, 2600, 409).
sent_value("r3", "$.key", "k-81").
#: expect none link/3

#: test a null that was sent right after a null was answered
took("r2", "GET", "/api/region", "data", 2000, 2100, 200).
body_empty("r2", "$.warehouse").
took("r3", "GET", "/api/stock", "data", 2105, 2200, 400).
request_query("r3", "depot", "null").
#: expect
cause_of("r3", "r2").

#: test an endless round of wrong questions has its cause before it
took("r2", "GET", "/api/list", "data", 2000, 2100, 200).
took("r3", "GET", "/api/a/undefined", "data", 2105, 2200, 404).
took("r4", "GET", "/api/b/undefined", "data", 2205, 2300, 404).
took("r5", "GET", "/api/a/undefined", "data", 2305, 2400, 404).
#: expect absent
link("r5", "r3", 95).
leads("r3", "r5").
#: expect contains
cause_of("r3", "r2").

# ---- troubles --------------------------------------------------------------------------------------------------

#: test the page did not load
navigation("n1", "http://h/shop", "address")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:02Z].
navigation_failed("n1", "net::ERR_CONNECTION_REFUSED")@[1970-01-01T00:00:02Z].
#: expect contains
trouble("n1", 90, "the page did not load: net::ERR_CONNECTION_REFUSED").

#: test the page waits for what is not answered
request("r2", "GET", "http://h/api/a", "data")@[1970-01-01T00:00:02Z, _].
request_path("r2", "http://h", "/api/a").
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:04Z].
shown("text", "Shop\nLoading").
#: expect
cause_of("r2", "r2").

#: test it does not wait for what is asked in passing
request("r2", "GET", "http://h/api/a", "data")@[1970-01-01T00:00:02Z, _].
request_path("r2", "http://h", "/api/a").
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:04Z].
shown("text", "Shop").
#: expect none cause_of/2

#: test what failed outright is what it waits for
request("r2", "GET", "http://h/api/news", "data")@[1970-01-01T00:00:02Z, _].
request_path("r2", "http://h", "/api/news").
took("r3", "GET", "/api/cart", "data", 2000, 2100, 500).
watched("http://h/shop")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:04Z].
shown("text", "Shop\nLoading").
#: expect
cause_of("r3", "r3").

#: test a rule about a kind says a link outright
took("r2", "GET", "/api/a", "data", 2000, 2100, 500).
threw("e1", "Error", "boom", "exception", 4000).
causes("e1", "r2", "a rule of its kind says so").
#: expect contains
link("e1", "r2", 85).
link_why("e1", "r2", "a rule of its kind says so").

#: test what a script was to make is undefined, for it had thrown
script("s1", "http://h/editor.js", "blocking")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:01.010Z].
defines("s1", "Editor").
error("e2", "TypeError", "Cannot read properties of undefined (reading 'open')",
      "exception")@[1970-01-01T00:00:01.020Z].
stack("e2", 0, "", "http://h/page", 20).
error_expression("e2", "Editor", "open").
error("e1", "ReferenceError", "Tpl is not defined", "exception")@[1970-01-01T00:00:01.005Z].
stack("e1", 0, "", "http://h/editor.js", 2).
#: expect contains
reason("e2", "e1", "name", 85, "the script that defines Editor had thrown before").

#: test another script had thrown
script("s1", "http://h/editor.js", "blocking")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:01.010Z].
defines("s1", "Editor").
error("e2", "TypeError", "Cannot read properties of undefined (reading 'open')",
      "exception")@[1970-01-01T00:00:01.020Z].
stack("e2", 0, "", "http://h/page", 20).
error_expression("e2", "Editor", "open").
error("e1", "ReferenceError", "Tpl is not defined", "exception")@[1970-01-01T00:00:01.005Z].
stack("e1", 0, "", "http://h/other.js", 2).
#: expect absent
reason("e2", "e1", "name", 85, "the script that defines Editor had thrown before").

#: test what fails is of an object that nobody defines
script("s1", "http://h/editor.js", "blocking")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:01.010Z].
error("e2", "TypeError", "Cannot read properties of undefined (reading 'open')",
      "exception")@[1970-01-01T00:00:01.020Z].
stack("e2", 0, "", "http://h/page", 20).
error_expression("e2", "Editor", "open").
error("e1", "ReferenceError", "Tpl is not defined", "exception")@[1970-01-01T00:00:01.005Z].
stack("e1", 0, "", "http://h/editor.js", 2).
#: expect absent
reason("e2", "e1", "name", 85, "the script that defines Editor had thrown before").

#: test it throws only afterwards
script("s1", "http://h/editor.js", "blocking")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:01.010Z].
defines("s1", "Editor").
error("e2", "TypeError", "Cannot read properties of undefined (reading 'open')",
      "exception")@[1970-01-01T00:00:01.020Z].
stack("e2", 0, "", "http://h/page", 20).
error_expression("e2", "Editor", "open").
error("e1", "ReferenceError", "Tpl is not defined", "exception")@[1970-01-01T00:00:01.500Z].
stack("e1", 0, "", "http://h/editor.js", 2).
#: expect absent
reason("e2", "e1", "name", 85, "the script that defines Editor had thrown before").

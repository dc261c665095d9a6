# What led from one request to the next, and to what is shown: mangle test domains
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

# ---- no for an answer ----------------------------------------------------------------------------------

#: test an optional thing that is not there does not lead to what is asked wrongly later
took("r2", "GET", "/api/flags", "data", 2000, 2100, 404).
stack("r2", 0, "main", "http://h/main.js", 4).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 400).
stack("r3", 0, "main", "http://h/main.js", 6).
#: expect none link/3

#: test a server error does, in the same course of the code
took("r2", "GET", "/api/flags", "data", 2000, 2100, 500).
stack("r2", 0, "main", "http://h/main.js", 4).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 409).
stack("r3", 0, "main", "http://h/main.js", 6).
#: expect
cause_of("r2", "r2").
cause_of("r3", "r2").

#: test it does not lead to a server error of another
took("r2", "GET", "/api/flags", "data", 2000, 2100, 500).
stack("r2", 0, "main", "http://h/main.js", 4).
took("r3", "GET", "/api/cart", "data", 2500, 2600, 500).
stack("r3", 0, "main", "http://h/main.js", 6).
#: expect absent
cause_of("r3", "r2").
#: expect
cause_of("r2", "r2").
cause_of("r3", "r3").

#: test in a bundle a line that both have is nothing in common
took("r2", "GET", "/api/flags", "data", 2000, 2100, 500).
stack("r2", 2, "n@4000", "http://h/main.js", 1).
took("r3", "GET", "/api/cart", "data", 2500, 2600, 410).
stack("r3", 2, "n@9000", "http://h/main.js", 1).
#: expect none link/3

#: test a second try is no effect of the first
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
stack("r2", 0, "load", "http://h/main.js", 4).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 404).
stack("r3", 0, "load", "http://h/main.js", 4).
#: expect none link/3

# ---- what should have come ------------------------------------------------------------------------------

#: test an answer without a token leads to what is not let in
took("r2", "GET", "/api/session", "data", 2000, 2100, 200).
body_empty("r2", "$.token").
took("r3", "GET", "/api/cart", "data", 2110, 2200, 403).
#: expect
cause_of("r3", "r2").

#: test an answer with one does not
took("r2", "GET", "/api/session", "data", 2000, 2100, 200).
body_empty("r2", "$.friends").
took("r3", "GET", "/api/cart", "data", 2110, 2200, 403).
#: expect
cause_of("r3", "r3").

#: test a csrf token that was sent empty comes of the answer about it
took("r2", "GET", "/api/csrf", "data", 2000, 2100, 200).
body_empty("r2", "$.value").
took("r3", "POST", "/api/email", "data", 9000, 9100, 403).
credential_empty("r3", "csrf").
#: expect
cause_of("r3", "r2").

#: test a success without data leads to undefined in the next address, rather than another failure
took("r2", "GET", "/api/hints", "data", 1900, 1990, 500).
took("r3", "GET", "/api/settings", "data", 2000, 2100, 200).
suspect("r3", "wrong_content_type", "GET /api/settings answered a page (HTML) in place of data").
took("r4", "POST", "/api/boards/undefined", "data", 4000, 4100, 404).
#: expect
cause_of("r4", "r3").
cause_of("r2", "r2").

#: test undefined is a whole part of an address
took("r2", "GET", "/api/settings", "data", 2000, 2100, 500).
took("r3", "GET", "/api/undefinedness/null-safe", "data", 2110, 2200, 500).
#: expect none link/3

#: test what is asked with nothing is sent after what should have brought it
took("r3", "GET", "/api/a/undefined", "data", 2000, 2200, 404).
took("r2", "GET", "/api/settings", "data", 2010, 2100, 500).
#: expect none link/3

#: test a value of another answer in the middle of an address
took("r2", "GET", "/api/orders/1042", "data", 2000, 2100, 200).
suspect("r2", "mixed_up_id", "GET /api/orders/1042 answered the thing with id 1024").
body_value("r2", "$.id", "1024").
took("r3", "POST", "/api/orders/1024/cancel", "data", 3000, 3100, 403).
#: expect
cause_of("r3", "r2").

# ---- what is shown -------------------------------------------------------------------------------------------

#: test what is shown comes of the only request that went wrong
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
shown("alert", "Sorry").
#: expect
cause_of("r2", "r2").
cause_of("shown:alert", "r2").

#: test of several it comes of the one whose answer it shows
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
took("r3", "GET", "/api/news", "data", 2000, 2100, 500).
body_says_error("r3", "$.message", "the news are late").
shown("alert", "Sorry: the news are late").
#: expect
cause_of("r2", "r2").
cause_of("r3", "r3").
cause_of("shown:alert", "r3").

#: test words of the page that an answer brought are its content
took("r2", "GET", "/api/flags", "data", 2000, 2100, 404).
took("r3", "GET", "/api/tickets", "data", 2000, 2100, 200).
body_value("r3", "$.items[].title", "Import failed to start").
shown("text", "Tickets\nImport failed to start").
#: expect none cause_of/2 says_wrong/1

#: test words that no answer brought tell of what went wrong
took("r2", "GET", "/api/tickets", "data", 2000, 2100, 500).
shown("text", "Tickets\nWe could not load them").
#: expect
cause_of("r2", "r2").
cause_of("shown:words", "r2").

#: test what is shown after the only error that was thrown
threw("e1", "TypeError", "boom", "exception", 2110).
stack("e1", 0, "draw", "http://h/draw.js", 3).
suspect("e1", "script_error", "TypeError: boom").
shown("alert", "Sorry").
#: expect
cause_of("e1", "e1").
cause_of("shown:alert", "e1").

#: test something was missing in what was sent as soon as another answer was there
took("r2", "POST", "/api/draft", "data", 2000, 2100, 200).
took("r3", "POST", "/api/bookings", "data", 2105, 2200, 422).
body_value("r3", "$.error", "draft missing").
#: expect
cause_of("r3", "r2").

#: test something was missing in what the user sent
took("r2", "POST", "/api/draft", "data", 2000, 2100, 200).
took("r3", "POST", "/api/bookings", "data", 5105, 5200, 422).
body_value("r3", "$.error", "the name is missing").
#: expect
cause_of("r3", "r3").

#: test what is shown where the policy of the page kept something out
csp_violation("x1", "connect-src", "http://api.example/find").
suspect("x1", "csp", "the policy blocked http://api.example/find").
shown("text", "Places\nNothing could not be found").
#: expect
cause_of("shown:words", "x1").

# ---- whose value it was ----------------------------------------------------------------------------------

#: test a field that the user left blank was not to come from an answer that failed
took("r2", "GET", "/api/stock", "data", 2000, 2100, 500).
stack("r2", 0, "load", "http://h/main.js", 4).
took("r3", "POST", "/api/reserve", "data", 4000, 4100, 422).
stack("r3", 0, "", "http://h/main.js", 12).
sent_type("r3", "$.name", "string").
sent_empty("r3", "$.name").
input("i1", "click", "button", "Reserve")@[1970-01-01T00:00:03.990Z].
asked_after_input("r3", "i1").
#: expect absent
cause_of("r3", "r2").
#: expect
cause_of("r2", "r2").
cause_of("r3", "r3").

#: test what nobody left blank may have been
took("r2", "GET", "/api/stock", "data", 2000, 2100, 500).
stack("r2", 0, "load", "http://h/main.js", 4).
took("r3", "POST", "/api/reserve", "data", 2110, 2200, 422).
stack("r3", 0, "", "http://h/main.js", 12).
sent_type("r3", "$.name", "string").
sent_empty("r3", "$.name").
#: expect
cause_of("r2", "r2").
cause_of("r3", "r2").

#: test what failed on the value of one answer does not owe it to another of the same file
took("r2", "GET", "/api/stock", "data", 2000, 2100, 400).
stack("r2", 0, "load", "http://h/main.js", 4).
took("r3", "POST", "/api/reserve", "data", 2900, 3000, 422).
stack("r3", 0, "", "http://h/main.js", 12).
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'number')", "rejection",
      3005).
stack("e1", 0, "", "http://h/main.js", 13).
error_awaits("e1", "r3").
data_from("e1", "r3", "$.reservation").
#: expect absent
leads("e1", "r2").
#: expect
cause_of("e1", "r3").
cause_of("r2", "r2").
cause_of("r3", "r3").

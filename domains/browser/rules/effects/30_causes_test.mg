# What led to what: mangle test domains
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

# ---- errors and requests -------------------------------------------------------------------------------

#: test an awaited request that failed led to the error
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'length')", "rejection",
      2110).
error_awaits("e1", "r2").
#: expect contains
causes("e1", "r2", "the code that failed had waited for GET /api/cart").
cause_of("e1", "r2").

#: test an awaited request that is in order did not
took("r2", "GET", "/api/cart", "data", 2000, 2100, 200).
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'length')", "rejection",
      2110).
error_awaits("e1", "r2").
#: expect none causes/3 cause_of/2

#: test an error is not caused by what failed after it
took("r2", "GET", "/api/cart", "data", 2000, 2600, 500).
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'length')", "rejection",
      2110).
error_awaits("e1", "r2").
error_mentions("e1", "/api/cart").
#: expect none link/3
#: expect
cause_of("r2", "r2").

#: test two clocks may differ by a tenth of a second
took("r2", "GET", "/api/cart", "data", 2000, 2190, 500).
threw("e1", "TypeError", "x of undefined", "rejection", 2110).
error_awaits("e1", "r2").
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test coming right after is a reason where nothing else went wrong
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
#: expect
link("e1", "r2", 55).

#: test it is none where something else went wrong as well
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
took("r3", "GET", "/api/news", "data", 2000, 2100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
#: expect none link/3

#: test it is none where their scripts speak against it
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
stack("r2", 0, "load", "http://h/cart.js", 3).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
stack("e1", 0, "tick", "http://h/clock.js", 3).
#: expect none link/3

#: test it is none where another error has more to do with it
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
threw("e2", "TypeError", "x of undefined", "exception", 2115).
shares_word("e2", "r2", "cart").
#: expect
link("e2", "r2", 90).

#: test an element that is missing is a matter of the markup
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "TypeError", "Cannot read properties of null (reading 'classList')", "exception", 2110).
#: expect none link/3

#: test a function that asks for little and then throws is one
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
stack("r2", 0, "loadCart", "http://h/cart.js", 10).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
stack("e1", 0, "loadCart", "http://h/cart.js", 14).
#: expect
link("e1", "r2", 95).

#: test a function through which everything goes tells little
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
took("r3", "GET", "/api/a", "data", 2000, 2100, 200).
took("r4", "GET", "/api/b", "data", 2000, 2100, 200).
took("r5", "GET", "/api/c", "data", 2000, 2100, 200).
stack("r5", 1, "call", "http://h/api.js", 3).
stack("r2", 1, "call", "http://h/api.js", 3).
stack("r3", 1, "call", "http://h/api.js", 3).
stack("r4", 1, "call", "http://h/api.js", 3).
threw("e1", "TypeError", "boom", "exception", 2300).
stack("e1", 0, "call", "http://h/api.js", 9).
#: expect none link/3

#: test the browser's report is an effect of its request
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "", "Failed to load resource", "network", 2101).
error_about_request("e1", "r2").
#: expect
link("e1", "r2", 95).
cause_of("r2", "r2").

#: test a report leads to nothing
took("r2", "GET", "/api/cart", "data", 2000, 2100, 500).
threw("e1", "", "Failed to load resource", "network", 2101).
error_about_request("e1", "r2").
threw("e2", "TypeError", "x of undefined", "exception", 2102).
error_awaits("e2", "r2").
#: expect absent
link("e2", "e1", 95).
leads("e2", "e1").
#: expect
link("e1", "r2", 95).
link("e2", "r2", 95).

#: test a message that names the address and the status
took("r2", "GET", "/api/cart", "data", 2000, 2100, 503).
took("r3", "GET", "/api/other", "data", 2000, 2100, 500).
threw("e1", "", "could not load /api/cart: HTTP 503", "console", 2400).
error_mentions("e1", "/api/cart").
error_mentions("e1", "503").
#: expect
link("e1", "r2", 95).

#: test an answer without the member that was read is to blame
took("r2", "GET", "/api/user", "data", 2000, 2100, 200).
suspect("r2", "missing_member", "GET /api/user answered without $.user").
body_type("r2", "$", "object").
body_type("r2", "$.name", "string").
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'name')", "exception", 2110).
error_awaits("e1", "r2").
reads_path("e1", "user.name").
error_expression("e1", "data.user", "name").
#: expect contains
lacks("r2", "e1", "$.user", "missing").
cause_of("e1", "r2").

#: test an answer that has what was read is not
took("r2", "GET", "/api/user", "data", 2000, 2100, 200).
body_type("r2", "$", "object").
body_type("r2", "$.user", "object").
body_type("r2", "$.user.name", "string").
threw("e1", "TypeError", "Cannot read properties of undefined (reading 'name')", "exception", 2110).
error_awaits("e1", "r2").
reads_path("e1", "user.name").
error_expression("e1", "data.user", "name").
#: expect none lacks/4 link/3

#: test null where something was read
took("r2", "GET", "/api/user", "data", 2000, 2100, 200).
suspect("r2", "null_member", "GET /api/user answered null at $.user").
body_type("r2", "$.user", "null").
threw("e1", "TypeError", "Cannot read properties of null (reading 'name')", "exception", 2110).
reads_path("e1", "user.name").
error_expression("e1", "data.user", "name").
#: expect contains
lacks("r2", "e1", "$.user", "null").
cause_of("e1", "r2").

# ---- scripts ---------------------------------------------------------------------------------------------

#: test a name that nobody defines, and a script that did not come
took("r2", "GET", "/chart.js", "script", 2000, 2100, 404).
threw("e1", "ReferenceError", "Chart is not defined", "exception", 2200).
error_about_name("e1", "Chart").
#: expect
link("e1", "r2", 75).
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test a name that somebody defines is not missed for it
took("r2", "GET", "/chart.js", "script", 2000, 2100, 404).
took("r3", "GET", "/other.js", "script", 2000, 2100, 200).
script("s3", "http://h/other.js", "blocking")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
defines("s3", "Chart").
threw("e1", "ReferenceError", "Chart is not defined", "exception", 2200).
error_about_name("e1", "Chart").
#: expect none link/3

#: test a script that ran too late
script("s3", "http://h/late.js", "async")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:03Z].
defines("s3", "Marks").
suspect("s3", "late_script", "late.js ran too late").
threw("e1", "ReferenceError", "Marks is not defined", "exception", 2200).
error_about_name("e1", "Marks").
#: expect
cause_of("e1", "s3").

#: test a script that threw before it came to its definitions
script("s3", "http://h/lib.js", "blocking")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
defines("s3", "Marks").
threw("e1", "TypeError", "boom", "exception", 2100).
stack("e1", 0, "", "http://h/lib.js", 3).
suspect("e1", "script_error", "TypeError: boom").
threw("e2", "ReferenceError", "Marks is not defined", "exception", 2200).
suspect("e2", "script_error", "ReferenceError").
error_about_name("e2", "Marks").
#: expect
cause_of("e1", "e1").
cause_of("e2", "e1").

# ---- requests and requests ---------------------------------------------------------------------------------

#: test a failed token leads to the forbidden answer, and is blamed in its place
took("r2", "POST", "/api/token", "data", 2000, 2100, 500).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 403).
threw("e1", "TypeError", "x of undefined", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").
cause_of("r3", "r2").
lost_cause("e1", "r3", "itself led to by POST /api/token").
lost_cause("r3", "r3", "itself led to by POST /api/token").

#: test a token that came is not blamed for what is forbidden
took("r2", "POST", "/api/token", "data", 2000, 2100, 200).
took("r3", "GET", "/api/cart", "data", 2110, 2200, 403).
threw("e1", "TypeError", "x of undefined", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r3").
cause_of("r3", "r3").

#: test a token that failed after the forbidden answer was asked for
took("r3", "GET", "/api/cart", "data", 2000, 2200, 403).
took("r2", "POST", "/api/token", "data", 2110, 2300, 500).
threw("e1", "TypeError", "x of undefined", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r3").
cause_of("r3", "r3").
cause_of("r2", "r2").

#: test a cookie that was refused is not sent
took("r2", "POST", "/enter", "data", 2000, 2100, 200).
cookie_refused("r2", "sid", "SameSiteNoneInsecure", "set").
suspect("r2", "cookie_refused", "the cookie sid of POST /enter was refused").
took("r3", "GET", "/api/me", "data", 2110, 2200, 401).
credential_sent("r3", "none").
threw("e1", "Error", "401", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r2").
cause_of("r3", "r2").

#: test a cookie that was sent all the same is not the reason
took("r2", "POST", "/enter", "data", 2000, 2100, 200).
cookie_refused("r2", "sid", "SameSiteNoneInsecure", "set").
suspect("r2", "cookie_refused", "the cookie sid of POST /enter was refused").
took("r3", "GET", "/api/me", "data", 2110, 2200, 401).
credential_sent("r3", "cookie:sid").
threw("e1", "Error", "401", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r3").
cause_of("r3", "r3").

#: test undefined in an address comes of the answer that should have brought the value
took("r2", "GET", "/api/region", "data", 2000, 2100, 500).
took("r3", "GET", "/api/stock/undefined", "data", 2110, 2200, 404).
stack("r2", 0, "start", "http://h/shop.js", 5).
stack("r3", 0, "start", "http://h/shop.js", 9).
threw("e1", "TypeError", "x of undefined", "rejection", 2210).
error_awaits("e1", "r3").
#: expect contains
cause_of("e1", "r2").

#: test a change that failed leaves what is read later as it was
took("r2", "POST", "/api/items", "data", 2000, 2100, 500).
took("r3", "GET", "/api/items/9", "data", 3000, 3100, 404).
threw("e1", "TypeError", "x of undefined", "rejection", 3110).
error_awaits("e1", "r3").
#: expect contains
cause_of("e1", "r2").

#: test a chain of six
took("r2", "POST", "/api/session", "data", 2000, 2100, 500).
took("r3", "POST", "/api/token", "data", 2110, 2200, 401).
took("r4", "GET", "/api/account", "data", 2210, 2300, 401).
took("r5", "GET", "/api/account/undefined/cart", "data", 2310, 2400, 404).
stack("r4", 0, "open", "http://h/a.js", 1).
stack("r5", 0, "open", "http://h/a.js", 2).
threw("e1", "TypeError", "x of undefined", "exception", 2410).
error_awaits("e1", "r5").
dialog("d1", "alert", "Something went wrong")@[1970-01-01T00:00:02.42Z].
#: expect contains
leads("d1", "r2").
leads("e1", "r2").
cause_of("e1", "r2").
cause_of("d1", "r2").

#: test a script that asked for something, and cannot read what is answered
took("r2", "GET", "/flags.json", "data", 2000, 2100, 404).
stack("r2", 0, "flags", "http://h/flags.js", 3).
threw("e1", "SyntaxError", "Unexpected token", "console", 2110).
stack("e1", 0, "load", "http://h/flags.js", 9).
#: expect contains
reason("e1", "r2", "code", 35, "/flags.js asked for it, and failed").

#: test what it had taken from what the page keeps, and cannot read, is of no answer
took("r2", "GET", "/flags.json", "data", 2000, 2100, 404).
stack("r2", 0, "flags", "http://h/flags.js", 3).
threw("e1", "SyntaxError", "Unexpected token", "console", 2110).
stack("e1", 0, "load", "http://h/flags.js", 9).
storage_read("k2", "local", "sort", "text")@[1970-01-01T00:00:02.108Z].
read_as("k2", "json").
stack("k2", 0, "load", "http://h/flags.js", 9).
#: expect contains
is_of_kept_text("e1").
is_of_another("e1", "r2").

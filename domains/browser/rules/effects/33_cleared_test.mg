# Who is not to blame, and who all the same: mangle test domains
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

# ---- made good ----------------------------------------------------------------------------------------

#: test what was asked for again and came is forgiven
took("r2", "GET", "/api/news", "data", 2000, 2100, 503).
took("r3", "GET", "/api/news", "data", 3000, 3100, 200).
threw("e1", "", "Failed to load resource", "network", 2101).
error_about_request("e1", "r2").
#: expect
cleared("r2", "GET /api/news succeeded later").
#: expect none cause_of/2 to_explain/2

#: test another address that came forgives nothing
took("r2", "GET", "/api/news", "data", 2000, 2100, 503).
took("r3", "GET", "/api/news/latest", "data", 3000, 3100, 200).
#: expect none cleared/2
#: expect
cause_of("r2", "r2").

#: test an earlier success forgives nothing
took("r2", "GET", "/api/news", "data", 2000, 2100, 200).
took("r3", "GET", "/api/news", "data", 3000, 3100, 503).
#: expect none cleared/2
#: expect
cause_of("r3", "r3").

#: test a later success does not help what was thrown between
took("r2", "GET", "/api/news", "data", 2000, 2100, 503).
threw("e1", "TypeError", "x of undefined", "exception", 2110).
error_awaits("e1", "r2").
took("r3", "GET", "/api/news", "data", 3000, 3100, 200).
#: expect none cleared/2
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test what was made good before the error is not behind it
took("r2", "GET", "/api/news", "data", 2000, 2100, 503).
took("r3", "GET", "/api/news", "data", 2200, 2300, 200).
took("r4", "GET", "/api/cart", "data", 2300, 2400, 500).
stack("r2", 0, "load", "http://h/a.js", 1).
stack("r4", 0, "load", "http://h/a.js", 2).
threw("e1", "TypeError", "x of undefined", "exception", 2410).
stack("e1", 0, "load", "http://h/a.js", 3).
#: expect
cause_of("e1", "r4").
cause_of("r4", "r4").

#: test what the page wrote about a request that was made good is settled
took("r2", "GET", "/api/news", "data", 2000, 2100, 503).
threw("e1", "", "/api/news failed with 503, once more", "console", 2110).
error_mentions("e1", "/api/news").
took("r3", "GET", "/api/news", "data", 3000, 3100, 200).
#: expect none cause_of/2 to_explain/2

# ---- cancelled --------------------------------------------------------------------------------------------

#: test a search that a newer one replaced
took("r2", "GET", "/api/search", "data", 2000, 2100, 0).
request_cancelled("r2", "script:/search.js:9").
fails_as("r2", "net::ERR_ABORTED").
took("r3", "GET", "/api/search", "data", 2100, 2200, 200).
#: expect none cause_of/2 to_explain/2
#: expect contains
cleared("r2", "a newer request took its place").

#: test the newer one failed as well
took("r2", "GET", "/api/search", "data", 2000, 2100, 0).
request_cancelled("r2", "script:/search.js:9").
fails_as("r2", "net::ERR_ABORTED").
took("r3", "GET", "/api/search", "data", 2100, 2200, 500).
threw("e1", "Error", "search failed", "rejection", 2210).
error_awaits("e1", "r3").
#: expect
cause_of("e1", "r3").
cause_of("r3", "r3").

#: test a page that was left
took("r2", "GET", "/api/slow", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_ABORTED").
request_cancelled("r2", "navigation").
#: expect contains
cleared("r2", "the page was left").
#: expect none cause_of/2

#: test a request that code gave up, and a page that says so
took("r2", "GET", "/api/slow", "data", 2000, 5000, 0).
fails_as("r2", "net::ERR_ABORTED").
request_cancelled("r2", "script:/api.js:4").
threw("e1", "", "AbortError: no answer in time", "console", 5010).
error_awaits("e1", "r2").
#: expect none cleared/2
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test a script that was answered with 404 was not cancelled
took("r2", "GET", "/chart.js", "script", 2000, 2100, 404).
request_failed("r2", "net::ERR_ABORTED")@[1970-01-01T00:00:02.1Z].
#: expect none is_cancelled/1 cleared/2

# ---- waiting for news --------------------------------------------------------------------------------------

#: test a poll that ran out and is asked again
took("r2", "GET", "/api/poll", "data", 2000, 7000, 504).
request("r3", "GET", "http://h/api/poll", "data")@[1970-01-01T00:00:07.1Z, _].
request_path("r3", "http://h", "/api/poll").
#: expect
cleared("r2", "it waits for news and is asked again").

#: test one that ran out and was not
took("r2", "GET", "/api/poll", "data", 2000, 7000, 504).
#: expect none cleared/2
#: expect
cause_of("r2", "r2").

# ---- what nobody misses -------------------------------------------------------------------------------------

#: test a picture
took("r2", "GET", "/avatar.png", "image", 2000, 2100, 404).
#: expect contains
cleared("r2", "nothing on the page depends on it").
#: expect none cause_of/2

#: test a picture that code needed
took("r2", "GET", "/map.png", "image", 2000, 2100, 404).
threw("e1", "Error", "could not draw /map.png", "rejection", 2110).
error_awaits("e1", "r2").
error_mentions("e1", "/map.png").
#: expect none cleared/2
#: expect
cause_of("e1", "r2").

#: test somebody else's script
took("r2", "GET", "/widget.js", "script", 2000, 2100, 200).
third_party("r2").
threw("e1", "TypeError", "x of undefined", "exception", 2110).
stack("e1", 0, "f", "http://h/widget.js", 1).
suspect("e1", "script_error", "TypeError").
#: expect
cleared("e1", "somebody else's script").
#: expect none cause_of/2

#: test somebody else's script that our own called
took("r2", "GET", "/widget.js", "script", 2000, 2100, 200).
third_party("r2").
threw("e1", "TypeError", "x of undefined", "exception", 2110).
stack("e1", 0, "f", "http://h/widget.js", 1).
stack("e1", 1, "render", "http://h/shop.js", 1).
suspect("e1", "script_error", "TypeError").
#: expect none cleared/2
#: expect
cause_of("e1", "e1").

#: test an error without a word
threw("e1", "", "Script error.", "exception", 2110).
suspect("e1", "script_error", "Script error.").
#: expect none cause_of/2

#: test a third party that failed, and nothing came of it
took("r2", "GET", "/widget", "data", 2000, 2100, 500).
third_party("r2").
#: expect contains
cleared("r2", "a third party's, and the page works without it").

#: test a third party that the page needed
took("r2", "GET", "/pay", "data", 2000, 2100, 500).
third_party("r2").
threw("e1", "TypeError", "x of undefined", "rejection", 2110).
error_awaits("e1", "r2").
#: expect none cleared/2
#: expect
cause_of("e1", "r2").

#: test counting visitors
took("r2", "POST", "/api/collect", "data", 2000, 2100, 500).
threw("e1", "", "collect failed /api/collect", "console", 2110).
error_mentions("e1", "/api/collect").
#: expect contains
cleared("r2", "a tracker's or an ad's, and no part of the page").
#: expect none cause_of/2

# ---- nobody is signed in, optional things -----------------------------------------------------------------------

#: test nobody is signed in
took("r2", "GET", "/api/me", "data", 2000, 2100, 401).
credential_sent("r2", "none").
#: expect
cleared("r2", "nobody is signed in, and the page knows how to deal with that").

#: test somebody had signed in before
took("r2", "POST", "/api/login", "data", 1500, 1600, 200).
took("r3", "GET", "/api/me", "data", 2000, 2100, 401).
#: expect none cleared/2
#: expect
cause_of("r3", "r3").

#: test a credential was sent and refused
took("r2", "GET", "/api/me", "data", 2000, 2100, 401).
credential_sent("r2", "bearer").
#: expect none cleared/2

#: test nobody is signed in, and the page fell over it
took("r2", "GET", "/api/me", "data", 2000, 2100, 401).
threw("e1", "TypeError", "x of undefined", "rejection", 2110).
error_awaits("e1", "r2").
#: expect none cleared/2
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test an optional thing that is not there
took("r2", "GET", "/api/flags", "data", 2000, 2100, 404).
#: expect
cleared("r2", "optional: nothing on the page missed it").

#: test a thing that is not there, and the page shows an error
took("r2", "GET", "/api/flags", "data", 2000, 2100, 404).
shown("error", "Could not load").
#: expect none cleared/2
#: expect
cause_of("r2", "r2").
cause_of("shown:error", "r2").

#: test a server error is not optional
took("r2", "GET", "/api/flags", "data", 2000, 2100, 500).
#: expect none cleared/2

#: test the page says that it goes on without
took("r2", "GET", "/api/hints", "data", 2000, 2100, 503).
message("m1", "warning", "hints unavailable, using defaults")@[1970-01-01T00:00:02.11Z].
#: expect
cleared("r2", "handled: the page says that it goes on without").

#: test the page says so of a change: what was to be kept is lost all the same
took("r2", "POST", "/api/orders", "data", 2000, 2100, 503).
message("m1", "warning", "orders unavailable, using defaults")@[1970-01-01T00:00:02.11Z].
#: expect none cleared/2

#: test it said so before
took("r2", "GET", "/api/hints", "data", 2000, 2100, 503).
message("m1", "warning", "hints unavailable, using defaults")@[1970-01-01T00:00:01.5Z].
#: expect none cleared/2

#: test what is kept elsewhere where nobody is signed in, and the page says so
took("r2", "PUT", "/api/draft", "data", 2000, 2100, 401).
message("m1", "warning", "draft: 401, kept on the device instead")@[1970-01-01T00:00:02.11Z].
#: expect
cleared("r2", "handled: the page says that it goes on without").

#: test what fails for another reason is not
took("r2", "PUT", "/api/draft", "data", 2000, 2100, 500).
message("m1", "warning", "draft: 500, kept on the device instead")@[1970-01-01T00:00:02.11Z].
#: expect none cleared/2

#: test a preview gives way to the search for the same words
took("r2", "GET", "/api/preview", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_ABORTED").
request_cancelled("r2", "script:/a.js:3").
request_query("r2", "q", "oak").
stack("r2", 0, "ask", "http://h/a.js", 4).
took("r3", "GET", "/api/search", "data", 2095, 2300, 200).
request_query("r3", "q", "oak").
stack("r3", 0, "ask", "http://h/a.js", 4).
#: expect contains
cleared("r2", "another question with the same words took its place").

#: test one for other words, or of other code, does not take its place
took("r2", "GET", "/api/preview", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_ABORTED").
request_cancelled("r2", "script:/a.js:3").
request_query("r2", "q", "oak").
stack("r2", 0, "ask", "http://h/a.js", 4).
took("r3", "GET", "/api/search", "data", 2095, 2300, 200).
request_query("r3", "q", "elm").
stack("r3", 0, "ask", "http://h/a.js", 4).
took("r4", "GET", "/api/advert", "data", 2095, 2300, 200).
request_query("r4", "q", "oak").
stack("r4", 0, "ask", "http://h/b.js", 4).
#: expect none gives_way/2

#: test what is for others, which the code expects
took("r2", "GET", "/api/layers/staff", "data", 2000, 2100, 403).
code_expects("r2", 403).
#: expect
cleared("r2", "the code expects to be turned away here").

#: test after a deed of the user it is none the less
took("r2", "GET", "/api/layers/staff", "data", 2000, 2100, 403).
code_expects("r2", 403).
asked_after_input("r2", "i1").
#: expect none cleared/2

#: test an answer with which nothing is done, and what is written down of it
took("r2", "GET", "/api/warm", "data", 2000, 2100, 500).
code_discards("r2").
#: expect
cleared("r2", "nothing is done with its answer").

#: test a change with whose answer nothing is done was to do something
took("r2", "POST", "/api/orders", "data", 2000, 2100, 500).
code_discards("r2").
#: expect none cleared/2

# ---- refusals, trackers, words --------------------------------------------------------------------------

#: test a refusal that the user is told of
took("r2", "POST", "/api/promo", "data", 2000, 2100, 422).
input("i1", "click", "#apply", "Apply")@[1970-01-01T00:00:01.99Z].
asked_after_input("r2", "i1").
body_value("r2", "$.message", "This code has expired.").
shown("text", "Cart\nThis code has expired.").
#: expect
cleared("r2", "a refusal that the user is told of").

#: test a refusal for whose reason the code has words, which are shown
took("r2", "POST", "/api/renew", "data", 2000, 2100, 409).
asked_after_input("r2", "i1").
code_tells_reason("r2", "HELD", "another reader has it").
#: expect
cleared("r2", "a refusal that the user is told of").

#: test the words gave way to others after another deed
took("r2", "POST", "/api/renew", "data", 2000, 2100, 409).
asked_after_input("r2", "i1").
code_has_words_for("r2", "HELD", "another reader has it").
changed_after("r2").
input("i2", "click", "#b", "Renew")@[1970-01-01T00:00:03Z].
#: expect
cleared("r2", "a refusal that the user is told of").

#: test a change that is refused for a reason that the code looks for, and says
took("r2", "POST", "/api/jobs", "data", 2000, 2100, 402).
asked_after_input("r2", "i1").
code_expects("r2", 402).
code_says_instead("r2", "Nothing was printed.").
took("r3", "PUT", "/api/loans", "data", 2000, 2100, 403).
asked_after_input("r3", "i1").
code_expects("r3", 403).
code_says_instead("r3", "Another reader has it.").
#: expect
cleared("r2", "a refusal that the user is told of").
cleared("r3", "a refusal that the user is told of").

#: test a second try that is told that the first had arrived
took("r2", "POST", "/api/messages", "data", 2000, 2100, 504).
took("r3", "POST", "/api/messages", "data", 2400, 2500, 409).
code_expects("r3", 409).
#: expect contains
cleared("r2", "it had arrived, as the second try was told").
cleared("r3", "the first try had arrived, as the code expects").

#: test it was not looked for
took("r2", "POST", "/api/messages", "data", 2000, 2100, 504).
took("r3", "POST", "/api/messages", "data", 2400, 2500, 409).
#: expect none had_arrived/2

#: test a page that says truly that a list is empty does not complain
said_none("r1", "You have no draft.", "draft").
body_type("r1", "$.drafts", "array").
body_empty("r1", "$.drafts").
shown("empty", "You have no draft.").
#: expect none page_complains/0 page_shows_it/0

#: test the words were never shown
took("r2", "POST", "/api/renew", "data", 2000, 2100, 409).
asked_after_input("r2", "i1").
code_has_words_for("r2", "HELD", "another reader has it").
changed_after("r2").
#: expect none cleared/2

#: test a refusal that the user is not told of
took("r2", "POST", "/api/promo", "data", 2000, 2100, 422).
input("i1", "click", "#apply", "Apply")@[1970-01-01T00:00:01.99Z].
asked_after_input("r2", "i1").
body_value("r2", "$.message", "This code has expired.").
shown("text", "Cart").
#: expect none cleared/2

#: test a server error that the user is told of is none
took("r2", "POST", "/api/promo", "data", 2000, 2100, 500).
input("i1", "click", "#apply", "Apply")@[1970-01-01T00:00:01.99Z].
asked_after_input("r2", "i1").
body_value("r2", "$.message", "database").
shown("text", "Cart\ndatabase").
#: expect none cleared/2

#: test a fetch that failed was the tracker's
took("r2", "POST", "/track/collect", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_FAILED").
third_party("r2").
threw("e1", "TypeError", "Failed to fetch", "rejection", 2105).
stack("e1", 0, "start", "http://h/main.js", 3).
suspect("e1", "script_error", "TypeError: Failed to fetch").
#: expect contains
cleared("e1", "a tracker's or an ad's request that failed").
#: expect none cause_of/2

#: test a fetch that failed was the page's
took("r2", "POST", "/track/collect", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_FAILED").
third_party("r2").
took("r3", "GET", "/api/cart", "data", 2000, 2100, 0).
fails_as("r3", "net::ERR_FAILED").
threw("e1", "TypeError", "Failed to fetch", "rejection", 2105).
stack("e1", 0, "start", "http://h/main.js", 3).
suspect("e1", "script_error", "TypeError: Failed to fetch").
#: expect
cause_of("e1", "r3").
cause_of("r3", "r3").

#: test a fetch that failed was not of what was answered
took("r2", "GET", "/api/feed", "data", 2000, 2100, 502).
threw("e1", "TypeError", "Failed to fetch", "rejection", 2105).
error_awaits("e1", "r2").
#: expect none link/3

#: test the page says itself that it goes on without
took("r2", "GET", "/api/flags", "data", 2000, 2100, 404).
threw("e1", "", "flags missing, using defaults", "console", 2105).
stack("e1", 0, "main", "http://h/main.js", 3).
stack("r2", 0, "main", "http://h/main.js", 1).
#: expect contains
cleared("e1", "the page says itself that it goes on without").
cleared("r2", "optional: nothing on the page missed it").

#: test it says so of what it cannot do without
took("r2", "POST", "/api/orders", "data", 2000, 2100, 500).
threw("e1", "", "orders unavailable", "console", 2105).
error_awaits("e1", "r2").
#: expect none cleared/2
#: expect
cause_of("e1", "r2").
cause_of("r2", "r2").

#: test who is forbidden is signed in
took("r2", "GET", "/api/me", "data", 2000, 2100, 403).
credential_sent("r2", "none").
#: expect none cleared/2

#: test a script of another origin that threw, and one that did not come, beside scripts of the page
took("r2", "GET", "/app.js", "script", 2000, 2100, 200).
request("r3", "GET", "http://h:81/widget.js",
        "script")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
request_path("r3", "http://h:81", "/widget.js").
request("r4", "GET", "http://h:82/more.js",
        "script")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
request_path("r4", "http://h:82", "/more.js").
request_failed("r4", "net::ERR_CONNECTION_REFUSED")@[1970-01-01T00:00:02.1Z].
threw("e1", "TypeError", "boom", "exception", 2200).
stack("e1", 0, "f", "http://h:81/widget.js", 1).
suspect("e1", "script_error", "TypeError: boom").
#: expect none cause_of/2

#: test where the page has none of its own it may be its own
request("r3", "GET", "http://h:81/widget.js",
        "script")@[1970-01-01T00:00:02Z, 1970-01-01T00:00:02.1Z].
request_path("r3", "http://h:81", "/widget.js").
threw("e1", "TypeError", "boom", "exception", 2200).
stack("e1", 0, "f", "http://h:81/widget.js", 1).
suspect("e1", "script_error", "TypeError: boom").
#: expect
cause_of("e1", "e1").

#: test what our own guard keeps out is no fault of the page
took("r2", "GET", "/pay", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_BLOCKED_BY_CLIENT").
request_blocked("r2", "allow").
threw("e1", "TypeError", "Failed to fetch", "rejection", 2110).
error_awaits("e1", "r2").
suspect("e1", "script_error", "TypeError: Failed to fetch").
#: expect contains
cleared("r2", "this server's setting allow keeps it out, which is no fault of the page").
cleared("e1", "this server's setting allow kept its request out").
#: expect none cause_of/2

#: test what fails and has a default is not missed
took("r2", "GET", "/api/tip", "data", 2000, 2100, 500).
code_does_without("r2", "value").
shown("text", "Order a week ahead.").
#: expect
cleared("r2", "optional: the page goes on with a value of its own").

#: test nothing in its place may be missed
took("r2", "GET", "/api/tip", "data", 2000, 2100, 500).
code_does_without("r2", "nothing").
#: expect none cleared/2

#: test a default does not help where the page says that something is wrong
took("r2", "GET", "/api/tip", "data", 2000, 2100, 500).
code_does_without("r2", "value").
shown("error", "The tips are not there").
#: expect none cleared/2

#: test a change that failed has no default
took("r2", "POST", "/api/tip", "data", 2000, 2100, 500).
code_does_without("r2", "value").
#: expect none cleared/2

# ---- there is none, and the page says what that means ---------------------------------------------------------

#: test a 404 that the code looks for, and one whose server says more than that there is nothing
took("r2", "GET", "/api/tax", "data", 2000, 2100, 404).
code_expects("r2", 404).
code_says_instead("r2", "You have given no number.").
took("r3", "GET", "/api/logo", "data", 2000, 2100, 404).
refusal_says("r3", 1, "error", "none on file").
code_says_instead("r3", "Your name stands there.").
shown("empty", "There were no invoices.").
#: expect contains
cleared("r2", "there is none, and the page says what that means").
cleared("r3", "there is none, and the page says what that means").

#: test one that nobody looked for, one that is said to have failed, one that is said as none of something
took("r2", "GET", "/api/tax", "data", 2000, 2100, 404).
refusal_says("r2", 1, "error", "Not found").
code_says_instead("r2", "You have given no number.").
took("r3", "GET", "/api/logo", "data", 2000, 2100, 404).
code_expects("r3", 404).
code_says_instead("r3", "We could not load it.").
took("r4", "GET", "/api/invoices", "data", 2000, 2100, 404).
code_expects("r4", 404).
code_says_instead("r4", "There were no invoices.").
shown("empty", "There were no invoices.").
#: expect none cleared/2

#: test what another place answered is not missed
took("r2", "GET", "/mirror/news", "data", 2000, 2100, 0).
fails_as("r2", "net::ERR_CONNECTION_REFUSED").
took("r3", "GET", "/api/news", "data", 2110, 2200, 200).
answered_elsewhere("r2", "r3").
#: expect
cleared("r2", "another place answered the same").

#: test what a form says of what was filled in is no complaint
took("r2", "GET", "/api/flags", "data", 100, 150, 404).
shown("alert", "Five figures, please: 10115").
said_by_listener("alert").
submitted("i1", "form#f", "get", "http://h/", "true").
#: expect none page_complains/0 page_shows_it/0 shows_that_it_failed/0 reason/5

#: test it is one where something was asked for it
took("r2", "POST", "/api/address", "data", 100, 150, 404).
asked_after_input("r2", "i1").
shown("alert", "Five figures, please: 10115").
said_by_listener("alert").
submitted("i1", "form#f", "get", "http://h/", "true").
#: expect contains
page_complains().
page_shows_it().

#: test a refusal that is told is none the worse for what went wrong before and was made good
took("r2", "GET", "/api/items", "data", 2000, 2100, 503).
took("r3", "GET", "/api/items", "data", 2400, 2500, 200).
took("r4", "POST", "/api/vouchers", "data", 3000, 3100, 422).
stack("r2", 0, "ask", "http://h/http.js", 4).
stack("r4", 0, "ask", "http://h/http.js", 4).
asked_after_input("r4", "i1").
refusal_says("r4", 1, "error", "This voucher has ended.").
shown("text", "Shop\nThis voucher has ended.").
#: expect contains
cleared("r4", "a refusal that the user is told of").

#: test what is gone for good is as optional as what was never there
took("r2", "GET", "/api/comments", "data", 2000, 2100, 410).
#: expect
cleared("r2", "optional: nothing on the page missed it").

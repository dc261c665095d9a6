# Letters and signs: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_sent.mg 44_order.mg 44_reads.mg 44_refused.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 59_encoding.mg 52_body_kind.mg
#: now 2026-02-19T12:00:30Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
# When it was asked and answered, in milliseconds.
Decl asked(R, From, To, Method, Path, Status)
  bound [/string, /number, /number, /string, /string, /number].
request(R, Method, Url, "data")@[A, B] :-
  asked(R, From, To, Method, Path, _),
  Url = fn:string:concat("https://app.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
request_path(R, "https://app.test", Path) :- asked(R, _, _, _, Path, _).
request_route(R, Path) :- asked(R, _, _, _, Path, _).
Decl typed(R, Mime) bound [/string, /string].
is_typed(R) :- typed(R, _).
answer(R, Status, "application/json")@[B] :-
  asked(R, _, To, _, _, Status),
  !is_typed(R),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
answer(R, Status, Mime)@[B] :-
  asked(R, _, To, _, _, Status),
  typed(R, Mime),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).

#: test encoded twice, and nothing is found
asked("r1", 100, 200, "GET", "/api/search", 200).
request_query("r1", "q", "New%2520York").
body_empty("r1", "$.hits").
#: expect
double_encoded("r1", "q", "New%2520York").
trouble("r1", 55, "GET /api/search was asked with q = New%2520York, which is encoded twice").

#: test letters of more bytes, a path, a filter
asked("r1", 100, 200, "GET", "/api/search", 200).
request_query("r1", "q", "M%25C3%25BCller").
asked("r2", 100, 200, "GET", "/api/tags/a%2520b", 404).
asked("r3", 100, 200, "GET", "/api/list", 200).
request_query("r3", "f", "a%252Cb").
#: expect
double_encoded("r1", "q", "M%25C3%25BCller").
double_encoded("r2", "its path", "/api/tags/a%2520b").
double_encoded("r3", "f", "a%252Cb").

#: test what has a percent sign, or an address with one
asked("r1", 100, 200, "GET", "/api/search", 200).
request_query("r1", "q", "10%25").
request_query("r1", "off", "50%25%20off").
request_query("r1", "back", "%2Flist%3Fq%3DNew%2520York").
#: expect none double_encoded/3

#: test a server that wants it so
asked("r1", 100, 200, "PUT", "/api/loans/urn%253A19", 403).
asked("r2", 300, 400, "PUT", "/api/loans/urn%253A26", 200).
#: expect none double_encoded/3

#: test nothing comes of it
asked("r1", 100, 200, "GET", "/api/search", 200).
request_query("r1", "q", "New%2520York").
body_type("r1", "$.hits", "array").
#: expect none trouble/3

#: test what was typed is cut in the address
asked("r1", 100, 200, "GET", "/api/search", 200).
sent_unencoded("r1", "q", "#4711", "", "#").
puts_unencoded("r1", "https://app.test/search.js", 17).
#: expect contains
suspect("r1", "unencoded",
        "GET /api/search puts what was typed, #4711, into its address without encoding it, as q: nothing is sent from # on, and its server has ``").
trouble("r1", 56, "GET /api/search does not ask for what was typed").
change_at("r1", "/search.js:17", "encode it: encodeURIComponent(), or URLSearchParams").

#: test a space in place of a plus, and nothing is found
asked("r1", 100, 200, "GET", "/api/search", 200).
sent_unencoded("r1", "q", "C++", "C  ", "+").
body_type("r1", "$", "array").
body_empty("r1", "$").
none_line("No books match").
#: expect contains
suspect("r1", "unencoded",
        "GET /api/search puts what was typed, C++, into its address without encoding it, as q: + is a space there, and its server has `C  `").

#: test a server that takes it as it is meant
asked("r1", 100, 200, "GET", "/api/search", 200).
sent_unencoded("r1", "q", "C++", "C  ", "+").
body_type("r1", "$", "array").
asked("r2", 300, 400, "GET", "/api/search", 200).
sent_unencoded("r2", "q", "100% wool", "100% wool", "%").
body_type("r2", "$", "array").
#: expect none suspect/3 trouble/3

#: test letters that were encoded twice and are shown
asked("r1", 100, 200, "GET", "/api/who", 200).
garbled("r1", "M\u{00c3}\u{00bc}ller").
shown("text", "Signed in as M\u{00c3}\u{00bc}ller").
#: expect
garbled_shown("r1", "M\u{00c3}\u{00bc}ller").

#: test another charset than code reads
asked("r1", 100, 200, "GET", "/api/list.csv", 200).
answer_header("r1", "content-type", "text/csv; charset=iso-8859-1").
shown("text", "M\u{fffd}ller").
#: expect
suspect("r1", "wrong_charset",
        "GET /api/list.csv answers text/csv; charset=iso-8859-1, and code reads it as UTF-8").
trouble("r1", 55,
        "GET /api/list.csv answers text/csv; charset=iso-8859-1, and code reads it as UTF-8").

#: test letters that are not shown, and another charset that is read as it should
asked("r1", 100, 200, "GET", "/api/who", 200).
garbled("r1", "M\u{00c3}\u{00bc}ller").
asked("r2", 100, 200, "GET", "/api/list.csv", 200).
answer_header("r2", "content-type", "text/csv; charset=iso-8859-1").
shown("text", "M\u{00fc}ller").
#: expect none suspect/3

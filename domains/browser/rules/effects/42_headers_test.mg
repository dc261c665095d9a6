# Headers that are kept from code: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_sent.mg 44_order.mg 44_reads.mg 44_refused.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 52_body_kind.mg
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

#: test a header that came and that code is not shown
asked("r1", 100, 200, "GET", "/list", 200).
header_kept_from("k1", "r1", "x-total-count").
stack("k1", 0, "load", "https://app.test/list.js", 9).
changed_after("r1").
#: expect
hidden_header("k1", "r1", "x-total-count").
suspect("r1", "header_not_exposed",
        "code asks for x-total-count of GET /list and gets nothing: it came, but Access-Control-Expose-Headers does not name it").
trouble("r1", 52,
        "code asks for x-total-count of GET /list and gets nothing: it came, but Access-Control-Expose-Headers does not name it").

#: test where a list goes on, asked for by a client of the page's
asked("r1", 100, 200, "GET", "/list", 200).
header_kept_from("k1", "r1", "link").
stack("k1", 0, "parse", "https://app.test/api.js", 9).
stack("k1", 1, "load", "https://app.test/list.js", 4).
#: expect
hidden_header("k1", "r1", "link").

#: test where what was made stands, and how a file is called
asked("r1", 100, 200, "POST", "/list", 201).
header_kept_from("k1", "r1", "location").
stack("k1", 0, "add", "https://app.test/list.js", 9).
asked("r2", 300, 400, "GET", "/export", 200).
header_kept_from("k2", "r2", "content-disposition").
stack("k2", 0, "save", "https://app.test/list.js", 19).
#: expect
hidden_header("k1", "r1", "location").
hidden_header("k2", "r2", "content-disposition").

#: test when it was changed last
asked("r1", 100, 200, "GET", "/list", 200).
header_kept_from("k1", "r1", "x-updated-at").
stack("k1", 0, "load", "https://app.test/list.js", 9).
#: expect
hidden_header("k1", "r1", "x-updated-at").

#: test marks of requests and limits are read by the way
asked("r1", 100, 200, "GET", "/list", 200).
header_kept_from("k1", "r1", "x-request-id").
stack("k1", 0, "load", "https://app.test/list.js", 9).
header_kept_from("k2", "r1", "x-ratelimit-remaining").
stack("k2", 0, "load", "https://app.test/list.js", 10).
header_kept_from("k3", "r1", "server-timing").
stack("k3", 0, "load", "https://app.test/list.js", 11).
#: expect none hidden_header/3

#: test a header that did not come is none that was hidden
asked("r1", 100, 200, "GET", "/list", 200).
header_read_in_vain("k1", "r1", "x-total-count").
stack("k1", 0, "load", "https://app.test/list.js", 9).
#: expect none hidden_header/3

#: test what failed has other faults
asked("r1", 100, 200, "GET", "/list", 500).
header_kept_from("k1", "r1", "x-total-count").
stack("k1", 0, "load", "https://app.test/list.js", 9).
#: expect none hidden_header/3

# Lists in parts: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# Asked one after the other, a tenth of a second each.
Decl part(R, Name, V, Ms) bound [/string, /string, /string, /number].
request(R, "GET", "https://app.test/api/items", "data")@[T, E] :-
  part(R, _, _, Ms),
  T = fn:time:from_unix_nanos(fn:mult(fn:plus(1771502400000, Ms), 1000000)),
  E = fn:time:from_unix_nanos(fn:mult(fn:plus(1771502400080, Ms), 1000000)).
answer(R, 200, "application/json")@[E] :-
  part(R, _, _, Ms),
  E = fn:time:from_unix_nanos(fn:mult(fn:plus(1771502400080, Ms), 1000000)).
request_path(R, "https://app.test", "/api/items") :- part(R, _, _, _).
request_route(R, "/api/items") :- part(R, _, _, _).
request_query(R, Name, V) :- part(R, Name, V, _).
stack(R, 0, "all", "https://app.test/p.js", 4) :- part(R, _, _, _).

#: test the same cursor over and over
part("r1", "cursor", "undefined", 100).
part("r2", "cursor", "undefined", 200).
part("r3", "cursor", "undefined", 300).
part("r4", "cursor", "undefined", 400).
part("r5", "cursor", "undefined", 500).
part("r6", "cursor", "undefined", 600).
body_value("r1", "$.nextCursor", "20").
#: expect
looped("r1", "cursor", "undefined").
first_tells("r1", "$.nextCursor").

#: test parts after the last
part("r1", "page", "1", 100).
part("r2", "page", "2", 200).
part("r3", "page", "3", 300).
part("r4", "page", "4", 400).
part("r5", "page", "5", 500).
part("r6", "page", "6", 600).
part("r7", "page", "7", 700).
part("r8", "page", "8", 800).
body_value("r2", "$.total_pages", "2").
#: expect
suspect("r3", "request_loop",
        "GET /api/items was asked for more parts (page) after the answer said that there are none, over and over").

#: test all parts of a long list, one after the other
part("r1", "page", "1", 100).
part("r2", "page", "2", 200).
part("r3", "page", "3", 300).
part("r4", "page", "4", 400).
part("r5", "page", "5", 500).
part("r6", "page", "6", 600).
part("r7", "page", "7", 700).
body_value("r1", "$.total_pages", "7").
body_value("r7", "$.total_pages", "7").
#: expect none trouble/3

#: test the first part asked again every second
part("r1", "page", "1", 100).
part("r2", "page", "1", 1100).
part("r3", "page", "1", 2100).
part("r4", "page", "1", 3100).
part("r5", "page", "1", 4100).
part("r6", "page", "1", 5100).
#: expect none trouble/3

#: test a search that begins on the first page with each letter
part("r1", "q", "a", 100).
part("r2", "q", "ab", 200).
part("r3", "q", "abc", 300).
part("r4", "q", "abcd", 400).
part("r5", "page", "1", 500).
part("r6", "page", "1", 600).
part("r7", "page", "1", 700).
#: expect none trouble/3

# Answers that are kept under too little: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg 65_polling.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 83_kept_short.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.300Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:09Z].
# When it was asked and answered, in milliseconds; 0: no answer.
Decl asked(R, From, To, Method, Path, Status)
  bound [/string, /number, /number, /string, /string, /number].
request(R, Method, Url, "data")@[A, B] :-
  asked(R, From, To, Method, Path, _),
  Url = fn:string:concat("https://app.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
request_path(R, "https://app.test", Path) :- asked(R, _, _, _, Path, _).
Decl of_route(R, Route) bound [/string, /string].
has_route(R) :- of_route(R, _).
request_route(R, Path) :- asked(R, _, _, _, Path, _), !has_route(R).
request_route(R, Route) :- of_route(R, Route).
Decl typed(R, Mime) bound [/string, /string].
is_typed(R) :- typed(R, _).
answer(R, Status, "application/json")@[B] :-
  asked(R, _, To, _, _, Status),
  0 < Status,
  !is_typed(R),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
answer(R, Status, Mime)@[B] :-
  asked(R, _, To, _, _, Status),
  typed(R, Mime),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).

asked("r1", 100, 200, "GET", "/api/items", 200).
request_query("r1", "kind", "tea").
list_shown("r1", "$.items", 4, 4, -1).

#: test another kind is chosen, and nothing is asked
input("i1", "click", "button", "Coffee")@[2026-02-19T12:00:02Z].
heard("i1", "own").
kept_short("r1", "i1", "kind", "https://app.test/shop.js", 8).
#: expect contains
suspect("r1", "kept_key",
        "/shop.js:8 keeps what GET /api/items answers under a key without `kind`: for Coffee, which was chosen since, nothing is asked, and what was kept is taken for it").
trouble("r1", 55, "after Coffee was chosen the page shows what GET /api/items had answered before").
change_at("r1", "/shop.js:8", "keep answers under all that they were asked with").

#: test it is asked for
input("i1", "click", "button", "Coffee")@[2026-02-19T12:00:02Z].
heard("i1", "own").
kept_short("r1", "i1", "kind", "https://app.test/shop.js", 8).
asked("r2", 2010, 2100, "GET", "/api/items", 200).
request_query("r2", "kind", "coffee").
#: expect none kept_for_other/4

#: test something else is asked for it
input("i1", "click", "button", "Coffee")@[2026-02-19T12:00:02Z].
heard("i1", "own").
kept_short("r1", "i1", "kind", "https://app.test/shop.js", 8).
asked("r2", 2010, 2100, "GET", "/api/coffee", 200).
asked_after_input("r2", "i1").
#: expect none kept_for_other/4

#: test nobody hears the click
input("i1", "click", "button", "Coffee")@[2026-02-19T12:00:02Z].
heard("i1", "none").
kept_short("r1", "i1", "kind", "https://app.test/shop.js", 8).
#: expect none kept_for_other/4

#: test what was answered is not shown any more, or a part of it alone
asked("r3", 100, 200, "GET", "/api/rooms", 200).
list_shown("r3", "$", 0, 6, -1).
asked("r4", 100, 200, "GET", "/api/seats", 200).
list_shown("r4", "$", 2, 6, -1).
input("i1", "click", "button", "Coffee")@[2026-02-19T12:00:02Z].
heard("i1", "own").
kept_short("r3", "i1", "kind", "https://app.test/shop.js", 8).
kept_short("r4", "i1", "kind", "https://app.test/shop.js", 8).
#: expect none kept_for_other/4

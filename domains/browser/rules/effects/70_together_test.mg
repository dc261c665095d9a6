# Answers that are waited for all together: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg 65_polling.mg 68_refused_frame.mg 69_listens_anew.mg 70_together.mg 71_grown.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
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

#: test one of them fails, and nothing is shown of the others
asked("r1", 1000, 1100, "GET", "/api/sales", 200).
asked("r2", 1001, 1090, "GET", "/api/stock", 200).
asked("r3", 1002, 1200, "GET", "/api/hints", 500).
asked_together("r1", "https://app.test/board.js", 10).
asked_together("r2", "https://app.test/board.js", 10).
asked_together("r3", "https://app.test/board.js", 10).
values_shown("r1", 0, 3).
values_shown("r2", 0, 2).
code_does_without("r3", "value").
#: expect contains
trouble("r3", 56,
        "nothing is shown of 2 answers that were asked for together with GET /api/hints and came").
change_at("r3", "/board.js:10",
          "wait for each by itself (Promise.allSettled, or a catch of its own): where one fails, Promise.all gives none").
#: expect none cleared/2

#: test the others are shown: it is optional
asked("r1", 1000, 1100, "GET", "/api/sales", 200).
asked("r3", 1002, 1200, "GET", "/api/hints", 500).
asked_together("r1", "https://app.test/board.js", 10).
asked_together("r3", "https://app.test/board.js", 10).
values_shown("r1", 2, 3).
code_does_without("r3", "value").
#: expect contains
cleared("r3", "optional: the page goes on with a value of its own").
#: expect none takes_along/1

#: test it is asked again and comes, and so do the others
asked("r1", 1000, 1100, "GET", "/api/sales", 200).
asked("r3", 1002, 1200, "GET", "/api/hints", 503).
asked("r4", 2000, 2100, "GET", "/api/sales", 200).
asked("r5", 2000, 2100, "GET", "/api/hints", 200).
asked_together("r1", "https://app.test/board.js", 10).
asked_together("r3", "https://app.test/board.js", 10).
values_shown("r1", 0, 3).
#: expect none takes_along/1

#: test the place of all of them is taken away
asked("r1", 1000, 1100, "GET", "/api/sales", 200).
asked("r3", 1002, 1200, "GET", "/api/hints", 500).
asked_together("r1", "https://app.test/board.js", 10).
asked_together("r3", "https://app.test/board.js", 10).
values_shown("r1", 0, 3).
code_does_without("r3", "place").
#: expect none takes_along/1

#: test they are waited for at different lines
asked("r1", 1000, 1100, "GET", "/api/sales", 200).
asked("r3", 1002, 1200, "GET", "/api/hints", 500).
asked_together("r1", "https://app.test/board.js", 10).
asked_together("r3", "https://app.test/board.js", 30).
values_shown("r1", 0, 3).
#: expect none takes_along/1

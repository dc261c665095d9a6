# Numbers that are added to a text: mangle test domains
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

#: test a number is sent with another behind it
asked("r1", 1000, 1100, "PUT", "/api/lines/7", 200).
sent_grown("r1", "$.qty", "2", "1", "https://app.test/stepper.js", 17).
#: expect contains
suspect("r1", "joined_numbers",
        "PUT /api/lines/7 was sent 21 as $.qty: `2`, which is a text (string), and 1, put one behind the other in place of added (/stepper.js:17)").
trouble("r1", 55, "PUT /api/lines/7 was sent a number that nobody meant").
change_at("r1", "/stepper.js:17",
          "make a number of it before anything is added: Number(value), or parseInt").

#: test a number is shown with another behind it
added_to_text("https://app.test/count.js", 4, "1", "21").
#: expect contains
suspect("sum:/count.js:4", "joined_numbers",
        "/count.js:4 adds 1 to a text (string): it is put behind it, and the page shows 21 where a sum was meant").
trouble("sum:/count.js:4", 53, "the page shows 21, in place of the sum of /count.js:4").

#: test of another site
asked("r1", 1000, 1100, "PUT", "/api/lines/7", 200).
third_party("r1").
sent_grown("r1", "$.qty", "2", "1", "https://app.test/stepper.js", 17).
#: expect none grown_text/2

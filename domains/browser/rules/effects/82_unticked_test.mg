# Boxes that were unticked: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg 65_polling.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 82_unticked.mg
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

# The form was answered at first, and sent.
asked("r1", 100, 200, "GET", "/api/settings", 200).
body_type("r1", "$", "object").
body_type("r1", "$.name", "string").
body_type("r1", "$.news", "boolean").
body_value("r1", "$.name", "Mara").
body_value("r1", "$.news", "true").

#: test it is left out, and stays ticked
input("i1", "change", "input[name=news]", "")@[2026-02-19T12:00:01Z].
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_type("r2", "$", "object").
sent_type("r2", "$.name", "string").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect contains
suspect("r2", "field_not_sent",
        "the checkbox input[name=news] was unticked, and PATCH /api/settings went without news: forms (FormData) leave out what is not ticked, so it stays as it was").
trouble("r2", 56, "after PATCH /api/settings news is still true, although it was unticked").
check_by("r2", "PATCH /api/settings is sent news = false when it is unticked").

#: test what was sent is answered with it
input("i1", "change", "input#news", "")@[2026-02-19T12:00:01Z].
asked("r2", 2000, 2100, "PUT", "/api/settings", 200).
sent_type("r2", "$.name", "string").
body_type("r2", "$.settings.news", "boolean").
body_value("r2", "$.settings.news", "true").
#: expect contains
left_box("r2", "news", "input#news").

#: test it is sent as false
input("i1", "change", "input[name=news]", "")@[2026-02-19T12:00:01Z].
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_type("r2", "$.name", "string").
sent_type("r2", "$.news", "boolean").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect none left_box/3

#: test a server that takes what is left out for false
input("i1", "change", "input[name=news]", "")@[2026-02-19T12:00:01Z].
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_type("r2", "$.name", "string").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "false").
#: expect none left_box/3

#: test unticked and ticked again
input("i1", "change", "input[name=news]", "")@[2026-02-19T12:00:01Z].
input("i2", "change", "input[name=news]", "")@[2026-02-19T12:00:01.5Z].
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_type("r2", "$.name", "string").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect none left_box/3

#: test what was sent is of something else, or was sent before
input("i1", "change", "input[name=news]", "")@[2026-02-19T12:00:01Z].
asked("r2", 2000, 2100, "POST", "/api/visits", 200).
sent_type("r2", "$.at", "string").
asked("r4", 500, 600, "PATCH", "/api/settings", 200).
sent_type("r4", "$.name", "string").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect none left_box/3

#: test a box that is ticked is sent as on, which is what is answered
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_value("r2", "$.news", "on").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect none old_answer/3

#: test one that was sent as off is not
asked("r2", 2000, 2100, "PATCH", "/api/settings", 200).
sent_value("r2", "$.news", "off").
asked("r3", 2200, 2300, "GET", "/api/settings", 200).
body_type("r3", "$.news", "boolean").
body_value("r3", "$.news", "true").
#: expect contains
old_answer("r2", "r3", "$.news").

# What is asked for again, or not: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg 65_polling.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
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

# ---- an end that the code does not know ------------------------------------------------------------------------

#: test a word that ends it, and nobody knows it
asked("r1", 1000, 1100, "GET", "/api/jobs/7", 200).
word_unknown("r1", "$.state", "running").
asked("r2", 2000, 2100, "GET", "/api/jobs/7", 200).
word_unknown("r2", "$.state", "succeeded").
asked("r3", 3000, 3100, "GET", "/api/jobs/7", 200).
word_unknown("r3", "$.state", "succeeded").
asked("r4", 4000, 4100, "GET", "/api/jobs/7", 200).
word_unknown("r4", "$.state", "succeeded").
#: expect contains
suspect("r4", "unknown_value",
        "GET /api/jobs/7 answers `succeeded` at $.state, which no script of the page knows: it goes on asking (3 times) as if that were no end").
trouble("r4", 54, "the page goes on asking GET /api/jobs/7 after it was answered succeeded").

#: test one that ends nothing, and one that was asked for once more
asked("r1", 1000, 1100, "GET", "/api/jobs/7", 200).
word_unknown("r1", "$.state", "running").
asked("r2", 2000, 2100, "GET", "/api/jobs/7", 200).
word_unknown("r2", "$.state", "running").
asked("r3", 3000, 3100, "GET", "/api/jobs/7", 200).
word_unknown("r3", "$.state", "running").
asked("r4", 4000, 4100, "GET", "/api/jobs/8", 200).
word_unknown("r4", "$.state", "DONE").
asked("r5", 5000, 5100, "GET", "/api/jobs/8", 200).
word_unknown("r5", "$.state", "DONE").
#: expect none asks_beyond/4

# ---- a question that ends with an error ------------------------------------------------------------------------

#: test an error that code caught, and no question after it
asked("r1", 1000, 1050, "GET", "/api/latest", 200).
asked("r2", 2000, 2050, "GET", "/api/latest", 200).
asked("r3", 3000, 3050, "GET", "/api/latest", 200).
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'fwhm')")@[2026-02-19T12:00:03.060Z].
stack("c1", 0, "update", "https://app.test/panels.js", 25).
error_awaits("c1", "r3").
#: expect contains
suspect("c1", "poll_ended",
        "since /panels.js:25 failed (TypeError: Cannot read properties of null (reading 'fwhm')) on an answer of GET /api/latest, nobody asks for it again: the error was caught, and the next question not set").
trouble("c1", 54, "GET /api/latest is asked no more, and what is shown of it grows old").

#: test it is asked for again
asked("r1", 1000, 1050, "GET", "/api/latest", 200).
asked("r2", 2000, 2050, "GET", "/api/latest", 200).
asked("r3", 3000, 3050, "GET", "/api/latest", 200).
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'fwhm')")@[2026-02-19T12:00:03.060Z].
stack("c1", 0, "update", "https://app.test/panels.js", 25).
error_awaits("c1", "r3").
asked("r4", 4000, 4050, "GET", "/api/latest", 200).
#: expect none asks_no_more/2

#: test nobody watched for long enough
asked("r1", 1000, 1050, "GET", "/api/latest", 200).
asked("r2", 4000, 4050, "GET", "/api/latest", 200).
asked("r3", 7000, 7050, "GET", "/api/latest", 200).
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'fwhm')")@[2026-02-19T12:00:07.060Z].
stack("c1", 0, "update", "https://app.test/panels.js", 25).
error_awaits("c1", "r3").
#: expect none asks_no_more/2

# ---- chosen anew, and half of it is asked for -------------------------------------------------------------------

#: test one of two is asked for what was chosen
asked("r1", 500, 550, "GET", "/api/entries", 200).
request_query("r1", "night", "29").
asked("r2", 600, 650, "GET", "/api/notes", 200).
request_query("r2", "night", "29").
input("i1", "click", "button", "28")@[2026-02-19T12:00:03Z].
asked("r3", 3010, 3050, "GET", "/api/notes", 200).
request_query("r3", "night", "28").
asked_after_input("r3", "i1").
#: expect contains
suspect("r1", "kept_key",
        "GET /api/entries is not asked for night = 28, which was chosen since: what was kept for night = 29 is taken for it (a cache whose key leaves the query out)").
trouble("r1", 52, "what is shown of GET /api/entries is not of night = 28").

#: test both are, or they never shared a value
asked("r1", 500, 550, "GET", "/api/entries", 200).
request_query("r1", "night", "29").
asked("r2", 600, 650, "GET", "/api/notes", 200).
request_query("r2", "night", "29").
asked("r5", 600, 650, "GET", "/api/rooms", 200).
request_query("r5", "night", "all").
input("i1", "click", "button", "28")@[2026-02-19T12:00:03Z].
asked("r3", 3010, 3050, "GET", "/api/notes", 200).
request_query("r3", "night", "28").
asked_after_input("r3", "i1").
asked("r4", 3010, 3050, "GET", "/api/entries", 200).
request_query("r4", "night", "28").
asked_after_input("r4", "i1").
#: expect none left_behind/5

# ---- elsewhere ---------------------------------------------------------------------------------------------------

#: test the newer answer is a part of the older, of which all stands there
input("i1", "change", "input#q", "")@[2026-02-19T12:00:02Z].
asked("r1", 2010, 4200, "GET", "/api/search", 200).
request_query("r1", "band", "all").
asked("r2", 2511, 2600, "GET", "/api/search", 200).
request_query("r2", "band", "V").
asked_after_input("r1", "i1").
asked_after_input("r2", "i1").
changed_after("r1").
changed_after("r2").
holds_all_of("r1", "r2").
list_shown("r1", "$", 14, 14, -1).
list_shown("r2", "$", 4, 4, -1).
#: expect contains
stale("r1", "r2").

#: test a number as people write it shows as NaN
asked("r1", 500, 550, "GET", "/api/visits", 200).
written_number("r1", "$.months[].visits", "1,204").
shown("text", "In numbers\nNaN visitors").
#: expect contains
trouble("shown:broken", 77, "the page shows NaN, where a number was meant").

#: test attributes that are observed by a name with capitals
code_slip("attributes", "https://app.test/card.js", 9).
#: expect contains
trouble("slip:/card.js:9", 52,
        "/card.js:9 observes attributes by names with capitals: attributes of HTML are in small letters, and attributeChangedCallback is never called for these").

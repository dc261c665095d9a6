# What stands in the place of what was not found: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 76_fallback.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/trip",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/trip").
request_route("r4", "/api/trip").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].
body_kind("r4", "json").
body_type("r4", "$", "object").

#: test a list under another name
fallback_taken("r4", "$.stations", "stops", "beside", "https://app.test/trip.js", 3).
#: expect contains
suspect("fallback:/trip.js:3 stops", "changed_shape",
        "/trip.js:3 reads `stops` of the answer of GET /api/trip, which has it under a name that no script knows, as $.stations: what is shown is what stands in its place").
trouble("fallback:/trip.js:3 stops", 52,
        "nothing of what GET /api/trip answered at $.stations is shown").
change_at("fallback:/trip.js:3 stops", "/trip.js:3", "read it where the answer has it: $.stations").
change_at("fallback:/trip.js:3 stops", "GET /api/trip", "or answer in the shape that is read").

#: test one that was wrapped
fallback_taken("r4", "$.result.stops", "stops", "below", "https://app.test/trip.js", 3).
#: expect contains
suspect("fallback:/trip.js:3 stops", "changed_shape",
        "/trip.js:3 reads `stops` of the answer of GET /api/trip, which has it below a member that no script knows, at $.result.stops: what is shown is what stands in its place").

#: test where the code that takes it is known that is told alone
fallback_taken("r4", "$.result.stops", "stops", "below", "https://app.test/trip.js", 3).
code_misses("r4", "$.stops", "https://app.test/trip.js", 3).
name_elsewhere("r4", "$.stops", "$.result.stops").
#: expect none fell_back/6

#: test an object where a list alone is taken
code_reads_as("r4", "$", "list", "https://app.test/store.js", 4).
unchanged_after("r4").
#: expect contains
suspect("r4", "changed_shape",
        "GET /api/trip answered an object, and /store.js:4 takes it if it is a list (array), and else nothing").
trouble("r4", 52, "nothing of what GET /api/trip answered is shown").
change_at("r4", "/store.js:4", "take the object that is answered, or its values").

#: test code that takes a member else
code_reads_as("r4", "$", "list", "https://app.test/store.js", 4).
code_takes("r4", "$.items", "https://app.test/store.js", 4).
unchanged_after("r4").
#: expect none suspect/3 trouble/3

#: test what is shown was taken somehow
code_reads_as("r4", "$", "list", "https://app.test/store.js", 4).
#: expect none suspect/3 trouble/3

#: test a word in other letters
choice_cased("r4", "$[].state", "OPEN", "open", "https://app.test/jobs.js", 2).
#: expect contains
suspect("r4", "unknown_value",
        "GET /api/trip answers `OPEN` at $[].state, and /jobs.js:2 compares it with `open`: the letters differ").
trouble("r4", 51, "of what has `OPEN` at $[].state nothing is shown").
change_at("r4", "/jobs.js:2", "compare with the word as it is answered").

#: test a list of a name that says as little, where the script had asked for it
fallback_taken("r4", "$.items", "data", "held", "https://app.test/trip.js", 3).
stack("r4", 0, "load", "https://app.test/trip.js", 2).
#: expect contains
suspect("fallback:/trip.js:3 data", "changed_shape",
        "/trip.js:3 reads `data` of the answer of GET /api/trip, which has it under a name that no script knows, as $.items: what is shown is what stands in its place").

#: test or where the page says that there is none of it
fallback_taken("r4", "$.items", "data", "held", "https://app.test/trip.js", 3).
said_none("r4", "No stops on this trip", "trip").
none_line("No stops on this trip").
#: expect contains
trouble("fallback:/trip.js:3 data", 52,
        "nothing of what GET /api/trip answered at $.items is shown").

#: test any other script reads that name of anything
fallback_taken("r4", "$.items", "data", "held", "https://app.test/other.js", 3).
stack("r4", 0, "load", "https://app.test/trip.js", 2).
#: expect none fell_back/6 suspect/3 trouble/3

# What came and is not found: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 80_parts.mg 81_meant.mg 82_missed.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/classes",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/classes").
request_route("r4", "/api/classes").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].
request("r5", "GET", "https://app.test/api/trainers",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/trainers").
request_route("r5", "/api/trainers").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.050Z].

#: test a text that is looked up among numbers
id_missed("r4", "$[].trainer", "r5", "$[].id", "'1'", "1").
id_missed_at("r4", "$[].trainer", "type", "https://app.test/list.js", 7).
#: expect contains
suspect("r4", "type_mismatch",
        "/list.js:7 looks up $[].trainer of GET /api/classes ('1') among $[].id of GET /api/trainers (1), and never finds any: a number is no text for === and for the keys of a Map: the types differ").
trouble("r4", 54, "of what GET /api/trainers answered nothing is shown").
change_at("r4", "/list.js:7",
          "make both the same before they are compared: String(id), one spelling").

#: test ids in other letters
id_missed("r4", "$[].trainer", "r5", "$[].id", "t-1", "T-1").
id_missed_at("r4", "$[].trainer", "letters", "https://app.test/list.js", 7).
#: expect contains
suspect("r4", "id_not_found",
        "/list.js:7 looks up $[].trainer of GET /api/classes (t-1) among $[].id of GET /api/trainers (T-1), and never finds any: capital and small letters differ").

#: test a member of which the page says that there is none
denied_member("r4", "$.seats", "seat", "No seats booked.").
code_misses("r4", "$.seat_count", "https://app.test/store.js", 2).
#: expect contains
suspect("r4", "misread_member",
        "/store.js:2 reads $.seat_count of the answer of GET /api/classes, which has it as $.seats: the page says, No seats booked.").
trouble("r4", 54, "the page says, No seats booked. - though $.seats came").

#: test what the page denies by right, and code reads well
denied_member("r4", "$.seats", "seat", "No seats are free.").
#: expect none suspect/3

#: test what is kept under one key and read under another
stored("k1", "local", "basket:v2", "json object lines")@[2026-02-19T12:00:02Z].
stack("k1", 0, "", "https://app.test/save.js", 1).
storage_read("k2", "local", "basket", "none")@[2026-02-19T12:00:03Z].
stack("k2", 0, "", "https://app.test/show.js", 4).
none_line("Your basket is empty.").
#: expect contains
suspect("k2", "other_key",
        "/show.js:4 reads `basket` from storage, where nothing is: /save.js:1 keeps it as `basket:v2`, which nobody reads").
trouble("k2", 53,
        "what was kept as `basket:v2` is not found, and the page says that there is none").

#: test an old key that is looked at before the new one is written and read
storage_read("k2", "local", "basket", "none")@[2026-02-19T12:00:02Z].
stack("k2", 0, "", "https://app.test/show.js", 4).
storage_read("k3", "local", "basket:v2", "none")@[2026-02-19T12:00:02Z].
stored("k1", "local", "basket:v2", "json object lines")@[2026-02-19T12:00:03Z].
stack("k1", 0, "", "https://app.test/save.js", 1).
none_line("Your basket is empty.").
#: expect none suspect/3

#: test a key that is not there while the page lacks something else
stored("k1", "local", "user", "json object name")@[2026-02-19T12:00:02Z].
stack("k1", 0, "", "https://app.test/save.js", 1).
storage_read("k2", "local", "user_settings", "none")@[2026-02-19T12:00:03Z].
stack("k2", 0, "", "https://app.test/show.js", 4).
none_line("No bookings yet.").
#: expect none suspect/3

#: test a key that is not there while the page shows no lack of it
stored("k1", "local", "theme-dark", "word true")@[2026-02-19T12:00:02Z].
stack("k1", 0, "", "https://app.test/save.js", 1).
storage_read("k2", "local", "theme", "none")@[2026-02-19T12:00:03Z].
stack("k2", 0, "", "https://app.test/show.js", 4).
#: expect none suspect/3

#: test messages whose ids meet none, and nothing changes
request("r6", "GET", "wss://app.test/live", "socket")@[2026-02-19T12:00:01Z, _].
request_path("r6", "wss://app.test", "/live").
request_route("r6", "/live").
id_missed("r6", "$.orderId", "r5", "$[].id", "'7'", "7").
id_missed_at("r6", "$.orderId", "type", "https://app.test/live.js", 3).
#: expect contains
change_at("r6", "/live.js:3",
          "make both the same before they are compared: String(id), one spelling").

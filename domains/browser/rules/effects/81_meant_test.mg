# What two parts of a page mean differently: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 80_parts.mg 81_meant.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/me").
request_route("r4", "/api/me").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].

#: test a word that is looked up in other letters
looked_up_as("r4", "$.roles[]", "ADMIN", "admin", "https://app.test/access.js", 4).
#: expect contains
suspect("r4", "unknown_value",
        "GET /api/me answers `ADMIN` at $.roles[], and /access.js:4 looks up `admin`: that is spelled otherwise (capital letters, or what stands before it), and nothing is found").
trouble("r4", 52, "what depends on `ADMIN` at $.roles[] is not there").

#: test a month too late on the page
month_off("r4", "2027-03-05", "April 5", "later", "https://app.test/days.js", 3).
#: expect contains
suspect("month:/days.js:3", "month_off_by_one",
        "GET /api/me answers 2027-03-05, and the page shows it a month later, April 5: /days.js:3 gives `new Date` a month that counts from 1, and Date counts from 0").
trouble("month:/days.js:3", 53,
        "GET /api/me answers 2027-03-05, and the page shows it a month later, April 5").

#: test a month too early that was sent
month_off("r4", "2027-02-05", "", "sent earlier", "https://app.test/days.js", 3).
#: expect contains
suspect("month:/days.js:3", "month_off_by_one",
        "GET /api/me was sent with 2027-02-05, a month too early: /days.js:3 writes the month of a Date, which counts from 0, as it is").
change_at("month:/days.js:3", "/days.js:3", "add 1: getMonth() + 1").

#: test an event that is told before anybody listens, and the page waits
told_early("told1", "session", "https://app.test/session.js", 5).
heard_late("told1", "https://app.test/panel.js", 8).
shown("waiting", "Connecting").
#: expect contains
suspect("event:/session.js:5", "unheard_event",
        "/session.js:5 tells `session` before anybody listens: /panel.js:8 begins to listen later, when it is over, and waits for it for ever").
trouble("shown:spinner", 58, "the page still says that it is loading").
causes("shown:spinner", "event:/session.js:5", "what waits for it began to listen too late").

#: test a bus that keeps what was told, so that the page does not wait
told_early("told1", "session", "https://app.test/session.js", 5).
heard_late("told1", "https://app.test/panel.js", 8).
#: expect none suspect/3 trouble/3

#: test a page that waits for an answer waits for no event
told_early("told1", "session", "https://app.test/session.js", 5).
heard_late("told1", "https://app.test/panel.js", 8).
shown("waiting", "Connecting").
request("r5", "GET", "https://app.test/api/desk", "data")@[2026-02-19T12:00:17.900Z, _].
request_path("r5", "https://app.test", "/api/desk").
request_route("r5", "/api/desk").
#: expect absent
suspect("event:/session.js:5", "unheard_event",
        "/session.js:5 tells `session` before anybody listens: /panel.js:8 begins to listen later, when it is over, and waits for it for ever").

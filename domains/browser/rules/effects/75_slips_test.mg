# Lists out of order, and slips: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/offers",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/offers").
request_route("r4", "/api/offers").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].

#: test numbers in the order of texts
sorted_as_text("r4", "$.offers[].price", "https://app.test/o.js", 5).
#: expect contains
suspect("sorted:$.offers[].price", "sorted_as_text",
        "the list that GET /api/offers answered is sorted by the text of $.offers[].price, which are numbers: 10 comes before 9").
trouble("sorted:$.offers[].price", 53,
        "the list is in the order of the texts of $.offers[].price, and not of the numbers").
change_at("sorted:$.offers[].price", "/o.js:5", "compare numbers: sort((a, b) => a - b)").

#: test slips are suspicious, no more
code_slip("splice", "https://app.test/o.js", 3).
code_slip("comparator", "https://app.test/o.js", 7).
#: expect contains
trouble("slip:/o.js:3", 41,
        "/o.js:3 takes items out of the list that forEach goes through: the one after each is skipped").
change_at("slip:/o.js:7", "/o.js:7", "answer less, equal or more: a - b, or localeCompare").

#: test a debounce that is made at each event counts where something is asked
code_slip("debounce", "https://app.test/o.js", 4).
#: expect none suspect/3 trouble/3

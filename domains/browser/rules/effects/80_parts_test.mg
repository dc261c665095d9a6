# The first part of a list, taken for all: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg 80_parts.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/bills",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/bills").
request_route("r4", "/api/bills").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].
stack("r4", 0, "load", "https://app.test/b.js", 12).

#: test a sum over the first part
part_for_all("r4", "$.next_cursor", "sum", "Open in all 629.00", 10, 23).
#: expect contains
suspect("r4", "first_part_only",
        "GET /api/bills answered only the first 10 of 23, and the rest is never asked for: it says at $.next_cursor how it goes on (the next page), and no script reads that").
trouble("r4", 54,
        "`Open in all 629.00` is the sum of the first 10 of 23, as if there were no more").
change_at("r4", "/b.js:12", "ask for the next part as long as the answer says that there is one").

#: test the number of all, and no way to the rest
part_for_all("r4", "$", "total", "41 bills", 10, 41).
#: expect contains
suspect("r4", "first_part_only",
        "GET /api/bills answered only the first 10 of 41, and the rest is never asked for: no script asks for the next page").
trouble("r4", 51,
        "the page says `41 bills` and shows the first 10 of 41, without a way to the rest").

#: test the next part is asked for by another name
part_read_as("r4", "$.has_more", "hasMore", "https://app.test/pager.js", 3).
#: expect contains
suspect("r4", "first_part_only",
        "/pager.js:3 goes on by `hasMore` of the answer of GET /api/bills, which says it at $.has_more: the list ends after its first part (paging stops)").
change_at("r4", "/pager.js:3", "read $.has_more").

#: test another site's list is not the page's
request("r5", "GET", "https://other.test/list",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://other.test", "/list").
third_party("r5").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.050Z].
part_for_all("r5", "$.next", "total", "41 posts", 10, 41).
#: expect none suspect/3

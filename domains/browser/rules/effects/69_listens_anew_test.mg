# Listeners of the page's own that are added again: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg 65_polling.mg 68_refused_frame.mg 69_listens_anew.mg 70_together.mg 71_grown.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
Decl has_socket(R) bound [/string].
request(R, "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _] :- has_socket(R).
request_path(R, "https://app.test", "/ws") :- has_socket(R).
request_route(R, "/ws") :- has_socket(R).
answer(R, 101, "")@[2026-02-19T12:00:00.150Z] :- has_socket(R).

#: test a message that came once and is drawn twice, where a line listens again
has_socket("r1").
drawn_twice("k1", "ul#l", "You: Yes", 1)@[2026-02-19T12:00:03Z].
drawn_twice_of("k1", "r1", 4).
frame_name("r1", "$.op", "message").
listens_anew("https://app.test/talk.js", 12, "message").
listens_anew("https://app.test/other.js", 3, "opened").
#: expect contains
suspect("r1", "repeated_listener",
        "/talk.js:12 listens again each time it runs, and never stops (no off, no unsubscribe): a message of GET /ws that came once is drawn more than once in ul#l").
trouble("r1", 55, "a message of GET /ws stands more than once in ul#l").
change_at("r1", "/talk.js:12", "take the old listener off before another is added, or listen once").

#: test what a user entered once stands twice
input("i1", "submit", "form#f", "")@[2026-02-19T12:00:03Z].
filled_in("k1", "input#t", "text", "Buy milk")@[2026-02-19T12:00:03Z].
drawn_twice("k2", "ul#l", "Buy milk", 1)@[2026-02-19T12:00:03.010Z].
listens_anew("https://app.test/list.js", 5, "").
#: expect contains
suspect("i1", "repeated_listener",
        "/list.js:5 listens again each time it runs, and never stops (no off, no unsubscribe): what is entered once is added more than once to ul#l").

#: test a message that is drawn twice and no line that listens again; a line that listens, and nothing twice
has_socket("r1").
drawn_twice("k1", "ul#l", "You: Yes", 1)@[2026-02-19T12:00:03Z].
drawn_twice_of("k1", "r1", 4).
#: expect none first_anew/2

#: test a line that listens again, where things alike are drawn from an answer
drawn_twice("k1", "ul#l", "Free", 1)@[2026-02-19T12:00:03Z].
listens_anew("https://app.test/talk.js", 12, "message").
#: expect none first_anew/2
#: expect none one_typed_place/2

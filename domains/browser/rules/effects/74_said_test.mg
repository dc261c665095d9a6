# What is said over sockets: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03Z].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
stack("r4", 0, "", "https://app.test/line.js", 3).
request("r5", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:04Z, _].
request_path("r5", "wss://app.test", "/ws").
request_route("r5", "/ws").
stack("r5", 0, "", "https://app.test/line.js", 3).
socket_frame("r4", 1, "received", "{\"seq\":4}")@[2026-02-19T12:00:02Z].
socket_frame("r5", 2, "received", "{\"seq\":10}")@[2026-02-19T12:00:05Z].
socket_closed("r4", 0, "")@[2026-02-19T12:00:03Z].

#: test messages between two connections that nobody asked for
frames_missed("r5", "r4", "seq", 4, 10).
#: expect contains
suspect("r5", "missed_messages",
        "GET wss://app.test/ws was connected again, and 5 messages between were never asked for: seq goes from 4 to 10").
trouble("r5", 54, "5 messages of GET wss://app.test/ws are missing").

#: test what was asked for in another way is not missed
frames_missed("r5", "r4", "seq", 4, 10).
request("r6", "GET", "https://app.test/api/state",
        "data")@[2026-02-19T12:00:04.500Z, 2026-02-19T12:00:04.600Z].
request_path("r6", "https://app.test", "/api/state").
request_route("r6", "/api/state").
answer("r6", 200, "application/json")@[2026-02-19T12:00:04.550Z].
#: expect none suspect/3 trouble/3

#: test from the beginning, and the page knows what it has
frames_missed("r5", "r4", "seq", 4, 1).
#: expect none suspect/3 trouble/3

#: test undefined in what is sent
socket_frame("r5", 3, "sent", "{\"enter\":\"desk-undefined\"}")@[2026-02-19T12:00:04.100Z].
sent_from("r5", 3, "f3").
stack("f3", 0, "say", "https://app.test/line.js", 15).
stack("f3", 1, "", "https://app.test/main.js", 6).
#: expect contains
suspect("r5", "bad_argument",
        "over GET wss://app.test/ws the page sent {\"enter\":\"desk-undefined\"}: undefined where a value belongs, which was not there yet or is read by another name").
trouble("r5", 55, "what the page sends over GET wss://app.test/ws has undefined in it").
change_at("r5", "/main.js:6", "say it when the value is there").

#: test a user who writes of undefined
socket_frame("r5", 3, "sent", "{\"text\":\"it says undefined\"}")@[2026-02-19T12:00:04.100Z].
filled_in("k1", "input#t", "t", "it says undefined")@[2026-02-19T12:00:04Z].
#: expect none suspect/3 trouble/3

#: test a room that was not left
room_not_left("r5", "lobby", "help", 3, 6).
#: expect contains
suspect("r5", "room_not_left",
        "over GET wss://app.test/ws the page asks for help and never leaves lobby: 6 messages of lobby are shown where help is").
trouble("r5", 55, "messages of lobby stand among those of help").

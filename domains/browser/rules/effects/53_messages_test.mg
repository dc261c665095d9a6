# What messages are called: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
request("r1", "GET", "wss://app.test/live", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/live").
request_route("r1", "/live").
stack("r1", 0, "connect", "https://app.test/live.js", 2).

#: test another spelling
frame_name("r1", "$.type", "price.changed").
frame_name_unknown("r1", "price.changed").
frame_name_like("r1", "price.changed", "priceChanged", "same", "https://app.test/live.js", 9).
#: expect
suspect("r1", "misnamed_message",
        "GET wss://app.test/live sends messages with $.type price.changed, and /live.js:9 knows priceChanged").
change_at("r1", "/live.js:9", "the name: the server says price.changed, not priceChanged").
change_at("r1", "/live.js:2", "what it does with messages of that name").
change_at("r1", "GET wss://app.test/live", "the name that the page knows").
trouble("r1", 56, "nothing comes of the messages price.changed of GET wss://app.test/live").

#: test another name of the same things
frame_name("r1", "$.type", "message.created").
frame_name_unknown("r1", "message.created").
frame_unshown("r1", "message.created").
frame_name_like("r1", "message.created", "message:new", "kin", "https://app.test/live.js", 9).
#: expect
trouble("r1", 56, "nothing comes of the messages message.created of GET wss://app.test/live").

#: test a channel that nobody knows
frame_name("r1", "$.channel", "orders.updates").
frame_name_unknown("r1", "orders.updates").
frame_unshown("r1", "orders.updates").
#: expect
trouble("r1", 51, "nothing comes of the messages orders.updates of GET wss://app.test/live").

#: test signs of life
frame_name("r1", "$.type", "heartbeat").
frame_name_unknown("r1", "heartbeat").
frame_unshown("r1", "heartbeat").
#: expect none trouble/3

#: test others of the connection are known, and these are left aside
frame_name("r1", "$.type", "order.created").
frame_name("r1", "$.type", "order.archived").
frame_name_unknown("r1", "order.archived").
frame_unshown("r1", "order.archived").
#: expect none trouble/3

#: test names that no code has, and their messages are shown
frame_name("r1", "$.room", "lobby-7").
frame_name_unknown("r1", "lobby-7").
#: expect none trouble/3

#: test messages are told apart by a member that they do not have
frame_name("r1", "$.event", "message.created").
frame_unshown("r1", "message.created").
frame_misses("r1", "type", "https://app.test/live.js", 7).
#: expect
suspect("r1", "misread_message",
        "/live.js:7 tells the messages of GET wss://app.test/live apart by `type`, which none of them has: what they are called stands in $.event").
trouble("r1", 56, "nothing comes of the messages of GET wss://app.test/live").

#: test another part of the code knows them, and shows them
frame_name("r1", "$.event", "message.created").
frame_misses("r1", "type", "https://app.test/live.js", 7).
#: expect none suspect/3 trouble/3

#: test the code knows nothing of what they are called: nothing is meant for it
frame_name("r1", "$.event", "ping").
frame_name_unknown("r1", "ping").
frame_unshown("r1", "ping").
frame_misses("r1", "type", "https://app.test/live.js", 7).
#: expect none suspect/3 trouble/3

#: test the name of a room that the page had sent is its own word
frame_name("r1", "$.channel", "desk-north").
frame_name_unknown("r1", "desk-north").
frame_unshown("r1", "desk-north").
socket_frame("r1", 1, "sent", "{\"enter\":\"desk-north\"}")@[2026-02-19T12:00:00.300Z].
#: expect none unknown_to_all/2

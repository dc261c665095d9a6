# What comes too late, twice, or again: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].

#: test an event that was dispatched before its listener, while the page waits
event_unheard("q1", "shop:configured")@[2026-02-19T12:00:01Z].
stack("q1", 0, "", "https://app.test/boot.js", 5).
event_late("k1", "shop:configured")@[2026-02-19T12:00:02Z].
stack("k1", 0, "", "https://app.test/menu.js", 4).
shown("waiting", "Preparing the menu...").
#: expect contains
suspect("q1", "unheard_event",
        "/boot.js:5 dispatches shop:configured before anybody listens: /menu.js:4 adds its listener later, and the event does not come again").
trouble("q1", 52, "what waits for the event shop:configured never hears it").
change_at("q1", "/menu.js:4",
          "listen before it is dispatched, or ask for what it told when it is over").

#: test one that comes again, and one that nobody misses
event_unheard("q1", "shop:configured")@[2026-02-19T12:00:01Z].
stack("q1", 0, "", "https://app.test/boot.js", 5).
event_late("k1", "shop:configured")@[2026-02-19T12:00:02Z].
event_came("k2", "shop:configured")@[2026-02-19T12:00:03Z].
stack("k1", 0, "", "https://app.test/menu.js", 4).
event_unheard("q2", "theme:changed")@[2026-02-19T12:00:01Z].
stack("q2", 0, "", "https://app.test/boot.js", 6).
event_late("k3", "theme:changed")@[2026-02-19T12:00:02Z].
stack("k3", 0, "", "https://app.test/menu.js", 5).
#: expect none suspect/3 trouble/3

#: test messages that each of several listeners draws
request("r4", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01Z, _].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_frame("r4", 1, "received", "{\"no\":1}")@[2026-02-19T12:00:03Z].
socket_frame("r4", 2, "received", "{\"no\":2}")@[2026-02-19T12:00:04Z].
drawn_twice("k1", "ol#list", "trade 1", 2)@[2026-02-19T12:00:03.020Z].
drawn_twice("k2", "ol#list", "trade 2", 2)@[2026-02-19T12:00:04.020Z].
listener_again("q1", "message", "", 2)@[2026-02-19T12:00:02Z].
stack("q1", 0, "subscribe", "https://app.test/stream.js", 6).
stack("q1", 1, "quotes", "https://app.test/views.js", 8).
#: expect contains
suspect("q1", "repeated_listener",
        "/stream.js:6 adds a listener for the messages of GET wss://app.test/ws again each time it runs, and none is taken away: each message is drawn once more in ol#list").
trouble("q1", 56, "each message stands more than once in ol#list").
change_at("q1", "/views.js:8", "what runs here listens once more").

#: test the same without a listener that is known, once and again
request("r4", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01Z, _].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_frame("r4", 1, "received", "{\"no\":1}")@[2026-02-19T12:00:03Z].
socket_frame("r4", 2, "received", "{\"no\":2}")@[2026-02-19T12:00:04Z].
drawn_twice("k1", "ol#list", "order 1", 1)@[2026-02-19T12:00:03.020Z].
drawn_twice("k2", "ol#list", "order 2", 1)@[2026-02-19T12:00:04.020Z].
drawn_twice("k3", "ol#list", "", 1)@[2026-02-19T12:00:04.030Z].
stack("k3", 0, "", "https://app.test/kitchen.js", 1).
#: expect contains
trouble("r4", 54, "each message of GET wss://app.test/ws stands more than once in ol#list").
change_at("r4", "/kitchen.js:1", "what calls this is registered more than once").

#: test rows that look alike, of one message
request("r4", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01Z, _].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_frame("r4", 1, "received", "{\"rows\":[1,1]}")@[2026-02-19T12:00:03Z].
drawn_twice("k1", "ol#list", "empty row", 1)@[2026-02-19T12:00:03.020Z].
#: expect none suspect/3 trouble/3

#: test what was asked for twice comes twice
request("r4", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01Z, _].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_frame("r4", 1, "sent", "{\"sub\":\"a\"}")@[2026-02-19T12:00:02Z].
socket_frame("r4", 2, "sent", "{\"sub\":\"a\"}")@[2026-02-19T12:00:02.500Z].
socket_frame("r4", 3, "received", "{\"no\":1}")@[2026-02-19T12:00:03Z].
socket_frame("r4", 4, "received", "{\"no\":1}")@[2026-02-19T12:00:03.005Z].
socket_frame("r4", 5, "received", "{\"no\":2}")@[2026-02-19T12:00:04Z].
socket_frame("r4", 6, "received", "{\"no\":2}")@[2026-02-19T12:00:04.005Z].
drawn_twice("k1", "ol#list", "no 1", 2)@[2026-02-19T12:00:03.020Z].
drawn_twice("k2", "ol#list", "no 2", 2)@[2026-02-19T12:00:04.020Z].
#: expect contains
suspect("r4", "subscribed_twice",
        "the page sent {\"sub\":\"a\"} over GET wss://app.test/ws twice, and each message comes twice since").
trouble("r4", 54, "each message of GET wss://app.test/ws comes and is shown twice").

#: test a question that is asked again and again before it is answered
request("r11", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:17Z].
request_path("r11", "https://app.test", "/api/s").
request_route("r11", "/api/s").
stack("r11", 0, "tick", "https://app.test/q.js", 8).
request("r12", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:02.300Z, 2026-02-19T12:00:17Z].
request_path("r12", "https://app.test", "/api/s").
request_route("r12", "/api/s").
stack("r12", 0, "tick", "https://app.test/q.js", 8).
request("r13", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:03.300Z, 2026-02-19T12:00:17Z].
request_path("r13", "https://app.test", "/api/s").
request_route("r13", "/api/s").
stack("r13", 0, "tick", "https://app.test/q.js", 8).
request("r14", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:04.300Z, 2026-02-19T12:00:17Z].
request_path("r14", "https://app.test", "/api/s").
request_route("r14", "/api/s").
stack("r14", 0, "tick", "https://app.test/q.js", 8).
request("r15", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:05.300Z, 2026-02-19T12:00:17Z].
request_path("r15", "https://app.test", "/api/s").
request_route("r15", "/api/s").
stack("r15", 0, "tick", "https://app.test/q.js", 8).
request("r16", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:06.300Z, 2026-02-19T12:00:17Z].
request_path("r16", "https://app.test", "/api/s").
request_route("r16", "/api/s").
stack("r16", 0, "tick", "https://app.test/q.js", 8).
request("r17", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:07.300Z, 2026-02-19T12:00:17Z].
request_path("r17", "https://app.test", "/api/s").
request_route("r17", "/api/s").
stack("r17", 0, "tick", "https://app.test/q.js", 8).
request("r18", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:08.300Z, 2026-02-19T12:00:17Z].
request_path("r18", "https://app.test", "/api/s").
request_route("r18", "/api/s").
stack("r18", 0, "tick", "https://app.test/q.js", 8).
timer_set("k1", "interval", 1000)@[2026-02-19T12:00:01Z].
stack("k1", 0, "start", "https://app.test/q.js", 3).
stack("r12", 1, "start", "https://app.test/q.js", 3).
#: expect contains
suspect("r11", "request_pile",
        "GET /api/s is asked again and again before it is answered: 7 of them were on their way at once").
trouble("r11", 54, "requests pile up: 7 of GET /api/s wait at the same time").
change_at("r11", "/q.js:3", "this timer does not wait for the answer").

#: test a long poll, and one asked for by several at once
request("r11", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:02.001Z, 2026-02-19T12:00:09Z].
request_path("r11", "https://app.test", "/api/s").
request_route("r11", "/api/s").
request("r12", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:02.002Z, 2026-02-19T12:00:09Z].
request_path("r12", "https://app.test", "/api/s").
request_route("r12", "/api/s").
request("r13", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:02.003Z, 2026-02-19T12:00:09Z].
request_path("r13", "https://app.test", "/api/s").
request_route("r13", "/api/s").
request("r14", "GET", "https://app.test/api/s",
        "data")@[2026-02-19T12:00:02.004Z, 2026-02-19T12:00:09Z].
request_path("r14", "https://app.test", "/api/s").
request_route("r14", "/api/s").
request("r21", "GET", "https://app.test/api/p",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.900Z].
request_path("r21", "https://app.test", "/api/p").
request_route("r21", "/api/p").
request("r23", "GET", "https://app.test/api/p",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:04.900Z].
request_path("r23", "https://app.test", "/api/p").
request_route("r23", "/api/p").
request("r25", "GET", "https://app.test/api/p",
        "data")@[2026-02-19T12:00:05Z, 2026-02-19T12:00:06.900Z].
request_path("r25", "https://app.test", "/api/p").
request_route("r25", "/api/p").
request("r27", "GET", "https://app.test/api/p",
        "data")@[2026-02-19T12:00:07Z, 2026-02-19T12:00:08.900Z].
request_path("r27", "https://app.test", "/api/p").
request_route("r27", "/api/p").
#: expect none suspect/3 trouble/3

#: test more was asked for, and the same part again
request("r5", "GET", "https://app.test/api/posts?offset=0",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/posts").
request_route("r5", "/api/posts").
request_query("r5", "offset", "0").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.050Z].
input("i1", "click", "button#more", "Load more")@[2026-02-19T12:00:03Z].
request("r6", "GET", "https://app.test/api/posts?offset=0",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.100Z].
request_path("r6", "https://app.test", "/api/posts").
request_route("r6", "/api/posts").
request_query("r6", "offset", "0").
asked_after_input("r6", "i1").
answer("r6", 200, "application/json")@[2026-02-19T12:00:03.050Z].
#: expect contains
trouble("r6", 53, "nothing more comes of the list: GET /api/posts answered the same part again").

#: test the same by a button that only asks anew
request("r5", "GET", "https://app.test/api/posts?offset=0",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/posts").
request_route("r5", "/api/posts").
request_query("r5", "offset", "0").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.050Z].
input("i1", "click", "button#again", "Refresh")@[2026-02-19T12:00:03Z].
request("r6", "GET", "https://app.test/api/posts?offset=0",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.100Z].
request_path("r6", "https://app.test", "/api/posts").
request_route("r6", "/api/posts").
request_query("r6", "offset", "0").
asked_after_input("r6", "i1").
answer("r6", 200, "application/json")@[2026-02-19T12:00:03.050Z].
#: expect none suspect/3 trouble/3

#: test a timer that asks for what had been chosen before
request("r5", "GET", "https://app.test/api/t?status=all",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/t").
request_route("r5", "/api/t").
request_query("r5", "status", "all").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.050Z].
stack("r5", 0, "load", "https://app.test/t.js", 4).
input("i1", "click", "button#open", "Open only")@[2026-02-19T12:00:03Z].
request("r6", "GET", "https://app.test/api/t?status=open",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.100Z].
request_path("r6", "https://app.test", "/api/t").
request_route("r6", "/api/t").
request_query("r6", "status", "open").
asked_after_input("r6", "i1").
answer("r6", 200, "application/json")@[2026-02-19T12:00:03.050Z].
stack("r6", 0, "load", "https://app.test/t.js", 4).
request("r7", "GET", "https://app.test/api/t?status=all",
        "data")@[2026-02-19T12:00:05Z, 2026-02-19T12:00:05.100Z].
request_path("r7", "https://app.test", "/api/t").
request_route("r7", "/api/t").
request_query("r7", "status", "all").
answer("r7", 200, "application/json")@[2026-02-19T12:00:05.050Z].
stack("r7", 0, "load", "https://app.test/t.js", 4).
stack("r7", 1, "setTimeout@12", "", 1).
changed_after("r7").
#: expect contains
trouble("r7", 54, "the page falls back from status=open to status=all").

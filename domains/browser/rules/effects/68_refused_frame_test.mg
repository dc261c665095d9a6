# What is refused over a socket: mangle test domains
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
# The page says something, and is told no.
Decl told_no(R) bound [/string].
socket_frame(R, 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:02.010Z] :- told_no(R).
socket_frame(R, 2, "received",
             "{\"op\":\"error\",\"detail\":\"expected join\"}")@[2026-02-19T12:00:02.050Z] :-
  told_no(R).
frame_refuses(R, 2, 1, "expected join")@[2026-02-19T12:00:02.050Z] :- told_no(R).
has_socket(R) :- told_no(R).

#: test what a click asked for is refused, and the page takes no notice
told_no("r1").
input("i1", "click", "button#a", "Room")@[2026-02-19T12:00:02Z].
frame_noticed("r1", 2, "false").
sent_from("r1", 1, "f1").
stack("f1", 0, "enter", "https://app.test/room.js", 21).
#: expect contains
suspect("r1", "socket_error",
        "over GET /ws the page sent {\"type\":\"subscribe\"}, which is answered with an error message: `expected join`, and the page takes no notice of it").
trouble("r1", 56, "what the page sent over GET /ws is refused, and nobody is told of it").
change_at("r1", "/room.js:21", "send what the server takes, and hear its answer that says no").

#: test it is missed without a click where the page says that there is none; no script knows the name
told_no("r1").
none_line("No messages yet").
frame_name("r1", "$.op", "error").
frame_name_unknown("r1", "error").
#: expect contains
trouble("r1", 56, "what the page sent over GET /ws is refused, and nobody is told of it").

#: test something is changed by it
told_no("r1").
input("i1", "click", "button#a", "Room")@[2026-02-19T12:00:02Z].
frame_noticed("r1", 2, "true").
#: expect none ignored_refusal/2

#: test the page says it
told_no("r1").
input("i1", "click", "button#a", "Room")@[2026-02-19T12:00:02Z].
frame_noticed("r1", 2, "false").
shown("text", "You: expected join").
#: expect none ignored_refusal/2

#: test the page goes on by itself
told_no("r1").
input("i1", "click", "button#a", "Room")@[2026-02-19T12:00:02Z].
frame_noticed("r1", 2, "false").
socket_frame("r1", 3, "sent", "{\"op\":\"auth\"}")@[2026-02-19T12:00:02.100Z].
#: expect none ignored_refusal/2

#: test nobody asked for it, and nothing is missed
told_no("r1").
frame_noticed("r1", 2, "false").
#: expect none ignored_refusal/2

#: test something is changed by one that no script knows by its name
told_no("r1").
input("i1", "click", "button#a", "Room")@[2026-02-19T12:00:02Z].
frame_name("r1", "$.op", "error").
frame_name_unknown("r1", "error").
frame_noticed("r1", 2, "true").
#: expect none ignored_refusal/2
#: expect contains
dealt_with("r1", 2).

# Kinds of fault of WebSockets and EventSources: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a connection that is refused
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1",
              "Error during WebSocket handshake: Unexpected response code: 403")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "socket_refused",
        "the connection GET wss://app.test/ws was refused: Error during WebSocket handshake: Unexpected response code: 403").
trouble("r1", 55, "no connection to GET wss://app.test/ws").
#: expect none cleared/2

#: test refused at first, connected then
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:01.200Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_frame("r2", 1, "received", "hi")@[2026-02-19T12:00:01.300Z].
#: expect
suspect("r1", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
cleared("r1", "it was connected again").
#: expect none trouble/3

#: test refused, and the page asks again and again instead
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/messages",
        "data")@[2026-02-19T12:00:00.400Z, 2026-02-19T12:00:00.500Z].
request_path("r2", "https://app.test", "/api/messages").
request_route("r2", "/api/messages").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.500Z].
request("r3", "GET", "https://app.test/api/messages",
        "data")@[2026-02-19T12:00:01.400Z, 2026-02-19T12:00:01.500Z].
request_path("r3", "https://app.test", "/api/messages").
request_route("r3", "/api/messages").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.500Z].
#: expect
cleared("r1", "without a connection the page asks again and again instead").

#: test a stream that is not to be had, and one that says that it ends
request("r1", "GET", "https://app.test/events",
        "stream")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/events").
request_route("r1", "/events").
answer("r1", 503, "application/json")@[2026-02-19T12:00:00.200Z].
request("r4", "GET", "https://app.test/live",
        "stream")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/live").
request_route("r4", "/live").
answer("r4", 204, "text/plain")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/tanks",
        "data")@[2026-02-19T12:00:00.400Z, 2026-02-19T12:00:00.500Z].
request_path("r2", "https://app.test", "/api/tanks").
request_route("r2", "/api/tanks").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.500Z].
request("r3", "GET", "https://app.test/api/tanks",
        "data")@[2026-02-19T12:00:01.400Z, 2026-02-19T12:00:01.500Z].
request_path("r3", "https://app.test", "/api/tanks").
request_route("r3", "/api/tanks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.500Z].
#: expect contains
cleared("r1", "without a connection the page asks again and again instead").
#: expect none wrong_stream/1

#: test a stream that is a page, one that is missing
request("r1", "GET", "https://app.test/events",
        "stream")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/events").
request_route("r1", "/events").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/news",
        "stream")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/news").
request_route("r2", "/news").
answer("r2", 404, "")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "wrong_content_type",
        "GET /events answered something else in place of a stream of events").
suspect("r2", "socket_refused", "GET /news answered 404").
trouble("r1", 55, "no connection to GET /events").
trouble("r2", 55, "no connection to GET /news").
#: expect none cleared/2

#: test closed with a code, closed in good order
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 1011, "")@[2026-02-19T12:00:02Z].
socket_frame("r1", 1, "received", "hi")@[2026-02-19T12:00:00.300Z].
request("r2", "GET", "wss://app.test/b", "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r2", "wss://app.test", "/b").
request_route("r2", "/b").
socket_closed("r2", 1000, "")@[2026-02-19T12:00:02Z].
socket_frame("r2", 1, "received", "hi")@[2026-02-19T12:00:00.300Z].
#: expect
suspect("r1", "socket_closed", "the connection GET wss://app.test/ws was closed with code 1011").
trouble("r1", 50, "the connection GET wss://app.test/ws was closed on an error").
#: expect none cleared/2

#: test broke after it had spoken
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1", "One or more reserved bits are on")@[2026-02-19T12:00:02Z].
socket_frame("r1", 1, "received", "hi")@[2026-02-19T12:00:00.300Z].
#: expect
suspect("r1", "socket_closed",
        "the connection GET wss://app.test/ws broke: One or more reserved bits are on").
trouble("r1", 50, "the connection GET wss://app.test/ws broke").
#: expect none cleared/2

#: test closed without a code and nobody came back: odd, no trouble by itself
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
socket_frame("r1", 1, "received", "hi")@[2026-02-19T12:00:00.300Z].
#: expect
suspect("r1", "socket_closed",
        "the connection GET wss://app.test/ws was closed, and nobody connected again").
#: expect none trouble/3 cleared/2

#: test connected again and again
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.600Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_failed("r2", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:01.100Z].
request("r3", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01.500Z, 2026-02-19T12:00:01.600Z].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
socket_failed("r3", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:01.600Z].
request("r4", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_failed("r4", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:02.100Z].
request("r5", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02.500Z, 2026-02-19T12:00:02.600Z].
request_path("r5", "wss://app.test", "/ws").
request_route("r5", "/ws").
socket_failed("r5", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:02.600Z].
request("r6", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.100Z].
request_path("r6", "wss://app.test", "/ws").
request_route("r6", "/ws").
socket_failed("r6", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:03.100Z].
request("r7", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:03.500Z, 2026-02-19T12:00:03.600Z].
request_path("r7", "wss://app.test", "/ws").
request_route("r7", "/ws").
socket_failed("r7", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:03.600Z].
#: expect
suspect("r1", "reconnect_storm", "GET wss://app.test/ws was connected 7 times, and never stayed").
suspect("r1", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r2", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r3", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r4", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r5", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r6", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
suspect("r7", "socket_refused",
        "the connection GET wss://app.test/ws was refused: net::ERR_CONNECTION_REFUSED").
trouble("r1", 55, "no connection to GET wss://app.test/ws").
trouble("r1", 60, "the page connects to GET wss://app.test/ws again and again, 7 times").
#: expect none cleared/2

#: test connected again and again, and at last it stays
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.600Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_failed("r2", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:01.100Z].
request("r3", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01.500Z, 2026-02-19T12:00:01.600Z].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
socket_failed("r3", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:01.600Z].
request("r4", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r4", "wss://app.test", "/ws").
request_route("r4", "/ws").
socket_failed("r4", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:02.100Z].
request("r5", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02.500Z, 2026-02-19T12:00:02.600Z].
request_path("r5", "wss://app.test", "/ws").
request_route("r5", "/ws").
socket_failed("r5", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:02.600Z].
request("r8", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:04.500Z, _].
request_path("r8", "wss://app.test", "/ws").
request_route("r8", "/ws").
socket_frame("r8", 1, "received", "hi")@[2026-02-19T12:00:04.700Z].
#: expect none trouble/3

#: test a message that code cannot read
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received", "{\"n\":1}")@[2026-02-19T12:00:00.300Z].
socket_frame("r1", 2, "received", "<xml>")@[2026-02-19T12:00:01Z].
error("e1", "SyntaxError", "Unexpected token '<', \"<xml>\" is not valid JSON",
      "exception")@[2026-02-19T12:00:01.002Z].
stack("e1", 0, "run", "https://app.test/chat.js", 30).
#: expect
suspect("e1", "script_error",
        "/chat.js:30 throws Unexpected token \'<\', \"<xml>\" is not valid JSON").
suspect("r1", "bad_frame", "message 2 of GET wss://app.test/ws is not what the code expects").
causes("e1", "r1", "its message came right before").

#: test an error long after a message, and one that awaited a request
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received", "{\"n\":1}")@[2026-02-19T12:00:00.300Z].
error("e1", "TypeError", "x is null", "exception")@[2026-02-19T12:00:00.900Z].
stack("e1", 0, "run", "https://app.test/chat.js", 1).
request("r2", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.250Z, 2026-02-19T12:00:00.301Z].
request_path("r2", "https://app.test", "/api/x").
request_route("r2", "/api/x").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.301Z].
error("e2", "TypeError", "y is null", "exception")@[2026-02-19T12:00:00.305Z].
stack("e2", 0, "run", "https://app.test/chat.js", 1).
error_awaits("e2", "r2").
#: expect none causes/3

#: test a message that says that something failed
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received",
             "{\"type\":\"error\",\"text\":\"room is full\"}")@[2026-02-19T12:00:00.300Z].
#: expect
suspect("r1", "socket_error",
        "message 1 of GET wss://app.test/ws says that something failed: {\"type\":\"error\",\"text\":\"room is full\"}").
trouble("r1", 40, "GET wss://app.test/ws reports an error").
#: expect none cleared/2

#: test a connection that says nothing while the page waits
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"subscribe\":\"prices\"}")@[2026-02-19T12:00:00.200Z].
shown("text", "Prices\nLoading…").
#: expect
suspect("r1", "socket_silent",
        "the connection GET wss://app.test/ws stands and says nothing for 7.9 s").
trouble("r1", 52, "the page waits for GET wss://app.test/ws, which says nothing").
#: expect none cleared/2

#: test a quiet connection is no trouble where nobody waits
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"subscribe\":\"prices\"}")@[2026-02-19T12:00:00.200Z].
#: expect none trouble/3

#: test a connection that is closed each time before a word was said
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 0, "")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_closed("r2", 0, "")@[2026-02-19T12:00:01.200Z].
request("r3", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:03.100Z, 2026-02-19T12:00:03.200Z].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
socket_closed("r3", 0, "")@[2026-02-19T12:00:03.200Z].
#: expect contains
suspect("r1", "socket_closed",
        "the connection GET wss://app.test/ws was closed right after it had been opened, 3 times").
trouble("r1", 52, "the connection GET wss://app.test/ws never says anything before it is closed").

#: test one that is closed twice, and one that speaks at last
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 0, "")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_closed("r2", 0, "")@[2026-02-19T12:00:01.200Z].
request("r3", "GET", "wss://two.test/ws",
        "socket")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.200Z].
request_path("r3", "wss://two.test", "/ws").
request_route("r3", "/ws").
socket_closed("r3", 0, "")@[2026-02-19T12:00:02.200Z].
request("r4", "GET", "wss://two.test/ws",
        "socket")@[2026-02-19T12:00:03.100Z, 2026-02-19T12:00:03.200Z].
request_path("r4", "wss://two.test", "/ws").
request_route("r4", "/ws").
socket_closed("r4", 0, "")@[2026-02-19T12:00:03.200Z].
request("r5", "GET", "wss://two.test/ws",
        "socket")@[2026-02-19T12:00:04.100Z, 2026-02-19T12:00:04.200Z].
request_path("r5", "wss://two.test", "/ws").
request_route("r5", "/ws").
socket_closed("r5", 0, "")@[2026-02-19T12:00:04.200Z].
socket_frame("r5", 1, "received", "hi")@[2026-02-19T12:00:04.150Z].
#: expect none trouble/3

#: test connected again, and what it subscribes to is not sent again
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
frame_sort("r2", "received", "type heartbeat", 12, 5)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
sent_from("r1", 1, "f1").
stack("f1", 0, "subscribe", "https://app.test/feed.js", 12).
#: expect
suspect("r2", "not_joined_again",
        "GET wss://app.test/ws was connected again, and {\"type\":\"subscribe\"}, which the page sent over the first connection, was not sent again: what came over the first does not come any more").
trouble("r2", 57,
        "since GET wss://app.test/ws was connected again the page does not hear what it heard before").
change_at("r2", "/feed.js:12", "send it each time a connection is open").

#: test it says who it is again, and not what it wants, in words that are no JSON
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "CONNECT")@[2026-02-19T12:00:00.200Z].
socket_frame("r1", 2, "sent", "SUBSCRIBE")@[2026-02-19T12:00:00.250Z].
frame_sort("r1", "sent", "connect", 1, 1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "subscribe", 2, 2)@[2026-02-19T12:00:00.250Z, 2026-02-19T12:00:00.260Z].
frame_sort("r1", "received", "message", 4, 4)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_frame("r2", 9, "sent", "CONNECT")@[2026-02-19T12:00:02.400Z].
frame_sort("r2", "sent", "connect", 9, 1)@[2026-02-19T12:00:02.400Z, 2026-02-19T12:00:02.400Z].
socket_frame("r2", 10, "received", "CONNECTED")@[2026-02-19T12:00:02.500Z].
frame_sort("r2", "received", "connected", 10,
           1)@[2026-02-19T12:00:02.500Z, 2026-02-19T12:00:02.500Z].
#: expect
suspect("r2", "not_joined_again",
        "GET wss://app.test/ws was connected again, and SUBSCRIBE, which the page sent over the first connection, was not sent again: what came over the first does not come any more").

#: test what is sent over the next is refused
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"op\":\"join\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "op join", 1, 1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "op joined", 2,
           1)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.300Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_frame("r2", 5, "sent", "{\"op\":\"say\"}")@[2026-02-19T12:00:04Z].
frame_sort("r2", "sent", "op say", 5, 1)@[2026-02-19T12:00:04Z, 2026-02-19T12:00:04Z].
socket_frame("r2", 6, "received", "{\"op\":\"nack\"}")@[2026-02-19T12:00:04.100Z].
frame_sort("r2", "received", "op nack", 6, 1)@[2026-02-19T12:00:04.100Z, 2026-02-19T12:00:04.100Z].
input("i1", "click", "button#send", "Send")@[2026-02-19T12:00:03.990Z].
#: expect
suspect("r2", "not_joined_again",
        "GET wss://app.test/ws was connected again, and {\"op\":\"join\"}, which the page sent over the first connection, was not sent again: what is sent over it is answered {\"op\":\"nack\"}").

#: test of two connections later nothing is heard
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:01Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "[\"1\",\"room:1\",\"phx_join\",{}]")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "room:1 phx_join", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "room:1 phx_reply", 2,
           1)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.300Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:02Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
frame_sort("r3", "received", "phoenix heartbeat", 9,
           2)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:06Z].
#: expect
suspect("r3", "not_joined_again",
        "GET wss://app.test/ws was connected again, and [\"1\",\"room:1\",\"phx_join\",{}], which the page sent over the first connection, was not sent again: nothing came over it since").

#: test it is sent again
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
socket_frame("r2", 12, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:02.400Z].
frame_sort("r2", "sent", "type subscribe", 12,
           1)@[2026-02-19T12:00:02.400Z, 2026-02-19T12:00:02.400Z].
frame_sort("r2", "received", "type heartbeat", 13, 5)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect none is_not_joined/1

#: test the server goes on by itself
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
frame_sort("r2", "received", "type price", 13, 5)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect none is_not_joined/1

#: test the next takes the old one up
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws?session=5", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
request_query("r2", "session", "5").
frame_sort("r2", "received", "type heartbeat", 13, 5)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect none is_not_joined/1

#: test what a user did was sent over the first
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"say\"}")@[2026-02-19T12:00:00.900Z].
frame_sort("r1", "sent", "type say", 1, 1)@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:00.900Z].
frame_sort("r1", "received", "type message", 2,
           7)@[2026-02-19T12:00:00.950Z, 2026-02-19T12:00:01.900Z].
input("i1", "click", "button#send", "Send")@[2026-02-19T12:00:00.890Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
#: expect none is_not_joined/1

#: test nobody has looked for long
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:07.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
#: expect none is_not_joined/1

#: test two that stand side by side
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"subscribe\"}")@[2026-02-19T12:00:00.200Z].
frame_sort("r1", "sent", "type subscribe", 1,
           1)@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
frame_sort("r1", "received", "type price", 2,
           7)@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01.900Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
frame_sort("r2", "received", "type heartbeat", 13, 5)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect none is_not_joined/1

#: test after it was closed two are opened
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
stack("r1", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r1", 1, "received", "x")@[2026-02-19T12:00:01Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 3, "received", "a")@[2026-02-19T12:00:03Z].
socket_frame("r3", 4, "received", "a")@[2026-02-19T12:00:03.010Z].
socket_frame("r2", 5, "received", "b")@[2026-02-19T12:00:04Z].
socket_frame("r3", 6, "received", "b")@[2026-02-19T12:00:04.010Z].
#: expect
suspect("r3", "connected_twice",
        "after GET wss://app.test/ws had been closed it was connected twice: both stand, and each message comes twice").
trouble("r3", 53, "each message of GET wss://app.test/ws comes twice").

#: test a click opens another, and the first is left open
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 3, "received", "a")@[2026-02-19T12:00:03Z].
socket_frame("r3", 4, "received", "a")@[2026-02-19T12:00:03.010Z].
socket_frame("r2", 5, "received", "b")@[2026-02-19T12:00:04Z].
socket_frame("r3", 6, "received", "b")@[2026-02-19T12:00:04.010Z].
input("i1", "click", "button#news", "News")@[2026-02-19T12:00:02.300Z].
#: expect
suspect("r3", "connected_twice",
        "GET wss://app.test/ws was connected once more, and the connection before was not closed: each message comes twice").

#: test two parts of a page have one each, before and after
request("r0a", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r0a", "wss://app.test", "/ws").
request_route("r0a", "/ws").
stack("r0a", 0, "open", "https://app.test/feed.js", 5).
request("r0b", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.110Z, 2026-02-19T12:00:02Z].
request_path("r0b", "wss://app.test", "/ws").
request_route("r0b", "/ws").
stack("r0b", 0, "open", "https://app.test/feed.js", 5).
socket_closed("r0a", 0, "")@[2026-02-19T12:00:02Z].
socket_closed("r0b", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 3, "received", "a")@[2026-02-19T12:00:03Z].
socket_frame("r3", 4, "received", "a")@[2026-02-19T12:00:03.010Z].
socket_frame("r2", 5, "received", "b")@[2026-02-19T12:00:04Z].
socket_frame("r3", 6, "received", "b")@[2026-02-19T12:00:04.010Z].
#: expect none is_doubled/1 opened_again/2

#: test two that say different things
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
stack("r1", 0, "open", "https://app.test/feed.js", 5).
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 3, "received", "a")@[2026-02-19T12:00:03Z].
socket_frame("r3", 4, "received", "b")@[2026-02-19T12:00:03.010Z].
#: expect none is_doubled/1 opened_again/2

#: test a click opens another part, at another line
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 9).
socket_frame("r2", 3, "received", "a")@[2026-02-19T12:00:03Z].
socket_frame("r3", 4, "received", "a")@[2026-02-19T12:00:03.010Z].
socket_frame("r2", 5, "received", "b")@[2026-02-19T12:00:04Z].
socket_frame("r3", 6, "received", "b")@[2026-02-19T12:00:04.010Z].
input("i1", "click", "button#news", "News")@[2026-02-19T12:00:02.300Z].
#: expect none is_doubled/1 opened_again/2

#: test the old one is closed as the new one is opened
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:02.400Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
socket_closed("r2", 0, "")@[2026-02-19T12:00:02.400Z].
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.310Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 1, "received", "a")@[2026-02-19T12:00:01Z].
socket_frame("r3", 6, "received", "b")@[2026-02-19T12:00:04.010Z].
input("i1", "click", "button#news", "News")@[2026-02-19T12:00:02.300Z].
#: expect none is_doubled/1 opened_again/2

#: test it asks whether somebody is there, and nobody says so
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
stack("r1", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r1", 1, "received", "{\"type\":\"ping\"}")@[2026-02-19T12:00:01Z].
frame_sort("r1", "received", "type ping", 1, 1)@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02.300Z, 2026-02-19T12:00:04.300Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
socket_frame("r2", 2, "received", "{\"type\":\"ping\"}")@[2026-02-19T12:00:03.300Z].
frame_sort("r2", "received", "type ping", 2,
           1)@[2026-02-19T12:00:03.300Z, 2026-02-19T12:00:03.300Z].
socket_closed("r2", 0, "")@[2026-02-19T12:00:04.300Z].
request("r3", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:04.600Z, _].
request_path("r3", "wss://app.test", "/ws").
request_route("r3", "/ws").
stack("r3", 0, "open", "https://app.test/feed.js", 5).
#: expect
suspect("r1", "heartbeat_unanswered",
        "GET wss://app.test/ws asks for a sign of life (type ping), the page sends none, and the connection is closed, again and again").
trouble("r1", 53, "the connection GET wss://app.test/ws is closed again and again").

#: test the page answers, and it is closed for other reasons
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
stack("r1", 0, "open", "https://app.test/feed.js", 5).
frame_sort("r1", "received", "type ping", 1, 1)@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01Z].
frame_sort("r1", "sent", "type pong", 2, 1)@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:02.300Z, 2026-02-19T12:00:04.300Z].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
frame_sort("r2", "received", "type ping", 3,
           1)@[2026-02-19T12:00:03.300Z, 2026-02-19T12:00:03.300Z].
frame_sort("r2", "sent", "type pong", 4, 1)@[2026-02-19T12:00:03.300Z, 2026-02-19T12:00:03.300Z].
socket_closed("r2", 0, "")@[2026-02-19T12:00:04.300Z].
#: expect none given_up_on/2

#: test it is closed once, and stands from then on
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
stack("r1", 0, "open", "https://app.test/feed.js", 5).
frame_sort("r1", "received", "type ping", 1, 1)@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01Z].
socket_closed("r1", 0, "")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:02.300Z, _].
request_path("r2", "wss://app.test", "/ws").
request_route("r2", "/ws").
stack("r2", 0, "open", "https://app.test/feed.js", 5).
frame_sort("r2", "received", "type ping", 3, 3)@[2026-02-19T12:00:03.300Z, 2026-02-19T12:00:07Z].
#: expect none given_up_again/3

#: test it sends before the connection is open, and the server ends it
error("e1", "InvalidStateError",
      "Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.",
      "exception")@[2026-02-19T12:00:00.110Z].
stack("e1", 0, "send", "https://app.test/feed.js", 16).
stack("e1", 1, "open", "https://app.test/feed.js", 12).
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 4408, "")@[2026-02-19T12:00:02Z].
#: expect
suspect("e1", "script_error",
        "/feed.js:16 throws Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.").
suspect("e1", "sent_too_early",
        "/feed.js:16 sends on a WebSocket that is still CONNECTING: nothing goes out before it is open").
suspect("r1", "socket_closed", "the connection GET wss://app.test/ws was closed with code 4408").
causes("r1", "e1", "the server waits for what was to be sent first").
trouble("r1", 50, "the connection GET wss://app.test/ws was closed on an error").

#: test it sends before the connection is open, and the server goes on
error("e1", "InvalidStateError",
      "Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.",
      "exception")@[2026-02-19T12:00:00.110Z].
stack("e1", 0, "send", "https://app.test/feed.js", 16).
stack("e1", 1, "open", "https://app.test/feed.js", 12).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received", "hi")@[2026-02-19T12:00:01Z].
#: expect
suspect("e1", "script_error",
        "/feed.js:16 throws Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.").
suspect("e1", "sent_too_early",
        "/feed.js:16 sends on a WebSocket that is still CONNECTING: nothing goes out before it is open").
#: expect none causes/3

#: test it sends after the connection was closed
error("e1", "InvalidStateError",
      "Failed to execute 'send' on 'WebSocket': WebSocket is already in CLOSING or CLOSED state.",
      "exception")@[2026-02-19T12:00:00.110Z].
stack("e1", 0, "send", "https://app.test/feed.js", 16).
stack("e1", 1, "open", "https://app.test/feed.js", 12).
request("r1", "GET", "wss://app.test/ws",
        "socket")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_closed("r1", 4408, "")@[2026-02-19T12:00:02Z].
#: expect none early_send/1

#: test a deed opens a stream once more, and the one before goes on
request("r1", "GET", "https://app.test/events", "stream")@[2026-02-19T12:00:00.500Z, _].
request_path("r1", "https://app.test", "/events").
request_route("r1", "/events").
stack("r1", 0, "", "https://app.test/p.js", 1).
input("i1", "click", "a.tab", "Alarms")@[2026-02-19T12:00:02Z].
request("r2", "GET", "https://app.test/events", "stream")@[2026-02-19T12:00:02.100Z, _].
request_path("r2", "https://app.test", "/events").
request_route("r2", "/events").
stack("r2", 0, "", "https://app.test/p.js", 1).
socket_frame("r1", 1, "received", "{\"id\":0}")@[2026-02-19T12:00:01Z].
socket_frame("r2", 2, "received", "{\"id\":0}")@[2026-02-19T12:00:02.500Z].
socket_frame("r1", 3, "received", "{\"id\":1}")@[2026-02-19T12:00:02Z].
socket_frame("r2", 4, "received", "{\"id\":1}")@[2026-02-19T12:00:03.500Z].
socket_frame("r1", 5, "received", "{\"id\":2}")@[2026-02-19T12:00:03Z].
socket_frame("r2", 6, "received", "{\"id\":2}")@[2026-02-19T12:00:04.500Z].
socket_frame("r1", 7, "received", "{\"id\":3}")@[2026-02-19T12:00:04Z].
socket_frame("r2", 8, "received", "{\"id\":3}")@[2026-02-19T12:00:05.500Z].
#: expect contains
suspect("r2", "connected_twice",
        "GET /events was connected once more, and the connection before was not closed: each message comes twice").

#: test what is said over the other is something else
request("r1", "GET", "wss://app.test/events", "socket")@[2026-02-19T12:00:00.500Z, _].
request_path("r1", "https://app.test", "/events").
request_route("r1", "/events").
stack("r1", 0, "", "https://app.test/p.js", 1).
input("i1", "click", "a.tab", "Alarms")@[2026-02-19T12:00:02Z].
request("r2", "GET", "wss://app.test/events", "socket")@[2026-02-19T12:00:02.100Z, _].
request_path("r2", "https://app.test", "/events").
request_route("r2", "/events").
stack("r2", 0, "", "https://app.test/p.js", 1).
socket_frame("r1", 20, "sent", "{\"room\":1}")@[2026-02-19T12:00:00.600Z].
socket_frame("r2", 21, "sent", "{\"room\":2}")@[2026-02-19T12:00:02.200Z].
socket_frame("r1", 1, "received", "{\"id\":0}")@[2026-02-19T12:00:01Z].
socket_frame("r2", 2, "received", "{\"id\":0}")@[2026-02-19T12:00:02.500Z].
socket_frame("r1", 3, "received", "{\"id\":1}")@[2026-02-19T12:00:02Z].
socket_frame("r2", 4, "received", "{\"id\":1}")@[2026-02-19T12:00:03.500Z].
socket_frame("r1", 5, "received", "{\"id\":2}")@[2026-02-19T12:00:03Z].
socket_frame("r2", 6, "received", "{\"id\":2}")@[2026-02-19T12:00:04.500Z].
socket_frame("r1", 7, "received", "{\"id\":3}")@[2026-02-19T12:00:04Z].
socket_frame("r2", 8, "received", "{\"id\":3}")@[2026-02-19T12:00:05.500Z].
#: expect none opened_again/2

#: test it is sent too early, code catches the error, and nothing is ever sent
caught("c1", "InvalidStateError", "Still in CONNECTING state.")@[2026-02-19T12:00:00.110Z].
stack("c1", 0, "post", "https://app.test/channel.js", 22).
stack("c1", 1, "start", "https://app.test/inbox.js", 9).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
answer("r1", 101, "")@[2026-02-19T12:00:00.120Z].
#: expect
suspect("c1", "sent_too_early",
        "/channel.js:22 sends on a WebSocket that is still CONNECTING: nothing goes out before it is open").
causes("r1", "c1",
       "what was to be sent first was sent before it was open, and code caught the error").
trouble("r1", 53, "the page sends nothing over GET wss://app.test/ws, and nothing comes over it").

#: test it is sent again when the connection is open
caught("c1", "InvalidStateError", "Still in CONNECTING state.")@[2026-02-19T12:00:00.110Z].
stack("c1", 0, "post", "https://app.test/channel.js", 22).
stack("c1", 1, "start", "https://app.test/inbox.js", 9).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
answer("r1", 101, "")@[2026-02-19T12:00:00.120Z].
socket_frame("r1", 1, "sent", "subscribe")@[2026-02-19T12:00:00.130Z].
#: expect none early_send/1 is_never_told/1

#: test the server speaks all the same
caught("c1", "InvalidStateError", "Still in CONNECTING state.")@[2026-02-19T12:00:00.110Z].
stack("c1", 0, "post", "https://app.test/channel.js", 22).
stack("c1", 1, "start", "https://app.test/inbox.js", 9).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
answer("r1", 101, "")@[2026-02-19T12:00:00.120Z].
socket_frame("r1", 1, "received", "news")@[2026-02-19T12:00:01Z].
#: expect none suspect/3 trouble/3

#: test the page is looked at for too short a time to say
caught("c1", "InvalidStateError", "Still in CONNECTING state.")@[2026-02-19T12:00:07.110Z].
stack("c1", 0, "post", "https://app.test/channel.js", 22).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:07.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
answer("r1", 101, "")@[2026-02-19T12:00:07.120Z].
#: expect none suspect/3 trouble/3

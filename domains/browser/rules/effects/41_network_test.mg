# Kinds of fault of the network: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test an answer that is an error is abnormal, one that is none is not
request("r1", "GET", "https://app.test/api/users",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
answer("r1", 404, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "POST", "https://app.test/api/token",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/token").
request_route("r2", "/api/token").
answer("r2", 500, "application/json")@[2026-02-19T12:00:00.200Z].
request("r3", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/me").
request_route("r3", "/api/me").
answer("r3", 401, "application/json")@[2026-02-19T12:00:00.200Z].
request("r4", "GET", "https://app.test/api/ok",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/ok").
request_route("r4", "/api/ok").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r5", "GET", "https://app.test/api/same",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r5", "https://app.test", "/api/same").
request_route("r5", "/api/same").
answer("r5", 304, "application/json")@[2026-02-19T12:00:00.200Z].
request("r6", "GET", "https://app.test/api/odd",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r6", "https://app.test", "/api/odd").
request_route("r6", "/api/odd").
answer("r6", 418, "application/json")@[2026-02-19T12:00:00.200Z].
request("r7", "DELETE", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r7", "https://app.test", "/api/cart").
request_route("r7", "/api/cart").
answer("r7", 405, "application/json")@[2026-02-19T12:00:00.200Z].
request("r8", "GET", "https://app.test/api/prices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r8", "https://app.test", "/api/prices").
request_route("r8", "/api/prices").
answer("r8", 429, "application/json")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "missing_route", "GET /api/users answered 404").
suspect("r2", "server_error", "POST /api/token answered 500").
suspect("r3", "not_authorized", "GET /api/me answered 401").
suspect("r6", "status", "GET /api/odd answered 418").
suspect("r7", "method_not_allowed", "DELETE /api/cart answered 405").
suspect("r8", "rate_limited", "GET /api/prices answered 429").

#: test what is missing is called by what it is
request("r1", "GET", "https://app.test/cart.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/cart.js").
request_route("r1", "/cart.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/favicon.ico",
        "other")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/favicon.ico").
request_route("r2", "/favicon.ico").
answer("r2", 404, "")@[2026-02-19T12:00:00.200Z].
request("r3", "GET", "https://app.test/a.css",
        "style")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/a.css").
request_route("r3", "/a.css").
answer("r3", 404, "")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "missing_script", "GET /cart.js answered 404").
suspect("r2", "missing_file", "GET /favicon.ico answered 404").
suspect("r3", "missing_style", "GET /a.css answered 404").

#: test a missing route says where to change and how to check
request("r1", "GET", "https://app.test/api/users",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
answer("r1", 404, "application/json")@[2026-02-19T12:00:00.200Z].
stack("r1", 0, "load", "https://app.test/users.js", 14).
#: expect
change_at("r1", "/users.js:14", "the address that is asked for").
change_at("r1", "GET /api/users", "serve this route, or ask for one that is there").
check_by("r1", "GET /api/users answers 200").

#: test no answer is told in words
request("r1", "GET", "https://dead.test/v1/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://dead.test", "/v1/x").
request_route("r1", "/v1/x").
request_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/v1/y",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/v1/y").
request_route("r2", "/v1/y").
request_failed("r2", "net::ERR_SOMETHING_NEW")@[2026-02-19T12:00:00.200Z].
request("r3", "GET", "https://app.test/v1/z",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/v1/z").
request_route("r3", "/v1/z").
request_failed("r3", "net::ERR_TOO_MANY_REDIRECTS")@[2026-02-19T12:00:00.200Z].
request("r4", "GET", "https://app.test/v1/c",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/v1/c").
request_route("r4", "/v1/c").
request_failed("r4", "net::ERR_CERT_DATE_INVALID")@[2026-02-19T12:00:00.200Z].
request("r5", "GET", "https://app.test/v1/t",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r5", "https://app.test", "/v1/t").
request_route("r5", "/v1/t").
request_failed("r5", "net::ERR_INCOMPLETE_CHUNKED_ENCODING")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "unreachable",
        "GET https://dead.test/v1/x failed: nobody listens at its host and port").
suspect("r2", "unreachable", "GET /v1/y failed: net::ERR_SOMETHING_NEW").
suspect("r3", "redirect_loop", "GET /v1/z failed: it is redirected without end").
suspect("r4", "certificate", "GET /v1/c failed: its certificate is not good").
suspect("r5", "cut_off", "GET /v1/t failed: the answer broke off").

#: test a host that answers nothing at all is the place
request("r1", "GET", "https://dead.test/v1/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://dead.test", "/v1/x").
request_route("r1", "/v1/x").
request_failed("r1", "net::ERR_NAME_NOT_RESOLVED")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://dead.test/v1/y",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://dead.test", "/v1/y").
request_route("r2", "/v1/y").
request_failed("r2", "net::ERR_NAME_NOT_RESOLVED")@[2026-02-19T12:00:00.200Z].
#: expect
change_at("r1", "GET https://dead.test/v1/x", "start what serves it, or correct its host").
change_at("r1", "https://dead.test", "start it, or correct its address: nothing there answers").
change_at("r2", "GET https://dead.test/v1/y", "start what serves it, or correct its host").
change_at("r2", "https://dead.test", "start it, or correct its address: nothing there answers").

#: test a host that answers others is not
request("r1", "GET", "https://dead.test/v1/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://dead.test", "/v1/x").
request_route("r1", "/v1/x").
request_failed("r1", "net::ERR_CONNECTION_RESET")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://dead.test/v1/y",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://dead.test", "/v1/y").
request_route("r2", "/v1/y").
request_failed("r2", "net::ERR_CONNECTION_RESET")@[2026-02-19T12:00:00.200Z].
request("r3", "GET", "https://dead.test/v1/z",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://dead.test", "/v1/z").
request_route("r3", "/v1/z").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
#: expect
change_at("r1", "GET https://dead.test/v1/x", "start what serves it, or correct its host").
change_at("r2", "GET https://dead.test/v1/y", "start what serves it, or correct its host").

#: test waiting for two seconds is never answered, for less it is not
request("r1", "GET", "https://app.test/api/report", "data")@[2026-02-19T12:00:01Z, _].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
request("r2", "GET", "https://app.test/api/late", "data")@[2026-02-19T12:00:06.500Z, _].
request_path("r2", "https://app.test", "/api/late").
request_route("r2", "/api/late").
request("r3", "GET", "https://app.test/events", "stream")@[2026-02-19T12:00:00.100Z, _].
request_path("r3", "https://app.test", "/events").
request_route("r3", "/events").
request("r4", "GET", "https://app.test/pic.png", "image")@[2026-02-19T12:00:00.100Z, _].
request_path("r4", "https://app.test", "/pic.png").
request_route("r4", "/pic.png").
#: expect
suspect("r1", "never_answered", "GET /api/report was not answered within 7.0 s").

#: test a change that is not answered is missed, a question only where the page waits
request("r1", "POST", "https://app.test/api/orders", "data")@[2026-02-19T12:00:01Z, _].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
request("r2", "GET", "https://app.test/api/report", "data")@[2026-02-19T12:00:01Z, _].
request_path("r2", "https://app.test", "/api/report").
request_route("r2", "/api/report").
request("r3", "GET", "https://app.test/api/messages?wait=25", "data")@[2026-02-19T12:00:01Z, _].
request_path("r3", "https://app.test", "/api/messages").
request_route("r3", "/api/messages").
request_query("r3", "wait", "25").
request("r4", "GET", "https://app.test/api/late", "data")@[2026-02-19T12:00:05.500Z, _].
request_path("r4", "https://app.test", "/api/late").
request_route("r4", "/api/late").
#: expect
trouble("r1", 55, "POST /api/orders is not answered").

#: test a long poll waits on purpose
request("r1", "GET", "https://app.test/api/jobs",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/jobs").
request_route("r1", "/api/jobs").
answer("r1", 204, "application/json")@[2026-02-19T12:00:03.100Z].
request("r2", "GET", "https://app.test/api/jobs",
        "data")@[2026-02-19T12:00:03.150Z, 2026-02-19T12:00:06.150Z].
request_path("r2", "https://app.test", "/api/jobs").
request_route("r2", "/api/jobs").
answer("r2", 204, "application/json")@[2026-02-19T12:00:06.150Z].
request("r3", "GET", "https://app.test/api/jobs", "data")@[2026-02-19T12:00:06.200Z, _].
request_path("r3", "https://app.test", "/api/jobs").
request_route("r3", "/api/jobs").
#: expect
cleared("r1", "a long poll: it waits on purpose, and is asked again").
cleared("r2", "a long poll: it waits on purpose, and is asked again").
cleared("r3", "a long poll: it waits on purpose, and is asked again").
#: expect none suspect/3

#: test what fails and is asked again is no long poll
request("r1", "GET", "https://app.test/api/jobs",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/jobs").
request_route("r1", "/api/jobs").
answer("r1", 500, "application/json")@[2026-02-19T12:00:03.100Z].
request("r2", "GET", "https://app.test/api/jobs", "data")@[2026-02-19T12:00:03.150Z, _].
request_path("r2", "https://app.test", "/api/jobs").
request_route("r2", "/api/jobs").
#: expect
suspect("r1", "server_error", "GET /api/jobs answered 500").
suspect("r2", "never_answered", "GET /api/jobs was not answered within 4.8 s").
#: expect none cleared/2

#: test given up after a second is a limit of time
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:03.100Z].
request_cancelled("r1", "script:/api.js:30").
stack("r1", 0, "get", "https://app.test/api.js", 20).
#: expect
suspect("r1", "timeout", "GET /api/report had no answer after 3.0 s and was given up").
change_at("r1", "/api.js:20", "the limit of time, and what happens after it").
change_at("r1", "GET /api/report", "answer in time").
#: expect none cleared/2

#: test cancelled sooner is an abort
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.300Z].
request_cancelled("r1", "script:/api.js:30").
#: expect
suspect("r1", "cancelled", "GET /api/report was cancelled before its answer came").
change_at("r1", "/api.js:30", "do not abort what is still needed").
#: expect none cleared/2

#: test cancelled by what somebody did then is an abort, however long it waited
request("r1", "POST", "https://app.test/api/uploads",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/uploads").
request_route("r1", "/api/uploads").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:03.100Z].
request_cancelled("r1", "script:/rooms.js:30").
input("i1", "click", "a#room2", "")@[2026-02-19T12:00:03.050Z].
#: expect
suspect("r1", "cancelled", "POST /api/uploads was cancelled before its answer came").
change_at("r1", "/rooms.js:30", "do not abort what is still needed").

#: test search while typing cancels what a newer question replaces
request("r1", "GET", "https://app.test/api/search?q=a",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/search").
request_route("r1", "/api/search").
request_query("r1", "q", "a").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.250Z].
request_cancelled("r1", "script:/search.js:9").
request("r2", "GET", "https://app.test/api/search?q=ab",
        "data")@[2026-02-19T12:00:00.250Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/search").
request_route("r2", "/api/search").
request_query("r2", "q", "ab").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
#: expect
cleared("r1", "a newer request took its place").
#: expect none suspect/3

#: test a page that is left cancels what it waits for
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:03Z].
request_cancelled("r1", "navigation").
#: expect
cleared("r1", "the page was left while it waited").
#: expect none suspect/3

#: test a script that is missing was not cancelled, whatever its end says
request("r1", "GET", "https://app.test/cart.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/cart.js").
request_route("r1", "/cart.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "missing_script", "GET /cart.js answered 404").
#: expect none cleared/2

#: test a change that the page itself cuts off by going elsewhere, and one of a page that was left later
request("r5", "GET", "https://app.test/done",
        "document")@[2026-02-19T12:00:02.010Z, 2026-02-19T12:00:02.050Z].
request_path("r5", "https://app.test", "/done").
request_route("r5", "/done").
request("r6", "POST", "https://app.test/api/reports", "data")@[2026-02-19T12:00:02Z, _].
request_path("r6", "https://app.test", "/api/reports").
request_route("r6", "/api/reports").
earlier_document("r6").
request("r7", "POST", "https://app.test/api/seen", "data")@[2026-02-19T12:00:01Z, _].
request_path("r7", "https://app.test", "/api/seen").
request_route("r7", "/api/seen").
earlier_document("r7").
navigation("n2", "https://app.test/done",
           "script")@[2026-02-19T12:00:02.003Z, 2026-02-19T12:00:02.090Z].
#: expect
cut_by_leaving("r6", "GET /done").

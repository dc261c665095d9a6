# Answers that come too late for code that had given them up: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# A request in a line: the second in which it was sent, and its status.
Decl went(R, Method, Path, Second, Status) bound [/string, /string, /string, /number, /number].
Decl went_from(R, T) bound [/string, /time].
went_from(R, T) :-
  went(R, _, _, S, _),
  T = fn:time:from_unix_nanos(fn:mult(fn:plus(S, 1771502400), 1000000000)).
Decl went_to(R, T) bound [/string, /time].
went_to(R, T) :-
  went(R, _, _, S, _),
  T = fn:time:from_unix_nanos(fn:plus(fn:mult(fn:plus(S, 1771502400), 1000000000), 100000000)).
request(R, Method, Url, "data")@[A, B] :-
  went(R, Method, Path, _, _),
  went_from(R, A),
  went_to(R, B),
  Url = fn:string:concat("https://app.test", Path).
request_path(R, "https://app.test", Path) :- went(R, _, Path, _, _).
request_route(R, Path) :- went(R, _, Path, _, _).
answer(R, Status, "application/json")@[B] :- went(R, _, _, _, Status), went_to(R, B).
asked_by(R, "script") :- went(R, _, _, _, _).
body_kind(R, "json") :- went(R, _, _, _, _).

#: test a timer races with the answer, and is first
request("r1", "GET", "https://app.test/api/shipments",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03.200Z].
request_path("r1", "https://app.test", "/api/shipments").
request_route("r1", "/api/shipments").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.190Z].
body_kind("r1", "json").
body_type("r1", "$[].to", "string").
body_value("r1", "$[].to", "Oslo").
unchanged_after("r1").
stack("r1", 0, "get", "https://app.test/client.js", 8).
timer_set("k1", "timeout", 900)@[2026-02-19T12:00:01Z].
stack("k1", 0, "", "https://app.test/client.js", 2).
stack("k1", 1, "get", "https://app.test/client.js", 8).
caught("c1", "Error", "took too long")@[2026-02-19T12:00:01.905Z, 2026-02-19T12:00:01.905Z].
stack("c1", 0, "", "https://app.test/client.js", 2).
shown("text", "You have no shipments yet.").
#: expect contains
suspect("k1", "short_limit",
        "/client.js:2 gives GET /api/shipments 900 ms to be answered, and its answer came after 2.1 s: nobody waited for it any more").
causes("r1", "k1", "it was given no more time than that").
trouble("r1", 52, "the answer of GET /api/shipments comes to nobody: it was given up after 900 ms").

#: test what it says is shown all the same, from elsewhere
request("r1", "GET", "https://app.test/api/shipments",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03.200Z].
request_path("r1", "https://app.test", "/api/shipments").
request_route("r1", "/api/shipments").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.190Z].
body_kind("r1", "json").
body_type("r1", "$[].to", "string").
body_value("r1", "$[].to", "Oslo").
unchanged_after("r1").
stack("r1", 0, "get", "https://app.test/client.js", 8).
timer_set("k1", "timeout", 900)@[2026-02-19T12:00:01Z].
stack("k1", 0, "", "https://app.test/client.js", 2).
stack("k1", 1, "get", "https://app.test/client.js", 8).
caught("c1", "Error", "took too long")@[2026-02-19T12:00:01.905Z, 2026-02-19T12:00:01.905Z].
stack("c1", 0, "", "https://app.test/client.js", 2).
shown("text", "To Oslo").
#: expect none outlasted_by/4 trouble/3

#: test a limit of time ends the question, and the page says that there is nothing
request("r1", "GET", "https://app.test/api/news",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.610Z].
request_path("r1", "https://app.test", "/api/news").
request_route("r1", "/api/news").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.610Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 600)@[2026-02-19T12:00:01Z].
stack("k1", 0, "request", "https://app.test/request.js", 7).
shown("text", "Nothing new today.").
#: expect contains
trouble("k1", 50,
        "/request.js:7 gives GET /api/news 600 ms to be answered: it was given up (timeout) before its answer came").

#: test the page does not miss it
request("r1", "GET", "https://app.test/api/news",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.610Z].
request_path("r1", "https://app.test", "/api/news").
request_route("r1", "/api/news").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.610Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 600)@[2026-02-19T12:00:01Z].
stack("k1", 0, "request", "https://app.test/request.js", 7).
shown("text", "Welcome.").
#: expect none cut_later/3

#: test what is asked about a poll is no long poll
went("r1", "POST", "/api/poll/vote", 1, 200).
#: expect none is_long_poll/1

#: test seconds are made a date, and what is to come is long past
went("r1", "GET", "/api/talks", 1, 200).
clock_meets("r1", "$[].starts", "date", "https://app.test/talks.js", 3).
body_value("r1", "$[].starts", "1771588800").
shown("text", "Talks\nNo talks ahead.").
#: expect contains
trouble("clock:/talks.js:3", 50,
        "times that are to come are taken for long past, and the page says that there is nothing").

# Time: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# An answer in order.
Decl asked(R, Path) bound [/string, /string].
request(R, "GET", Url, "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z] :-
  asked(R, Path),
  Url = fn:string:concat("https://app.test", Path).
answer(R, 200, "application/json")@[2026-02-19T12:00:00.300Z] :- asked(R, _).
request_path(R, "https://app.test", Path) :- asked(R, Path).
request_route(R, Path) :- asked(R, Path).

#: test seconds as milliseconds, by two timers
asked("r1", "/api/session").
body_value("r1", "$.expires_in", "300").
timer_set("k1", "timeout", 300)@[2026-02-19T12:00:00.310Z].
stack("k1", 0, "begin", "https://app.test/s.js", 9).
timer_set("k2", "timeout", 300)@[2026-02-19T12:00:00.710Z].
stack("k2", 0, "renew", "https://app.test/s.js", 5).
#: expect
taken_as_ms("k1", "r1", "$.expires_in", 300).
taken_as_ms("k2", "r1", "$.expires_in", 300).
trouble("k1", 51, "what is to happen after $.expires_in happens after 300 ms").
causes("k2", "k1", "the same number, taken so before").

#: test a little before it ends
asked("r1", "/api/session").
body_value("r1", "$.expiresIn", "900").
timer_set("k1", "timeout", 840)@[2026-02-19T12:00:00.310Z].
stack("k1", 0, "begin", "https://app.test/s.js", 9).
#: expect
taken_as_ms("k1", "r1", "$.expiresIn", 840).

#: test a pace in milliseconds, a number that is not of time, and a timer that was set before
asked("r1", "/api/settings").
body_value("r1", "$.pollInterval", "5000").
body_value("r1", "$.stock", "300").
body_value("r1", "$.ttl", "400").
timer_set("k1", "interval", 5000)@[2026-02-19T12:00:00.310Z].
stack("k1", 0, "poll", "https://app.test/s.js", 9).
timer_set("k2", "timeout", 300)@[2026-02-19T12:00:00.310Z].
stack("k2", 0, "later", "https://app.test/s.js", 12).
timer_set("k3", "timeout", 400)@[2026-02-19T12:00:00.050Z].
stack("k3", 0, "early", "https://app.test/s.js", 15).
#: expect none suspect/3

#: test a timer without a time that asks without a pause
asked("r1", "/api/news").
stack("r1", 1, "poll", "https://app.test/s.js", 9).
asked("r2", "/api/news").
stack("r2", 1, "poll", "https://app.test/s.js", 9).
asked("r3", "/api/news").
stack("r3", 1, "poll", "https://app.test/s.js", 9).
asked("r4", "/api/news").
stack("r4", 1, "poll", "https://app.test/s.js", 9).
asked("r5", "/api/news").
stack("r5", 1, "poll", "https://app.test/s.js", 9).
asked("r6", "/api/news").
stack("r6", 1, "poll", "https://app.test/s.js", 9).
timer_without("k1", "interval", "undefined")@[2026-02-19T12:00:00.060Z].
stack("k1", 0, "", "https://app.test/s.js", 9).
#: expect
suspect("k1", "timer_without_time",
        "/s.js:9 sets an interval of undefined milliseconds: it runs without a pause").
trouble("k1", 56, "what /s.js:9 sets off runs without a pause").

#: test timeouts without a time that go on once
timer_without("k1", "timeout", "undefined")@[2026-02-19T12:00:00.060Z].
stack("k1", 0, "", "https://app.test/s.js", 9).
asked("r1", "/api/news").
stack("r1", 1, "", "https://app.test/s.js", 9).
#: expect none trouble/3
#: expect none suspect/3

#: test a tenth of a second, and nobody misses it
request("r1", "GET", "https://app.test/api/peek",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.125Z].
request_path("r1", "https://app.test", "/api/peek").
request_route("r1", "/api/peek").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.125Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 120)@[2026-02-19T12:00:00.999Z].
stack("k1", 0, "load", "https://app.test/s.js", 3).
#: expect none is_missed_then/1

#: test a limit of some milliseconds
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.015Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.015Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 10)@[2026-02-19T12:00:00.999Z].
stack("k1", 0, "load", "https://app.test/s.js", 3).
#: expect
is_cut("r1", "k1", 10).
causes("r1", "k1", "it was given no more time than that").

#: test a limit of seconds, a search that a newer one replaces, a view that was left
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:06Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:06Z].
request_cancelled("r1", "script:s.js:3").
timer_set("k1", "timeout", 5000)@[2026-02-19T12:00:01Z].
stack("k1", 0, "load", "https://app.test/s.js", 3).
request("r2", "GET", "https://app.test/api/search",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.120Z].
request_path("r2", "https://app.test", "/api/search").
request_route("r2", "/api/search").
request_failed("r2", "net::ERR_ABORTED")@[2026-02-19T12:00:01.120Z].
request_cancelled("r2", "script:s.js:9").
request("r3", "GET", "https://app.test/api/search",
        "data")@[2026-02-19T12:00:01.121Z, 2026-02-19T12:00:01.200Z].
request_path("r3", "https://app.test", "/api/search").
request_route("r3", "/api/search").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.200Z].
timer_set("k2", "timeout", 100)@[2026-02-19T12:00:01.010Z].
stack("k2", 0, "typed", "https://app.test/s.js", 8).
request("r4", "GET", "https://app.test/api/view",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.120Z].
request_path("r4", "https://app.test", "/api/view").
request_route("r4", "/api/view").
request_failed("r4", "net::ERR_ABORTED")@[2026-02-19T12:00:03.120Z].
request_cancelled("r4", "navigation").
timer_set("k3", "timeout", 100)@[2026-02-19T12:00:03.010Z].
stack("k3", 0, "shown", "https://app.test/s.js", 20).
#: expect none is_cut/3

#: test a time that is longer than timers can count, and a long one
timer_set("k1", "timeout", 3600000000)@[2026-02-19T12:00:02Z].
stack("k1", 0, "renew", "https://app.test/s.js", 4).
timer_set("k2", "timeout", 3600000)@[2026-02-19T12:00:02Z].
stack("k2", 0, "renew", "https://app.test/s.js", 8).
#: expect
suspect("k1", "short_timer",
        "/s.js:4 waits 3600000000 ms, longer than timers can: it goes off at once").
trouble("k1", 52, "what /s.js:4 puts off for weeks happens at once").

#: test a question over and over by a timer of milliseconds
repeated("r1", 20, 9).
asked("r1", "/api/news").
stack("r1", 1, "poll", "https://app.test/s.js", 9).
timer_set("k1", "timeout", 30)@[2026-02-19T12:00:00.050Z].
stack("k1", 0, "poll", "https://app.test/s.js", 9).
timer_set("k2", "timeout", 30)@[2026-02-19T12:00:00.050Z].
stack("k2", 0, "other", "https://app.test/s.js", 19).
#: expect
asks_on("k1", 30).

#: test a notice that nobody can read
notice_gone("k2", "div#toasts", "Saved", 4)@[2026-02-19T12:00:02.010Z].
timer_set("k1", "timeout", 4)@[2026-02-19T12:00:02.006Z].
stack("k1", 0, "toast", "https://app.test/s.js", 4).
#: expect
suspect("k1", "short_timer", "/s.js:4 takes a notice away after 4 ms: are seconds meant?").
trouble("k2", 52, "nobody can read the notice `Saved`: it is gone after 4 ms").

#: test a wait that was short, a notice that a newer one replaced, a timer of something else
notice_gone("k2", "div#s", "Loading...", 40)@[2026-02-19T12:00:02.040Z].
timer_set("k1", "timeout", 30)@[2026-02-19T12:00:02Z].
stack("k1", 0, "wait", "https://app.test/s.js", 4).
notice_gone("k3", "div#s", "Saved", 200)@[2026-02-19T12:00:04.200Z].
timer_set("k4", "timeout", 5000)@[2026-02-19T12:00:04Z].
stack("k4", 0, "toast", "https://app.test/s.js", 9).
notice_gone("k5", "div#s", "Copied", 300)@[2026-02-19T12:00:06.300Z].
timer_set("k6", "timeout", 20)@[2026-02-19T12:00:06.250Z].
stack("k6", 0, "focus", "https://app.test/s.js", 14).
#: expect none trouble/3

#: test a clock to which seconds are added
asked("r1", "/api/session").
body_value("r1", "$.expires_in", "300").
clock_meets("r1", "$.expires_in", "plus", "https://app.test/s.js", 4).
shown("text", "Your session has expired").
#: expect
suspect("clock:/s.js:4", "seconds_as_ms",
        "/s.js:4 takes $.expires_in of GET /api/session as milliseconds: it tells seconds").
trouble("clock:/s.js:4", 56, "the page says that a time is over which has hardly begun").

#: test a time in seconds that is made a date
asked("r1", "/api/notes").
body_value("r1", "$[].created", "1771500000").
clock_meets("r1", "$[].created", "date", "https://app.test/s.js", 4).
shown("text", "Written on 1/21/1970").
#: expect
trouble("clock:/s.js:4", 54, "the page shows a date of 1970").

#: test a span that is added and nothing is over, an id, a number of ten figures that is no time
asked("r1", "/api/session").
body_value("r1", "$.expires_in", "300").
clock_meets("r1", "$.expires_in", "plus", "https://app.test/s.js", 4).
body_value("r1", "$.limit", "20").
clock_meets("r1", "$.limit", "plus", "https://app.test/s.js", 5).
body_value("r1", "$.phone", "5551234567").
clock_meets("r1", "$.phone", "date", "https://app.test/s.js", 6).
shown("text", "Since 1970").
#: expect none trouble/3

#: test a question is asked sooner each time
asked("r1", "/api/state").
stack("r1", 0, "poll", "https://app.test/s.js", 9).
stack("r1", 1, "poll", "https://app.test/s.js", 11).
timer_set("k1", "timeout", 1000)@[2026-02-19T12:00:00.010Z].
stack("k1", 0, "poll", "https://app.test/s.js", 11).
timer_set("k2", "timeout", 700)@[2026-02-19T12:00:01.010Z].
stack("k2", 0, "poll", "https://app.test/s.js", 11).
timer_set("k3", "timeout", 490)@[2026-02-19T12:00:02.010Z].
stack("k3", 0, "poll", "https://app.test/s.js", 11).
timer_set("k4", "timeout", 343)@[2026-02-19T12:00:03.010Z].
stack("k4", 0, "poll", "https://app.test/s.js", 11).
timer_set("k5", "timeout", 240)@[2026-02-19T12:00:04.010Z].
stack("k5", 0, "poll", "https://app.test/s.js", 11).
#: expect
hastens("k1", 1000, 240).
suspect("k1", "hastening_poll",
        "/s.js:11 asks again sooner each time: after 1000 ms at first, and after 240 ms by now").

#: test what waits longer each time, and a rest that is waited for, are healthy
asked("r1", "/api/state").
stack("r1", 0, "poll", "https://app.test/s.js", 9).
stack("r1", 1, "poll", "https://app.test/s.js", 11).
timer_set("k1", "timeout", 1000)@[2026-02-19T12:00:00.010Z].
stack("k1", 0, "poll", "https://app.test/s.js", 11).
timer_set("k2", "timeout", 700)@[2026-02-19T12:00:01.010Z].
stack("k2", 0, "poll", "https://app.test/s.js", 11).
timer_set("k3", "timeout", 200)@[2026-02-19T12:00:02.010Z].
stack("k3", 0, "poll", "https://app.test/s.js", 11).
timer_set("k4", "timeout", 100)@[2026-02-19T12:00:03.010Z].
stack("k4", 0, "poll", "https://app.test/s.js", 11).
timer_set("k5", "timeout", 900)@[2026-02-19T12:00:04.010Z].
stack("k5", 0, "poll", "https://app.test/s.js", 11).
#: expect none hastens/3 suspect/3

#: test a limit of what the page is of is missed, though no word on it says so
request("r1", "GET", "https://app.test/api/delays",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.801Z].
request_path("r1", "https://app.test", "/api/delays").
request_route("r1", "/api/delays").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.801Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 800)@[2026-02-19T12:00:01Z].
stack("k1", 0, "load", "https://app.test/s.js", 3).
page_is_of("r1", "delay").
#: expect
cut_later("r1", "k1", 800).

#: test the same of something beside it is not missed
request("r1", "GET", "https://app.test/api/offers",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.801Z].
request_path("r1", "https://app.test", "/api/offers").
request_route("r1", "/api/offers").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.801Z].
request_cancelled("r1", "unknown").
timer_set("k1", "limit", 800)@[2026-02-19T12:00:01Z].
stack("k1", 0, "load", "https://app.test/s.js", 3).
#: expect none cut_later/3

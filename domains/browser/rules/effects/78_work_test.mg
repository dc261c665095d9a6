# Work that keeps a page for long: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 44_sent.mg 44_order.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 78_work.mg 79_held.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.500Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].

# A script from so many milliseconds on, for so long, of which so much is layout; entered or found at a line.
Decl ran(B, From, Ms, Layout, Line) bound [/string, /number, /number, /number, /number].
long_script(B, "", "", Ms, Layout)@[A, E] :-
  ran(B, From, Ms, Layout, _),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  E = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(fn:plus(From, Ms), 1000000))).
stack(B, 0, "fit", "https://app.test/fit.js", Line) :- ran(B, _, _, _, Line).
stack(B, 1, "show", "https://app.test/page.js", 40) :- ran(B, _, _, _, _).

#: test layout that code forces after a click
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 2400, 2100, 7).
layouts_within("b1", 900).
#: expect
suspect("b1", "layout_thrash",
        "/fit.js:7 (fit) keeps the page for 2400 ms at once, after the click at button#go; of these 2100 ms are layout (reflow) that it forces by reading sizes of what it has just changed").
trouble("b1", 54, "the page does not react for 2400 ms, after the click at button#go").
change_at("b1", "/fit.js:7", "read all sizes first, then change all, or leave sizes to styles").
change_at("b1", "/page.js:40", "read all sizes first, then change all, or leave sizes to styles").
change_at("b1", "button#go", "read all sizes first, then change all, or leave sizes to styles").

#: test one layout that takes long is no to and fro
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 900, 800, 7).
layouts_within("b1", 2).
#: expect none suspect/3 trouble/3

#: test a function that is busy by itself comes again
ran("b1", 4000, 1500, 0, 7).
ran("b2", 9000, 1600, 0, 7).
#: expect
suspect("b2", "long_task",
        "/fit.js:7 (fit) is busy for 1600 ms at once, and nothing else runs meanwhile").
trouble("b2", 53, "the page does not react for 1600 ms").

#: test tasks of middling length, after a click, too, are a slow machine
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 1100, 100, 7).
busy("", 400)@[2026-02-19T12:00:07Z].
busy("", 410)@[2026-02-19T12:00:08Z].
busy("", 420)@[2026-02-19T12:00:09Z].
busy("", 430)@[2026-02-19T12:00:10Z].
#: expect none suspect/3 trouble/3

#: test what runs while the page loads does so by right
ran("b1", 300, 1900, 1500, 7).
#: expect none suspect/3 trouble/3

#: test a request that holds up everything
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 2500, 0, 7).
script_waited("b1", 2450).
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:05.020Z, 2026-02-19T12:00:07.500Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
answer("r1", 200, "application/json")@[2026-02-19T12:00:07.490Z].
#: expect
suspect("b1", "sync_request",
        "/fit.js:7 (fit) asks GET /api/report synchronously, after the click at button#go: for 2450 ms nothing else runs, and the page does not react").

#: test the same where the browser does not tell it: the task is as long as the request within it
busy("", 2500)@[2026-02-19T12:00:05.010Z, 2026-02-19T12:00:07.510Z].
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:05.020Z, 2026-02-19T12:00:07.500Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
answer("r1", 200, "application/json")@[2026-02-19T12:00:07.490Z].
stack("r1", 0, "ask", "https://app.test/ask.js", 12).
#: expect
suspect("r1", "sync_request",
        "/ask.js:12 asks GET /api/report synchronously: for 2500 ms nothing else runs, and the page does not react").
trouble("r1", 52, "the page does not react for 2500 ms, until GET /api/report is answered").

#: test a request that is answered while code runs is none
ran("b1", 5010, 2500, 0, 7).
busy("", 2500)@[2026-02-19T12:00:05.010Z, 2026-02-19T12:00:07.510Z].
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:05.020Z, 2026-02-19T12:00:07.500Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
answer("r1", 200, "application/json")@[2026-02-19T12:00:07.490Z].
stack("r1", 0, "ask", "https://app.test/ask.js", 12).
#: expect
suspect("b1", "long_task",
        "/fit.js:7 (fit) is busy for 2500 ms at once, and nothing else runs meanwhile").

#: test a dialog that waits for its user is no request
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 800, 0, 7).
script_waited("b1", 750).
#: expect none suspect/3 trouble/3

#: test what is drawn at once takes long to lay out
input("i1", "click", "button#go", "")@[2026-02-19T12:00:05Z].
ran("b1", 5010, 300, 0, 7).
laid_out("b1", 2600).
#: expect
suspect("b1", "big_drawing",
        "what /fit.js:7 (fit) puts into the page at once, after the click at button#go takes the browser 2600 ms to lay out and draw").

#: test a long task whose code nobody knows is told as before
busy("", 1500)@[2026-02-19T12:00:07Z].
#: expect
suspect("busy:", "long_task", "the page stood still for 1500 ms at once, 1500 ms in all").

#: test a heap that grows, and who makes what stays
grows("heap", 4000000, 9000000, 900000).
kept_alive("h1", 3400000)@[2026-02-19T12:00:10Z].
stack("h1", 0, "remember", "https://app.test/log.js", 2).
kept_alive("h2", 100000)@[2026-02-19T12:00:10Z].
stack("h2", 0, "other", "https://app.test/log.js", 9).
#: expect
suspect("growth:heap", "growth", "bytes of the heap grow without end: from 4000000 to 9000000").
suspect("h1", "growth",
        "most of what piles up in memory is made at /log.js:2: 3400 kB of it are still held, and none is given up").
causes("growth:heap", "h1", "it makes what is kept").

#: test objects of a page that does not grow are its own
kept_alive("h1", 3400000)@[2026-02-19T12:00:10Z].
stack("h1", 0, "remember", "https://app.test/log.js", 2).
#: expect none suspect/3 trouble/3

#: test a heap that grows more slowly, most of which is known to be kept
grows("heap", 4000000, 7000000, 100000).
kept_alive("h1", 2400000)@[2026-02-19T12:00:10Z].
stack("h1", 0, "remember", "https://app.test/log.js", 2).
#: expect
growing("heap", 4000000, 7000000).

#: test one of which nobody knows what is kept
grows("heap", 4000000, 7000000, 100000).
#: expect none growing/3 suspect/3 trouble/3

#: test answers that are kept
grows("heap", 4000000, 10000000, 500000).
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.200Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request_size("r1", 0, 200000).
repeated("r1", 20, 2).
#: expect
suspect("growth:heap", "growth", "bytes of the heap grow without end: from 4000000 to 10000000").
suspect("r1", "growth", "memory grows by what GET /api/rows answers: its 20 answers are kept").
causes("growth:heap", "r1", "its answers are kept").

#: test small answers are not what a heap grows by
grows("heap", 4000000, 10000000, 500000).
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.200Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request_size("r1", 0, 2000).
repeated("r1", 20, 2).
#: expect
suspect("growth:heap", "growth", "bytes of the heap grow without end: from 4000000 to 10000000").

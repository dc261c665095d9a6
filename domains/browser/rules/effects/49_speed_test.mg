# Kinds of fault of speed: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

# Asked by one function, in milliseconds.
Decl own(R, From, To, Path, Line) bound [/string, /number, /number, /string, /number].
Decl route_at(Line, Route) bound [/number, /string].
route_at(10, "/api/stops/{id}").
route_at(11, "/api/stops/{id}/free").
request(R, "GET", Url, "data")@[A, B] :-
  own(R, From, To, Path, _),
  Url = fn:string:concat("https://app.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
request_path(R, "https://app.test", Path) :- own(R, _, _, Path, _).
request_route(R, Route) :- own(R, _, _, _, Line), route_at(Line, Route).
answer(R, 200, "application/json")@[B] :-
  own(R, _, To, _, _),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
stack(R, 0, "complete", "https://app.test/tour.js", Line) :- own(R, _, _, _, Line).

#: test an answer that takes long
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:05.100Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
answer("r1", 200, "application/json")@[2026-02-19T12:00:05.100Z].
request_timing("r1", 4900, 100).
request("r2", "GET", "https://ads.test/ads",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:05.100Z].
request_path("r2", "https://ads.test", "/ads").
request_route("r2", "/ads").
answer("r2", 200, "application/json")@[2026-02-19T12:00:05.100Z].
third_party("r2").
request_timing("r2", 4900, 100).
#: expect
suspect("r1", "slow", "GET /api/report took 5.0 s").
suspect("r2", "slow", "GET https://ads.test/ads took 5.0 s").
trouble("r1", 36, "the page waits 5.0 s for GET /api/report").
check_by("r1", "GET /api/report is answered within a second").
check_by("r2", "GET https://ads.test/ads is answered within a second").

#: test what is slow is the lesser part, and the rest is there long before
request("r1", "GET", "https://app.test/api/related",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:05.100Z].
request_path("r1", "https://app.test", "/api/related").
request_route("r1", "/api/related").
answer("r1", 200, "application/json")@[2026-02-19T12:00:05.100Z].
request_timing("r1", 4900, 100).
request_size("r1", 0, 220).
request("r2", "GET", "https://app.test/api/list",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request_timing("r2", 190, 10).
request_size("r2", 0, 560).
changed_after("r2").
#: expect contains
cleared("r1", "what there is more of was shown long before it").

#: test it is the greater part, or something waits for it
request("r1", "GET", "https://app.test/api/related",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:05.100Z].
request_path("r1", "https://app.test", "/api/related").
request_route("r1", "/api/related").
answer("r1", 200, "application/json")@[2026-02-19T12:00:05.100Z].
request_timing("r1", 4900, 100).
request_size("r1", 0, 420).
stack("r1", 0, "load", "https://app.test/a.js", 3).
request("r2", "GET", "https://app.test/api/list",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request_size("r2", 0, 560).
changed_after("r2").
request("r3", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:05.100Z].
request_path("r3", "https://app.test", "/api/report").
request_route("r3", "/api/report").
answer("r3", 200, "application/json")@[2026-02-19T12:00:05.100Z].
request_timing("r3", 4900, 100).
request_size("r3", 0, 220).
stack("r3", 0, "report", "https://app.test/a.js", 9).
request("r4", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:05.150Z, 2026-02-19T12:00:05.200Z].
request_path("r4", "https://app.test", "/api/rows").
request_route("r4", "/api/rows").
answer("r4", 200, "application/json")@[2026-02-19T12:00:05.200Z].
stack("r4", 0, "report", "https://app.test/a.js", 10).
#: expect none cleared/2

#: test where everything is slow it is the machine
request("r1", "GET", "https://app.test/api/a1",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r1", "https://app.test", "/api/a1").
request_route("r1", "/api/a1").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r1", 2700, 50).
request("r2", "GET", "https://app.test/api/a2",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r2", "https://app.test", "/api/a2").
request_route("r2", "/api/a2").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r2", 2800, 50).
request("r3", "GET", "https://app.test/api/a3",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r3", "https://app.test", "/api/a3").
request_route("r3", "/api/a3").
answer("r3", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r3", 2900, 50).
request("r4", "GET", "https://app.test/api/a4",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r4", "https://app.test", "/api/a4").
request_route("r4", "/api/a4").
answer("r4", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r4", 3000, 50).
request("r5", "GET", "https://app.test/api/a5",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r5", "https://app.test", "/api/a5").
request_route("r5", "/api/a5").
answer("r5", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r5", 3100, 50).
request("r6", "GET", "https://app.test/api/a6",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03Z].
request_path("r6", "https://app.test", "/api/a6").
request_route("r6", "/api/a6").
answer("r6", 200, "application/json")@[2026-02-19T12:00:03Z].
request_timing("r6", 3200, 50).
#: expect none suspect/3 trouble/3

#: test what stands out among quick ones is slow
request("r1", "GET", "https://app.test/api/a1",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/a1").
request_route("r1", "/api/a1").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r1", 80, 20).
request("r2", "GET", "https://app.test/api/a2",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/a2").
request_route("r2", "/api/a2").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r2", 80, 20).
request("r3", "GET", "https://app.test/api/a3",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/a3").
request_route("r3", "/api/a3").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r3", 80, 20).
request("r4", "GET", "https://app.test/api/a4",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/a4").
request_route("r4", "/api/a4").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r4", 80, 20).
request("r5", "GET", "https://app.test/api/a5",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r5", "https://app.test", "/api/a5").
request_route("r5", "/api/a5").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r5", 80, 20).
request("r9", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r9", "https://app.test", "/api/report").
request_route("r9", "/api/report").
answer("r9", 200, "application/json")@[2026-02-19T12:00:03.100Z].
request_timing("r9", 2990, 10).
#: expect
suspect("r9", "slow", "GET /api/report took 3.0 s").
trouble("r9", 36, "the page waits 3.0 s for GET /api/report").

#: test one that does not, and a long poll
request("r1", "GET", "https://app.test/api/report",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/report").
request_route("r1", "/api/report").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_timing("r1", 900, 100).
request("r2", "GET", "https://app.test/api/poll",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:03.100Z].
request_path("r2", "https://app.test", "/api/poll").
request_route("r2", "/api/poll").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.100Z].
request_timing("r2", 3000, 0).
request("r3", "GET", "https://app.test/api/poll",
        "data")@[2026-02-19T12:00:03.150Z, 2026-02-19T12:00:06.150Z].
request_path("r3", "https://app.test", "/api/poll").
request_route("r3", "/api/poll").
answer("r3", 200, "application/json")@[2026-02-19T12:00:06.150Z].
request_timing("r3", 3000, 0).
#: expect none suspect/3 trouble/3

#: test many asked one after the other
request("r1", "GET", "https://app.test/api/items/1",
        "data")@[2026-02-19T12:00:00.120Z, 2026-02-19T12:00:00.220Z].
request_path("r1", "https://app.test", "/api/items/1").
request_route("r1", "/api/items/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.220Z].
request("r2", "GET", "https://app.test/api/items/2",
        "data")@[2026-02-19T12:00:00.240Z, 2026-02-19T12:00:00.340Z].
request_path("r2", "https://app.test", "/api/items/2").
request_route("r2", "/api/items/{id}").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.340Z].
request("r3", "GET", "https://app.test/api/items/3",
        "data")@[2026-02-19T12:00:00.360Z, 2026-02-19T12:00:00.460Z].
request_path("r3", "https://app.test", "/api/items/3").
request_route("r3", "/api/items/{id}").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.460Z].
request("r4", "GET", "https://app.test/api/items/4",
        "data")@[2026-02-19T12:00:00.480Z, 2026-02-19T12:00:00.580Z].
request_path("r4", "https://app.test", "/api/items/4").
request_route("r4", "/api/items/{id}").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.580Z].
request("r5", "GET", "https://app.test/api/items/5",
        "data")@[2026-02-19T12:00:00.600Z, 2026-02-19T12:00:00.700Z].
request_path("r5", "https://app.test", "/api/items/5").
request_route("r5", "/api/items/{id}").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.700Z].
request("r6", "GET", "https://app.test/api/items/6",
        "data")@[2026-02-19T12:00:00.720Z, 2026-02-19T12:00:00.820Z].
request_path("r6", "https://app.test", "/api/items/6").
request_route("r6", "/api/items/{id}").
answer("r6", 200, "application/json")@[2026-02-19T12:00:00.820Z].
request("r7", "GET", "https://app.test/api/items/7",
        "data")@[2026-02-19T12:00:00.840Z, 2026-02-19T12:00:00.940Z].
request_path("r7", "https://app.test", "/api/items/7").
request_route("r7", "/api/items/{id}").
answer("r7", 200, "application/json")@[2026-02-19T12:00:00.940Z].
request("r8", "GET", "https://app.test/api/items/8",
        "data")@[2026-02-19T12:00:00.960Z, 2026-02-19T12:00:01.060Z].
request_path("r8", "https://app.test", "/api/items/8").
request_route("r8", "/api/items/{id}").
answer("r8", 200, "application/json")@[2026-02-19T12:00:01.060Z].
request("r9", "GET", "https://app.test/api/items/9",
        "data")@[2026-02-19T12:00:01.080Z, 2026-02-19T12:00:01.180Z].
request_path("r9", "https://app.test", "/api/items/9").
request_route("r9", "/api/items/{id}").
answer("r9", 200, "application/json")@[2026-02-19T12:00:01.180Z].
request("r10", "GET", "https://app.test/api/items/10",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r10", "https://app.test", "/api/items/10").
request_route("r10", "/api/items/{id}").
answer("r10", 200, "application/json")@[2026-02-19T12:00:01.300Z].
#: expect
suspect("r1", "waterfall",
        "GET /api/items/1 and 9 more of /api/items/{id} were asked one after the other").
trouble("r1", 36, "the page asks /api/items/{id} 9 times, each after the one before").

#: test many asked at once
request("r1", "GET", "https://app.test/api/items/1",
        "data")@[2026-02-19T12:00:00.101Z, 2026-02-19T12:00:00.300Z].
request_path("r1", "https://app.test", "/api/items/1").
request_route("r1", "/api/items/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r2", "GET", "https://app.test/api/items/2",
        "data")@[2026-02-19T12:00:00.102Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/items/2").
request_route("r2", "/api/items/{id}").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r3", "GET", "https://app.test/api/items/3",
        "data")@[2026-02-19T12:00:00.103Z, 2026-02-19T12:00:00.300Z].
request_path("r3", "https://app.test", "/api/items/3").
request_route("r3", "/api/items/{id}").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r4", "GET", "https://app.test/api/items/4",
        "data")@[2026-02-19T12:00:00.104Z, 2026-02-19T12:00:00.300Z].
request_path("r4", "https://app.test", "/api/items/4").
request_route("r4", "/api/items/{id}").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r5", "GET", "https://app.test/api/items/5",
        "data")@[2026-02-19T12:00:00.105Z, 2026-02-19T12:00:00.300Z].
request_path("r5", "https://app.test", "/api/items/5").
request_route("r5", "/api/items/{id}").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r6", "GET", "https://app.test/api/items/6",
        "data")@[2026-02-19T12:00:00.106Z, 2026-02-19T12:00:00.300Z].
request_path("r6", "https://app.test", "/api/items/6").
request_route("r6", "/api/items/{id}").
answer("r6", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r7", "GET", "https://app.test/api/items/7",
        "data")@[2026-02-19T12:00:00.107Z, 2026-02-19T12:00:00.300Z].
request_path("r7", "https://app.test", "/api/items/7").
request_route("r7", "/api/items/{id}").
answer("r7", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r8", "GET", "https://app.test/api/items/8",
        "data")@[2026-02-19T12:00:00.108Z, 2026-02-19T12:00:00.300Z].
request_path("r8", "https://app.test", "/api/items/8").
request_route("r8", "/api/items/{id}").
answer("r8", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r9", "GET", "https://app.test/api/items/9",
        "data")@[2026-02-19T12:00:00.109Z, 2026-02-19T12:00:00.300Z].
request_path("r9", "https://app.test", "/api/items/9").
request_route("r9", "/api/items/{id}").
answer("r9", 200, "application/json")@[2026-02-19T12:00:00.300Z].
request("r10", "GET", "https://app.test/api/items/10",
        "data")@[2026-02-19T12:00:00.110Z, 2026-02-19T12:00:00.300Z].
request_path("r10", "https://app.test", "/api/items/10").
request_route("r10", "/api/items/{id}").
answer("r10", 200, "application/json")@[2026-02-19T12:00:00.300Z].
#: expect none suspect/3 trouble/3

#: test too much at once
request("r1", "GET", "https://app.test/api/all",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/all").
request_route("r1", "/api/all").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_size("r1", 0, 7200000).
request("r2", "GET", "https://app.test/api/few",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/few").
request_route("r2", "/api/few").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request_size("r2", 0, 72000).
#: expect
suspect("r1", "big_answer", "GET /api/all answered 7 MB at once").
trouble("r1", 34, "GET /api/all answered 7 MB at once").

#: test too much, which was there within a moment
request("r1", "GET", "https://app.test/api/all",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r1", "https://app.test", "/api/all").
request_route("r1", "/api/all").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
request_size("r1", 0, 7200000).
request_timing("r1", 150, 50).
request("r2", "GET", "https://app.test/api/more",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/more").
request_route("r2", "/api/more").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.250Z].
request_size("r2", 0, 7200000).
request_timing("r2", 150, 1650).
#: expect contains
suspect("r1", "big_answer", "GET /api/all answered 7 MB at once").
trouble("r2", 34, "GET /api/more answered 7 MB at once").
#: expect absent
trouble("r1", 34, "GET /api/all answered 7 MB at once").

#: test one function asks for each thing when the one before is there
own("r1", 100, 380, "/api/stops/1", 10).
own("r2", 400, 680, "/api/stops/1/free", 11).
own("r3", 700, 980, "/api/stops/2", 10).
own("r4", 1000, 1280, "/api/stops/2/free", 11).
own("r5", 1300, 1580, "/api/stops/3", 10).
own("r6", 1600, 1880, "/api/stops/3/free", 11).
own("r7", 1900, 2180, "/api/stops/4", 10).
own("r8", 2200, 2480, "/api/stops/4/free", 11).
own("r9", 2500, 2780, "/api/stops/5", 10).
own("r10", 2800, 3080, "/api/stops/5/free", 11).
#: expect contains
suspect("r1", "waterfall",
        "GET /api/stops/1 and 9 more were asked one after the other by complete, each only when the one before was there: 2.9 s in all").
trouble("r1", 51, "the page waits 2.9 s for 9 requests in a row").

#: test a few of them, or all at once
own("r1", 100, 380, "/api/stops/1", 10).
own("r2", 400, 680, "/api/stops/2", 10).
own("r3", 700, 980, "/api/stops/3", 10).
own("r4", 1000, 1280, "/api/stops/4", 10).
own("r5", 1300, 1580, "/api/stops/5", 10).
own("r6", 1600, 1880, "/api/stops/6", 10).
#: expect none long_chain/4

#: test a few that need nothing of each other, one after the other
own("r1", 100, 900, "/api/a", 20).
own("r2", 905, 1800, "/api/b", 21).
own("r3", 1805, 2700, "/api/c", 22).
own("r4", 2705, 3500, "/api/d", 23).
route_at(20, "/api/a").
route_at(21, "/api/b").
route_at(22, "/api/c").
route_at(23, "/api/d").
#: expect
suspect("r1", "waterfall",
        "GET /api/a and 3 more were asked one after the other by complete, though none needs the one before: 3.4 s in all").
trouble("r1", 51, "the page waits 3.4 s for requests that could be asked at once").

#: test each asks with what the one before has said, or of what has an id
own("r1", 100, 900, "/api/a", 20).
own("r2", 905, 1800, "/api/b", 21).
own("r3", 1805, 2700, "/api/c/4", 22).
own("r4", 2705, 3500, "/api/d", 23).
route_at(20, "/api/a").
route_at(21, "/api/b").
route_at(22, "/api/c/{id}").
route_at(23, "/api/d").
body_value("r1", "$.team", "north").
request_query("r2", "team", "north").
#: expect none suspect/3 trouble/3

#: test quick ones do no harm
own("r1", 100, 300, "/api/a", 20).
own("r2", 305, 500, "/api/b", 21).
own("r3", 505, 700, "/api/c", 22).
route_at(20, "/api/a").
route_at(21, "/api/b").
route_at(22, "/api/c").
#: expect none suspect/3 trouble/3

#: test one that takes long before all else
own("r1", 100, 4300, "/api/a", 20).
own("r2", 4310, 4500, "/api/b", 21).
own("r3", 4310, 4600, "/api/c", 22).
route_at(20, "/api/a").
route_at(21, "/api/b").
route_at(22, "/api/c").
request_timing("r1", 4100, 100).
#: expect
suspect("r1", "slow", "GET /api/a took 4.2 s").
suspect("r1", "gate",
        "GET /api/a took 4.2 s, and 2 others, which need nothing of it, are asked only when it has come").
trouble("r1", 36, "the page waits 4.2 s for GET /api/a").
trouble("r1", 51, "the page waits 4.2 s for GET /api/a before it asks for anything else").

#: test others were asked for meanwhile
own("r1", 100, 4300, "/api/a", 20).
own("r2", 4310, 4500, "/api/b", 21).
own("r3", 4310, 4600, "/api/c", 22).
own("r4", 150, 600, "/api/d", 23).
route_at(20, "/api/a").
route_at(21, "/api/b").
route_at(22, "/api/c").
route_at(23, "/api/d").
request_timing("r1", 4100, 100).
#: expect
suspect("r1", "slow", "GET /api/a took 4.2 s").
trouble("r1", 36, "the page waits 4.2 s for GET /api/a").

#: test one question over and over to the end never comes to rest
own("r1", 100, 380, "/api/load", 10).
own("r2", 400, 680, "/api/load", 10).
own("r3", 700, 980, "/api/load", 10).
own("r4", 1000, 1280, "/api/load", 10).
own("r5", 1300, 1580, "/api/load", 10).
own("r6", 1600, 1880, "/api/load", 10).
own("r7", 1900, 2180, "/api/load", 10).
own("r8", 2200, 2480, "/api/load", 10).
own("r9", 2500, 2780, "/api/load", 10).
own("r10", 2800, 3080, "/api/load", 10).
own("r11", 3100, 3380, "/api/load", 10).
own("r12", 3400, 3680, "/api/load", 10).
own("r13", 3700, 3980, "/api/load", 10).
own("r14", 4000, 4280, "/api/load", 10).
own("r15", 4300, 4580, "/api/load", 10).
own("r16", 4600, 4880, "/api/load", 10).
own("r17", 4900, 5180, "/api/load", 10).
own("r18", 5200, 5480, "/api/load", 10).
own("r19", 5500, 5780, "/api/load", 10).
own("r20", 5800, 6080, "/api/load", 10).
own("r21", 6100, 6380, "/api/load", 10).
own("r22", 6400, 6680, "/api/load", 10).
own("r23", 6700, 6980, "/api/load", 10).
own("r24", 7000, 7280, "/api/load", 10).
own("r25", 7300, 7580, "/api/load", 10).
own("r26", 7600, 7880, "/api/load", 10).
#: expect contains
never_rests("r1", "complete", 25, 7780).
suspect("r1", "request_loop",
        "GET /api/load was asked 25 times in 7.7 s by complete, each time as soon as the answer before was there, and without end: what comes of an answer asks again").
trouble("r1", 55, "the page asks without end and never comes to rest").
#: expect absent
trouble("r1", 51, "the page waits 7.7 s for 25 requests in a row").

#: test the same that comes to an end does rest
own("r1", 100, 380, "/api/load", 10).
own("r2", 400, 680, "/api/load", 10).
own("r3", 700, 980, "/api/load", 10).
own("r4", 1000, 1280, "/api/load", 10).
own("r5", 1300, 1580, "/api/load", 10).
own("r6", 1600, 1880, "/api/load", 10).
own("r7", 1900, 2180, "/api/load", 10).
own("r8", 2200, 2480, "/api/load", 10).
own("r9", 2500, 2780, "/api/load", 10).
own("r10", 2800, 3080, "/api/load", 10).
own("r11", 3100, 3380, "/api/load", 10).
own("r12", 3400, 3680, "/api/load", 10).
own("r13", 3700, 3980, "/api/load", 10).
own("r14", 4000, 4280, "/api/load", 10).
own("r15", 4300, 4580, "/api/load", 10).
own("r16", 4600, 4880, "/api/load", 10).
own("r17", 4900, 5180, "/api/load", 10).
own("r18", 5200, 5480, "/api/load", 10).
#: expect none never_rests/4

# Kinds of fault of answers in time: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

# Asked by what stands in its query, at a millisecond.
Decl by_query(R, At, Name, Value, From) bound [/string, /number, /string, /string, /string].
request(R, "GET", Url, "data")@[A, B] :-
  by_query(R, At, Name, Value, _),
  Url = fn:string:concat("https://app.test/api/stops?", Name, "=", Value),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(At, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(fn:plus(At, 50), 1000000))).
request_path(R, "https://app.test", "/api/stops") :- by_query(R, _, _, _, _).
request_route(R, "/api/stops") :- by_query(R, _, _, _, _).
request_query(R, Name, Value) :- by_query(R, _, Name, Value, _).
answer_from(R, From) :- by_query(R, _, _, _, From).
answer(R, 200, "application/json")@[B] :-
  by_query(R, At, _, _, _),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(fn:plus(At, 50), 1000000))).

#: test an older answer that came last and is shown
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "Annegret Meier").
#: expect
suspect("r1", "race",
        "GET /api/find?q=ann was answered after GET /api/find?q=anna, which was asked later, and overwrote its answer").
trouble("r1", 60, "the page shows what GET /api/find?q=ann answered, although it asked anew since").
#: expect none cleared/2

#: test after both the same was asked once more: what stands there is of that
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
request("r3", "GET", "https://app.test/api/find?q=otto",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.100Z].
request_path("r3", "https://app.test", "/api/find").
request_route("r3", "/api/find").
request_query("r3", "q", "otto").
answer("r3", 404, "application/json")@[2026-02-19T12:00:03.100Z].
changed_after("r3").
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "Nothing as otto. Perhaps Annegret?").
#: expect none race/2

#: test an older answer that came last and is not shown
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "Annamaria Berg").
#: expect
cleared("r1", "the page shows the newer answer").
#: expect none suspect/3 trouble/3

#: test an older answer that came last and changed the page
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
changed_after("r1").
#: expect
suspect("r1", "race",
        "GET /api/find?q=ann was answered after GET /api/find?q=anna, which was asked later: it may overwrite its answer").
trouble("r1", 45, "the answer of GET /api/find?q=ann came after that of a newer question").
#: expect none cleared/2

#: test an older answer that came last and was let go
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
changed_after("r2").
#: expect
cleared("r1", "its answer came too late and changed nothing").
#: expect none suspect/3 trouble/3

#: test an older answer that came last and may be shown
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
#: expect
suspect("r1", "race",
        "GET /api/find?q=ann was answered after GET /api/find?q=anna, which was asked later: it may overwrite its answer").
trouble("r1", 20, "the answer of GET /api/find?q=ann came after that of a newer question").
#: expect none cleared/2

#: test things that are asked for at once are no questions in a row
request("r1", "GET", "https://app.test/api/cards/1",
        "data")@[2026-02-19T12:00:01.001Z, 2026-02-19T12:00:01.800Z].
request_path("r1", "https://app.test", "/api/cards/1").
request_route("r1", "/api/cards/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.800Z].
request("r2", "GET", "https://app.test/api/cards/2",
        "data")@[2026-02-19T12:00:01.002Z, 2026-02-19T12:00:01.700Z].
request_path("r2", "https://app.test", "/api/cards/2").
request_route("r2", "/api/cards/{id}").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.700Z].
request("r3", "GET", "https://app.test/api/cards/3",
        "data")@[2026-02-19T12:00:01.003Z, 2026-02-19T12:00:01.600Z].
request_path("r3", "https://app.test", "/api/cards/3").
request_route("r3", "/api/cards/{id}").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.600Z].
request("r4", "GET", "https://app.test/api/cards/4",
        "data")@[2026-02-19T12:00:01.004Z, 2026-02-19T12:00:01.500Z].
request_path("r4", "https://app.test", "/api/cards/4").
request_route("r4", "/api/cards/{id}").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.500Z].
stack("r1", 0, "card", "https://app.test/c.js", 3).
stack("r2", 0, "card", "https://app.test/c.js", 3).
stack("r3", 0, "card", "https://app.test/c.js", 3).
stack("r4", 0, "card", "https://app.test/c.js", 3).
#: expect none suspect/3 trouble/3

#: test both answers stand on the page
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "Annegret and Annamaria").
changed_after("r1").
#: expect none suspect/3 trouble/3

#: test what was asked stands in quotes on the page
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "2 found for “ann”: Annegret, Annamaria").
#: expect
suspect("r1", "race",
        "GET /api/find?q=ann was answered after GET /api/find?q=anna, which was asked later, and overwrote its answer").
trouble("r1", 60, "the page shows what GET /api/find?q=ann answered, although it asked anew since").

#: test what was asked last stands in quotes on the page
request("r1", "GET", "https://app.test/api/find?q=ann",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "ann").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/find?q=anna",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "anna").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
body_value("r1", "$.hits[].name", "Annegret").
body_value("r2", "$.hits[].name", "Annamaria").
shown("text", "1 found for “anna”: Annamaria").
#: expect
cleared("r1", "the page shows the newer answer").
#: expect none suspect/3 trouble/3

#: test parts of one list come in any order
request("r1", "GET", "https://app.test/api/list?page=1",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.900Z].
request_path("r1", "https://app.test", "/api/list").
request_route("r1", "/api/list").
request_query("r1", "page", "1").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.900Z].
request("r2", "GET", "https://app.test/api/list?page=2",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
request_query("r2", "page", "2").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i1").
#: expect none suspect/3 trouble/3

#: test the same answer for another part, byte for byte; it says by itself how it goes on
request("r1", "GET", "https://app.test/api/list?offset=0",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/list").
request_route("r1", "/api/list").
request_query("r1", "offset", "0").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request("r2", "GET", "https://app.test/api/list?offset=6",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
request_query("r2", "offset", "6").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
same_for_other("r2", "r1").
body_type("r2", "$.items", "array").
body_type("r2", "$.next_cursor", "string").
#: expect contains
suspect("r2", "repeated_page",
        "GET /api/list answered the same part of the list again, though it was asked with offset = 6; how it goes on its answer says in $.next_cursor").

#: test two parts that are both empty repeat nothing
request("r1", "GET", "https://app.test/api/list?offset=0",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/list").
request_route("r1", "/api/list").
request_query("r1", "offset", "0").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request("r2", "GET", "https://app.test/api/list?offset=6",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
request_query("r2", "offset", "6").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
same_for_other("r2", "r1").
body_type("r2", "$.items", "array").
body_empty("r2", "$.items").
#: expect none repeats_page/2

#: test the same part of a list twice
request("r1", "GET", "https://app.test/api/list?page=1",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/list").
request_route("r1", "/api/list").
request_query("r1", "page", "1").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request("r2", "GET", "https://app.test/api/list?page=2",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
request_query("r2", "page", "2").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
body_value("r1", "$.items[].id", "a").
body_value("r2", "$.items[].id", "a").
#: expect
suspect("r2", "repeated_page",
        "GET /api/list answered the same part of the list again, though it was asked with page = 2").
trouble("r2", 50, "the list repeats itself: GET /api/list answered the same part again").

#: test the next part of a list has other things
request("r1", "GET", "https://app.test/api/list?page=1",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/list").
request_route("r1", "/api/list").
request_query("r1", "page", "1").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
request("r2", "GET", "https://app.test/api/list?page=2",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/list").
request_route("r2", "/api/list").
request_query("r2", "page", "2").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
body_value("r1", "$.items[].id", "a").
body_value("r2", "$.items[].id", "a").
body_value("r2", "$.items[].id", "b").
#: expect none suspect/3 trouble/3

#: test a change that an old copy hides
request("r0a", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r0a", "https://app.test", "/api/me").
request_route("r0a", "/api/me").
answer("r0a", 200, "application/json")@[2026-02-19T12:00:00.600Z].
body_value("r0a", "$.lang", "en").
request("r1", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r1", "$.lang", "de").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r2", "$.lang", "en").
answer_from("r2", "service_worker").
#: expect
suspect("r2", "stale_cache",
        "GET /api/me was answered by the service_worker with the $.lang of before the change").
trouble("r2", 55, "GET /api/me still answers the old $.lang after the change").
#: expect none causes/3

#: test a change that the server did not keep
request("r0a", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r0a", "https://app.test", "/api/me").
request_route("r0a", "/api/me").
answer("r0a", 200, "application/json")@[2026-02-19T12:00:00.600Z].
body_value("r0a", "$.lang", "en").
request("r1", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r1", "$.lang", "de").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r2", "$.lang", "en").
answer_from("r2", "network").
#: expect
suspect("r1", "lost_update", "PUT /api/me answered success, and $.lang was not changed").
trouble("r2", 55, "GET /api/me still answers the old $.lang after the change").
causes("r2", "r1", "it should have changed that").

#: test what a server writes in another way is not the old state
request("r0a", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r0a", "https://app.test", "/api/me").
request_route("r0a", "/api/me").
answer("r0a", 200, "application/json")@[2026-02-19T12:00:00.600Z].
body_value("r0a", "$.phone", "1").
request("r1", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r1", "$.phone", "0049 2").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r2", "$.phone", "+492").
#: expect none suspect/3 trouble/3

#: test what was changed again, and what counts up by being saved
request("r0a", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r0a", "https://app.test", "/api/me").
request_route("r0a", "/api/me").
answer("r0a", 200, "application/json")@[2026-02-19T12:00:00.600Z].
body_value("r0a", "$.lang", "en").
body_value("r0a", "$.version", "1").
request("r1", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r1", "$.lang", "de").
sent_value("r1", "$.version", "2").
request("r3", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.150Z, 2026-02-19T12:00:01.250Z].
request_path("r3", "https://app.test", "/api/me").
request_route("r3", "/api/me").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.250Z].
sent_value("r3", "$.lang", "en").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r2", "$.lang", "en").
body_value("r2", "$.version", "1").
#: expect none suspect/3 trouble/3

#: test a change that is there, one of another thing, one that came before
request("r1", "PUT", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r1", "$.lang", "de").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r2", "$.lang", "de").
request("r3", "PUT", "https://app.test/api/docs/1",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r3", "https://app.test", "/api/docs/1").
request_route("r3", "/api/docs/{id}").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.100Z].
sent_value("r3", "$.title", "A").
request("r4", "GET", "https://app.test/api/docs/2",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.400Z].
request_path("r4", "https://app.test", "/api/docs/2").
request_route("r4", "/api/docs/{id}").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.400Z].
body_value("r4", "$.title", "B").
request("r5", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.600Z].
request_path("r5", "https://app.test", "/api/me").
request_route("r5", "/api/me").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.600Z].
body_value("r5", "$.lang", "en").
#: expect none suspect/3 trouble/3

#: test a reader sees what is no value
shown("text", "Total: NaN").
shown("text", "Due [object Object]").
#: expect
trouble("shown:broken", 55, "the page shows `: NaN` where a value belongs").
node_text("shown:broken", "the page shows `: NaN`").

#: test what is no number on the page comes from an answer with text in its place
shown("text", "Total: NaN").
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_type("r1", "$.items[].price", "string").
request("r2", "GET", "https://app.test/api/names",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/names").
request_route("r2", "/api/names").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_type("r2", "$.name", "string").
#: expect
suspect("r1", "changed_shape", "GET /api/items answered $.items[].price as text").
causes("shown:broken", "r1", "what is shown comes from its answer").

#: test text in the place of a number is fair where nothing is wrong on the page
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_type("r1", "$.items[].price", "string").
#: expect none suspect/3 causes/3

#: test what an answer brought is content
shown("text", "Tip: NaN is not a number").
request("r1", "GET", "https://app.test/api/tips",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tips").
request_route("r1", "/api/tips").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r1", "$.tip", "Tip: NaN is not a number").
#: expect none trouble/3 node_text/2

#: test a reader may read about such words
shown("text", "Why NaN is not equal to itself, and undefined is").
#: expect none trouble/3 node_text/2

#: test a list from the cache does not have what was added
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
lacks_sent("r3", "r2", "$.title", "Order chairs").
same_answer("r3", "r1").
answer_from("r3", "disk_cache").
#: expect
suspect("r3", "stale_cache",
        "GET /api/tasks was answered from the disk_cache as before POST /api/tasks, without Order chairs").
trouble("r3", 52, "GET /api/tasks still answers the same after POST /api/tasks").

#: test a server that did not keep what was added
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
lacks_sent("r3", "r2", "$.title", "Order chairs").
same_answer("r3", "r1").
answer_from("r3", "network").
#: expect contains
suspect("r2", "lost_update",
        "POST /api/tasks answered success, and GET /api/tasks answers the same as before, without Order chairs").
causes("r3", "r2", "it should have changed that").

#: test an answer that did change has taken it in some way
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
lacks_sent("r3", "r2", "$.title", "Order chairs").
answer_from("r3", "network").
#: expect none suspect/3 trouble/3

#: test what is done later need not be there yet
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 202, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
lacks_sent("r3", "r2", "$.title", "Order chairs").
same_answer("r3", "r1").
answer_from("r3", "network").
#: expect none suspect/3 trouble/3

#: test a part of a list need not have it
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
lacks_sent("r3", "r2", "$.title", "Order chairs").
same_answer("r3", "r1").
request_query("r3", "page", "1").
answer_from("r3", "network").
#: expect none suspect/3 trouble/3

#: test a newer question that came upon another answer, and an older one that holds all of it
request("r1", "GET", "https://app.test/api/tasks?filter=all",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:03.000Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.000Z].
body_kind("r1", "json").
request_query("r1", "filter", "all").
request("r3", "GET", "https://app.test/api/prefs",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.030Z].
request_path("r3", "https://app.test", "/api/prefs").
request_route("r3", "/api/prefs").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.030Z].
body_kind("r3", "json").
request("r2", "GET", "https://app.test/api/tasks?filter=mine",
        "data")@[2026-02-19T12:00:01.037Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
body_kind("r2", "json").
request_query("r2", "filter", "mine").
stack("r1", 0, "show", "https://app.test/app.js", 20).
stack("r2", 0, "show", "https://app.test/app.js", 20).
body_value("r1", "$.items[].title", "Release notes").
body_value("r2", "$.items[].title", "Two interviews").
holds_all_of("r1", "r2").
shown("text", "Release notes\nTwo interviews").
#: expect contains
suspect("r1", "race",
        "GET /api/tasks?filter=all was answered after GET /api/tasks?filter=mine, which was asked later, and overwrote its answer").

#: test two questions in one breath are none in a row
request("r1", "GET", "https://app.test/api/tasks?filter=all",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:03.000Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.000Z].
body_kind("r1", "json").
request_query("r1", "filter", "all").
request("r3", "GET", "https://app.test/api/prefs",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.900Z].
request_path("r3", "https://app.test", "/api/prefs").
request_route("r3", "/api/prefs").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.900Z].
body_kind("r3", "json").
request("r2", "GET", "https://app.test/api/tasks?filter=mine",
        "data")@[2026-02-19T12:00:01.037Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
body_kind("r2", "json").
request_query("r2", "filter", "mine").
stack("r1", 0, "show", "https://app.test/app.js", 20).
stack("r2", 0, "show", "https://app.test/app.js", 20).
body_value("r1", "$.items[].title", "Release notes").
body_value("r2", "$.items[].title", "Two interviews").
holds_all_of("r1", "r2").
shown("text", "Release notes\nTwo interviews").
#: expect none suspect/3 trouble/3

#: test one line asked for two things by their names, and the older came last
request("r1", "GET", "https://app.test/api/boards/design",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:03.000Z].
request_path("r1", "https://app.test", "/api/boards/design").
request_route("r1", "/api/boards/design").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.000Z].
body_kind("r1", "json").
request("r2", "GET", "https://app.test/api/boards/sales",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.700Z].
request_path("r2", "https://app.test", "/api/boards/sales").
request_route("r2", "/api/boards/sales").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.700Z].
body_kind("r2", "json").
asked_at("r1", "https://app.test/app.js", 20).
asked_at("r2", "https://app.test/app.js", 20).
stack("r1", 0, "show", "https://app.test/app.js", 20).
stack("r2", 0, "show", "https://app.test/app.js", 20).
body_value("r1", "$.name", "Design board").
body_value("r2", "$.name", "Sales board").
shown("text", "Design board").
#: expect contains
suspect("r1", "race",
        "GET /api/boards/design was answered after GET /api/boards/sales, which was asked later, and overwrote its answer").

#: test both stand on the page
request("r1", "GET", "https://app.test/api/boards/design",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:03.000Z].
request_path("r1", "https://app.test", "/api/boards/design").
request_route("r1", "/api/boards/design").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.000Z].
body_kind("r1", "json").
request("r2", "GET", "https://app.test/api/boards/sales",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.700Z].
request_path("r2", "https://app.test", "/api/boards/sales").
request_route("r2", "/api/boards/sales").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.700Z].
body_kind("r2", "json").
asked_at("r1", "https://app.test/app.js", 20).
asked_at("r2", "https://app.test/app.js", 20).
stack("r1", 0, "show", "https://app.test/app.js", 20).
stack("r2", 0, "show", "https://app.test/app.js", 20).
body_value("r1", "$.name", "Design board").
body_value("r2", "$.name", "Sales board").
shown("text", "Design board and Sales board").
#: expect none suspect/3 trouble/3

#: test a list of things that one line asks for at once
request("r1", "GET", "https://app.test/api/boards/design",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:03.000Z].
request_path("r1", "https://app.test", "/api/boards/design").
request_route("r1", "/api/boards/design").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.000Z].
body_kind("r1", "json").
request("r2", "GET", "https://app.test/api/boards/sales",
        "data")@[2026-02-19T12:00:01.030Z, 2026-02-19T12:00:01.700Z].
request_path("r2", "https://app.test", "/api/boards/sales").
request_route("r2", "/api/boards/sales").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.700Z].
body_kind("r2", "json").
asked_at("r1", "https://app.test/app.js", 20).
asked_at("r2", "https://app.test/app.js", 20).
stack("r1", 0, "show", "https://app.test/app.js", 20).
stack("r2", 0, "show", "https://app.test/app.js", 20).
body_value("r1", "$.name", "Design board").
body_value("r2", "$.name", "Sales board").
shown("text", "Boards").
#: expect none suspect/3 trouble/3

#: test a list from the cache after something in it was removed
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "DELETE", "https://app.test/api/tasks/7",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks/7").
request_route("r2", "/api/tasks/7").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
same_answer("r3", "r1").
answer_from("r3", "disk_cache").
#: expect
suspect("r3", "stale_cache",
        "GET /api/tasks was answered from the disk_cache as before DELETE /api/tasks/7").
trouble("r3", 50, "GET /api/tasks still answers the same after DELETE /api/tasks/7").

#: test from the server it is as it is
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "DELETE", "https://app.test/api/tasks/7",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks/7").
request_route("r2", "/api/tasks/7").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
same_answer("r3", "r1").
answer_from("r3", "network").
#: expect none suspect/3 trouble/3

#: test a change of something else leaves it as it is
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "DELETE", "https://app.test/api/notes/7",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/notes/7").
request_route("r2", "/api/notes/7").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
same_answer("r3", "r1").
answer_from("r3", "disk_cache").
#: expect none suspect/3 trouble/3

#: test a POST that only asks changes nothing
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "POST", "https://app.test/api/tasks/search",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/tasks/search").
request_route("r2", "/api/tasks/search").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
request("r3", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:01.200Z, 2026-02-19T12:00:01.300Z].
request_path("r3", "https://app.test", "/api/tasks").
request_route("r3", "/api/tasks").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01.300Z].
body_kind("r3", "json").
same_answer("r3", "r1").
answer_from("r3", "disk_cache").
#: expect none suspect/3 trouble/3

#: test the old answer stands under the name of the new one, which a list says, too
request("r3", "GET", "https://app.test/api/offices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/offices").
request_route("r3", "/api/offices").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$[].name", "Harbour Office").
body_value("r3", "$[].name", "Town Hall").
request("r1", "GET", "https://app.test/api/slots?office=harbour",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
request_query("r1", "office", "harbour").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "pick", "https://app.test/book.js", 9).
changed_after("r1").
body_value("r1", "$.slots[].room", "Room 80").
body_value("r1", "$.slots[].office", "Harbour Office").
request("r2", "GET", "https://app.test/api/slots?office=townhall",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/slots").
request_route("r2", "/api/slots").
request_query("r2", "office", "townhall").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.600Z].
stack("r2", 0, "pick", "https://app.test/book.js", 9).
changed_after("r2").
body_value("r2", "$.slots[].room", "Room 130").
body_value("r2", "$.slots[].office", "Town Hall").
shown("text", "Harbour Office Town Hall\nFree at Town Hall\nRoom 80, Harbour Office").
#: expect
suspect("r1", "race",
        "GET /api/slots?office=harbour was answered after GET /api/slots?office=townhall, which was asked later, and overwrote its answer").
trouble("r1", 60,
        "the page shows what GET /api/slots?office=harbour answered, although it asked anew since").

#: test both answers stand there
request("r3", "GET", "https://app.test/api/offices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/offices").
request_route("r3", "/api/offices").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$[].name", "Harbour Office").
body_value("r3", "$[].name", "Town Hall").
request("r1", "GET", "https://app.test/api/slots?office=harbour",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
request_query("r1", "office", "harbour").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "pick", "https://app.test/book.js", 9).
changed_after("r1").
body_value("r1", "$.slots[].room", "Room 80").
body_value("r1", "$.slots[].office", "Harbour Office").
request("r2", "GET", "https://app.test/api/slots?office=townhall",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/slots").
request_route("r2", "/api/slots").
request_query("r2", "office", "townhall").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.600Z].
stack("r2", 0, "pick", "https://app.test/book.js", 9).
changed_after("r2").
body_value("r2", "$.slots[].room", "Room 130").
body_value("r2", "$.slots[].office", "Town Hall").
shown("text", "Harbour Office Town Hall\nRoom 80, Harbour Office\nRoom 130, Town Hall").
#: expect none suspect/3 trouble/3

#: test the new one has nothing of its own to tell
request("r3", "GET", "https://app.test/api/offices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/offices").
request_route("r3", "/api/offices").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$[].name", "Harbour Office").
body_value("r3", "$[].name", "Town Hall").
request("r1", "GET", "https://app.test/api/slots?office=harbour",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
request_query("r1", "office", "harbour").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "pick", "https://app.test/book.js", 9).
changed_after("r1").
body_value("r1", "$.slots[].room", "Room 80").
body_value("r1", "$.slots[].office", "Harbour Office").
request("r2", "GET", "https://app.test/api/slots?office=townhall",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/slots").
request_route("r2", "/api/slots").
request_query("r2", "office", "townhall").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.600Z].
stack("r2", 0, "pick", "https://app.test/book.js", 9).
changed_after("r2").
body_value("r2", "$.office", "Town Hall").
shown("text", "Harbour Office Town Hall\nFree at Town Hall\nRoom 80, Harbour Office").
#: expect none suspect/3 trouble/3

#: test the new one is shown, by what a list says, too
request("r3", "GET", "https://app.test/api/offices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/offices").
request_route("r3", "/api/offices").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$[].name", "Harbour Office").
body_value("r3", "$[].name", "Town Hall").
request("r1", "GET", "https://app.test/api/slots?office=harbour",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
request_query("r1", "office", "harbour").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "pick", "https://app.test/book.js", 9).
changed_after("r1").
body_value("r1", "$.slots[].room", "Room 80").
body_value("r1", "$.slots[].office", "Harbour Office").
request("r2", "GET", "https://app.test/api/slots?office=townhall",
        "data")@[2026-02-19T12:00:01.300Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/slots").
request_route("r2", "/api/slots").
request_query("r2", "office", "townhall").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.600Z].
stack("r2", 0, "pick", "https://app.test/book.js", 9).
changed_after("r2").
body_value("r2", "$.office", "Town Hall").
shown("text", "Harbour Office Town Hall\nFree at Town Hall").
#: expect none suspect/3 trouble/3

#: test a number that is a text in some rows; an account is no count
request("r1", "GET", "https://app.test/api/entries",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/entries").
request_route("r1", "/api/entries").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
shown("text", "Balance due: €NaN").
body_type("r1", "$[].account", "string").
body_type("r1", "$[].amount", "number").
body_type("r1", "$[].amount", "string").
#: expect
suspect("r1", "changed_shape",
        "GET /api/entries answered $[].amount as a text here and as a number there").

#: test numbers by the ends of names
request("r1", "GET", "https://app.test/api/entries",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/entries").
request_route("r1", "/api/entries").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
shown("text", "Balance due: €NaN").
body_type("r1", "$.discount", "string").
body_type("r1", "$.netAmount", "string").
#: expect
suspect("r1", "changed_shape", "GET /api/entries answered $.netAmount as text").

#: test texts that only end alike
request("r1", "GET", "https://app.test/api/entries",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/entries").
request_route("r1", "/api/entries").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
shown("text", "Balance due: €NaN").
body_type("r1", "$.account", "string").
body_type("r1", "$.discount", "string").
body_type("r1", "$.evaluation", "string").
#: expect none suspect/3

#: test a choice is made at once, and the list of all comes last
request("r1", "GET", "https://app.test/api/users?role=",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
request_query("r1", "role", "").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "load", "https://app.test/users.js", 17).
changed_after("r1").
body_value("r1", "$.users[].name", "Anna Keller").
body_value("r1", "$.users[].name", "Hanna Roth").
request("r2", "GET", "https://app.test/api/users?role=teacher",
        "data")@[2026-02-19T12:00:01.004Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/users").
request_route("r2", "/api/users").
request_query("r2", "role", "teacher").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
stack("r2", 0, "load", "https://app.test/users.js", 17).
changed_after("r2").
asked_after_input("r2", "i1").
body_value("r2", "$.users[].name", "Hanna Roth").
input("i1", "change", "select#role", "all teacher")@[2026-02-19T12:00:01.003Z].
holds_all_of("r1", "r2").
shown("text", "Users\nAnna Keller\nHanna Roth").
#: expect
suspect("r1", "race",
        "GET /api/users?role= was answered after GET /api/users?role=teacher, which was asked later, and overwrote its answer").
trouble("r1", 60,
        "the page shows what GET /api/users?role= answered, although it asked anew since").

#: test nothing was chosen between: two lists side by side
request("r1", "GET", "https://app.test/api/users?role=",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
request_query("r1", "role", "").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "load", "https://app.test/users.js", 17).
changed_after("r1").
body_value("r1", "$.users[].name", "Anna Keller").
body_value("r1", "$.users[].name", "Hanna Roth").
request("r2", "GET", "https://app.test/api/users?role=teacher",
        "data")@[2026-02-19T12:00:01.004Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/users").
request_route("r2", "/api/users").
request_query("r2", "role", "teacher").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
stack("r2", 0, "load", "https://app.test/users.js", 17).
changed_after("r2").
body_value("r2", "$.users[].name", "Hanna Roth").
holds_all_of("r1", "r2").
shown("text", "Users\nAnna Keller\nHanna Roth").
#: expect none suspect/3 trouble/3

#: test a choice is made, and the page asks for both
request("r1", "GET", "https://app.test/api/users?role=",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
request_query("r1", "role", "").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "load", "https://app.test/users.js", 17).
changed_after("r1").
body_value("r1", "$.users[].name", "Anna Keller").
body_value("r1", "$.users[].name", "Hanna Roth").
request("r2", "GET", "https://app.test/api/users?role=teacher",
        "data")@[2026-02-19T12:00:01.004Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/users").
request_route("r2", "/api/users").
request_query("r2", "role", "teacher").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
stack("r2", 0, "load", "https://app.test/users.js", 17).
changed_after("r2").
asked_after_input("r2", "i1").
body_value("r2", "$.users[].name", "Hanna Roth").
input("i1", "change", "select#role", "all teacher")@[2026-02-19T12:00:01.003Z].
asked_after_input("r1", "i1").
holds_all_of("r1", "r2").
shown("text", "Users\nAnna Keller\nHanna Roth").
#: expect none suspect/3 trouble/3

#: test a choice is made at once, and its list stands
request("r1", "GET", "https://app.test/api/users?role=",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:02.800Z].
request_path("r1", "https://app.test", "/api/users").
request_route("r1", "/api/users").
request_query("r1", "role", "").
answer("r1", 200, "application/json")@[2026-02-19T12:00:02.800Z].
stack("r1", 0, "load", "https://app.test/users.js", 17).
changed_after("r1").
body_value("r1", "$.users[].name", "Anna Keller").
body_value("r1", "$.users[].name", "Hanna Roth").
request("r2", "GET", "https://app.test/api/users?role=teacher",
        "data")@[2026-02-19T12:00:01.004Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/users").
request_route("r2", "/api/users").
request_query("r2", "role", "teacher").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.200Z].
stack("r2", 0, "load", "https://app.test/users.js", 17).
changed_after("r2").
asked_after_input("r2", "i1").
body_value("r2", "$.users[].name", "Hanna Roth").
input("i1", "change", "select#role", "all teacher")@[2026-02-19T12:00:01.003Z].
holds_all_of("r1", "r2").
shown("text", "Users\nHanna Roth").
#: expect none suspect/3 trouble/3

#: test what was marked is asked for elsewhere, and comes from a store without the mark
request("r1", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/courses/11/lessons").
request_route("r1", "/api/courses/11/lessons").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
answer_from("r1", "network").
body_value("r1", "$.lessons[].completed", "false").
request("r2", "PUT", "https://app.test/api/lessons/1/progress",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/lessons/1/progress").
request_route("r2", "/api/lessons/1/progress").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
answer_from("r2", "network").
asked_after_input("r2", "i1").
sent_value("r2", "$.completed", "true").
request("r3", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:02.110Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/courses/11/lessons").
request_route("r3", "/api/courses/11/lessons").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
answer_from("r3", "disk_cache").
asked_after_input("r3", "i1").
same_answer("r3", "r1").
body_value("r3", "$.lessons[].completed", "false").
#: expect
suspect("r3", "stale_cache",
        "GET /api/courses/11/lessons was answered from the disk_cache as before PUT /api/lessons/1/progress").
trouble("r3", 50,
        "GET /api/courses/11/lessons still answers the same after PUT /api/lessons/1/progress").

#: test what comes from the store has nothing to do with what was sent
request("r1", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/courses/11/lessons").
request_route("r1", "/api/courses/11/lessons").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
answer_from("r1", "network").
body_value("r1", "$.lessons[].completed", "false").
request("r2", "PUT", "https://app.test/api/lessons/1/progress",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/lessons/1/progress").
request_route("r2", "/api/lessons/1/progress").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
answer_from("r2", "network").
asked_after_input("r2", "i1").
sent_value("r2", "$.minutes", "5").
request("r3", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:02.110Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/courses/11/lessons").
request_route("r3", "/api/courses/11/lessons").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
answer_from("r3", "disk_cache").
asked_after_input("r3", "i1").
same_answer("r3", "r1").
body_value("r3", "$.lessons[].completed", "false").
#: expect none suspect/3 trouble/3

#: test it has the new value
request("r1", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/courses/11/lessons").
request_route("r1", "/api/courses/11/lessons").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
answer_from("r1", "network").
body_value("r1", "$.lessons[].completed", "false").
request("r2", "PUT", "https://app.test/api/lessons/1/progress",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/lessons/1/progress").
request_route("r2", "/api/lessons/1/progress").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
answer_from("r2", "network").
asked_after_input("r2", "i1").
sent_value("r2", "$.completed", "true").
request("r3", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:02.110Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/courses/11/lessons").
request_route("r3", "/api/courses/11/lessons").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
answer_from("r3", "disk_cache").
asked_after_input("r3", "i1").
same_answer("r3", "r1").
body_value("r3", "$.lessons[].completed", "false").
body_value("r3", "$.lessons[].completed", "true").
#: expect none suspect/3 trouble/3

#: test it was asked for by another deed
request("r1", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/courses/11/lessons").
request_route("r1", "/api/courses/11/lessons").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
answer_from("r1", "network").
body_value("r1", "$.lessons[].completed", "false").
request("r2", "PUT", "https://app.test/api/lessons/1/progress",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/lessons/1/progress").
request_route("r2", "/api/lessons/1/progress").
answer("r2", 200, "application/json")@[2026-02-19T12:00:02.100Z].
answer_from("r2", "network").
asked_after_input("r2", "i1").
sent_value("r2", "$.completed", "true").
request("r3", "GET", "https://app.test/api/courses/11/lessons",
        "data")@[2026-02-19T12:00:02.110Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/courses/11/lessons").
request_route("r3", "/api/courses/11/lessons").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
answer_from("r3", "disk_cache").
same_answer("r3", "r1").
body_value("r3", "$.lessons[].completed", "false").
#: expect none suspect/3 trouble/3

# ---- what a service worker keeps ------------------------------------------------------------------------

#: test a worker that looks for the address without its query
by_query("r1", 100, "floor", "1", "service_worker").
by_query("r2", 110, "floor", "1", "network").
by_query("r3", 900, "floor", "2", "service_worker").
holds_all_of("r1", "r3").
body_value("r1", "$.stops[]", "Gate").
body_value("r3", "$.stops[]", "Gate").
request("r9", "GET", "https://app.test/guide/sw.js",
        "worker")@[2026-02-19T12:00:00.050Z, 2026-02-19T12:00:00.090Z].
request_path("r9", "https://app.test", "/guide/sw.js").
#: expect
trouble("r3", 54,
        "GET /api/stops with floor = 2 was answered by the service worker with what it keeps for floor = 1").
change_at("r3", "/guide/sw.js", "look for the whole address, with its query (no ignoreSearch)").

#: test a part of what was answered before, what is asked for anew behind the answer, and what the network answered
by_query("r1", 100, "floor", "all", "network").
by_query("r3", 900, "floor", "2", "service_worker").
holds_all_of("r1", "r3").
body_value("r1", "$.stops[]", "Gate").
body_value("r1", "$.stops[]", "Hall").
body_value("r3", "$.stops[]", "Gate").
by_query("r4", 1900, "floor", "3", "service_worker").
by_query("r5", 1910, "floor", "3", "network").
holds_all_of("r1", "r4").
by_query("r6", 2900, "floor", "4", "network").
holds_all_of("r3", "r6").
#: expect none kept_as_other/5

#: test a choice that only the newer question makes
by_query("r1", 1000, "q", "vase", "network").
request("r2", "GET", "https://app.test/api/stops?q=vase&open=1",
        "data")@[2026-02-19T12:00:00.800Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/stops").
request_route("r2", "/api/stops").
request_query("r2", "q", "vase").
request_query("r2", "open", "1").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.900Z].
stack("r1", 0, "load", "https://app.test/a.js", 7).
stack("r2", 0, "load", "https://app.test/a.js", 7).
#: expect
overtaken("r2", "r1").

#: test questions that are sent by POST, and answered the other way round
request("r1", "POST", "https://app.test/api/search",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03Z].
request_path("r1", "https://app.test", "/api/search").
request_route("r1", "/api/search").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03Z].
sent_value("r1", "$.text", "maple").
body_value("r1", "$.results[].title", "maple no. 1").
stack("r1", 0, "search", "https://app.test/s.js", 3).
request("r2", "POST", "https://app.test/api/search",
        "data")@[2026-02-19T12:00:01.500Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/search").
request_route("r2", "/api/search").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.600Z].
sent_value("r2", "$.text", "syrup").
body_value("r2", "$.results[].title", "syrup no. 1").
stack("r2", 0, "search", "https://app.test/s.js", 3).
changed_after("r1").
shown("text", "Seeds\nmaple no. 1").
#: expect contains
suspect("r1", "race",
        "POST /api/search was answered after POST /api/search, which was asked later, and overwrote its answer").

#: test a rough question goes out with the whole one, and its answer comes last and is shown
input("i1", "change", "input#drug", "")@[2026-02-19T12:00:01.003Z].
request("r1", "GET", "https://app.test/api/drugs?q=am",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03Z].
request_path("r1", "https://app.test", "/api/drugs").
request_route("r1", "/api/drugs").
request_query("r1", "q", "am").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03Z].
changed_after("r1").
stack("r1", 0, "ask", "https://app.test/drugs.js", 12).
request("r2", "GET", "https://app.test/api/drugs?q=amoxi",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/drugs").
request_route("r2", "/api/drugs").
request_query("r2", "q", "amoxi").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
changed_after("r2").
stack("r2", 0, "ask", "https://app.test/drugs.js", 12).
asks_further("r1", "r2").
shows_older("r1", "r2").
#: expect
stale("r1", "r2").
suspect("r1", "race",
        "GET /api/drugs?q=am was answered after GET /api/drugs?q=amoxi, which was asked later, and overwrote its answer").
#: expect none cleared/2

#: test the page shows the whole one's, or both, or nobody was typing
input("i1", "change", "input#drug", "")@[2026-02-19T12:00:07Z].
request("r1", "GET", "https://app.test/api/drugs?q=am",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:03Z].
request_path("r1", "https://app.test", "/api/drugs").
request_route("r1", "/api/drugs").
request_query("r1", "q", "am").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03Z].
changed_after("r1").
stack("r1", 0, "ask", "https://app.test/drugs.js", 12).
request("r2", "GET", "https://app.test/api/drugs?q=amoxi",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/drugs").
request_route("r2", "/api/drugs").
request_query("r2", "q", "amoxi").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
changed_after("r2").
stack("r2", 0, "ask", "https://app.test/drugs.js", 12).
asks_further("r1", "r2").
shows_older("r1", "r2").
#: expect none stale/2 suspect/3

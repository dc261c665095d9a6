# Kinds of fault of what was sent, and of the things answered: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test an answer that is of another thing
request("r1", "GET", "https://app.test/api/shipments/EX-2041/papers",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/shipments/EX-2041/papers").
request_route("r1", "/api/shipments/{id}/papers").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
answered_another("r1", "EX-2041", "EX-2014").
#: expect
suspect("r1", "mixed_up_id",
        "GET /api/shipments/EX-2041/papers asks for EX-2041 and is answered what is of EX-2014, another one").
trouble("r1", 54, "what is shown as of EX-2041 is of EX-2014").

#: test asked with what no one means
request("r1", "GET", "https://app.test/api/stock?region=undefined",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/stock").
request_route("r1", "/api/stock").
request_query("r1", "region", "undefined").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/users/undefined/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/users/undefined/cart").
request_route("r2", "/api/users/undefined/cart").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r3", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/quote").
request_route("r3", "/api/quote").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
sent_value("r3", "$.weight", "NaN").
request("r4", "GET", "https://app.test/api/a?id=null",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/a").
request_route("r4", "/api/a").
request_query("r4", "id", "null").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r5", "GET", "https://app.test/api/undefined-words",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r5", "https://app.test", "/api/undefined-words").
request_route("r5", "/api/undefined-words").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r6", "GET", "https://ads.test/ads?u=undefined",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r6", "https://ads.test", "/ads").
request_route("r6", "/ads").
request_query("r6", "u", "undefined").
answer("r6", 200, "application/json")@[2026-02-19T12:00:00.200Z].
third_party("r6").
request("r7", "POST", "https://app.test/api/note",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r7", "https://app.test", "/api/note").
request_route("r7", "/api/note").
answer("r7", 200, "application/json")@[2026-02-19T12:00:00.200Z].
sent_value("r7", "$.parent", "null").
request("r8", "POST", "https://app.test/api/collect",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r8", "https://app.test", "/api/collect").
request_route("r8", "/api/collect").
answer("r8", 200, "application/json")@[2026-02-19T12:00:00.200Z].
sent_value("r8", "$.from", "undefined").
#: expect
suspect("r1", "bad_argument", "GET /api/stock was asked with region = undefined").
suspect("r2", "bad_argument", "GET /api/users/undefined/cart was asked with its path = undefined").
suspect("r3", "bad_argument", "POST /api/quote was asked with $.weight = NaN").
suspect("r4", "bad_argument", "GET /api/a was asked with id = null").
trouble("r1", 20, "GET /api/stock was asked with region = undefined").
trouble("r2", 20, "GET /api/users/undefined/cart was asked with its path = undefined").
trouble("r3", 55, "POST /api/quote was asked with $.weight = NaN").
trouble("r4", 20, "GET /api/a was asked with id = null").

#: test another thing than was asked for
request("r1", "GET", "https://app.test/api/users/7",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/users/7").
request_route("r1", "/api/users/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r1", "$.id", "8").
body_value("r1", "$.name", "Bo").
request("r2", "GET", "https://app.test/api/product?id=p-3",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/product").
request_route("r2", "/api/product").
request_query("r2", "id", "p-3").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r2", "$.id", "p-9").
#: expect
suspect("r1", "mixed_up_id", "GET /api/users/7 answered the thing with id 8").
suspect("r2", "mixed_up_id", "GET /api/product answered the thing with id p-9").
trouble("r1", 60, "GET /api/users/7 was answered with another thing, id 8").
trouble("r2", 60, "GET /api/product was answered with another thing, id p-9").

#: test an id that stands elsewhere in the answer is the one
request("r1", "GET", "https://app.test/api/orders/7",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders/7").
request_route("r1", "/api/orders/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r1", "$.id", "5f3a").
body_value("r1", "$.number", "7").
request("r2", "GET", "https://app.test/api/orders/8",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/orders/8").
request_route("r2", "/api/orders/{id}").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r2", "$.id", "8").
request("r3", "GET", "https://app.test/api/users/7/profile",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/users/7/profile").
request_route("r3", "/api/users/{id}/profile").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$.id", "31").
request("r4", "GET", "https://app.test/api/list?id=3",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/list").
request_route("r4", "/api/list").
request_query("r4", "id", "3").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r4", "$.id", "x").
body_value("r4", "$.item.id", "3").
#: expect none suspect/3 trouble/3

#: test null in one answer is null in the next question
request("r1", "GET", "https://app.test/api/region",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/region").
request_route("r1", "/api/region").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.warehouse", "null").
body_empty("r1", "$.warehouse").
request("r2", "GET", "https://app.test/api/stock?warehouse=null",
        "data")@[2026-02-19T12:00:00.210Z, 2026-02-19T12:00:00.310Z].
request_path("r2", "https://app.test", "/api/stock").
request_route("r2", "/api/stock").
request_query("r2", "warehouse", "null").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.310Z].
sent_value("r2", "$.warehouse", "null").
#: expect
suspect("r1", "null_member",
        "GET /api/region answered null at $.warehouse, which the next request needs").
suspect("r2", "bad_argument", "GET /api/stock was asked with warehouse = null").
causes("r2", "r1", "it was asked with what this answer should have held").

#: test a credential without a value comes from the empty answer that should have brought it
request("r1", "GET", "https://app.test/api/csrf",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/csrf").
request_route("r1", "/api/csrf").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
body_empty("r1", "$.token").
request("r2", "POST", "https://app.test/api/email",
        "data")@[2026-02-19T12:00:01.500Z, 2026-02-19T12:00:01.600Z].
request_path("r2", "https://app.test", "/api/email").
request_route("r2", "/api/email").
answer("r2", 403, "application/json")@[2026-02-19T12:00:01.600Z].
credential_sent("r2", "csrf").
credential_empty("r2", "csrf").
#: expect
suspect("r1", "empty_data",
        "GET /api/csrf answered nothing at $.token, which the next request needs").
suspect("r2", "not_authorized", "POST /api/email answered 403").
causes("r2", "r1", "it was asked with what this answer should have held").

#: test a null that was sent, and refused, comes from the answer whose address is called so
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.id", "null").
body_empty("r1", "$.id").
request("r2", "POST", "https://app.test/api/token",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/token").
request_route("r2", "/api/token").
answer("r2", 400, "application/json")@[2026-02-19T12:00:00.305Z].
sent_type("r2", "$.session", "null").
sent_empty("r2", "$.session").
request("r3", "POST", "https://app.test/api/note",
        "data")@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:01Z].
request_path("r3", "https://app.test", "/api/note").
request_route("r3", "/api/note").
answer("r3", 200, "application/json")@[2026-02-19T12:00:01Z].
sent_type("r3", "$.parent", "null").
sent_empty("r3", "$.parent").
#: expect
suspect("r1", "null_member",
        "GET /api/session answered null at $.id, which the next request needs").
suspect("r2", "rejected", "POST /api/token answered 400").
causes("r2", "r1", "it was asked with what this answer should have held").

#: test an empty place in an answer is empty in the next question of the same code
request("r1", "GET", "https://app.test/api/plan",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/plan").
request_route("r1", "/api/plan").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.code", "string").
body_empty("r1", "$.code").
stack("r1", 0, "go", "https://app.test/p.js", 4).
request("r2", "GET", "https://app.test/api/features?plan=",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/features").
request_route("r2", "/api/features").
request_query("r2", "plan", "").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.305Z].
sent_empty("r2", "$.plan").
stack("r2", 0, "go", "https://app.test/p.js", 4).
#: expect
suspect("r1", "empty_data",
        "GET /api/plan answered nothing at $.code, which the next request needs").
causes("r2", "r1", "it was asked with what this answer should have held").

#: test an empty place in a question is fair where no answer before it had one
request("r1", "GET", "https://app.test/api/plan",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/plan").
request_route("r1", "/api/plan").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.code", "string").
stack("r1", 0, "go", "https://app.test/p.js", 4).
request("r2", "GET", "https://app.test/api/find?q=",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/find").
request_route("r2", "/api/find").
request_query("r2", "q", "").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.305Z].
sent_empty("r2", "$.q").
stack("r2", 0, "go", "https://app.test/p.js", 4).
#: expect none suspect/3 causes/3

#: test undefined right after an answer, in the same code, means that the answer lacks it
request("r1", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/profile").
request_route("r1", "/api/profile").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
stack("r1", 0, "call", "https://app.test/p.js", 45).
request("r3", "GET", "https://app.test/api/other",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r3", "https://app.test", "/api/other").
request_route("r3", "/api/other").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.150Z].
body_kind("r3", "json").
request("r2", "GET", "https://app.test/api/texts/undefined",
        "data")@[2026-02-19T12:00:00.260Z, 2026-02-19T12:00:00.360Z].
request_path("r2", "https://app.test", "/api/texts/undefined").
request_route("r2", "/api/texts/undefined").
answer("r2", 404, "application/json")@[2026-02-19T12:00:00.360Z].
stack("r2", 0, "load", "https://app.test/i.js", 6).
stack("r2", 1, "call", "https://app.test/p.js", 45).
#: expect
suspect("r1", "missing_member",
        "GET /api/profile answered without what GET /api/texts/undefined needs for its path").
suspect("r2", "bad_argument", "GET /api/texts/undefined was asked with its path = undefined").
suspect("r2", "missing_route", "GET /api/texts/undefined answered 404").
causes("r2", "r1", "it was asked right after this answer, with a value that is not there").

#: test of two answers the one that was asked a few lines above
request("r1", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/profile").
request_route("r1", "/api/profile").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
stack("r1", 0, "call", "https://app.test/x.js", 17).
stack("r1", 1, "", "https://app.test/p.js", 45).
request("r3", "GET", "https://app.test/api/csrf",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.203Z].
request_path("r3", "https://app.test", "/api/csrf").
request_route("r3", "/api/csrf").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.203Z].
body_kind("r3", "json").
stack("r3", 0, "call", "https://app.test/x.js", 17).
stack("r3", 1, "", "https://app.test/p.js", 57).
request("r2", "GET", "https://app.test/api/texts/undefined",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/texts/undefined").
request_route("r2", "/api/texts/undefined").
answer("r2", 404, "application/json")@[2026-02-19T12:00:00.305Z].
stack("r2", 0, "call", "https://app.test/x.js", 17).
stack("r2", 1, "", "https://app.test/p.js", 47).
#: expect
causes("r2", "r1", "it was asked right after this answer, with a value that is not there").

#: test undefined long after an answer, or in other code, does not
request("r1", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/profile").
request_route("r1", "/api/profile").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
stack("r1", 0, "call", "https://app.test/p.js", 45).
request("r2", "GET", "https://app.test/api/texts/undefined",
        "data")@[2026-02-19T12:00:02.600Z, 2026-02-19T12:00:02.700Z].
request_path("r2", "https://app.test", "/api/texts/undefined").
request_route("r2", "/api/texts/undefined").
answer("r2", 404, "application/json")@[2026-02-19T12:00:02.700Z].
stack("r2", 0, "call", "https://app.test/p.js", 45).
request("r4", "GET", "https://app.test/api/texts/NaN",
        "data")@[2026-02-19T12:00:00.260Z, 2026-02-19T12:00:00.360Z].
request_path("r4", "https://app.test", "/api/texts/NaN").
request_route("r4", "/api/texts/NaN").
answer("r4", 404, "application/json")@[2026-02-19T12:00:00.360Z].
stack("r4", 0, "call", "https://app.test/q.js", 45).
#: expect none causes/3

#: test nothing in a place right after a failure comes of it
request("r1", "POST", "https://app.test/api/trip",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/trip").
request_route("r1", "/api/trip").
answer("r1", 500, "application/json")@[2026-02-19T12:00:00.200Z].
stack("r1", 0, "go", "https://app.test/t.js", 4).
request("r2", "GET", "https://app.test/api/offers?trip=",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/offers").
request_route("r2", "/api/offers").
request_query("r2", "trip", "").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.305Z].
sent_empty("r2", "$.trip").
stack("r2", 0, "go", "https://app.test/t.js", 4).
request("r3", "GET", "https://app.test/api/ads",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r3", "https://app.test", "/api/ads").
request_route("r3", "/api/ads").
answer("r3", 500, "application/json")@[2026-02-19T12:00:00.150Z].
stack("r3", 0, "ad", "https://app.test/a.js", 4).
#: expect
causes("r2", "r1", "it was asked with nothing in a place, right after this failed").

#: test what could not be read is missing long after
request("r1", "GET", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/settings").
request_route("r1", "/api/settings").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
request("r2", "POST", "https://app.test/api/undefined/save",
        "data")@[2026-02-19T12:00:05Z, 2026-02-19T12:00:05.100Z].
request_path("r2", "https://app.test", "/api/undefined/save").
request_route("r2", "/api/undefined/save").
answer("r2", 404, "application/json")@[2026-02-19T12:00:05.100Z].
#: expect
suspect("r1", "wrong_content_type", "GET /api/settings answered a page (HTML) in place of data").
suspect("r2", "bad_argument", "POST /api/undefined/save was asked with its path = undefined").
suspect("r2", "missing_route", "POST /api/undefined/save answered 404").
causes("r2", "r1", "what its answer should have held is not there: it is a page").

#: test nothing by name, but a hollow answer right before in the same code
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.owner", "null").
body_empty("r1", "$.owner").
stack("r1", 0, "go", "https://app.test/p.js", 4).
request("r2", "GET", "https://app.test/api/offers?region=undefined",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/offers").
request_route("r2", "/api/offers").
request_query("r2", "region", "undefined").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.305Z].
stack("r2", 0, "go", "https://app.test/p.js", 4).
#: expect
suspect("r1", "null_member",
        "GET /api/cart answered null at $.owner, which the next request needs").
suspect("r2", "bad_argument", "GET /api/offers was asked with region = undefined").
causes("r2", "r1", "it was asked with what this answer should have held").

#: test a change that failed is why the next at the same thing is refused
request("r1", "POST", "https://app.test/api/documents/7/lock",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/documents/7/lock").
request_route("r1", "/api/documents/{id}/lock").
answer("r1", 500, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "PUT", "https://app.test/api/documents/7",
        "data")@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:01Z].
request_path("r2", "https://app.test", "/api/documents/7").
request_route("r2", "/api/documents/{id}").
answer("r2", 409, "application/json")@[2026-02-19T12:00:01Z].
request("r3", "PUT", "https://app.test/api/documents/8",
        "data")@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:01Z].
request_path("r3", "https://app.test", "/api/documents/8").
request_route("r3", "/api/documents/{id}").
answer("r3", 409, "application/json")@[2026-02-19T12:00:01Z].
request("r4", "GET", "https://app.test/api/documents/7",
        "data")@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:01Z].
request_path("r4", "https://app.test", "/api/documents/7").
request_route("r4", "/api/documents/{id}").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01Z].
#: expect
causes("r2", "r1", "the change before it, at the same thing, had failed").

#: test the answer has what the question lacks: the code did not read it by that name
request("r1", "GET", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/settings").
request_route("r1", "/api/settings").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
stack("r1", 0, "load", "https://app.test/p.js", 2).
body_type("r1", "$.currency", "string").
body_value("r1", "$.currency", "EUR").
request("r2", "GET", "https://app.test/api/prices?currency=undefined",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/prices").
request_route("r2", "/api/prices").
answer("r2", 400, "application/json")@[2026-02-19T12:00:00.305Z].
body_kind("r2", "json").
stack("r2", 0, "load", "https://app.test/p.js", 3).
request_query("r2", "currency", "undefined").
#: expect
suspect("r2", "bad_argument", "GET /api/prices was asked with currency = undefined").
suspect("r2", "rejected", "GET /api/prices answered 400").
suspect("r2", "misread_member",
        "GET /api/prices was asked with currency = undefined, though GET /api/settings had answered it").
#: expect none causes/3

#: test the answer has another member alone: it lacks what the question needed
request("r1", "GET", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/settings").
request_route("r1", "/api/settings").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
stack("r1", 0, "load", "https://app.test/p.js", 2).
body_type("r1", "$.locale", "string").
body_value("r1", "$.locale", "de").
request("r2", "GET", "https://app.test/api/prices?currency=undefined",
        "data")@[2026-02-19T12:00:00.205Z, 2026-02-19T12:00:00.305Z].
request_path("r2", "https://app.test", "/api/prices").
request_route("r2", "/api/prices").
answer("r2", 400, "application/json")@[2026-02-19T12:00:00.305Z].
body_kind("r2", "json").
stack("r2", 0, "load", "https://app.test/p.js", 3).
request_query("r2", "currency", "undefined").
#: expect
causes("r2", "r1", "it was asked right after this answer, with a value that is not there").
#: expect none misread/3

#: test not found, with the id of another sort of thing
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
request("r2", "POST", "https://app.test/api/visits/7731/move",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/visits/7731/move").
request_route("r2", "/api/visits/7731/move").
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
#: expect contains
suspect("r2", "wrong_id",
        "POST /api/visits/7731/move was sent 7731 as its address, which GET /api/visits had answered as $.visits[].slotId").

#: test found, it was the right one
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
request("r2", "POST", "https://app.test/api/visits/7731/move",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/visits/7731/move").
request_route("r2", "/api/visits/7731/move").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
#: expect none suspect/3

#: test an address of that sort of thing takes its id
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
request("r2", "POST", "https://app.test/api/slots/7731/move",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/slots/7731/move").
request_route("r2", "/api/slots/7731/move").
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
#: expect absent
suspect("r2", "wrong_id",
        "POST /api/slots/7731/move was sent 7731 as its address, which GET /api/visits had answered as $.visits[].slotId").

#: test an id that is also the thing's own is right
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
body_value("r1", "$.others[].id", "7731").
request("r2", "POST", "https://app.test/api/visits/7731/move",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/visits/7731/move").
request_route("r2", "/api/visits/7731/move").
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
#: expect absent
suspect("r2", "wrong_id",
        "POST /api/visits/7731/move was sent 7731 as its address, which GET /api/visits had answered as $.visits[].slotId").

#: test refused, with the id of another sort in its body
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
request("r2", "POST", "https://app.test/api/cancel",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/cancel").
request_route("r2", "/api/cancel").
answer("r2", 422, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
sent_value("r2", "$.visitId", "7731").
#: expect contains
suspect("r2", "wrong_id",
        "POST /api/cancel was sent 7731 as $.visitId, which GET /api/visits had answered as $.visits[].slotId").

#: test sent by the name that it had is right, whatever was refused
request("r1", "GET", "https://app.test/api/visits",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/visits").
request_route("r1", "/api/visits").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_value("r1", "$.visits[].id", "501").
body_value("r1", "$.visits[].slotId", "7731").
id_word("$.visits[].slotId", "slot").
request("r2", "POST", "https://app.test/api/cancel",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/cancel").
request_route("r2", "/api/cancel").
answer("r2", 422, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
sent_value("r2", "$.slotId", "7731").
#: expect absent
suspect("r2", "wrong_id",
        "POST /api/cancel was sent 7731 as $.slotId, which GET /api/visits had answered as $.visits[].slotId").

#: test where a list goes on was answered, by another name than the code reads
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r1", "$.next_cursor", "o5x").
request("r2", "GET", "https://app.test/api/orders?cursor=undefined",
        "data")@[2026-02-19T12:00:03.100Z, 2026-02-19T12:00:03.200Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.200Z].
request_query("r2", "cursor", "undefined").
body_value("r2", "$.next_cursor", "o5x").
holds_all_of("r1", "r2").
#: expect
suspect("r2", "bad_argument", "GET /api/orders was asked with cursor = undefined").
suspect("r2", "misread_member",
        "GET /api/orders was asked with cursor = undefined, though GET /api/orders had answered where to go on, at $.next_cursor").
trouble("r2", 55, "GET /api/orders was asked with cursor = undefined").

#: test the next part of a list, another endpoint's cursor, and one that came later
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r1", "$.next_cursor", "o5x").
request("r2", "GET", "https://app.test/api/orders?cursor=o5x",
        "data")@[2026-02-19T12:00:03.100Z, 2026-02-19T12:00:03.200Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.200Z].
request_query("r2", "cursor", "o5x").
holds_all_of("r1", "r2").
request("r3", "GET", "https://app.test/api/notes?cursor=undefined",
        "data")@[2026-02-19T12:00:04.100Z, 2026-02-19T12:00:04.200Z].
request_path("r3", "https://app.test", "/api/notes").
request_route("r3", "/api/notes").
answer("r3", 200, "application/json")@[2026-02-19T12:00:04.200Z].
request_query("r3", "cursor", "undefined").
request("r4", "GET", "https://app.test/api/notes",
        "data")@[2026-02-19T12:00:05.100Z, 2026-02-19T12:00:05.200Z].
request_path("r4", "https://app.test", "/api/notes").
request_route("r4", "/api/notes").
answer("r4", 200, "application/json")@[2026-02-19T12:00:05.200Z].
body_value("r4", "$.next_cursor", "n2").
#: expect
suspect("r3", "bad_argument", "GET /api/notes was asked with cursor = undefined").
trouble("r3", 20, "GET /api/notes was asked with cursor = undefined").

#: test a number that loses its last digits is asked for as another one
request("r1", "GET", "https://app.test/api/parcels",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/parcels").
request_route("r1", "/api/parcels").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/parcels/1187205518434566100",
        "data")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.200Z].
request_path("r2", "https://app.test", "/api/parcels/1187205518434566100").
request_route("r2", "/api/parcels").
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.200Z].
request("r3", "GET", "https://app.test/api/parcels/9007199254740992",
        "data")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.200Z].
request_path("r3", "https://app.test", "/api/parcels/9007199254740992").
request_route("r3", "/api/parcels").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.200Z].
asked_rounded("r2", "r1", "1187205518434566117", "1187205518434566100").
asked_rounded("r3", "r1", "1187205518434566117", "1187205518434566100").
#: expect contains
suspect("r1", "rounded_number",
        "GET /api/parcels answers ids as numbers beyond 2^53: 1187205518434566117 is read as 1187205518434566100").
causes("r2", "r1", "it was asked with a number that had lost its last digits").
trouble("r1", 55,
        "GET /api/parcels answers ids as numbers beyond 2^53: 1187205518434566117 is read as 1187205518434566100").

#: test a server that forgives it does no harm
request("r1", "GET", "https://app.test/api/parcels",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/parcels").
request_route("r1", "/api/parcels").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r3", "GET", "https://app.test/api/parcels/1187205518434566100",
        "data")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.200Z].
request_path("r3", "https://app.test", "/api/parcels/1187205518434566100").
request_route("r3", "/api/parcels").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.200Z].
asked_rounded("r3", "r1", "1187205518434566117", "1187205518434566100").
#: expect none trouble/3

#: test a thing was asked for with the id of something else
request("r1", "GET", "https://app.test/api/meters/SP-2041/series",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/meters/SP-2041/series").
request_route("r1", "/api/meters/{id}/series").
answer("r1", 404, "application/json")@[2026-02-19T12:00:00.250Z].
asked_with_id_of("r1", "meters", "SP-2041", "r0", "points.id").
id_was_there("r1", "meter.id", "M-77120").
#: expect contains
suspect("r1", "mixed_up_id",
        "GET /api/meters/SP-2041/series asks with another id than that of meters: SP-2041 is points.id, the right one is meter.id, M-77120").
trouble("r1", 56,
        "what GET /api/meters/SP-2041/series asks for is not there: SP-2041 is the id of something else (points.id)").

#: test the same that is answered is right as it is
request("r1", "GET", "https://app.test/api/meters/SP-2041/series",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/meters/SP-2041/series").
request_route("r1", "/api/meters/{id}/series").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
body_kind("r1", "json").
body_type("r1", "$.values", "array").
asked_with_id_of("r1", "meters", "SP-2041", "r0", "points.id").
id_was_there("r1", "meter.id", "M-77120").
#: expect none suspect/3 trouble/3

#: test another thing was answered
request("r1", "GET", "https://app.test/api/products/113",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/products/113").
request_route("r1", "/api/products/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
asked_with_id_of("r1", "products", "113", "r0", "category.id").
id_was_there("r1", "products.id", "341").
answered_other("r1", "Lamp Nora", "Rake Till").
#: expect contains
suspect("r1", "mixed_up_id",
        "GET /api/products/113 asks with another id than that of products: 113 is category.id, the right one is products.id, 341").
trouble("r1", 57, "for Lamp Nora is shown what GET /api/products/113 answered: Rake Till").

#: test the failed answer that the same function waited for goes before one of which it knows nothing
request("r1", "GET", "https://app.test/api/notices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.190Z].
request_path("r1", "https://app.test", "/api/notices").
request_route("r1", "/api/notices").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.190Z].
body_kind("r1", "json").
stack("r1", 0, "getJson", "https://app.test/http.js", 17).
stack("r1", 1, "notices", "https://app.test/api.js", 5).
stack("r1", 2, "", "https://app.test/main.js", 16).
request("r2", "GET", "https://app.test/api/home",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.195Z].
request_path("r2", "https://app.test", "/api/home").
request_route("r2", "/api/home").
answer("r2", 500, "application/json")@[2026-02-19T12:00:00.195Z].
body_kind("r2", "json").
stack("r2", 0, "getJson", "https://app.test/http.js", 17).
stack("r2", 1, "home", "https://app.test/api.js", 3).
stack("r2", 2, "show", "https://app.test/main.js", 8).
request("r3", "GET", "https://app.test/api/classes",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.290Z].
request_path("r3", "https://app.test", "/api/classes").
request_route("r3", "/api/classes").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.290Z].
body_kind("r3", "json").
request_query("r3", "studio", "undefined").
body_type("r3", "$", "array").
body_empty("r3", "$").
stack("r3", 0, "getJson", "https://app.test/http.js", 17).
stack("r3", 1, "classesOf", "https://app.test/api.js", 8).
stack("r3", 2, "show", "https://app.test/main.js", 10).
#: expect contains
causes("r3", "r2", "it was asked with nothing in a place, right after this failed").
#: expect none by_order/2

#: test where another function asked for what failed the answer before counts
request("r1", "GET", "https://app.test/api/notices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.190Z].
request_path("r1", "https://app.test", "/api/notices").
request_route("r1", "/api/notices").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.190Z].
body_kind("r1", "json").
stack("r1", 0, "getJson", "https://app.test/http.js", 17).
stack("r1", 1, "notices", "https://app.test/api.js", 5).
stack("r1", 2, "", "https://app.test/main.js", 16).
request("r2", "GET", "https://app.test/api/home",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.110Z].
request_path("r2", "https://app.test", "/api/home").
request_route("r2", "/api/home").
answer("r2", 500, "application/json")@[2026-02-19T12:00:00.195Z].
body_kind("r2", "json").
stack("r2", 0, "getJson", "https://app.test/http.js", 17).
stack("r2", 2, "badge", "https://app.test/main.js", 8).
request("r3", "GET", "https://app.test/api/classes",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.290Z].
request_path("r3", "https://app.test", "/api/classes").
request_route("r3", "/api/classes").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.290Z].
body_kind("r3", "json").
request_query("r3", "studio", "undefined").
body_type("r3", "$", "array").
body_empty("r3", "$").
stack("r3", 0, "getJson", "https://app.test/http.js", 17).
stack("r3", 1, "classesOf", "https://app.test/api.js", 8).
stack("r3", 2, "show", "https://app.test/main.js", 10).
#: expect contains
by_order("r3", "r1").

#: test where the function waited for both the answer counts, too
request("r1", "GET", "https://app.test/api/notices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.190Z].
request_path("r1", "https://app.test", "/api/notices").
request_route("r1", "/api/notices").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.190Z].
body_kind("r1", "json").
stack("r1", 0, "getJson", "https://app.test/http.js", 17).
stack("r1", 1, "notices", "https://app.test/api.js", 5).
stack("r1", 2, "show", "https://app.test/main.js", 9).
request("r2", "GET", "https://app.test/api/home",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.195Z].
request_path("r2", "https://app.test", "/api/home").
request_route("r2", "/api/home").
answer("r2", 500, "application/json")@[2026-02-19T12:00:00.195Z].
body_kind("r2", "json").
stack("r2", 0, "getJson", "https://app.test/http.js", 17).
stack("r2", 1, "home", "https://app.test/api.js", 3).
stack("r2", 2, "show", "https://app.test/main.js", 8).
request("r3", "GET", "https://app.test/api/classes",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.290Z].
request_path("r3", "https://app.test", "/api/classes").
request_route("r3", "/api/classes").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.290Z].
body_kind("r3", "json").
request_query("r3", "studio", "undefined").
body_type("r3", "$", "array").
body_empty("r3", "$").
stack("r3", 0, "getJson", "https://app.test/http.js", 17).
stack("r3", 1, "classesOf", "https://app.test/api.js", 8).
stack("r3", 2, "show", "https://app.test/main.js", 10).
#: expect contains
by_order("r3", "r1").

# Kinds of fault of what was answered and sent: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 45_scripts.mg 46_sockets.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a page in place of data is abnormal where data is meant
request("r1", "GET", "https://app.test/api/plans",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/plans").
request_route("r1", "/api/plans").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
error("e1", "SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.320Z].
error_awaits("e1", "r1").
#: expect
suspect("r1", "wrong_content_type", "GET /api/plans answered a page (HTML) in place of data").
causes("e1", "r1", "its answer was read as JSON and is none").
check_by("r1", "GET /api/plans answers JSON").

#: test a fragment of a page is what some code asks for
request("r1", "GET", "https://app.test/partials/menu",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/partials/menu").
request_route("r1", "/partials/menu").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
#: expect none suspect/3

#: test code that reads a page as JSON shows that data was meant
request("r1", "GET", "https://app.test/plans",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/plans").
request_route("r1", "/plans").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
error("e1", "SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.320Z].
error_awaits("e1", "r1").
#: expect
suspect("r1", "wrong_content_type", "GET /plans answered a page (HTML) in place of data").
causes("e1", "r1", "its answer was read as JSON and is none").

#: test where nobody is known to have awaited it, the last unreadable answer before counts
request("r1", "GET", "https://app.test/api/old",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r1", "https://app.test", "/api/old").
request_route("r1", "/api/old").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.150Z].
body_kind("r1", "html").
request("r2", "GET", "https://app.test/api/plans",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/plans").
request_route("r2", "/api/plans").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.300Z].
body_kind("r2", "invalid_json").
request("r3", "GET", "https://app.test/api/fine",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.310Z].
request_path("r3", "https://app.test", "/api/fine").
request_route("r3", "/api/fine").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.310Z].
body_kind("r3", "json").
error("e1", "SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.320Z].
#: expect
suspect("r1", "wrong_content_type", "GET /api/old answered a page (HTML) in place of data").
suspect("r2", "invalid_json", "GET /api/plans answered JSON that cannot be read").
causes("e1", "r2", "its answer was read as JSON and is none").

#: test the page of an error is the error
request("r1", "GET", "https://app.test/api/plans",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/plans").
request_route("r1", "/api/plans").
answer("r1", 502, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
#: expect
suspect("r1", "server_error", "GET /api/plans answered 502").

#: test nothing where JSON is read
request("r1", "POST", "https://app.test/api/save",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/save").
request_route("r1", "/api/save").
answer("r1", 204, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "empty").
error("e1", "SyntaxError", "Failed to execute 'json' on 'Response': Unexpected end of JSON input",
      "rejection")@[2026-02-19T12:00:00.320Z].
error_awaits("e1", "r1").
#: expect
suspect("r1", "empty_data", "POST /api/save answered nothing, where JSON is read").
causes("e1", "r1", "its answer was read as JSON and is none").

#: test nothing where nobody reads it is fair
request("r1", "POST", "https://app.test/api/save",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/save").
request_route("r1", "/api/save").
answer("r1", 204, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "empty").
#: expect none suspect/3

#: test an error that calls itself a success
request("r1", "POST", "https://app.test/api/promo",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/promo").
request_route("r1", "/api/promo").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r1", "$.error", "no such code").
request("r2", "POST", "https://app.test/api/pay",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/pay").
request_route("r2", "/api/pay").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r2", "$.ok", "false").
request("r3", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/x").
request_route("r3", "/api/x").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r3", "$.status", "failed").
body_says_error("r3", "$.message", "db is down").
#: expect
suspect("r1", "error_in_body", "POST /api/promo answered 200 with an error in it: no such code").
suspect("r2", "error_in_body", "POST /api/pay answered 200 with an error in it: it failed").
suspect("r3", "error_in_body", "GET /api/x answered 200 with an error in it: db is down").

#: test words of people are no errors, and what has an error status is known by it
request("r1", "GET", "https://app.test/api/chat",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/chat").
request_route("r1", "/api/chat").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r1", "$.items[].message", "all broken here").
request("r2", "GET", "https://app.test/api/hello",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/hello").
request_route("r2", "/api/hello").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r2", "$.message", "welcome").
request("r3", "GET", "https://app.test/api/y",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/y").
request_route("r3", "/api/y").
answer("r3", 422, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r3", "$.error", "name missing").
#: expect
suspect("r3", "rejected", "GET /api/y answered 422").

#: test an empty list is fair; it is abnormal where code that awaited it fails
request("r1", "GET", "https://app.test/api/news",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/news").
request_route("r1", "/api/news").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_empty("r1", "$.items").
request("r2", "GET", "https://app.test/api/regions",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/regions").
request_route("r2", "/api/regions").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_empty("r2", "$").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'id')",
      "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r2").
#: expect
suspect("r2", "empty_data", "GET /api/regions answered nothing at $").

#: test null that code goes into
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_type("r1", "$.address", "null").
body_empty("r1", "$.address").
error("e1", "TypeError", "Cannot read properties of null (reading 'city')",
      "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r1").
#: expect
suspect("r1", "null_member", "GET /api/me answered null at $.address").

#: test another shape than before
request("r1", "GET", "https://app.test/api/rates",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rates").
request_route("r1", "/api/rates").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/rates",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/rates").
request_route("r2", "/api/rates").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_changed("r2", "r1", "$.rates", "array", "object").
body_changed("r2", "r1", "$.base", "string", "missing").
body_changed("r2", "r1", "$.day", "string", "null").
body_changed("r2", "r1", "$.note", "missing", "string").
#: expect
suspect("r2", "changed_shape", "GET /api/rates answered $.rates as object, before it was array").
suspect("r2", "missing_member", "GET /api/rates answered without $.base, before it was there").
suspect("r2", "null_member", "GET /api/rates answered null at $.day, before it was string").

#: test a member that the code reads and the answer lacks
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.cart", "object").
body_type("r1", "$.cart.rows", "array").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'map')",
      "rejection")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/cart.js", 9).
error_awaits("e1", "r1").
reads_path("e1", "cart.lines").
reads_path("e1", "cart.lines.map").
#: expect
suspect("e1", "script_error",
        "/cart.js:9 throws Cannot read properties of undefined (reading \'map\')").
suspect("r1", "missing_member",
        "GET /api/cart answered without `cart.lines`, which the code reads").
causes("e1", "r1", "the code reads `cart.lines` of its answer, which is not there").

#: test a member that is there is not missing
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.cart.lines", "array").
error("e1", "TypeError", "x is not iterable", "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r1").
reads_path("e1", "cart.lines").
#: expect none suspect/3

#: test an object that the code goes through as a list
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
error("e1", "TypeError", "list.map is not a function", "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r1").
error_about_name("e1", "list.map").
#: expect
suspect("r1", "changed_shape",
        "GET /api/cart answered an object, and the code goes through it as a list").
causes("e1", "r1", "the code takes its answer for a list").

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
#: expect
suspect("r1", "bad_argument", "GET /api/stock was asked with region = undefined").
suspect("r2", "bad_argument", "GET /api/users/undefined/cart was asked with its path = undefined").
suspect("r3", "bad_argument", "POST /api/quote was asked with $.weight = NaN").
suspect("r4", "bad_argument", "GET /api/a was asked with id = null").
trouble("r1", 55, "GET /api/stock was asked with region = undefined").
trouble("r2", 55, "GET /api/users/undefined/cart was asked with its path = undefined").
trouble("r3", 55, "POST /api/quote was asked with $.weight = NaN").
trouble("r4", 55, "GET /api/a was asked with id = null").

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
        "GET /api/find was answered after a newer question of the same code: it may overwrite the newer answer").
trouble("r1", 60, "the page shows what GET /api/find answered, although it asked anew since").
#: expect none cleared/2

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
        "GET /api/find was answered after a newer question of the same code: it may overwrite the newer answer").
trouble("r1", 35, "the answer of GET /api/find came after that of a newer question").
#: expect none cleared/2

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
suspect("r2", "repeated_page", "GET /api/list answered the same part of the list again").
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

#: test a reader may read about such words
shown("text", "Why NaN is not equal to itself, and undefined is").
#: expect none trouble/3 node_text/2

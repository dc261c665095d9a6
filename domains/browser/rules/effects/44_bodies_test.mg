# Kinds of fault of what was answered and sent: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
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
check_by("r1", "GET /api/plans answers in the type that is asked for").

#: test where the body is not known its type counts
request("r1", "PUT", "https://app.test/api/notes/7",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/notes/7").
request_route("r1", "/api/notes/{id}").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "none").
error("e1", "SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.320Z].
#: expect
suspect("r1", "wrong_content_type", "PUT /api/notes/7 answered a page (HTML) in place of data").
causes("e1", "r1", "its answer was read as JSON and is none").

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
error("e1", "SyntaxError", "Expected property name or '}' in JSON at position 1",
      "rejection")@[2026-02-19T12:00:00.320Z].
#: expect
suspect("r1", "wrong_content_type", "GET /api/old answered a page (HTML) in place of data").
suspect("r2", "invalid_json", "GET /api/plans answered JSON that cannot be read").
causes("e1", "r2", "its answer was read as JSON and is none").

#: test an error that names the < of a page is about a page, though other answers came later
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
error("e1", "SyntaxError", "Unexpected token '<', \"<!doctype \"... is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.320Z].
#: expect
suspect("r1", "wrong_content_type", "GET /api/old answered a page (HTML) in place of data").
suspect("r2", "invalid_json", "GET /api/plans answered JSON that cannot be read").
causes("e1", "r1", "its answer was read as JSON and is none").

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

#: test no error is none, and one without words failed all the same
request("r1", "POST", "https://app.test/api/a",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/a").
request_route("r1", "/api/a").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r1", "$.error", "false").
request("r2", "POST", "https://app.test/api/b",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/b").
request_route("r2", "/api/b").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_value("r2", "$.ok", "false").
body_says_error("r2", "$.ok", "false").
request("r3", "POST", "https://app.test/graphql",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/graphql").
request_route("r3", "/graphql").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_says_error("r3", "$.errors", "").
body_says_error("r3", "$.errors[].message", "timed out").
#: expect
suspect("r2", "error_in_body", "POST /api/b answered 200 with an error in it: it failed").
suspect("r3", "error_in_body", "POST /graphql answered 200 with an error in it: timed out").

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

#: test a list that is empty is named before a text, and what only repeats the question is not
request("r1", "GET", "https://app.test/api/find?q=",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/find").
request_route("r1", "/api/find").
request_query("r1", "q", "").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_empty("r1", "$.q").
body_type("r1", "$.q", "string").
body_empty("r1", "$.hint").
body_type("r1", "$.hint", "string").
body_empty("r1", "$.rows").
body_type("r1", "$.rows", "array").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'id')",
      "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r1").
#: expect
suspect("r1", "empty_data", "GET /api/find answered nothing at $.rows").

#: test a list that was full before
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/rows").
request_route("r2", "/api/rows").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_changed("r2", "r1", "$.rows[].id", "number", "missing").
body_empty("r2", "$.rows").
#: expect
suspect("r2", "empty_data", "GET /api/rows answered nothing at $.rows").
suspect("r2", "missing_member", "GET /api/rows answered without $.rows[].id, before it was there").

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

#: test of two awaited answers only that counts from which the code says that its value came
request("r1", "GET", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/settings").
request_route("r1", "/api/settings").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.currency", "string").
request("r2", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.290Z].
request_path("r2", "https://app.test", "/api/cart").
request_route("r2", "/api/cart").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.290Z].
body_kind("r2", "json").
body_type("r2", "$.rows", "array").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'map')",
      "rejection")@[2026-02-19T12:00:00.300Z].
error_awaits("e1", "r1").
error_awaits("e1", "r2").
data_from("e1", "r2", "$.lines").
reads_path("e1", "lines").
#: expect absent
lacks_member("e1", "r1", "lines").
#: expect
lacks_member("e1", "r2", "lines").

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

#: test a member is read while the request that brings it is under way
request("r1", "GET", "https://app.test/api/members",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/api/members").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.900Z].
body_type("r1", "$.members[].name", "string").
stack("r1", 0, "load", "https://app.test/people.js", 6).
stack("r1", 1, "open", "https://app.test/page.js", 12).
error("e1", "TypeError", "Cannot read properties of undefined (reading 'name')",
      "console")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
error_expression("e1", "people.get(id)", "name").
stack("e1", 0, "nameOf", "https://app.test/people.js", 11).
stack("e1", 1, "open", "https://app.test/page.js", 14).
#: expect contains
suspect("r1", "not_awaited",
        "GET /api/members was still under way when /people.js:11 read `name`, which its answer has: it is not awaited").
causes("e1", "r1", "what it read came only afterwards").
change_at("r1", "/page.js:12", "let who needs its answer wait for it").

#: test one that was there by then, one that has no such member, one of another file
request("r1", "GET", "https://app.test/api/members",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r1", "https://app.test", "/api/members").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.150Z].
body_type("r1", "$.members[].name", "string").
stack("r1", 0, "load", "https://app.test/people.js", 6).
request("r2", "GET", "https://app.test/api/teams",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r2", "https://app.test", "/api/teams").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.900Z].
body_type("r2", "$.teams[].id", "string").
stack("r2", 0, "load", "https://app.test/people.js", 7).
request("r3", "GET", "https://app.test/api/badge",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r3", "https://app.test", "/api/badge").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.900Z].
body_type("r3", "$.name", "string").
stack("r3", 0, "load", "https://app.test/badge.js", 7).
error("e1", "TypeError", "Cannot read properties of undefined (reading 'name')",
      "console")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.200Z].
error_expression("e1", "people.get(id)", "name").
stack("e1", 0, "nameOf", "https://app.test/people.js", 11).
#: expect none read_too_soon/2

#: test a question in GraphQL whose errors nobody reads
request("r1", "POST", "https://app.test/api/graph",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/graph").
request_route("r1", "/api/graph").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r1", "json").
body_type("r1", "$.data", "object").
body_type("r1", "$.data.ledger", "null").
body_type("r1", "$.errors", "array").
body_says_error("r1", "$.errors", "").
body_says_error("r1", "$.errors[].message", "the period is locked").
code_takes("r1", "$.data", "https://app.test/graph.js", 26).
#: expect contains
trouble("r1", 52, "the error that POST /api/graph answers is taken for a success").

#: test and of code that looks at them nobody says so
request("r1", "POST", "https://app.test/api/graph",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/graph").
request_route("r1", "/api/graph").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r1", "json").
body_type("r1", "$.data.ledger", "null").
body_type("r1", "$.errors", "array").
body_says_error("r1", "$.errors[].message", "the period is locked").
code_takes("r1", "$.errors", "https://app.test/graph.js", 26).
#: expect none taken_for_success/1

#: test a change is refused within a success, and the page goes on as it had begun
request("r1", "DELETE", "https://app.test/api/alarms/11",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/alarms/11").
request_route("r1", "/api/alarms/11").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.100Z].
body_says_error("r1", "$.ok", "false").
body_says_error("r1", "$.error", "alarm is locked").
body_value("r1", "$.ok", "false").
unchanged_after("r1").
#: expect contains
trouble("r1", 52, "the error that DELETE /api/alarms/11 answers is taken for a success").

#: test the same, and its user is told
request("r1", "DELETE", "https://app.test/api/alarms/11",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.100Z].
request_path("r1", "https://app.test", "/api/alarms/11").
request_route("r1", "/api/alarms/11").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.100Z].
body_says_error("r1", "$.ok", "false").
body_says_error("r1", "$.error", "alarm is locked").
body_value("r1", "$.ok", "false").
shown("text", "alarm is locked").
#: expect none taken_for_success/1

#: test a list within the answer is gone through: what failed is something else
request("r1", "GET", "https://app.test/api/parcels",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/parcels").
request_route("r1", "/api/parcels").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_type("r1", "$", "object").
body_type("r1", "$.parcels[]", "object").
code_takes("r1", "$.parcels[]", "https://app.test/a.js", 8).
error("e1", "TypeError", "view.columns.map is not a function", "exception")@[2026-02-19T12:00:02Z].
error_about_name("e1", "view.columns.map").
error_awaits("e1", "r1").
#: expect none suspect/3

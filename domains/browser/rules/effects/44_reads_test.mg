# Kinds of fault of reading: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a name that is spelled otherwise than in the answer
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.slots", "array").
code_misses("r1", "$.slots[].practicioner", "https://app.test/app.js", 6).
near_name("r1", "$.slots[].practicioner", "$.slots[].practitioner").
#: expect
suspect("read:/app.js:6 $.slots[].practicioner", "misread_member",
        "/app.js:6 reads $.slots[].practicioner of the answer of GET /api/slots, which has it as $.slots[].practitioner").
trouble("read:/app.js:6 $.slots[].practicioner", 46,
        "nothing stands where $.slots[].practicioner was to be shown or used").
#: expect contains
change_at("read:/app.js:6 $.slots[].practicioner", "/app.js:6",
          "read the value by the name that the answer has: $.slots[].practitioner").

#: test an error after the awaited answer comes of it
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.slots", "array").
code_misses("r1", "$.slots[].practicioner", "https://app.test/app.js", 6).
near_name("r1", "$.slots[].practicioner", "$.slots[].practitioner").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'toUpperCase')",
      "exception")@[2026-02-19T12:00:00.400Z].
error_awaits("e1", "r1").
#: expect contains
causes("e1", "read:/app.js:6 $.slots[].practicioner",
       "the code reads a name that the awaited answer does not have").

#: test an amount in cents that is an object with its currency now
request("r1", "GET", "https://app.test/api/tariff",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tariff").
request_route("r1", "/api/tariff").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.steps", "array").
body_type("r1", "$.steps[].amount", "object").
code_misses("r1", "$.steps[].amount_cents", "https://app.test/app.js", 6).
#: expect contains
misread_at("read:/app.js:6 $.steps[].amount_cents", "r1", "$.steps[].amount_cents",
           "$.steps[].amount", "/app.js:6").

#: test not if the code reads the object, too
request("r1", "GET", "https://app.test/api/tariff",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tariff").
request_route("r1", "/api/tariff").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.steps", "array").
body_type("r1", "$.steps[].amount", "object").
code_misses("r1", "$.steps[].amount_cents", "https://app.test/app.js", 6).
code_takes("r1", "$.steps[].amount", "https://app.test/app.js", 7).
#: expect none misread_at/5

#: test code that reads both names knows of both
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.slots", "array").
code_asks_for("r1", "$.slots[].createdAt", "https://app.test/app.js", 6).
near_name("r1", "$.slots[].createdAt", "$.slots[].created_at").
code_takes("r1", "$.slots[].created_at", "https://app.test/app.js", 6).
#: expect none suspect/3 trouble/3

#: test what is missing and has no namesake is not told without a sign of it
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.slots", "array").
code_misses("r1", "$.current", "https://app.test/app.js", 6).
code_asks_for("r1", "$.next", "https://app.test/app.js", 7).
#: expect none suspect/3 trouble/3

#: test an answer that failed lacks everything
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 500, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_misses("r1", "$.slots[].practicioner", "https://app.test/app.js", 6).
near_name("r1", "$.slots[].practicioner", "$.slots[].practitioner").
#: expect none trouble/3
#: expect absent
suspect("read:/app.js:6 $.slots[].practicioner", "misread_member",
        "/app.js:6 reads $.slots[].practicioner of the answer of GET /api/slots, which has it as $.slots[].practitioner").

#: test a name that other code may read shows only by what is missing
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.slots", "array").
code_misses("r1", "$.slots[].practicioner", "https://app.test/app.js", 6).
near_name("r1", "$.slots[].practicioner", "$.slots[].practitioner").
code_hands_on("r1", "$.slots[]").
#: expect none trouble/3
#: expect
suspect("read:/app.js:6 $.slots[].practicioner", "misread_member",
        "/app.js:6 reads $.slots[].practicioner of the answer of GET /api/slots, which has it as $.slots[].practitioner").

#: test the same name at another place, and the page shows that it is missing
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_misses("r1", "$.total", "https://app.test/app.js", 5).
name_elsewhere("r1", "$.total", "$.summary.total").
shown("text", "Total: NaN").
#: expect contains
suspect("read:/app.js:5 $.total", "misread_member",
        "/app.js:5 reads $.total of the answer of GET /api/cart, which has it as $.summary.total").
causes("shown:broken", "read:/app.js:5 $.total", "what is shown was to come from there").

#: test a member that the code asks for may be elsewhere
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_asks_for("r1", "$.total", "https://app.test/app.js", 5).
name_elsewhere("r1", "$.total", "$.summary.total").
#: expect none suspect/3 trouble/3

#: test it is missing, it is shown as missing, and nothing else is called so
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_misses("r1", "$.total", "https://app.test/app.js", 5).
shown("text", "Total: NaN").
#: expect
suspect("r1", "missing_member", "GET /api/cart answered without $.total, which /app.js:5 reads").
trouble("shown:broken", 55, "the page shows `: NaN` where a value belongs").

#: test a list of another name stays empty
request("r1", "GET", "https://app.test/api/rooms",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rooms").
request_route("r1", "/api/rooms").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.rooms", "array").
code_asks_for("r1", "$.items", "https://app.test/app.js", 4).
code_misses("r1", "$.items[]", "https://app.test/app.js", 9).
#: expect
suspect("read:/app.js:9 $.items[]", "misread_member",
        "/app.js:9 reads $.items[] of the answer of GET /api/rooms, which has it as $.rooms").
trouble("read:/app.js:9 $.items[]", 46,
        "the list $.items[] stays empty, although its content was answered").

#: test where the code reads a list that is there, the other is optional
request("r1", "GET", "https://app.test/api/rooms",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rooms").
request_route("r1", "/api/rooms").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.rooms", "array").
code_asks_for("r1", "$.items", "https://app.test/app.js", 4).
code_misses("r1", "$.items[]", "https://app.test/app.js", 9).
code_takes("r1", "$.rooms", "https://app.test/app.js", 5).
#: expect none suspect/3 trouble/3

#: test where the whole answer goes elsewhere, nobody knows
request("r1", "GET", "https://app.test/api/rooms",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rooms").
request_route("r1", "/api/rooms").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.rooms", "array").
code_asks_for("r1", "$.items", "https://app.test/app.js", 4).
code_misses("r1", "$.items[]", "https://app.test/app.js", 9).
code_hands_on("r1", "$").
#: expect none suspect/3 trouble/3

#: test where the answer's list is empty, nothing is missed
request("r1", "GET", "https://app.test/api/rooms",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rooms").
request_route("r1", "/api/rooms").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.rooms", "array").
code_asks_for("r1", "$.items", "https://app.test/app.js", 4).
code_misses("r1", "$.items[]", "https://app.test/app.js", 9).
body_empty("r1", "$.rooms").
#: expect none suspect/3 trouble/3

#: test what is asked with nothing comes of a name that was misread
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "GET", "https://app.test/api/tasks?after=undefined",
        "data")@[2026-02-19T12:00:00.210Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.300Z].
body_kind("r2", "json").
request_query("r2", "after", "undefined").
code_misses("r1", "$.nextCursor", "https://app.test/app.js", 8).
near_name("r1", "$.nextCursor", "$.next_cursor").
#: expect contains
causes("r2", "read:/app.js:8 $.nextCursor",
       "it was asked with what the code had not found in that answer").
#: expect absent
suspect("r1", "missing_member",
        "GET /api/tasks answered without what GET /api/tasks needs for after").

#: test asked with nothing long after, it does not
request("r1", "GET", "https://app.test/api/tasks",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/tasks").
request_route("r1", "/api/tasks").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "GET", "https://app.test/api/tasks?after=undefined",
        "data")@[2026-02-19T12:00:14.000Z, 2026-02-19T12:00:14.100Z].
request_path("r2", "https://app.test", "/api/tasks").
request_route("r2", "/api/tasks").
answer("r2", 200, "application/json")@[2026-02-19T12:00:14.100Z].
body_kind("r2", "json").
request_query("r2", "after", "undefined").
code_misses("r1", "$.nextCursor", "https://app.test/app.js", 8).
near_name("r1", "$.nextCursor", "$.next_cursor").
#: expect none causes/3

#: test a date that cannot be read is shown
request("r1", "GET", "https://app.test/api/next",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/next").
request_route("r1", "/api/next").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.next", "date", "https://app.test/app.js", 4).
body_value("r1", "$.next", "31.02.2026 10h").
shown("text", "Next: Invalid Date").
#: expect contains
suspect("read:/app.js:4 $.next", "misread_value",
        "/app.js:4 makes a date of $.next of the answer of GET /api/next, which is 31.02.2026 10h").
causes("shown:broken", "read:/app.js:4 $.next", "the date that is shown was made there").

#: test a date that is read well is none, and numbers are none
request("r1", "GET", "https://app.test/api/next",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/next").
request_route("r1", "/api/next").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.next", "date", "https://app.test/app.js", 4).
body_value("r1", "$.next", "31.02.2026 10h").
shown("text", "Next: 2 March").
code_reads_as("r1", "$.count", "number", "https://app.test/app.js", 5).
#: expect none suspect/3 trouble/3

#: test a page is read as JSON, and nobody says so
request("r1", "GET", "https://app.test/api/letters",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/letters").
request_route("r1", "/api/letters").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
code_reads_json("r1").
#: expect
suspect("r1", "wrong_content_type", "GET /api/letters answered a page (HTML) in place of data").
suspect("r1", "wrong_content_type",
        "GET /api/letters answered a page (HTML), and the code reads JSON").
trouble("r1", 48, "the code goes on without the data of GET /api/letters").

#: test nothing is read as JSON
request("r1", "DELETE", "https://app.test/api/pins/7",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/pins/7").
request_route("r1", "/api/pins/7").
answer("r1", 204, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "empty").
code_reads_json("r1").
#: expect
suspect("r1", "empty_data", "DELETE /api/pins/7 answered no JSON, and the code reads some").
trouble("r1", 48, "the code goes on without the data of DELETE /api/pins/7").

#: test code that looks first, or reads text, knows what came
request("r1", "DELETE", "https://app.test/api/pins/7",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/pins/7").
request_route("r1", "/api/pins/7").
answer("r1", 204, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "empty").
code_may_read_json("r1").
request("r2", "GET", "https://app.test/fragments/row",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/fragments/row").
request_route("r2", "/fragments/row").
answer("r2", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r2", "html").
#: expect none suspect/3 trouble/3

#: test a field that the page makes itself is none of the answer's
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'name')",
      "exception")@[2026-02-19T12:00:00.400Z].
error_awaits("e1", "r1").
reads_path("e1", "with").
own_path("e1", "with").
#: expect none causes/3
#: expect absent
suspect("r1", "missing_member", "GET /api/slots answered without `with`, which the code reads").

#: test a name that nobody makes is missing in the awaited answer
request("r1", "GET", "https://app.test/api/slots",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/slots").
request_route("r1", "/api/slots").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'name')",
      "exception")@[2026-02-19T12:00:00.400Z].
error_awaits("e1", "r1").
reads_path("e1", "with").
#: expect contains
suspect("r1", "missing_member", "GET /api/slots answered without `with`, which the code reads").

#: test an answer that is wrapped once more than the code thinks
request("r1", "GET", "https://app.test/api/rooms",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rooms").
request_route("r1", "/api/rooms").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_asks_for("r1", "$.items", "https://app.test/app.js", 4).
name_elsewhere("r1", "$.items", "$.data.items").
body_type("r1", "$.data.items", "array").
#: expect contains
suspect("read:/app.js:4 $.items", "misread_member",
        "/app.js:4 reads $.items of the answer of GET /api/rooms, which has it as $.data.items").
trouble("read:/app.js:4 $.items", 46, "nothing stands where $.items was to be shown or used").

#: test what is read of a missing object may be read in good time
request("r1", "GET", "https://app.test/api/doc",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/doc").
request_route("r1", "/api/doc").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_misses("r1", "$.current", "https://app.test/app.js", 4).
code_misses("r1", "$.current.version", "https://app.test/app.js", 4).
name_elsewhere("r1", "$.current.version", "$.version").
#: expect none trouble/3

#: test a number and a text are never the same
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.items[].id", "same text", "https://app.test/app.js", 9).
body_type("r1", "$.items[].id", "number").
#: expect
suspect("read:/app.js:9 $.items[].id", "type_mismatch",
        "/app.js:9 compares $.items[].id of the answer of GET /api/items, a number, with a text: they are never the same").
trouble("read:/app.js:9 $.items[].id", 44,
        "/app.js:9 compares $.items[].id of the answer of GET /api/items, a number, with a text: they are never the same").

#: test a text and a number neither
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.items[].id", "same number", "https://app.test/app.js", 9).
body_type("r1", "$.items[].id", "string").
#: expect contains
suspect("read:/app.js:9 $.items[].id", "type_mismatch",
        "/app.js:9 compares $.items[].id of the answer of GET /api/items, a text, with a number: they are never the same").

#: test members of one item are each compared with their own
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.items[]", "object").
body_type("r1", "$.items[].id", "number").
body_type("r1", "$.items[].city", "string").
code_reads_as("r1", "$.items[].id", "same", "https://app.test/app.js", 9).
code_reads_as("r1", "$.items[].city", "same", "https://app.test/app.js", 9).
#: expect none suspect/3 trouble/3

#: test members of two answers, one a number and one a text
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.items[].id", "same", "https://app.test/app.js", 9).
body_type("r1", "$.items[].id", "number").
request("r2", "GET", "https://app.test/api/user",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/user").
request_route("r2", "/api/user").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r2", "json").
code_reads_as("r2", "$.itemId", "same", "https://app.test/app.js", 9).
body_type("r2", "$.itemId", "string").
#: expect contains
suspect("read:/app.js:9 $.items[].id", "type_mismatch",
        "/app.js:9 compares $.items[].id of the answer of GET /api/items, a number, with $.itemId of GET /api/user, a text: they are never the same").

#: test values of one type, of either type, and of a type that nobody knows may be the same
request("r1", "GET", "https://app.test/api/items",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items").
request_route("r1", "/api/items").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.items[].id", "same text", "https://app.test/app.js", 9).
body_type("r1", "$.items[].id", "string").
request("r2", "GET", "https://app.test/api/b",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/b").
request_route("r2", "/api/b").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r2", "json").
code_reads_as("r2", "$.id", "same number", "https://app.test/app.js", 10).
body_type("r2", "$.id", "string").
body_type("r2", "$.id", "number").
request("r3", "GET", "https://app.test/api/c",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/c").
request_route("r3", "/api/c").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r3", "json").
code_reads_as("r3", "$.id", "same", "https://app.test/app.js", 11).
body_type("r3", "$.id", "number").
#: expect none suspect/3 trouble/3

#: test a price that is a text is put behind the sum
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.items[].price", "sum", "https://app.test/app.js", 9).
#: expect contains
suspect("read:/app.js:9 $.items[].price", "type_mismatch",
        "/app.js:9 adds $.items[].price of the answer of GET /api/cart, which is a text: it is put behind the other and not added").

#: test digits of a code are put together by right
request("r1", "GET", "https://app.test/api/cart",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/cart").
request_route("r1", "/api/cart").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
code_reads_as("r1", "$.area", "sum", "https://app.test/app.js", 9).
#: expect none suspect/3 trouble/3

#: test texts of a list are put one behind the other
request("r5", "GET", "https://app.test/api/levels",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/levels").
request_route("r5", "/api/levels").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_type("r5", "$.rows[].onHand", "string").
shown_joined("r5", "$.rows[].onHand", "01240").
#: expect
suspect("r5", "joined_numbers",
        "GET /api/levels answers numbers as texts at $.rows[].onHand, and code puts one behind the other in place of adding them: the page shows `01240`").
trouble("r5", 57, "the page shows `01240`: numbers that were not added but joined").

#: test the line that does it is known
request("r5", "GET", "https://app.test/api/levels",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/levels").
request_route("r5", "/api/levels").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_type("r5", "$.net", "string").
body_type("r5", "$.tax", "string").
shown_joined("r5", "$.net", "12.502.10").
code_reads_as("r5", "$.net", "sum", "https://app.test/cart.js", 8).
#: expect
suspect("read:/cart.js:8 $.net", "type_mismatch",
        "/cart.js:8 adds $.net of the answer of GET /api/levels, which is a text: it is put behind the other and not added").
trouble("read:/cart.js:8 $.net", 46,
        "/cart.js:8 adds $.net of the answer of GET /api/levels, which is a text: it is put behind the other and not added").
trouble("read:/cart.js:8 $.net", 57,
        "the page shows `12.502.10`: numbers that were not added but joined").

#: test a text is put behind an account, or a discount
request("r5", "GET", "https://app.test/api/levels",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r5", "https://app.test", "/api/levels").
request_route("r5", "/api/levels").
answer("r5", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_type("r5", "$.account", "string").
body_type("r5", "$.discount", "string").
code_reads_as("r5", "$.account", "sum", "https://app.test/cart.js", 8).
code_reads_as("r5", "$.discount", "sum", "https://app.test/cart.js", 9).
#: expect none suspect/3 trouble/3

#: test undefined is shown, and an answer has the name in another spelling
request("r1", "GET", "https://app.test/api/m",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/m").
request_route("r1", "/api/m").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
shown("text", "Members\nundefined undefined since NaN").
spelt_otherwise("r1", "$[].first_name", "firstName", "https://app.test/m.js", "same", 3).
spelt_otherwise("r1", "$[].joined", "joinedAt", "https://app.test/m.js", "near", 4).
#: expect contains
suspect("read:/m.js:3 firstName", "misread_member",
        "/m.js:3 reads `firstName`, which no answer has and no code makes; the answer of GET /api/m has it as $[].first_name").
causes("shown:broken", "read:/m.js:3 firstName", "what is shown was to come from there").

#: test an object is put into a text
request("r1", "GET", "https://app.test/api/d",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/d").
request_route("r1", "/api/d").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.100Z].
shown("text", "Depots\nDepot 4: [object Object]").
object_as_text("r1", "$[].address", "https://app.test/d.js", 1).
#: expect contains
suspect("read:/d.js:1 $[].address", "object_as_text",
        "/d.js:1 puts $[].address of the answer of GET /api/d into a text: it is an object, and shows as [object Object]").

#: test a list that holds lists is read under another name
request("r1", "GET", "https://app.test/api/flights",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/flights").
request_route("r1", "/api/flights").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
body_kind("r1", "json").
body_type("r1", "$.itineraries", "array").
body_type("r1", "$.itineraries[].segments", "array").
code_asks_for("r1", "$.flights", "https://app.test/search.js", 5).
code_misses("r1", "$.flights[]", "https://app.test/search.js", 6).
#: expect contains
suspect("read:/search.js:6 $.flights[]", "misread_member",
        "/search.js:6 reads $.flights[] of the answer of GET /api/flights, which has it as $.itineraries").

#: test so is one that is taken as a list or nothing
request("r1", "GET", "https://app.test/api/water",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/water").
request_route("r1", "/api/water").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
body_kind("r1", "json").
body_type("r1", "$.series", "array").
code_takes("r1", "$.published", "https://app.test/quality.js", 6).
code_asks_for("r1", "$.parameters", "https://app.test/quality.js", 7).
code_reads_as("r1", "$.parameters", "list", "https://app.test/quality.js", 7).
#: expect contains
suspect("read:/quality.js:7 $.parameters", "misread_member",
        "/quality.js:7 reads $.parameters of the answer of GET /api/water, which has it as $.series").

#: test a list that may be missing beside one that is read is no fault
request("r1", "GET", "https://app.test/api/water",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
request_path("r1", "https://app.test", "/api/water").
request_route("r1", "/api/water").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.250Z].
body_kind("r1", "json").
body_type("r1", "$.series", "array").
code_takes("r1", "$.series", "https://app.test/quality.js", 6).
code_asks_for("r1", "$.warnings", "https://app.test/quality.js", 7).
code_reads_as("r1", "$.warnings", "list", "https://app.test/quality.js", 7).
#: expect none suspect/3 trouble/3

#: test where a list goes on is read by another name, and it is asked the same again and again
request("r1", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r1", "https://app.test", "/api/updates").
request_route("r1", "/api/updates").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.150Z].
body_kind("r1", "json").
request_query("r1", "since", "0").
request("r2", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.150Z].
request_path("r2", "https://app.test", "/api/updates").
request_route("r2", "/api/updates").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.150Z].
body_kind("r2", "json").
request_query("r2", "since", "0").
request("r3", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/updates").
request_route("r3", "/api/updates").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
body_kind("r3", "json").
request_query("r3", "since", "0").
code_misses("r1", "$.last_id", "https://app.test/app.js", 7).
near_name("r1", "$.last_id", "$.lastId").
body_type("r1", "$", "object").
body_type("r1", "$.lastId", "number").
repeated("r1", 3, 2).
same_answer("r2", "r1").
#: expect contains
misread_text("read:/app.js:7 $.last_id",
             "/app.js:7 reads $.last_id of the answer of GET /api/updates, which has it as $.lastId: it is asked again and again with since = 0, and answers the same").

#: test it is asked on from elsewhere
request("r1", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r1", "https://app.test", "/api/updates").
request_route("r1", "/api/updates").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.150Z].
body_kind("r1", "json").
request_query("r1", "kind", "all").
request("r2", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.150Z].
request_path("r2", "https://app.test", "/api/updates").
request_route("r2", "/api/updates").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.150Z].
body_kind("r2", "json").
request_query("r2", "since", "0").
request("r3", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/updates").
request_route("r3", "/api/updates").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
body_kind("r3", "json").
request_query("r3", "since", "0").
code_misses("r1", "$.last_id", "https://app.test/app.js", 7).
near_name("r1", "$.last_id", "$.lastId").
body_type("r1", "$", "object").
body_type("r1", "$.lastId", "number").
repeated("r1", 3, 2).
same_answer("r2", "r1").
#: expect none stays_at/4

#: test other answers came
request("r1", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
request_path("r1", "https://app.test", "/api/updates").
request_route("r1", "/api/updates").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.150Z].
body_kind("r1", "json").
request_query("r1", "since", "0").
request("r2", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.150Z].
request_path("r2", "https://app.test", "/api/updates").
request_route("r2", "/api/updates").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.150Z].
body_kind("r2", "json").
request_query("r2", "since", "0").
request("r3", "GET", "https://app.test/api/updates",
        "data")@[2026-02-19T12:00:02.100Z, 2026-02-19T12:00:02.150Z].
request_path("r3", "https://app.test", "/api/updates").
request_route("r3", "/api/updates").
answer("r3", 200, "application/json")@[2026-02-19T12:00:02.150Z].
body_kind("r3", "json").
request_query("r3", "since", "0").
code_misses("r1", "$.last_id", "https://app.test/app.js", 7).
near_name("r1", "$.last_id", "$.lastId").
body_type("r1", "$", "object").
body_type("r1", "$.lastId", "number").
repeated("r1", 3, 2).
#: expect none stays_at/4

#: test an object in the place of a list, by its name alone, where the page says that there is none
request("r1", "GET", "https://app.test/api/desk",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/desk").
request_route("r1", "/api/desk").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.advisers", "object").
body_type("r1", "$.advisers.list", "array").
name_as_list("r1", "$.advisers", "https://app.test/desk.js", 11).
said_none("r1", "All our advisers are busy.", "").
#: expect contains
suspect("read:/desk.js:11 $.advisers", "misread_member",
        "/desk.js:11 reads $.advisers of the answer of GET /api/desk, which has it as $.advisers.list").

#: test the same where none of its items is shown
request("r1", "GET", "https://app.test/api/desk",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/desk").
request_route("r1", "/api/desk").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.advisers", "object").
body_type("r1", "$.advisers.list", "array").
name_as_list("r1", "$.advisers", "https://app.test/desk.js", 11).
list_shown("r1", "$.advisers.list", 0, 3, -1).
#: expect contains
is_missed_list("r1", "$.advisers.list").

#: test its items are shown
request("r1", "GET", "https://app.test/api/desk",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/desk").
request_route("r1", "/api/desk").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.advisers", "object").
body_type("r1", "$.advisers.list", "array").
name_as_list("r1", "$.advisers", "https://app.test/desk.js", 11).
list_shown("r1", "$.advisers.list", 3, 3, -1).
said_none("r1", "All our advisers are busy.", "").
#: expect none misread_at/5

#: test the list is read
request("r1", "GET", "https://app.test/api/desk",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/desk").
request_route("r1", "/api/desk").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.advisers", "object").
body_type("r1", "$.advisers.list", "array").
name_as_list("r1", "$.advisers", "https://app.test/desk.js", 11).
code_takes("r1", "$.advisers.list", "https://app.test/desk.js", 4).
said_none("r1", "All our advisers are busy.", "").
#: expect none misread_at/5

#: test nothing tells that it is missed
request("r1", "GET", "https://app.test/api/desk",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/desk").
request_route("r1", "/api/desk").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.advisers", "object").
body_type("r1", "$.advisers.list", "array").
name_as_list("r1", "$.advisers", "https://app.test/desk.js", 11).
#: expect none misread_at/5

#: test what went wrong is in an answer only where something did
request("r1", "GET", "https://app.test/api/import",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/import").
request_route("r1", "/api/import").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$", "object").
body_type("r1", "$.items", "array").
code_asks_for("r1", "$.errors", "https://app.test/app.js", 9).
code_hands_on("r1", "$.errors").
#: expect none suspect/3 trouble/3

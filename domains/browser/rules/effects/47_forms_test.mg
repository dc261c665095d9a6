# Kinds of fault of storage and of forms: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a full storage, with the place that wrote
error("e1", "QuotaExceededError",
      "Failed to execute 'setItem' on 'Storage': Setting the value of 'draft' exceeded the quota.",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/draft.js", 31).
storage_failed("e1", "local").
#: expect
suspect("e1", "script_error",
        "/draft.js:31 throws Failed to execute \'setItem\' on \'Storage\': Setting the value of \'draft\' exceeded the quota.").
suspect("storage:local", "quota", "the local storage is full: /draft.js:31 could not write").
trouble("e1", 55, "what the page meant to keep in local storage is lost").
causes("e1", "storage:local", "there was no room to write").
change_at("e1", "/draft.js:31", "the code at this line").
change_at("storage:local", "/draft.js:31", "write less there, and expect that writing fails").
check_by("e1", "the same steps throw nothing there").
check_by("storage:local", "the same steps write without an error").

#: test a full storage that the page only reports
error("e1", "", "save failed QuotaExceededError: exceeded the quota",
      "console")@[2026-02-19T12:00:00.300Z].
#: expect
suspect("storage:local", "quota", "the local storage is full").
trouble("e1", 55, "what the page meant to keep in local storage is lost").
causes("e1", "storage:local", "there was no room to write").

#: test a storage that may not be used
error("e1", "SecurityError",
      "Failed to read the 'localStorage' property from 'Window': Access is denied for this document.",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 1).
#: expect
suspect("e1", "script_error",
        "/app.js:1 throws Failed to read the \'localStorage\' property from \'Window\': Access is denied for this document.").
suspect("storage:local", "storage_refused", "the page may not use its local storage").
causes("e1", "storage:local", "the browser refuses this storage").

#: test what is stored cannot be read
error("e1", "SyntaxError", "Expected property name or '}' in JSON at position 1",
      "exception")@[2026-02-19T12:00:00.080Z].
stack("e1", 0, "run", "https://app.test/prefs.js", 4).
error_expression("e1", "JSON.parse(localStorage.getItem(\"prefs\"))", "").
#: expect
suspect("e1", "script_error",
        "/prefs.js:4 throws Expected property name or \'}\' in JSON at position 1").
suspect("storage:local", "corrupt_storage",
        "what is kept in local storage cannot be read at /prefs.js:4").
causes("e1", "storage:local", "it reads what is kept there").
change_at("e1", "/prefs.js:4", "the code at this line").
change_at("storage:local", "/prefs.js:4", "expect that it cannot be read, and start anew then").

#: test text that nothing brought just now was stored
request("r1", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/x").
request_route("r1", "/api/x").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
error("e1", "SyntaxError", "Unterminated string in JSON at position 12",
      "exception")@[2026-02-19T12:00:03Z].
stack("e1", 0, "run", "https://app.test/prefs.js", 4).
#: expect
suspect("e1", "script_error", "/prefs.js:4 throws Unterminated string in JSON at position 12").
suspect("storage:local", "corrupt_storage",
        "what is kept in local storage cannot be read at /prefs.js:4").
causes("e1", "storage:local", "it reads what is kept there").

#: test an object that was stored as it is
request("r1", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/x").
request_route("r1", "/api/x").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
error("e1", "SyntaxError", "\"[object Object]\" is not valid JSON",
      "rejection")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/prefs.js", 4).
#: expect
causes("e1", "storage:local", "it reads what is kept there").

#: test text that may have come with the answer right before was not
request("r1", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/x").
request_route("r1", "/api/x").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
error("e1", "SyntaxError", "Unterminated string in JSON at position 12",
      "exception")@[2026-02-19T12:00:00.600Z].
stack("e1", 0, "run", "https://app.test/prefs.js", 4).
#: expect none causes/3

#: test an answer that cannot be read is not the storage
request("r1", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/x").
request_route("r1", "/api/x").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
error("e1", "SyntaxError", "Expected property name or '}' in JSON at position 1",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/prefs.js", 1).
error_awaits("e1", "r1").
error_expression("e1", "localStorage.x = JSON.parse(t)", "").
#: expect none causes/3

#: test a field that is refused and nobody sees it
input("i0", "click", "button#ok", "")@[2026-02-19T12:00:00.990Z].
input("i1", "invalid", "input#vat", "")@[2026-02-19T12:00:01Z].
invalid("i1", "input#vat", "Please fill out this field.", "false").
error("e1", "", "An invalid form control with name='vat' is not focusable.",
      "rendering")@[2026-02-19T12:00:01.010Z].
#: expect
suspect("i1", "validation_swallowed",
        "the form refuses input#vat without showing why: Please fill out this field.").
trouble("i1", 60, "the form cannot be sent: input#vat is refused and nobody sees it").
causes("e1", "i1", "the browser says so of that field").
change_at("i1", "input#vat", "show its message, or let go of a field that nobody can fill in").

#: test a field that is refused and says why, and one after which all was sent
input("i0", "click", "button#ok", "")@[2026-02-19T12:00:00.990Z].
input("i1", "invalid", "input#vat", "")@[2026-02-19T12:00:01Z].
invalid("i1", "input#vat", "Please fill out this field.", "true").
input("i5", "click", "button#ok", "")@[2026-02-19T12:00:02.990Z].
input("i2", "invalid", "input#x", "")@[2026-02-19T12:00:03Z].
invalid("i2", "input#x", "no", "false").
request("r1", "POST", "https://app.test/api/b",
        "data")@[2026-02-19T12:00:03.100Z, 2026-02-19T12:00:03.200Z].
request_path("r1", "https://app.test", "/api/b").
request_route("r1", "/api/b").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.200Z].
asked_after_input("r1", "i2").
#: expect none suspect/3 trouble/3

#: test a field that could be seen, and nobody is led to it
focused("button#ok")@[2026-02-19T12:00:00.980Z].
input("i0", "click", "button#ok", "")@[2026-02-19T12:00:00.990Z].
input("i1", "invalid", "input#vat", "")@[2026-02-19T12:00:01Z].
invalid("i1", "input#vat", "Please fill out this field.", "true").
#: expect
suspect("i1", "validation_swallowed",
        "the form refuses input#vat without showing why: Please fill out this field.").
trouble("i1", 45, "the form is not sent: input#vat is refused, and nobody is led to it").

#: test the browser leads to the first refused field, or the page says it
focused("button#ok")@[2026-02-19T12:00:00.980Z].
input("i0", "click", "button#ok", "")@[2026-02-19T12:00:00.990Z].
input("i1", "invalid", "input#vat", "")@[2026-02-19T12:00:01Z].
invalid("i1", "input#vat", "Please fill it in.", "true").
input("i2", "invalid", "input#zip", "")@[2026-02-19T12:00:01.001Z].
invalid("i2", "input#zip", "Please fill it in.", "true").
focused("input#vat")@[2026-02-19T12:00:01.003Z].
input("i5", "click", "button#b", "")@[2026-02-19T12:00:04.990Z].
input("i6", "invalid", "input#c", "")@[2026-02-19T12:00:05Z].
invalid("i6", "input#c", "Too short.", "true").
shown("text", "Comment Too short. Send").
#: expect none suspect/3 trouble/3

#: test a form that code takes over and drops
input("i1", "click", "button#send", "")@[2026-02-19T12:00:01Z].
input("i2", "submit", "form#contact", "")@[2026-02-19T12:00:01.001Z].
submitted("i2", "form#contact", "post", "/contact", "true").
input_without_effect("i1").
input_without_effect("i2").
#: expect
suspect("i2", "submit_without_effect",
        "sending form#contact did nothing: no request, no change, no message").
trouble("i2", 60, "sending form#contact has no effect").

#: test a form that is sent
input("i2", "submit", "form#contact", "")@[2026-02-19T12:00:01Z].
submitted("i2", "form#contact", "post", "/contact", "true").
request("r1", "POST", "https://app.test/contact",
        "data")@[2026-02-19T12:00:01.050Z, 2026-02-19T12:00:01.150Z].
request_path("r1", "https://app.test", "/contact").
request_route("r1", "/contact").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.150Z].
asked_after_input("r1", "i2").
#: expect none suspect/3 trouble/3

#: test a button without effect
input("i1", "click", "button#export", "")@[2026-02-19T12:00:01Z].
#: expect none suspect/3 trouble/3

#: test a button without effect, measured
input("i1", "click", "button#export", "")@[2026-02-19T12:00:01Z].
input_without_effect("i1").
#: expect
suspect("i1", "input_without_effect", "the click on button#export did nothing").
trouble("i1", 45, "the click on button#export has no effect").

#: test a click into a field or on plain text does nothing by nature
input("i1", "click", "input#name", "")@[2026-02-19T12:00:01Z].
input_without_effect("i1").
input("i2", "click", "p", "")@[2026-02-19T12:00:01Z].
input_without_effect("i2").
#: expect none suspect/3 trouble/3

#: test a button whose code fails has that effect
input("i1", "click", "button#export", "")@[2026-02-19T12:00:01Z].
input_without_effect("i1").
error("e1", "TypeError", "x is null", "exception")@[2026-02-19T12:00:01.010Z].
stack("e1", 0, "run", "https://app.test/e.js", 1).
#: expect none trouble/3

#: test the same order twice
input("i1", "click", "button#buy", "")@[2026-02-19T12:00:01Z].
input("i2", "click", "button#buy", "")@[2026-02-19T12:00:01.200Z].
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.800Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.800Z].
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.210Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.900Z].
sent_value("r1", "$.sku", "a7").
sent_value("r2", "$.sku", "a7").
asked_after_input("r1", "i1").
asked_after_input("r2", "i2").
#: expect
suspect("r2", "double_submit",
        "POST /api/orders was sent twice with the same content within 200 ms").
trouble("r2", 58, "POST /api/orders was done twice").

#: test one click that is heard twice
input("i1", "click", "button#buy", "")@[2026-02-19T12:00:01Z].
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.800Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.800Z].
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.020Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 409, "application/json")@[2026-02-19T12:00:01.900Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i1").
stack("r1", 0, "buy", "https://app.test/shop.js", 9).
stack("r2", 0, "buy", "https://app.test/shop.js", 9).
#: expect
suspect("r2", "conflict", "POST /api/orders answered 409").
suspect("r2", "double_submit",
        "POST /api/orders was sent twice with the same content within 10 ms").
suspect("r2", "heard_twice",
        "one click on button#buy sent POST /api/orders twice from /shop.js:9: its listener is there more than once").

#: test a function that does it in two lines hears once
input("i1", "click", "button#buy", "")@[2026-02-19T12:00:01Z].
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.800Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.800Z].
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.020Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.900Z].
asked_after_input("r1", "i1").
asked_after_input("r2", "i1").
stack("r1", 0, "send", "https://app.test/shop.js", 9).
stack("r1", 1, "buy", "https://app.test/shop.js", 20).
stack("r2", 0, "send", "https://app.test/shop.js", 9).
stack("r2", 1, "buy", "https://app.test/shop.js", 21).
#: expect
suspect("r2", "double_submit",
        "POST /api/orders was sent twice with the same content within 10 ms").

#: test two orders, a second try after a failure, reports of use
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.800Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.800Z].
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.210Z, 2026-02-19T12:00:01.900Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.900Z].
sent_value("r1", "$.sku", "a7").
sent_value("r2", "$.sku", "b8").
sent_value("r1", "$.n", "1").
sent_value("r2", "$.n", "1").
request("r3", "POST", "https://app.test/api/pay",
        "data")@[2026-02-19T12:00:03Z, 2026-02-19T12:00:03.100Z].
request_path("r3", "https://app.test", "/api/pay").
request_route("r3", "/api/pay").
answer("r3", 503, "application/json")@[2026-02-19T12:00:03.100Z].
request("r4", "POST", "https://app.test/api/pay",
        "data")@[2026-02-19T12:00:03.150Z, 2026-02-19T12:00:03.250Z].
request_path("r4", "https://app.test", "/api/pay").
request_route("r4", "/api/pay").
answer("r4", 200, "application/json")@[2026-02-19T12:00:03.250Z].
sent_value("r3", "$.id", "1").
sent_value("r4", "$.id", "1").
request("r5", "POST", "https://app.test/api/collect",
        "data")@[2026-02-19T12:00:05Z, 2026-02-19T12:00:05.100Z].
request_path("r5", "https://app.test", "/api/collect").
request_route("r5", "/api/collect").
answer("r5", 200, "application/json")@[2026-02-19T12:00:05.100Z].
request("r6", "POST", "https://app.test/api/collect",
        "data")@[2026-02-19T12:00:05.001Z, 2026-02-19T12:00:05.101Z].
request_path("r6", "https://app.test", "/api/collect").
request_route("r6", "/api/collect").
answer("r6", 200, "application/json")@[2026-02-19T12:00:05.101Z].
sent_value("r5", "$.e", "view").
sent_value("r6", "$.e", "view").
#: expect none trouble/3

#: test an object that was stored as a text
error("e1", "SyntaxError", "\"[object Object]\" is not valid JSON",
      "exception")@[2026-02-19T12:00:01Z].
stack("e1", 0, "read", "https://h/cart.js", 7).
#: expect contains
suspect("e1", "corrupt_storage",
        "an object was stored as the text [object Object], which https://h/cart.js:7 reads as JSON").

#: test one click is heard twice, and the second is served first
input("i1", "click", "button#buy", "")@[2026-02-19T12:00:01Z].
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 409, "application/json")@[2026-02-19T12:00:01.200Z].
asked_after_input("r1", "i1").
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.011Z, 2026-02-19T12:00:01.190Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.190Z].
asked_after_input("r2", "i1").
stack("r1", 0, "buy", "https://app.test/shop.js", 9).
stack("r2", 0, "buy", "https://app.test/shop.js", 9).
#: expect
suspect("r1", "conflict", "POST /api/orders answered 409").
suspect("r1", "double_submit", "POST /api/orders was sent twice with the same content within 1 ms").
suspect("r1", "heard_twice",
        "one click on button#buy sent POST /api/orders twice from /shop.js:9: its listener is there more than once").
trouble("r1", 58, "POST /api/orders was done twice").

#: test what was refused is sent again
input("i1", "click", "button#buy", "")@[2026-02-19T12:00:01Z].
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 409, "application/json")@[2026-02-19T12:00:01.200Z].
asked_after_input("r1", "i1").
request("r2", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:01.211Z, 2026-02-19T12:00:01.390Z].
request_path("r2", "https://app.test", "/api/orders").
request_route("r2", "/api/orders").
answer("r2", 201, "application/json")@[2026-02-19T12:00:01.390Z].
asked_after_input("r2", "i1").
stack("r1", 0, "buy", "https://app.test/shop.js", 9).
stack("r2", 0, "buy", "https://app.test/shop.js", 9).
#: expect none ordered_twice/2

#: test code takes a form over and leaves off at a field that nobody sees
input("i1", "submit", "form#c", "")@[2026-02-19T12:00:03Z].
submitted("i1", "form#c", "get", "https://app.test/", "true").
input_without_effect("i1").
still_invalid("input[name=when]", "Please fill out this field.", "false").
#: expect contains
suspect("i1", "validation_swallowed",
        "sending form#c did nothing, and its field input[name=when] is not valid, of which nobody is told: Please fill out this field.").
change_at("i1", "input[name=when]",
          "show its message, or let go of a field that nobody can fill in").

#: test the form was sent
input("i1", "submit", "form#c", "")@[2026-02-19T12:00:03Z].
submitted("i1", "form#c", "get", "https://app.test/", "true").
still_invalid("input[name=when]", "Please fill out this field.", "false").
#: expect none suspect/3 trouble/3

#: test a form that is dropped by a check that refuses what was filled in
input("i2", "submit", "form#reading", "")@[2026-02-19T12:00:01Z].
submitted("i2", "form#reading", "post", "/readings", "true").
input_without_effect("i2").
form_checked("form#reading", "https://app.test/rules.js", 4).
form_check_refuses("form#reading", "value", "104512", "^\\d{1,5}$", "https://app.test/rules.js", 6).
form_check_lacks("form#reading", "phone", "https://app.test/rules.js", 7).
#: expect
suspect("i2", "validation_swallowed",
        "sending form#reading did nothing: the check at /rules.js:6 refuses `104512` in the field value (^\\d{1,5}$), and nobody is told").
trouble("i2", 60, "sending form#reading has no effect").

#: test a form that is dropped by the check of a field that it does not have
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:01Z].
submitted("i2", "form#claim", "post", "/claims", "true").
input_without_effect("i2").
form_checked("form#claim", "https://app.test/rules.js", 1).
form_check_lacks("form#claim", "phone", "https://app.test/rules.js", 5).
#: expect
suspect("i2", "validation_swallowed",
        "sending form#claim did nothing: the check at /rules.js:5 asks for phone, of which the form has no field, and nobody is told").
trouble("i2", 60, "sending form#claim has no effect").

#: test of a form that is dropped its check is told
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:01Z].
submitted("i2", "form#claim", "post", "/claims", "true").
input_without_effect("i2").
form_checked("form#claim", "https://app.test/rules.js", 1).
form_checked("form#other", "https://app.test/others.js", 1).
#: expect
suspect("i2", "validation_swallowed",
        "sending form#claim did nothing: no request, no change, no message; its fields are checked at /rules.js:1, and what is refused there is told to nobody").
trouble("i2", 60, "sending form#claim has no effect").

#: test a check is no fault where the form is sent
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:01Z].
submitted("i2", "form#claim", "post", "/claims", "true").
form_checked("form#claim", "https://app.test/rules.js", 1).
form_check_lacks("form#claim", "phone", "https://app.test/rules.js", 5).
form_check_refuses("form#claim", "zip", "1", "^\\d{5}$", "https://app.test/rules.js", 6).
#: expect none suspect/3 trouble/3

#: test what nobody knows of is at the condition of its listener
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:03Z].
submitted("i2", "form#claim", "post", "/claims", "true").
input_without_effect("i2").
submit_listener("https://app.test/claim.js", "guarded", 5).
#: expect contains
suspect("i2", "submit_without_effect",
        "sending form#claim did nothing: no request, no change, no message; its listener leaves, at the condition at /claim.js:5 or behind it, and tells nobody").
change_at("i2", "/claim.js:5", "the condition on which it leaves, or say what it refuses").

#: test a message that is hidden
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:03Z].
submitted("i2", "form#claim", "post", "/claims", "true").
veiled("p#e", "display: none", "At most 8 guests.", 1).
veiled_by("p#e", "<style>: .err").
veiled_by_listener("p#e").
submit_listener("https://app.test/claim.js", "guarded", 5).
#: expect contains
suspect("i2", "validation_swallowed",
        "sending form#claim sent nothing, and what is said of it cannot be seen: `At most 8 guests.` in p#e (display: none)").
trouble("i2", 57, "the form is not sent: form#claim is refused, and nobody sees why").
change_at("i2", "p#e", "show the message when there is one").
change_at("i2", "<style>: .err", "or the rule that hides it").
change_at("i2", "/claim.js:5", "show the place of the message when it is written").

#: test a message that is hidden while another is shown is an old one
input("i2", "submit", "form#claim", "")@[2026-02-19T12:00:03Z].
submitted("i2", "form#claim", "post", "/claims", "true").
veiled("p#e", "display: none", "At most 8 guests.", 1).
veiled_by_listener("p#e").
shown("alert", "Closed on Mondays.").
#: expect none said_unseen/5

#: test a button that stays disabled
input("i1", "change", "input#who", "")@[2026-02-19T12:00:02Z].
shown("stuck", "Join").
button_enabled("https://app.test/join.js", 6).
#: expect contains
suspect("stuck:Join", "validation_swallowed",
        "the button `Join` stays disabled, though all that can be seen of its form is filled in and valid: a condition of it is never met").
trouble("stuck:Join", 51, "the form cannot be sent: `Join` is disabled").
change_at("stuck:Join", "/join.js:6", "the condition on which it is enabled").
change_at("stuck:Join", "button `Join`", "the condition on which it is enabled").

#: test a button that is disabled once it was pressed
input("i1", "change", "input#who", "")@[2026-02-19T12:00:02Z].
input("i2", "submit", "form#join", "")@[2026-02-19T12:00:03Z].
submitted("i2", "form#join", "post", "/join", "true").
shown("stuck", "Join").
#: expect none stuck_button/1

#: test a button that is disabled and nobody filled anything in
shown("stuck", "Join").
#: expect none stuck_button/1

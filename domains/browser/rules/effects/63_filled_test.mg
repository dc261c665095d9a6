# What was filled in and not sent: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
request("r1", "POST", "https://app.test/api/quotes",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.050Z].
request_path("r1", "https://app.test", "/api/quotes").
request_route("r1", "/api/quotes").
stack("r1", 0, "send", "https://app.test/q.js", 18).

#: test a field is disabled when the form is read
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "input#from", "disabled", "LS1 4AP")@[2026-02-19T12:00:03.005Z].
stack("k1", 0, "values", "https://app.test/form.js", 5).
sent_value("r1", "$.channel", "web").
#: expect contains
suspect("k1", "field_not_sent",
        "input#from is disabled when the form is read, and FormData leaves disabled fields out: POST /api/quotes went without it").
trouble("k1", 56, "what the user put into input#from is not in POST /api/quotes").
causes("r1", "k1", "what the user had filled in was left out of it").
change_at("k1", "/form.js:5",
          "read the form before its fields are disabled, or do not disable them").

#: test the same, though the server takes it
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "textarea#note", "disabled", "ring twice")@[2026-02-19T12:00:03.005Z].
stack("k1", 0, "values", "https://app.test/form.js", 5).
#: expect contains
trouble("k1", 56, "what the user put into textarea#note is not in POST /api/quotes").

#: test a field without a name that the server misses
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "select#reason", "nameless", "broken")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "reason").
refusal_says("r1", 1, "errors.reason", "is required").
sent_value("r1", "$.order", "7").
sent_type("r1", "$.order", "string").
#: expect contains
suspect("k1", "field_not_sent",
        "select#reason has no name, and what has none is left out of a form: POST /api/quotes went without it").

#: test one outside of all forms
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "input[name=phone]", "outside", "030 1234")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "phone").
sent_type("r1", "$.order", "string").
#: expect contains
trouble("k1", 56, "what the user put into input[name=phone] is not in POST /api/quotes").

#: test values that were read before they were filled in
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#name", "name", "Otto")@[2026-02-19T12:00:03.005Z].
sent_empty("r1", "$.name").
sent_type("r1", "$.name", "string").
#: expect contains
trouble("k1", 54, "what the user put into input#name is not in POST /api/quotes").
change_at("k1", "/q.js:18", "read the fields when the form is sent, and those that the user sees").

#: test values of another form of the page, which the server takes
input("i1", "submit", "form#f", "")@[2026-02-19T12:00:03.004Z].
submitted("i1", "form#f", "get", "https://app.test/", "true").
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#town", "town", "Kiel")@[2026-02-19T12:00:03.005Z].
sent_empty("r1", "$.address.town").
#: expect contains
trouble("k1", 48, "what the user put into input#town is not in POST /api/quotes").

#: test a name that the server misses, and nothing of it was sent
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#town", "town", "Kiel")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "town").
sent_type("r1", "$.name", "string").
sent_value("r1", "$.name", "Otto").
#: expect contains
trouble("k1", 54, "what the user put into input#town is not in POST /api/quotes").

#: test what is sent by another name, in other words, or with more around it
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#town", "town", "Kiel")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "town").
sent_value("r1", "$.city", "Kiel").
filled_in("k2", "input#note", "note", "ring")@[2026-02-19T12:00:03.005Z].
sent_empty("r1", "$.note").
sent_value("r1", "$.text", "Please ring twice").
field_left_out("k3", "input#q", "nameless", "paper")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "goods").
sent_value("r1", "$.goodsText", "paper").
#: expect none first_lost/3 first_blank/2

#: test a search in a list that has no name, a field that a choice has disabled, and what came long after
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "input#filter", "nameless", "ab")@[2026-02-19T12:00:03.005Z].
filled_in("k2", "input#firm", "firm", "Berg")@[2026-02-19T12:00:01Z].
sent_empty("r1", "$.firm").
#: expect none first_lost/3 first_blank/2

#: test what the server refuses is there
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#age", "age", "150")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "age").
sent_type("r1", "$.age", "number").
sent_value("r1", "$.age", "150").
filled_in("k2", "input#born", "born", "1.2.1990")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "born").
sent_type("r1", "$.born", "string").
sent_value("r1", "$.born", "1990-02-01").
#: expect none first_lost/3 first_blank/2

#: test a script has changed how a list becomes JSON
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
builtin_changed("Array.prototype.toJSON", "https://chat.test/w.js", 28).
sent_as_text("r1", "stops", "array").
#: expect contains
suspect("builtin:Array.prototype.toJSON", "changed_builtin",
        "a script defines Array.prototype.toJSON, so that JSON.stringify makes a text (string) of stops in POST /api/quotes").
causes("r1", "builtin:Array.prototype.toJSON",
       "a member that is a list or object was sent as a text").
change_at("builtin:Array.prototype.toJSON", "https://chat.test/w.js:28",
          "do not define it for all of the page").

#: test the same of objects, defined where nobody knows
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
builtin_changed("Object.prototype.toJSON", "", 0).
sent_as_text("r1", "address", "object").
#: expect contains
trouble("builtin:Object.prototype.toJSON", 56, "POST /api/quotes has address as a text").

#: test a list that is meant to be a text, one that the server takes, and another type
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.050Z].
builtin_changed("Array.prototype.toJSON", "https://chat.test/w.js", 28).
sent_as_text("r1", "stops", "array").
#: expect none text_by_patch/3

#: test JSON in a text that no script has changed
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
sent_as_text("r1", "settings", "object").
builtin_changed("Array.prototype.toJSON", "https://chat.test/w.js", 28).
#: expect none text_by_patch/3

#: test all is cleared by a click
answer("r1", 200, "application/json")@[2026-02-19T12:00:03.050Z].
filled_in("k1", "input#q", "q", "ink")@[2026-02-19T12:00:03.005Z].
sent_empty("r1", "$.q").
#: expect none trouble/3

#: test what was refused is taken the second time
answer("r1", 422, "application/json")@[2026-02-19T12:00:03.050Z].
field_left_out("k1", "input#filter", "nameless", "ab")@[2026-02-19T12:00:03.005Z].
refusal_about("r1", "terms").
sent_type("r1", "$.name", "string").
request("r2", "POST", "https://app.test/api/quotes",
        "data")@[2026-02-19T12:00:06.010Z, 2026-02-19T12:00:06.050Z].
request_path("r2", "https://app.test", "/api/quotes").
request_route("r2", "/api/quotes").
answer("r2", 200, "application/json")@[2026-02-19T12:00:06.050Z].
#: expect none first_lost/3 first_blank/2

#: test a change that goes out as it had been answered
request("r7", "GET", "https://app.test/api/contact",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r7", "https://app.test", "/api/contact").
request_route("r7", "/api/contact").
answer("r7", 200, "application/json")@[2026-02-19T12:00:01.050Z].
body_value("r7", "$.phone", "030 111").
filled_in("k9", "input#phone", "phone", "040 222")@[2026-02-19T12:00:04Z].
input("i9", "submit", "form#f", "")@[2026-02-19T12:00:04.001Z].
submitted("i9", "form#f", "get", "https://app.test/", "true").
request("r8", "PUT", "https://app.test/api/contact",
        "data")@[2026-02-19T12:00:04.010Z, 2026-02-19T12:00:04.100Z].
request_path("r8", "https://app.test", "/api/contact").
request_route("r8", "/api/contact").
answer("r8", 200, "application/json")@[2026-02-19T12:00:04.050Z].
stack("r8", 0, "", "https://app.test/c.js", 5).
sent_value("r8", "$.phone", "030 111").
#: expect contains
suspect("k9", "field_not_sent",
        "input#phone was changed to `040 222`, and PUT /api/contact went with phone `030 111`, as it had been answered: what is sent is a state of before (stale)").
trouble("k9", 55, "what the user put into input#phone is not in PUT /api/contact").

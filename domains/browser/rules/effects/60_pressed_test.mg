# What was pressed: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a click within a button whose listener asks for the button
input("i1", "click", "span", "+")@[2026-02-19T12:00:03Z].
pressed_in("i1", "button.assign").
heard("i1", "own").
stack("i1", 0, "on", "https://app.test/r.js", 13).
input_without_effect("i1").
target_unmatched("k1", "span", "button.assign")@[2026-02-19T12:00:03.001Z].
stack("k1", 0, "", "https://app.test/r.js", 14).
#: expect contains
suspect("i1", "input_without_effect",
        "the click lands on span in button.assign, and /r.js:14 asks whether event.target itself matches button.assign: it does not, the element around it does (closest)").
trouble("i1", 48, "the click on button.assign has no effect").
change_at("i1", "/r.js:14", "event.target.closest() in place of matches()").

#: test one that is looked at in another way
input("i1", "click", "svg", "")@[2026-02-19T12:00:03Z].
pressed_in("i1", "button.del").
heard("i1", "own").
stack("i1", 0, "wire", "https://app.test/r.js", 13).
input_without_effect("i1").
#: expect contains
trouble("i1", 48, "the click on button.del has no effect").
change_at("i1", "/r.js:13", "the listener that is added here does nothing for this click").

#: test one that is heard by the document, though a tracker tells of it
input("i1", "click", "span", "+")@[2026-02-19T12:00:03Z].
pressed_in("i1", "a.remove").
heard("i1", "above").
input_without_effect("i1").
request("r1", "POST", "https://stats.test/c",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.020Z].
request_path("r1", "https://stats.test", "/c").
third_party("r1").
request("r2", "GET", "https://stats.test/t.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.120Z].
request_path("r2", "https://stats.test", "/t.js").
third_party("r2").
stack("r1", 0, "f", "https://stats.test/t.js", 1).
asked_after_input("r1", "i1").
request_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:03.020Z].
error("console-error-1", "", "Failed to load resource: net::ERR_CONNECTION_REFUSED",
      "network")@[2026-02-19T12:00:03.021Z].
error_about_request("console-error-1", "r1").
#: expect contains
trouble("i1", 48, "the click on a.remove has no effect").

#: test a click within a button that has its effect, though code had asked for the target before
input("i1", "click", "span", "+")@[2026-02-19T12:00:03Z].
pressed_in("i1", "button.assign").
heard("i1", "own").
target_unmatched("k1", "span", ".other")@[2026-02-19T12:00:03.001Z].
stack("k1", 0, "", "https://app.test/r.js", 14).
#: expect none inner_press/3 trouble/3

#: test what the browser does by itself, and what fails
input("i1", "click", "span", "+")@[2026-02-19T12:00:03Z].
pressed_in("i1", "a[href]").
heard("i1", "native").
input_without_effect("i1").
#: expect none inner_press/3

#: test what fails has another cause
input("i1", "click", "span", "+")@[2026-02-19T12:00:03Z].
pressed_in("i1", "button.assign").
heard("i1", "own").
input_without_effect("i1").
error("console-error-1", "TypeError", "x is null", "exception")@[2026-02-19T12:00:03.010Z].
stack("console-error-1", 0, "go", "https://app.test/r.js", 20).
#: expect none inner_press/3

#: test another entry of the list is asked for
request("r1", "GET", "https://app.test/api/people",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.050Z].
request_path("r1", "https://app.test", "/api/people").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.050Z].
request("r2", "GET", "https://app.test/api/people/c-31",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.050Z].
request_path("r2", "https://app.test", "/api/people/c-31").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.050Z].
asked_for_another("r2", "i1", "r1", "Mira", "c-77", "c-31").
#: expect contains
suspect("r2", "other_item",
        "the click was on Mira, which has the id c-77, and GET /api/people/c-31 asks for another entry of the list (GET /api/people): c-31").
trouble("r2", 55, "what is shown for Mira is of another entry of the list").

#: test what asked in the end was told of the choice by a script that found it
request("r1", "GET", "https://app.test/api/people",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.050Z].
request_path("r1", "https://app.test", "/api/people").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.050Z].
request("r2", "GET", "https://app.test/api/people/c-31",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.050Z].
request_path("r2", "https://app.test", "/api/people/c-31").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.050Z].
stack("r2", 0, "send", "https://app.test/lib/http.js", 10).
stack("r2", 1, "", "https://app.test/main.js", 7).
stack("r2", 2, "choose", "https://app.test/inbox.js", 21).
stack("r2", 3, "", "https://app.test/inbox.js", 11).
asked_for_another("r2", "i1", "r1", "Mira", "c-77", "c-31").
#: expect contains
change_at("r2", "/main.js:7",
          "how the entry is found: its place in what is shown (sorted, filtered) is not its index in the list").
change_at("r2", "/inbox.js:11",
          "how the entry is found: its place in what is shown (sorted, filtered) is not its index in the list").

#: test the id of what stands in it
request("r2", "GET", "https://app.test/api/people/c-31",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.050Z].
request_path("r2", "https://app.test", "/api/people/c-31").
answer("r2", 200, "application/json")@[2026-02-19T12:00:03.050Z].
asked_for_another("r2", "i1", "r1", "Mira", "c-77", "c-31").
asked_for_part("r2", "mentor").
#: expect contains
suspect("r2", "mixed_up_id",
        "the click was on Mira, which has the id c-77, and GET /api/people/c-31 asks with the id of its mentor instead: c-31 is another one").

#: test one that went wrong by itself
request("r2", "GET", "https://app.test/api/people/c-31",
        "data")@[2026-02-19T12:00:03.010Z, 2026-02-19T12:00:03.050Z].
request_path("r2", "https://app.test", "/api/people/c-31").
answer("r2", 500, "application/json")@[2026-02-19T12:00:03.050Z].
asked_for_another("r2", "i1", "r1", "Mira", "c-77", "c-31").
#: expect none other_item/6

#: test code looks outwards from the click for what is not there
input("i1", "click", "button#rm", "Remove")@[2026-02-19T12:00:03Z].
heard("i1", "own").
input_without_effect("i1").
target_unknown("k1", "button#rm", ".row-remove")@[2026-02-19T12:00:03.002Z].
nearly("k1", ".row__remove").
stack("k1", 0, "", "https://app.test/basket.js", 9).
selector_at("k1", "https://app.test/basket.js", 6).
#: expect contains
suspect("i1", "input_without_effect",
        "the click on button#rm did nothing: /basket.js:9 looks for .row-remove from there outwards, which nothing matches; there is .row__remove").
change_at("i1", "/basket.js:6", "the selector that is looked for, here or where it is given").

#: test several that are asked for in turn, of a click elsewhere
input("i1", "click", "div#page", "")@[2026-02-19T12:00:03Z].
heard("i1", "above").
input_without_effect("i1").
target_unknown("k1", "div#page", ".menu")@[2026-02-19T12:00:03.002Z].
target_unknown("k2", "div#page", ".dialog-close")@[2026-02-19T12:00:03.002Z].
stack("k1", 0, "", "https://app.test/basket.js", 9).
stack("k2", 0, "", "https://app.test/basket.js", 10).
#: expect none suspect/3 trouble/3

#: test a text by which a number is looked for
input("i1", "click", "button", "Cacti")@[2026-02-19T12:00:03Z].
heard("i1", "own").
stack("i1", 0, "", "https://app.test/r.js", 8).
input_without_effect("i1").
code_slip("text_key", "https://app.test/r.js", 9).
request("r1", "GET", "https://app.test/api/plants",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.050Z].
request_path("r1", "https://app.test", "/api/plants").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.050Z].
body_type("r1", "$.plants[].id", "number").
#: expect contains
suspect("i1", "type_mismatch",
        "the click on button did nothing: /r.js:9 looks by a text (dataset) for an id that was answered as a number, and finds nothing").
trouble("i1", 49, "the click on button has no effect").
change_at("i1", "/r.js:9", "make a number of it before it is looked for: Number(...)").

#: test a text is right where ids are texts
input("i1", "click", "button", "Cacti")@[2026-02-19T12:00:03Z].
heard("i1", "own").
stack("i1", 0, "", "https://app.test/r.js", 8).
input_without_effect("i1").
code_slip("text_key", "https://app.test/r.js", 9).
request("r1", "GET", "https://app.test/api/plants",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.050Z].
request_path("r1", "https://app.test", "/api/plants").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.050Z].
body_type("r1", "$.plants[].id", "string").
#: expect none text_key_at/2

#: test and where something came of the click
input("i1", "click", "button", "Cacti")@[2026-02-19T12:00:03Z].
heard("i1", "own").
stack("i1", 0, "", "https://app.test/r.js", 8).
code_slip("text_key", "https://app.test/r.js", 9).
request("r1", "GET", "https://app.test/api/plants",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.050Z].
request_path("r1", "https://app.test", "/api/plants").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.050Z].
body_type("r1", "$.plants[].id", "number").
#: expect none suspect/3 trouble/3

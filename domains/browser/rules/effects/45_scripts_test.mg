# Kinds of fault of scripts: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test what a missing script would define
request("r1", "GET", "https://app.test/lib/chart.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/lib/chart.js").
request_route("r1", "/lib/chart.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Chart").
name_in_file("e1", "r1").
request("r2", "GET", "https://app.test/other.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/other.js").
request_route("r2", "/other.js").
answer("r2", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("e1", "script_error", "/app.js:3 throws Chart is not defined").
suspect("r1", "missing_script", "GET /lib/chart.js answered 404").
suspect("r2", "missing_script", "GET /other.js answered 404").
causes("e1", "r1", "the script that did not come is where Chart would be defined").

#: test what only a tracker would have defined, called by its snippet in the document
page("https://app.test/", "App", "loaded").
request("r1", "GET", "https://app.test:81/camp/tag.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test:81", "/camp/tag.js").
request_route("r1", "/camp/tag.js").
request_failed("r1", "net::ERR_CONNECTION_REFUSED")@[2026-02-19T12:00:00.200Z].
error("e1", "ReferenceError", "_camp is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "", "https://app.test/", 22).
error_about_name("e1", "_camp").
error("e2", "ReferenceError", "_camp is not defined", "exception")@[2026-02-19T12:00:00.400Z].
stack("e2", 0, "", "https://app.test/app.js", 22).
error_about_name("e2", "_camp").
#: expect contains
misses_tracker("e1", "r1").
is_tracker("r1").

#: test a module of a type that browsers do not run
request("r1", "GET", "https://app.test/seats.mjs",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/seats.mjs").
request_route("r1", "/seats.mjs").
answer("r1", 200, "text/plain")@[2026-02-19T12:00:00.200Z].
error("e1", "",
      "Failed to load module script: Expected a JavaScript-or-Wasm module script but the server responded with a MIME type of \"text/plain\".",
      "other")@[2026-02-19T12:00:00.210Z].
#: expect
suspect("r1", "wrong_content_type",
        "GET /seats.mjs answers a module as text/plain: browsers run none of it").
trouble("r1", 55, "the module GET /seats.mjs does not run").
#: expect contains
causes("e1", "r1", "it is the module that was refused").

#: test what was answered needs a script that comes too late, where code catches that
request("r1", "GET", "https://app.test/money.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02.200Z].
request_path("r1", "https://app.test", "/money.js").
request_route("r1", "/money.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:02.100Z].
script("s1", "https://app.test/money.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02.300Z].
script_request("s1", "r1").
defines("s1", "Money").
request("r2", "GET", "https://app.test/api/prices",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/prices").
request_route("r2", "/api/prices").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
caught("c1", "TypeError",
       "Cannot read properties of undefined (reading 'show')")@[2026-02-19T12:00:00.210Z,
      2026-02-19T12:00:00.220Z].
stack("c1", 0, "row", "https://app.test/list.js", 5).
error_expression("c1", "window.Money", "show").
error_about_name("c1", "Money").
error_awaits("c1", "r2").
#: expect contains
suspect("r1", "late_script", "GET /money.js (async) ran only after `Money` of it was used").
causes("r2", "r1", "what was to be made of the answer needs Money, which had not come").

#: test without the name in the file every own missing script may be it, and none of others
request("r1", "GET", "https://app.test/lib/a.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/lib/a.js").
request_route("r1", "/lib/a.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Chart").
request("r2", "GET", "https://ads.test/ads.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://ads.test", "/ads.js").
request_route("r2", "/ads.js").
request_failed("r2", "net::ERR_NAME_NOT_RESOLVED")@[2026-02-19T12:00:00.200Z].
third_party("r2").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Chart is not defined").
suspect("r1", "missing_script", "GET /lib/a.js answered 404").
suspect("r2", "unreachable", "GET https://ads.test/ads.js failed: its host has no address (DNS)").
causes("e1", "r1", "the script that did not come is where Chart would be defined").

#: test where only a script of others is missing, it may be it
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Chart").
request("r2", "GET", "https://cdn.test/chart.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://cdn.test", "/chart.js").
request_route("r2", "/chart.js").
request_failed("r2", "net::ERR_NAME_NOT_RESOLVED")@[2026-02-19T12:00:00.200Z].
third_party("r2").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Chart is not defined").
suspect("r2", "unreachable", "GET https://cdn.test/chart.js failed: its host has no address (DNS)").
causes("e1", "r2", "the script that did not come is where Chart would be defined").

#: test code of others that fails has nothing to do with a script of others that is missing
request("r1", "GET", "https://cdn.test/lib.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://cdn.test", "/lib.js").
request_route("r1", "/lib.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.200Z].
third_party("r1").
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "f", "https://cdn.test/lib.js", 2).
error_about_name("e1", "Chart").
request("r2", "GET", "https://ads.test/chart.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://ads.test", "/chart.js").
request_route("r2", "/chart.js").
request_failed("r2", "net::ERR_NAME_NOT_RESOLVED")@[2026-02-19T12:00:00.200Z].
third_party("r2").
name_in_file("e1", "r2").
#: expect none causes/3

#: test a worker that does not come is missed
request("r1", "GET", "https://app.test/sums.js",
        "worker")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/sums.js").
request_route("r1", "/sums.js").
answer("r1", 404, "")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "missing_script", "GET /sums.js answered 404").
trouble("r1", 55, "the worker GET /sums.js does not run").

#: test a name that is defined does not come from the missing script
request("r1", "GET", "https://app.test/lib/a.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/lib/a.js").
request_route("r1", "/lib/a.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Chart").
defines("s2", "Chart").
script("s2", "https://app.test/b.js",
       "blocking")@[2026-02-19T12:00:00.050Z, 2026-02-19T12:00:00.060Z].
#: expect none causes/3

#: test a script that failed after the error is not behind it
request("r1", "GET", "https://app.test/lib/a.js",
        "script")@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:01Z].
request_path("r1", "https://app.test", "/lib/a.js").
request_route("r1", "/lib/a.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:01Z].
error("e1", "ReferenceError", "Chart is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Chart").
#: expect none causes/3

#: test a page in place of a script
request("r1", "GET", "https://app.test/app.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app.js").
request_route("r1", "/app.js").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
error("e1", "SyntaxError", "Unexpected token '<'", "exception")@[2026-02-19T12:00:00.220Z].
stack("e1", 0, "run", "https://app.test/app.js", 1).
#: expect
suspect("e1", "script_error", "/app.js:1 throws Unexpected token \'<\'").
suspect("r1", "missing_script", "GET /app.js answered a page (HTML) in place of a script").
causes("e1", "r1", "it names the script that did not come").

#: test a chunk that could not be loaded is named
request("r1", "GET", "https://app.test/chunk-3f.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/chunk-3f.js").
request_route("r1", "/chunk-3f.js").
answer("r1", 404, "text/javascript")@[2026-02-19T12:00:00.200Z].
error("e1", "TypeError",
      "Failed to fetch dynamically imported module: https://app.test/chunk-3f.js",
      "rejection")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/main.js", 1).
#: expect
suspect("r1", "missing_script", "GET /chunk-3f.js answered 404").
causes("e1", "r1", "it names the script that did not come").

#: test an async script that ran after it was used
request("r1", "GET", "https://app.test/marks.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/marks.js").
request_route("r1", "/marks.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.900Z].
script("s1", "https://app.test/marks.js",
       "async")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.910Z].
script_request("s1", "r1").
defines("s1", "Marks").
error("e1", "ReferenceError", "Marks is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Marks").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Marks is not defined").
suspect("r1", "late_script", "GET /marks.js (async) ran only after `Marks` of it was used").
causes("e1", "r1", "it defines Marks, and had not run yet").
change_at("e1", "/app.js:3", "the code at this line").
change_at("r1", "GET /marks.js",
          "load it before what uses it: without async, or with defer for both").

#: test what ran before was not late
request("r1", "GET", "https://app.test/marks.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.090Z].
request_path("r1", "https://app.test", "/marks.js").
request_route("r1", "/marks.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.090Z].
script("s1", "https://app.test/marks.js",
       "async")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.095Z].
script_request("s1", "r1").
defines("s1", "Marks").
error("e1", "ReferenceError", "Marks is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Marks").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Marks is not defined").
#: expect none causes/3

#: test a late script by its name, where what it defines is not seen
request("r1", "GET", "https://app.test/marks.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/marks.js").
request_route("r1", "/marks.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.900Z].
script("s1", "https://app.test/marks.js",
       "async")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.910Z].
script_request("s1", "r1").
name_in_file("e1", "r1").
error("e1", "ReferenceError", "Marks is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Marks").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Marks is not defined").
suspect("r1", "late_script", "GET /marks.js (async) ran only after `Marks` of it was used").
causes("e1", "r1", "it defines Marks, and had not run yet").

#: test code in the page that comes too late has no request
script("s1", "https://app.test", "inline")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.910Z].
defines("s1", "Marks").
error("e1", "ReferenceError", "Marks is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_about_name("e1", "Marks").
#: expect
suspect("e1", "script_error", "/app.js:3 throws Marks is not defined").
suspect("s1", "late_script", "the inline script that defines `Marks` ran only after it was used").
causes("e1", "s1", "it defines Marks, and had not run yet").

#: test a script with an error of syntax defines nothing
error("e1", "SyntaxError", "Unexpected token ','", "exception")@[2026-02-19T12:00:00.200Z].
stack("e1", 0, "run", "https://app.test/store.js", 7).
error("e2", "ReferenceError", "Store is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e2", 0, "run", "https://app.test/app.js", 3).
error_about_name("e2", "Store").
#: expect
suspect("e1", "script_error", "/store.js:7 throws Unexpected token \',\'").
suspect("e1", "syntax_error",
        "/store.js:7 has an error of syntax, so none of it ran: Unexpected token \',\'").
suspect("e2", "script_error", "/app.js:3 throws Store is not defined").
causes("e2", "e1", "the script that would define it has an error of syntax").
change_at("e1", "/store.js:7", "the code at this line").
change_at("e1", "/store.js:7", "the syntax of this line").
change_at("e2", "/app.js:3", "the code at this line").

#: test text that is no JSON is no error of syntax of a script
error("e1", "SyntaxError", "Unexpected token 'o', \"oops\" is not valid JSON",
      "exception")@[2026-02-19T12:00:00.200Z].
stack("e1", 0, "run", "https://app.test/store.js", 7).
error("e2", "ReferenceError", "Store is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e2", 0, "run", "https://app.test/app.js", 3).
error_about_name("e2", "Store").
#: expect
causes("e1", "storage:local", "it reads what is kept there").

#: test own code that throws is the last resort, code of others and failed requests are none
error("e1", "TypeError", "x is null", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/cart.js", 14).
error("e2", "TypeError", "Failed to fetch", "rejection")@[2026-02-19T12:00:00.300Z].
stack("e2", 0, "run", "https://app.test/api.js", 2).
error("e3", "Error", "Script error.", "exception")@[2026-02-19T12:00:00.300Z].
error("e4", "AbortError", "signal is aborted without reason",
      "rejection")@[2026-02-19T12:00:00.300Z].
stack("e4", 0, "run", "https://app.test/api.js", 2).
#: expect
suspect("e1", "script_error", "/cart.js:14 throws x is null").

#: test notices are no faults
error("e1", "", "ResizeObserver loop completed with undelivered notifications.",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 1).
error("e2", "", "Synchronous XMLHttpRequest is deprecated",
      "deprecation")@[2026-02-19T12:00:00.100Z].
error("e3", "Error", "x", "exception")@[2026-02-19T12:00:00.100Z].
stack("e3", 0, "f", "chrome-extension://abc/c.js", 1).
#: expect
cleared("e1", "the browser\'s notice about a ResizeObserver is harmless").
cleared("e2", "a notice of deprecation").
cleared("e3", "an extension of the browser, not the page").
#: expect none suspect/3

#: test a library of another version lacks a function
request("r1", "GET", "https://app.test/vendor/grid.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.090Z].
request_path("r1", "https://app.test", "/vendor/grid.js").
request_route("r1", "/vendor/grid.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.090Z].
script("s1", "https://app.test/vendor/grid.js",
       "blocking")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.095Z].
script_request("s1", "r1").
defines("s1", "Grid").
error("e1", "TypeError", "Grid.mount is not a function", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 5).
error_about_name("e1", "Grid.mount").
#: expect
suspect("e1", "script_error", "/app.js:5 throws Grid.mount is not a function").
suspect("r1", "wrong_version",
        "GET /vendor/grid.js does not have `Grid.mount`, which the page calls").
causes("e1", "r1", "it defines the object without that function").

#: test a module that lacks an export
request("r1", "GET", "https://app.test/util.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.090Z].
request_path("r1", "https://app.test", "/util.js").
request_route("r1", "/util.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.090Z].
error("e1", "SyntaxError", "The requested module '/util.js' does not provide an export named 'sum'",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/main.js", 1).
#: expect
causes("e1", "r1", "it is the module that lacks the export").

#: test a member of the window that is not there yet is a name that nobody has defined
request("r1", "GET", "https://app.test/date-picker.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/date-picker.js").
request_route("r1", "/date-picker.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.900Z].
script("s1", "https://app.test/date-picker.js",
       "async")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.910Z].
script_request("s1", "r1").
defines("s1", "DatePicker").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'mount')",
      "rejection")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 3).
error_expression("e1", "window.DatePicker", "mount").
error_about_name("e1", "DatePicker").
#: expect
too_late("e1", "s1", "DatePicker").
#: expect
causes("e1", "r1", "it defines DatePicker, and had not run yet").

#: test code asks once for what a script defines that comes later
request("r7", "GET", "https://app.test/q.slides.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r7", "https://app.test", "/q.slides.js").
request_route("r7", "/q.slides.js").
answer("r7", 200, "text/javascript")@[2026-02-19T12:00:02Z].
script("s7", "https://app.test/q.slides.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
script_request("s7", "r7").
asked_too_early("s7", "slides", "https://app.test/gallery.js", 14).
#: expect contains
suspect("r7", "late_script",
        "GET /q.slides.js (async), which defines `slides`, ran only after /gallery.js:14 had asked for it and gone on without it").
trouble("r7", 51, "what GET /q.slides.js was to do is not done").

#: test one of others is not missed
request("r7", "GET", "https://cdn.test/stats.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r7", "https://cdn.test", "/stats.js").
answer("r7", 200, "text/javascript")@[2026-02-19T12:00:02Z].
script("s7", "https://cdn.test/stats.js", "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
script_request("s7", "r7").
asked_too_early("s7", "stats", "https://app.test/gallery.js", 14).
#: expect none ran_too_late/3

# Kinds of fault of what is drawn and kept: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test drawn anew without end
mutates("div#feed", 240).
mutates("document", 250).
#: expect
suspect("loop:div#feed", "endless_rendering",
        "div#feed is drawn anew without end, 250 changes a second").
trouble("loop:div#feed", 52, "the page never comes to rest: div#feed is drawn anew without end").
change_at("loop:div#feed", "loop:div#feed",
          "end the circle: do not change what is being observed or drawn").

#: test drawn anew without end though slowly, and always the same
redraws("aside#people", 14).
mutates("document", 56).
mutates("aside#people", 40).
#: expect
suspect("loop:aside#people", "endless_rendering",
        "aside#people is drawn anew without end and comes out the same, 14 times a second").
trouble("loop:aside#people", 52,
        "the page never comes to rest: aside#people is drawn anew without end").
change_at("loop:aside#people", "loop:aside#people",
          "end the circle: do not change what is being observed or drawn").

#: test a caret that is drawn anew four times a second is none
redraws("div#carets", 4).
mutates("div#carets", 32).
#: expect none suspect/3 trouble/3

#: test a ticker of ten times a second that happens to say the same is none
redraws("div#ticker", 10).
mutates("div#ticker", 32).
#: expect none suspect/3 trouble/3

#: test a caret blinks, and loading changes much for a second
mutates("div#caret", 32).
mutates("document", 37).
mutates("head", 118).
#: expect none suspect/3 trouble/3

#: test a component that changes itself while drawn
error("e1", "Error", "Maximum update depth exceeded. This can happen when",
      "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/list.js", 12).
#: expect
suspect("e1", "endless_rendering", "/list.js:12: it changes itself each time it is drawn").
suspect("e1", "script_error",
        "/list.js:12 throws Maximum update depth exceeded. This can happen when").
change_at("e1", "/list.js:12", "do not change state while drawing").
change_at("e1", "/list.js:12", "the code at this line").
change_at("e1", "e1", "end the circle: do not change what is being observed or drawn").

#: test errors reported without end are a fault of the line that reports them
error("e1", "Error", "tick failed 1", "console")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:07Z].
stack("e1", 0, "tick", "https://app.test/tick.js", 12).
repeated("e1", 300, 45).
error("e2", "Error", "tick failed 2", "console")@[2026-02-19T12:00:00.310Z, 2026-02-19T12:00:07Z].
stack("e2", 0, "tick", "https://app.test/tick.js", 12).
repeated("e2", 290, 44).
#: expect
suspect("e1", "error_flood", "/tick.js:12 reports errors without end, some 89 a second").
trouble("e1", 53, "the page reports errors without end, at /tick.js:12").
causes("e2", "e1", "the same line reports both without end").
change_at("e1", "/tick.js:12", "end what fails again and again, and report it once").
check_by("e1", "reports nothing more while nothing is done").

#: test an error that is reported with each retry is no flood
error("e1", "Error", "no connection, once more in 2 s",
      "console")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:07Z].
stack("e1", 0, "retry", "https://app.test/net.js", 12).
repeated("e1", 8, 3).
#: expect none suspect/3 trouble/3

#: test a report of the browser that comes often is none of the page's lines
error("e1", "", "Failed to load resource: the server responded with a status of 404 (Not Found)",
      "network")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:07Z].
repeated("e1", 400, 60).
#: expect none suspect/3 trouble/3

#: test one question over and over
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 140, 30).
#: expect
suspect("r1", "request_loop", "GET /api/me was asked 140 times, up to 30 times a second").
trouble("r1", 58, "the page asks GET /api/me over and over, 140 times").

#: test many things of one kind, and many parts of a list, are many questions
request("r1", "GET", "https://app.test/api/items/1",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/items/1").
request_route("r1", "/api/items/{id}").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/items/2",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/items/2").
request_route("r2", "/api/items/{id}").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 40, 20).
request("r3", "GET", "https://app.test/api/list?page=1",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://app.test", "/api/list").
request_route("r3", "/api/list").
request_query("r3", "page", "1").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.200Z].
request("r4", "GET", "https://app.test/api/list?page=2",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/list").
request_route("r4", "/api/list").
request_query("r4", "page", "2").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r3", 40, 20).
#: expect none suspect/3 trouble/3

#: test asked every second is polling
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 30, 1).
#: expect none suspect/3 trouble/3

#: test nodes that grow because listeners do, and a question that is asked over and over
grows("nodes", 200, 4000, 600).
grows("listeners", 20, 200, 30).
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 140, 30).
#: expect
suspect("growth:listeners", "growth", "event listeners grow without end: from 20 to 200").
suspect("growth:nodes", "growth", "nodes of the document grow without end: from 200 to 4000").
suspect("r1", "request_loop", "GET /api/me was asked 140 times, up to 30 times a second").
trouble("growth:listeners", 55, "event listeners grow without end: from 20 to 200").
trouble("growth:nodes", 59, "nodes of the document grow without end: from 200 to 4000").
trouble("r1", 58, "the page asks GET /api/me over and over, 140 times").
causes("growth:listeners", "growth:nodes", "the nodes that pile up hold them").
causes("growth:listeners", "r1", "it is asked over and over, and each answer leaves something").
causes("growth:nodes", "r1", "it is asked over and over, and each answer leaves something").

#: test a page that fills up once does not grow without end
grows("nodes", 900, 920, 8).
grows("heap", 9000000, 9900000, 200000).
grows("listeners", 20, 26, 3).
#: expect none suspect/3 trouble/3

#: test the page stands still
busy("/report.js", 1200)@[2026-02-19T12:00:05Z, 2026-02-19T12:00:06.200Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.900Z].
#: expect
suspect("busy:/report.js", "long_task",
        "the page stood still for 1200 ms at once, 1200 ms in all, in /report.js").
trouble("busy:/report.js", 32, "the page does not react for 1200 ms").
change_at("busy:/report.js", "/report.js", "do less at once, or in parts or in a worker").

#: test on a slow machine tasks are long
busy("/a.js", 1500)@[2026-02-19T12:00:02.500Z, 2026-02-19T12:00:04Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.900Z].
busy("/a.js", 301)@[2026-02-19T12:00:02.400Z, 2026-02-19T12:00:02.701Z].
busy("/a.js", 302)@[2026-02-19T12:00:02.800Z, 2026-02-19T12:00:03.102Z].
busy("/a.js", 303)@[2026-02-19T12:00:03.200Z, 2026-02-19T12:00:03.503Z].
busy("/a.js", 304)@[2026-02-19T12:00:03.600Z, 2026-02-19T12:00:03.904Z].
busy("/a.js", 305)@[2026-02-19T12:00:04Z, 2026-02-19T12:00:04.305Z].
#: expect none suspect/3 trouble/3

#: test tasks while the page loads, and short ones, are none
busy("/app.js", 1720)@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:02.220Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.900Z].
busy("/app.js", 90)@[2026-02-19T12:00:00.900Z, 2026-02-19T12:00:00.990Z].
#: expect none suspect/3 trouble/3

#: test the content jumps when a picture comes
request("r1", "GET", "https://app.test/hero.png",
        "image")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:01Z].
request_path("r1", "https://app.test", "/hero.png").
request_route("r1", "/hero.png").
answer("r1", 200, "")@[2026-02-19T12:00:01Z].
shifted(640)@[2026-02-19T12:00:01.040Z].
request("r2", "GET", "https://app.test/api/x",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.700Z].
request_path("r2", "https://app.test", "/api/x").
request_route("r2", "/api/x").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.700Z].
#: expect
suspect("layout", "layout_shift", "the layout jumped by 640 thousandths (above 250 is bad)").
suspect("r1", "layout_shift", "GET /hero.png came late, and no room was kept for it").
trouble("layout", 31, "the content jumps: layout shift 640 thousandths").
causes("layout", "r1", "it arrived right before the jump").

#: test small jumps are none
shifted(265)@[2026-02-19T12:00:01.040Z].
#: expect none suspect/3 trouble/3

#: test it still says that it is loading, and why
shown("spinner", "Loading").
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
answer("r1", 500, "application/json")@[2026-02-19T12:00:00.200Z].
#: expect
suspect("r1", "server_error", "GET /api/rows answered 500").
trouble("shown:spinner", 58, "the page still says that it is loading").
causes("shown:spinner", "r1", "what it waits for did not come").

#: test it still says that it is loading, and the code that would end it failed
shown("spinner", "Loading").
error("e1", "TypeError", "x is null", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/a.js", 1).
#: expect
trouble("shown:spinner", 58, "the page still says that it is loading").
causes("shown:spinner", "e1", "the code that would end it failed").

#: test nodes that grow because a place is drawn without end
grows("nodes", 200, 4000, 600).
mutates("document", 250).
shifted(700)@[2026-02-19T12:00:05Z].
#: expect
suspect("growth:nodes", "growth", "nodes of the document grow without end: from 200 to 4000").
suspect("layout", "layout_shift", "the layout jumped by 700 thousandths (above 250 is bad)").
suspect("loop:document", "endless_rendering",
        "document is drawn anew without end, 250 changes a second").
causes("growth:nodes", "loop:document", "it is drawn without end, and nothing is taken away").
causes("layout", "growth:nodes", "what grows moves the rest").

#: test a live view is drawn as often as news come
mutates("document", 250).
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received", "{\"n\":1}")@[2026-02-19T12:00:00.400Z].
socket_frame("r1", 2, "received", "{\"n\":2}")@[2026-02-19T12:00:00.500Z].
socket_frame("r1", 3, "received", "{\"n\":3}")@[2026-02-19T12:00:00.600Z].
socket_frame("r1", 4, "received", "{\"n\":4}")@[2026-02-19T12:00:00.700Z].
socket_frame("r1", 5, "received", "{\"n\":5}")@[2026-02-19T12:00:00.800Z].
socket_frame("r1", 6, "received", "{\"n\":6}")@[2026-02-19T12:00:00.900Z].
socket_frame("r1", 7, "received", "{\"n\":7}")@[2026-02-19T12:00:01Z].
socket_frame("r1", 8, "received", "{\"n\":8}")@[2026-02-19T12:00:01.100Z].
socket_frame("r1", 9, "received", "{\"n\":9}")@[2026-02-19T12:00:01.200Z].
socket_frame("r1", 10, "received", "{\"n\":10}")@[2026-02-19T12:00:01.300Z].
socket_frame("r1", 11, "received", "{\"n\":11}")@[2026-02-19T12:00:01.400Z].
socket_frame("r1", 12, "received", "{\"n\":12}")@[2026-02-19T12:00:01.500Z].
#: expect none suspect/3

#: test it still says that it is loading, and nothing is wrong
shown("spinner", "Loading").
request("r1", "GET", "https://app.test/api/rows",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/rows").
request_route("r1", "/api/rows").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
#: expect none suspect/3 trouble/3

#: test nodes that grow because code adds to one place and takes nothing away
grows("nodes", 3000, 9000, 600).
grows("listeners", 1300, 5000, 200).
mutates("document", 196).
mutates("tbody#rows", 146).
piles_up("div#tips", 200, 800)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
stack("pile:div#tips", 0, "tip", "https://app.test/wall.js", 10).
stack("pile:div#tips", 1, "row", "https://app.test/wall.js", 24).
#: expect
suspect("growth:listeners", "growth", "event listeners grow without end: from 1300 to 5000").
suspect("growth:nodes", "growth", "nodes of the document grow without end: from 3000 to 9000").
suspect("loop:tbody#rows", "endless_rendering",
        "tbody#rows is drawn anew without end, 196 changes a second").
suspect("pile:div#tips", "growth",
        "/wall.js:10 adds elements to div#tips again and again, and none is ever removed: first 200, then 800").
causes("growth:listeners", "growth:nodes", "the nodes that pile up hold them").
causes("growth:listeners", "pile:div#tips", "each that piles up there holds some").
causes("growth:nodes", "pile:div#tips", "they pile up there").
causes("loop:tbody#rows", "pile:div#tips", "what is drawn there is added to without end").

#: test a place that takes in and does not make the page grow: what is old is taken away, or it is a list that is filled once
grows("nodes", 900, 920, 8).
piles_up("ul#log", 40, 60)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect none suspect/3 trouble/3

#: test a log takes in a few lines a second
grows("nodes", 900, 950, 9).
piles_up("ul#log", 40, 60)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
stack("pile:ul#log", 0, "line", "https://app.test/log.js", 10).
#: expect none suspect/3 trouble/3

#: test who adds is not known
grows("nodes", 3000, 9000, 600).
piles_up("section", 200, 800)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
#: expect
suspect("growth:nodes", "growth", "nodes of the document grow without end: from 3000 to 9000").
suspect("pile:section", "growth",
        "elements are added to section again and again, and none is ever removed: first 200, then 800").

#: test garbage could not be collected, and yet more and more stand there
piles_up("div#tips", 100, 300)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07Z].
stack("pile:div#tips", 0, "tip", "https://app.test/wall.js", 10).
#: expect
suspect("pile:div#tips", "growth",
        "/wall.js:10 adds elements to div#tips again and again, and none is ever removed: first 100, then 300").
trouble("pile:div#tips", 59, "elements pile up in div#tips: first 100, then 300").

#: test a long list is filled in parts, and then it is whole
piles_up("tbody", 500, 4000)@[2026-02-19T12:00:01Z, 2026-02-19T12:00:04.500Z].
stack("pile:tbody", 0, "fill", "https://app.test/list.js", 10).
#: expect none suspect/3 trouble/3

#: test a question that is asked over and over draws the page each time
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 140, 30).
changed_after("r1").
redraws("button", 29).
#: expect
causes("loop:button", "r1", "it is asked over and over, and each answer draws it anew").

#: test what is drawn without end asks for nothing, or changes nothing by it
request("r1", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/me").
request_route("r1", "/api/me").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
repeated("r1", 140, 30).
redraws("button", 29).
#: expect none causes/3

#: test a click that keeps the page busy
navigation("n9", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.100Z].
input("i1", "click", "button#check", "Check")@[2026-02-19T12:00:02Z].
heard("i1", "own").
stack("i1", 0, "", "https://app.test/main.js", 24).
busy("", 4800)@[2026-02-19T12:00:01.990Z, 2026-02-19T12:00:06.790Z].
#: expect contains
suspect("busy:", "long_task",
        "what the click at button#check sets off is busy for 4800 ms at once: the page's own script, and nothing else runs meanwhile").
trouble("busy:", 54, "the page does not react for 4800 ms after the click at button#check").
change_at("busy:", "/main.js:24",
          "do less at once, or in parts or in a worker: this runs at the click").

#: test busy by itself, at another time
navigation("n9", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.100Z].
input("i1", "click", "button#check", "Check")@[2026-02-19T12:00:01Z].
busy("", 4800)@[2026-02-19T12:00:03Z, 2026-02-19T12:00:07.800Z].
#: expect none frozen_by/3

#: test an observer of sizes that calls itself
observes_itself("k1", "div#box", 60)@[2026-02-19T12:00:05Z].
stack("k1", 0, "", "https://app.test/r.js", 4).
#: expect contains
suspect("k1", "self_observed",
        "the ResizeObserver of /r.js:4 is called without end, 60 times a second: what it does changes the size of div#box, which it observes").
trouble("k1", 53, "the page never comes to rest: div#box changes its size without end").

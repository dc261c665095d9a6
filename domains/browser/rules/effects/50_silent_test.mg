# Kinds of fault that no error tells of: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 44_sent.mg 44_order.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# An answer in order, in a line.
Decl asked(R, Path) bound [/string, /string].
request(R, "GET", Url, "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z] :-
  asked(R, Path),
  Url = fn:string:concat("https://app.test", Path).
answer(R, 200, "application/json")@[2026-02-19T12:00:00.300Z] :- asked(R, _).
request_path(R, "https://app.test", Path) :- asked(R, Path).
request_route(R, Path) :- asked(R, Path).
stack(R, 0, "load", "https://app.test/a.js", 3) :- asked(R, _).

# ---- exceptions that code swallows -----------------------------------------------------------------------

#: test what code swallows is the cause of a page that waits to the end
shown("waiting", "Looking up your order...").
caught("c1", "TypeError",
       "Cannot read properties of undefined (reading 'map')")@[2026-02-19T12:00:00.400Z].
stack("c1", 0, "draw", "https://app.test/a.js", 14).
#: expect contains
cause_of("shown:spinner", "c1").
suspect("c1", "swallowed_error",
        "/a.js:14 fails, and the code that catches it goes on: TypeError: Cannot read properties of undefined (reading 'map')").
change_at("c1", "/a.js:14", "mend what fails here, and say so where it is caught").

#: test what code swallows after a click that comes to nothing is its cause
input("i1", "click", "button#copy", "Copy")@[2026-02-19T12:00:02Z].
input_without_effect("i1").
heard("i1", "own").
caught("c1", "ReferenceError", "config is not defined")@[2026-02-19T12:00:02.010Z].
stack("c1", 0, "copy", "https://app.test/a.js", 14).
quiet_after("c1").
#: expect contains
cause_of("i1", "c1").

#: test what a page swallows and goes on from is nothing
caught("c1", "SyntaxError", "Unexpected token 'x' is not valid JSON")@[2026-02-19T12:00:00.400Z].
stack("c1", 0, "settings", "https://app.test/a.js", 14).
caught("c2", "TypeError",
       "Cannot read properties of null (reading 'id')")@[2026-02-19T12:00:00.500Z].
stack("c2", 0, "probe", "https://app.test/a.js", 20).
#: expect none suspect/3 trouble/3 cause_of/2

#: test an exception of somebody else's script is nothing, though the page waits
shown("spinner", "").
request("r5", "GET", "https://ads.test/ads.js",
        "script")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
third_party("r5").
request_path("r5", "https://ads.test", "/ads.js").
caught("c1", "TypeError", "x of undefined")@[2026-02-19T12:00:00.400Z].
stack("c1", 0, "ad", "https://ads.test/ads.js", 14).
#: expect none suspect/3 cause_of/2

#: test an error that code throws itself, and a request that it gave up, are not faults of code
shown("spinner", "").
caught("c1", "Error", "no preferences yet")@[2026-02-19T12:00:00.400Z].
stack("c1", 0, "load", "https://app.test/a.js", 14).
caught("c2", "TypeError", "Failed to fetch")@[2026-02-19T12:00:00.400Z].
stack("c2", 0, "load", "https://app.test/a.js", 15).
#: expect none suspect/3 cause_of/2

#: test a full storage is told although code swallows it
caught("c1", "QuotaExceededError",
       "Setting the value of 'drafts' exceeded the quota.")@[2026-02-19T12:00:00.400Z].
stack("c1", 0, "keep", "https://app.test/a.js", 14).
storage_failed("c1", "local").
#: expect contains
cause_of("c1", "storage:local").
suspect("storage:local", "quota", "the local storage is full: /a.js:14 could not write").

#: test the browser refuses the clipboard, and the page says something else in its place
input("i1", "click", "button#copy", "Copy")@[2026-02-19T12:00:02Z].
caught("c1", "NotAllowedError", "Write permission denied.")@[2026-02-19T12:00:02.010Z].
stack("c1", 0, "copy", "https://app.test/a.js", 14).
#: expect none suspect/3 trouble/3

# ---- a page that says to the end what it is doing ------------------------------------------------------

#: test an answer of which nothing is shown
shown("waiting", "Looking up your order...").
asked("r1", "/api/order").
unchanged_after("r1").
#: expect contains
cause_of("shown:spinner", "r1").
suspect("r1", "unshown_answer",
        "GET /api/order answered 200, and nothing on the page changed after it").

#: test an answer after which the page changed was shown
shown("waiting", "Looking up more...").
asked("r1", "/api/order").
changed_after("r1").
#: expect none suspect/3 cause_of/2

#: test where another answer is waited for still, those that came are not blamed
shown("waiting", "Looking up your order...").
asked("r1", "/api/me").
unchanged_after("r1").
request("r2", "GET", "https://app.test/api/order", "data")@[2026-02-19T12:00:01Z, _].
request_path("r2", "https://app.test", "/api/order").
request_route("r2", "/api/order").
#: expect none unshown/1

#: test answers that change nothing are none of a page's faults by themselves
asked("r1", "/api/me").
unchanged_after("r1").
#: expect none suspect/3 trouble/3

#: test code that aborts a request and asks for nothing in its place
shown("waiting", "Loading records...").
request("r1", "GET", "https://app.test/api/records",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/records").
request_route("r1", "/api/records").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.200Z].
request_cancelled("r1", "script:store.js:12").
#: expect contains
cause_of("shown:spinner", "r1").
suspect("r1", "abandoned",
        "GET /api/records was aborted at store.js:12 before its answer came, and nothing was asked for in its place").

#: test a request that a newer one replaced is not abandoned
shown("waiting", "Loading records...").
request("r1", "GET", "https://app.test/api/records",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/records").
request_route("r1", "/api/records").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.200Z].
request_cancelled("r1", "script:store.js:12").
request("r2", "GET", "https://app.test/api/records",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.900Z].
request_path("r2", "https://app.test", "/api/records").
request_route("r2", "/api/records").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.900Z].
#: expect none abandoned/1 cause_of/2

#: test a limit of time that is shorter than the answer takes is told with its place
shown("waiting", "Looking up...").
request("r1", "GET", "https://app.test/api/slow",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:01.600Z].
request_path("r1", "https://app.test", "/api/slow").
request_route("r1", "/api/slow").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:01.600Z].
request_cancelled("r1", "script:list.js:12").
#: expect contains
cause_of("shown:spinner", "r1").
change_at("r1", "list.js:12",
          "this limit of time is shorter than the answer takes, and what is shown stays as it was").

# ---- names that are not there, clicks that nobody hears --------------------------------------------------------

#: test a listener was meant for an element that is called otherwise
input("i1", "click", "button#save-button", "Save")@[2026-02-19T12:00:02Z].
heard("i1", "none").
element_missing("q1", "#save-btn")@[2026-02-19T12:00:00.100Z].
nearly("q1", "save-button").
stack("q1", 0, "", "https://app.test/a.js", 2).
#: expect contains
cause_of("i1", "q1").
suspect("q1", "missing_element",
        "/a.js:2 looks for #save-btn, which is not there; there is save-button").

#: test a listener was meant for an element that came later
input("i1", "click", "button#save", "Save")@[2026-02-19T12:00:02Z].
heard("i1", "none").
element_missing("q1", "#save")@[2026-02-19T12:00:00.100Z].
element_came("q1").
stack("q1", 0, "", "https://app.test/a.js", 2).
#: expect contains
cause_of("i1", "q1").
suspect("q1", "missing_element", "/a.js:2 looks for #save before it is there").

#: test the code that would listen failed before
input("i1", "click", "button#save", "Save")@[2026-02-19T12:00:02Z].
heard("i1", "none").
error("e1", "TypeError", "Cannot set properties of null (setting 'hidden')",
      "exception")@[2026-02-19T12:00:00.100Z].
stack("e1", 0, "", "https://app.test/a.js", 2).
#: expect contains
cause_of("i1", "e1").

#: test the element that had the listener was replaced
input("i1", "click", "button#order", "Order")@[2026-02-19T12:00:02Z].
heard("i1", "lost").
stack("i1", 0, "wire", "https://app.test/a.js", 20).
#: expect contains
cause_of("i1", "i1").
suspect("i1", "input_without_effect",
        "the click on button#order did nothing: the element that had the listener was replaced by this one").
change_at("i1", "/a.js:20",
          "add the listener again after the element is drawn anew, or to what stays around it").

#: test a listener that does nothing for a click is told with its place
input("i1", "click", "button#export", "Export")@[2026-02-19T12:00:02Z].
heard("i1", "own").
input_without_effect("i1").
stack("i1", 0, "", "https://app.test/a.js", 3).
#: expect contains
cause_of("i1", "i1").
change_at("i1", "/a.js:3", "the listener that is added here does nothing for this click").

#: test an element that is looked for and optional is nothing, whatever is called nearly so
element_missing("q1", "#promo")@[2026-02-19T12:00:00.100Z].
nearly("q1", "promos").
stack("q1", 0, "", "https://app.test/a.js", 2).
input("i1", "click", "button#save", "Save")@[2026-02-19T12:00:02Z].
heard("i1", "own").
#: expect none trouble/3 cause_of/2

#: test a click beside all buttons, and one that the browser itself hears
input("i1", "click", "div#page", "")@[2026-02-19T12:00:02Z].
heard("i1", "none").
input("i2", "click", "button#submit", "Send")@[2026-02-19T12:00:03Z].
heard("i2", "native").
#: expect none suspect/3 trouble/3

# ---- events ------------------------------------------------------------------------------------------------

#: test an event that nobody listens to, and one of nearly that name
event_unheard("q1", "cart:updated")@[2026-02-19T12:00:02.010Z].
nearly("q1", "cart:update").
stack("q1", 0, "add", "https://app.test/a.js", 4).
input("i1", "click", "button#add", "Add")@[2026-02-19T12:00:02Z].
heard("i1", "own").
input_without_effect("i1").
#: expect contains
cause_of("i1", "q1").
suspect("q1", "unheard_event",
        "/a.js:4 dispatches cart:updated, to which nobody listens; there are listeners for cart:update").

#: test events that a library announces to whom it may concern
event_unheard("q1", "app:rendered")@[2026-02-19T12:00:02.010Z].
stack("q1", 0, "add", "https://app.test/a.js", 4).
#: expect none suspect/3 trouble/3

#: test a stream whose events the page does not listen to
shown("waiting", "Waiting for prices...").
request("r1", "GET", "https://app.test/api/stream", "stream")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "https://app.test", "/api/stream").
request_route("r1", "/api/stream").
answer("r1", 200, "text/event-stream")@[2026-02-19T12:00:00.200Z].
stream_unheard("r1", "price").
#: expect contains
cause_of("shown:spinner", "r1").
suspect("r1", "unheard_stream",
        "GET /api/stream sends events called price, and the page listens to none of that name").

#: test signs of life, and kinds of events that this page has no use for
request("r1", "GET", "https://app.test/api/stream", "stream")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "https://app.test", "/api/stream").
request_route("r1", "/api/stream").
answer("r1", 200, "text/event-stream")@[2026-02-19T12:00:00.200Z].
stream_unheard("r1", "ping").
stream_unheard("r1", "typing").
stream_heard("r1", "message").
#: expect none suspect/3 trouble/3

# ---- what piles up ------------------------------------------------------------------------------------------

#: test a listener that is added at each drawing does a deed once more each time
input("i1", "click", "button#book", "Book")@[2026-02-19T12:00:02Z].
heard("i1", "own").
listener_again("q1", "click", "button#book", 2)@[2026-02-19T12:00:01Z].
stack("q1", 0, "render", "https://app.test/a.js", 5).
request("r1", "POST", "https://app.test/api/book",
        "data")@[2026-02-19T12:00:02.010Z, 2026-02-19T12:00:02.100Z].
request_path("r1", "https://app.test", "/api/book").
request_route("r1", "/api/book").
answer("r1", 201, "application/json")@[2026-02-19T12:00:02.100Z].
sent_value("r1", "$.slot", "3").
asked_after_input("r1", "i1").
request("r2", "POST", "https://app.test/api/book",
        "data")@[2026-02-19T12:00:02.012Z, 2026-02-19T12:00:02.110Z].
request_path("r2", "https://app.test", "/api/book").
request_route("r2", "/api/book").
answer("r2", 201, "application/json")@[2026-02-19T12:00:02.110Z].
sent_value("r2", "$.slot", "3").
asked_after_input("r2", "i1").
#: expect contains
cause_of("r2", "q1").
suspect("q1", "repeated_listener",
        "/a.js:5 adds a listener for click to button#book again each time it runs: there are 2 or more").

#: test a library's line is told with who calls it, and who runs that again
input("i1", "click", "button#book", "Book")@[2026-02-19T12:00:02Z].
heard("i1", "own").
listener_again("q1", "click", "ul#rooms", 2)@[2026-02-19T12:00:01Z].
stack("q1", 0, "", "https://app.test/tiny.js", 9).
stack("q1", 1, "each", "https://app.test/tiny.js", 5).
stack("q1", 2, "init", "https://app.test/a.js", 21).
stack("q1", 3, "", "https://app.test/shell.js", 5).
request("r1", "POST", "https://app.test/api/book",
        "data")@[2026-02-19T12:00:02.010Z, 2026-02-19T12:00:02.100Z].
request_path("r1", "https://app.test", "/api/book").
request_route("r1", "/api/book").
answer("r1", 201, "application/json")@[2026-02-19T12:00:02.100Z].
sent_value("r1", "$.slot", "3").
asked_after_input("r1", "i1").
request("r2", "POST", "https://app.test/api/book",
        "data")@[2026-02-19T12:00:02.012Z, 2026-02-19T12:00:02.110Z].
request_path("r2", "https://app.test", "/api/book").
request_route("r2", "/api/book").
answer("r2", 201, "application/json")@[2026-02-19T12:00:02.110Z].
sent_value("r2", "$.slot", "3").
asked_after_input("r2", "i1").
#: expect contains
cause_of("r2", "q1").
suspect("q1", "repeated_listener",
        "/tiny.js:9, called by /a.js:21, adds a listener for click to ul#rooms again each time it runs: there are 2 or more").
change_at("q1", "/a.js:21", "what runs here listens once more").
change_at("q1", "/shell.js:5", "what runs here listens once more").

#: test parts of a page may each listen to the document
input("i1", "click", "button#menu", "Menu")@[2026-02-19T12:00:02Z].
heard("i1", "own").
listener_again("q1", "click", "", 5)@[2026-02-19T12:00:01Z].
stack("q1", 0, "dropdown", "https://app.test/a.js", 5).
#: expect none suspect/3 trouble/3

#: test timers that pile up ask more than the server takes
timer_again("q1", 3)@[2026-02-19T12:00:01Z].
stack("q1", 0, "watch", "https://app.test/seats.js", 7).
stack("q1", 1, "draw", "https://app.test/shows.js", 20).
timer_again("q2", 20)@[2026-02-19T12:00:03Z].
stack("q2", 0, "watch", "https://app.test/seats.js", 7).
stack("q2", 1, "draw", "https://app.test/shows.js", 20).
request("r1", "GET", "https://app.test/api/seats",
        "data")@[2026-02-19T12:00:04Z, 2026-02-19T12:00:04.100Z].
request_path("r1", "https://app.test", "/api/seats").
request_route("r1", "/api/seats").
answer("r1", 429, "application/json")@[2026-02-19T12:00:04.100Z].
stack("r1", 0, "", "https://app.test/seats.js", 8).
#: expect contains
cause_of("r1", "q2").
change_at("q2", "/seats.js:7", "start it once, or end the old one before").
change_at("q2", "/shows.js:20", "what runs here starts it once more").

#: test a timer for each of many parts of a page is nothing
timer_again("q1", 8)@[2026-02-19T12:00:01Z].
stack("q1", 0, "clock", "https://app.test/clock.js", 7).
#: expect none suspect/3 trouble/3

# ---- what is no number ------------------------------------------------------------

#: test what is no number on the page comes of one that is written for people
shown("text", "Total: NaN").
asked("r1", "/api/basket").
written_number("r1", "$.lines[].unitPrice", "31,50").
#: expect contains
cause_of("shown:broken", "r1").
suspect("r1", "unreadable_number",
        "GET /api/basket answered `31,50` at $.lines[].unitPrice, which code does not read as a number").

#: test numbers that are written for people are shown to people
asked("r1", "/api/basket").
written_number("r1", "$.lines[].unitPrice", "31,50").
#: expect none suspect/3 trouble/3

# ---- elements, copies --------------------------------------------------------------------------------

#: test an element of the page's own is defined by another name
element_undefined("user-card", "user-crad", "q1").
defines_elements().
stack("q1", 0, "", "https://app.test/a.js", 3).
#: expect contains
cause_of("element:user-card", "q1").
suspect("q1", "undefined_element",
        "/a.js:3 defines the element user-crad, and the page has <user-card>").

#: test an element that nobody defines because the script never came
element_undefined("user-card", "", "").
request("r2", "GET", "https://app.test/card.js",
        "script")@[2026-02-19T12:00:00.060Z, 2026-02-19T12:00:00.090Z].
request_path("r2", "https://app.test", "/card.js").
request_route("r2", "/card.js").
answer("r2", 404, "text/html")@[2026-02-19T12:00:00.090Z].
#: expect contains
cause_of("element:user-card", "r2").

#: test a name that only styles know
element_undefined("x-badge", "", "").
#: expect none suspect/3 trouble/3

#: test a second copy of a library, and what was registered with the first is gone
script("s1", "https://app.test/chart.js", "blocking")@[2026-02-19T12:00:00.100Z].
script("s2", "https://app.test/vendor/chart.min.js", "blocking")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/vendor/chart.min.js",
        "script")@[2026-02-19T12:00:00.160Z, 2026-02-19T12:00:00.190Z].
request_path("r2", "https://app.test", "/vendor/chart.min.js").
request_route("r2", "/vendor/chart.min.js").
answer("r2", 200, "text/javascript")@[2026-02-19T12:00:00.190Z].
script_request("s2", "r2").
loaded_again("s2", "https://app.test/vendor/chart.min.js", "https://app.test/chart.js").
error("e1", "Error", "no chart type is called bars", "exception")@[2026-02-19T12:00:01Z].
stack("e1", 0, "draw", "https://app.test/a.js", 18).
#: expect contains
cause_of("e1", "r2").

#: test a library that is loaded twice, and nothing comes of it
script("s1", "https://app.test/chart.js", "blocking")@[2026-02-19T12:00:00.100Z].
script("s2", "https://app.test/chart.js", "blocking")@[2026-02-19T12:00:00.200Z].
loaded_again("s2", "https://app.test/chart.js", "https://app.test/chart.js").
#: expect none trouble/3 cause_of/2

#: test what is sent in the background and fails, and nobody waits for it
request("r2", "POST", "https://app.test/api/metrics",
        "data")@[2026-02-19T12:00:00.160Z, 2026-02-19T12:00:00.190Z].
request_path("r2", "https://app.test", "/api/metrics").
request_route("r2", "/api/metrics").
answer("r2", 503, "text/plain")@[2026-02-19T12:00:00.190Z].
#: expect none cause_of/2

#: test what a user did and failed is missed, though nobody says a word
input("i1", "click", "button#save", "Save")@[2026-02-19T12:00:00.100Z].
request("r2", "POST", "https://app.test/api/notes",
        "data")@[2026-02-19T12:00:00.160Z, 2026-02-19T12:00:00.190Z].
request_path("r2", "https://app.test", "/api/notes").
request_route("r2", "/api/notes").
answer("r2", 503, "text/plain")@[2026-02-19T12:00:00.190Z].
#: expect contains
cause_of("r2", "r2").

# ---- a socket that refuses ---------------------------------------------------------------------------

#: test a message that refuses what was sent, and the page waits on
shown("waiting", "Joining the room...").
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "sent", "{\"type\":\"join\",\"room\":\"Lounge\"}")@[2026-02-19T12:00:00.300Z].
socket_frame("r1", 2, "received",
             "{\"type\":\"refused\",\"code\":\"unknown_room\"}")@[2026-02-19T12:00:00.400Z].
#: expect contains
cause_of("shown:spinner", "r1").

#: test what is talked about may have been refused
request("r1", "GET", "wss://app.test/ws", "socket")@[2026-02-19T12:00:00.100Z, _].
request_path("r1", "wss://app.test", "/ws").
request_route("r1", "/ws").
socket_frame("r1", 1, "received",
             "{\"type\":\"visa\",\"status\":\"refused\"}")@[2026-02-19T12:00:00.400Z].
#: expect none suspect/3 trouble/3

# Forms that the browser sends itself: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 40_common.mg 47_reload.mg
Decl asked(R, Path, Kind, From, To) bound [/string, /string, /string, /number, /number].
request(R, "GET", Url, Kind)@[A, B] :-
  asked(R, Path, Kind, From, To),
  Url = fn:string:concat("http://h", Path),
  A = fn:time:from_unix_nanos(fn:mult(From, 1000000)),
  B = fn:time:from_unix_nanos(fn:mult(To, 1000000)).
answer(R, 200, "text/html")@[B, B] :-
  asked(R, _, _, _, To),
  B = fn:time:from_unix_nanos(fn:mult(To, 1000000)).
request_path(R, "http://h", Path) :- asked(R, Path, _, _, _).
request_route(R, Path) :- asked(R, Path, _, _, _).
asked("r1", "/plan", "document", 1000, 1100).
earlier_document("r1").
request_size("r1", 0, 900).
asked("r2", "/api/plan", "data", 1200, 1300).
earlier_document("r2").
asked_by("r2", "script").
input("i1", "submit", "form#new", "")@[1970-01-01T00:00:03Z].
navigation("n1", "http://h/plan", "address")@[1970-01-01T00:00:01Z, 1970-01-01T00:00:02Z].
page("http://h/plan", "", "loaded").
Decl sent_itself().
navigation("n2", "http://h/plan?title=Lunch",
           "form")@[1970-01-01T00:00:03.050Z, 1970-01-01T00:00:04Z] :-
  sent_itself().
request("r4", "GET", "http://h/plan?title=Lunch",
        "document")@[1970-01-01T00:00:03.050Z, 1970-01-01T00:00:03.100Z] :-
  sent_itself().
request_path("r4", "http://h", "/plan") :- sent_itself().
request_query("r4", "title", "Lunch") :- sent_itself().
sent_value("r4", "$.title", "Lunch") :- sent_itself().
submitted("i1", "form#new", "get", "http://h/plan", "false") :- sent_itself().

#: test code that heard the button had begun, by other questions than the form's
sent_itself().
input("i0", "click", "button#open", "Open")@[1970-01-01T00:00:02.995Z].
stack("i0", 0, "", "http://h/dome.js", 42).
request("r3", "GET", "http://h/api/status", "data")@[1970-01-01T00:00:03Z, _].
request_path("r3", "http://h", "/api/status").
request_route("r3", "/api/status").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i0").
stack("r3", 0, "refresh", "http://h/dome.js", 13).
#: expect contains
begun_by("i1", "r3").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").

#: test what a timer asks for by itself is not begun by the click
sent_itself().
input("i0", "click", "button#open", "Open")@[1970-01-01T00:00:02.995Z].
stack("i0", 0, "", "http://h/dome.js", 42).
request("r3", "GET", "http://h/api/status", "data")@[1970-01-01T00:00:03Z, _].
request_path("r3", "http://h", "/api/status").
request_route("r3", "/api/status").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i0").
stack("r3", 0, "refresh", "http://h/dome.js", 13).
stack("r3", 1, "setTimeout@4720", "", 1).
#: expect none begun_by/2

#: test code that waits before it keeps the browser from sending
sent_itself().
request("r3", "GET", "http://h/api/clash", "data")@[1970-01-01T00:00:03.010Z, _].
request_path("r3", "http://h", "/api/clash").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i1").
stack("r3", 0, "", "http://h/form.js", 7).
prevents_late("http://h/form.js", 9).
#: expect
suspect("i1", "native_submit",
        "the browser sends form#new itself and loads the page anew: /form.js:9 calls preventDefault only after an await").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").
change_at("i1", "/form.js:9", "call preventDefault before the first await").

#: test the same where its line is not known
sent_itself().
request("r3", "GET", "http://h/api/clash", "data")@[1970-01-01T00:00:03.010Z, _].
request_path("r3", "http://h", "/api/clash").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i1").
stack("r3", 0, "", "http://h/form.js", 7).
#: expect
suspect("i1", "native_submit",
        "the browser sends form#new itself and loads the page anew while its code waits at /form.js:7: preventDefault has to come first, or the button is of type button").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").

#: test code that fails before
sent_itself().
error("e1", "TypeError", "TypeError: x is not a function",
      "exception")@[1970-01-01T00:00:03.010Z, 1970-01-01T00:00:03.010Z].
stack("e1", 0, "", "http://h/form.js", 7).
#: expect
suspect("i1", "native_submit",
        "the browser sends form#new itself and loads the page anew: its code failed before preventDefault").
causes("i1", "e1", "it failed before it kept the browser from sending the form").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").

#: test a form that no code took over, on a page that does not look at its address
sent_itself().
request_size("r4", 0, 900).
#: expect
suspect("i1", "native_submit",
        "the browser sends form#new itself and loads the page anew: no code took it over").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").

#: test a search that its server answers with another page
sent_itself().
request_size("r4", 0, 2417).
#: expect none suspect/3 trouble/3

#: test a search that the page's code reads from its address
sent_itself().
request_size("r4", 0, 900).
asked("r5", "/api/plan", "data", 3200, 3300).
request_query("r5", "q", "Lunch").
#: expect none suspect/3 trouble/3

#: test a search whose words are shown
sent_itself().
request_size("r4", 0, 900).
shown("text", "Results for Lunch").
#: expect none suspect/3 trouble/3

#: test a form that code sends
submitted("i1", "form#new", "get", "http://h/plan", "true").
asked("r3", "/api/save", "data", 3010, 3100).
asked_by("r3", "script").
asked_after_input("r3", "i1").
#: expect none suspect/3 trouble/3

#: test a form that goes elsewhere
submitted("i1", "form#go", "get", "http://h/other", "false").
navigation("n2", "http://h/other?title=Lunch",
           "form")@[1970-01-01T00:00:03.050Z, 1970-01-01T00:00:04Z].
asked("r4", "/other", "document", 3050, 3100).
request_size("r4", 0, 900).
#: expect none suspect/3 trouble/3

#: test the click on its button is heard, and the form is sent all the same
sent_itself().
input("i2", "click", "button#find", "Find")@[1970-01-01T00:00:02.990Z].
request("r3", "GET", "http://h/api/find", "data")@[1970-01-01T00:00:02.995Z, _].
request_path("r3", "http://h", "/api/find").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i2").
sent_value("r3", "$.term", "Lunch").
stack("r3", 0, "search", "http://h/form.js", 7).
#: expect
suspect("i1", "native_submit",
        "the browser sends form#new itself and loads the page anew while its code waits at /form.js:7: preventDefault has to come first, or the button is of type button").
trouble("i1", 60, "sending form#new loaded the page anew, and saved nothing").

#: test a click that is counted has another thing to say
sent_itself().
input("i2", "click", "button#find", "Find")@[1970-01-01T00:00:02.990Z].
request("r3", "GET", "http://h/api/seen", "data")@[1970-01-01T00:00:02.995Z, _].
request_path("r3", "http://h", "/api/seen").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i2").
sent_value("r3", "$.term", "find-button").
stack("r3", 0, "search", "http://h/form.js", 7).
#: expect none is_begun/1

#: test a form that is sent by right, and what was looked for is written down
sent_itself().
input("i2", "click", "button#find", "Find")@[1970-01-01T00:00:02.990Z].
request("r3", "POST", "http://h/api/log", "data")@[1970-01-01T00:00:02.995Z, _].
request_path("r3", "http://h", "/api/log").
earlier_document("r3").
asked_by("r3", "script").
asked_after_input("r3", "i2").
sent_value("r3", "$.term", "Lunch").
stack("r3", 0, "search", "http://h/form.js", 7).
#: expect none is_begun/1

# Where a thing is: the line that asked, not the page's client of the API: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg

Decl asked(R, Route) bound [/string, /string].
request(R, "GET", Url, "data")@[A, A] :-
  asked(R, Route),
  Url = fn:string:concat("http://h", Route),
  A = fn:time:from_unix_nanos(1000000000).
request_path(R, "http://h", Route) :- asked(R, Route).
request_route(R, Route) :- asked(R, Route).
page("http://h/", "", "loaded").
Decl threw(E, Name, Message) bound [/string, /string, /string].
error(E, Name, Message, "exception")@[A, A] :-
  threw(E, Name, Message),
  A = fn:time:from_unix_nanos(2000000000).

# Another port of the same host is no other site by its address.
Decl sent(R, Method, Origin, Path) bound [/string, /string, /string, /string].
request(R, Method, Url, "data")@[A, A] :-
  sent(R, Method, Origin, Path),
  Url = fn:string:concat(Origin, Path),
  A = fn:time:from_unix_nanos(1500000000).
request_path(R, Origin, Path) :- sent(R, _, Origin, Path).
Decl brings(R, Origin, Path) bound [/string, /string, /string].
request(R, "GET", Url, "script")@[A, A] :-
  brings(R, Origin, Path),
  Url = fn:string:concat(Origin, Path),
  A = fn:time:from_unix_nanos(1200000000).
request_path(R, Origin, Path) :- brings(R, Origin, Path).

#: test a line through which requests of two routes went is a client, and its caller is the place
asked("r1", "/a").
asked("r2", "/b").
stack("r1", 0, "send", "http://h/core/net.js", 19).
stack("r1", 1, "get", "http://h/core/net.js", 27).
stack("r1", 2, "load", "http://h/tasks.js", 30).
stack("r2", 0, "send", "http://h/core/net.js", 19).
stack("r2", 1, "get", "http://h/core/net.js", 27).
stack("r2", 2, "open", "http://h/board.js", 7).
#: expect
place_of("r1", "/tasks.js:30").
place_of("r2", "/board.js:7").

#: test asynchronous callers count, too
asked("r1", "/a").
asked("r2", "/b").
stack("r1", 0, "send", "http://h/net.js", 19).
stack("r1", 4, "load", "http://h/tasks.js", 30).
stack("r2", 0, "send", "http://h/net.js", 19).
stack("r2", 3, "open", "http://h/board.js", 7).
#: expect
place_of("r1", "/tasks.js:30").
place_of("r2", "/board.js:7").

#: test two requests of one route do not make a client
asked("r1", "/a").
asked("r2", "/a").
stack("r1", 0, "load", "http://h/tasks.js", 30).
stack("r1", 1, "main", "http://h/main.js", 3).
stack("r2", 0, "load", "http://h/tasks.js", 30).
stack("r2", 1, "main", "http://h/main.js", 9).
#: expect
place_of("r1", "/tasks.js:30").
place_of("r2", "/tasks.js:30").

#: test a function that asks for two things in two lines is none
asked("r1", "/a").
asked("r2", "/b").
stack("r1", 0, "load", "http://h/tasks.js", 30).
stack("r1", 1, "main", "http://h/main.js", 3).
stack("r2", 0, "load", "http://h/tasks.js", 31).
stack("r2", 1, "main", "http://h/main.js", 3).
#: expect
place_of("r1", "/tasks.js:30").
place_of("r2", "/tasks.js:31").

#: test a loop over addresses has no other caller
asked("r1", "/a").
asked("r2", "/b").
stack("r1", 0, "load", "http://h/tasks.js", 30).
stack("r1", 1, "main", "http://h/main.js", 3).
stack("r2", 0, "load", "http://h/tasks.js", 30).
stack("r2", 1, "main", "http://h/main.js", 3).
#: expect
place_of("r1", "/tasks.js:30").
place_of("r2", "/tasks.js:30").

#: test one request through a file that is called as a client
asked("r1", "/a").
stack("r1", 0, "send", "http://h/core/api.js", 19).
stack("r1", 1, "load", "http://h/tasks.js", 30).
#: expect
place_of("r1", "/tasks.js:30").

#: test such a file alone is the place
asked("r1", "/a").
stack("r1", 0, "send", "http://h/core/api.js", 19).
#: expect
place_of("r1", "/core/api.js:19").

#: test what a client throws is the matter of its caller, and its own mistakes are not
asked("r1", "/a").
asked("r2", "/b").
stack("r1", 0, "send", "http://h/net.js", 19).
stack("r2", 0, "send", "http://h/net.js", 19).
threw("e1", "ApiError", "ApiError: not allowed").
stack("e1", 0, "send", "http://h/net.js", 22).
stack("e1", 1, "load", "http://h/tasks.js", 30).
threw("e2", "TypeError", "TypeError: Cannot read properties of undefined (reading 'x')").
stack("e2", 0, "send", "http://h/net.js", 24).
stack("e2", 1, "load", "http://h/tasks.js", 30).
threw("e3", "SyntaxError", "Unexpected token '<', \"<!doctype\" is not valid JSON").
stack("e3", 0, "send", "http://h/net.js", 21).
stack("e3", 1, "load", "http://h/tasks.js", 30).
threw("e4", "RenderError", "RenderError: no template").
stack("e4", 0, "draw", "http://h/view.js", 5).
stack("e4", 1, "load", "http://h/tasks.js", 30).
#: expect
place_of("r1", "/net.js:19").
place_of("r2", "/net.js:19").
place_of("e1", "/tasks.js:30").
place_of("e2", "/net.js:24").
place_of("e3", "/tasks.js:30").
place_of("e4", "/view.js:5").

# ---- what an answer that is an error says --------------------------------------------------------------

#: test what is quoted is the member that was refused, then the detail, then a message, and a title last
refusal_says("r1", 1, "title", "Unprocessable").
refusal_says("r1", 2, "detail", "the slot is taken").
refusal_says("r2", 1, "message", "The given data was invalid.").
refusal_says("r2", 2, "errors.email", "is not valid").
refusal_says("r2", 3, "errors.name", "is too long").
refusal_says("r3", 1, "title", "KeyError at /e").
refusal_says("r4", 1, "", "no").
#: expect
own_words("r1", "the slot is taken").
own_words("r2", "errors.email is not valid").
own_words("r3", "KeyError at /e").
own_words("r4", "no").

#: test what says nothing is not quoted
asked("r1", "/a").
#: expect none own_words/2 says_why/2

# ---- what scripts from elsewhere send for themselves ---------------------------------------------------

#: test what a tag from another port sends to a third is a tracker's
brings("s1", "http://h", "/main.js").
brings("s2", "http://h:81", "/v2.js").
sent("r1", "POST", "http://h:82", "/c").
stack("r1", 0, "f", "http://h:81/v2.js", 1).
#: expect
is_tracker("r1").
asked_from_elsewhere("r1").

#: test also where code of the page calls it, once it was sent without
brings("s1", "http://h", "/main.js").
brings("s2", "http://h:81", "/v2.js").
sent("r1", "POST", "http://h:82", "/c").
stack("r1", 0, "f", "http://h:81/v2.js", 1).
sent("r2", "POST", "http://h:82", "/c").
stack("r2", 0, "f", "http://h:81/v2.js", 1).
stack("r2", 1, "save", "http://h/main.js", 9).
#: expect
is_tracker("r1").
is_tracker("r2").

#: test also a tag that sends to where it came from, and another that was wrapped around fetch
brings("s1", "http://h", "/main.js").
brings("s2", "http://h:81", "/v2.js").
sent("r1", "POST", "http://h:81", "/in").
stack("r1", 0, "t", "http://h:81/v2.js", 1).
sent("r2", "GET", "http://h", "/api/list").
stack("r2", 0, "wrapped", "http://h:81/v2.js", 1).
stack("r2", 1, "load", "http://h/main.js", 4).
#: expect
is_tracker("r1").

#: test the page's own API on another port is its own
brings("s1", "http://h", "/main.js").
brings("s2", "http://h:81", "/v2.js").
sent("r1", "POST", "http://h:82", "/orders").
stack("r1", 0, "save", "http://h/main.js", 4).
#: expect none is_tracker/1 asked_from_elsewhere/1

#: test nor is it a library's from elsewhere that the page calls
brings("s1", "http://h", "/main.js").
brings("s2", "http://cdn", "/axios.js").
sent("r1", "POST", "http://h:82", "/orders").
stack("r1", 0, "dispatch", "http://cdn/axios.js", 4).
stack("r1", 1, "save", "http://h/main.js", 4).
#: expect none is_tracker/1 asked_from_elsewhere/1

#: test nor where what is told of the stack may end before the page's code
brings("s1", "http://h", "/main.js").
brings("s2", "http://cdn", "/axios.js").
sent("r1", "POST", "http://h:82", "/orders").
stack("r1", 0, "dispatch", "http://cdn/axios.js", 4).
stack("r1", 7, "request", "http://cdn/axios.js", 90).
#: expect none is_tracker/1 asked_from_elsewhere/1

#: test an application whose scripts all come from elsewhere is at home
brings("s2", "http://h:5173", "/app.js").
sent("r1", "POST", "http://h:82", "/orders").
stack("r1", 0, "save", "http://h:5173/app.js", 4).
#: expect none is_tracker/1 asked_from_elsewhere/1

#: test nor one that asks the page's own server, too
brings("s1", "http://h", "/legacy.js").
brings("s2", "http://h:5173", "/app.js").
sent("r1", "POST", "http://h:82", "/orders").
stack("r1", 0, "save", "http://h:5173/app.js", 4).
sent("r2", "GET", "http://h", "/api/me").
stack("r2", 0, "who", "http://h:5173/app.js", 9).
#: expect none is_tracker/1 asked_from_elsewhere/1

#: test what reads its answers is no tracker, though it is somebody else's
brings("s1", "http://h", "/main.js").
brings("s2", "http://h:81", "/chat.js").
sent("r1", "POST", "http://h:81", "/talk").
stack("r1", 0, "open", "http://h:81/chat.js", 4).
code_reads_json("r1").
#: expect
asked_from_elsewhere("r1").
#: expect none is_tracker/1

#: test code of a page about analytics is the page's own
page("https://app.test/shop/analytics/", "Analytics", "loaded").
stack("k1", 0, "fit", "https://app.test/shop/analytics/bars.js", 5).
stack("k2", 0, "send", "https://app.test/shop/pixel.js", 2).
#: expect
is_tracker_script("https://app.test/shop/pixel.js").

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

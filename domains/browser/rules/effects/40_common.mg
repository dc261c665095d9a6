# What the rules of all kinds of fault share. A kind of fault is a rule of suspect (what is abnormal, by the
# evidence alone), where it needs one a rule of causes (what comes of it), a row of repair and a row of check.
# ../../README.md says how to add one.
#
# Kinds stand in one file a family: 41 network, 42 policy, 43 redirects and sessions, 44 bodies, 45 scripts,
# 46 sockets, 47 storage and forms, 48 rendering, 49 speed.

# ---- where to repair, how to check ----------------------------------------------------------------

Decl repair(Kind, Side, What)
  descr [doc("What mends a fault of this kind. Side is endpoint (the request that was asked), code (the line that asked or threw), node (X itself is the place) or abort (the line that cancelled it).")]
  bound [/string, /string, /string].
Decl check(Kind, How)
  descr [doc("How to see that it is mended. The label of the request follows if there is one.")]
  bound [/string, /string].

change_at(X, Where, What) :-
  suspect(X, Kind, _),
  repair(Kind, "endpoint", What),
  request_label(X, Where).
change_at(X, Where, What) :- suspect(X, Kind, _), repair(Kind, "code", What), place_of(X, Where).
change_at(X, X, What) :- suspect(X, Kind, _), repair(Kind, "node", What), !has_number_alone(X).
# Its id says nothing to anybody; its place does.
has_number_alone(H) :- kept_alive(H, _)@[T, _].
has_number_alone(R) :- method_of(R, _).

check_by(X, How) :-
  suspect(X, Kind, _),
  check(Kind, What),
  request_label(X, Label),
  How = fn:string:concat(Label, " ", What).
check_by(X, What) :- suspect(X, Kind, _), check(Kind, What), !request_label(X, _).

# ---- time -------------------------------------------------------------------------------------------

Decl seconds(Ms, Text)
  descr [doc("3200 is `3.2 s`."), mode('+', '-'), deferred()]
  bound [/number, /string].
seconds(Ms, Text) :-
  Whole = fn:div(Ms, 1000),
  Rest = fn:div(fn:mod(Ms, 1000), 100),
  Text = fn:string:concat(Whole, ".", Rest, " s").

Decl watched_until(Ms) bound [/number].
watch_ended(Ms) :- watched(_)@[_, E], ms(E, Ms).
watched_until(Ms) :- watch_ended(M) |> do fn:group_by(), let Ms = fn:max(M).

# How long it took until its end; of what never ended, until the watch did.
Decl took(R, Ms) bound [/string, /number].
took(R, Ms) :- sent_at(R, S), ended_at(R, E), Ms = fn:minus(E, S).
Decl waits(R, Ms)
  descr [doc("Still without an answer, after so many milliseconds of watching.")]
  bound [/string, /number].
waits(R, Ms) :-
  is_open(R),
  !status_of(R, _),
  !no_answer(R, _),
  sent_at(R, S),
  watched_until(E),
  Ms = fn:minus(E, S).

# ---- which requests ---------------------------------------------------------------------------------

Decl is_socket(R)
  descr [doc("A WebSocket or an EventSource.")]
  bound [/string].
is_socket(R) :- kind_of(R, "socket").
is_socket(R) :- kind_of(R, "stream").

Decl own_data(R)
  descr [doc("Data of the page's own site.")]
  bound [/string].
own_data(R) :- is_data(R), !third_party(R).

# Asked again as soon as it came back, each time after a long wait: nobody misses its answer.
Decl is_polled(Method, Route) bound [/string, /string].
long_wait(R, Method, Route, End) :-
  took(R, Ms),
  2000 <= Ms,
  is_data(R),
  known_at(R, End),
  endpoint(R, Method, Route).
is_polled(Method, Route) :-
  long_wait(R, Method, Route, End),
  endpoint(Next, Method, Route),
  Next != R,
  sent_at(Next, S),
  End <= S,
  S < fn:plus(End, 1500),
  !has_error_answer(R),
  !has_more_under_way(R).
# Who waits for news waits once: two more of the same that were asked for meanwhile are none.
asked_meanwhile(R, X) :-
  long_wait(R, _, _, End),
  url_of(R, Url),
  url_of(X, Url),
  X != R,
  sent_at(R, A),
  sent_at(X, B),
  A <= B,
  B < End.
meanwhile(R, N) :- asked_meanwhile(R, X) |> do fn:group_by(R), let N = fn:count().
has_more_under_way(R) :- meanwhile(R, N), 2 <= N.
has_error_answer(R) :- has_bad_status(R, S), S != 408, S != 504.
Decl is_long_poll(R) bound [/string].
is_long_poll(R) :- is_polled(Method, Route), endpoint(R, Method, Route).
# The first of them by what it is asked with.
is_long_poll(R) :- is_data(R), url_of(R, Url), :string:contains(Url, "poll"), took_long(R).
# (What is asked about a poll is answered at once.)
took_long(R) :- took(R, Ms), 1000 <= Ms.
took_long(R) :- is_open(R).
is_long_poll(R) :- is_data(R), request_query(R, "wait", _).

# Given up for a newer one of the same endpoint: search while typing, a view that was left.
Decl superseded(R, By) bound [/string, /string].
superseded(R, By) :-
  is_cancelled(R),
  endpoint(R, Method, Route),
  endpoint(By, Method, Route),
  By != R,
  sent_at(R, A),
  sent_at(By, B),
  A < B,
  failed_at(R, End),
  End <= fn:plus(B, 150),
  B <= fn:plus(End, 1000).
Decl was_superseded(R) bound [/string].
was_superseded(R) :- superseded(R, _).

# Of a list in parts, the question that is asked over and over: told there, and not as a loop of requests.
Decl is_paged(R) bound [/string].

# Of a question that is asked again and again before it is answered: told as such a pile, and not as a loop of requests.
Decl is_request_pile(R) bound [/string].

# A connection that goes on behind a gap: told there, and no connection that was only made again.
Decl is_missed(R) bound [/string].

# A click from which code looked outwards for what is not there: told with what it looked for.
Decl is_known_around(I) bound [/string].

# A copy could not be kept, and is none that anybody misses: told there, and no fault of a storage that is full.
Decl spared_write(C) bound [/string].

# ---- errors -----------------------------------------------------------------------------------------

Decl json_error(E)
  descr [doc("Text that is no JSON was read as JSON.")]
  bound [/string].
json_error(E) :- error_text(E, T), :string:contains(T, "is not valid JSON").
json_error(E) :- error_text(E, T), :string:contains(T, "in JSON at position").
json_error(E) :- error_text(E, T), :string:contains(T, "Unexpected end of JSON input").
json_error(E) :- error_text(E, T), :string:contains(T, "JSON.parse:").
json_error(E) :- error_text(E, T), :string:contains(T, "JSON Parse error").

Decl fetch_error(E)
  descr [doc("A request of code failed without an answer that it could read.")]
  bound [/string].
fetch_error(E) :- error_text(E, T), :string:contains(T, "Failed to fetch").
fetch_error(E) :- error_text(E, T), :string:contains(T, "NetworkError when attempting to fetch").
fetch_error(E) :- error_text(E, T), :string:contains(T, "Load failed").
fetch_error(E) :- error_text(E, T), :string:contains(T, "Network Error").

Decl awaits_something(E) bound [/string].
awaits_something(E) :- error_awaits(E, _).

# Said by a page about itself whatever happens: no fault, and nobody has to mend it.
Decl harmless_error(E, Why) bound [/string, /string].
harmless_error(E, "the browser's notice about a ResizeObserver is harmless") :-
  error_text(E, T),
  :string:contains(T, "ResizeObserver loop").
harmless_error(E, "an extension of the browser, not the page") :-
  stack(E, 0, _, Url, _),
  :string:starts_with(Url, "chrome-extension://").
harmless_error(E, "a notice of deprecation") :- error_source(E, "deprecation").
cleared(E, Why) :- harmless_error(E, Why).
Decl is_harmless(E) bound [/string].
is_harmless(E) :- harmless_error(E, _).

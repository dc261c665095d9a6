# Kinds of fault of speed: an answer that takes long, questions one after the other, too much at once.

# ---- slow ---------------------------------------------------------------------------------------------------

Decl slow_limit(Kind, Ms)
  descr [doc("From so many milliseconds on a request of this kind is slow.")]
  bound [/string, /number].
slow_limit("data", 2500).
slow_limit("document", 3000).

# Where everything is slow it is the machine or the line. What is slow takes three times what half of the others do.
Decl lasted(R, Ms) bound [/string, /number].
lasted(R, Ms) :-
  request_timing(R, Waited, Received),
  !is_long_poll(R),
  !third_party(R),
  Ms = fn:plus(Waited, Received).
timed(N) :- lasted(R, Ms) |> do fn:group_by(), let N = fn:count().
as_quick(R, N) :- slow_maybe(R, Ms), lasted(Other, Less), R != Other, fn:mult(3, Less) <= Ms
  |> do fn:group_by(R), let N = fn:count().
slow_maybe(R, Ms) :-
  request_timing(R, Waited, Received),
  Ms = fn:plus(Waited, Received),
  kind_of(R, Kind),
  slow_limit(Kind, Limit),
  Limit <= Ms,
  !is_long_poll(R),
  went_well(R).
Decl slow(R, Ms) bound [/string, /number].
slow(R, Ms) :- slow_maybe(R, Ms), timed(N), N < 4.
slow(R, Ms) :- slow_maybe(R, Ms), timed(N), 4 <= N, as_quick(R, Quick), N <= fn:mult(2, Quick).
suspect(R, "slow", Text) :-
  slow(R, Ms),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat(Label, " took ", For).
trouble(R, 36, Text) :-
  slow(R, Ms),
  !third_party(R),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat("the page waits ", For, " for ", Label).

# What is larger, was asked for no later and is shown already is what the page is for.
cleared(R, "what there is more of was shown long before it") :-
  slow(R, _),
  is_data(R),
  !asked_after_input(R, _),
  !is_waited_on(R),
  more_came_first(R, _).
more_came_first(R, Other) :-
  slow(R, _),
  own_data(R),
  own_data(Other),
  went_well(Other),
  changed_after(Other),
  sent_at(R, A),
  sent_at(Other, B),
  B <= fn:plus(A, 100),
  ended_at(R, C),
  ended_at(Other, D),
  fn:plus(D, 1500) <= C,
  request_size(R, _, Less),
  request_size(Other, _, More),
  fn:mult(3, Less) <= fn:mult(2, More).
# Something else is asked for as soon as it came, or the page says to wait.
is_waited_on(R) :-
  slow(R, _),
  own_data(R),
  own_data(Next),
  R != Next,
  ended_at(R, A),
  sent_at(Next, B),
  A <= B,
  B <= fn:plus(A, 300),
  shares_caller(R, Next).
shares_caller(R, Next) :-
  slow(R, _),
  own_frame(R, _, Function, Url, _),
  own_frame(Next, _, Function, Url, _),
  Function != "".

# ---- one after the other ----------------------------------------------------------------------------------------

next_of(R, Next) :-
  endpoint(R, "GET", Route),
  own_data(R),
  :string:contains(Route, "{id}"),
  endpoint(Next, "GET", Route),
  R != Next,
  own_data(Next),
  ended_at(R, End),
  sent_at(Next, S),
  End <= S,
  S <= fn:plus(End, 150).
follows(Route, Next) :- next_of(R, Next), request_route(R, Route).
row_length(Route, N) :- follows(Route, Next) |> do fn:group_by(Route), let N = fn:count().
row_start(Route, First) :- next_of(R, _), request_route(R, Route), sent_at(R, S)
  |> do fn:group_by(Route), let First = fn:min(S).
waterfall(R, Route, N) :-
  row_length(Route, N),
  7 <= N,
  row_start(Route, First),
  endpoint(R, "GET", Route),
  sent_at(R, First).
suspect(R, "waterfall", Text) :-
  waterfall(R, Route, N),
  request_label(R, Label),
  Text = fn:string:concat(Label, " and ", N, " more of ", Route, " were asked one after the other").
trouble(R, 36, Text) :-
  waterfall(R, Route, N),
  Text = fn:string:concat("the page asks ", Route, " ", N, " times, each after the one before").

# The same of different addresses: one function asks for each only when the one before is there.
asks_after(R, Next, Function, Url) :-
  own_data(R),
  own_data(Next),
  R != Next,
  went_well(R),
  went_well(Next),
  method_of(R, "GET"),
  method_of(Next, "GET"),
  own_frame(R, _, Function, Url, Line),
  Function != "",
  own_frame(Next, _, Function, Url, _),
  !is_client_line(Function, Url, Line),
  ended_at(R, End),
  sent_at(Next, S),
  End <= S,
  S <= fn:plus(End, 60).
chained(Function, Url, Next) :- asks_after(_, Next, Function, Url).
chain_count(Function, Url, N) :- chained(Function, Url, Next)
  |> do fn:group_by(Function, Url), let N = fn:count().
# Each but the last has one after it; and what that function asks for besides is no more than a few: no crowd of requests of
# which some happen to end when another begins.
chain_link(Function, Url, R) :- asks_after(R, _, Function, Url).
link_count(Function, Url, N) :- chain_link(Function, Url, R)
  |> do fn:group_by(Function, Url), let N = fn:count().
asked_by_function(Function, Url, R) :-
  chained(Function, Url, _),
  own_frame(R, _, Function, Url, _),
  own_data(R).
function_count(Function, Url, N) :- asked_by_function(Function, Url, R)
  |> do fn:group_by(Function, Url), let N = fn:count().
is_row_of(Function, Url) :-
  chain_count(Function, Url, N),
  link_count(Function, Url, Links),
  function_count(Function, Url, All),
  N <= fn:plus(Links, 2),
  All <= fn:plus(N, 4).
chain_begins(Function, Url, Begin) :- asks_after(R, _, Function, Url), sent_at(R, S)
  |> do fn:group_by(Function, Url), let Begin = fn:min(S).
chain_ends(Function, Url, End) :- chained(Function, Url, Next), ended_at(Next, E)
  |> do fn:group_by(Function, Url), let End = fn:max(E).
# Of several functions around each other the innermost.
long_chain(R, Function, N, Ms) :-
  chain_count(Function, Url, N),
  8 <= N,
  is_row_of(Function, Url),
  chain_begins(Function, Url, Begin),
  chain_ends(Function, Url, End),
  Ms = fn:minus(End, Begin),
  2000 <= Ms,
  asks_after(R, _, Function, Url),
  sent_at(R, Begin).
# One question over and over, with what came before in it, to the end of what was watched: it never comes to rest.
asks_other_route(R, Function) :-
  long_chain(R, Function, _, _),
  endpoint(R, _, Route),
  asks_after(_, Next, Function, _),
  endpoint(Next, _, Other),
  Route != Other.
asks_other_route(R, Function) :-
  long_chain(R, Function, _, _),
  request_path(R, _, Path),
  asks_after(_, Next, Function, _),
  request_path(Next, _, Other),
  Path != Other.
never_rests(R, Function, N, Ms) :-
  long_chain(R, Function, N, Ms),
  20 <= N,
  !asks_other_route(R, Function),
  sent_at(R, Begin),
  watched_until(End),
  End <= fn:plus(Begin, Ms, 1500).
never_rests_at(R) :- never_rests(R, _, _, _).
restless_text(R, Text) :-
  never_rests(R, Function, N, Ms),
  seconds(Ms, For),
  request_label(R, Label),
  T = fn:string:concat(Label, " was asked ", N, " times in ", For, " by ", Function,
                       ", each time as soon as the answer before was there, and without end: what comes of an answer asks again")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "request_loop", Text) :- restless_text(R, Text).
trouble(R, 55, "the page asks without end and never comes to rest") :- restless_text(R, _).
is_row(R) :- waterfall(R, _, _).
chain_text(R, Text) :-
  long_chain(R, Function, N, Ms),
  !is_row(R),
  !never_rests_at(R),
  seconds(Ms, For),
  request_label(R, Label),
  T = fn:string:concat(Label, " and ", N, " more were asked one after the other by ", Function,
                       ", each only when the one before was there: ", For, " in all")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "waterfall", Text) :- chain_text(R, Text).
trouble(R, 51, Text) :-
  chain_text(R, _),
  long_chain(R, _, N, Ms),
  seconds(Ms, For),
  Text = fn:string:concat("the page waits ", For, " for ", N, " requests in a row").

# Fewer, none of which needs what came before: no id, and nothing that an answer has said.
needs_before(Next) :-
  asks_after(_, Next, _, _),
  request_route(Next, Route),
  :string:contains(Route, "{").
needs_before(Next) :-
  asks_after(_, Next, _, _),
  request_query(Next, _, V),
  V != "",
  body_value(R, _, V),
  ended_at(R, End),
  sent_at(Next, S),
  End <= S.
in_turn(Function, Url, Next) :- chained(Function, Url, Next), !needs_before(Next).
turn_count(Function, Url, N) :- in_turn(Function, Url, Next)
  |> do fn:group_by(Function, Url), let N = fn:count().
turn_longest(Function, Url, Ms) :- in_turn(Function, Url, Next), took(Next, M)
  |> do fn:group_by(Function, Url), let Ms = fn:max(M).
one_by_one(R, Function, N, Ms) :-
  turn_count(Function, Url, N),
  2 <= N,
  N < 8,
  chain_count(Function, Url, N),
  link_count(Function, Url, N),
  turn_longest(Function, Url, Longest),
  chain_begins(Function, Url, Begin),
  chain_ends(Function, Url, End),
  asks_after(R, _, Function, Url),
  sent_at(R, Begin),
  took(R, First),
  Ms = fn:minus(End, Begin),
  2500 <= Ms,
  fn:mult(2, Longest) <= Ms,
  fn:mult(2, First) <= Ms.
turn_text(R, Text) :-
  one_by_one(R, Function, N, Ms),
  seconds(Ms, For),
  request_label(R, Label),
  T = fn:string:concat(Label, " and ", N, " more were asked one after the other by ", Function,
                       ", though none needs the one before: ", For, " in all")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "waterfall", Text) :- turn_text(R, Text).
trouble(R, 51, Text) :-
  turn_text(R, _),
  one_by_one(R, _, N, Ms),
  seconds(Ms, For),
  Text = fn:string:concat("the page waits ", For, " for requests that could be asked at once").

# One that takes long, and all else is asked for only when it has come, though it needs nothing of it.
gated(R, Next) :- slow(R, _), own_data(R), asks_after(R, Next, _, _), !needs_before(Next).
gate_count(R, N) :- gated(R, Next) |> do fn:group_by(R), let N = fn:count().
asked_meanwhile_of(R) :-
  gate_count(R, _),
  own_data(X),
  X != R,
  sent_at(R, A),
  ended_at(R, E),
  sent_at(X, S),
  fn:minus(A, 500) <= S,
  S <= fn:minus(E, 100).
gates(R, N) :- gate_count(R, N), 2 <= N, !asked_meanwhile_of(R).
suspect(R, "gate", Text) :-
  gates(R, N),
  slow(R, Ms),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat(Label, " took ", For, ", and ", N,
                          " others, which need nothing of it, are asked only when it has come").
trouble(R, 51, Text) :-
  gates(R, _),
  slow(R, Ms),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat("the page waits ", For, " for ", Label,
                          " before it asks for anything else").

# ---- too much -----------------------------------------------------------------------------------------------------

big(R, Mb) :-
  request_size(R, _, Received),
  3000000 <= Received,
  is_data(R),
  Mb = fn:div(Received, 1000000).
suspect(R, "big_answer", Text) :-
  big(R, Mb),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Mb, " MB at once").
# What came within a moment is no trouble to anybody, however much it is.
came_at_once(R) :- big(R, _), request_timing(R, W, For), fn:plus(W, For) < 500.
trouble(R, 34, Text) :-
  big(R, Mb),
  5 <= Mb,
  !came_at_once(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Mb, " MB at once").

repair("slow", "endpoint", "answer faster, or show the rest of the page meanwhile").
repair("waterfall", "endpoint", "one request for all of them").
repair("waterfall", "code", "ask for all at once").
repair("gate", "code", "ask for the others meanwhile").
repair("gate", "endpoint", "answer faster").
repair("big_answer", "endpoint", "answer in parts").

check("slow", "is answered within a second").
check("waterfall", "is asked once").
check("gate", "holds up no other request").
check("big_answer", "answers less than 1 MB").

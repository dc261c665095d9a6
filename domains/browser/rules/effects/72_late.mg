# Kinds of fault of what comes too late or twice: an event before its listener, an element that each of several listeners
# adds, a question that is asked again and again before the first is answered, the part of a list that was there already.

# ---- an event before its listener ------------------------------------------------------------------------------

lost_early(Q, K, Type) :-
  event_unheard(Q, Type)@[T, _],
  event_late(K, Type)@[S, _],
  has_own_frame(Q),
  has_own_frame(K),
  !comes_again(Type).
comes_again(Type) :- event_came(_, Type)@[T, _].
# Many listen for later changes alone. It matters where a reader sees that something did not come.
misses_event(Q, K, Type) :- lost_early(Q, K, Type), page_shows_it().
misses_event(Q, K, Type) :- lost_early(Q, K, Type), spins().
misses_event(Q, K, Type) :-
  lost_early(Q, K, Type),
  ready_word(Word),
  :string:contains(Type, Word),
  !shows_an_answer().
# What was answered is to be seen: who listens may have asked by himself whether it is over.
shows_an_answer() :-
  lost_early(_, _, _),
  body_value(R, _, V),
  own_data(R),
  has_letters(V),
  shown("text", Text),
  :string:contains(Text, V).
# What is said once, and for those who wait for it.
ready_word("ready").
ready_word("Ready").
ready_word("loaded").
ready_word("Loaded").
ready_word("init").
ready_word("boot").
ready_word("configured").
ready_word("available").
ready_word("started").
ready_word("resolved").
suspect(Q, "unheard_event", Text) :-
  misses_event(Q, K, Type),
  place_of(Q, Where),
  place_of(K, Listener),
  Text = fn:string:concat(Where, " dispatches ", Type, " before anybody listens: ", Listener,
                          " adds its listener later, and the event does not come again").
trouble(Q, 52, Text) :-
  misses_event(Q, _, Type),
  Text = fn:string:concat("what waits for the event ", Type, " never hears it").
causes("shown:spinner", Q, "what waits for the event began to listen too late") :-
  spins(),
  misses_event(Q, _, _).
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  misses_event(_, _, _).
change_at(Q, Where, "listen before it is dispatched, or ask for what it told when it is over") :-
  misses_event(Q, K, _),
  place_of(K, Where).

# ---- drawn by each of several listeners ----------------------------------------------------------------------------

twin_of(K, Target, Text, Turns, Ms) :-
  drawn_twice(K, Target, Text, Turns)@[T, _],
  Text != "",
  ms(T, Ms).
# After a message that came once.
twin_frame(K, R, N) :-
  twin_of(K, _, _, _, At),
  received(R, N, _, Ms),
  Ms <= fn:plus(At, 10),
  At <= fn:plus(Ms, 250).
nearest_frame(K, N) :- twin_frame(K, _, M) |> do fn:group_by(K), let N = fn:max(M).
by_frame(K, R, N) :- nearest_frame(K, N), twin_frame(K, R, N).
# The same message twice, one right after the other: that is what the server sent.
frame_twin(R, N, M) :-
  by_frame(_, R, N),
  received(R, N, Text, A),
  received(R, M, Text, B),
  M < N,
  A <= fn:plus(B, 400).
has_frame_twin(R) :- frame_twin(R, _, _).
twins_of(R, N) :- by_frame(K, R, _), twin_of(K, _, _, _, _)
  |> do fn:group_by(R), let N = fn:count().
other_turns(R) :- by_frame(K, R, _), twin_of(K, _, _, 2, _).
twin_target(R, Target) :- by_frame(K, R, _), twin_of(K, T, _, _, _)
  |> do fn:group_by(R), let Target = fn:pick_any(T).
heard_again(R, Q) :-
  other_turns(R),
  twin_target(R, _),
  listener_again(Q, "message", _, _)@[T, _],
  has_own_frame(Q).
is_heard_again(R) :- heard_again(R, _).
drawn_double(R, Target) :- twins_of(R, N), 2 <= N, twin_target(R, Target), !has_frame_twin(R).
suspect(Q, "repeated_listener", Text) :-
  drawn_double(R, Target),
  heard_again(R, Q),
  place_of(Q, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " adds a listener for the messages of ", Label,
                          " again each time it runs, and none is taken away: each message is drawn once more in ",
                          Target).
trouble(Q, 56, Text) :-
  drawn_double(R, Target),
  heard_again(R, Q),
  Text = fn:string:concat("each message stands more than once in ", Target).
change_at(Q, Where, "what runs here listens once more") :-
  drawn_double(R, _),
  heard_again(R, Q),
  first_own_depth(Q, Depth),
  Next = fn:plus(Depth, 1),
  own_frame(Q, Next, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
drawer(R, K) :- twin_target(R, Target), drawn_twice(K, Target, "", _)@[T, _], has_own_frame(K).
suspect(R, "heard_twice", Text) :-
  drawn_double(R, Target),
  !is_heard_again(R),
  request_label(R, Label),
  Text = fn:string:concat("each message of ", Label, " is drawn more than once in ", Target,
                          ": what hears it is registered more than once").
trouble(R, 54, Text) :-
  drawn_double(R, Target),
  !is_heard_again(R),
  request_label(R, Label),
  Text = fn:string:concat("each message of ", Label, " stands more than once in ", Target).
change_at(R, Where, "what calls this is registered more than once") :-
  drawn_double(R, _),
  !is_heard_again(R),
  drawer(R, K),
  place_of(K, Where).

# The page had asked for the same messages twice, and gets each of them twice.
asked_for_twice(R, N) :-
  has_frame_twin(R),
  socket_frame(R, M, "sent", Text)@[T, _],
  socket_frame(R, N, "sent", Text)@[S, _],
  M < N.
first_asked_twice(R, N) :- asked_for_twice(R, M) |> do fn:group_by(R), let N = fn:min(M).
frame_twins(R, Count) :- frame_twin(R, N, _) |> do fn:group_by(R), let Count = fn:count().
suspect(R, "subscribed_twice", Text) :-
  first_asked_twice(R, N),
  frame_twins(R, Count),
  2 <= Count,
  socket_frame(R, N, "sent", Said)@[T, _],
  request_label(R, Label),
  Text = fn:string:concat("the page sent ", Said, " over ", Label,
                          " twice, and each message comes twice since").
trouble(R, 54, Text) :-
  first_asked_twice(R, _),
  frame_twins(R, Count),
  2 <= Count,
  request_label(R, Label),
  Text = fn:string:concat("each message of ", Label, " comes and is shown twice").

# ---- asked before it is answered ---------------------------------------------------------------------------------------

# The same question while four and more of it are still on their way, and not at once, as by several parts of a page.
under_way(R, Other) :-
  own_data(R),
  method_of(R, "GET"),
  url_of(R, Url),
  url_of(Other, Url),
  method_of(Other, "GET"),
  R != Other,
  sent_at(R, A),
  sent_at(Other, B),
  B < A,
  200 <= fn:minus(A, B),
  still_under_way(Other, A).
Decl still_under_way(R, At)
  descr [mode('+', '+'), deferred()]
  bound [/string, /number].
still_under_way(R, At) :- is_open(R), sent_at(R, B), B <= At.
still_under_way(R, At) :- ended_at(R, End), At < End.
under_way_count(R, N) :- under_way(R, Other) |> do fn:group_by(R), let N = fn:count().
piled_question(Url, R, N) :- under_way_count(R, N), 4 <= N, url_of(R, Url).
pile_most(Url, N) :- piled_question(Url, _, M) |> do fn:group_by(Url), let N = fn:max(M).
pile_times(Url, N) :- piled_question(Url, R, _) |> do fn:group_by(Url), let N = fn:count().
pile_begin(Url, Ms) :- pile_most(Url, _), url_of(R, Url), own_data(R), sent_at(R, A)
  |> do fn:group_by(Url), let Ms = fn:min(A).
request_pile(R, N) :-
  pile_most(Url, N),
  pile_times(Url, Times),
  3 <= Times,
  pile_begin(Url, Ms),
  url_of(R, Url),
  own_data(R),
  sent_at(R, Ms).
is_request_pile(R) :- request_pile(R, _).
suspect(R, "request_pile", Text) :-
  request_pile(R, N),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is asked again and again before it is answered: ", N,
                          " of them were on their way at once").
trouble(R, 54, Text) :-
  request_pile(R, N),
  request_label(R, Label),
  Text = fn:string:concat("requests pile up: ", N, " of ", Label, " wait at the same time").
change_at(R, Where, "this timer does not wait for the answer") :-
  request_pile(R, _),
  url_of(R, Url),
  url_of(Other, Url),
  set_it_off(Other, K),
  timer_set(K, "interval", _)@[T, _],
  place_of(K, Where).

# ---- the part that was there already -----------------------------------------------------------------------------------

more_word("more").
more_word("More").
more_word("MORE").
more_word("ext").
more_word("lder").
more_word("eiter").
more_word("mehr").
more_word("Mehr").
more_word("uivant").
more_word("iguiente").
more_word("»").
more_word("›").
more_word("→").
wants_more(I) :- input(I, "click", _, Text)@[T, _], more_word(Word), :string:contains(Text, Word).
# The same part, to the letter, that had been asked for before that click.
asked_part_again(R, Before) :-
  wants_more(I),
  asked_after_input(R, I),
  is_plain_get(R),
  own_data(R),
  went_well(R),
  url_of(R, Url),
  page_of(R, _, _),
  url_of(Before, Url),
  R != Before,
  went_well(Before),
  is_plain_get(Before),
  node_at(I, At),
  sent_at(Before, Sent),
  Sent < At,
  !asked_other_part(R, Before).
# Back and forth between parts: another one was asked for between.
asked_other_part(R, Before) :-
  asked_part_pair(R, Before),
  endpoint(R, Method, Route),
  endpoint(X, Method, Route),
  url_of(X, U),
  url_of(R, Url),
  U != Url,
  sent_at(X, Ms),
  sent_at(Before, A),
  sent_at(R, B),
  A <= Ms,
  Ms <= B.
asked_part_pair(R, Before) :-
  wants_more(I),
  asked_after_input(R, I),
  is_plain_get(R),
  url_of(R, Url),
  url_of(Before, Url),
  R != Before,
  is_plain_get(Before).
first_part_again(R, Name, V) :- asked_part_again(R, _), page_of(R, Name, V), !is_later_again(R).
is_later_again(R) :-
  asked_part_again(R, _),
  asked_part_again(Other, _),
  url_of(R, Url),
  url_of(Other, Url),
  sent_at(Other, A),
  sent_at(R, B),
  A < B.
suspect(R, "repeated_page", Text) :-
  first_part_again(R, Name, V),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked for the same part of the list again (", Name, "=", V,
                          "), although more was asked for: the code goes by a place in the list that does not move on (a stale value)").
trouble(R, 53, Text) :-
  first_part_again(R, _, _),
  request_label(R, Label),
  Text = fn:string:concat("nothing more comes of the list: ", Label,
                          " answered the same part again").
repair("repeated_page", "code", "where it takes the place in the list from, at each call anew").

repair("unheard_event", "caller",
       "listen before it is dispatched, or ask for what it told when it is over").
repair("repeated_listener", "caller", "what runs here listens once more").
repair("heard_twice", "caller", "what calls this is registered more than once").
repair("request_pile", "caller", "this timer does not wait for the answer").
repair("request_pile", "code", "ask again when the answer is there, or give up the one before").
repair("subscribed_twice", "code", "ask for them once a connection").
repair("heard_twice", "endpoint", "hear its messages once").
check("request_pile", "is asked again only when it was answered").
check("subscribed_twice", "each message comes once").

# ---- asked for what had been chosen before ---------------------------------------------------------------------------------

# By a timer, of the line that asked for the user's choice as well.
is_by_timer(R) :-
  own_data(R),
  stack(R, _, Function, _, _),
  timer_function(Word),
  :string:starts_with(Function, Word).
timer_function("setTimeout").
timer_function("setInterval").
timer_function("requestAnimationFrame").
chosen_question(New, Name, V) :-
  asked_after_input(New, _),
  own_data(New),
  went_well(New),
  request_query(New, Name, V),
  query_name(Name),
  !is_by_timer(New).
asked_for_old(R, New, Name, W, V) :-
  chosen_question(New, Name, V),
  endpoint(New, "GET", Route),
  endpoint(R, "GET", Route),
  R != New,
  is_by_timer(R),
  went_well(R),
  request_query(R, Name, W),
  V != W,
  sent_at(New, A),
  sent_at(R, B),
  A < B,
  place_of(New, Where),
  place_of(R, Where),
  changed_after(R),
  asked_earlier(New, Name, W).
asked_earlier(New, Name, W) :-
  chosen_question(New, Name, _),
  endpoint(New, "GET", Route),
  endpoint(Old, "GET", Route),
  request_query(Old, Name, W),
  sent_at(Old, S),
  sent_at(New, T),
  S < T.
# Somebody had chosen it again by then; or asks for both in turns.
chosen_again(R, New) :-
  asked_for_old(R, New, Name, W, _),
  chosen_question(Later, Name, W),
  sent_at(New, A),
  sent_at(Later, B),
  sent_at(R, C),
  A <= B,
  B <= C.
timer_asks_new(R, New) :-
  asked_for_old(R, New, Name, _, V),
  endpoint(R, "GET", Route),
  endpoint(Other, "GET", Route),
  is_by_timer(Other),
  request_query(Other, Name, V).
stale_question(R, New, Name, W, V) :-
  asked_for_old(R, New, Name, W, V),
  !chosen_again(R, New),
  !timer_asks_new(R, New).
first_stale_at(New, Ms) :- stale_question(R, New, _, _, _), sent_at(R, M)
  |> do fn:group_by(New), let Ms = fn:min(M).
first_stale(New, R) :- first_stale_at(New, Ms), stale_question(R, New, _, _, _), sent_at(R, Ms).
suspect(R, "stale_question", Text) :-
  first_stale(New, R),
  stale_question(R, New, Name, W, V),
  request_label(R, Label),
  Text = fn:string:concat("after ", Name, "=", V, " was chosen a timer asks ", Label, " with ",
                          Name, "=", W,
                          ", as before, and overwrites what was chosen: it goes by a value of the time when it was set (a stale closure)").
trouble(R, 54, Text) :-
  first_stale(New, R),
  stale_question(R, New, Name, W, V),
  Text = fn:string:concat("the page falls back from ", Name, "=", V, " to ", Name, "=", W).
change_at(R, Where, "take the value when the timer asks, not when it is set") :-
  first_stale(_, R),
  own_frame(R, Depth, _, Url, Line),
  Depth <= 4,
  place_text(Url, Line, Where).
check("stale_question", "asks for what is chosen").

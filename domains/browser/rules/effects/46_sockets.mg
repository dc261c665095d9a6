# Kinds of fault of WebSockets and EventSources: refused, closed, silent, a message that cannot be read, connected again
# and again.

# Since then another to the same address has stood or spoken.
Decl reconnected(R, Later) bound [/string, /string].
same_socket(R, Later) :-
  is_socket(R),
  request_path(R, Origin, Path),
  request_path(Later, Origin, Path),
  is_socket(Later),
  R != Later,
  sent_at(R, A),
  sent_at(Later, B),
  A <= B.
spoke(R) :- received(R, _, _, _).
received(R, N, Text, Ms) :- socket_frame(R, N, "received", Text)@[T, _], ms(T, Ms).
stands(R) :- is_socket(R), is_open(R), !broke(R).
broke(R) :- socket_failed(R, Reason)@[T, _], Reason != "".
broke(R) :- went_wrong(R), is_socket(R).
closed(R, Code) :- socket_closed(R, Code, _)@[T, _].
is_closed(R) :- closed(R, _).
reconnected(R, Later) :- same_socket(R, Later), spoke(Later), !broke(Later).
reconnected(R, Later) :- same_socket(R, Later), stands(Later), !is_closed(Later).
was_reconnected(R) :- reconnected(R, _).
cleared(R, "it was connected again") :-
  reconnected(R, _),
  unlucky(R),
  !is_given_up(R),
  !is_missed(R).
is_given_up(R) :- given_up_again(R, _, _).
unlucky(R) :- broke(R).
unlucky(R) :- is_closed(R).

# ---- refused -------------------------------------------------------------------------------------------

Decl refusal(R, Reason) bound [/string, /string].
refusal(R, Reason) :-
  no_answer(R, Reason),
  is_socket(R),
  !spoke(R),
  !by_design(R),
  !has_bad_status(R, _).
by_design(R) :- is_cancelled(R), !has_bad_status(R, _), !wrong_stream(R).
wrong_stream(R) :- kind_of(R, "stream"), status_of(R, S), S < 400, S != 204, !is_event_stream(R).
# (204 tells the browser not to come again.)
by_design(R) :- kind_of(R, "stream"), status_of(R, 204).
is_event_stream(R) :- answer(R, _, "text/event-stream")@[T, _].
suspect(R, "socket_refused", Text) :-
  refusal(R, Reason),
  !wrong_stream(R),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " was refused: ", Reason).
suspect(R, "wrong_content_type", Text) :-
  wrong_stream(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered something else in place of a stream of events").
# Without a connection the page asks again and again: that was foreseen.
asks_instead(R) :-
  not_connected(R),
  sent_at(R, At),
  endpoint(A, "GET", Route),
  own_data(A),
  went_well(A),
  sent_at(A, S),
  At <= S,
  endpoint(B, "GET", Route),
  A != B,
  went_well(B),
  sent_at(B, T),
  fn:plus(S, 400) <= T.
not_connected(R) :- refusal(R, _).
not_connected(R) :- kind_of(R, "stream"), has_bad_status(R, _).
cleared(R, "without a connection the page asks again and again instead") :- asks_instead(R).
refused(R) :- refusal(R, _).
refused(R) :- wrong_stream(R).
refused(R) :- is_socket(R), has_bad_status(R, _).
# Once for an address, however often it was tried.
earlier_refused(R) :-
  same_socket(Other, R),
  refused(Other),
  refused(R),
  sent_at(Other, A),
  sent_at(R, B),
  A < B.
trouble(R, 55, Text) :-
  refused(R),
  !earlier_refused(R),
  !was_reconnected(R),
  !third_party_stream(R),
  request_label(R, Label),
  Text = fn:string:concat("no connection to ", Label).
third_party_stream(R) :- third_party(R), kind_of(R, "stream").

# ---- closed ---------------------------------------------------------------------------------------------

# DevTools tell no code (0) of a connection that ended in good order. 1000 and 1001 are good order, too.
good_close(0).
good_close(1000).
good_close(1001).
good_close(1005).
bad_close(R, Code) :- closed(R, Code), !good_close(Code).
dropped(R) :- broke(R), spoke(R).
suspect(R, "socket_closed", Text) :-
  bad_close(R, Code),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " was closed with code ", Code).
suspect(R, "socket_closed", Text) :-
  dropped(R),
  no_answer(R, Reason),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " broke: ", Reason).
# Again and again, before a word was said.
ends_unheard(R) :- is_closed(R), !spoke(R), !broke(R), !left_by_navigation(R), !was_reconnected(R).
unheard_ends(R, Count) :- ends_unheard(R), ends_unheard(S), same_socket(R, S)
  |> do fn:group_by(R), let Count = fn:count().
first_unheard(R, Count) :- unheard_ends(R, Count), Count >= 2, !has_unheard_before(R).
has_unheard_before(S) :- ends_unheard(R), ends_unheard(S), same_socket(R, S).
suspect(R, "socket_closed", Text) :-
  first_unheard(R, Count),
  Times = fn:plus(Count, 1),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " was closed right after it had been opened, ",
                          Times, " times").
trouble(R, 52, Text) :-
  first_unheard(R, _),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " never says anything before it is closed").
# In good order, and not by a navigation; nobody connected again.
ended_alone(R) :- closed(R, 0), spoke(R), !broke(R), !was_reconnected(R), !left_by_navigation(R).
suspect(R, "socket_closed", Text) :-
  ended_alone(R),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " was closed, and nobody connected again").
trouble(R, 50, Text) :-
  bad_close(R, _),
  !was_reconnected(R),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " was closed on an error").
trouble(R, 50, Text) :-
  dropped(R),
  !was_reconnected(R),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " broke").

# ---- again and again ------------------------------------------------------------------------------------

connections(Origin, Path, N) :- is_socket(R), request_path(R, Origin, Path)
  |> do fn:group_by(Origin, Path), let N = fn:count().
unlucky_at(Origin, Path) :- unlucky(R), request_path(R, Origin, Path), is_socket(R).
lasting(Origin, Path) :- stands(R), !is_closed(R), request_path(R, Origin, Path), spoke(R).
first_connection(Origin, Path, First) :- is_socket(R), request_path(R, Origin, Path), sent_at(R, Ms)
  |> do fn:group_by(Origin, Path), let First = fn:min(Ms).
storm(R, N) :-
  connections(Origin, Path, N),
  5 <= N,
  unlucky_at(Origin, Path),
  !lasting(Origin, Path),
  first_connection(Origin, Path, Ms),
  request_path(R, Origin, Path),
  sent_at(R, Ms),
  is_socket(R).
suspect(R, "reconnect_storm", Text) :-
  storm(R, N),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was connected ", N, " times, and never stayed").
trouble(R, 60, Text) :-
  storm(R, N),
  request_label(R, Label),
  Text = fn:string:concat("the page connects to ", Label, " again and again, ", N, " times").

# ---- messages -------------------------------------------------------------------------------------------

# A message and right after it an error that nothing else since was awaited for.
awaited_until(E, Ms) :- error_awaits(E, R), !is_socket(R), known_at(R, Ms).
Decl awaits_since(E, At)
  descr [mode('+', '+'), deferred()]
  bound [/string, /number].
awaits_since(E, At) :- awaited_until(E, Ms), At <= Ms.
after_frame(E, R, N, Text) :-
  received(R, N, Text, At),
  error_at(E, T),
  At <= fn:plus(T, 5),
  T <= fn:plus(At, 60),
  is_thrown(E),
  !awaits_since(E, At),
  !is_report(E).
last_frame(E, R, N) :- after_frame(E, R, M, _) |> do fn:group_by(E, R), let N = fn:max(M).
bad_frame(E, R, N, Text) :- last_frame(E, R, N), after_frame(E, R, N, Text).
suspect(R, "bad_frame", Text) :-
  bad_frame(_, R, N, _),
  request_label(R, Label),
  Text = fn:string:concat("message ", N, " of ", Label, " is not what the code expects").
causes(E, R, "its message came right before") :- bad_frame(E, R, _, _).

# A message that says that something failed.
error_frame_mark("\"type\":\"error\"").
error_frame_mark("\"type\": \"error\"").
error_frame_mark("\"event\":\"error\"").
error_frame_mark("\"status\":\"error\"").
error_frame_mark("\"ok\":false").
error_frame_mark("\"error\":{").
error_frame_mark("\"error\":\"").
error_frame(R, N) :-
  received(R, N, Text, _),
  error_frame_mark(Mark),
  :string:contains(Text, Mark),
  !dealt_with(R, N).
Decl dealt_with(R, Number)
  descr [doc("The page took notice of a message that refuses: it changed something, or said something else.")]
  bound [/string, /number].
# One that refuses what was sent counts where the page waits on: otherwise it may be what is talked about.
refusal_word("refused").
refusal_word("rejected").
refusal_word("denied").
refusal_word("forbidden").
refusal_word("unauthorized").
refusal_word("invalid").
refusal_word("failed").
refusal_word("failure").
refusal_word("fail").
refusal_word("nack").
refusal_word("not_found").
refusal_name("type").
refusal_name("event").
refusal_name("kind").
refusal_name("status").
refusal_name("result").
refusal_name("action").
refusal_name("op").
refusal_mark(Mark) :-
  refusal_name(Name),
  refusal_word(Word),
  between_json(Colon),
  Mark = fn:string:concat("\"", Name, Colon, Word, "\"").
between_json("\":\"").
between_json("\": \"").
refusal_mark("\"success\":false").
refusal_mark("\"success\": false").
refusal_mark("\"accepted\": false").
refusal_mark("\"accepted\":false").
error_frame(R, N) :-
  spins(),
  received(R, N, Text, _),
  refusal_mark(Mark),
  :string:contains(Text, Mark).
first_error_frame(R, N) :- error_frame(R, M) |> do fn:group_by(R), let N = fn:min(M).
sent_before(R, N, M) :- first_error_frame(R, N), socket_frame(R, M, "sent", _)@[T, _], M < N.
last_sent_before(R, N, Last) :- sent_before(R, N, M) |> do fn:group_by(R, N), let Last = fn:max(M).
answers_sent(R) :- last_sent_before(R, _, _).
suspect(R, "socket_error", Text) :-
  first_error_frame(R, N),
  !answers_sent(R),
  received(R, N, Said, _),
  request_label(R, Label),
  Text = fn:string:concat("message ", N, " of ", Label, " says that something failed: ", Said).
suspect(R, "socket_error", Text) :-
  first_error_frame(R, N),
  last_sent_before(R, N, Last),
  socket_frame(R, Last, "sent", Sent)@[T, _],
  received(R, N, Said, _),
  request_label(R, Label),
  Text = fn:string:concat("on ", Label, " the page sent ", Sent, " and was answered ", Said).
causes("shown:spinner", R, "what was asked for over it was refused") :-
  spins(),
  first_error_frame(R, _).
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  first_error_frame(_, _).
trouble(R, 40, Text) :-
  first_error_frame(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " reports an error").

# ---- what was not said again --------------------------------------------------------------------------------

# A connection that ended, and the next to the same address; one that takes the old one up (with its id) needs nothing.
Decl follows_socket(R, Later) bound [/string, /string].
socket_over(R, Ms) :- is_socket(R), ended_at(R, Ms).
follows_socket(R, Later) :-
  same_socket(R, Later),
  socket_over(R, End),
  sent_at(Later, Begin),
  End <= fn:plus(Begin, 50),
  !takes_up(R, Later).
takes_up(R, Later) :- same_socket(R, Later), request_query(Later, Name, _), !has_parameter(R, Name).
Decl has_parameter(R, Name)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
has_parameter(R, Name) :- request_query(R, Name, _).
sort_sent(R, Sort) :- frame_sort(R, "sent", Sort, _, _)@[T, _].
sort_came(R, Sort) :- frame_sort(R, "received", Sort, _, _)@[T, _].
# Said at once and by the page itself.
opening_frame(R, Sort, N, Ms) :-
  frame_sort(R, "sent", Sort, N, _)@[T, _],
  ms(T, Ms),
  sent_at(R, Begin),
  Ms <= fn:plus(Begin, 2000),
  !is_sign_of_life(Sort).
deed_while_opened(R, N) :-
  opening_frame(R, _, N, Ms),
  sent_at(R, Begin),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, At),
  Begin <= At,
  At <= Ms.
opens_with(R, Sort, N) :- opening_frame(R, Sort, N, _), !deed_while_opened(R, N).
# Some connections later it is still not said: told of the last of them.
not_said_again(R, Later, Sort, N) :-
  opens_with(R, Sort, N),
  follows_socket(R, Later),
  !sort_sent(Later, Sort),
  !has_follower(Later).
has_follower(R) :- follows_socket(R, _).

life_word("ping").
life_word("pong").
life_word("heartbeat").
life_word("heart-beat").
life_word("keepalive").
life_word("keep-alive").
life_word("keep_alive").
life_word("alive").
life_word("beat").
Decl is_sign_of_life(Sort) bound [/string].
is_sign_of_life(Sort) :-
  frame_sort(_, _, Sort, _, _)@[T, _],
  life_word(Word),
  :string:contains(Sort, Word).
# Figures alone are those of libraries: 2 and 3.
is_sign_of_life("2").
is_sign_of_life("3").
is_sign_of_life("h").

# How long it stood.
stood(R, Ms) :- is_socket(R), sent_at(R, A), ended_at(R, B), Ms = fn:minus(B, A).
stood(R, Ms) :- is_open(R), is_socket(R), sent_at(R, A), watched_until(B), Ms = fn:minus(B, A).
# What came again and again over the first does not come over the other, although it has stood long enough.
stays_away(R, Later, Sort) :-
  not_said_again(R, Later, _, _),
  frame_sort(R, "received", Sort, _, Count)@[A, B],
  3 <= Count,
  !is_sign_of_life(Sort),
  !sort_came(Later, Sort),
  ms(A, First),
  ms(B, Last),
  stood(Later, For),
  1500 <= For,
  Gap = fn:div(fn:minus(Last, First), fn:minus(Count, 1)),
  fn:mult(Gap, 3) <= For.
# What was sent over the other was refused.
refuses_on(Later, N) :-
  not_said_again(_, Later, _, _),
  received(Later, N, Text, _),
  error_frame_mark(Mark),
  :string:contains(Text, Mark).
refuses_on(Later, N) :-
  not_said_again(_, Later, _, _),
  received(Later, N, Text, _),
  refusal_mark(Mark),
  :string:contains(Text, Mark).
refused_before(R) :-
  not_said_again(R, _, _, _),
  received(R, _, Text, _),
  error_frame_mark(Mark),
  :string:contains(Text, Mark).
refused_before(R) :-
  not_said_again(R, _, _, _),
  received(R, _, Text, _),
  refusal_mark(Mark),
  :string:contains(Text, Mark).
first_refusal_on(Later, N) :- refuses_on(Later, M) |> do fn:group_by(Later), let N = fn:min(M).
# It was answered at once, and the other says nothing but that it lives.
entry_word("subscri").
entry_word("join").
entry_word("auth").
entry_word("login").
entry_word("register").
entry_word("identify").
entry_word("listen").
entry_word("watch").
entry_word("follow").
entry_word("connect").
is_entry(Sort) :-
  frame_sort(_, "sent", Sort, _, _)@[T, _],
  entry_word(Word),
  :string:contains(Sort, Word).
says_more(R) :- sort_came(R, Sort), !is_sign_of_life(Sort).
stays_silent(R, Later) :-
  not_said_again(R, Later, Sort, _),
  is_entry(Sort),
  says_more(R),
  !says_more(Later),
  !sort_sent_to(Later),
  stood(Later, For),
  2500 <= For.
sort_sent_to(R) :- sort_sent(R, Sort), !is_sign_of_life(Sort).
not_joined(R, Later, "what came over the first does not come any more") :- stays_away(R, Later, _).
not_joined(R, Later, "nothing came over it since") :-
  stays_silent(R, Later),
  !has_stayed_away(Later).
has_stayed_away(Later) :- stays_away(_, Later, _).
not_joined(R, Later, Why) :-
  first_refusal_on(Later, N),
  not_said_again(R, Later, _, _),
  !refused_before(R),
  received(Later, N, Said, _),
  Why = fn:string:concat("what is sent over it is answered ", Said).
Decl is_not_joined(R) bound [/string].
is_not_joined(R) :- not_joined(_, R, _).
first_opening(R, N) :- opens_with(R, Sort, M), not_said_again(R, _, Sort, M)
  |> do fn:group_by(R), let N = fn:min(M).
suspect(Later, "not_joined_again", Text) :-
  not_joined(R, Later, Why),
  first_opening(R, N),
  socket_frame(R, N, "sent", Sent)@[T, _],
  request_label(Later, Label),
  Text = fn:string:concat(Label, " was connected again, and ", Sent,
                          ", which the page sent over the first connection, was not sent again: ",
                          Why).
trouble(Later, 57, Text) :-
  not_joined(_, Later, _),
  request_label(Later, Label),
  Text = fn:string:concat("since ", Label,
                          " was connected again the page does not hear what it heard before").
cleared(R, "what is wrong with the connection after it is told there") :-
  not_joined(R, Later, _),
  R != Later,
  unlucky(R).
# Where it was sent the first time.
change_at(Later, Where, "send it each time a connection is open") :-
  not_joined(R, Later, _),
  first_opening(R, N),
  sent_from(R, N, F),
  own_frame(F, Depth, _, Url, Line),
  Depth < 3,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

# ---- sent before it is open ---------------------------------------------------------------------------------------

early_send(E) :-
  is_thrown(E),
  error_text(E, Text),
  :string:contains(Text, "till in CONNECTING state"),
  has_own_frame(E).
early_send(E) :-
  is_thrown(E),
  error_text(E, Text),
  :string:contains(Text,
                   "An attempt was made to use an object that is not, or is no longer, usable"),
  :string:contains(Text, "WebSocket"),
  has_own_frame(E).
# Code caught it, and the page never sent anything over that connection, over which nothing came.
early_send(C) :- early_caught(C, R), is_never_told(R).
early_caught(C, R) :-
  caught(C, "InvalidStateError", Text)@[T, _],
  :string:contains(Text, "till in CONNECTING state"),
  has_own_frame(C),
  ms(T, Then),
  is_socket(R),
  sent_at(R, At),
  Then <= fn:plus(At, 200),
  At <= fn:plus(Then, 200).
is_never_told(R) :-
  early_caught(_, R),
  stood(R, Ms),
  1500 <= Ms,
  stands(R),
  !spoke_to(R),
  !spoke(R).
trouble(R, 53, Text) :-
  is_never_told(R),
  request_label(R, Label),
  Text = fn:string:concat("the page sends nothing over ", Label, ", and nothing comes over it").
causes(R, C, "what was to be sent first was sent before it was open, and code caught the error") :-
  early_caught(C, R),
  is_never_told(R).
node_text(C, Text) :-
  is_early_caught(C),
  caught(C, Name, Said)@[T, _],
  Text = fn:string:concat(Name, ": ", Said).
is_early_caught(C) :- early_caught(C, R), is_never_told(R).
suspect(E, "sent_too_early", Text) :-
  early_send(E),
  place_of(E, Where),
  Text = fn:string:concat(Where,
                          " sends on a WebSocket that is still CONNECTING: nothing goes out before it is open").
change_at(E, Where, "send it when the socket says that it is open") :-
  early_send(E),
  first_own_depth(E, Depth),
  Next = fn:plus(Depth, 1),
  own_frame(E, Next, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
# What the server never heard, so that it says nothing or ends it.
Decl opened_as_early(R, E) bound [/string, /string].
opened_as_early(R, E) :-
  early_send(E),
  first_early(E),
  kind_of(R, "socket"),
  sent_at(R, At),
  error_at(E, Then),
  Then <= fn:plus(At, 200),
  At <= fn:plus(Then, 200).
first_early_at(Ms) :- early_send(E), error_at(E, At) |> do fn:group_by(), let Ms = fn:min(At).
first_early(E) :- first_early_at(Ms), early_send(E), error_at(E, Ms).
causes(R, E, "the server waits for what was to be sent first") :- opened_as_early(R, E), unlucky(R).
causes(R, E, "the server waits for what was to be sent first") :-
  opened_as_early(R, E),
  silent(R, _).
causes(Later, First, "it is thrown at each connection") :-
  first_early(First),
  early_send(Later),
  First != Later.

# ---- opened twice ---------------------------------------------------------------------------------------------

# Two stand side by side at one address, and say the same.
twins(A, B) :-
  same_socket(A, B),
  url_of(A, Url),
  url_of(B, Url),
  sent_before_twin(A, B),
  is_open(A),
  is_open(B),
  says_same(A, B).
sent_before_twin(A, B) :- same_socket(A, B), sent_at(A, S), sent_at(B, T), S < T.
sent_before_twin(A, B) :- same_socket(A, B), sent_at(A, T), sent_at(B, T), :string:lt(A, B).
said_in_both(A, B, Text) :-
  same_socket(A, B),
  received(A, N, Text, S),
  received(B, M, Text, T),
  N != M,
  S <= fn:plus(T, 250),
  T <= fn:plus(S, 250).
same_count(A, B, N) :- said_in_both(A, B, Text) |> do fn:group_by(A, B), let N = fn:count().
says_same(A, B) :- same_count(A, B, N), 2 <= N.
# There was one, it ended, and then there are two.
stood_beside(R, S) :- same_socket(R, S), socket_over(R, End), sent_at(S, T), fn:plus(T, 50) < End.
stood_beside(S, R) :- stood_beside(R, S).
has_neighbour(R) :- stood_beside(R, _).
doubled(A, B, R) :- twins(A, B), follows_socket(R, A), follows_socket(R, B), !has_neighbour(R).
is_doubled(B) :- doubled(_, B, _).
# Or there was one, and a deed opens the other at the same line.
opened_again(A, B) :-
  twins(A, B),
  !is_doubled(B),
  place_of(A, Where),
  place_of(B, Where),
  sent_at(B, At),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, Then),
  Then <= At,
  At <= fn:plus(Then, 1000),
  sent_at(A, Begin),
  fn:plus(Begin, 1000) <= Then.
# Each tells the same, though not at once: the server begins anew for each.
same_text(A, B, Text) :- same_socket(A, B), received(A, _, Text, _), received(B, _, Text, _).
same_texts(A, B, N) :- same_text(A, B, Text) |> do fn:group_by(A, B), let N = fn:count().
opened_again(A, B) :-
  same_texts(A, B, N),
  2 <= N,
  !is_doubled(B),
  sent_at(A, Begin),
  sent_at(B, At),
  Begin < At,
  still_speaks(A, B),
  !says_other(A, B),
  place_of(A, Where),
  place_of(B, Where),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, Then),
  Begin <= Then,
  Then <= At,
  At <= fn:plus(Then, 1000).
# For something else: another room over a connection of its own.
says_other(A, B) :- same_socket(A, B), socket_frame(B, _, "sent", Text)@[T, _], !has_said(A, Text).
has_said(R, Text) :- socket_frame(R, _, "sent", Text)@[T, _].
# Both to the end of what was seen: more than one message of the first came after the other had spoken.
still_speaks(A, B) :- spoken_beside(A, B, N), 2 <= N.
spoken_beside(A, B, N) :- beside_message(A, B, M) |> do fn:group_by(A, B), let N = fn:count().
beside_message(A, B, M) :-
  same_socket(A, B),
  first_message_at(B, Ms),
  received(A, M, _, At),
  Ms <= At.
first_message_at(R, Ms) :- received(R, _, _, At) |> do fn:group_by(R), let Ms = fn:min(At).
suspect(B, "connected_twice", Text) :-
  doubled(_, B, _),
  request_label(B, Label),
  Text = fn:string:concat("after ", Label,
                          " had been closed it was connected twice: both stand, and each message comes twice").
suspect(B, "connected_twice", Text) :-
  opened_again(_, B),
  request_label(B, Label),
  Text = fn:string:concat(Label,
                          " was connected once more, and the connection before was not closed: each message comes twice").
trouble(B, 53, Text) :-
  suspect(B, "connected_twice", _),
  request_label(B, Label),
  Text = fn:string:concat("each message of ", Label, " comes twice").

# ---- signs of life that nobody answers ----------------------------------------------------------------------------

asks_for_life(R, Sort, Ms) :-
  frame_sort(R, "received", Sort, _, _)@[_, T],
  is_sign_of_life(Sort),
  ms(T, Ms).
answers_life(R) :- sort_sent(R, Sort), is_sign_of_life(Sort).
says_after(R, Ms) :- asks_for_life(R, _, Ms), received(R, _, _, At), Ms < At.
# The last that it says is a question whether somebody is there, and then it is over.
given_up_on(R, Sort) :-
  asks_for_life(R, Sort, Ms),
  kind_of(R, "socket"),
  !answers_life(R),
  !says_after(R, Ms),
  is_closed(R),
  !left_by_navigation(R),
  socket_over(R, End),
  End <= fn:plus(Ms, 15000).
given_up_again(R, Later, Sort) :-
  given_up_on(R, Sort),
  given_up_on(Later, Sort),
  follows_socket(R, Later).
is_given_up_before(R) :- given_up_again(_, R, _).
suspect(R, "heartbeat_unanswered", Text) :-
  given_up_again(R, _, Sort),
  !is_given_up_before(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " asks for a sign of life (", Sort,
                          "), the page sends none, and the connection is closed, again and again").
trouble(R, 53, Text) :-
  given_up_again(R, _, _),
  !is_given_up_before(R),
  request_label(R, Label),
  Text = fn:string:concat("the connection ", Label, " is closed again and again").

# ---- silence ---------------------------------------------------------------------------------------------

spoke_to(R) :- socket_frame(R, N, "sent", _)@[T, _], 0 <= N.
silent(R, Ms) :-
  stands(R),
  spoke_to(R),
  !spoke(R),
  !is_closed(R),
  sent_at(R, S),
  watched_until(E),
  Ms = fn:minus(E, S),
  3000 <= Ms.
suspect(R, "socket_silent", Text) :-
  silent(R, Ms),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat("the connection ", Label, " stands and says nothing for ", For).
trouble(R, 52, Text) :-
  silent(R, _),
  spins(),
  request_label(R, Label),
  Text = fn:string:concat("the page waits for ", Label, ", which says nothing").

repair("socket_refused", "endpoint", "accept the connection there, or correct its address").
repair("socket_closed", "endpoint", "see why the server ends it").
repair("socket_closed", "code", "connect again after it ends").
repair("reconnect_storm", "endpoint", "see why the server ends it").
repair("reconnect_storm", "code", "wait longer before each new connection").
repair("bad_frame", "endpoint", "send messages of the agreed form").
repair("bad_frame", "code", "look at a message before using it").
repair("socket_error", "endpoint", "the error that its message tells").
repair("not_joined_again", "code", "send it each time a connection is open").
repair("sent_too_early", "code", "send it when the socket says that it is open").
repair("connected_twice", "code", "close the one before, and connect once").
repair("heartbeat_unanswered", "code", "answer its signs of life").
repair("socket_silent", "endpoint", "answer what is subscribed to").

check("socket_refused", "is connected").
check("socket_closed", "stays connected").
check("reconnect_storm", "is connected once").
check("bad_frame", "its messages are read without an error").
check("socket_error", "sends no error").
check("not_joined_again",
      "is sent the same first messages after it was closed and connected again").
check("sent_too_early", "the same steps throw nothing there").
check("connected_twice", "is connected once").
check("heartbeat_unanswered", "stays connected, and the page answers its signs of life").
check("socket_silent", "sends messages after the subscription").

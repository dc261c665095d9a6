# Kinds of fault of what a server refuses over a socket: it says so in a message, and the page does not listen to that.

refused_frame(R, N, M, Says, Ms) :- frame_refuses(R, N, M, Says)@[T, _], !third_party(R), ms(T, Ms).
# Nobody sees that it was refused: nothing is changed by the message, or, where that is not known, no script knows it by
# its name.
is_unheeded(R, N) :- frame_noticed(R, N, "false"), refused_frame(R, N, _, _, _).
is_unheeded(R, N) :-
  refused_frame(R, N, _, _, _),
  !frame_noticed(R, N, "true"),
  socket_frame(R, N, "received", Text)@[T, _],
  frame_name_unknown(R, Name),
  Part = fn:string:concat("\"", Name, "\""),
  :string:contains(Text, Part).
is_said_of_frame(R, N) :-
  refused_frame(R, N, _, Says, _),
  shown(_, Text),
  Says != "",
  :string:contains(Text, Says).
# The page goes on by itself: it says something else over the socket, or asks elsewhere.
deed_at(Ms) :-
  frame_refuses(_, _, _, _)@[S, _],
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, Ms).
goes_on_after(R, N, Ms) :-
  refused_frame(R, N, _, _, At),
  socket_frame(R, K, "sent", _)@[T, _],
  N < K,
  ms(T, Ms),
  Ms <= fn:plus(At, 2000),
  !is_life_frame(R, K).
goes_on_after(R, N, Ms) :-
  refused_frame(R, N, _, _, At),
  own_data(X),
  sent_at(X, Ms),
  At <= Ms,
  Ms <= fn:plus(At, 1500).
is_life_frame(R, K) :- frame_sort(R, "sent", Sort, K, _)@[T, _], is_sign_of_life(Sort).
by_a_deed(R, N, Ms) :-
  goes_on_after(R, N, Ms),
  refused_frame(R, N, _, _, At),
  deed_at(D),
  At <= D,
  D <= Ms.
goes_on_itself(R, N) :- goes_on_after(R, N, Ms), !by_a_deed(R, N, Ms).
goes_on_itself(R, N) :-
  refused_frame(R, N, _, _, At),
  says_it_goes_on(_, B),
  At <= fn:plus(B, 100),
  B <= fn:plus(At, 1500).
dealt_with(R, N) :- goes_on_itself(R, N).
dealt_with(R, N) :- frame_noticed(R, N, "true"), !spins().
# It is missed: a user had done something for it, or sees that something did not come.
is_missed_frame(R, N) :-
  refused_frame(R, N, M, _, _),
  socket_frame(R, M, "sent", _)@[T, _],
  ms(T, Sent),
  deed_at(D),
  D <= fn:plus(Sent, 20),
  Sent <= fn:plus(D, 1500).
is_missed_frame(R, N) :- refused_frame(R, N, _, _, _), page_shows_it().
is_missed_frame(R, N) :- refused_frame(R, N, _, _, _), none_line(_).
ignored_refusal(R, N) :-
  refused_frame(R, N, _, _, _),
  is_unheeded(R, N),
  is_missed_frame(R, N),
  !is_said_of_frame(R, N),
  !goes_on_itself(R, N).
first_ignored(R, N) :- ignored_refusal(R, M) |> do fn:group_by(R), let N = fn:min(M).
suspect(R, "socket_error", Text) :-
  first_ignored(R, N),
  refused_frame(R, N, M, Says, _),
  socket_frame(R, M, "sent", Sent)@[T, _],
  request_label(R, Label),
  Text = fn:string:concat("over ", Label, " the page sent ", Sent,
                          ", which is answered with an error message: `", Says,
                          "`, and the page takes no notice of it").
trouble(R, 56, Text) :-
  first_ignored(R, _),
  request_label(R, Label),
  Text = fn:string:concat("what the page sent over ", Label,
                          " is refused, and nobody is told of it").
causes(X, R, "what was to bring it was refused over the socket") :-
  first_ignored(R, _),
  shown_node(X, _),
  !has_any_hard().
change_at(R, Where, "send what the server takes, and hear its answer that says no") :-
  first_ignored(R, N),
  refused_frame(R, N, M, _, _),
  sent_from(R, M, F),
  own_frame(F, Depth, _, Url, Line),
  Depth < 3,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

repair("socket_error", "caller", "send what the server takes, and hear its answer that says no").

# Kinds of fault of listeners that are no element's: of a bus, an emitter or a store of the page's own. Whatever adds one
# each time it runs, and never takes it off, does the same once more with each.

# A message that came once, or what a user had typed, stands twice.
drawn_again(K, R, Target) :-
  drawn_twice_of(K, R, _),
  drawn_twice(K, Target, _, _)@[T, _],
  !third_party(R).
typed_again(K, I, Target) :-
  drawn_twice(K, Target, Text, _)@[T, _],
  filled_in(_, _, _, Typed)@[S, _],
  has_letters(Typed),
  :string:contains(Text, Typed),
  ms(T, At),
  input(I, Type, _, _)@[U, _],
  is_deed(Type),
  ms(U, Ms),
  Ms <= fn:plus(At, 20),
  At <= fn:plus(Ms, 300),
  ms(S, Filled),
  Filled <= fn:plus(At, 20),
  At <= fn:plus(Filled, 2000),
  !is_of_frame(K).
is_of_frame(K) :- drawn_twice_of(K, _, _).
# Who listens again: to what the message is called, else anybody.
called_so(R, Url, Line, Name) :-
  drawn_again(_, R, _),
  listens_anew(Url, Line, Name),
  Name != "",
  frame_name(R, _, Name).
is_called_so(R) :- called_so(R, _, _, _).
hears_anew(R, Url, Line, Name) :- called_so(R, Url, Line, Name).
hears_anew(R, Url, Line, Name) :-
  drawn_again(_, R, _),
  listens_anew(Url, Line, Name),
  !is_called_so(R).
anew_place(R, Where) :- hears_anew(R, Url, Line, _), code_place(Url, Line, Where).
anew_target(R, Target) :- drawn_again(_, R, T) |> do fn:group_by(R), let Target = fn:pick_any(T).
first_anew(R, Where) :- anew_place(R, W), !is_heard_again(R)
  |> do fn:group_by(R), let Where = fn:pick_any(W).
suspect(R, "repeated_listener", Text) :-
  first_anew(R, Where),
  anew_target(R, Target),
  request_label(R, Label),
  Text = fn:string:concat(Where,
                          " listens again each time it runs, and never stops (no off, no unsubscribe): a message of ",
                          Label, " that came once is drawn more than once in ", Target).
trouble(R, 55, Text) :-
  first_anew(R, _),
  anew_target(R, Target),
  request_label(R, Label),
  Text = fn:string:concat("a message of ", Label, " stands more than once in ", Target).
change_at(R, Where, "take the old listener off before another is added, or listen once") :-
  anew_place(R, Where),
  first_anew(R, _).

# Of several deeds on the way, a click and what it submits, the last.
last_typed_at(Target, Ms) :- typed_again(_, I, Target), node_at(I, M)
  |> do fn:group_by(Target), let Ms = fn:max(M).
first_typed(I, Target) :- last_typed_at(Target, Ms), typed_again(_, J, Target), node_at(J, Ms)
  |> do fn:group_by(Target), let I = fn:pick_any(J).
typed_place(I, Where) :-
  typed_again(_, I, _),
  listens_anew(Url, Line, _),
  code_place(Url, Line, Where).
suspect(I, "repeated_listener", Text) :-
  first_typed(I, Target),
  one_typed_place(I, Where),
  Text = fn:string:concat(Where,
                          " listens again each time it runs, and never stops (no off, no unsubscribe): what is entered once is added more than once to ",
                          Target).
one_typed_place(I, Where) :- typed_place(I, W) |> do fn:group_by(I), let Where = fn:pick_any(W).
trouble(I, 54, Text) :-
  first_typed(I, Target),
  one_typed_place(I, _),
  Text = fn:string:concat("what was entered once stands more than once in ", Target).
change_at(I, Where, "take the old listener off before another is added, or listen once") :-
  first_typed(I, _),
  typed_place(I, Where).

# One deed that was sent twice from the same line.
change_at(B, Where, "take the old listener off before another is added, or listen once") :-
  heard_twice(B, _, _),
  listens_anew(Url, Line, _),
  stack(B, _, _, Url, _),
  code_place(Url, Line, Where).
repair("repeated_listener", "caller",
       "take the old listener off before another is added, or listen once").
repair("heard_twice", "caller",
       "take the old listener off before another is added, or listen once").

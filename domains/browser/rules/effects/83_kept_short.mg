# An answer that is kept under less than it was asked with: what is chosen next gets it without being asked for.

asked_since(R, I) :-
  kept_short(R, I, _, _, _),
  node_at(I, At),
  endpoint(R, Method, Route),
  endpoint(Later, Method, Route),
  sent_at(Later, S),
  At <= fn:plus(S, 5).
kept_for_other(R, I, Left, Where) :-
  kept_short(R, I, Left, Url, Line),
  own_data(R),
  went_well(R),
  heard(I, "own"),
  node_at(I, At),
  known_at(R, Known),
  Known <= At,
  !asked_since(R, I),
  !asks_anything(I),
  list_shown(R, _, Shown, Shown, _),
  0 < Shown,
  code_place(Url, Line, Where).
asks_anything(I) :- kept_short(_, I, _, _, _), asked_after_input(Q, I), own_data(Q).
first_for_other(R, I) :- kept_for_other(R, J, _, _) |> do fn:group_by(R), let I = fn:pick_any(J).
suspect(R, "kept_key", Text) :-
  first_for_other(R, I),
  kept_for_other(R, I, Left, Where),
  input(I, _, _, Chosen)@[T, _],
  request_label(R, Label),
  Text = fn:string:concat(Where, " keeps what ", Label, " answers under a key without `", Left,
                          "`: for ", Chosen,
                          ", which was chosen since, nothing is asked, and what was kept is taken for it").
trouble(R, 55, Text) :-
  first_for_other(R, I),
  input(I, _, _, Chosen)@[T, _],
  request_label(R, Label),
  Text = fn:string:concat("after ", Chosen, " was chosen the page shows what ", Label,
                          " had answered before").
change_at(R, Where, "keep answers under all that they were asked with") :-
  kept_for_other(R, _, _, Where).

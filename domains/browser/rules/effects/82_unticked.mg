# A box that was unticked is not in what is sent: forms leave it out, and a server that takes what it gets leaves it as it
# was.

# Members that stand at the top of an answer, or in what holds all of it, by their names.
holds_all("$.").
holds_all("$.settings.").
holds_all("$.preferences.").
holds_all("$.notifications.").
holds_all("$.options.").
holds_all("$.profile.").
holds_all("$.user.").
holds_all("$.data.").
top_member(R, Path, Name) :-
  body_type(R, Path, _),
  holds_all(Start),
  :string:starts_with(Path, Start),
  Name = fn:string:replace(Path, Start, "", 1),
  !:string:contains(Name, ".").
sent_member(R, Name) :-
  sent_type(R, Path, _),
  holds_all(Start),
  :string:starts_with(Path, Start),
  Name = fn:string:replace(Path, Start, "", 1),
  !:string:contains(Name, ".").

# Answered as true, and its box was clicked once since.
answered_ticked(G, Path, Name, Ms) :-
  body_type(G, Path, "boolean"),
  body_value(G, Path, "true"),
  top_member(G, Path, Name),
  own_data(G),
  went_well(G),
  known_at(G, Ms).
target_of_box(Name, Target) :-
  answered_ticked(_, _, Name, _),
  Target = fn:string:concat("input[name=", Name, "]").
target_of_box(Name, Target) :-
  answered_ticked(_, _, Name, _),
  Target = fn:string:concat("input#", Name).
box_turned(Name, I, Target, Ms) :-
  target_of_box(Name, Target),
  input(I, "change", Target, _)@[T, _],
  ms(T, Ms).
turned_times(Name, Count) :- box_turned(Name, I, _, _)
  |> do fn:group_by(Name), let Count = fn:count().
unticked(Name, I, G, Ms) :-
  turned_times(Name, 1),
  box_turned(Name, I, _, Ms),
  answered_ticked(G, _, Name, At),
  method_of(G, "GET"),
  At <= Ms.
# What was sent then has others of the same answer, and not this one.
goes_without_box(R, Name, I, G) :-
  unticked(Name, I, G, Ms),
  is_change(R),
  own_data(R),
  went_well(R),
  sent_at(R, S),
  Ms < S,
  sent_member(R, Other),
  top_member(G, _, Other),
  !sent_member(R, Name).
# And it is answered as it was.
stays_ticked(R, Name, I) :-
  goes_without_box(R, Name, I, G),
  endpoint(G, "GET", Route),
  endpoint(Get, "GET", Route),
  ended_at(R, A),
  sent_at(Get, B),
  A <= B,
  answered_ticked(Get, _, Name, _).
stays_ticked(R, Name, I) :- goes_without_box(R, Name, I, _), answered_ticked(R, _, Name, _).
left_box(R, Name, Target) :- stays_ticked(R, N, I), box_turned(N, I, T, _)
  |> do fn:group_by(R), let Name = fn:pick_any(N), let Target = fn:pick_any(T).
suspect(R, "field_not_sent", Text) :-
  left_box(R, Name, Target),
  request_label(R, Label),
  Text = fn:string:concat("the checkbox ", Target, " was unticked, and ", Label, " went without ",
                          Name,
                          ": forms (FormData) leave out what is not ticked, so it stays as it was").
trouble(R, 56, Text) :-
  left_box(R, Name, _),
  request_label(R, Label),
  Text = fn:string:concat("after ", Label, " ", Name, " is still true, although it was unticked").
change_at(R, Where, "send false for a checkbox that is not ticked: read its `checked`") :-
  left_box(R, _, _),
  place_of(R, Where).
check_by(R, How) :-
  left_box(R, Name, _),
  request_label(R, Label),
  How = fn:string:concat(Label, " is sent ", Name, " = false when it is unticked").

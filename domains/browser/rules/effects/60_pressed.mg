# Kinds of fault of what the user presses: a click that lands within a button, where code looks at the button only; a click
# on one thing after which another one is asked for.

# ---- within a button -----------------------------------------------------------------------------------------------

hears_above("own").
hears_above("above").
inner_press(I, Target, Button) :-
  input(I, "click", Target, _)@[T, _],
  pressed_in(I, Button),
  heard(I, How),
  hears_above(How),
  input_without_effect(I),
  !sent_something(I),
  !failed_after(I),
  !in_submit(I),
  !refused_around(I),
  !submit_around(I),
  !is_button(I, Target).
asks_target(I, K) :-
  inner_press(I, _, _),
  node_at(I, A),
  target_unmatched(K, _, _)@[T, _],
  ms(T, B),
  A <= fn:plus(B, 20),
  B <= fn:plus(A, 300).
knows_asker(I) :- asks_target(I, _).
suspect(I, "input_without_effect", Text) :-
  inner_press(I, Target, Button),
  asks_target(I, K),
  target_unmatched(K, _, Selector)@[T, _],
  place_of(K, Where),
  Text = fn:string:concat("the click lands on ", Target, " in ", Button, ", and ", Where,
                          " asks whether event.target itself matches ", Selector,
                          ": it does not, the element around it does (closest)").
suspect(I, "input_without_effect", Text) :-
  inner_press(I, Target, Button),
  !knows_asker(I),
  Text = fn:string:concat("the click on ", Target, " in ", Button,
                          " did nothing: what hears it may look at event.target, which is the inner element").
trouble(I, 48, Text) :-
  inner_press(I, _, Button),
  Text = fn:string:concat("the click on ", Button, " has no effect").
change_at(I, Where, "event.target.closest() in place of matches()") :-
  asks_target(I, K),
  place_of(K, Where).
change_at(I, Where, "the listener that is added here does nothing for this click") :-
  inner_press(I, _, _),
  place_of(I, Where).

# ---- looked for outwards, in vain --------------------------------------------------------------------------------

# A click that something around it hears, and of which nothing came: code looked from there for what is not there.
unknown_at(I, K) :-
  input(I, "click", _, _)@[T, _],
  heard(I, How),
  hears_above(How),
  input_without_effect(I),
  !sent_something(I),
  !failed_after(I),
  !in_submit(I),
  target_unknown(K, _, _)@[S, _],
  ms(T, A),
  ms(S, B),
  A <= fn:plus(B, 20),
  B <= fn:plus(A, 300),
  has_own_frame(K).
unknown_near(I, K, Near) :- unknown_at(I, K), nearly(K, Near).
has_unknown_near(I) :- unknown_near(I, _, _).
unknown_count(I, N) :- unknown_at(I, K) |> do fn:group_by(I), let N = fn:count().
# One of several that are asked one after the other counts if it is spelled like something that is there.
meant_around(I, K) :- unknown_near(I, K, _).
meant_around(I, K) :- unknown_count(I, 1), unknown_at(I, K), !has_unknown_near(I), on_button(I).
on_button(I) :- pressed_in(I, _).
on_button(I) :- is_button(I, _).
is_known_around(I) :- meant_around(I, _).
first_around(I, K) :- meant_around(I, M) |> do fn:group_by(I), let K = fn:pick_any(M).
suspect(I, "input_without_effect", Text) :-
  first_around(I, K),
  unknown_near(I, K, Near),
  target_unknown(K, Target, Selector)@[T, _],
  place_of(K, Where),
  Text = fn:string:concat("the click on ", Target, " did nothing: ", Where, " looks for ", Selector,
                          " from there outwards, which nothing matches; there is ", Near).
suspect(I, "input_without_effect", Text) :-
  first_around(I, K),
  !has_unknown_near(I),
  target_unknown(K, Target, Selector)@[T, _],
  place_of(K, Where),
  Text = fn:string:concat("the click on ", Target, " did nothing: ", Where, " looks for ", Selector,
                          " from there outwards, which nothing matches").
trouble(I, 49, Text) :-
  first_around(I, K),
  target_unknown(K, Target, _)@[T, _],
  Text = fn:string:concat("the click on ", Target, " has no effect").
change_at(I, Where, "the selector that is looked for, here or where it is given") :-
  first_around(I, K),
  place_of(K, Where).
change_at(I, Where, "the selector that is looked for, here or where it is given") :-
  first_around(I, K),
  selector_at(K, Url, Line),
  code_place(Url, Line, Where).

# ---- a text, where a number is meant ----------------------------------------------------------------------------

# What an element has as data is a text: what is kept by numbers is not found by it.
text_key_at(I, Where) :-
  input(I, "click", _, _)@[T, _],
  heard(I, How),
  hears_above(How),
  input_without_effect(I),
  !sent_something(I),
  !failed_after(I),
  !in_submit(I),
  code_slip("text_key", Url, Line),
  stack(I, _, _, Url, _),
  has_number_ids(),
  code_place(Url, Line, Where).
has_number_ids() :- own_data(R), went_well(R), body_type(R, Path, "number"), is_id_member(Path).
Decl is_id_member(Path)
  descr [mode('+'), deferred()]
  bound [/string].
is_id_member(Path) :- :string:ends_with(Path, ".id").
is_id_member(Path) :- :string:ends_with(Path, "Id").
is_known_around(I) :- text_key_at(I, _).
suspect(I, "type_mismatch", Text) :-
  text_key_at(I, Where),
  input(I, _, Target, _)@[T, _],
  Text = fn:string:concat("the click on ", Target, " did nothing: ", Where,
                          " looks by a text (dataset) for an id that was answered as a number, and finds nothing").
trouble(I, 49, Text) :-
  text_key_at(I, _),
  input(I, _, Target, _)@[T, _],
  Text = fn:string:concat("the click on ", Target, " has no effect").
change_at(I, Where, "make a number of it before it is looked for: Number(...)") :-
  text_key_at(I, Where).

# ---- another one than was pressed ------------------------------------------------------------------------------------

other_item(R, I, List, Text, Id, Other) :-
  asked_for_another(R, I, List, Text, Id, Other),
  own_data(R),
  went_well(R).
suspect(R, "mixed_up_id", Said) :-
  other_item(R, _, _, Text, Id, Other),
  asked_for_part(R, Name),
  request_label(R, Label),
  Said = fn:string:concat("the click was on ", Text, ", which has the id ", Id, ", and ", Label,
                          " asks with the id of its ", Name, " instead: ", Other,
                          " is another one").
suspect(R, "other_item", Said) :-
  other_item(R, _, List, Text, Id, Other),
  !asked_for_part(R, _),
  request_label(R, Label),
  request_label(List, From),
  Said = fn:string:concat("the click was on ", Text, ", which has the id ", Id, ", and ", Label,
                          " asks for another entry of the list (", From, "): ", Other).
trouble(R, 55, Said) :-
  other_item(R, _, _, Text, _, _),
  Said = fn:string:concat("what is shown for ", Text, " is of another entry of the list").
repair("other_item", "code",
       "how the entry is found: its place in what is shown (sorted, filtered) is not its index in the list").
# Where the click came in: what asked in the end may be another script, which was told of the choice.
heard_depth(R, Depth) :- other_item(R, _, _, _, _, _), own_frame(R, D, _, _, _)
  |> do fn:group_by(R), let Depth = fn:max(D).
change_at(R, Where,
          "how the entry is found: its place in what is shown (sorted, filtered) is not its index in the list") :-
  heard_depth(R, Depth),
  own_frame(R, Depth, _, Url, Line),
  short_url(Url, Short),
  !asked_for_part(R, _),
  Where = fn:string:concat(Short, ":", Line).
check("other_item", "asks for the one that was clicked").

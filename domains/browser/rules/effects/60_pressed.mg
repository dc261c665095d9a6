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
check("other_item", "asks for the one that was clicked").

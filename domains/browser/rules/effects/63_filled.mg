# Kinds of fault of forms: what the user had filled in is not in what was sent.

left_field(K, Target, Why, Text, At) :- field_left_out(K, Target, Why, Text)@[T, _], ms(T, At).
filled_field(K, Target, Name, Text, At) :- filled_in(K, Target, Name, Text)@[T, _], ms(T, At).

# What was sent right after.
sends_form(R) :- own_data(R), is_change(R).
sends_form(R) :- kind_of(R, "document"), is_change(R).
sent_after(K, R) :-
  left_field(K, _, _, _, A),
  sends_form(R),
  sent_at(R, B),
  A <= fn:plus(B, 5),
  B <= fn:plus(A, 1500).
sent_after(K, R) :-
  filled_field(K, _, _, _, A),
  sends_form(R),
  sent_at(R, B),
  A <= fn:plus(B, 5),
  B <= fn:plus(A, 1500).
field_text(K, Text) :- left_field(K, _, _, Text, _).
field_text(K, Text) :- filled_field(K, _, _, Text, _).
# It is there, by whatever name.
carries(R, K) :- sent_after(K, R), field_text(K, Text), sent_value(R, _, Text).
carries(R, K) :-
  sent_after(K, R),
  field_text(K, Text),
  sent_value(R, _, Value),
  :string:contains(Value, Text).

# ---- left out when the form is read ---------------------------------------------------------------------------

why_left("disabled", "is disabled when the form is read, and FormData leaves disabled fields out").
why_left("nameless", "has no name, and what has none is left out of a form").
why_left("outside", "stands outside of the form").
# Fields without a name or outside of a form are often of use without being sent: a search within a list, a text whose id
# is sent. They count where the server misses something.
lost_field(K, R) :- left_field(K, _, "disabled", _, _), sent_after(K, R), !carries(R, K).
lost_field(K, R) :-
  left_field(K, _, Why, _, _),
  Why != "disabled",
  sent_after(K, R),
  has_bad_status(R, _),
  refusal_about(R, Name),
  !sends_name(R, Name),
  !carries(R, K).
# What the server said was read by nobody.
lost_field(K, R) :-
  left_field(K, _, "nameless", _, _),
  sent_after(K, R),
  lacks_something(R),
  !says_anything(R),
  !carries(R, K).
lacks_something(R) :- status_of(R, 400), is_change(R).
lacks_something(R) :- status_of(R, 422), is_change(R).
says_anything(R) :- refusal_says(R, _, _, _).
says_anything(R) :- refusal_about(R, _).
sends_name(R, Name) :-
  refusal_about(R, Name),
  sent_type(R, Path, _),
  Part = fn:string:concat(".", Name),
  :string:ends_with(Path, Part).
# Where the same form was taken later, its user had only to mend something.
counts_lost(K, R) :- lost_field(K, R), !made_good_at(R, _).
# One of those that the same reading left out stands for all of them.
first_lost(R, Why, K) :- counts_lost(Q, R), left_field(Q, _, Why, _, _)
  |> do fn:group_by(R, Why), let K = fn:pick_any(Q).
lost_count(R, Why, N) :- counts_lost(Q, R), left_field(Q, _, Why, _, _)
  |> do fn:group_by(R, Why), let N = fn:count().
suspect(K, "field_not_sent", Text) :-
  first_lost(R, Why, K),
  lost_count(R, Why, N),
  left_field(K, Target, _, _, _),
  why_left(Why, Words),
  request_label(R, Label),
  others_too(N, Too),
  Text = fn:string:concat(Target, Too, " ", Words, ": ", Label, " went without it").
Decl others_too(N, Text)
  descr [mode('+', '-'), deferred()]
  bound [/number, /string].
others_too(1, "").
others_too(N, Text) :-
  1 < N,
  Rest = fn:minus(N, 1),
  Text = fn:string:concat(" (and ", Rest, " more)").
trouble(K, 56, Text) :-
  first_lost(R, _, K),
  left_field(K, Target, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("what the user put into ", Target, " is not in ", Label).
causes(R, K, "what the user had filled in was left out of it") :-
  first_lost(R, _, K),
  has_bad_status(R, _).
change_at(K, Where, "read the form before its fields are disabled, or do not disable them") :-
  first_lost(_, "disabled", K),
  place_of(K, Where).
change_at(K, Target, "give it a name, or read it where the form is read") :-
  first_lost(_, Why, K),
  Why != "disabled",
  left_field(K, Target, _, _, _).
change_at(K, Where, "what is read here is not all that the user filled in") :-
  first_lost(_, Why, K),
  Why != "disabled",
  place_of(K, Where).
change_at(K, Where, "what is sent here was read too late, or not from these fields") :-
  first_lost(R, _, K),
  place_of(R, Where).

# ---- sent with nothing ---------------------------------------------------------------------------------------------

# The field says something, and what is sent of its name is nothing; or the server misses just that name.
blank_sent(K, R) :-
  filled_field(K, _, Name, _, _),
  Name != "",
  sent_after(K, R),
  sent_empty(R, Path),
  Part = fn:string:concat(".", Name),
  :string:ends_with(Path, Part),
  !carries(R, K).
blank_sent(K, R) :-
  filled_field(K, _, Name, _, _),
  Name != "",
  sent_after(K, R),
  has_bad_status(R, _),
  refusal_about(R, Name),
  !sends_name(R, Name),
  !carries(R, K).
has_first_lost(R) :- first_lost(R, _, _).
# What code sends in its place is something else by intent, where all of the form is so: a search, a code of it.
first_blank(R, K) :- blank_sent(Q, R), !has_first_lost(R), !made_good_at(R, _)
  |> do fn:group_by(R), let K = fn:pick_any(Q).
suspect(K, "field_not_sent", Text) :-
  first_blank(R, K),
  filled_field(K, Target, Name, _, _),
  request_label(R, Label),
  Text = fn:string:concat(Target, " was filled in, and ", Label, " went with nothing for ", Name,
                          ": it was read too early, or from elsewhere").
trouble(K, 54, Text) :-
  first_blank(R, K),
  has_bad_status(R, _),
  filled_field(K, Target, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("what the user put into ", Target, " is not in ", Label).
# What a click that is none on the button of the form sends may be meant to be empty: all is cleared.
is_sent_as_form(K) :-
  filled_field(K, _, _, _, A),
  submitted(S, _, _, _, _),
  node_at(S, B),
  A <= fn:plus(B, 100),
  B <= fn:plus(A, 300).
trouble(K, 48, Text) :-
  first_blank(R, K),
  !has_bad_status(R, _),
  is_sent_as_form(K),
  filled_field(K, Target, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("what the user put into ", Target, " is not in ", Label).
causes(R, K, "what the user had filled in is not in it") :- first_blank(R, K), has_bad_status(R, _).
change_at(K, Where, "read the fields when the form is sent, and those that the user sees") :-
  first_blank(R, K),
  place_of(R, Where).
change_at(K, Target, "its name, and where it stands: what is sent has nothing of it") :-
  first_blank(_, K),
  filled_field(K, Target, _, _, _).
node_text(K, Text) :-
  field_text(K, _),
  filled_field(K, Target, _, _, _),
  Text = fn:string:concat("the user fills in ", Target).
node_text(K, Text) :-
  left_field(K, Target, _, _, _),
  Text = fn:string:concat(Target, " is left out").

check("field_not_sent", "the same steps send what was filled in").

# ---- sent as it was before ---------------------------------------------------------------------------------------------

# The field says something else, and what is sent of its name is what had been answered: code sends a state of before.
old_sent(K, R, Name, Old) :-
  filled_field(K, _, Name, Text, _),
  Name != "",
  sent_after(K, R),
  is_sent_as_form(K),
  sent_value(R, Path, Old),
  Part = fn:string:concat(".", Name),
  :string:ends_with(Path, Part),
  Old != Text,
  !carries(R, K),
  answered_so(R, Part, Old).
answered_so(R, Part, Old) :-
  sent_after(K, R),
  filled_field(K, _, Name, _, _),
  Part = fn:string:concat(".", Name),
  body_value(G, Path, Old),
  :string:ends_with(Path, Part),
  own_data(G),
  known_at(G, A),
  sent_at(R, B),
  A <= B.
first_old(R, K) :- old_sent(Q, R, _, _), !has_first_lost(R)
  |> do fn:group_by(R), let K = fn:pick_any(Q).
suspect(K, "field_not_sent", Text) :-
  first_old(R, K),
  old_sent(K, R, Name, Old),
  filled_field(K, Target, _, Said, _),
  request_label(R, Label),
  Text = fn:string:concat(Target, " was changed to `", Said, "`, and ", Label, " went with ", Name,
                          " `", Old,
                          "`, as it had been answered: what is sent is a state of before (stale)").
trouble(K, 55, Text) :-
  first_old(R, K),
  filled_field(K, Target, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("what the user put into ", Target, " is not in ", Label).
change_at(K, Where, "send what the fields have, or what was kept when they changed") :-
  first_old(R, K),
  place_of(R, Where).

# ---- a list that is sent as a text ------------------------------------------------------------------------------

# A script has given a built-in a way of its own to become JSON.
changed_node(Name, Node) :- builtin_changed(Name, _, _), Node = fn:string:concat("builtin:", Name).
meant_type("Array.prototype.toJSON", "array").
meant_type("Object.prototype.toJSON", "object").
text_by_patch(R, Name, Member) :-
  builtin_changed(Name, _, _),
  meant_type(Name, Type),
  sent_as_text(R, Member, Type),
  own_data(R),
  has_bad_status(R, _).
first_text(Name, R) :- text_by_patch(Q, Name, _) |> do fn:group_by(Name), let R = fn:pick_any(Q).
first_member(Name, R, Member) :- first_text(Name, R), text_by_patch(R, Name, M)
  |> do fn:group_by(Name, R), let Member = fn:pick_any(M).
suspect(Node, "changed_builtin", Text) :-
  first_member(Name, R, Member),
  changed_node(Name, Node),
  request_label(R, Label),
  Text = fn:string:concat("a script defines ", Name,
                          ", so that JSON.stringify makes a text (string) of ", Member, " in ",
                          Label).
trouble(Node, 56, Text) :-
  first_member(Name, R, Member),
  changed_node(Name, Node),
  request_label(R, Label),
  Text = fn:string:concat(Label, " has ", Member, " as a text").
causes(R, Node, "a member that is a list or object was sent as a text") :-
  text_by_patch(R, Name, _),
  changed_node(Name, Node).
change_at(Node, Where, "do not define it for all of the page") :-
  first_text(Name, _),
  changed_node(Name, Node),
  builtin_changed(Name, Url, Line),
  Url != "",
  Where = fn:string:concat(Url, ":", Line).
change_at(Node, Where, "what is sent here is made JSON by it") :-
  first_text(Name, R),
  changed_node(Name, Node),
  place_of(R, Where).
check("changed_builtin", "a list is sent as a list").

# ---- numbers of fields that were not added ----------------------------------------------------------------------

# What is read of a field is a text: with another one, or a number, it is put one behind the other.
digit_first(T) :- filled_in(_, _, _, T)@[S, _], digit(D), :string:starts_with(T, D).
digit("0").
digit("1").
digit("2").
digit("3").
digit("4").
digit("5").
digit("6").
digit("7").
digit("8").
digit("9").
typed_near(R, K, T) :- sent_after(K, R), filled_field(K, _, _, T, _), digit_first(T).
typed_itself(R, V) :- typed_near(R, _, V).
# What is a number by its type, so that a code of digits in two parts is none.
put_behind(R, Path, V, How) :-
  typed_near(R, K, T),
  typed_near(R, K2, T2),
  K != K2,
  V = fn:string:concat(T, T2),
  sent_value(R, Path, V),
  How = fn:string:concat("`", T, "` and `", T2, "` of the form").
put_behind(R, Path, V, How) :-
  typed_near(R, _, T),
  !typed_itself(R, "1"),
  V = fn:string:concat(T, "1"),
  sent_value(R, Path, V),
  How = fn:string:concat("`", T, "` of the form and 1").
# The same of what was answered as a text, by the name under which it is sent.
put_behind_answer(R, Path, V, How) :-
  is_change(R),
  own_data(R),
  has_bad_status(R, _),
  sent_value(R, Path, V),
  End = fn:string:replace(Path, "$", "", 1),
  body_type(A, There, "string"),
  :string:ends_with(There, End),
  body_value(A, There, T),
  starts_with_figure(T),
  V = fn:string:concat(T, "1"),
  A != R,
  request_label(A, Label),
  How = fn:string:concat("`", T, "` of the answer of ", Label, ", a text, and 1").
starts_with_figure(T) :-
  has_bad_status(_, _),
  body_value(_, _, T),
  digit(D),
  :string:starts_with(T, D).
joined_sent(R, Path, V, How) :- put_behind_answer(R, Path, V, How), !lacks_right(R).
joined_sent(R, Path, V, How) :-
  put_behind(R, Path, V, How),
  sent_type(R, Path, "number"),
  !typed_itself(R, V),
  has_bad_status(R, _),
  !lacks_right(R).
joined_text_sent(R, Text) :-
  joined_sent(R, Path, V, How),
  request_label(R, Label),
  T = fn:string:concat(Label, " was sent ", V, " as ", Path, ": ", How,
                       ", put one behind the other (as texts) in place of added")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "joined_numbers", Text) :- joined_text_sent(R, Text).

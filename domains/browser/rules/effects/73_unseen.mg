# A kind of fault of drawing: what was answered stands in the document, in its place, and styles keep everybody from
# seeing it.

how_hidden("opacity: 0", "has opacity 0").
how_hidden("visibility: hidden", "has visibility: hidden").
how_hidden("color", "has the color of what is behind it").
how_hidden("font-size: 0", "has a font of size 0").
out_of_place("display: none", "has display: none").
out_of_place("hidden", "has the attribute hidden").
veiled_node(Target, Node) :- veiled(Target, _, _, _), Node = fn:string:concat("veiled:", Target).
# What an answer has and a number is not: these stand anywhere.
telling_value(R, V) :-
  veiled(_, _, _, _),
  body_value(R, _, V),
  own_data(R),
  went_well(R),
  has_letters(V).
Decl has_letters(V)
  descr [doc("It is longer than four bytes, and no number, date or flag."), mode('+'), deferred()]
  bound [/string].
has_letters(V) :- letter_of(L), :string:contains(V, L), !is_word_of_code(V).
letter_of("a").
letter_of("e").
letter_of("i").
letter_of("o").
letter_of("u").
letter_of("r").
letter_of("n").
is_word_of_code("true").
is_word_of_code("false").
is_word_of_code("none").
is_word_of_code("on").
is_word_of_code("ok").
is_word_of_code("open").
is_word_of_code("new").
is_word_of_code("en").
is_word_of_code("de").
is_word_of_code("fr").
is_word_of_code("user").
is_word_of_code("in").
is_word_of_code("no").
is_word_of_code("a").
is_word_of_code("e").
veiled_value(Target, R, V) :-
  veiled(Target, _, Text, _),
  telling_value(R, V),
  :string:contains(Text, V).
veiled_values(Target, R, N) :- veiled_value(Target, R, V)
  |> do fn:group_by(Target, R), let N = fn:count().
has_veiled(Target, R) :- veiled_values(Target, R, N), 2 <= N.
has_veiled(Target, R) :- veiled_values(Target, R, 1), veiled(Target, _, _, Count), 2 <= Count.
unseen_content(Target, R, Words) :-
  has_veiled(Target, R),
  veiled(Target, How, _, _),
  how_hidden(How, Words).
# What takes no place is often shown later: a menu, a tab. It is missed where the page waits, and shows nothing of it.
shows_of(R) :- telling_value(R, V), shown("text", Text), :string:contains(Text, V).
unseen_content(Target, R, Words) :-
  has_veiled(Target, R),
  veiled(Target, How, _, _),
  out_of_place(How, Words),
  spins(),
  !shows_of(R).
unseen_content(Target, R, Words) :-
  has_veiled(Target, R),
  veiled(Target, How, _, _),
  out_of_place(How, Words),
  shown("empty", _),
  !shows_of(R).
first_of_unseen(Target, R) :- unseen_content(Target, Q, _)
  |> do fn:group_by(Target), let R = fn:pick_any(Q).
suspect(Node, "unseen_content", Text) :-
  first_of_unseen(Target, R),
  unseen_content(Target, R, Words),
  veiled(Target, _, _, Count),
  veiled_node(Target, Node),
  request_label(R, Label),
  and_alike(Count, Alike),
  Text = fn:string:concat("what ", Label, " answered stands in ", Target, Alike,
                          ", and nobody sees it: ", Target, " ", Words).
Decl and_alike(Count, Text)
  descr [mode('+', '-'), deferred()]
  bound [/number, /string].
and_alike(Count, "") :- Count <= 1.
and_alike(Count, Text) :- 2 <= Count, Text = fn:string:concat(" (", Count, " alike)").
trouble(Node, 54, Text) :-
  first_of_unseen(Target, R),
  veiled_node(Target, Node),
  request_label(R, Label),
  Text = fn:string:concat("nothing is to be seen of what ", Label, " answered").
change_at(Node, Target, "the style or class that hides it, and the code that is to take it away") :-
  first_of_unseen(Target, _),
  veiled_node(Target, Node).
change_at(Node, Rule, "the style or class that hides it, and the code that is to take it away") :-
  first_of_unseen(Target, _),
  veiled_node(Target, Node),
  veiled_by(Target, Rule).
# Where it is drawn.
change_at(Node, Where, "what is drawn here stays hidden") :-
  first_of_unseen(Target, R),
  veiled_node(Target, Node),
  place_of(R, Where).
causes("shown:spinner", Node, "what it waits for is there, and hidden") :-
  spins(),
  first_of_unseen(Target, _),
  veiled_node(Target, Node).
check("unseen_content", "what was answered can be seen").

# Kinds of fault of a number that is added to a text: "2" and 1 are "21".

# Something else had been sent so before, or the same line gave it: a page of a list, one after the other.
grown(R, Path, Value, Old, Tail, Where) :-
  sent_grown(R, Path, Old, Tail, Url, Line),
  own_data(R),
  !is_tracker(R),
  Value = fn:string:concat(Old, Tail),
  code_place(Url, Line, Where).
grown_text(R, Text) :-
  grown(R, Path, Value, Old, Tail, Where),
  request_label(R, Label),
  T = fn:string:concat(Label, " was sent ", Value, " as ", Path, ": `", Old,
                       "`, which is a text (string), and ", Tail,
                       ", put one behind the other in place of added (", Where, ")")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "joined_numbers", Text) :- grown_text(R, Text).
trouble(R, 55, Text) :-
  grown_text(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was sent a number that nobody meant").
change_at(R, Where, "make a number of it before anything is added: Number(value), or parseInt") :-
  grown(R, _, _, _, _, Where).

# Of what the page keeps to itself.
sum_node(Node, Where, Tail, Shown) :-
  added_to_text(Url, Line, Tail, Shown),
  !is_grown_at(Url, Line),
  code_place(Url, Line, Where),
  Node = fn:string:concat("sum:", Where).
is_grown_at(Url, Line) :- sent_grown(_, _, _, _, Url, Line).
suspect(Node, "joined_numbers", Text) :-
  sum_node(Node, Where, Tail, Shown),
  Text = fn:string:concat(Where, " adds ", Tail,
                          " to a text (string): it is put behind it, and the page shows ", Shown,
                          " where a sum was meant").
trouble(Node, 53, Text) :-
  sum_node(Node, Where, _, Shown),
  Text = fn:string:concat("the page shows ", Shown, ", in place of the sum of ", Where).
node_text(Node, Text) :- sum_node(Node, Where, _, _), Text = fn:string:concat("a sum at ", Where).
change_at(Node, Where,
          "make a number of it before anything is added: Number(value), or parseInt") :-
  sum_node(Node, Where, _, _).
repair("joined_numbers", "caller",
       "make a number of it before anything is added: Number(value), or parseInt").

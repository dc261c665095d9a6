# Kinds of fault of drawing: code draws into what has no height or width, and nobody sees it.

room_node(Target, Node) :- no_room(Target, _, _, _, _), Node = fn:string:concat("room:", Target).
suspect(Node, "no_room", Text) :-
  no_room(Target, Parent, "size", How, _),
  room_node(Target, Node),
  Text = fn:string:concat(Target, ", into which code draws, is ", How, ", though ", Parent,
                          " around it is shown: its width and height were measured while that was hidden, as a closed tab is").
suspect(Node, "no_room", Text) :-
  no_room(Target, Parent, Side, How, Count),
  Side != "size",
  room_node(Target, Node),
  Text = fn:string:concat(Target, ", into which code draws (", Count, " elements), is 0 px in ",
                          Side, ": its ", Side, " is ", How, ", and ", Parent,
                          " around it has none").
trouble(Node, 53, Text) :-
  no_room(Target, _, Side, _, _),
  room_node(Target, Node),
  Text = fn:string:concat("nothing is to be seen of ", Target, ": it has no ", Side).
change_at(Node, Where, "measure it again when it comes to be seen") :-
  no_room(Target, _, "size", _, _),
  room_node(Target, Node),
  drawn_by(Target, Url, Line),
  code_place(Url, Line, Where).
change_at(Node, Target, "measure it again when it comes to be seen") :-
  no_room(Target, _, "size", _, _),
  room_node(Target, Node).
change_at(Node, Target, "give it a size of its own") :-
  no_room(Target, _, Side, _, _),
  Side != "size",
  room_node(Target, Node).
change_at(Node, Parent, "give it a size, of which what is in it can have its part") :-
  no_room(Target, Parent, Side, _, _),
  Side != "size",
  room_node(Target, Node).
check("no_room", "what is drawn has a height and a width").

# ---- a regular expression with a memory -------------------------------------------------------------------------------

own_regexp(Name, Flags, Url, Line) :-
  regexp_again(Name, Flags, Url, Line),
  page_origin(Origin),
  :string:starts_with(Url, Origin).
regexp_node(Name, Node) :- own_regexp(Name, _, _, _), Node = fn:string:concat("regexp:", Name).
regexp_place(Name, Where) :-
  own_regexp(Name, _, Url, Line),
  page_origin(Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
suspect(Node, "stateful_regexp", Text) :-
  own_regexp(Name, Flags, _, _),
  regexp_node(Name, Node),
  regexp_place(Name, Where),
  Text = fn:string:concat("the regular expression ", Name, " (", Where, ") has the flag ", Flags,
                          " and is asked with test(): each test begins where the last one matched (lastIndex)").
trouble(Node, 51, Text) :-
  regexp_node(Name, Node),
  Text = fn:string:concat("what ", Name, " tests is said not to match every second time").
change_at(Node, Where, "leave the flag g (or y) out") :-
  regexp_node(Name, Node),
  regexp_place(Name, Where).
check("stateful_regexp", "the same text matches as often as it is tested").

# Kinds of fault of answers in another shape than code expects, where it goes on with something in the place of what it does
# not find: an empty list, 0, a dash. No error tells of it, only what is shown.

# ---- wrapped, or under another name -------------------------------------------------------------------------

fell_back(Node, R, Path, Name, How, Where) :-
  fallback_taken(R, Path, Name, How, Url, Line),
  own_data(R),
  went_well(R),
  is_of_answer(R, How, Url),
  code_place(Url, Line, Where),
  !is_misread_there(Where),
  Node = fn:string:concat("fallback:", Where, " ", Name).
# Names that say little are read of anything: only where the script had asked for it, or the page says that there is none.
is_of_answer(R, How, Url) :- fallback_taken(R, _, _, How, Url, _), How != "held".
is_of_answer(R, "held", Url) :- fallback_taken(R, _, _, "held", Url, _), stack(R, _, _, Url, _).
is_of_answer(R, "held", Url) :-
  fallback_taken(R, _, _, "held", Url, _),
  said_none(R, Line, _),
  none_line(Line).
# What is told by where the code takes it is told once.
is_misread_there(Where) :- misread_at(Node, _, _, _, Where), misread_list(Node).
is_misread_there(Where) :-
  misread_at(Node, R, Path, There, Where),
  !misread_list(Node),
  !is_below_missing(R, Path),
  !is_handed_on(R, There).
why_not_found("below", "which has it below a member that no script knows, at ").
why_not_found("beside", "which has it under a name that no script knows, as ").
why_not_found("held", "which has it under a name that no script knows, as ").
fallback_text(Node, Text) :-
  fell_back(Node, R, Path, Name, How, Where),
  why_not_found(How, Why),
  request_label(R, Label),
  T = fn:string:concat(Where, " reads `", Name, "` of the answer of ", Label, ", ", Why, Path,
                       ": what is shown is what stands in its place")
  |> do fn:group_by(Node), let Text = fn:pick_any(T).
suspect(Node, "changed_shape", Text) :- fallback_text(Node, Text).
node_text(Node, Text) :- fallback_text(Node, Text).
trouble(Node, 52, Text) :-
  fell_back(Node, R, Path, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("nothing of what ", Label, " answered at ", Path, " is shown").
change_at(Node, Where, Text) :-
  fell_back(Node, _, Path, _, _, Where),
  Text = fn:string:concat("read it where the answer has it: ", Path).
change_at(Node, Where, "or answer in the shape that is read") :-
  fell_back(Node, R, _, _, _, _),
  request_label(R, Where).

# ---- an object where a list alone is taken -------------------------------------------------------------------

not_a_list(R, Where) :-
  code_reads_as(R, "$", "list", Url, Line),
  body_type(R, "$", "object"),
  own_data(R),
  went_well(R),
  unchanged_after(R),
  !takes_member(R),
  !body_empty(R, "$"),
  code_place(Url, Line, Where).
takes_member(R) :- code_takes(R, Path, _, _), :string:starts_with(Path, "$.").
takes_member(R) :- code_asks_for(R, Path, _, _), :string:starts_with(Path, "$.").
suspect(R, "changed_shape", Text) :-
  not_a_list(R, Where),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered an object, and ", Where,
                          " takes it if it is a list (array), and else nothing").
trouble(R, 52, Text) :-
  not_a_list(R, _),
  request_label(R, Label),
  Text = fn:string:concat("nothing of what ", Label, " answered is shown").
change_at(R, Where, "take the object that is answered, or its values") :- not_a_list(R, Where).

# ---- a word in other letters ----------------------------------------------------------------------------------

other_letters(R, Path, Value, Other, Where) :-
  choice_cased(R, Path, Value, Other, Url, Line),
  own_data(R),
  went_well(R),
  code_place(Url, Line, Where).
suspect(R, "unknown_value", Text) :-
  other_letters(R, Path, Value, Other, Where),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers `", Value, "` at ", Path, ", and ", Where,
                          " compares it with `", Other, "`: the letters differ").
trouble(R, 51, Text) :-
  other_letters(R, Path, Value, _, _),
  Text = fn:string:concat("of what has `", Value, "` at ", Path, " nothing is shown").
change_at(R, Where, "compare with the word as it is answered") :- other_letters(R, _, _, _, Where).

# Kinds of fault of lists that come in parts: the first is taken for all of it.

# ---- nothing more is asked for ------------------------------------------------------------------------------

first_of_parts(R, Path, How, Line, Count, Total) :-
  part_for_all(R, Path, How, Line, Count, Total),
  own_data(R),
  went_well(R).
how_it_goes_on(R, Path, Text) :-
  first_of_parts(R, Path, _, _, _, _),
  Path != "$",
  Text = fn:string:concat("it says at ", Path,
                          " how it goes on (the next page), and no script reads that").
how_it_goes_on(R, "$", "no script asks for the next page") :- first_of_parts(R, "$", _, _, _, _).
of_how_many(R, Text) :-
  first_of_parts(R, _, _, _, Count, Total),
  Count < Total,
  Text = fn:string:concat("the first ", Count, " of ", Total).
of_how_many(R, Text) :-
  first_of_parts(R, _, _, _, Count, Total),
  Total <= Count,
  Text = fn:string:concat("the first ", Count, " of more").
suspect(R, "first_part_only", Text) :-
  first_of_parts(R, Path, _, _, _, _),
  how_it_goes_on(R, Path, On),
  of_how_many(R, Many),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered only ", Many, ", and the rest is never asked for: ",
                          On).
trouble(R, 54, Text) :-
  first_of_parts(R, _, "sum", Line, _, _),
  of_how_many(R, Many),
  Text = fn:string:concat("`", Line, "` is the sum of ", Many, ", as if there were no more").
trouble(R, 51, Text) :-
  first_of_parts(R, _, "total", Line, _, _),
  of_how_many(R, Many),
  Text = fn:string:concat("the page says `", Line, "` and shows ", Many,
                          ", without a way to the rest").
change_at(R, Where, "ask for the next part as long as the answer says that there is one") :-
  first_of_parts(R, _, _, _, _, _),
  place_of(R, Where).
change_at(R, Label, "or answer all of it, and the sum of all") :-
  first_of_parts(R, _, _, _, _, _),
  request_label(R, Label).

# ---- asked for by another name -----------------------------------------------------------------------------

reads_rest_as(R, Path, Name, Where) :-
  part_read_as(R, Path, Name, Url, Line),
  own_data(R),
  went_well(R),
  code_place(Url, Line, Where).
suspect(R, "first_part_only", Text) :-
  reads_rest_as(R, Path, Name, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " goes on by `", Name, "` of the answer of ", Label,
                          ", which says it at ", Path,
                          ": the list ends after its first part (paging stops)").
trouble(R, 53, Text) :-
  reads_rest_as(R, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("of the list of ", Label, " only the first part is ever shown").
change_at(R, Where, Text) :-
  reads_rest_as(R, Path, _, Where),
  Text = fn:string:concat("read ", Path).
change_at(R, Label, Text) :-
  reads_rest_as(R, _, Name, _),
  request_label(R, Label),
  Text = fn:string:concat("or answer it as ", Name).
check("first_part_only", "the rest is asked for").

# Kinds of fault of lists: in an order that is none, with what should not be in them or without what should; and slips in
# code that run without an error and mean something else.

# ---- numbers in the order of texts ----------------------------------------------------------------------------------

sorted_list(Node, R, Path, Url, Line) :-
  sorted_as_text(R, Path, Url, Line),
  own_data(R),
  went_well(R),
  Node = fn:string:concat("sorted:", Path).
suspect(Node, "sorted_as_text", Text) :-
  sorted_list(Node, R, Path, _, _),
  request_label(R, Label),
  Text = fn:string:concat("the list that ", Label, " answered is sorted by the text of ", Path,
                          ", which are numbers: 10 comes before 9").
trouble(Node, 53, Text) :-
  sorted_list(Node, _, Path, _, _),
  Text = fn:string:concat("the list is in the order of the texts of ", Path,
                          ", and not of the numbers").
node_text(Node, "a list in the order of texts") :- sorted_list(Node, _, _, _, _).
change_at(Node, Where, "compare numbers: sort((a, b) => a - b)") :-
  sorted_list(Node, _, _, Url, Line),
  Url != "",
  code_place(Url, Line, Where).
check("sorted_as_text", "9 comes before 10").

# ---- slips -------------------------------------------------------------------------------------------------------------

slip_says("splice",
          "takes items out of the list that forEach goes through: the one after each is skipped").
slip_says("comparator",
          "sorts by a comparison that is true or false: it never says that one comes first, and the order stays as it was").
slip_says("debounce",
          "makes the debounced function anew at each event, so that each has a timer of its own and none is put off").
slip_says("assigns", "assigns (=) where it was to compare (===)").
slip_says("parseInt", "hands parseInt the index as a base (map(parseInt)): NaN from the second on").
slip_says("attributes",
          "observes attributes by names with capitals: attributes of HTML are in small letters, and attributeChangedCallback is never called for these").
slip_mends("attributes", "their names in small letters").
slip_mends("splice", "filter the list, or go through a copy of it").
slip_mends("comparator", "answer less, equal or more: a - b, or localeCompare").
slip_mends("debounce", "make the debounced function once, and hear with it").
slip_mends("assigns", "=== in place of =").
slip_mends("parseInt", "map(Number), or map(x => parseInt(x, 10))").
slip_at(Node, What, Where) :-
  code_slip(What, Url, Line),
  code_place(Url, Line, Where),
  Node = fn:string:concat("slip:", Where).
# Nothing tells what came of it, and so it is no more than suspicious; requests that each key sends are seen.
slip_matters(Node, What, 41) :-
  slip_at(Node, What, _),
  slip_says(What, _),
  What != "debounce",
  What != "attributes",
  has_own_answer().
slip_matters(Node, "attributes", 52) :- slip_at(Node, "attributes", _).
slip_matters(Node, "debounce", 46) :- slip_at(Node, "debounce", _), asks_on_input().
has_own_answer() :- own_data(R), went_well(R).
asks_on_input() :- own_data(R), asked_after_input(R, _).
asks_on_input() :-
  own_data(R),
  stack(R, _, Function, _, _),
  :string:contains(Function, "setTimeout").
suspect(Node, "code_slip", Text) :-
  slip_matters(Node, What, _),
  slip_at(Node, What, Where),
  slip_says(What, Says),
  Text = fn:string:concat(Where, " ", Says).
trouble(Node, Weight, Text) :-
  slip_matters(Node, What, Weight),
  slip_at(Node, What, Where),
  slip_says(What, Says),
  Text = fn:string:concat(Where, " ", Says).
node_text(Node, Text) :- slip_at(Node, _, Where), Text = fn:string:concat("a slip at ", Where).
change_at(Node, Where, Mend) :-
  slip_matters(Node, What, _),
  slip_at(Node, What, Where),
  slip_mends(What, Mend).
causes("shown:broken", Node, "what is shown was made there") :-
  first_broken(_),
  slip_matters(Node, "parseInt", _).
causes("shown:broken", Node, "what is shown was changed there") :-
  first_broken(_),
  slip_matters(Node, "assigns", _).
check("code_slip", "the list has what it should have, in its order").

# Kinds of fault of lists that come in parts: the same part over and over, and parts after the last.

part_name("page").
part_name("cursor").
part_name("offset").
part_name("after").
part_name("next").
part_name("skip").
part_name("start").
part_name("from").
part_name("since").
part_name("token").
part_name("pageToken").
part_name("page_token").
part_name("continuation").
part_name("startAfter").
part_name("p").
part_name("before").
part_name("marker").
part_name("position").
part_of(R, Name, V) :-
  request_query(R, Name, V),
  part_name(Name),
  is_plain_get(R),
  own_data(R),
  !is_long_poll(R).
asked_part(Route, Name, V, R, At) :-
  part_of(R, Name, V),
  request_route(R, Route),
  sent_at(R, At),
  went_well(R).
# Six times or more within two seconds, the same part of the list: no polling.
soon_again(Route, Name, V, R, Other) :-
  asked_part(Route, Name, V, R, A),
  asked_part(Route, Name, V, Other, B),
  A <= B,
  B <= fn:plus(A, 2000).
soon_count(Route, Name, V, R, N) :- soon_again(Route, Name, V, R, Other)
  |> do fn:group_by(Route, Name, V, R), let N = fn:count().
dense_from(Route, Name, V, Ms) :- soon_count(Route, Name, V, R, N), 6 <= N, sent_at(R, At)
  |> do fn:group_by(Route, Name, V), let Ms = fn:min(At).
looped(R, Name, V) :- dense_from(Route, Name, V, Ms), asked_part(Route, Name, V, R, Ms).
part_first(Route, Name, V, Ms) :- asked_part(Route, Name, V, _, At)
  |> do fn:group_by(Route, Name, V), let Ms = fn:min(At).

# Where the answer says which part is next.
next_part("ext").
next_part("ursor").
next_part("oken").
next_part("ontinuation").
next_part("total").
next_part("Total").
next_part("pages").
next_part("Pages").
next_part("last").
next_part("ore").
tells_next(R, Path) :-
  looped(R, _, _),
  body_value(R, Path, _),
  next_part(Part),
  :string:ends_with(Path, Part),
  !:string:contains(Path, "[").
first_tells(R, Path) :- tells_next(R, P) |> do fn:group_by(R), let Path = fn:pick_any(P).
is_told_next(R) :- first_tells(R, _).
suspect(R, "request_loop", Text) :-
  looped(R, Name, V),
  first_tells(R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked for ", Name, " = ", V,
                          " over and over; the answer tells how it goes on in ", Path).
suspect(R, "request_loop", Text) :-
  looped(R, Name, V),
  !is_told_next(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked for ", Name, " = ", V, " over and over").
trouble(R, 60, Text) :-
  looped(R, Name, V),
  request_label(R, Label),
  Text = fn:string:concat("the page asks for the same part of ", Label, " over and over: ", Name,
                          " = ", V).
change_at(R, Where, What) :-
  looped(R, Name, _),
  place_of(R, Where),
  What = fn:string:concat("where ", Name, " is set from the answer, and when to stop").

# Beyond the end: ever new parts, and the answer says that there are no more.
says_end(R) :- part_of(R, _, _), ending(Path), body_value(R, Path, "false").
says_end(R) :- part_of(R, _, _), list_at(Path), body_empty(R, Path).
ending("$.hasMore").
ending("$.has_more").
ending("$.more").
ending("$.hasNext").
ending("$.has_next").
ending("$.meta.hasMore").
ending("$.meta.has_more").
list_at("$").
list_at("$.items").
list_at("$.data").
list_at("$.results").
list_at("$.rows").
list_at("$.entries").
list_at("$.records").
list_at("$.list").
# The answer counts the parts.
count_of_parts("$.totalPages").
count_of_parts("$.total_pages").
count_of_parts("$.pages").
count_of_parts("$.pageCount").
count_of_parts("$.page_count").
count_of_parts("$.lastPage").
count_of_parts("$.last_page").
count_of_parts("$.meta.totalPages").
count_of_parts("$.meta.total_pages").
count_of_parts("$.meta.last_page").
count_of_parts("$.meta.pages").
last_part_asked(Route, Name, Last, Path) :-
  asked_part(Route, Name, Last, R, _),
  count_of_parts(Path),
  body_value(R, Path, Last).
after_last(Route, Name, R, At) :-
  last_part_asked(Route, Name, Last, _),
  part_first(Route, Name, Last, End),
  asked_part(Route, Name, V, R, At),
  V != Last,
  End < At.
after_end(Route, Name, R, At) :- asked_part(Route, Name, _, R, At), says_end(R).
after_end(Route, Name, R, At) :- after_last(Route, Name, R, At).
end_soon_again(Route, Name, R, Other) :-
  after_end(Route, Name, R, A),
  after_end(Route, Name, Other, B),
  A <= B,
  B <= fn:plus(A, 2000).
end_soon_count(Route, Name, R, N) :- end_soon_again(Route, Name, R, Other)
  |> do fn:group_by(Route, Name, R), let N = fn:count().
beyond_from(Route, Name, Ms) :- end_soon_count(Route, Name, R, N), 6 <= N, sent_at(R, At)
  |> do fn:group_by(Route, Name), let Ms = fn:min(At).
beyond(R, Name) :- beyond_from(Route, Name, Ms), after_end(Route, Name, R, Ms).
suspect(R, "request_loop", Text) :-
  beyond(R, Name),
  !is_looped(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked for more parts (", Name,
                          ") after the answer said that there are none, over and over").
is_looped(R) :- looped(R, _, _).
trouble(R, 60, Text) :-
  beyond(R, _),
  !is_looped(R),
  request_label(R, Label),
  Text = fn:string:concat("the page asks for parts of ", Label, " that are not there, without end").
change_at(R, Where, "the condition under which it goes on") :-
  beyond(R, _),
  !is_looped(R),
  place_of(R, Where).
causes(Node, R, "each answer adds the same things once more") :-
  growing("nodes", _, _),
  growth_node("nodes", Node),
  is_paged(R).
causes("shown:spinner", R, "it never comes to the last part") :- spins(), is_paged(R).
# Told at the question that is repeated, not at the first of all.
is_paged(R) :- looped(R, _, _).
is_paged(R) :- beyond(R, _), !is_looped(R).
paged(Route, R) :- is_paged(R), request_route(R, Route).
causes(First, R, "it is this question that is asked over and over") :-
  often(First, _, _),
  request_route(First, Route),
  paged(Route, R),
  !is_paged(First).
# What the answer says of the next part is read by a name that it does not have: the loop comes of it.
causes(R, Node, "it goes on by what the code does not find in the answer") :-
  is_paged(R),
  request_route(R, Route),
  misread_at(Node, A, _, _, _),
  request_route(A, Route).
# Each further question is the same fault.
causes(Other, R, "it is this question that is asked over and over") :-
  paged(Route, R),
  asked_again_after(Other, Route, R).
asked_again_after(Other, Route, R) :-
  paged(Route, R),
  request_route(Other, Route),
  Other != R,
  says_repeated(Other),
  sent_at(R, A),
  sent_at(Other, B),
  A <= B.
says_repeated(Other) :- suspect(Other, "repeated_page", _).
says_repeated(Other) :- suspect(Other, "bad_argument", _).
something_failed() :- is_paged(_).

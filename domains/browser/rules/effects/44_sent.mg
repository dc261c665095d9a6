# Kinds of fault of what was sent, and of the things that were answered: asked with what no one means, built from an
# answer that lacks it, the thing of another id.

# ---- what was sent ----------------------------------------------------------------------------------------

# Values that no one ever means: they stand for something that the code did not have.
Decl no_value(Text) bound [/string].
no_value("undefined").
no_value("NaN").
no_value("[object Object]").
no_value("Invalid Date").
bad_argument(R, Name, V) :- request_query(R, Name, V), no_value(V).
bad_argument(R, Name, "null") :- request_query(R, Name, "null").
bad_argument(R, Name, V) :- sent_value(R, Name, V), no_value(V).
bad_argument(R, "its path", V) :-
  request_path(R, _, Path),
  no_value(V),
  Part = fn:string:concat("/", V),
  :string:contains(Path, Part),
  is_path_part(Path, Part).
bad_argument(R, "its path", "null") :-
  request_path(R, _, Path),
  :string:contains(Path, "/null"),
  is_path_part(Path, "/null").
Decl is_path_part(Path, Part)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
is_path_part(Path, Part) :- :string:ends_with(Path, Part).
is_path_part(Path, Part) :- Whole = fn:string:concat(Part, "/"), :string:contains(Path, Whole).
own_bad_argument(R, Name, V) :-
  bad_argument(R, Name, V),
  !third_party(R),
  !is_tracker(R),
  kind_of(R, K),
  must_be_known(K).
Decl must_be_known(Kind) bound [/string].
must_be_known("data").
must_be_known("document").
must_be_known("socket").
must_be_known("stream").
suspect(R, "bad_argument", Text) :-
  own_bad_argument(R, Name, V),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked with ", Name, " = ", V).
# It is trouble where something came of it: refused, empty, or code failed on the answer.
has_consequence(R) :- went_wrong(R).
has_consequence(R) :- is_change(R).
has_consequence(R) :- empty_answer(R, _).
has_consequence(R) :- error_awaits(_, R).
has_consequence(R) :- answered_as_before(R, _).
has_consequence(R) :- is_silent_socket(R).
# More was asked for, and the same came.
answered_as_before(R, Before) :-
  own_bad_argument(R, _, _),
  holds_all_of(Before, R),
  sent_at(Before, S),
  sent_at(R, T),
  S < T,
  is_data(R).
is_silent_socket(R) :- kind_of(R, "socket"), ends_unheard(R).
bad_weight(R, 55) :- has_consequence(R).
bad_weight(R, 20) :- own_bad_argument(R, _, _), !has_consequence(R).
trouble(R, Weight, Text) :-
  own_bad_argument(R, Name, V),
  bad_weight(R, Weight),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked with ", Name, " = ", V).

# ---- the thing of another id ------------------------------------------------------------------------------

Decl id_path(Path)
  descr [doc("Where an answer about one thing says which.")]
  bound [/string].
id_path("$.id").
id_path("$.data.id").
id_path("$.item.id").
id_path("$.result.id").
id_path("$._id").
Decl asked_one(R)
  descr [doc("A thing was asked for by its id, and one was answered.")]
  bound [/string].
asked_one(R) :-
  endpoint(R, "GET", Route),
  :string:ends_with(Route, "/{id}"),
  is_data(R),
  went_well(R).
# Whatever it is called, the id that was asked for stands in the answer.
id_is_there(R) :- asked_one(R), answers_asked(R, _).
id_is_there(R) :-
  asked_one(R),
  request_path(R, _, Path),
  body_value(R, _, V),
  End = fn:string:concat("/", V),
  :string:ends_with(Path, End).
mixed_up(R, V) :- asked_one(R), !id_is_there(R), body_value(R, Where, V), id_path(Where).
queried_other(R, Q, V) :-
  request_query(R, "id", Q),
  body_value(R, "$.id", V),
  Q != V,
  is_data(R),
  went_well(R).
queried_id_is_there(R) :- queried_other(R, Q, _), body_value(R, _, Q).
mixed_up(R, V) :- queried_other(R, _, V), !queried_id_is_there(R).
suspect(R, "mixed_up_id", Text) :-
  mixed_up(R, V),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered the thing with id ", V).
trouble(R, 60, Text) :-
  mixed_up(R, V),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was answered with another thing, id ", V).

# ---- the id of something else ---------------------------------------------------------------------------------

# The server answers what belongs to another one.
suspect(R, "mixed_up_id", Text) :-
  answered_another(R, Asked, Id),
  own_data(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " asks for ", Asked, " and is answered what is of ", Id,
                          ", another one").
trouble(R, 54, Text) :-
  answered_another(R, Asked, Id),
  own_data(R),
  Text = fn:string:concat("what is shown as of ", Asked, " is of ", Id).

# It was asked for with the id of another kind of thing, and is not there, or came empty.
foreign_id(R) :- asked_with_id_of(R, _, _, _, _), went_wrong(R), !is_server_fault(R), own_data(R).
foreign_id(R) :-
  asked_with_id_of(R, _, _, _, _),
  own_data(R),
  went_well(R),
  body_empty(R, Path),
  body_type(R, Path, "array").
foreign_id(R) :- asked_with_id_of(R, _, _, _, _), answered_other(R, _, _), own_data(R).
is_server_fault(R) :- status_of(R, S), 500 <= S.
trouble(R, 57, Text) :-
  foreign_id(R),
  answered_other(R, Meant, Other),
  request_label(R, Label),
  Text = fn:string:concat("for ", Meant, " is shown what ", Label, " answered: ", Other).
suspect(R, "mixed_up_id", Text) :-
  foreign_id(R),
  asked_with_id_of(R, Kind, Id, _, Name),
  id_was_there(R, Right, Value),
  request_label(R, Label),
  Text = fn:string:concat(Label, " asks with another id than that of ", Kind, ": ", Id, " is ",
                          Name, ", the right one is ", Right, ", ", Value).
trouble(R, 56, Text) :-
  foreign_id(R),
  asked_with_id_of(R, _, Id, _, Name),
  request_label(R, Label),
  Text = fn:string:concat("what ", Label, " asks for is not there: ", Id,
                          " is the id of something else (", Name, ")").

# ---- built from an answer that lacks it ------------------------------------------------------------------

# A question that went out with nothing in a place: what it should have said was to come from an answer before.
# Where it was refused for that, null and empty places count, too.
refused_question(R) :- answer_kind(R, "rejected").
refused_question(R) :- lacks_right(R).
refused_question(R) :- answer_kind(R, "missing_route").
poor(R, Path) :- own_bad_argument(R, Path, _).
poor(R, Path) :- sent_empty(R, Path), refused_question(R), is_data(R), !third_party(R).
poor(R, Path) :- sent_type(R, Path, "null"), refused_question(R), is_data(R), !third_party(R).
# An empty place is a fair question, unless the answer right before it had one, too.
poor(R, Path) :- sent_empty(R, Path), own_data(R).
poor(R, Kind) :- credential_empty(R, Kind), lacks_right(R), !third_party(R).
is_poor(R) :- poor(R, _).

# Answers that it may have been built from: own, well, ended before. The nearer ones share a line of code with the question,
# as what goes on after an answer does, or ended right before it.
source(R, A, Gap) :-
  is_poor(R),
  sent_at(R, S),
  own_data(A),
  A != R,
  ended_at(A, E),
  E <= fn:plus(S, 3),
  went_well(A),
  body_kind(A, "json"),
  Gap = fn:minus(S, E).
shares_line(R, A) :- source(R, A, _), stack(R, _, F, U, L), stack(A, _, F, U, L), U != "".
goes_on(R, A, Gap) :- source(R, A, Gap), Gap <= 150, shares_line(R, A).
goes_on(R, A, Gap) :- source(R, A, Gap), Gap <= 30.

# By name: a null or an empty place that is called as what is missing, or an answer whose address is.
hollow(A, Path) :- null_place(A, Path).
hollow(A, Path) :- empty_answer(A, Path).
is_hollow(A) :- hollow(A, _).
named_alike(R, A, Place) :-
  poor(R, Path),
  source(R, A, _),
  hollow(A, Place),
  Name = fn:string:replace(Path, "$", "", 1),
  Name != "",
  member_of(Place, Name).
named_alike(R, A, Place) :-
  poor(R, Path),
  source(R, A, _),
  hollow(A, Place),
  Name = fn:string:replace(Path, "$.", "", 1),
  Name != "",
  request_path(A, _, Address),
  names_address(Address, Name).
# A query parameter has a bare name, a member of a body begins with a dot.
Decl member_of(Place, Name)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
member_of(Place, Name) :- :string:ends_with(Place, Name).
Decl names_address(Address, Name)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
names_address(Address, Name) :- Part = fn:string:concat("/", Name), :string:contains(Address, Part).

nearest_named(R, Gap) :- named_alike(R, A, Place), source(R, A, G)
  |> do fn:group_by(R), let Gap = fn:min(G).
by_name(R, A, Place) :- nearest_named(R, Gap), named_alike(R, A, Place), source(R, A, Gap).
has_named(R) :- by_name(R, _, _).
nearest_hollow(R, Gap) :- goes_on(R, A, G), is_hollow(A) |> do fn:group_by(R), let Gap = fn:min(G).
has_hollow(R) :- nearest_hollow(R, _).
by_place(R, A, Place) :-
  nearest_hollow(R, Gap),
  !has_named(R),
  goes_on(R, A, Gap),
  hollow(A, Place).
# Of several the one that was asked a few lines above in the same file, then the nearest.
above(R, A, Lines) :-
  goes_on(R, A, _),
  stack(R, _, _, U, L),
  stack(A, _, _, U, M),
  M < L,
  Lines = fn:minus(L, M),
  Lines <= 4.
fewest_lines(R, Lines) :- above(R, A, N) |> do fn:group_by(R), let Lines = fn:min(N).
has_above(R) :- above(R, _, _).
likely(R, A, Gap) :- fewest_lines(R, Lines), above(R, A, Lines), goes_on(R, A, Gap).
likely(R, A, Gap) :- goes_on(R, A, Gap), !has_above(R).
nearest(R, Gap) :- likely(R, A, G) |> do fn:group_by(R), let Gap = fn:min(G).
# Nothing there is null or empty: the member is not there at all. That is said of questions with undefined in them only.
by_order(R, A) :-
  nearest(R, Gap),
  own_bad_argument(R, _, _),
  !has_named(R),
  !has_hollow(R),
  !is_misread(R),
  !has_misread_before(R),
  likely(R, A, Gap),
  !is_nearer_failed(R, A).
has_misread_before(R) :- asked_with_misread(R, _).

# The answer has it, by the very name that the question uses: the code did not read it there.
Decl of_answer(Name, Place)
  descr [doc("Where an answer has what a question calls Name: a parameter has a bare name, a member of a body a path."),
         mode('+', '-'),
         deferred()]
  bound [/string, /string].
of_answer(Name, Place) :- !:string:starts_with(Name, "$."), Place = fn:string:concat("$.", Name).
of_answer(Name, Name) :- :string:starts_with(Name, "$.").
# Where a list goes on, as answers call it.
Decl goes_on_at(Name, Place) bound [/string, /string].
goes_on_at("cursor", "$.next_cursor").
goes_on_at("cursor", "$.nextCursor").
goes_on_at("cursor", "$.next").
goes_on_at("after", "$.next_cursor").
goes_on_at("after", "$.nextCursor").
goes_on_at("after", "$.end_cursor").
goes_on_at("after", "$.endCursor").
goes_on_at("after", "$.next").
goes_on_at("page", "$.next_page").
goes_on_at("page", "$.nextPage").
goes_on_at("offset", "$.next_offset").
goes_on_at("offset", "$.nextOffset").
goes_on_at("token", "$.next_token").
goes_on_at("token", "$.nextToken").
goes_on_at("page_token", "$.next_page_token").
goes_on_at("pageToken", "$.nextPageToken").
says_how_to_go_on(A, Name, Place) :- goes_on_at(Name, Place), body_value(A, Place, _).
unread_next(R, A, Name, Place) :-
  own_bad_argument(R, Name, _),
  says_how_to_go_on(B, Name, Place),
  endpoint(R, Method, Route),
  endpoint(B, Method, Route),
  sent_at(B, S),
  sent_at(R, T),
  S < T
  |> do fn:group_by(R, Name, Place), let A = fn:pick_any(B).
is_misread(R) :- unread_next(R, _, _, _).
suspect(R, "misread_member", Text) :-
  unread_next(R, A, Name, Place),
  own_bad_argument(R, Name, V),
  request_label(R, Label),
  request_label(A, Other),
  Text = fn:string:concat(Label, " was asked with ", Name, " = ", V, ", though ", Other,
                          " had answered where to go on, at ", Place).
misread(R, A, Name) :-
  own_bad_argument(R, Name, _),
  likely(R, A, _),
  of_answer(Name, Place),
  body_value(A, Place, _).
is_misread(R) :- misread(R, _, _).
suspect(R, "misread_member", Text) :-
  misread(R, A, Name),
  own_bad_argument(R, Name, V),
  request_label(R, Label),
  request_label(A, Other),
  Text = fn:string:concat(Label, " was asked with ", Name, " = ", V, ", though ", Other,
                          " had answered it").

# What it sent nothing for, or left out, was to come of a change before it, which was answered without it: that speaks of
# it in its address, or its address and the question have another id in common.
lacking(R, Place) :-
  sends_nothing(R, Place, _),
  is_change(R),
  own_data(R),
  went_wrong(R),
  !is_about_other(R, Place).
lacking(R, Place) :-
  refusal_about(R, Name),
  is_change(R),
  own_data(R),
  Place = fn:string:concat("$.", Name),
  !is_sent(R, Place).
is_sent(R, Place) :- sent_type(R, Place, _).
# It was refused for something else, by its own words.
is_about_other(R, Place) :-
  sends_nothing(R, Place, _),
  refusal_about(R, Name),
  Other = fn:string:concat("$.", Name),
  Other != Place,
  is_sent(R, Other).
lacking_id(R, Place, Word) :- lacking(R, Place), id_word(Place, Word), !is_null_by_right(Place).
lacking_id(R, Place, Word) :-
  lacking(R, Place),
  :string:ends_with(Place, "Id"),
  Bare = fn:string:replace(Place, "$.", "", 1),
  Word = fn:string:replace(Bare, "Id", "", 1).
lacking_id(R, Place, Word) :-
  lacking(R, Place),
  :string:ends_with(Place, "_id"),
  Bare = fn:string:replace(Place, "$.", "", 1),
  Word = fn:string:replace(Bare, "_id", "", 1).
is_null_by_right(Place) :- id_word(Place, "parent").
# Made nothing that the next could go by: no body at all, or one without it.
brings_none(A, R, Place) :-
  lacking_id(R, Place, _),
  is_change(A),
  own_data(A),
  went_well(A),
  !is_tracker(A),
  R != A,
  known_at(A, T),
  sent_at(R, S),
  T <= S,
  S <= fn:plus(T, 600000),
  !answers_it(A, Place).
answers_it(A, Place) :- lacking_id(_, Place, _), body_type(A, Place, _).
answers_it(A, Place) :- lacking_id(_, Place, _), body_type(A, "$.id", _).
answers_it(A, Place) :-
  lacking_id(_, Place, Word),
  Nested = fn:string:concat("$.", Word, ".id"),
  body_type(A, Nested, _).
Decl in_path_word(Path, Word)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
in_path_word(Path, Word) :- Part = fn:string:concat("/", Word), :string:contains(Path, Part).
came_of_nothing(R, A, Place) :-
  brings_none(A, R, Place),
  lacking_id(R, Place, Word),
  request_path(A, _, Path),
  in_path_word(Path, Word).
came_of_nothing(R, A, Place) :-
  brings_none(A, R, Place),
  is_bodiless(A),
  method_of(A, "POST"),
  sent_value(R, Other, V),
  Other != Place,
  is_id_place(Other),
  V != "",
  request_path(A, _, Path),
  in_path(Path, V).
is_bodiless(A) :- status_of(A, 204).
is_bodiless(A) :- status_of(A, 205).
is_bodiless(A) :- body_kind(A, "empty"), status_of(A, S), S < 300.
is_id_place(Path) :- id_word(Path, _).
is_id_place("$.id").
last_hollow(R, Ms) :- came_of_nothing(R, A, _), known_at(A, M)
  |> do fn:group_by(R), let Ms = fn:max(M).
hollow_for(R, A, Place) :- last_hollow(R, Ms), came_of_nothing(R, A, Place), known_at(A, Ms).
how_answered(A, "without a body") :- is_bodiless(A).
how_answered(A, "without it") :- brings_none(A, _, _), !is_bodiless(A).
hollow_text(A, Text) :-
  hollow_for(R, A, Place),
  status_of(A, Status),
  how_answered(A, How),
  request_label(A, Label),
  request_label(R, Other),
  T = fn:string:concat(Label, " answered ", Status, " ", How, ": ", Other,
                       " had to send what it should have answered, and sent nothing (null) as ",
                       Place)
  |> do fn:group_by(A), let Text = fn:pick_any(T).
suspect(A, "missing_member", Text) :- hollow_text(A, Text).
causes(R, A, "it sent nothing for what that answer did not bring") :- hollow_for(R, A, _).
change_at(A, Where, "do not go on without it") :- hollow_for(R, A, _), place_of(R, Where).

# Nothing came of the request before: it failed, or its answer could not be read.
failed_source(R, F, Gap) :-
  is_poor(R),
  own_data(F),
  went_wrong(F),
  !is_tracker(F),
  F != R,
  sent_at(R, S),
  known_at(F, E),
  E <= S,
  Gap = fn:minus(S, E),
  Gap <= 1500.
goes_on_from(R, F, Gap) :- failed_source(R, F, Gap), Gap <= 60.
goes_on_from(R, F, Gap) :-
  failed_source(R, F, Gap),
  stack(R, _, Fn, U, L),
  stack(F, _, Fn, U, L),
  U != "".
# One of them that the same function asked for goes before one that something else did, and before an answer of which
# it knows nothing.
asks_too(R, X, Function, Url) :-
  failed_source(R, X, _),
  stack(R, D, Function, Url, _),
  stack(X, E, Function, Url, _),
  1 <= D,
  1 <= E,
  Function != "",
  Url != "".
asks_too(R, X, At, Url) :-
  failed_source(R, X, _),
  stack(R, D, "", Url, Line),
  stack(X, E, "", Url, Line),
  1 <= D,
  1 <= E,
  Url != "",
  At = fn:string:concat(":", Line).
knows_too(R, A, Function, Url) :-
  asks_too(R, _, Function, Url),
  source(R, A, _),
  stack(A, _, Function, Url, _).
knows_too(R, A, At, Url) :-
  asks_too(R, _, At, Url),
  source(R, A, _),
  stack(A, _, "", Url, Line),
  At = fn:string:concat(":", Line).
is_nearer_failed(R, A) :-
  asks_too(R, _, Function, Url),
  source(R, A, _),
  !knows_too(R, A, Function, Url).
is_failed_of_it(R, F) :- asks_too(R, F, _, _).
has_failed_of_it(R) :- asks_too(R, _, _, _).
may_go_on_from(R, F, Gap) :- failed_source(R, F, Gap), is_failed_of_it(R, F).
may_go_on_from(R, F, Gap) :- goes_on_from(R, F, Gap), !has_failed_of_it(R).
nearest_failed(R, Gap) :- may_go_on_from(R, F, G) |> do fn:group_by(R), let Gap = fn:min(G).
causes(R, F, "it was asked with nothing in a place, right after this failed") :-
  nearest_failed(R, Gap),
  !has_named(R),
  !has_hollow(R),
  may_go_on_from(R, F, Gap).
has_failed(R) :- nearest_failed(R, _).
# Long before, too: what could not be read is missing for good.
unread_source(R, A) :-
  own_bad_argument(R, _, _),
  html_data(A),
  own_data(A),
  went_well(A),
  A != R,
  known_at(A, E),
  sent_at(R, S),
  E <= S.
by_unread(R, A) :-
  unread_source(R, A),
  !has_named(R),
  !has_hollow(R),
  !has_order(R),
  !has_failed(R).
has_order(R) :- by_order(R, _).
suspect(A, "wrong_content_type", Text) :-
  by_unread(_, A),
  request_label(A, Label),
  Text = fn:string:concat(Label, " answered a page (HTML) in place of data").
causes(R, A, "what its answer should have held is not there: it is a page") :- by_unread(R, A).

hollow_source(R, A, Place) :- by_name(R, A, Place).
hollow_source(R, A, Place) :- by_place(R, A, Place).
first_hollow(A, Place) :- hollow_source(R, A, P) |> do fn:group_by(A), let Place = fn:pick_any(P).
suspect(A, "null_member", Text) :-
  first_hollow(A, Place),
  null_place(A, Place),
  request_label(A, Label),
  Text = fn:string:concat(Label, " answered null at ", Place, ", which the next request needs").
suspect(A, "empty_data", Text) :-
  first_hollow(A, Place),
  !null_place(A, Place),
  request_label(A, Label),
  Text = fn:string:concat(Label, " answered nothing at ", Place, ", which the next request needs").
suspect(A, "missing_member", Text) :-
  by_order(R, A),
  own_bad_argument(R, Name, _),
  request_label(A, Label),
  request_label(R, Other),
  Text = fn:string:concat(Label, " answered without what ", Other, " needs for ", Name).
causes(R, A, "it was asked with what this answer should have held") :- hollow_source(R, A, _).
causes(R, A, "it was asked right after this answer, with a value that is not there") :-
  by_order(R, A).

# ---- a change that failed, and one that needed it -------------------------------------------------------

# Under one address: a lock that was not given and the document that could not be written then.
needed(R, First) :-
  has_bad_status(R, S),
  S < 500,
  own_data(R),
  is_change(First),
  went_wrong(First),
  R != First,
  request_path(R, Origin, Path),
  request_path(First, Origin, Below),
  nested(Path, Below),
  known_at(First, A),
  sent_at(R, B),
  A <= B.
Decl nested(Path, Below)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
nested(Path, Below) :- Start = fn:string:concat(Path, "/"), :string:starts_with(Below, Start).
nested(Path, Below) :- Start = fn:string:concat(Below, "/"), :string:starts_with(Path, Start).
causes(R, First, "the change before it, at the same thing, had failed") :- needed(R, First).

# ---- the id of another sort of thing -------------------------------------------------------------------------

# Refused or not found, with an id that an earlier answer had under another name than the one it was sent by, beside an
# id of the thing itself.
turned_down(R) :- status_of(R, 404), own_data(R).
turned_down(R) :- status_of(R, 400), own_data(R).
turned_down(R) :- status_of(R, 410), own_data(R).
turned_down(R) :- status_of(R, 409), own_data(R).
turned_down(R) :- status_of(R, 422), own_data(R).
Decl other_id_name(Path)
  descr [doc("slotId, slot_id: of another thing than the one that has it."), mode('+'), deferred()]
  bound [/string].
other_id_name(Path) :- :string:ends_with(Path, "Id").
other_id_name(Path) :- :string:ends_with(Path, "_id").
other_id_name(Path) :- :string:ends_with(Path, "ID").
other_id(A, Path, V) :-
  body_value(A, Path, V),
  other_id_name(Path),
  own_data(A),
  went_well(A),
  !:string:ends_with(Path, "._id").
sends_in_path(R, V) :- turned_down(R), request_path(R, _, P), other_id(_, _, V), in_path(P, V).
sends_as(R, Name, V) :- turned_down(R), sent_value(R, Name, V), other_id(_, _, V), Name != "$.id".
is_known_as_id(V) :- body_value(_, Path, V), other_id(_, _, V), :string:ends_with(Path, ".id").
Decl same_member(Name, Path)
  descr [doc("$.slotId and $.slots[].slotId"), mode('+', '+'), deferred()]
  bound [/string, /string].
same_member(Name, Path) :-
  Tail = fn:string:replace(Name, "$", "", 1),
  :string:ends_with(Path, Tail).
# The address speaks of the same sort of thing: /slots/7731 and slotId.
Decl speaks_of_it(Address, Path) bound [/string, /string].
speaks_of_it(Address, Path) :-
  sends_in_path(R, _),
  request_path(R, _, Address),
  id_word(Path, Word),
  :string:contains(Address, Word).
wrong_id(R, A, Path, V, "its address") :-
  sends_in_path(R, V),
  other_id(A, Path, V),
  !is_known_as_id(V),
  request_path(R, _, Address),
  !speaks_of_it(Address, Path),
  known_at(A, T),
  sent_at(R, S),
  T <= S.
wrong_id(R, A, Path, V, Name) :-
  sends_as(R, Name, V),
  other_id_name(Name),
  other_id(A, Path, V),
  !same_member(Name, Path),
  !is_known_as_id(V),
  known_at(A, T),
  sent_at(R, S),
  T <= S.
wrong_id_text(R, Text) :-
  wrong_id(R, A, Path, V, Name),
  request_label(R, Label),
  request_label(A, Other),
  T = fn:string:concat(Label, " was sent ", V, " as ", Name, ", which ", Other, " had answered as ",
                       Path)
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "wrong_id", Text) :- wrong_id_text(R, Text).
# No id at all: its place in the list, which begins with 0.
sent_place(R, Path, A) :-
  sent_value(R, Path, "0"),
  is_change(R),
  own_data(R),
  has_bad_status(R, Status),
  refuses_thing(Status),
  refusal_about(R, Name),
  End = fn:string:concat(".", Name),
  :string:ends_with(Path, End),
  lists_ids(A),
  !body_value(A, "$[].id", "0"),
  known_at(A, T),
  sent_at(R, S),
  T <= S.
refuses_thing(404).
refuses_thing(422).
refuses_thing(400).
refuses_thing(409).
lists_ids(A) :- body_type(A, "$[].id", _), own_data(A), went_well(A).
indexed_text(R, Path, Text) :-
  sent_place(R, Path, A),
  request_label(R, Label),
  request_label(A, Other),
  T = fn:string:concat(Label, " was sent 0 as ", Path, ", which is no id that ", Other,
                       " had answered: is it the place (index) in that list?")
  |> do fn:group_by(R, Path), let Text = fn:pick_any(T).
suspect(R, "wrong_id", Text) :- indexed_text(R, _, Text).

# ---- a number that lost its last digits -------------------------------------------------------------------

rounded(Before, Text) :-
  asked_rounded(_, Before, Written, Read),
  request_label(Before, Label),
  T = fn:string:concat(Label, " answers ids as numbers beyond 2^53: ", Written, " is read as ",
                       Read)
  |> do fn:group_by(Before), let Text = fn:pick_any(T).
suspect(R, "rounded_number", Text) :- rounded(R, Text).
causes(R2, R, "it was asked with a number that had lost its last digits") :-
  asked_rounded(R2, R, _, _),
  went_wrong(R2).
# Whatever the page makes of it, such as "it was removed".
missed_by_rounding(R) :- asked_rounded(R2, R, _, _), went_wrong(R2).
trouble(R, 55, Text) :- rounded(R, Text), missed_by_rounding(R).

repair("rounded_number", "endpoint", "answer such ids as texts").
check("rounded_number", "answers them as texts, and what is asked for with them is answered").

repair("wrong_id", "code", "send the id of the thing that is meant").
check("wrong_id", "is sent the id of the thing that is meant, and answers below 400").

repair("bad_argument", "code", "do not ask before the value is known").
repair("misread_member", "code", "read the value by the name that the answer has").
repair("missing_member", "place", "do not go on without it").
repair("mixed_up_id", "code", "ask with the id of the thing that is meant").
repair("mixed_up_id", "endpoint", "answer the thing that was asked for").

check("bad_argument", "is asked with a value").
check("misread_member", "is asked with the value that was answered").
check("mixed_up_id", "answers the id that was asked for").

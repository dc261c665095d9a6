# Kinds of fault of what was answered and what was sent: another type of content, another shape, nothing, the thing
# of another id, an older answer over a newer one.

# ---- not what was asked for --------------------------------------------------------------------------

# Fragments of a page are a fair answer to code. Data is not a page where its address or its reader says that data
# was meant.
Decl means_data(R) bound [/string].
means_data(R) :- is_data(R), request_path(R, _, Path), :string:contains(Path, "/api").
means_data(R) :- is_data(R), request_path(R, _, Path), :string:contains(Path, "/graphql").
means_data(R) :- is_data(R), request_path(R, _, Path), :string:ends_with(Path, ".json").
means_data(R) :- json_error(E), error_awaits(E, R), is_data(R).
means_data(R) :- endpoint(R, Method, Route), is_data(R), answered_json(Method, Route).
answered_json(Method, Route) :- body_kind(R, "json"), endpoint(R, Method, Route).

Decl no_json(R, Words) bound [/string, /string].
no_json(R, "a page (HTML) in place of data") :- body_kind(R, "html"), means_data(R).
no_json(R, "JSON that cannot be read") :- body_kind(R, "invalid_json"), is_data(R).

suspect(R, "wrong_content_type", Text) :-
  body_kind(R, "html"),
  no_json(R, Words),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Words).
suspect(R, "invalid_json", Text) :-
  body_kind(R, "invalid_json"),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", "JSON that cannot be read").

# Text in place of data, or nothing at all, counts where somebody tried to read it.
reads_as_json(E, R) :- json_error(E), error_awaits(E, R).
suspect(R, "wrong_content_type", Text) :-
  reads_as_json(_, R),
  body_kind(R, "text"),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered text in place of JSON").
suspect(R, "empty_data", Text) :-
  reads_as_json(_, R),
  body_kind(R, "empty"),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered nothing, where JSON is read").

# Who read it: the code that awaited it; else the last such answer of the two seconds before.
unreadable(R) :- no_json(R, _).
unreadable(R) :- body_kind(R, "empty"), is_data(R).
unreadable_before(E, R, At) :-
  json_error(E),
  !awaits_something(E),
  unreadable(R),
  known_at(R, At),
  error_at(E, T),
  At <= fn:plus(T, 50),
  T <= fn:plus(At, 2000).
last_unreadable(E, At) :- unreadable_before(E, R, A) |> do fn:group_by(E), let At = fn:max(A).
causes(E, R, "its answer was read as JSON and is none") :- reads_as_json(E, R), unreadable(R).
causes(E, R, "its answer was read as JSON and is none") :-
  last_unreadable(E, At),
  unreadable_before(E, R, At).

# ---- an error that calls itself a success ------------------------------------------------------------

Decl error_path(Path)
  descr [doc("Where only errors stand.")]
  bound [/string].
error_path("$.error").
error_path("$.errors").
error_path("$.errors[]").
error_path("$.errors[].message").
error_path("$.error.message").
error_path("$.error.code").
error_path("$.error.detail").
error_path("$.data.error").
error_path("$.fault").
error_path("$.exception").
Decl failure_mark(Path, Value)
  descr [doc("An answer with this says that it failed.")]
  bound [/string, /string].
failure_mark("$.ok", "false").
failure_mark("$.success", "false").
failure_mark("$.succeeded", "false").
failure_mark("$.status", "error").
failure_mark("$.status", "fail").
failure_mark("$.status", "failed").
failure_mark("$.status", "failure").
failure_mark("$.status", "ERROR").
failure_mark("$.result", "error").
failure_mark("$.result", "failed").
failure_mark("$.state", "error").
failure_mark("$.type", "error").

Decl says_failure(R, Said)
  descr [doc("A success by its status, a failure by its body.")]
  bound [/string, /string].
says_failure(R, Said) :- body_says_error(R, Path, Said), error_path(Path), went_well(R).
marked_failure(R) :- body_value(R, Path, Value), failure_mark(Path, Value), went_well(R).
says_failure(R, Said) :- marked_failure(R), body_says_error(R, _, Said).
explains_itself(R) :- body_says_error(R, _, _).
says_failure(R, "it failed") :- marked_failure(R), !explains_itself(R).
first_said(R, Said) :- says_failure(R, S) |> do fn:group_by(R), let Said = fn:pick_any(S).
suspect(R, "error_in_body", Text) :-
  first_said(R, Said),
  status_of(R, Status),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Status, " with an error in it: ", Said).

# ---- empty, null, changed, missing --------------------------------------------------------------------

Decl empty_answer(R, Path) bound [/string, /string].
empty_answer(R, Path) :- body_empty(R, Path), is_data(R), went_well(R).
# Which of several empty places to name: the shortest stands first in the order of texts.
first_empty(R, Path) :- empty_answer(R, P) |> do fn:group_by(R), let Path = fn:pick_any(P).
null_place(R, Path) :- body_type(R, Path, "null"), is_data(R), went_well(R).
is_null_place(R, Path) :- null_place(R, Path).
# An empty list is a fair answer: it is abnormal only where somebody failed on it or it was full before.
emptied(R, Path) :- empty_answer(R, Path), body_changed(R, _, Changed, _, _), Changed = Path.
emptied(R, Path) :-
  empty_answer(R, Path),
  body_changed(R, _, Changed, _, "missing"),
  below(Changed, Path).
Decl below(Inner, Outer)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
below(Inner, Outer) :- :string:starts_with(Inner, Outer), Inner != Outer.
emptied(R, Path) :- error_awaits(_, R), first_empty(R, Path).
suspect(R, "empty_data", Text) :-
  emptied(R, Path),
  !is_null_place(R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered nothing at ", Path).

null_read(R, Path) :- null_place(R, Path), error_awaits(_, R).
suspect(R, "null_member", Text) :-
  null_read(R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered null at ", Path).

suspect(R, "changed_shape", Text) :-
  body_changed(R, _, Path, From, To),
  From != "missing",
  To != "missing",
  To != "null",
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Path, " as ", To, ", before it was ", From).
suspect(R, "missing_member", Text) :-
  body_changed(R, _, Path, _, "missing"),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered without ", Path, ", before it was there").
suspect(R, "null_member", Text) :-
  body_changed(R, _, Path, From, "null"),
  From != "missing",
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered null at ", Path, ", before it was ", From).

# A member that the failing code reads and the awaited answer does not have.
reads_member(E, R, Name) :-
  error_awaits(E, R),
  reads_path(E, Name),
  Name != "",
  body_kind(R, "json"),
  went_well(R).
finds_member(E, R, Name) :-
  reads_member(E, R, Name),
  body_type(R, Path, _),
  Dot = fn:string:concat(".", Name),
  :string:ends_with(Path, Dot).
# The shortest path that is not there: the first in the order of texts, since longer ones begin with it.
lacks_member(E, R, Name) :- reads_member(E, R, Name), !finds_member(E, R, Name).
lacks_first(R, Name) :- lacks_member(E, R, N) |> do fn:group_by(R), let Name = fn:pick_any(N).
suspect(R, "missing_member", Text) :-
  lacks_first(R, Name),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered without `", Name, "`, which the code reads").
causes(E, R, Why) :-
  lacks_member(E, R, _),
  lacks_first(R, Name),
  Why = fn:string:concat("the code reads `", Name, "` of its answer, which is not there").

# A number that is a text: the code calls what only the other type has.
Decl number_method(Name) bound [/string].
number_method("toFixed").
number_method("toPrecision").
number_method("toLocaleString").
Decl list_method(Name) bound [/string].
list_method("map").
list_method("forEach").
list_method("filter").
list_method("reduce").
list_method("some").
list_method("every").
list_method("find").
list_method("push").
list_method("join").
wanted_type(E, "array") :- error_about_name(E, Name), list_method(M), names_member(Name, M).
wanted_type(E, "number") :- error_about_name(E, Name), number_method(M), names_member(Name, M).
Decl names_member(Name, Member)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
names_member(Name, Member) :- Dot = fn:string:concat(".", Member), :string:ends_with(Name, Dot).
names_member(Name, Member) :- Name = Member.
root_type(R, Type) :- body_type(R, "$", Type).
suspect(R, "changed_shape", Text) :-
  error_awaits(E, R),
  wanted_type(E, "array"),
  root_type(R, Type),
  Type != "array",
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered an ", Type, ", and the code goes through it as a list").
causes(E, R, "the code takes its answer for a list") :-
  error_awaits(E, R),
  wanted_type(E, "array"),
  root_type(R, Type),
  Type != "array",
  went_well(R).

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
trouble(R, 55, Text) :-
  own_bad_argument(R, Name, V),
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

# ---- order of answers --------------------------------------------------------------------------------------

# Two questions to one endpoint, the first of which was answered last. Same code asked both.
overtaken(Old, New) :-
  endpoint(Old, "GET", Route),
  own_data(Old),
  endpoint(New, "GET", Route),
  Old != New,
  own_data(New),
  sent_at(Old, A),
  sent_at(New, B),
  A < B,
  ended_at(Old, AEnd),
  ended_at(New, BEnd),
  BEnd < AEnd,
  B < AEnd,
  went_well(Old),
  went_well(New),
  other_question(Old, New),
  same_asker(Old, New).
other_question(Old, New) :-
  request_query(Old, Name, V),
  request_query(New, Name, W),
  V != W,
  question(Name).
other_question(Old, New) :-
  asked_one(Old),
  asked_one(New),
  request_path(Old, _, P),
  request_path(New, _, Q),
  P != Q.
# Parts of one list are asked for side by side; these are no newer questions.
Decl part_of_list(Name) bound [/string].
part_of_list("page").
part_of_list("offset").
part_of_list("limit").
part_of_list("cursor").
part_of_list("start").
part_of_list("skip").
part_of_list("_").
part_of_list("ids").
question(Name) :- request_query(_, Name, _), !part_of_list(Name).
same_asker(Old, New) :- asked_after_input(Old, _), asked_after_input(New, _).
shows(R, V) :- body_value(R, _, V), shown(_, Text), in_race(R), :string:contains(Text, V).
in_race(R) :- overtaken(R, _).
in_race(R) :- overtaken(_, R).
shows_only(Old, New) :- overtaken(Old, New), shows(Old, V), !body_has(New, V).
shows_only(New, Old) :- overtaken(Old, New), shows(New, V), !body_has(Old, V).
body_has(R, V) :- in_race(R), body_value(R, _, V).
stale(Old, New) :- shows_only(Old, New), overtaken(Old, New), !shows_only(New, Old).
maybe_stale(Old, New) :- overtaken(Old, New), !shows_only(New, Old), !shows_only(Old, New).
race(Old, New) :- stale(Old, New).
race(Old, New) :- maybe_stale(Old, New).
suspect(Old, "race", Text) :-
  race(Old, New),
  request_label(Old, Label),
  Text = fn:string:concat(Label,
                          " was answered after a newer question of the same code: it may overwrite the newer answer").
trouble(Old, 60, Text) :-
  stale(Old, _),
  request_label(Old, Label),
  Text = fn:string:concat("the page shows what ", Label, " answered, although it asked anew since").
trouble(Old, 35, Text) :-
  maybe_stale(Old, _),
  request_label(Old, Label),
  Text = fn:string:concat("the answer of ", Label, " came after that of a newer question").
cleared(Old, "the page shows the newer answer") :- overtaken(Old, New), shows_only(New, Old).

# ---- pages of a list that repeat ---------------------------------------------------------------------------

page_of(R, Name, V) :-
  request_query(R, Name, V),
  part_of_list(Name),
  Name != "_",
  Name != "limit",
  Name != "ids".
two_pages(A, B) :-
  page_of(A, Name, V),
  endpoint(A, "GET", Route),
  endpoint(B, "GET", Route),
  page_of(B, Name, W),
  V != W,
  sent_at(A, S),
  sent_at(B, T),
  S < T,
  went_well(A),
  went_well(B),
  is_data(A).
list_id(R, V) :- body_value(R, Path, V), :string:ends_with(Path, "[].id").
list_id(R, V) :- body_value(R, Path, V), :string:ends_with(Path, "[0].id").
has_other_id(A, B) :- two_pages(A, B), list_id(B, V), !list_id(A, V).
repeats_page(A, B) :- two_pages(A, B), list_id(A, V), list_id(B, V), !has_other_id(A, B).
suspect(B, "repeated_page", Text) :-
  repeats_page(_, B),
  request_label(B, Label),
  Text = fn:string:concat(Label, " answered the same part of the list again").
trouble(B, 50, Text) :-
  repeats_page(_, B),
  request_label(B, Label),
  Text = fn:string:concat("the list repeats itself: ", Label, " answered the same part again").

# ---- a change that is not there afterwards ----------------------------------------------------------------

saved(R, Route, Path, V) :-
  is_change(R),
  method_of(R, Method),
  Method != "POST",
  Method != "DELETE",
  went_well(R),
  request_route(R, Route),
  sent_value(R, Path, V),
  !counts_up(R, Path),
  V != "".
# Versions and times change by being saved.
Decl moving_word(Word) bound [/string].
moving_word("ersion").
moving_word("rev").
moving_word("updated").
moving_word("modified").
moving_word("tag").
moving_word("_at").
moving_word("At").
moving_word("time").
moving_word("seq").
counts_up(R, Path) :- sent_value(R, Path, _), moving_word(Word), :string:contains(Path, Word).
read_back(R, Get, Path, V, W) :-
  saved(R, Route, Path, V),
  endpoint(Get, "GET", Route),
  body_value(Get, Path, W),
  V != W,
  same_place(R, Get),
  ended_at(R, A),
  sent_at(Get, B),
  A <= B.
same_place(R, Get) :- request_path(R, Origin, Path), request_path(Get, Origin, Path).
saved_again(R, Get) :-
  read_back(R, Get, _, _, _),
  same_place(R, Other),
  is_change(Other),
  Other != R,
  sent_at(Other, O),
  sent_at(Get, G),
  sent_at(R, S),
  S < O,
  O <= G.
Decl stored(Where) bound [/string].
stored("service_worker").
stored("disk_cache").
stored("memory_cache").
stored("prefetch").
from_store(Get, Where) :- answer_from(Get, Where), stored(Where).
is_from_store(Get) :- from_store(Get, _).
old_answer(R, Get, Path) :- read_back(R, Get, Path, _, _), !saved_again(R, Get).
suspect(Get, "stale_cache", Text) :-
  old_answer(_, Get, Path),
  from_store(Get, Where),
  request_label(Get, Label),
  Text = fn:string:concat(Label, " was answered by the ", Where, " with the ", Path,
                          " of before the change").
suspect(R, "lost_update", Text) :-
  old_answer(R, Get, Path),
  !is_from_store(Get),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered success, and ", Path, " was not changed").
trouble(Get, 55, Text) :-
  old_answer(_, Get, Path),
  request_label(Get, Label),
  Text = fn:string:concat(Label, " still answers the old ", Path, " after the change").
causes(Get, R, "it should have changed that") :- old_answer(R, Get, _), !is_from_store(Get).

# ---- shown to a reader ---------------------------------------------------------------------------------------

Decl broken_text(Part) bound [/string].
broken_text("[object Object]").
broken_text("Invalid Date").
broken_text("NaN%").
broken_text("$NaN").
broken_text("€NaN").
broken_text("£NaN").
broken_text("NaN €").
broken_text(": NaN").
broken_text(": undefined").
broken_text("Hello undefined").
broken_text("undefined undefined").
shows_broken(Part) :- shown(_, Text), broken_text(Part), :string:contains(Text, Part).
shows_broken(Text) :- shown(_, Text), no_value(Text).
first_broken(Part) :- shows_broken(P) |> do fn:group_by(), let Part = fn:pick_any(P).
trouble("shown:broken", 55, Text) :-
  first_broken(Part),
  Text = fn:string:concat("the page shows `", Part, "` where a value belongs").
node_text("shown:broken", Text) :-
  first_broken(Part),
  Text = fn:string:concat("the page shows `", Part, "`").

repair("wrong_content_type", "endpoint", "answer JSON with its content type, also for errors").
repair("wrong_content_type", "code", "look at the status and type of an answer before reading it").
repair("invalid_json", "endpoint", "answer JSON that can be read").
repair("error_in_body", "endpoint", "answer an error with an error's status").
repair("error_in_body", "code", "look for the error in the answer").
repair("empty_data", "endpoint", "answer what is asked for").
repair("empty_data", "code", "take an empty answer for what it is").
repair("null_member", "endpoint", "do not answer null there").
repair("null_member", "code", "expect null there").
repair("changed_shape", "endpoint", "answer in the shape that was agreed").
repair("changed_shape", "code", "read the shape that is answered").
repair("missing_member", "endpoint", "answer with that member").
repair("missing_member", "code", "expect that it is missing").
repair("bad_argument", "code", "do not ask before the value is known").
repair("mixed_up_id", "endpoint", "answer the thing that was asked for").
repair("race", "code", "take an answer only if no newer question was asked; abort the older").
repair("repeated_page", "endpoint", "answer the part of the list that is asked for").
repair("stale_cache", "endpoint", "cache-control of the answer, the service worker's strategy").
repair("lost_update", "endpoint", "keep what was sent, or answer that it was not").

check("wrong_content_type", "answers JSON").
check("invalid_json", "answers JSON that can be read").
check("error_in_body", "answers without an error").
check("empty_data", "answers with content").
check("null_member", "answers without that null").
check("changed_shape", "answers in the old shape").
check("missing_member", "answers with that member").
check("bad_argument", "is asked with a value").
check("mixed_up_id", "answers the id that was asked for").
check("race", "does not change the page once a newer question is asked").
check("repeated_page", "answers other things on the next page").
check("stale_cache", "answers the new state after a change").
check("lost_update", "changes what is answered afterwards").

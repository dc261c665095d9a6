# Kinds of fault of answers in time: an older one over a newer one, the same part of a list again, a change that is not
# there afterwards; and what a reader sees of it.

# ---- order of answers --------------------------------------------------------------------------------------

# Two questions to one endpoint, the later of which was answered first. Same code asked both, and not at once: what is
# asked for side by side is no newer question.
question_of(R, Route, Sent, End) :-
  asks_something(R),
  own_data(R),
  went_well(R),
  endpoint(R, "GET", Route),
  sent_at(R, Sent),
  ended_at(R, End).
# Questions are sent by POST as well, where what is asked does not fit into an address.
question_of(R, Route, Sent, End) :-
  is_question(R),
  own_data(R),
  went_well(R),
  endpoint(R, "POST", Route),
  sent_at(R, Sent),
  ended_at(R, End).
other_question(Old, New) :-
  crossed(Old, New),
  is_question(New),
  sent_value(Old, Path, V),
  sent_value(New, Path, W),
  V != W,
  !is_page_path(Path).
is_page_path(Path) :-
  sent_value(_, Path, _),
  part_of_list(Name),
  Part = fn:string:concat(".", Name),
  :string:ends_with(Path, Part).
asks_something(R) :- request_query(R, Name, _), query_name(Name).
asks_something(R) :- asked_one(R).
# Sooner than a tenth of a second after it, where something had happened between: an answer came, upon which the newer
# was asked.
crossed(Old, New) :- asked_across(Old, New, Ms), 100 <= Ms.
crossed(Old, New) :- asked_across(Old, New, Ms), Ms < 100, came_between(Old, New).
# Or where a choice was made between, upon which the newer was asked.
crossed(Old, New) :- asked_across(Old, New, Ms), Ms < 100, chosen_between(Old, New).
# Or where a user was typing, a rough question went out with the whole one, and the page shows the rough one's answer.
crossed(Old, New) :-
  asks_further(Old, New),
  shows_older(Old, New),
  question_of(Old, Route, _, AEnd),
  question_of(New, Route, _, BEnd),
  BEnd < AEnd,
  is_typed_for(New).
is_typed_for(R) :-
  asks_further(_, R),
  sent_at(R, At),
  input(_, Type, _, _)@[T, _],
  typing_event(Type),
  ms(T, Typed),
  Typed <= fn:plus(At, 100),
  At <= fn:plus(Typed, 2000).
Decl typing_event(Type) bound [/string].
typing_event("change").
typing_event("input").
typing_event("keydown").
typing_event("keyup").
typing_event("paste").
chosen_between(Old, New) :-
  asked_across(Old, New, _),
  asked_after_input(New, I),
  !asked_after_input(Old, I),
  input(I, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, At),
  sent_at(Old, A),
  sent_at(New, B),
  A <= At,
  At <= B.
asked_across(Old, New, Ms) :-
  question_of(Old, Route, A, AEnd),
  question_of(New, Route, B, BEnd),
  A < B,
  B < AEnd,
  BEnd < AEnd,
  Ms = fn:minus(B, A).
# The same line asked, for things whose addresses have no id that can be told as one.
asked_across(Old, New, Ms) :-
  line_question(Old, Url, Line, A, AEnd),
  line_question(New, Url, Line, B, BEnd),
  A < B,
  B < AEnd,
  BEnd < AEnd,
  Ms = fn:minus(B, A).
line_question(R, Url, Line, Sent, End) :-
  asked_at(R, Url, Line),
  is_plain_get(R),
  own_data(R),
  went_well(R),
  sent_at(R, Sent),
  ended_at(R, End).
came_between(Old, New) :-
  asked_across(Old, New, _),
  sent_at(Old, A),
  sent_at(New, B),
  own_data(X),
  known_at(X, M),
  went_well(X),
  A < M,
  M <= B.
overtaken(Old, New) :- crossed(Old, New), other_question(Old, New), same_asker(Old, New).
other_question(Old, New) :-
  crossed(Old, New),
  request_query(Old, Name, V),
  request_query(New, Name, W),
  V != W,
  query_name(Name).
other_question(Old, New) :-
  crossed(Old, New),
  request_path(Old, _, P),
  request_path(New, _, Q),
  P != Q.
# A choice that only one of them makes.
other_question(Old, New) :- chooses(New, Name), crossed(Old, New), !chooses(Old, Name).
other_question(Old, New) :- chooses(Old, Name), crossed(Old, New), !chooses(New, Name).
chooses(R, Name) :- request_query(R, Name, _), query_name(Name).
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
query_name(Name) :- request_query(_, Name, _), !part_of_list(Name).
same_asker(Old, New) :- crossed(Old, New), asked_after_input(Old, _), asked_after_input(New, _).
same_asker(Old, New) :- crossed(Old, New), stack(Old, _, F, U, L), stack(New, _, F, U, L).
in_race(R) :- overtaken(R, _).
in_race(R) :- overtaken(_, R).
says(R, V) :- in_race(R), body_value(R, _, V).
says(R, V) :- in_race(R), request_query(R, _, V).
# As words of their own: in quotes, or a line.
shows_exactly(R, V) :- says(R, V), shown(_, Text), set_off(V, Text).
Decl set_off(V, Text)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
set_off(V, Text) :- Whole = fn:string:concat("“", V, "”"), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat("‘", V, "’"), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat("\"", V, "\""), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat("'", V, "'"), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat("„", V, "“"), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat("\n", V, "\n"), :string:contains(Text, Whole).
set_off(V, Text) :- Whole = fn:string:concat(": ", V, "\n"), :string:contains(Text, Whole).
# Anywhere, of what was answered; a question that is repeated in its answer is too short to be found by chance.
repeats_question(R, V) :- in_race(R), request_query(R, _, V).
shows(R, V) :-
  in_race(R),
  body_value(R, _, V),
  !repeats_question(R, V),
  shown(_, Text),
  :string:contains(Text, V).
exactly_only(Old, New) :- overtaken(Old, New), shows_exactly(Old, V), !says(New, V).
exactly_only(New, Old) :- overtaken(Old, New), shows_exactly(New, V), !says(Old, V).
shows_only(Old, New) :- overtaken(Old, New), shows(Old, V), !says(New, V).
shows_only(New, Old) :- overtaken(Old, New), shows(New, V), !says(Old, V), !holds_all_of(Old, New).
stale(Old, New) :- overtaken(Old, New), exactly_only(Old, New), !exactly_only(New, Old).
stale(Old, New) :- overtaken(Old, New), shows_only(Old, New), !shows_only(New, Old).
# What another answer has, too, stands there without either of them: of what only one of the two has, that of the newer is
# nowhere.
said_otherwise(V) :- in_race(_), body_value(X, _, V), !in_race(X), went_well(X).
own_word(New, Old, V) :-
  overtaken(Old, New),
  body_value(New, _, V),
  !says(Old, V),
  !said_otherwise(V),
  !repeats_question(New, V).
own_word(Old, New, V) :-
  overtaken(Old, New),
  body_value(Old, _, V),
  !says(New, V),
  !said_otherwise(V),
  !repeats_question(Old, V).
shows_own(R, Other) :- own_word(R, Other, V), shown(_, Text), :string:contains(Text, V).
has_own_word(R, Other) :- own_word(R, Other, _).
stale(Old, New) :-
  overtaken(Old, New),
  shows_own(Old, New),
  has_own_word(New, Old),
  !shows_own(New, Old),
  !exactly_only(New, Old).
# The newer answer has a part of what the older has, and all of it is there.
stale(Old, New) :-
  overtaken(Old, New),
  changed_after(Old),
  list_shown(Old, Path, All, All, -1),
  list_shown(New, Path, Part, Part, -1),
  Part < All,
  holds_all_of(Old, New).
stale(Old, New) :- overtaken(Old, New), shows_older(Old, New), changed_after(Old).
fresh(Old, New) :-
  overtaken(Old, New),
  exactly_only(New, Old),
  !exactly_only(Old, New),
  !shows_older(Old, New).
fresh(Old, New) :-
  overtaken(Old, New),
  !shows_older(Old, New),
  shows_only(New, Old),
  !shows_only(Old, New),
  !exactly_only(Old, New).
# Where changes of the document were watched, an old answer that changed nothing was let go.
changes_are_known() :- changed_after(_).
let_go(Old, New) :- overtaken(Old, New), changes_are_known(), !changed_after(Old), !stale(Old, New).
# Both answers stand on the page.
side_by_side(Old, New) :- shows_only(Old, New), shows_only(New, Old), overtaken(Old, New).
in_one_breath(Old, New) :- asked_across(Old, New, Ms), Ms < 100.
maybe_stale(Old, New) :-
  overtaken(Old, New),
  !in_one_breath(Old, New),
  !stale(Old, New),
  !fresh(Old, New),
  !side_by_side(Old, New),
  !let_go(Old, New).
maybe_weight(Old, 45) :- maybe_stale(Old, _), changed_after(Old).
maybe_weight(Old, 20) :- maybe_stale(Old, _), !changed_after(Old).
race(Old, New) :- stale(Old, New), !asked_once_more(Old).
race(Old, New) :- maybe_stale(Old, New), !asked_once_more(Old).
# After both the same was asked again: what stands there is of that.
asked_once_more(Old) :-
  in_race(Old),
  endpoint(Old, Method, Route),
  endpoint(Last, Method, Route),
  ended_at(Old, A),
  sent_at(Last, B),
  A < B,
  changed_after(Last),
  request_query(Old, Name, V),
  request_query(Last, Name, W),
  V != W.
# Both in full, for they differ in their query or id alone.
race_label(R, Label) :-
  in_race(R),
  method_of(R, Method),
  url_of(R, Url),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Label = fn:string:concat(Method, " ", Short).
has_race_label(R) :- race_label(R, _).
race_name(R, Label) :- race_label(R, Label).
race_name(R, Label) :- in_race(R), !has_race_label(R), request_label(R, Label).
first_newer(Old, New) :- race(Old, N) |> do fn:group_by(Old), let New = fn:pick_any(N).
suspect(Old, "race", Text) :-
  first_newer(Old, New),
  stale(Old, New),
  race_name(Old, Label),
  race_name(New, Newer),
  Text = fn:string:concat(Label, " was answered after ", Newer,
                          ", which was asked later, and overwrote its answer").
suspect(Old, "race", Text) :-
  first_newer(Old, New),
  !stale(Old, New),
  race_name(Old, Label),
  race_name(New, Newer),
  Text = fn:string:concat(Label, " was answered after ", Newer,
                          ", which was asked later: it may overwrite its answer").
trouble(Old, 60, Text) :-
  stale(Old, _),
  race_name(Old, Label),
  Text = fn:string:concat("the page shows what ", Label, " answered, although it asked anew since").
trouble(Old, Weight, Text) :-
  maybe_weight(Old, Weight),
  race_name(Old, Label),
  Text = fn:string:concat("the answer of ", Label, " came after that of a newer question").
cleared(Old, "the page shows the newer answer") :- fresh(Old, _).
cleared(Old, "its answer came too late and changed nothing") :- let_go(Old, _).

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
repeats_page(A, B) :- two_pages(A, B), same_for_other(B, A), has_items(B).
has_items(B) :- two_pages(_, B), body_type(B, Path, "array"), !body_empty(B, Path).
suspect(B, "repeated_page", Text) :-
  first_repeated(B, Name),
  page_of(B, Name, Value),
  request_label(B, Label),
  goes_on_text(B, On),
  Text = fn:string:concat(Label,
                          " answered the same part of the list again, though it was asked with ",
                          Name, " = ", Value, On).
first_repeated(B, Name) :- repeats_page(A, B), page_of(A, N, V), page_of(B, N, W), V != W
  |> do fn:group_by(B), let Name = fn:pick_any(N).
# What the answer says how it goes on, by another name than was asked with.
goes_on_text(B, On) :-
  goes_on_by(B, Path),
  On = fn:string:concat("; how it goes on its answer says in ", Path).
goes_on_text(B, "") :- repeats_page(_, B), !goes_on_by(B, _).
goes_on_by(B, Path) :- repeats_page(_, B), body_type(B, P, "string"), names_next(P)
  |> do fn:group_by(B), let Path = fn:pick_any(P).
names_next(P) :- repeats_page(_, B), body_type(B, P, "string"), :string:contains(P, "ursor").
names_next(P) :- repeats_page(_, B), body_type(B, P, "string"), :string:contains(P, "next").
names_next(P) :- repeats_page(_, B), body_type(B, P, "string"), :string:contains(P, "ontinu").
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
is_saved(R) :- saved(R, _, _, _).
same_place(R, Get) :- is_saved(R), request_path(R, Origin, Path), request_path(Get, Origin, Path).
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
# Servers write some things in another way than they are sent. What they answered before the change is the old state.
was_before(R, Path, W) :-
  saved(R, Route, Path, _),
  endpoint(First, "GET", Route),
  body_value(First, Path, W),
  same_place(R, First),
  known_at(First, A),
  sent_at(R, B),
  A <= B.
old_answer(R, Get, Path) :-
  read_back(R, Get, Path, V, W),
  was_before(R, Path, W),
  !says_same_choice(V, W),
  !saved_again(R, Get).
# A box that is ticked is sent as on.
says_same_choice(V, W) :- read_back(_, _, _, V, W), is_yes(V), W = "true".
says_same_choice(V, W) :- read_back(_, _, _, V, W), is_no(V), W = "false".
Decl is_yes(Value) bound [/string].
is_yes("on").
is_yes("1").
is_yes("yes").
is_yes("checked").
Decl is_no(Value) bound [/string].
is_no("off").
is_no("0").
is_no("no").
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

# After a change of something in it, the list comes from a store, to the letter as it was.
refreshed_from_store(R, Get) :-
  from_store(Get, _),
  is_plain_get(Get),
  same_answer(Get, _),
  is_change(R),
  own_data(R),
  went_well(R),
  request_path(R, Origin, Below),
  request_path(Get, Origin, Path),
  below_or_same(Below, Path),
  !only_asks(Below),
  ended_at(R, A),
  sent_at(Get, B),
  A <= B,
  B <= fn:plus(A, 10000),
  !lacks_sent(Get, R, _, _).
# The same deed changes something and asks again, elsewhere; what was sent has a member of that name, and nowhere in the
# answer is the new value.
asked_after_change(R, Get) :-
  from_store(Get, _),
  is_plain_get(Get),
  same_answer(Get, _),
  asked_after_input(Get, I),
  asked_after_input(R, I),
  is_change(R),
  own_data(R),
  went_well(R),
  request_path(R, _, Path),
  !only_asks(Path),
  ended_at(R, A),
  sent_at(Get, B),
  A <= fn:plus(B, 5).
member_of_both(R, Get, End, V) :-
  asked_after_change(R, Get),
  sent_value(R, Sent, V),
  !is_no_value(V),
  End = fn:string:replace(Sent, "$.", ".", 1),
  body_value(Get, Path, _),
  :string:ends_with(Path, End).
has_new_value(R, Get, End) :-
  member_of_both(R, Get, End, V),
  body_value(Get, Path, V),
  :string:ends_with(Path, End).
refreshed_from_store(R, Get) :- member_of_both(R, Get, End, _), !has_new_value(R, Get, End).
Decl below_or_same(Below, Path)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
below_or_same(Below, Path) :- Below = Path.
below_or_same(Below, Path) :-
  Start = fn:string:concat(Path, "/"),
  :string:starts_with(Below, Start).
Decl only_asks(Path)
  descr [doc("A POST that changes nothing."), mode('+'), deferred()]
  bound [/string].
only_asks(Path) :- :string:contains(Path, "search").
only_asks(Path) :- :string:contains(Path, "query").
only_asks(Path) :- :string:contains(Path, "preview").
only_asks(Path) :- :string:contains(Path, "validate").
only_asks(Path) :- :string:contains(Path, "log").
first_refreshed(Get, R) :- refreshed_from_store(X, Get)
  |> do fn:group_by(Get), let R = fn:pick_any(X).
suspect(Get, "stale_cache", Text) :-
  first_refreshed(Get, R),
  from_store(Get, Where),
  request_label(Get, Label),
  request_label(R, Change),
  Text = fn:string:concat(Label, " was answered from the ", Where, " as before ", Change).
trouble(Get, 50, Text) :-
  first_refreshed(Get, R),
  request_label(Get, Label),
  request_label(R, Change),
  Text = fn:string:concat(Label, " still answers the same after ", Change).

# Something was added, or changed, and what is asked for right after it is to the letter what it was before.
added(R, Get, V) :-
  lacks_sent(Get, R, _, V),
  is_change(R),
  own_data(R),
  went_well(R),
  !status_of(R, 202),
  !is_sign_in(R),
  same_answer(Get, _),
  !asks_for_part(Get).
# A part of a list need not have what is new.
asks_for_part(Get) :- request_query(Get, Name, _), part_of_list(Name).
asks_for_part(Get) :- request_query(Get, Name, _), narrows(Name).
Decl narrows(Name) bound [/string].
narrows("q").
narrows("query").
narrows("search").
narrows("size").
narrows("per_page").
narrows("top").
first_added(R, Get, V) :- added(R, Get, W) |> do fn:group_by(R, Get), let V = fn:pick_any(W).
suspect(Get, "stale_cache", Text) :-
  first_added(R, Get, V),
  from_store(Get, Where),
  request_label(Get, Label),
  request_label(R, Change),
  Text = fn:string:concat(Label, " was answered from the ", Where, " as before ", Change,
                          ", without ", V).
change_at(Get, Where,
          "ask past the cache after a change, or have the answer revalidated (cache-control)") :-
  first_added(_, Get, _),
  from_store(Get, _),
  place_of(Get, Where).
suspect(R, "lost_update", Text) :-
  first_added(R, Get, V),
  !is_from_store(Get),
  request_label(R, Label),
  request_label(Get, After),
  Text = fn:string:concat(Label, " answered success, and ", After,
                          " answers the same as before, without ", V).
causes(Get, R, "it should have changed that") :- first_added(R, Get, _), !is_from_store(Get).
trouble(Get, 52, Text) :-
  first_added(R, Get, _),
  request_label(Get, Label),
  request_label(R, Change),
  Text = fn:string:concat(Label, " still answers the same after ", Change).

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
broken_text("\nNaN ").
broken_text(": undefined").
broken_text("Hello undefined").
broken_text("undefined undefined").
# What an answer brought is content, whatever its words.
brought(Part) :- broken_text(Part), body_value(_, _, V), :string:contains(V, Part).
shows_broken(Part) :-
  shown(_, Text),
  broken_text(Part),
  !brought(Part),
  :string:contains(Text, Part).
shows_broken(Text) :- shown(_, Text), no_value(Text).
first_broken(Part) :- shows_broken(P) |> do fn:group_by(), let Part = fn:pick_any(P).
trouble("shown:broken", 55, Text) :-
  first_broken(Part),
  Text = fn:string:concat("the page shows `", Part, "` where a value belongs").
# Behind it: an answer of another shape than was meant; where none is known to be, one that has text in the place of a
# number.
shape_kind("changed_shape").
shape_kind("missing_member").
shape_kind("null_member").
misshapen(R) :- suspect(R, Kind, _), shape_kind(Kind), own_data(R).
number_name("price").
number_name("amount").
number_name("total").
number_name("sum").
number_name("count").
number_name("qty").
number_name("quantity").
number_name("rate").
number_name("balance").
number_name("score").
number_name("percent").
number_name("value").
# By itself or at the end of a name: amount, tax_amount, taxAmount, and not account.
number_end(End) :- number_name(Name), End = fn:string:concat(".", Name).
number_end(End) :- number_name(Name), End = fn:string:concat("_", Name).
number_end("Price").
number_end("Amount").
number_end("Total").
number_end("Sum").
number_end("Count").
number_end("Qty").
number_end("Quantity").
number_end("Rate").
number_end("Balance").
number_end("Score").
number_end("Percent").
number_end("Value").
shows_no_number() :- first_broken(Part), :string:contains(Part, "NaN").
text_for_number(R, Path) :-
  shows_no_number(),
  number_end(Name),
  own_data(R),
  went_well(R),
  body_type(R, Path, "string"),
  :string:ends_with(Path, Name),
  !writes_number(R),
  !has_mixed_number(R).
writes_number(R) :- written_number(R, _, _).
# Here a number, there a text, in one list.
mixed_number(R, Path) :-
  shows_no_number(),
  own_data(R),
  went_well(R),
  body_type(R, Path, "number"),
  body_type(R, Path, "string").
has_mixed_number(R) :- mixed_number(R, _).
suspect(R, "changed_shape", Text) :-
  mixed_number(R, Path),
  !writes_number(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Path, " as a text here and as a number there").
first_text_for_number(R, Path) :- text_for_number(R, P)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "changed_shape", Text) :-
  first_text_for_number(R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Path, " as text").
causes("shown:broken", R, "what is shown comes from its answer") :- first_broken(_), misshapen(R).
node_text("shown:broken", Text) :-
  first_broken(Part),
  Text = fn:string:concat("the page shows `", Part, "`").

# ---- what a service worker keeps ------------------------------------------------------------------------------

# It answers with the whole of what it keeps of another address, and asks nobody.
by_worker(R) :- answer_from(R, "service_worker"), own_data(R), went_well(R).
asked_behind(R) :- by_worker(R), url_of(R, Url), url_of(R2, Url), R != R2.
kept_as_other(R, Before, Name, V, W) :-
  by_worker(R),
  !asked_behind(R),
  holds_all_of(Before, R),
  endpoint(R, Method, Route),
  endpoint(Before, Method, Route),
  request_query(R, Name, V),
  request_query(Before, Name, W),
  V != W,
  query_name(Name),
  sent_at(Before, A),
  sent_at(R, B),
  A < B,
  !has_more(Before, R).
has_more(Before, R) :-
  by_worker(R),
  holds_all_of(Before, R),
  body_value(Before, Path, V),
  !worker_value(R, Path, V).
worker_value(R, Path, V) :- by_worker(R), body_value(R, Path, V).
is_kept_as_other(R, Text) :-
  kept_as_other(R, _, Name, V, W),
  request_label(R, Label),
  T = fn:string:concat(Label, " with ", Name, " = ", V,
                       " was answered by the service worker with what it keeps for ", Name, " = ",
                       W)
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "kept_for_other", Text) :- is_kept_as_other(R, Text).
trouble(R, 54, Text) :- is_kept_as_other(R, Text).
change_at(R, Where, "look for the whole address, with its query (no ignoreSearch)") :-
  is_kept_as_other(R, _),
  kind_of(Worker, "worker"),
  request_path(Worker, _, Where).

repair("race", "code", "take an answer only if no newer question was asked; abort the older").
repair("repeated_page", "endpoint", "answer the part of the list that is asked for").
repair("stale_cache", "endpoint", "cache-control of the answer, the service worker's strategy").
repair("lost_update", "endpoint", "keep what was sent, or answer that it was not").

check("kept_for_other", "answers what is asked for, also through the service worker").
check("race", "does not change the page once a newer question is asked").
check("repeated_page", "answers other things on the next page").
check("stale_cache", "answers the new state after a change").
check("lost_update", "changes what is answered afterwards").

# Kinds of fault that show by what is not on the page: what came, by the items of a list, and a page that says to its end
# that there is none of it. Whatever code lost it on the way.

# Less than half of a list, and not its beginning, is anywhere on the page; and a line says that there is none.
denied(R, Path, Count, Line) :-
  said_none(R, Line, _),
  own_data(R),
  went_well(R),
  list_shown(R, Path, Shown, Count, 0),
  Twice = fn:mult(Shown, 2),
  Twice < Count,
  !is_true_of_another(Line),
  !is_of_nothing_wrong(Line),
  !chosen_since(R).
# That nothing is wrong with what came says not that nothing did.
is_of_nothing_wrong(Line) :-
  said_none(_, Line, _),
  nothing_wrong(Words),
  :string:contains(Line, Words).
Decl nothing_wrong(Words) bound [/string].
nothing_wrong("o errors").
nothing_wrong("o warnings").
nothing_wrong("o problems").
nothing_wrong("o conflicts").
nothing_wrong("o issues").
nothing_wrong("o failures").
nothing_wrong("o alerts").
# A user has chosen, typed or pressed something since: it may be what is sought that there is none of.
chosen_since(R) :-
  said_none(R, _, _),
  sent_at(R, A),
  input(_, Type, _, _)@[T, _],
  is_a_choice(Type),
  ms(T, B),
  A < B.
is_a_choice("change").
is_a_choice("key").
is_a_choice("click").
is_a_choice("submit").
is_denied(R) :- denied(R, _, _, _).

# By which name code looks for it.
looked_for_as(R, Path, Where) :-
  is_denied(R),
  code_misses(R, Path, Url, Line),
  code_place(Url, Line, Where).
looked_for_as(R, Path, Where) :-
  is_denied(R),
  code_asks_for(R, Path, Url, Line),
  code_place(Url, Line, Where).
is_looked_for(R) :- looked_for_as(R, _, _).
suspect(R, "changed_shape", Text) :-
  denied(R, Path, Count, _),
  looked_for_as(R, Asked, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " reads ", Asked, " of the answer of ", Label,
                          ", which has no such member: its items stand in ", Path, " (", Count,
                          ")").
change_at(R, Where, "read the member that the answer has") :- looked_for_as(R, _, Where).
suspect(R, "unshown_answer", Text) :-
  denied(R, Path, Count, Line),
  !is_looked_for(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Count, " items in ", Path,
                          ", and none of them is shown: the page says, ", Line).
trouble(R, 54, Text) :-
  denied(R, _, Count, Line),
  Text = fn:string:concat("the page says, ", Line, " - though ", Count, " came").

trouble(R, 56, Text) :-
  is_denied_by_page(R),
  went_wrong(R),
  !third_party(R),
  said_none(R, Line, _),
  request_label(R, Label),
  Text = fn:string:concat("the page says, ", Line, " - but ", Label, " went wrong").
# Given up by a limit of time, or by anybody: nothing came, and the page says that there is nothing.
trouble(R, 54, Text) :-
  is_denied_by_page(R),
  is_cancelled(R),
  !was_superseded(R),
  !left_by_navigation(R),
  said_none(R, Line, _),
  request_label(R, Label),
  Text = fn:string:concat("the page says, ", Line, " - but ", Label, " was not answered").

# ---- two lists that are kept by ids they share -------------------------------------------------------------------

kept_as_one(R, Path, Other, OtherPath, Lost) :-
  overwritten(R, Path, Other, OtherPath, Lost, _),
  own_data(R),
  went_well(R),
  own_data(Other),
  went_well(Other).
suspect(R, "shared_key", Text) :-
  kept_as_one(R, Path, Other, OtherPath, Lost),
  request_label(R, Label),
  request_label(Other, From),
  Text = fn:string:concat(Label, " answered items (", Path, ") with the same ids as items of ",
                          From, " (", OtherPath, "): kept by id, these take the place of ", Lost,
                          " of them").
trouble(R, 53, Text) :-
  kept_as_one(R, _, _, _, Lost),
  request_label(R, Label),
  Text = fn:string:concat(Lost, " items that ", Label, " answered are not shown").
repair("shared_key", "code", "keep both kinds apart: a key of kind and id, or a map of each").
check("shared_key", "all items of both lists are shown").

# ---- a list of which the end is missing ------------------------------------------------------------------------

trouble(C, 55, Text) :-
  breaks_list_off(C, R, Path, Shown),
  fails_in_code(C),
  list_shown(R, Path, Shown, Count, _),
  request_label(R, Label),
  Text = fn:string:concat("of ", Count, " items that ", Label, " answered, ", Shown,
                          " are shown, and none behind them").
causes(C, R, Why) :-
  breaks_list_off(C, R, Path, Shown),
  Why = fn:string:concat("it fails at item ", Shown, " (from 0) of ", Path).

# ---- code that reports its own errors --------------------------------------------------------------------------

trouble(C, 51, Text) :-
  reports_itself(C),
  fails_in_code(C),
  place_of(C, Where),
  Text = fn:string:concat("what ", Where, " was to do is not done, which code only reports").
trouble(C, 54, Text) :-
  lacks_late_name(C),
  fails_in_code(C),
  place_of(C, Where),
  Text = fn:string:concat("what ", Where, " was to do is not done: the script for it came later").

# ---- a date in January 1970 ----------------------------------------------------------------------------------------

dated_from(K, R, Path) :- odd_date(K, _), date_from(K, R, Path).
has_date_from(K) :- dated_from(K, _, _).
first_odd(K, Where) :- odd_date(K, _), has_own_frame(K), place_of(K, Where).
suspect(K, "seconds_as_ms", Text) :-
  first_odd(K, Where),
  dated_from(K, R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Where, " shows a date of January 1970: ", Path, " of the answer of ",
                          Label, " counts seconds, and is taken for milliseconds").
suspect(K, "seconds_as_ms", Text) :-
  first_odd(K, Where),
  !has_date_from(K),
  odd_date(K, Value),
  Text = fn:string:concat(Where, " shows a date of January 1970: ", Value,
                          " counts seconds, and is taken for milliseconds").
trouble(K, 56, Text) :-
  first_odd(K, Where),
  Text = fn:string:concat("dates that ", Where, " shows are of January 1970").
read_at(K, Where) :-
  dated_from(K, R, Path),
  code_takes(R, Path, Url, Line),
  code_place(Url, Line, Where).
change_at(K, Where, "multiply it by 1000: timers and clocks count milliseconds") :-
  first_odd(K, _),
  read_at(K, Where).
change_at(K, Where, "multiply it by 1000: timers and clocks count milliseconds") :-
  first_odd(K, Where).
repair("seconds_as_ms", "endpoint", "answer milliseconds, or the date as a text").
change_at(K, Where, "answer milliseconds, or the date as a text") :-
  first_odd(K, _),
  dated_from(K, R, _),
  request_label(R, Where).

# ---- a number that is a text in some items -----------------------------------------------------------------------

mixed_numbers(R, Path) :- number_or_text(R, Path), own_data(R), went_well(R).
first_mixed(R, Path) :- mixed_numbers(R, P) |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "mixed_types", Text) :-
  first_mixed(R, Path),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers ", Path,
                          " as a number in some items and as a text in others: + joins texts").
trouble(R, 53, Text) :-
  first_mixed(R, Path),
  request_label(R, Label),
  Text = fn:string:concat("what is calculated with ", Path, " of ", Label, " is no number").
repair("mixed_types", "endpoint", "answer it as a number always").
repair("mixed_types", "code", "make a number of it before it is added to another").
check("mixed_types", "answers the same type in each item").

# ---- asked for in forEach() -------------------------------------------------------------------------------------

# What is made of all answers together is made before the first is there.
unwaited(R, Where) :-
  not_waited_for(R, Url, Line),
  own_data(R),
  went_well(R),
  method_of(R, "GET"),
  code_place(Url, Line, Where).
unwaited_first(Ms) :- unwaited(R, _), sent_at(R, M) |> do fn:group_by(), let Ms = fn:min(M).
suspect(R, "not_awaited", Text) :-
  unwaited_first(Ms),
  unwaited(R, Where),
  sent_at(R, Ms),
  request_label(R, Label),
  Text = fn:string:concat(Where, " asks for ", Label,
                          " in an async function of forEach(), which waits for no answer: what comes behind it runs before").
trouble(R, 52, Text) :-
  unwaited_first(Ms),
  unwaited(R, Where),
  sent_at(R, Ms),
  Text = fn:string:concat("what ", Where, " asks for is not waited for").
change_at(R, Where, "await Promise.all(list.map(async …)), or for … of with await") :-
  unwaited(R, Where).

# ---- a credential that was renewed in vain ----------------------------------------------------------------------

renewed_in_vain(R, Before, T, Path) :-
  refused_token(Before),
  refused_token(R),
  endpoint(Before, Method, Route),
  endpoint(R, Method, Route),
  credential_sent(R, "bearer"),
  brings_token(T, Path),
  code_takes(T, Path, _, _),
  known_at(Before, A),
  sent_at(T, B),
  known_at(T, C),
  sent_at(R, D),
  A <= B,
  C <= D,
  D <= fn:plus(C, 2000).
cleared(Before, "its token was renewed after it, and it was asked again") :-
  renewed_in_vain(_, Before, _, _).
suspect(R, "stale_token", Text) :-
  renewed_in_vain(R, _, T, Path),
  status_of(R, Status),
  request_label(R, Label),
  request_label(T, Other),
  Text = fn:string:concat(Label, " was sent again after ", Other, " had answered a new token at ",
                          Path, ", and answered ", Status,
                          " again: with the old token in its header, unless the new one is no good").
change_at(R, Where, "keep the token that was answered last") :-
  renewed_in_vain(R, _, _, _),
  own_frame(R, Depth, _, Url, Line),
  Depth < 2,
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).

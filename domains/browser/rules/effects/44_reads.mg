# Kinds of fault of reading: the code takes of an answer what is not there, and what it means stands beside it under
# another name. By the text of the scripts, so that it is seen also where the code goes on without.

# ---- a name that is spelled otherwise ----------------------------------------------------------------------

Decl misses(R, Path, Url, Line)
  descr [doc("The code reads it, and the answer does not have it, whether the code asks for that or not.")]
  bound [/string, /string, /string, /number].
misses(R, Path, Url, Line) :- code_misses(R, Path, Url, Line), own_data(R), went_well(R).
misses(R, Path, Url, Line) :- code_asks_for(R, Path, Url, Line), own_data(R), went_well(R).

Decl has_otherwise(R, Path, There)
  descr [doc("Where the answer has what the code means, and nobody reads it there.")]
  bound [/string, /string, /string].
has_otherwise(R, Path, Near) :- near_name(R, Path, Near), !is_read_there(R, Near).
has_otherwise(R, Path, There) :-
  name_elsewhere(R, Path, There),
  code_misses(R, Path, _, _),
  !is_read_there(R, There).
# The amount of an answer in cents, once: now it is a value of its own, or an object with its unit.
unit_word("_cents").
unit_word("Cents").
unit_word("_minor").
unit_word("_pence").
unit_word("_eur").
unit_word("_usd").
unit_word("_ms").
unit_word("_seconds").
unit_word("_minutes").
unit_word("_km").
unit_word("_kg").
unit_word("_celsius").
unit_word("_percent").
unit_word("_pct").
unit_word("_count").
unit_word("Count").
unit_word("_id").
unit_word("Id").
unit_word("_name").
unit_word("Name").
has_otherwise(R, Path, There) :-
  code_misses(R, Path, _, _),
  unit_word(Unit),
  :string:ends_with(Path, Unit),
  body_type(R, There, _),
  Path = fn:string:concat(There, Unit),
  !is_read_there(R, There).
# What the code expects to be missing is meant where it is a list with content that nobody reads.
has_otherwise(R, Path, There) :-
  name_elsewhere(R, Path, There),
  code_asks_for(R, Path, _, _),
  body_type(R, There, "array"),
  !body_empty(R, There),
  !is_read_there(R, There).
Decl is_read_there(R, Path) bound [/string, /string].
is_read_there(R, Path) :- code_takes(R, Path, _, _).
is_read_there(R, Path) :- code_hands_on(R, Path).
# It may be read there by code that was not followed: then only what shows counts.
Decl is_handed_on(R, Path) bound [/string, /string].
is_handed_on(R, Path) :-
  has_otherwise(R, _, Path),
  !name_unread(R, Path),
  code_hands_on(R, Whole),
  Part = fn:string:concat(Whole, "."),
  :string:starts_with(Path, Part).

Decl misread_at(Node, R, Path, There, Where) bound [/string, /string, /string, /string, /string].
misread_at(Node, R, Path, There, Where) :-
  misses(R, Path, Url, Line),
  has_otherwise(R, Path, There),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).

# ---- a list of another name -----------------------------------------------------------------------------------

# The code goes through a list that is not there, and the answer's only lists are read by nobody.
Decl misses_list(R, Path, Url, Line) bound [/string, /string, /string, /number].
misses_list(R, Path, Url, Line) :-
  misses(R, Path, Url, Line),
  :string:ends_with(Path, "[]"),
  !is_of_exceptions(Path).
# Or it takes a list or nothing, by a name of many things, and hands that on.
misses_list(R, Path, Url, Line) :-
  code_asks_for(R, Path, Url, Line),
  code_hands_on(R, Path),
  misses(R, Path, Url, Line),
  :string:ends_with(Path, "s"),
  !is_of_exceptions(Path).
misses_list(R, Path, Url, Line) :-
  code_asks_for(R, Path, Url, Line),
  code_reads_as(R, Path, "list", _, _),
  misses(R, Path, Url, Line),
  !is_of_exceptions(Path).
# What went wrong, or is to be noticed, is in an answer only where there is some.
is_of_exceptions(Path) :- misses(_, Path, _, _), exception_list(Name), :string:contains(Path, Name).
Decl exception_list(Name) bound [/string].
exception_list(".errors").
exception_list(".warnings").
exception_list(".problems").
exception_list(".issues").
exception_list(".failures").
exception_list(".failed").
exception_list(".rejected").
exception_list(".skipped").
exception_list(".conflicts").
exception_list(".violations").
exception_list(".notices").
exception_list(".alerts").
Decl has_list(R, Path) bound [/string, /string].
has_list(R, Path) :-
  misses_list(R, _, _, _),
  body_type(R, Path, "array"),
  !body_empty(R, Path),
  !is_within_list(R, Path).
Decl is_within_list(R, Path) bound [/string, /string].
is_within_list(R, Path) :- body_type(R, Path, "array"), :string:contains(Path, "[]").
Decl takes_list(R) bound [/string].
takes_list(R) :- misses_list(R, _, _, _), has_list(R, Path), is_read_there(R, Path).
takes_list(R) :- misses_list(R, _, _, _), code_takes(R, Path, _, _), :string:ends_with(Path, "[]").
takes_list(R) :- misses_list(R, _, _, _), code_hands_on(R, "$").
Decl first_list(R, Path) bound [/string, /string].
first_list(R, Path) :- has_list(R, P) |> do fn:group_by(R), let Path = fn:pick_any(P).
misread_at(Node, R, Path, There, Where) :-
  misses_list(R, Path, Url, Line),
  !takes_list(R),
  first_list(R, There),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).
# What stands in an object that is missing is often read where the code knows that it is there.
is_below_missing(R, Path) :-
  has_otherwise(R, Path, There),
  misses(R, Above, _, _),
  Part = fn:string:concat(Above, "."),
  :string:starts_with(Path, Part),
  !is_full_list(R, There).
is_full_list(R, There) :-
  has_otherwise(R, _, There),
  body_type(R, There, "array"),
  !body_empty(R, There).
misread_list(Node) :- misread_at(Node, R, Path, _, _), misses_list(R, Path, _, _).
Decl misread_list(Node) bound [/string].

# ---- read far from where it came ------------------------------------------------------------------------------

# The page shows that something is undefined. Nothing was found on the way from an answer to the code that reads it, but
# the names themselves tell.
Decl misspelt_at(Node, R, Path, Other, Where) bound [/string, /string, /string, /string, /string].
misspelt_at(Node, R, Path, Other, Where) :-
  spelt_otherwise(R, Path, Other, Url, "same", Line),
  code_place(Url, Line, Where),
  own_data(R),
  went_well(R),
  Node = fn:string:concat("read:", Where, " ", Other).
misspelt_at(Node, R, Path, Other, Where) :-
  spelt_otherwise(R, Path, Other, Url, "near", Line),
  !has_misspelt(),
  code_place(Url, Line, Where),
  own_data(R),
  went_well(R),
  Node = fn:string:concat("read:", Where, " ", Other).
has_misspelt() :- spelt_otherwise(_, _, _, _, "same", _).
misspelt_text(Node, Text) :-
  misspelt_at(Node, R, Path, Other, Where),
  request_label(R, Label),
  T = fn:string:concat(Where, " reads `", Other,
                       "`, which no answer has and no code makes; the answer of ", Label,
                       " has it as ", Path)
  |> do fn:group_by(Node), let Text = fn:pick_any(T).
suspect(Node, "misread_member", Text) :- misspelt_text(Node, Text), first_broken(_).
node_text(Node, Text) :- misspelt_text(Node, Text).
change_at(Node, Where, "read the value by the name that the answer has") :-
  misspelt_at(Node, _, _, _, Where).
causes("shown:broken", Node, "what is shown was to come from there") :-
  first_broken(_),
  misspelt_at(Node, _, _, _, _).

# An object where a text was meant.
Decl object_shown(Node, R, Path, Where) bound [/string, /string, /string, /string].
object_shown(Node, R, Path, Where) :-
  object_as_text(R, Path, Url, Line),
  own_data(R),
  went_well(R),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).
suspect(Node, "object_as_text", Text) :-
  object_shown(Node, R, Path, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " puts ", Path, " of the answer of ", Label,
                          " into a text: it is an object, and shows as [object Object]").
node_text(Node, "an object is put into a text") :- object_shown(Node, _, _, _).
causes("shown:broken", Node, "what is shown was put together there") :-
  first_broken(_),
  object_shown(Node, _, _, _).
change_at(Node, Where, "the members of it that are meant") :- object_shown(Node, _, _, Where).
check("object_as_text", "the page shows what is in it").

# ---- a word that the code does not know ----------------------------------------------------------------------

# Of the items that have it nothing is shown; or what is shown of them is no word.
unknown_choice(R, Path, Value, Other) :-
  choice_unknown(R, Path, Value, "unshown", Other),
  own_data(R),
  went_well(R).
unknown_choice(R, Path, Value, Other) :-
  choice_unknown(R, Path, Value, "shown", Other),
  own_data(R),
  went_well(R),
  shows_nothing_for_it().
shows_nothing_for_it() :- shown("text", Text), :string:contains(Text, "undefined").
choice_text(R, Text) :-
  unknown_choice(R, Path, Value, Other),
  request_label(R, Label),
  T = fn:string:concat(Label, " answers `", Value, "` at ", Path,
                       ", which no script of the page knows (it knows `", Other, "`)")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "unknown_value", Text) :- choice_text(R, Text).
# Code looks up what is there for it, and fails on nothing.
fails_on_word(E, R, Path, Value) :-
  word_unknown(R, Path, Value),
  own_data(R),
  went_well(R),
  error_awaits(E, R),
  says_undefined(E).
says_undefined(C) :- caught(C, "TypeError", Said)@[T, _], :string:contains(Said, " of undefined").
says_undefined(E) :- is_thrown(E), error_text(E, Said), :string:contains(Said, " of undefined").
suspect(R, "unknown_value", Text) :-
  fails_on_word(_, R, Path, Value),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers `", Value, "` at ", Path,
                          ", which no script of the page knows, and code fails on what it has for it").
trouble(R, 44, Text) :-
  fails_on_word(E, R, Path, Value),
  Text = fn:string:concat("what is to be shown for `", Value, "` at ", Path, " is not").
causes(E, R, "it answered a word that the code does not know") :- fails_on_word(E, R, _, _).
change_at(R, Where, "take this value, too, and show what has another one") :-
  fails_on_word(E, R, _, _),
  place_of(E, Where).
trouble(R, 48, Text) :-
  unknown_choice(R, Path, Value, _),
  Text = fn:string:concat("what has `", Value, "` at ", Path, " is not shown as it should be").
repair("unknown_value", "code", "take this value, too, and show what has another one").
repair("unknown_value", "endpoint", "answer with the values that were agreed").
check("unknown_value", "answers values of which all are shown").

# ---- what it is, what comes of it ----------------------------------------------------------------------------

Decl misread_text(Node, Text) bound [/string, /string].
misread_text(Node, Text) :-
  misread_at(Node, R, Path, There, Where),
  misread_end(Node, End),
  request_label(R, Label),
  T = fn:string:concat(Where, " reads ", Path, " of the answer of ", Label, ", which has it as ",
                       There, End)
  |> do fn:group_by(Node), let Text = fn:pick_any(T).
# It is where a list goes on, and the question does not: it says the same each time, and the same comes.
stays_at(Node, R, Name, Value) :-
  misread_at(Node, R, _, There, _),
  is_where_it_goes_on(There),
  request_query(R, Name, Value),
  goes_on_name(Name),
  repeated(R, Count, _),
  3 <= Count,
  endpoint(R, Method, Route),
  endpoint(Next, Method, Route),
  same_answer(Next, R).
is_where_it_goes_on(Path) :-
  misread_at(_, _, _, Path, _),
  goes_on_part(Part),
  :string:contains(Path, Part).
goes_on_part("ast").
goes_on_part("ext").
goes_on_part("ursor").
goes_on_part("ewest").
goes_on_part("atest").
goes_on_part("oken").
goes_on_part("ffset").
goes_on_part("eq").
goes_on_part("ersion").
goes_on_name("since").
goes_on_name("after").
goes_on_name("from").
goes_on_name("cursor").
goes_on_name("offset").
goes_on_name("last").
goes_on_name("last_id").
goes_on_name("lastId").
goes_on_name("since_id").
goes_on_name("seq").
goes_on_name("version").
goes_on_name("page").
first_stay(Node, Name, Value) :- stays_at(Node, _, N, V)
  |> do fn:group_by(Node), let Name = fn:pick_any(N), let Value = fn:pick_any(V).
misread_end(Node, "") :- misread_at(Node, _, _, _, _), !does_stay(Node).
does_stay(Node) :- first_stay(Node, _, _).
misread_end(Node, End) :-
  first_stay(Node, Name, Value),
  End = fn:string:concat(": it is asked again and again with ", Name, " = ", Value,
                         ", and answers the same").
suspect(Node, "misread_member", Text) :- misread_text(Node, Text).
node_text(Node, Text) :- misread_text(Node, Text).
trouble(Node, 46, Text) :-
  misread_at(Node, R, Path, There, _),
  !misread_list(Node),
  !is_below_missing(R, Path),
  !is_handed_on(R, There),
  Text = fn:string:concat("nothing stands where ", Path, " was to be shown or used").
trouble(Node, 46, Text) :-
  misread_list(Node),
  misread_at(Node, _, Path, _, _),
  Text = fn:string:concat("the list ", Path, " stays empty, although its content was answered").
causes(E, Node, "the code reads a name that the awaited answer does not have") :-
  misread_at(Node, R, _, _, _),
  error_awaits(E, R),
  speaks_of(E, "missing").
causes("shown:broken", Node, "what is shown was to come from there") :-
  first_broken(_),
  misread_at(Node, _, _, _, _).
# Asked with nothing in a place, after such an answer.
asked_with_misread(R2, Node) :-
  misread_at(Node, R, _, _, _),
  own_bad_argument(R2, _, _),
  ended_at(R, A),
  sent_at(R2, B),
  A <= fn:plus(B, 3),
  B <= fn:plus(A, 10000).
causes(R2, Node, "it was asked with what the code had not found in that answer") :-
  asked_with_misread(R2, Node).
# And again and again, where the code goes on by what it did not find.
causes(First, Node, "it goes on by what the code had not found in that answer") :-
  misread_at(Node, R, _, _, _),
  asked_with_misread(R2, Node),
  endpoint(R, Method, Route),
  endpoint(R2, Method, Route),
  suspect(First, "request_loop", _),
  endpoint(First, Method, Route).
change_at(Node, Where, What) :-
  misread_at(Node, _, _, There, Where),
  What = fn:string:concat("read the value by the name that the answer has: ", There).
check_by(Node, How) :-
  misread_at(Node, _, _, There, _),
  How = fn:string:concat("what the answer has as ", There, " is shown or used").

# ---- nothing of that name, and it shows ------------------------------------------------------------------------

Decl has_misread() descr [doc("A better explanation of what is missing on the page.")].
has_misread() :- misread_at(_, _, _, _, _).
Decl only_missed(R, Path) bound [/string, /string].
only_missed(R, Path) :- misses(R, P, _, _), code_misses(R, P, _, _)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "missing_member", Text) :-
  first_broken(_),
  !has_misread(),
  only_missed(R, Path),
  misses(R, Path, Url, Line),
  code_place(Url, Line, Where),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered without ", Path, ", which ", Where, " reads").

# ---- a value that is no date -------------------------------------------------------------------------------------

# A date that cannot be read, made of what was answered: there or as it is written there.
Decl read_as_date(R, Path, Url, Line) bound [/string, /string, /string, /number].
read_as_date(R, Path, Url, Line) :-
  unreadable_date(R, Path, _),
  code_reads_as(R, Path, "date", Url, Line),
  own_data(R),
  went_well(R).
read_as_date(R, Path, Url, Line) :-
  first_broken("Invalid Date"),
  code_reads_as(R, Path, "date", Url, Line),
  own_data(R),
  went_well(R).
Decl answered_as(R, Path, Value) bound [/string, /string, /string].
answered_as(R, Path, Value) :- read_as_date(R, Path, _, _), unreadable_date(R, Path, Value).
answered_as(R, Path, Value) :-
  !unreadable_date(R, Path, _),
  read_as_date(R, Path, _, _),
  body_value(R, Path, V)
  |> do fn:group_by(R, Path), let Value = fn:pick_any(V).
suspect(Node, "misread_value", Text) :-
  date_at(Node, R, Path, Where),
  answered_as(R, Path, Value),
  request_label(R, Label),
  Text = fn:string:concat(Where, " makes a date of ", Path, " of the answer of ", Label,
                          ", which is ", Value).
suspect(Node, "misread_value", Text) :-
  date_at(Node, R, Path, Where),
  !answered_as(R, Path, _),
  request_label(R, Label),
  Text = fn:string:concat(Where, " makes a date of ", Path, " of the answer of ", Label,
                          ", which is none").
Decl date_at(Node, R, Path, Where) bound [/string, /string, /string, /string].
date_at(Node, R, Path, Where) :-
  read_as_date(R, Path, Url, Line),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).
node_text(Node, Text) :- suspect(Node, "misread_value", Text), date_at(Node, _, _, _).
causes("shown:broken", Node, "the date that is shown was made there") :- date_at(Node, _, _, _).
trouble(Node, 47, Text) :-
  date_at(Node, R, Path, _),
  unreadable_date(R, Path, Value),
  Text = fn:string:concat("no date can be made of `", Value, "`: what goes by it goes wrong").
change_at(Node, Where, "read the value in the form in which it is answered") :-
  date_at(Node, _, _, Where).
change_at(Node, Label, What) :-
  date_at(Node, R, Path, _),
  request_label(R, Label),
  What = fn:string:concat("or answer ", Path, " in the form that is read").
check_by(Node, "the page shows a date") :- date_at(Node, _, _, _).

# ---- a text and a number are never the same --------------------------------------------------------------------------

# Held to be the very same (===) as a text, a number, a member of another answer, of which the answer has the other type.
Decl never_same(R, Path, Type, Other, Url, Line)
  bound [/string, /string, /string, /string, /string, /number].
never_same(R, Path, "number", "a text", Url, Line) :-
  code_reads_as(R, Path, "same text", Url, Line),
  is_only(R, Path, "number").
never_same(R, Path, "text", "a number", Url, Line) :-
  code_reads_as(R, Path, "same number", Url, Line),
  is_only(R, Path, "string").
never_same(R, Path, "number", There, Url, Line) :-
  code_reads_as(R, Path, "same", Url, Line),
  is_only(R, Path, "number"),
  code_reads_as(R2, Path2, "same", Url, Line),
  is_only(R2, Path2, "string"),
  !is_of_one_item(R, Path, R2, Path2),
  request_label(R2, Label),
  There = fn:string:concat(Path2, " of ", Label, ", a text").
# Two members of one list's items are compared with those of another item, each with its own: a.id === b.id && a.city === b.city.
Decl is_of_one_item(R, Path, R2, Path2) bound [/string, /string, /string, /string].
is_of_one_item(R, Path, R, Path2) :-
  code_reads_as(R, Path, "same", Url, Line),
  code_reads_as(R, Path2, "same", Url, Line),
  body_type(R, Item, "object"),
  :string:ends_with(Item, "[]"),
  Within = fn:string:concat(Item, "."),
  :string:starts_with(Path, Within),
  :string:starts_with(Path2, Within).
Decl is_only(R, Path, Type) bound [/string, /string, /string].
is_only(R, Path, "number") :-
  code_reads_as(R, Path, _, _, _),
  body_type(R, Path, "number"),
  !body_type(R, Path, "string"),
  own_data(R).
is_only(R, Path, "string") :-
  code_reads_as(R, Path, _, _, _),
  body_type(R, Path, "string"),
  !body_type(R, Path, "number"),
  own_data(R).
Decl compared_at(Node, Where, Text) bound [/string, /string, /string].
compared_at(Node, Where, Text) :-
  never_same(R, Path, Type, Other, Url, Line),
  code_place(Url, Line, Where),
  request_label(R, Label),
  Node = fn:string:concat("read:", Where, " ", Path),
  T = fn:string:concat(Where, " compares ", Path, " of the answer of ", Label, ", a ", Type,
                       ", with ", Other, ": they are never the same")
  |> do fn:group_by(Node, Where), let Text = fn:pick_any(T).
suspect(Node, "type_mismatch", Text) :- compared_at(Node, _, Text).
node_text(Node, Text) :- compared_at(Node, _, Text).
trouble(Node, 44, Text) :- compared_at(Node, _, Text).
change_at(Node, Where, "compare values of one type") :- compared_at(Node, Where, _).

# ---- hundredths ---------------------------------------------------------------------------------------------------

first_whole(R, Path) :- shown_whole(R, P, _), own_data(R), went_well(R)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "wrong_unit", Text) :-
  first_whole(R, Path),
  shown_whole(R, Path, V),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers hundredths (cents) at ", Path,
                          ", and the page shows them as whole: ", V, ".00").
trouble(R, 53, Text) :-
  first_whole(R, Path),
  shown_whole(R, Path, V),
  Text = fn:string:concat("the page shows ", V, " of ", Path, " as if it were no hundredths").
change_at(R, Where, "divide it by 100") :-
  first_whole(R, Path),
  code_takes(R, Path, Url, Line),
  code_place(Url, Line, Where).
change_at(R, Where, "divide it by 100, or answer the whole") :-
  first_whole(R, Path),
  request_label(R, Where).
repair("wrong_unit", "code", "divide it by 100").
repair("wrong_unit", "endpoint", "divide it by 100, or answer the whole").
check("wrong_unit", "is shown as a hundredth of that").

# ---- keys in place of words ---------------------------------------------------------------------------------------

node_text("shown:keys", Text) :-
  shown_key(Key, _),
  Text = fn:string:concat("the page shows keys in place of words: ", Key).
trouble("shown:keys", 52, Text) :- node_text("shown:keys", Text).
word_file("i18n").
word_file("l10n").
word_file("lang").
word_file("locale").
word_file("transl").
word_file("message").
word_file("strings").
word_file("texts").
causes("shown:keys", R, "the words were to come from there") :-
  shown_key(_, _),
  own_data(R),
  went_wrong(R),
  request_path(R, _, Path),
  word_file(Part),
  :string:contains(Path, Part).

# ---- a list within an object ------------------------------------------------------------------------------------

# The code takes it if it is a list, and else nothing; it is an object, in which there is one that nobody reads.
list_within(R, Path, There, Url, Line) :-
  code_reads_as(R, Path, "list", Url, Line),
  own_data(R),
  went_well(R),
  body_type(R, Path, "object"),
  !body_type(R, Path, "array"),
  body_type(R, There, "array"),
  !body_empty(R, There),
  right_below(Path, There),
  !is_read_there(R, There).
# The same by its name alone, where the answer goes through a store: of its items none is on the page, or the page says
# that there is none of something.
list_within(R, Path, There, Url, Line) :-
  name_as_list(R, Path, Url, Line),
  own_data(R),
  went_well(R),
  body_type(R, There, "array"),
  !body_empty(R, There),
  right_below(Path, There),
  !is_read_there(R, There),
  is_missed_list(R, There).
is_missed_list(R, There) :- list_shown(R, There, 0, Count, _), 2 <= Count.
is_missed_list(R, There) :-
  name_as_list(R, Path, _, _),
  body_type(R, There, "array"),
  right_below(Path, There),
  !is_list_seen(R, There),
  said_none(_, _, _).
is_list_seen(R, There) :- list_shown(R, There, Shown, _, _), 0 < Shown.
Decl right_below(Path, There)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
right_below(Path, There) :-
  Dot = fn:string:concat(Path, "."),
  :string:starts_with(There, Dot),
  !:string:contains(There, "[]").
misread_at(Node, R, Path, There, Where) :-
  list_within(R, Path, There, Url, Line),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).
misread_list(Node) :- misread_at(Node, R, Path, There, _), list_within(R, Path, There, _, _).

# ---- a sum of texts ---------------------------------------------------------------------------------------------------

# A number that is answered as a text, and added: the one is put behind the other.
added_text(R, Path, Url, Line) :-
  code_reads_as(R, Path, "sum", Url, Line),
  number_end(Name),
  own_data(R),
  :string:ends_with(Path, Name).
added_text(R, Path, Url, Line) :- code_reads_as(R, Path, "sum", Url, Line), joined_text(R, Path, _).
sum_at(Node, Where, Text) :-
  added_text(R, Path, Url, Line),
  code_place(Url, Line, Where),
  request_label(R, Label),
  Node = fn:string:concat("read:", Where, " ", Path),
  T = fn:string:concat(Where, " adds ", Path, " of the answer of ", Label,
                       ", which is a text: it is put behind the other and not added")
  |> do fn:group_by(Node, Where), let Text = fn:pick_any(T).
suspect(Node, "type_mismatch", Text) :- sum_at(Node, _, Text).
node_text(Node, Text) :- sum_at(Node, _, Text).
trouble(Node, 46, Text) :- sum_at(Node, _, Text).
change_at(Node, Where, "make a number of it before it is added") :- sum_at(Node, Where, _).
# And what a reader sees of it: one text behind the other.
joined_text(R, Path, Text) :- shown_joined(R, Path, Text), own_data(R), went_well(R).
joined_node(R, Node) :-
  joined_text(R, Path, _),
  added_text(R, Path, Url, Line),
  code_place(Url, Line, Where),
  Node = fn:string:concat("read:", Where, " ", Path).
has_joined_node(R) :- joined_node(R, _).
first_joined(R, Path) :- joined_text(R, P, _) |> do fn:group_by(R), let Path = fn:pick_any(P).
suspect(R, "joined_numbers", T) :-
  first_joined(R, Path),
  !has_joined_node(R),
  joined_text(R, Path, Text),
  request_label(R, Label),
  T = fn:string:concat(Label, " answers numbers as texts at ", Path,
                       ", and code puts one behind the other in place of adding them: the page shows `",
                       Text, "`").
trouble(R, 57, T) :-
  first_joined(R, Path),
  !has_joined_node(R),
  joined_text(R, Path, Text),
  T = fn:string:concat("the page shows `", Text, "`: numbers that were not added but joined").
trouble(Node, 57, T) :-
  first_joined(R, Path),
  joined_node(R, Node),
  joined_text(R, Path, Text),
  T = fn:string:concat("the page shows `", Text, "`: numbers that were not added but joined").
repair("joined_numbers", "endpoint", "answer numbers").
repair("joined_numbers", "code", "make numbers of them before they are added").

# ---- JSON that is none, read all the same -------------------------------------------------------------------------

# The code reads whatever came as JSON; that failed, though nobody may have said so.
Decl unread_json(R) bound [/string].
unread_json(R) :- code_reads_json(R), own_data(R), went_well(R), html_data(R).
unread_json(R) :- code_reads_json(R), own_data(R), status_of(R, 204).
unread_json(R) :- code_reads_json(R), own_data(R), went_well(R), body_kind(R, "text").
# NaN in it, a warning before it. (One that is cut off is told as that.)
unread_json(R) :-
  body_kind(R, "invalid_json"),
  reads_whatever(R),
  own_data(R),
  went_well(R),
  !is_broken_off(R),
  !is_tracker(R).
# Code that looks at other things than the type reads a page as well. Where it has a value of its own instead, there need
# not be anything.
unread_json(R) :-
  no_json(R, _),
  html_data(R),
  reads_whatever(R),
  own_data(R),
  went_well(R),
  !code_does_without(R, "value"),
  !quiet_probe(R),
  !is_tracker(R).
unread_json(R) :-
  body_kind(R, "empty"),
  code_reads_json(R),
  code_does_without(R, _),
  own_data(R),
  went_well(R),
  shows_no_answer(R),
  !is_tracker(R).
# Code caught it, and has something else, or nothing, in place of the answer.
unread_json(R) :-
  caught(C, "SyntaxError", Said)@[T, _],
  :string:contains(Said, "JSON"),
  error_awaits(C, R),
  unreadable(R),
  own_data(R),
  went_well(R),
  !code_does_without(R, "value"),
  !quiet_probe(R),
  !is_tracker(R).
Decl reads_whatever(R) bound [/string].
reads_whatever(R) :- code_reads_json(R).
reads_whatever(R) :- code_may_read_json(R), !code_goes_by_type(R).
Decl shows_no_answer(R) bound [/string].
shows_no_answer(R) :- unchanged_after(R).
shows_no_answer(R) :- body_kind(R, "empty"), shown("alert", _).
shows_no_answer(R) :- body_kind(R, "empty"), shown("error", _).
trouble(R, 48, Text) :-
  unread_json(R),
  !awaited_unread(R),
  request_label(R, Label),
  Text = fn:string:concat("the code goes on without the data of ", Label).
Decl awaited_unread(R) bound [/string].
awaited_unread(R) :- unread_json(R), reads_as_json(_, R).
suspect(R, "wrong_content_type", Text) :-
  unread_json(R),
  html_data(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered a page (HTML), and the code reads JSON").
suspect(R, "empty_data", Text) :-
  unread_json(R),
  !html_data(R),
  !body_kind(R, "invalid_json"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered no JSON, and the code reads some").

check("joined_numbers", "gives a sum and no row of figures").
check("type_mismatch", "what belongs together is found").
check("misread_value", "the page shows what was answered").

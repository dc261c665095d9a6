# Kinds of fault of what was answered: another type of content, an error within a success, nothing, another shape.

# ---- not what was asked for --------------------------------------------------------------------------

# By its body; where that is not known, by its type.
Decl html_data(R) bound [/string].
html_data(R) :- body_kind(R, "html").
html_data(R) :- is_page(R), !body_is_known(R).
body_is_known(R) :- body_kind(R, Kind), Kind != "none".
# Fragments of a page are a fair answer to code. Data is not a page where its address or its reader says that data
# was meant.
Decl means_data(R) bound [/string].
means_data(R) :- is_data(R), request_path(R, _, Path), :string:contains(Path, "/api").
means_data(R) :- is_data(R), request_path(R, _, Path), :string:contains(Path, "/graphql").
means_data(R) :- is_data(R), request_path(R, _, Path), :string:ends_with(Path, ".json").
means_data(R) :- json_error(E), error_awaits(E, R), is_data(R).
means_data(R) :- endpoint(R, Method, Route), is_data(R), answered_json(Method, Route).
# A page that is answered to code, and right after it an error that names the `<` of a page.
means_data(R) :-
  html_data(R),
  is_data(R),
  known_at(R, At),
  about_page(E),
  error_at(E, T),
  At <= fn:plus(T, 50),
  T <= fn:plus(At, 1000).
answered_json(Method, Route) :- body_kind(R, "json"), endpoint(R, Method, Route).

Decl no_json(R, Words) bound [/string, /string].
no_json(R, "a page (HTML) in place of data") :- html_data(R), means_data(R).
no_json(R, "JSON that cannot be read") :- body_kind(R, "invalid_json"), is_data(R).

suspect(R, "wrong_content_type", Text) :-
  html_data(R),
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
# An error that names the `<` of a page is about a page.
about_page(E) :- json_error(E), error_text(E, T), :string:contains(T, "token '<'").
json_fits(E, R) :- about_page(E), unreadable(R), html_data(R).
json_fits(E, R) :- json_error(E), !about_page(E), unreadable(R), !html_data(R).
unreadable_before(E, R, At) :-
  json_fits(E, R),
  !awaits_unreadable(E),
  known_at(R, At),
  error_at(E, T),
  At <= fn:plus(T, 50),
  T <= fn:plus(At, 2000).
awaits_unreadable(E) :- reads_as_json(E, R), unreadable(R).
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
failure_mark("$.status", "ERR").
failure_mark("$.status", "FAIL").
failure_mark("$.status", "FAILED").
failure_mark("$.status", "FAILURE").
failure_mark("$.status", "NOK").
failure_mark("$.status", "KO").
failure_mark("$.status", "Error").
failure_mark("$.status", "Failed").
failure_mark("$.result", "ERROR").
failure_mark("$.result", "FAILED").
failure_mark("$.result", "failure").
failure_mark("$.success", "no").
failure_mark("$.meta.status", "error").
failure_mark("$.data.success", "false").
failure_mark("$.data.ok", "false").
failure_mark("$.result", "error").
failure_mark("$.result", "failed").
failure_mark("$.state", "error").
failure_mark("$.type", "error").

Decl says_failure(R, Said)
  descr [doc("A success by its status, a failure by its body.")]
  bound [/string, /string].
Decl no_words(Said)
  descr [doc("Stands for no error, or for one without words.")]
  bound [/string].
no_words("").
no_words("false").
no_words("null").
no_words("none").
no_words("0").
no_words("ok").
no_words("OK").
words_of(R, Path, Said) :- body_says_error(R, Path, Said), !no_words(Said).
says_failure(R, Said) :- words_of(R, Path, Said), error_path(Path), went_well(R).
marked_failure(R) :- body_value(R, Path, Value), failure_mark(Path, Value), went_well(R).
says_failure(R, Said) :- marked_failure(R), words_of(R, _, Said).
explains_itself(R) :- words_of(R, _, _).
says_failure(R, "it failed") :- marked_failure(R), !explains_itself(R).
first_said(R, Said) :- says_failure(R, S) |> do fn:group_by(R), let Said = fn:pick_any(S).
suspect(R, "error_in_body", Text) :-
  first_said(R, Said),
  status_of(R, Status),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Status, " with an error in it: ", Said).

# The code reads of it what only a success has, and never looks at what says that it failed: a user sees an empty list.
looks_at_mark(R) :- first_said(R, _), code_takes(R, Path, _, _), says_failure_at(R, Path).
looks_at_mark(R) :- first_said(R, _), code_reads_as(R, Path, _, _, _), says_failure_at(R, Path).
says_failure_at(R, Path) :- body_says_error(R, Path, _).
says_failure_at(R, Path) :- body_value(R, Path, Value), failure_mark(Path, Value).
says_failure_at(R, Path) :- body_type(R, Path, _), error_path(Path).
misses_success(R) :- first_said(R, _), code_misses(R, _, _, _).
misses_success(R) :- first_said(R, _), code_asks_for(R, _, _, _).
# A question in GraphQL: errors beside data that are null.
misses_success(R) :-
  first_said(R, _),
  body_says_error(R, "$.errors", _),
  body_type(R, Path, "null"),
  :string:starts_with(Path, "$.data").
misses_success(R) :- first_said(R, _), code_takes(R, Path, _, _), body_type(R, Path, "null").
# A change that was refused so, and the page goes on as it had begun: what is shown was never done.
misses_success(R) :- first_said(R, _), is_change(R), marked_failure(R), unchanged_after(R).
# It is shown, so the user is told.
is_shown(R) :- first_said(R, _), words_of(R, _, Said), shown(_, Text), :string:contains(Text, Said).
taken_for_success(R) :-
  misses_success(R),
  own_data(R),
  !looks_at_mark(R),
  !is_shown(R),
  !is_tracker(R).
trouble(R, 52, Text) :-
  taken_for_success(R),
  request_label(R, Label),
  Text = fn:string:concat("the error that ", Label, " answers is taken for a success").

# ---- JSON that ends too early, or is called a text --------------------------------------------------------

# Code that catches what it cannot read shows nothing, as if there were nothing.
broken_off(R, Text) :-
  json_breaks_off(R, Bytes, 0),
  own_data(R),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers JSON that is cut off after ", Bytes, " bytes").
broken_off(R, Text) :-
  json_breaks_off(R, Bytes, Beyond),
  0 < Beyond,
  own_data(R),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers JSON that is cut off after ", Bytes,
                          " bytes: does its Content-Length count characters in place of bytes?").
is_broken_off(R) :- broken_off(R, _).
suspect(R, "cut_off", Text) :- broken_off(R, Text).
trouble(R, 52, Text) :- broken_off(R, Text), !is_tracker(R).

# Read as what its type says: members of a text are none.
called_text(R, Mime) :-
  answer(R, _, Mime)@[T, _],
  body_kind(R, "json"),
  own_data(R),
  went_well(R),
  !:string:contains(Mime, "json"),
  Mime != "",
  said_none(R, Line, _),
  list_shown(R, _, 0, _, 0),
  !is_true_of_another(Line).
called_text(R, Mime) :-
  answer(R, _, Mime)@[T, _],
  body_kind(R, "json"),
  own_data(R),
  went_well(R),
  !:string:contains(Mime, "json"),
  Mime != "",
  code_goes_by_type(R),
  code_takes(R, Path, _, _),
  Path != "$".
# Where it is not known what the code takes of it: nothing of it is to be seen.
called_text(R, Mime) :- unread_text(R, Mime), !shows_of_text(R).
unread_text(R, Mime) :-
  answer(R, _, Mime)@[T, _],
  body_kind(R, "json"),
  own_data(R),
  went_well(R),
  !:string:contains(Mime, "json"),
  :string:starts_with(Mime, "text/"),
  code_goes_by_type(R),
  has_words(R),
  !is_tracker(R).
has_words(R) :- code_goes_by_type(R), body_type(R, Path, "string"), body_value(R, Path, _).
shows_of_text(R) :- word_of_text(R, Path, _), !hides_of_text(R, Path).
word_of_text(R, Path, V) :-
  unread_text(R, _),
  body_type(R, Path, "string"),
  body_value(R, Path, V),
  V != "".
hides_of_text(R, Path) :- word_of_text(R, Path, V), !is_word_shown(V).
is_word_shown(V) :- word_of_text(_, _, V), shown(_, Text), :string:contains(Text, V).
suspect(R, "wrong_content_type", Text) :-
  called_text(R, Mime),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers JSON as ", Mime,
                          ": the code goes by the type and takes it for a text, which has no members").
trouble(R, 52, Text) :-
  called_text(R, Mime),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is read as ", Mime, ", and nothing is found in it").

# ---- empty, null, changed, missing --------------------------------------------------------------------

Decl empty_answer(R, Path) bound [/string, /string].
empty_answer(R, Path) :- body_empty(R, Path), is_data(R), went_well(R), !is_echo(R, Path).
# The answer says again what it was asked with.
Decl is_echo(R, Path) bound [/string, /string].
is_echo(R, Path) :- request_query(R, Name, ""), Path = fn:string:concat("$.", Name).
# Which of several empty places to name: a list rather than a text; of those the first in the order of texts.
first_empty_list(R, Path) :- empty_answer(R, P), body_type(R, P, "array")
  |> do fn:group_by(R), let Path = fn:pick_any(P).
has_empty_list(R) :- first_empty_list(R, _).
first_empty(R, Path) :- first_empty_list(R, Path).
first_empty(R, Path) :- empty_answer(R, P), !has_empty_list(R)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
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
  !has_instead(R, Path),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered without ", Path, ", before it was there").
has_instead(R, Path) :- came_instead(R, Path, _).
suspect(R, "missing_member", Text) :-
  came_instead(R, Path, New),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered without ", Path, ", which was there before: it has ",
                          New, " in its place").
# What says how a list goes on, where a tree ends, or when something happened is null by right.
null_by_right(Path) :-
  body_changed(_, _, Path, _, "null"),
  right_end(End),
  :string:ends_with(Path, End).
Decl right_end(End) bound [/string].
right_end(".next").
right_end(".prev").
right_end(".previous").
right_end(".after").
right_end(".before").
right_end(".last").
right_end("ursor").
right_end("nextPage").
right_end("next_page").
right_end("prevPage").
right_end("prev_page").
right_end("nextUrl").
right_end("next_url").
right_end("nextLink").
right_end("nextOffset").
right_end("next_offset").
right_end("ageToken").
right_end("age_token").
right_end("nextToken").
right_end("next_token").
right_end("ontinuation").
right_end(".parent").
right_end("parentId").
right_end("parent_id").
right_end("edAt").
right_end("ed_at").
right_end("error").
suspect(R, "null_member", Text) :-
  body_changed(R, _, Path, From, "null"),
  From != "missing",
  !null_by_right(Path),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered null at ", Path, ", before it was ", From).

# A member that the failing code reads and the awaited answer does not have. Where the code says from which answer its value
# came, no other counts.
is_traced(E) :- data_from(E, _, _).
reads_answer(E, R) :- error_awaits(E, R), data_from(E, R, _).
reads_answer(E, R) :- error_awaits(E, R), !is_traced(E).
reads_member(E, R, Name) :-
  reads_answer(E, R),
  reads_path(E, Name),
  Name != "",
  !is_method(Name),
  body_kind(R, "json"),
  went_well(R).
finds_member(E, R, Name) :-
  reads_member(E, R, Name),
  body_type(R, Path, _),
  Dot = fn:string:concat(".", Name),
  :string:ends_with(Path, Dot).
# The shortest path that is not there: the first in the order of texts, since longer ones begin with it.
# A field that the page's scripts make themselves is none of the answer's, unless the value was followed to it.
makes_itself(E, Name) :- own_path(E, Name), !is_traced(E).
lacks_member(E, R, Name) :-
  reads_member(E, R, Name),
  !finds_member(E, R, Name),
  !makes_itself(E, Name),
  !is_read_too_soon(E),
  !is_whole_list(Name).
is_whole_list(Name) :- reads_path(_, Name), Name = "[]".
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
# It goes through a list that is a member of the answer, and is there: what failed is something else.
takes_list_of(R) :-
  code_takes(R, Path, _, _),
  Path != "$[]",
  :string:ends_with(Path, "[]"),
  body_type(R, Path, _).
suspect(R, "changed_shape", Text) :-
  error_awaits(E, R),
  wanted_type(E, "array"),
  root_type(R, Type),
  Type != "array",
  !takes_list_of(R),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered an ", Type, ", and the code goes through it as a list").
causes(E, R, "the code takes its answer for a list") :-
  error_awaits(E, R),
  wanted_type(E, "array"),
  root_type(R, Type),
  Type != "array",
  !takes_list_of(R),
  went_well(R).

repair("wrong_content_type", "endpoint", "answer in the type that is asked for, also for errors").
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

check("wrong_content_type", "answers in the type that is asked for").
check("invalid_json", "answers JSON that can be read").
check("error_in_body", "answers without an error").
check("empty_data", "answers with content").
check("null_member", "answers without that null").
check("changed_shape", "answers in the old shape").
check("missing_member", "answers with that member").

# ---- read before it was there ------------------------------------------------------------------------------

# Another request of the file that failed was still under way, and what came then has the member: nobody waited for it.
Decl read_too_soon(E, Q) bound [/string, /string].
read_too_soon(E, Q) :-
  speaks_of(E, "missing"),
  error_expression(E, _, Property),
  Property != "",
  error_at(E, At),
  own_data(Q),
  sent_at(Q, Sent),
  Sent <= At,
  answered_at(Q, Came),
  fn:plus(At, 5) <= Came,
  !error_awaits(E, Q),
  own_frame(E, 0, _, Url, _),
  own_frame(Q, _, _, Url, _),
  body_type(Q, Path, _),
  End = fn:string:concat(".", Property),
  :string:ends_with(Path, End).
Decl is_read_too_soon(E) bound [/string].
is_read_too_soon(E) :- read_too_soon(E, _).
suspect(Q, "not_awaited", Text) :-
  read_too_soon(E, Q),
  error_expression(E, _, Property),
  place_of(E, Where),
  request_label(Q, Label),
  Text = fn:string:concat(Label, " was still under way when ", Where, " read `", Property,
                          "`, which its answer has: it is not awaited").
causes(E, Q, "what it read came only afterwards") :- read_too_soon(E, Q).
# The function that both have in common asked for the one and went on to the other.
change_at(Q, Where, "let who needs its answer wait for it") :-
  read_too_soon(E, Q),
  own_frame(Q, _, Function, Url, Line),
  own_frame(E, _, Function, Url, Other),
  Line < Other,
  Function != "",
  page_origin(Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
repair("not_awaited", "code", "let who needs its answer wait for it").
check("not_awaited", "is answered before what needs it is drawn").

# What led to what: pieces of evidence for a direct link between two things, each with how likely it alone makes
# the link. What is said here holds for any kind of fault; special links belong to their kind.
#
# Nothing is caused by what came later. Two clocks of a browser differ a little, so a tenth of a second is forgiven.

Decl odd(X)
  descr [doc("A suspect, of whatever kind; trackers never are.")]
  bound [/string].
odd(X) :- suspect(X, _, _), !is_tracker(X).

Decl hard(R)
  descr [doc("A data request that is a suspect, and no soft one.")]
  bound [/string].
hard(R) :- odd(R), is_data(R), !is_soft(R).

Decl odd_request(R) bound [/string].
odd_request(R) :- odd(R), method_of(R, _).

Decl before(Earlier, Later, Ms)
  descr [mode('+', '+', '-'), deferred()]
  bound [/string, /string, /number].
before(Earlier, Later, Ms) :-
  node_at(Earlier, A),
  node_at(Later, B),
  Ms = fn:minus(B, A),
  -100 <= Ms.

# ---- an error and a request ------------------------------------------------------------------------

reason(E, R, "report", 95, "the browser reports this very request") :- error_about_request(E, R).

# The code that failed had waited for it. Of an answer that is in order this says little.
reason(E, R, "awaited", 60, Why) :-
  error_awaits(E, R),
  odd(R),
  !is_hardly_meant(E, R),
  before(R, E, _),
  request_label(R, Label),
  Why = fn:string:concat("the code that failed had waited for ", Label).
reason(E, R, "awaited", 40, Why) :-
  error_awaits(E, R),
  odd(R),
  is_hardly_meant(E, R),
  before(R, E, _),
  request_label(R, Label),
  Why = fn:string:concat("the code that failed had waited for ", Label).
Decl is_hardly_meant(E, R)
  descr [doc("What the page wrote after a no for an answer need not be about it.")]
  bound [/string, /string].
is_hardly_meant(E, R) :- error_awaits(E, R), is_soft(R), !is_thrown(E).
reason(E, R, "awaited", 25, Why) :-
  error_awaits(E, R),
  !odd(R),
  before(R, E, _),
  request_label(R, Label),
  Why = fn:string:concat("the code that failed had waited for ", Label).

# What an error, a message or a dialog says.
reason(E, R, "address", 60, Why) :-
  error_mentions(E, Path),
  Path != "/",
  request_path(R, _, Path),
  odd(R),
  !error_about_request(E, _),
  before(R, E, _),
  Why = fn:string:concat("the message names ", Path).

Decl status_text(R, Text) bound [/string, /string].
status_text(R, Text) :- has_bad_status(R, Status), Text = fn:number:to_string(Status).
Decl with_status(Text, Count) bound [/string, /number].
with_status(Text, Count) :- status_text(R, Text) |> do fn:group_by(Text), let Count = fn:count().
reason(E, R, "status", 40, Why) :-
  error_mentions(E, Text),
  status_text(R, Text),
  with_status(Text, 1),
  !error_about_request(E, _),
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat("the message speaks of status ", Text).
reason(E, R, "status", 25, Why) :-
  error_mentions(E, Text),
  status_text(R, Text),
  with_status(Text, Count),
  1 < Count,
  !error_about_request(E, _),
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat("the message speaks of status ", Text).

# Who asked and who failed are the same function. A function through which most requests go (a client of the
# API) tells little, one that asks for a few addresses tells much.
Decl asks_route(Function, Url, Route) bound [/string, /string, /string].
asks_route(Function, Url, Route) :-
  own_frame(R, _, Function, Url, _),
  request_route(R, Route),
  Function != "".
Decl asks_for(Function, Url, Count) bound [/string, /string, /number].
asks_for(Function, Url, Count) :- asks_route(Function, Url, Route)
  |> do fn:group_by(Function, Url), let Count = fn:count().

Decl shares_code(E, R, Function, Count) bound [/string, /string, /string, /number].
shares_code(E, R, Function, Count) :-
  odd_request(R),
  own_frame(R, _, Function, Url, _),
  asks_for(Function, Url, Count),
  own_frame(E, _, Function, Url, _),
  error_source(E, Source),
  Source != "network".
reason(E, R, "code", 45, Why) :-
  shares_code(E, R, Function, Count),
  !is_bundled(Function),
  Count <= 2,
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat(Function, " asked for it and is in the error's stack").
# In a bundle much of what is shared belongs to a framework.
reason(E, R, "code", 20, "the same code asked for it and failed") :-
  shares_code(E, R, Function, Count),
  is_bundled(Function),
  Count <= 2,
  before(R, E, Ms),
  Ms < 30000.
reason(E, R, "code", 15, Why) :-
  shares_code(E, R, Function, Count),
  2 < Count,
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat(Function, " asked for it and is in the error's stack").

# The same of scripts: one that asks for a few addresses, and in which it failed. (Of the same sort: who shares a function
# shares its script.)
Decl file_route(Url, Route) bound [/string, /string].
file_route(Url, Route) :- own_frame(R, _, _, Url, _), request_route(R, Route).
Decl file_routes(Url, Count) bound [/string, /number].
file_routes(Url, Count) :- file_route(Url, Route) |> do fn:group_by(Url), let Count = fn:count().
Decl few_routes(Count, Strength)
  descr [mode('+', '-'), deferred()]
  bound [/number, /number].
few_routes(Count, 35) :- Count <= 3.
few_routes(Count, 15) :- 3 < Count, Count <= 6.
few_routes(Count, 5) :- 6 < Count.
# (What failed on the value of one answer does not owe it to another that its file asked for as well.)
Decl is_of_another(E, R) bound [/string, /string].
is_of_another(E, R) :- data_from(E, Q, _), odd_request(R), Q != R, !data_from(E, R, _).
is_of_another(E, R) :- is_of_kept_text(E), odd_request(R), !data_from(E, R, _).
# What could not be read as JSON had just been taken, at that line, from what the page keeps.
is_of_kept_text(E) :-
  error_name(E, "SyntaxError"),
  stack(E, 0, _, Url, Line),
  storage_read(K, _, _, _)@[T, _],
  read_as(K, "json"),
  stack(K, 0, _, Url, Line),
  ms(T, Read),
  error_at(E, At),
  Read <= fn:plus(At, 20),
  At <= fn:plus(Read, 200).
reason(E, R, "code", Strength, Why) :-
  odd_request(R),
  own_frame(R, _, _, Url, _),
  !is_of_another(E, R),
  file_routes(Url, Count),
  few_routes(Count, Strength),
  own_frame(E, _, _, Url, _),
  error_source(E, Source),
  Source != "network",
  before(R, E, Ms),
  Ms < 30000,
  short_url(Url, Short),
  Why = fn:string:concat(Short, " asked for it, and failed").

# A function, or what it read, is called like the end of the address: revenue and /api/v1/revenue.
Decl named_after(E, Word) bound [/string, /string].
named_after(E, F) :- own_frame(E, _, F, _, _), F != "", error_source(E, _).
named_after(E, W) :- error_expression(E, W, _), W != "".
named_after(E, W) :- error_expression(E, _, W), W != "".
named_after(E, W) :- reads_path(E, W), W != "".
Decl last_word(Path, Word)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
last_word(Path, Word) :- Part = fn:string:concat("/", Word), :string:ends_with(Path, Part).
reason(E, R, "words", 40, Why) :-
  odd(R),
  is_data(R),
  request_path(R, _, Path),
  named_after(E, Word),
  !is_report(E),
  last_word(Path, Word),
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat("both speak of ", Word).
reason(E, R, "words", 35, Why) :-
  shares_word(E, R, Word),
  odd(R),
  !is_report(E),
  before(R, E, Ms),
  Ms < 30000,
  Why = fn:string:concat("both speak of ", Word).

# What the error is about fits what went wrong.
Decl fits_request(What, R) bound [/string, /string].
fits_request("fetch", R) :- no_answer(R, _), !is_cancelled(R).
fits_request("fetch", R) :- request_blocked(R, _).
fits_request("fetch", R) :- cors_error(R, _, _).
fits_request("cancel", R) :- is_cancelled(R).
fits_request("parse", R) :- body_kind(R, "html"), is_data(R).
fits_request("parse", R) :- is_page_for_data(R).
fits_request("parse", R) :- body_kind(R, "invalid_json").
fits_request("parse", R) :- body_kind(R, "empty"), is_data(R), status_of(R, S), S != 204, S != 304.
fits_request("parse", R) :- body_kind(R, "text"), is_data(R).
fits_request("missing", R) :- hard(R), !is_cancelled(R).
fits_request("failed", R) :- hard(R), !is_cancelled(R).

fits_request("stream", R) :- kind_of(R, "stream"), odd(R).
fits_request("socket", R) :- kind_of(R, "socket"), odd(R).

Decl fit_strength(What, Strength) bound [/string, /number].
fit_strength("fetch", 40).
fit_strength("cancel", 40).
fit_strength("stream", 60).
fit_strength("socket", 60).
fit_strength("parse", 45).
fit_strength("missing", 20).
fit_strength("failed", 15).
Decl fit_words(What, Why) bound [/string, /string].
fit_words("fetch", "the error is about a request that got no answer").
fit_words("stream", "the error is about a stream of events").
fit_words("socket", "the error is about a WebSocket").
fit_words("cancel", "the error is about a request that was cancelled").
fit_words("parse", "the error is about an answer that is no JSON").
fit_words("missing", "the error is about data that is not there").
fit_words("failed", "the message says that something failed").

reason(E, R, "symptom", Strength, Why) :-
  speaks_of(E, What),
  !is_about_markup(E),
  fits_request(What, R),
  fit_strength(What, Strength),
  fit_words(What, Why),
  !is_report(E),
  !is_of_code_alone(E, What),
  before(R, E, Ms),
  Ms < 10000.
# A socket that is still connecting has done nothing wrong.
Decl is_of_code_alone(E, What) bound [/string, /string].
is_of_code_alone(E, "socket") :- error_text(E, T), :string:contains(T, "CONNECTING state").

# A no for an answer counts where something else ties it to the error.
reason(E, R, "symptom", 20, "the error is about data that is not there") :-
  speaks_of(E, "missing"),
  !is_about_markup(E),
  is_soft(R),
  odd(R),
  has_to_do_with(E, R),
  !is_report(E),
  before(R, E, Ms),
  Ms < 10000.

# Right after, and nothing else went wrong near it.
Decl shortly_before(E, R, Ms) bound [/string, /string, /number].
shortly_before(E, R, Ms) :-
  hard(R),
  known_at(R, A),
  error_at(E, B),
  !is_report(E),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 1000.
Decl count_before(E, Count) bound [/string, /number].
count_before(E, Count) :- shortly_before(E, R, _)
  |> do fn:group_by(E), let Count = fn:count_distinct().
reason(E, R, "near", 20, "it came right after") :- shortly_before(E, R, _), count_before(E, 1).
reason(E, R, "near", 8, "it came right after") :-
  shortly_before(E, R, _),
  count_before(E, N),
  1 < N.

# Nothing but this request went wrong on the whole page, or just before; no other error has more to do with it, and the scripts of both
# do not speak against it.
Decl odd_requests(Count) bound [/number].
odd_requests(Count) :- odd_data_request(R) |> do fn:group_by(), let Count = fn:count().
Decl odd_data_request(R) bound [/string].
odd_data_request(R) :- hard(R).
Decl has_to_do_with(E, R) bound [/string, /string].
has_to_do_with(E, R) :- error_awaits(E, R).
has_to_do_with(E, R) :- shares_word(E, R, _).
has_to_do_with(E, R) :- lacks(R, E, _, _).
Decl is_claimed(R, E)
  descr [doc("By another error.")]
  bound [/string, /string].
is_claimed(R, E) :- wants_data(E, R), has_to_do_with(Other, R), is_thrown(Other), E != Other.
Decl wants_data(E, R) bound [/string, /string].
wants_data(E, R) :-
  about_data(E),
  odd_requests(1),
  odd_data_request(R),
  before(R, E, Ms),
  Ms < 5000.
wants_data(E, R) :- about_data(E), count_before(E, 1), shortly_before(E, R, _).
Decl about_data(E) bound [/string].
about_data(E) :- speaks_of(E, What), What != "failed", !is_about_markup(E), !is_report(E).
Decl shares_script(E, R) bound [/string, /string].
shares_script(E, R) :- wants_data(E, R), own_frame(E, _, _, Url, _), own_frame(R, _, _, Url, _).
Decl scripts_differ(E, R) bound [/string, /string].
scripts_differ(E, R) :- wants_data(E, R), has_own_frame(E), has_own_frame(R), !shares_script(E, R).
reason(E, R, "only", 15, "nothing else went wrong") :-
  wants_data(E, R),
  !is_claimed(R, E),
  !scripts_differ(E, R).

# ---- what the code read, and what had come -------------------------------------------------------------

# The failed code read Path, and the answer has nothing there: null, empty, or no such member.
Decl reads_in(E, Path)
  descr [doc("As a path of bodies: $.user.name.")]
  bound [/string, /string].
reads_in(E, Path) :- reads_path(E, Read), !is_method(Read), Path = fn:string:concat("$.", Read).
reads_in(E, Path) :- reads_body(E, Path).
Decl reads_under(E, Path)
  descr [doc("Where the value stands whose member was read.")]
  bound [/string, /string].
reads_under(E, Path) :-
  reads_in(E, Whole),
  error_expression(E, _, Property),
  Property != "",
  Tail = fn:string:concat(".", Property),
  :string:ends_with(Whole, Tail),
  Path = fn:string:replace(Whole, Tail, "", 1).
reads_under(E, Path) :- reads_in(E, Path).

# Answers that this error may be about: awaited, or by the same code, or not long before.
Decl at_hand(E, R) bound [/string, /string].
at_hand(E, R) :- error_awaits(E, R).
at_hand(E, R) :-
  is_thrown(E),
  reads_in(E, _),
  error_at(E, B),
  is_data(R),
  known_at(R, A),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 5000.

Decl lacks(R, E, Path, What)
  descr [doc("The answer has no value where the failed code read one: What is null, empty or missing.")]
  bound [/string, /string, /string, /string].
lacks(R, E, Path, "null") :-
  at_hand(E, R),
  reads_under(E, Path),
  Path != "$",
  body_type(R, Path, "null").
lacks(R, E, Path, "empty") :- at_hand(E, R), reads_under(E, Path), Path != "$", body_empty(R, Path).
lacks(R, E, Path, "missing") :-
  at_hand(E, R),
  reads_under(E, Path),
  body_changed(R, _, Path, _, "missing").
lacks(R, E, Path, "missing") :-
  error_awaits(E, R),
  speaks_of(E, "missing"),
  reads_under(E, Path),
  Path != "$",
  body_type(R, "$", "object"),
  !has_member(R, E, Path).
Decl has_member(R, E, Path)
  descr [doc("It is there, or something of its name deeper down, which may be what the code had in hand.")]
  bound [/string, /string, /string].
has_member(R, E, Path) :-
  error_awaits(E, R),
  reads_under(E, Path),
  Tail = fn:string:replace(Path, "$", "", 1),
  body_type(R, There, _),
  :string:ends_with(There, Tail).
# The code had a part of the answer in hand: whatever ends like the path that was read.
lacks(R, E, There, "null") :-
  at_hand(E, R),
  reads_under(E, Path),
  Tail = fn:string:replace(Path, "$", "", 1),
  body_type(R, There, "null"),
  :string:ends_with(There, Tail).
# What was read is not known by name, as in bundled code: null was awaited, and there is null.
lacks(R, E, There, "null") :- error_awaits(E, R), says_null(E), body_type(R, There, "null").
Decl says_null(E) bound [/string].
says_null(E) :- error_text(E, T), :string:contains(T, " of null").
says_null(E) :- error_text(E, T), :string:contains(T, "null is not an object").
reason(E, R, "shape", 60, Why) :-
  lacks(R, E, Path, What),
  before(R, E, _),
  Why = fn:string:concat("the code read ", Path, ", which is ", What, " in the answer").
reason(E, R, "shape", 50, Why) :-
  at_hand(E, R),
  body_changed(R, _, Path, From, To),
  To != "missing",
  reads_under(E, Path),
  before(R, E, _),
  Why = fn:string:concat("the code read ", Path, ", which was ", From, " and is ", To).

# ---- scripts and names ------------------------------------------------------------------------------------

Decl defined_somewhere(Name) bound [/string].
defined_somewhere(Name) :- defines(_, Name).

Decl lost_script(R)
  descr [doc("A script that never came.")]
  bound [/string].
lost_script(R) :- kind_of(R, "script"), went_wrong(R).
Decl lost_scripts(Count) bound [/number].
lost_scripts(Count) :- lost_script(R) |> do fn:group_by(), let Count = fn:count().

Decl lost_strength(Strength) bound [/number].
lost_strength(75) :- lost_scripts(1).
lost_strength(52) :- lost_scripts(N), 1 < N.
reason(E, R, "name", Strength, Why) :-
  error_about_name(E, Name),
  !defined_somewhere(Name),
  lost_script(R),
  lost_strength(Strength),
  before(R, E, _),
  Why = fn:string:concat("no script defines ", Name, ", and this one did not come").
reason(E, R, "address", 40, Why) :-
  error_about_name(E, Name),
  lost_script(R),
  url_of(R, Url),
  :string:contains(Url, Name),
  before(R, E, _),
  Why = fn:string:concat("its address says ", Name).

# A script that ran, or would have run, only after it was needed.
Decl ran_at(S, Ms) bound [/string, /number].
ran_at(S, Ms) :- script(S, _, _)@[A, T], :time:le(A, T), ms(T, Ms).
reason(E, S, "late", 85, Why) :-
  error_about_name(E, Name),
  !is_in_circle(E),
  defines(S, Name),
  ran_at(S, Ran),
  error_at(E, At),
  At < Ran,
  Why = fn:string:concat("the script that defines ", Name, " ran only afterwards").
reason(S, R, "script", 90, "this request brought the script") :- script_request(S, R).

# It threw before it came to its definitions.
Decl threw_in(E, Url) bound [/string, /string].
threw_in(E, Url) :- is_thrown(E), stack(E, 0, _, Url, _).
reason(E2, E1, "name", 85, Why) :-
  error_about_name(E2, Name),
  defines(S, Name),
  script(S, Url, _)@[T, _],
  threw_in(E1, Url),
  E1 != E2,
  error_at(E1, A),
  error_at(E2, B),
  A <= B,
  Why = fn:string:concat("the script that defines ", Name, " had thrown before").
# The same of what it was to make, which is undefined: Editor.open().
reason(E2, E1, "name", 85, Why) :-
  error_expression(E2, Name, _),
  speaks_of(E2, "missing"),
  defines(S, Name),
  script(S, Url, _)@[T, _],
  threw_in(E1, Url),
  E1 != E2,
  error_at(E1, A),
  error_at(E2, B),
  A <= B,
  Why = fn:string:concat("the script that defines ", Name, " had thrown before").

# An answer that is null as a whole is abnormal where something was missing right after.
suspect(R, "empty_data", Text) :-
  body_type(R, "$", "null"),
  is_data(R),
  went_well(R),
  known_at(R, A),
  speaks_of(E, "missing"),
  error_at(E, B),
  Ms = fn:minus(B, A),
  0 <= Ms,
  Ms < 5000,
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered null").

# A page in place of data, of which only the type is known.
Decl is_page_for_data(R) bound [/string].
is_page_for_data(R) :-
  body_kind(R, "none"),
  answer(R, Status, Mime)@[T, _],
  Status < 400,
  is_data(R),
  :string:starts_with(Mime, "text/html").
suspect(R, "wrong_content_type", Text) :-
  is_page_for_data(R),
  known_at(R, A),
  speaks_of(E, "parse"),
  error_at(E, B),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 5000,
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered a page (HTML) in place of data").

# Kinds of fault of scripts: missing, not a script, late, broken, of another version.

# ---- a script that is not there -------------------------------------------------------------------------

script_like(R) :- kind_of(R, "script").
script_like(R) :- kind_of(R, "worker").
is_page(R) :- answer(R, _, Mime)@[T, _], :string:contains(Mime, "html").
is_page(R) :- body_kind(R, "html").
suspect(R, "missing_script", Text) :-
  script_like(R),
  is_page(R),
  went_well(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered a page (HTML) in place of a script").

# It never runs, whether or not somebody catches that.
trouble(R, 55, Text) :-
  script_like(R),
  is_page(R),
  went_well(R),
  !third_party(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is no script").

# A module of another type is not run, and whoever imports it may have caught that.
refused_module(R, E, Mime) :-
  kind_of(R, "script"),
  answer(R, _, Mime)@[T, _],
  Mime != "",
  error_text(E, Text),
  :string:contains(Text, "Failed to load module script"),
  :string:contains(Text, Mime),
  ms(T, A),
  error_at(E, B),
  A <= fn:plus(B, 500),
  B <= fn:plus(A, 1000),
  !:string:contains(Mime, "javascript").
suspect(R, "wrong_content_type", Text) :-
  refused_module(R, _, Mime),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers a module as ", Mime, ": browsers run none of it").
trouble(R, 55, Text) :-
  refused_module(R, _, _),
  request_label(R, Label),
  Text = fn:string:concat("the module ", Label, " does not run").
causes(E, R, "it is the module that was refused") :- refused_module(R, E, _).

# All scripts that did not come, for whatever reason.
Decl absent_script(R, Ms)
  descr [doc("Nothing of it ran; so it was known at that time.")]
  bound [/string, /number].
absent_script(R, Ms) :- script_like(R), went_wrong(R), known_at(R, Ms).
absent_script(R, Ms) :- script_like(R), is_page(R), went_well(R), known_at(R, Ms).
absent_script(R, Ms) :- script_like(R), never_answered(R, _), sent_at(R, Ms).
absent_script(R, Ms) :- integrity_error(_, R), known_at(R, Ms).

# What is missing because of it. A name that another script defines does not come from there; where the name is
# that of the file, the file it is.
unknown_name(E, Name) :- error_about_name(E, Name), error_name(E, "ReferenceError").
unknown_name(E, Name) :-
  error_about_name(E, Name),
  error_text(E, Text),
  :string:contains(Text, "is not defined").
unknown_name(E, Name) :-
  error_about_name(E, Name),
  error_text(E, Text),
  :string:contains(Text, "is not a constructor").
unknown_name(E, Name) :-
  error_about_name(E, Name),
  error_expression(E, Global, _),
  of_window(Global).
Decl of_window(Expression)
  descr [mode('+'), deferred()]
  bound [/string].
of_window(X) :- :string:starts_with(X, "window.").
of_window(X) :- :string:starts_with(X, "globalThis.").
of_window(X) :- :string:starts_with(X, "self.").
defined(E, Name) :- unknown_name(E, Name), defines(_, Name).
named_absent(E, R) :-
  unknown_name(E, _),
  has_own_frame(E),
  name_in_file(E, R),
  absent_script(R, _),
  !misses_tracker(E, R).
has_named_absent(E) :- named_absent(E, _).
own_absent(R) :- absent_script(R, _), !third_party(R), !is_tracker(R).
has_own_absent(E) :-
  own_absent(R),
  absent_script(R, A),
  unknown_name(E, _),
  error_at(E, T),
  A <= fn:plus(T, 100).
# The snippet that calls a tracker which did not come: in the document itself, and nothing else is missing.
misses_tracker(E, R) :-
  unknown_name(E, Name),
  !defined(E, Name),
  absent_script(R, A),
  is_tracker(R),
  !has_own_absent(E),
  error_at(E, T),
  A <= fn:plus(T, 100),
  stack(E, 0, _, Url, _),
  page(Url, _, _).
blames_absent(E, R) :- named_absent(E, R).
blames_absent(E, R) :-
  unknown_name(E, Name),
  !defined(E, Name),
  !has_named_absent(E),
  own_absent(R),
  absent_script(R, A),
  error_at(E, T),
  A <= fn:plus(T, 100).
blames_absent(E, R) :-
  unknown_name(E, Name),
  !defined(E, Name),
  !has_named_absent(E),
  !has_own_absent(E),
  has_own_frame(E),
  absent_script(R, A),
  third_party(R),
  !is_tracker(R),
  error_at(E, T),
  A <= fn:plus(T, 100).
causes(E, R, Why) :-
  blames_absent(E, R),
  unknown_name(E, Name),
  Why = fn:string:concat("the script that did not come is where ", Name, " would be defined").

# An error that names the file: a chunk or a module that could not be loaded.
names_script(E, R) :-
  error_text(E, Text),
  absent_script(R, _),
  url_of(R, Url),
  :string:contains(Text, Url).
names_script(E, R) :-
  absent_script(R, _),
  error_name(E, "SyntaxError"),
  url_of(R, Url),
  stack(E, 0, _, Url, _).
causes(E, R, "it names the script that did not come") :- names_script(E, R).

# A worker that never comes: nothing is said about it, and whoever waits for it waits for ever.
trouble(R, 55, Text) :-
  kind_of(R, "worker"),
  absent_script(R, _),
  !third_party(R),
  request_label(R, Label),
  Text = fn:string:concat("the worker ", Label, " does not run").

# ---- a script that comes too late --------------------------------------------------------------------------

ran_at(S, Ms) :- script(S, _, _)@[_, T], ms(T, Ms).
loads_aside(S, How) :- script(S, _, How)@[_, T], aside(How).
Decl aside(How) bound [/string].
aside("async").
aside("defer").
aside("module").
aside("injected").
# The name is defined, only later than it was used.
came_up_at(E, T) :- error_at(E, T).
came_up_at(C, A) :- caught_matters(C), caught(C, _, _)@[T, _], ms(T, A).
too_late(E, S, Name) :-
  unknown_name(E, Name),
  defines(S, Name),
  came_up_at(E, T),
  ran_at(S, Ran),
  T <= Ran.
in_time(E, Name) :-
  unknown_name(E, Name),
  defines(S, Name),
  came_up_at(E, T),
  ran_at(S, Ran),
  Ran < T.
# What a script defines is not always seen: then its name says it.
too_late(E, S, Name) :-
  unknown_name(E, Name),
  !defined(E, Name),
  name_in_file(E, R),
  script_request(S, R),
  !absent_now(R),
  loads_aside(S, _),
  came_up_at(E, T),
  ran_at(S, Ran),
  T <= Ran.
absent_now(R) :- absent_script(R, _).
late(E, S, Name) :- too_late(E, S, Name), !in_time(E, Name), !is_in_circle(E).
late_request(E, S, R, Name) :- late(E, S, Name), script_request(S, R).
has_late_request(S) :- late_request(_, S, _, _).
how_loaded(S, How) :- script(S, _, How)@[_, T].
suspect(R, "late_script", Text) :-
  late_request(_, S, R, Name),
  how_loaded(S, How),
  request_label(R, Label),
  Text = fn:string:concat(Label, " (", How, ") ran only after `", Name, "` of it was used").
suspect(S, "late_script", Text) :-
  late(_, S, Name),
  !has_late_request(S),
  how_loaded(S, How),
  Text = fn:string:concat("the ", How, " script that defines `", Name,
                          "` ran only after it was used").
causes(E, R, Why) :-
  late_request(E, _, R, Name),
  Why = fn:string:concat("it defines ", Name, ", and had not run yet").
# What was answered is not shown, for what was to be made of it needed the script.
causes(A, R, Why) :-
  late_request(C, _, R, Name),
  caught(C, _, _)@[T, _],
  error_awaits(C, A),
  A != R,
  Why = fn:string:concat("what was to be made of the answer needs ", Name, ", which had not come").
causes(E, S, Why) :-
  late(E, S, Name),
  !has_late_request(S),
  Why = fn:string:concat("it defines ", Name, ", and had not run yet").

# ---- broken scripts ------------------------------------------------------------------------------------------

# A script with an error of syntax does not run at all: an error that has a place in a file of its own.
syntax_error(E) :- error_name(E, "SyntaxError"), error_source(E, "exception"), !json_error(E).
broken_script(E, Url) :- syntax_error(E), !about_export(E), stack(E, 0, _, Url, _), Url != "".
is_absent_url(Url) :- absent_script(R, _), url_of(R, Url).
suspect(E, "syntax_error", Text) :-
  broken_script(E, Url),
  !is_absent_url(Url),
  place_of(E, Where),
  error_text(E, Said),
  Text = fn:string:concat(Where, " has an error of syntax, so none of it ran: ", Said).
causes(Later, E, "the script that would define it has an error of syntax") :-
  broken_script(E, Url),
  !is_absent_url(Url),
  unknown_name(Later, Name),
  !defined(Later, Name),
  Later != E,
  error_at(E, A),
  error_at(Later, B),
  A <= B.

is_abort(E) :- error_name(E, "AbortError").
is_abort(E) :- error_name(E, "TimeoutError").
# Own code that fails: where nothing led to it, it is itself what has to be mended.
suspect(E, "script_error", Text) :-
  is_thrown(E),
  place_of(E, Where),
  !is_harmless(E),
  !fetch_error(E),
  !is_abort(E),
  error_name(E, Name),
  error_text(E, Said),
  Name != "",
  Text = fn:string:concat(Where, " throws ", Said).

# ---- another version -------------------------------------------------------------------------------------------

# lib.js defines lib, and lib.part is no function.
lacks_part(E, S, Name) :-
  error_about_name(E, Name),
  error_name(E, "TypeError"),
  defines(S, Object),
  Dot = fn:string:concat(Object, "."),
  :string:starts_with(Name, Dot),
  other_script(E, S).
other_script(E, S) :-
  stack(E, 0, _, Url, _),
  script(S, Other, How)@[_, T],
  Other != Url,
  How != "inline".
suspect(R, "wrong_version", Text) :-
  lacks_part(_, S, Name),
  script_request(S, R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " does not have `", Name, "`, which the page calls").
causes(E, R, "it defines the object without that function") :-
  lacks_part(E, S, _),
  script_request(S, R).

about_export(E) :- error_text(E, Text), :string:contains(Text, "does not provide an export named").
# A module that lacks an export; the browser names it by its path.
lacks_export(E, R) :-
  error_text(E, Text),
  :string:contains(Text, "does not provide an export named"),
  script_like(R),
  request_path(R, _, Path),
  Quoted = fn:string:concat(Path, "'"),
  :string:contains(Text, Quoted).
suspect(R, "wrong_version", Text) :-
  lacks_export(E, R),
  request_label(R, Label),
  error_text(E, Said),
  Text = fn:string:concat(Label, ": ", Said).
causes(E, R, "it is the module that lacks the export") :- lacks_export(E, R).

repair("late_script", "endpoint",
       "load it before what uses it: without async, or with defer for both").
repair("syntax_error", "code", "the syntax of this line").
repair("script_error", "code", "the code at this line").
repair("wrong_version", "endpoint", "deliver the version that the page is written for").
repair("wrong_version", "code", "call what this version has").

check("late_script", "runs before it is needed").
check("syntax_error", "no error of syntax is reported").
check("script_error", "the same steps throw nothing there").
check("wrong_version", "has what the page calls").

# ---- a script that code asks for once, too early -------------------------------------------------------------

# It goes on without, and a click that was to use it does nothing.
ran_too_late(S, Name, Where) :-
  asked_too_early(S, Name, Url, Line),
  is_own_late(S),
  code_place(Url, Line, Where).
is_own_late(S) :-
  asked_too_early(S, _, _, _),
  script(S, Url, _)@[T, _],
  page_origin(Origin),
  :string:starts_with(Url, Origin).
early_text(R, Text) :-
  ran_too_late(S, Name, Where),
  script_request(S, R),
  how_loaded(S, How),
  request_label(R, Label),
  T = fn:string:concat(Label, " (", How, "), which defines `", Name, "`, ran only after ", Where,
                       " had asked for it and gone on without it")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "late_script", Text) :- early_text(R, Text).
trouble(R, 51, Text) :-
  early_text(R, _),
  request_label(R, Label),
  Text = fn:string:concat("what ", Label, " was to do is not done").
causes(I, R, "what was to do it had not come when it was asked for") :-
  early_text(R, _),
  input_without_effect(I).
change_at(R, Where, "ask for it when it is there: on load, or defer both") :-
  ran_too_late(S, _, Where),
  script_request(S, R).

repair("late_script", "caller", "ask for it when it is there: on load, or defer both").

# ---- a place whose script came late -----------------------------------------------------------------------------

# Nothing of it has run but its own lines: it asked for nothing, failed nowhere.
ran_on(S) :- late_for_place(S, _, _), script(S, Url, _)@[T, _], stack(_, _, _, Url, _).
late_place(S, Target, Word) :- late_for_place(S, Target, Word), own_script(S), !ran_on(S).
own_script(S) :-
  late_for_place(S, _, _),
  script(S, Url, _)@[T, _],
  page_origin(Origin),
  :string:starts_with(Url, Origin).
late_node(S, R) :- late_place(S, _, _), script_request(S, R).
place_node(Target, Node) :- late_place(_, Target, _), Node = fn:string:concat("place:", Target).
suspect(R, "late_script", Text) :-
  late_place(S, Target, Word),
  late_node(S, R),
  how_loaded(S, How),
  request_label(R, Label),
  Text = fn:string:concat(Label, " (", How, "), which has ", Word, " for ", Target,
                          ", ran only after the code that looks for it: too late").
trouble(Node, 52, Text) :-
  late_place(_, Target, _),
  place_node(Target, Node),
  Text = fn:string:concat("nothing is to be seen of ", Target).
causes(Node, R, "the script that is for this place came after it was looked for") :-
  late_place(S, Target, _),
  late_node(S, R),
  place_node(Target, Node).
node_text(Node, Text) :-
  place_node(Target, Node),
  Text = fn:string:concat("nothing is to be seen of ", Target).

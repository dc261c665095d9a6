# Views of the evidence that rules about faults and about causes share. Times are milliseconds since 1970.

Decl ms(Time, Ms)
  descr [mode('+', '-'), deferred()]
  bound [/time, /number].
ms(T, Ms) :- Ms = fn:div(fn:time:to_unix_nanos(T), 1000000).

# ---- when --------------------------------------------------------------------------------------------

# Never ended: its interval is open.
Decl is_open(R) bound [/string].
is_open(R) :-
  request(R, _, _, _)@[_, End],
  :time:gt(End, fn:time:parse_rfc3339("2200-01-01T00:00:00Z")).

Decl sent_at(R, Ms) bound [/string, /number].
sent_at(R, Ms) :- request(R, _, _, _)@[T, _], ms(T, Ms).

Decl answered_at(R, Ms) bound [/string, /number].
answered_at(R, Ms) :- answer(R, _, _)@[T, _], ms(T, Ms).

Decl failed_at(R, Ms) bound [/string, /number].
failed_at(R, Ms) :- request_failed(R, _)@[T, _], ms(T, Ms).
failed_at(R, Ms) :- socket_failed(R, _)@[T, _], ms(T, Ms).

Decl ended_at(R, Ms) bound [/string, /number].
ended_at(R, Ms) :- request(R, _, _, _)@[S, T], :time:le(S, T), !is_open(R), ms(T, Ms).

# When the page could know how it went: head of the answer, else failure, else sending.
Decl known_at(R, Ms) bound [/string, /number].
known_at(R, Ms) :- answered_at(R, Ms).
known_at(R, Ms) :- failed_at(R, Ms), !answered_at(R, _).
known_at(R, Ms) :- sent_at(R, Ms), !answered_at(R, _), !failed_at(R, _).

Decl error_at(E, Ms) bound [/string, /number].
error_at(E, Ms) :- error(E, _, _, _)@[T, _], ms(T, Ms).

# When whatever has a time in the evidence was there to be seen.
Decl node_at(X, Ms) bound [/string, /number].
node_at(R, Ms) :- known_at(R, Ms).
node_at(E, Ms) :- error_at(E, Ms).
node_at(M, Ms) :- message(M, _, _)@[T, _], ms(T, Ms).
node_at(I, Ms) :- input(I, _, _, _)@[T, _], ms(T, Ms).
node_at(D, Ms) :- dialog(D, _, _)@[T, _], ms(T, Ms).
node_at(X, Ms) :- issue(X, _, _, _)@[T, _], ms(T, Ms).
node_at(N, Ms) :- navigation(N, _, _)@[T, _], ms(T, Ms).
node_at(S, Ms) :- script(S, _, _)@[T, _], ms(T, Ms).

# The page in front began with the last navigation by address; what an earlier document of the same visit did (a form, a
# redirect) belongs to it, what was before the visit does not.
Decl visit_start(Ms) bound [/number].
visit_start(Ms) :- begins_visit(M) |> do fn:group_by(), let Ms = fn:max(M).
Decl begins_visit(Ms) bound [/number].
begins_visit(Ms) :- navigation(_, _, "address")@[T, _], ms(T, Ms).
begins_visit(Ms) :- navigation(_, _, "reload")@[T, _], ms(T, Ms).
begins_visit(Ms) :- navigation(_, _, "history")@[T, _], ms(T, Ms).
Decl is_past(X)
  descr [doc("It belongs to an earlier visit.")]
  bound [/string].
is_past(R) :- earlier_document(R), sent_at(R, Ms), visit_start(Start), Ms < Start.
is_past(X) :-
  node_at(X, Ms),
  !method_of(X, _),
  visit_start(Start),
  Near = fn:minus(Start, 50),
  Ms < Near.

# ---- what kind of request ----------------------------------------------------------------------------

Decl method_of(R, Method) bound [/string, /string].
method_of(R, Method) :- request(R, Method, _, _)@[S, _].

Decl kind_of(R, Kind) bound [/string, /string].
kind_of(R, Kind) :- request(R, _, _, Kind)@[S, _].

Decl url_of(R, Url) bound [/string, /string].
url_of(R, Url) :- request(R, _, Url, _)@[S, _].

# The same address, whatever its query; and the same endpoint, whatever its ids.
Decl same_address(R, Method, Origin, Path) bound [/string, /string, /string, /string].
same_address(R, Method, Origin, Path) :- method_of(R, Method), request_path(R, Origin, Path).
Decl endpoint(R, Method, Route) bound [/string, /string, /string].
endpoint(R, Method, Route) :- method_of(R, Method), request_route(R, Route).

Decl is_data(R)
  descr [doc("Asked for by code, for its content.")]
  bound [/string].
is_data(R) :- kind_of(R, "data").

Decl is_change(R)
  descr [doc("Meant to change something on the server.")]
  bound [/string].
is_change(R) :- method_of(R, "POST"), is_data(R).
is_change(R) :- method_of(R, "PUT"), is_data(R).
is_change(R) :- method_of(R, "PATCH"), is_data(R).
is_change(R) :- method_of(R, "DELETE"), is_data(R).

# The page can do without: pictures, fonts, what is fetched ahead.
Decl is_asset(R) bound [/string].
is_asset(R) :- kind_of(R, "image").
is_asset(R) :- kind_of(R, "font").
is_asset(R) :- kind_of(R, "media").
is_asset(R) :- kind_of(R, "prefetch").
is_asset(R) :- kind_of(R, "other").

# ---- how it went -----------------------------------------------------------------------------------------

Decl status_of(R, Status) bound [/string, /number].
status_of(R, Status) :- answer(R, Status, _)@[T, _].

Decl has_bad_status(R, Status) bound [/string, /number].
has_bad_status(R, Status) :- status_of(R, Status), 400 <= Status.

# Answered, and nobody read the body: that ends as if aborted, too.
Decl was_left_unread(R) bound [/string].
was_left_unread(R) :-
  status_of(R, Status),
  Status < 400,
  request_failed(R, "net::ERR_ABORTED")@[T, _],
  !was_given_up(R).
Decl was_given_up(R)
  descr [doc("By code, or because the page was left.")]
  bound [/string].
was_given_up(R) :- request_cancelled(R, Who), Who != "unknown".

Decl no_answer(R, Reason)
  descr [doc("It failed, in the words of the browser.")]
  bound [/string, /string].
no_answer(R, Reason) :- request_failed(R, Reason)@[T, _], !was_left_unread(R).
no_answer(R, Reason) :- socket_failed(R, Reason)@[T, _].

# Scripts, styles and streams that were answered with an error end as if cancelled, although nobody did.
Decl only_looks_cancelled(R) bound [/string].
only_looks_cancelled(R) :- was_left_unread(R).
only_looks_cancelled(R) :- has_bad_status(R, _).
only_looks_cancelled(R) :- request_blocked(R, _).
only_looks_cancelled(R) :- cors_error(R, _, _).
only_looks_cancelled(R) :- kind_of(R, "script").
only_looks_cancelled(R) :- kind_of(R, "style").
only_looks_cancelled(R) :- kind_of(R, "stream").
Decl is_cancelled(R) bound [/string].
is_cancelled(R) :- request_cancelled(R, _), !only_looks_cancelled(R).
is_cancelled(R) :- no_answer(R, "canceled"), !only_looks_cancelled(R).
is_cancelled(R) :- no_answer(R, "net::ERR_ABORTED"), !only_looks_cancelled(R).

# By its own outcome, whatever is in the body.
Decl went_wrong(R) bound [/string].
went_wrong(R) :- has_bad_status(R, _).
went_wrong(R) :- no_answer(R, _).
went_wrong(R) :- request_blocked(R, _).
went_wrong(R) :- cors_error(R, _, _).

Decl went_well(R) bound [/string].
went_well(R) :- status_of(R, Status), Status < 400, !went_wrong(R), !is_cancelled(R).

# ---- what was sent ---------------------------------------------------------------------------------

Decl is_no_value(Text) bound [/string].
is_no_value("undefined").
is_no_value("null").
is_no_value("NaN").
is_no_value("[object Object]").
Decl sends_nothing(R, Place, What)
  descr [doc("Where it sent no value in place of one.")]
  bound [/string, /string, /string].
sends_nothing(R, Path, V) :- sent_value(R, Path, V), is_no_value(V).
sends_nothing(R, Name, V) :- request_query(R, Name, V), is_no_value(V).
sends_nothing(R, Path, "null") :- sent_type(R, Path, "null"), went_wrong(R).
sends_nothing(R, Path, "nothing") :- sent_empty(R, Path), went_wrong(R).
sends_nothing(R, Name, "nothing") :- request_query(R, Name, "").
sends_nothing(R, Kind, "nothing") :- credential_empty(R, Kind).
sends_nothing(R, "its address", V) :-
  is_data(R),
  is_no_value(V),
  request_path(R, _, P),
  in_path(P, V).
Decl in_path(Path, V)
  descr [doc("As a part between two slashes, or the last."), mode('+', '+'), deferred()]
  bound [/string, /string].
in_path(P, V) :- Part = fn:string:concat("/", V), :string:ends_with(P, Part).
in_path(P, V) :- Part = fn:string:concat("/", V, "/"), :string:contains(P, Part).

# No for an answer, as pages get it every day: nobody is signed in, there are no settings yet. Other things must speak
# before such a request is blamed; one that is a suspect for something else, too, or was asked wrongly, is not meant.
Decl is_soft(R) bound [/string].
is_soft(R) :- status_of(R, 404), is_plain_get(R), !is_poor_question(R).
is_soft(R) :- status_of(R, 410), is_plain_get(R), !is_poor_question(R).
is_soft(R) :- status_of(R, 401), is_plain_get(R).
Decl is_plain_get(R) bound [/string].
is_plain_get(R) :- method_of(R, "GET"), is_data(R).
Decl is_poor_question(R)
  descr [doc("Sent with undefined and the like where a value belongs.")]
  bound [/string].
is_poor_question(R) :- sends_nothing(R, _, _), !only_empty_query(R).
# An empty parameter is often meant: nothing is searched for yet.
Decl only_empty_query(R) bound [/string].
only_empty_query(R) :- request_query(R, _, ""), !sends_no_value(R).
Decl sends_no_value(R) bound [/string].
sends_no_value(R) :- sends_nothing(R, _, V), V != "nothing".
# ---- what an answer says of an error -----------------------------------------------------------------

Decl says_why(R, Said) bound [/string, /string].
says_why(R, Said) :- body_says_error(R, _, Said), Said != "".
says_why(R, Said) :- body_value(R, Path, Said), says_why_at(Path), Said != "".
Decl says_why_at(Path) bound [/string].
says_why_at("$.message").
says_why_at("$.error").
says_why_at("$.detail").
says_why_at("$.title").
says_why_at("$.reason").
says_why_at("$.error.message").
says_why_at("$.errors[]").
says_why_at("$.errors[].message").

# Refused, because something that it should have sent is not there: what is undefined is left out of JSON.
Decl misses_member(R) bound [/string].
misses_member(R) :- is_told_of_missing(R), status_of(R, 400).
misses_member(R) :- is_told_of_missing(R), status_of(R, 422).
Decl is_told_of_missing(R) bound [/string].
is_told_of_missing(R) :- says_why(R, Said), missing_word(Word), :string:contains(Said, Word).
Decl missing_word(Word) bound [/string].
missing_word("missing").
missing_word("required").
missing_word("Missing").
missing_word("Required").
missing_word("must not be empty").
missing_word("must not be null").
missing_word("cannot be null").

# ---- how it is called -------------------------------------------------------------------------------------

Decl page_origin(Origin) bound [/string].
page_origin(Origin) :- kind_of(R, "document"), request_path(R, Origin, _).
page_origin(Origin) :-
  page(Url, _, _),
  request_path(_, Origin, _),
  :string:starts_with(Url, Origin).

# "GET /api/users"; with its host where it is another than the page's.
Decl request_label(R, Label) bound [/string, /string].
request_label(R, Label) :-
  same_address(R, Method, Origin, Path),
  page_origin(Origin),
  Label = fn:string:concat(Method, " ", Path).
request_label(R, Label) :-
  same_address(R, Method, Origin, Path),
  !page_origin(Origin),
  Label = fn:string:concat(Method, " ", Origin, Path).

# ---- trackers and ads ------------------------------------------------------------------------------

Decl is_tracker(R) bound [/string].
is_tracker(R) :- third_party(R), url_of(R, Url), tracker_word(Word), :string:contains(Url, Word).
is_tracker(R) :-
  request_path(R, _, Path),
  is_change(R),
  own_tracker_word(Word),
  :string:contains(Path, Word).
Decl tracker_word(Word) bound [/string].
tracker_word("analytics").
tracker_word("track").
tracker_word("telemetry").
tracker_word("pixel").
tracker_word("collect").
tracker_word("beacon").
tracker_word("metrics").
tracker_word("/ads").
tracker_word("doubleclick").
tracker_word("gtag").
tracker_word("tagmanager").
tracker_word("sentry").
tracker_word("hotjar").
tracker_word("segment").
Decl own_tracker_word(Word) bound [/string].
own_tracker_word("analytics").
own_tracker_word("telemetry").
own_tracker_word("/track").
own_tracker_word("pixel").
own_tracker_word("/collect").
own_tracker_word("beacon").
own_tracker_word("/vitals").

# Their code, also where the page's own server hands it out.
Decl is_tracker_script(Url) bound [/string].
is_tracker_script(Url) :- stack(_, _, _, Url, _), script_word(Word), :string:contains(Url, Word).
Decl script_word(Word) bound [/string].
script_word("/ads").
script_word("analytics").
script_word("telemetry").
script_word("tracker").
script_word("tracking").
script_word("gtag").
script_word("/gtm").
script_word("pixel").
script_word("beacon").

# ---- code --------------------------------------------------------------------------------------------------

# Scripts of others, in which nobody here can change a line.
Decl foreign_script(Url) bound [/string].
foreign_script(Url) :- other_site(R), url_of(R, Url), kind_of(R, "script").
# Where the page has scripts of its own, those of other origins are not its own.
Decl other_site(R) bound [/string].
other_site(R) :- third_party(R).
other_site(R) :-
  kind_of(R, "script"),
  request_path(R, Origin, _),
  !page_origin(Origin),
  has_own_script().
Decl has_own_script().
has_own_script() :- kind_of(R, "script"), request_path(R, Origin, _), page_origin(Origin).

Decl own_frame(X, Depth, Function, Url, Line) bound [/string, /number, /string, /string, /number].
own_frame(X, Depth, Function, Url, Line) :-
  stack(X, Depth, Function, Url, Line),
  Url != "",
  !foreign_script(Url),
  !is_tracker_script(Url).
Decl has_own_frame(X) bound [/string].
has_own_frame(X) :- own_frame(X, _, _, _, _).

Decl is_bundled(Function)
  descr [doc("Of code in few long lines: its column stands behind its name.")]
  bound [/string].
is_bundled(Function) :- stack(_, _, Function, _, _), :string:contains(Function, "@").
# "/static/cart.js:14": the innermost line of code that belongs to the page.
Decl first_own_depth(X, Depth) bound [/string, /number].
first_own_depth(X, Depth) :- own_frame(X, D, _, _, _) |> do fn:group_by(X), let Depth = fn:min(D).
Decl place_of(X, Where) bound [/string, /string].
place_of(X, Where) :-
  first_own_depth(X, Depth),
  own_frame(X, Depth, _, Url, Line),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
Decl short_url(Url, Short)
  descr [doc("Without the page's own origin.")]
  bound [/string, /string].
short_url(Url, Short) :-
  own_frame(_, _, _, Url, _),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1).
short_url(Url, Url) :- own_frame(_, _, _, Url, _), !is_page_script(Url).
Decl is_page_script(Url) bound [/string].
is_page_script(Url) :-
  own_frame(_, _, _, Url, _),
  page_origin(Origin),
  :string:starts_with(Url, Origin).
Decl is_in_page_script(X) bound [/string].
is_in_page_script(X) :-
  first_own_depth(X, Depth),
  own_frame(X, Depth, _, Url, _),
  page_origin(Origin),
  :string:starts_with(Url, Origin).
place_of(X, Where) :-
  first_own_depth(X, Depth),
  own_frame(X, Depth, _, Url, Line),
  !is_in_page_script(X),
  Where = fn:string:concat(Url, ":", Line).

# What the language gives, so that no answer has to.
Decl is_method(Name) bound [/string].
is_method("map").
is_method("filter").
is_method("forEach").
is_method("reduce").
is_method("find").
is_method("findIndex").
is_method("some").
is_method("every").
is_method("includes").
is_method("indexOf").
is_method("join").
is_method("slice").
is_method("splice").
is_method("push").
is_method("pop").
is_method("concat").
is_method("sort").
is_method("reverse").
is_method("flat").
is_method("flatMap").
is_method("keys").
is_method("values").
is_method("entries").
is_method("length").
is_method("toString").
is_method("toUpperCase").
is_method("toLowerCase").
is_method("trim").
is_method("split").
is_method("replace").
is_method("replaceAll").
is_method("startsWith").
is_method("endsWith").
is_method("match").
is_method("charAt").
is_method("substring").
is_method("padStart").
is_method("padEnd").
is_method("toFixed").
is_method("toPrecision").
is_method("toLocaleString").
is_method("getTime").
is_method("toISOString").
is_method("then").
is_method("catch").
is_method("call").
is_method("apply").
is_method("bind").
is_method("hasOwnProperty").
is_method("has").
is_method("get").
is_method("set").
is_method("add").

# ---- errors --------------------------------------------------------------------------------------------------

Decl error_text(E, Text) bound [/string, /string].
error_text(E, Text) :- error(E, _, Text, _)@[T, _].
Decl error_source(E, Source) bound [/string, /string].
error_source(E, Source) :- error(E, _, _, Source)@[T, _].
Decl error_name(E, Name) bound [/string, /string].
error_name(E, Name) :- error(E, Name, _, _)@[T, _].

# Nobody caught it.
Decl is_thrown(E) bound [/string].
is_thrown(E) :- error_source(E, "exception").
is_thrown(E) :- error_source(E, "rejection").
# Foreign recordings do not say where it came from: with the name of an error it was one.
is_thrown(E) :- error_source(E, "other"), error_name(E, Name), Name != "".

# The browser's own report of a request that went wrong: an effect of that request, never a cause.
Decl is_report(E) bound [/string].
is_report(E) :- error_about_request(E, _).
is_report(E) :- error_source(E, "network").

# What it is about, in its own words.
# An element that is not there is a matter of the page's own markup, not of an answer.
Decl is_about_markup(E) bound [/string].
is_about_markup(E) :- error_text(E, T), markup_word(Word), :string:contains(T, Word).
Decl markup_word(Word) bound [/string].
markup_word("(setting '").
markup_word("reading 'addEventListener'").
markup_word("reading 'classList'").
markup_word("reading 'style'").
markup_word("reading 'appendChild'").
markup_word("reading 'innerHTML'").
markup_word("reading 'dataset'").
markup_word("reading 'querySelector").
markup_word("reading 'getContext'").
markup_word("reading 'focus'").
markup_word("reading 'parentNode'").
markup_word("reading 'setAttribute'").
markup_word("reading 'textContent'").
markup_word("reading 'getBoundingClientRect'").

Decl speaks_of(E, What) bound [/string, /string].
speaks_of(E, "fetch") :- error_text(E, T), :string:contains(T, "Failed to fetch").
speaks_of(E, "fetch") :- error_text(E, T), :string:contains(T, "NetworkError").
speaks_of(E, "fetch") :- error_text(E, T), :string:contains(T, "Load failed").
speaks_of(E, "fetch") :- error_text(E, T), :string:contains(T, "Network Error").
speaks_of(E, "fetch") :- error_text(E, T), :string:contains(T, "error sending request").
speaks_of(E, "cancel") :- error_text(E, T), :string:contains(T, "AbortError").
speaks_of(E, "cancel") :- error_name(E, "AbortError").
speaks_of(E, "cancel") :- error_text(E, T), :string:contains(T, "aborted").
speaks_of(E, "cancel") :- error_text(E, T), :string:contains(T, "TimeoutError").
speaks_of(E, "stream") :- error_text(E, T), :string:contains(T, "EventSource").
speaks_of(E, "socket") :- error_text(E, T), :string:contains(T, "WebSocket").
speaks_of(E, "parse") :- error_text(E, T), :string:contains(T, "is not valid JSON").
speaks_of(E, "parse") :- error_text(E, T), :string:contains(T, "in JSON at position").
speaks_of(E, "parse") :- error_text(E, T), :string:contains(T, "Unexpected end of JSON").
speaks_of(E, "parse") :- error_text(E, T), :string:contains(T, "Unexpected end of input").
speaks_of(E, "parse") :- error_text(E, T), :string:contains(T, "JSON.parse").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, " of null").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, " of undefined").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, "is not an object").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, "is not iterable").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, "is not a function").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, " is null").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, " is undefined").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, "undefined or null").
speaks_of(E, "missing") :- error_text(E, T), :string:contains(T, "null or undefined").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "ail").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "ould not").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "nable to").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "annot load").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "HTTP ").
speaks_of(E, "failed") :- error_text(E, T), :string:contains(T, "rror:").

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
node_at(C, Ms) :- caught(C, _, _)@[T, _], ms(T, Ms).
node_at(Q, Ms) :- element_missing(Q, _)@[T, _], ms(T, Ms).
node_at(Q, Ms) :- event_unheard(Q, _)@[T, _], ms(T, Ms).
node_at(Q, Ms) :- listener_again(Q, _, _, _)@[T, _], ms(T, Ms).
node_at(B, Ms) :- long_script(B, _, _, _, _)@[T, _], ms(T, Ms).
node_at(H, Ms) :- kept_alive(H, _)@[T, _], ms(T, Ms).
node_at(K, Ms) :- timer_set(K, _, _)@[T, _], ms(T, Ms).
node_at(K, Ms) :- timer_without(K, _, _)@[T, _], ms(T, Ms).
node_at(K, Ms) :- notice_gone(K, _, _, _)@[T, _], ms(T, Ms).
node_at(K, Ms) :- stored(K, _, _, _)@[T, _], ms(T, Ms).
node_at(K, Ms) :- storage_read(K, _, _, _)@[T, _], ms(T, Ms).

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

# A field that its user left blank was not to come from anywhere.
Decl is_left_blank(R, Place) bound [/string, /string].
is_left_blank(R, Place) :- asked_after_input(R, _), sent_empty(R, Place).
# Fields that are left blank are texts: null is what code had not got.
Decl is_left_text(R, Place) bound [/string, /string].
is_left_text(R, Place) :- is_left_blank(R, Place), !sent_type(R, Place, "null").

# No for an answer, as pages get it every day: nobody is signed in, there are no settings yet. Other things must speak
# before such a request is blamed; one that is a suspect for something else, too, or was asked wrongly, is not meant.
Decl is_soft(R) bound [/string].
is_soft(R) :- status_of(R, 404), is_plain_get(R), !is_poor_question(R).
is_soft(R) :- status_of(R, 410), is_plain_get(R), !is_poor_question(R).
is_soft(R) :- status_of(R, 401), is_plain_get(R).
is_soft(R) :- none_is_expected(R), !is_poor_question(R).
# There is none yet, in words of the server's own, and the code has a branch for that.
none_is_expected(R) :-
  code_expects(R, 404),
  status_of(R, 404),
  refusal_says(R, 1, _, Said),
  !is_plain_not_found(Said).
is_plain_not_found(Said) :-
  refusal_says(R, 1, _, Said),
  status_of(R, 404),
  not_found_word(Word),
  :string:contains(Said, Word).
not_found_word("ot found").
not_found_word("ot Found").
not_found_word("OT FOUND").
not_found_word("ot_found").
not_found_word("oute").
not_found_word("annot GET").
not_found_word("nknown path").
not_found_word("ndpoint").
not_found_word("404").
Decl is_plain_get(R) bound [/string].
is_plain_get(R) :- method_of(R, "GET"), is_data(R).
Decl is_poor_question(R)
  descr [doc("Sent with undefined and the like where a value belongs.")]
  bound [/string].
is_poor_question(R) :- sends_nothing(R, _, _), !only_empty_query(R).
is_poor_question(R) :- asked_with_id_of(R, _, _, _, _).
# An empty parameter is often meant: nothing is searched for yet.
Decl only_empty_query(R) bound [/string].
only_empty_query(R) :- request_query(R, _, ""), !sends_no_value(R).
Decl sends_no_value(R) bound [/string].
sends_no_value(R) :- sends_nothing(R, _, V), V != "nothing".
# ---- what an answer says of an error -----------------------------------------------------------------

Decl says_why(R, Said) bound [/string, /string].
says_why(R, Said) :- refusal_says(R, _, _, Said).
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

# What it says first and foremost, as it may be quoted: rather which member was refused and why than a title.
Decl words_rank(Where, Rank) bound [/string, /number].
words_rank(Where, 1) :- refusal_says(_, _, Where, _), !is_of_worth(Where).
words_rank(Where, 2) :- refusal_says(_, _, Where, _), is_message(Where).
words_rank(Where, 3) :- refusal_says(_, _, Where, _), :string:ends_with(Where, "detail").
words_rank(Where, 4) :- refusal_says(_, _, Where, _), is_of_member(Where).
Decl is_of_worth(Where) bound [/string].
is_of_worth(Where) :- is_message(Where).
is_of_worth(Where) :- refusal_says(_, _, Where, _), :string:ends_with(Where, "detail").
is_of_worth(Where) :- is_of_member(Where).
Decl is_message(Where) bound [/string].
is_message(Where) :-
  refusal_says(_, _, Where, _),
  message_word(Word),
  :string:ends_with(Where, Word).
is_message("").
Decl message_word(Word) bound [/string].
message_word("message").
message_word("msg").
message_word("error").
message_word("description").
message_word("reason").
Decl is_of_member(Where)
  descr [doc("It says what is wrong with something that was sent.")]
  bound [/string].
is_of_member(Where) :-
  refusal_says(_, _, Where, _),
  member_words(Word),
  :string:starts_with(Where, Word).
Decl member_words(Word) bound [/string].
member_words("errors").
member_words("details.").
member_words("violations").
member_words("fieldErrors").
member_words("field_errors").
member_words("validation").
member_words("fields").
member_words("problems").
member_words("invalid").
Decl best_words(R, Rank) bound [/string, /number].
best_words(R, Rank) :- refusal_says(R, _, Where, _), words_rank(Where, N)
  |> do fn:group_by(R), let Rank = fn:max(N).
Decl first_words(R, Number) bound [/string, /number].
first_words(R, Number) :- best_words(R, Rank), refusal_says(R, N, Where, _), words_rank(Where, Rank)
  |> do fn:group_by(R), let Number = fn:min(N).
Decl own_words(R, Quote)
  descr [doc("`errors.title can't be blank`, `invalid CSRF token`.")]
  bound [/string, /string].
own_words(R, Said) :-
  first_words(R, N),
  refusal_says(R, N, Where, Said),
  !is_of_member(Where),
  !is_about_member(R, N).
# { name: "vat", reason: "must not be blank" }
own_words(R, Quote) :-
  first_words(R, N),
  refusal_says(R, N, _, Said),
  is_about_member(R, N),
  first_about(R, Name),
  Quote = fn:string:concat(Name, " ", Said).
Decl about_count(R, Count) bound [/string, /number].
about_count(R, Count) :- refusal_about(R, Name) |> do fn:group_by(R), let Count = fn:count().
Decl first_about(R, Name) bound [/string, /string].
first_about(R, Name) :- about_count(R, 1), refusal_about(R, Name).
Decl is_about_member(R, N) bound [/string, /number].
is_about_member(R, N) :-
  first_about(R, Name),
  refusal_says(R, N, Where, Said),
  of_one_member(Word),
  :string:ends_with(Where, Word),
  !:string:contains(Said, Name).
Decl of_one_member(Word) bound [/string].
of_one_member("s.reason").
of_one_member("s.message").
of_one_member("s.msg").
of_one_member("s.detail").
of_one_member("s.description").
own_words(R, Quote) :-
  first_words(R, N),
  refusal_says(R, N, Where, Said),
  is_of_member(Where),
  !is_about_member(R, N),
  Quote = fn:string:concat(Where, " ", Said).

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
missing_word("can't be blank").
missing_word("cannot be blank").
missing_word("can't be empty").
missing_word("cannot be empty").

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
is_tracker(R) :-
  is_data(R),
  request_path(R, Origin, Path),
  !page_origin(Origin),
  own_tracker_word(Word),
  :string:contains(Path, Word).
is_tracker(R) :-
  kind_of(R, "script"),
  request_path(R, Origin, Path),
  !page_origin(Origin),
  tag_word(Word),
  :string:contains(Path, Word).
Decl tag_word(Word) bound [/string].
tag_word("/tag.js").
tag_word("/tags/").
tag_word("gtag").
tag_word("tagmanager").
tag_word("/pixel").
tag_word("/stats").
tag_word("analytics").
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
own_tracker_word("/pulse").
own_tracker_word("/heartbeat").
own_tracker_word("pixel").
own_tracker_word("/collect").
own_tracker_word("beacon").
own_tracker_word("/vitals").
own_tracker_word("/rum").
own_tracker_word("/client-log").
own_tracker_word("/client-error").
own_tracker_word("/perf").
own_tracker_word("/metrics").
own_tracker_word("/rum").
own_tracker_word("client-log").

# Their code, also where the page's own server hands it out.
Decl is_tracker_script(Url) bound [/string].
is_tracker_script(Url) :-
  stack(_, _, _, Url, _),
  script_word(Word),
  :string:contains(Url, Word),
  !is_subject(Word).
# A page of that name is about it: /tracking/ of a parcel, the analytics of a shop.
is_subject(Word) :- page(Url, _, _), script_word(Word), :string:contains(Url, Word).
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

# By who asks, whatever the address is called and though it is another port of the same host: a script from elsewhere sends
# something on its own account, to neither the page's server nor one that the page's code asks, and reads no answer.
is_tracker(R) :- sent_aside(R).
Decl sent_aside(R) bound [/string].
sent_aside(R) :-
  asked_from_elsewhere(R),
  is_change(R),
  stack(R, 0, _, Url, _),
  script_from_elsewhere(Url, From),
  !reads_answers(From).
Decl script_from_elsewhere(Url, Origin)
  descr [doc("The page has scripts of its own, and this is none of them.")]
  bound [/string, /string].
script_from_elsewhere(Url, Origin) :-
  kind_of(S, "script"),
  url_of(S, Url),
  request_path(S, Origin, _),
  !page_origin(Origin),
  has_own_script().
Decl has_page_frame(R)
  descr [doc("Code of the page's own origin is among who asked.")]
  bound [/string].
has_page_frame(R) :- method_of(R, _), stack(R, _, _, Url, _), is_of_page(Url).
# What is told of a stack ends somewhere: the page's code may stand behind that.
has_page_frame(R) :- method_of(R, _), stack(R, 7, _, _, _).
Decl asked_alone(R, From)
  descr [doc("By a script from elsewhere, with no code of the page behind it.")]
  bound [/string, /string].
asked_alone(R, From) :-
  method_of(R, _),
  stack(R, 0, _, Url, _),
  script_from_elsewhere(Url, From),
  !has_page_frame(R).
# A script that is at home with the page's server is the page's, wherever it comes from.
Decl is_at_home(From) bound [/string].
is_at_home(From) :-
  asked_alone(R, From),
  is_data(R),
  request_path(R, Origin, _),
  page_origin(Origin).
Decl reads_answers(From) bound [/string].
reads_answers(From) :- asked_alone(R, From), code_takes(R, _, _, _).
reads_answers(From) :- asked_alone(R, From), code_reads_json(R).
reads_answers(From) :- asked_alone(R, From), code_may_read_json(R).
Decl asked_by_page(Origin)
  descr [doc("Code of the page asks there, itself or by a library from elsewhere.")]
  bound [/string].
asked_by_page(Origin) :-
  is_data(R),
  stack(R, 0, _, Url, _),
  is_of_page(Url),
  request_path(R, Origin, _).
Decl is_of_page(Url) bound [/string].
is_of_page(Url) :-
  stack(_, _, _, Url, _),
  page_origin(Origin),
  Start = fn:string:concat(Origin, "/"),
  :string:starts_with(Url, Start).
asked_by_page(Origin) :-
  is_data(R),
  has_page_frame(R),
  same_address(R, Method, Origin, Path),
  !is_own_account(Method, Origin, Path).
Decl is_own_account(Method, Origin, Path) bound [/string, /string, /string].
is_own_account(Method, Origin, Path) :- asked_alone(R, _), same_address(R, Method, Origin, Path).
Decl asked_from_elsewhere(R) bound [/string].
asked_from_elsewhere(R) :-
  is_data(R),
  stack(R, 0, _, Url, _),
  script_from_elsewhere(Url, From),
  same_address(R, Method, Origin, Path),
  is_own_account(Method, Origin, Path),
  !page_origin(Origin),
  !is_at_home(From),
  !asked_by_page(Origin).

# ---- code --------------------------------------------------------------------------------------------------

# Scripts of others, in which nobody here can change a line.
Decl foreign_script(Url) bound [/string].
foreign_script(Url) :- other_site(R), url_of(R, Url), kind_of(R, "script").
# Where the page has scripts of its own, those of other origins are not its own, nor what they ask for themselves.
Decl other_site(R) bound [/string].
other_site(R) :- third_party(R).
other_site(R) :- asked_from_elsewhere(R).
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
# A line through which requests of several routes went is the page's own client of the API, and so is the function around
# it: what is asked there, and how, is said by its callers.
Decl line_route(Function, Url, Line, Route) bound [/string, /string, /number, /string].
line_route(Function, Url, Line, Route) :-
  is_data(R),
  own_frame(R, _, Function, Url, Line),
  request_route(R, Route).
Decl line_routes(Function, Url, Line, Count) bound [/string, /string, /number, /number].
line_routes(Function, Url, Line, Count) :- line_route(Function, Url, Line, Route)
  |> do fn:group_by(Function, Url, Line), let Count = fn:count_distinct().
Decl is_client_line(Function, Url, Line) bound [/string, /string, /number].
is_client_line(Function, Url, Line) :- line_routes(Function, Url, Line, Count), 2 <= Count.
Decl is_client_function(Function, Url) bound [/string, /string].
is_client_function(Function, Url) :- is_client_line(Function, Url, _), Function != "".
Decl is_client_frame(X, Depth) bound [/string, /number].
is_client_frame(R, Depth) :-
  method_of(R, _),
  own_frame(R, Depth, Function, Url, Line),
  is_client_line(Function, Url, Line).
# Known by its address, where there are too few requests to tell by.
is_client_frame(R, Depth) :-
  method_of(R, _),
  own_frame(R, Depth, _, Url, _),
  client_file(Word),
  :string:contains(Url, Word).
Decl client_file(Word) bound [/string].
client_file("/vendor/").
client_file("/node_modules/").
client_file(".min.js").
client_file("/lib/").
client_file("/axios").
client_file("/api.js").
client_file("/api.ts").
client_file("/http.js").
client_file("/http.ts").
client_file("api-client").
client_file("apiClient").
client_file("http-client").
client_file("httpClient").
# What such a function throws at its callers. What code does wrong itself stands where it is.
is_client_frame(E, Depth) :-
  is_thrown_on(E),
  own_frame(E, Depth, Function, Url, _),
  is_client_function(Function, Url).
Decl is_thrown_on(E) bound [/string].
is_thrown_on(E) :- error_name(E, Name), !is_own_mistake(Name).
is_thrown_on(E) :- speaks_of(E, "fetch").
is_thrown_on(E) :- speaks_of(E, "parse").
Decl is_own_mistake(Name) bound [/string].
is_own_mistake("TypeError").
is_own_mistake("ReferenceError").
is_own_mistake("RangeError").
is_own_mistake("SyntaxError").

# "/static/cart.js:14": the innermost line of code that belongs to the page, and is not that of such a client. Where all
# of them are, as in a loop over addresses, it is the innermost.
Decl caller_depth(X, Depth) bound [/string, /number].
caller_depth(X, Depth) :- own_frame(X, D, _, _, _), !is_client_frame(X, D)
  |> do fn:group_by(X), let Depth = fn:min(D).
Decl has_caller(X) bound [/string].
has_caller(X) :- caller_depth(X, _).
Decl first_own_depth(X, Depth) bound [/string, /number].
first_own_depth(X, Depth) :- caller_depth(X, Depth).
first_own_depth(X, Depth) :- own_frame(X, D, _, _, _), !has_caller(X)
  |> do fn:group_by(X), let Depth = fn:min(D).
# Of a request the line that says what is asked for, where that is known.
Decl place_of(X, Where) bound [/string, /string].
place_of(R, Where) :- asked_at(R, Url, Line), code_place(Url, Line, Where).
place_of(X, Where) :-
  first_own_depth(X, Depth),
  !asked_at(X, _, _),
  own_frame(X, Depth, _, Url, Line),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
# The same of lines that evidence about code tells.
Decl told_line(Url, Line) bound [/string, /number].
told_line(Url, Line) :- kept_short(_, _, _, Url, Line).
told_line(Url, Line) :- name_as_list(_, _, Url, Line).
told_line(Url, Line) :- asked_at(_, Url, Line).
told_line(Url, Line) :- prevents_late(Url, Line).
told_line(Url, Line) :- code_misses(_, _, Url, Line).
told_line(Url, Line) :- not_waited_for(_, Url, Line).
told_line(Url, Line) :- asked_too_early(_, _, Url, Line).
told_line(Url, Line) :- drawn_by(_, Url, Line).
told_line(Url, Line) :- date_from(_, R, Path), code_takes(R, Path, Url, Line).
told_line(Url, Line) :- code_asks_for(_, _, Url, Line).
told_line(Url, Line) :- fallback_taken(_, _, _, _, Url, Line).
told_line(Url, Line) :- choice_cased(_, _, _, _, Url, Line).
told_line(Url, Line) :- submit_listener(Url, _, Line).
told_line(Url, Line) :- button_enabled(Url, Line).
told_line(Url, Line) :- form_checked(_, Url, Line).
told_line(Url, Line) :- inline_gives(_, Url, Line).
told_line(Url, Line) :- form_check_lacks(_, _, Url, Line).
told_line(Url, Line) :- form_check_refuses(_, _, _, _, Url, Line).
told_line(Url, Line) :- code_reads_as(_, _, _, Url, Line).
told_line(Url, Line) :- spelt_otherwise(_, _, _, Url, _, Line).
told_line(Url, Line) :- object_as_text(_, _, Url, Line).
told_line(Url, Line) :- selector_at(_, Url, Line).
told_line(Url, Line) :- sorted_as_text(_, _, Url, Line).
told_line(Url, Line) :- code_slip(_, Url, Line).
told_line(Url, Line) :- part_read_as(_, _, _, Url, Line).
told_line(Url, Line) :- looked_up_as(_, _, _, _, Url, Line).
told_line(Url, Line) :- month_off(_, _, _, _, Url, Line).
told_line(Url, Line) :- id_missed_at(_, _, _, Url, Line).
told_line(Url, Line) :- told_early(_, _, Url, Line).
told_line(Url, Line) :- heard_late(_, Url, Line).
told_line(Url, Line) :- listens_anew(Url, Line, _).
told_line(Url, Line) :- sent_grown(_, _, _, _, Url, Line).
told_line(Url, Line) :- added_to_text(Url, Line, _, _).
told_line(Url, Line) :- asked_together(_, Url, Line).
told_line(Url, Line) :- puts_unencoded(_, Url, Line).
told_line(Url, Line) :- shown_whole(R, Path, _), code_takes(R, Path, Url, Line).
Decl code_place(Url, Line, Where) bound [/string, /number, /string].
code_place(Url, Line, Where) :-
  told_line(Url, Line),
  page_origin(Origin),
  :string:starts_with(Url, Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).
code_place(Url, Line, Where) :-
  told_line(Url, Line),
  !is_told_of_page(Url),
  Where = fn:string:concat(Url, ":", Line).
Decl is_told_of_page(Url) bound [/string].
is_told_of_page(Url) :- told_line(Url, _), page_origin(Origin), :string:starts_with(Url, Origin).
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
  !asked_at(X, _, _),
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

# Exceptions that code caught: pages catch many, and most of them are meant to be caught. Those count that tell of wrong
# code or of a browser that refuses something, and of which a user sees that something did not come about.
Decl fault_of_code(Name)
  descr [doc("What the engine throws where code is wrong. What code throws itself (Error) says that something else failed.")]
  bound [/string].
fault_of_code("TypeError").
fault_of_code("ReferenceError").
fault_of_code("RangeError").
fault_of_code("URIError").
fault_of_code("InvalidStateError").
fault_of_code("NotFoundError").
fault_of_code("DataCloneError").
fault_of_code("DataError").
fault_of_code("ConstraintError").
fault_of_code("InvalidCharacterError").
fault_of_code("InvalidAccessError").
fault_of_code("HierarchyRequestError").
fault_of_code("TransactionInactiveError").
fault_of_code("VersionError").
fault_of_code("SyntaxError").
Decl refused_by_browser(Name)
  descr [doc("What the browser throws where it does not do what it is asked for.")]
  bound [/string].
refused_by_browser("NotAllowedError").
refused_by_browser("NotSupportedError").
refused_by_browser("SecurityError").
refused_by_browser("EncodingError").
refused_by_browser("OperationError").
Decl fails_in_code(C) bound [/string].
fails_in_code(C) :-
  caught(C, Name, _)@[T, _],
  fault_of_code(Name),
  has_own_frame(C),
  !is_about_request(C).
Decl is_refused_by_browser(C) bound [/string].
is_refused_by_browser(C) :- caught(C, Name, _)@[T, _], refused_by_browser(Name), has_own_frame(C).
Decl is_about_request(C)
  descr [doc("A request that failed, whose affair it is.")]
  bound [/string].
is_about_request(C) :- caught(C, _, Text)@[T, _], :string:contains(Text, "fetch").
Decl caught_after(C, I)
  descr [doc("Within a second after the user did something.")]
  bound [/string, /string].
caught_after(C, I) :-
  caught(C, _, _)@[T, _],
  ms(T, B),
  input(I, _, _, _)@[S, _],
  ms(S, A),
  A <= B,
  B <= fn:plus(A, 1000).
# Nothing comes of what the user did or what was answered.
Decl gives_up(C) bound [/string].
gives_up(C) :- quiet_after(C), caught_after(C, _).
gives_up(C) :- quiet_after(C), error_awaits(C, _).
# What the listener of a form says when it is sent speaks of what was filled in.
is_of_form("shown:alert") :- said_by_listener("alert"), is_refused_form().
is_of_form("shown:error") :- said_by_listener("error"), is_refused_form().
Decl is_of_form(X) bound [/string].
Decl is_refused_form().
is_refused_form() :- submitted(I, _, _, _, "true"), !asked_by_form(I).
Decl asked_by_form(I) bound [/string].
asked_by_form(I) :- asked_after_input(R, I), !third_party(R), !is_beacon(R).
Decl is_beacon(R) bound [/string].
is_beacon(R) :- kind_of(R, "beacon").
Decl shows_that_it_failed()
  descr [doc("The page says to the end that something is on its way, or that it failed.")].
shows_that_it_failed() :- shown("spinner", _).
shows_that_it_failed() :- shown("waiting", _).
shows_that_it_failed() :- shown("alert", _), !is_of_form("shown:alert").
shows_that_it_failed() :- shown("error", _), !is_of_form("shown:error").
Decl caught_matters(C) bound [/string].
caught_matters(C) :- fails_in_code(C), shows_that_it_failed().
caught_matters(C) :- fails_in_code(C), gives_up(C).
caught_matters(C) :- is_refused_by_browser(C), caught_after(C, _), shows_that_it_failed().
caught_matters(C) :- is_refused_by_browser(C), caught_after(C, _), gives_up(C).
caught_matters(C) :- caught(C, _, _)@[T, _], storage_failed(C, _), has_own_frame(C).
caught_matters(C) :- fails_in_code(C), breaks_list_off(C, _, _, _).
caught_matters(C) :- fails_in_code(C), reports_itself(C).
caught_matters(C) :- fails_in_code(C), lacks_late_name(C).
Decl breaks_list_off(C, R, Path, Shown)
  descr [doc("It reads an answer's list, of which the first items stand on the page and none behind them.")]
  bound [/string, /string, /string, /number].
breaks_list_off(C, R, Path, Shown) :-
  caught(C, _, _)@[T, _],
  error_awaits(C, R),
  list_shown(R, Path, Shown, Count, Shown),
  0 < Shown,
  Shown < Count.
Decl reports_itself(C)
  descr [doc("What it says is sent to a server: whoever caught it holds it for a fault.")]
  bound [/string].
reports_itself(C) :- caught(C, _, Said)@[T, _], sent_value(_, _, Said).
Decl lacks_late_name(C)
  descr [doc("What it lacks has the name of a script that ran only later.")]
  bound [/string].
lacks_late_name(C) :-
  caught(C, _, _)@[T, _],
  error_about_name(C, _),
  name_in_file(C, R),
  script_request(S, R),
  script(S, _, _)@[_, Ran],
  ms(T, A),
  ms(Ran, B),
  A < B.
lacks_late_name(C) :-
  caught(C, _, _)@[T, _],
  error_about_name(C, Name),
  defines(S, Name),
  script(S, _, _)@[_, Ran],
  ms(T, A),
  ms(Ran, B),
  A < B.
caught_matters(C) :- caught_on_null(C).
Decl caught_on_null(C)
  descr [doc("It read a member of what the awaited answer has as null.")]
  bound [/string].
caught_on_null(C) :-
  fails_in_code(C),
  caught(C, "TypeError", Said)@[T, _],
  :string:contains(Said, " of null"),
  error_awaits(C, R),
  reads_path(C, Name),
  body_type(R, Path, "null"),
  End = fn:string:concat(".", Name),
  :string:ends_with(Path, End).
error_text(C, Text) :- caught_matters(C), caught(C, _, Text)@[T, _].
error_name(C, Name) :- caught_matters(C), caught(C, Name, _)@[T, _].

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

# ---- what files of kinds know, and others have to ----------------------------------------------------------------

Decl asked_with_misread(R, Node)
  descr [doc("It was asked with nothing in a place, by what code at Node had not found in an answer (44_reads.mg).")]
  bound [/string, /string].
Decl dropped_token(R, T, Path)
  descr [doc("It was sent no credential, though T had answered one at Path (43_tokens.mg).")]
  bound [/string, /string, /string].
Decl raced(R)
  descr [doc("It renewed the session beside another, and was refused for it (43_session.mg).")]
  bound [/string].
Decl is_in_circle(E)
  descr [doc("Modules that import each other are behind this error (45_imports.mg).")]
  bound [/string].
Decl is_sign_in(R)
  descr [doc("Signing in, tokens: what later requests are let in by (30_causes_requests.mg).")]
  bound [/string].

# ---- what the page says that there is none of ------------------------------------------------------------------

Decl is_denied_by_page(R)
  descr [doc("It failed or was given up, and to its end the page says that there is none of what it was asked for.")]
  bound [/string].
is_denied_by_page(R) :- said_none(R, Line, _), is_cancelled(R), !is_true_of_another(Line).
is_denied_by_page(R) :-
  said_none(R, Line, _),
  went_wrong(R),
  !is_soft(R),
  !is_true_of_another(Line).
Decl is_true_of_another(Line)
  descr [doc("It is said of a list that came empty.")]
  bound [/string].
is_true_of_another(Line) :- said_none(R, Line, _), body_empty(R, Path), body_type(R, Path, "array").

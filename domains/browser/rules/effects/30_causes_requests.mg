# What led to what, between requests: credentials, values that flow from one answer into the next request, changes
# that were not made; and what led to what a reader sees.

# ---- a request and an earlier one ----------------------------------------------------------------------------

Decl was_known_first(R2, R1, Ms)
  descr [doc("R2 was sent when R1 was known; both are suspects.")]
  bound [/string, /string, /number].
was_known_first(R2, R1, Ms) :-
  odd(R1),
  odd(R2),
  R1 != R2,
  !is_same_address(R1, R2),
  known_at(R1, A),
  sent_at(R1, Sent),
  sent_at(R2, B),
  Sent < B,
  Ms = fn:minus(B, A),
  -3 <= Ms,
  Ms < 30000.

# A second try is no effect of the first.
Decl is_same_address(A, B) bound [/string, /string].
is_same_address(A, B) :-
  odd(A),
  odd(B),
  same_address(A, Method, Origin, Path),
  same_address(B, Method, Origin, Path),
  A != B.

# Signing in, tokens: what later requests are let in by.
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "token"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "login"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "signin"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "sign-in"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "session"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "auth"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "refresh"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "csrf"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "credential"), is_data(R).
is_sign_in(R) :- request_path(R, _, P), :string:contains(P, "sso"), is_data(R).
is_sign_in(R) :- kind_of(R, "document"), method_of(R, "POST").

Decl turned_away(R)
  descr [doc("It was not let in.")]
  bound [/string].
turned_away(R) :- status_of(R, 401).
turned_away(R) :- status_of(R, 403).
turned_away(R) :- status_of(R, 419).

reason(R2, R1, "credentials", 70, Why) :-
  turned_away(R2),
  was_known_first(R2, R1, _),
  is_sign_in(R1),
  !is_soft(R1),
  request_label(R1, Label),
  Why = fn:string:concat("it was not let in: ", Label, " had not brought a valid credential").
reason(R2, R1, "no credential", 15, "it went without a credential") :-
  turned_away(R2),
  credential_sent(R2, "none"),
  was_known_first(R2, R1, _),
  is_sign_in(R1).

# The answer that should bring a credential has none.
Decl brought_no_credential(R, Path) bound [/string, /string].
brought_no_credential(R, Path) :-
  is_data(R),
  went_well(R),
  body_empty(R, Path),
  credential_member(Name),
  :string:ends_with(Path, Name).
Decl credential_member(Name) bound [/string].
credential_member("oken").
credential_member("jwt").
credential_member("csrf").
credential_member("session").
credential_member("apiKey").
credential_member("api_key").
credential_member("ticket").
Decl is_turned_away_after(R2, R1) bound [/string, /string].
is_turned_away_after(R2, R1) :-
  brought_no_credential(R1, _),
  turned_away(R2),
  known_at(R1, A),
  sent_at(R2, B),
  A <= B.
reason(R2, R1, "credentials", 75, Why) :-
  is_turned_away_after(R2, R1),
  brought_no_credential(R1, Path),
  request_label(R1, Label),
  Why = fn:string:concat("it was not let in: ", Label, " had answered nothing at ", Path).
suspect(R1, "empty_data", Text) :-
  is_turned_away_after(_, R1),
  brought_no_credential(R1, Path),
  request_label(R1, Label),
  Text = fn:string:concat(Label, " answered nothing at ", Path).

# A cookie that the browser did not keep is missing later.
reason(R2, R1, "cookie", 85, Why) :-
  turned_away(R2),
  cookie_refused(R1, Name, Because, "set"),
  request_path(R1, Origin, _),
  request_path(R2, Origin, _),
  known_at(R1, A),
  sent_at(R2, B),
  A <= B,
  CookieKind = fn:string:concat("cookie:", Name),
  !credential_sent(R2, CookieKind),
  Why = fn:string:concat("the cookie ", Name, " was refused (", Because, ") and so not sent").

# What was sent had come in an answer, or should have.

# The answer that should have brought it: one that failed; one with nothing in it; or else the last before, if
# it came just before.
Decl own_answer_before(R2, R1, Ms)
  descr [doc("R2 sent nothing where a value belongs; R1 was whole by then, so many milliseconds earlier.")]
  bound [/string, /string, /number].
own_answer_before(R2, R1, Ms) :-
  needs_value(R2),
  !is_explained_question(R2),
  sent_at(R2, B),
  is_data(R1),
  !is_tracker(R1),
  !is_poor_and_repeated(R1),
  !has_what_is_missing(R1, R2),
  R1 != R2,
  sent_at(R1, Sent),
  Sent < B,
  whole_at(R1, A),
  Ms = fn:minus(B, A),
  -10 <= Ms,
  Ms < 30000.
# By the very name that the question uses: what the code did with it is its own affair.
Decl has_what_is_missing(R1, R2) bound [/string, /string].
has_what_is_missing(R1, R2) :-
  sends_nothing(R2, Place, _),
  bare_place(Place, Name),
  There = fn:string:concat("$.", Name),
  body_value(R1, There, _),
  R1 != R2.
# Asked wrongly again and again: one round leads to the next, and tells nothing.
Decl is_poor_and_repeated(R) bound [/string].
is_poor_and_repeated(R) :-
  is_poor_question(R),
  same_address(R, Method, Origin, Path),
  same_address(Other, Method, Origin, Path),
  Other != R.
# Where it is known why, the answers before it are no guess.
Decl is_explained_question(R) bound [/string].
is_explained_question(R) :- asked_with_misread(R, _).
is_explained_question(R) :- dropped_token(R, _, _).
Decl needs_value(R) bound [/string].
needs_value(R) :- sends_nothing(R, _, _).
needs_value(R) :- misses_member(R).
Decl whole_at(R, Ms) bound [/string, /number].
whole_at(R, Ms) :- ended_at(R, Ms).
whole_at(R, Ms) :- is_open(R), answered_at(R, Ms).
# Code that sees a bad status goes on without the body, which then ends whenever it is thrown away.
whole_at(R, Ms) :- has_bad_status(R, _), answered_at(R, Ms).
Decl nearest_own(R2, Ms) bound [/string, /number].
nearest_own(R2, Ms) :- own_answer_before(R2, R1, M) |> do fn:group_by(R2), let Ms = fn:min(M).

reason(R2, R1, "no value", 65, Why) :-
  own_answer_before(R2, R1, _),
  answered_no_data(R1),
  sends_nothing(R2, Place, V),
  Why = fn:string:concat("it sent ", V, " at ", Place, ", which should have come in that answer").
Decl answered_no_data(R)
  descr [doc("A success by its status, and no data in it.")]
  bound [/string].
answered_no_data(R) :- suspect(R, "wrong_content_type", _), went_well(R).
answered_no_data(R) :- suspect(R, "invalid_json", _), went_well(R).
answered_no_data(R) :- suspect(R, "error_in_body", _).
answered_no_data(R) :- suspect(R, "redirect_to_sign_in", _).
reason(R2, R1, "no value", 50, Why) :-
  own_answer_before(R2, R1, _),
  hard(R1),
  went_wrong(R1),
  sends_nothing(R2, Place, V),
  !is_left_text(R2, Place),
  Why = fn:string:concat("it sent ", V, " at ", Place, ", which should have come in that answer").
reason(R2, R1, "no value", 55, Why) :-
  own_answer_before(R2, R1, Ms),
  Ms < 200,
  body_empty(R1, Path),
  sends_nothing(R2, Place, V),
  Why = fn:string:concat("it sent ", V, " at ", Place, ", and had just been answered nothing at ",
                         Path).
reason(R2, R1, "no value", 50, Why) :-
  nearest_own(R2, Ms),
  own_answer_before(R2, R1, Ms),
  Ms < 100,
  sends_nothing(R2, Place, V),
  Why = fn:string:concat("it sent ", V, " at ", Place, " as soon as that answer was there").
reason(R2, R1, "name", 60, Why) :-
  is_about_the_same(R2, R1, Name),
  Why = fn:string:concat("it sent no ", Name, ", and that answer had brought none").

# One about $.session, /api/session: what is missing in the one is what the other was asked for.
Decl is_about_the_same(R2, R1, Name) bound [/string, /string, /string].
is_about_the_same(R2, R1, Name) :-
  own_answer_before(R2, R1, _),
  body_empty(R1, _),
  sends_nothing(R2, Place, _),
  request_path(R1, _, Path),
  bare_place(Place, Name),
  last_word(Path, Name).
is_about_the_same(R2, R1, Name) :-
  own_answer_before(R2, R1, _),
  sends_nothing(R2, Place, _),
  body_empty(R1, Path),
  bare_place(Place, Name),
  Path = fn:string:concat("$.", Name).
Decl bare_place(Place, Name) bound [/string, /string].
bare_place(Place, Name) :- sends_nothing(_, Place, _), Name = fn:string:replace(Place, "$.", "", 1).

Decl misses_what_came(R2, R1) bound [/string, /string].
misses_what_came(R2, R1) :-
  misses_member(R2),
  nearest_own(R2, Ms),
  own_answer_before(R2, R1, Ms),
  Ms < 100.
reason(R2, R1, "no value", 55,
       "something was missing in it, and it was sent as soon as that answer was there") :-
  misses_what_came(R2, R1).
suspect(R1, "missing_member", Text) :-
  misses_what_came(R2, R1),
  went_well(R1),
  request_label(R1, Label),
  request_label(R2, Next),
  Text = fn:string:concat(Label, " did not answer what ", Next, " had to send").

# So such an answer is a suspect, although nothing else speaks against it.
Decl brought_nothing(R1, R2, Place) bound [/string, /string, /string].
brought_nothing(R1, R2, Place) :-
  own_answer_before(R2, R1, Ms),
  Ms < 200,
  body_empty(R1, _),
  sends_nothing(R2, Place, _).
brought_nothing(R1, R2, Place) :-
  nearest_own(R2, Ms),
  own_answer_before(R2, R1, Ms),
  Ms < 100,
  sends_nothing(R2, Place, _).
brought_nothing(R1, R2, Place) :- is_about_the_same(R2, R1, Place).
suspect(R1, "missing_member", Text) :-
  brought_nothing(R1, R2, Place),
  went_well(R1),
  request_label(R1, Label),
  request_label(R2, Next),
  Text = fn:string:concat(Label, " did not answer what ", Next, " needed at ", Place).

Decl tells_apart(V)
  descr [doc("A value that came in the answers of one address only.")]
  bound [/string].
Decl came_in(V, Count) bound [/string, /number].
Decl value_by_route(V, Route) bound [/string, /string].
value_by_route(V, Route) :- body_value(R, _, V), request_route(R, Route).
came_in(V, Count) :- value_by_route(V, Route) |> do fn:group_by(V), let Count = fn:count().
tells_apart(V) :- came_in(V, 1), V != "", V != "true", V != "false", V != "0", V != "1".
reason(R2, R1, "value", 60, Why) :-
  odd(R2),
  sent_value(R2, _, V),
  tells_apart(V),
  body_value(R1, _, V),
  R1 != R2,
  known_at(R1, A),
  sent_at(R2, B),
  A <= B,
  Why = fn:string:concat("it sent ", V, ", which had come in that answer").
reason(R2, R1, "value", 60, Why) :-
  odd(R2),
  request_path(R2, _, P),
  odd(R1),
  body_value(R1, _, V),
  tells_apart(V),
  in_path(P, V),
  R1 != R2,
  known_at(R1, A),
  sent_at(R2, B),
  A <= B,
  Why = fn:string:concat("it asked for ", V, ", which had come in that answer").

# One function asked for both, the second when the first was there.
Decl both_asked(R2, R1, Function, Count) bound [/string, /string, /string, /number].
both_asked(R2, R1, Function, Count) :-
  was_known_first(R2, R1, _),
  hard(R1),
  !is_poor_question(R2),
  own_frame(R1, _, Function, Url, _),
  asks_for(Function, Url, Count),
  own_frame(R2, _, Function, Url, _),
  !is_bundled(Function).
# What the browser refuses by itself no other answer has to do with.
is_refused_by_rule(R) :- cors_error(R, _, _).
is_refused_by_rule(R) :- request_blocked(R, _).
reason(R2, R1, "code", 35, Why) :-
  both_asked(R2, R1, Function, Count),
  Count <= 3,
  !is_refused_by_rule(R2),
  Why = fn:string:concat(Function, " asked for both, one after the other").
reason(R2, R1, "near", 20, "it was sent as soon as that was known") :-
  was_known_first(R2, R1, Ms),
  !is_refused_by_rule(R2),
  hard(R1),
  Ms < 100,
  is_data(R1),
  is_data(R2).

# Asked wrongly: the server did not fail, it was asked for what is not there or not allowed. Then something that went
# wrong before, in the same course of the code, may have led to the wrong question.
Decl asked_wrongly(R) bound [/string].
asked_wrongly(R) :- asked_for_wrong_things(R), !is_poor_question(R), !says_what_was_wrong(R).
# An answer that quotes what was sent says itself what it is about: no other answer has led to it.
says_what_was_wrong(R) :- refusal_quotes(R, _, _, _), status_of(R, 400).
says_what_was_wrong(R) :- refusal_quotes(R, _, _, _), status_of(R, 422).
Decl asked_for_wrong_things(R) bound [/string].
asked_for_wrong_things(R) :- status_of(R, 400).
asked_for_wrong_things(R) :- status_of(R, 404).
asked_for_wrong_things(R) :- status_of(R, 405).
asked_for_wrong_things(R) :- status_of(R, 409).
asked_for_wrong_things(R) :- status_of(R, 410).
asked_for_wrong_things(R) :- status_of(R, 422).
Decl same_course(R2, R1) bound [/string, /string].
same_course(R2, R1) :- both_asked(R2, R1, _, _), asked_wrongly(R2), is_data(R1), is_data(R2).
same_course(R2, R1) :-
  was_known_first(R2, R1, _),
  hard(R1),
  !is_poor_question(R2),
  asked_wrongly(R2),
  is_data(R1),
  is_data(R2),
  own_frame(R1, D1, Function, Url, Line),
  own_frame(R2, D2, Function, Url, Line),
  !is_bundled(Function),
  1 < D1,
  1 < D2.
Decl course_count(R2, Count) bound [/string, /number].
course_count(R2, Count) :- same_course(R2, R1) |> do fn:group_by(R2), let Count = fn:count().
reason(R2, R1, "course", 50,
       "the same code asked for both, this one after the other had gone wrong") :-
  same_course(R2, R1),
  course_count(R2, 1).
reason(R2, R1, "course", 30,
       "the same code asked for both, this one after the other had gone wrong") :-
  same_course(R2, R1),
  course_count(R2, Count),
  1 < Count.

# What was to be changed was not, so what is read later is as before.
Decl reads_stale(R) bound [/string].
reads_stale(R) :- suspect(R, "empty_data", _).
reads_stale(R) :- suspect(R, "stale_data", _).
reads_stale(R) :- suspect(R, "missing_member", _).
reads_stale(R) :- suspect(R, "changed_shape", _).
reads_stale(R) :- has_bad_status(R, 404).
reads_stale(R) :- has_bad_status(R, 409).
reads_stale(R) :- has_bad_status(R, 400).
reads_stale(R) :- has_bad_status(R, 422).
Decl related_route(A, B)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
related_route(A, B) :- :string:starts_with(A, B).
related_route(A, B) :- :string:starts_with(B, A).
reason(R2, R1, "dependency", 60, Why) :-
  reads_stale(R2),
  was_known_first(R2, R1, _),
  is_change(R1),
  request_path(R1, Origin, P1),
  request_path(R2, Origin, P2),
  related_route(P1, P2),
  request_label(R1, Label),
  Why = fn:string:concat("it is about what ", Label, " should have made").

# ---- navigation, input, dialogs, what is shown ----------------------------------------------------------------

reason(R, I, "input", 70, Why) :-
  asked_after_input(R, I),
  input(I, Type, Target, _)@[T, _],
  Why = fn:string:concat("sent after ", Type, " on ", Target).

Decl in_navigation(N, R) bound [/string, /string].
in_navigation(N, R) :- navigation(N, Url, _)@[T, _], kind_of(R, "document"), url_of(R, Url).
reason(N, R, "document", 85, "the page itself did not come") :- in_navigation(N, R), odd(R).

reason(D, R, "near", 55, "it was shown right after") :- latest_before_dialog(D, R).
Decl before_dialog(D, R, Ms) bound [/string, /string, /number].
before_dialog(D, R, Ms) :-
  dialog(D, _, _)@[T, _],
  ms(T, B),
  odd(R),
  is_data(R),
  known_at(R, A),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 2000.
Decl nearest_to_dialog(D, Ms) bound [/string, /number].
nearest_to_dialog(D, Ms) :- before_dialog(D, R, M) |> do fn:group_by(D), let Ms = fn:min(M).
Decl latest_before_dialog(D, R) bound [/string, /string].
latest_before_dialog(D, R) :- nearest_to_dialog(D, Ms), before_dialog(D, R, Ms).
reason(D, E, "near", 55, "it was shown right after") :-
  dialog(D, _, _)@[T, _],
  ms(T, B),
  is_thrown(E),
  error_at(E, A),
  Ms = fn:minus(B, A),
  0 <= Ms,
  Ms < 500.

# What a reader sees has no time of its own; it is tied to what went wrong if that is one thing, or if it says which.
Decl shown_node(X, Text) bound [/string, /string].
shown_node("shown:alert", Text) :- shown("alert", Text).
shown_node("shown:error", Text) :- shown("error", Text).
# Where what is shown is known as text alone: words that pages use when something did not work.
Decl says_wrong(Phrase) bound [/string].
says_wrong(Phrase) :-
  shown("text", Text),
  wrong_phrase(Phrase),
  :string:contains(Text, Phrase),
  !is_content(Phrase).
# What an answer brought is the page's content.
Decl is_content(Phrase) bound [/string].
is_content(Phrase) :- body_value(_, _, Text), wrong_phrase(Phrase), :string:contains(Text, Phrase).
shows_that_it_failed() :- says_wrong(_).
Decl wrong_phrase(Phrase) bound [/string].
wrong_phrase("ould not").
wrong_phrase("ouldn't").
wrong_phrase("ouldn\u{2019}t").
wrong_phrase("went wrong").
wrong_phrase("not available").
wrong_phrase("unavailable").
wrong_phrase("ry again").
wrong_phrase("Sorry").
wrong_phrase("nable to").
wrong_phrase("ailed to").
wrong_phrase(" failed").
wrong_phrase("No connection").
wrong_phrase("onnection lost").
Decl said_phrase(Phrase) bound [/string].
said_phrase(Phrase) :- says_wrong(P) |> do fn:group_by(), let Phrase = fn:pick_any(P).
shown_node("shown:words", Text) :-
  said_phrase(P),
  phrase_in_words(P, Words),
  Text = fn:string:concat("the page says that something did not work: ", Words).
phrase_in_words(P, P) :- wrong_phrase(P), !cut_phrase(P).
phrase_in_words(P, Words) :- cut_words(P, Words).
cut_phrase(P) :- cut_words(P, _).
# Without the first letter, which is large where a sentence begins.
Decl cut_words(Phrase, Words) bound [/string, /string].
cut_words("ould not", "could not").
cut_words("ouldn't", "couldn't").
cut_words("ouldn\u{2019}t", "couldn\u{2019}t").
cut_words("ry again", "try again").
cut_words("nable to", "unable to").
cut_words("ailed to", "failed to").
cut_words(" failed", "failed").
cut_words("onnection lost", "connection lost").
node_text(X, Text) :- shown_node(X, Text).

# A no for an answer beside words of the page's text is nothing.
Decl is_only_words(X, R) bound [/string, /string].
is_only_words("shown:words", R) :- odd_data(R), is_soft(R).
Decl odd_data(R) bound [/string].
odd_data(R) :- odd(R), is_soft(R), !other_site(R), !has_any_hard().
Decl has_any_hard().
has_any_hard() :- hard(R), !other_site(R).
Decl has_hard_data().
has_hard_data() :- hard(R), !other_site(R).
odd_data(R) :- hard(R), !other_site(R).
odd_data(R) :- hard(R), other_site(R), !has_hard_data().
Decl odd_data_count(Count) bound [/number].
odd_data_count(Count) :- odd_data(R) |> do fn:group_by(), let Count = fn:count().
reason(X, R, "alone", 50, "it is the only request that went wrong") :-
  shown_node(X, _),
  !is_of_form(X),
  !is_only_words(X, R),
  odd_data_count(1),
  odd_data(R).
reason(X, R, "alone", 30, "it is one of the requests that went wrong") :-
  shown_node(X, _),
  !is_of_form(X),
  odd_data_count(N),
  1 < N,
  odd_data(R).
reason(X, R, "status", 40, Why) :-
  shown_node(X, Said),
  odd_data(R),
  status_text(R, Text),
  :string:contains(Said, Text),
  Why = fn:string:concat("it speaks of status ", Text).
reason(X, R, "address", 60, Why) :-
  shown_node(X, Said),
  odd_data(R),
  request_path(R, _, Path),
  Path != "/",
  :string:contains(Said, Path),
  Why = fn:string:concat("it names ", Path).
reason(X, R, "words", 60, "it shows what the answer says") :-
  shown_node(X, Said),
  odd_data(R),
  says_error(R, Text),
  :string:contains(Said, Text).
Decl says_error(R, Text) bound [/string, /string].
says_error(R, Text) :- body_says_error(R, _, Text), Text != "".
says_error(R, Text) :- refusal_says(R, _, _, Text).
reason(X, V, "alone", 52, "it is the only thing that the page was refused") :-
  shown_node(X, _),
  csp_violation(V, _, _),
  odd(V),
  !has_any_hard().
reason(X, E, "alone", 52, "it is the only error that was thrown") :-
  shown_node(X, _),
  thrown_count(1),
  own_thrown(E).
Decl own_thrown(E) bound [/string].
own_thrown(E) :- is_thrown(E), has_own_frame(E).
Decl thrown_count(Count) bound [/number].
thrown_count(Count) :- own_thrown(E) |> do fn:group_by(), let Count = fn:count().
reason(X, E, "words", 60, "it shows what the error says") :-
  shown_node(X, Said),
  error_text(E, Text),
  !is_report(E),
  Text != "",
  :string:contains(Said, Text).

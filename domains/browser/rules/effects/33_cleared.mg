# Who is not to blame. A page that works is full of things that look like faults: what failed and was asked for
# again, pictures and trackers that nobody misses, searches that a newer one replaced.

# ---- what a fault does to the page ----------------------------------------------------------------------

# Errors that say nothing about this page's own code.
Decl is_foreign(E)
  descr [doc("All of its code is somebody else's.")]
  bound [/string].
is_foreign(E) :- stack(E, _, _, Url, _), foreign_script(Url), error_source(E, _), !has_own_frame(E).
is_foreign(E) :-
  stack(E, _, _, Url, _),
  is_tracker_script(Url),
  error_source(E, _),
  !has_own_frame(E).
is_foreign(E) :- error_text(E, "Script error.").
is_foreign(E) :- error_text(E, "Uncaught Script error.").
is_foreign(E) :-
  stack(E, _, _, Url, _),
  :string:starts_with(Url, "chrome-extension:"),
  error_source(E, _).

Decl is_known_noise(E) bound [/string].
is_known_noise(E) :- error_text(E, T), :string:contains(T, "ResizeObserver loop").
is_known_noise(E) :- error_source(E, "deprecation").
is_known_noise(E) :- misses_tracker(E, _).
Decl misses_tracker(E, R)
  descr [doc("A snippet in the document calls what the script R would have defined, which did not come and is a tracker's.")]
  bound [/string, /string].

# A thrown error, or one that the page's own code wrote, behind which R is.
Decl felt_by(R, E) bound [/string, /string].
felt_by(R, E) :- leads(E, R), is_thrown(E), !is_foreign(E), !is_known_noise(E).
felt_by(R, E) :-
  leads(E, R),
  error_source(E, "console"),
  !is_report(E),
  !is_foreign(E),
  !says_it_itself(E).
felt_by(R, D) :- leads(D, R), dialog(D, "alert", _)@[T, _].
felt_by(R, R2) :- leads(R2, R), trouble(R2, _, _), is_data(R2), R != R2.
felt_by(R, "shown:keys") :- leads("shown:keys", R).
Decl is_felt(R) bound [/string].
is_felt(R) :- felt_by(R, _).

Decl thrown_by(R, E) bound [/string, /string].
thrown_by(R, E) :-
  leads(E, R),
  is_thrown(E),
  !is_foreign(E),
  !is_known_noise(E),
  !speaks_of(E, "cancel").
Decl makes_throw(R) bound [/string].
makes_throw(R) :- thrown_by(R, _).

Decl page_complains() descr [doc("A reader sees that something is wrong.")].
page_complains() :- shown("alert", _), !is_of_form("shown:alert").
page_complains() :- shown("error", _), !is_of_form("shown:error").
page_complains() :- shown("spinner", _).
page_complains() :- shown("waiting", _).
page_complains() :- shown("empty", Text), !is_true_of_another(Text).
page_complains() :- says_wrong(_).
Decl page_shows_it() descr [doc("The same, by more than words of its text.")].
page_shows_it() :- shown("alert", _), !is_of_form("shown:alert").
page_shows_it() :- shown("error", _), !is_of_form("shown:error").
page_shows_it() :- shown("spinner", _).
page_shows_it() :- shown("waiting", _).
page_shows_it() :- shown("empty", Text), !is_true_of_another(Text).

# ---- requests ----------------------------------------------------------------------------------------------

cleared(R, Why) :-
  made_good_at(R, _),
  !makes_throw(R),
  request_label(R, Label),
  Why = fn:string:concat(Label, " succeeded later").

# Cancelled, because the page was left, or because a newer one took its place.
cleared(R, "the page was left") :- request_cancelled(R, "navigation").
cleared(R, "the page was left") :- request_cancelled(R, "page"), !makes_throw(R).
cleared(R, "a newer request took its place") :- replaced_by(R, _), !makes_throw(R).
Decl replaced_by(R, Later) bound [/string, /string].
replaced_by(R, Later) :-
  is_cancelled(R),
  endpoint(R, Method, Route),
  endpoint(Later, Method, Route),
  R != Later,
  sent_at(R, A),
  sent_at(Later, B),
  A < B,
  Ms = fn:minus(B, A),
  Ms < 10000,
  !went_wrong_for_good(Later).
Decl went_wrong_for_good(R) bound [/string].
went_wrong_for_good(R) :- went_wrong(R), !is_cancelled(R).
Decl is_given_up_by_timer(R)
  descr [doc("The page's own code waited so long for data of its own, and then gave it up.")]
  bound [/string].
cleared(R, "it was cancelled, and nothing came of it") :-
  is_cancelled(R),
  !is_given_up_by_timer(R),
  !is_change(R),
  !is_felt(R),
  !is_denied_by_page(R),
  !page_complains().

cleared(R, "another place answered the same") :- answered_elsewhere(R, _), !makes_throw(R).

# One question gives way to another with the same words in it, which the same code asks meanwhile: a preview to the search.
gives_way(R, Later) :-
  is_cancelled(R),
  own_frame(R, 0, _, Url, _),
  request_query(R, _, Words),
  Words != "",
  request_query(Later, _, Words),
  R != Later,
  own_frame(Later, 0, _, Url, _),
  went_well(Later),
  sent_at(R, A),
  sent_at(Later, B),
  ended_at(R, C),
  A < B,
  B <= fn:plus(C, 100),
  C <= fn:plus(B, 100).
cleared(R, "another question with the same words took its place") :-
  gives_way(R, _),
  !is_change(R),
  !makes_throw(R),
  !page_complains(),
  !none_line(_).

# Waiting for news: it ran out and was asked again.
cleared(R, "it waits for news and is asked again") :- asked_again(R, _), !makes_throw(R).
Decl ran_out(R) bound [/string].
ran_out(R) :- status_of(R, 504).
ran_out(R) :- status_of(R, 408).
ran_out(R) :- no_answer(R, Reason), :string:contains(Reason, "TIMED_OUT").
ran_out(R) :- no_answer(R, Reason), :string:contains(Reason, "EMPTY_RESPONSE").
ran_out(R) :- is_cancelled(R).
Decl asked_again(R, Later) bound [/string, /string].
asked_again(R, Later) :-
  ran_out(R),
  same_address(R, Method, Origin, Path),
  same_address(Later, Method, Origin, Path),
  R != Later,
  ended_at(R, A),
  sent_at(Later, B),
  A <= B,
  is_open(Later).

# What nobody misses. (One that takes the answers of others along is missed with them.)
Decl takes_along(R)
  descr [doc("Answers that were waited for together with it are lost because it failed.")]
  bound [/string].
goes_on_without(R) :- goes_without(R).
goes_on_without(R) :- code_does_without(R, "place"), went_wrong(R).
cleared(R, "the page takes its place away and goes on without it") :-
  goes_on_without(R),
  !is_change(R),
  !makes_throw(R),
  !is_denied_by_page(R).
cleared(R, "nothing on the page depends on it") :- is_asset(R), went_wrong(R), !is_felt(R).
cleared(R, "nothing on the page depends on it") :- kind_of(R, "beacon").
cleared(R, "a third party's, and the page works without it") :-
  other_site(R),
  went_wrong(R),
  !is_felt(R),
  !takes_along(R),
  !is_import_stopped(R),
  !may_be_what_is_wrong(R).
# Code of the page's own asks for it when it needs it, and its own policy keeps it out.
Decl is_import_stopped(R) bound [/string].
is_import_stopped(R) :-
  request_blocked(R, "csp"),
  kind_of(R, "script"),
  asked_by(R, "script"),
  has_own_frame(R).
cleared(R, "a tracker's or an ad's, and no part of the page") :- is_tracker(R).
cleared(R, "this server's setting allow keeps it out, which is no fault of the page") :-
  request_blocked(R, "allow").
cleared(E, "this server's setting allow kept its request out") :- is_kept_out(E).
Decl is_kept_out(E) bound [/string].
is_kept_out(E) :- link(E, R, _), request_blocked(R, "allow"), error_source(E, _).
cleared(R, "kept out by the user's browser") :-
  no_answer(R, "net::ERR_BLOCKED_BY_CLIENT"),
  !makes_throw(R).
cleared(R, Why) :-
  kind_of(R, "preflight"),
  url_of(R, Url),
  url_of(Main, Url),
  R != Main,
  Why = fn:string:concat("sent ahead of ", Main).

# A reader sees that something is wrong, and nothing else is there that may be it.
Decl may_be_what_is_wrong(R) bound [/string].
may_be_what_is_wrong(R) :- odd(R), is_soft(R), !other_site(R), page_shows_it(), !has_hard().
may_be_what_is_wrong(R) :- hard(R), other_site(R), page_complains(), !has_hard().
Decl has_hard().
has_hard() :- hard(R), !other_site(R).
has_hard() :- is_thrown(E), !is_foreign(E), !is_known_noise(E).

# Asked whether somebody is signed in, and nobody is.
cleared(R, "nobody is signed in, and the page knows how to deal with that") :-
  status_of(R, 401),
  method_of(R, "GET"),
  !is_felt(R),
  !was_signed_in(R),
  !may_be_what_is_wrong(R).
Decl was_signed_in(R) bound [/string].
was_signed_in(R) :-
  turned_away(R),
  is_sign_in(S),
  is_change(S),
  R != S,
  sent_at(S, A),
  sent_at(R, B),
  A < B.
was_signed_in(R) :- turned_away(R), credential_sent(R, "bearer").
was_signed_in(R) :- turned_away(R), asked_after_input(R, _).
was_signed_in(R) :- turned_away(R), refused_cookie_of(R, _).
Decl refused_cookie_of(R, Name)
  descr [doc("A cookie of its origin was refused, so that it may be missing here.")]
  bound [/string, /string].
refused_cookie_of(R, Name) :-
  cookie_refused(S, Name, _, _),
  request_path(S, Origin, _),
  request_path(R, Origin, _),
  turned_away(R).

# Asked whether there is something, and there is not.
Decl is_not_there(R) bound [/string].
is_not_there(R) :- status_of(R, 404).
is_not_there(R) :- status_of(R, 410).
cleared(R, "optional: nothing on the page missed it") :-
  is_not_there(R),
  method_of(R, "GET"),
  !is_poor_question(R),
  !kind_of(R, "document"),
  !kind_of(R, "script"),
  !kind_of(R, "style"),
  !is_felt(R),
  !takes_along(R),
  !may_be_what_is_wrong(R).
# Its status is looked for by name, and nothing on the page says that something is missing.
cleared(R, "the code expects to be turned away here") :-
  status_of(R, 403),
  method_of(R, "GET"),
  is_data(R),
  code_expects(R, 403),
  !is_felt(R),
  !asked_after_input(R, _),
  !page_complains(),
  !none_line(_),
  !takes_along(R).
# For others, as the page says to its reader in words of its own.
cleared(R, "it is for others, and the page says so") :- said_for_others(R).
cleared(E, "it writes down what is for others") :-
  error_source(E, "console"),
  leads(E, R),
  said_for_others(R).
said_for_others(R) :-
  status_of(R, 403),
  method_of(R, "GET"),
  is_data(R),
  code_expects(R, 403),
  says_calmly(R),
  !makes_throw(R),
  !is_led_by_hard(R).
is_led_by_hard(R) :- status_of(R, 403), leads(R, Q), R != Q, hard(Q).
cleared(R, "nothing is done with its answer") :-
  code_discards(R),
  went_wrong(R),
  method_of(R, "GET"),
  is_data(R),
  !makes_throw(R),
  !is_denied_by_page(R),
  !page_complains().
cleared(E, "it is about a request with whose answer nothing is done") :-
  leads(E, R),
  code_discards(R),
  method_of(R, "GET"),
  error_source(E, "console"),
  !page_complains().
cleared(R, "a probe") :- went_wrong(R), method_of(R, "HEAD"), !is_felt(R).

# The code says itself that it went on without.
Decl goes_on_word(Word) bound [/string].
goes_on_word("fallback").
goes_on_word("falling back").
goes_on_word("fall back").
goes_on_word("using default").
goes_on_word("defaults").
goes_on_word("cached").
goes_on_word("from cache").
goes_on_word("ignor").
goes_on_word("optional").
goes_on_word("skipp").
goes_on_word("degraded").
goes_on_word("retry").
goes_on_word("without").
goes_on_word("starting afresh").
goes_on_word("starting over").
goes_on_word("not available").
goes_on_word("unavailable").
goes_on_word("offline").
goes_on_word("disabled").
Decl says_it_goes_on(M, Ms) bound [/string, /number].
says_it_goes_on(M, Ms) :-
  message(M, _, Text)@[T, _],
  goes_on_word(Word),
  :string:contains(Text, Word),
  ms(T, Ms).
Decl handled_by(R, M) bound [/string, /string].
handled_by(R, M) :-
  went_wrong(R),
  known_at(R, A),
  says_it_goes_on(M, B),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 1500.
cleared(R, "handled: the page says that it goes on without") :-
  handled_by(R, _),
  method_of(R, "GET"),
  !kind_of(R, "document"),
  !takes_along(R),
  !is_felt(R),
  !page_complains().

# To keep it is refused to who is not signed in, and it is kept elsewhere.
cleared(R, "handled: the page says that it goes on without") :-
  turned_away(R),
  is_change(R),
  handled_instead(R),
  !is_felt(R),
  !page_complains().
handled_instead(R) :-
  turned_away(R),
  known_at(R, A),
  message(_, _, Text)@[T, _],
  :string:contains(Text, "instead"),
  ms(T, B),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 1500.

# The code that asked has something else in its place, and shows it: a default that is more than nothing.
cleared(R, "optional: the page goes on with a value of its own") :-
  code_does_without(R, "value"),
  went_wrong(R),
  method_of(R, "GET"),
  is_data(R),
  !is_felt(R),
  !page_complains(),
  !is_missed_in_words(R),
  !takes_along(R),
  !was_signed_in(R).
# There is none, which the code expects or the server says in words of its own, and the page says what that means to its
# reader. (A page that says that there is none of something is believed only where it says it for this.)
cleared(R, "there is none, and the page says what that means") :-
  status_of(R, 404),
  method_of(R, "GET"),
  is_data(R),
  says_calmly(R),
  is_known_none(R),
  !is_felt(R),
  !is_poor_question(R).
is_known_none(R) :- code_expects(R, 404).
is_known_none(R) :- refusal_says(R, 1, _, Said), status_of(R, 404), !is_plain_not_found(Said).
says_calmly(R) :- code_says_instead(R, Text), !is_alarm(Text).
is_alarm(Text) :- code_says_instead(_, Text), wrong_phrase(Phrase), :string:contains(Text, Phrase).
is_alarm(Text) :- code_says_instead(_, Text), shown_alarm(Said), :string:contains(Said, Text).
shown_alarm(Said) :- shown("alert", Said).
shown_alarm(Said) :- shown("error", Said).
shown_alarm(Said) :- shown("empty", Said).
shown_alarm(Said) :- none_line(Said).
# It is looked up whether there is one, by whatever method, and there is none yet: the same code goes on with that.
cleared(R, "there is none, which the code expects, and it goes on") :-
  none_is_expected(R),
  is_data(R),
  asks_on(R, _).
asks_on(R, Next) :-
  none_is_expected(R),
  known_at(R, A),
  asked_after_input(R, I),
  asked_after_input(Next, I),
  sent_at(Next, B),
  A <= B,
  asked_at(R, Url, _),
  own_frame(Next, _, _, Url, _).
# A server that fails, and a page that says that there is none of something: what stands in for the answer is not enough.
Decl is_missed_in_words(R) bound [/string].
is_missed_in_words(R) :- code_does_without(R, "value"), went_wrong(R), !is_soft(R), none_line(_).

# The server refuses what the user asked for, and the user is told why: that is how forms work.
cleared(R, "a refusal that the user is told of") :-
  is_refusal(R),
  asked_after_input(R, _),
  says_why(R, Said),
  shown(_, Text),
  :string:contains(Text, Said),
  !sends_poorly(R),
  !is_more_than_refused(R),
  !has_hard_cause(R),
  !makes_throw(R).
# The code has words of its own for just this refusal, and they stand on the page.
cleared(R, "a refusal that the user is told of") :-
  may_be_refused(R),
  asked_after_input(R, _),
  tells_of_refusal(R),
  !sends_poorly(R),
  !is_more_than_refused(R),
  !has_hard_cause(R),
  !makes_throw(R).
tells_of_refusal(R) :- code_tells_reason(R, _, _).
# It gave way to what was said after another deed.
tells_of_refusal(R) :-
  code_has_words_for(R, _, _),
  changed_after(R),
  ended_at(R, A),
  input(I, _, _, _)@[T, _],
  node_at(I, B),
  A < B.
tells_of_refusal(R) :- status_of(R, Status), code_expects(R, Status), code_says_instead(R, _).
tells_of_refusal(R) :-
  status_of(R, Status),
  code_expects(R, Status),
  changed_after(R),
  ended_at(R, A),
  input(I, _, _, _)@[T, _],
  node_at(I, B),
  A < B.
Decl may_be_refused(R) bound [/string].
may_be_refused(R) :- is_refusal(R).
may_be_refused(R) :- status_of(R, Status), refuses_change(Status), is_change(R).
Decl refuses_change(Status) bound [/number].
refuses_change(403).
refuses_change(410).
refuses_change(412).
refuses_change(423).
refuses_change(425).
refuses_change(428).
cleared(E, "it writes down a refusal that the user is told of") :-
  error_source(E, "console"),
  leads(E, R),
  may_be_refused(R),
  asked_after_input(R, _),
  tells_of_refusal(R).
# What seemed to fail had arrived, as the second try is told and the code knows.
had_arrived(R, First) :-
  status_of(R, 409),
  code_expects(R, 409),
  is_change(R),
  same_address(R, Method, Origin, Path),
  same_address(First, Method, Origin, Path),
  R != First,
  went_wrong(First),
  !is_refusal(First),
  ended_at(First, A),
  sent_at(R, B),
  A <= B.
cleared(R, "the first try had arrived, as the code expects") :- had_arrived(R, _).
cleared(First, "it had arrived, as the second try was told") :- had_arrived(_, First).
cleared(E, "it writes down a try that had arrived") :-
  error_source(E, "console"),
  leads(E, R),
  had_arrived(R, _).
cleared(E, "it writes down a try that had arrived") :-
  error_source(E, "console"),
  leads(E, First),
  had_arrived(_, First).
# (What its user left blank he can fill in.)
Decl sends_poorly(R) bound [/string].
sends_poorly(R) :- is_refusal(R), sends_nothing(R, Place, _), !is_left_blank(R, Place).
# What else is abnormal of it is nothing that its user could mend: it was sent twice, under another name, as something
# that it is not.
Decl is_more_than_refused(R) bound [/string].
is_more_than_refused(R) :- is_refusal(R), suspect(R, Kind, _), !is_plain_refusal(Kind).
Decl is_plain_refusal(Kind) bound [/string].
is_plain_refusal("rejected").
is_plain_refusal("refused_value").
is_plain_refusal("conflict").
is_plain_refusal("not_authorized").
is_plain_refusal("missing_route").
is_plain_refusal("too_large").
is_plain_refusal("rate_limited").
is_plain_refusal("status").
is_plain_refusal("slow").
is_plain_refusal("bad_argument").
Decl is_refusal(R) bound [/string].
is_refusal(R) :- status_of(R, 400).
is_refusal(R) :- status_of(R, 401), is_change(R).
is_refusal(R) :- status_of(R, 402).
is_refusal(R) :- status_of(R, 404), is_change(R).
is_refusal(R) :- status_of(R, 409).
is_refusal(R) :- status_of(R, 422).
is_refusal(R) :- status_of(R, 429).
Decl has_hard_cause(R) bound [/string].
has_hard_cause(R) :- is_refusal(R), leads(R, Q), hard(Q), !was_made_good(Q).
Decl was_made_good(R) bound [/string].
was_made_good(R) :- made_good_at(R, _).

# ---- errors ---------------------------------------------------------------------------------------------------

cleared(E, "somebody else's script") :- is_foreign(E).
cleared(E, "known to be harmless") :- is_known_noise(E).
cleared(E, "a tracker's or an ad's request that failed") :-
  fails_with_tracker(E),
  !fails_with_page(E).
Decl fails_with_tracker(E)
  descr [doc("A fetch that failed, of a tracker.")]
  bound [/string].
fails_with_tracker(E) :-
  speaks_of(E, "fetch"),
  is_tracker(R),
  got_nothing(R),
  failed_just_before(R, E).
Decl fails_with_page(E)
  descr [doc("A fetch that failed, of the page.")]
  bound [/string].
fails_with_page(E) :- speaks_of(E, "fetch"), odd(R), got_nothing(R), failed_just_before(R, E).
Decl got_nothing(R) bound [/string].
got_nothing(R) :- no_answer(R, _), is_data(R).
got_nothing(R) :- request_blocked(R, _), is_data(R).
got_nothing(R) :- cors_error(R, _, _).
Decl failed_just_before(R, E) bound [/string, /string].
failed_just_before(R, E) :-
  got_nothing(R),
  node_at(R, A),
  speaks_of(E, "fetch"),
  error_at(E, B),
  Ms = fn:minus(B, A),
  -100 <= Ms,
  Ms < 1000.
cleared(E, "the page says itself that it goes on without") :-
  says_it_itself(E),
  !page_complains(),
  !has_hard_cause_of(E).
Decl says_it_itself(E) bound [/string].
says_it_itself(E) :-
  error_source(E, "console"),
  !is_report(E),
  error_text(E, Text),
  goes_on_word(Word),
  :string:contains(Text, Word).
Decl has_hard_cause_of(E) bound [/string].
has_hard_cause_of(E) :- error_source(E, "console"), leads(E, R), hard(R).
cleared(E, "a request that was cancelled on purpose") :-
  is_thrown(E),
  speaks_of(E, "cancel"),
  link(E, R, _),
  request_cancelled(R, _),
  replaced_by(R, _).

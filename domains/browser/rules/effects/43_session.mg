# Kinds of fault of redirects, cookies and sessions.

# ---- redirects ----------------------------------------------------------------------------------------

# Words in an address that say: sign in first. Addresses are only asked about if data was redirected there.
Decl sign_in_word(Word) bound [/string].
sign_in_word("login").
sign_in_word("Login").
sign_in_word("log-in").
sign_in_word("signin").
sign_in_word("sign-in").
sign_in_word("sign_in").
sign_in_word("/auth").
sign_in_word("sso").
sign_in_word("session/new").

redirected_data(R, From, To, Status) :- redirected(R, _, Status, From, To), is_data(R).
Decl sent_to_sign_in(R, To) bound [/string, /string].
sent_to_sign_in(R, To) :-
  redirected_data(R, From, To, _),
  sign_in_word(Word),
  :string:contains(To, Word),
  !:string:contains(From, Word).
suspect(R, "redirect_to_sign_in", Text) :-
  sent_to_sign_in(R, To),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was redirected to the sign-in page ", To, " in place of data").

# It came as a page where data was awaited: nobody need have said so. Whether somebody is signed in may be asked this way.
asks_who(R) :- request_path(R, _, Path), who_word(Word), :string:ends_with(Path, Word).
Decl who_word(Word) bound [/string].
who_word("/me").
who_word("/session").
who_word("/whoami").
who_word("/user").
who_word("/account").
who_word("/auth").
offers_sign_in() :- shown(_, Text), sign_in_offer(Word), :string:contains(Text, Word).
Decl sign_in_offer(Word) bound [/string].
sign_in_offer("Sign in").
sign_in_offer("Log in").
sign_in_offer("Login").
sign_in_offer("sign in").
sign_in_offer("log in").
quiet_probe(R) :- sent_to_sign_in(R, _), asks_who(R), offers_sign_in().
trouble(R, 50, Text) :-
  sent_to_sign_in(R, _),
  own_data(R),
  went_well(R),
  html_data(R),
  !quiet_probe(R),
  request_label(R, Label),
  Text = fn:string:concat("a sign-in page came in place of the data of ", Label).

# 301, 302 and 303 make a GET of a POST; its body is lost. 307 and 308 keep both.
Decl loses_method(Status) bound [/number].
loses_method(301).
loses_method(302).
loses_method(303).
lost_body(R, From, To) :- redirected_data(R, From, To, Status), loses_method(Status), is_change(R).
# To the same place, spelled otherwise: nobody meant it as an answer.
moved(R) :- lost_body(R, From, To), Slash = fn:string:concat(From, "/"), To = Slash.
moved(R) :- lost_body(R, From, To), Slash = fn:string:concat(To, "/"), From = Slash.
moved(R) :-
  lost_body(R, From, To),
  :string:starts_with(From, "http:"),
  Secure = fn:string:replace(From, "http:", "https:", 1),
  To = Secure.
moved(R) :- lost_body(R, From, To), Www = fn:string:replace(From, "://", "://www.", 1), To = Www.
was_moved(R) :- moved(R).
was_moved(R) :- lost_body(R, _, _), has_bad_status(R, _).
suspect(R, "redirect_lost_body", Text) :-
  lost_body(R, _, To),
  was_moved(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was redirected to ", To, " as a GET: its body was lost").
trouble(R, 55, Text) :-
  lost_body(R, _, _),
  was_moved(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " did not reach its endpoint").

# A question that is sent to the same place, spelled otherwise, without what it asked with.
Decl same_but_query(From, To)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
same_but_query(From, To) :- Bare = fn:string:concat(To, "?"), :string:starts_with(From, Bare).
same_but_query(From, To) :-
  Bare = fn:string:concat(To, "?"),
  Slash = fn:string:replace(From, "?", "/?", 1),
  :string:starts_with(Slash, Bare).
same_but_query(From, To) :-
  Bare = fn:string:concat(To, "?"),
  Short = fn:string:replace(From, "/?", "?", 1),
  :string:starts_with(Short, Bare).
same_but_query(From, To) :-
  Bare = fn:string:concat(To, "?"),
  Secure = fn:string:replace(From, "http:", "https:", 1),
  :string:starts_with(Secure, Bare).
same_but_query(From, To) :-
  Bare = fn:string:concat(To, "?"),
  Www = fn:string:replace(From, "://", "://www.", 1),
  :string:starts_with(Www, Bare).
lost_query(R, To, Name) :-
  redirected_data(R, From, To, _),
  :string:contains(From, "?"),
  !:string:contains(To, "?"),
  same_but_query(From, To),
  asked_with(From, Name).
asked_with(From, Name) :-
  redirected_data(R, From, _, _),
  request_query(R, Name, Value),
  Value != "",
  Part = fn:string:concat(Name, "="),
  :string:contains(From, Part).
first_lost_query(R, To, Name) :- lost_query(R, To, N)
  |> do fn:group_by(R, To), let Name = fn:pick_any(N).
suspect(R, "redirect_lost_query", Text) :-
  first_lost_query(R, To, Name),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was redirected to ", To,
                          " without its query: what it asked with (", Name, ") was lost").
trouble(R, 54, Text) :-
  first_lost_query(R, _, Name),
  own_data(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is answered as if it had not asked with ", Name).
repair("redirect_lost_query", "endpoint",
       "ask for the address it redirects to, or keep the query when redirecting").
repair("redirect_lost_query", "code", "ask for the address that it redirects to").
check("redirect_lost_query", "is answered for what it asks with").

# Pages that send each other on: the same address again and again, without anybody asking.
not_asked("script").
not_asked("redirect").
not_asked("reload").
sent_on(N, Url) :- navigation(N, Url, Why)@[T, _], not_asked(Why).
sent_on_often(Url, Count) :- sent_on(N, Url) |> do fn:group_by(Url), let Count = fn:count().
first_sent_on(Url, First) :- sent_on(N, Url) |> do fn:group_by(Url), let First = fn:pick_any(N).
suspect(N, "redirect_loop", Text) :-
  sent_on_often(Url, Count),
  4 <= Count,
  first_sent_on(Url, N),
  Text = fn:string:concat("the page went to ", Url, " ", Count, " times by itself").
trouble(N, 70, Text) :-
  sent_on_often(Url, Count),
  4 <= Count,
  first_sent_on(Url, N),
  Text = fn:string:concat("the page does not come to rest: it goes to ", Url, " again and again").

# ---- cookies --------------------------------------------------------------------------------------------

# Why browsers refuse cookies, in words. What has no row is told as the browser says it.
Decl cookie_reason(Reason, Words) bound [/string, /string].
cookie_reason("SameSiteNoneInsecure", "SameSite=None without Secure").
cookie_reason("SameSiteLax", "SameSite=Lax, and the request came from another site").
cookie_reason("SameSiteStrict", "SameSite=Strict, and the request came from another site").
cookie_reason("SameSiteUnspecifiedTreatedAsLax",
              "no SameSite, and the request came from another site").
cookie_reason("SecureOnly", "Secure, and the address is http").
cookie_reason("InvalidDomain", "its Domain is another one").
cookie_reason("InvalidPrefix", "its prefix __Host- or __Secure- demands more").
cookie_reason("OverwriteSecure", "a Secure cookie of that name is there").
cookie_reason("ThirdPartyPhaseout", "third-party cookies are off").
cookie_reason("ThirdPartyBlockedInFirstPartySet", "third-party cookies are off").
cookie_reason("UserPreferences", "the browser's settings refuse it").
cookie_reason("NameValuePairExceedsMaxSize", "it is too long").
cookie_reason("SyntaxError", "it cannot be read").
cookie_reason("NotOnPath", "its Path is another one").
cookie_reason("DomainMismatch", "its Domain is another one").
has_cookie_reason(Reason) :- cookie_reason(Reason, _).
refused_why(R, Name, Words, When) :-
  cookie_refused(R, Name, Reason, When),
  cookie_reason(Reason, Words).
refused_why(R, Name, Reason, When) :-
  cookie_refused(R, Name, Reason, When),
  !has_cookie_reason(Reason).

suspect(R, "cookie_refused", Text) :-
  refused_why(R, Name, Words, "set"),
  request_label(R, Label),
  Text = fn:string:concat("the browser refused the cookie ", Name, " of ", Label, ": ", Words).

Decl lacks_right(R)
  descr [doc("It was refused for want of a credential.")]
  bound [/string].
lacks_right(R) :- has_bad_status(R, 401).
lacks_right(R) :- has_bad_status(R, 403).
lacks_right(R) :- has_bad_status(R, 419).
lacks_right(R) :- has_bad_status(R, 440).
lacks_right(R) :- sent_to_sign_in(R, _).

# A cookie that exists and was not sent where it was wanted. The fault is with who set it.
unsent(R, Name, Words) :- refused_why(R, Name, Words, "sent"), lacks_right(R).
set_before(R, Setter, Name) :-
  unsent(R, Name, _),
  cookie_set(Setter, Name),
  sent_at(R, B),
  known_at(Setter, A),
  A <= B.
has_setter(R, Name) :- set_before(R, _, Name).
suspect(Setter, "cookie_refused", Text) :-
  set_before(R, Setter, Name),
  unsent(R, Name, Words),
  request_label(Setter, Label),
  request_label(R, Other),
  Text = fn:string:concat("the cookie ", Name, " of ", Label, " is not sent to ", Other, ": ",
                          Words).
suspect(R, "cookie_refused", Text) :-
  unsent(R, Name, Words),
  !has_setter(R, Name),
  !goes_in_circle(R, Name, _, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " went without the cookie ", Name, ": ", Words).
# Set on the way, by the place that sends it back, and not sent there: it is redirected again and again.
sent_back(R, Via) :-
  redirected(R, First, _, Via, To),
  redirected(R, Again, _, Via, To),
  First < Again,
  url_of(R, Url),
  Via != Url.
goes_in_circle(R, Name, Path, Via) :-
  cookie_set(R, Name),
  cookie_path(R, Name, Path),
  cookie_refused(R, Name, "NotOnPath", "sent"),
  sent_back(R, _),
  sent_back(R, V)
  |> do fn:group_by(R, Name, Path), let Via = fn:pick_any(V).
suspect(R, "cookie_refused", Text) :-
  goes_in_circle(R, Name, Path, Via),
  without_origin(R, Via, Short),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is redirected in a circle (redirect loop): ", Short,
                          " sets the cookie ", Name, " with the Path ", Path,
                          " and sends it back, where it goes without that cookie").
without_origin(R, Via, Short) :-
  goes_in_circle(R, _, _, Via),
  request_path(R, Origin, _),
  Short = fn:string:replace(Via, Origin, "", 1).
change_at(R, Short, "the attributes of its cookie: SameSite, Secure, Domain, Path") :-
  without_origin(R, _, Short).
causes(R, Setter, "its cookie was not sent along") :- set_before(R, Setter, _).

# A cookie that was never kept, and a later request to the same host that is refused without it.
sends_cookie(R, Name) :- cookie_refused(_, Name, _, "set"), cookie_sent(R, Name).
cookie_sent(R, Name) :-
  cookie_refused(_, Name, _, "set"),
  Kind = fn:string:concat("cookie:", Name),
  credential_sent(R, Kind).
causes(R, Setter, Why) :-
  cookie_refused(Setter, Name, _, "set"),
  lacks_right(R),
  request_path(Setter, Origin, _),
  request_path(R, Origin, _),
  R != Setter,
  known_at(Setter, A),
  sent_at(R, B),
  A <= B,
  !sends_cookie(R, Name),
  Why = fn:string:concat("the cookie ", Name, " was refused before, so it went without").

# Nobody need be turned away for it: a server that misses the cookie of a session answers as if nobody were there, with an
# empty list, with nothing of what was just put in. Of a cookie that is kept, but for other addresses: its Path.
not_a_session("refresh").
not_a_session("consent").
not_a_session("lang").
not_a_session("locale").
not_a_session("theme").
not_a_session("pref").
not_a_session("seen").
no_session_cookie(Name) :-
  cookie_path(_, Name, _),
  not_a_session(Part),
  :string:contains(Name, Part).
no_session_cookie(Name) :- cookie_over(_, Name), not_a_session(Part), :string:contains(Name, Part).
no_session_cookie(Name) :-
  cookie_refused(_, Name, _, "set"),
  not_a_session(Part),
  :string:contains(Name, Part).
begins_session(S) :- is_change(S), own_data(S), !is_tracker(S).
begins_session(S) :- is_sign_in(S), own_data(S).
begins_session(S) :- kind_of(S, "document"), method_of(S, "POST").
goes_without_cookie(R, Setter, Name, Words) :-
  cookie_path(Setter, Name, Path),
  begins_session(Setter),
  credential_sent(R, "none"),
  asked_after_cookie(R, Setter),
  request_path(R, _, At),
  !:string:starts_with(At, Path),
  Words = fn:string:concat("its Path is ", Path).
goes_without_cookie(R, Setter, Name, Words) :-
  refused_why(Setter, Name, Words, "set"),
  begins_session(Setter),
  credential_sent(R, "none"),
  asked_after_cookie(R, Setter).
goes_without_cookie(R, Setter, Name, "it is over as soon as it is set (Max-Age or Expires)") :-
  cookie_over(Setter, Name),
  begins_session(Setter),
  !ends_session(Setter),
  credential_sent(Setter, "none"),
  credential_sent(R, "none"),
  asked_after_cookie(R, Setter).
ends_session(S) :- begins_session(S), request_path(S, _, Path), :string:contains(Path, "out").
ends_session(S) :- begins_session(S), method_of(S, "DELETE").
asked_after_cookie(R, Setter) :-
  begins_session(Setter),
  request_path(Setter, Origin, _),
  credential_sent(R, "none"),
  own_data(R),
  request_path(R, Origin, _),
  R != Setter,
  known_at(Setter, A),
  sent_at(R, B),
  A <= B.
answers_nobody(R, Said) :-
  goes_without_cookie(R, _, _, _),
  empty_answer(R, Path),
  body_type(R, Path, "array"),
  Said = fn:string:concat("nothing at ", Path).
answers_nobody(R, Said) :-
  goes_without_cookie(R, _, _, _),
  body_type(R, Path, "null"),
  who_place(Path),
  went_well(R),
  Said = fn:string:concat("null at ", Path).
answers_nobody(R, Said) :-
  goes_without_cookie(R, _, _, _),
  body_value(R, Path, "false"),
  in_place(Path),
  went_well(R),
  Said = fn:string:concat("false at ", Path).
who_place("$").
who_place("$.user").
who_place("$.account").
who_place("$.session").
who_place("$.viewer").
who_place("$.me").
who_place("$.data").
in_place(Path) :- body_value(_, Path, "false"), in_word(Word), :string:contains(Path, Word).
in_word("uthenticated").
in_word("oggedIn").
in_word("ogged_in").
in_word("ignedIn").
in_word("igned_in").
treated_as_nobody(R, Said) :- answers_nobody(R, S), !lacks_right(R)
  |> do fn:group_by(R), let Said = fn:pick_any(S).
is_as_nobody(R) :- treated_as_nobody(R, _).
cookie_not_there(Setter, Name, R, Words) :-
  goes_without_cookie(R, Setter, Name, Words),
  !no_session_cookie(Name),
  is_as_nobody(R).
told_by_browser(Setter, Name) :- cookie_refused(Setter, Name, _, "set").
cookie_path_text(Setter, Text) :-
  cookie_not_there(Setter, Name, R, Words),
  !told_by_browser(Setter, Name),
  request_label(Setter, Label),
  request_label(R, Other),
  T = fn:string:concat("the cookie ", Name, " of ", Label, " is not sent to ", Other, ": ", Words)
  |> do fn:group_by(Setter), let Text = fn:pick_any(T).
suspect(Setter, "cookie_refused", Text) :- cookie_path_text(Setter, Text).
trouble(R, 46, Text) :-
  cookie_not_there(_, _, R, _),
  treated_as_nobody(R, Said),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers ", Said, ", as if nobody had signed in").
causes(R, Setter, Why) :-
  cookie_not_there(Setter, Name, R, _),
  Why = fn:string:concat("it went without the cookie ", Name,
                         ", and was answered as if nobody were there").
# What was put in meanwhile was put in for nobody, too.
causes(Change, Setter, Why) :-
  cookie_not_there(Setter, Name, R, _),
  suspect(Change, "lost_update", _),
  goes_without_cookie(Change, Setter, Name, _),
  Why = fn:string:concat("it went without the cookie ", Name).

# ---- credentials that go to no other origin -------------------------------------------------------------------

# fetch to another origin sends and keeps cookies only where code says so (credentials: include).
omitted(R, Setter, Name) :-
  has_bad_status(R, 401),
  is_data(R),
  asked_by(R, "script"),
  request_path(R, Origin, _),
  !page_origin(Origin),
  credential_sent(R, "none"),
  cookie_set(Setter, Name),
  request_path(Setter, Origin, _),
  is_data(Setter),
  known_at(Setter, A),
  sent_at(R, B),
  A <= B,
  !is_refused_name(Name).
is_refused_name(Name) :- cookie_refused(_, Name, _, _).
omitted_text(R, Text) :-
  omitted(R, Setter, Name),
  request_label(R, Label),
  request_label(Setter, Other),
  T = fn:string:concat(Label, " went without the cookie ", Name, " of ", Other,
                       ": to another origin none are sent, nor kept, without credentials: include")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "credentials_omitted", Text) :- omitted_text(R, Text).
repair("credentials_omitted", "code", "ask with credentials: include, there and where it is set").
repair("credentials_omitted", "endpoint",
       "allow credentials (access-control-allow-credentials, and the origin by name)").
check("credentials_omitted", "is sent the cookie, and answers 200").

# Nor does Authorization follow a redirect to another origin.
sent_elsewhere(R, To) :-
  redirected(R, _, _, From, To),
  is_data(R),
  has_bad_status(R, 401),
  has_origin(From, Origin),
  !has_origin(To, Origin),
  asks_with_bearer(Origin).
has_origin(Url, Origin) :-
  redirect_end(Url),
  request_path(_, Origin, _),
  begins_origin(Url, Origin).
redirect_end(Url) :- redirected(_, _, _, Url, _).
redirect_end(Url) :- redirected(_, _, _, _, Url).
Decl begins_origin(Url, Origin)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
begins_origin(Url, Origin) :-
  Start = fn:string:concat(Origin, "/"),
  :string:starts_with(Url, Start).
asks_with_bearer(Origin) :- credential_sent(R, "bearer"), request_path(R, Origin, _).
suspect(R, "redirect_lost_credential", Text) :-
  sent_elsewhere(R, To),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was redirected to another origin, ", To,
                          ", to which browsers send no Authorization").
repair("redirect_lost_credential", "endpoint",
       "ask the address that it redirects to, or answer there itself").
check("redirect_lost_credential", "is answered by the address that is asked, with its credential").

# ---- sessions -------------------------------------------------------------------------------------------

# A session that ran out is renewed. The refusal that sets it off is how it goes; what fails is the renewal, if that does.
renewal_word("refresh").
renewal_word("renew").
renewal(T) :-
  request_route(T, Route),
  renewal_word(Word),
  :string:contains(Route, Word),
  is_data(T),
  !third_party(T).
sets_off(R, T) :-
  has_bad_status(R, 401),
  renewal(T),
  R != T,
  known_at(R, A),
  sent_at(T, B),
  A <= B,
  B <= fn:plus(A, 1500).
# A renewal that went well, and the same question is turned away again: that renewed nothing. (One that failed is to blame
# itself.)
asked_anew(R, Again) :-
  sets_off(R, T),
  went_well(T),
  known_at(T, A),
  same_address(R, Method, Origin, Path),
  same_address(Again, Method, Origin, Path),
  Again != R,
  sent_at(Again, B),
  A <= B.
in_vain(R) :- asked_anew(R, Again), lacks_right(Again), !was_let_in(R).
was_let_in(R) :- asked_anew(R, Again), went_well(Again).
cleared(R, "its session had run out, and is renewed after it") :- sets_off(R, _), !in_vain(R).
# It is sent again with what it was sent before: the newer credential is kept somewhere, and not taken from there.
renewed_for(Again, T) :-
  sets_off(R, T),
  went_well(T),
  asked_anew(R, Again),
  lacks_right(Again),
  !was_let_in(R),
  known_at(T, A),
  sent_at(Again, B),
  A <= B.
sends_credential(Again) :- renewed_for(Again, _), credential_sent(Again, Kind), Kind != "none".
last_renewal(Again, Ms) :- renewed_for(Again, T), known_at(T, M)
  |> do fn:group_by(Again), let Ms = fn:max(M).
suspect(Again, "stale_token", Text) :-
  last_renewal(Again, Ms),
  renewed_for(Again, T),
  known_at(T, Ms),
  sends_credential(Again),
  request_label(Again, Label),
  request_label(T, Renewal),
  status_of(Again, Status),
  Text = fn:string:concat(Label, " was sent again after ", Renewal,
                          " had renewed the session, and was refused again (", Status,
                          "): it is not sent the new token, but the old one, or the new one is not valid").
change_at(Again, Where, "put the new token into what is sent again") :-
  last_renewal(Again, _),
  sends_credential(Again),
  own_frame(Again, Depth, _, Url, Line),
  first_own_depth(Again, Depth),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
repair("stale_token", "resend", "put the new token into what is sent again").
asked_for_again(R, Again) :- asked_anew(R, Again), renewed_for(Again, _), sends_credential(Again).
causes(R, Again, "asked again with a new session, it was refused as well") :-
  asked_for_again(R, Again),
  !renewed_for(R, _).

# Several requests find at once that it ran out, and each renews it with what can be used once only: the first renewal
# uses it up, the others are refused.
renews(T) :-
  is_sign_in(T),
  is_change(T),
  own_data(T),
  known_at(R, A),
  has_bad_status(R, 401),
  R != T,
  sent_at(T, B),
  A <= B,
  B <= fn:plus(A, 3000).
Decl refuses_used(Status) bound [/number].
refuses_used(400).
refuses_used(401).
refuses_used(403).
refuses_used(409).
refuses_used(422).
beside(T, First) :-
  renews(T),
  renews(First),
  same_address(T, Method, Origin, Path),
  same_address(First, Method, Origin, Path),
  T != First,
  has_bad_status(T, Status),
  refuses_used(Status),
  went_well(First),
  known_at(T, TEnd),
  sent_at(T, TSent),
  known_at(First, End),
  sent_at(First, Sent),
  TSent <= fn:plus(End, 30),
  Sent <= TEnd.
raced(T) :- beside(T, _).
suspect(T, "refresh_race", Text) :-
  raced(T),
  request_label(T, Label),
  status_of(T, Status),
  Text = fn:string:concat(Label,
                          " was sent several times at once, after each 401 for itself: one renewed the session, and used up the token that the others sent as well, so that these were refused with ",
                          Status).
# What set it off, and what was asked with what it left.
cleared(R, "its session had run out, and is renewed after it") :-
  has_bad_status(R, 401),
  known_at(R, A),
  raced(T),
  sent_at(T, B),
  A <= B,
  B <= fn:plus(A, 3000),
  R != T,
  !raced(R),
  !renewed_before(R).
renewed_before(R) :-
  has_bad_status(R, 401),
  sent_at(R, A),
  beside(_, First),
  known_at(First, B),
  B <= A.
causes(R, T, "the renewals beside each other ended the session") :-
  renewed_before(R),
  raced(T),
  known_at(R, A),
  sent_at(T, B),
  B <= A,
  R != T.
repair("refresh_race", "code", "let requests that are refused together wait for one renewal").
repair("refresh_race", "endpoint", "renew once for all that were refused together").
check("refresh_race", "is sent once, however many requests are refused at once").

# Forged-request protection: an answer that speaks of it, to a change.
Decl csrf_word(Word) bound [/string].
csrf_word("csrf").
csrf_word("CSRF").
csrf_word("xsrf").
csrf_word("XSRF").
csrf_word("authenticity").
csrf_word("page expired").
csrf_word("Page Expired").
csrf_refused(R) :-
  is_change(R),
  lacks_right(R),
  says_why(R, Said),
  csrf_word(Word),
  :string:contains(Said, Word).
csrf_refused(R) :- is_change(R), has_bad_status(R, 419).
suspect(R, "csrf", Text) :-
  csrf_refused(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was refused: its anti-forgery token is missing or stale").
# Where the token should have come from.
token_route(R) :- request_route(R, Route), csrf_word(Word), :string:contains(Route, Word).
token_route(R) :- request_route(R, Route), :string:contains(Route, "token").
causes(R, T, "the token should have come from there") :-
  csrf_refused(R),
  token_route(T),
  went_wrong(T),
  known_at(T, A),
  sent_at(R, B),
  A <= B.

repair("redirect_to_sign_in", "endpoint",
       "answer 401 where data is asked for; see why the session is not valid").
repair("redirect_lost_body", "endpoint",
       "ask for the address it redirects to, or redirect with 308").
repair("redirect_loop", "node", "end the circle in which pages send each other on").
repair("cookie_refused", "endpoint",
       "the attributes of its cookie: SameSite, Secure, Domain, Path").
repair("csrf", "code", "send the token that the page was given").
repair("csrf", "endpoint", "send the token that the page was given").

check("redirect_to_sign_in", "answers with data").
check("redirect_lost_body", "is answered by its endpoint, with its method").
check("cookie_refused", "sets its cookie, and later requests send it").
check("csrf", "answers below 400").

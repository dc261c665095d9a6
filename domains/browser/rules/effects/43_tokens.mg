# Kinds of fault of tokens and cookies that code has to hand on itself.

# ---- a newer token that nobody keeps -----------------------------------------------------------------------------

# Two answers had a token by the same name; the code read it of the older one, and not of the newer. What is refused for
# its token afterwards was sent with the older.
Decl token_name(Path)
  descr [mode('+'), deferred()]
  bound [/string].
token_name(Path) :- :string:ends_with(Path, "oken").
token_name(Path) :- :string:ends_with(Path, "csrf").
token_name(Path) :- :string:ends_with(Path, "xsrf").
token_name(Path) :- :string:ends_with(Path, "nonce").
brings_token(T, Path) :-
  body_type(T, Path, "string"),
  !body_empty(T, Path),
  token_name(Path),
  own_data(T),
  went_well(T).
refused_token(R) :- csrf_refused(R).
refused_token(R) :- lacks_right(R), credential_sent(R, "csrf").
refused_token(R) :- lacks_right(R), credential_sent(R, "bearer").
newer_token(R, Older, T, Path) :-
  refused_token(R),
  brings_token(Older, Path),
  brings_token(T, Path),
  Older != T,
  known_at(Older, A),
  known_at(T, B),
  A < B,
  sent_at(R, C),
  B <= C,
  is_token_read(Older, Path),
  !is_token_read(T, Path),
  !is_token_handed(T).
is_token_read(T, Path) :- brings_token(T, Path), code_takes(T, Path, _, _).
is_token_handed(T) :- brings_token(T, _), code_hands_on(T, "$").
last_newer(R, Ms) :- newer_token(R, _, T, _), known_at(T, M)
  |> do fn:group_by(R), let Ms = fn:max(M).
lost_token(R, T, Path) :- last_newer(R, Ms), newer_token(R, _, T, Path), known_at(T, Ms).
suspect(T, "stale_token", Text) :-
  lost_token(R, T, Path),
  request_label(T, Label),
  request_label(R, Other),
  Text = fn:string:concat(Label, " answered a new token at ", Path,
                          ", which the code does not keep: ", Other, " was sent the older one").
causes(R, T, "it was sent the older token") :- lost_token(R, T, _).

# The newer one has another name, which no script of the page knows: whatever is sent, it is not that. (Of an answer that
# has a token which code knows, this one is the one that counts.)
refused_by_token(R) :- refused_token(R).
refused_by_token(R) :-
  is_change(R),
  lacks_right(R),
  says_why(R, Said),
  token_said(Word),
  :string:contains(Said, Word).
token_said("form_token").
token_said("form token").
token_said("formToken").
token_said("orm token").
token_said("nonce").
token_said("equest token").
token_said("equest_token").
token_said("ne-time token").
token_said("ction token").
token_said("ction_token").
knows_token(T) :- brings_token(T, Path), !token_unknown(T, Path).
# What is for something else than the next request.
other_token(Path) :- token_unknown(_, Path), other_use(Word), :string:contains(Path, Word).
other_use("efresh").
other_use("ush").
other_use("evice").
other_use("age").
other_use("next").
other_use("pload").
other_use("nsubscribe").
other_use("eset").
other_use("nvit").
other_use("share").
unread_token(R, T, Path) :-
  refused_by_token(R),
  token_unknown(T, Path),
  brings_token(T, Path),
  !knows_token(T),
  !other_token(Path),
  brings_token(Older, Other),
  !token_unknown(Older, Other),
  known_at(Older, A),
  known_at(T, B),
  A < B,
  sent_at(R, C),
  B <= C.
last_unread(R, Ms) :- unread_token(R, T, _), known_at(T, M)
  |> do fn:group_by(R), let Ms = fn:max(M).
unread_by(R, T, Path) :- last_unread(R, Ms), unread_token(R, T, Path), known_at(T, Ms).
suspect(T, "stale_token", Text) :-
  unread_by(R, T, Path),
  request_label(T, Label),
  request_label(R, Other),
  Text = fn:string:concat(Label, " answered a new token at ", Path,
                          ", a name that no script of the page knows: ", Other,
                          " was sent the older one again").
causes(R, T, "it was sent the older token") :- unread_by(R, T, _).
change_at(T, Where, "keep the token that was answered last") :-
  unread_by(R, _, _),
  brings_token(Older, Other),
  !token_unknown(Older, Other),
  unread_by(R, T, _),
  place_of(Older, Where).

# ---- a token that was answered, and not sent ------------------------------------------------------------------------

# Sent without a value, though an answer before it had one.
lacks_credential(R) :- credential_empty(R, _), lacks_right(R).
dropped_token(R, T, Path) :-
  lacks_credential(R),
  brings_token(T, Path),
  T != R,
  known_at(T, A),
  sent_at(R, B),
  A <= B,
  B <= fn:plus(A, 60000).
dropped_text(R, Text) :-
  dropped_token(R, T, Path),
  credential_empty(R, Kind),
  request_label(R, Label),
  request_label(T, Other),
  Said = fn:string:concat(Label, " was sent no value as ", Kind, ", though ", Other,
                          " had answered one at ", Path)
  |> do fn:group_by(R), let Text = fn:pick_any(Said).
suspect(R, "lost_token", Text) :- dropped_text(R, Text).

# ---- a cookie that the page's code was to read -----------------------------------------------------------------------

# Refused for its anti-forgery token, sent without one, and the cookie that has it is for another path.
token_cookie(T, Name) :- cookie_set(T, Name), csrf_word(Word), :string:contains(Name, Word).
sends_csrf(R) :- credential_sent(R, "csrf").
hidden_cookie(R, T, Name) :-
  csrf_refused(R),
  !sends_csrf(R),
  token_cookie(T, Name),
  known_at(T, A),
  sent_at(R, B),
  A <= B,
  Kind = fn:string:concat("cookie:", Name),
  !credential_sent(R, Kind).
suspect(T, "cookie_refused", Text) :-
  hidden_cookie(R, T, Name),
  request_label(T, Label),
  request_label(R, Other),
  Text = fn:string:concat("the cookie ", Name, " of ", Label, " does not reach ", Other,
                          ": its Path or Domain is another one").
causes(R, T, "the token that it lacks is in a cookie that is not for it") :- hidden_cookie(R, T, _).

# It reaches the server, but code cannot read it, and sends nothing as the token.
unreadable_cookie(R, T, Name) :-
  lacks_right(R),
  is_change(R),
  sends_no_token(R),
  cookie_hidden(T, Name),
  token_cookie_name(Name),
  known_at(T, A),
  sent_at(R, B),
  A <= B.
sends_no_token(R) :- csrf_refused(R), !sends_csrf(R).
sends_no_token(R) :- credential_empty(R, _).
token_cookie_name(Name) :- cookie_hidden(_, Name), csrf_word(Word), :string:contains(Name, Word).
token_cookie_name(Name) :- cookie_hidden(_, Name), :string:contains(Name, "oken").
token_cookie_name(Name) :- cookie_hidden(_, Name), :string:contains(Name, "OKEN").
suspect(T, "hidden_token", Text) :-
  unreadable_cookie(R, T, Name),
  request_label(T, Label),
  request_label(R, Other),
  Text = fn:string:concat("the cookie ", Name, " of ", Label,
                          " is HttpOnly: code cannot read it, and ", Other,
                          " was sent without its token").
causes(R, T, "the token that it lacks is in a cookie that code cannot read") :-
  unreadable_cookie(R, T, _).
# Or it is for another path than the page's: the server gets it, code does not see it.
unseen_cookie(R, T, Name, Path) :-
  lacks_right(R),
  is_change(R),
  sends_no_token(R),
  cookie_elsewhere(T, Name, Path),
  elsewhere_token(Name),
  Kind = fn:string:concat("cookie:", Name),
  credential_sent(R, Kind),
  known_at(T, A),
  sent_at(R, B),
  A <= B.
elsewhere_token(Name) :-
  cookie_elsewhere(_, Name, _),
  csrf_word(Word),
  :string:contains(Name, Word).
elsewhere_token(Name) :- cookie_elsewhere(_, Name, _), :string:contains(Name, "oken").
elsewhere_token(Name) :- cookie_elsewhere(_, Name, _), :string:contains(Name, "OKEN").
suspect(T, "hidden_token", Text) :-
  unseen_cookie(R, T, Name, Path),
  request_label(T, Label),
  request_label(R, Other),
  Text = fn:string:concat("the cookie ", Name, " of ", Label, " has the Path ", Path,
                          ": code of this page does not see it, and ", Other,
                          " was sent without its token").
causes(R, T, "the token that it lacks is in a cookie that code does not see here") :-
  unseen_cookie(R, T, _, _).
repair("hidden_token", "endpoint",
       "set the cookie that code has to read without HttpOnly and for the path of the page, or answer the token").
check("hidden_token", "sets a cookie that code can read").

repair("stale_token", "code", "keep the token that was answered last").
repair("lost_token", "code", "read the token where it was kept, by the same name").

check("stale_token", "is followed by requests with its token").
check("lost_token", "is sent the token that was answered").

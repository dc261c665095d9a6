# Kinds of fault of versions: a change for an older version than the one that was answered last, and an answer that a cache
# kept for a question with another header.

# ---- the version that a change is for ---------------------------------------------------------------------

# How a version is sent, and how it is answered: by headers, or by a member of bodies.
Decl version_header(Sent, Answered) bound [/string, /string].
version_header("if-match", "etag").
version_header("if-unmodified-since", "last-modified").
Decl version_name(Name) bound [/string].
version_name("version").
version_name("_version").
version_name("revision").
version_name("rev").
version_name("_rev").
version_name("etag").
version_name("lockVersion").
version_name("lock_version").
version_name("rowVersion").
version_name("row_version").
version_name("updatedAt").
version_name("updated_at").
Decl version_member(Path, Name) bound [/string, /string].
version_member(Path, Name) :- version_at(Path), version_name(Name), is_member(Path, Name).
Decl is_member(Path, Name)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
is_member(Path, Name) :- Dot = fn:string:concat(".", Name), :string:ends_with(Path, Dot).
Decl version_at(Path) bound [/string].
version_at(Path) :- sent_value(_, Path, _).
version_at(Path) :- body_value(_, Path, _).
sent_version(R, Sent, V) :-
  sent_header(R, Sent, V),
  version_header(Sent, _),
  is_change(R),
  V != "*".
sent_version(R, Name, V) :- sent_value(R, Path, V), version_member(Path, Name), is_change(R).
answered_version(Q, Sent, V) :-
  answer_header(Q, Answered, V),
  version_header(Sent, Answered),
  !has_bad_status(Q, _).
answered_version(Q, Name, V) :-
  body_value(Q, Path, V),
  version_member(Path, Name),
  !has_bad_status(Q, _).

# Refused for its version: the one of an answer before a change of the page's own. Where somebody else has changed the thing
# meanwhile, the version is that of the last answer, or came with no change of ours between.
refused_for_version(R) :- status_of(R, 412).
refused_for_version(R) :- status_of(R, 409).
of_old_version(R, Q, How, V) :-
  refused_for_version(R),
  sent_version(R, How, V),
  same_thing(R, Q),
  is_change(Q),
  went_well(Q),
  !answered_version(Q, How, V),
  known_at(Q, Changed),
  sent_at(R, Sent),
  Changed <= Sent,
  answered_version(Older, How, V),
  same_thing(R, Older),
  sent_at(Q, Asked),
  known_at(Older, Known),
  Known <= Asked.
same_thing(R, Q) :-
  refused_for_version(R),
  request_path(R, Origin, Path),
  request_path(Q, Origin, Path),
  R != Q.
# It was read anew since, and still had this version: so it is the newest that the page can know.
is_read_anew(R, Q) :-
  of_old_version(R, Q, How, V),
  same_thing(R, X),
  answered_version(X, How, V),
  known_at(Q, Changed),
  known_at(X, Read),
  Changed <= Read,
  sent_at(R, Sent),
  Read <= Sent.
last_changed(R, Ms) :- of_old_version(R, Q, _, _), !is_read_anew(R, Q), known_at(Q, M)
  |> do fn:group_by(R), let Ms = fn:max(M).
stale_version(R, Q, How, V) :- last_changed(R, Ms), of_old_version(R, Q, How, V), known_at(Q, Ms).
newer_version(R, Q, W) :- stale_version(R, Q, How, V), answered_version(Q, How, W), V != W.
has_newer_version(R) :- newer_version(R, _, _).
stale_text(R, Text) :-
  stale_version(R, Q, How, V),
  newer_version(R, Q, W),
  request_label(R, Label),
  request_label(Q, Other),
  T = fn:string:concat(Label, " was sent the old ", How, " ", V, ", though ", Other,
                       " had answered a newer one since, ", W, ", which the code did not take")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
stale_text(R, Text) :-
  stale_version(R, Q, How, V),
  version_header(How, _),
  !has_newer_version(R),
  request_label(R, Label),
  request_label(Q, Other),
  T = fn:string:concat(Label, " was sent the old ", How, " ", V, " of before ", Other,
                       ", which changed it and answered no newer one: it was not read again")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "stale_precondition", Text) :- stale_text(R, Text).
change_at(R, Where, "take the version of this answer for the next change") :-
  stale_version(R, Q, _, _),
  place_of(Q, Where).
repair("stale_precondition", "code", "send the version that was answered last").
repair("stale_precondition", "endpoint", "send the version that was answered last").
repair("stale_precondition", "place", "take the version of this answer for the next change").
check("stale_precondition", "is sent the version that was answered last, and answers below 400").

# ---- a key that says that a change is the same one ----------------------------------------------------------

# Kept for the next change, it makes the server take that for the one before: it is not done, or refused.
reused(R, Before, Name) :- same_mark(R, Before, Name), is_change(R), own_data(R), went_well(Before).
reused_text(R, Text) :-
  reused(R, Before, Name),
  request_label(R, Label),
  request_label(Before, Other),
  T = fn:string:concat(Label, " was sent the same ", Name, " as ", Other,
                       " before it, though with other content: its server takes it for the same change")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "reused_key", Text) :- reused_text(R, Text).
trouble(R, 60, Text) :- reused_text(R, Text).
repair("reused_key", "code",
       "make a new key for each change, and keep it for tries of the same one only").
check("reused_key", "is sent a key of its own").

# ---- an answer that a cache kept for another question ------------------------------------------------------

kept_wrongly(R, Before, Name, Where) :-
  cached_for_other(R, Before, Name, _),
  is_plain_get(R),
  own_data(R),
  !is_tracker(R),
  answer_from(R, Where).
kept_text(R, Text) :-
  kept_wrongly(R, _, Name, Where),
  request_label(R, Label),
  T = fn:string:concat(Label, " was sent another ", Name, " than before, and answered from the ",
                       Where, " with what was kept for the other: no Vary names ", Name)
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "missing_vary", Text) :- kept_text(R, Text).
trouble(R, 52, Text) :- kept_text(R, Text), !unchanged_after(R).
repair("missing_vary", "endpoint",
       "name the header as Vary, or put what it says into the address; or let nothing be kept").
repair("missing_vary", "code", "put what it says into the address, or ask past the cache").
check("missing_vary", "is answered anew for another value of the header").

# Kinds of fault of what could not be kept: a storage that is full, a database that another line had made newer. Code that
# catches it goes on as if it were kept, so that it shows only when it is missed; evidence of it outlives the visit.

# ---- local and session storage ---------------------------------------------------------------------------

full_error("QuotaExceededError").
full_error("NS_ERROR_DOM_QUOTA_REACHED").
refused_write(K, Area, Key, At) :-
  store_refused(K, Area, Key, Name)@[T, _],
  full_error(Name),
  ms(T, At),
  has_own_frame(K).
# It went well the second time, or somewhere else.
kept_after(K) :-
  refused_write(K, _, Key, A),
  stored(_, _, Key, Form)@[T, _],
  Form != "none",
  ms(T, B),
  A <= B,
  B <= fn:plus(A, 3000).
kept_after(K) :-
  refused_write(K, _, Key, A),
  stored_before(_, _, Key, Form)@[T, _],
  Form != "none",
  ms(T, B),
  A <= B.
kept_after(K) :-
  refused_write(K, _, _, A),
  database_opened(_, _, _)@[T, _],
  ms(T, B),
  A <= B,
  B <= fn:plus(A, 3000).
# Looked for again, and nothing is there; and nobody is asked for it instead, as of what is only a copy.
missed_later(K, Read) :-
  refused_write(K, Area, Key, A),
  storage_read(Read, Area, Key, "none")@[T, _],
  ms(T, B),
  A <= B,
  has_own_frame(Read).
asked_instead(Read) :-
  missed_later(_, Read),
  storage_read(Read, _, _, _)@[T, _],
  ms(T, A),
  own_data(R),
  sent_at(R, B),
  A <= B,
  B <= fn:plus(A, 1000),
  own_frame(Read, Depth, Function, Url, _),
  Depth <= 1,
  own_frame(R, _, Function, Url, _).
lost_write(K) :- missed_later(K, Read), !asked_instead(Read), !kept_after(K).
lost_write(K) :- click_was_to_keep(K), refused_write(K, _, _, _), !kept_after(K).
suspect(K, "quota", Text) :-
  lost_write(K),
  refused_write(K, Area, Key, _),
  place_of(K, Where),
  Text = fn:string:concat("the ", Area, " storage is full (QuotaExceededError): ", Where,
                          " could not keep ", Key).
trouble(K, 55, Text) :-
  lost_write(K),
  refused_write(K, Area, Key, _),
  Text = fn:string:concat("what was to be kept as ", Key, " in ", Area, " storage is lost").
change_at(K, Where, "expect that writing fails, and say so") :- lost_write(K), place_of(K, Where).
change_at(K, Where, "write less: most of what fills the storage comes from here") :-
  lost_write(K),
  refused_write(K, Area, _, _),
  store_filled(Filler, Area, _, _),
  place_of(Filler, Where).
# Where the helper saw what was refused, that says more than the exception does: a copy of what is elsewhere, for which
# there is no room, is nothing that anybody misses, where code catches it.
spared_write(C) :-
  caught(C, _, Text)@[S, _],
  storage_failed(C, _),
  store_refused(_, _, Key, _)@[T, _],
  ms(S, A),
  ms(T, B),
  A <= fn:plus(B, 50),
  B <= fn:plus(A, 2000),
  Quoted = fn:string:concat("'", Key, "'"),
  :string:contains(Text, Quoted).

# ---- IndexedDB -------------------------------------------------------------------------------------------------

refused_base(K, Name, Version, What, At) :-
  database_refused(K, Name, Version, What, _)@[T, _],
  ms(T, At),
  has_own_frame(K).
base_said(K, Said) :- database_refused(K, _, _, _, Said)@[T, _], has_own_frame(K).
# Of an older version than there is.
too_old(K) :- base_said(K, Said), :string:starts_with(Said, "VersionError").
# Others hold it open, and it was never opened after.
held(K) :- refused_base(K, Name, _, "upgrade", A), !opened_after(K).
opened_after(K) :-
  refused_base(K, Name, Version, _, A),
  database_opened(_, Name, Now)@[T, _],
  Version <= Now,
  ms(T, B),
  A <= B.
# What is asked for is not there, or cannot be kept as it is.
base_fault("NotFoundError", "what it asks for is not there").
base_fault("DataError", "it has no valid key").
base_fault("DataCloneError", "it cannot be copied").
base_fault("ReadOnlyError", "it may only be read").
base_fault("TransactionInactiveError", "its transaction is over").
base_fault("InvalidStateError", "it is closed").
base_fault("QuotaExceededError", "there is no room").
odd_base(K, Words) :-
  refused_base(K, _, _, What, _),
  What != "open",
  What != "upgrade",
  base_said(K, Said),
  base_fault(Error, Words),
  :string:starts_with(Said, Error).
# The same file opens it, as it is.
opened_instead(K) :-
  too_old(K),
  refused_base(K, Name, _, _, A),
  database_opened(Other, Name, _)@[T, _],
  ms(T, B),
  A <= B,
  own_frame(K, _, _, Url, _),
  own_frame(Other, _, _, Url, _).
base_lost(K) :- too_old(K), !opened_instead(K).
base_lost(K) :- held(K).
base_lost(K) :- odd_base(K, _).
suspect(K, "database_refused", Text) :-
  too_old(K),
  base_lost(K),
  refused_base(K, Name, Version, _, _),
  base_said(K, Said),
  place_of(K, Where),
  Text = fn:string:concat(Where, " opens the IndexedDB database ", Name, " with version ", Version,
                          ", which is older than what is there. ", Said).
suspect(K, "database_refused", Text) :-
  held(K),
  refused_base(K, Name, Version, _, _),
  place_of(K, Where),
  Text = fn:string:concat(Where, " waits to make version ", Version, " of the IndexedDB database ",
                          Name,
                          ": it is blocked by a connection of an older version that is not closed").
suspect(K, "database_refused", Text) :-
  odd_base(K, Words),
  refused_base(K, Name, _, What, _),
  base_said(K, Said),
  place_of(K, Where),
  Text = fn:string:concat("the ", What, " of ", Name, " (IndexedDB) at ", Where, " fails, for ",
                          Words, ". ", Said).
trouble(K, 53, Text) :-
  base_lost(K),
  refused_base(K, Name, _, _, _),
  Text = fn:string:concat("the IndexedDB database or store ", Name, " is not there for code").
change_at(K, Where,
          "the version with which it is opened, the store that is asked for, or what is put there") :-
  base_lost(K),
  place_of(K, Where).
change_at(K, Where, "another version is made here: one place has to open it for both") :-
  too_old(K),
  base_lost(K),
  refused_base(K, Name, Version, _, _),
  database_opened(Other, Name, Now)@[T, _],
  Version < Now,
  place_of(Other, Where).
change_at(K, Where, "close it when another version is to be made (versionchange)") :-
  held(K),
  refused_base(K, Name, Version, _, _),
  database_opened(Other, Name, Now)@[T, _],
  Now < Version,
  place_of(Other, Where).
base_error(K, E) :-
  base_lost(K),
  refused_base(K, _, _, _, A),
  base_said(K, Said),
  error_name(E, Name),
  Name != "",
  :string:starts_with(Said, Name),
  error_at(E, B),
  A <= fn:plus(B, 100),
  B <= fn:plus(A, 1000).
causes(E, K, "the database was not there for it") :- base_error(K, E).
node_text(K, Text) :-
  refused_base(K, Name, _, What, _),
  Text = fn:string:concat(What, " of ", Name).
node_text(K, Text) :- refused_write(K, _, Key, _), Text = fn:string:concat("writing of ", Key).

check("database_refused", "the same steps open it and keep what they put there").

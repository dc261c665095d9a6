# Kinds of fault of what came and is not found: by an id that is of another type or spelling, by a name that nobody gave it, under
# a key of the storage by which nobody kept it.

# ---- ids of two answers that never meet -------------------------------------------------------------------

apart_words("type", "type_mismatch",
            "a number is no text for === and for the keys of a Map: the types differ").
apart_words("letters", "id_not_found", "capital and small letters differ").
apart_words("before", "id_not_found", "one of them has something before it (a prefix)").
never_meets(R, Path, Other, There, Where, How) :-
  id_missed(R, Path, Other, There, _, _),
  id_missed_at(R, Path, How, Url, Line),
  own_data(R),
  !is_of_messages(R),
  own_data(Other),
  code_place(Url, Line, Where).
suspect(R, Kind, Text) :-
  never_meets(R, Path, Other, There, Where, How),
  id_missed(R, Path, Other, There, Value, Id),
  apart_words(How, Kind, Words),
  request_label(R, Label),
  request_label(Other, OtherLabel),
  Text = fn:string:concat(Where, " looks up ", Path, " of ", Label, " (", Value, ") among ", There,
                          " of ", OtherLabel, " (", Id, "), and never finds any: ", Words).
trouble(R, 54, Text) :-
  never_meets(R, _, Other, _, _, _),
  request_label(Other, Label),
  Text = fn:string:concat("of what ", Label, " answered nothing is shown").
change_at(R, Where, "make both the same before they are compared: String(id), one spelling") :-
  never_meets(R, _, _, _, Where, _).
change_at(R, Label, "or answer the ids as the other answer has them") :-
  never_meets(R, _, _, _, _, _),
  request_label(R, Label).
check("id_not_found", "what is looked up is found").

# Of messages: nothing on the page changes after any of them.
message_never_meets(R, Path, Other, There, Where, How) :-
  id_missed(R, Path, Other, There, _, _),
  id_missed_at(R, Path, How, Url, Line),
  is_of_messages(R),
  own_data(Other),
  code_place(Url, Line, Where).
is_of_messages(R) :- id_missed(R, _, _, _, _, _), kind_of(R, "socket").
is_of_messages(R) :- id_missed(R, _, _, _, _, _), kind_of(R, "stream").
suspect(R, Kind, Text) :-
  message_never_meets(R, Path, Other, There, Where, How),
  id_missed(R, Path, Other, There, Value, Id),
  apart_words(How, Kind, Words),
  request_label(R, Label),
  request_label(Other, OtherLabel),
  Text = fn:string:concat(Where, " looks up ", Path, " of messages of ", Label, " (", Value,
                          ") among ", There, " of ", OtherLabel, " (", Id,
                          "), and never finds any: ", Words).
trouble(R, 53, Text) :-
  message_never_meets(R, _, _, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("no message of ", Label, " changes anything on the page").
change_at(R, Where, "make both the same before they are compared: String(id), one spelling") :-
  message_never_meets(R, _, _, _, Where, _).

# ---- denied, and read by a name that the answer does not have ---------------------------------------------

denied_there(R, Path, Asked, Line, Where) :-
  denied_member(R, Path, Word, Line),
  misses(R, Asked, Url, L),
  :string:contains(Asked, Word),
  code_place(Url, L, Where).
first_denied_there(R, Asked) :- denied_there(R, _, A, _, _)
  |> do fn:group_by(R), let Asked = fn:pick_any(A).
suspect(R, "misread_member", Text) :-
  first_denied_there(R, Asked),
  denied_there(R, Path, Asked, Line, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " reads ", Asked, " of the answer of ", Label,
                          ", which has it as ", Path, ": the page says, ", Line).
trouble(R, 54, Text) :-
  first_denied_there(R, Asked),
  denied_there(R, Path, Asked, Line, _),
  Text = fn:string:concat("the page says, ", Line, " - though ", Path, " came").
change_at(R, Where, "read the member that the answer has") :- denied_there(R, _, _, _, Where).

# ---- kept under one key, read under another ------------------------------------------------------------------

kept_as(K, Area, Key, At) :- stored(K, Area, Key, Form)@[T, _], Form != "none", ms(T, At).
found_none(K, Area, Key, At) :- storage_read(K, Area, Key, "none")@[T, _], ms(T, At).
is_read_of(Area, Key) :- storage_read(_, Area, Key, _)@[T, _].
is_kept_of(Area, Key) :- stored(_, Area, Key, _)@[T, _].
other_key(K, Q, Key, Asked) :-
  found_none(K, Area, Asked, B),
  kept_as(Q, Area, Key, A),
  A <= B,
  !is_read_of(Area, Key),
  !is_kept_of(Area, Asked),
  is_like_key(Key, Asked).
Decl is_like_key(Key, Asked)
  descr [mode('+', '+'), deferred()]
  bound [/string, /string].
is_like_key(Key, Asked) :- :string:starts_with(Key, Asked).
is_like_key(Key, Asked) :- :string:starts_with(Asked, Key).
is_like_key(Key, Asked) :- :string:ends_with(Key, Asked).
is_like_key(Key, Asked) :- :string:ends_with(Asked, Key).
# Where a reader sees that there is none of it, by one of the two keys.
missed_key(K, Q, Key, Asked) :-
  other_key(K, Q, Key, Asked),
  denying_line(Line),
  :string:contains(Line, Asked).
missed_key(K, Q, Key, Asked) :-
  other_key(K, Q, Key, Asked),
  denying_line(Line),
  :string:contains(Line, Key).
denying_line(Line) :- found_none(_, _, _, _), none_line(Line).
denying_line(Line) :- found_none(_, _, _, _), shown("empty", Line).
suspect(K, "other_key", Text) :-
  missed_key(K, Q, Key, Asked),
  place_of(K, Where),
  place_of(Q, Kept),
  Text = fn:string:concat(Where, " reads `", Asked, "` from storage, where nothing is: ", Kept,
                          " keeps it as `", Key, "`, which nobody reads").
trouble(K, 53, Text) :-
  missed_key(K, _, Key, _),
  Text = fn:string:concat("what was kept as `", Key,
                          "` is not found, and the page says that there is none").
change_at(K, Where, "the key under which it is kept") :- other_key(K, _, _, _), place_of(K, Where).
change_at(K, Where, "the key under which it is read") :- other_key(K, Q, _, _), place_of(Q, Where).
check("other_key", "what is kept is found").

# Kinds of fault of what was refused although the user did nothing wrong: a member goes by another name than the server's,
# the server misses what was sent. (That it does not read the body as what it is: 52_body_kind.mg.)

Decl refused_body(R)
  descr [doc("A change of the page's own that its server did not accept for what was in it.")]
  bound [/string].
refused_body(R) :- has_bad_status(R, 400), is_change(R), !third_party(R).
refused_body(R) :- has_bad_status(R, 415), is_change(R), !third_party(R).
refused_body(R) :- has_bad_status(R, 422), is_change(R), !third_party(R).

# ---- called otherwise ------------------------------------------------------------------------------------------

# (No user's mistake: what he fills in has no names.)
Decl misnamed(R, Sent, Name) bound [/string, /string, /string].
misnamed(R, Sent, Name) :-
  sent_near(R, Path, Name),
  refused_body(R),
  Sent = fn:string:replace(Path, "$.", "", 1).
suspect(R, "misnamed_member", Text) :-
  misnamed(R, Sent, Name),
  request_label(R, Label),
  Text = fn:string:concat(Label, " sends `", Sent, "`, and its server asks for `", Name, "`").
change_at(R, Where, What) :-
  misnamed(R, Sent, Name),
  place_of(R, Where),
  What = fn:string:concat("call it `", Name, "`, not `", Sent, "`").

# ---- missed though it was sent ----------------------------------------------------------------------------------

Decl missed_though_sent(R, Name) bound [/string, /string].
missed_though_sent(R, Name) :-
  is_told_of_missing(R),
  refused_body(R),
  refusal_about(R, Name),
  Path = fn:string:concat("$.", Name),
  sent_value(R, Path, V),
  !is_no_value(V).
suspect(R, "not_understood", Text) :-
  missed_though_sent(R, Name),
  !not_called_json(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was refused for want of `", Name, "`, which it had sent").

# ---- a value that the server does not take ------------------------------------------------------------------------

# It says which: it quotes what was sent, or names the member.
quoted_value(R, Path, Value, Said) :-
  refused_body(R),
  refusal_quotes(R, Path, Value, Said),
  !is_told_of_missing(R),
  !misnamed(R, _, _).
has_quoted_value(R) :- quoted_value(R, _, _, _).
quoted_value_first(R, Path) :- quoted_value(R, P, _, _)
  |> do fn:group_by(R), let Path = fn:pick_any(P).
named_value(R, Path) :-
  refused_body(R),
  refusal_about(R, Name),
  refusal_says(R, 1, _, _),
  !is_told_of_missing(R),
  !misnamed(R, _, _),
  !has_quoted_value(R),
  sent_value(R, Path, V),
  !is_no_value(V),
  End = fn:string:concat(".", Name),
  :string:ends_with(Path, End).
named_count(R, Count) :- named_value(R, Path) |> do fn:group_by(R), let Count = fn:count().
refused_value(R, Path, Value) :- quoted_value_first(R, Path), quoted_value(R, Path, V, _)
  |> do fn:group_by(R, Path), let Value = fn:pick_any(V).
refused_value(R, Path, Value) :-
  named_count(R, 1),
  named_value(R, Path),
  sent_value(R, Path, Value).
suspect(R, "refused_value", Text) :-
  refused_value(R, Path, Value),
  request_label(R, Label),
  Name = fn:string:replace(Path, "$.", "", 1),
  Text = fn:string:concat(Label, " sends `", Name, "` = ", Value,
                          ", which its server does not take").

repair("refused_value", "endpoint",
       "take the value as it is sent, or say to the user what is wrong with it").
repair("refused_value", "code", "send the value in the form that the server asks for").
check("refused_value", "answers below 400").

repair("not_understood", "endpoint", "read the member where it is sent, or say where it has to be").
repair("not_understood", "code", "the shape of what is sent").

check("misnamed_member", "answers below 400").
check("not_understood", "answers below 400").

# Kinds of fault of letters and signs: encoded twice in an address, or not at all, or read with another charset.

# ---- an address that is encoded twice -------------------------------------------------------------------------

Decl twice_encoded(Part) bound [/string].
twice_encoded("%2520").
twice_encoded("%252C").
twice_encoded("%252c").
twice_encoded("%252B").
twice_encoded("%252b").
twice_encoded("%2526").
twice_encoded("%2527").
twice_encoded("%2540").
twice_encoded("%2523").
twice_encoded("%25C3").
twice_encoded("%25c3").
twice_encoded("%25C2").
twice_encoded("%25c2").
twice_encoded("%25E2").
twice_encoded("%25e2").
twice_encoded("%257C").
twice_encoded("%257c").
twice_encoded("%253A").
twice_encoded("%253a").
twice_encoded("%252F").
twice_encoded("%252f").
# An address within an address is encoded once more by right.
Decl of_address(Part) bound [/string].
of_address("%3F").
of_address("%3f").
of_address("%3D").
of_address("%3d").
of_address("%2F").
of_address("%2f").
holds_address(R, Name) :- request_query(R, Name, V), of_address(Part), :string:contains(V, Part).
double_encoded(R, Name, V) :-
  request_query(R, Name, V),
  twice_encoded(Part),
  :string:contains(V, Part),
  own_data(R),
  !holds_address(R, Name).
double_encoded(R, "its path", Path) :-
  request_path(R, _, Path),
  twice_encoded(Part),
  :string:contains(Path, Part),
  own_data(R),
  !is_wanted_twice(R).
is_wanted_twice(R) :-
  request_path(R, _, Path),
  twice_encoded(Part),
  :string:contains(Path, Part),
  is_change(R),
  went_well(R).
# Another one that is encoded so was answered well: that is how this server wants it.
is_wanted_twice(R) :-
  request_path(R, Origin, Path),
  request_path(X, Origin, Other),
  twice_encoded(Part),
  :string:contains(Path, Part),
  :string:contains(Other, Part),
  Other != Path,
  own_data(X),
  went_well(X).
double_text(R, Text) :-
  double_encoded(R, Name, V),
  request_label(R, Label),
  T = fn:string:concat(Label, " was asked with ", Name, " = ", V, ", which is encoded twice")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "double_encoded", Text) :- double_text(R, Text).
trouble(R, 55, Text) :- double_text(R, Text), has_consequence(R).
repair("double_encoded", "code", "encode it once: URLSearchParams does it itself").
check("double_encoded", "is asked with what was typed").

# ---- what is typed, put into an address as it is --------------------------------------------------------------------

Decl sign_does(Sign, Text) bound [/string, /string].
sign_does("#", "nothing is sent from # on").
sign_does("&", "& begins another parameter").
sign_does("+", "+ is a space there").
sign_does("%", "% begins there what is encoded").
# What is cut is lost; + and % may be taken as they are meant, where an answer has what was asked for.
cuts_address("#").
cuts_address("&").
unencoded(R, Name, Typed, Got, Sign) :-
  sent_unencoded(R, Name, Typed, Got, Sign),
  cuts_address(Sign),
  own_data(R).
unencoded(R, Name, Typed, Got, Sign) :-
  sent_unencoded(R, Name, Typed, Got, Sign),
  own_data(R),
  !cuts_address(Sign),
  has_none_for_it(R).
has_none_for_it(R) :- sent_unencoded(R, _, _, _, _), went_wrong(R).
has_none_for_it(R) :-
  sent_unencoded(R, _, _, _, _),
  body_type(R, Path, "array"),
  body_empty(R, Path),
  none_line(_).
unencoded_text(R, Text) :-
  unencoded(R, Name, Typed, Got, Sign),
  sign_does(Sign, Does),
  request_label(R, Label),
  T = fn:string:concat(Label, " puts what was typed, ", Typed,
                       ", into its address without encoding it, as ", Name, ": ", Does,
                       ", and its server has `", Got, "`")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "unencoded", Text) :- unencoded_text(R, Text).
trouble(R, 56, Text) :-
  unencoded_text(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " does not ask for what was typed").
change_at(R, Where, "encode it: encodeURIComponent(), or URLSearchParams") :-
  unencoded_text(R, _),
  puts_unencoded(R, Url, Line),
  code_place(Url, Line, Where).
repair("unencoded", "code", "encode it: encodeURIComponent(), or URLSearchParams").
check("unencoded", "is asked with what was typed").

# ---- letters that were read with another charset --------------------------------------------------------------

# They stand on the page, and in an answer; or the sign for what could not be read does, and an answer is in another
# charset than the one in which code reads texts.
garbled_shown(R, Word) :-
  garbled(R, Word),
  own_data(R),
  shown(_, Text),
  :string:contains(Text, Word).
suspect(R, "wrong_charset", Text) :-
  garbled_shown(R, Word),
  request_label(R, Label),
  Text = fn:string:concat(Label,
                          " answers letters that were encoded twice, or read with another charset than they were written in: ",
                          Word).
Decl other_charset(Part) bound [/string].
other_charset("8859").
other_charset("windows-125").
other_charset("Windows-125").
other_charset("latin1").
other_charset("latin-1").
other_charset("ascii").
shows_unread() :- shown(_, Text), :string:contains(Text, "\u{fffd}").
unread(R, Type) :-
  shows_unread(),
  answer_header(R, "content-type", Type),
  other_charset(Part),
  :string:contains(Type, Part),
  own_data(R),
  went_well(R).
suspect(R, "wrong_charset", Text) :-
  unread(R, Type),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers ", Type, ", and code reads it as UTF-8").
trouble(R, 55, Text) :- suspect(R, "wrong_charset", Text), own_data(R).
repair("wrong_charset", "endpoint", "answer in UTF-8, encoded once, and say so").
repair("wrong_charset", "code", "decode it in its charset (TextDecoder)").
check("wrong_charset", "shows its letters").

# What a user or a developer would notice, whatever its kind. Which kind of fault it is, and troubles that only one kind
# has, stand in 40_*.mg and on.

Decl error_said(E, Text) bound [/string, /string].
error_said(E, Text) :-
  error(E, Name, Message, _)@[T, _],
  :string:starts_with(Message, Name),
  Text = Message.
error_said(E, Text) :-
  error(E, Name, Message, _)@[T, _],
  Name != "",
  !names_itself(E),
  Text = fn:string:concat(Name, ": ", Message).
Decl names_itself(E) bound [/string].
names_itself(E) :- error(E, Name, Message, _)@[T, _], :string:starts_with(Message, Name).
names_itself(E) :-
  error(E, Name, Message, _)@[T, _],
  Long = fn:string:concat("Uncaught ", Name),
  :string:starts_with(Message, Long).
error_said(E, Message) :-
  error(E, Name, Message, _)@[T, _],
  Long = fn:string:concat("Uncaught ", Name),
  :string:starts_with(Message, Long).

trouble(E, 75, Text) :- is_thrown(E), error_said(E, Text).
trouble(E, 40, Text) :- error_source(E, "console"), !is_report(E), error_said(E, Text).
trouble(E, 40, Text) :- error_source(E, "other"), !is_report(E), error_said(E, Text).
trouble(E, 40, Text) :- error_source(E, "rendering"), error_said(E, Text).
trouble(E, 60, Text) :- error_source(E, "worker"), error_said(E, Text).

trouble(N, 90, Text) :-
  navigation_failed(N, Reason)@[T, _],
  Text = fn:string:concat("the page did not load: ", Reason).
trouble(D, 45, Text) :- dialog(D, "alert", Said)@[T, _], Text = fn:string:concat("alert: ", Said).
trouble(X, 50, Text) :-
  shown_node(X, Said),
  X != "shown:words",
  !is_of_form(X),
  Text = fn:string:concat("the page shows: ", Said).

trouble("shown:words", 32, Text) :-
  shown_node("shown:words", Said),
  Text = fn:string:concat("the page shows ", Said).

trouble(R, 50, Text) :- is_data(R), went_wrong(R), !third_party(R), went_text(R, Text).
trouble(R, 65, Text) :- is_change(R), went_wrong(R), !third_party(R), went_text(R, Text).
trouble(R, 85, Text) :- kind_of(R, "document"), went_wrong(R), went_text(R, Text).
trouble(R, 55, Text) :- kind_of(R, "script"), went_wrong(R), !third_party(R), went_text(R, Text).
trouble(R, 35, Text) :- kind_of(R, "style"), went_wrong(R), !third_party(R), went_text(R, Text).
trouble(R, 50, Text) :- kind_of(R, "frame"), went_wrong(R), !third_party(R), went_text(R, Text).

# Something that the page waits for, and says so.
Decl page_waits().
page_waits() :- shown("spinner", _).
page_waits() :- shown("waiting", _).
page_waits() :- shown(_, Text), :string:contains(Text, "oading").
page_waits() :- shown(_, Text), :string:contains(Text, "lease wait").
# A number that became a text shows as NaN, or as sums of texts; no error need tell of it.
trouble(R, 34, Text) :-
  body_changed(R, _, Path, "number", "string"),
  is_data(R),
  !third_party(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Path, " as a text, before it was a number").

# Something of the page's own that failed outright is more likely what it waits for.
Decl is_more_wrong().
is_more_wrong() :- went_wrong(R), is_data(R), !third_party(R), !is_soft(R), !is_tracker(R).
is_more_wrong() :- is_thrown(E), has_own_frame(E).
suspect(R, "never_answered", Text) :-
  page_waits(),
  !is_more_wrong(),
  is_open(R),
  is_data(R),
  !third_party(R),
  !answered_at(R, _),
  !no_answer(R, _),
  sent_at(R, A),
  watched(_)@[From, Until],
  :time:le(From, Until),
  ms(Until, B),
  Ms = fn:minus(B, A),
  700 <= Ms,
  request_label(R, Label),
  Text = fn:string:concat(Label, " is not answered, and the page waits").
trouble(R, 50, Text) :-
  suspect(R, "never_answered", Text),
  is_data(R),
  !third_party(R),
  page_waits().

# ---- how a request went, in words -----------------------------------------------------------------------

Decl went_text(R, Text) bound [/string, /string].
went_text(R, Text) :-
  has_bad_status(R, Status),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Status).
went_text(R, Text) :-
  no_answer(R, Reason),
  !has_bad_status(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " failed: ", Reason).
went_text(R, Text) :-
  request_blocked(R, Reason),
  !no_answer(R, _),
  !has_bad_status(R, _),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked: ", Reason).

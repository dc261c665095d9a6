# Kinds of fault of what a page says over a socket, and of what it missed between two connections.

# ---- no value in place of one -----------------------------------------------------------------------------------

no_value_mark("undefined\"", "undefined").
no_value_mark("\"undefined", "undefined").
no_value_mark("/undefined", "undefined").
no_value_mark(":undefined", "undefined").
no_value_mark("=undefined", "undefined").
no_value_mark("NaN\"", "NaN").
no_value_mark("[object Object]", "[object Object]").
says_no_value(R, N, What) :-
  socket_frame(R, N, "sent", Text)@[T, _],
  no_value_mark(Mark, What),
  :string:contains(Text, Mark),
  !is_word_of_user(What).
says_no_value(R, N, "undefined") :-
  socket_frame(R, N, "sent", Text)@[T, _],
  :string:ends_with(Text, " undefined"),
  !is_word_of_user("undefined").
# A user wrote it.
is_word_of_user(What) :-
  no_value_mark(_, What),
  filled_in(_, _, _, Text)@[T, _],
  :string:contains(Text, What).
first_no_value(R, N) :- says_no_value(R, M, _) |> do fn:group_by(R), let N = fn:min(M).
suspect(R, "bad_argument", Text) :-
  first_no_value(R, N),
  says_no_value(R, N, What),
  socket_frame(R, N, "sent", Said)@[T, _],
  request_label(R, Label),
  Text = fn:string:concat("over ", Label, " the page sent ", Said, ": ", What,
                          " where a value belongs, which was not there yet or is read by another name").
trouble(R, 55, Text) :-
  first_no_value(R, N),
  says_no_value(R, N, What),
  request_label(R, Label),
  Text = fn:string:concat("what the page sends over ", Label, " has ", What, " in it").
change_at(R, Where, "say it when the value is there") :-
  first_no_value(R, N),
  from_place(R, N, Where).
from_place(R, N, Where) :-
  first_no_value(R, N),
  sent_from(R, N, F),
  own_frame(F, Depth, _, Url, Line),
  Depth < 5,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

# ---- a room that was not left ------------------------------------------------------------------------------------

suspect(R, "room_not_left", Text) :-
  room_not_left(R, Room, Other, _, Count),
  request_label(R, Label),
  Text = fn:string:concat("over ", Label, " the page asks for ", Other, " and never leaves ", Room,
                          ": ", Count, " messages of ", Room, " are shown where ", Other, " is").
trouble(R, 55, Text) :-
  room_not_left(R, Room, Other, _, _),
  Text = fn:string:concat("messages of ", Room, " stand among those of ", Other).
change_at(R, Where, "leave the one before, or look at whose message it is") :-
  room_not_left(R, _, _, _, _),
  sent_from(R, _, F),
  own_frame(F, Depth, _, Url, Line),
  Depth < 4,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
check("room_not_left", "what is shown is of the room in front").

# ---- between two connections -----------------------------------------------------------------------------------------

# The page may have asked for them in another way: by a request, or by the number that it had seen last.
caught_up(R) :-
  frames_missed(R, Before, _, _, _),
  socket_over(Before, End),
  own_data(X),
  is_data(X),
  went_well(X),
  sent_at(X, A),
  End <= fn:plus(A, 100),
  sent_at(R, B),
  A <= fn:plus(B, 3000).
missed_between(R, Before, Member, Last, First, Count) :-
  frames_missed(R, Before, Member, Last, First),
  fn:plus(Last, 1) < First,
  Count = fn:minus(First, Last, 1),
  !caught_up(R),
  follows_socket(Before, R).
suspect(R, "missed_messages", Text) :-
  missed_between(R, _, Member, Last, First, Count),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was connected again, and ", Count,
                          " messages between were never asked for: ", Member, " goes from ", Last,
                          " to ", First).
trouble(R, 54, Text) :-
  missed_between(R, _, _, _, _, Count),
  request_label(R, Label),
  Text = fn:string:concat(Count, " messages of ", Label, " are missing").
change_at(R, Where, "say on connecting again what was seen last, or ask for the state anew") :-
  missed_between(R, _, _, _, _, _),
  place_of(R, Where).
is_missed(R) :- missed_between(R, _, _, _, _, _).
cleared(Before, "what was missed is told at the next connection") :-
  missed_between(_, Before, _, _, _, _),
  unlucky(Before).
# From the beginning, and what had come is shown twice.
replayed(R, Before, Member, Last, First) :-
  frames_missed(R, Before, Member, Last, First),
  First <= Last,
  follows_socket(Before, R),
  shown_again(R).
shown_again(R) :- twins_of(R, _).
shown_again(R) :- frames_missed(R, _, _, _, _), drawn_double(R, _).
suspect(R, "missed_messages", Text) :-
  replayed(R, _, Member, Last, First),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was connected again and began anew with ", Member, " ", First,
                          ", although ", Last, " had come: these are shown twice").
trouble(R, 52, Text) :-
  replayed(R, _, _, _, _),
  request_label(R, Label),
  Text = fn:string:concat("messages of ", Label, " are shown twice").
repair("bad_argument", "caller", "say it when the value is there").
check("missed_messages", "after it was connected again no message is missing").

# Kinds of fault where two parts of a page mean the same thing differently: a word in other letters, a month that counts
# from 0 or from 1, an event that is told before somebody listens.

# ---- a word that is looked up in other letters ------------------------------------------------------------

looks_up_otherwise(R, Path, Word, Other, Where) :-
  looked_up_as(R, Path, Word, Other, Url, Line),
  own_data(R),
  went_well(R),
  code_place(Url, Line, Where).
suspect(R, "unknown_value", Text) :-
  looks_up_otherwise(R, Path, Word, Other, Where),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers `", Word, "` at ", Path, ", and ", Where, " looks up `",
                          Other,
                          "`: that is spelled otherwise (capital letters, or what stands before it), and nothing is found").
trouble(R, 52, Text) :-
  looks_up_otherwise(R, Path, Word, _, _),
  Text = fn:string:concat("what depends on `", Word, "` at ", Path, " is not there").
change_at(R, Where, Text) :-
  looks_up_otherwise(R, _, Word, _, Where),
  Text = fn:string:concat("look up the word as it is answered, ", Word,
                          ", or make one of both first").
change_at(R, Label, Text) :-
  looks_up_otherwise(R, _, _, Other, _),
  request_label(R, Label),
  Text = fn:string:concat("or answer it as ", Other).

# ---- a month too many or too few -------------------------------------------------------------------------------

counts_from("later", "gives `new Date` a month that counts from 1, and Date counts from 0").
counts_from("earlier", "writes the month of a Date, which counts from 0, as it is").
counts_from("sent later", "gives `new Date` a month that counts from 1, and Date counts from 0").
counts_from("sent earlier", "writes the month of a Date, which counts from 0, as it is").
mends_month("later", "take 1 from the month: new Date(y, m - 1, d)").
mends_month("earlier", "add 1: getMonth() + 1").
mends_month("sent later", "take 1 from the month: new Date(y, m - 1, d)").
mends_month("sent earlier", "add 1: getMonth() + 1").
off_by_month(Node, R, Day, Other, How, Where) :-
  month_off(R, Day, Other, How, Url, Line),
  own_data(R),
  code_place(Url, Line, Where),
  Node = fn:string:concat("month:", Where).
what_is_off(Node, Text) :-
  off_by_month(Node, R, Day, Other, How, _),
  Other != "",
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers ", Day, ", and the page shows it a month ", How, ", ",
                          Other).
what_is_off(Node, Text) :-
  off_by_month(Node, R, Day, "", How, _),
  request_label(R, Label),
  sent_how(How, Later),
  Text = fn:string:concat(Label, " was sent with ", Day, ", a month ", Later).
sent_how("sent later", "later than was chosen").
sent_how("sent earlier", "too early").
first_off(Node, Text) :- what_is_off(Node, T) |> do fn:group_by(Node), let Text = fn:pick_any(T).
suspect(Node, "month_off_by_one", Text) :-
  first_off(Node, Off),
  off_by_month(Node, _, _, _, How, Where),
  counts_from(How, Says),
  Text = fn:string:concat(Off, ": ", Where, " ", Says).
trouble(Node, 53, Text) :- first_off(Node, Text).
node_text(Node, Text) :- first_off(Node, Text).
change_at(Node, Where, Mend) :- off_by_month(Node, _, _, _, How, Where), mends_month(How, Mend).
check("month_off_by_one", "the day is that which was meant").

# ---- told before somebody listens --------------------------------------------------------------------------------

early_line(Node, Topic, Where, Listener) :-
  told_early(Id, Topic, Url, Line),
  heard_late(Id, There, Later),
  code_place(Url, Line, Where),
  code_place(There, Later, Listener),
  Node = fn:string:concat("event:", Where).
# A bus may keep what was told for those who come later: it matters where the page waits, and for nothing else that failed.
misses_told(Node, Topic, Where, Listener) :-
  early_line(Node, Topic, Where, Listener),
  page_waits(),
  !fails_besides(),
  !waits_for_answer().
waits_for_answer() :- told_early(_, _, _, _), is_open(R), own_data(R), is_data(R).
# What a server says by itself may be what is waited for.
waits_for_answer() :- told_early(_, _, _, _), kind_of(R, "socket").
waits_for_answer() :- told_early(_, _, _, _), kind_of(R, "stream").
fails_besides() :-
  told_early(_, _, _, _),
  own_data(R),
  went_wrong(R),
  !is_soft(R),
  !is_tracker(R),
  !made_good_at(R, _).
fails_besides() :- told_early(_, _, _, _), is_thrown(E), has_own_frame(E).
suspect(Node, "unheard_event", Text) :-
  misses_told(Node, Topic, Where, Listener),
  Text = fn:string:concat(Where, " tells `", Topic, "` before anybody listens: ", Listener,
                          " begins to listen later, when it is over, and waits for it for ever").
trouble(Node, 52, Text) :-
  misses_told(Node, Topic, _, _),
  Text = fn:string:concat("the page still waits for `", Topic, "`").
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  misses_told(_, _, _, _).
causes("shown:spinner", Node, "what waits for it began to listen too late") :-
  spins(),
  misses_told(Node, _, _, _).
node_text(Node, Text) :-
  misses_told(Node, Topic, _, _),
  Text = fn:string:concat("`", Topic, "` is told, and nobody listens").
change_at(Node, Listener, "listen before it is told, or ask for what was told when it is over") :-
  misses_told(Node, _, _, Listener).
change_at(Node, Where, "tell it when those who listen are there, or keep it for them") :-
  misses_told(Node, _, Where, _).

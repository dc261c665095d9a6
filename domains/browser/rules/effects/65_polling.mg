# Kinds of fault of what is asked for again and again, or is not: a question that goes on after its end, one that ends after
# an error, one that is not asked for what was chosen since.

# ---- an end that the code does not know ------------------------------------------------------------------------

Decl final_word(Word)
  descr [doc("Says that something came to its end.")]
  bound [/string].
final_word("succeeded").
final_word("success").
final_word("successful").
final_word("done").
final_word("complete").
final_word("completed").
final_word("finished").
final_word("ready").
final_word("ended").
final_word("closed").
final_word("failed").
final_word("failure").
final_word("error").
final_word("aborted").
final_word("cancelled").
final_word("canceled").
final_word("expired").
final_word("rejected").
final_word("stopped").
ends_as(R, Path, Word) :-
  word_unknown(R, Path, Value),
  own_data(R),
  went_well(R),
  in_small_letters(Value, Word),
  final_word(Word).
Decl in_small_letters(Value, Word)
  descr [doc("Of the words that count: as they are, or with a capital, or in capitals.")]
  bound [/string, /string].
in_small_letters(Value, Value) :- word_unknown(_, _, Value).
in_small_letters(Value, Word) :- word_unknown(_, _, Value), in_capitals(Value, Word).
in_capitals("SUCCEEDED", "succeeded").
in_capitals("SUCCESS", "success").
in_capitals("DONE", "done").
in_capitals("COMPLETED", "completed").
in_capitals("COMPLETE", "complete").
in_capitals("FINISHED", "finished").
in_capitals("READY", "ready").
in_capitals("FAILED", "failed").
in_capitals("ERROR", "error").
in_capitals("CANCELLED", "cancelled").
in_capitals("EXPIRED", "expired").
ended_at_route(Route, Path, Value, R) :-
  ends_as(R, Path, _),
  word_unknown(R, Path, Value),
  endpoint(R, "GET", Route).
ended_times(Route, Path, Value, N) :- ended_at_route(Route, Path, Value, R)
  |> do fn:group_by(Route, Path, Value), let N = fn:count_distinct().
ended_last(Route, Path, Value, Ms) :- ended_at_route(Route, Path, Value, R), sent_at(R, S)
  |> do fn:group_by(Route, Path, Value), let Ms = fn:max(S).
asks_beyond(R, Path, Value, N) :-
  ended_times(Route, Path, Value, N),
  3 <= N,
  ended_last(Route, Path, Value, Ms),
  ended_at_route(Route, Path, Value, R),
  sent_at(R, Ms).
suspect(R, "unknown_value", Text) :-
  asks_beyond(R, Path, Value, N),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answers `", Value, "` at ", Path,
                          ", which no script of the page knows: it goes on asking (", N,
                          " times) as if that were no end").
trouble(R, 54, Text) :-
  asks_beyond(R, _, Value, _),
  request_label(R, Label),
  Text = fn:string:concat("the page goes on asking ", Label, " after it was answered ", Value).

# ---- a question that ends with an error ------------------------------------------------------------------------

# Asked again and again; then code that had waited for an answer failed, caught it, and asked no more.
asked_often(Route, N) :- own_data(R), went_well(R), endpoint(R, "GET", Route)
  |> do fn:group_by(Route), let N = fn:count().
last_asked(Route, Ms) :- asked_often(Route, N), 3 <= N, endpoint(R, "GET", Route), sent_at(R, S)
  |> do fn:group_by(Route), let Ms = fn:max(S).
one_before(Route, Ms) :- last_asked(Route, Last), endpoint(R, "GET", Route), sent_at(R, S), S < Last
  |> do fn:group_by(Route), let Ms = fn:max(S).
# It would have been asked four times since.
asks_no_more(C, R) :-
  fails_in_code(C),
  error_awaits(C, R),
  endpoint(R, "GET", Route),
  last_asked(Route, Last),
  sent_at(R, Last),
  one_before(Route, Before),
  caught(C, _, _)@[_, T],
  ms(T, At),
  watched(_)@[_, Until],
  ms(Until, End),
  Gap = fn:minus(Last, Before),
  Gap < 5000,
  fn:plus(At, fn:mult(4, Gap)) <= End.
suspect(C, "poll_ended", Text) :-
  asks_no_more(C, R),
  request_label(R, Label),
  place_of(C, Where),
  caught_said(C, Said),
  Text = fn:string:concat("since ", Where, " failed (", Said, ") on an answer of ", Label,
                          ", nobody asks for it again: the error was caught, and the next question not set").
trouble(C, 54, Text) :-
  asks_no_more(C, R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is asked no more, and what is shown of it grows old").
change_at(C, Where, "go on asking also after an error, and mend what fails here") :-
  asks_no_more(C, _),
  place_of(C, Where).
repair("poll_ended", "code", "go on asking also after an error, and mend what fails here").
check("poll_ended", "is asked again after the same answer").

# ---- chosen anew, and half of it is asked for -------------------------------------------------------------------

# Two endpoints were asked with one value; of another that was chosen since only one of them was.
asked_by_value(R, Route, Name, Value) :-
  own_data(R),
  is_plain_get(R),
  endpoint(R, "GET", Route),
  request_query(R, Name, Value),
  Value != "".
both_with(Route, Other, Name, Value) :-
  asked_by_value(_, Route, Name, Value),
  asked_by_value(_, Other, Name, Value),
  Route != Other.
left_behind(R, New, Name, Was, Value) :-
  asked_by_value(New, Other, Name, Value),
  asked_after_input(New, I),
  input(I, _, _, _)@[T, _],
  both_with(Route, Other, Name, Was),
  Was != Value,
  asked_by_value(R, Route, Name, Was),
  went_well(R),
  sent_at(R, A),
  ms(T, B),
  A < B,
  !asked_by_value(_, Route, Name, Value).
first_left(R, Name) :- left_behind(R, _, N, _, _) |> do fn:group_by(R), let Name = fn:pick_any(N).
suspect(R, "kept_key", Text) :-
  first_left(R, Name),
  left_behind(R, _, Name, Was, Value),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is not asked for ", Name, " = ", Value,
                          ", which was chosen since: what was kept for ", Name, " = ", Was,
                          " is taken for it (a cache whose key leaves the query out)").
trouble(R, 52, Text) :-
  left_behind(R, _, Name, _, Value),
  request_label(R, Label),
  Text = fn:string:concat("what is shown of ", Label, " is not of ", Name, " = ", Value).
repair("kept_key", "code", "keep answers under all that they were asked with").
check("kept_key", "is asked for what was chosen").

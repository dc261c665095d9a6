# Kinds of fault of time: seconds that are taken as milliseconds, timers without a time, limits and notices that are over
# before anybody can have noticed.

# ---- what is meant by a number -------------------------------------------------------------------------

# By these names servers tell seconds.
second_name("expires_in").
second_name("expiresIn").
second_name("expires_after").
second_name("expiresAfter").
second_name("ttl").
second_name("max_age").
second_name("maxAge").
second_name("lifetime").
second_name("seconds").
second_name("Seconds").
second_name("_secs").
second_name("_sec").
second_name("Sec").
second_name("Secs").
second_name("retry_after").
second_name("retryAfter").
second_name("valid_for").
second_name("validFor").
# By these either, as the number tells: nobody asks every 30 milliseconds.
span_name("interval").
span_name("Interval").
span_name("timeout").
span_name("Timeout").
span_name("refresh").
span_name("Refresh").
span_name("poll").
span_name("Poll").
span_name("every").
span_name("Every").
span_name("delay").
span_name("Delay").
span_name("wait").
span_name("duration").
span_name("Duration").
span_name("period").
span_name("renew").
says_seconds(R, Path, V) :-
  body_value(R, Path, V),
  second_name(Part),
  :string:ends_with(Path, Part).
says_span(R, Path, V) :- body_value(R, Path, V), span_name(Part), :string:contains(Path, Part).
says_seconds(R, "retry-after", V) :- answer_header(R, "retry-after", V).

timer_of(K, What, Ms, At) :- timer_set(K, What, Ms)@[T, _], ms(T, At), has_own_frame(K).
short_enough(K, Ms) :- timer_of(K, _, Ms, _), Ms < 10000.
taken_as_ms(K, R, Path, Ms) :-
  short_enough(K, Ms),
  V = fn:number:to_string(Ms),
  says_seconds(R, Path, V),
  answered_before(R, K).
taken_as_ms(K, R, Path, Ms) :-
  short_enough(K, Ms),
  Ms <= 200,
  V = fn:number:to_string(Ms),
  says_span(R, Path, V),
  answered_before(R, K).
# A little earlier than it ends, as one renews.
margin(5).
margin(10).
margin(15).
margin(20).
margin(30).
margin(60).
taken_as_ms(K, R, Path, Ms) :-
  short_enough(K, Ms),
  margin(Less),
  V = fn:number:to_string(fn:plus(Ms, Less)),
  says_seconds(R, Path, V),
  Least = fn:mult(Less, 2),
  Least <= Ms,
  answered_before(R, K).
answered_before(R, K) :- own_data(R), known_at(R, A), timer_of(K, _, _, B), A <= fn:plus(B, 50).
is_taken_as_ms(K) :- taken_as_ms(K, _, _, _).
suspect(K, "seconds_as_ms", Text) :-
  taken_as_ms(K, R, Path, Ms),
  request_label(R, Label),
  place_of(K, Where),
  Text = fn:string:concat(Where, " waits ", Ms, " ms: ", Path, " of ", Label, " tells seconds").
same_number(K, First) :-
  taken_as_ms(K, _, Path, Ms),
  taken_as_ms(First, _, Path, Ms),
  timer_of(K, _, _, B),
  timer_of(First, _, _, A),
  A < B.
is_another(K) :- same_number(K, _).
causes(K, First, "the same number, taken so before") :- same_number(K, First), !is_another(First).
change_at(First, Where, "the same here") :-
  same_number(K, First),
  !is_another(First),
  place_of(K, Where).
trouble(K, 51, Text) :-
  !is_another(K),
  taken_as_ms(K, _, Path, Ms),
  Text = fn:string:concat("what is to happen after ", Path, " happens after ", Ms, " ms").

# ---- what comes of a timer ---------------------------------------------------------------------------------

# Who asks is where the timer was set: asynchronous stacks go on there.
set_it_off(R, K) :-
  timer_of(K, _, _, _),
  own_frame(K, 0, _, Url, Line),
  stack(R, Depth, _, Url, Line),
  0 < Depth,
  own_data(R),
  sent_at(R, B),
  node_at(K, A),
  A <= B.
times_set_off(K, N) :- set_it_off(R, K) |> do fn:group_by(K), let N = fn:count().
causes(R, K, "the timer sets it off again and again") :- set_it_off(R, K), is_taken_as_ms(K).
trouble(K, 57, Text) :-
  is_taken_as_ms(K),
  !is_another(K),
  times_set_off(K, N),
  3 <= N,
  set_it_off(R, K),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is asked again and again, ", N, " times").

# Asked again so fast that no one can have meant it.
too_often(K, Ms) :- timer_of(K, "interval", Ms, _), Ms <= 100, times_set_off(K, N), 8 <= N.
suspect(K, "short_timer", Text) :-
  too_often(K, Ms),
  !is_taken_as_ms(K),
  place_of(K, Where),
  Text = fn:string:concat(Where, " asks every ", Ms, " ms: are seconds meant?").
causes(R, K, "the timer sets it off again and again") :- too_often(K, _), set_it_off(R, K).
trouble(K, 54, Text) :-
  too_often(K, _),
  set_it_off(R, K),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is asked again and again").

# A question that is asked over and over, by a timer that goes on.
asks_on(K, Ms) :-
  timer_of(K, "timeout", Ms, _),
  Ms <= 500,
  often_by(K),
  !is_taken_as_ms(K),
  !is_hastening(K).
often_by(K) :-
  often(R, _, _),
  request_route(R, Route),
  set_it_off(Other, K),
  request_route(Other, Route),
  !is_paged(R).
suspect(K, "short_timer", Text) :-
  asks_on(K, Ms),
  place_of(K, Where),
  Text = fn:string:concat(Where, " asks again after ", Ms, " ms: are seconds meant?").
causes(R, K, "the timer sets it off again and again") :- asks_on(K, _), set_it_off(R, K).
causes(First, K, "the timer sets it off again and again") :-
  asks_on(K, _),
  set_it_off(R, K),
  request_route(R, Route),
  often(First, _, _),
  request_route(First, Route).

# One that waits less each time: what was to wait longer after each failure, or a factor below one.
waits_at(K, Url, Line, Ms, At) :- timer_of(K, "timeout", Ms, At), own_frame(K, 0, _, Url, Line).
waits_longer(Url, Line) :-
  waits_at(_, Url, Line, A, T),
  waits_at(_, Url, Line, B, U),
  T < U,
  A <= B.
waits_count(Url, Line, N) :- waits_at(K, Url, Line, _, _)
  |> do fn:group_by(Url, Line), let N = fn:count().
waits_most(Url, Line, Most) :- waits_at(K, Url, Line, Ms, _)
  |> do fn:group_by(Url, Line), let Most = fn:max(Ms).
waits_least(Url, Line, Least) :- waits_at(K, Url, Line, Ms, _)
  |> do fn:group_by(Url, Line), let Least = fn:min(Ms).
Decl is_hastening(K) bound [/string].
hastens(K, Most, Least) :-
  waits_count(Url, Line, N),
  5 <= N,
  !waits_longer(Url, Line),
  waits_most(Url, Line, Most),
  waits_least(Url, Line, Least),
  fn:mult(4, Least) <= Most,
  waits_at(K, Url, Line, Most, _),
  set_it_off(_, K).
is_hastening(K) :-
  hastens(First, _, _),
  waits_at(First, Url, Line, _, _),
  waits_at(K, Url, Line, _, _).
suspect(K, "hastening_poll", Text) :-
  hastens(K, Most, Least),
  place_of(K, Where),
  Text = fn:string:concat(Where, " asks again sooner each time: after ", Most,
                          " ms at first, and after ", Least, " ms by now").
trouble(K, 54, Text) :-
  hastens(K, _, _),
  set_it_off(R, K),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is asked more and more often").
causes(R, K, "the timer sets it off, sooner each time") :-
  hastens(K, _, _),
  set_it_off(X, K),
  request_route(X, Route),
  often(R, _, _),
  request_route(R, Route).

# Timers count no further than 31 bits: what is longer goes off at once.
overflows(K, What, Ms) :- timer_of(K, What, Ms, _), 2147483647 < Ms.
suspect(K, "short_timer", Text) :-
  overflows(K, _, Ms),
  place_of(K, Where),
  Text = fn:string:concat(Where, " waits ", Ms, " ms, longer than timers can: it goes off at once").
trouble(K, 52, Text) :-
  overflows(K, _, _),
  place_of(K, Where),
  Text = fn:string:concat("what ", Where, " puts off for weeks happens at once").
causes(R, K, "it goes off at once") :- overflows(K, _, _), set_it_off(R, K).

# ---- a timer without a time --------------------------------------------------------------------------------------

timer_timeless(K, What, Text) :- timer_without(K, What, Text)@[T, _], has_own_frame(K).
timeless_place(K, Url, Line) :- timer_timeless(K, _, _), own_frame(K, 0, _, Url, Line).
timeless_sets_off(R, K) :- timeless_place(K, Url, Line), stack(R, _, _, Url, Line), own_data(R).
timeless_times(K, N) :- timeless_sets_off(R, K) |> do fn:group_by(K), let N = fn:count().
timeless_matters(K) :- timeless_times(K, N), 6 <= N.
timeless_matters(K) :- timer_timeless(K, "interval", _), suspect(_, "endless_rendering", _).
suspect(K, "timer_without_time", Text) :-
  timer_timeless(K, "interval", Said),
  place_of(K, Where),
  Text = fn:string:concat(Where, " sets an interval of ", Said,
                          " milliseconds: it runs without a pause").
suspect(K, "timer_without_time", Text) :-
  timer_timeless(K, "timeout", Said),
  timeless_matters(K),
  place_of(K, Where),
  Text = fn:string:concat(Where, " waits ", Said, " milliseconds: it goes on at once").
trouble(K, 56, Text) :-
  timeless_matters(K),
  place_of(K, Where),
  Text = fn:string:concat("what ", Where, " sets off runs without a pause").
causes(R, K, "the timer has no time and sets it off without a pause") :- timeless_sets_off(R, K).
causes(Node, K, "the timer has no time and runs without a pause") :-
  timer_timeless(K, "interval", _),
  suspect(Node, "endless_rendering", _).

# ---- limits ------------------------------------------------------------------------------------------------------

# A request that is given no time: the timer behind its abort.
cut_by(R, K, Ms) :-
  is_cancelled(R),
  own_data(R),
  !was_superseded(R),
  timer_of(K, What, Ms, Set),
  gives_up_after(What),
  Ms <= 150,
  sent_at(R, Sent),
  Set <= fn:plus(Sent, 200),
  Sent <= fn:plus(Set, 200),
  failed_at(R, Failed),
  fn:plus(Set, Ms) <= fn:plus(Failed, 20),
  Failed <= fn:plus(Set, Ms, 400).
gives_up_after("limit").
gives_up_after("timeout").
# Code that gave it up says so; of a limit nobody does.
is_cut(R, K, Ms) :- cut_by(R, K, Ms), timer_set(K, "limit", Ms)@[T, _].
is_cut(R, K, Ms) :-
  cut_by(R, K, Ms),
  request_cancelled(R, Who),
  :string:starts_with(Who, "script:").
suspect(K, "short_limit", Text) :-
  is_cut(R, K, Ms),
  request_label(R, Label),
  place_of(K, Where),
  Text = fn:string:concat(Where, " gives ", Label, " ", Ms, " ms to be answered").
causes(R, K, "it was given no more time than that") :- is_cut(R, K, _).
# Whoever gives it a tenth of a second and more may do without it.
is_missed_then(R) :- is_cut(R, _, Ms), Ms <= 50.
is_missed_then(R) :- is_cut(R, _, _), is_change(R).
is_missed_then(R) :- is_cut(R, _, _), is_denied_by_page(R).
is_missed_then(R) :- is_cut(R, _, _), page_complains().
trouble(K, 57, Text) :-
  is_cut(R, K, Ms),
  is_missed_then(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is given up after ", Ms, " ms").

# Longer, and still too short: the page says that there is nothing.
cut_later(R, K, Ms) :-
  is_cancelled(R),
  own_data(R),
  method_of(R, "GET"),
  !was_superseded(R),
  !asked_once_more(R),
  !code_does_without(R, "value"),
  timer_set(K, "limit", Ms)@[T, _],
  150 < Ms,
  has_own_frame(K),
  ms(T, Set),
  sent_at(R, Sent),
  Set <= fn:plus(Sent, 200),
  Sent <= fn:plus(Set, 200),
  failed_at(R, Failed),
  fn:plus(Sent, Ms) <= fn:plus(Failed, 100),
  Failed <= fn:plus(Sent, Ms, 400),
  is_missed_on_page(R).
is_missed_on_page(R) :- is_cancelled(R), says_nothing_there().
is_missed_on_page(R) :- is_denied_by_page(R).
is_missed_on_page(R) :- is_cancelled(R), page_is_of(R, _).
says_nothing_there() :- page_complains().
says_nothing_there() :- shown("text", Text), nothing_phrase(Phrase), :string:contains(Text, Phrase).
nothing_phrase("Nothing").
nothing_phrase("nothing").
nothing_phrase("There are no").
nothing_phrase("There is no").
nothing_phrase("You have no").
nothing_phrase("\nNo ").
nothing_phrase(" yet.").
nothing_phrase(" is empty").
nothing_phrase("not found").
later_text(K, Text) :-
  cut_later(R, K, Ms),
  request_label(R, Label),
  place_of(K, Where),
  T = fn:string:concat(Where, " gives ", Label, " ", Ms,
                       " ms to be answered: it was given up (timeout) before its answer came")
  |> do fn:group_by(K), let Text = fn:pick_any(T).
suspect(K, "short_limit", Text) :- later_text(K, Text).
trouble(K, 50, Text) :- later_text(K, Text).
causes(R, K, "it was given no more time than that") :- cut_later(R, K, _).
change_at(K, Label, "answer in time") :- cut_later(R, K, _), request_label(R, Label).

# Nobody ends the request: what races with its answer is done first, and the answer comes to nobody.
late_said(C, First, Last) :- caught(C, _, _)@[A, B], :time:le(A, B), ms(A, First), ms(B, Last).
late_said(E, First, Last) :-
  error(E, _, _, Source)@[A, B],
  Source != "network",
  :time:le(A, B),
  ms(A, First),
  ms(B, Last).
said_by_timer(C, K, Ms, Set) :-
  timer_of(K, "timeout", Ms, Set),
  100 <= Ms,
  own_frame(K, 0, _, Url, Line),
  own_frame(C, 0, _, Url, Line),
  late_said(C, First, Last),
  First <= fn:plus(Set, Ms, 400),
  fn:plus(Set, Ms) <= fn:plus(Last, 50).
outrun(R, K, C, Ms) :-
  said_by_timer(C, K, Ms, Set),
  own_data(R),
  went_well(R),
  unchanged_after(R),
  !is_tracker(R),
  sent_at(R, Sent),
  Set <= fn:plus(Sent, 100),
  Sent <= fn:plus(Set, 100),
  answered_at(R, Came),
  fn:plus(Set, Ms) <= Came,
  own_frame(K, Depth, _, Url, Line),
  0 < Depth,
  own_frame(R, _, _, Url, Line).
# It had been there before, from elsewhere.
is_there_all_the_same(R) :-
  outrun(R, _, _, _),
  body_type(R, Path, "string"),
  body_value(R, Path, V),
  V != "",
  shown(_, Text),
  :string:contains(Text, V).
outlasted_by(R, K, Ms, Took) :-
  outrun(R, K, _, Ms),
  !is_there_all_the_same(R),
  sent_at(R, Sent),
  answered_at(R, Came),
  Took = fn:minus(Came, Sent).
late_text(K, Text) :-
  outlasted_by(R, K, Ms, Took),
  request_label(R, Label),
  seconds(Took, For),
  place_of(K, Where),
  T = fn:string:concat(Where, " gives ", Label, " ", Ms,
                       " ms to be answered, and its answer came after ", For,
                       ": nobody waited for it any more")
  |> do fn:group_by(K), let Text = fn:pick_any(T).
suspect(K, "short_limit", Text) :- late_text(K, Text).
causes(R, K, "it was given no more time than that") :- outlasted_by(R, K, _, _).
causes(E, K, "the time that it was given was over") :- outrun(R, K, E, _), outlasted_by(R, K, _, _).
trouble(R, 52, Text) :-
  outlasted_by(R, _, Ms, _),
  request_label(R, Label),
  Text = fn:string:concat("the answer of ", Label, " comes to nobody: it was given up after ", Ms,
                          " ms").
change_at(K, Label, "answer in time") :- outlasted_by(R, K, _, _), request_label(R, Label).
repair("short_limit", "none", "answer in time").

# ---- notices -----------------------------------------------------------------------------------------------------

brief_notice(N, Text, Ms, Shown) :-
  notice_gone(N, _, Text, Ms)@[T, _],
  ms(T, Gone),
  Shown = fn:minus(Gone, Ms),
  !is_about_waiting(Text).
# What tells that something is on its way may be gone at once.
is_about_waiting(Text) :-
  notice_gone(_, _, Text, _)@[T, _],
  waiting_part(Part),
  :string:contains(Text, Part).
waiting_part("...").
waiting_part("…").
waiting_part("oading").
waiting_part("aving").
waiting_part("ending").
waiting_part("lease wait").
waiting_part("pdating").
waiting_part("earching").
taken_away_by(N, K, Ms) :-
  brief_notice(N, _, Lasted, Shown),
  timer_of(K, "timeout", Ms, Set),
  Ms <= 100,
  Ms <= fn:plus(Lasted, 5),
  Lasted <= fn:plus(Ms, 150),
  Shown <= fn:plus(Set, 30),
  Set <= fn:plus(Shown, 60).
node_text(N, Text) :-
  notice_gone(N, _, Said, Ms)@[T, _],
  Text = fn:string:concat("the notice `", Said, "` is gone after ", Ms, " ms").
trouble(N, 52, Text) :-
  taken_away_by(N, _, _),
  brief_notice(N, Said, Ms, _),
  Text = fn:string:concat("nobody can read the notice `", Said, "`: it is gone after ", Ms, " ms").
suspect(K, "short_timer", Text) :-
  taken_away_by(_, K, Ms),
  !is_taken_as_ms(K),
  place_of(K, Where),
  Text = fn:string:concat(Where, " takes a notice away after ", Ms, " ms: are seconds meant?").
causes(N, K, "the timer takes it away") :- taken_away_by(N, K, _).

# ---- clocks ------------------------------------------------------------------------------------------------------

clock_node(R, Path, Url, Line, Node) :-
  clock_meets(R, Path, _, Url, Line),
  place_text(Url, Line, Where),
  Node = fn:string:concat("clock:", Where).
# A span in seconds that is added to a clock of milliseconds.
added_to_clock(Node, R, Path, Where) :-
  clock_meets(R, Path, "plus", Url, Line),
  says_seconds(R, Path, _),
  clock_node(R, Path, Url, Line, Node),
  place_text(Url, Line, Where).
# A time in seconds since 1970 has ten figures, one in milliseconds thirteen.
since_1970("16").
since_1970("17").
since_1970("18").
since_1970("19").
since_1970("20").
in_seconds(R, Path, V) :-
  clock_meets(R, Path, _, _, _),
  body_value(R, Path, V),
  since_1970(Begin),
  :string:starts_with(V, Begin).
compared_in_ms(Node, R, Path, Where) :-
  clock_meets(R, Path, "compare", Url, Line),
  in_seconds(R, Path, _),
  clock_node(R, Path, Url, Line, Node),
  place_text(Url, Line, Where).
dated_in_ms(Node, R, Path, Where) :-
  clock_meets(R, Path, "date", Url, Line),
  in_seconds(R, Path, _),
  clock_node(R, Path, Url, Line, Node),
  place_text(Url, Line, Where).
off_clock(Node, R, Path, Where) :- added_to_clock(Node, R, Path, Where).
off_clock(Node, R, Path, Where) :- compared_in_ms(Node, R, Path, Where).
off_clock(Node, R, Path, Where) :- dated_in_ms(Node, R, Path, Where).
suspect(Node, "seconds_as_ms", Text) :-
  off_clock(Node, R, Path, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " takes ", Path, " of ", Label,
                          " as milliseconds: it tells seconds").
node_text(Node, Text) :-
  off_clock(Node, _, _, Where),
  Text = fn:string:concat("seconds taken as milliseconds at ", Where).
change_at(Node, Where, "multiply it by 1000") :- off_clock(Node, _, _, Where).
over_word("expired").
over_word("Expired").
over_word("has ended").
over_word("timed out").
over_word("signed out").
over_word("logged out").
over_word("sign in again").
over_word("log in again").
over_word("no longer valid").
over_word("outdated").
says_over() :- shown(_, Text), over_word(Word), :string:contains(Text, Word).
says_over() :- message(_, _, Text)@[T, _], over_word(Word), :string:contains(Text, Word).
trouble(Node, 56, "the page says that a time is over which has hardly begun") :-
  added_to_clock(Node, _, _, _),
  says_over().
trouble(Node, 56, "the page says that a time is over which is not") :-
  compared_in_ms(Node, _, _, _),
  says_over().
trouble(Node, 50,
        "times that are to come are taken for long past, and the page says that there is nothing") :-
  dated_in_ms(Node, _, _, _),
  says_nothing_there().
trouble(Node, 54, "the page shows a date of 1970") :-
  dated_in_ms(Node, _, _, _),
  shown(_, Text),
  :string:contains(Text, "1970").

repair("seconds_as_ms", "code", "multiply it by 1000: timers and clocks count milliseconds").
repair("hastening_poll", "code", "wait as long each time, or longer").
repair("short_timer", "code", "the time in milliseconds").
repair("short_limit", "code", "the limit in milliseconds, longer than an answer takes").
repair("timer_without_time", "code", "the name of the setting that it takes its time from").

check("seconds_as_ms", "it happens after as many seconds").
check("hastening_poll", "the waits do not become shorter").
check("short_timer", "it is there long enough to be read").
check("short_limit", "the same steps wait for the answer").
check("timer_without_time", "it runs at the pace that is meant").

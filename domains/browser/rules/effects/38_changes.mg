# Comparing: explain_change tells what happened since an instant, verify_fix whether what was found before is still there.

# The last thing that was seen, which is what "since the last time" means for the next.
Decl last_seen(Ms) bound [/number].
last_seen(Ms) :- gathered(), node_at(X, M) |> do fn:group_by(), let Ms = fn:max(M).
Decl last_seen_text(Text) bound [/string].
last_seen_text(Text) :-
  last_seen(Ms),
  Text = fn:time:format(fn:time:from_unix_nanos(fn:mult(Ms, 1000000)), /millisecond).

# Since an instant that is said; else since the client has seen the page last, as far as is known.
Decl since_text(Text) bound [/any].
since_text(Text) :- invoked("explain_change"), invoke_arg("since", Text).
since_text(Text) :- invoked("explain_change"), invoke_arg("seen", Text), !says_since().
Decl says_since().
says_since() :- invoke_arg("since", _).
result_member("since", Text) :- since_text(Text).
Decl since_ms(Ms) bound [/number].
since_ms(Ms) :-
  since_text(Text),
  Ms = fn:div(fn:time:to_unix_nanos(fn:time:parse_rfc3339(Text)), 1000000).
Decl has_since().
has_since() :- since_ms(_).
since_ms_or_start(Ms) :- since_ms(Ms).
since_ms_or_start(0) :- invoked("explain_change"), !has_since().
Decl since_ms_or_start(Ms) bound [/number].

# What is worth telling, in order of time.
Decl is_event(X) bound [/string].
is_event(X) :- to_explain(X, _).
is_event(N) :- navigation(N, _, _)@[T, _].
is_event(I) :- input(I, _, _, _)@[T, _].
is_event(R) :- made_good_by(_, R, _), !is_repeat_of_good(R).
Decl is_repeat_of_good(R)
  descr [doc("Not the first success after a failure.")]
  bound [/string].
is_repeat_of_good(R) :- made_good_by(Bad, R, Ms), made_good_at(Bad, First), First < Ms.
Decl new_event(X, Ms) bound [/string, /number].
new_event(X, Ms) :- since_ms_or_start(Since), is_event(X), node_at(X, M), Since < M
  |> do fn:group_by(X), let Ms = fn:min(M).
Decl is_later(A, B) bound [/string, /string].
is_later(A, B) :- new_event(A, T1), new_event(B, T2), T2 < T1.
is_later(A, B) :- new_event(A, T), new_event(B, T), :string:lt(B, A).
Decl later_count(X, Count) bound [/string, /number].
later_count(X, Count) :- is_later(Y, X) |> do fn:group_by(X), let Count = fn:count().
Decl has_later(X) bound [/string].
has_later(X) :- is_later(_, X).
Decl from_last(Number, Event)
  descr [doc("The Number-th from the last.")]
  bound [/number, /any].
from_last(1, Event) :- new_event(X, _), !has_later(X), event_item(X, Event).
from_last(Number, Event) :- later_count(X, N), N < 12, Number = fn:plus(N, 1), event_item(X, Event).
Decl event_item(X, Event) bound [/string, /any].
event_item(X, Event) :-
  new_event(X, _),
  label_of(X, Text),
  stamp(X, At),
  Event = fn:map("id", X, "text", Text, "timestamp", At).
Decl last_events(Number, List) bound [/number, .List</any>].
last_events(1, List) :- from_last(1, E), List = fn:list(E).
last_events(Number, List) :-
  last_events(Before, L),
  Number = fn:plus(Before, 1),
  from_last(Number, E),
  List = fn:list:cons(E, L).
Decl event_number(Count) bound [/number].
event_number(Count) :- last_events(N, _) |> do fn:group_by(), let Count = fn:max(N).
result_member("events", List) :- event_number(N), last_events(N, List).

# Found now, and begun since then; and what failed before and was made good since.
result_member("appeared", List) :-
  since_ms_or_start(Since),
  finding(_, R, X),
  when(R, Ms),
  Since < Ms,
  fault_text(R, Text),
  Item = fn:map("id", R, "text", Text)
  |> do fn:group_by(), let List = fn:collect(Item).
result_member("still", List) :-
  since_ms_or_start(Since),
  finding(_, R, X),
  when(R, Ms),
  Ms <= Since,
  fault_text(R, Text),
  Item = fn:map("id", R, "text", Text)
  |> do fn:group_by(), let List = fn:collect(Item).
result_member("made_good", List) :-
  since_ms_or_start(Since),
  made_good_at(R, Ms),
  Since < Ms,
  went_text(R, Text),
  Item = fn:map("id", R, "text", Text)
  |> do fn:group_by(), let List = fn:collect(Item).
result_member("verdict", Word) :- invoked("explain_change"), verdict(Word).
result_member("until", Text) :- invoked("explain_change"), last_seen_text(Text).

# What was there when the page was looked at before, and is not any more: of the live page the plugin keeps it.
Decl gone(Text, Ms)
  descr [doc("What went wrong, and when the page was first looked at without it.")]
  bound [/any, /number].
gone(Text, Ms) :-
  step_output("gather", Said),
  :match_entry(Said, "gone", List),
  :list:member(One, List),
  :match_entry(One, "text", Text),
  :match_entry(One, "gone", At),
  Ms = fn:div(fn:time:to_unix_nanos(fn:time:parse_rfc3339(At)), 1000000).
result_member("gone", List) :- invoked("diagnose_page"), opened_anew(), gone(Text, _)
  |> do fn:group_by(), let List = fn:collect(Text).
result_member("gone", List) :- since_ms_or_start(Since), gone(Text, Ms), Since <= Ms
  |> do fn:group_by(), let List = fn:collect(Text).

# ---- verify_fix: the error or the request that was in question --------------------------------------------------

Decl in_question(X) bound [/string].
in_question(X) :- words_in_question(Part), label_of(X, Text), :string:contains(Text, Part).
in_question(R) :- words_in_question(Part), url_of(R, Url), :string:contains(Url, Part).
in_question(R) :-
  words_in_question(Part),
  finding(_, R, _),
  any_change(R, Where, _),
  :string:contains(Where, Part).
Decl words_in_question(Part) bound [/any].
words_in_question(Part) :- invoked("verify_fix"), invoke_arg("contains", Part).
Decl still_wrong(X) bound [/string].
still_wrong(X) :- in_question(X), to_explain(X, _).
still_wrong(X) :- in_question(X), blamable(X).
still_wrong(X) :- in_question(X), finding(_, X, _).
still_wrong(X) :- in_question(X), finding(_, _, X).
result_member("still", List) :-
  still_wrong(X),
  label_of(X, Text),
  Item = fn:map("id", X, "text", Text)
  |> do fn:group_by(), let List = fn:collect(Item).
Decl has_still_wrong().
has_still_wrong() :- still_wrong(_).
result_member("errors_left", Count) :- still_wrong(X), error_text(X, _)
  |> do fn:group_by(), let Count = fn:count().
Decl was_seen()
  descr [doc("There is, or was, something with these words: who mistypes them has repaired nothing.")].
was_seen() :- in_question(_).
was_seen() :-
  invoked("verify_fix"),
  step_output("gather", Said),
  :match_entry(Said, "seen_before", _).
result_member("fixed", "no") :- invoked("verify_fix"), has_still_wrong().
result_member("fixed", "yes") :- invoked("verify_fix"), gathered(), !has_still_wrong(), was_seen().
result_member("fixed", "unknown") :- invoked("verify_fix"), gathered(), !was_seen().
result_member("note", Text) :-
  words_in_question(Part),
  gathered(),
  !was_seen(),
  Text = fn:string:concat("nothing with the words ", Part,
                          " was seen, neither now nor before: give words of the error or of the address that was told").
result_member("verdict", Word) :- invoked("verify_fix"), verdict(Word).

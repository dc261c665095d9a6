delta_assert("reviewed", [What], "server") :- invoked("review"), invoke_arg("what", What).
delta_assert("cleared", [What], "server") :- invoked("review"), invoke_arg("what", What).
delta_assert("note", ["reviewed", What], "derived") :-
  invoked("review"),
  invoke_arg("what", What).
delta_assert_during("on_duty", [Who], "server", Start, End) :-
  invoked("review"),
  invoke_arg("who", Who),
  Start = fn:time:now(),
  Minute = fn:duration:parse("1m"),
  End = fn:time:add(Start, Minute).

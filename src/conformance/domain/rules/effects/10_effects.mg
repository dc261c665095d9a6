# What an execution tells the client.

delta_assert_during("fx_event", [Label, "mark"], "session", Now, /open) :-
  invoked("fx_mark"),
  invoke_arg("label", Label),
  Now = fn:time:now().
delta_assert("fx_note", [Label, Count], "session") :-
  invoked("fx_mark"),
  invoke_arg("label", Label),
  invoke_arg("count", Count).
delta_retract("fx_note", [Label, /any]) :- invoked("fx_mark"), invoke_arg("label", Label).
delta_retract("fx_ban", ["fx_echo"]) :- invoked("fx_mark").
suggest_intent("fx.recent", "See what became possible.") :- invoked("fx_mark").
suggest_param("fx.recent", "label", Label) :- invoked("fx_mark"), invoke_arg("label", Label).
continuation_fact("fx_event", [Label, "continued"]) :-
  invoked("fx_mark"),
  invoke_arg("label", Label).

delta_assert("fx_seen", [X], "session") :- invoked("fx_reflect"), invoke_arg("x", X).

# fx_slow: rules that take their time and find nothing.
after_counted(N) :- invoked("fx_slow"), invoke_arg("size", Size), fx_number(N), N < Size.
after_busy(A, B, C) :-
  after_counted(A),
  after_counted(B),
  after_counted(C),
  Sum = fn:plus(A, B),
  Total = fn:plus(Sum, C),
  Total < 0.
delta_assert("fx_seen", [A], "session") :- after_busy(A, _, _).

# fx_bulk: a thousand changes, which go out as one.
delta_assert("fx_item", [N, "changed"], "server") :- invoked("fx_bulk"), fx_number(N).

delta_assert("fx_done", ["fx_echo", Label], "server") :-
  invoked("fx_echo"),
  invoke_arg("label", Label).
suggest_intent("fx.two", "Go on with two steps.") :- invoked("fx_echo").

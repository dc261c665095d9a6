delta_assert("fx_done", ["fx_echo", Label], "server") :- invoked("fx_echo"), invoke_arg("label", Label).
delta_retract("fx_done", ["fx_echo", /any]) :- invoked("fx_echo").
suggest_intent("fx.rank", "See what else there is.") :- invoked("fx_echo").
suggest_param("fx.rank", "after", "fx_echo") :- invoked("fx_echo").
continuation_fact("fx_done", ["fx_echo", Label]) :- invoked("fx_echo"), invoke_arg("label", Label).
delta_assert("fx_item", [What, "large"], "server") :- fx_glimpse(What, Size)@[From, _], Size > 9.

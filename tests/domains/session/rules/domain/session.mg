mandatory_for_intent("fx.echo", "fx_echo").
mandatory_for_intent("fx.wait", "fx_wait").
mandatory_for_intent("fx.two", "fx_two").
mandatory_for_intent("fx.danger", "fx_danger").
mandatory_for_intent("fx.fail", "fx_fail").
param_value("fx_echo", "label", Id) :- fx_item(Id).

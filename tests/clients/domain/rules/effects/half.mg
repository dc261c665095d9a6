# A circle that moves its own fact one second onward; only limits stop it, and so the effects are not known.
delta_assert("half_note", ["done"], "session") :- invoked("half_told").
Decl tick(X) temporal.
tick("x")@[now] :- invoked("half_told").
tick(X)@[Next] :- tick(X)@[T], Next = fn:time:add(T, fn:duration:parse("1s")).

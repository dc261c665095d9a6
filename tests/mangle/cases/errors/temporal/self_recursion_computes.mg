# M-ANA-70 ok
Decl due(X) temporal. due(1)@[2024-01-01].
due(X)@[U] :- due(X)@[T], U = fn:time:add(T, fn:duration:parse("24h")).

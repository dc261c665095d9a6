# M-ANA-72, M-ANA-71 TEMP_FUTURE_REC
Decl a(X) temporal. Decl b(X) temporal.
a(X)@[now] :- [+[1d] b(X).
b(X)@[T] :- a(X)@[T].

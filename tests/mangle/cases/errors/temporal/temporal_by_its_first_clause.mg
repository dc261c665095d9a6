# M-ANA-70, M-TEMP-95 ok
a(1)@[2024-01-01].
a(X)@[T] :- a(X)@[T].

# M-ANA-71 TEMP_MUTUAL_REC
Decl a(X) temporal. Decl b(X) temporal. Decl c(X) temporal.
a(1)@[2024-01-01].
a(X)@[T] :- c(X)@[T].
b(X)@[T] :- a(X)@[T].

c(X)@[T] :-
  b(X)@[T].

# M-DECL-19 NOT_SUPPORTED
Decl best(X, C) temporal descr [fundep([X], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
best(/a, 1)@[2024-01-01].

# M-DECL-19, M-DECL-18 NOT_SUPPORTED
Decl best(X, C) descr [fundep([X], [C]), merge([C], "nobody")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
best(/a, 1).

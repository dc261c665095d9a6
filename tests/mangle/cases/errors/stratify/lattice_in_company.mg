# M-EVAL-44 ok
Decl cost(X, C) descr [fundep([X], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
cost(/a, 9).
next(X, D) :- cost(X, C), leg(C, D).
next(X, D) :- cost(X, C), leg(D, C).
leg(9, 3).
cost(X, C) :- next(X, C).

# M-LIM-12: every replacement counts as a fact created
Decl up(X, C) descr [fundep([X], [C]), merge([C], "most")].
Decl most(A, B, C) descr [mode('+', '+', '-'), deferred()].
most(A, B, C) :- A < B, C = B.
most(A, B, C) :- B <= A, C = A.
up(/a, 0).
up(X, D) :- up(X, C), D = fn:plus(C, 1).

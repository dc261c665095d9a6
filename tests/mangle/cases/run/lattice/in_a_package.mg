# M-PKG-8, M-DECL-19: the merge predicate is one of the package
Package road!
Decl best(X, C) descr [fundep([X], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
offer(/a, 5). offer(/a, 3).
best(X, C) :- offer(X, C).

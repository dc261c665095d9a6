# M-EVAL-42, M-DECL-18: the declared source columns count, not the first ones
Decl best(C, X) descr [fundep([X], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
offer(/a, 5). offer(/a, 3). offer(/b, 5). offer(/a, 4).
best(C, X) :- offer(X, C).

# M-EVAL-40: more than one target column is an evaluation error
Decl best(X, C, D) descr [fundep([X], [C, D]), merge([C, D], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
best(X, C, C) :- offer(X, C).
offer(/a, 1).

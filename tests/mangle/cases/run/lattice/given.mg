# M-EVAL-43, M-STR-6: facts that were given are merged too, with and without rules
Decl best(X, C) descr [fundep([X], [C]), merge([C], "least")].
Decl only(X, C) descr [fundep([X], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
best(/a, 5). best(/a, 2). best(/b, 7).
only(/a, 5). only(/a, 2).
offer(/a, 3). offer(/b, 6).
best(X, C) :- offer(X, C).
read(X, C) :- only(X, C).

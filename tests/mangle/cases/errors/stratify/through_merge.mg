# M-STR-6 STRATIFY
Decl best(X, C) descr [fundep([X], [C]), merge([C], "pick")].
Decl pick(A, B, C) descr [mode('+', '+', '-'), deferred()].
pick(A, B, C) :- !best(/a, A), C = B.
best(X, C) :- offer(X, C).
offer(/a, 1).

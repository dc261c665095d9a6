# M-EVAL-41: without an answer both facts are kept; an equal one changes nothing
Decl best(X, C) descr [fundep([X], [C]), merge([C], "same_kind")].
Decl same_kind(A, B, C) descr [mode('+', '+', '-'), deferred()].
same_kind(A, B, C) :- even(A), even(B), A <= B, C = B.
same_kind(A, B, C) :- even(A), even(B), B < A, C = A.
even(2). even(4). even(6).
offer(/a, 2). offer(/a, 3). offer(/a, 6). offer(/a, 4). offer(/a, 5). offer(/b, 3).
best(X, C) :- offer(X, C).

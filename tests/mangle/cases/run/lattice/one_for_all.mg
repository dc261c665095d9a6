# M-EVAL-40, M-DECL-19: without source columns there is one fact
Decl lowest(C) descr [fundep([], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
offer(/a, 5). offer(/b, 3). offer(/c, 4).
lowest(C) :- offer(_, C).

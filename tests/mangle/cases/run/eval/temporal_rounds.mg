# M-EVAL-24: facts of every round keep the interval of their head
Decl up(X) temporal.
next(/a, /b). next(/b, /c). next(/c, /d).
up(/a)@[2024-01-01, 2024-01-02].
up(Y)@[S, E] :- up(X)@[S, E], next(X, Y).

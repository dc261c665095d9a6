# M-EVAL-11: expressions of a head are worked out when all premises hold
n(2). n(4). n(0).
half(X, fn:div(8, X)) :- n(X), X != 0.
pair(fn:pair(X, X)) :- n(X), X = 2.

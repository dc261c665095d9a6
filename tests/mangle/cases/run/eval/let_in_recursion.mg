# M-EVAL-23: a let is worked out for each solution, in recursion too
n(1).
n(Y) :- n(X), X < 40 |> let Y = fn:mult(X, 3).

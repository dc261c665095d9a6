# M-EVAL-66
n(4). n(0).
h(Y) :- n(X), Y = fn:div(8, X).

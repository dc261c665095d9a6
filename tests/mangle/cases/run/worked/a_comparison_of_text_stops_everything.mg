# M-EVAL-66
n("a").
h(X) :- n(X), X < 3.

# M-PRED-1, M-EVAL-66
n("a").
h(X) :- n(X), X < "b".

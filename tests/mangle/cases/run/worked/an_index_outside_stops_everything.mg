# M-EVAL-66
n([1]).
h(Y) :- n(X), Y = fn:list:get(X, 1).

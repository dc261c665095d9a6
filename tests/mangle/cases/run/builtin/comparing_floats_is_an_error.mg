# M-PRED-1
f(1.5).
r(X) :- f(X), X < 2.

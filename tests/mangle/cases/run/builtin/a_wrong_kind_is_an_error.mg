# M-FUN-2
n("4").
r(Y) :- n(X), Y = fn:plus(X, 1).

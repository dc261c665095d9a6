# M-FUN-2: only what is evaluated can fail
n("4"). n(4). number(4).
r(Y) :- n(X), number(X), Y = fn:plus(X, 1).

# M-FUN-18
n(9). n(2.25). n(-4). n(2). n(0).
r(X, Y) :- n(X), Y = fn:sqrt(X).

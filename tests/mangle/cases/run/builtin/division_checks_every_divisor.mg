# M-FUN-13, Q-68: the quotient is 0 before the last divisor is reached
n(1).
r(Y) :- n(X), Y = fn:div(X, 2, 0).

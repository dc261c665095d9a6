# M-FUN-11, M-FUN-3
n(10, 3, 4). n(-9223372036854775808, 1, 0).
r(A, B, C) :- n(X, Y, Z), A = fn:minus(X), B = fn:minus(X, Y), C = fn:minus(X, Y, Z).

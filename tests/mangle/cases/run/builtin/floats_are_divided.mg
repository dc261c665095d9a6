# M-FUN-17
n(10, 4). n(1, -8).
q(A, B, C) :- n(X, Y), A = fn:float:div(X, Y), B = fn:float:div(X, 2.0, Y), C = fn:float:div(Y).

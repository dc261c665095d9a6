# M-FUN-17
n(0).
q(A) :- n(X), A = fn:float:div(X).

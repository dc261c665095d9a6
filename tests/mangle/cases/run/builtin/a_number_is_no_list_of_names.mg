# M-FUN-30
n(1).
r(X) :- n(Y), X = fn:name:list(Y).

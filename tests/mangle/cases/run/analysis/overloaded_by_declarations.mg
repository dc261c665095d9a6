# M-ANA-3, M-SYN-17
Decl s(X).
Decl s(X, Y).
s(1). s(3).
s(1, 2).
r(X) :- s(X, _), s(X).

# M-PRED-7
p(fn:pair(1, "a")). p(fn:tuple(1, 2, 3)). p([1, 2]). p(7).
r(X, Y) :- p(P), :match_pair(P, X, Y).
deep(X, Y, Z) :- p(P), :match_pair(P, X, R), :match_pair(R, Y, Z).

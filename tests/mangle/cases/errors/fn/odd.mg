# M-ANA-45 FN_ODD
r(Y) :- s(X), Y = fn:map(X). s(1).

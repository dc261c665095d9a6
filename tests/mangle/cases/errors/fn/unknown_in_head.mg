# M-ANA-54 FN_UNKNOWN
r(fn:pluss(X, 1)) :- s(X). s(1).

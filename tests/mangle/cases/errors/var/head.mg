# M-ANA-30 VAR_UNBOUND
r(X, Y) :- s(X). s(1).

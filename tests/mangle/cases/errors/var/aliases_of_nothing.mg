# M-ANA-24 VAR_UNBOUND
r(X) :- s(_), X = Y. s(1).

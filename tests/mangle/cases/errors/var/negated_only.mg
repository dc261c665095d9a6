# M-ANA-12 VAR_UNBOUND
r(X) :- s(X), !t(X, Y). s(1). t(1, 2).

# M-ANA-30 VAR_UNBOUND
r(X, Y, Z) :- s(W), !t(V). s(1). t(1).

# M-ANA-30 VAR_UNBOUND
r(X) :- s(X), Y != 3. s(1).

# M-ANA-25 VAR_UNBOUND
s(1). t(1).
r(X) :- s(_), !t(X).
r(X) :- s(_), X != 1.
r(X) :- s(X), !t(X), X != 2.

# M-ANA-48 APPLY_UNBOUND
r(X) :- X = fn:plus(Y, 1), s(Y). s(1).

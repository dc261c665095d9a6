# M-ANA-58 APPLY_UNBOUND
r(X) :- X = fn:list(_).

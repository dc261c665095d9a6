# M-ANA-47 BUILTIN_LATE
r(X) :- fn:plus(X, 1) < 3, s(X). s(1).

# M-ANA-21 BUILTIN_MODE
r(X) :- s(X), :lt(X). s(1).

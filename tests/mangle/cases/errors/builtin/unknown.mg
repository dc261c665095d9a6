# M-ANA-21 BUILTIN_MODE
r(X) :- s(X), :nope(X). s(1).

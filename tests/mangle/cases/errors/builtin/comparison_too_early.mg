# M-ANA-46 BUILTIN_MODE
r(X) :- X < 3, s(X). s(1).

# M-ANA-46 BUILTIN_MODE
r(X) :- s(X), :list:member(X, L). s(1).

# M-ANA-53 BUILTIN_MODE
r(X, Y) :- nowhere(X), Z < 3, s(fn:nope(X)). s(1).

# M-ANA-43 FN_UNKNOWN
r(Y) :- s(X), Y = fn:nope(X). s(1).

# M-ANA-60 FN_UNKNOWN
r(Y) :- s(X), Y = fn:count(). s(1).

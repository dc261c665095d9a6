# M-FUN-71 FN_UNKNOWN
r(Y) :- s(X), Y = fn:pair:fst(X). s(1).

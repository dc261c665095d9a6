# M-ANA-60 FN_UNKNOWN
r(X) :- s(X), Y = fn:group_by(X). s(1).

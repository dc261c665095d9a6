# M-ANA-40 PRED_UNKNOWN
r(X) :- nowhere(X).

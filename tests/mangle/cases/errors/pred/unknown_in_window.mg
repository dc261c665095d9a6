# M-ANA-54 PRED_UNKNOWN
r(X) :- <-[5m] nowhere(X).

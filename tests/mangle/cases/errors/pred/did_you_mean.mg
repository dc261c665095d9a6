# M-ANA-40 PRED_UNKNOWN
has_errors(1).
r(X) :- has_error(X).

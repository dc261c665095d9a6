# M-ANA-41 PRED_ARITY
s(1). r(X) :- s(X, X).

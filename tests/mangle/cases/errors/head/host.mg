# M-ANA-2 PRED_REDEFINED
reading(X, 1) :- other(X).
reading(X) :- other(X).
Decl sensor(X).
sensor(X) :- other(X).
%% host reading/2 other/1 sensor/1

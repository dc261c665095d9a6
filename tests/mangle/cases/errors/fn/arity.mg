# M-ANA-44 FN_ARITY
r(Y) :- s(X), Y = fn:list:get(X). s([1]).

# M-VAL-20, M-FUN-40, M-PRED-13
v([1, 2]).
r(X) :- v(L), X = fn:list:contains(L, 1.0).
s(L) :- v(L), !:list:member(1.0, L).

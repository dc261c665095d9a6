# M-PRED-13
v(1).
r(X) :- v(X), !:list:member(1, X).

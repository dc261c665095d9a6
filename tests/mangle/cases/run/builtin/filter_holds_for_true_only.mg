# M-PRED-6
v(1). v(2).
r(X) :- v(X), :filter(fn:list:contains([2, 3], X)).
s(X) :- v(X), :filter(X).

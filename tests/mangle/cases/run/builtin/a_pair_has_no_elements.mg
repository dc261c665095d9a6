# M-FUN-38
l(fn:pair(1, 2)).
r(X) :- l(L), X = fn:list:get(L, 0).

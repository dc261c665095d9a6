# M-FUN-38
l([/a, /b, /c]).
r(X) :- l(L), X = fn:list:get(L, -1).

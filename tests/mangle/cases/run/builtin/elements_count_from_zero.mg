# M-FUN-38
l([/a, /b, /c]). i(0). i(2).
r(I, X) :- l(L), i(I), X = fn:list:get(L, I).

# M-FUN-37
l([1]).
r(C) :- l(L), C = fn:list:append(2, L).

# M-FUN-36
l({}).
r(C) :- l(L), C = fn:list:cons(1, L).

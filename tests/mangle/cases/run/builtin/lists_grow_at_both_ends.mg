# M-FUN-36, M-FUN-37, M-FUN-39
l([]). l([1, "a"]).
r(C, A, N) :- l(L), C = fn:list:cons(/x, L), A = fn:list:append(L, [2]), N = fn:list:len(L).

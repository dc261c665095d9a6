# M-FUN-39
m([1 : 2]).
r(N) :- m(M), N = fn:list:len(M).

# M-FUN-43
m([1 : 2]).
r(V) :- m(M), V = fn:map:get(M, 2).

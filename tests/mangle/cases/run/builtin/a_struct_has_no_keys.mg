# M-FUN-43
m({/a : 2}).
r(V) :- m(M), V = fn:map:get(M, /a).

# M-FUN-45
s([/a : 2]).
r(V) :- s(S), V = fn:struct:get(S, /a).

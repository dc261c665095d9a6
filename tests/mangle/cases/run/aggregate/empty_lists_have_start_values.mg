# M-AGG-23, M-AGG-24, M-AGG-27, Q-75
l([]).
r(S, A, B) :- l(L) |> let S = fn:sum(L), let A = fn:min(L), let B = fn:max(L).
d(S) :- l(L), S = fn:duration:sum(L).

# M-AGG-11, Q-58
v(1).
r(N) :- v(X) |> do fn:group_by(), let N = fn:count().
seen(X) :- r1__tmp(X).

# M-AGG-11, Q-58: the reference calls its helper r1__tmp, which a program may do as well
v(1). v(2).
r1__tmp(X) :- v(X), X > 1.
r(N) :- v(X) |> do fn:group_by(), let N = fn:count().
seen(X) :- r1__tmp(X).

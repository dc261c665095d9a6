# M-AGG-8
v(1).
r(N) :- v(X), X > 1 |> do fn:group_by(), let N = fn:count().
s(N, L) :- v(X) |> do fn:group_by(), let N = fn:count(), let L = fn:collect(X).

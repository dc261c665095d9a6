# M-AGG-20
v(0). v(2). v(4).
l(L) :- v(X) |> do fn:group_by(), let L = fn:collect(fn:div(8, X)).
d(L) :- v(X) |> do fn:group_by(), let L = fn:collect_distinct(fn:div(1, fn:minus(X, 2))).
m(M) :- v(X) |> do fn:group_by(), let M = fn:collect_to_map(X, fn:div(8, X)).

# M-AGG-20, M-AGG-23
v(1). v("a").
r(S) :- v(X) |> do fn:group_by(), let S = fn:sum(X).

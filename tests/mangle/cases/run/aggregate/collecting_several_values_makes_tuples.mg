# M-AGG-30, M-AGG-31, M-VAL-13
v(1, "b"). v(2, "a").
l(L) :- v(X, Y) |> do fn:group_by(), let L = fn:collect(Y, X).
t(L) :- v(X, Y) |> do fn:group_by(), let L = fn:collect(X, Y, X).

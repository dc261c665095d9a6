# M-ANA-37 GROUPBY_USE
r(X, N) :- t(X, Y) |> do fn:group_by(X), let N = fn:plus(Y, 1). t(1, 2).

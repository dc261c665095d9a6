# M-ANA-36 GROUPBY_HEAD
r(X, Y, N) :- t(X, Y) |> do fn:group_by(X), let N = fn:count(). t(1, 2).

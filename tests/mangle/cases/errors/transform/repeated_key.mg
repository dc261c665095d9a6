# M-ANA-35 GROUPBY_KEYS
r(X, N) :- s(X) |> do fn:group_by(X, X), let N = fn:count(). s(1).

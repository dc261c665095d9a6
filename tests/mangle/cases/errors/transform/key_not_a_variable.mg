# M-ANA-35 GROUPBY_KEYS
r(N) :- s(X) |> do fn:group_by(fn:plus(X, 1)), let N = fn:count(). s(1).

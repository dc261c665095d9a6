# M-ANA-39 DO_NOT_GROUPBY
r(X) :- s(X) |> do fn:plus(X, 1). s(1).

# M-ANA-34 GROUPBY_LET
r(X) :- s(Y) |> let X = fn:group_by(Y). s(1).

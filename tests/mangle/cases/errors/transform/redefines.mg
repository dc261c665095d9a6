# M-ANA-31 TRANSFORM_REDEFINES
r(X) :- s(X) |> let X = fn:plus(X, 1). s(1).

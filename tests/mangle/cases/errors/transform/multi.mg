# M-ANA-32 TRANSFORM_MULTI
r(Y) :- s(X) |> let Y = fn:plus(X, 1) |> let Z = fn:plus(Y, 1). s(1).

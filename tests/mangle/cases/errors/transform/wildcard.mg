# M-ANA-58 TRANSFORM_VAR
r(Y) :- s(X) |> let Y = fn:plus(X, _). s(1).

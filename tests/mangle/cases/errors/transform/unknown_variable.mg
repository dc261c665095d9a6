# M-ANA-33 TRANSFORM_VAR
r(Y) :- s(X) |> let Y = fn:plus(X, Q). s(1).

# M-ANA-53 VAR_UNBOUND
r(Z) :- s(X) |> let Y = fn:plus(X, 1) |> let Z = fn:plus(Y, 1). s(1).

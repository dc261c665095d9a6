# M-ANA-38 LET_REDUCER
r(A, B) :- s(X) |> let A = fn:plus(X, 1), let B = fn:count(). s(1).

# M-AGG-1
v(3). v(5).
r(X, A, B) :- v(X) |> let A = fn:mult(X, 2), let B = fn:plus(A, X).
once(A) :- v(X) |> let A = fn:div(X, 3).

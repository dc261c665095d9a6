# M-AGG-1
v(0). v(2).
r(X, A) :- v(X) |> let A = fn:div(6, X).

# M-AGG-2
v(3).
r(fn:plus(A, 1), [A, X]) :- v(X) |> let A = fn:mult(X, X).
g(fn:mult(S, 2)) :- v(X) |> do fn:group_by(), let S = fn:sum(X).

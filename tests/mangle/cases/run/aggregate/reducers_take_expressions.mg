# M-AGG-14, Q-67
v(1). v(2). v(3).
r(S, M) :- v(X) |> do fn:group_by(), let S = fn:sum(fn:mult(X, X)), let M = fn:max(fn:minus(X)).

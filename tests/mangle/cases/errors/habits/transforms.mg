# M-ANA-80 SYNTAX
p(1).
r(N) :- p(X), do fn:group_by(), let N = fn:count().
r(N) :- p(X) |> fn:group_by(), let N = fn:count().
r(N) :- p(X) |> do group_by(), let N = fn:count().
r(N) :- p(X) |> do fn:group_by(), N = fn:count().
r(N) :- p(X) |> do fn:group_by() |> let N = fn:count(X) .
r(Y) :- p(X) |> let Y = X.

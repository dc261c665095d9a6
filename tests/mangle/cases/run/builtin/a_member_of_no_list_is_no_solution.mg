# M-PRED-12
v(1). v([2, 2]).
r(X) :- v(V), :list:member(X, V).
n(N) :- v(V), :list:member(X, V) |> do fn:group_by(), let N = fn:count().

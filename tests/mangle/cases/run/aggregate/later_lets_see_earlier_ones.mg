# M-AGG-4, M-AGG-13
v(/a, 3). v(/a, 5). v(/b, 1).
r(K, A) :- v(K, X) |> do fn:group_by(K), let S = fn:sum(X), let N = fn:count(), let A = fn:div(S, N).

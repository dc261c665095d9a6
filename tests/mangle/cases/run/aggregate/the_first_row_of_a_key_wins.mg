# M-AGG-32
v(/b, 2). v(/a, 3). v(/a, 1). v(1, 7). v(1.0, 8).
m(M) :- v(K, X) |> do fn:group_by(), let M = fn:collect_to_map(K, X).
one(N, M) :- v(K, X), X < 4 |> do fn:group_by(), let M = fn:collect_to_map(/all, [K, X]), let N = fn:count().

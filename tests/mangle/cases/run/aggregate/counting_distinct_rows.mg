# M-AGG-21, M-AGG-22
t(/a, 1). t(/a, 2). g(/a). g(/b).
c(N) :- t(X, Y), g(Z) |> do fn:group_by(), let N = fn:count_distinct().
k(X, N) :- t(X, _) |> do fn:group_by(X), let N = fn:count_distinct().

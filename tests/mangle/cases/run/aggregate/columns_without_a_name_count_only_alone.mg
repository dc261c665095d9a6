# M-AGG-5, Q-61
t(/a, 1). t(/a, 2). g(/a).
n1(N) :- t(_, _) |> do fn:group_by(), let N = fn:count().
n2(N) :- t(X, _), g(X) |> do fn:group_by(), let N = fn:count().
by(X, N) :- t(X, _) |> do fn:group_by(X), let N = fn:count().

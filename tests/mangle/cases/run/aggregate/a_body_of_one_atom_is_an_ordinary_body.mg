# M-AGG-6, Q-59
t(1, 1). t(1, 2). t(2, 2). t(3, 1).
twins(N) :- t(X, X) |> do fn:group_by(), let N = fn:count().
expression(S) :- t(fn:plus(0, 1), Y) |> do fn:group_by(), let S = fn:sum(Y).
built_in(N, S) :- :list:member(X, [1, 2, 1]) |> do fn:group_by(), let N = fn:count(), let S = fn:sum(X).

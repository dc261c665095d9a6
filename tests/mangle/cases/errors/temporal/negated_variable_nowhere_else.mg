# M-TEMP-40 ok
Decl p(X) temporal. Decl r(X) temporal. s(1).
r(X)@[2024-01-01, _] :- s(X), !p(Y)@[T, _].
q(X) :- s(X), <-[1h, now] p(X), p(X)@[S, E], !p(X)@[T, _] |> let Z = fn:plus(X, 1).
u(N) :- s(X), !p(Y)@[now] |> do fn:group_by(), let N = fn:count().

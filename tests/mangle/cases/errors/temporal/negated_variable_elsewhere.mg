# M-TEMP-40 VAR_UNBOUND
# a variable of a negated literal that also stands elsewhere has to be bound there
Decl p(X) temporal. Decl r(X) temporal. s(1).
r(X)@[T, _] :- s(X), !p(X)@[T, _].
r(X)@[2024-01-01, T] :- s(X), !p(X)@[_, T].
q(X) :- s(X), !p(X)@[T, _], <-[T, now] p(X).
q(X) :- s(X), !p(X)@[T], X != T.
q(X) :- s(X), !p(Y)@[now] |> let Z = fn:plus(Y, 1).
u(N) :- s(X), !p(Y)@[now] |> do fn:group_by(), let N = fn:sum(Y).

# M-ANA-80 SYNTAX
Decl ev(X) temporal.
ev(1)@[2024-1-1].
ev(1)@2024-01-01.
ev(1)@[yesterday].
r(X) :- <-[last] ev(X).
r(X) :- ev(X), X = 5m.
r(X) :- ev(X)@[now.

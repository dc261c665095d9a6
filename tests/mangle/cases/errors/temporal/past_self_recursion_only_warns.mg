# M-ANA-74, M-ANA-70 ok
Decl a(X) temporal. a(1)@[2024-01-01].
a(X)@[now, _] :- <-[0s, 1d] a(X).

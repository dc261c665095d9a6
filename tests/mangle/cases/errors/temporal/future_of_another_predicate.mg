# M-ANA-72, M-ANA-74 ok
Decl a(X) temporal. Decl b(X) temporal. b(1)@[2024-01-01].
a(X)@[now] :- <+[1d] b(X).
seen(X) :- <+[1d] a(X).

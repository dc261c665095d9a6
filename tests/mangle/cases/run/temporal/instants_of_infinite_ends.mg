# M-TEMP-3, M-TEMP-12, M-TEMP-4: an end that is no instant becomes open on its own side
Decl p(X) temporal. Decl until(X) temporal. Decl since(X) temporal.
p(/a)@[2024-01-01, _]. p(/b)@[_, 2024-02-01].
until(X)@[E, _] :- p(X)@[_, E].
since(X)@[_, S] :- p(X)@[S, _].
near(X) :- <-[now, 1h] p(X).
ahead(X) :- <+[now, 1h] p(X).

# M-ANA-26 ok
Decl p(X) temporal.
r(X, S, F) :- p(X)@[S, F].

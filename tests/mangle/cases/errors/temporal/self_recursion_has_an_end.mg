# M-ANA-70, M-ANA-73, M-ANA-74 ok
Decl ferry(X, Y) temporal. Decl trip(X, Y) temporal.
trip(X, Y)@[S, F] :- ferry(X, Y)@[S, F].
trip(X, Z)@[S, F] :- trip(X, Y)@[S, _], ferry(Y, Z)@[S, F].

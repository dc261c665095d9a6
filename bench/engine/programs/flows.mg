Decl assign(X, Y).
Decl dereference(X, Y).

flow(X, X) :- assign(X, _).
flow(X, X) :- assign(_, X).
flow(X, Y) :- assign(X, Y).
flow(X, Y) :- assign(X, Z), memory_alias(Z, Y).
flow(X, Y) :- flow(X, Z), flow(Z, Y).
memory_alias(X, X) :- assign(_, X).
memory_alias(X, X) :- assign(X, _).
memory_alias(X, W) :- dereference(Y, X), value_alias(Y, Z), dereference(Z, W).
value_alias(X, Y) :- flow(Z, X), flow(Z, Y).
value_alias(X, Y) :- flow(Z, X), memory_alias(Z, W), flow(W, Y).

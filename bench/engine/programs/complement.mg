Decl edge(X, Y).
Decl node(X).

path(X, Y) :- edge(X, Y).
path(X, Z) :- path(X, Y), edge(Y, Z).
apart(X, Y) :- node(X), node(Y), !path(X, Y).

:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Z) :- path(X, Y), edge(Y, Z).
apart(X, Y) :- path(_, _), !, node(X), node(Y), \+ path(X, Y).

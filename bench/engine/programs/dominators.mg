Decl edge(X, Y).
Decl node(X).

reached(0).
reached(Y) :- reached(X), edge(X, Y).
avoiding(D, 0) :- node(D), D != 0.
avoiding(D, Y) :- avoiding(D, X), edge(X, Y), D != Y.
dominates(D, X) :- node(D), reached(X), !avoiding(D, X).

triangle(X, Y, Z) :- edge(X, Y), edge(Y, Z), edge(X, Z).

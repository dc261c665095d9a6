Decl parent(X, P).

same(X, Y) :- parent(X, P), parent(Y, P).
same(X, Y) :- parent(X, P), same(P, Q), parent(Y, Q).

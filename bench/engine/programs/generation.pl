:- table same/2.
same(X, Y) :- parent(X, P), parent(Y, P).
same(X, Y) :- same(P, Q), parent(X, P), parent(Y, Q).

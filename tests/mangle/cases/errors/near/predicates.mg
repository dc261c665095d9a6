# M-ANA-40, M-ANA-41 PRED_UNKNOWN
Decl edge(From, To).
edge(/a, /b).
path(X, Y) :- egde(X, Y).
path(X, Y) :- Edge_(X, Y).
path(X, Z) :- edge(X, Y), pth(Y, Z).
path(X, Y) :- edge(X).
words(X) :- string:starts_with(X, "a").
words(X) :- edge(L, _), member(X, L).
words(X) :- nothing_like_it(X).
Decl two(X). Decl two(X, Y).
words(X) :- two(X, _, _).
words(X) :- twoo(X, _).

# M-EVAL-3, M-EVAL-5: two of the same generation, up and down again
up(/kim, /lea). up(/max, /lea). up(/nia, /kim). up(/oda, /max). up(/pit, /oda).
person(X) :- up(X, _).
person(X) :- up(_, X).
same(X, X) :- person(X).
same(X, Y) :- up(X, A), same(A, B), up(Y, B).
cousins(X, Y) :- same(X, Y), X != Y, up(X, A), up(Y, B), A != B.

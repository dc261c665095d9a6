# M-EXT-23, M-ANA-10: a negated call holds iff it has no solution; `_` is existential
Decl below(X, L) descr [mode('+', '+'), deferred()].
below(X, L) :- X < L.
Decl child(P, C) descr [mode('+', '-'), deferred()].
child(P, C) :- parent(P, C).
Decl fresh(X) descr [mode('+'), deferred()].
fresh(X) :- !seen(X), n(_).
parent(1, 2). n(1). n(2). n(7). seen(7).
high(X) :- n(X), !below(X, 2).
leaf(X) :- n(X), !child(X, _).
not_two(X) :- n(X), !child(X, 2).
new(X) :- n(X), fresh(X).

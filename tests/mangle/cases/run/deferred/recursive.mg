# M-EXT-20, M-EXT-25, M-STR-6: recursion on demand; a call inside a fixpoint sees its new facts
Decl sum_to(N, S) descr [mode('+', '-'), deferred()].
sum_to(0, 0) :- one(1).
sum_to(N, S) :- N > 0, M = fn:minus(N, 1), sum_to(M, T), S = fn:plus(N, T).
one(1).
s(S) :- sum_to(100, S).

Decl step(X, Y) descr [mode('+', '-'), deferred()].
step(X, Y) :- edge(X, Y), reach(X).
edge(/a, /b). edge(/b, /c). edge(/c, /d). edge(/x, /y).
reach(/a) :- one(_).
reach(Y) :- reach(X), step(X, Y).

Decl known(Y) descr [mode('+'), deferred()].
known(Y) :- path(_, Y).
path(/a, /b) :- one(_).
path(X, Y) :- edge(X, Y), known(X).
path(X, Z) :- path(X, Y), path(Y, Z).

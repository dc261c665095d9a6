# M-EXT-22, M-EXT-21: variables are local to a call, head constants and head expressions work
Decl next(X, Y) descr [mode('+', '-'), deferred()].
next(X, fn:plus(X, 1)) :- X >= 0.
Decl kind(X, K) descr [mode('+', '-'), deferred()].
kind(0, "zero") :- n(0).
kind(X, "other") :- X != 0.
Decl twice(X, Y) descr [mode('+', '-'), deferred()].
twice(X, Y) :- next(X, Z), next(Z, Y).
n(0). n(4).
r(X, Y, Z) :- n(X), next(X, Y), twice(Y, Z).
k(X, K) :- n(X), kind(X, K).
same(X) :- n(X), next(X, X).

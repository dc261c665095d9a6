# M-EXT-24: 1000 nested calls are the limit: 1001 are too many
Decl down(X, Y) descr [mode('+', '-'), deferred()].
down(0, "end") :- n(_).
down(X, Y) :- X > 0, Z = fn:minus(X, 1), down(Z, Y).
n(1000).
r(Y) :- n(X), down(X, Y).

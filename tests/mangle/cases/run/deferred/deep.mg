# M-EXT-24: 1000 nested calls are allowed
Decl down(X, Y) descr [mode('+', '-'), deferred()].
down(0, "end") :- n(_).
down(X, Y) :- X > 0, Z = fn:minus(X, 1), down(Z, Y).
n(999).
r(Y) :- n(X), down(X, Y).

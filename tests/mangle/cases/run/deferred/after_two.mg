# M-EXT-20: several deferred premises in one rule, each read to its end for each row before it
Decl up(X, Y) descr [mode('+', '-'), deferred()].
up(X, Y) :- n(Y), Y > X.
n(1). n(2). n(3).
r(X, Y, Z) :- n(X), up(X, Y), up(Y, Z).
pair(X, Y, Z) :- n(X), up(X, Y), up(X, Z).
some(X) :- n(X), up(X, _), up(1, _).

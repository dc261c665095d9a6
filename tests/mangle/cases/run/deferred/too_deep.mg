# M-EXT-24, M-ANA-98: recursion without end stops at the depth limit
Decl loop(X, Y) descr [mode('+', '-'), deferred()].
loop(X, Y) :- loop(X, Y).
loop(X, X) :- n(X).
n(1).
r(Y) :- n(X), loop(X, Y).

# M-EXT-20, M-EXT-21: rules on demand give no facts of their own; a call with constants filters
Decl clamp(X, Lo, Y) descr [mode('+', '+', '-'), deferred()].
clamp(X, Lo, Y) :- X < Lo, Y = Lo.
clamp(X, Lo, Y) :- Lo <= X, Y = X.
raw(3). raw(12). raw(5).
use(V) :- raw(R), clamp(R, 5, V).
raised(R) :- raw(R), clamp(R, 5, 5).

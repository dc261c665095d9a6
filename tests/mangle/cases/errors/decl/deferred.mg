# M-DECL-16 NOT_SUPPORTED
Decl clamp(X, Y) descr [mode('+', '-'), deferred()].
clamp(X, Y) :- s(X), Y = X.
s(1).

# M-EXT-20, M-ANA-5: facts of a deferred predicate answer calls beside its rules
Decl name(X, N) descr [mode('+', '-'), deferred()].
name(1, "one").
name(2, "two").
name(X, "many") :- X > 1.
n(1). n(2). n(3).
r(X, N) :- n(X), name(X, N).

# M-EXT-26: an input that the body does not bind fails when a rule of a plain predicate is evaluated
Decl p(X, Y) descr [mode('+', '-')].
p(X, Y) :- n(Y).
n(1).

# M-TEMP-37
Decl p(X) temporal.
p(/a)@[2024-01-01, 2024-12-31].
d(fn:duration:parse("1h")).
q(X) :- d(D), p(X)@[D, _].

# M-TEMP-12
Decl q(X) temporal.
d(fn:duration:parse("1h")).
q(/a)@[_, D] :- d(D).

# M-TEMP-12
Decl q(X) temporal.
d("2024-01-01").
q(/a)@[D, _] :- d(D).

# M-TEMP-50, M-TEMP-37
Decl p(X) temporal.
p(/a)@[2024-06-10T10:00:00Z].
d("1h").
q(X) :- d(D), <-[D, now] p(X).

# M-STR-3 STRATIFY
e(1).
a(X) :- e(X), !d(X).
b(X) :- a(X).
c(X) :- b(X).
d(X) :- c(X).

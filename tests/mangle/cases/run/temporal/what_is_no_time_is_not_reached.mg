# M-TEMP-37, M-EVAL-14
Decl p(X) temporal. Decl nothing(X).
d("noon").
r(X) :- nothing(X), d(T), p(X)@[T].
s(1) :- d(_).

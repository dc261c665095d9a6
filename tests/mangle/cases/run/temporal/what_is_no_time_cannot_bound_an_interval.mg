# M-TEMP-37, M-EVAL-14: also where no fact is there to look at
Decl p(X) temporal.
d("noon").
r(T) :- d(T), !p(/a)@[T].

# M-EVAL-8: what is not known of a negated atom is existential, and nothing is bound by it
n(1). n(2). n(3). r(1, /x). r(2, /y).
none(X) :- n(X), !r(X, _).
not_x(X) :- n(X), !r(X, /x).
small(X) :- n(X), !:lt(2, X).

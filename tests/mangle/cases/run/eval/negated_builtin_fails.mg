# M-EVAL-8, M-ANA-98: an error of a negated built-in still ends the evaluation
n("a").
small(X) :- n(X), !:lt(X, 2).

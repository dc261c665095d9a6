# M-EVAL-9, M-EVAL-10, M-ANA-23: both sides are worked out, then compared or bound; no mismatch is an error
n(1). n(2). n("1").
one(X) :- n(X), X = 1.
sum(Y) :- n(X), X != "1", Y = fn:plus(X, 1).
fixed(X) :- n(X), fn:list(X) = [2].
alias(Y) :- n(X), X = Y, Y = 2.
differ(X, Y) :- n(X), n(Y), X != Y, X != "1", Y != "1".

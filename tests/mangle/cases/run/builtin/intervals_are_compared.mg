# M-PRED-15
i(/a, fn:pair(fn:time:from_unix_nanos(1), fn:time:from_unix_nanos(5))). i(/b, fn:pair(5, 9)). i(/c, fn:pair(6, 9)).
before(X, Y) :- i(X, P), i(Y, Q), :interval:before(P, Q).
meets(X, Y) :- i(X, P), i(Y, Q), :interval:meets(P, Q).
during(X, Y) :- i(X, P), i(Y, Q), X != Y, :interval:during(P, Q).
finishes(X, Y) :- i(X, P), i(Y, Q), X != Y, :interval:finishes(P, Q).

# M-TEMP-89
i(5).
r(X) :- i(X), :interval:before(X, fn:pair(10, 20)).

# M-TEMP-89
i(fn:pair(1, "9")).
r(X) :- i(X), :interval:during(X, fn:pair(10, 20)).

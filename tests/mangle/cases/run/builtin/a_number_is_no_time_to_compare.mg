# M-PRED-2
n(1).
r(X) :- n(X), :time:lt(fn:time:from_unix_nanos(0), X).

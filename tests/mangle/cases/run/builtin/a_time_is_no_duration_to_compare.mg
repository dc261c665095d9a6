# M-PRED-3
n(0).
r(X) :- n(X), :duration:le(fn:duration:parse("1s"), fn:time:from_unix_nanos(X)).

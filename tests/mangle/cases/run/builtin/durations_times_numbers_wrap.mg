# M-FUN-62
d(D) :- D = fn:duration:mult(fn:duration:parse("90s"), -2).
w(D) :- D = fn:duration:mult(fn:duration:from_nanos(9223372036854775807), 2).

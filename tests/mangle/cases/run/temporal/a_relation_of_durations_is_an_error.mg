# M-TEMP-89
i(fn:pair(fn:duration:parse("1s"), fn:duration:parse("2s"))).
r(X) :- i(X), :interval:equals(fn:pair(1, 2), X).

# M-VAL-22
a([1 : "x", 2 : "y"]). b([2 : "y", 1 : "x"]). c({/p : 1, /q : 2}). d({/q : 2, /p : 1}).
same(/map) :- a(M), b(M).
same(/struct) :- c(S), d(S).

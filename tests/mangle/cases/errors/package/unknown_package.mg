# M-PKG-11 PRED_UNKNOWN
Package b! Use a! r(X) :- a.s(X).

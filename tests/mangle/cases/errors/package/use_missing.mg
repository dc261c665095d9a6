# M-ANA-83 PKG_USE_MISSING
Package b! r(X) :- a.s(X).

# M-ANA-83, M-PKG-4 PKG_USE_MISSING
Package b! r(X) :- a.s(X).

# M-PKG-5 PKG_USE_MISSING
r(X) :- a.s(X).

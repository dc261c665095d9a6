# M-ANA-96, M-TYPE-85 BOUNDS_PREMISE
Decl a(X) bound [/string]. Decl b(X) bound [/number]. a("x"). b(1).
r(X) :- a(X), b(X).
t(Y) :- b(X), Y = fn:plus(X, "a").

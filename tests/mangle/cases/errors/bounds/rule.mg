# M-ANA-96, M-TYPE-64 BOUNDS_RULE
Decl s(X) bound [/string]. Decl n(X) bound [/number].
n(1).
s(X) :- n(X).

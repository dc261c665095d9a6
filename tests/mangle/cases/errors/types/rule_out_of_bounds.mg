# M-TYPE-64, M-TYPE-83 BOUNDS_RULE
Decl s(X) bound [/string]. Decl n(X) bound [/number]. Decl p(X). Decl two(X, Y) bound [/number, /string] bound [/string, /number].
n(1).
s(X) :- n(X).
s(X) :- p(X).
s(3) :- n(_).
s([X]) :- n(X).
two(X, X) :- n(X).

# M-TYPE-4, M-TYPE-61 BOUNDS_FACT
Decl a(X) bound [/int].
a(1).
Decl b(X) bound [/nubmer].
b(1).
Decl c(X) bound [/bool].
c(/true).
Decl d(X) bound [/text].
Decl s(X) bound [/string]. s("a").
d(X) :- s(X).
Decl color(X) bound [/color].
color(/color).

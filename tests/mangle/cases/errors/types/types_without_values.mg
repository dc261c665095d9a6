# M-TYPE-13, M-TYPE-14 BOUNDS_FACT
Decl o(X) bound [.Option</number>].
o(1).
Decl f(X) bound [fn:Fun(/number, /string)].
f(1).
Decl r(X) bound [fn:Rel(/number)].
r(1).

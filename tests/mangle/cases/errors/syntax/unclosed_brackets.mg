# M-ANA-80 SYNTAX
p([1, 2).
p({/a : 1).
p(fn:pair(1, 2).
p([1, [2, 3).
p(1
q(2).
Decl d(X) bound [.List</string].
Decl e(X) descr [doc("x").
r(X) :- p(X)@[2024-01-01.
p([1,
   2,
   3).
r(X) :- p(fn:plus(X, 1) |> let Y = fn:plus(X, 1).
p(1

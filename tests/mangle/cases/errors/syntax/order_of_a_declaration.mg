# M-SYN-12 SYNTAX
Decl a(X) temporal descr [doc("x")] bound [/string] bound [/number] inclusion [b(X)].
Decl b(X) descr [doc("x")] temporal.
Decl c(X) descr [doc("x")] descr [doc("y")].
Decl d(X) bound [/string] descr [doc("x")].
Decl e(X) inclusion [b(X)] bound [/string].
Decl f(X) inclusion [b(X)] inclusion [b(X)].
a("x")@[2024-01-01].

# M-DECL-23 SYNTAX
Decl p(X) descr [temporal()].
p(1)@[2024-01-01].

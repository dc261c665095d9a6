# M-ANA-87 DECL_ARGDOC
Decl s(X, Y) descr [arg(X, "one")].

# M-ANA-87, M-DECL-12 DECL_ARGDOC
Decl s(X, Y) descr [arg(X, "one")].

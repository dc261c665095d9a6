# M-ANA-87, M-DECL-11 DECL_ARGDOC
Decl s(X) descr [arg(X)].

# M-ANA-87 DECL_ARGDOC
Decl s(X) descr [arg(Z, "no such")].

# M-DECL-11 DECL_ARGDOC
Decl a(X) descr [arg(X, "one"), arg(X, "two")].
Decl b(X) descr [arg("X", "one")].
Decl c(X) descr [arg(X, 1)].
Decl d(X) descr [arg()].
Decl e(X, Y) descr [arg(X, "one", "more"), arg(Y, "two")].

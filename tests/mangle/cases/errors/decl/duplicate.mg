# M-ANA-85 DECL_DUPLICATE
Decl s(X). Decl s(Y).

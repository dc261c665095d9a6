# M-ANA-85, M-DECL-1 DECL_DUPLICATE
Decl s(X). Decl s(Y).

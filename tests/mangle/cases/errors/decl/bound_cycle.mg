# M-ANA-92 DECL_CYCLE
Decl a(X) bound ["b"]. Decl b(X) bound ["a"].

# M-ANA-3 ARITY_HEAD
Decl s(X). s(1, 2).

# M-ANA-90, M-DECL-30 DECL_BOUND_ARITY
Decl s(X) bound [/number, /number].

# M-ANA-90 DECL_BOUND_ARITY
Decl s(X) bound [/number, /number].

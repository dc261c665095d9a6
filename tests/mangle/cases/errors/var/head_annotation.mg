# M-ANA-30 VAR_UNBOUND
Decl p(X) temporal. p(X)@[T] :- s(X). s(1).

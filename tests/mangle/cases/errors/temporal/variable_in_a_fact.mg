# M-TEMP-16 VAR_UNBOUND
Decl p(X) temporal.
p(1)@[T, _].

# M-TEMP-40 VAR_UNBOUND
Decl p(X) temporal. s(1).
r(X, T) :- s(X), !p(X)@[T].

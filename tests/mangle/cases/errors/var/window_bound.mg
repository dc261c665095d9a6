# M-TEMP-50 VAR_UNBOUND
Decl p(X) temporal. r(X) :- <-[0s, D] p(X).

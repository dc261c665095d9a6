# M-ANA-26 VAR_UNBOUND
Decl p(X) temporal.
r(X, D) :- <-[0s, D] p(X).

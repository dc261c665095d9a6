# M-ANA-84 DECL_ARG_NOT_VAR
Decl s(1).
Decl t(X, X).

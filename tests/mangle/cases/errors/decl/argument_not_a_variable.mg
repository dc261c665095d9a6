# M-ANA-84, M-DECL-4, M-SYN-11 DECL_ARG_NOT_VAR
Decl s(1).
Decl t(X, X).

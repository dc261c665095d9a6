# M-DECL-31, M-ANA-92 DECL_CYCLE
Decl ok(X) bound ["c"].
Decl a(X) bound [/string] bound ["b"].
Decl b(X) bound ["c"].
Decl c(X) bound ["a"].
Decl self(X) bound ["self"].

# M-TYPE-21, M-ANA-91 DECL_BOUND_ILLFORMED
Decl a(X) bound [.Lst</string>].
Decl b(X) bound [fn:list(/string)].
Decl c(X) bound [.Strct</a : /string>].
Decl d(X) bound [.Whatever</string>].
Decl e(X) bound ["edgee"]. Decl edge(X).

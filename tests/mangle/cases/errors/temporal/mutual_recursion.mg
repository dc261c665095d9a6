# M-ANA-71 TEMP_MUTUAL_REC
Decl a(X) temporal. Decl b(X) temporal. a(X)@[T] :- b(X)@[T]. b(X)@[T] :- a(X)@[T].

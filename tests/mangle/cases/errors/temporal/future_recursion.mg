# M-ANA-72 TEMP_FUTURE_REC
Decl a(X) temporal. a(X)@[now] :- <+[0s, 1d] a(X).

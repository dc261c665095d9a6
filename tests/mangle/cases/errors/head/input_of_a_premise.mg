# M-ANA-20, M-DECL-14 VAR_UNBOUND
Decl get(K, V) descr [mode('+', '-')].
get(1, /one).
row(K, V) :- get(K, V).

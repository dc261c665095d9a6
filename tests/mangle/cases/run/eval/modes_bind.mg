# M-ANA-20: an atom binds its variables, with modes those that are not inputs
Decl get(K, V) descr [mode('+', '-')].
get(1, /one). get(2, /two). key(2).
row(V) :- key(K), get(K, V).

# M-TEMP-36 TEMP_BOUND
Decl p(X) temporal. r(X) :- p(X)@[5m].

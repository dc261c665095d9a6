# M-TEMP-11 TEMP_BOUND
Decl p(X) temporal. s(1).
p(X)@[5m, _] :- s(X).

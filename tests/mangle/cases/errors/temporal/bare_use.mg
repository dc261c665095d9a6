# M-ANA-51 TEMP_BARE_USE
Decl p(X) temporal. p(1)@[2024-01-01]. r(X) :- p(X).

# M-TEMP-41 TEMP_BARE_USE
Decl p(X) temporal. s(1). r(X) :- s(X), !p(X).

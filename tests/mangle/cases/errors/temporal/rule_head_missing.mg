# M-ANA-49, M-TEMP-95 TEMP_HEAD_MISSING
Decl p(X) temporal. s(1). p(X) :- s(X).

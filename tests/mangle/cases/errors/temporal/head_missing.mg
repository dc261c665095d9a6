# M-ANA-49 TEMP_HEAD_MISSING
Decl p(X) temporal. p(1).

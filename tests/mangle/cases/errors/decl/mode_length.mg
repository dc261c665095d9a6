# M-ANA-88 DECL_MODE
Decl s(X) descr [mode('+', '-')].

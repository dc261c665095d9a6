# M-ANA-89 DECL_EXT_MODE
Decl s(X) descr [external(), mode('+'), mode('-')].

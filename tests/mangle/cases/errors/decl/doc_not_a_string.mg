# M-ANA-86 DECL_DOC
Decl s(X) descr [doc(1)].

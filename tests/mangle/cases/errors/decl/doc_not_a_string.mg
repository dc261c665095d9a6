# M-ANA-86, M-DECL-10 DECL_DOC
Decl s(X) descr [doc(1)].

# M-ANA-86 DECL_DOC
Decl s(X) descr [doc("a"), doc("b")].

# M-DECL-10 DECL_DOC
Decl a(X) descr [doc()].
Decl b(X) descr [doc("one", "two")].

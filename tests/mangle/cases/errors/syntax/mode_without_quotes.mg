# 21.1 SYNTAX
Decl p(X) descr [mode(+)].

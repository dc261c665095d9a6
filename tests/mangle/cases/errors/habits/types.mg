# M-ANA-80 SYNTAX
Decl a(X: /string).
Decl b(X) bound [string].
Decl c(X) bound [List</string>].
Decl d(X) bound [.list</string>].
Decl e(X) bound [.List(/string)].
Decl f(X) bound /string.
Decl g(name).
Decl h(X) bound(/string).
Decl i(X) descr(doc("x")).
Decl j(X) bound [/string] descr [doc("x")].
Decl k(X) bound [/string] temporal.

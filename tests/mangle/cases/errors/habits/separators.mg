# M-ANA-80 SYNTAX
p([1 2]).
p("a" "b").
p(/a, /b /c).
p({a: 1}).
p({/a 1}).
Decl a(X, Y) bound [/string /number].
Decl b(X) bound [/string], bound [/number].
p(1)
q(1) r(1).

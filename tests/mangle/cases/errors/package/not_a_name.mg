# M-ANA-81 SYNTAX
Package Foo!
p(1).

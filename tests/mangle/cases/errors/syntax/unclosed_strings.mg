# M-LEX-30, M-ANA-80 SYNTAX
p("abc).
p('abc).
p(`abc).
p(b"abc).
q(1.

# M-LEX-30 SYNTAX
p("abc).
q(1.
r(2).

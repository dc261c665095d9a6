# M-LEX-5 SYNTAX
p(1) ; q(2).
r(3).

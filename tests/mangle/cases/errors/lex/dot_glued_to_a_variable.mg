# M-LEX-10 SYNTAX
p(/a).X = 3.
q(1).

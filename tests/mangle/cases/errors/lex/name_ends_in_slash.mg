# M-LEX-11 SYNTAX
p(/a/).
q(//a).
r(/).

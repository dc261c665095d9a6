# M-LEX-8 SYNTAX
p(My_var) :- q(My_var).

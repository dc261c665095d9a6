# M-LEX-23 SYNTAX
p([A:B]) :- q(A, B).

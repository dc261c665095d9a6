# M-ANA-80 SYNTAX
p(X :- q(X).

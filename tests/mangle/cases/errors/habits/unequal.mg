# M-ANA-80 SYNTAX
p(1).
r(X) :- p(X), X =! 2.
r(X) :- p(X), X ! = 2.

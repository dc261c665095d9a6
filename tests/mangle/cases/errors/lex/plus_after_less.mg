# M-LEX-21 SYNTAX
r(X) :- s(X), X<+5.

# M-LEX-6 SYNTAX
r(X) :- now, s(X).
r(X) :- X = now.

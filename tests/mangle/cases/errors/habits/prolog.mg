# M-ANA-80 SYNTAX
:- import(library).
p(1). q(1).
r(X) :- p(X), \+ q(X).
r(X) :- p(X), not q(X).
r(X) :- p(X), not(q(X)).
r(X) :- p(X), X \= 1.
r(X) :- p(X), X == 1.
r(X) :- p(X), X =:= 1.
r(X) :- p(X), X =\= 1.
r(X) :- p(X), X =< 1.
r(Y) :- p(X), Y is X + 1.
r(X) :- p(X), !.
r(X) :- p(X); q(X).
r(X) :- p(X), Q(X).
r(X) --> p(X).
?- r(X).
s(x, y).

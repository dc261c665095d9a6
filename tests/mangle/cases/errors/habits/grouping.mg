# M-ANA-80 SYNTAX
p(1).
r(X) :- p(X), (X = 1; X = 2).
r(X) :- p(X), !(X = 1).
r(X) :- p(X), not X = 1.
r(X) :- p(X), 0 < X < 3.
r(X) :- exists p(X).
r(X) :- p(X) where X > 1.
r(X) :- p(X), X > 1 and X < 3.

# M-ANA-80 SYNTAX
p(1).
r(Y) :- p(X), Y = X + 1.
r(Y) :- p(X), Y = X - 1.
r(Y) :- p(X), Y = X * 2.
r(Y) :- p(X), Y = plus(X, 1).
r(Y) :- p(X), Y := 2.
p(-X).
p(1.).
p(1e5).

# M-SYN-1 SYNTAX
r(X) :- s(X), X = p(Y).
r(X) :- p(q(X)).
r(foo).

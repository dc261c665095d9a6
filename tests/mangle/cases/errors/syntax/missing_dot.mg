# M-SYN-10 SYNTAX
p(1)
q(2).
r(X) :- q(X), p(X)
s(3).

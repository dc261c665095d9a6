# M-ANA-80 SYNTAX
p(1.
q(X) :- r(X.
ok(1).
s(1) :- .
t([1, ).
last(X) :- ok(Y).

# M-SYN-7 SYNTAX
r(X) :- s(X), !X < 3.
r(X) :- s(X), !X.
r(X) :- s(X), !/a.

# M-SYN-8 SYNTAX
r(X) :- s(X), /a.
r(X) :- [1, 2].

# M-SYN-6 SYNTAX
r(X) :- s(X), <-[0s, 1h] X < 3.

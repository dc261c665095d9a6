# M-SYN-43 SYNTAX
r(X) :- <-[-5] p(X).

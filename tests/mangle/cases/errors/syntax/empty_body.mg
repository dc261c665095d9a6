# M-SYN-10 SYNTAX
r(1) :- .

# M-SYN-52 SYNTAX
r(X) :- X = fn:list.

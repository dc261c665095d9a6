# M-SYN-1 SYNTAX
r(X) :- fn:plus(X, 1).
fn:plus(1, 2).

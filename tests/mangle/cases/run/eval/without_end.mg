# M-EVAL-21, M-LIM-10: recursion with functions need not end; a limit stops it
n(0).
n(Y) :- n(X), Y = fn:plus(X, 1).

# M-EXT-21, M-EXT-22
Decl calc(Op, A, B, C) descr [mode('+', '+', '+', '-'), deferred()].
calc(/div, A, B, C) :- C = fn:div(A, B).
calc(/add, A, B, C) :- C = fn:plus(A, B).
calc(/same, A, A, C) :- C = fn:div(6, A).
n(4, 2). n(3, 0). n(0, 1). n(2, 2).
sum(A, B, C) :- n(A, B), calc(/add, A, B, C).
ratio(C) :- n(A, B), B != 0, calc(/div, A, B, C).
same(C) :- n(A, B), calc(/same, A, B, C).
Decl ask(A, B) descr [mode('+', '-'), deferred()].
ask(/b, fn:mod(Y, X)) :- n(Y, X).
none(X) :- ask(/true, X).

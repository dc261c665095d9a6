# M-TYPE-46, M-TYPE-47, M-TYPE-91 BOUNDS_PREMISE
Decl n(X) bound [/number]. Decl f(X) bound [/float64]. Decl any(X). n(1). f(1.5). any(1).
n(Y) :- n(X), Y = fn:plus(X, 1).
n(Y) :- n(X), Y = fn:mod(fn:div(fn:mult(X, 2), 3), fn:minus(X)).
f(Y) :- f(X), Y = fn:float:plus(X, fn:float:mult(1.5, fn:float:div(X, 2.0))).
r(Y) :- n(X), Y = fn:plus(X, "a").
r(Y) :- f(X), Y = fn:plus(X, 1).
r(Y) :- any(X), Y = fn:mult(X, 2).
r(Y) :- n(X), Y = fn:minus(X, 1.5).
r(Y) :- f(X), n(N), Y = fn:float:mult(X, N).
r(Y) :- any(X), Y = fn:float:div(X, 1.5).
f(Y) :- n(X), Y = fn:plus(X, 1).

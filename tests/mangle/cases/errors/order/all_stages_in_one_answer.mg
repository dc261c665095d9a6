# M-ANA-1 PKG_USE_MISSING
r(X) :- a.s(X).
Decl d(X). Decl d(Y).
h(1). h(1, 2).
Decl e(X) descr [doc(1)].
u(X) :- h(Y).
f(fn:div(1, 0)).
n(X) :- h(X), !n(X).
g(X :- h(X).

# M-EVAL-7, M-ANA-48 APPLY_UNBOUND
e(1, 2). n(1). Decl t(X) temporal. t(2)@[2024-01-01].
p(X) :- e(X, fn:plus(X, 1)).
q(X) :- e(fn:plus(X, 1), 2), n(X).
s(X) :- n(X), e(X, fn:plus(Y, 1)).
u(X) :- n(X), e(fn:plus(_, 1), X).
w(X) :- n(X), t(fn:plus(X, Y))@[Y].
v(X) :- n(X), <-[1h] t([X, Z]).
# these can
a(X) :- n(X), e(X, fn:plus(X, 1)).
b(X) :- e(X, Y), Y = fn:plus(X, 1).
c(X) :- !e(X, fn:plus(X, 2)), n(X).
